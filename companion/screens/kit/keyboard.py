"""An on-screen keyboard with national letters, digits and accents."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face, Key, Look
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


class Keyboard(Composed):
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
        self.on_text, self.on_erase, self.on_done = on_text, on_erase, on_done
        self.layer = "letters"
        self.capitals = False
        self.why = ""
        """Reason why typing cannot be finished yet."""
        self.wheel: list[Key] = []
        """The keys as a letter wheel: letters by the alphabet, then the others."""

    def compose(self, ui: Ui) -> None:
        ui.pen.band()
        layer = {"figures": FIGURES, "accents": ACCENTS}.get(self.layer) or LETTERS[theme.language]
        rows = [row.columns(10, GAP) for row in ui.area.inset(GAP, GAP).rows(4, ROW, GAP)]
        shift, *_, erase = rows[2]
        typed: list[Key] = []
        for at, (cells, letters) in enumerate(zip((rows[0], rows[1], rows[2][1:9]), layer, strict=True)):
            for cell, (place, letter) in zip(cells, enumerate(letters), strict=True):
                said = letter.upper() if self.capitals and letter != "ß" else letter
                face = Face(label=said, look="option", size=VALUE)
                typed.append(ui.button(cell, (at, place), face, partial(self._type, said)))
        face = Face(icon="up", look="option", chosen=self.capitals)
        others = [ui.button(shift, "shift", face, self._shifted)]
        for cell, name in ((rows[3][1], "accents"), (rows[3][0], "figures")):
            shown = "letters" if self.layer == name else name
            face = Face(label=theme.words.screen(f"keyboard.{shown}"), look="option")
            others.append(ui.button(cell, name, face, partial(self._turn, name)))
        others.append(ui.button(erase, "erase", Face(icon="erase", look="option"), self.on_erase))
        look: Look = "barred" if self.why else "answer"
        face = Face(label=theme.words.screen("keyboard.done"), note=self.why, look=look, size=BODY)
        others.append(ui.button(_across(rows[3][8:]), "done", face, None if self.why else self.on_done))
        face = Face(label=theme.words.screen("keyboard.space"), look="option", size=BODY)
        space = ui.button(_across(rows[3][2:8]), "space", face, partial(self._type, " "))
        typed.sort(key=lambda key: key.face.label.lower())
        signs = [key for key in typed if not key.face.label.isalnum()]
        self.wheel = [*(key for key in typed if key not in signs), space, *signs, *others]

    def begins(self, capital: bool) -> None:
        """Set whether the next letter is a capital."""
        self.capitals = capital
        self.look_again()

    def wants(self, why: str) -> None:
        """Allow typing to end, or bar it with a reason."""
        if why != self.why:
            self.why = why
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


def _across(cells: list[Area]) -> Area:
    """Return the area of several cells of a row."""
    return Area(cells[0].x, cells[0].y, cells[-1].right - cells[0].x, cells[0].h)
