"""How many stops missed in a corner put a car out: a figure of the table in every rulebook of dice."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import RULEBOOKS
from tests.table import Table

ARTICLES = {"beginner": "beginner.overshoot", "competition": "10-1", "cup": "overshoot.loss",
            "death": "basic.overshoot", "formula-d": "overshoot.missed", "league": "tyres.missed-stops"}  # fmt: skip
BOOKS = [
    pytest.param(name, marks=pytest.mark.article(name, ARTICLES[name]))
    for name, kind in RULEBOOKS.items()
    if issubclass(kind, FormulaDe)
]


@pytest.mark.parametrize("rulebook", BOOKS)
@pytest.mark.parametrize(("stops", "missing"), [(0, 3), (1, 2), (2, 1)])
@pytest.mark.parametrize("missed_stops", [1, 2, 3, 4])
def test_how_many_put_a_car_out_is_the_table_s(rulebook: str, stops: int, missing: int, missed_stops: int) -> None:
    """A car leaves Loews, of three stops, by a space."""
    car: dict[str, Any] = {"car": 1, "at": "9:right:12", "gear": 1, "lap": 1, "stops": stops}
    if RULEBOOKS[rulebook].race_type.pools == ("points",):
        car["wear"] = {"points": 12}
    options = {"missed_stops": missed_stops}
    table = Table([car], track="monaco", rulebook=rulebook, laps=2, to_play=[1], options=options)
    table.say(1, 1)
    if table.ask == "landing":
        (option,) = [option for option in table.options if not option.answer["brakes"]]
        out = missing >= missed_stops
        assert option.facts.get("out") == ("overshoot" if out else None)
        table.say(option.answer)
    assert table.car(1).alive == (missing < missed_stops)
