"""The look of the screens: colour tokens, type sizes, language, and pixels per dp.

There is one `theme`. Widgets read colours and words from it when they draw, and redraw on `on_look`: a change of
theme, language, scale or stillness.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from kivy.event import EventDispatcher
from kivy.metrics import Metrics
from kivy.properties import BooleanProperty, NumericProperty, OptionProperty, StringProperty

from companion.wording import Words
from companion.wording.filling import MissingWords

DARK: Final = {
    "bg0": "#07090B",
    "bg1": "#0E1216",
    "bg2": "#161B21",
    "bg3": "#222A32",
    "bg4": "#333D47",
    "line": "#2A323B",
    "rim": "#66727E",
    "low": "#8E9AA7",
    "mid": "#B9C3CD",
    "hi": "#F3F6F9",
    "pri": "#F3F6F9",
    "onpri": "#07090B",
    "ok": "#5FD39A",
    "warn": "#FFB92E",
    "bad": "#FF7A70",
    "info": "#8DBBFF",
    "flag": "#FFD21F",
    "onflag": "#0B0E11",
    "ground": "#0A0E10",
    "asphalt": "#1D242B",
    "corner": "#2B2A24",
    "cell": "#343E48",
    "lane": "#46525E",
    "edge": "#8592A0",
    "kerb": "#D4101C",
    "kerb2": "#E9EDF0",
}

DAYLIGHT: Final = {
    "bg0": "#D3D9DF",
    "bg1": "#EEF1F4",
    "bg2": "#FFFFFF",
    "bg3": "#DCE2E8",
    "bg4": "#C2CBD4",
    "line": "#B3BDC7",
    "rim": "#74808C",
    "low": "#4C5864",
    "mid": "#333D47",
    "hi": "#07090B",
    "pri": "#0B0E11",
    "onpri": "#FFFFFF",
    "ok": "#0B6B3C",
    "warn": "#7F4A00",
    "bad": "#B4121C",
    "info": "#1B4FA8",
    "flag": "#FFD21F",
    "onflag": "#0B0E11",
    "ground": "#F6F8F9",
    "asphalt": "#C9D0D7",
    "corner": "#E4DFC9",
    "cell": "#A9B3BD",
    "lane": "#8C98A4",
    "edge": "#3F4A55",
    "kerb": "#D4101C",
    "kerb2": "#E9EDF0",
}

LOOKS: Final = {"dark": DARK, "daylight": DAYLIGHT}

TONES: Final = {"plain": "hi", "ok": "ok", "warn": "warn", "bad": "bad", "info": "info"}
"""Colour token of each tone."""

# Sizes of type, in dp.
GIANT: Final = 150
DIE: Final = 46
SUM: Final = 46
QUESTION: Final = 34
CLOCK: Final = 28
TITLE: Final = 26
VALUE: Final = 22
NAME: Final = 20
BODY: Final = 18
SMALL: Final = 16
CAPTION: Final = 15
"""Minimum size of words; digits may go down to 14."""

HOLD: Final = 0.6
"""Seconds after which a touch is a hold."""
DEAF: Final = 0.25
"""Seconds after a change of the question in which touches are ignored."""

Rgba = tuple[float, float, float, float]


@functools.cache
def rgba(colour: str, alpha: float = 1.0) -> Rgba:
    """Convert a hex colour to Kivy's RGBA, each part from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue, alpha


class Theme(EventDispatcher):
    """The current look and language; setting a property redraws every screen."""

    look = OptionProperty("dark", options=list(LOOKS))
    """"dark" or "daylight"."""
    language = StringProperty("en")
    scale = NumericProperty(1.0)
    """Pixels in a dp."""
    still = BooleanProperty(False)
    """Reduced motion: nothing moves but the clock."""

    __events__ = ("on_look",)

    def __init__(self, **properties: Any) -> None:
        self.words = Words("en")
        super().__init__(**properties)
        for name in ("look", "scale", "still"):
            self.fbind(name, self._changed)

    def on_language(self, _: Theme, language: str) -> None:
        self.words = Words(language)
        self.dispatch("on_look")

    def on_look(self, *_: object) -> None:
        """Handle a change of the look.

        Kivy also calls it for the property `look`, with its value.
        """

    def _changed(self, *_: object) -> None:
        self.dispatch("on_look")

    def hex(self, token: str) -> str:
        """Return the hex colour of a token; a hex colour is returned as it is."""
        return token if token[0] == "#" else LOOKS[self.look][token]

    def rgba(self, token: str, alpha: float = 1.0) -> Rgba:
        """Return the colour of a token as Kivy's RGBA."""
        return rgba(self.hex(token), alpha)

    def toned(self, tone: str, plain: str) -> str:
        """Return the token of a tone, `plain` for the plain tone."""
        return plain if tone == "plain" else TONES[tone]

    def dp(self, size: float) -> float:
        """Convert dp to pixels."""
        return size * float(self.scale)

    def say(self, key: str, table: str = "widget") -> str:
        """Return a text of the screens, from the table [screen.`table`].

        Raises MissingWords if the language lacks it.
        """
        try:
            words = self.words.table["screen"][table]
            return str(words[key] if isinstance(words, dict) else words)
        except KeyError:
            raise MissingWords(f"{self.words.lang}: screen.{table}.{key}") from None

    def time(self, seconds: float) -> float:
        """Return the duration of an animation: 0 if the screen is still."""
        return 0.0 if self.still else seconds


theme = Theme(scale=Metrics.density)
