"""Gears and gear-down: articles 6-1, 6-3 and 13."""

from __future__ import annotations

import pytest

from tests.table import WEAR, Table


def one(**car: object) -> Table:
    return Table([{"car": 1, "at": "4:left:1", "gear": 6, **car}], to_play=[1])


@pytest.mark.article("competition", "13-1", "13-4", "6-1-1")
def test_the_gear_down_table() -> None:
    table = one()
    assert {option.answer: dict(option.wear) for option in table.options} == {
        6: {},
        5: {},
        4: {"gearbox": -1},
        3: {"gearbox": -1, "brakes": -1},
        2: {"gearbox": -1, "brakes": -1, "engine": -1},
    }
    table.say(3)
    assert table.car(1).wear == {**WEAR, "gearbox": 2, "brakes": 2}
    assert table.ruling("gear_down").article == "13-4"


@pytest.mark.article("competition", "6-1-2", "13-2")
def test_four_gears_are_never_skipped() -> None:
    one().refuses(1, "gears allowed now are")
