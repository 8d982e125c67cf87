"""The standings: drivers race by race with what decides between equal sums, and teams."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from companion.desk.record_desk import RecordDesk
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.record_screen import RecordScreen
from companion.screens.commissioner.strip import HIGH as STRIP
from companion.screens.commissioner.strip import Strip, Stripped
from companion.screens.widgets import plate
from companion.screens.widgets.compose import Area, Ui
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, VALUE
from companion.screens.widgets.title_bar import Title
from companion.screens.widgets.touch import Target
from companion.view.commissioner.standings import Head, Place, StandingsShown, TeamPlace, standings
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
"""Where the columns of the races begin at the earliest."""
STEP: Final = 64.0
"""How wide such a column is at most."""
TOUCHED: Final = 52.0
"""How high the heads of the columns are for a finger."""
SUBSTITUTE: Final = "S"
"""Beside the points that somebody else has driven for an entrant."""
MOST: Final = 9
"""The most races that are seen; of more the last ones."""


class PlaceView(RowView):
    """Draws a `Place`."""

    def draw(self, pen: Pen, shown: Place) -> None:
        middle = pen.h / 2
        pen.text(shown.place, 27, middle, BODY, "mid", SEMIBOLD, "right")
        plate.draw(pen, shown.plate, 52, middle, 24)
        cells = shown.cells[-MOST:]
        names, step = columns(pen.w, len(cells))
        pen.text(shown.name, 74, middle, BODY, "hi", SEMIBOLD, room=names - 78, cut=True)
        for at, cell in enumerate(cells):
            x = names + step * (at + 0.5)
            if cell.win:
                pen.fill(x - 14, middle - 12, 28, 24, "pri", 4)
            ink = "onpri" if cell.win else "low" if cell.to_come or cell.dropped or cell.out else "hi"
            size = BODY if len(cell.text) < 3 else SMALL
            wide = pen.text(cell.text, x, middle, size, ink, SEMIBOLD, "centre", floor=14)
            if cell.substitute:
                beside = x + max(14.0 if cell.win else 0.0, wide / 2) + 1
                pen.text(SUBSTITUTE, beside, middle - 5, CAPTION, "mid", BOLD)
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
        few = len(shown.parts) < 3
        x, beside = (49.0, 19.0) if few else (37.0, 16.0)
        for at, (one, points) in enumerate(shown.parts):
            left = len(shown.parts) - at
            aside = beside + plate.wider(one, 24)
            end = x + aside + pen.width(points, SMALL, SEMIBOLD)
            if end > pen.w - (8 if left == 1 else 30):
                pen.text(f"+{left}", x - 10, 47, SMALL, "low", SEMIBOLD)
                break
            plate.draw(pen, one, x, 47, 24)
            pen.text(points, x + aside, 47, SMALL, "mid", SEMIBOLD)
            x = end + (pen.text("+", end + 9, 47, SMALL, "low") + 31 if few and left > 1 else 18)


class Heads(Target):
    """Shows a `Head` for each column of the races; `on_race(key)` for one that has a result and was touched."""

    joined = True

    def __init__(self, on_race: Callable[[str], object], **properties: Any) -> None:
        super().__init__(on_tap=self._tapped, **properties)
        self.on_race = on_race
        self._at = 0
        """The column on which a finger lies."""

    def on_touch_down(self, touch: Any) -> bool:
        if self.shown and not self.pressed and self.collide_point(*touch.pos):
            self._at = min(int((touch.x - self.x) * len(self.shown) / self.width), len(self.shown) - 1)
        return super().on_touch_down(touch)

    def _tapped(self) -> None:
        heads: tuple[Head, ...] = self.shown or ()
        if self._at < len(heads) and (race := heads[self._at].race):
            self.on_race(race)

    def paint(self, pen: Pen) -> None:
        heads: tuple[Head, ...] = self.shown or ()
        step = pen.w / max(1, len(heads))
        for at, head in enumerate(heads):
            if self.pressed and at == self._at and head.race:
                pen.fill(step * at, 0, step, HEAD - 1, "bg4")
            ink = "hi" if head.race else "low"
            pen.text(head.code, step * (at + 0.5), HEAD / 2, SMALL, ink, SEMIBOLD, "centre", room=step)


def columns(wide: float, count: int) -> tuple[float, float]:
    """Where the columns of so many races begin, and how wide each is: what few of them leave over is the names'."""
    room = wide - SUM - 36
    step = min(STEP, (room - NAMES) / max(1, count))
    return room - step * count, step


