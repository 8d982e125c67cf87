"""The way of an answer from the finger to the picture: nothing is asked on the way there, nothing is made twice."""

from __future__ import annotations

import pytest

from tests.bench.short_way import LAID, PICTURE, Way
from tests.screens.table import Table


@pytest.mark.parametrize("ask", ["gear", "roll"])
def test_a_tap_goes_straight_to_the_desk_and_comes_back_as_one_picture(table: Table, ask: str) -> None:
    def first() -> tuple[float, float]:
        return table.ui.where(table.prompt.keys[0].label, below=table.prompt.title)

    if ask == "roll":
        table.tap(*first())
    asked, place = table.prompt.key, first()
    way = Way(table).of(lambda: table.tap(*place))
    assert table.prompt.key != asked
    assert way.asked_before() == set()
    assert (way.count(PICTURE), way.count(LAID)) == (1, 1)
