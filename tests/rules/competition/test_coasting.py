"""Where a car with a broken engine coasts to: example 16-1, and articles 16-0-3 to 16-0-9."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import CHICANE, LINE_IN
from tests.table import WEAR, Table

BROKEN = {"gear": 5, "status": "coasting", "coast": 4}


def example(face: int = 7, tyres: int = 9, brakes: int = 3, **setup: Any) -> Table:
    """The coasting car of example 16-1: on the first space of the left lane, one stop of two made."""
    compound = setup.pop("compound", "hard")
    wear = {**WEAR, "tyres": tyres, "brakes": brakes, "engine": 0}
    one = {"car": 1, "at": "3:left:1", "stops": 1, "tyres": compound, "wear": wear, **BROKEN}
    table = Table([one, {"car": 2, "gear": 3, "at": "0:left:3"}], track=CHICANE, to_play=[1], **setup)
    table.say(4, face)
    return table


WET = {"sky": "rain", "surface": "wet"}


@pytest.mark.article("competition", "16-0-3", "20-4-2")
def test_hard_tyres_in_the_dry() -> None:
    """Seven spaces: four of the corner and the third beyond it, which is the furthest on the left."""
    (only,) = example().options
    assert only.answer == {"space": "4:left:3", "brakes": 0, "soft": 0}
    assert only.facts == {"moved": 7, "overshot": 3, "out": "engine"}
    assert only.wear == {"tyres": -3}


@pytest.mark.article("competition", "16-0-8")
def test_soft_tyres_on_their_first_lap_must_add_their_space() -> None:
    (only,) = example(compound="soft").options
    assert only.answer == {"space": "4:left:4", "brakes": 0, "soft": 1}
    assert only.facts == {"moved": 8, "overshot": 4, "out": "engine"}
    assert only.wear == {"tyres": -8}


@pytest.mark.article("competition", "16-0-8")
def test_soft_tyres_in_the_wet_slide_on_the_longest_way() -> None:
    """Ten spaces: on the left six beyond the corner would cost 12 of 9 points, in the middle five would cost 10."""
    (only,) = example(compound="soft", **WET).options
    assert only.answer == {"space": "4:right:4", "brakes": 0, "soft": 0}
    assert only.facts == {"moved": 10, "overshot": 4, "slid": 3, "out": "engine"}
    assert only.wear == {"tyres": -8}


@pytest.mark.article("competition", "16-0-3", "16-0-8")
def test_the_last_tyre_point_is_spared() -> None:
    """Rain tyres, three points: on the left four beyond, in the middle just the three left; so the right lane."""
    (only,) = example(compound="rain", tyres=3, **WET).options
    assert only.answer == {"space": "4:right:2", "brakes": 0, "soft": 0}
    assert only.facts == {"moved": 8, "overshot": 2, "slid": 1, "out": "engine"}
    assert only.wear == {"tyres": -2}


@pytest.mark.article("competition", "16-0-3", "20-4-2")
def test_it_brakes_only_against_going_out() -> None:
    """One tyre point: even on the right, one beyond the corner would spin it; a brake keeps it inside [ruling 68]."""
    (only,) = example(tyres=1).options
    assert only.answer == {"space": "3:right:5", "brakes": 1, "soft": 0}


def test_where_every_way_is_out_it_goes_out() -> None:
    """Twelve spaces, no brakes, one tyre point [ruling 69]."""
    table = example(face=12, tyres=1, brakes=0)
    assert all(option.facts.get("out") == "overshoot" for option in table.options)
    table.say(table.options[0].answer)
    assert (table.car(1).status, table.car(1).cause) == ("out", "overshoot")


@pytest.mark.article("competition", "16-0-3", "20-4-2")
def test_the_arrows_hold_and_a_blocked_one_pays() -> None:
    """Both ways out of the first spaces taken: as far as it can, and the table is paid."""
    one = {"car": 1, "at": "3:left:1", "stops": 1, "wear": {**WEAR, "engine": 0}, **BROKEN}
    cars = [one, {"car": 2, "gear": 3, "at": "3:left:3"}, {"car": 3, "gear": 3, "at": "3:middle:2"}]
    table = Table(cars, track=CHICANE, to_play=[1])
    table.say(4, 7)
    best = [option for option in table.options if option.facts["out"] == "engine"]
    assert {(option.answer["space"], option.answer["brakes"]) for option in best} == {("3:left:2", 0)}
    assert best[0].facts["blocked"] == 6
    assert best[0].wear == {"brakes": -3, "tyres": -3}
    table.say(best[0].answer)
    table.until(lambda: table.ask != "test")
    assert table.car(1).wear["brakes"] == 0
    assert "3:left:2" in table.race.dangers


# -- to the line


def broken(place: str, lap: int = 3, **car: Any) -> Table:
    """A car on Monaco whose engine has just broken there; car 2 is far behind."""
    one = {"car": 1, "at": place, "lap": lap, "wear": {**WEAR, "tyres": 9, "engine": 0}, **BROKEN, **car}
    return Table([one, {"car": 2, "gear": 2, "at": "0:left:1", "lap": lap - 1, "tyres": "hard"}], to_play=[1])


def coast(table: Table, gear: int, face: int, space: str | None = None) -> None:
    """One coasting turn of car 1, after whatever turns car 2 has before it."""
    while table.open != ("gear", 1, "coast"):
        if table.ask == "gear" or table.ask == "roll":
            table.say(1)
        else:
            table.say(table.options[-1].answer if table.ask == "landing" else 20)
    table.say(gear, face)
    if space is None:
        table.say(table.options[0].answer)
    else:
        table.land(space)
    table.until(lambda: table.ask != "test")


@pytest.mark.article("competition", "16-0-6", "16-0-7", "20-4-1")
@pytest.mark.parametrize(
    ("place", "lap", "home"),
    [
        ("16:left:1", 3, False),  # before Rascasse, the last corner but one
        ("17:left:9", 3, False),  # inside it
        ("17:right:7", 3, False),
        ("18:left:1", 3, True),  # beyond it, by whatever lane: run out of it is past it too
        ("18:middle:1", 3, True),
        ("18:right:1", 3, True),
        ("19:left:2", 3, True),  # inside the last corner
        ("20:left:1", 3, True),  # past the last corner [ruling 66]
        ("18:left:1", 2, False),  # a lap too early
        ("20:left:1", 2, False),
        ("0:left:3", 3, False),  # the last lap has only begun
    ],
)
def test_who_coasts_home(place: str, lap: int, home: bool) -> None:
    table = broken(place, lap, stops=2 if place.startswith("17") else 0)
    coast(table, 4, 7)
    assert (table.car(1).status == "coasting") == home
    assert table.car(1).alive == home


@pytest.mark.article("competition", "16-0-6", "16-0-7")
@pytest.mark.parametrize(
    ("place", "home"),
    [
        ("1:right:7", False),  # over the line, and still in the corner that it runs through
        ("2:left:2", False),
        ("3:right:3", False),  # inside the last corner but one
        ("4:left:1", True),
        ("1:right:2", True),  # inside the last one, before the line
    ],
)
def test_a_corner_that_the_line_runs_through_is_the_last_one(place: str, home: bool) -> None:
    car = {"car": 1, "at": place, "lap": 3, "wear": {**WEAR, "engine": 0}, **BROKEN}
    table = Table([car, {"car": 2, "gear": 2, "at": "0:left:1", "lap": 2}], LINE_IN, to_play=[1])
    assert table.rulebook.coasting.coasts_home(table.car(1)) == home


@pytest.mark.article("competition", "16-0-6")
def test_home_a_gear_lower_each_turn() -> None:
    """4th, 3rd, 2nd, 1st, a marker each turn; over the line in 1st it is classified [rulings 67, 72]."""
    table = broken("20:left:3")
    coast(table, 4, 7, "20:left:10")
    coast(table, 3, 4, "20:left:14")
    coast(table, 2, 2, "20:left:16")
    assert table.race.dangers == ["20:left:10", "20:left:14", "20:left:16"]
    assert table.car(1).wear == {**WEAR, "tyres": 9, "engine": 0}, "no gear-down is paid"
    coast(table, 1, 1)
    assert table.car(1).status == "finished"
    assert table.race.home == [1]
    assert table.race.dangers == ["20:left:10", "20:left:14", "20:left:16"]


@pytest.mark.article("competition", "16-0-6")
def test_gears_may_be_skipped_for_their_price() -> None:
    """Gearbox, and brakes for two; three cannot be skipped without an engine point [ruling 67]."""
    table = broken("20:left:3")
    coast(table, 4, 7, "20:left:10")
    while table.open != ("gear", 1, "coast"):
        table.say(1 if table.ask in ("gear", "roll") else table.options[0].answer)
    assert {option.answer: option.wear for option in table.options} == {
        3: {},
        2: {"gearbox": -1},
        1: {"gearbox": -1, "brakes": -1},
    }
    table.say(1)
    assert table.ruling("gear_down").article == "16-0-6"
    assert table.car(1).wear["gearbox"] == 2
    assert table.car(1).wear["brakes"] == 2


@pytest.mark.article("competition", "16-0-6", "13-2")
@pytest.mark.parametrize(("rows", "gears"), [([[1, 0, 0], [1, 1, 0]], [3, 2, 1]), ([[2, 0, 0]], [3, 2]), ([], [3])])
def test_it_skips_no_more_gears_than_the_table_of_gear_downs_has(rows: list[list[int]], gears: list[int]) -> None:
    """The gear below is always there; one that the referee's word puts in beyond the table costs what its last row
    does, and nothing where it has none."""
    one = {"car": 1, "at": "20:left:1", "lap": 3, "gear": 4, "status": "coasting", "coast": 3}
    table = Table([one], to_play=[1], options={"gear_down": rows})
    assert [option.answer for option in table.options] == gears
    table.talk.answer(1, forced=True)
    assert (table.car(1).gear, table.ask) == (1, "roll")
    assert table.car(1).wear["gearbox"] == WEAR["gearbox"] - (rows[-1][0] if rows else 0)


@pytest.mark.article("competition", "16-0-3", "16-0-6")
def test_short_of_the_line_after_1st_it_is_out() -> None:
    """7, 4, 2 and 1 from the first space: three short; the marker, and off at the next turn [ruling 71]."""
    table = broken("20:left:1")
    coast(table, 4, 7, "20:left:8")
    coast(table, 3, 4, "20:left:12")
    coast(table, 2, 2, "20:left:14")
    coast(table, 1, 1, "20:left:15")
    assert (table.car(1).status, table.car(1).cause) == ("wreck", "engine")
    assert "20:left:15" in table.race.dangers
    while table.car(1).status == "wreck":
        table.say(1 if table.ask in ("gear", "roll") else table.options[0].answer)
    assert table.car(1).status == "out"
    assert table.race.home == []


def test_the_last_corner_keeps_its_stop() -> None:
    """Ruling 70: in the last corner a coasting car stops like any other, or overshoots."""
    table = broken("18:left:1")
    table.say(4, 12)
    assert all("overshot" in option.facts or option.facts.get("corner") == 10 for option in table.options)


@pytest.mark.article("competition", "16-0-3", "16-0-8")
def test_blocked_it_does_not_brake_beyond_its_means() -> None:
    """Six spaces blocked take its three brakes and three tyres; with one braked of its own accord it would be out."""
    others = [{"car": 2 + n, "gear": 3, "at": at} for n, at in enumerate(("20:right:2", "20:middle:1", "20:middle:2"))]
    one = {"car": 1, "at": "19:right:2", "stops": 1, "box": 5, **BROKEN, "wear": {**WEAR, "engine": 0}}
    table = Table([one, *others], to_play=[1])
    table.say(4, 7)
    (only,) = table.options
    assert (only.answer["brakes"], only.wear) == (0, {"brakes": -3, "tyres": -3})


@pytest.mark.article("competition", "16-0-9", "19-1-1")
def test_it_never_enters_the_pit_lane() -> None:
    """The way into the lane is free, the track beyond is not: a racing car may go in, a coasting one is blocked."""
    others = [
        {"car": 2, "gear": 3, "at": "20:right:2"},
        {"car": 3, "gear": 3, "at": "20:middle:1"},
        {"car": 4, "gear": 3, "at": "20:middle:2"},
    ]
    one = {"car": 1, "at": "19:right:2", "stops": 1, "box": 5}
    racing = Table([{**one, "gear": 4}, *others], to_play=[1])
    racing.say(4, 7)
    assert any(space.startswith("pit:") for space in racing.spaces())
    coasting = Table([{**one, **BROKEN, "wear": {**WEAR, "engine": 0}}, *others], to_play=[1])
    coasting.say(4, 7)
    assert {option.answer["space"] for option in coasting.options} == {"20:right:1"}


@pytest.mark.article("competition", "16-0-6", "21-1-1", "21-1-2")
def test_a_car_that_has_coasted_home_is_home() -> None:
    table = broken("20:left:14")
    coast(table, 4, 7)
    car = table.car(1)
    assert (car.status, car.coast, car.stops, table.race.home) == ("finished", 0, 0, [1])


@pytest.mark.article("competition", "16-0-3", "20-4-1", "20-4-3")
@pytest.mark.parametrize(
    ("car", "status", "coast"),
    [
        ({"gear": 5}, "coasting", 4),
        ({"gear": 4}, "out", 0),
        ({"gear": 5, "at": "pit:3"}, "out", 0),
        ({"gear": 5, "status": "spun"}, "spun", -1),
        ({"gear": 5, "status": "spun", "turned": True}, "coasting", 4),
        ({"gear": 1, "status": "spun", "turned": True}, "out", 0),
    ],
)
def test_what_the_last_engine_point_makes_of_a_car(car: dict[str, Any], status: str, coast: int) -> None:
    """Crossed off by the referee's word, as by a test."""
    table = Table([{"car": 1, "at": "10:left:9", "gear": 3}, {"car": 2, "at": "10:left:1", **car}], to_play=[1, 2])
    table.talk.override({"car": 2, "wear": {"engine": 0}})
    assert (table.car(2).status, table.car(2).coast) == (status, coast)


