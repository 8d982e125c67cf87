"""A race of a season that is to come, arranged: substitutes, who does not race, a grid by hand, another date or
circuit, or no race at all."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from kivy.clock import Clock

from companion import circuit_index
from companion.desk.record_desk import RecordDesk
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.new_event import PickView
from companion.screens.commissioner.record_screen import RecordScreen
from companion.screens.commissioner.table_result import RIGHT, TALL, LineView
from companion.screens.widgets.finder import Finder
from companion.screens.widgets.foot import BAND, MAIN, ask, deed, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.rows import Rows
from companion.screens.widgets.theme import BODY, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.tournament.record import one_line
from companion.tournament.season import Abandoned, Gridded, Missed, Postponed, Substituted
from companion.view.commissioner.arranging import ArrangingShown, arranging
from companion.view.commissioner.new_event import EventPick, circuit_picks, is_found
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

Way = Literal["up", "down", "substitute", "absent", "date", "circuit", "off"]
WAYS: Final[dict[Way, str]] = {
    "up": "up", "down": "down", "substitute": "person", "absent": "cross", "date": "clock", "circuit": "circuit",
    "off": "trash",
}  # fmt: skip
"""What can be arranged, and its pictogram."""
REASONS: Final = ("hall", "few", "time")
"""Why a race is moved, or off; another reason is typed."""
GRID_REASONS: Final = ("paper", "penalty", "wish")
"""Why a grid is set by hand."""
HIGH: Final = 72.0


class ArrangingScreen(RecordScreen):
    """The race `given["race"]`."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows, self.finder = Rows(LineView, self._choose, high=TALL), Finder(PickView, self._track, is_found, 56.0)
        self.circuits = self.finder.rows
        circuit_index.check(lambda: Clock.schedule_once(self.look_again))
        self.ways: dict[Way, Key] = {way: Key(on_tap=partial(self._way, way)) for way in WAYS}
        self.chosen = 0
        self.order: list[int] = []
        """The grid as it is being set by hand; empty while it is not."""
        self.picking = False
        """Whether another circuit is chosen."""
        self.main.on_tap = self._grid

    def look(self, desk: RecordDesk[Any], words: Words) -> ArrangingShown:
        return arranging(desk.record, words, self.given.get("race", 0))

    def _seen(self, found: Any) -> None:
        super()._seen(found)
        if set(self.order) != {row.number for row in found.rows if not row.out}:
            self.order = []  # somebody has come or gone

    # -- what fingers do

    def _choose(self, place: int) -> None:
        self.chosen = place
        self.look_again()

    @property
    def _lines(self) -> list[Any]:
        """The lines as they stand, or as the grid is being set."""
        rows: list[Any] = list(self.now.rows)
        if self.order:
            rows.sort(key=lambda row: self.order.index(row.number) if not row.out else len(rows))
        return rows

    @property
    def _racing(self) -> int:
        return sum(not row.out for row in self.now.rows)

    def _can(self, way: Way) -> bool:
        """Whether a way is open for the driver who is chosen."""
        placed = self.chosen < self._racing
        by = {"up": -1, "down": 1}.get(way)
        if by is not None:
            return placed and 0 <= self.chosen + by < self._racing
        return placed or (way != "substitute" and (way != "absent" or bool(self.now.rows)))

    def _way(self, way: Way) -> None:
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
            self.asking.word(title, self.say("arranging.substitute"), lambda name: self.do(
                lambda _: Substituted(race=number, number=row.number, driver=one_line(name))))  # fmt: skip
        elif way == "absent" and row is not None:
            self.order = []
            self.do(lambda _: Missed(race=number, number=row.number, missed=not row.out))
        elif way == "date":
            self.asking.word(self.say("arranging.ask_date"), self.say("new_event.line.date"), self._date,
                             self.now.date)  # fmt: skip
        elif way == "circuit":
            self.picking = True
            self.look_again()
        else:
            self._why(lambda why: Abandoned(race=number, why=why), "ask_off", leave=True)

    def _why(self, act: Any, title: str, leave: bool = False) -> None:
        """Asks why, and does it."""
        then = self.app.back if leave else None
        self.asking.why(self.say(f"arranging.{title}", race=self.now.number), "arranging.reason", REASONS,
                        lambda why: self.do(lambda _: act(why), then))  # fmt: skip

    def _date(self, date: str) -> None:
        number = self.now.number
        if date and date != self.now.date:
            self._why(lambda why: Postponed(race=number, date=date, why=why), "ask_move")

    def _track(self, pick: EventPick) -> None:
        number, track = self.now.number, str(pick.answer)
        if (refused := circuit_index.read(track).refusal) is not None:
            self.told(refused)
            return
        self.picking = False
        self._why(lambda why: Postponed(race=number, track=track, why=why), "ask_move")

    def _grid(self) -> None:
        """The grid as it stands here."""
        order, number = tuple(row.number for row in self._lines if not row.out), self.now.number

        def act(why: str) -> None:
            self.order = []
            self.do(lambda _: Gridded(race=number, order=order, rule="hand", why=why))

        if self.now.by_hand:
            act("")
        else:
            self.asking.why(self.say("arranging.ask_grid"), "arranging.grid_reason", GRID_REASONS, act)

    def back(self) -> bool:
        if super().back():
            return True
        was = bool(self.order) or self.picking
        self.order, self.picking = [], False
        self.look_again()
        return was

    # -- where everything is

    def place(self) -> list[Any]:
        now: ArrangingShown = self.now
        self.bar.show(Title(text=now.title, note=now.subtitle))
        left, top = self.w - RIGHT, self.h - BAND
        seen: list[Any] = [self.put_undo(now.undo)]
        if self.picking:
            self.finder.show(circuit_picks(now.rulebook, now.track, theme.words))
            self.put(self.finder, 0, BAR, self.w, top - BAR)
            return [*seen, self.finder]
        if not now.open:
            return seen
        lines = self._lines
        self.chosen = max(0, min(self.chosen, len(lines) - 1))
        self.rows.show([(self._placed(row, at), at == self.chosen) for at, row in enumerate(lines)])
        self.put(self.rows, 0, BAR, left, top - BAR)
        for way, icon in WAYS.items():
            key, can = self.ways[way], self._can(way)
            key.on_tap = partial(self._way, way) if can else None
            back = way == "absent" and can and lines[self.chosen].out
            label = "arranging.back" if back else f"arranging.way.{way}"
            key.show(Face(label=self.say(label), icon=icon, look="option" if can else "barred", size=BODY))
        *pairs, alone = self.ways.values()
        self.put_rows(pairs, left + 14, BAR + 8, RIGHT - 26, HIGH, across=2)
        self.put(alone, left + 14, BAR + 8 + len(pairs) / 2 * (HIGH + 8), RIGHT - 26, HIGH)
        seen += [self.rows, *pairs, alone]
        if self._racing and (self.order or not now.settled):
            face = deed(self.say("arranging.grid"), self.say("season.as_shown", cars=self._racing))
            seen.append(self.put_main(face))
        return seen

    def _placed(self, row: Any, at: int) -> Any:
        return msgspec.structs.replace(row, place=str(at + 1)) if self.order and not row.out else row

    def draw(self, pen: Pen) -> None:
        now: ArrangingShown = self.now
        top, left = pen.h - BAND, pen.w - RIGHT
        if not self.picking:
            pen.fill(left, BAR, 1, top - BAR, "line")
        ground(pen)
        what = "circuit" if self.picking else "grid" if self.order else "race"
        asked, note = self.say(f"arranging.ask.{what}", race=now.number), self.say(f"arranging.note.{what}")
        ask(pen, asked, note, 128, pen.w - 128 - 12 - MAIN - 8)
