"""What every screen must pass: words whole, apart, large enough and readable; targets large enough and apart.

An audit walks the widgets as they are drawn, reads the marks of their pens, and says in sentences what is wrong.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from typing import Any, NamedTuple

from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.uix.scrollview import ScrollView
from kivy.uix.stencilview import StencilView
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.screens.board.fingers import Fingered
from companion.screens.kit.pen import Mark
from companion.screens.kit.theme import LOOKS, TITLE, theme
from companion.screens.kit.toast import HIGH, ToastView
from companion.screens.kit.touch import Target

SLACK = 1.0
"""dp that a rounding may cost."""

ROW = 52.0
"""How high a row is that can be touched, in dp."""

FIGURES = re.compile(r"[\d\s:.,/+−–×=()]*")


class Box(NamedTuple):
    """A rectangle of the window, in dp from the top left."""

    x: float
    y: float
    w: float
    h: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2

    def meets(self, other: Box, by: float = 0.0) -> bool:
        """Whether the two overlap by more than `by` in both directions (less than 0: are nearer than that)."""
        return (
            min(self.x + self.w, other.x + other.w) - max(self.x, other.x) > by
            and min(self.y + self.h, other.y + other.h) - max(self.y, other.y) > by
        )

    def holds(self, other: Box, slack: float = SLACK) -> bool:
        return (
            other.x >= self.x - slack
            and other.y >= self.y - slack
            and other.x + other.w <= self.x + self.w + slack
            and other.y + other.h <= self.y + self.h + slack
        )

    def within(self, other: Box) -> Box:
        """As much of it as lies in another; they meet."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.x + self.w, other.x + other.w), min(self.y + self.h, other.y + other.h)
        return Box(left, top, right - left, bottom - top)

    def has(self, x: float, y: float) -> bool:
        return self.x <= x <= self.x + self.w and self.y <= y <= self.y + self.h


class Seen(NamedTuple):
    """A mark in the window: where, in which widget, within what it is seen at all, how opaque the widget is."""

    mark: Mark
    box: Box
    home: Box
    clip: Box
    scrolls: bool
    opacity: float


def screen() -> Box:
    return Box(0, 0, Window.width / theme.scale, Window.height / theme.scale)


def place(widget: Widget) -> Box:
    """Return the place of a widget in the window."""
    x, y, w, h, above, scale = widget.x, widget.y, widget.width, widget.height, widget.parent, theme.scale
    while above is not None and above is not Window:
        if type(above).to_parent is not Widget.to_parent:  # hardly a widget moves what is in it
            x, y = above.to_parent(x, y)
        above = above.parent
    return Box(x / scale, (Window.height - y - h) / scale, w / scale, h / scale)


def walk(widget: Widget, clip: Box | None = None, scrolls: bool = False, opacity: float = 1.0) -> Any:
    """Every widget in the order of drawing, with its clip, whether it scrolls, and its opacity."""
    clip = clip or screen()
    opacity *= widget.opacity
    if opacity == 0 or widget.width <= 0 or widget.height <= 0:
        return
    yield widget, clip, scrolls, opacity
    if isinstance(widget, ScrollView | StencilView):
        here = place(widget)
        left, top = max(clip.x, here.x), max(clip.y, here.y)
        right, bottom = min(clip.x + clip.w, here.x + here.w), min(clip.y + clip.h, here.y + here.h)
        clip, scrolls = Box(left, top, max(0, right - left), max(0, bottom - top)), True
    for child in reversed(widget.children):
        yield from walk(child, clip, scrolls, opacity)


def marks(root: Widget) -> list[Seen]:
    """All that is drawn and seen, in the order of drawing."""
    found = []
    for widget, clip, scrolls, opacity in walk(root):
        drawn = getattr(widget, "marks", ())
        home = place(widget) if drawn else clip
        for mark in drawn:
            box = Box(home.x + mark.x, home.y + mark.y, mark.w, mark.h)
            if clip.meets(box):
                found.append(Seen(mark, box, home, clip, scrolls, opacity))
    return found


def texts(root: Widget) -> list[str]:
    """Return all that is written and seen of a widget, in the order of drawing."""
    return [seen.mark.text for seen in marks(root) if seen.mark.text]


def targets(root: Widget) -> list[tuple[Target, Box]]:
    """Everything that can be touched, and as much of it as is seen."""
    return [
        (widget, place(widget).within(clip))
        for widget, clip, _, _ in walk(root)
        if isinstance(widget, Target) and widget.heard and not widget.disabled and clip.meets(place(widget), 4)
    ]


