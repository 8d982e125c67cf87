"""A key: what the finger presses to answer, with its price in a legend."""

from __future__ import annotations

from typing import Any, Final, Literal

from companion.screens.widgets import plate
from companion.screens.widgets.motion import PRESS, movements
from companion.screens.widgets.pen import BOLD, CAPITAL, SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CAPTION, SMALL, TONES, VALUE, theme
from companion.screens.widgets.touch import Target
from companion.view.shown import Plate, Price, Shown, Tone, Undo

Look = Literal["answer", "option", "quiet", "barred"]

LEGEND: Final = 25
"""The height of the strip at the foot of a key that says its price."""
INSET: Final = 4
RADIUS: Final = 8
ICON: Final = 15
OUTSIDE: Final = 5
ROOMY: Final = 112.0
"""A key of a landing that is narrower than this has narrower edges, in dp."""
PLATE: Final = 36
"""The height of a plate on a key."""
LINE: Final = 21.0
"""From one price to the next, where they stand below each other."""
FLAT: Final = 64
"""Lower keys have label and pictogram in one line."""


class Face(Shown, frozen=True, kw_only=True):
    """What is on a key. `size` is that of the label's type; `chosen` draws the outline of a selection; a `why` says, in
    the second line, what is missing before the key can be pressed. `aside` puts the label left and the rest beside it,
    as on a landing; there a car's `plate` stands in its place."""

    label: str = ""
    note: str = ""
    icon: str = ""
    prices: tuple[Price, ...] = ()
    look: Look = "answer"
    size: float = BODY
    chosen: bool = False
    aside: bool = False
    plate: Plate | None = None
    note_tone: str = ""
    rim: str = "rim"


