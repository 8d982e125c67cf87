"""The base class of widgets drawn with the pen.

A pane redraws only when its content or the theme changes, and only while it is in the window; otherwise it is drawn
on its return.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.graphics import InstructionGroup, PopMatrix, PushMatrix, Translate
from kivy.uix.widget import Widget

from companion.screens.kit.pen import Mark, Pen
from companion.screens.kit.theme import theme

W = TypeVar("W", bound=Widget)


class Laid(EventDispatcher):
    """Dispatcher of `on_laid`, for touch targets that appear, go, move or redraw.

    There is one: `laid`.
    """

    __events__ = ("on_laid",)

    def on_laid(self, *_: object) -> None:
        """Handle a change of the touch targets; the default does nothing."""


laid = Laid()


_panes: WeakValueDictionary[int, Pane] = WeakValueDictionary()
"""All panes that are drawn again when the look changes. Weakly held, so that a screen can go; in a mapping, since
`bind` compares each new one with all the others."""


def _all_again(*_: object) -> None:
    """Invalidate all panes, the newest first, in Kivy's order of callbacks."""
    for pane in reversed(list(_panes.values())):
        pane.look_again()


theme.fbind("on_look", _all_again)


def _wake(come: Widget) -> None:
    """Redraw the stale panes of a widget that returns, before the next frame."""
    for pane in come.walk(restrict=True):
        if isinstance(pane, Pane) and pane._stale:
            pane.look_again()


class Pane(Widget):
    """A drawn widget; subclasses draw in `paint` and place their children in `arrange`.

    `marks` lists everything drawn, in the pane's own dp. `show(shown)` sets the content; equal content changes
    nothing.
    """

    in_list = False
    """True for a row of a list."""
    is_picture = False
    """True if its words are names in a picture, as on a map, which a toast may cover for a while."""
    confines_focus = False
    """True if the focus stays within it as long as it is there."""
    is_advice = False
    """True if its words say what to do now: they are kept free like a question."""

    def __init__(self, **properties: Any) -> None:
        self.shown: Any = None
        self.marks: list[Mark] = []
        properties.setdefault("size_hint", (None, None))
        super().__init__(**properties)
        self._ink = InstructionGroup()
        with self.canvas.before:
            PushMatrix()
            self._place = Translate()
        self.canvas.before.add(self._ink)
        with self.canvas.before:
            PopMatrix()
        self._moved()
        self._stale = False
        self._trigger = Clock.create_trigger(self._in_time, -1)
        self.fbind("pos", self._moved)
        self.fbind("size", self.look_again)
        self.fbind("parent", self._has_come)
        _panes[id(self)] = self
        self._trigger()

    def show(self, shown: Any) -> None:
        """Set the content; redraw only if it differs."""
        if shown != self.shown:
            self.shown = shown
            self.look_again()

    def look_again(self, *_: object) -> None:
        """Redraw before the next frame."""
        self._trigger()

    def draw_now(self) -> None:
        """Redraw now."""
        self._trigger.cancel()
        self._stale = False
        self._again()

    def catch_up(self) -> None:
        """Redraw now if a redraw is pending."""
        if self._stale or self._trigger.is_triggered:
            self.draw_now()

    def add_widget(self, child: Any, *where: Any, **how: Any) -> None:
        super().add_widget(child, *where, **how)
        if not isinstance(child, Pane):
            _wake(child)
        laid.dispatch("on_laid")

    def remove_widget(self, child: Any) -> None:
        """Remove a child, if it is one."""
        if child.parent is self:
            super().remove_widget(child)
            laid.dispatch("on_laid")

    def discard(self) -> None:
        """Stop redrawing a pane that was thrown away but may still be referenced."""
        for pane in self.walk(restrict=True):
            if isinstance(pane, Pane):
                pane._trigger.cancel()
                _panes.pop(id(pane), None)

    def _moved(self, *_: object) -> None:
        self._place.xy = (round(self.x), round(self.y))
        if self.children:
            self.arrange()

    def _has_come(self, _: Widget, parent: Widget | None) -> None:
        if parent is not None:
            _wake(self)

    def _in_time(self, *_: object) -> None:
        self._stale = self.get_parent_window() is None
        if not self._stale:
            self._again()

    def _again(self, *_: object) -> None:
        self._ink.clear()
        pen = Pen(self._ink, self.width, self.height)
        self.arrange()
        self.paint(pen)
        self.marks = pen.marks

    def arrange(self) -> None:
        """Place the children."""

    def paint(self, pen: Pen) -> None:
        """Draw the pane."""

    def put(self, child: Widget, x: float, y: float, w: float, h: float) -> None:
        """Place a child, in dp from the pane's top left; add it if necessary."""
        self.set_place(child, x, y, w, h)
        if child.parent is not self:
            self.add_widget(child)

    def set_place(self, child: Widget, x: float, y: float, w: float, h: float) -> None:
        """Set a child's place, in dp from the pane's top left.

        A list gives up the space that a toast needs at its foot.
        """
        left, right = round(theme.dp(x)), round(theme.dp(x + w))
        top, bottom = round(theme.dp(y)), round(theme.dp(y + h)) - round(theme.dp(getattr(child, "gives_up", 0.0)))
        child.size = (right - left, bottom - top)
        child.pos = (round(self.x) + left, round(self.top) - bottom)

    def put_rows(
        self,
        children: Collection[Widget],
        x: float,
        y: float,
        w: float,
        high: float,
        across: int = 0,
        gap: float = 8.0,
        down: float | None = None,
    ) -> None:
        """Place children of equal size in rows of `across`, 0 for a single row.

        Positions and sizes are in dp. `down` is the gap between rows, the same as `gap` by default.
        """
        down = gap if down is None else down
        across = across or max(1, len(children))
        wide = (w - gap * (across - 1)) / across
        for at, child in enumerate(children):
            self.put(child, x + at % across * (wide + gap), y + at // across * (high + down), wide, high)

    def as_many(self, children: list[W], count: int, make: Callable[[], W]) -> None:
        """Grow or shrink a list of children to `count`."""
        while len(children) > count:
            self.remove_widget(children.pop())
        while len(children) < count:
            children.append(make())

    def only(self, seen: Collection[Widget], of: Iterable[Widget]) -> None:
        """Remove the children that are not in `seen`."""
        for child in of:
            if child not in seen:
                self.remove_widget(child)

    @property
    def w(self) -> float:
        """The pane's width in dp."""
        return float(self.width) / float(theme.scale)

    @property
    def h(self) -> float:
        """The pane's height in dp."""
        return float(self.height) / float(theme.scale)
