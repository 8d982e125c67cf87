"""A move on a corner sheet, as seen at the table.

Quick keys say where it ended, others which cars it touched; the rest is filled in as a form.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from companion.screens.kit import plate
from companion.screens.kit.key import Face, Key, undo_face
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.prompt_band import ASKED_AT, QuestionHeading, face_of, tapped, undoing
from companion.screens.kit.theme import CAPTION, NAME, VALUE, theme
from companion.screens.kit.touch import ears
from companion.screens.kit.trail import HIGH, Trail
from companion.view import shown
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import Prompt

SHEET: Final = 348.0
"""Height of the sheet, in dp: the corners above it have the rest."""
QUICK_TOP: Final = 62.0
QUICK_HIGH: Final = 92.0
CARS_TOP: Final = 202.0
CARS_HIGH: Final = 56.0
FOOT: Final = 80.0
LOW_HIGH: Final = 68.0
CAR_WIDE: Final = 85.0
UNDO: Final = 112.0
GAP: Final = 8.0
LEFT: Final = 20.0
RIGHT: Final = 12.0
CHOSEN: Final = 4.0
"""Share of the row for the selected key beside a card; `_share` is that of others."""
BESIDE: Final = 700.0
"""Width below which it stands beside a ruling card, in dp."""


class TouchedCar(Key):
    """A car that the move may have touched: plate, code and kind of contact."""

    def paint(self, pen: Pen) -> None:
        super().paint(pen)
        car = self.car
        if car is None:
            return
        middle = pen.h / 2 - (9 if car.word else 0)
        plate.draw(pen, car.plate, 24, middle, 28 if car.word else 32)
        pen.text(car.code, 44, middle, CAPTION, "hi" if car.word else "mid", BOLD, room=pen.w - 48, cut=True)
        if car.word:
            pen.text(car.word, pen.w / 2, pen.h - 12, CAPTION, "warn", BOLD, "centre", pen.w - 8)

    car: shown.TouchCandidate | None = None


class SeenSheet(Pane):
    """A sheet that shows a `Prompt` about a move seen at the table."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)
        self.asked = QuestionHeading(on_tap=partial(emit, intents.OpenArticle("question")))
        self.trail = Trail(lambda step: emit(intents.Rewind(step)))
        self.undo = Key()
        self.nobody = Key(means="nobody")
        self.keys: list[Key] = []
        self.cars: list[TouchedCar] = []
        self.groups: list[Key] = []

    def show(self, prompt: Prompt) -> None:
        """Show a question; ignore touches for a moment if it has changed."""
        before: Prompt | None = self.shown
        if before is not None and before.key != prompt.key:
            ears.close()
            for key in self.keys:
                key.forget()
        super().show(prompt)

    def arrange(self) -> None:
        prompt: Prompt | None = self.shown
        if prompt is None or prompt.seen is None:
            return
        left = 81.0 if prompt.plate is not None else LEFT
        room = self.w - RIGHT - left
        self.asked.show((prompt.title, "" if self.w < BESIDE else prompt.unit, room))
        title = self.asked.wide(room)
        self.put(self.asked, left, ASKED_AT[0], title, ASKED_AT[1])
        self.trail.shown = prompt.trail
        self.put(self.trail, left + title + 16, 5, max(1.0, self.w - RIGHT - left - title - 16), HIGH)
        self.trail.look_again()
        self._arrange_quick(prompt)
        self._arrange_cars(prompt.seen)
        self._arrange_foot(prompt, prompt.seen)

    def _arrange_quick(self, prompt: Prompt) -> None:
        """Place the quick keys in one row, narrower for each further space past a corner.

        With a card beside them the narrow keys are left out unless selected, and only the selected key, then wider, has
        its note.
        """
        slim = self.w < BESIDE
        answers = [
            (at, key) for at, key in enumerate(prompt.keys) if not slim or _share(key) > 1 or at == prompt.chosen
        ]
        self.as_many(self.keys, len(answers), Key)
        room = self.w - LEFT - RIGHT - GAP * (len(answers) - 1)
        shares = [CHOSEN if slim and at == prompt.chosen else _share(answer) for at, answer in answers]
        x = LEFT
        for key, share, (place, answer) in zip(self.keys, shares, answers, strict=True):
            wide = room * share / sum(shares)
            key.on_tap = partial(self.emit, tapped(answer))
            key.on_hold = partial(self.emit, intents.Explain(answer))
            face = face_of("seen", answer, VALUE, place == prompt.chosen)
            if slim:
                face = replace(face, prices=face.prices[:1], note=face.note if place == prompt.chosen else "")
            key.show(face)
            self.put(key, x, QUICK_TOP, wide, QUICK_HIGH)
            x += wide + GAP

    def _arrange_cars(self, seen: shown.MoveReport) -> None:
        """Place "Nobody" and as many of the nearest cars as fit.

        Cars that were touched are always among them.
        """
        fit = int((self.w - LEFT - RIGHT - UNDO) // (CAR_WIDE + GAP))
        cars = sorted(seen.cars, key=lambda car: not car.word)[:fit]
        cars = [car for car in seen.cars if car in cars]
        self.nobody.show(Face(label=theme.say("nobody", "seen"), look="option",
                              chosen=not any(car.word for car in seen.cars)))  # fmt: skip
        self.nobody.on_tap = partial(self.emit, intents.Select(seen.nobody))
        self.put(self.nobody, LEFT, CARS_TOP, UNDO, CARS_HIGH)
        self.as_many(self.cars, len(cars), TouchedCar)
        for key, car in zip(self.cars, cars, strict=True):
            key.car = car
            key.on_tap = partial(self.emit, intents.Select(car.then))
            key.on_hold = partial(self.emit, intents.Explain(intents.CarSubject(car.plate.number)))
            key.show(Face(look="option", chosen=bool(car.word)))
            key.look_again()
        room = len(cars) * (CAR_WIDE + GAP) - GAP
        self.put_rows(self.cars, LEFT + UNDO + GAP, CARS_TOP, room, CARS_HIGH, gap=GAP)

    def _arrange_foot(self, prompt: Prompt, seen: shown.MoveReport) -> None:
        self.undo.show(replace(undo_face(prompt.undo), icon="", prices=()))  # the key is low
        undoing(self.undo, self.emit if prompt.undo.label else None)
        top = self.h - FOOT
        self.put(self.undo, LEFT, top, UNDO, LOW_HIGH)
        self.as_many(self.groups, len(seen.groups), Key)
        for key, group in zip(self.groups, seen.groups, strict=True):
            key.on_tap, key.means = partial(self.emit, intents.OpenForm(group.fields)), group
            note = group.note if group.said or self.w >= BESIDE else ""
            key.show(Face(label=group.label, note=note, look="option", size=NAME, chosen=group.said))
        left = LEFT + UNDO + GAP
        self.put_rows(self.groups, left, top, self.w - RIGHT - left, LOW_HIGH, gap=GAP)

    def paint(self, pen: Pen) -> None:
        prompt: Prompt | None = self.shown
        pen.band()
        if prompt is None or prompt.seen is None:
            return
        plate.at_head(pen, prompt.plate, 45, 32)
        line = QUICK_TOP + QUICK_HIGH + 10
        pen.fill(8, line, pen.w - 8, 1, "line")
        middle = (line + CARS_TOP) / 2
        wide = pen.text(prompt.seen.company, LEFT, middle, NAME - 2, "hi", BOLD, room=pen.w - LEFT - RIGHT)
        if self.w >= BESIDE:
            room = pen.w - LEFT - RIGHT - wide - 16
            pen.text(theme.say("hint", "seen"), pen.w - RIGHT, middle, CAPTION, "mid", align="right", room=room)

    def on_touch_down(self, touch: Any) -> bool:
        inside = bool(self.collide_point(*touch.pos))
        if inside and not ears.open:
            return True
        return bool(super().on_touch_down(touch)) or inside


def _share(answer: shown.AnswerKey) -> float:
    """Return the share of the row that a key needs.

    A key that only counts on from its neighbour needs little.
    """
    given: Any = answer.answer
    if not isinstance(given, dict) or "overshot" not in given:
        return 3.0
    return 1.0 if given["overshot"] > 1 else 1.7
