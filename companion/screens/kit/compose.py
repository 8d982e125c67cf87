"""Declarative panes: `compose` cuts areas off a rectangle and fills them.

def compose(self, ui: Ui) -> None:
    for row, name in zip(ui.area.inset(12).rows(3, 85), NAMES):
        ui.text(row.cut_top(30), self.say(name), BODY, "mid")
        ui.button(row.cut_left(88), name, Face(icon="minus"), partial(self.less, name))
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final, Literal, TypeVar

from kivy.uix.widget import Widget

from companion.screens.kit.foot import BAND, KEYS, ask, ground
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION
from companion.screens.kit.touch import Means, Target
from companion.screens.kit.unsaved import unsaved
from companion.view.shown import ViewModel

W = TypeVar("W", bound=Widget)
T = TypeVar("T", bound=Target)
Act = Callable[[], object]

TITLE_BAR: Final = 48
"""Height of the title bar in dp."""
BACK: Final = 56
"""Width of its back arrow in dp."""
TITLE: Final = 24


class Area:
    """A rectangle of a pane, in dp from its top left; cutting shrinks it."""

    def __init__(self, x: float, y: float, w: float, h: float) -> None:
        self.x, self.y, self.w, self.h = x, y, w, h

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height."""
        return self.x, self.y, self.w, self.h

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.h

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return self.x + self.w / 2, self.y + self.h / 2

    def cut_top(self, high: float) -> Area:
        """Cut a strip `high` dp high off the top and return it."""
        cut = Area(self.x, self.y, self.w, high)
        self.y, self.h = self.y + high, self.h - high
        return cut

    def cut_bottom(self, high: float) -> Area:
        """Cut a strip `high` dp high off the bottom and return it."""
        self.h -= high
        return Area(self.x, self.y + self.h, self.w, high)

    def cut_left(self, wide: float) -> Area:
        """Cut a strip `wide` dp wide off the left and return it."""
        cut = Area(self.x, self.y, wide, self.h)
        self.x, self.w = self.x + wide, self.w - wide
        return cut

    def cut_right(self, wide: float) -> Area:
        """Cut a strip `wide` dp wide off the right and return it."""
        self.w -= wide
        return Area(self.x + self.w, self.y, wide, self.h)

    def inset(self, across: float = 0, down: float = 0) -> Area:
        """Return the area inside horizontal and vertical margins."""
        return Area(self.x + across, self.y + down, self.w - 2 * across, self.h - 2 * down)

    def rows(self, count: int, high: float = 0, gap: float = 8) -> list[Area]:
        """Return `count` rows, `high` dp each or filling the area."""
        return self.cells(count, 1, high, gap)

    def columns(self, count: int, gap: float = 8) -> list[Area]:
        """Return `count` columns that fill the area."""
        return self.cells(count, count, self.h, gap)

    def cells(self, count: int, across: int, high: float = 0, gap: float = 8, down: float | None = None) -> list[Area]:
        """Return cells, `across` per row.

        `down` is the gap between rows, the same as `gap` by default.
        """
        down = gap if down is None else down
        across = max(1, across)
        wide = (self.w - gap * (across - 1)) / across
        lines = max(1, -(-count // across))
        high = high or (self.h - down * (lines - 1)) / lines
        return [
            Area(self.x + at % across * (wide + gap), self.y + at // across * (high + down), wide, high)
            for at in range(count)
        ]


def even_rows(count: int, most: int) -> int:
    """Return how many of `count` cells to put in a row, at most `most`, so that the rows are as even as can be."""
    return -(-count // max(1, -(-count // most)))


class Ui:
    """The builder that a pane composes with.

    `area` is the space still free; `pen` draws whatever no method here does.
    """

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
        """Place a button; a plain text is the label of an option."""
        shown = Face(label=face, look="option", size=BODY) if isinstance(face, str) else face
        button = self.target(area, key, Key, shown, on_tap, on_hold)
        button.repeats, button.means = repeats, means
        return button

    def target(
        self,
        area: Area,
        key: Hashable,
        make: Callable[[], T],
        shown: object,
        on_tap: Act | None = None,
        on_hold: Act | None = None,
    ) -> T:
        """Place a tappable widget; widgets of two kinds may share a name."""
        target = self.named(key if make is Key else (make, key), make)
        target.on_tap, target.on_hold = on_tap, on_hold
        target.show(shown)
        return self.place(area, target)

    def steps(
        self, area: Area, key: Hashable, wide: float, step: Callable[[int], object], can: Callable[[int], bool]
    ) -> tuple[Key, Key]:
        """Cut − and + off the two ends of an area, each `wide` dp wide.

        `step(by)` is called, repeatedly while a key is held, as long as `can(by)` holds.
        """
        less, more = (
            self.button(
                cell,
                (key, icon),
                Face(icon=icon, look="option" if can(by) else "barred"),
                partial(step, by) if can(by) else None,
                repeats=True,
            )
            for cell, icon, by in ((area.cut_left(wide), "minus", -1), (area.cut_right(wide), "plus", 1))
        )
        return less, more

    def title(self, text: str, on_back: Act, note: str = "", keep: float = 0) -> Area:
        """Place the title bar; return the `keep` dp that it leaves free at its right."""
        bar = self.named("title", partial(TitleBar, on_back))
        bar.keep = keep
        bar.show(Title(text=text, note=note))
        area = self.area.cut_top(TITLE_BAR)
        self.place(area, bar)
        return area.cut_right(keep)

    def foot(self) -> Area:
        """Cut off the foot of a screen, draw its ground, and return its row of keys."""
        ground(self.pen)
        return self.area.cut_bottom(BAND).inset(12, 8).cut_top(KEYS)

    def ask(self, area: Area, asked: str, note: str) -> None:
        """Write a question into the foot, with a note below it."""
        ask(self.pen, asked, note, area.x, area.w)

    def named(self, key: Hashable, make: Callable[[], W]) -> W:
        """Return the pane's widget of that name, creating it on first use.

        A widget lives as long as every composition names it.
        """
        found: Any = self.pane.made.get(key)
        widget: W = make() if found is None else found
        self.made[key] = widget
        return widget

    def place(self, area: Area, widget: W) -> W:
        """Place a widget on top of those placed before."""
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
        """Write a line, centred vertically in an area; return its width in dp."""
        x = {"left": area.x, "centre": area.middle[0], "right": area.right}[align]
        return self.pen.text(text, x, area.middle[1], size, token, weight, align, area.w, cut)


class Composed(Pane):
    """A pane that declares its content and layout in `compose`."""

    def __init__(self, *arguments: Any, **properties: Any) -> None:
        self.made: dict[Hashable, Widget] = {}
        super().__init__(*arguments, **properties)

    def compose(self, ui: Ui) -> None:
        """Declare the content and the layout."""
        raise NotImplementedError

    def tap_key(self, key: Hashable) -> None:
        """Tap the named widget for a hardware button, if a finger could."""
        target = self.made.get(key)
        if isinstance(target, Target) and target.ready and target.on_tap is not None:
            target.on_tap()

    def arrange(self) -> None:
        self.look_again()

    def _again(self, *_: object) -> None:
        self._ink.clear()
        ui = Ui(self, Pen(self._ink, self.width, self.height))
        self.compose(ui)
        self.made, self.marks = ui.made, ui.pen.marks
        self._keep(list(dict.fromkeys(ui.placed)))

    def _keep(self, placed: list[Widget]) -> None:
        """Make `placed` the only children, in this drawing order."""
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


class Title(ViewModel, frozen=True, kw_only=True):
    """The title of a screen, and the note beside it."""

    text: str
    note: str = ""


class TitleBar(Composed):
    """The title bar of a screen: back arrow, title, and a note.

    `on_back` is for the arrow; `keep` dp at the right stay free.
    """

    def __init__(self, on_back: Act, **properties: Any) -> None:
        super().__init__(**properties)
        unsaved.bind(count=self.look_again)
        self.on_back, self.keep = on_back, 0.0

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        ui.pen.fill(0, ui.area.h - 1, ui.area.w, 1, "line")
        ui.target(ui.area.cut_left(BACK), "back", Arrow, None, self.on_back)
        if not isinstance(self.shown, Title):
            return
        left, right, middle = ui.area.x + 14, ui.area.right - 12 - self.keep, ui.area.h / 2
        unsaved.paint(ui.pen, right, middle)
        right -= unsaved.room
        left += ui.pen.text(self.shown.text, left, middle, TITLE, "hi", BOLD, room=right - left) + 14
        if self.shown.note and right - left > 40:
            ui.pen.text(self.shown.note, left, middle + 1, CAPTION, "mid", SEMIBOLD, room=right - left, cut=True)


class Arrow(Target):
    """The back arrow."""

    means = "back"

    def paint(self, pen: Pen) -> None:
        if self.pressed:
            pen.fill(0, 0, pen.w - 1, pen.h - 1, "bg4")
        pen.icon("arrow-left", pen.w / 2, pen.h / 2, 24, "mid")
        pen.fill(pen.w - 1, 0, 1, pen.h - 1, "line")
