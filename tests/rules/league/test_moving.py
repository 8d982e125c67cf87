"""Gears, ways, corners and what a move costs.

The straights and corners are Monaco's: Sainte-Dévote is section 1 (one stop), Loews section 9 (three), Piscine section
15 (two). The long straight of TOW is three lanes wide; three cars on L8, M9 and R8 leave no way round behind M7."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW, at
from tests.rules.competition.test_blocking import FORK
from tests.rules.league.tables import position, worn
from tests.rules.missing import STOPS, leave
from tests.table import WEAR, Table


def tow(*cars: dict[str, Any], **setup: Any) -> Table:
    return position(*cars, track=TOW, **setup)


# -- gears


@pytest.mark.article("league", "gears.free", "base.gears")
def test_one_gear_up_or_down_is_free_and_up_no_more() -> None:
    table = position({"at": "2:left:1", "gear": 3})
    costs = {option.answer: option.wear for option in table.options}
    assert costs == {4: {}, 3: {}, 2: {}, 1: {"gearbox": -1}}
    assert all(option.wear == {} for option in table.options[1:])


@pytest.mark.article("league", "gears.skip")
def test_skipped_gears_cost_gearbox_brakes_and_engine() -> None:
    table = position({"at": "2:left:1", "gear": 6})
    costs = {option.answer: option.wear for option in table.options}
    assert costs == {
        6: {},
        5: {},
        4: {"gearbox": -1},
        3: {"gearbox": -1, "brakes": -1},
        2: {"gearbox": -1, "brakes": -1, "engine": -1},
    }
    table.say(2)
    assert table.ruling("gear_down").article == "gears.skip"
    assert table.race.dangers == ["2:left:1"]  # an engine point was lost there [ruling 6]


@pytest.mark.article("league", "gears.skip")
@pytest.mark.parametrize(("pool", "allowed"), [("gearbox", [5, 6]), ("brakes", [4, 5, 6]), ("engine", [3, 4, 5, 6])])
def test_nobody_skips_what_his_points_do_not_pay(pool: str, allowed: list[int]) -> None:
    """A skip that wants two points of a pool which has one is not allowed, nor one that wants a point of none."""
    options = {"gear_down": [[1, 0, 0], [1, 1, 0], [1, 1, 2]]}
    table = position({"at": "2:left:1", "gear": 6, **worn(**{pool: int(pool == "engine")})}, options=options)
    assert sorted(option.answer for option in table.options) == allowed
    table.refuses(2, "This question allows")


@pytest.mark.article("league", "gears.skip", "base.eliminated")
def test_the_last_engine_point_may_go_on_a_skip_and_ends_the_race() -> None:
    table = position({"at": "2:left:1", "gear": 6, **worn(engine=1)}, {"at": "2:left:9"})
    assert table.option(2).facts == {"out": "engine"}
    table.say(2)
    assert (table.car(1).status, table.car(1).cause) == ("out", "engine")
    assert table.race.dangers == ["2:left:1"]


# -- ways


@pytest.mark.article("league", "base.drive", "base.straight")
def test_the_die_is_driven_around_cars_without_zigzag() -> None:
    """From M7 two spaces: straight on or a lane aside, and not onto or over the car on M9."""
    table = tow({"at": at("M7"), "gear": 2}, {"at": at("M9")})
    table.say(2, 2)
    assert table.spaces() == {at("L10"), at("R10")}
    table.land(at("L10"))
    assert table.ruling("move").facts["moved"] == 2
    six = tow({"at": at("M-3"), "gear": 3})
    six.say(3, 6)
    assert six.spaces() == {at("M9"), at("L8"), at("R8")}  # one lane to the side at most, none of the spaces before
    assert all("blocked" not in option.facts for option in six.options)


@pytest.mark.article("league", "base.corner")
def test_a_corner_wants_its_stops_and_has_its_arrows() -> None:
    table = position({"at": "1:right:2", "gear": 1})
    table.say(1, 1)
    assert table.spaces() == {"1:right:3"}  # Sainte-Dévote's right lane leads straight on
    table.land("1:right:3")
    assert table.ruling("stop").facts == {"corner": 1, "stops": 1, "of": 1}
    assert table.ruling("stop").article == "base.corner"


@pytest.mark.article("league", "brakes.use")
def test_a_brake_point_is_a_space_and_without_any_nobody_brakes() -> None:
    table = position({"at": "2:right:2", "gear": 3, **worn(brakes=2)})
    table.say(3, 6)
    assert {option.answer["brakes"] for option in table.options} == {0, 1, 2}
    table.land("2:right:6", brakes=2)
    assert table.car(1).wear["brakes"] == 0
    assert table.ruling("brake").article == "brakes.use"
    dry = position({"at": "2:right:2", "gear": 3, **worn(brakes=0)})
    dry.say(3, 6)
    assert {option.answer["brakes"] for option in dry.options} == {0}


# -- corners left too early


@pytest.mark.article("league", "tyres.overshoot", "base.overshoot-lane")
def test_each_space_beyond_a_corner_costs_a_tyre_point() -> None:
    table = position({"at": "1:right:3", "gear": 3})
    table.say(3, 5)
    assert table.spaces() == {"2:right:5"}  # it keeps its lane
    assert table.option(space="2:right:5", brakes=0).wear == {"tyres": -5}
    table.land("2:right:5")
    assert table.ruling("overshoot").article == "tyres.overshoot"
    assert table.car(1).wear["tyres"] == 1


@pytest.mark.article("league", "base.overshoot-lane", "base.corner")
def test_ending_in_the_next_corner_that_way_is_no_stop() -> None:
    """From Sainte-Dévote, no stop made, up the whole hill into Casino."""
    table = position({"at": "1:right:3", "gear": 5, **worn(tyres=20)}, options={"wear_setup": [20, 3, 3, 3, 3, 2]})
    table.say(5, 19)
    table.land("3:right:1")
    assert table.car(1).stops == 0
    assert "stop" not in table.kinds()


@pytest.mark.article("league", "tyres.choice")
@pytest.mark.parametrize(
    ("tyres", "age", "surface", "cost"),
    [
        ("hard", 2, "dry", 1), ("hard", 2, "wet", 1), ("soft", 0, "dry", 2), ("soft", 2, "dry", 3),
        ("soft", 1, "wet", 2), ("rain", 0, "dry", 2), ("rain", 2, "dry", 3), ("rain", 2, "wet", 1),
    ],
)  # fmt: skip
def test_tyres_wear_by_choice_surface_and_age(tyres: str, age: int, surface: str, cost: int) -> None:
    table = position(
        {"at": "1:right:3", "gear": 1, "tyres": tyres, "tyre_laps": age},
        laps=4,
        sky="changeable",
        surface=surface,
    )
    table.say(1, 1)
    over = next(option for option in table.options if option.facts.get("overshot") and not option.answer["soft"])
    assert over.wear["tyres"] == -over.facts["overshot"] * cost


@pytest.mark.article("league", "tyres.choice")
def test_soft_tyres_may_drive_a_space_more_in_their_first_lap() -> None:
    for age, dry, more in ((0, True, True), (1, True, False), (0, False, False)):
        surface = "dry" if dry else "wet"
        car = {"at": "2:right:2", "gear": 2, "tyres": "soft", "tyre_laps": age}
        table = position(car, sky="changeable", surface=surface)
        table.say(2, 2)
        assert any(option.answer["soft"] for option in table.options) == more


@pytest.mark.article("league", "weather.rain")
@pytest.mark.parametrize(("tyres", "spaces"), [("hard", 3), ("soft", 3), ("rain", 1)])
def test_cars_slide_in_wet_corners(tyres: str, spaces: int) -> None:
    table = position({"at": "0:right:4", "gear": 2, "tyres": tyres}, sky="rain", surface="wet")
    table.say(2, 2)
    slid = [option.facts["slid"] for option in table.options if "slid" in option.facts]
    assert set(slid) == {spaces}


@pytest.mark.article("league", "tyres.missed-stops")
@STOPS
def test_two_stops_missing_are_the_end(place: str, stops: int, out: bool) -> None:
    table = position({"at": place, "gear": 1, "stops": stops}, {"at": "2:left:1"})
    leave(table, out)
    if out:
        assert table.ruling("out").article == "tyres.missed-stops"
        assert table.car(1).status == "out"
        assert table.race.dangers == [table.car(1).at]  # a marker stays where it went out


@pytest.mark.article("league", "tyres.spin", "base.eliminated")
@pytest.mark.parametrize(("points", "status"), [(6, "racing"), (5, "spun"), (4, "out")])
def test_the_last_tyre_point_spins_and_more_is_the_end(points: int, status: str) -> None:
    table = position({"at": "1:right:3", "gear": 3, **worn(tyres=points)}, {"at": "0:left:1"}, to_play=[1, 2])
    table.say(3, 5)
    facts = table.option(space="2:right:5", brakes=0).facts
    assert (facts.get("spin"), facts.get("out")) == (
        (True, None) if status == "spun" else (None, "overshoot" if status == "out" else None)
    )
    table.land("2:right:5")
    assert (table.car(1).status, table.car(1).at) == (status, "2:right:5")
    assert ("2:right:5" in table.race.dangers) == (status == "out")
    assert ("danger" in table.kinds()) == (status == "out")


@pytest.mark.article("league", "tyres.spin")
def test_whoever_has_spun_starts_again_in_1st_without_a_die() -> None:
    table = position({"at": "2:right:5", "gear": 4, "status": "spun", **worn(tyres=0)})
    assert table.open == ("roll", 1, "gear_1")
    assert table.kinds(1)[-2:] == ["turned", "restart"]
    assert table.ruling("restart").article == "tyres.spin"
    assert table.ruling("restart").facts == {"gear": 1}
    table.say(2)
    table.land("2:right:7")
    assert (table.car(1).status, table.car(1).turned, table.car(1).gear) == ("racing", False, 1)


@pytest.mark.article("league", "tyres.spin")
def test_without_tyre_points_any_loss_is_the_end() -> None:
    """One space over spins nobody twice [ruling 3]; a blocking that costs a tyre point does not either."""
    table = position({"at": "1:right:3", "gear": 1, **worn(tyres=0, brakes=0)}, {"at": "10:left:1"})
    table.say(1, 1)
    assert table.options[0].facts["out"] == "overshoot"
    table.say(table.options[0].answer)
    assert (table.car(1).status, table.car(1).cause) == ("out", "overshoot")
    stuck = tow({"at": at("M-1"), "gear": 3, **worn(tyres=0)}, *({"at": at(x)} for x in ("M9", "L8", "R8")))
    stuck.say(3, 8)  # four free, four blocked: three brakes and a tyre point
    assert stuck.option(space=at("M7"), brakes=0).facts["out"] == "blocked"


# -- blocked


@pytest.mark.article("league", "brakes.obstacle")
@pytest.mark.parametrize(
    ("blocked", "brakes", "tyres"), [(1, 1, 0), (2, 2, 0), (3, 3, 0), (4, 3, 1), (5, 3, 2), (6, 3, 3)]
)
def test_the_table_of_obstacles(blocked: int, brakes: int, tyres: int) -> None:
    gear = 3 if blocked <= 4 else 4
    table = tow({"at": at("M-1"), "gear": gear}, *({"at": at(x)} for x in ("M9", "L8", "R8")))
    table.say(gear, 4 + blocked)
    table.land(at("M7"))
    assert table.ruling("blocked").article == "brakes.obstacle"
    assert table.car(1).wear == {**WEAR, "brakes": 3 - brakes, "tyres": 6 - tyres}


@pytest.mark.article("league", "brakes.out", "base.eliminated")
@pytest.mark.parametrize(("face", "points"), [(11, {}), (10, {"tyres": 2}), (9, {"brakes": 2})])
def test_seven_or_what_cannot_be_paid_is_the_end_for_one_and_a_hit_for_the_one_ahead(
    face: int, points: dict[str, int]
) -> None:
    """Car 2 straight ahead loses a point without a roll; cars 3 and 4 beside are left alone [ruling 7]."""
    table = tow({"at": at("M-1"), "gear": 4, **worn(**points)}, *({"at": at(x)} for x in ("M9", "L8", "R8")))
    table.say(4, face)
    assert table.option(space=at("M7"), brakes=0).facts["out"] == "blocked"
    table.land(at("M7"))
    assert (table.car(1).status, table.car(1).cause) == ("out", "blocked")
    assert [table.car(n).wear["body"] for n in (2, 3, 4)] == [2, 3, 3]
    assert table.ruling("hit").facts["why"] == "blocked"
    assert table.race.dangers == sorted([at("M7"), at("M9")])
    assert table.ask == "gear"  # nobody rolls


@pytest.mark.article("league", "brakes.out")
def test_only_a_racer_straight_ahead_is_hit() -> None:
    """Where the arrows fork, cars 2 and 3 are in the way and none of them stands straight ahead: nobody is asked who is
    hit, and nobody is."""
    cars = [
        {"at": "0:middle:3", "gear": 4},
        {"at": "0:left:3"},
        {"at": "0:right:3"},
    ]
    table = position(*cars, track=FORK)
    table.say(4, 7)
    table.land("0:middle:3")
    assert table.car(1).cause == "blocked"
    assert [table.car(number).wear["body"] for number in (2, 3)] == [3, 3]
    assert table.race.dangers == ["0:middle:3"]


# -- slipstream


def behind(gear: int, ahead: int, **setup: Any) -> Table:
    """Car 1 rolls up straight behind car 2 on the straight of TOW."""
    face, start = {3: (4, "M7"), 4: (7, "M1")}[gear]
    table = tow({"at": at(start), "gear": gear, "stops": 1}, {"at": at("M17"), "gear": ahead}, **setup)
    table.say(gear, face)
    table.land(at("M15"))
    return table


@pytest.mark.article("league", "slipstream.three")
@pytest.mark.parametrize(
    ("gear", "ahead", "offered"), [(3, 3, False), (3, 4, False), (4, 2, True), (4, 4, True), (4, 6, True)]
)
def test_a_slipstream_in_4th_or_higher_whatever_the_gear_ahead(gear: int, ahead: int, offered: bool) -> None:
    table = behind(gear, ahead)
    assert (table.ask == "slipstream") == offered
    if offered:
        assert {option.facts["moved"] + option.answer["brakes"] for option in table.options if option.answer} == {3}
        table.land(at("L20"))
        assert table.ruling("slipstream").article == "slipstream.three"


@pytest.mark.article("league", "slipstream.three")
@pytest.mark.parametrize(("gear", "ahead", "offered"), [(4, 3, False), (4, 4, True), (4, 5, False)])
def test_by_the_official_table_the_gear_ahead_counts(gear: int, ahead: int, offered: bool) -> None:
    """Ruling 10."""
    table = behind(gear, ahead, options={"official_slipstream": True})
    assert (table.ask == "slipstream") == offered


@pytest.mark.article("league", "slipstream.three")
@pytest.mark.parametrize("official", [False, True])
def test_directly_behind_a_racer_who_has_spun(official: bool) -> None:
    """Directly behind is all that is asked; by the official table he has to drive [ruling 10]."""
    cars = [{"at": at("M1"), "gear": 4, "stops": 1}, {"at": at("M17"), "gear": 4, "status": "spun"}]
    table = tow(*cars, options={"official_slipstream": official})
    table.say(4, 7)
    table.land(at("M15"))
    assert (table.ask == "slipstream") == (not official)


@pytest.mark.article("league", "brakes.out", "slipstream.three", "pit.lane")
@pytest.mark.parametrize("seen", [{"blocked": 7}, {}])
def test_on_a_corner_sheet_a_car_in_its_box_is_nobody_ahead(seen: dict[str, Any]) -> None:
    """It is neither hit nor gives a slipstream [rulings 7, 13]; nor does the car six stretches on."""
    boxed = {"at": "box:2", "box": 2, "status": "box", "stop": "quick", "gear": 4}
    table = position({"at": "after:2", "gear": 4}, boxed, {"at": "corner:5", "gear": 3}, track="monza")
    table.say(4, 12)
    for other in (2, 3):
        table.refuses({"in": "after corner 2", "ahead": other, **seen}, "in the pits or too far")
