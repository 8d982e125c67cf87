"""Brakes: article 11, alone and together with overshooting."""

from __future__ import annotations

import pytest

from tests.table import WEAR, Table


def one(brakes: int = 3, at: str = "2:right:1", gear: int = 3, **car: object) -> Table:
    return Table([{"car": 1, "at": at, "gear": gear, "wear": {**WEAR, "brakes": brakes}, **car}], to_play=[1])


@pytest.mark.article("competition", "11-0-1", "11-0-3")
def test_each_brake_point_is_a_space_less() -> None:
    table = one()
    table.say(3, 7)
    for brakes in range(4):
        option = table.option(space=f"2:right:{8 - brakes}", brakes=brakes)
        assert option.wear == ({"brakes": -brakes} if brakes else {})
        assert option.facts["moved"] == 7 - brakes
    assert not table.spaces(4), "there are three points"
    table.land("2:right:6", brakes=2)
    assert table.car(1).wear == {**WEAR, "brakes": 1}
    ruling = table.ruling("brake")
    assert (ruling.article, ruling.wear, ruling.facts) == ("11-0-3", {"brakes": -2}, {"spaces": 2})


@pytest.mark.article("competition", "11-0-1")
def test_a_move_may_be_braked_away_altogether() -> None:
    table = one(gear=2)
    table.say(2, 3)
    assert table.option(space="2:right:1", brakes=3).facts == {"moved": 0}
    table = one(brakes=2, gear=2)
    table.say(2, 3)
    assert "2:right:1" not in {option.answer["space"] for option in table.options}


@pytest.mark.article("competition", "11-0-4")
def test_without_a_point_there_is_no_braking() -> None:
    table = one(brakes=1)
    table.say(3, 4)
    table.land("2:right:4", brakes=1)
    assert table.car(1).wear["brakes"] == 0
    assert table.car(1).status == "racing", "the race goes on"
    table.say(3, 4)
    assert {option.answer["brakes"] for option in table.options} == {0}


@pytest.mark.article("competition", "11-0-2", "10-0-1")
@pytest.mark.parametrize(
    ("brakes", "tyres", "space"), [(0, 4, "2:right:4"), (1, 3, "2:right:3"), (3, 1, "2:right:1"), (4, 0, "1:right:3")]
)
def test_brakes_instead_of_tyres_in_any_mixture(brakes: int, tyres: int, space: str) -> None:
    """Seven spaces from 0:right:5: three of corner and four beyond."""
    table = one(brakes=5, at="0:right:5")
    table.say(3, 7)
    cost = {pool: -points for pool, points in (("brakes", brakes), ("tyres", tyres)) if points}
    assert table.option(space=space, brakes=brakes).wear == cost
    table.land(space, brakes=brakes)
    assert table.car(1).wear == {**WEAR, "brakes": 5 - brakes, "tyres": 6 - tyres}


@pytest.mark.article("competition", "11-0-2", "10-3")
def test_the_driver_must_choose_to_be_saved() -> None:
    """Ruling 41: with two tyres and seven spaces, two brakes save the car; who does not take them is out."""
    table = one(brakes=2, at="0:right:5", wear={**WEAR, "tyres": 2, "brakes": 2})
    table.say(3, 7)
    assert table.option(brakes=2).facts["spin"] is True
    assert "out" not in table.option(brakes=2).facts
    assert table.option(brakes=1).facts["out"] == "overshoot"
    table.land("2:right:3", brakes=1)
    assert table.car(1).status == "out"
    assert table.car(1).wear["brakes"] == 1
