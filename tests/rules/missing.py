"""Corners left with stops missing, by every rulebook in which two are the end: Piscine wants two, Loews three."""

from __future__ import annotations

import pytest

from tests.table import Table

STOPS = pytest.mark.parametrize(
    ("place", "stops", "out"),
    [("15:left:9", 0, True), ("15:left:9", 1, False), ("9:right:12", 0, True), ("9:right:12", 1, True),
     ("9:right:12", 2, False)],
)  # fmt: skip
"""Where a car stands at the end of a corner, how many stops it has made there, and whether leaving it is the end."""


def leave(table: Table, out: bool) -> None:
    """Leave the corner without braking: said before as it comes."""
    table.say(1, 1)
    (option,) = [option for option in table.options if not option.answer["brakes"]]
    assert option.facts.get("out") == ("overshoot" if out else None)
    table.say(option.answer)
    assert table.car(1).alive != out
