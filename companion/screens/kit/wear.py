"""Wear points as segments: left, spent, about to be spent, repaired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.theme import CAPTION, VALUE
from companion.view.shown import Column, Loss

HIGH: Final = 60.0
WIDE: Final = 22.0
GAP: Final = 2.0
USUAL: Final = 6
"""Pool size for which a segment has its usual height; a larger pool has lower segments."""

FROM_COUNT: Final = 17.0
"""Distance from the foot of the segments to the middle of the count, in dp."""
FROM_ICON: Final = 42.0


def columns(pen: Pen, listed: Sequence[Column], x: float, y: float, room: float, high: float = HIGH) -> None:
    """Draw wear columns side by side, with counts and pictograms below.

    The segments are `high` dp high in all, from `y`.
    """
    pitch = room / max(6, len(listed))
    left = x + (room - pitch * len(listed)) / 2 if len(listed) < 6 else x
    for place, column in enumerate(listed):
        draw(pen, column, left + pitch * (place + 0.5), y, high=high)


def draw(pen: Pen, column: Column, middle: float, y: float, name: bool = False, high: float = HIGH) -> None:
    """Draw a wear column, 22 dp wide around `middle`, with its name below if wanted.

    The segments are `high` dp high in all; 0 draws only the count.
    """
    remaining = column.left - column.cost
    state = "bad" if remaining <= 0 else "warn" if remaining == 1 else "hi"
    if column.repaired:
        state = "ok"
    gap = GAP if column.built <= 12 else 1.0
    each = max(USUAL, column.built)
    each_high = (high - gap * (each - 1)) / each
    for point in range(column.built if high else 0):
        top = y + high - (point + 1) * each_high - point * gap
        box = (middle - WIDE / 2, top, WIDE, each_high)
        if point >= column.left:
            pen.rim(*box, "rim", 1.0 if each_high < 6 else 1.5, 2)
        elif point >= remaining:
            pen.hatch(*box, "warn")
        elif point >= column.left - column.repaired:
            pen.fill(*box, "ok", 2)
        else:
            pen.fill(*box, "warn" if remaining == 1 or (column.repaired and column.left == 2) else "hi", 2)
    icon = "mid" if state == "hi" else state
    pen.text(str(remaining), middle, y + high + FROM_COUNT, VALUE, state, BOLD, "centre")
    pen.icon(column.pool, middle, y + high + FROM_ICON, VALUE, icon)
    if name:
        pen.text(column.name, middle, y + high + FROM_ICON + 23, CAPTION, "mid", align="centre", room=86)


def spent(before: Sequence[Column], after: Sequence[Column]) -> dict[str, int]:
    """Return the points that each pool has lost."""
    left = {column.pool: column.left for column in before}
    lost = {column.pool: left.get(column.pool, 0) - column.left for column in after}
    return {pool: points for pool, points in lost.items() if points > 0}


def leaving(columns: Sequence[Column], points: Mapping[str, int]) -> tuple[Column, ...]:
    """Return the columns with lost points as if they were only about to be spent."""
    return tuple(
        msgspec.structs.replace(column, left=column.left + still, cost=column.cost + still)
        if (still := min(points.get(column.pool, 0), column.built - column.left)) > 0
        else column
        for column in columns
    )


def bar(pen: Pen, loss: Loss, x: float, y: float, room: float, spent: int = 0, high: float = 16.0) -> None:
    """Draw a pool before and after a ruling as one line of segments.

    `spent` of the lost points are already drawn as spent.
    """
    count = max(1, loss.built)
    wide = min(30.0, (room - 4 * (count - 1)) / count)
    lost, most = max(0, loss.before - loss.after), max(loss.before, loss.after)
    full = "warn" if loss.taken or loss.after == 1 else "hi"
    for point in range(count):
        box = (x + point * (wide + 4), y, wide, high)
        if point >= most - min(spent, lost):
            pen.rim(*box, "rim", 1.5, 2)
        elif point >= loss.after and lost:
            pen.hatch(*box, "warn")
        elif point >= loss.before and loss.taken:
            pen.hatch(*box, full)
        elif point >= loss.before:
            pen.fill(*box, "ok", 2)
        else:
            pen.fill(*box, full, 2)
