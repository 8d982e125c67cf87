"""A listing on the screen: heads, and rows that scroll, each cell drawn by the kind of its column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL
from companion.screens.kit.touch import Target
from companion.view.listing import Cell, Column, ColumnKind, Listing, Row

HEAD_HEIGHT: Final = 32.0
ROW_HEIGHT: Final = 31.4
HEADS_HEIGHT: Final = 52.0
"""Height of the heads of the columns for a finger, in dp."""
WIDTHS: Final[dict[ColumnKind, float]] = {"place": 36.0, "car": 32.0, "points": 36.0}
"""Widths of columns that are always the same, in dp."""
NOTE_WIDTH: Final = 116.0
"""Width of the notes beside the cells of a column, in dp."""
MIN_NAME_WIDTH: Final = 82.0
MAX_SCORE_WIDTH: Final = 64.0
"""Maximum width of the column of a race, in dp."""
GAP: Final = 14.0
"""Space between columns of words and figures, in dp."""
SUBSTITUTE: Final = "S"
"""Mark of points that a substitute has driven for an entrant."""


class ShownRow(NamedTuple):
    """A row with its columns, and the left edges of these; the last edge is the right one of them all."""

    columns: tuple[Column, ...]
    edges: tuple[float, ...]
    cells: Row


class ListingRow(RowView):
    """A row of a listing."""

    def draw(self, pen: Pen, shown: ShownRow) -> None:
        for column, left, right, cell in zip(
            shown.columns, shown.edges, shown.edges[1:], shown.cells, strict=False
        ):  # fmt: skip
            _DRAWN[column.kind](pen, cell, left, right)


class Heads(Target):
    """Heads of the columns of races; `on_head(result)` for one with a result."""

    joined = True

    def __init__(self, on_head: Callable[[str], object], **properties: Any) -> None:
        super().__init__(on_tap=self._on_head, **properties)
        self.on_head = on_head
        self._at = 0
        """Column under the finger."""

    def on_touch_down(self, touch: Any) -> bool:
        if self.shown and not self.pressed and self.collide_point(*touch.pos):
            self._at = min(int((touch.x - self.x) * len(self.shown) / self.width), len(self.shown) - 1)
        return super().on_touch_down(touch)

    def _on_head(self) -> None:
        heads: tuple[Column, ...] = self.shown or ()
        if self._at < len(heads) and heads[self._at].of:
            self.on_head(heads[self._at].of)

    def paint(self, pen: Pen) -> None:
        heads: tuple[Column, ...] = self.shown or ()
        step = pen.w / max(1, len(heads))
        for at, head in enumerate(heads):
            if self.pressed and at == self._at and head.of:
                pen.fill(step * at, 0, step, HEAD_HEIGHT - 1, "bg4")
            middle, ink = step * (at + 0.5), "hi" if head.of else "low"
            pen.text(head.short or head.title, middle, HEAD_HEIGHT / 2, SMALL, ink, SEMIBOLD, "centre", room=step)


class ListingPane(Composed):
    """A `Listing`; `on_head` is called with the result that the head of a column opens."""

    def __init__(self, on_head: Callable[[str], object], **properties: Any) -> None:
        self.rows, self.heads = Rows(ListingRow, high=ROW_HEIGHT), Heads(on_head)
        super().__init__(**properties)

    def compose(self, ui: Ui) -> None:
        listing: Listing | None = self.shown
        if listing is None:
            return
        columns, edges = listing.columns, column_edges(ui.pen, listing)
        ui.place(Area(0, HEAD_HEIGHT, ui.area.w, ui.area.h - HEAD_HEIGHT), self.rows)
        self.rows.show([ShownRow(columns, edges, row) for row in listing.rows])
        for column, left, right in zip(columns, edges, edges[1:], strict=False):
            self._head(ui.pen, column, left, right)
        if races := [at for at, column in enumerate(columns) if column.kind == "score"]:
            left, right = edges[races[0]], edges[races[-1] + 1]
            ui.place(Area(left, 0, right - left, HEADS_HEIGHT), self.heads)
            self.heads.show(tuple(columns[at] for at in races))

    def _head(self, pen: Pen, column: Column, left: float, right: float) -> None:
        middle = HEAD_HEIGHT / 2
        if column.kind == "points":
            end = left + WIDTHS["points"]
            pen.text(column.note, end + GAP, middle, SMALL, "low", SEMIBOLD, room=NOTE_WIDTH - 2 * GAP)
            pen.text(column.short or column.title, end, middle, SMALL, "low", SEMIBOLD, "right", room=40)
        elif column.kind == "figure":
            pen.text(column.title, right - GAP / 2, middle, SMALL, "low", SEMIBOLD, "right", room=right - left)
        elif column.kind == "text":
            pen.text(column.title, left + 6, middle, SMALL, "low", SEMIBOLD, room=right - left)


def column_edges(pen: Pen, listing: Listing) -> tuple[float, ...]:
    """Return the left edges of the columns and the right edge of the last, in dp.

    Races share what the other columns leave, up to a maximum; names take the rest.
    """
    texts = listing.texts
    widths: dict[int, float] = {}
    for at, column in enumerate(listing.columns):
        if column.kind in WIDTHS:
            widths[at] = WIDTHS[column.kind] + (NOTE_WIDTH if column.note else 0)
        elif column.kind in ("text", "figure"):
            said = [(column.title, SMALL), *((row[at], BODY) for row in texts)]
            widths[at] = max(pen.width(text, size, SEMIBOLD) for text, size in said) + GAP
    names = [at for at, column in enumerate(listing.columns) if column.kind == "name"]
    races = [at for at, column in enumerate(listing.columns) if column.kind == "score"]
    room = pen.w - sum(widths.values())
    step = min(MAX_SCORE_WIDTH, (room - MIN_NAME_WIDTH * len(names)) / max(1, len(races)))
    widths |= dict.fromkeys(races, step)
    widths |= dict.fromkeys(names, (room - step * len(races)) / max(1, len(names)))
    edges = [0.0]
    for at in range(len(listing.columns)):
        edges.append(edges[-1] + widths[at])
    return tuple(edges)


def _place(pen: Pen, cell: Cell, _: float, right: float) -> None:
    pen.text(cell.text, right - 9, pen.h / 2, BODY, "mid", SEMIBOLD, "right")


def _car(pen: Pen, cell: Cell, left: float, right: float) -> None:
    for one, _ in cell.cars[:1]:
        plate.draw(pen, one, (left + right) / 2, pen.h / 2, 24)
    if not cell.cars:
        pen.text(cell.text, (left + right) / 2, pen.h / 2, BODY, "mid", SEMIBOLD, "centre")


def _name(pen: Pen, cell: Cell, left: float, right: float) -> None:
    pen.text(cell.text, left + 6, pen.h / 2, BODY, "hi", SEMIBOLD, room=right - left - 10, cut=True)


def _figure(pen: Pen, cell: Cell, _: float, right: float) -> None:
    pen.text(cell.text, right - GAP / 2, pen.h / 2, BODY, "hi", SEMIBOLD, "right")


def _score(pen: Pen, cell: Cell, left: float, right: float) -> None:
    middle, x, marks = pen.h / 2, (left + right) / 2, cell.marks
    win, out = "win" in marks, "out" in marks
    if win:
        pen.fill(x - 14, middle - 12, 28, 24, "pri", 4)
    ink = "onpri" if win else "low" if "to_come" in marks or "dropped" in marks or out else "hi"
    size = BODY if len(cell.text) < 3 else SMALL
    wide = pen.text(cell.text, x, middle, size, ink, SEMIBOLD, "centre", floor=14)
    if "substitute" in marks:
        pen.text(SUBSTITUTE, x + max(14.0 if win else 0.0, wide / 2) + 1, middle - 5, CAPTION, "mid", BOLD)
    if out:
        pen.fill(x - 8, middle + 11, 16, 2, "bad")


def _points(pen: Pen, cell: Cell, left: float, _: float) -> None:
    """Draw a sum, a line to its neighbours with as many points, and what breaks the tie."""
    middle, right = pen.h / 2, left + WIDTHS["points"]
    pen.text(cell.text, right, middle, NAME, "hi", BOLD, "right")
    above, below = "tied_above" in cell.marks, "tied_below" in cell.marks
    if above or below:
        top, bottom = 0.0 if above else middle - 5, pen.h if below else middle + 5
        pen.fill(right + 4, top, 2, bottom - top, "rim")
    ink = "hi" if "ahead" in cell.marks else "mid"
    pen.text(cell.note, right + GAP, middle, SMALL, ink, SEMIBOLD, room=NOTE_WIDTH - 20)


_DRAWN: Final[dict[ColumnKind, Callable[[Pen, Cell, float, float], None]]] = {
    "place": _place, "car": _car, "name": _name, "text": _name, "figure": _figure, "score": _score, "points": _points,
}  # fmt: skip
