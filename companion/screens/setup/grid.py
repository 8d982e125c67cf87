"""The grid: cars moved by hand, or drawn by the black die."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.rules.conversation.faces import BLACK_DIE
from companion.rules.dice.grid import by_die, to_roll
from companion.screens.setup.step import Change, DriverRow, DriverRowView, Step
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows
from companion.screens.widgets.theme import BODY, CAPTION, NAME, VALUE, theme

RIGHT: Final = 340
ACROSS: Final = 5


class GridStep(Step):
    """Lines up the cars: `dice` says whether the black die is thrown for it, `rolls` what each car has rolled."""

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.dice = False
        self.chosen = 0
        self.rolls: dict[int, list[int]] = {}
        self.entrants = Rows(DriverRowView, self._choose)
        self.ways = [Key(on_tap=partial(self._way, dice)) for dice in (False, True)]
        self.moves = {by: Key(on_tap=partial(self._move, by)) for by in (-99, -1, 1)}
        self.faces = {face: Key(on_tap=partial(self._roll, face)) for face in BLACK_DIE}
        self.clear = Key(on_tap=self._clear)

    @property
    def waiting(self) -> int | None:
        """The car that rolls next, None when the grid is settled."""
        numbers = [one.number for one in self.draft.entrants]
        return to_roll(numbers, {number: self.rolls.get(number, ()) for number in numbers}) if numbers else None

    def _choose(self, place: int) -> None:
        self.chosen = place
        self.look_again()

    def _way(self, dice: bool) -> None:
        self.dice = dice
        self.look_again()

    def _move(self, by: int) -> None:
        to = min(max(self.chosen + by, 0), len(self.draft.entrants) - 1)
        draft, self.chosen = self.draft.moved(self.chosen, to), to
        self.entrants.reveal(to)
        self.on_change(draft)

    def _roll(self, face: int) -> None:
        car = self.waiting
        if car is None:
            return
        self.rolls = {**self.rolls, car: [*self.rolls.get(car, []), face]}
        numbers = [one.number for one in self.draft.entrants]
        if self.waiting is None:
            self.on_change(self.draft.lined_up(by_die(numbers, self.rolls)))
        self.look_again()

    def _clear(self) -> None:
        self.rolls = {}
        self.look_again()

    # -- where everything is

    def arrange(self) -> None:
        if self.shown is None:
            return
        draft, waiting = self.draft, self.waiting if self.dice else None
        self.chosen = min(self.chosen, max(len(draft.entrants) - 1, 0))
        rows = []
        for place, one in enumerate(draft.entrants):
            rolled = " · ".join(map(str, self.rolls.get(one.number, ()))) if self.dice else ""
            chosen = one.number == waiting if self.dice else place == self.chosen
            rows.append(DriverRow(entrant=one, place=place + 1, word=rolled, chosen=chosen))
        self.entrants.show(rows)
        self.put(self.entrants, 0, 0, self.w - RIGHT - 1, self.h)
        left, wide = self.w - RIGHT + 12, RIGHT - 24
        for dice, key in enumerate(self.ways):
            label = self.say("by_die" if dice else "by_hand")
            key.show(Face(label=label, look="option", size=BODY, chosen=bool(dice) == self.dice))
            self.put(key, left + dice * (wide / 2 + 4), 8, wide / 2 - 4, 52)
        shown: list[Any] = []
        if self.dice:
            self._arrange_die(left, wide)
            shown = [*self.faces.values()] if waiting is not None else [self.clear]
        elif draft.entrants:
            self._arrange_hand(left, wide)
            shown = [*self.moves.values()]
        self.only(shown, of=(*self.faces.values(), *self.moves.values(), self.clear))

    def _arrange_hand(self, left: float, wide: float) -> None:
        last = len(self.draft.entrants) - 1
        faces = {
            -99: ("first", "flag", self.chosen > 0),
            -1: ("forward", "up", self.chosen > 0),
            1: ("backward", "down", self.chosen < last),
        }
        for row, (by, key) in enumerate(self.moves.items()):
            label, icon, can = faces[by]
            key.on_tap = partial(self._move, by) if can else None
            key.show(Face(label=self.say(label), icon=icon, look="option" if can else "barred", size=NAME))
            self.put(key, left, 76 + row * 84, wide, 76)

    def _arrange_die(self, left: float, wide: float) -> None:
        if self.waiting is None:
            self.clear.show(Face(label=self.say("clear"), look="quiet"))
            self.put(self.clear, left, self.h - 64, wide, 52)
            return
        across = (wide - 8 * (ACROSS - 1)) / ACROSS
        for place, (face, key) in enumerate(self.faces.items()):
            key.show(Face(label=str(face), size=28))
            self.put(key, left + place % ACROSS * (across + 8), self.h - 238 + place // ACROSS * 60, across, 52)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        left = pen.w - RIGHT
        pen.fill(left - 1, 0, 1, pen.h, "line")
        if self.shown is None or not self.dice:
            return
        waiting = self.waiting
        if waiting is not None:
            names = {one.number: one.name for one in self.draft.entrants}
            said = theme.words.screen("new_race.roll", names, car=waiting)
            pen.text(said, left + 14, 75, BODY, "hi", BOLD, room=RIGHT - 28, cut=True, floor=CAPTION)
        elif self.draft.entrants:
            pen.icon("check", left + RIGHT / 2, 140, 44, "ok")
            first = self.draft.entrants[0]
            said = theme.words.screen("new_race.pole", {first.number: first.name}, car=f"{first.number} {first.name}")
            pen.text(said, left + RIGHT / 2, 190, VALUE, "hi", SEMIBOLD, "centre", room=RIGHT - 30, cut=True)
