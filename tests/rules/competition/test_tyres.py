"""Tyres: what a space overshot costs, the slide, the soft space, the age of a set.

Car 1 stands before Sainte-Dévote on the inside, where every move leads straight on: three spaces of corner, then the
straight, from 0:right:5.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW, at
from tests.table import WEAR, Table


def inside(place: str = "0:right:5", gear: int = 3, others: tuple[dict[str, Any], ...] = (), **rest: Any) -> Table:
    setup = {name: rest.pop(name) for name in ("surface", "sky", "laps", "options", "track", "dangers") if name in rest}
    if "surface" in setup:
        setup["sky"] = "changeable"
    car = {"car": 1, "at": place, "gear": gear, "wear": {**WEAR, "tyres": 12}, **rest}
    return Table([car, *others], to_play=[1], **setup)


@pytest.mark.article("competition", "8-1", "8-2", "8-3", "8-1-1", "8-1-2", "8-2-1", "8-2-2", "8-3-1", "8-3-2", "10-0-1")
@pytest.mark.parametrize(
    ("tyres", "surface", "factors", "slide"),
    [
        ("hard", "dry", (1, 1, 1), 0),
        ("hard", "wet", (1, 1, 1), 3),
        ("soft", "dry", (2, 2, 3), 0),
        ("soft", "wet", (2, 2, 3), 3),
        ("rain", "dry", (2, 2, 3), 0),
        ("rain", "wet", (1, 1, 1), 1),
    ],
)
@pytest.mark.parametrize("age", [0, 1, 2, 3])
def test_the_factor(tyres: str, surface: str, factors: tuple[int, ...], slide: int, age: int) -> None:
    """By compound, surface and age of the set, not by what the weather was before (ruling 34): the third lap is the
    dear one, and the fourth no dearer."""
    table = inside(tyres=tyres, surface=surface, tyre_laps=age)
    wet = surface == "wet"
    assert (table.rulebook.tyres.slide_of(tyres, wet=wet), table.rulebook.tyres.factors_of(tyres, wet=wet)) == (
        slide,
        factors,
    )
    table.say(3, 4)
    beyond = 1 + slide
    loss = beyond * factors[min(age, 2)]
    option = table.option(space=f"2:right:{beyond}", brakes=0, soft=0)
    assert option.wear == {"tyres": -loss}
    table.land(f"2:right:{beyond}")
    ruling = table.ruling("overshoot")
    assert (ruling.facts["spaces"], ruling.facts["factor"], ruling.facts["loss"]) == (
        beyond,
        factors[min(age, 2)],
        loss,
    )
    assert ruling.wear == {"tyres": -loss} or table.car(1).wear["tyres"] == 0
    assert table.car(1).wear["tyres"] == 12 - loss


@pytest.mark.article("competition", "8-1-2", "8-2-2", "8-3-2")
@pytest.mark.parametrize(
    ("tyres", "slide", "article"),
    [("hard", 3, "8-1-2"), ("soft", 3, "8-2-2"), ("rain", 1, "8-3-2"), ("", 3, "8-1-2")],
)
def test_the_slide_in_a_corner(tyres: str, slide: int, article: str) -> None:
    """Tabac, left lane of three spaces, from 12:left:9 before it: one space in, then the slide. Tyres of which a
    position says nothing are hard ones."""
    table = inside("12:left:9", 1, tyres=tyres, surface="wet")
    table.say(1, 1)
    end = {1: "13:left:2", 3: "14:left:1"}[slide]
    assert table.option(space=end, brakes=0).facts["slid"] == slide
    assert table.spaces() == {end}, "it cannot be left out"
    table.land(end)
    assert table.ruling("slide").article == article
    assert table.ruling("slide").facts == {"spaces": slide}
    if slide == 3:
        assert table.car(1).stops == 0, "ruling 28: the slide out of it makes the stop an overshoot"
        assert table.ruling("overshoot").facts["spaces"] == 1
    else:
        assert table.car(1).stops == 1


@pytest.mark.article("competition", "8-1-2", "7-1-1")
def test_when_a_car_does_not_slide() -> None:
    """Rulings 26 and 27: not before the corner, not standing still, not with every stop made, not in the dry."""
    table = inside("12:left:8", 1, surface="wet")
    table.say(1, 1)
    assert table.option(space="12:left:9", brakes=0).facts == {"moved": 1}
    table = inside("13:left:1", 1, surface="wet")
    table.say(1, 1)
    assert "slid" not in table.option(space="13:left:1", brakes=1).facts
    table.land("13:left:1", brakes=1)
    assert "slide" not in table.kinds()
    assert table.car(1).stops == 1
    table = inside("13:left:1", 1, surface="wet", stops=1)
    table.say(1, 1)
    assert table.spaces() == {"13:left:2"}
    table = inside("13:left:1", 1, surface="dry")
    table.say(1, 1)
    assert table.spaces() == {"13:left:2"}


@pytest.mark.article("competition", "8-1-2", "12-0-1", "12-1-3")
def test_a_car_that_is_blocked_where_it_stands_does_not_slide() -> None:
    """Tabac, left lane: nothing leads on but the space that another car stands on."""
    table = inside("13:left:1", 1, ({"car": 2, "at": "13:left:2", "gear": 1},), surface="wet", tyres="rain")
    table.say(1, 1)
    table.land("13:left:1")
    assert table.ruling("move").facts["moved"] == 0
    assert "slide" not in table.kinds()


@pytest.mark.article("competition", "8-1-2", "7-1-1")
def test_a_corner_of_two_stops_slides_until_both_are_made() -> None:
    for stops, end in ((0, {"15:left:6"}), (1, {"15:left:6"}), (2, {"15:left:3"})):
        table = inside("15:left:2", 1, surface="wet", stops=stops)
        table.say(1, 1)  # `>3 ^ > > > > ^ ^ ^`: left 2 leads only ahead, and from there left or middle
        assert end <= table.spaces()
        assert ("15:left:3" in table.spaces()) == (stops == 2)


@pytest.mark.article("competition", "8-1-2", "18-0-3")
def test_a_car_slides_once_a_turn() -> None:
    """It has slid on to 11:left:2, in the corner: the slipstream from there goes three spaces and no more."""
    table = inside("10:left:22", 4, ({"car": 2, "at": "11:left:3", "gear": 4},), tyres="rain", surface="wet")
    table.say(4, 7)
    table.land("11:left:2")
    assert table.ask == "slipstream"
    assert {
        (o.facts["moved"], o.facts.get("slid", 0)) for o in table.options if o.answer and not o.answer["brakes"]
    } == {(3, 0)}


@pytest.mark.article("competition", "11-0-1", "8-1-2")
def test_brakes_before_and_after_the_slide() -> None:
    """Ruling 15: a move braked short of the corner does not slide; one that slid may be cut short too."""
    table = inside("12:left:8", 2, surface="wet", wear={**WEAR, "tyres": 12, "brakes": 3})
    table.say(2, 2)  # 12:left:9, 13:left:1, then three more: 13:left:2, 13:left:3, 14:left:1
    assert table.option(space="12:left:9", brakes=1).facts == {"moved": 1}
    assert table.option(space="13:left:3", brakes=1).facts["slid"] == 3
    table.land("13:left:3", brakes=1)
    assert table.car(1).wear["brakes"] == 2
    assert table.car(1).stops == 1
    table = inside("12:left:8", 2, surface="wet")
    table.say(2, 2)
    table.land("12:left:9", brakes=1)
    assert "slide" not in table.kinds()


@pytest.mark.article("competition", "8-2-1", "8-2")
def test_the_soft_space() -> None:
    table = inside("2:right:1", 3, tyres="soft")
    table.say(3, 4)
    assert "2:right:5" in table.spaces()
    assert "2:right:6" in table.spaces(soft=1), "one more, if he likes"
    table.land("2:right:6", soft=1)
    assert table.ruling("soft").article == "8-2-1"
    assert table.ruling("move").facts == {
        "begin": "2:right:1", "at": "2:right:6", "moved": 5, "rolled": 4, "soft": 1,
    }  # fmt: skip


@pytest.mark.article("competition", "8-2-1", "8-2-2")
@pytest.mark.parametrize(
    "no",
    [
        {"tyres": "hard"},
        {"tyres": "rain"},
        {"tyres": "soft", "surface": "wet"},
        {"tyres": "soft", "tyre_laps": 1},
        {"tyres": "soft", "tyre_laps": 2},
    ],
)
def test_no_soft_space(no: dict[str, Any]) -> None:
    table = inside("2:right:1", 3, **no)
    table.say(3, 4)
    assert not table.spaces(soft=1)


@pytest.mark.article("competition", "8-0-2", "8-2-1")
def test_a_lap_is_the_sets_not_the_cars() -> None:
    """In its third lap on a new set of soft tyres a car has the soft space and factor 2."""
    table = inside(tyres="soft", lap=3, laps=5, tyre_laps=0)
    table.say(3, 4)
    assert table.option(space="2:right:1", brakes=0, soft=0).wear == {"tyres": -2}
    assert table.option(space="2:right:2", brakes=0, soft=1).wear == {"tyres": -4}


@pytest.mark.article("competition", "8-0-2", "8-2-1", "8-2-3")
@pytest.mark.parametrize(("fresh", "age"), [(False, 1), (True, 0)])
def test_a_set_ages_at_the_line(fresh: bool, age: int) -> None:
    """Ruling 33: at each crossing, but not at the first one on the way out of the box."""
    table = inside("20:left:16", 1, tyres="soft", fresh=fresh)
    table.say(1, 1)
    table.land("20:left:17")
    car = table.car(1)
    assert (car.lap, car.tyre_laps, car.fresh) == (2, age, False)
    assert table.ruling("lap").facts == {"lap": 2, "tyre_laps": age}
    table.say(1, 1)
    assert bool(table.spaces(soft=1)) == fresh


@pytest.mark.article("competition", "8-0-2")
def test_a_set_does_not_age_before_the_line() -> None:
    table = inside("20:left:15", 1, tyres="soft")
    table.say(1, 1)
    table.land("20:left:16")
    assert table.car(1).tyre_laps == 0


@pytest.mark.article("competition", "8-2-3")
@pytest.mark.parametrize("switch", [False, True])
def test_the_soft_space_may_itself_cross_the_line(switch: bool) -> None:
    """Ruling 31 and its switch: in the middle of TOW the line comes after 4:middle:23, at the sides not yet."""
    table = inside("4:middle:21", 1, tyres="soft", track=TOW, options={"soft_space_not_over_line": switch})
    table.say(1, 2)
    assert "4:middle:23" in table.spaces()
    before = {"4:left:24", "4:right:23"}
    assert table.spaces(soft=1) == (before if switch else before | {"0:middle:1"})


@pytest.mark.article("competition", "8-2-3", "17-3", "21-1-1", "21-1-5")
@pytest.mark.parametrize(
    ("switch", "fresh", "home"),
    [(False, False, {"0:middle:1"}), (True, False, set()), (True, True, {"0:middle:1"})],
)
def test_the_soft_space_may_itself_bring_a_car_home(switch: bool, fresh: bool, home: set[str]) -> None:
    """Ruling 31 and its switch at the end of the race, where the line ends the lap of the set; by the die alone it is
    home in any case."""
    setup = {"track": TOW, "lap": 3, "options": {"soft_space_not_over_line": switch}}
    table = inside("4:middle:21", 1, tyres="soft", fresh=fresh, **setup)
    table.say(1, 2)
    assert {one.answer["space"] for one in table.options if one.facts.get("finish")} == home
    table = inside("4:middle:22", 1, tyres="soft", **setup)
    table.say(1, 2)
    assert table.option(space="0:middle:1", soft=0).facts["finish"] is True


@pytest.mark.article("competition", "8-2-3", "17-1")
@pytest.mark.parametrize(
    ("start", "roll", "end", "ways"),
    [
        ("4:left:23", 1, "0:left:1", [["4:left:24"]]),
        ("4:middle:22", 2, "0:left:1", [["4:left:24"]]),
        ("4:middle:22", 2, "0:middle:2", []),  # the die has crossed in the middle
        ("4:left:22", 3, "0:left:1", []),  # over the danger in three spaces; around it the die has crossed
        ("4:middle:20", 4, "0:left:1", [["4:left:24"]]),  # over the danger or around it in five
    ],
)
def test_a_way_has_the_soft_space_over_the_line_if_the_die_ends_it_before(
    start: str, roll: int, end: str, ways: list[list[str]]
) -> None:
    """Ruling 31, for each way by itself; a danger lies on 4:left:24, before the line."""
    table = inside(start, min(roll, 2), tyres="soft", track=TOW, dangers=["4:left:24"])
    table.say(min(roll, 2), roll)
    found = [option for option in table.options if (option.answer["space"], option.answer["soft"]) == (end, 1)]
    assert [option.facts.get("tests", []) for option in found] == ways


@pytest.mark.article("competition", "8-2-3")
def test_no_soft_space_once_the_line_is_crossed() -> None:
    """Ruling 32: the die has crossed the line; a set fresh from the box keeps its soft space there."""
    table = inside("20:left:16", 2, tyres="soft")
    table.say(2, 2)
    assert "0:left:1" in table.spaces()
    assert not table.spaces(soft=1)
    table = inside("20:left:16", 2, tyres="soft", fresh=True)
    table.say(2, 2)
    assert "0:left:2" in table.spaces(soft=1)


@pytest.mark.article("competition", "8-2-1", "8-2-3")
@pytest.mark.parametrize(("age", "beyond"), [(0, True), (1, False)])
def test_only_the_last_lap_of_a_soft_set_ends_its_space_at_the_line(age: int, beyond: bool) -> None:
    """Where a table lets soft tyres gain for two laps, the first of them ends nothing: in the move over the line as in
    the slipstream after it and in the turn beyond."""
    others = ({"car": 2, "at": "0:left:3", "gear": 4, "lap": 2},)
    table = inside("20:left:11", 4, others, tyres="soft", tyre_laps=age, options={"soft_laps": 2})
    table.say(4, 8)
    assert bool(table.spaces(soft=1)) == beyond
    table.land("0:left:2")
    assert any(option.answer and option.answer["soft"] for option in table.options) == beyond
    table = inside("0:left:2", 2, tyres="soft", tyre_laps=age + 1, options={"soft_laps": 2})
    table.say(2, 2)
    assert bool(table.spaces(soft=1)) == beyond


@pytest.mark.article("competition", "8-2-3")
def test_no_soft_space_in_a_slipstream_beyond_the_line() -> None:
    """Ruling 32 again: the move crossed, and the slipstream begins beyond."""
    others = ({"car": 2, "at": "0:left:3", "gear": 4, "lap": 2},)
    table = inside("20:left:11", 4, others, tyres="soft")
    table.say(4, 8)  # 20:left:17 is the sixth
    table.land("0:left:2")
    assert table.ask == "slipstream"
    assert not any(option.answer and option.answer["soft"] for option in table.options)


@pytest.mark.article("competition", "8-2-1")
@pytest.mark.parametrize("soft", [0, 1])
def test_the_soft_space_is_taken_once_a_turn(soft: int) -> None:
    """After the die or in the slipstream, not in both."""
    others = ({"car": 2, "at": at("M15" if soft else "M13"), "gear": 4},)
    table = inside(at("M-3"), 4, others, tyres="soft", track=TOW)
    table.say(4, 7)
    table.land(at("M13" if soft else "M11"), soft=soft)
    assert table.ask == "slipstream"
    assert any(option.answer and option.answer["soft"] for option in table.options) == (not soft)


@pytest.mark.article("competition", "8-0-1")
def test_each_driver_takes_one_of_three_compounds() -> None:
    cars = [{"car": n, "driver": f"D{n}", "wear": {**WEAR}} for n in (1, 2)]
    table = Table(cars, sky="sun")
    table.say(*[1, 2])
    assert table.ask == "tyres"
    assert table.talk.question is not None
    assert table.talk.question.article == "8-0-1"
    assert [option.answer for option in table.options] == ["hard", "soft", "rain"]
    table.refuses("wet")
    table.say("rain", "soft")
    assert (table.car(1).tyres, table.car(2).tyres) == ("rain", "soft")
    assert table.ruling("tyres", 1).article == "8-0-1"
