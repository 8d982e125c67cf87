"""The beginner's game, article by article.

The straights and corners are Monaco's: Sainte-Dévote is section 1 (one stop), Loews section 9 (three), Piscine section
15 (two). TOW's long straight is three lanes wide; cars on L8, M9 and R8 leave no way round behind M7."""

from __future__ import annotations

from typing import Any

import pytest

from companion.circuits import load
from companion.rules.beginner import Beginner, BeginnerPreparing
from companion.rules.circuit.leg import Over
from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.faces import FACES
from companion.rules.death.death import Death
from companion.rules.dice.one_pool import OnePoolBlocking, OnePoolCorners, OnePoolGears, OnePoolPits
from companion.rules.dice.wear import Cost, Purse
from companion.rules.rulebooks import begin
from companion.rules.testing import settlements
from tests.rules.competition.boards import TOW, at
from tests.rules.missing import STOPS, leave
from tests.table import Table

MONACO = load("monaco")
POINTS = {"points": 18}
WALL: tuple[dict[str, Any], ...] = ({"at": at("M9")}, {"at": at("L8")}, {"at": at("R8")})


def beginner(*cars: dict[str, Any], track: str = "monaco", **setup: Any) -> Table:
    """A race, or with `to_play` a position, of two laps."""
    return Table(list(cars), track, rulebook="beginner", **{"laps": 2, **setup})


def position(*cars: dict[str, Any], points: int = 18, **setup: Any) -> Table:
    """The first car is about to play, with so many points; the others stand in 1st."""
    entered = [{"car": n, "wear": POINTS, **({} if n == 1 else {"gear": 1}), **car} for n, car in enumerate(cars, 1)]
    entered[0] = {**entered[0], "wear": {"points": points}, "built": POINTS}
    return beginner(*entered, **{"to_play": [1], **setup})


def left(table: Table, car: int = 1) -> int:
    return int(table.car(car).wear["points"])


# -- before the race


@pytest.mark.article("beginner", "beginner.pool", "beginner.laps", "beginner.plain", "setup.grid")
def test_one_pool_one_lap_the_grid_by_the_black_die_and_nothing_else_to_settle() -> None:
    table = Table([{"car": n} for n in (1, 2, 3)], rulebook="beginner", laps=1)
    assert Table([{"car": 1}], rulebook="beginner", laps=1).rulebook.laps == 1
    assert table.open == ("test", 1, "grid")
    table.say(7, 12, 7, 4, 9)
    assert table.race.grid == [2, 3, 1]
    assert table.open == ("start", 2, "start")
    assert [(car.wear, car.built, car.tyres) for car in table.race.cars] == [(POINTS, POINTS, "")] * 3
    with pytest.raises(BadSetup, match="every car has the same points, this one points 18"):
        beginner({"car": 1, "wear": {"points": 17}})
    for wrong in ({"sky": "rain"}, {"surface": "wet"}):
        with pytest.raises(BadSetup, match="sun in the sky"):
            beginner({"car": 1}, **wrong)
    with pytest.raises(BadSetup, match="spun; by these rules no car is"):
        position({"at": "2:left:1", "gear": 3, "status": "spun"})
    with pytest.raises(BadSetup, match="no debris"):
        position({"at": "2:left:1", "gear": 3}, dangers=["2:left:3"])


@pytest.mark.article("beginner", "beginner.start")
@pytest.mark.parametrize(("face", "kind"), [(1, "stall"), (2, "start"), (16, "start"), (17, "great"), (20, "great")])
def test_one_stalls_seventeen_or_more_drives_four_spaces(face: int, kind: str) -> None:
    table = beginner({"car": 1}, {"car": 2}, grid=[1, 2])
    table.say(face)
    if kind == "stall":
        assert (table.car(1).status, table.open) == ("stalled", ("start", 2, "start"))
    elif kind == "start":
        assert table.open == ("roll", 1, "gear_1")
    else:
        assert {option.facts["moved"] + option.answer["brakes"] for option in table.options} == {4}
        assert table.ruling("great_start").article == "beginner.start"


# -- gears and order


@pytest.mark.article("beginner", "gears.six", "gears.announce", "beginner.gears")
@pytest.mark.parametrize("gear", range(1, 7))
def test_the_gear_is_said_and_set_before_its_own_die(gear: int) -> None:
    table = position({"at": "2:left:1", "gear": gear})
    table.say(gear)
    assert (table.car(1).gear, table.open) == (gear, ("roll", 1, f"gear_{gear}"))
    assert table.kinds(1) == ["gear"], "nothing is paid, and nothing said of it"
    assert list(table.talk.question.faces or ()) == list(FACES[gear])  # type: ignore[union-attr]


