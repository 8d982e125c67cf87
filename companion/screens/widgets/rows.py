"""Lists of rows of one height: only those that are seen exist as widgets, so that a long log costs no more than a
short one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.properties import AliasProperty
from kivy.uix.recycleboxlayout import RecycleBoxLayout
from kivy.uix.recycleview import RecycleView
from kivy.uix.recycleview.views import RecycleDataViewBehavior
from kivy.uix.widget import Widget

from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.theme import theme
from companion.screens.widgets.touch import Target

HIGH = 52.0
KNOB = 32.0
"""How long the knob of the bar is at least, in dp: of a long log Kivy's own would be a dot."""


class RowView(RecycleDataViewBehavior, Target):
    """One row: a subclass says in `draw` how its data is drawn. Rows touch each other, so a row is high enough."""

    joined = in_list = True

    def __init__(self, **properties: Any) -> None:
        self.rows: Rows | None = None
        self.index = 0
        super().__init__(on_tap=self._tapped, on_hold=self._held, **properties)

    @property
    def heard(self) -> bool:
        """Whether a tap or a hold on a row means anything."""
        return self.rows is not None and (self.rows.on_row is not None or self.rows.on_row_hold is not None)

    def refresh_view_attrs(self, rows: Rows, index: int, data: dict[str, Any]) -> None:
        """Takes the data of the row that this widget is to be now."""
        self.rows, self.index = rows, index
        if data["shown"] != self.shown:
            self.forget()
        self.show(data["shown"])

    def _tapped(self) -> None:
        if self._stands() and self.rows is not None and self.rows.on_row is not None:
            self.rows.on_row(self.index)

    def _held(self) -> None:
        if self._stands() and self.rows is not None and self.rows.on_row_hold is not None:
            self.rows.on_row_hold(self.index)

    def _stands(self) -> bool:
        """Whether the list still has what the row shows, once all that has changed before is drawn: two fingers may
        come between two pictures."""
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
        """Marks the row as the chosen one: its ground, unless a finger is on it, and a bar at its left."""
        if not self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg3")
        pen.fill(0, 0, 4, pen.h, token)

    def draw(self, pen: Pen, shown: Any) -> None:
        """Draws the row's data."""


class Rows(RecycleView):
    """A list that scrolls. `show(rows)` takes the data of every row; `on_row(index)` and `on_row_hold(index)` tell
    which one was touched."""

    def __init__(
        self,
        view: type[RowView],
        on_row: Callable[[int], object] | None = None,
        on_row_hold: Callable[[int], object] | None = None,
        high: float = HIGH,
        **properties: Any,
    ) -> None:
        self.on_row, self.on_row_hold = on_row, on_row_hold
        self._high = high if on_row is None and on_row_hold is None else max(high, HIGH)  # a finger needs so much
        self.shown: tuple[Any, ...] = ()
        self.gives_up = 0.0
        """What it gives up at its foot, in dp: something is told there."""
        properties.setdefault("size_hint", (None, None))
        super().__init__(do_scroll_x=False, always_overscroll=False, **properties)
        self._box = RecycleBoxLayout(orientation="vertical", default_size_hint=(1, None), size_hint=(1, None))
        self._box.bind(minimum_height=self._box.setter("height"))
        self.add_widget(self._box)
        self.viewclass = view
        theme.bind(on_look=self._dress)
        self._dress()

    def _knob(self) -> tuple[float, float]:
        """Where the knob of the bar begins and how long it is, in shares of the list's height."""
        high, whole = self.height, self.viewport_size[1]
        if not 0 < high < whole:
            return 0.0, 1.0
        long = max(high / whole, min(1.0, theme.dp(KNOB) / high))
        return (1 - long) * min(1.0, max(0.0, self.scroll_y)), long

    vbar = AliasProperty(_knob, bind=("scroll_y", "viewport_size", "height"), cache=True)

    def _dress(self, *_: object) -> None:
        self._box.default_size = (None, round(theme.dp(self._high)))
        self.bar_width = theme.dp(4)
        self.bar_color, self.bar_inactive_color = theme.rgba("rim"), theme.rgba("rim", 0.5)

    @property
    def high(self) -> float:
        """How high one row is, in dp."""
        return self._high

    @property
    def rows_high(self) -> float:
        """How high all its rows are, in dp."""
        return self._high * len(self.shown)

    def show(self, rows: Sequence[Any]) -> None:
        """Shows the rows; nothing happens if they are the same as before."""
        wanted = tuple(rows)
        if wanted != self.shown:
            self.shown = wanted
            self.data = [{"shown": row} for row in wanted]

    def keep_seen(self, index: int) -> None:
        """Scrolls to a row unless all of it is seen."""
        high = self._box.default_size[1]
        above = (1 - self.scroll_y) * max(0.0, high * len(self.shown) - self.height)
        if not above <= index * high <= above + self.height - high:
            self.reveal(index)

    def reveal(self, index: int) -> None:
        """Scrolls so that a row is seen, in the middle where that can be, beneath whole rows."""
        high = self._box.default_size[1]
        beyond = high * len(self.shown) - self.height
        if beyond > 0:
            above = round(index + 0.5 - self.height / high / 2)
            self.scroll_y = 1 - min(1.0, max(0.0, above * high / beyond))
