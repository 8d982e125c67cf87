"""The pen: draws rectangles, rims, words, pictograms and plates in dp, from the top left, in tokens of the theme.

All that it draws is also noted in plain data (`Mark`), in the order in which it was drawn: so a check can say which
words stand on what, whether they fit, and whether they can be read.
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
from companion.screens.widgets.shapes import corner, dashed, hatching, pictogram
from companion.screens.widgets.theme import CAPTION, theme

__all__ = ["BOLD", "MEDIUM", "SEMIBOLD", "Mark", "Pen"]

CAPITAL: Final = 0.7
"""The height of a capital letter in the size of its type."""


class Mark(msgspec.Struct, frozen=True):
    """Something drawn: where in its widget, in dp from the top left, in which colour. `size` and `whole` are a text's:
    the size of its type, and whether all of it is there (`cut`: its end is left out on purpose). `icon` is the name of
    a pictogram."""

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
    """Draws into one widget's group of instructions; `w` and `h` are the widget's size in dp."""

    def __init__(self, group: InstructionGroup, width: float, height: float) -> None:
        self.group = group
        self.scale = float(theme.scale)
        self.height = height
        self.w, self.h = width / self.scale, height / self.scale
        self.marks: list[Mark] = []
        self._colour: tuple[str, float] | None = None

    @classmethod
    def measuring(cls) -> Pen:
        """A pen that only measures."""
        return cls(InstructionGroup(), 1, 1)

    # -- colours and places

    def tint(self, token: str, alpha: float = 1.0) -> Color | None:
        """The colour of what is drawn next; the instruction, if it needed one."""
        if self._colour == (token, alpha):
            return None
        self._colour = (token, alpha)
        colour = Color(*theme.rgba(token, alpha))
        self.group.add(colour)
        return colour

    def _box(self, x: float, y: float, w: float, h: float) -> tuple[int, int, int, int]:
        """Whole pixels from the bottom left for a place in dp from the top left."""
        left, right = round(x * self.scale), round((x + w) * self.scale)
        top, bottom = round(y * self.scale), round((y + h) * self.scale)
        return left, round(self.height) - bottom, max(1, right - left), max(1, bottom - top)

    def _note(self, kind: Literal["fill", "rim", "ring"], place: tuple[float, ...], token: str, alpha: float) -> None:
        x, y, w, h = place
        self.marks.append(Mark(kind, x, y, w, h, theme.hex(token), alpha))

    def pixels(self, size: float) -> int:
        """A length in dp as whole pixels, at least one."""
        return max(1, round(size * self.scale))

    @contextlib.contextmanager
    def shifted(self) -> Iterator[Translate]:
        """What is drawn meanwhile can be moved later, by pixels, with the instruction that is given."""
        shift = Translate()
        self.group.add(PushMatrix())
        self.group.add(shift)
        yield shift
        self.group.add(PopMatrix())

    # -- shapes

    def fill(self, x: float, y: float, w: float, h: float, token: str, radius: float = 0, alpha: float = 1.0) -> None:
        """A filled rectangle, with round corners if there is a radius."""
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
        """The ground of a band or a sheet, with a line above it."""
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
        """The inner rim of a rectangle."""
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
        """The ring around the plate of the car that plays, its middle at a place."""
        self.rim(x - side / 2, y - side / 2, side, side, "hi", 2.5, side / 2)
        self._note("ring", (x - side / 2, y - side / 2, side, side), "hi", 1.0)

    def hatch(self, x: float, y: float, w: float, h: float, token: str, radius: float = 2) -> None:
        """A rectangle in stripes, with a rim, of points about to be spent."""
        left, bottom, wide, high = self._box(x, y, w, h)
        self.tint(token)
        stripes = hatching(wide, high, self.pixels(6))
        self.group.add(Rectangle(texture=stripes, pos=(left, bottom), size=(wide, high)))
        self.rim(x, y, w, h, token, 1, radius)

    def polygon(self, points: list[tuple[float, float]], token: str, thickness: float = 1) -> None:
        """The outline of a shape through points in dp."""
        self.tint(token)
        flat = [part for x, y in points for part in (x * self.scale, self.height - y * self.scale)]
        self.group.add(Line(points=flat, width=thickness * self.scale / 2, close=True))

    def picture(self, texture: Texture, x: float, y: float, token: str = "#FFFFFF") -> None:
        """A texture in its own size, its middle at a place in dp."""
        self.tint(token)
        wide, high = texture.size
        left = round(x * self.scale - wide / 2)
        bottom = round(self.height - y * self.scale - high / 2)
        self.group.add(Rectangle(texture=texture, pos=(left, bottom), size=(wide, high)))

    def icon(self, name: str, x: float, y: float, size: float, token: str) -> None:
        """A pictogram of a size, its middle at a place."""
        self.picture(pictogram(name, self.pixels(size)), x, y, token)
        box = (x - size / 2, y - size / 2, size, size)
        self.marks.append(Mark("icon", *box, theme.hex(token), icon=name))

    # -- words

    def width(self, text: str, size: float, weight: int = SEMIBOLD) -> float:
        """How wide a text is, in dp."""
        return lettering.width(text, self.pixels(size), weight) / self.scale

    def fitted(self, text: str, size: float, weight: int, room: float, floor: float = CAPTION) -> float:
        """The largest size of type up to `size`, in whole dp and not under the floor, in which a text has room."""
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
        """Writes a text, the middle of its capitals at `y`; its width in dp comes back.

        Where the `room` (in dp) is too small, the type gets smaller, down to the floor; what is still too long is cut
        off with … if it may be (`cut`: names), and otherwise noted as not whole.
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
        pieces = lettering.written(said, pixels, weight)
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
        """Writes a text in as many lines as it needs, smaller if they are more than `lines`; the first line's middle is
        at `y`, and where a next line would have its middle comes back."""
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
        """A text in the lines that a room in dp holds."""
        return lettering.wrapped(text, self.pixels(size), weight, room * self.scale)