@pytest.mark.article("beginner", "beginner.gears")
def test_a_point_for_each_gear_skipped_three_at_most() -> None:
    table = position({"at": "2:left:1", "gear": 6})
    costs = {option.answer: option.wear for option in table.options}
    assert costs == {6: {}, 5: {}, 4: {"points": -1}, 3: {"points": -2}, 2: {"points": -3}}
    table.say(2)
    assert (left(table), table.ruling("gear_down").article) == (15, "beginner.gears")
    poor = position({"at": "2:left:1", "gear": 6}, {"at": "2:left:9"}, points=2)
    assert sorted(option.answer for option in poor.options) == [3, 4, 5, 6]  # ruling 4
    assert poor.option(3).facts == {"out": "destroyed"}
    poor.say(3)
    assert (poor.car(1).status, poor.ask) == ("out", "gear")


@pytest.mark.article("beginner", "order.position", "order.gear", "order.inside")
def test_cars_play_as_they_stand_level_ones_by_gear_then_by_the_inside() -> None:
    one, other = {"at": "18:left:3", "arrived": 1}, {"at": "18:right:4", "arrived": 2}
    for gears, order in (((2, 2), [2, 1]), ((3, 2), [1, 2])):
        table = position({**one, "gear": gears[0]}, {**other, "gear": gears[1]}, to_play=[1, 2])
        assert table.rulebook.running_order() == order
    lapped = position({"at": "2:left:5", "gear": 2, "lap": 2}, {"at": "2:left:9", "lap": 1}, to_play=[1, 2])
    assert lapped.rulebook.running_order() == [1, 2]


# -- ways and what they cost


@pytest.mark.article("beginner", "drive.around", "drive.shortest")
def test_the_die_is_driven_round_other_cars_by_the_shortest_way() -> None:
    table = position({"at": at("M7"), "gear": 2}, {"at": at("M9")}, track=TOW)
    table.say(2, 2)
    assert table.spaces() == {at("L10"), at("R10")}
    alone = position({"at": at("M-3"), "gear": 3}, track=TOW)
    alone.say(3, 6)
    assert alone.spaces() == {at("M9"), at("L8"), at("R8")}


@pytest.mark.article("beginner", "drive.corner-arrows", "corner.stops")
def test_in_a_corner_the_arrows_lead_and_a_turn_that_ends_there_is_a_stop() -> None:
    table = position({"at": "1:right:2", "gear": 1})
    table.say(1, 1)
    assert table.spaces() == {"1:right:3"}
    table.land("1:right:3")
    assert table.ruling("stop").facts == {"corner": 1, "stops": 1, "of": 1}


@pytest.mark.article("beginner", "beginner.overshoot", "beginner.plain", "beginner.pool")
@pytest.mark.parametrize(("points", "status"), [(18, "racing"), (6, "racing"), (5, "out"), (3, "out")])
def test_a_point_for_each_space_beyond_a_corner_and_at_0_the_car_is_out(points: int, status: str) -> None:
    """No spin."""
    table = position({"at": "1:right:3", "gear": 3}, {"at": "0:left:1"}, points=points)
    table.say(3, 5)
    option = table.option(space="2:right:5", brakes=0)
    assert (option.wear, option.facts.get("out")) == ({"points": -5}, "destroyed" if status == "out" else None)
    assert table.spaces() == {"2:right:5"}
    table.land("2:right:5")
    assert (table.car(1).status, left(table)) == (status, max(points - 5, 0))
    assert table.ruling("overshoot").article == "beginner.overshoot"
    assert table.race.dangers == []


@pytest.mark.article("beginner", "beginner.overshoot")
@STOPS
def test_two_stops_missing_are_the_end(place: str, stops: int, out: bool) -> None:
    leave(position({"at": place, "gear": 1, "stops": stops}, {"at": "2:left:1"}), out)


@pytest.mark.article("beginner", "beginner.brakes")
def test_a_point_for_each_space_braked_away() -> None:
    table = position({"at": "2:right:2", "gear": 3}, {"at": "9:left:1"}, points=2)
    table.say(3, 6)
    assert {option.answer["brakes"] for option in table.options} == {0, 1, 2}
    assert table.option(space="2:right:6", brakes=2).facts["out"] == "destroyed"
    table.land("2:right:7", brakes=1)
    assert (left(table), table.ruling("brake").article) == (1, "beginner.brakes")


