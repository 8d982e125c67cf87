"""A change of weather: one sky becomes another, with its effects."""

from __future__ import annotations

from collections.abc import Sequence

from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, NAME, TONES
from companion.view.shown import Fact, SkyTurn

ICON = 40.0
ROW = 25.0


def token(sky: str) -> str:
    """Return the colour token of a sky's pictogram."""
    return "warn" if sky == "sun" else "info"


def draw(pen: Pen, turn: SkyTurn, x: float, y: float, room: float) -> float:
    """Draw the old and the new sky with the effects below; return the y below."""
    quarter = room / 4
    for sky, name, ink, middle in (
        (turn.before, turn.before_name, "mid", x + quarter),
        (turn.icon, turn.name, "hi", x + 3 * quarter),
    ):
        pen.icon(sky, middle, y + ICON / 2, ICON, token(sky))
        pen.text(name, middle, y + ICON + 14, NAME, ink, BOLD, "centre", 2 * quarter - 6)
    pen.icon("arrow-right", x + 2 * quarter, y + ICON / 2, 20, "mid")
    y += ICON + 30
    pen.fill(x, y, room, 1, "line")
    return facts(pen, turn.facts, x, y + 3, room, ROW, BODY)


def facts(pen: Pen, listed: Sequence[Fact], x: float, y: float, room: float, row: float, size: float) -> float:
    """Write facts one per line, as far as they fit; return the y below."""
    for fact in listed:
        if y + row > pen.h:
            break
        middle, end, ink = y + row / 2, x + room, TONES[fact.tone]
        end -= pen.text(fact.value, end, middle, size, ink, BOLD, align="right", room=room * 0.7) + 8
        if fact.before:
            pen.icon("arrow-right", end - 7, middle, 15, "mid")
            end -= 22
            end -= pen.text(fact.before, end, middle, size, "mid", SEMIBOLD, align="right") + 8
        pen.text(fact.label, x, middle, size, "mid", SEMIBOLD, room=end - x)
        y += row
    return y
