"""The standings: drivers race by race with tie-breaks, and teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.desk.record_desk import RecordDesk
from companion.screens.app.visits import OfRecord
from companion.screens.events.record_screen import RecordScreen
from companion.screens.events.strip import STRIP_HEIGHT, PlateStrip, StripShown
from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Title, Ui
from companion.screens.kit.listing_pane import HEAD_HEIGHT, SUBSTITUTE, ListingPane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, VALUE
from companion.view.events.standings import StandingsShown, standings
from companion.view.listing import Row
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

TEAM: Final = 67.0
TEAMS: Final = 204.0
LEGEND: Final = 20.0
MAX_RACES: Final = 9
"""Maximum number of races shown, the last ones."""


class TeamView(RowView):
    """Row of a team: place, name with its drivers' shares, and sum."""

    def draw(self, pen: Pen, shown: Row) -> None:
        place, team, points = shown
        pen.text(place.text, 24, 20, SMALL, "mid", SEMIBOLD, "right")
        sum_ = pen.text(points.text, pen.w - 12, 20, VALUE, "hi", BOLD, "right")
        pen.text(team.text, 37, 20, NAME, "hi", SEMIBOLD, room=pen.w - 56 - sum_, cut=True)
        few = len(team.cars) < 3
        x, beside = (49.0, 19.0) if few else (37.0, 16.0)
        for at, (one, share) in enumerate(team.cars):
            left = len(team.cars) - at
            aside = beside + plate.wider(one, 24)
            end = x + aside + pen.width(share, SMALL, SEMIBOLD)
            if end > pen.w - (8 if left == 1 else 30):
                pen.text(f"+{left}", x - 10, 47, SMALL, "low", SEMIBOLD)
                break
            plate.draw(pen, one, x, 47, 24)
            pen.text(share, x + aside, 47, SMALL, "mid", SEMIBOLD)
            x = end + (pen.text("+", end + 9, 47, SMALL, "low") + 31 if few and left > 1 else 18)


class StandingsScreen(RecordScreen):
    """The standings of a season, or of a tournament (`given["kind"]`)."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.drivers, self.teams = ListingPane(self._result), Rows(TeamView, high=TEAM)
        calendar = ("finish", lambda: app.go("calendar", record=self.record))
        self.strip = PlateStrip(self._driver, (calendar if self.record_kind == "season" else ("table", app.back),))

    def look(self, desk: RecordDesk[Any], words: Words) -> StandingsShown:
        return standings(desk.record, words)

    def _result(self, race: str) -> None:
        """Open the result of a race, or of the first table of a round."""
        self.app.go("table_result", record=self.record, kind=self.record_kind, table=race)

    def _driver(self, number: int) -> None:
        self.app.go("driver", record=self.record, kind=self.record_kind, number=number)

    def compose_record(self, ui: Ui) -> None:
        now: StandingsShown = self.now
        races = [column.key for column in now.drivers.columns if column.kind == "score"][-MAX_RACES:]
        drivers = now.drivers.only("place", "number", "driver", *races, "points")
        teams = now.teams.only("place", "team", "points")
        plates = tuple(plate for (car,) in now.drivers.only("number").rows for plate, _ in car.cars)
        self.bar.show(Title(text=self.say("season.standings"), note=now.subtitle))
        self.strip.labels = (self.say("season.calendar" if self.record_kind == "season" else "season.back"),)
        ui.place(ui.area.cut_bottom(STRIP_HEIGHT), self.strip).show(StripShown(plates=plates))
        right = ui.area.cut_right(TEAMS)
        ui.pen.fill(*right.cut_left(1).box, "line")
        head = right.cut_top(HEAD_HEIGHT)
        ui.place(right, self.teams).show(teams.rows)
        ui.pen.fill(0, head.bottom - 1, ui.pen.w, 1, "line")
        ui.text(head.inset(11), teams.title, BODY, weight=BOLD)
        ui.text(head.inset(12), teams.columns[-1].short, SMALL, "low", align="right")
        self._legend(ui, ui.area.cut_bottom(LEGEND))
        ui.place(ui.area, self.drivers).show(drivers)

    def _legend(self, ui: Ui, area: Area) -> None:
        now, pen, y, x = self.now, ui.pen, area.middle[1], 20.0
        if not now.run:
            pen.text(self.say("season.no_points"), x, y, CAPTION, "mid", SEMIBOLD)
            return
        pen.fill(x, y - 7, 20, 14, "pri", 3)
        x = 46 + pen.text(self.say("season.win"), 46, y, CAPTION, "mid") + 18
        pen.fill(x, y + 4, 16, 2, "bad")
        x += 22 + pen.text(self.say("season.dnf"), x + 22, y, CAPTION, "mid") + 18
        if "dropped" in now.marks:
            x += pen.text(self.say("season.drops"), x, y, CAPTION, "mid") + 18
        if "substitute" in now.marks:
            x += pen.text(f"{SUBSTITUTE} {self.say('season.substitute')}", x, y, CAPTION, "mid") + 18
        if now.warning:
            pen.icon("triangle", x + 8, y, 16, "warn")
            pen.text(now.warning, x + 20, y, CAPTION, "warn", SEMIBOLD, room=area.right - x - 30, cut=True)
        else:
            pen.text(now.article, area.right - 10, y, CAPTION, "low", SEMIBOLD, "right")
