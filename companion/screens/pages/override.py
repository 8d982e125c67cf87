"""The override: values of a car, or the weather and the order of the race."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from kivy.uix.scrollview import ScrollView

from companion.desk import RaceDesk
from companion.drawing.paints import paint_of
from companion.rules.conversation.asking import Json
from companion.screens.app.screen import Screen
from companion.screens.app.signing import TABLE
from companion.screens.app.visits import OfOverride
from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face, Look
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.kit.touch import ears
from companion.screens.pages.value_list import ROW, ValueList
from companion.screens.race.ask_band import HIGH as ASK
from companion.screens.race.ask_band import AskBand
from companion.view.pages.override import (
    Values,
    Why,
    car_values,
    changed,
    ending_values,
    is_rename,
    race_values,
    retiring,
    why_change,
)
from companion.view.shown import Plate, ViewModel
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LIST: Final = 196
BAND: Final = 104
BESIDE: Final = 128.0
"""Width of a key beside the main one, in dp."""


class Whom(ViewModel, frozen=True, kw_only=True):
    """A car in the list, or the race, which has an icon instead of a plate."""

    plate: Plate | None
    name: str
    chosen: bool
    icon: str = ""


class WhomView(RowView):
    """A row that shows a `Whom`."""

    def draw(self, pen: Pen, shown: Whom) -> None:
        middle = pen.h / 2
        if shown.chosen:
            self.choose(pen, paint_of(shown.plate.place).colour if shown.plate is not None else "pri")
        if shown.plate is None:
            pen.icon(shown.icon, 32, middle, 26, "mid")
        else:
            plate.draw(pen, shown.plate, 32, middle, 32)
        pen.text(shown.name, 60, middle, NAME, "hi", SEMIBOLD, room=pen.w - 70, cut=True, floor=SMALL)


class OverrideScreen(Composed, Screen):
    """Cars and the race at the left, the values that can be set at the right.

    Applying a change asks for the reason. The screen opens with the car `given["car"]`, None for the race; with
    `given["seat"]` it asks who drives that car, with `given["ending"]` how the race is ended or stopped.
    """

    given: OfOverride

    def __init__(self, app: CompanionApp, given: OfOverride) -> None:
        super().__init__(app, given)
        self.values: Values | None = None
        self.why: Why | None = None
        self.cars: list[tuple[int, Plate, str]] = []
        self._race: list[Whom] = []
        """Rows of the race itself: its values, and its end."""
        self.words: Words = theme.words
        """Words of the race, which name its spaces as its board does."""
        self.whom = Rows(WhomView, on_row=self._choose, high=ROW)
        self.list = ValueList(on_change=self.look_again)
        self.scroll = ScrollView(do_scroll_x=False, size_hint=(None, None))
        self.scroll.add_widget(self.list)
        self._rolls: bool | None = None
        """True if the program is to roll for its drivers; None if nobody has said."""
        self.band = AskBand(on_reason=self._reason, on_cancel=self._not_why, signing=lambda: app.playing.signing)
        self._look()

    @property
    def car(self) -> int | None:
        """The number of the chosen car, None for the race."""
        return self.given.get("car")

    @property
    def change(self) -> dict[str, Json]:
        """The values changed so far, as the override would set them."""
        return changed(self.values, self.list.values, self.car) if self.values is not None else {}

    def _look(self) -> None:
        car, ending = self.car, self.given.get("ending", False)

        def look(desk: RaceDesk, words: Words) -> tuple[Values, list[tuple[int, Plate, str]], list[Whom], Words]:
            sight = Sight(desk, words)
            cars = [(number, sight.plate(number), sight.names[number]) for number in sight.cars]
            sky = "changeable" if sight.race.sky else "flag"
            race = [
                Whom(
                    plate=None,
                    name=words.screen("override.race", sky=sight.race.sky),
                    chosen=car is None and not ending,
                    icon=sky,
                )
            ]
            if sight.book.race_endings:
                race.append(Whom(plate=None, name=words.screen("override.ending"), chosen=ending, icon="whistle"))
            values = ending_values if ending else race_values
            return (values(sight) if car is None else car_values(sight, car)), cars, race, words

        self.see(look, lambda seen: self._on_read(*seen))

    def _on_read(self, values: Values, cars: list[tuple[int, Plate, str]], race: list[Whom], words: Words) -> None:
        self.cars, self._race, self.words = cars, race, words
        if values != self.values:
            self.values = values
            self.list.show(values.fields)
        if self.given.pop("seat", False):
            self._ask_seat()
        self.look_again()

    def race(self, shown: RaceShown) -> None:
        self._look()

    def back(self) -> bool:
        if self.why is None:
            return False
        self._not_why()
        return True

    def _choose(self, place: int) -> None:
        of_race = len(self._race)
        self.given["car"] = self.cars[place - of_race][0] if place >= of_race else None
        self.given["ending"] = 0 < place < of_race
        self._not_why()
        self._look()

    def _ask(self) -> None:
        change, seat = self.change, self.app.playing.seat
        if is_rename(change) and seat is not None:
            seat.override(change, by=self.app.playing.signing.name or TABLE, why=self.say("override.renamed"))
            self.app.back()
        elif change:
            self.see(lambda desk, words: why_change(Sight(desk, words), change), self._on_reason)

    def _on_reason(self, why: Why) -> None:
        self.why = why
        ears.close()
        self.look_again()

    def _not_why(self) -> None:
        self.why = None
        self.look_again()

    def _retires(self) -> None:
        """Retire the car at once; Undo can reverse that."""
        seat, car = self.app.playing.seat, self.car
        if seat is not None and car is not None:
            by = self.app.playing.signing.name or TABLE
            seat.override(retiring(car), by=by, why=self.say("override.gave_up"))
            self.app.back()

    def _ask_seat(self) -> None:
        """Ask who drives the car from now on."""
        if self.values is not None and self.values.seat is not None:
            self._rolls = None
            self._on_reason(self.values.seat)

    def _sits(self, answer: Json) -> None:
        """Hand the car over, or set who rolls for the program and ask again."""
        assert self.why is not None
        if isinstance(answer, bool):
            self._rolls = answer
            dice = msgspec.structs.replace(
                self.why.keys[-1], answer=not answer, note=self.say("new_race.program_rolls", program=answer)
            )
            self.why = msgspec.structs.replace(self.why, keys=(*self.why.keys[:-1], dice))
            self.look_again()
        elif (seat := self.app.playing.seat) is not None and self.car is not None:
            seat.hand_over(self.car, str(answer), rolls=self._rolls)
            self.why = None
            self.app.back()

    def _reason(self, name: str, text: str) -> None:
        seat = self.app.playing.seat
        if self.values is not None and self.why is not None and not self.why.signed:
            self._sits(name)
        elif seat is not None:
            seat.override(self.change, by=self.app.playing.signing.name, why=text)
            self.why = None
            self.app.back()

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        ui.title(self.say("override.word"), self.app.back, self.values.title if self.values else "")
        foot = ui.area.cut_bottom(BAND if self.why is None else ASK)
        cars = ui.area.cut_left(LIST)
        ui.fill(cars.cut_right(1), "line")
        drivers = [
            Whom(plate=shown, name=driver or self.say("new_race.no_name"), chosen=number == self.car)
            for number, shown, driver in self.cars
        ]
        ui.place(cars, self.whom).show([*self._race, *drivers])
        self.whom.follow(lambda row: bool(row.chosen))
        self.list.width = round(theme.dp(ui.area.w))
        self.list.height = round(theme.dp(self.list.high))
        ui.place(ui.area, self.scroll)
        if self.why is not None:
            ui.place(foot, self.band).show(self.why)
        else:
            self._compose_foot(ui, foot)

    def _compose_foot(self, ui: Ui, foot: Area) -> None:
        """Compose what can be done: set what was changed, or else let a driver give up or leave."""
        ui.fill(foot, "bg2")
        ui.fill(Area(foot.x, foot.y, foot.w, 3), "warn")
        middle, change, values = foot.middle[1], self.change, self.values
        keys = foot.inset(0, 10).cut_top(84)
        keys.cut_left(20)
        cancel = Face(label=self.say("keys.cancel"), icon="cross", look="quiet")
        ui.button(keys.cut_left(92), "cancel", cancel, self.app.back)
        keys.cut_left(16)
        keys.cut_right(12)
        note = "" if change else self.say("override.unchanged")
        look: Look = "answer" if change else "barred"
        face = Face(label=self.say("override.set_key"), note=note, look=look, size=VALUE)
        ui.button(keys.cut_right(156), "set", face, self._ask if change else None)
        if values is not None and self.car is not None and not change:
            if values.runs:
                face = Face(label=self.say("override.retires"), note=self.say("override.retires_note"), icon="flag",
                            look="option", size=BODY)  # fmt: skip
                ui.button(_beside(keys), "retires", face, self._retires)
            if values.seat:
                face = Face(label=self.say("seats.key"), note=self.say("seats.note"), icon="person", look="option",
                            size=BODY)  # fmt: skip
                ui.button(_beside(keys), "seat", face, self._ask_seat)
        keys.cut_right(16)
        asked, said = Area(keys.x, middle - 20, keys.w, 40), ""
        if change:
            asked.y -= BAND / 2 - 38
            said = self.words.change({name: value for name, value in change.items() if name != "car"})
        ui.text(asked, self.say("override.values"), QUESTION, weight=BOLD)
        ui.text(Area(keys.x, foot.y + 66, keys.w, 20), said, CAPTION, "warn", cut=True)


def _beside(keys: Area) -> Area:
    """Cut a key off the right of a row of keys, with the gap before the next."""
    keys.cut_right(8)
    return keys.cut_right(BESIDE)
