"""A move on a corner sheet, as seen at the table.

Quick keys say where it ended, others which cars it touched; the rest is filled in as a form.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face, Key, undo_face
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
HEAD: Final = 62.0
QUICK: Final = 92.0
CARS: Final = 56.0
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


class SeenSheet(Composed):
    """A sheet that shows a `Prompt` about a move seen at the table."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)

    def show(self, prompt: Prompt) -> None:
        """Show a question; ignore touches for a moment if it has changed."""
        before: Prompt | None = self.shown
        if before is not None and before.key != prompt.key:
            ears.close()
            for key in self.made.values():
                if isinstance(key, Key):
                    key.forget()
        super().show(prompt)

    def compose(self, ui: Ui) -> None:
        prompt: Prompt | None = self.shown
        ui.pen.band()
        if prompt is None or prompt.seen is None:
            return
        plate.at_head(ui.pen, prompt.plate, 45, 32)
        slim = ui.pen.w < BESIDE
        area = ui.area
        area.cut_right(RIGHT)
        area.cut_left(LEFT)
        self._head(ui, area.cut_top(HEAD), prompt, slim)
        self._quick(ui, area.cut_top(QUICK), prompt, slim)
        area.cut_top(10)
        ui.pen.fill(8, area.y, ui.pen.w - 8, 1, "line")
        company = area.cut_top(38)
        company.cut_left(ui.text(company, prompt.seen.company, NAME - 2, weight=BOLD) + 16)
        if not slim:
            ui.text(company, theme.say("hint", "seen"), CAPTION, "mid", align="right")
        self._cars(ui, area.cut_top(CARS), prompt.seen)
        self._foot(ui, area.cut_bottom(FOOT).cut_top(LOW_HIGH), prompt, prompt.seen, slim)

    def _head(self, ui: Ui, area: Area, prompt: Prompt, slim: bool) -> None:
        """Place the question, and the steps of the turn beside it."""
        if prompt.plate is not None:
            area.cut_left(81 - LEFT)
        article = partial(self.emit, intents.OpenArticle("question"))
        asked = ui.named("asked", partial(QuestionHeading, on_tap=article))
        asked.show((prompt.title, "" if slim else prompt.unit, area.w))
        top, high = ASKED_AT
        ui.place(Area(area.x, top, asked.wide(area.w), high), asked)
        area.cut_left(asked.wide(area.w) + 16)
        trail = ui.named("trail", partial(Trail, lambda step: self.emit(intents.Rewind(step))))
        ui.place(Area(area.x, 5, max(1.0, area.w), HIGH), trail).show(prompt.trail)

    def _quick(self, ui: Ui, area: Area, prompt: Prompt, slim: bool) -> None:
        """Place the quick keys in one row, narrower for each further space past a corner.

        With a card beside them (`slim`) the narrow keys are left out unless selected, and only the selected key, then
        wider, has its note.
        """
        answers = [
            (at, key) for at, key in enumerate(prompt.keys) if not slim or _share(key) > 1 or at == prompt.chosen
        ]
        room = area.w - GAP * (len(answers) - 1)
        shares = [CHOSEN if slim and at == prompt.chosen else _share(answer) for at, answer in answers]
        for share, (at, answer) in zip(shares, answers, strict=True):
            face = face_of("seen", answer, VALUE, at == prompt.chosen)
            if slim:
                face = replace(face, prices=face.prices[:1], note=face.note if at == prompt.chosen else "")
            place = area.cut_left(room * share / sum(shares))
            area.cut_left(GAP)
            tap, hold = partial(self.emit, tapped(answer)), partial(self.emit, intents.Explain(answer))
            ui.button(place, ("quick", at), face, tap, hold)

    def _cars(self, ui: Ui, area: Area, seen: shown.MoveReport) -> None:
        """Place "Nobody" and as many of the nearest cars as fit.

        Cars that were touched are always among them.
        """
        fit = int((area.w - UNDO) // (CAR_WIDE + GAP))
        cars = sorted(seen.cars, key=lambda car: not car.word)[:fit]
        nobody = Face(label=theme.say("nobody", "seen"), look="option", chosen=not any(car.word for car in seen.cars))
        select = partial(self.emit, intents.Select(seen.nobody))
        ui.button(area.cut_left(UNDO), "nobody", nobody, select, means="nobody")
        for car in seen.cars:
            if car not in cars:
                continue
            area.cut_left(GAP)
            face = Face(look="option", chosen=bool(car.word))
            explain = partial(self.emit, intents.Explain(intents.CarSubject(car.plate.number)))
            select = partial(self.emit, intents.Select(car.then))
            key = ui.target(area.cut_left(CAR_WIDE), car.plate.number, TouchedCar, face, select, explain)
            key.car = car
            key.look_again()

    def _foot(self, ui: Ui, area: Area, prompt: Prompt, seen: shown.MoveReport, slim: bool) -> None:
        """Place Undo, and a key for each group of further details."""
        undo = replace(undo_face(prompt.undo), icon="", prices=())  # the key is low
        undoing(ui.button(area.cut_left(UNDO), "undo", undo), self.emit if prompt.undo.label else None)
        area.cut_left(GAP)
        for place, group in zip(area.columns(len(seen.groups), GAP), seen.groups, strict=True):
            note = "" if slim and not group.said else group.note
            face = Face(label=group.label, note=note, look="option", size=NAME, chosen=group.said)
            ui.button(
                place, ("group", group.name), face, partial(self.emit, intents.OpenForm(group.fields)), means=group
            )

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
