"""Panes that declare themselves: one method takes areas off a rectangle, draws into them and names the widgets there.

def compose(self, ui: Ui) -> None:
    for row, name in zip(ui.area.inset(12).rows(3, 85), NAMES):
        ui.text(row.cut_top(30), self.say(name), BODY, "mid")
        ui.button(row.cut_left(88), name, Face(icon="minus"), partial(self.less, name))
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Literal, TypeVar

from kivy.uix.widget import Widget

from companion.screens.widgets.foot import BAND, KEYS, ask, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY
from companion.screens.widgets.title_bar import HIGH as TITLE_BAR
from companion.screens.widgets.title_bar import Title, TitleBar
from companion.screens.widgets.touch import Means

W = TypeVar("W", bound=Widget)
Act = Callable[[], object]


class Area:
    """A rectangle of a pane, in dp from its top left. What is cut off is the area's no more."""

    def __init__(self, x: float, y: float, w: float, h: float) -> None:
        self.x, self.y, self.w, self.h = x, y, w, h

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height."""
        return self.x, self.y, self.w, self.h

    @property
    def right(self) -> float:
        """Return the right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """Return the lower edge."""
        return self.y + self.h

    @property
    def middle(self) -> tuple[float, float]:
        """Return the centre."""
        return self.x + self.w / 2, self.y + self.h / 2

    def cut_top(self, high: float) -> Area:
        """Cut so much off the top."""
        cut = Area(self.x, self.y, self.w, high)
        self.y, self.h = self.y + high, self.h - high
        return cut

    def cut_bottom(self, high: float) -> Area:
        """Cut so much off the bottom."""
        self.h -= high
        return Area(self.x, self.y + self.h, self.w, high)

    def cut_left(self, wide: float) -> Area:
        """Cut so much off the left."""
        cut = Area(self.x, self.y, wide, self.h)
        self.x, self.w = self.x + wide, self.w - wide
        return cut

    def cut_right(self, wide: float) -> Area:
        """Cut so much off the right."""
        self.w -= wide
        return Area(self.x + self.w, self.y, wide, self.h)

    def inset(self, across: float = 0, down: float = 0) -> Area:
        """Return the area within margins at left and right, and at top and bottom."""
        return Area(self.x + across, self.y + down, self.w - 2 * across, self.h - 2 * down)

    def rows(self, count: int, high: float = 0, gap: float = 8) -> list[Area]:
        """Return rows of that height, or as high as they fill the area."""
        return self.cells(count, 1, high, gap)

    def columns(self, count: int, gap: float = 8) -> list[Area]:
        """Return columns that fill the area."""
        return self.cells(count, count, self.h, gap)

    def cells(self, count: int, across: int, high: float = 0, gap: float = 8, down: float | None = None) -> list[Area]:
        """Return cells in rows of so many; `down` is the gap between rows where it is another one."""
        down = gap if down is None else down
        across = max(1, across)
        wide = (self.w - gap * (across - 1)) / across
        lines = max(1, -(-count // across))
        high = high or (self.h - down * (lines - 1)) / lines
        return [
            Area(self.x + at % across * (wide + gap), self.y + at // across * (high + down), wide, high)
            for at in range(count)
        ]


class Ui:
    """What a pane composes with: `area` is what is left of it, `pen` draws what no method here does."""

    def __init__(self, pane: Composed, pen: Pen) -> None:
        self.pane, self.pen = pane, pen
        self.area = Area(0, 0, pen.w, pen.h)
        self.made: dict[Hashable, Widget] = {}
        self.placed: list[Widget] = []

    # -- widgets

    def button(
        self,
        area: Area,
        key: Hashable,
        face: Face | str,
        on_tap: Act | None = None,
        on_hold: Act | None = None,
        *,
        repeats: bool = False,
        means: Means = "",
    ) -> Key:
        """Name a button; a text alone is the label of an option."""
        button = self.named(key, Key)
        button.on_tap, button.on_hold, button.repeats, button.means = on_tap, on_hold, repeats, means
        button.show(Face(label=face, look="option", size=BODY) if isinstance(face, str) else face)
        return self.place(area, button)

    def title(self, text: str, on_back: Act, note: str = "", keep: float = 0) -> None:
        """Name the bar at the top of a screen; `keep` dp at its right are somebody else's."""
        bar = self.named("title", partial(TitleBar, on_back))
        bar.keep = keep
        bar.show(Title(text=text, note=note))
        self.place(self.area.cut_top(TITLE_BAR), bar)

    def foot(self) -> Area:
        """Cut off the foot of a screen, draw its ground, and return the row of its keys."""
        ground(self.pen)
        return self.area.cut_bottom(BAND).inset(12, 8).cut_top(KEYS)

    def ask(self, area: Area, asked: str, note: str) -> None:
        """Write what is asked into the foot, and beneath it what there is to know."""
        ask(self.pen, asked, note, area.x, area.w)

    def named(self, key: Hashable, make: Callable[[], W]) -> W:
        """Return the pane's widget of that name; it is made when it is first named, and kept while it is."""
        found: Any = self.pane.made.get(key)
        widget: W = make() if found is None else found
        self.made[key] = widget
        return widget

    def place(self, area: Area, widget: W) -> W:
        """Put a widget there, over those that were placed before it."""
        self.pane.set_place(widget, *area.box)
        self.placed.append(widget)
        return widget

    # -- what is drawn beneath them

    def fill(self, area: Area, token: str, radius: float = 0) -> None:
        """Fill an area."""
        self.pen.fill(*area.box, token, radius)

    def icon(self, area: Area, name: str, size: float, token: str) -> None:
        """Draw a pictogram in the middle of an area."""
        self.pen.icon(name, *area.middle, size, token)

    def text(
        self,
        area: Area,
        text: str,
        size: float,
        token: str = "hi",
        weight: int = SEMIBOLD,
        align: Literal["left", "centre", "right"] = "left",
        *,
        cut: bool = False,
    ) -> float:
        """Write a line in the middle of an area's height; return its width."""
        x = {"left": area.x, "centre": area.middle[0], "right": area.right}[align]
        return self.pen.text(text, x, area.middle[1], size, token, weight, align, area.w, cut)


class Composed(Pane):
    """A pane that says in `compose` what it shows and where."""

    def __init__(self, *arguments: Any, **properties: Any) -> None:
        self.made: dict[Hashable, Widget] = {}
        super().__init__(*arguments, **properties)

    def compose(self, ui: Ui) -> None:
        """Say what the pane shows, and where."""
        raise NotImplementedError

    def arrange(self) -> None:
        self.look_again()

    def _again(self, *_: object) -> None:
        self._ink.clear()
        ui = Ui(self, Pen(self._ink, self.width, self.height))
        self.compose(ui)
        self.made, self.marks = ui.made, ui.pen.marks
        self._keep(list(dict.fromkeys(ui.placed)))

    def _keep(self, placed: list[Widget]) -> None:
        """Have these children and no other, in this order of drawing."""
        for child in self.children[:]:
            if child not in placed:
                self.remove_widget(child)
        for at, child in enumerate(placed):
            now = self.children[::-1]
            if now == placed:
                break
            if now[at : at + 1] != [child]:
                self.remove_widget(child)
                self.add_widget(child, index=len(self.children) - at)