@pytest.mark.article("beginner", "beginner.brakes", "beginner.pool")
@pytest.mark.parametrize(("points", "status"), [(18, "racing"), (10, "out"), (8, "out")])
def test_a_point_for_each_space_that_is_blocked(points: int, status: str) -> None:
    """Four free spaces of fourteen; there is no table, and seven or more are paid like any other."""
    table = position({"at": at("M-1"), "gear": 5}, *WALL, points=points, track=TOW)
    table.say(5, 14)
    table.land(at("M7"))
    assert (table.car(1).status, left(table)) == (status, max(points - 10, 0))
    assert table.ruling("blocked").article == "beginner.brakes"
    assert [left(table, n) for n in (2, 3, 4)] == [18, 18, 18]


@pytest.mark.article("beginner", "beginner.plain")
def test_nobody_is_drawn_along_and_debris_is_not_asked_for() -> None:
    table = position({"at": at("M1"), "gear": 4}, {"at": at("M17"), "gear": 4}, track=TOW)
    table.say(4, 7)
    table.land(at("M15"))
    assert table.ask != "slipstream"
    sheet = position({"at": "after:2", "gear": 3}, track="monza")
    sheet.say(3, 5)
    assert (sheet.fields["dangers"], sheet.fields["soft"], sheet.fields["slide"]) == ([0, 0], [0, 0], 0)


# -- tests


@pytest.mark.article("beginner", "beginner.collision", "beginner.pool")
def test_cars_beside_and_ahead_roll_then_the_mover_for_each() -> None:
    table = position({"at": at("M1"), "gear": 2}, {"at": at("M7")}, {"at": at("L4")}, {"at": at("M-1")}, track=TOW)
    table.talk.override({"car": 3, "wear": {"points": 1}})
    table.say(2, 2)
    table.land(at("M5"))
    assert table.tested("collision", {2: 5, 3: 4, 1: 4}) == [(2, 4), (3, 4), (1, 4), (1, 4)]
    assert [left(table, n) for n in (1, 2, 3, 4)] == [16, 18, 0, 18]
    assert (table.car(3).status, table.car(3).cause) == ("out", "destroyed")
    assert table.ruling("hit").article == "beginner.collision"
    assert table.race.dangers == []


@pytest.mark.article("beginner", "beginner.engine")
@pytest.mark.parametrize(("gear", "face", "tested"), [(5, 20, True), (5, 19, False), (6, 30, True), (6, 29, False)])
def test_a_20_in_5th_or_a_30_in_6th_tests_every_car_in_5th_or_6th(gear: int, face: int, tested: bool) -> None:
    table = position({"at": "10:left:1", "gear": gear}, {"at": "2:left:3", "gear": 6}, {"at": "2:left:9", "gear": 4})
    table.say(gear, face)
    table.say(next(option.answer for option in table.options if not option.wear))
    assert table.tested("engine", {1: 4, 2: 5}) == ([(1, 4), (2, 4)] if tested else [])
    assert [left(table, n) for n in (1, 2)] == ([17, 18] if tested else [18, 18])


# -- pits and the end


@pytest.mark.article("beginner", "beginner.pits")
def test_a_stop_gives_all_points_back_and_the_car_leaves_next_turn_in_4th_or_less() -> None:
    table = position({"at": "20:right:1", "gear": 3, "box": 1, "round_set": True}, points=4)
    table.say(3, 8)
    table.land("box:1")
    assert (left(table), table.ruling("box").wear, table.ruling("box").article) == (18, {"points": 14}, "beginner.pits")
    assert table.open == ("gear", 1, "leave")
    assert [option.answer for option in table.options] == [1, 2, 3, 4]
    last = position({"at": "20:right:1", "gear": 3, "box": 1, "round_set": True, "lap": 2})
    last.say(3, 8)
    assert not any(space.startswith(("pit", "box")) for space in last.spaces())


@pytest.mark.article("beginner", "finish.winner", "beginner.laps")
@pytest.mark.parametrize("placed", [False, True])
def test_the_first_over_the_line_wins_and_who_is_out_has_no_place(placed: bool) -> None:
    cars = [{"at": "20:left:12", "gear": 4}, {"at": "2:left:1", "status": "out"}]
    table = position(*cars, laps=1, options={"distance": placed})
    table.say(4, 12)
    table.say(table.options[0].answer)
    assert table.race.phase == "over"
    rows = [(row["place"], row["car"], row["points"]) for row in table.rulebook.result()]
    assert rows == [(1, 1, 10), (2 if placed else None, 2, 8 if placed else 0)]


