"""A race in review: curves and tables, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from kivy.graphics import Line

from companion.drawing.paints import paint_of
from companion.screens.kit import plate
from companion.screens.kit.chart import legible
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, theme
from companion.view.pages.after import Curves, Grid, Topic

LEFT: Final = 132.0
HEAD: Final = 64.0
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


class AfterPage(Pane):
    """A page that shows the topics of a race, with the one named `topic` open.

    `on_topic(name)` is called when another is chosen.
    """

    def __init__(self, on_topic: Callable[[Topic], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_topic, self.topic = on_topic, ""
        self.keys: list[Key] = []
        self.curves, self.rows = CurvesView(), Rows(GridRow, high=ROW)

    @property
    def open(self) -> Curves | Grid | None:
        """The open topic, the first if `topic` is unknown; None without any."""
        found: tuple[Curves | Grid, ...] = self.shown or ()
        return next((one for one in found if one.topic == self.topic), found[0] if found else None)

    def arrange(self) -> None:
        found: tuple[Curves | Grid, ...] = self.shown or ()
        now = self.open
        self.as_many(self.keys, len(found), Key)
        for key, one in zip(self.keys, found, strict=True):
            key.on_tap = partial(self.on_topic, one.topic)
            label = theme.words.screen(f"after.key.{one.topic}")
            key.show(Face(label=label, look="option", size=BODY, chosen=one is now))
        self.put_rows(self.keys, 12, 8, LEFT - 24, 52, across=1)
        if isinstance(now, Curves):
            self.curves.show(now)
            self.put(self.curves, LEFT, HEAD - 18, self.w - LEFT, self.h - HEAD + 18)
        elif now is not None:
            self.rows.show([(which, name, cells, len(now.head)) for which, name, cells in now.rows])
            self.put(self.rows, LEFT, HEAD, self.w - LEFT, self.h - HEAD)
        self.only([self.curves if isinstance(now, Curves) else self.rows], of=(self.curves, self.rows))

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        now = self.open
        if now is None:
            return
        pen.text(now.title, LEFT + 8, 22, NAME, "hi", BOLD, room=pen.w - LEFT - 20)
        if isinstance(now, Grid):
            wide = cell_wide(pen.w - LEFT, len(now.head))
            for at, word in enumerate(reversed(now.head)):
                x = pen.w - 14 - at * wide
                pen.text(word, x, 49, CAPTION, "mid", SEMIBOLD, "right", room=wide - 8, cut=True)
            pen.fill(LEFT, HEAD - 1, pen.w - LEFT, 1, "line")