def audit(root: Widget) -> list[str]:
    """All that is wrong with what a widget shows, in sentences; nothing if all is well."""
    seen = marks(root)
    return [*_texts(seen), *_readable(seen), *_targets(root), *_toasts(root, seen)]


def in_both_looks(root: Widget) -> list[str]:
    """All that is wrong in the dark and by daylight, without opening anything anew."""
    wrong = []
    for look in LOOKS:
        theme.look = look
        for _ in range(2):
            EventLoop.idle()
        wrong += [f"{look}: {sentence}" for sentence in audit(root)]
    return wrong


def _opaque(seen: list[Seen]) -> list[int]:
    """Return the places of the marks that hide those drawn before them."""
    return [at for at, one in enumerate(seen) if one.mark.kind == "fill" and one.mark.alpha * one.opacity >= 0.6]


def _covered(seen: list[Seen], at: int, opaque: list[int]) -> bool:
    """Whether something opaque was drawn over the middle of a mark later."""
    box = seen[at].box
    x, y = box.x + box.w / 2, box.y + box.h / 2
    later = (seen[other].box for other in opaque[bisect_right(opaque, at) :])
    return any(other.has(x, y) and other.w * other.h > box.w * box.h for other in later)


def _between(drawn: list[Seen], box: Box) -> bool:
    """Whether something opaque was drawn over all of a box, such as a toast over the end of a word."""
    return any(
        one.mark.kind == "fill" and one.mark.alpha * one.opacity >= 0.6 and one.box.holds(box, 0) for one in drawn
    )


def _texts(seen: list[Seen]) -> list[str]:
    wrong = []
    opaque = _opaque(seen)
    found = [at for at, one in enumerate(seen) if one.mark.kind == "text" and not _covered(seen, at, opaque)]
    texts = [seen[at] for at in found]
    for one in texts:
        said, mark = repr(one.mark.text), one.mark
        if not mark.whole and not mark.cut:
            wrong.append(f"{said} is cut off.")
        if not one.home.holds(one.box):
            wrong.append(f"{said} leaves its widget: {_said(one.box)} in {_said(one.home)}.")
        if not one.scrolls and not screen().holds(one.box):
            wrong.append(f"{said} leaves the window.")
        floor = 14 if FIGURES.fullmatch(mark.text) else 15
        if mark.size < floor:
            wrong.append(f"{said} is {mark.size:g} dp, under {floor}.")
    visible = [one.box.within(one.clip) for one in texts]
    for at, one in enumerate(texts):
        here = visible[at]
        for more, there in enumerate(visible[at + 1 :], at + 1):
            if here.meets(there, SLACK) and not _between(seen[found[at] : found[more]], here.within(there)):
                other = texts[more]
                wrong.append(f"{one.mark.text!r} and {other.mark.text!r} overlap.")
    return wrong


def _said(box: Box) -> str:
    return f"{box.x:.0f},{box.y:.0f} {box.w:.0f}x{box.h:.0f}"