def test_the_death_race_pays_out_of_the_same_pool() -> None:
    """What the two games have alike is written once."""
    chapters = Death.chapters()
    for kind, name in (
        (OnePoolGears, "gears"), (OnePoolCorners, "corners"), (OnePoolBlocking, "blocking"), (OnePoolPits, "pits"),
    ):  # fmt: skip
        assert issubclass(chapters[name], kind)


# -- what a slip of the pen would change


@pytest.mark.article("beginner", "setup.grid")
def test_nobody_chooses_a_box_pole_has_the_first() -> None:
    table = beginner({"car": 1}, {"car": 2}, grid=[2, 1])
    assert table.open == ("start", 2, "start")
    assert [car.box for car in table.race.cars] == [2, 1]


@pytest.mark.article("beginner", "beginner.overshoot")
def test_of_two_corners_overshot_the_one_with_most_stops_missing_decides() -> None:
    for overs in ([Over(0, 2, 1), Over(1, 1, 2)], [Over(0, 2, 2), Over(1, 1, 1)]):
        book = position({"at": "2:left:1", "gear": 3}).rulebook
        car = book.car(1)
        cost = book.corners.overshoot_cost(car, overs, book.wear.purse(car))
        assert (cost.out, cost.total) == ("overshoot", 3)
        book.corners.pay_overshoot(car, overs, cost)
        assert book.ruled[-1].facts["missing"] == 2


@pytest.mark.article("beginner", "beginner.pool")
@pytest.mark.parametrize(
    ("cost", "points", "out"),
    [
        (Cost((("brakes", 1),)), 1, "destroyed"), (Cost((("brakes", 1),)), 2, ""), (Cost(), 0, ""),
        (Cost((("tyres", 3),), out="overshoot", article="10-1"), 1, "overshoot"),
    ],
)  # fmt: skip
def test_the_last_point_ends_a_race_that_has_not_ended_otherwise(cost: Cost, points: int, out: str) -> None:
    book = position({"at": "2:left:1", "gear": 3}).rulebook
    assert book.wear.with_last_point(cost, Purse({"points": points}, book.pool_of)).out == out


@pytest.mark.article("beginner", "beginner.engine", "beginner.pool")
def test_an_engine_that_costs_the_last_point_puts_the_car_out_and_off() -> None:
    table = position({"at": "2:left:1", "gear": 5}, {"at": "12:left:1"}, points=1)
    table.say(5, 20)
    table.say(next(option.answer for option in table.options if not option.wear))
    assert table.tested("engine", {1: 1})[0][0] == 1
    assert (table.car(1).status, table.ruling("out").facts["cause"]) == ("out", "destroyed")


@pytest.mark.article("beginner", "beginner.pits")
@pytest.mark.parametrize(("points", "won"), [(18, {}), (17, {"points": 1})])
def test_a_stop_tells_the_points_that_it_brings_and_ends_the_time_of_a_set(points: int, won: dict[str, int]) -> None:
    table = position({"at": "20:right:1", "gear": 4, "box": 1, "round_set": True}, {"at": "2:left:1"}, points=points)
    table.say(4, 11)
    table.land("box:1")
    assert (table.ruling("box").wear, table.car(1).stop, table.car(1).round_set) == (won, "long", False)


@pytest.mark.article("beginner", "beginner.pits")
def test_in_the_lane_gears_are_as_free_as_on_the_track() -> None:
    table = position({"at": "pit:2", "status": "pit", "gear": 3, "box": 10})
    assert [option.answer for option in table.options] == [1, 2, 3, 4]


@pytest.mark.article("beginner", "setup.grid", "beginner.pool")
def test_the_grid_is_told_once_and_every_car_is_built_once() -> None:
    table = Table([{"car": n} for n in (1, 2)], rulebook="beginner", laps=1)
    table.say(7)
    assert table.kinds() == ["reminder"] * table.kinds().count("reminder")
    table.say(12)
    assert table.ruling("grid_rolled").facts["order"] == [2, 1]
    assert (table.kinds().count("grid_rolled"), table.kinds().count("build")) == (1, 2)
    assert (table.race.sky, table.race.surface, table.race.drawn) == ("sun", "dry", "")