class StandingsScreen(RecordScreen):
    """The standings of a season, or of the tournament that `given["kind"]` says."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows, self.teams = Rows(PlaceView, high=ROW), Rows(TeamView, high=TEAM)
        self.heads = Heads(self._result)
        calendar = ("finish", lambda: app.go("calendar", record=self.record))
        self.strip = Strip(self._driver, (calendar if self.record_kind == "season" else ("table", app.back),))

    def look(self, desk: RecordDesk[Any], words: Words) -> StandingsShown:
        return standings(desk.record, words)

    def _result(self, race: str) -> None:
        """The result of a race, or of the first table of a round."""
        self.app.go("table_result", record=self.record, kind=self.record_kind, table=race)

    def _driver(self, number: int) -> None:
        self.app.go("driver", record=self.record, kind=self.record_kind, number=number)

    def compose_record(self, ui: Ui) -> None:
        now: StandingsShown = self.now
        self.bar.show(Title(text=self.say("season.standings"), note=now.subtitle))
        self.strip.labels = (self.say("season.calendar" if self.record_kind == "season" else "season.back"),)
        ui.place(ui.area.cut_bottom(STRIP), self.strip).show(Stripped(plates=tuple(row.plate for row in now.rows)))
        teams = ui.area.cut_right(TEAMS)
        ui.pen.fill(*teams.cut_left(1).box, "line")
        ui.place(Area(teams.x, teams.y + HEAD, teams.w, teams.h - HEAD), self.teams).show(now.teams)
        ui.pen.fill(0, teams.y + HEAD - 1, ui.pen.w, 1, "line")
        ui.text(teams.cut_top(HEAD).inset(11), self.say("season.teams"), BODY, weight=BOLD)
        head = ui.area.cut_top(HEAD)
        self._legend(ui, ui.area.cut_bottom(LEGEND))
        ui.place(ui.area, self.rows).show(now.rows)
        ui.text(head.cut_right(SUM).inset(14), self.say("season.countback"), SMALL, "low")
        ui.pen.text(self.say("season.sum"), head.right, head.middle[1], SMALL, "low", SEMIBOLD, "right", room=40)
        ui.pen.text(self.say("season.sum"), ui.pen.w - 12, head.middle[1], SMALL, "low", SEMIBOLD, "right")
        if heads := now.heads[-MOST:]:
            names, step = columns(ui.area.w, len(heads))
            ui.place(Area(names, head.y, step * len(heads), TOUCHED), self.heads).show(heads)

    def _legend(self, ui: Ui, area: Area) -> None:
        now, pen, y, x = self.now, ui.pen, area.middle[1], 20.0
        if not now.run:
            pen.text(self.say("season.no_points"), x, y, CAPTION, "mid", SEMIBOLD)
            return
        pen.fill(x, y - 7, 20, 14, "pri", 3)
        x = 46 + pen.text(self.say("season.win"), 46, y, CAPTION, "mid") + 18
        pen.fill(x, y + 4, 16, 2, "bad")
        x += 22 + pen.text(self.say("season.dnf"), x + 22, y, CAPTION, "mid") + 18
        if now.drops:
            x += pen.text(self.say("season.drops"), x, y, CAPTION, "mid") + 18
        if now.substitutes:
            x += pen.text(f"{SUBSTITUTE} {self.say('season.substitute')}", x, y, CAPTION, "mid") + 18
        if now.warning:
            pen.icon("triangle", x + 8, y, 16, "warn")
            pen.text(now.warning, x + 20, y, CAPTION, "warn", SEMIBOLD, room=area.right - x - 30, cut=True)
        else:
            pen.text(now.article, area.right - 10, y, CAPTION, "low", SEMIBOLD, "right")
