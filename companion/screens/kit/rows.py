"""Scrolling lists of rows of one height.

Only visible rows exist as widgets, so a long log costs no more than a short one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.effects.scroll import ScrollEffect
from kivy.properties import AliasProperty
from kivy.uix.recycleboxlayout import RecycleBoxLayout
from kivy.uix.recycleview import RecycleView
from kivy.uix.recycleview.views import RecycleDataViewBehavior
from kivy.uix.widget import Widget

from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import Pen
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import Target

HIGH = 52.0
MIN_KNOB = 32.0
"""Minimum length of the knob of the scroll bar, in dp: in a long log Kivy's own would be a dot."""


class RowView(RecycleDataViewBehavior, Target):
    """A row; subclasses draw its data in `draw`.

    Rows adjoin, so a row is high enough to touch.
    """

    joined = in_list = True

    def __init__(self, **properties: Any) -> None:
        self.rows: Rows | None = None
        self.index = 0
        super().__init__(on_tap=self._on_row_tap, on_hold=self._on_row_hold, **properties)

    @property
    def heard(self) -> bool:
        """True if a tap or a hold on a row has an effect."""
        return self.rows is not None and (self.rows.on_row is not None or self.rows.on_row_hold is not None)

    def refresh_view_attrs(self, rows: Rows, index: int, data: dict[str, Any]) -> None:
        """Take the data of the row that this widget now shows."""
        self.rows, self.index = rows, index
        if data["shown"] != self.shown:
            self.forget()
        self.show(data["shown"])

    def _on_row_tap(self) -> None:
        if self._stands() and self.rows is not None and self.rows.on_row is not None:
            self.rows.on_row(self.index)

    def _on_row_hold(self) -> None:
        if self._stands() and self.rows is not None and self.rows.on_row_hold is not None:
            self.rows.on_row_hold(self.index)

    def _stands(self) -> bool:
        """Return True if the list still has this row, after pending redraws.

        Two fingers may touch between two frames.
        """
        above: list[Pane] = []
        parent = self.rows
        while isinstance(parent, Widget):
            above = [parent, *above] if isinstance(parent, Pane) else above
            parent = parent.parent
        for pane in above:
            pane.catch_up()
        rows = self.rows
        return rows is not None and rows.parent is not None and self.shown in rows.shown[self.index : self.index + 1]

    def paint(self, pen: Pen) -> None:
        if self.pressed and self.rows is not None and self.rows.on_row is not None:
            pen.fill(0, 0, pen.w, pen.h, "bg4")
        if self.shown is not None:
            self.draw(pen, self.shown)
        pen.fill(0, pen.h - 1, pen.w, 1, "line")

    def choose(self, pen: Pen, token: str = "pri") -> None:
        """Mark the row as selected: a ground, unless it is pressed, and a bar at its left."""
        if not self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg3")
        pen.fill(0, 0, 4, pen.h, token)

    def draw(self, pen: Pen, shown: Any) -> None:
        """Draw the row's data."""


class Rows(RecycleView):
    """A scrolling list.

    `show(rows)` sets the data of all rows; `on_row(index)` and `on_row_hold(index)` are called for a tap and a hold.
    """

    def __init__(
        self,
        view: type[RowView],
        on_row: Callable[[int], object] | None = None,
        *,
        on_row_hold: Callable[[int], object] | None = None,
        high: float = HIGH,
        **properties: Any,
    ) -> None:
        self.on_row, self.on_row_hold = on_row, on_row_hold
        self._high = high if on_row is None and on_row_hold is None else max(high, HIGH)  # a finger needs so much
        self.shown: tuple[Any, ...] = ()
        self.gives_up = 0.0
        """Height given up at its foot to a toast, in dp."""
        self._followed: Any = None
        properties.setdefault("size_hint", (None, None))
        # Kivy's usual effect would throw a flicked list far past its end, and show nothing for seconds.
        super().__init__(do_scroll_x=False, always_overscroll=False, effect_cls=ScrollEffect, **properties)
        self._box = RecycleBoxLayout(orientation="vertical", default_size_hint=(1, None), size_hint=(1, None))
        self._box.bind(minimum_height=self._box.setter("height"))
        self.add_widget(self._box)
        self.viewclass = view
        theme.bind(on_look=self._dress)
        self._dress()

    def _knob(self) -> tuple[float, float]:
        """Return the start and length of the scroll bar's knob, as shares of the height."""
        high, whole = self.height, self.viewport_size[1]
        if not 0 < high < whole:
            return 0.0, 1.0
        long = max(high / whole, min(1.0, theme.dp(MIN_KNOB) / high))
        return (1 - long) * min(1.0, max(0.0, self.scroll_y)), long

    vbar = AliasProperty(_knob, bind=("scroll_y", "viewport_size", "height"), cache=True)

    def _dress(self, *_: object) -> None:
        self._box.default_size = (None, round(theme.dp(self._high)))
        self.bar_width = theme.dp(4)
        self.bar_color, self.bar_inactive_color = theme.rgba("rim"), theme.rgba("rim", 0.5)

    @property
    def high(self) -> float:
        """The height of a row, in dp."""
        return self._high

    @property
    def rows_high(self) -> float:
        """The height of all rows, in dp."""
        return self._high * len(self.shown)

    def show(self, rows: Sequence[Any]) -> None:
        """Show rows; do nothing if they are the same."""
        wanted = tuple(rows)
        if wanted != self.shown:
            self.shown = wanted
            self.data = [{"shown": row} for row in wanted]

    def box_of(self, index: int) -> tuple[float, float, float, float]:
        """Return the left, bottom, right and top of a row in the window, in pixels, also while it is out of sight."""
        high = self._box.default_size[1]
        above = (1 - self.scroll_y) * max(0.0, high * len(self.shown) - self.height)
        left, top = self.to_window(self.x, self.top)
        top += above - index * high
        return left, top - high, left + self.width, top

    def keep_seen(self, index: int) -> None:
        """Scroll to a row unless all of it is visible."""
        high = self._box.default_size[1]
        above = (1 - self.scroll_y) * max(0.0, high * len(self.shown) - self.height)
        if not above <= index * high <= above + self.height - high:
            self.reveal(index)

    def follow(self, is_selected: Callable[[Any], bool]) -> None:
        """Scroll to the selected row when another one is; otherwise the list stays as it was scrolled."""
        index = next((at for at, row in enumerate(self.shown) if is_selected(row)), None)
        if index is not None and self.shown[index] != self._followed:
            self._followed = self.shown[index]
            self.keep_seen(index)

    def reveal(self, index: int) -> None:
        """Scroll to a row, in the middle if possible, in whole rows."""
        high = self._box.default_size[1]
        beyond = high * len(self.shown) - self.height
        if beyond > 0:
            above = round(index + 0.5 - self.height / high / 2)
            self.scroll_y = 1 - min(1.0, max(0.0, above * high / beyond))
