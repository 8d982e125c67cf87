"""The focus: a ring around the touch target on which buttons and the keyboard act.

It moves over whatever a finger could tap now, read from the widgets as they lie in the window. What confirms it is a
touch at the middle of the target, so that it does what a finger does there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from math import hypot
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent
from kivy.uix.scrollview import ScrollView
from kivy.uix.stencilview import StencilView
from kivy.uix.widget import Widget

from companion.screens.kit.pane import Pane, laid
from companion.screens.kit.pen import Mark, Pen
from companion.screens.kit.rows import Rows
from companion.screens.kit.theme import HOLD, theme
from companion.screens.kit.touch import Target
from companion.screens.kit.writing import SafeTextInput

HELD_SECONDS: Final = HOLD + 0.25
"""Duration of the touch of a held button: a hold, and what a list waits before it passes a touch on."""
OPAQUE: Final = 0.6
"""Opacity from which a ground hides what is beneath it."""
SMALL: Final = 20.0
"""Size below which a ground is only an ornament, in dp."""
BAR: Final = 56.0
"""Maximum height of a bar at the top of a screen, in dp."""
NEAR: Final = 11.0
"""Maximum distance of targets of one group, in dp."""
PAGE: Final = 0.8
"""Share of its height by which a list is scrolled that has nothing to tap."""
DIGIT_SECONDS: Final = 1.0
"""Time in which a second digit continues a number."""
MARGIN: Final = 4.0
"""Distance of the ring's outer edge from its target, in dp."""

TAB: Final = 9
ENTER: Final = (13, 271)
RIGHT, LEFT, UP, DOWN = 275, 276, 273, 274
HOME, END, PAGE_UP, PAGE_DOWN = 278, 279, 280, 281
ARROWS: Final = {RIGHT: (1, 0), LEFT: (-1, 0), UP: (0, -1), DOWN: (0, 1)}
"""Steps of the arrow keys: to the right, and down."""
MOVES: Final = frozenset({TAB, *ARROWS, HOME, END, PAGE_UP, PAGE_DOWN})
NUMBER: Final = re.compile(r"(\d+)(?:–(\d+))?")

T = TypeVar("T")