@pytest.mark.article("competition", "10-4-1", "10-4-6", "16-0-3")
def test_a_spun_car_with_a_broken_engine_is_off_when_its_turn_comes() -> None:
    """Ruling 45, in a position in which it has not been put straight yet."""
    spun = {"car": 1, "at": "10:left:9", "gear": 5, "status": "spun", "coast": -1, "wear": {**WEAR, "engine": 0}}
    table = Table([spun, {"car": 2, "at": "10:left:1", "gear": 3}], to_play=[1, 2])
    assert (table.car(1).status, table.car(1).cause) == ("out", "engine")
    assert table.open == ("gear", 2, "")


@pytest.mark.article("competition", "16-0-3")
@pytest.mark.parametrize(
    ("car", "coast"),
    [({"status": "coasting"}, 4), ({"status": "coasting", "coast": 3}, 3), ({"status": "spun", "coast": -1}, -1)],
)
def test_a_broken_engine_of_a_position_has_no_point(car: dict[str, Any], coast: int) -> None:
    """Also where the position says what the car was built with, and nothing of its wear."""
    one = {"car": 1, "at": "10:left:9", "gear": 5, "wear": {}, "built": {**WEAR, "engine": 4, "tyres": 5}, **car}
    table = Table([{"car": 2, "at": "10:left:1", "gear": 3}, one], to_play=[2])
    assert (table.car(1).coast, table.car(1).wear) == (coast, {**WEAR, "engine": 0, "tyres": 5})
    assert table.car(1).built == {**WEAR, "engine": 4, "tyres": 5}


@pytest.mark.article("competition", "16-0-3", "16-0-6")
@pytest.mark.parametrize(("place", "lap", "out"), [("5:left:1", 2, "engine"), ("18:left:1", 3, None)])
def test_a_stop_that_ends_the_last_coasting_turn_says_so(place: str, lap: int, out: str | None) -> None:
    table = broken(place, lap)
    table.say(4, 7)
    option = table.options[0]
    assert (option.facts.get("out"), option.facts.get("finish")) == (out, None)
    table.say(option.answer)
    table.until("gear")
    assert table.car(1).cause == (out or "")


@pytest.mark.article("competition", "16-0-3-1", "10-4-1")
def test_a_stop_that_spins_a_coasting_car_says_that_it_is_out() -> None:
    table = example(face=10, tyres=4, brakes=0)
    (only,) = table.options
    assert (only.wear, only.facts.get("out"), "spin" in only.facts) == ({"tyres": -4}, "engine", False)
    table.say(only.answer)
    table.until("gear")
    assert (table.car(1).status, table.ruling("out").article) == ("out", "16-0-3-1")
