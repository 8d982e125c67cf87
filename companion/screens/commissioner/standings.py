"""The standings: drivers race by race with what decides between equal sums, and teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.desk.record_desk import RecordDesk
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.record_screen import RecordScreen
from companion.screens.commissioner.strip import HIGH as STRIP
from companion.screens.commissioner.strip import Strip, Stripped
from companion.screens.widgets import plate
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, VALUE
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.view.commissioner.standings import Place, StandingsShown, TeamPlace, standings
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

HEAD: Final = 32.0
ROW: Final = 31.4
TEAM: Final = 67.0
TEAMS: Final = 204.0
LEGEND: Final = 20.0
SUM: Final = 116.0
"""From the right edge of the sums to that of the table: what decides stands there."""
NAMES: Final = 150.0
"""Where the columns of the races begin."""
MOST: Final = 9
"""The most races that are seen; of more the last ones."""


class PlaceView(RowView):
    """Draws a `Place`."""

    def draw(self, pen: Pen, shown: Place) -> None:
        middle = pen.h / 2
        pen.text(shown.place, 27, middle, BODY, "mid", SEMIBOLD, "right")
        plate.draw(pen, shown.plate, 52, middle, 24)
        pen.text(shown.name, 74, middle, BODY, "hi", SEMIBOLD, room=NAMES - 78, cut=True)
        step, cells = columns(pen.w, len(shown.cells)), shown.cells[-MOST:]
        for at, cell in enumerate(cells):
            x = NAMES + step * (at + 0.5)
            if cell.win:
                pen.fill(x - 14, middle - 12, 28, 24, "pri", 4)
            ink = "onpri" if cell.win else "low" if cell.to_come or cell.dropped or cell.out else "hi"
            pen.text(cell.text, x, middle, BODY if len(cell.text) < 3 else SMALL, ink, SEMIBOLD, "centre", floor=14)
            if cell.out:
                pen.fill(x - 8, middle + 11, 16, 2, "bad")
        pen.text(shown.sum, pen.w - SUM, middle, NAME, "hi", BOLD, "right")
        if shown.before or shown.after:
            top, bottom = 0.0 if shown.before else middle - 5, pen.h if shown.after else middle + 5
            pen.fill(pen.w - SUM + 4, top, 2, bottom - top, "rim")
        pen.text(shown.decides, pen.w - SUM + 14, middle, SMALL, "hi" if shown.ahead else "mid", SEMIBOLD,
                 room=SUM - 20)  # fmt: skip


class TeamView(RowView):
    """Draws a `TeamPlace`."""

    def draw(self, pen: Pen, shown: TeamPlace) -> None:
        pen.text(shown.place, 24, 20, SMALL, "mid", SEMIBOLD, "right")
        sum_ = pen.text(shown.sum, pen.w - 12, 20, VALUE, "hi", BOLD, "right")
        pen.text(shown.name, 37, 20, NAME, "hi", SEMIBOLD, room=pen.w - 56 - sum_, cut=True)
        x = 49.0
        for at, (one, points) in enumerate(shown.parts[:3]):
            if at and x < pen.w - 60:
                x += pen.text("+", x, 47, SMALL, "low") + 22
            if x > pen.w - 34:
                break
            plate.draw(pen, one, x, 47, 24)
            x += 20 + pen.text(points, x + 19, 47, SMALL, "mid", SEMIBOLD) + 8


def columns(wide: float, count: int) -> float:
    """How wide the column of a race is."""
    return (wide - SUM - 36 - NAMES) / max(1, min(MOST, count))


class StandingsScreen(RecordScreen):
    """The standings of a season, or of the tournament that `given["kind"]` says."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows, self.teams = Rows(PlaceView, high=ROW), Rows(TeamView, high=TEAM)
        calendar = ("finish", self._calendar) if self.record_kind == "season" else ("table", self._tables)
        self.strip = Strip(self._driver, (calendar,))

    def look(self, desk: RecordDesk[Any], words: Words) -> StandingsShown:
        return standings(desk.record, words)

    def _calendar(self) -> None:
        self.app.go("calendar", record=self.record)

    def _tables(self) -> None:
        self.app.back()

    def _driver(self, number: int) -> None:
        self.app.go("driver", record=self.record, kind=self.record_kind, number=number)

    def place(self) -> list[Any]:
        now: StandingsShown = self.now
        self.bar.show(Title(text=self.say("season.standings"), note=now.subtitle))
        left = self.w - TEAMS
        self.rows.show(now.rows)
        self.put(self.rows, 0, BAR + HEAD, left, self.h - BAR - HEAD - LEGEND - STRIP)
        self.teams.show(now.teams)
        self.put(self.teams, left + 1, BAR + HEAD, TEAMS - 1, self.h - BAR - HEAD - STRIP)
        self.strip.labels = (self.say("season.calendar" if self.record_kind == "season" else "season.back"),)
        self.strip.show(Stripped(plates=tuple(row.plate for row in now.rows)))
        self.put(self.strip, 0, self.h - STRIP, self.w, STRIP)
        return [self.rows, self.teams, self.strip]

    def draw(self, pen: Pen) -> None:
        now: StandingsShown = self.now
        left, y = pen.w - TEAMS, BAR + HEAD / 2
        pen.fill(left, BAR, 1, pen.h - BAR - STRIP, "line")
        pen.fill(0, BAR + HEAD - 1, pen.w, 1, "line")
        step = columns(left, len(now.heads))
        for at, head in enumerate(now.heads[-MOST:]):
            ink = "hi" if head.race else "low"
            pen.text(head.code, NAMES + step * (at + 0.5), y, SMALL, ink, SEMIBOLD, "centre", room=step)
        pen.text(self.say("season.sum"), left - SUM, y, SMALL, "low", SEMIBOLD, "right", room=40)
        pen.text(self.say("season.countback"), left - SUM + 14, y, SMALL, "low", SEMIBOLD, room=SUM - 20)
        pen.text(self.say("season.teams"), left + 12, y, BODY, "hi", BOLD)
        pen.text(self.say("season.sum"), pen.w - 12, y, SMALL, "low", SEMIBOLD, "right")
        y = pen.h - STRIP - LEGEND / 2
        if not now.run:
            pen.text(self.say("season.no_points"), 20, y, CAPTION, "mid", SEMIBOLD)
            return
        pen.fill(20, y - 7, 20, 14, "pri", 3)
        x = 46 + pen.text(self.say("season.win"), 46, y, CAPTION, "mid") + 18
        pen.fill(x, y + 4, 16, 2, "bad")
        x += 22 + pen.text(self.say("season.dnf"), x + 22, y, CAPTION, "mid") + 18
        if now.drops:
            pen.text(self.say("season.drops"), x, y, CAPTION, "mid")
        pen.text(now.article, left - 10, y, CAPTION, "low", SEMIBOLD, "right")
