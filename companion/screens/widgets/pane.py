"""A pane: a widget that draws itself with the pen, again only when what it shows or the look has changed, and only
while it is in the window: what was taken out, or has not yet come, is drawn when it comes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.graphics import InstructionGroup, PopMatrix, PushMatrix, Translate
from kivy.uix.widget import Widget

from companion.screens.widgets.pen import Mark, Pen
from companion.screens.widgets.theme import theme

W = TypeVar("W", bound=Widget)


class Laid(EventDispatcher):
    """Says `on_laid` when what can be touched has come, gone or moved, or is drawn anew. There is one: `laid`."""

    __events__ = ("on_laid",)

    def on_laid(self, *_: object) -> None:
        """Something of it has changed."""


laid = Laid()


_panes: WeakValueDictionary[int, Pane] = WeakValueDictionary()
"""Every pane that is drawn anew with the look. Weakly held: a screen that is gone is gone; and in a mapping, for `bind`
compares each that comes with all the others."""


def _all_again(*_: object) -> None:
    """Has every pane drawn anew, the youngest first, as Kivy calls whoever is bound."""
    for pane in reversed(list(_panes.values())):
        pane.look_again()


theme.fbind("on_look", _all_again)


def _wake(come: Widget) -> None:
    """Has the panes of what has come drawn before the next frame, as far as they have changed since they were."""
    for pane in come.walk(restrict=True):
        if isinstance(pane, Pane) and pane._stale:
            pane.look_again()


class Pane(Widget):
    """Something drawn. A subclass says in `paint` what is drawn and in `arrange` where its children are.

    `marks` is all that was drawn, in the pane's own dp. `show(shown)` takes what is to be shown; the same again changes
    nothing.
    """

    in_list = False
    """Whether it is a row of a list."""
    is_picture = False
    """Whether its words are names in a picture, on which what is told may lie for a while, as on a map."""

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
        """Shows a piece of data; nothing is drawn anew if it is equal to what is shown already."""
        if shown != self.shown:
            self.shown = shown
            self.look_again()

    def look_again(self, *_: object) -> None:
        """Has the pane drawn anew before the next frame."""
        self._trigger()

    def draw_now(self) -> None:
        """Draws the pane at once."""
        self._trigger.cancel()
        self._stale = False
        self._again()

    def catch_up(self) -> None:
        """Draws what was to be drawn before the next frame, if anything."""
        if self._stale or self._trigger.is_triggered:
            self.draw_now()

    def add_widget(self, child: Any, *where: Any, **how: Any) -> None:
        super().add_widget(child, *where, **how)
        if not isinstance(child, Pane):
            _wake(child)
        laid.dispatch("on_laid")

    def remove_widget(self, child: Any) -> None:
        """Takes a child away, if it is there."""
        if child.parent is self:
            super().remove_widget(child)
            laid.dispatch("on_laid")

    def discard(self) -> None:
        """Is not drawn any more, whatever changes: it was thrown away, and what holds it still is no reader."""
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
        """Puts the children in their places."""

    def paint(self, pen: Pen) -> None:
        """Draws the pane."""

    def put(self, child: Widget, x: float, y: float, w: float, h: float) -> None:
        """Puts a child at a place in dp from the pane's top left; it is added if it is not yet there."""
        self.set_place(child, x, y, w, h)
        if child.parent is not self:
            self.add_widget(child)

    def set_place(self, child: Widget, x: float, y: float, w: float, h: float) -> None:
        """Give a child its place in dp from the pane's top left. A list gives up of it what something that is told
        needs."""
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
        """Puts children of one size into rows of so many, all into one row if that is 0, from a place in dp on; across
        1 they are a column. There are gaps between them, other ones between the rows if `down` says so."""
        down = gap if down is None else down
        across = across or max(1, len(children))
        wide = (w - gap * (across - 1)) / across
        for at, child in enumerate(children):
            self.put(child, x + at % across * (wide + gap), y + at // across * (high + down), wide, high)

    def as_many(self, children: list[W], count: int, make: Callable[[], W]) -> None:
        """Sees that a list has so many children: those too many are taken away, those that lack are made."""
        while len(children) > count:
            self.remove_widget(children.pop())
        while len(children) < count:
            children.append(make())

    def only(self, seen: Collection[Widget], of: Iterable[Widget]) -> None:
        """Takes away those of some children that are not to be seen now."""
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