class WindowBox(NamedTuple):
    """A rectangle of the window, in pixels from its bottom left."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2

    def has(self, x: float, y: float) -> bool:
        """Return True if a point lies in it."""
        return self.left <= x < self.right and self.bottom <= y < self.top

    def within(self, other: WindowBox) -> WindowBox:
        """Return the part of it that lies in another box; empty if none does."""
        left, bottom = max(self.left, other.left), max(self.bottom, other.bottom)
        return WindowBox(left, bottom, max(left, min(self.right, other.right)), max(bottom, min(self.top, other.top)))

    def is_near(self, other: WindowBox, gap: float) -> bool:
        """Return True if the two are beside each other or one above the other, at most `gap` apart."""
        across = max(self.left, other.left) - min(self.right, other.right)
        down = max(self.bottom, other.bottom) - min(self.top, other.top)
        return max(across, down) <= gap and min(across, down) < 0


class FocusStop(msgspec.Struct, eq=False):
    """A place where the focus can be: a target, a text field, a row of a list, or a list to scroll.

    `words` is what can be read on it, of a row its content; `free` lists the points at which a finger would reach it,
    those of its list while it is scrolled out of sight.
    """

    widget: Any
    box: WindowBox
    words: object
    index: int = -1
    scroller: Any = None
    is_hidden: bool = False
    free: tuple[tuple[float, float], ...] = ()

    @property
    def key(self) -> Hashable:
        """The identity of the target that a button sees; it acts on no other."""
        return id(self.widget), self.index, repr(self.words)

    def cut(self, box: WindowBox) -> None:
        """Take away the points that something lies on."""
        self.free = tuple(point for point in self.free if not box.has(*point))


class Survey:
    """The stops in the window now, and the layer that confines them, None if no layer does."""

    def __init__(self) -> None:
        self.stops: list[FocusStop] = []
        self.layer: Widget | None = None
        self._within: list[Widget] = []
        for root in reversed(Window.children):
            self._walk(root, WindowBox(0, 0, Window.width, Window.height), None)
        self.stops = [stop for stop in self.stops if stop.free]

    def _walk(self, widget: Widget, clip: WindowBox, scroller: Any) -> None:
        if not widget.opacity or isinstance(widget, FocusRing):
            return
        if isinstance(widget, Pane) and widget.confines_focus:
            self.stops, self.layer = [], widget
        box = _box(widget)
        for mark in getattr(widget, "marks", ()):
            if mark.kind == "fill" and mark.alpha >= OPAQUE and min(mark.w, mark.h) >= SMALL:
                self._cover(_mark_box(box, mark).within(clip))
        if isinstance(widget, Target) and widget.ready and widget.heard:
            self._cover(box.within(clip))
            self._add(FocusStop(widget, box, _words(widget), scroller=scroller), clip)
        elif isinstance(widget, SafeTextInput) and not widget.disabled:
            self._add(FocusStop(widget, box, widget.hint_text, scroller=scroller), clip)
        if isinstance(widget, ScrollView):
            self._scroller(widget, clip)
            return
        self._children(widget, box.within(clip) if isinstance(widget, StencilView) else clip, scroller)

    def _children(self, widget: Widget, clip: WindowBox, scroller: Any) -> None:
        self._within.append(widget)
        for child in reversed(widget.children):
            self._walk(child, clip, scroller)
        self._within.pop()

    def _scroller(self, widget: Any, clip: WindowBox) -> None:
        """Add the rows of a list, all of them; else what is in it, and itself if it must be scrolled to be read."""
        inner = _box(widget).within(clip)
        if isinstance(widget, Rows) and widget.on_row is not None and not widget.disabled:
            self._cover(inner)
            for index, row in enumerate(widget.shown):
                self._add(FocusStop(widget, WindowBox(*widget.box_of(index)), row, index, widget), inner)
            return
        before = len(self.stops)
        self._children(widget, inner, widget)
        if len(self.stops) == before and _overflows(widget):
            self._add(FocusStop(widget, inner, "", scroller=widget), inner)

    def _add(self, stop: FocusStop, clip: WindowBox) -> None:
        seen = stop.box.within(clip)
        x, y = stop.box.middle
        stop.is_hidden = stop.scroller is not None and not clip.has(x, y)
        if stop.is_hidden:
            seen = clip
        x, y = seen.middle
        side = min(theme.dp(10), (seen.right - seen.left) / 4)
        points = ((x, y), (seen.left + side, y), (seen.right - side, y))
        stop.free = points if seen.right - seen.left >= 1 and seen.top - seen.bottom >= 1 else ()
        self.stops.append(stop)

    def _cover(self, box: WindowBox) -> None:
        for stop in self.stops:
            if stop.free and stop.widget not in self._within:
                stop.cut(box)


class Poke(MotionEvent):
    """A touch at a point of the window, in pixels from its bottom left, that no finger makes."""

    def __init__(self, x: float, y: float) -> None:
        wide, high = Window.system_size[0] - 1.0, Window.system_size[1] - 1.0
        turned = {0: (x, y), 90: (wide - y, x), 180: (wide - x, high - y), 270: (y, high - x)}
        place = Window.to_normalized_pos(*turned[int(Window.rotation) % 360])
        super().__init__("focus", 1, place, is_touch=True, type_id="touch")

    def depack(self, args: Any) -> None:
        """Take the place, as a share of the window."""
        self.sx, self.sy = args
        self.profile = ["pos"]
        super().depack(args)


class FocusRing(Pane):
    """The ring around the focused target."""

    def paint(self, pen: Pen) -> None:
        pen.rim(0, 0, pen.w, pen.h, "bg0", 6, 10)
        pen.rim(1, 1, pen.w - 2, pen.h - 2, "info", 4, 9)


class Focus:
    """The focus of a window.

    `place()` says where it is, as what it remembers a stop by: how many screens are open, and which. `asks()` is the
    question whose answers the screen marks itself, "" without one: there the focus is not seen before it is moved, and
    goes with the question.
    """

    def __init__(self, place: Callable[[], tuple[int, Hashable]], asks: Callable[[], str]) -> None:
        self._place, self._asks = place, asks
        self.in_use = False
        """True from the use of a button or key to the next touch."""
        self.key: Hashable = None
        """What a button that is pressed now would act on."""
        self._at: FocusStop | None = None
        self._where: tuple[tuple[int, Hashable], str] = (0, ""), ""
        self._asked = ""
        self._left: dict[tuple[tuple[int, Hashable], str], FocusStop] = {}
        self._is_new = False
        """True until it is moved, where it has not been before: more may come there to begin with."""
        self._returns: Any = None
        """Widget to which it returns from the layer that is open."""
        self._ring = FocusRing()
        self._poke: Poke | None = None
        self._release: Any = None
        self._number, self._typed = "", 0.0
        self._soon = Clock.create_trigger(self._look)

    def begin(self) -> None:
        """Watch for touches, and for changes of the targets."""
        Window.bind(on_touch_down=self._touched, size=self._changed)
        laid.fbind("on_laid", self._changed)

    def end(self) -> None:
        """Hide the focus for good."""
        self.hide()
        self._soon.cancel()
        self._lift()
        Window.unbind(on_touch_down=self._touched, size=self._changed)
        laid.funbind("on_laid", self._changed)

    # -- whether it is seen

    @property
    def is_seen(self) -> bool:
        """True if the ring is on the screen."""
        return self._at is not None

    def hide(self) -> None:
        """Take the ring away."""
        self._at = self.key = None
        Window.remove_widget(self._ring)

    def move_to(self, widget: Widget) -> None:
        """Move to a widget."""
        self.in_use = True
        found = [stop for stop in self._refresh(wake=True).stops if stop.widget is widget]
        if found:
            self._show(found[0])

    def _touched(self, _window: object, touch: Any) -> None:
        if not isinstance(touch, Poke):
            self.in_use = False
            self.hide()

    def _changed(self, *_: object) -> None:
        if self.in_use:
            self._soon()

    def _look(self, *_: object) -> None:
        """Follow the target after a change of the screen; on another screen or layer, go to where it was left."""
        if self.in_use:
            self._refresh()

    def _refresh(self, wake: bool = False) -> Survey:
        """Find the stop again; with `wake`, also where the screen marks its answers itself."""
        survey = Survey()
        layer = type(survey.layer).__name__ if survey.layer is not None else ""
        where, asked = (self._place(), layer), self._asks()
        same = where == self._where
        if not same:
            if self._at is not None:
                self._left[self._where] = self._at
            self._left = {key: stop for key, stop in self._left.items() if key[0][0] <= where[0][0]}
        gone = bool(asked) and not wake and (self._at is None or not same or asked != self._asked)
        if gone or not survey.stops:
            self.hide()
        else:
            before = None if same and self._is_new else self._at if same else self._left.get(where)
            self._is_new = before is None
            left = [stop for stop in survey.stops if not same and stop.widget is self._returns]
            found = _first(survey) if before is None else _found(before, survey.stops)
            self._show(left[0] if left else found, survey)
        self._returns = getattr(survey.layer, "returns_to", None)
        self._where, self._asked = where, asked
        return survey

    def _show(self, stop: FocusStop, survey: Survey | None = None) -> None:
        self._at, self.key = stop, stop.key
        gap = theme.dp(MARGIN)
        whole = WindowBox(0, 0, Window.width, Window.height)
        box = stop.box.within(_box(stop.scroller)) if stop.scroller is not None else stop.box
        box = WindowBox(box.left - gap, box.bottom - gap, box.right + gap, box.top + gap).within(whole)
        self._ring.pos, self._ring.size = (box.left, box.bottom), (box.right - box.left, box.top - box.bottom)
        layer = survey.layer if survey is not None else None
        beneath = self._ring in Window.children and layer in Window.children[: Window.children.index(self._ring)]
        if self._ring.parent is None or beneath:
            Window.remove_widget(self._ring)
            Window.add_widget(self._ring)

    # -- moves

    def press(self, name: str) -> None:
        """Handle a hardware button: "up", "down", "first", "last", "next", "confirm" or "override" (confirm, held).

        The first one only shows the focus.
        """
        self.in_use = True
        seen = self.is_seen
        survey = self._refresh(wake=True)
        if self._at is None or not seen:
            return
        if name in ("up", "down"):
            self._move(survey, -1 if name == "up" else 1)
        elif name in ("last", "first"):  # held up and held down
            self._edge(survey, start=name == "last")
        elif name == "next":
            self._jump(survey, 1)
        elif name == "confirm":
            self._touch(0.0)
        elif name == "override":
            self._touch(HELD_SECONDS)

    def type(self, key: int, text: str, modifiers: Iterable[str]) -> bool:
        """Handle a key of the keyboard; return True if it was used.

        Tab and arrows move, Enter taps as long as it is down, a digit goes to the target with that number, and a letter
        into the focused text field.
        """
        held = set(modifiers)
        if held & {"ctrl", "alt", "meta"}:
            return False
        if key in ENTER:
            if self._at is not None and self._poke is None:
                self._down()
            return self._at is not None
        if key not in MOVES:
            return len(text) == 1 and text.isprintable() and (self._write(text) or self._to_number(text))
        self.in_use, seen = True, self.is_seen
        survey = self._refresh(wake=True)
        if self._at is not None and seen:
            if key == TAB:
                self._move(survey, -1 if "shift" in held else 1)
            elif key in ARROWS:
                self._across(survey, *ARROWS[key])
            elif key in (HOME, END):
                self._edge(survey, start=key == HOME)
            else:
                self._jump(survey, 1 if key == PAGE_DOWN else -1)
        return True

    def release(self) -> None:
        """End the touch of Enter."""
        if self._release is None:
            self._lift()

    def _go(self, stop: FocusStop, survey: Survey) -> None:
        """Move to a stop; a list scrolls to it."""
        if stop.index >= 0:
            stop.widget.keep_seen(stop.index)
        elif stop.scroller is not None and stop.widget is not stop.scroller:
            stop.scroller.scroll_to(stop.widget, theme.dp(MARGIN), animate=False)
        self._is_new = False
        self._show(stop, survey)
        self._soon()

    def _move(self, survey: Survey, by: int) -> None:
        """Go to the next stop in reading order, or the one before; after the last comes the first."""
        at, stops = self._at, _ordered(survey)
        if at is None or (at.widget is at.scroller and at.index < 0 and _scrolled(at.widget, by)):
            return
        self._go(stops[(stops.index(at) + by) % len(stops)], survey)

    def _jump(self, survey: Survey, by: int) -> None:
        """Go to the first stop of the next group, or of the one before.

        After the last group come the answers, if the screen marks them itself.
        """
        groups = _groups(survey)
        place = next(place for place, group in enumerate(groups) if self._at in group) + by
        if place == len(groups) and self._asks():
            self.hide()
        else:
            self._go(groups[place % len(groups)][0], survey)

    def _edge(self, survey: Survey, *, start: bool) -> None:
        """Go to the start or the end of the group; from there on to the next one in that direction."""
        groups = _groups(survey)
        place = next(place for place, group in enumerate(groups) if self._at in group)
        end = 0 if start else -1
        if groups[place][end] is self._at:
            place += -1 if start else 1
        self._go(groups[place % len(groups)][end], survey)

    def _across(self, survey: Survey, right: int, down: int) -> None:
        """Go to the nearest stop in a direction; what is scrolled out of sight is only reached within its list."""
        at = self._at
        if at is None or (down and at.widget is at.scroller and at.index < 0 and _scrolled(at.widget, down)):
            return
        seen = [stop for stop in survey.stops if not stop.is_hidden or stop.scroller is at.scroller]
        ahead = [(far, stop) for stop in seen if (far := _far(at.box, stop.box, right, down)) is not None]
        if ahead:
            self._go(min(ahead, key=lambda one: one[0])[1], survey)

    def _to_number(self, digit: str) -> bool:
        """Go to the target that is a number, or a range with it; digits in quick succession make one number."""
        if not digit.isdecimal():
            return False
        now = Clock.get_time()
        self._number = self._number + digit if now - self._typed < DIGIT_SECONDS else digit
        self._typed, seen = now, self.is_seen
        survey = self._refresh(wake=True)
        found = [stop for stop in _ordered(survey) if _is_number(stop.widget, int(self._number))]
        found.sort(key=lambda stop: (stop.box.right - stop.box.left) * (stop.box.top - stop.box.bottom))  # keys first
        if found:
            self.in_use = True
            self._go(found[0], survey)
        elif not seen:
            self.hide()
        return bool(found)

    def _write(self, letter: str) -> bool:
        """Open the focused text field and type a letter into it."""
        line = self._at.widget if self._at is not None else None
        if not isinstance(line, SafeTextInput):
            return False
        line.focus = True
        before = line.text
        # Some systems send the letter to the line by themselves, now that it is open.
        Clock.schedule_once(lambda _: line.insert_text(letter) if line.text == before else None)
        return True

    # -- touches

    def _touch(self, seconds: float) -> None:
        """Touch the target for some seconds, at least for a frame."""
        self._down()
        self._release = Clock.schedule_once(self._lift, seconds)

    def _down(self) -> None:
        self._lift()
        self._number, self._is_new = "", False
        self._refresh(wake=True)
        at = self._at
        if at is not None and not at.is_hidden:
            self._poke = Poke(*at.free[0])
            EventLoop.post_dispatch_input("begin", self._poke)

    def _lift(self, *_: object) -> None:
        if self._release is not None:
            self._release.cancel()
            self._release = None
        poke, self._poke = self._poke, None
        if poke is not None:
            EventLoop.post_dispatch_input("end", poke)


# -- in which order


def _ordered(survey: Survey) -> list[FocusStop]:
    return [stop for group in _groups(survey) for stop in group]


def _groups(survey: Survey) -> list[list[FocusStop]]:
    """Return the stops in reading order, by groups: a bar at the top, each list, and what lies close together.

    A layer that has a `wheel` says the order itself.
    """
    wheel = getattr(survey.layer, "wheel", None)
    if wheel is not None:
        return [sorted(survey.stops, key=lambda stop: wheel.index(stop.widget) if stop.widget in wheel else len(wheel))]
    groups: list[list[FocusStop]] = []
    bar = _bar(survey.stops)
    for stop in survey.stops:
        gap = theme.dp(NEAR)
        near = [
            group
            for group in groups
            if any(
                other.scroller is stop.scroller
                and (other in bar) == (stop in bar)
                and (stop.scroller is not None or other.box.is_near(stop.box, gap))
                for other in group
            )
        ]
        groups = [group for group in groups if group not in near]
        groups.append([*(other for group in near for other in group), stop])
    boxed = [(_around(group), group) for group in groups]
    return [_lines([(stop.box, stop) for stop in group]) for group in _lines(boxed)]


def _bar(stops: list[FocusStop]) -> list[FocusStop]:
    """Return the stops in the bar at the top."""
    seen = [stop for stop in stops if not stop.is_hidden]
    top = max((stop.box.top for stop in seen), default=0.0) - theme.dp(BAR)
    return [stop for stop in seen if stop.box.bottom >= top]


def _first(survey: Survey) -> FocusStop:
    """Return the stop to begin with: the first below the bar."""
    stops, bar = _ordered(survey), _bar(survey.stops)
    return next((stop for stop in stops if stop not in bar), stops[0])


def _around(group: list[FocusStop]) -> WindowBox:
    if group[0].scroller is not None:
        return _box(group[0].scroller)
    boxes = [stop.box for stop in group]
    return WindowBox(
        min(box.left for box in boxes),
        min(box.bottom for box in boxes),
        max(box.right for box in boxes),
        max(box.top for box in boxes),
    )


def _lines(boxed: list[tuple[WindowBox, T]]) -> list[T]:
    """Sort things by their boxes, line by line, each from left to right."""
    lines: list[list[tuple[WindowBox, T]]] = []
    middle = 0.0
    for box, thing in sorted(boxed, key=lambda one: (-one[0].top, one[0].left)):
        if lines and box.top > middle:
            middle = max(middle, box.middle[1])
            lines[-1].append((box, thing))
        else:
            middle = box.middle[1]
            lines.append([(box, thing)])
    return [thing for line in lines for _, thing in sorted(line, key=lambda one: one[0].left)]


def _found(before: FocusStop, stops: list[FocusStop]) -> FocusStop:
    """Return the stop that another one has become: by its widget and words, by its words, its widget, or its place."""

    def is_same(stop: FocusStop) -> bool:
        return stop.widget is before.widget and stop.index == before.index

    def reads_same(stop: FocusStop) -> bool:
        return bool(before.words) and type(stop.widget) is type(before.widget) and stop.words == before.words

    def far(stop: FocusStop) -> float:
        (x, y), (was_x, was_y) = stop.box.middle, before.box.middle
        return hypot(x - was_x, y - was_y)

    same = [stop for stop in stops if is_same(stop)]
    return min(
        [stop for stop in same if reads_same(stop)] or [stop for stop in stops if reads_same(stop)] or same or stops,
        key=far,
    )


def _far(at: WindowBox, to: WindowBox, right: int, down: int) -> float | None:
    """Return how far a box lies in a direction, what lies beside counting double; None if it does not."""
    (x, y), (to_x, to_y) = at.middle, to.middle
    across = max(at.left, to.left) - min(at.right, to.right)
    between = max(at.bottom, to.bottom) - min(at.top, to.top)
    ahead = (to_x - x) * right - (to_y - y) * down
    gap, beside = (across, between) if right else (between, across)
    if ahead <= 1 or (right and beside >= 0):
        return None
    return max(0.0, gap) + 2 * max(0.0, beside) + ahead / 1000


def _is_number(widget: Widget, number: int) -> bool:
    """Return True if the largest words on a target are a number, or a range of numbers with it."""
    texts = [mark for mark in getattr(widget, "marks", ()) if mark.kind == "text"]
    found = NUMBER.fullmatch(max(texts, key=lambda mark: mark.size).text) if texts else None
    return found is not None and int(found[1]) <= number <= int(found[2] or found[1])


# -- what is there


def _box(widget: Widget) -> WindowBox:
    left, bottom = widget.to_window(*widget.pos)
    return WindowBox(left, bottom, left + widget.width, bottom + widget.height)


def _mark_box(home: WindowBox, mark: Mark) -> WindowBox:
    left, top = home.left + theme.dp(mark.x), home.top - theme.dp(mark.y)
    return WindowBox(left, top - theme.dp(mark.h), left + theme.dp(mark.w), top)


def _words(target: Target) -> tuple[str, ...]:
    """Return what is written on a target."""
    return tuple(
        mark.text for pane in target.walk(restrict=True) for mark in getattr(pane, "marks", ()) if mark.kind == "text"
    )


def _overflows(scroller: Any) -> bool:
    return bool(scroller.viewport_size[1] > scroller.height + 1)


def _scrolled(scroller: Any, down: int) -> bool:
    """Scroll a page on, if there is more; return whether there was."""
    page = PAGE * scroller.height / max(1.0, scroller.viewport_size[1] - scroller.height)
    to = min(1.0, max(0.0, scroller.scroll_y - down * page))
    moved = bool(abs(to - scroller.scroll_y) > 1e-4)
    scroller.scroll_y = to
    return moved
