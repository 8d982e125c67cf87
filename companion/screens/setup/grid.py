"""The grid: cars moved by hand, drawn with the black die, or by the trials.

In a season the grid follows from the last race, and some are on their home track.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Literal

from companion.rules.conversation.faces import BLACK_DIE
from companion.rules.dice.setup import by_die, to_roll
from companion.screens.kit.compose import Area, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD
from companion.screens.kit.rows import Rows
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, VALUE, theme
from companion.screens.setup.step import TOAST_GAP, Change, DriverRow, DriverRowView, SetupStep
from companion.view.setup.draft import LineUp
from companion.view.shown import Field

SIDE_WIDTH: Final = 340
WAYS: Final = ("by_hand", "by_die", "by_trials")
ACROSS: Final = 5
LINE_UPS: Final[tuple[LineUp, ...]] = ("die", "last", "hand")
KEY_HEIGHT: Final = 52.0
FIRST: Final = -99
"""Step that moves a car to the front, however far back it is."""
DriverMark = Literal["home", "absent"]


class GridStep(SetupStep):
    """Step of the grid; `rolls` is what each car has rolled."""

    def __init__(
        self, on_change: Change, *, on_trials: Callable[[int], object] | None = None, **properties: Any
    ) -> None:
        super().__init__(on_change, **properties)
        self.on_trials = on_trials
        self.way = ""
        """Source of the grid: by hand, the die, or trials, which `on_trials(sessions)` has driven; "" until it is
        chosen."""
        self.sessions = Stepper()
        self.chosen = 0
        self.rolls: dict[int, list[int]] = {}
        self.entrants = Rows(DriverRowView, on_row=self._choose)

    @property
    def timed(self) -> bool:
        """True if the grid comes from trials: the rulebook's way, unless another is chosen."""
        return (self.way or ("by_trials" if self.draft.options.get("trial") else "")) == "by_trials"

    @property
    def dice(self) -> bool:
        """True if the grid is drawn with the black die."""
        return self.way == "by_die"

    @property
    def waiting(self) -> int | None:
        """The car that rolls next, None when the grid is settled."""
        numbers = [one.number for one in self.draft.entrants]
        return to_roll(numbers, {number: self.rolls.get(number, ()) for number in numbers}) if numbers else None

    def _choose(self, place: int) -> None:
        self.chosen = place
        self.look_again()

    def _to_trials(self) -> None:
        if self.on_trials is not None:
            self.on_trials(self.sessions.value)

    def _way(self, way: str) -> None:
        self.way = way
        self.look_again()

    def _move(self, by: int) -> None:
        to = min(max(self.chosen + by, 0), len(self.draft.entrants) - 1)
        draft, self.chosen = self.draft.move(self.chosen, to), to
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

    # -- what is shown

    def compose_step(self, ui: Ui) -> None:
        side = self._compose_list(ui)
        now = "by_die" if self.dice else "by_trials" if self.timed else "by_hand"
        for cell, way in zip(side.cut_top(KEY_HEIGHT).columns(len(WAYS)), WAYS, strict=True):
            face = Face(label=self.say(way), look="option", size=BODY, chosen=way == now)
            ui.button(cell, way, face, partial(self._way, way))
        side.cut_top(8)
        if self.dice:
            self._compose_die(ui, side)
        elif self.timed:
            self._compose_trials(ui, side)
        elif self.draft.entrants:
            self._compose_moves(ui, side.rows(3, 76))

    def _compose_list(self, ui: Ui) -> Area:
        """Compose the cars; return the area beside them."""
        side = ui.area.cut_right(SIDE_WIDTH)
        ui.fill(ui.area.cut_right(1), "line")
        self.chosen = min(self.chosen, max(len(self.draft.entrants) - 1, 0))
        ui.place(ui.area, self.entrants).show(self._rows())
        side = side.inset(12, 8)
        side.cut_top(TOAST_GAP - 8)
        return side

    def _rows(self) -> list[DriverRow]:
        waiting, rows = self.waiting if self.dice else None, []
        for place, one in enumerate(self.field):
            rolled = " · ".join(map(str, self.rolls.get(one.number, ()))) if self.dice else ""
            chosen = one.number == waiting if self.dice else place == self.chosen
            rows.append(DriverRow(entrant=one, place=place + 1, word=rolled, chosen=chosen))
        return rows

    def _compose_moves(self, ui: Ui, cells: list[Area]) -> None:
        """Compose the keys that move the selected car."""
        last = len(self.draft.entrants) - 1
        keys = (
            (FIRST, "first", "flag", self.chosen > 0),
            (-1, "forward", "up", self.chosen > 0),
            (1, "backward", "down", self.chosen < last),
        )
        for cell, (by, label, icon, can) in zip(cells, keys, strict=True):
            face = Face(label=self.say(label), icon=icon, look="option" if can else "barred", size=NAME)
            ui.button(cell, label, face, partial(self._move, by) if can else None)

    def _compose_trials(self, ui: Ui, area: Area) -> None:
        note = self.say("trials_note")
        ui.pen.paragraph(note, area.x + 2, area.y + 8, SMALL, area.w - 4, "mid", SEMIBOLD, 2, floor=CAPTION)
        if not self.draft.entrants:
            return
        ui.button(area.cut_bottom(84), "trials", Face(label=self.say("to_trials"), icon="clock", size=NAME),
                  self._to_trials)  # fmt: skip
        area.cut_top(70)
        value = self.sessions.value or 1
        field = Field(name="sessions", label=self.say("sessions"), value=value, low=1, high=9)
        ui.place(area.cut_top(76), self.sessions).show(field)

    def _compose_die(self, ui: Ui, area: Area) -> None:
        """Compose the faces of the black die for the car that rolls, or who is on pole."""
        waiting, draft, pen, middle = self.waiting, self.draft, ui.pen, area.middle[0]
        if waiting is not None:
            names = {one.number: one.name for one in draft.entrants}
            said = theme.words.screen("new_race.roll", names, car=waiting)
            pen.text(said, area.x + 2, area.y - 1, BODY, "hi", BOLD, room=area.w - 4, cut=True, floor=CAPTION)
            lines = -(-len(BLACK_DIE) // ACROSS)
            faces = Area(area.x, area.bottom - 230, area.w, lines * KEY_HEIGHT + (lines - 1) * 8)
            for cell, face in zip(faces.cells(len(BLACK_DIE), ACROSS, KEY_HEIGHT), BLACK_DIE, strict=True):
                ui.button(cell, face, Face(label=str(face), size=28), partial(self._roll, face))
            return
        if draft.entrants:
            first = draft.entrants[0]
            said = theme.words.screen("new_race.pole", {first.number: first.name}, car=f"{first.number} {first.name}")
            pen.icon("check", middle, 140, 44, "ok")
            pen.text(said, middle, 190, VALUE, "hi", SEMIBOLD, "centre", room=area.w - 6, cut=True)
        area.cut_bottom(4)
        ui.button(area.cut_bottom(KEY_HEIGHT), "clear", Face(label=self.say("clear"), look="quiet"), self._clear)


class SeasonStep(GridStep):
    """Step of a season's grid: the drivers by the last race, or from pole.

    The black die is rolled in the race itself. The selected driver can be moved, or marked as absent from the last
    race or on his home track.
    """

    def _line_up(self, way: LineUp) -> None:
        self.on_change(self.draft.but(line_up=way))

    def _mark(self, name: DriverMark) -> None:
        """Toggle the driver's mark: home track, or absent from the last race."""
        number, marked = (
            self.draft.entrants[self.chosen].number,
            self.draft.home if name == "home" else self.draft.absent,
        )
        others = tuple(one for one in marked if one != number)
        now = others if number in marked else (*others, number)
        self.on_change(self.draft.but(home=now) if name == "home" else self.draft.but(absent=now))

    # -- what is shown

    def compose_step(self, ui: Ui) -> None:
        side = self._compose_list(ui)
        draft, line_up = self.draft, self.draft.line_up
        for cell, way in zip(side.cut_top(KEY_HEIGHT).columns(len(LINE_UPS)), LINE_UPS, strict=True):
            face = Face(label=self.say(f"line_up.{way}"), look="option", size=BODY, chosen=way == line_up)
            ui.button(cell, way, face, partial(self._line_up, way))
        side.cut_top(8)
        moves, marks = side.cut_top(3 * (KEY_HEIGHT + 8)), side.cut_top(KEY_HEIGHT)
        if draft.entrants:
            if line_up != "die":
                self._compose_moves(ui, moves.rows(3, KEY_HEIGHT))
            self._compose_marks(ui, marks)
        y = 92.0 if line_up == "die" else marks.bottom + 6
        note = self.say(f"line_up_note.{line_up}")
        ui.pen.paragraph(note, side.x + 2, y, SMALL, side.w - 4, "mid", SEMIBOLD, 2, floor=CAPTION)

    def _compose_marks(self, ui: Ui, area: Area) -> None:
        """Compose what is known of the selected driver: at home, or absent from the last race."""
        draft, number = self.draft, self.draft.entrants[self.chosen].number
        marked: dict[DriverMark, tuple[int, ...]] = {"home": draft.home}
        if draft.line_up == "last":
            marked["absent"] = draft.absent
        for cell, (name, numbers) in zip(area.columns(2), marked.items(), strict=False):
            face = Face(label=self.say(name), look="option", size=BODY, chosen=number in numbers)
            ui.button(cell, name, face, partial(self._mark, name))

    def _rows(self) -> list[DriverRow]:
        draft, place, rows = self.draft, 0, []
        for at, one in enumerate(draft.entrants):
            absent = draft.line_up == "last" and one.number in draft.absent
            listed = draft.line_up != "die" and not absent
            place += listed
            notes = [self.say("home")] if one.number in draft.home else []
            notes += [self.say("absent")] if absent else []
            word = " · ".join(notes)
            rows.append(DriverRow(entrant=one, place=place if listed else 0, word=word, chosen=at == self.chosen))
        return rows