class Key(Target):
    """A key with a `Face`."""

    def __init__(self, face: Face | None = None, **properties: Any) -> None:
        self.glow = 0.0
        """How much of a press is still seen after the finger is gone, from 1 to 0."""
        self._glowing: Any = None
        super().__init__(**properties)
        self.shown = face or Face()

    @property
    def face(self) -> Face:
        """What is on the key."""
        face: Face = self.shown
        return face

    def paint(self, pen: Pen) -> None:
        face, w, h = self.face, pen.w, pen.h
        fill, ink, quieter = _colours(face.look, self.pressed)
        if fill:
            pen.fill(0, 0, w, h, fill, RADIUS)
        self._glowing = None
        if self.glow and not self.pressed:
            self._glowing = pen.tint(_pressed(face.look), self.glow)
            pen.fill(0, 0, w, h, _pressed(face.look), RADIUS, self.glow)
        if face.look == "quiet":
            pen.rim(0, 0, w, h, face.rim, 2, RADIUS)
        elif face.look == "barred":
            pen.rim(0, 0, w, h, "rim", 2, RADIUS, dashes=True)
        if face.chosen:
            self._outline(pen, face.look)
        foot = h
        if face.prices and not face.aside:
            foot = h - LEGEND - INSET
            self._legend(pen, INSET, foot, w - 2 * INSET, face)
        elif self.held:
            foot = h - LEGEND - INSET
            pen.fill(INSET, foot, w - 2 * INSET, LEGEND, "bg2", 5)
        if self.held:
            pen.fill(INSET, h - LEGEND - INSET, (w - 2 * INSET) * self.held, LEGEND, "warn", 5)
        if face.aside:
            self._aside(pen, face, ink, quieter)
        else:
            self._stacked(pen, face, foot, ink, quieter)

    def let_go(self) -> None:
        movements.begin((self, "press"), PRESS, self._fade)

    def _fade(self, part: float) -> None:
        self.glow = 1.0 - part
        if self._glowing is not None and self.glow:
            self._glowing.a = self.glow
        else:
            self.draw_now()

    def _outline(self, pen: Pen, look: Look) -> None:
        """The outline of a selection: around an answer, at the edge of any other key."""
        if look == "answer":
            pen.rim(-OUTSIDE, -OUTSIDE, pen.w + 2 * OUTSIDE, pen.h + 2 * OUTSIDE, "pri", 3, RADIUS + OUTSIDE)
        else:
            pen.rim(0, 0, pen.w, pen.h, "pri", 3, RADIUS)

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        """Pictogram, label and second line, one below the other, in the middle of what is above the legend."""
        middle, room = pen.w / 2, pen.w - 12
        label_size, lines = face.size, [face.label] if face.label else []
        if face.label:
            label_size = pen.fitted(face.label, face.size, BOLD, room)
            if pen.width(face.label, label_size, BOLD) > room and " " in face.label:
                label_size = min(face.size, BODY)
                longest = max(face.label.split(), key=len)
                while label_size > CAPTION and (
                    pen.width(longest, label_size, BOLD) > room
                    or len(pen.broken(face.label, label_size, BOLD, room)) > 2
                ):
                    label_size -= 1
                lines = pen.broken(face.label, label_size, BOLD, room)
        if face.icon and face.label and foot < FLAT:
            self._beside(pen, face, foot, ink, quieter)
            return
        tight = foot < pen.h and bool(face.note)
        heights = [22.0] * bool(face.icon) + [CAPITAL * label_size] * len(lines) + [CAPITAL * SMALL] * bool(face.note)
        gaps = [4.5 if tight else 10.0 if face.icon or len(lines) > 1 else 12.0] * (len(heights) - 1)
        y = (foot - sum(heights) - sum(gaps)) / 2 + (2.0 if foot < pen.h and not tight else 0.0)
        places = []
        for high in heights:
            places.append(y + high / 2)
            y += high + (gaps[0] if gaps else 0.0)
        if face.icon:
            pen.icon(face.icon, middle, places.pop(0), 24, ink)
        for line in lines:
            pen.text(line, middle, places.pop(0), label_size, ink, BOLD, "centre", room)
        if face.note:
            pen.text(face.note, middle, places.pop(0), SMALL, quieter, SEMIBOLD, "centre", room + 6)

    def _beside(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        """A flat key has its pictogram left of its label, which breaks into two lines where it is long; above a legend
        its second line is beneath."""
        room, middle = pen.w - 42, foot / 2
        if foot < pen.h and face.note:
            middle -= 11
            pen.text(face.note, pen.w / 2, middle + 23, SMALL, quieter, SEMIBOLD, "centre", pen.w - 6)
        size, lines = pen.fitted(face.label, face.size, BOLD, room), [face.label]
        if pen.width(face.label, size, BOLD) > room:
            if " " not in face.label:  # a word is not broken: it stands alone
                pen.text(face.label, pen.w / 2, middle, face.size, ink, BOLD, "centre", pen.w - 8)
                return
            lines = pen.broken(face.label, size, BOLD, room)
        left = (pen.w - max(pen.width(line, size, BOLD) for line in lines) - 28) / 2
        pen.icon(face.icon, left + 9, middle, 18, ink)
        for at, line in enumerate(lines):
            y = middle + (at - (len(lines) - 1) / 2) * size * 1.2
            pen.text(line, left + 28, y, size, ink, BOLD, room=room)

    def _aside(self, pen: Pen, face: Face, ink: str, quieter: str) -> None:
        """The letter of a landing, and beside it what happens there and what it costs."""
        edge, gap = (12.0, 10.0) if pen.w >= ROOMY else (8.0, 6.0)
        if face.plate is not None:
            letter = float(PLATE)
            plate.draw(pen, face.plate, edge + letter / 2, pen.h / 2, letter)
        else:
            letter = pen.text(face.label, edge, pen.h / 2, 34, ink, BOLD)
        left = edge + letter + gap
        room, tone = pen.w - left - 5, face.note_tone or ink
        if not face.prices:
            size = pen.fitted(face.note, BODY, SEMIBOLD, room)
            size = size if pen.width(face.note, size) <= room else BODY
            pen.paragraph(face.note, left, pen.h / 2, size, room, tone, SEMIBOLD, 2)
        elif face.plate is not None:
            prices(pen, face.prices, left, pen.h / 2 - 12, room, align="left", size=VALUE)
            pen.text(face.note, left, pen.h / 2 + 16, SMALL, quieter, SEMIBOLD, room=room)
        elif max(wide_of(pen, face.prices), pen.width(face.note, CAPTION)) <= room:
            pen.text(face.note, left, pen.h / 2 - 14, SMALL, tone, SEMIBOLD, room=room)
            prices(pen, face.prices, left, pen.h / 2 + 13, room, align="left", size=BODY)
        else:
            self._column(pen, face, left, room, tone)

    @staticmethod
    def _column(pen: Pen, face: Face, left: float, room: float, tone: str) -> None:
        """What happens on a landing and each of its costs, below each other."""
        fits = pen.width(face.note, CAPTION) <= room
        said = [face.note] if fits else pen.broken(face.note, CAPTION, SEMIBOLD, room)
        line = min(LINE, pen.h / (len(said) + len(face.prices)))
        y = (pen.h - line * (len(said) + len(face.prices) - 1)) / 2
        for words in said:
            pen.text(words, left, y, SMALL, tone, SEMIBOLD, room=room)
            y += line
        for price in face.prices:
            prices(pen, (price,), left, y, room, align="left", size=SMALL)
            y += line

    def _legend(self, pen: Pen, x: float, y: float, w: float, face: Face) -> None:
        if face.look == "answer":
            pen.fill(x, y, w, LEGEND, "bg2", 5)
        prices(pen, face.prices, x + 2, y + LEGEND / 2, w - 4)


def undo_face(undo: Undo) -> Face:
    """What is on the key that takes back: what goes, and what that brought; barred where there is nothing."""
    look: Look = "quiet" if undo.label else "barred"
    return Face(label=theme.say("undo"), note=undo.label, icon="undo", prices=undo.prices, look=look)


def _pressed(look: Look) -> str:
    """The fill of a key with a finger on it."""
    return "mid" if look == "answer" else "bg4"


def _colours(look: Look, pressed: bool) -> tuple[str, str, str]:
    """The fill of a key (or none), the colour of its label and of its second line."""
    fill = _pressed(look) if pressed else {"answer": "pri", "option": "bg3"}.get(look, "")
    if look == "answer":
        return fill, "onpri", "onpri"
    return (fill, "low", "low") if look == "barred" else (fill, "hi", "mid")


def wide_of(pen: Pen, listed: tuple[Price, ...], size: float = CAPTION) -> float:
    """How wide prices are when nothing is left out, in dp."""
    icons = sum(ICON + (3 if price.text else 0) for price in listed if price.icon)
    return icons + sum(pen.width(price.text, size) for price in listed) + 6.0 * max(0, len(listed) - 1)


def prices(
    pen: Pen,
    listed: tuple[Price, ...],
    x: float,
    y: float,
    room: float,
    align: Literal["left", "centre"] = "centre",
    size: float = CAPTION,
) -> None:
    """Writes prices side by side with their pictograms; where there is no room what is enough of each, its figure, or
    its pictogram."""
    gap, icon = 6.0, ICON if size <= CAPTION else 18.0
    said = [(price.icon, price.text, price.tone) for price in listed]

    def wide(parts: list[tuple[str, str, Any]]) -> float:
        widths = (
            (icon if name else 0) + (3 if name and text else 0) + pen.width(text, size) for name, text, _ in parts
        )
        return sum(widths) + gap * (len(parts) - 1)

    while size > CAPTION and wide(said) > room:
        size -= 1
        if size <= CAPTION:
            icon = ICON
    if wide(said) > room:
        gap = 4.0
    if wide(said) > room:
        said = next((briefer for briefer in _briefer(listed) if wide(briefer) <= room), _briefer(listed)[-1])
    left = x + (room - wide(said)) / 2 if align == "centre" else x
    for name, text, tone in said:
        token = TONES[tone]
        if name:
            pen.icon(name, left + icon / 2, y, icon, token)
            left += icon + (3 if text else 0)
        if text:
            left += pen.text(text, left, y, size, token, SEMIBOLD, room=max(1.0, x + room - left + 1))
        left += gap


def _figure(words: list[str]) -> str:
    """The figure among some words, of which faces say most; empty if there is none."""
    found = [word for word in words if word[-1:].isdigit()]
    return next((word for word in found if "–" in word), found[0] if found else "")


def _briefer(listed: tuple[Price, ...]) -> list[list[tuple[str, str, Tone]]]:
    """Prices as pictogram, text and tone, in fewer and fewer signs: what is enough beside the pictogram, its figure
    where it has one, a figure or nothing, of one alone only its figure or its word, at last only pictograms. The
    figure of a roll are the faces that lose: what may be lost is no price that is paid."""
    figures = [_figure([word.strip("(),") for word in one.text.split()]) for one in listed]
    shorter = [[(one.icon, one.short or one.text, one.tone) for one in listed]]
    for fewer in (False, True):
        shorter += [[(one.icon, figure if one.icon and (figure or fewer) else one.short or one.text, one.tone)
                     for one, figure in zip(listed, figures, strict=True)]]  # fmt: skip
    if len(listed) == 1:
        shorter += [[("", figures[0] or listed[0].text, listed[0].tone)]]
    return [*shorter, [(one.icon, "" if one.icon else one.short or one.text, one.tone) for one in listed]]
