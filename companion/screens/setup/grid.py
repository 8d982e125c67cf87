"""The grid: cars moved by hand, drawn by the black die, or as the trials were."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.rules.conversation.faces import BLACK_DIE
from companion.rules.dice.setup import by_die, to_roll
from companion.screens.setup.step import Change, DriverRow, DriverRowView, Step
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, VALUE, theme
from companion.view.shown import Field

RIGHT: Final = 340
WAYS: Final = ("by_hand", "by_die", "by_trials")
ACROSS: Final = 5


class GridStep(Step):
    """Lines up the cars; `rolls` is what each car has rolled."""

    def __init__(self, on_change: Change, on_trials: Callable[[int], object] | None = None, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.way = ""
        """By hand, by the die, or by trials, which `on_trials(sessions)` has driven; "" until it is chosen."""
        self.sessions = Stepper()
        self.trials = Key(on_tap=lambda: on_trials(self.sessions.value) if on_trials is not None else None)
        self.chosen = 0
        self.rolls: dict[int, list[int]] = {}
        self.entrants = Rows(DriverRowView, self._choose)
        self.ways = [Key(on_tap=partial(self._way, way)) for way in WAYS]
        self.moves = {by: Key(on_tap=partial(self._move, by)) for by in (-99, -1, 1)}
        self.faces = {face: Key(on_tap=partial(self._roll, face)) for face in BLACK_DIE}
        self.clear = Key(on_tap=self._clear)

    @property
    def timed(self) -> bool:
        """Whether the grid comes from trials: where the box has them, unless another way is chosen."""
        return (self.way or ("by_trials" if self.draft.options.get("trial") else "")) == "by_trials"

    @property
    def dice(self) -> bool:
        """Whether the black die is thrown for it."""
        return self.way == "by_die"

    @property
    def waiting(self) -> int | None:
        """The car that rolls next, None when the grid is settled."""
        numbers = [one.number for one in self.draft.entrants]
        return to_roll(numbers, {number: self.rolls.get(number, ()) for number in numbers}) if numbers else None

    def _choose(self, place: int) -> None:
        self.chosen = place
        self.look_again()

    def _way(self, way: str) -> None:
        self.way = way
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
        for place, one in enumerate(self.field):
            rolled = " · ".join(map(str, self.rolls.get(one.number, ()))) if self.dice else ""
            chosen = one.number == waiting if self.dice else place == self.chosen
            rows.append(DriverRow(entrant=one, place=place + 1, word=rolled, chosen=chosen))
        self.entrants.show(rows)
        self.put(self.entrants, 0, 0, self.w - RIGHT - 1, self.h)
        left, wide = self.w - RIGHT + 12, RIGHT - 24
        now = "by_die" if self.dice else "by_trials" if self.timed else "by_hand"
        for way, key in zip(WAYS, self.ways, strict=True):
            key.show(Face(label=self.say(way), look="option", size=BODY, chosen=way == now))
        self.put_rows(self.ways, left, 8, wide, 52)
        shown: list[Any] = []
        if self.timed and draft.entrants:
            value = self.sessions.value or 1
            self.sessions.show(Field(name="sessions", label=self.say("sessions"), value=value, low=1, high=9))
            self.put(self.sessions, left, 146, wide, 76)
            self.trials.show(Face(label=self.say("to_trials"), icon="clock", size=NAME))
            self.put(self.trials, left, self.h - 92, wide, 84)
            shown = [self.sessions, self.trials]
        elif self.dice:
            self._arrange_die(left, wide)
            shown = [*self.faces.values()] if waiting is not None else [self.clear]
        elif draft.entrants:
            self._arrange_hand(left, wide)
            shown = [*self.moves.values()]
        self.only(shown, of=(*self.faces.values(), *self.moves.values(), self.clear, self.sessions, self.trials))

    def _arrange_hand(self, left: float, wide: float) -> None:
        last = len(self.draft.entrants) - 1
        faces = {
            -99: ("first", "flag", self.chosen > 0),
            -1: ("forward", "up", self.chosen > 0),
            1: ("backward", "down", self.chosen < last),
        }
        for by, key in self.moves.items():
            label, icon, can = faces[by]
            key.on_tap = partial(self._move, by) if can else None
            key.show(Face(label=self.say(label), icon=icon, look="option" if can else "barred", size=NAME))
        self.put_rows(self.moves.values(), left, 76, wide, 76, across=1)

    def _arrange_die(self, left: float, wide: float) -> None:
        if self.waiting is None:
            self.clear.show(Face(label=self.say("clear"), look="quiet"))
            self.put(self.clear, left, self.h - 64, wide, 52)
            return
        for face, key in self.faces.items():
            key.show(Face(label=str(face), size=28))
        self.put_rows(self.faces.values(), left, self.h - 238, wide, 52, across=ACROSS)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        left = pen.w - RIGHT
        pen.fill(left - 1, 0, 1, pen.h, "line")
        if self.shown is not None and self.timed:
            pen.paragraph(self.say("trials_note"), left + 14, 84, SMALL, RIGHT - 28, "mid", SEMIBOLD, 2, floor=CAPTION)
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
