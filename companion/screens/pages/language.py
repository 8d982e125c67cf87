"""The first page of a new appliance, whose system names no language: one question, a key for each language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.screens.app.screen import Screen
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, QUESTION, theme
from companion.screens.widgets.unsaved import unsaved
from companion.wording import LANGUAGES, Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

BAR: Final = 48
KEY_WIDTH: Final = 300
KEY_HEIGHT: Final = 132
GAP: Final = 24


class LanguageScreen(Screen):
    """Every line is there in every language. Buttons choose by `next` and take by `confirm`."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.selected: str = theme.language
        self.words = {language: Words(language) for language in LANGUAGES}
        self.keys = {language: Key(on_tap=partial(self._take, language)) for language in LANGUAGES}

    def _take(self, language: str) -> None:
        self.app.choose(language=language)
        self.app.home()

    def press(self, name: str) -> None:
        if name == "confirm":
            self._take(self.selected)
        elif name == "next":
            self.selected = LANGUAGES[(LANGUAGES.index(self.selected) + 1) % len(LANGUAGES)]
            self.look_again()

    def arrange(self) -> None:
        keys = list(self.keys.items())
        left = (self.w - len(keys) * (KEY_WIDTH + GAP) + GAP) / 2
        for place, (language, key) in enumerate(keys):
            label = self.say("settings.language_is", value=language)
            key.show(Face(label=label, look="option", size=QUESTION, chosen=language == self.selected))
            self.put(key, left + place * (KEY_WIDTH + GAP), (self.h - KEY_HEIGHT) / 2, KEY_WIDTH, KEY_HEIGHT)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, BAR, "bg1")
        pen.fill(0, BAR - 1, pen.w, 1, "line")
        pen.icon("logo", 29, 24, 28, "hi")
        pen.text(self.say("home.name"), 56, 24, 24, "hi", BOLD)
        unsaved.paint(pen, pen.w - 13, 24)
        asked = " · ".join(words.screen("language.asked") for words in self.words.values())
        pen.text(asked, pen.w / 2, (pen.h - KEY_HEIGHT) / 2 - 44, QUESTION, "hi", BOLD, "centre", pen.w - 48)
        y = (pen.h + KEY_HEIGHT) / 2 + 36
        for line, words in enumerate(self.words.values()):
            note = words.screen("language.note")
            pen.text(note, pen.w / 2, y + 26 * line, BODY, "mid", SEMIBOLD, "centre", pen.w - 48)
