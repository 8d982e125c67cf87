"""Answers that are put together from parts: cards that are picked, and the key that plays those that are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.theme import CLOCK, VALUE
from companion.view import shown
from companion.view.shown import Prompt

GAP: Final = 8.0
DONE: Final = 132.0
WIDE: Final = 104.0
"""How wide a card is at most."""
NARROW: Final = 52.0


class Pick(Pane):
    """Shows a `Prompt` with parts. `on_pick(key)` tells that an answer is put together, `on_done(key)` that it is
    given, `on_hold(key)` that its key was held, or a part. An answer that is selected elsewhere is put together here
    too."""

    def __init__(
        self,
        on_pick: Callable[[shown.Key], object],
        on_done: Callable[[shown.Key], object],
        on_hold: Callable[[shown.Key], object],
        **properties: Any,
    ) -> None:
        self.on_pick, self.on_done, self.on_hold = on_pick, on_done, on_hold
        self.picked: list[int] = []
        self._told = -1
        """The place of the answer that was put together last."""
        self.first = 0
        super().__init__(**properties)
        self.keys: list[Key] = []
        self.done, self.following = Key(), Key(on_tap=self._turn, means="page")

    def show(self, prompt: Prompt) -> None:
        """Shows a question; what was picked stays as long as it is the same one."""
        if self.shown is None or self.shown.key != prompt.key:
            self.picked, self.first, self._told = [], 0, -1
        super().show(prompt)
        if prompt.chosen not in (-1, self._told):
            self._told, self.picked = prompt.chosen, []
            for code in prompt.keys[prompt.chosen].answer:
                places = (at for at, part in enumerate(prompt.parts) if part.answer == code and at not in self.picked)
                self.picked.append(next(places))
            self.look_again()

    def answer(self) -> shown.Key | None:
        """The answer that is put together, if it is one."""
        wanted = self._counted(self.picked)
        return next((key for key in self.shown.keys if Counter(key.answer) == wanted), None)

    def _counted(self, places: list[int]) -> Counter[Any]:
        return Counter(self.shown.parts[place].answer for place in places)

    def _tapped(self, place: int) -> None:
        """A part is picked, or put back; what cannot go with it is put back too."""
        if place in self.picked:
            self.picked.remove(place)
        elif any(self._counted([*self.picked, place]) <= Counter(key.answer) for key in self.shown.keys):
            self.picked.append(place)
        else:
            self.picked = [place]
        self.look_again()
        if (answer := self.answer()) is not None:
            self._told = self.shown.keys.index(answer)
            self.on_pick(answer)

    def _turn(self) -> None:
        self.first = self.first + self._room() if self.first + self._room() < len(self.shown.parts) else 0
        self.look_again()

    def _room(self) -> int:
        """How many parts are seen at a time."""
        room = self.w - DONE
        if len(self.shown.parts) * (NARROW + GAP) > room:
            room -= NARROW + GAP
        return max(1, int(room // (NARROW + GAP)))

    def arrange(self) -> None:
        if self.shown is None:
            return
        parts = self.shown.parts[self.first : self.first + self._room()]
        turning = len(parts) < len(self.shown.parts)
        self.as_many(self.keys, len(parts), Key)
        room = self.w - DONE - (NARROW + GAP if turning else 0)
        pitch = min(WIDE + GAP, room / max(1, len(parts)))
        for at, (key, part) in enumerate(zip(self.keys, parts, strict=True)):
            place = self.first + at
            key.on_tap, key.on_hold = partial(self._tapped, place), partial(self.on_hold, part)
            key.show(Face(label=part.label, note=part.note, prices=part.prices, look="option", size=CLOCK,
                          chosen=place in self.picked))  # fmt: skip
        self.put_rows(self.keys, 0, 0, len(parts) * pitch - GAP, self.h, gap=GAP)
        if turning:
            self.following.show(Face(look="quiet", icon="forward", note=f"{len(self.shown.parts) - len(parts)}"))
            self.put(self.following, len(parts) * pitch, 0, NARROW, self.h)
        else:
            self.remove_widget(self.following)
        answer = self.answer()
        self.done.on_tap = partial(self.on_done, answer) if answer is not None else None
        self.done.on_hold = partial(self.on_hold, answer) if answer is not None else None
        if answer is None:
            self.done.show(Face(icon="cards", look="barred"))
        else:
            self.done.show(Face(label=answer.label, note=answer.note, prices=answer.prices, size=VALUE))
        self.put(self.done, self.w - DONE, 0, DONE, self.h)