@pytest.mark.article("beginner", "beginner.pool", "beginner.plain", "setup.grid")
def test_what_a_setup_leaves_out_is_that_of_every_car() -> None:
    def begun(**car: Any) -> Any:
        cars = [{"car": 1, "at": "2:left:1", "lap": 1, **car}, {"car": 2, "at": "3:left:1", "lap": 1}]
        return begin({"rulebook": "beginner", "track": "monaco", "laps": 2, "cars": cars, "to_play": [2]}, MONACO).race

    cars = begun().cars
    assert [(car.wear, car.built, car.tyres, car.box) for car in cars] == [(POINTS, POINTS, "", n) for n in (1, 2)]
    assert begun(wear={"points": 5}).cars[0].built == {"points": 18}
    car = beginner({"car": 1, "wear": POINTS, "tyres": "hard"}, grid=[1]).car(1)
    assert (car.built, car.tyres) == (POINTS, "")
    for wrong, said in (
        ({"tyres": "soft"}, "all tyres are alike"),
        ({"wear": {"points": 20}}, "Car 1 is built of 0 to 18 points, not 20"),
        ({"wear": {"points": 0}}, "Car 1 has no point left and is out at 0"),
        ({"at": "3:left:1"}, "stand on 3:left:1; a space holds one car"),
    ):
        with pytest.raises(BadSetup, match=said):
            begun(**wrong)
    assert begun(wear={"points": 0}, status="out", at=None, lap=1).cars[0].wear == {"points": 0}


@pytest.mark.article("beginner", "beginner.pool", "beginner.plain")
def test_a_game_built_on_this_one_may_have_spins_and_tyres_to_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    spun = {"at": "2:left:1", "gear": 3, "status": "spun"}
    with pytest.raises(BadSetup, match="spun; by these rules no car is"):
        position(spun)
    monkeypatch.setattr(Beginner, "statuses", (*Beginner.statuses, "spun"))
    assert position(spun).car(1).status == "spun"
    assert beginner({"car": 1}, grid=[1]).ask == "start"
    monkeypatch.setattr(
        BeginnerPreparing, "without_tyres", lambda self: next((car for car in self.race.cars if not car.tyres), None)
    )
    table = beginner({"car": 1}, grid=[1])
    assert table.open == ("tyres", 1, "")
    table.say("hard")
    assert (table.car(1).tyres, table.ask) == ("hard", "start")


@pytest.mark.article("beginner", "setup.grid", "beginner.plain")
def test_a_grid_names_every_car_once_and_lists_name_cars_of_the_race() -> None:
    with pytest.raises(BadSetup, match='"grid" lists every car of the race once'):
        beginner({"car": 1}, {"car": 2}, grid=[1])
    with pytest.raises(BadSetup, match='"home" lists cars of the race'):
        position({"at": "2:left:1", "gear": 3}, home=[9])
    with pytest.raises(BadSetup, match="no debris in the beginner's game; 2:left:4 has none"):
        position({"at": "2:left:1", "gear": 3}, dangers=["2:left:4", "2:left:3"])


@pytest.mark.article("beginner", "beginner.brakes", "beginner.pool")
def test_a_brake_that_takes_the_last_point_puts_the_car_out() -> None:
    table = position({"at": "2:left:1", "gear": 3}, {"at": "12:left:1"}, points=1)
    table.say(3, 5)
    braked = next(option for option in table.options if option.answer["brakes"] == 1)
    assert (braked.wear, braked.facts["out"]) == ({"points": -1}, "destroyed")
    table.say(braked.answer)
    assert (table.car(1).status, table.kinds(1).count("out")) == ("out", 1)


@pytest.mark.article("beginner", "variant.pit-limit", "beginner.pool")
def test_the_last_point_at_the_entry_of_the_pits_ends_the_race_before_the_stop() -> None:
    car = {"at": "20:right:1", "gear": 5, "box": 1, "round_set": True}
    table = position(car, {"at": "2:left:1"}, points=1, options={"pit_limit": True})
    table.say(5, 11)
    table.land("box:1")
    assert (table.car(1).status, table.ruling("out").facts["cause"]) == ("out", "destroyed")
    assert "box" not in table.kinds(1)


@pytest.mark.article("beginner", "beginner.pool")
def test_made_up_moves_cost_what_they_were_offered_for() -> None:
    assert settlements(Beginner, MONACO, 1000, seed=7) == []
