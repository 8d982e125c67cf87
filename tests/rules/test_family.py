"""What a rulebook of the dice-and-gears family may change without touching the procedure: its cars, its pools, its
figures and the names of its articles."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import pytest

from companion.circuits import load
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.figures import figure, read_figures
from companion.rules.dice.figures import Figures
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.order import Order
from companion.rules.dice.state import Car, Race
from tests.table import Table


class Kart(Car):
    """A car with something of its own."""

    horns: int = 0


class KartRace(Race[Kart]):
    """A race of such cars, which wear in one pool."""

    pools: ClassVar = ("points",)
    honked: int = 0


class KartFigures(Figures, frozen=True):
    """Another value, and one figure less."""

    without: ClassVar = frozenset({"stand_points"})
    engine_dry: Annotated[int, figure("horn.engine", 0, 20)] = 1


class Karts(FormulaDe[Kart, KartRace, KartFigures]):
    """A rulebook of one pool."""

    name = "karts"
    race_type = KartRace
    figures_type = KartFigures
    pool_of: ClassVar = dict.fromkeys(("tyres", "brakes", "gearbox", "body", "engine", "handling"), "points")
    cites: ClassVar = {"16": "horn.engine", "16-0-3": "horn.broken", "13": "horn.gears"}


def karts(*cars: Kart) -> Karts:
    race = KartRace(3, list(cars), phase="race", surface="dry")
    return Karts(race, load("monaco"), KartFigures())


def test_a_race_keeps_its_own_cars_and_fields() -> None:
    rules = karts(Kart(1, wear={"points": 6}, horns=2))
    rules.race.honked = 3
    again = rules.spare()
    assert isinstance(again.race, KartRace)
    assert isinstance(again.car(1), Kart)
    assert (again.race.honked, again.car(1).horns, again.save()) == (3, 2, rules.save())


def test_the_parts_of_a_car_pay_from_the_pool_that_the_rulebook_has() -> None:
    rules = karts(Kart(1, wear={"points": 3}))
    car = rules.car(1)
    assert rules.wear.left(car, "brakes") == rules.wear.left(car, "engine") == 3
    assert rules.wear.cost({"brakes": 2, "tyres": 1, "engine": 0}) == {"points": -3}
    assert rules.gears.can_pay(car, {"gearbox": 2, "brakes": 1})
    assert not rules.gears.can_pay(car, {"gearbox": 2, "brakes": 1, "engine": 1})
    rules.wear.lose(car, "blocked", "12-0-1", {"brakes": 3, "tyres": 1})
    assert car.wear == {"points": 0}
    assert rules.ruled[-1].wear == {"points": -3}


@pytest.mark.parametrize(
    ("number", "name"),
    [("16-0-3", "horn.broken"), ("16-0-3-1", "horn.broken"), ("16-0-2", "horn.engine"), ("13-4", "horn.gears"),
     ("1-3", "1-3"), ("ruling 16", "ruling 16"), ("horn.engine", "horn.engine")],
)  # fmt: skip
def test_an_article_has_the_name_of_its_longest_known_beginning(number: str, name: str) -> None:
    assert Karts.article(number) == name


def test_figures_have_another_value_and_article_or_are_not_there() -> None:
    shown = {one.name: one for one in Karts.listed()}
    assert (shown["engine_dry"].value, shown["engine_dry"].article) == (1, "horn.engine")
    assert (shown["engine_wet"].value, shown["engine_wet"].article) == (3, "horn.engine")
    assert "stand_points" not in shown
    assert read_figures({"engine_dry": 2}, KartFigures).engine_dry == 2
    with pytest.raises(BadSetup, match="no figure or switch called stand_points"):
        read_figures({"stand_points": 2}, KartFigures)


CARS: list[dict[str, Any]] = [{"car": 1, "at": "0:left:3"}, {"car": 2, "at": "0:right:3"}]


def test_nearer_the_inside_is_the_lane_with_the_shortest_way_through_the_next_corner() -> None:
    """Sainte-Dévote has 7, 5 and 3 spaces from left to right."""
    rules = Table(CARS, "monaco", to_play=[1, 2]).rulebook
    out = {lane: rules.order.from_inside(Car(9, at=f"0:{lane}:3")) for lane in ("left", "middle", "right")}
    assert out == {"left": 2, "middle": 1, "right": 0}
    assert rules.order.from_inside(Car(9, at="pit:3")) == 0
    assert Order.level_order(rules.order, Car(1, at="0:right:3")) < Order.level_order(
        rules.order, Car(2, at="0:left:3")
    )
    assert Order.level_order(rules.order, Car(2, at="0:left:3", gear=4)) < Order.level_order(
        rules.order, Car(1, at="0:right:3")
    )
