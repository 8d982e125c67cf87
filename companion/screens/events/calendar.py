"""The calendar of a season, and the key that starts its next race."""

from __future__ import annotations

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
from companion.screens.kit.foot import BAND, KEYS, ask, deed, ground
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, VALUE
from companion.screens.kit.title_bar import HIGH as BAR
from companion.screens.kit.title_bar import Title
from companion.screens.kit.touch import Target
from companion.tournament.season import Gridded, Revived, Season
from companion.view.events.calendar import CalendarShown, calendar
from companion.view.listing import Cell
from companion.view.shown import Toast
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

RIGHT: Final = 292.0
TILES: Final = 8
REVIVED: Final = ("date", "wish")
"""Reasons for running a race that was off; another reason is typed."""
TILE: Final = 71.0
GRID: Final = 16
"""Maximum number of plates of a grid that fit."""


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
        self.tiles: list[RaceTileKey] = []
        self.more, self.other = Key(on_tap=self._turn), Key()
        self.sheet, self.analysis = Key(on_tap=self._sheet), Key(on_tap=self._analyse)
        self.log = ""
        """Log of the chosen race, if it is on this device."""
        self.ways = {"random": Key(on_tap=partial(self._why_grid, self._roll_grid)),
                     "trials": Key(on_tap=partial(self._why_grid, self._by_trials)),
                     "hand": Key(on_tap=self._arrange)}  # fmt: skip
        self.board = Overview()
        self.turning = False
        self.first = 0

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
        self.turning = False
        self.again()

    def _turn(self) -> None:
        self.first = self.first + TILES - 1
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
        self.turning = False
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
        self.turning = False
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
        self.asking.why(self.say("season.ask_revive", race=race), "season.revive_reason", REVIVED,
                        lambda why: self.do(lambda _: Revived(race=race, why=why)))  # fmt: skip

    def _other(self) -> None:
        self.turning = not self.turning
        self.look_again()

    def _sheet(self) -> None:
        self.app.go("sheet", race=self.log)

    def _analyse(self) -> None:
        self.app.go("analysis", race=self.log)

    def back(self) -> bool:
        was, self.turning = super().back() or self.turning, False
        self.look_again()
        return was

    @property
    def table_here(self) -> str:
        return "calendar"

    # -- where everything is

    def place(self) -> list[Any]:
        now: CalendarShown = self.now
        self.bar.show(Title(text=self.say("season.title"), note=now.subtitle))
        seen = [self.put_undo(now.undo), *self._place_tiles(now), *self._place_keys(now)]
        if self.log:
            self.sheet.show(Face(label=self.say("season.sheet"), icon="sheet", look="option", size=BODY))
            self.analysis.show(Face(label=self.say("season.analysis"), icon="curve", look="option", size=BODY))
            seen += [self.sheet, self.analysis]
            self.put_rows(seen[-2:], self.w - RIGHT + 12, 313, RIGHT - 24, 58)
        try:
            track = circuits.board(now.panel.track)
        except CompanionError:
            return seen
        self.board.picture_of(track)
        self.put(self.board, self.w - RIGHT + 12, 86, 132, 96)
        return [*seen, self.board]

    def _place_tiles(self, now: CalendarShown) -> list[Any]:
        tiles = list(now.races.by_key())
        paged = len(tiles) > TILES
        if self.first >= len(tiles):
            self.first = 0
        seen = tiles[self.first : self.first + TILES - 1] if paged else tiles
        self.as_many(self.tiles, len(seen), RaceTileKey)
        wide = (self.w - RIGHT - 32) / 2
        for at, (tile, key) in enumerate(zip(seen, self.tiles, strict=True)):
            self._show_tile(tile, key, now)
            self.put(key, 12 + at // 4 * (wide + 8), 58 + at % 4 * (TILE + 8), wide, TILE)
        if not paged:
            return [*self.tiles]
        self.more.show(Face(label=self.say("season.more"), icon="forward", look="option", size=BODY))
        self.put(self.more, 12 + wide + 8, 58 + 3 * (TILE + 8), wide, TILE)
        return [*self.tiles, self.more]

    def _show_tile(self, race: Mapping[str, Cell], key: RaceTileKey, now: CalendarShown) -> None:
        number = int(race["race"].text)
        key.on_tap = partial(self._choose, number)
        key.show((race, number == now.chosen))

    def _place_keys(self, now: CalendarShown) -> list[Any]:
        top, right = self.h - BAND + 8, self.w - 12
        if self.turning:
            for way, key in self.ways.items():
                label = self.say(f"season.way.{way}")
                key.show(Face(label=label, note=self.say("season.with_reason"), look="option", size=BODY))
            self.put_rows(self.ways.values(), right - 352, top, 352, KEYS)
            return [*self.ways.values()]
        reason = self.say("season.with_reason")
        if now.can_start or now.draws is not None:
            self.other.show(Face(label=self.say("season.other"), note=reason, icon="redo", look="option", size=BODY))
            self.other.on_tap = self._other
        else:
            self.other.show(Face(label=self.say("season.standings"), icon="table", look="option", size=BODY))
            self.other.on_tap = self._standings
        if now.can_start:
            self.main.on_tap = self._start
            face = deed(self.say("season.start"), self.say("season.as_shown", cars=now.cars))
        elif now.draws is not None:
            self.main.on_tap = self._settle
            face = deed(self.say("season.draw", rule=now.draws), self.say("season.drawn_by", rule=now.draws))
        elif now.panel.state != "run":
            self.main.on_tap = self._revive
            face = Face(label=self.say("season.revive"), size=VALUE, look="option", note=reason)
        elif now.official:
            self.main.on_tap = self._result
            face = Face(label=self.say("season.correct"), size=VALUE, look="option", note=self.say("acts.with_reason"))
        else:
            self.main.on_tap = self._result
            face = deed(self.say("table.confirm"), self.say("season.second"))
        self.put(self.other, right - 360, top, 124, KEYS)
        return [self.put_main(face), self.other]

    def draw(self, pen: Pen) -> None:
        now: CalendarShown = self.now
        left, top = pen.w - RIGHT, pen.h - BAND
        pen.fill(left, BAR, 1, top - BAR, "line")
        ground(pen)
        ask(pen, self.say("season.ask_other") if self.turning else now.question, now.note, 128, pen.w - 516)
        self._draw_panel(pen, now, left)

    def _draw_panel(self, pen: Pen, now: CalendarShown, left: float) -> None:
        panel, right = now.panel, pen.w - 12
        date = pen.text(panel.date, right, 70, SMALL, "mid", SEMIBOLD, "right", room=110, cut=True)
        pen.text(panel.title, left + 14, 70, NAME, "hi", BOLD, room=RIGHT - 40 - date, cut=True)
        for at, (sky, name, faces) in enumerate(panel.skies):
            y = 98 + at * 29
            pen.icon(sky, left + 158, y, 22, "info" if sky == "rain" else "warn" if sky == "sun" else "mid")
            pen.text(faces, right, y, SMALL, "hi", BOLD, "right")
            pen.text(name, left + 174, y, CAPTION, "mid", SEMIBOLD, room=70)
        pen.fill(left, 185, RIGHT, 1, "line")
        rule = pen.text(panel.grid_rule, right, 203, CAPTION, "low", SEMIBOLD, "right")
        pen.text(panel.grid_title, left + 14, 203, SMALL, "hi", BOLD, room=RIGHT - 40 - rule, cut=True)
        most = GRID if len(panel.grid) <= GRID else GRID - 1
        more, half = len(panel.grid) - most, (min(GRID, len(panel.grid)) + 1) // 2
        step = min(50.0, (RIGHT - 60) / max(1, half))
        for at, one in enumerate(panel.grid[:most]):
            x, y = left + 38.0 + at // 2 * step + at % 2 * step / 2, 238 + at % 2 * 44
            pen.fill(x - 19, y - 16, 2, 32, "rim")
            plate.draw(pen, one, x, y, 28 if half < 6 else 24)
        if more > 0:
            pen.text(f"+{more}", right, 282, SMALL, "mid", SEMIBOLD, "right")
        pen.fill(left, 308, RIGHT, 1, "line")
        if self.log:
            return  # its sheet and its analysis are there
        y = 326
        for one, name in panel.home[:1]:
            pen.icon("home", left + 24, y, 20, "mid")
            plate.draw(pen, one, left + 54, y, 24)
            pen.text(self.say("season.at_home", name=name, more=len(panel.home) - 1), left + 73, y, SMALL, "hi",
                     SEMIBOLD, room=RIGHT - 90, cut=True)  # fmt: skip
        if panel.laps:
            pen.icon("flag", left + 24, 356, 20, "mid")
            pen.text(panel.laps, left + 45, 356, SMALL, "hi", SEMIBOLD, room=RIGHT - 60)
