"""The pen: draws shapes, text, pictograms and plates in dp, in tokens of the theme.

It also records everything as plain data (`Mark`), in drawing order, so that tests can check the ground under a text,
its fit and its contrast.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final, Literal

import msgspec
from kivy.graphics import BorderImage, Color, InstructionGroup, Line, PopMatrix, PushMatrix, Rectangle, Translate
from kivy.graphics.texture import Texture

from companion.drawing import lettering
from companion.drawing.typefaces import BOLD, MEDIUM, SEMIBOLD
from companion.screens.kit.shapes import corner, dashed, hatching, pictogram
from companion.screens.kit.theme import CAPTION, theme

__all__ = ["BOLD", "MEDIUM", "SEMIBOLD", "Mark", "Pen"]

CAPITAL: Final = 0.7
"""Height of a capital letter as a share of its type size."""


class Mark(msgspec.Struct, frozen=True):
    """A drawn mark: its box in dp from the widget's top left, and its colour.

    For a text, `size` is its type size, and `whole` tells whether all of it is there (`cut`: shortened on purpose).
    `icon` is the name of a pictogram.
    """

    kind: Literal["fill", "rim", "ring", "text", "icon"]
    x: float
    y: float
    w: float
    h: float
    colour: str
    alpha: float = 1.0
    text: str = ""
    size: float = 0.0
    weight: int = 0
    whole: bool = True
    cut: bool = False
    icon: str = ""


class Pen:
    """A pen for one widget's instruction group; `w` and `h` are its size in dp."""

    def __init__(self, group: InstructionGroup, width: float, height: float) -> None:
        self.group = group
        self.scale = float(theme.scale)
        self.height = height
        self.w, self.h = width / self.scale, height / self.scale
        self.marks: list[Mark] = []
        self._colour: tuple[str, float] | None = None

    @classmethod
    def measuring(cls) -> Pen:
        """Return a pen for measuring only."""
        return cls(InstructionGroup(), 1, 1)

    # -- colours and places

    def tint(self, token: str, alpha: float = 1.0) -> Color | None:
        """Set the colour; return the instruction, or None if it is already set."""
        if self._colour == (token, alpha):
            return None
        self._colour = (token, alpha)
        colour = Color(*theme.rgba(token, alpha))
        self.group.add(colour)
        return colour

    def _box(self, x: float, y: float, w: float, h: float) -> tuple[int, int, int, int]:
        """Convert a box in dp from the top left to whole pixels from the bottom left."""
        left, right = round(x * self.scale), round((x + w) * self.scale)
        top, bottom = round(y * self.scale), round((y + h) * self.scale)
        return left, round(self.height) - bottom, max(1, right - left), max(1, bottom - top)

    def _note(self, kind: Literal["fill", "rim", "ring"], place: tuple[float, ...], token: str, alpha: float) -> None:
        x, y, w, h = place
        self.marks.append(Mark(kind, x, y, w, h, theme.hex(token), alpha))

    def pixels(self, size: float) -> int:
        """Convert dp to whole pixels, at least one."""
        return max(1, round(size * self.scale))

    @contextlib.contextmanager
    def shifted(self) -> Iterator[Translate]:
        """Group what is drawn inside; yield its translation, in pixels, to move it later."""
        shift = Translate()
        self.group.add(PushMatrix())
        self.group.add(shift)
        yield shift
        self.group.add(PopMatrix())

    # -- shapes

    def fill(self, x: float, y: float, w: float, h: float, token: str, radius: float = 0, alpha: float = 1.0) -> None:
        """Draw a filled rectangle, with round corners if there is a radius."""
        if w <= 0 or h <= 0:
            return
        self.tint(token, alpha)
        left, bottom, wide, high = self._box(x, y, w, h)
        if radius:
            round_ = min(self.pixels(radius), wide // 2, high // 2)
            border = (round_,) * 4
            self.group.add(
                BorderImage(texture=corner(round_, None), pos=(left, bottom), size=(wide, high), border=border)
            )
        else:
            self.group.add(Rectangle(pos=(left, bottom), size=(wide, high)))
        self._note("fill", (x, y, w, h), token, alpha)

    def band(self) -> None:
        """Draw the ground of a band or a sheet, with a line above it."""
        self.fill(0, 0, self.w, self.h, "bg2")
        self.fill(0, 0, self.w, 1, "line")

    def rim(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        token: str,
        thickness: float = 1,
        radius: float = 0,
        dashes: bool = False,
        alpha: float = 1.0,
    ) -> None:
        """Draw the inner rim of a rectangle."""
        self.tint(token, alpha)
        left, bottom, wide, high = self._box(x, y, w, h)
        thick, round_ = self.pixels(thickness), min(round(radius * self.scale), wide // 2, high // 2)
        if dashes:
            picture = dashed(wide, high, round_, thick, self.pixels(4))
            self.group.add(Rectangle(texture=picture, pos=(left, bottom), size=(wide, high)))
        else:
            border = (max(thick, round_),) * 4
            self.group.add(
                BorderImage(texture=corner(round_, thick), pos=(left, bottom), size=(wide, high), border=border)
            )
        self._note("rim", (x, y, w, h), token, alpha)

    def ring(self, x: float, y: float, side: float) -> None:
        """Draw the ring around the plate of the playing car; x and y are its centre."""
        self.rim(x - side / 2, y - side / 2, side, side, "hi", 2.5, side / 2)
        self._note("ring", (x - side / 2, y - side / 2, side, side), "hi", 1.0)

    def hatch(self, x: float, y: float, w: float, h: float, token: str, radius: float = 2) -> None:
        """Draw a striped rectangle with a rim: a point about to be spent."""
        left, bottom, wide, high = self._box(x, y, w, h)
        self.tint(token)
        stripes = hatching(wide, high, self.pixels(6))
        self.group.add(Rectangle(texture=stripes, pos=(left, bottom), size=(wide, high)))
        self.rim(x, y, w, h, token, 1, radius)

    def polygon(self, points: list[tuple[float, float]], token: str, thickness: float = 1) -> None:
        """Draw the outline of a polygon; points in dp."""
        self.tint(token)
        flat = [part for x, y in points for part in (x * self.scale, self.height - y * self.scale)]
        self.group.add(Line(points=flat, width=thickness * self.scale / 2, close=True))

    def picture(self, texture: Texture, x: float, y: float, token: str = "#FFFFFF") -> None:
        """Draw a texture in its own size, centred at x and y in dp."""
        self.tint(token)
        wide, high = texture.size
        left = round(x * self.scale - wide / 2)
        bottom = round(self.height - y * self.scale - high / 2)
        self.group.add(Rectangle(texture=texture, pos=(left, bottom), size=(wide, high)))

    def icon(self, name: str, x: float, y: float, size: float, token: str) -> None:
        """Draw a pictogram, centred at x and y."""
        self.picture(pictogram(name, self.pixels(size)), x, y, token)
        box = (x - size / 2, y - size / 2, size, size)
        self.marks.append(Mark("icon", *box, theme.hex(token), icon=name))

    # -- words

    def width(self, text: str, size: float, weight: int = SEMIBOLD) -> float:
        """Return the width of a text, in dp."""
        return lettering.width(text, self.pixels(size), weight) / self.scale

    def fitted(self, text: str, size: float, weight: int, room: float, floor: float = CAPTION) -> float:
        """Return the largest type size, from `floor` to `size`, at which a text fits."""
        while size > floor and self.width(text, size, weight) > room:
            size -= 1
        return max(size, floor)

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        token: str = "hi",
        weight: int = SEMIBOLD,
        align: Literal["left", "centre", "right"] = "left",
        room: float | None = None,
        cut: bool = False,
        floor: float = CAPTION,
    ) -> float:
        """Write a text with the middle of its capitals at `y`; return its width in dp.

        If it exceeds `room` (in dp), the type shrinks down to the floor; a text that is still too long is cut off
        with … if that is allowed (`cut`: names), and otherwise recorded as not whole.
        """
        if not text:
            return 0.0
        if room is not None:
            size = self.fitted(text, size, weight, room, floor)
        pixels = self.pixels(size)
        said, whole = text, True
        if room is not None and lettering.width(text, pixels, weight) > room * self.scale + 0.5:
            whole = False
            said = lettering.cut(text, pixels, weight, room * self.scale)
        pieces = lettering.text_pieces(said, pixels, weight)
        if not pieces:
            return 0.0
        wide = pieces[-1].x + pieces[-1].picture.width
        shift = {"left": 0.0, "centre": wide / 2, "right": float(wide)}[align]
        left = round(x * self.scale - shift)
        line = round(self.height) - round(y * self.scale + CAPITAL * pixels / 2)
        self.tint(token)
        for picture, right, baseline in pieces:
            place = (left + right, line + baseline - picture.height)
            self.group.add(Rectangle(texture=picture, pos=place, size=picture.size))
        below = 0.2 if any(letter in "gjpqyçQ,;" for letter in said) else 0.0
        above = 0.2 if any(letter in "ÉÈÊÀÂÎÔÛÇËÏÜÖÄÁÍÓÚÑÅ" for letter in said) else 0.02
        box = (left / self.scale, y - (CAPITAL / 2 + above) * size, wide / self.scale, (CAPITAL + above + below) * size)
        self.marks.append(Mark("text", *box, theme.hex(token), 1.0, text, size, weight, whole, cut))
        return float(wide / self.scale)

    def paragraph(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        room: float,
        token: str = "hi",
        weight: int = SEMIBOLD,
        lines: int = 2,
        align: Literal["left", "centre", "right"] = "left",
        pitch: float = 1.15,
        floor: float = CAPTION,
    ) -> float:
        """Write a text in up to `lines` lines, smaller if need be; return the y of the next.

        `y` is the middle of the first line.
        """
        while size > floor and len(self.broken(text, size, weight, room)) > lines:
            size -= 1
        said = self.broken(text, size, weight, room)
        if len(said) > lines:
            said = [*said[: lines - 1], " ".join(said[lines - 1 :])]
        for line in said:
            self.text(line, x, y, size, token, weight, align, room, floor=floor)
            y += size * pitch
        return y

    def broken(self, text: str, size: float, weight: int, room: float) -> list[str]:
        """Break a text into lines that fit `room` dp."""
        return lettering.wrapped(text, self.pixels(size), weight, room * self.scale)
