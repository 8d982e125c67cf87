"""An on-screen keyboard with national letters, digits and accents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.kit.key import Face, Key, Look
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import Pen
from companion.screens.kit.theme import BODY, VALUE, theme

HIGH: Final = 256
"""Height of the keyboard, in dp."""
ROW: Final = 52
GAP: Final = 8

LETTERS: Final = {
    "en": ("qwertyuiop", "asdfghjkl’", "zxcvbnm-"),
    "fr": ("azertyuiop", "qsdfghjklm", "wxcvbn’-"),
}
FIGURES: Final = ("1234567890", "()/:.,?!&+", "-–·’«»=%")
ACCENTS: Final = ("éèêëàâäáãå", "ôöóòøœùûüú", "çñîïíßæÿ")


class Keyboard(Pane):
    """Keyboard: `on_text` for typed text, `on_erase` for backspace, `on_done` at the end."""

    def __init__(
        self,
        *,
        on_text: Callable[[str], object],
        on_erase: Callable[[], object],
        on_done: Callable[[], object],
        **properties: Any,
    ) -> None:
        super().__init__(**properties)
        self.on_text, self.on_done = on_text, on_done
        self.layer = "letters"
        self.capitals = False
        self.why = ""
        """Reason why typing cannot be finished yet."""
        self._places: list[list[Key]] = [[Key() for _ in range(count)] for count in (10, 10, 8)]
        self._shift = Key(on_tap=self._shifted)
        self._erase = Key(on_tap=on_erase)
        self._figures = Key(on_tap=partial(self._turn, "figures"))
        self._accents = Key(on_tap=partial(self._turn, "accents"))
        self._space = Key(on_tap=partial(self._type, " "))
        self._done = Key(on_tap=on_done)

    def letter(self, letter: str) -> Key:
        """Return the key of a letter in the current layer."""
        return next(key for row in self._places for key in row if key.face.label == letter)

    @property
    def wheel(self) -> list[Key]:
        """The keys as a letter wheel: letters by the alphabet, then the others."""
        letters = sorted((key for row in self._places for key in row), key=lambda key: key.face.label.lower())
        edges = [self._space, self._shift, self._accents, self._figures, self._erase, self._done]
        return [key for key in letters if key.face.label[:1].isalnum()] + [
            *edges[:1], *(key for key in letters if not key.face.label[:1].isalnum()), *edges[1:]
        ]  # fmt: skip

    def arrange(self) -> None:
        rows = {"figures": FIGURES, "accents": ACCENTS}.get(self.layer) or LETTERS[theme.language]
        wide = (self.w - 11 * GAP) / 10
        pitch = wide + GAP
        for row, (letters, keys) in enumerate(zip(rows, self._places, strict=True)):
            left = GAP + (pitch if row == 2 else 0)
            for letter, key in zip(letters, keys, strict=True):
                said = letter.upper() if self.capitals and letter != "ß" else letter
                key.on_tap = partial(self._type, said)
                key.show(Face(label=said, look="option", size=VALUE))
            self.put_rows(keys, left, GAP + row * (ROW + GAP), len(keys) * pitch - GAP, ROW, gap=GAP)
        self._arrange_edges(wide, pitch)

    def _arrange_edges(self, wide: float, pitch: float) -> None:
        third, fourth = GAP + 2 * (ROW + GAP), GAP + 3 * (ROW + GAP)
        self._shift.show(Face(icon="up", look="option", chosen=self.capitals))
        self.put(self._shift, GAP, third, wide, ROW)
        self._erase.show(Face(icon="erase", look="option"))
        self.put(self._erase, GAP + 9 * pitch, third, wide, ROW)
        for place, (key, layer) in enumerate(((self._figures, "figures"), (self._accents, "accents"))):
            shown = "letters" if self.layer == layer else layer
            key.show(Face(label=theme.words.screen(f"keyboard.{shown}"), look="option"))
            self.put(key, GAP + place * pitch, fourth, wide, ROW)
        self._space.show(Face(label=theme.words.screen("keyboard.space"), look="option", size=BODY))
        self.put(self._space, GAP + 2 * pitch, fourth, 5 * pitch + wide, ROW)
        look: Look = "barred" if self.why else "answer"
        self._done.show(Face(label=theme.words.screen("keyboard.done"), note=self.why, look=look, size=BODY))
        self.put(self._done, GAP + 8 * pitch, fourth, pitch + wide, ROW)

    def paint(self, pen: Pen) -> None:
        pen.band()

    def begins(self, capital: bool) -> None:
        """Set whether the next letter is a capital."""
        self.capitals = capital
        self.look_again()

    def wants(self, why: str) -> None:
        """Allow typing to end, or bar it with a reason."""
        if why != self.why:
            self.why = why
            self._done.on_tap = None if why else self.on_done
            self.look_again()

    def _turn(self, layer: str) -> None:
        self.layer = "letters" if self.layer == layer else layer
        self.look_again()

    def _shifted(self) -> None:
        self.capitals = not self.capitals
        self.look_again()

    def _type(self, text: str) -> None:
        if self.capitals:
            self._shifted()
        self.on_text(text)  # which may want a capital next
