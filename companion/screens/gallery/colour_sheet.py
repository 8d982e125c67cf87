"""The colour sheet: both looks, their contrast, and plates in simulated vision.

The figures are computed when it is drawn.
"""

from __future__ import annotations

from typing import Any, Final

from companion.drawing.paints import PAINTS
from companion.screens.kit import plate
from companion.screens.kit.eyes import EYES, closest, contrast, simulate
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, LOOKS, QUESTION, SMALL, theme
from companion.view.shown import Plate

SHEET: Final = (1280.0, 1010.0)

NEUTRALS: Final = ("bg0", "bg1", "bg2", "bg3", "bg4", "line", "rim", "low", "mid", "hi")
SIGNALS: Final = {"ok": "check", "warn": "tyres", "bad": "triangle", "info": "rain", "flag": "flag"}
NUMBERS: Final = (7, 14, 31, 40, 22, 18, 27, 3, 5, 9)
LEFT: Final = 32.0


class Colours(Pane):
    """All colours on one sheet."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg0")
        pen.text(_say("title"), LEFT, 42, QUESTION, "hi", BOLD)
        _heading(pen, "neutrals_dark", 88)
        _neutrals(pen, "dark", 106)
        _heading(pen, "neutrals_daylight", 206)
        _neutrals(pen, "daylight", 224)
        _heading(pen, "signals_dark", 324)
        _signals(pen, "dark", 342)
        _heading(pen, "signals_daylight", 426)
        _signals(pen, "daylight", 444)
        _heading(pen, "cars", 530)
        colours = [paint.colour for paint in PAINTS]
        for row, eyes in enumerate(EYES):
            _cars(pen, eyes, colours, 586 + 74 * row)
        for place, paint in enumerate(PAINTS):
            pen.text(paint.name, _column(place), 936, CAPTION, "hi", BOLD, "centre")
            pen.text(paint.colour, _column(place), 954, CAPTION, "mid", align="centre")
        pen.text(_say("foot"), LEFT, 988, CAPTION, "mid", room=pen.w - 2 * LEFT)


def _say(key: str, **facts: Any) -> str:
    return theme.words.screen(f"colours.{key}", **facts)


def _column(place: int) -> float:
    return 274 + 102.0 * place


def _heading(pen: Pen, key: str, y: float) -> None:
    pen.text(_say(key), LEFT, y, BODY, "hi", BOLD)


def _neutrals(pen: Pen, look: str, y: float) -> None:
    pitch = (pen.w - 2 * LEFT + 8) / len(NEUTRALS)
    for place, token in enumerate(NEUTRALS):
        colour, x = LOOKS[look][token], LEFT + pitch * place
        ink = max("#FFFFFF", "#07090B", key=lambda ink: contrast(ink, colour))
        pen.fill(x, y, pitch - 8, 74, colour, 6)
        pen.rim(x, y, pitch - 8, 74, "line", 1, 6)
        pen.text(token, x + 12, y + 22, BODY, ink, BOLD)
        pen.text(colour, x + 12, y + 46, SMALL, ink)


def _signals(pen: Pen, look: str, y: float) -> None:
    tokens = LOOKS[look]
    ground = tokens["bg1"] if look == "dark" else tokens["bg2"]
    pitch = (pen.w - 2 * LEFT + 12) / len(SIGNALS)
    for place, (token, icon) in enumerate(SIGNALS.items()):
        x, colour = LEFT + pitch * place, tokens[token]
        ink = tokens["onflag"] if token == "flag" and look == "daylight" else colour
        pen.fill(x, y, pitch - 12, 60, ground, 6)
        pen.rim(x, y, pitch - 12, 60, "line", 1, 6)
        pen.icon(icon, x + 29, y + 30, 26, ink)
        pen.text(f"{token} {colour}", x + 55, y + 20, BODY, ink, BOLD)
        said = _say(token, contrast=theme.words.decimal(contrast(colour, ground)))
        pen.text(said, x + 55, y + 42, CAPTION, ink, room=pitch - 75)


def _cars(pen: Pen, eyes: str, colours: list[str], y: float) -> None:
    said = _say("decide") if eyes == "grey" else _say("closest", apart=theme.words.decimal(closest(colours, eyes)))
    pen.text(_say(eyes), LEFT, y - 9, BODY, "hi", BOLD)
    pen.text(said, LEFT, y + 14, CAPTION, "mid", room=190)
    for place, number in enumerate(NUMBERS):
        plate.draw(pen, Plate(number=number, place=place), _column(place), y, 48, lambda colour: simulate(colour, eyes))
