"""Who drives: the entrants in a list, one of them opened, and those whom the table remembers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from companion.rules.conversation.setup import MOST, NUMBERS
from companion.screens.setup.step import Change, DriverRow, DriverRowView, Step
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.plate import draw
from companion.screens.widgets.rows import Rows
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, CAPTION, theme
from companion.screens.widgets.touch import Target
from companion.screens.widgets.writing import Writing
from companion.sheets.entrants import COLOURS, LETTERS, Entrant, fitted
from companion.view.setup.draft import fitting, in_teams, offered, plate, with_program
from companion.view.shown import Field

LIST: Final = 300
CARS_EACH: Final = 2
"""How many cars of one driver the remembered list enters."""


class Colour(Target):
    """Shows an `Entrant`'s plate; a tap paints it anew."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", 8)
        if self.shown is not None:
            draw(pen, plate(self.shown), pen.w / 2, pen.h / 2, 36)


class DriversStep(Step):
    """Enters drivers. The one that is `chosen` (a place on the grid, −1: none) is opened at the right; otherwise those
    are `known` stand there: a touch enters one, another gives him a second car, a third takes both out. `on_named()` is
    called when a name is written."""

    def __init__(
        self,
        on_change: Change,
        known: Sequence[Entrant],
        on_named: Callable[[], object] = lambda: None,
        **properties: Any,
    ) -> None:
        super().__init__(on_change, **properties)
        self.known, self.on_named = known, on_named
        self.chosen = -1
        self.entrants = Rows(DriverRowView, self._choose)
        self.others = Rows(DriverRowView, self._toggle)
        self.new, self.remove = Key(on_tap=self._new), Key(on_tap=self._remove)
        self.enter = Key(on_tap=self._enter_program)
        self.who, self.dice = Key(on_tap=self._drive_otherwise), Key(on_tap=self._roll_otherwise)
        self.hints = Key(on_tap=lambda: self._edit(hints=not self.draft.entrants[self.chosen].hints))
        self.name = Writing(lambda text: self._edit(name=fitted(text)), self._named, needed=True, capitals="each")
        self.team = Writing(lambda text: self._edit(team=fitted(text)), capitals="each")
        self.number = Stepper(self._renumber)
        self.colour = Colour(on_tap=self._paint_next)

    def back(self) -> bool:
        if self.chosen >= 0:
            self.chosen = -1
            self.look_again()
            return True
        return False

    @property
    def open(self) -> Entrant | None:
        """The driver who is opened."""
        return self.draft.entrants[self.chosen] if 0 <= self.chosen < len(self.draft.entrants) else None

    def _choose(self, place: int) -> None:
        self.chosen = -1 if place == self.chosen else place
        self.look_again()

    def _toggle(self, place: int) -> None:
        """One car more for a driver whom the table remembers; after his second, or where none has room, none."""
        driver, draft = self.known[place], self.draft
        cars = self._cars_of(driver)
        if len(cars) < CARS_EACH and (not cars or len(draft.entrants) < MOST):
            draft = draft.entering(driver)
        else:
            for car in reversed(cars):
                draft = draft.leaving(car)
        self.on_change(draft)

    def _cars_of(self, driver: Entrant) -> list[int]:
        """The grid places of a driver's cars."""
        name = driver.name.casefold()
        return [at for at, one in enumerate(self.draft.entrants) if one.name.casefold() == name]

    def _new(self) -> None:
        if len(self.draft.entrants) < MOST:
            self.chosen = len(self.draft.entrants)
            self.on_change(self.draft.entering(Entrant(number=len(self.draft.entrants) + 1)))
            self.entrants.scroll_y = 0

    def _enter_program(self) -> None:
        """One more driver of the program, with a name of its own."""
        if len(self.draft.entrants) < MOST:
            self.chosen = len(self.draft.entrants)
            self.on_change(with_program(self.draft))
            self.entrants.scroll_y = 0

    def _drive_otherwise(self) -> None:
        """A person instead of the program, or another driver of it."""
        if (driver := self.open) is not None:
            ways = ["", *offered(self.draft)]
            self._edit(program=ways[(ways.index(fitting(self.draft, driver.program)) + 1) % len(ways)])

    def _roll_otherwise(self) -> None:
        """The table rolls for the program's drivers, or the program does."""
        self.on_change(self.draft.but(program_rolls=not self.draft.program_rolls))

    def name_driver(self, place: int | None) -> None:
        """Opens a driver's name to be written: that of a place, or of one more (-1) unless the table remembers some
        who do not drive yet."""
        names = {one.name.casefold() for one in self.draft.entrants}
        self.chosen = place if place is not None and place >= 0 else -1
        if place == -1 and all(one.name.casefold() in names for one in self.known):
            self._new()
        if self.chosen >= 0:
            self.draw_now()
            self.name.line.focus = not self.draft.entrants[self.chosen].name

    def _named(self, _: str) -> None:
        self.on_named()

    def _remove(self) -> None:
        place, self.chosen = self.chosen, -1
        self.on_change(self.draft.leaving(place))

    def _edit(self, **values: Any) -> None:
        driver = self.open
        if driver is None:
            return
        now = msgspec.structs.replace(driver, **values)
        if now != driver:
            self.on_change(self.draft.editing(self.chosen, now))

    def _renumber(self, number: int) -> None:
        """The next number that nobody has, up or down from the driver's own."""
        driver = self.open
        if driver is None:
            return
        taken = {one.number for one in self.draft.entrants if one is not driver}
        low, high = NUMBERS
        free = range(number, high + 1) if number > driver.number else range(number, low - 1, -1)
        self._edit(number=next((one for one in free if one not in taken), driver.number))
        self.look_again()

    def _paint_next(self) -> None:
        driver = self.open
        if driver is None:
            return
        taken = {one.colour for one in self.draft.entrants}
        free = [colour % COLOURS for colour in range(driver.colour + 1, driver.colour + COLOURS)]
        self._edit(colour=next((colour for colour in free if colour not in taken), driver.colour))

    # -- where everything is

    def arrange(self) -> None:
        if self.shown is None:
            return
        draft, driver = self.draft, self.open
        rows = [
            DriverRow(entrant=one, place=place + 1, note=self._program(one), chosen=place == self.chosen)
            for place, one in enumerate(in_teams(draft, theme.words.lang))
        ]
        self.entrants.show(rows)
        self.put(self.entrants, 0, 0, LIST - 1, self.h - 68)
        full = len(draft.entrants) >= MOST
        look: Any = "barred" if full else "option" if draft.entrants else "answer"
        note = self.say("most_drivers", count=MOST) if full else ""
        self.new.show(Face(label=self.say("new_driver"), note=note, look=look, size=BODY))
        self.enter.show(Face(label=self.say("new_program"), look="barred" if full else "option", size=BODY))
        self.put_rows([self.new, self.enter], 12, self.h - 60, LIST - 25, 52)
        opened = (self.name, self.team, self.number, self.colour, self.remove, self.who, self.dice, self.hints)
        if driver is None:
            self.others.show([self._known(one, len(self._cars_of(one))) for one in self.known])
            self.put(self.others, LIST, 36, self.w - LIST, self.h - 36)
            for child in opened:
                self.remove_widget(child)
            return
        self.remove_widget(self.others)
        left, wide = LIST + 16, self.w - LIST - 28
        self._write(self.name, "name", driver.name)
        self._write(self.team, "team", driver.team)
        self.put(self.name, left, 4, wide, 80)
        self.put(self.team, left, 84, wide, 80)
        low, high = NUMBERS
        self.number.show(Field(name="number", label=self.say("number"), value=driver.number, low=low, high=high))
        self.put(self.number, left, 172, 160, 76)
        self.colour.show(driver)
        self.put(self.colour, left + 176, 196, wide - 176, 52)
        self.remove.show(Face(label=self.say("remove"), look="quiet", size=BODY))
        said = self.say("driven", program=fitting(draft, driver.program))
        self.who.show(Face(label=self.say("driven_by"), note=said, look="option", size=BODY))
        dice = self.say("program_rolls", program=draft.program_rolls)
        self.dice.show(Face(label=self.say("dice"), note=dice, look="option", size=BODY))
        self.hints.show(
            Face(label=self.say("hints"), note=self.say("hinted", hints=driver.hints), look="option", size=BODY)
        )
        keys = [self.who, self.dice if driver.program else self.hints, self.remove]
        self.put_rows(keys, left, self.h - 60, wide, 52)
        self.only(keys, of=(self.dice, self.hints))

    def _known(self, driver: Entrant, cars: int) -> DriverRow:
        """A driver whom the table remembers, with how many cars he has once that is more than one."""
        return DriverRow(entrant=driver, entered=cars > 0, word=self.say("cars_each", count=cars) if cars > 1 else "")

    def _program(self, driver: Entrant) -> str:
        """What stands beneath the name of a driver of the program."""
        if not driver.program:
            return ""
        said = self.say("program", program=fitting(self.draft, driver.program))
        return f"{said} · {driver.team}" if driver.team else said

    def _write(self, line: Writing, key: str, value: str) -> None:
        """A line whose text is the driver's; what is written there stays as long as it comes to that."""
        label = self.say(key)
        if line.shown is None or line.shown.label != label:
            line.show(Field(name=key, label=label, kind="text", value=value, high=2 * LETTERS))
        if fitted(line.value) != value:
            line.line.text = value

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(LIST - 1, 0, 1, pen.h, "line")
        if self.shown is None:
            return
        if not self.draft.entrants:
            pen.icon("person", LIST / 2, (pen.h - 68) / 2, 48, "low")
        if self.open is None:
            pen.text(self.say("all_drivers"), LIST + 16, 20, CAPTION, "mid", SEMIBOLD, room=pen.w - LIST - 28)
            if not self.known:
                pen.paragraph(
                    self.say("none_known"), (LIST + pen.w) / 2, pen.h / 2, BODY, pen.w - LIST - 40, "mid", SEMIBOLD, 3,
                    "centre",
                )  # fmt: skip
        else:
            pen.text(self.say("colour"), LIST + 192, 185, CAPTION, "mid", SEMIBOLD, room=100)
