"""Answers made up of several cards, and the key that plays the selected ones."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.theme import CLOCK, VALUE
from companion.view.race import intents
from companion.view.race.drafts import HandDraft
from companion.view.race.intents import Emit
from companion.view.shown import Prompt

GAP: Final = 8.0
DONE: Final = 132.0
MAX_CARD_WIDTH: Final = 104.0
"""Maximum width of a card, in dp."""
NARROW: Final = 52.0


class Pick(Pane):
    """The parts of a `Prompt`, as (prompt, hand): the cards picked, and the answer that they make."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        self.first = 0
        super().__init__(**properties)
        self.keys: list[Key] = []
        self.done, self.following = Key(), Key(on_tap=self._turn, means="page")

    def show(self, shown: tuple[Prompt, HandDraft]) -> None:
        """Show a question and the cards picked; another question begins with its first cards."""
        if self.shown is None or self._prompt.key != shown[0].key:
            self.first = 0
        super().show(shown)

    @property
    def _prompt(self) -> Prompt:
        prompt: Prompt = self.shown[0]
        return prompt

    def _turn(self) -> None:
        self.first = self.first + self._room() if self.first + self._room() < len(self._prompt.parts) else 0
        self.look_again()

    def _room(self) -> int:
        """Return the number of cards that fit."""
        room = self.w - DONE
        if len(self._prompt.parts) * (NARROW + GAP) > room:
            room -= NARROW + GAP
        return max(1, int(room // (NARROW + GAP)))

    def arrange(self) -> None:
        if self.shown is None:
            return
        prompt, hand = self.shown
        parts = prompt.parts[self.first : self.first + self._room()]
        turning = len(parts) < len(self._prompt.parts)
        self.as_many(self.keys, len(parts), Key)
        room = self.w - DONE - (NARROW + GAP if turning else 0)
        pitch = min(MAX_CARD_WIDTH + GAP, room / max(1, len(parts)))
        for at, (key, part) in enumerate(zip(self.keys, parts, strict=True)):
            place = self.first + at
            key.on_tap = partial(self.emit, intents.PickPart(place))
            key.on_hold = partial(self.emit, intents.Explain(part))
            key.show(Face(label=part.label, note=part.note, prices=part.prices, look="option", size=CLOCK,
                          chosen=place in hand.picked))  # fmt: skip
        self.put_rows(self.keys, 0, 0, len(parts) * pitch - GAP, self.h, gap=GAP)
        if turning:
            self.following.show(Face(look="quiet", icon="forward", note=f"{len(self._prompt.parts) - len(parts)}"))
            self.put(self.following, len(parts) * pitch, 0, NARROW, self.h)
        else:
            self.remove_widget(self.following)
        answer = hand.answer(prompt)
        self.done.on_tap = partial(self.emit, intents.GiveDraft()) if answer is not None else None
        self.done.on_hold = partial(self.emit, intents.Explain(answer)) if answer is not None else None
        if answer is None:
            self.done.show(Face(icon="cards", look="barred"))
        else:
            self.done.show(Face(label=answer.label, note=answer.note, prices=answer.prices, size=VALUE))
        self.put(self.done, self.w - DONE, 0, DONE, self.h)
