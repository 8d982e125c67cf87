"""A race in review: curves and tables, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from kivy.graphics import Line

from companion.drawing.paints import paint_of
from companion.screens.kit import plate
from companion.screens.kit.chart import legible
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, theme
from companion.view.pages.after import Curves, Grid, Topic

LEFT: Final = 132.0
TITLE: Final = 46.0
"""Height of the title above the curves, or above the head of a grid, in dp."""
HEAD: Final = 18.0
ROW: Final = 40.0
MIN_NAME_WIDTH: Final = 150.0
"""Minimum width of plate and name in a row, in dp."""
MAX_CELL_WIDTH: Final = 130.0
"""Maximum width of a cell, in dp."""


class CurvesView(Pane):
    """A view that shows `Curves`: a line for each car, with its plate at the end."""

    def paint(self, pen: Pen) -> None:
        shown: Curves | None = self.shown
        if shown is None:
            return
        left, top, right, bottom = 44.0, 14.0, pen.w - 44, pen.h - 30
        for mark in shown.marks:
            y = top + (bottom - top) * shown.height(mark)
            pen.fill(left, y, right - left, 1, "line")
            pen.text(f"{mark}", left - 8, y, CAPTION, "mid", SEMIBOLD, "right")
        last = max(1, len(shown.columns) - 1)
        every = max(1, -(-len(shown.columns) // 8))
        for at in range(0, len(shown.columns), every):
            pen.text(
                shown.columns[at], left + (right - left) * at / last, pen.h - 12, CAPTION, "mid", SEMIBOLD, "centre"
            )
        for line in shown.lines:
            flat = []
            for column, value in line.points:
                y = top + (bottom - top) * shown.height(value)
                flat += [(left + (right - left) * column / last) * pen.scale, pen.height - y * pen.scale]
            if len(line.points) > 1:
                pen.tint(legible(paint_of(line.plate.place).colour))
                pen.group.add(Line(points=flat, width=1.8 * pen.scale, joint="round", cap="round"))
        for which, column, down in shown.ends(26 / (bottom - top)):
            x, y = left + (right - left) * column / last + 22, top + (bottom - top) * down
            plate.draw(pen, which, min(x, pen.w - 16), min(y, pen.h - 13), 24)


def cell_wide(row: float, cells: int) -> float:
    """Return the width of a cell in dp, leaving room for the name."""
    return min(MAX_CELL_WIDTH, (row - MIN_NAME_WIDTH - 10) / max(1, cells))


class GridRow(RowView):
    """A row of a `Grid`: plate, name and cells."""

    def draw(self, pen: Pen, shown: Any) -> None:
        which, name, cells, columns = shown
        middle = pen.h / 2
        plate.draw(pen, which, 20, middle, 24)
        wide = cell_wide(pen.w, columns)
        left = pen.w - 10 - wide * columns
        said = name or theme.words.screen("new_race.no_name")
        pen.text(said, 40, middle, BODY, "hi" if name else "mid", SEMIBOLD, room=left - 46, cut=True)
        for at, cell in enumerate(cells):
            pen.text(cell, left + (at + 1) * wide - 4, middle, SMALL, "hi", SEMIBOLD, "right", room=wide - 8, cut=True)


class AfterPage(Composed):
    """A page that shows the topics of a race, with the one named `topic` open.

    `on_topic(name)` is called when another is chosen.
    """

    def __init__(self, on_topic: Callable[[Topic], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_topic, self.topic = on_topic, ""

    @property
    def open(self) -> Curves | Grid | None:
        """The open topic, the first if `topic` is unknown; None without any."""
        found: tuple[Curves | Grid, ...] = self.shown or ()
        return next((one for one in found if one.topic == self.topic), found[0] if found else None)

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        topics: tuple[Curves | Grid, ...] = self.shown or ()
        now = self.open
        if now is None:
            return
        for cell, one in zip(ui.area.cut_left(LEFT).inset(12, 8).rows(len(topics), 52), topics, strict=True):
            label = theme.words.screen(f"after.key.{one.topic}")
            face = Face(label=label, look="option", size=BODY, chosen=one is now)
            ui.button(cell, one.topic, face, partial(self.on_topic, one.topic))
        title = ui.area.cut_top(TITLE)
        ui.pen.text(now.title, title.x + 8, 22, NAME, "hi", BOLD, room=title.w - 20)
        if isinstance(now, Curves):
            ui.place(ui.area, ui.named("curves", CurvesView)).show(now)
        else:
            self._compose_grid(ui, ui.area, now)

    def _compose_grid(self, ui: Ui, area: Area, grid: Grid) -> None:
        head = area.cut_top(HEAD)
        wide = cell_wide(head.w, len(grid.head))
        for at, word in enumerate(reversed(grid.head)):
            x = head.right - 14 - at * wide
            ui.pen.text(word, x, head.y + 3, CAPTION, "mid", SEMIBOLD, "right", room=wide - 8, cut=True)
        ui.fill(Area(head.x, head.bottom - 1, head.w, 1), "line")
        rows = [(which, name, cells, len(grid.head)) for which, name, cells in grid.rows]
        ui.place(area, ui.named("grid", partial(Rows, GridRow, high=ROW))).show(rows)
