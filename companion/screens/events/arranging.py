"""Changes to a coming race of a season.

Substitutes, absences, a grid by hand, another date or circuit, or no race at all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from kivy.clock import Clock

from companion import circuit_index
from companion.desk.record_desk import RecordDesk
from companion.screens.app.visits import OfRecord
from companion.screens.events.new_event import PickView
from companion.screens.events.record_screen import RecordScreen
from companion.screens.events.table_result import DRAFT_ROW_HEIGHT, SIDE, TableLineView
from companion.screens.kit.compose import Area, Title, Ui
from companion.screens.kit.finder import Finder
from companion.screens.kit.foot import MAIN, deed
from companion.screens.kit.key import Face
from companion.screens.kit.rows import Rows
from companion.screens.kit.theme import theme
from companion.tournament.record import Act, one_line
from companion.tournament.season import Abandoned, Gridded, Missed, Postponed, Substituted
from companion.view.events.arranging import ArrangingShown, arranging
from companion.view.events.new_event import EventPick, circuit_picks, is_found
from companion.view.events.table_result import TableLine
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

Way = Literal["up", "down", "substitute", "absent", "date", "circuit", "off"]
WAYS: Final[dict[Way, str]] = {
    "up": "up", "down": "down", "substitute": "person", "absent": "cross", "date": "clock", "circuit": "circuit",
    "off": "trash",
}  # fmt: skip
"""Things that can be arranged, with their pictograms."""
REASONS: Final = ("hall", "few", "time")
"""Reasons for moving a race or calling it off; another reason is typed."""
GRID_REASONS: Final = ("paper", "penalty", "wish")
"""Reasons for setting a grid by hand."""


class ArrangingScreen(RecordScreen):
    """Changes to the race `given["race"]`."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows = Rows(TableLineView, on_row=self._choose, high=DRAFT_ROW_HEIGHT)
        self.finder = Finder(PickView, on_row=self._track, is_found=is_found, high=56.0)
        circuit_index.check(lambda: Clock.schedule_once(self.look_again))
        self.chosen = 0
        """Index of the selected driver."""
        self.order: list[int] = []
        """Grid while it is set by hand; empty otherwise."""
        self.picking = False
        """True while another circuit is chosen."""

    def look(self, desk: RecordDesk[Any], words: Words) -> ArrangingShown:
        return arranging(desk.record, words, self.given.get("race", 0))

    def _on_read(self, found: Any) -> None:
        super()._on_read(found)
        if set(self.order) != {row.number for row in found.rows if not row.out}:
            self.order = []  # somebody has come or gone

    # -- what fingers do

    def _choose(self, place: int) -> None:
        self.chosen = place
        self.look_again()

    @property
    def _lines(self) -> list[TableLine]:
        """The rows as recorded, or in the order of the grid being set."""
        rows: list[TableLine] = list(self.now.rows)
        if self.order:
            rows.sort(key=lambda row: self.order.index(row.number) if not row.out else len(rows))
        return rows

    @property
    def _racing(self) -> int:
        """The number of cars in the race."""
        return sum(not row.out for row in self.now.rows)

    def _can(self, way: Way) -> bool:
        """Return True if this change is possible for the selected driver."""
        placed = self.chosen < self._racing
        by = {"up": -1, "down": 1}.get(way)
        if by is not None:
            return placed and 0 <= self.chosen + by < self._racing
        return placed or (way != "substitute" and (way != "absent" or bool(self.now.rows)))

    def _way(self, way: Way) -> None:
        """Make a change, or ask what is needed for it."""
        number = self.now.number
        row = self._lines[self.chosen] if self.now.rows else None
        if way in ("up", "down"):
            self.order = self.order or [one.number for one in self.now.rows if not one.out]
            to = self.chosen + (1 if way == "down" else -1)
            self.order.insert(to, self.order.pop(self.chosen))
            self.chosen = to
            self.look_again()
        elif way == "substitute" and row is not None:
            title = self.say("arranging.ask_substitute", car=row.number)
            self.asking.word(title, self.say("arranging.substitute"), needed=False, then=lambda name: self.do(
                lambda _: Substituted(race=number, number=row.number, driver=one_line(name))))  # fmt: skip
        elif way == "absent" and row is not None:
            self.order = []
            self.do(lambda _: Missed(race=number, number=row.number, missed=not row.out))
        elif way == "date":
            self.asking.word(self.say("arranging.ask_date"), self.say("new_event.line.date"), then=self._date,
                             value=self.now.date)  # fmt: skip
        elif way == "circuit":
            self.picking = True
            self.look_again()
        else:
            self._why(lambda why: Abandoned(race=number, why=why), "ask_off", leave=True)

    def _why(self, act: Callable[[str], Act], title: str, leave: bool = False) -> None:
        """Ask for a reason, then do an act."""
        then = self.app.back if leave else None
        self.asking.why(self.say(f"arranging.{title}", race=self.now.number), "arranging.reason", REASONS,
                        then=lambda why: self.do(lambda _: act(why), then))  # fmt: skip

    def _date(self, date: str) -> None:
        number = self.now.number
        if date != self.now.date:
            self._why(lambda why: Postponed(race=number, date=date, why=why), "ask_move")

    def _track(self, pick: EventPick) -> None:
        number, track = self.now.number, str(pick.answer)
        if (refused := circuit_index.read(track).refusal) is not None:
            self.show_refusal(refused)
            return
        self.picking = False
        self._why(lambda why: Postponed(race=number, track=track, why=why), "ask_move")

    def _grid(self) -> None:
        """Record the grid set here, asking for a reason if the season draws it otherwise."""
        order, number = tuple(row.number for row in self._lines if not row.out), self.now.number

        def act(why: str) -> None:
            self.order = []
            self.do(lambda _: Gridded(race=number, order=order, rule="hand", why=why))

        if self.now.by_hand:
            act("")
        else:
            self.asking.why(self.say("arranging.ask_grid"), "arranging.grid_reason", GRID_REASONS, then=act)

    def back(self) -> bool:
        if super().back():
            return True
        was = bool(self.order) or self.picking
        self.order, self.picking = [], False
        self.look_again()
        return was

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        now: ArrangingShown = self.now
        self.bar.show(Title(text=now.title, note=now.subtitle))
        foot = self.compose_foot(ui, now.undo)
        main = foot.cut_right(MAIN)
        foot.cut_right(8)
        what = "circuit" if self.picking else "grid" if self.order else "race"
        ui.ask(foot, self.say(f"arranging.ask.{what}", race=now.number), self.say(f"arranging.note.{what}"))
        if self.picking:
            ui.place(ui.area, self.finder).show(circuit_picks(now.rulebook, now.track, theme.words))
            return
        side = ui.area.cut_right(SIDE)
        ui.fill(Area(side.x, side.y, 1, side.h), "line")
        if not now.open:
            return
        lines = self._lines
        self.chosen = max(0, min(self.chosen, len(lines) - 1))
        ui.place(ui.area, self.rows).show(
            [(self._with_place(row, at), at == self.chosen) for at, row in enumerate(lines)]
        )
        self._compose_ways(ui, Area(side.x + 14, side.y + 8, side.w - 26, side.h))
        if self._racing and (self.order or not now.settled):
            face = deed(self.say("arranging.grid"), self.say("season.as_shown", cars=self._racing))
            self.compose_main(ui, main, face, self._grid)

    def _compose_ways(self, ui: Ui, area: Area) -> None:
        """Compose a key for each change, the last one in a row of its own."""
        *pairs, last = area.rows(len(WAYS) // 2 + 1, 72)
        cells = [*(cell for row in pairs for cell in row.columns(2)), last]
        for cell, (way, icon) in zip(cells, WAYS.items(), strict=True):
            can = self._can(way)
            returns = way == "absent" and can and self._lines[self.chosen].out
            label = self.say("arranging.back" if returns else f"arranging.way.{way}")
            face = Face(label=label, icon=icon, look="option" if can else "barred")
            ui.button(cell, way, face, partial(self._way, way) if can else None)

    def _with_place(self, row: TableLine, at: int) -> TableLine:
        """Return a row with its place in the grid being set."""
        return msgspec.structs.replace(row, place=str(at + 1)) if self.order and not row.out else row
