"""The drivers: the list of entrants, one of them open, and drivers known to the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from companion.rules.conversation.setup import MOST, NUMBERS
from companion.screens.kit.compose import Area, Ui
from companion.screens.kit.key import Face, Look
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.plate import draw
from companion.screens.kit.rows import Rows
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import BODY, CAPTION, theme
from companion.screens.kit.touch import Target
from companion.screens.kit.writing import Writing
from companion.screens.setup.step import Change, DriverRow, DriverRowView, SetupStep
from companion.sheets.entrants import COLOURS, LETTERS, RaceEntrant, fitted
from companion.view.setup.draft import fitting, in_teams, offered, plate, with_program
from companion.view.shown import Field

LIST: Final = 300
CARS_EACH: Final = 2
"""Number of cars of one driver that the remembered list enters."""


class Colour(Target):
    """Key of a `RaceEntrant`'s plate; a tap changes its colour."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", 8)
        if self.shown is not None:
            draw(pen, plate(self.shown), pen.w / 2, pen.h / 2, 36)


class DriversStep(SetupStep):
    """Step of the drivers.

    The `chosen` one (a grid index, −1 for none) is open at the right; otherwise the `known` drivers are there: a
    touch enters one, another gives him a second car, a third removes both. `on_named()` is called when a name has
    been written.
    """

    def __init__(
        self,
        on_change: Change,
        known: Sequence[RaceEntrant],
        *,
        on_named: Callable[[], object] = lambda: None,
        **properties: Any,
    ) -> None:
        super().__init__(on_change, **properties)
        self.known, self.on_named = known, on_named
        self.chosen = -1
        self.entrants = Rows(DriverRowView, on_row=self._choose)
        self.others = Rows(DriverRowView, on_row=self._toggle)
        self.name = Writing(
            on_change=lambda text: self._edit(name=fitted(text)), on_done=self._named, needed=True, capitals="each"
        )
        self.team = Writing(on_change=lambda text: self._edit(team=fitted(text)), capitals="each")
        self.number = Stepper(on_change=self._renumber)
        self.colour = Colour(on_tap=self._paint_next)

    def back(self) -> bool:
        if self.chosen >= 0:
            self.chosen = -1
            self.look_again()
            return True
        return False

    @property
    def open(self) -> RaceEntrant | None:
        """The driver who is open."""
        return self.draft.entrants[self.chosen] if 0 <= self.chosen < len(self.draft.entrants) else None

    def _choose(self, place: int) -> None:
        self.chosen = -1 if place == self.chosen else place
        self.look_again()

    def _toggle(self, place: int) -> None:
        """Cycle a known driver's cars: one more, or none after the second or on a full grid."""
        driver, draft = self.known[place], self.draft
        cars = self._cars_of(driver)
        if len(cars) < CARS_EACH and (not cars or len(draft.entrants) < MOST):
            draft = draft.entering(driver)
        else:
            for car in reversed(cars):
                draft = draft.leaving(car)
        self.on_change(draft)

    def _cars_of(self, driver: RaceEntrant) -> list[int]:
        """Return the grid indices of a driver's cars."""
        name = driver.name.casefold()
        return [at for at, one in enumerate(self.draft.entrants) if one.name.casefold() == name]

    def _new(self) -> None:
        if len(self.draft.entrants) < MOST:
            self.chosen = len(self.draft.entrants)
            self.on_change(self.draft.entering(RaceEntrant(number=len(self.draft.entrants) + 1)))
            self.entrants.scroll_y = 0

    def _enter_program(self) -> None:
        """Add a driver of the program, with a name of its own."""
        if len(self.draft.entrants) < MOST:
            self.chosen = len(self.draft.entrants)
            self.on_change(with_program(self.draft))
            self.entrants.scroll_y = 0

    def _drive_otherwise(self) -> None:
        """Switch to a person, or to the program's next driver."""
        if (driver := self.open) is not None:
            ways = ["", *offered(self.draft)]
            self._edit(program=ways[(ways.index(fitting(self.draft, driver.program)) + 1) % len(ways)])

    def _roll_otherwise(self) -> None:
        """Toggle who rolls for the program's drivers: the table or the program."""
        self.on_change(self.draft.but(program_rolls=not self.draft.program_rolls))

    def name_driver(self, place: int | None) -> None:
        """Open a driver's name for writing.

        -1 is a new driver, who is added unless the table knows drivers that are not entered yet.
        """
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
        """Move to the next free number, up or down."""
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

    # -- what is shown

    def compose_step(self, ui: Ui) -> None:
        side = ui.area.cut_left(LIST)
        ui.fill(side.cut_right(1), "line")
        self._compose_entrants(ui, side)
        if (driver := self.open) is not None:
            self._compose_driver(ui, ui.area, driver)
        else:
            self._compose_known(ui, ui.area)

    def _compose_entrants(self, ui: Ui, area: Area) -> None:
        draft = self.draft
        keys = area.cut_bottom(68).inset(12, 8)
        if not draft.entrants:
            ui.pen.icon("person", LIST / 2, area.middle[1], 48, "low")
        rows = [
            DriverRow(entrant=one, place=place + 1, note=self._program(one), chosen=place == self.chosen)
            for place, one in enumerate(in_teams(draft, theme.words.lang))
        ]
        ui.place(area, self.entrants).show(rows)
        full = len(draft.entrants) >= MOST
        look: Look = "barred" if full else "option" if draft.entrants else "answer"
        note = self.say("most_drivers", count=MOST) if full else ""
        new, enter = keys.columns(2)
        face = Face(label=self.say("new_driver"), note=note, look=look, size=BODY)
        ui.button(new, "new", face, None if full else self._new)
        face = Face(label=self.say("new_program"), look="barred" if full else "option", size=BODY)
        ui.button(enter, "enter", face, None if full else self._enter_program)

    def _compose_known(self, ui: Ui, area: Area) -> None:
        """Compose the drivers known to the table."""
        head, pen = area.cut_top(36), ui.pen
        pen.text(self.say("all_drivers"), area.x + 16, 20, CAPTION, "mid", SEMIBOLD, room=area.w - 28)
        if not self.known:
            middle = (head.y + area.bottom) / 2
            said, room = self.say("none_known"), area.w - 40
            pen.paragraph(said, area.middle[0], middle, BODY, room, "mid", SEMIBOLD, 3, "centre")
        ui.place(area, self.others).show([self._known_row(one, len(self._cars_of(one))) for one in self.known])

    def _compose_driver(self, ui: Ui, area: Area, driver: RaceEntrant) -> None:
        """Compose what can be changed of the open driver."""
        area.cut_left(16)
        area.cut_right(12)
        area.cut_top(4)
        area.cut_bottom(8)
        who, second, remove = area.cut_bottom(52).columns(3)
        self._write(self.name, "name", driver.name)
        self._write(self.team, "team", driver.team)
        ui.place(area.cut_top(80), self.name)
        ui.place(area.cut_top(80), self.team)
        area.cut_top(8)
        row = area.cut_top(76)
        low, high = NUMBERS
        field = Field(name="number", label=self.say("number"), value=driver.number, low=low, high=high)
        ui.place(row.cut_left(160), self.number).show(field)
        row.cut_left(16)
        ui.pen.text(self.say("colour"), row.x, row.y + 13, CAPTION, "mid", SEMIBOLD, room=100)
        ui.place(row.cut_bottom(52), self.colour).show(driver)
        said = self.say("driven", program=fitting(self.draft, driver.program))
        face = Face(label=self.say("driven_by"), note=said, look="option", size=BODY)
        ui.button(who, "who", face, self._drive_otherwise)
        if driver.program:
            said = self.say("program_rolls", program=self.draft.program_rolls)
            face = Face(label=self.say("dice"), note=said, look="option", size=BODY)
            ui.button(second, "dice", face, self._roll_otherwise)
        else:
            said = self.say("hinted", hints=driver.hints)
            face = Face(label=self.say("hints"), note=said, look="option", size=BODY)
            ui.button(second, "hints", face, lambda: self._edit(hints=not driver.hints))
        ui.button(remove, "remove", Face(label=self.say("remove"), look="quiet", size=BODY), self._remove)

    def _known_row(self, driver: RaceEntrant, cars: int) -> DriverRow:
        """Return the row of a known driver, with the number of his cars above one."""
        return DriverRow(entrant=driver, entered=cars > 0, word=self.say("cars_each", count=cars) if cars > 1 else "")

    def _program(self, driver: RaceEntrant) -> str:
        """Return the second line of a driver of the program."""
        if not driver.program:
            return ""
        said = self.say("program", program=fitting(self.draft, driver.program))
        return f"{said} · {driver.team}" if driver.team else said

    def _write(self, line: Writing, key: str, value: str) -> None:
        """Show a text of the driver; input stays as long as it means the same."""
        label = self.say(key)
        if line.shown is None or line.shown.label != label:
            line.show(Field(name=key, label=label, kind="text", value=value, high=2 * LETTERS))
        if fitted(line.value) != value:
            line.line.text = value
