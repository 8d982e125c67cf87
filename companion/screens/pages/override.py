"""What the referee's word sets: a car's points, gear, place and the like, or the weather and the order of the race."""

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
from companion.screens.pages.value_list import ROW, ValueList
from companion.screens.race.ask_band import HIGH as ASK
from companion.screens.race.ask_band import AskBand
from companion.screens.widgets import plate
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title, TitleBar
from companion.screens.widgets.touch import ears
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
from companion.view.shown import Plate, Shown
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LIST: Final = 196
BAND: Final = 104
BESIDE: Final = 128.0
"""How wide a key beside the main one is."""


class Whom(Shown, frozen=True, kw_only=True):
    """A car in the list, or the race (`plate` None, but an icon)."""

    plate: Plate | None
    name: str
    chosen: bool
    icon: str = ""


class WhomView(RowView):
    """Draws a `Whom`."""

    def draw(self, pen: Pen, shown: Whom) -> None:
        middle = pen.h / 2
        if shown.chosen:
            self.choose(pen, paint_of(shown.plate.place).colour if shown.plate is not None else "pri")
        if shown.plate is None:
            pen.icon(shown.icon, 32, middle, 26, "mid")
        else:
            plate.draw(pen, shown.plate, 32, middle, 32)
        pen.text(shown.name, 60, middle, NAME, "hi", SEMIBOLD, room=pen.w - 70, cut=True, floor=SMALL)


class OverrideScreen(Screen):
    """Cars and the race at the left, what may be set on the chosen one at the right; then it is asked why. Opens with
    the car `given["car"]`, None for the race; with `given["seat"]` it is asked who drives that, with `given["ending"]`
    how the race is ended or stopped."""

    given: OfOverride

    def __init__(self, app: CompanionApp, given: OfOverride) -> None:
        super().__init__(app, given)
        self.values: Values | None = None
        self.why: Why | None = None
        self.cars: list[tuple[int, Plate, str]] = []
        self._race: list[Whom] = []
        """The race's own rows: its values, and its end."""
        self.words: Words = theme.words
        """The words of the race, which call its spaces as its board does."""
        self.bar = TitleBar(app.back)
        self.whom = Rows(WhomView, self._choose, high=ROW)
        self.list = ValueList(self.look_again)
        self.scroll = ScrollView(do_scroll_x=False, size_hint=(None, None))
        self.scroll.add_widget(self.list)
        self.cancel, self.set, self.retires = Key(on_tap=app.back), Key(), Key(on_tap=self._retires)
        self.seat = Key(on_tap=self._ask_seat)
        self._rolls: bool | None = None
        """Whether the program is to roll for its drivers, if that was said."""
        self.band = AskBand(self._reason, self._not_why, lambda: app.playing.signing)
        self._look()

    @property
    def car(self) -> int | None:
        """The car that is chosen, None for the race."""
        return self.given.get("car")

    @property
    def change(self) -> dict[str, Json]:
        """What the referee's word would set now."""
        return changed(self.values, self.list.values, self.car) if self.values is not None else {}

    @property
    def _beside(self) -> list[Key]:
        """The keys beside the main one: a driver may give up or leave, unless something else is about to be set."""
        values = self.values
        if values is None or self.car is None or self.change:
            return []
        return [key for key, there in ((self.seat, values.seat), (self.retires, values.runs)) if there]

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

        self.see(look, lambda seen: self._seen(*seen))

    def _seen(self, values: Values, cars: list[tuple[int, Plate, str]], race: list[Whom], words: Words) -> None:
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
            self.see(lambda desk, words: why_change(Sight(desk, words), change), self._asked)

    def _asked(self, why: Why) -> None:
        self.why = why
        ears.close()
        self.look_again()

    def _not_why(self) -> None:
        self.why = None
        self.look_again()

    def _retires(self) -> None:
        """A driver gives up: no more is asked, for Undo gives him back."""
        seat, car = self.app.playing.seat, self.car
        if seat is not None and car is not None:
            by = self.app.playing.signing.name or TABLE
            seat.override(retiring(car), by=by, why=self.say("override.gave_up"))
            self.app.back()

    def _ask_seat(self) -> None:
        """Who drives from here on?"""
        if self.values is not None and self.values.seat is not None:
            self._rolls = None
            self._asked(self.values.seat)

    def _sits(self, answer: Json) -> None:
        """Who drives; or who rolls for the program, and then it is asked again."""
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

    # -- where everything is

    def arrange(self) -> None:
        asks = self.why is not None
        band = ASK if asks else BAND
        body = self.h - BAR - band
        self.bar.show(Title(text=self.say("override.word"), note=self.values.title if self.values else ""))
        self.put(self.bar, 0, 0, self.w, BAR)
        rows = [
            *self._race,
            *(
                Whom(plate=shown, name=driver or self.say("new_race.no_name"), chosen=number == self.car)
                for number, shown, driver in self.cars
            ),
        ]
        self.whom.show(rows)
        self.put(self.whom, 0, BAR, LIST - 1, body)
        self.list.width = round(theme.dp(self.w - LIST))
        self.list.height = round(theme.dp(self.list.high))
        self.put(self.scroll, LIST, BAR, self.w - LIST, body)
        if self.why is not None:
            self.band.show(self.why)
            self.put(self.band, 0, self.h - ASK, self.w, ASK)
            self.only([], of=(self.cancel, self.set, self.retires, self.seat))
            return
        self.remove_widget(self.band)
        top = self.h - BAND + 10
        self.cancel.show(Face(label=self.say("keys.cancel"), icon="cross", look="quiet"))
        self.put(self.cancel, 20, top, 92, 84)
        can = bool(self.change)
        for key, words, icon in ((self.retires, "override.retires", "flag"), (self.seat, "seats.key", "person")):
            note = self.say("override.retires_note" if key is self.retires else "seats.note")
            key.show(Face(label=self.say(words), note=note, icon=icon, look="option", size=BODY))
        beside = self._beside
        self.put_rows(beside, self.w - 168 - len(beside) * (BESIDE + 8), top, len(beside) * (BESIDE + 8) - 8, 84)
        self.only(beside, of=(self.retires, self.seat))
        self.set.on_tap = self._ask if can else None
        note = "" if can else self.say("override.unchanged")
        self.set.show(
            Face(label=self.say("override.set_key"), note=note, look="answer" if can else "barred", size=VALUE)
        )
        self.put(self.set, self.w - 168, top, 156, 84)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(LIST - 1, BAR, 1, pen.h - BAR, "line")
        top = pen.h - BAND
        if self.why is None:
            pen.fill(0, top, pen.w, BAND, "bg2")
            pen.fill(0, top, pen.w, 3, "warn")
            room = pen.w - 128 - 184 - (BESIDE + 8) * len(self._beside)
            middle = top + (38 if self.change else BAND / 2)
            pen.text(self.say("override.values"), 128, middle, QUESTION, "hi", BOLD, room=room)
            said = self.words.change({k: v for k, v in self.change.items() if k != "car"}) if self.change else ""
            pen.text(said, 128, top + 76, CAPTION, "warn", SEMIBOLD, room=room, cut=True)
