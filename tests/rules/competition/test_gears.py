"""Gears and gear-down: articles 6-1, 6-3 and 13."""

from __future__ import annotations

import pytest

from tests.table import WEAR, Table

DEAR = [[1, 0, 0], [1, 1, 0], [1, 1, 2]]
"""A table on which three gears skipped cost two engine points: no car races without any."""


def one(gear_down: object = None, **car: object) -> Table:
    options = {} if gear_down is None else {"options": {"gear_down": gear_down}}
    return Table([{"car": 1, "at": "4:left:1", "gear": 6, **car}], to_play=[1], **options)


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


@pytest.mark.article("competition", "13-4", "13-1")
@pytest.mark.parametrize(("before", "gear"), [(6, 4), (5, 3), (4, 2), (3, 1)])
def test_one_gear_skipped_costs_gearbox(before: int, gear: int) -> None:
    table = one(gear=before)
    table.say(gear)
    assert table.car(1).wear == {**WEAR, "gearbox": 2}
    assert table.ruling("gear_down").facts == {"before": before, "gear": gear, "skipped": 1}


@pytest.mark.article("competition", "6-1-1")
@pytest.mark.parametrize(("before", "offered"), [(1, {1, 2}), (2, {1, 2, 3}), (5, {1, 2, 3, 4, 5, 6})])
def test_one_up_at_most_and_one_down_for_nothing(before: int, offered: set[int]) -> None:
    table = one(gear=before)
    assert {option.answer for option in table.options} == offered
    if before < 6:
        table.say(before + 1)
        assert table.ruling("gear").facts == {"before": before, "gear": before + 1}
        assert table.car(1).wear == WEAR


@pytest.mark.article("competition", "6-1-2", "13-2")
def test_four_gears_are_never_skipped() -> None:
    table = one()
    assert 2 in [option.answer for option in table.options], "three may be"
    table.refuses(1, "This question allows")


@pytest.mark.article("competition", "13-1", "5-1-3")
@pytest.mark.parametrize(
    ("pools", "offered"),
    [
        ({"gearbox": 0}, {6, 5}),
        ({"brakes": 0}, {6, 5, 4}),
        ({"engine": 1}, {6, 5, 4, 3}),
    ],
)
def test_a_skip_that_cannot_be_paid_is_not_offered(pools: dict[str, int], offered: set[int]) -> None:
    """Ruling 22."""
    table = one(DEAR, wear={**WEAR, **pools})
    assert {option.answer for option in table.options} == offered
    table.refuses(min(offered) - 1, "This question allows")


@pytest.mark.article("competition", "6-1-1", "13-1", "13-2")
@pytest.mark.parametrize(
    ("before", "wear", "gear", "why"),
    [
        (2, {}, 4, ("up", "6-1-1", 1, "", 0, 0)),
        (6, {}, 1, ("down", "13-2", 4, "", 0, 0)),
        (6, {"gearbox": 0}, 4, ("points", "13-1", 0, "gearbox", 1, 0)),
        (6, {"engine": 1}, 2, ("points", "13-1", 0, "engine", 2, 1)),
    ],
)
def test_a_gear_that_is_not_offered_says_why(before: int, wear: dict[str, int], gear: int, why: tuple[object]) -> None:
    table = one(DEAR, gear=before, wear={**WEAR, **wear})
    said = {gear: table.rulebook.gears.barred(table.car(1), gear) for gear in range(1, 7)}
    assert {gear for gear, barred in said.items() if barred is None} == {option.answer for option in table.options}
    assert said[gear] == why


@pytest.mark.article("competition", "13-3", "17-0-1")
@pytest.mark.parametrize(("gear", "dangers"), [(2, ["4:left:1"]), (3, [])])
def test_an_engine_point_of_a_gear_down_marks_where_the_turn_began(gear: int, dangers: list[str]) -> None:
    table = one()
    table.say(gear)
    assert table.race.dangers == dangers
    if dangers:
        assert table.ruling("danger").article == "13-3"
        assert table.car(1).wear == {**WEAR, "gearbox": 2, "brakes": 2, "engine": 2}
    assert table.ask == "roll"


@pytest.mark.article("competition", "13-3", "16-0-3-1")
def test_the_last_engine_point_may_be_spent_and_ends_the_race() -> None:
    """Ruling 23: no die, a marker, and the car is off at once."""
    table = one(wear={**WEAR, "engine": 1})
    assert table.option(2).facts == {"out": "engine"}
    assert "out" not in table.option(3).facts
    table.say(2)
    assert table.car(1).status == "out"
    assert table.ruling("out").article == "16-0-3-1"
    assert table.race.dangers == ["4:left:1"]
    assert "move" not in table.kinds()
    assert table.open is None


@pytest.mark.article("competition", "13-1")
def test_an_imposed_gear_costs_nothing() -> None:
    """Ruling 24: a restart in 1st after a spin in 6th."""
    table = Table([{"car": 1, "at": "4:left:1", "gear": 6, "status": "spun"}], to_play=[1])
    table.say(10)
    assert table.open == ("roll", 1, "gear_1")
    assert table.car(1).wear == WEAR
    assert "gear_down" not in table.kinds()


@pytest.mark.article("competition", "13-4")
def test_a_gear_down_table_of_ones_own() -> None:
    """The table is a figure: with two rows only two gears can be skipped."""
    table = Table([{"car": 1, "at": "4:left:1", "gear": 6}], to_play=[1], options={"gear_down": [[2, 0, 0], [0, 2, 0]]})
    assert {option.answer: dict(option.wear) for option in table.options} == {
        6: {},
        5: {},
        4: {"gearbox": -2},
        3: {"brakes": -2},
    }
