"""The gear of the start and the highest gear: figures of the table in every rulebook of dice."""

from __future__ import annotations

from typing import Any

import pytest

from companion.circuits import load
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.errors import BadSetup
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import RULEBOOKS
from tests.table import Table

STARTS = {"beginner": "beginner.start", "competition": "9-3", "cup": "start.first-gear", "death": "basic.start",
          "formula-d": "start.normal", "league": "start.roll"}  # fmt: skip
HIGHEST = {"beginner": "gears.six", "competition": "6-2-6", "cup": "gears.announce", "death": "basic.gears",
           "formula-d": "gears.six", "league": "base.gears"}  # fmt: skip
DICE = [name for name, kind in RULEBOOKS.items() if issubclass(kind, FormulaDe)]


def car(rulebook: str, gear: int) -> dict[str, Any]:
    """A car on Monaco's longest straight, which can pay for whatever it does."""
    made: dict[str, Any] = {"car": 1, "at": "0:right:1", "gear": gear, "lap": 1}
    return made | ({"wear": {"points": 12}} if RULEBOOKS[rulebook].race_type.pools == ("points",) else {})


@pytest.mark.parametrize("rulebook", [pytest.param(one, marks=pytest.mark.article(one, STARTS[one])) for one in DICE])
def test_a_car_leaves_the_grid_in_the_gear_of_the_start(rulebook: str) -> None:
    """At once, and after a stall in the next round."""
    grid = [car(rulebook, 0) | {"car": number, "at": None, "status": "grid", "lap": 0} for number in (1, 2)]
    table = Table(grid, track="monaco", rulebook=rulebook, to_play=[1, 2], options={"starting_gear": 3})
    table.say(10)
    assert (table.ask, table.car(1).gear) == ("roll", 3)
    assert table.ruling("start", 1).facts["gear"] == 3
    assert table.told("start", "en").endswith("away in 3rd.")
    driver = HeuristicDriver(load("monaco"))
    while table.open != ("start", 2, "start"):
        table.say(driver.answer(table.talk.asked, table.race))
    table.say(1)
    while table.car(2).status == "stalled":
        table.say(driver.answer(table.talk.asked, table.race))
    assert table.car(2).gear == 3


@pytest.mark.parametrize("rulebook", [pytest.param(one, marks=pytest.mark.article(one, HIGHEST[one])) for one in DICE])
def test_no_gear_above_the_highest_is_offered_nor_may_a_car_be_in_one(rulebook: str) -> None:
    table = Table([car(rulebook, 4)], track="monaco", rulebook=rulebook, to_play=[1], options={"highest_gear": 4})
    assert [option.answer for option in table.options] == [1, 2, 3, 4]
    barred = table.rulebook.gears.barred(table.car(1), 5)
    assert barred is not None
    assert (barred.why, barred.most) == ("highest", 4)
    with pytest.raises(BadSetup, match="Car 1 is in gear 5; the highest of this race is 4"):
        Table([car(rulebook, 5)], track="monaco", rulebook=rulebook, to_play=[1], options={"highest_gear": 4})
    with pytest.raises(BadSetup, match="lower “starting_gear”, or raise “highest_gear”"):
        Table([{"car": 1}], track="monaco", rulebook=rulebook, options={"highest_gear": 4, "starting_gear": 5})
