"""A key: answers a question, with its price in a legend."""

from __future__ import annotations

from typing import Any, Final, Literal

from companion.screens.kit import plate
from companion.screens.kit.motion import PRESS, movements
from companion.screens.kit.pen import BOLD, CAPITAL, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, SMALL, TONES, VALUE, theme
from companion.screens.kit.touch import Target
from companion.view.shown import Plate, Price, Tone, Undo, ViewModel

Look = Literal["answer", "option", "quiet", "barred"]

LEGEND: Final = 25
"""Height of the strip with the price at the foot of a key, in dp."""
INSET: Final = 4
RADIUS: Final = 8
ICON: Final = 15
OUTSIDE: Final = 5
ROOMY: Final = 112.0
"""Width below which a key of a landing has narrower edges, in dp."""
PLATE: Final = 36
"""Height of a plate on a key, in dp."""
LINE: Final = 21.0
"""Pitch of prices below one another, in dp."""
EDGE: Final = 9.0
"""Distance of stacked lines from the edges of a key, in dp, unless they would then touch one another."""
LEAST_GAP: Final = 4.5
"""Least gap between the capitals of stacked lines, in dp."""
FLAT: Final = 64
"""Height below which a key has label and pictogram in one line, in dp."""
FLAT_WITH_NOTE: Final = 80
"""The same for a key with a second line."""


class Face(ViewModel, frozen=True, kw_only=True):
    """Content of a key.

    `size` is the type size of the label, `chosen` draws the outline of a selection, and `why` is the reason, in the
    second line, why the key is barred. `aside` puts the label at the left and the rest beside it, as for a landing; a
    car's `plate` replaces the label there.
    """

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
        """Strength of the press colour after the finger is gone, from 1 to 0."""
        self._glowing: Any = None
        super().__init__(**properties)
        self.shown = face or Face()

    @property
    def face(self) -> Face:
        """The content of the key."""
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
        """Draw the outline of a selection: around an answer, inside any other key."""
        if look == "answer":
            pen.rim(-OUTSIDE, -OUTSIDE, pen.w + 2 * OUTSIDE, pen.h + 2 * OUTSIDE, "pri", 3, RADIUS + OUTSIDE)
        else:
            pen.rim(0, 0, pen.w, pen.h, "pri", 3, RADIUS)

    def _stacked(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        """Draw pictogram, label and second line stacked, centred above the legend."""
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
        if face.icon and face.label and foot < (FLAT_WITH_NOTE if face.note else FLAT):
            self._beside(pen, face, foot, ink, quieter)
            return
        heights = [22.0] * bool(face.icon) + [CAPITAL * label_size] * len(lines) + [CAPITAL * SMALL] * bool(face.note)
        spare, gaps = foot - sum(heights), len(heights) - 1
        usual = 10.0 if face.icon or len(lines) > 1 else 12.0
        gap = min(usual, max(LEAST_GAP, (spare - 2 * EDGE) / gaps)) if gaps else 0.0
        y = (spare - gaps * gap) / 2 + (2.0 if foot < pen.h and not face.note else 0.0)
        places = []
        for high in heights:
            places.append(y + high / 2)
            y += high + gap
        if face.icon:
            pen.icon(face.icon, middle, places.pop(0), 24, ink)
        for line in lines:
            pen.text(line, middle, places.pop(0), label_size, ink, BOLD, "centre", room)
        if face.note:
            pen.text(face.note, middle, places.pop(0), SMALL, quieter, SEMIBOLD, "centre", room + 6)

    def _beside(self, pen: Pen, face: Face, foot: float, ink: str, quieter: str) -> None:
        """Draw a flat key: pictogram left of the label, in up to two lines.

        The second line is below the label if there is height for it.
        """
        room, middle = pen.w - 42, foot / 2
        if face.note and (foot < pen.h or foot >= FLAT):
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
        """Draw the letter of a landing and, beside it, its outcome and its cost."""
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
        """Draw the outcome of a landing and its costs, one per line."""
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
    """Return the face of the Undo key; barred if there is nothing to undo."""
    look: Look = "quiet" if undo.label else "barred"
    return Face(label=theme.say("undo"), note=undo.label, icon="undo", prices=undo.prices, look=look)


def _pressed(look: Look) -> str:
    """Return the fill of a pressed key."""
    return "mid" if look == "answer" else "bg4"


def _colours(look: Look, pressed: bool) -> tuple[str, str, str]:
    """Return a key's fill (empty for none) and the colours of its two lines."""
    fill = _pressed(look) if pressed else {"answer": "pri", "option": "bg3"}.get(look, "")
    if look == "answer":
        return fill, "onpri", "onpri"
    return (fill, "low", "low") if look == "barred" else (fill, "hi", "mid")


def wide_of(pen: Pen, listed: tuple[Price, ...], size: float = CAPTION) -> float:
    """Return the width of unabridged prices, in dp."""
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
    """Write prices side by side with their pictograms.

    If they do not fit, they are abridged: short text, then the figure, then the pictogram alone.
    """
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
    """Return the figure among some words, a range of faces first; empty if none."""
    found = [word for word in words if word[-1:].isdigit()]
    return next((word for word in found if "–" in word), found[0] if found else "")


def _briefer(listed: tuple[Price, ...]) -> list[list[tuple[str, str, Tone]]]:
    """Return ever shorter forms of prices, as pictogram, text and tone.

    First the short text, then the figure beside a pictogram, for a single price only its figure or text, at last only
    pictograms. The figure of a roll is its losing faces: points at risk are no price.
    """
    figures = [_figure([word.strip("(),") for word in one.text.split()]) for one in listed]
    shorter = [[(one.icon, one.short or one.text, one.tone) for one in listed]]
    for fewer in (False, True):
        shorter += [[(one.icon, figure if one.icon and (figure or fewer) else one.short or one.text, one.tone)
                     for one, figure in zip(listed, figures, strict=True)]]  # fmt: skip
    if len(listed) == 1:
        shorter += [[("", figures[0] or listed[0].text, listed[0].tone)]]
    return [*shorter, [(one.icon, "" if one.icon else one.short or one.text, one.tone) for one in listed]]
