"""What a rulebook of the dice-and-gears family may change without touching the procedure: its cars, its pools, its
figures and the names of its articles."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import pytest

from companion.circuits import load
from companion.desk import RaceDesk
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.figures import figure, read_figures
from companion.rules.dice.figures import Figures
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.order import Order
from companion.rules.dice.state import Car, RaceState
from companion.rules.dice.wear import Cost
from companion.rules.rulebooks import begin
from tests.rules.competition.boards import TOW
from tests.table import WEAR, Table


class Kart(Car):
    """A car with something of its own."""

    horns: int = 0


class KartRace(RaceState[Kart]):
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
    again = rules.clone()
    assert isinstance(again.race, KartRace)
    assert isinstance(again.car(1), Kart)
    assert (again.race.honked, again.car(1).horns, again.save()) == (3, 2, rules.save())


def test_the_parts_of_a_car_pay_from_the_pool_that_the_rulebook_has() -> None:
    rules = karts(Kart(1, wear={"points": 3}))
    car = rules.car(1)
    assert rules.wear.points_left(car, "brakes") == rules.wear.points_left(car, "engine") == 3
    assert rules.wear.option_cost(Cost((("brakes", 2), ("tyres", 1), ("engine", 0)))) == {"points": -3}
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


@pytest.mark.article("competition", "5-0-2", "5-3")
@pytest.mark.parametrize(("rulebook", "points"), [("competition", 2), ("league", 0), ("cup", 0)])
def test_in_a_position_a_stand_keeps_nothing_where_the_rulebook_has_no_points_for_it(
    rulebook: str, points: int
) -> None:
    assert Table(CARS, to_play=[1, 2], rulebook=rulebook).car(1).stand == points


CARS: list[dict[str, Any]] = [{"car": 1, "at": "0:left:3"}, {"car": 2, "at": "0:right:3"}]


def test_nearer_the_inside_is_the_lane_with_the_shortest_way_through_the_next_corner() -> None:
    """Sainte-Dévote has 7, 5 and 3 spaces from left to right."""
    rules = Table(CARS, "monaco", to_play=[1, 2]).rulebook
    out = {lane: rules.order.from_inside(Car(9, at=f"0:{lane}:3")) for lane in ("left", "middle", "right")}
    assert out == {"left": 2, "middle": 1, "right": 0}
    assert rules.order.from_inside(Car(9, at="pit:3")) == 0
    assert rules.order.from_inside(Car(9, at="2:left:3")) == 0  # the next one bends the other way
    assert Order.level_order(rules.order, Car(1, at="0:right:3")) < Order.level_order(
        rules.order, Car(2, at="0:left:3")
    )
    assert Order.level_order(rules.order, Car(2, at="0:left:3", gear=4)) < Order.level_order(
        rules.order, Car(1, at="0:right:3")
    )


@pytest.mark.article("competition", "10-3")
@pytest.mark.article("league", "tyres.spin")
@pytest.mark.parametrize("rulebook", ["competition", "league", "cup"])
def test_a_car_that_has_no_tyres_and_loses_none_does_not_spin(rulebook: str) -> None:
    car = {"car": 1, "gear": 2, "at": "2:left:2", "wear": {**WEAR, "tyres": 0}}
    table = Table([car], TOW, to_play=[1], rulebook=rulebook)
    table.say(2, 3)
    option = table.option(space="2:left:5", brakes=0)
    assert (option.facts, option.wear) == ({"moved": 3}, {})
    table.land("2:left:5")
    assert table.car(1).status == "racing"


@pytest.mark.article("competition", "18-0-2", "18-2-1")
@pytest.mark.parametrize(("rulebook", "says"), [("competition", None), ("cup", {"sheet": True})])
def test_what_the_table_has_to_judge_by_itself_on_a_corner_sheet_stands_with_the_slipstream(
    rulebook: str, says: dict[str, Any] | None
) -> None:
    cars = [{"car": number, "gear": 5, "at": "after:1"} for number in (1, 2)]
    table = Table(cars, "monza", to_play=[1], rulebook=rulebook)
    table.say(5, 11)
    while table.ask != "saw":
        table.say(None)
    table.say({"in": "after corner 1", "ahead": 2})
    question = table.talk.question
    assert question is not None
    assert (table.open, question.fields) == (("slipstream", 1, "tow_1"), says)


@pytest.mark.article("competition", "19-1-1", "19-2-5")
@pytest.mark.article("league", "pit.lane")
@pytest.mark.parametrize(("rulebook", "places"), [("competition", ["pit"]), ("league", ["pit", "box"])])
def test_on_a_corner_sheet_a_box_is_waited_for_unless_it_holds_many(rulebook: str, places: list[str]) -> None:
    cars = [
        {"car": 1, "gear": 3, "at": "pit:1", "box": 1, "status": "pit"},
        {"car": 2, "gear": 0, "at": "box:1", "box": 1},
    ]
    table = Table(cars, "monza", to_play=[1], rulebook=rulebook)
    table.say(3, 7)
    assert table.fields["in"] == places


@pytest.mark.article("competition", "9-0-1")
@pytest.mark.article("cup", "start.first-gear")
@pytest.mark.article("league", "start.roll")
@pytest.mark.article("death", "basic.start")
@pytest.mark.parametrize(
    ("rulebook", "wear"),
    [
        ("competition", {**WEAR, "body": 1}),
        ("cup", {**WEAR, "body": 0}),
        ("league", {**WEAR, "body": 1}),
        ("death", {"points": 0}),
    ],
)
@pytest.mark.parametrize("status", ["grid", "stalled"])
def test_a_car_that_was_not_put_out_where_it_stood_has_still_to_start(
    rulebook: str, wear: dict[str, int], status: str
) -> None:
    """A car that starts has hit the one ahead; the collision die was misread and the board stands."""
    cars: list[dict[str, Any]] = [
        {"car": 1, "at": "20:left:10", "gear": 0, "lap": 0, "status": "grid"},
        {"car": 2, "at": "20:left:13", "gear": 0, "lap": 0, "status": status, "wear": wear},
    ]
    setup: dict[str, Any] = {"rulebook": rulebook, "track": "monaco", "laps": 3, "cars": cars, "to_play": [1]}
    desk = RaceDesk(begin(setup, load("monaco")), setup=setup)
    while desk.asked is not None and (desk.asked.what, desk.asked.car) != ("collision", 2):
        spaces = [option.answer for option in desk.asked.options or []]
        faces = [face for face in (5, 2, 1) if face in (desk.asked.faces or [])]
        desk.answer(spaces[0] if spaces else faces[0])
    n = desk.n
    desk.answer(1)
    while desk.asked is not None and desk.asked.what in ("collision", "weather"):
        desk.answer(20)
    car: Any = desk.rulebook.race.cars[1]
    assert car.lost
    asks = desk.try_correction(n, 20, keep="board").asks
    desk.correct(n, 20, keep="board", then=[20] if asks is not None else [])
    car = desk.rulebook.race.cars[1]
    assert (car.status, car.at) == (status, "20:left:13")
    assert list(desk.rulebook.faults()) == []