def luminance(colour: tuple[float, float, float]) -> float:
    """The relative luminance of a colour."""
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """The contrast of two colours, from 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@functools.cache
def rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _mixed(over: str, under: tuple[float, float, float], alpha: float) -> tuple[float, float, float]:
    red, green, blue = (top * alpha + low * (1 - alpha) for top, low in zip(rgb(over), under, strict=True))
    return red, green, blue


def beneath(seen: list[Seen], at: int) -> tuple[float, float, float]:
    """The colour on which a mark stands."""
    box, clip = seen[at].box, seen[at].clip
    x, y = box.x + box.w / 2, (max(box.y, clip.y) + min(box.y + box.h, clip.y + clip.h)) / 2
    if seen[at].mark.kind == "rim":
        x = box.x - 1.0
    colour = rgb(theme.hex("bg0"))
    for other in seen[:at]:
        if other.mark.kind == "fill" and other.box.has(x, y):
            colour = _mixed(other.mark.colour, colour, other.mark.alpha * other.opacity)
    return colour


def _readable(seen: list[Seen]) -> list[str]:
    wrong = []
    opaque = _opaque(seen)
    for at, one in enumerate(seen):
        mark = one.mark
        if mark.kind == "fill" or (mark.kind == "rim" and mark.colour == theme.hex("line")):
            continue
        if _covered(seen, at, opaque):
            continue
        under = beneath(seen, at)
        found = contrast(_mixed(mark.colour, under, mark.alpha * one.opacity), under)
        large = mark.size >= 24 or (mark.size >= 18.7 and mark.weight >= 700)
        floor = 4.5 if mark.kind == "text" and not large else 3.0
        if found < floor - 0.005:
            what = repr(mark.text) if mark.kind == "text" else f"the {mark.kind} at {_said(one.box)}"
            wrong.append(f"{what} has a contrast of {found:.2f}, under {floor}.")
    return wrong


def _targets(root: Widget) -> list[str]:
    wrong = []
    found = targets(root)
    for widget, box in found:
        name = f"{type(widget).__name__} at {_said(box)}"
        whole = place(widget)
        short, long = sorted((whole.w, whole.h))
        if short < 48 - 0.5 or long < 52 - 0.5 or (short < 52 - 0.5 and long < 56 - 0.5):
            wrong.append(f"{name} is too small for a finger.")
        if widget.in_list and whole.h < ROW - 0.5:
            wrong.append(f"{name} is a row that is less than {ROW:.0f} dp high.")
        if not screen().holds(whole) and widget.parent and not _in_scroll(widget):
            wrong.append(f"{name} leaves the window.")
    for at, (widget, box) in enumerate(found):
        for other, there in found[at + 1 :]:
            if not box.meets(there, -7.5):
                continue
            joined = getattr(widget, "joined", False) or getattr(other, "joined", False)
            if _in_scroll(widget) != _in_scroll(other) and not box.meets(there):
                continue  # what is scrolled comes as near as the list's edge
            if not joined and not _within(widget, other):
                wrong.append(f"The keys at {_said(box)} and {_said(there)} are less than 8 dp apart.")
    return wrong


def _toasts(root: Widget, seen: list[Seen]) -> list[str]:
    """A toast lies on nothing that is touched, on no words but the names in the picture of a board, and not on the car
    that plays."""
    shown = [widget for widget, _, _, _ in walk(root) if isinstance(widget, ToastView) and widget.shown is not None]
    if not shown:
        return []
    pictures = {id(mark) for widget, _, _, _ in walk(root) if pictured(widget) for mark in widget.marks}
    own = {id(mark) for toast in shown for widget, _, _, _ in walk(toast) for mark in getattr(widget, "marks", ())}
    beneath_it = [one for one in seen if id(one.mark) not in own]
    opaque = _opaque(beneath_it)
    words = [
        one.box.within(one.clip)
        for at, one in enumerate(beneath_it)
        if one.mark.kind == "text"
        and (one.mark.size >= TITLE or id(one.mark) not in pictures)
        and one.clip.meets(one.box)
        and not _covered(beneath_it, at, opaque)
    ]
    return (
        [
            f"The toast at {_said(place(toast))} covers the {type(key).__name__} at {_said(box)}."
            for toast in shown
            for key, box in targets(root)
            if not key.explains and key.parent is not toast and box.meets(place(toast), 2)
        ]
        + [
            f"The toast at {_said(place(toast))} covers the words at {_said(box)}."
            for toast in shown
            for box in words
            if box.meets(place(toast), 2)
        ]
        + [
            f"The toast at {_said(place(toast))} covers the line to write at {_said(place(line))}."
            for toast in shown
            for line in root.walk(restrict=True)
            if isinstance(line, TextInput) and not line.disabled and place(line).meets(place(toast), 2)
        ]
        + [
            f"The toast at {_said(place(toast))} hides what was to be kept in sight."
            for toast in shown
            for over, _, _, _ in walk(root)
            for x, y, end, foot in getattr(over, "kept_in_sight", ())
            if toast.high <= HIGH
            if place(toast).has((x + end) / 2 + place(over).x, (y + foot) / 2 + place(over).y)
        ]
    )


def pictured(widget: Widget) -> bool:
    """Whether the words of a widget are names in the picture of a board."""
    return isinstance(widget, Fingered)


def _within(one: Widget, other: Widget) -> bool:
    """Return True if one of the widgets holds the other."""
    return any(inner is outer for inner in one.walk(restrict=True) for outer in (other,)) or any(
        inner is one for inner in other.walk(restrict=True)
    )


def _in_scroll(widget: Widget) -> bool:
    parent = widget.parent
    while parent is not None and parent is not Window:
        if isinstance(parent, ScrollView):
            return True
        parent = parent.parent
    return False
