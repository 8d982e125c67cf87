"""The calendar of a season, and the key that starts its next race."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from companion import circuits
from companion.desk.organising import draw_grid, lies_in, trials_grid
from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.visits import OfRecord
from companion.screens.board.overview import Overview
from companion.screens.events.arranging import GRID_REASONS
from companion.screens.events.record_screen import Offer, RecordScreen
from companion.screens.kit import plate
from companion.screens.kit.compose import Act, Area, Title, Ui
from companion.screens.kit.foot import MAIN, deed
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, VALUE
from companion.screens.kit.touch import Target
from companion.tournament.season import Gridded, Revived, Season
from companion.view.events.calendar import CalendarShown, RacePanel, calendar
from companion.view.listing import Cell
from companion.view.shown import Toast
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

PANEL: Final = 292.0
"""Width of the panel with the selected race, in dp."""
TILE_HEIGHT: Final = 71.0
MAX_TILES: Final = 8
"""Number of races that fit."""
MAX_PLATES: Final = 16
"""Number of plates of a grid that fit."""
REVIVE_REASONS: Final = ("date", "wish")
"""Reasons for running a race that was off; another reason is typed."""


class RaceTileKey(Target):
    """Key of a race: its row of the calendar, and whether it is selected."""

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        race: Mapping[str, Cell]
        race, chosen = self.shown
        state, winner, home = race["state"], race["winner"].cars, race["home"].cars
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", 8)
        if chosen:
            pen.rim(0, 0, pen.w, pen.h, "pri", 3, 8)
        ink = "low" if "off" in state.marks else "hi"
        pen.text(race["race"].text, 31, 23, VALUE, "low" if not chosen else "hi", BOLD, "right")
        right = pen.w - 14
        if winner:
            plate.draw(pen, winner[0][0], right - 8, 23, 26)
            pen.icon("trophy", right - 38, 23, 20, "mid")
            right -= 56
        elif state.brief:
            tone = "ok" if "next" in state.marks else "low"
            wide = pen.width(state.brief, CAPTION) + 14
            pen.rim(right - wide + 4, 11, wide, 24, tone, 1.5, 3)
            pen.text(state.brief, right - wide / 2 + 4, 23, CAPTION, tone, SEMIBOLD, "centre")
            right -= wide + 4
        foot, name, date = 51, race["track"].text, race["date"]
        if pen.width(name, CAPTION, SEMIBOLD) > right - 48:  # in two lines rather than cut
            pen.paragraph(name, 44, 14, CAPTION, right - 48, ink, SEMIBOLD, 2)
            foot = 56
        else:
            pen.text(name, 44, 23, NAME, ink, SEMIBOLD, room=right - 48)
        x = (
            44
            + pen.text(date.brief, 44, foot, SMALL, "warn" if "moved" in date.marks else "mid", room=100, cut=True)
            + 12
        )
        if home:
            pen.icon("home", x + 9, foot, 18, "low")
            for at, (one, _) in enumerate(home[:3]):
                plate.draw(pen, one, x + 34 + at * 32, foot, 24)


class CalendarScreen(RecordScreen):
    """The races of a season; `given["race"]` is selected, by default the next one."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.log = ""
        """Log of the selected race, if it is on this device."""
        self.is_setting_grid = False
        """True if the ways to set the grid against the season's rule are shown."""
        self.first = 0
        """Index of the first race shown."""

    def look(self, desk: RecordDesk[Any], words: Words) -> CalendarShown:
        came, wrong = self.collect(desk)
        if came or wrong:
            said = wrong[0] if wrong else None
            self.app.recording.do(lambda _: None, lambda _: self._came(came, said))
        shown = calendar(desk.record, words, self.given.get("race", 0))
        log = shown.panel.log
        self.log = log if log and lies_in(self.app.folder, log) else ""
        return shown

    def _came(self, came: list[str], wrong: CompanionError | None) -> None:
        if wrong is not None:
            self.app.tell(wrong)
        elif self.app.screen is self:
            self.app.tell(Toast(text=self.say("season.came", race=came[-1]), icon="check"))

    # -- what fingers do

    def _choose(self, number: int) -> None:
        self.given["race"] = number
        self.is_setting_grid = False
        self.again()

    def _turn_page(self) -> None:
        """Show the next races, cyclically."""
        self.first = self.first + MAX_TILES - 1 if self.first + MAX_TILES - 1 < len(self.now.races.rows) else 0
        self.look_again()

    def _start(self) -> None:
        self.start(str(self.now.chosen))

    def _result(self) -> None:
        """Open the selected race's result: to confirm, correct or type it."""
        self.app.go("table_result", record=self.record, kind="season", table=str(self.now.chosen))

    def _standings(self) -> None:
        self.app.go("standings", record=self.record)

    def _arrange(self) -> None:
        """Open the changes: substitutes, a grid by hand, another date or circuit, no race."""
        self.is_setting_grid = False
        self.app.go("arranging", record=self.record, race=self.now.chosen)

    def offers(self) -> Sequence[Offer]:
        to_come = self.now is not None and self.now.panel.state == "to_come"
        return (
            *((("arrange", "edit", self._arrange),) if to_come else ()),
            ("entrants", "person", lambda: self.app.go("entrants", record=self.record, kind="season")),
            ("standings", "trophy", self._standings),
            ("result", "sheet", self._result),
        )

    def _settle(self) -> None:
        """Set the grid by the season's rule."""
        {"trials": self._by_trials, "hand": self._arrange}.get(self.now.draws, self._roll_grid)()

    def _why_grid(self, settle: Callable[[str], object]) -> None:
        """Ask why the grid is set otherwise than by the season's rule."""
        self.is_setting_grid = False
        self.asking.why(self.say("arranging.ask_grid"), "arranging.grid_reason", GRID_REASONS, settle)

    def _roll_grid(self, why: str = "") -> None:
        """Draw the grid with the black die."""
        race = self.now.chosen
        self._gridded(lambda desk: draw_grid(desk, race, SystemRandom(), why=why))

    def _by_trials(self, why: str = "") -> None:
        """Set the grid by the last trials in this folder."""
        race = self.now.chosen
        self._gridded(lambda desk: trials_grid(desk, race, "last", why))

    def _gridded(self, make: Callable[[RecordDesk[Season]], Gridded]) -> None:
        self.app.recording.do(lambda desk: desk.act(make(desk), by=self.by), self.again, self.show_refusal)

    def _revive(self) -> None:
        """Reinstate a cancelled race, asking for a reason."""
        race = self.now.chosen
        self.asking.why(self.say("season.ask_revive", race=race), "season.revive_reason", REVIVE_REASONS,
                        lambda why: self.do(lambda _: Revived(race=race, why=why)))  # fmt: skip

    def _toggle_ways(self) -> None:
        self.is_setting_grid = not self.is_setting_grid
        self.look_again()

    def _sheet(self) -> None:
        self.app.go("sheet", race=self.log)

    def _analyse(self) -> None:
        self.app.go("analysis", race=self.log)

    def back(self) -> bool:
        was, self.is_setting_grid = super().back() or self.is_setting_grid, False
        self.look_again()
        return was

    @property
    def table_here(self) -> str:
        return "calendar"

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        now: CalendarShown = self.now
        self.bar.show(Title(text=self.say("season.title"), note=now.subtitle))
        foot = self.compose_foot(ui, now.undo)
        if self.is_setting_grid:
            self._compose_ways(ui, foot.cut_right(352))
            foot.cut_right(24)
            ui.ask(foot, self.say("season.ask_other"), now.note)
        else:
            self._compose_keys(ui, foot, now)
            ui.ask(foot, now.question, now.note)
        self._compose_panel(ui, ui.area.cut_right(PANEL), now)
        self._compose_tiles(ui, ui.area.inset(12, 10), now)

    def _compose_tiles(self, ui: Ui, area: Area, now: CalendarShown) -> None:
        """Compose the races in two columns, with a key for the next ones if there are too many."""
        cells = [cell for column in area.columns(2) for cell in column.rows(MAX_TILES // 2, TILE_HEIGHT)]
        races = list(now.races.by_key())
        if len(races) > MAX_TILES:
            face = Face(label=self.say("season.more"), icon="forward", look="option", size=BODY)
            ui.button(cells.pop(), "more", face, self._turn_page)
        for cell, race in zip(cells, races[self.first :], strict=False):
            number = int(race["race"].text)
            ui.target(cell, number, RaceTileKey, (race, number == now.chosen), partial(self._choose, number))

    def _compose_ways(self, ui: Ui, area: Area) -> None:
        """Compose the ways to set the grid against the season's rule."""
        ways: dict[str, Act] = {
            "random": partial(self._why_grid, self._roll_grid),
            "trials": partial(self._why_grid, self._by_trials),
            "hand": self._arrange,
        }
        note = self.say("season.with_reason")
        for cell, (way, act) in zip(area.columns(len(ways)), ways.items(), strict=True):
            face = Face(label=self.say(f"season.way.{way}"), note=note, look="option", size=BODY)
            ui.button(cell, way, face, act)

    def _compose_keys(self, ui: Ui, foot: Area, now: CalendarShown) -> None:
        """Compose the main key, and the way to another grid or to the standings; cut off what they take."""
        main = foot.cut_right(MAIN)
        foot.cut_right(8)
        other = foot.cut_right(124)
        foot.cut_right(16)
        reason = self.say("season.with_reason")
        if now.can_start or now.draws is not None:
            face = Face(label=self.say("season.other"), note=reason, icon="redo", look="option", size=BODY)
            ui.button(other, "other", face, self._toggle_ways)
        else:
            face = Face(label=self.say("season.standings"), icon="table", look="option", size=BODY)
            ui.button(other, "standings", face, self._standings)
        if now.can_start:
            face = deed(self.say("season.start"), self.say("season.as_shown", cars=now.cars))
            self.compose_main(ui, main, face, self._start)
        elif now.draws is not None:
            face = deed(self.say("season.draw", rule=now.draws), self.say("season.drawn_by", rule=now.draws))
            self.compose_main(ui, main, face, self._settle)
        elif now.panel.state != "run":
            face = Face(label=self.say("season.revive"), size=VALUE, look="option", note=reason)
            self.compose_main(ui, main, face, self._revive)
        elif now.official:
            face = Face(label=self.say("season.correct"), size=VALUE, look="option", note=self.say("acts.with_reason"))
            self.compose_main(ui, main, face, self._result)
        else:
            face = deed(self.say("table.confirm"), self.say("season.second"))
            self.compose_main(ui, main, face, self._result)

    def _compose_panel(self, ui: Ui, side: Area, now: CalendarShown) -> None:
        """Compose the selected race: circuit, weather and grid, then the links to its log or what is known before."""
        panel, pen = now.panel, ui.pen
        ui.fill(Area(side.x, side.y, 1, side.h), "line")
        head, about, grid = side.cut_top(38), side.cut_top(99), side.cut_top(123)
        left, right = side.x + 14, side.right - 12
        date = pen.text(panel.date, right, head.y + 22, SMALL, "mid", SEMIBOLD, "right", room=110, cut=True)
        pen.text(panel.title, left, head.y + 22, NAME, "hi", BOLD, room=PANEL - 40 - date, cut=True)
        with contextlib.suppress(CompanionError):  # the circuit is not on this device
            track = circuits.board(panel.track)
            ui.place(Area(side.x + 12, about.y, 132, 96), ui.named("board", Overview)).picture_of(track)
        for row, (sky, name, faces) in zip(about.rows(len(panel.skies), 24, 5), panel.skies, strict=True):
            y = row.middle[1]
            pen.icon(sky, side.x + 158, y, 22, "info" if sky == "rain" else "warn" if sky == "sun" else "mid")
            pen.text(faces, right, y, SMALL, "hi", BOLD, "right")
            pen.text(name, side.x + 174, y, CAPTION, "mid", SEMIBOLD, room=70)
        self._draw_grid(pen, grid, panel)
        ui.fill(Area(side.x, side.y, side.w, 1), "line")
        if self.log:
            cells = Area(side.x + 12, side.y + 5, side.w - 24, 58).columns(2)
            links = (("sheet", "sheet", self._sheet), ("analysis", "curve", self._analyse))
            for cell, (name, icon, act) in zip(cells, links, strict=True):
                ui.button(cell, name, Face(label=self.say(f"season.{name}"), icon=icon, look="option", size=BODY), act)
            return
        y = side.y + 18
        for one, name in panel.home[:1]:
            pen.icon("home", side.x + 24, y, 20, "mid")
            plate.draw(pen, one, side.x + 54, y, 24)
            home = self.say("season.at_home", name=name, more=len(panel.home) - 1)
            pen.text(home, side.x + 73, y, SMALL, "hi", SEMIBOLD, room=PANEL - 90, cut=True)
        if panel.laps:
            pen.icon("flag", side.x + 24, y + 30, 20, "mid")
            pen.text(panel.laps, side.x + 45, y + 30, SMALL, "hi", SEMIBOLD, room=PANEL - 60)

    @staticmethod
    def _draw_grid(pen: Pen, area: Area, panel: RacePanel) -> None:
        """Draw the rule of the grid, and the plates in two rows."""
        pen.fill(area.x, area.y, area.w, 1, "line")
        right, y = area.right - 12, area.y + 18
        rule = pen.text(panel.grid_rule, right, y, CAPTION, "low", SEMIBOLD, "right")
        pen.text(panel.grid_title, area.x + 14, y, SMALL, "hi", BOLD, room=area.w - 40 - rule, cut=True)
        most = MAX_PLATES if len(panel.grid) <= MAX_PLATES else MAX_PLATES - 1
        more, half = len(panel.grid) - most, (min(MAX_PLATES, len(panel.grid)) + 1) // 2
        step = min(50.0, (area.w - 60) / max(1, half))
        for at, one in enumerate(panel.grid[:most]):
            x, y = area.x + 38 + at // 2 * step + at % 2 * step / 2, area.y + 53 + at % 2 * 44
            pen.fill(x - 19, y - 16, 2, 32, "rim")
            plate.draw(pen, one, x, y, 28 if half < 6 else 24)
        if more > 0:
            pen.text(f"+{more}", right, area.y + 97, SMALL, "mid", SEMIBOLD, "right")
