"""The choice of language on a new appliance, if its system names none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.screens.app.screen import Screen
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD
from companion.screens.kit.theme import BODY, QUESTION, theme
from companion.screens.kit.unsaved import unsaved
from companion.wording import LANGUAGES, Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

BAR: Final = 48
KEY_WIDTH: Final = 300
KEY_HEIGHT: Final = 132
GAP: Final = 24


class LanguageScreen(Composed, Screen):
    """A key for each language, with every line in every language.

    The button "next" moves the choice, "confirm" takes it.
    """

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.selected: str = theme.language
        self.words = {language: Words(language) for language in LANGUAGES}

    def _take(self, language: str) -> None:
        self.app.choose(language=language)
        self.app.home()

    def press(self, name: str) -> bool:
        if name == "confirm":
            self._take(self.selected)
        elif name == "next":
            self.selected = LANGUAGES[(LANGUAGES.index(self.selected) + 1) % len(LANGUAGES)]
            self.look_again()
        return name in ("confirm", "next", "undo")

    def compose(self, ui: Ui) -> None:
        pen, (middle, centre), room = ui.pen, ui.area.middle, ui.area.w - 48
        bar = ui.area.cut_top(BAR)
        ui.fill(bar, "bg1")
        ui.fill(bar.cut_bottom(1), "line")
        pen.icon("logo", 29, 24, 28, "hi")
        pen.text(self.say("home.name"), 56, 24, 24, "hi", BOLD)
        unsaved.paint(pen, pen.w - 13, 24)
        wide = len(LANGUAGES) * (KEY_WIDTH + GAP) - GAP
        keys = Area(middle - wide / 2, centre - KEY_HEIGHT / 2, wide, KEY_HEIGHT)
        asked = " · ".join(words.screen("language.asked") for words in self.words.values())
        pen.text(asked, middle, keys.y - 44, QUESTION, "hi", BOLD, "centre", room)
        for cell, language in zip(keys.columns(len(LANGUAGES), GAP), LANGUAGES, strict=True):
            label = self.say("settings.language_is", value=language)
            face = Face(label=label, look="option", size=QUESTION, chosen=language == self.selected)
            ui.button(cell, language, face, partial(self._take, language))
        for line, words in enumerate(self.words.values()):
            y = keys.bottom + 36 + 26 * line
            pen.text(words.screen("language.note"), middle, y, BODY, "mid", SEMIBOLD, "centre", room)
