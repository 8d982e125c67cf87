"""Grid, start, order, tests and the end of a race by the rules of the box."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.errors import BadSetup
from tests.rules.competition.boards import at
from tests.rules.formula_d.tables import formula_d, grid, position, tow, worn
from tests.table import WEAR

# -- before the race


@pytest.mark.article("formula-d", "setup.grid")
def test_the_highest_die_has_pole_and_level_ones_roll_again() -> None:
    table = formula_d(*({"car": n} for n in (1, 2, 3)))
    assert table.open == ("test", 1, "grid")
    assert table.talk.question.article == "setup.grid"  # type: ignore[union-attr]
    table.say(7, 12, 7)
    assert table.open == ("test", 1, "grid")
    table.say(4)
    assert table.open == ("test", 3, "grid")
    assert "grid_rolled" not in table.kinds()
    table.say(9)
    assert table.race.grid == [2, 3, 1]
    assert (table.kinds().count("grid_rolled"), table.ruling("grid_rolled").facts) == (1, {"order": [2, 3, 1]})
    assert (table.race.sky, table.race.surface) == ("sun", "dry")
    assert table.open == ("start", 2, "start")
    assert [table.car(n).at for n in (2, 3, 1)] == ["20:left:16", "20:right:16", "20:left:13"]


@pytest.mark.article("formula-d", "wear.pools")
def test_every_car_has_the_points_of_the_box_and_no_other() -> None:
    table = grid({}, {})
    assert table.ask == "start"  # nobody builds, nobody chooses tyres, nobody draws a weather
    assert [(car.wear, car.built, car.tyres) for car in table.race.cars] == [(WEAR, WEAR, "")] * 2
    assert table.ruling("build").article == "wear.pools"
    assert [car.box for car in table.race.cars] == [1, 2]  # ruling 15
    assert grid({"wear": WEAR}, {}).car(1).built == WEAR
    with pytest.raises(BadSetup, match="in Formula D every car has the same points, this one tyres 6, brakes 3"):
        grid({"wear": {**WEAR, "tyres": 7, "brakes": 2}}, {})
    for weather in ({"sky": "rain"}, {"surface": "wet"}):
        with pytest.raises(BadSetup, match="sun in the sky"):
            grid({}, {}, **weather)
    with pytest.raises(BadSetup, match="soft tyres"):
        grid({"tyres": "soft"}, {})
    with pytest.raises(BadSetup, match="wreck; by these rules no car is"):
        position({"at": "2:left:1", "gear": 3}, {"at": "2:left:9", "status": "wreck"})


# -- start


@pytest.mark.article("formula-d", "start.stall")
def test_a_stalled_car_waits_a_round_and_leaves_in_1st_without_the_die() -> None:
    table = grid({}, {})
    table.say(1)
    assert (table.car(1).status, table.car(1).at) == ("stalled", "20:left:16")
    assert table.ruling("stall").article == "start.stall"
    assert table.open == ("start", 2, "start")
    table.say(2, 1)
    table.say(table.options[0].answer)
    table.until(lambda: table.ask != "test")
    assert (table.race.round, table.open) == (2, ("roll", 1, "gear_1"))


@pytest.mark.article("formula-d", "start.normal", "start.great")
@pytest.mark.parametrize(("face", "great"), [(2, False), (19, False), (20, True)])
def test_two_to_nineteen_is_1st_and_twenty_four_spaces_then_1st_or_2nd(face: int, great: bool) -> None:
    table = grid({}, {})
    table.say(face)
    assert table.car(1).gear == 1
    if not great:
        assert table.ruling("start").article == "start.normal"
        assert table.open == ("roll", 1, "gear_1")
        return
    assert table.ruling("great_start").article == "start.great"
    assert {option.facts["moved"] + option.answer["brakes"] for option in table.options} == {4}
    table.say(table.options[0].answer)
    table.say(5, 1)
    table.say(table.options[0].answer)
    table.until(lambda: table.ask != "test")
    assert table.open == ("gear", 1, "")
    assert sorted(option.answer for option in table.options) == [1, 2]


@pytest.mark.article("formula-d", "start.great")
def test_a_great_start_goes_a_lane_or_two_aside_to_avoid_a_car() -> None:
    table = grid({}, {"at": "20:left:17"}, track="monaco")
    table.say(20)
    assert table.spaces()
    assert all(option.facts["moved"] == 4 for option in table.options if not option.answer["brakes"])
    assert not any("blocked" in option.facts for option in table.options)


# -- order


@pytest.mark.article("formula-d", "order.position")
def test_cars_play_as_they_stand_laps_first() -> None:
    """A lapped car ahead of the leader on the road plays after him and loses no turn [ruling 2]."""
    table = position(
        {"at": "2:left:5", "gear": 2, "lap": 2}, {"at": "2:left:9", "lap": 1}, {"at": "2:left:1", "lap": 2},
        to_play=[1, 2, 3],
    )  # fmt: skip
    assert table.rulebook.running_order() == [1, 3, 2]
    table.say(2, 4)
    table.land("2:middle:9" if "2:middle:9" in table.spaces() else sorted(table.spaces())[0])
    assert "lost_turn" not in table.kinds()


@pytest.mark.article("formula-d", "setup.grid")
def test_a_position_without_a_grid_lists_its_cars_from_pole() -> None:
    table = position({"at": "2:left:1", "gear": 3}, {"at": "2:left:9"})
    assert [car.number for car in table.rulebook.preparing.grid_order()] == [1, 2]


@pytest.mark.article("formula-d", "order.gear", "order.inside")
def test_level_cars_play_by_gear_then_by_the_inside_of_the_corner_to_come() -> None:
    """The inside of Anthony Noghès is the right lane; who came first counts last of all [ruling 3]."""
    left, right = {"at": "18:left:3", "arrived": 1}, {"at": "18:right:4", "arrived": 2}
    level = position({**left, "gear": 2}, {**right, "gear": 2}, to_play=[1, 2])
    ids, place = level.rulebook.track.ids, level.rulebook.track.place
    assert place[ids["18:left:3"]] == place[ids["18:right:4"]]
    assert level.rulebook.running_order() == [2, 1]
    geared = position({**left, "gear": 3}, {**right, "gear": 2}, to_play=[1, 2])
    assert geared.rulebook.running_order() == [1, 2]
    sheet = [{"at": "after:2", "gear": 3, "arrived": n} for n in (2, 1)]
    assert position(*sheet, track="monza", to_play=[1, 2]).rulebook.running_order() == [2, 1]


# -- collisions


@pytest.mark.article("formula-d", "collision.test")
def test_cars_beside_and_ahead_roll_then_the_mover_for_each() -> None:
    """Not one behind; on 1 alone a body point goes, and debris lies under that car [ruling 8]."""
    table = tow({"at": "M1", "gear": 2}, {"at": "M7"}, {"at": "L4"}, {"at": "M3", "status": "racing"}, {"at": "M-1"})
    table.talk.override({"car": 4, "at": at("R12")})
    table.say(2, 2)
    table.land(at("M5"))
    assert table.tested("collision", {2: 1, 1: 2}) == [(2, 1), (3, 1), (1, 1), (1, 1)]
    assert [table.car(n).wear["body"] for n in (1, 2, 3, 4, 5)] == [3, 2, 3, 3, 3]
    assert table.race.dangers == [at("M7")]
    assert table.ruling("hit").article == "collision.test"


@pytest.mark.article("formula-d", "collision.out", "debris.laid")
def test_the_last_body_point_is_the_end_at_once_and_nobody_pays_for_it() -> None:
    """No automatic loss for the mover: he rolls [rulings 8, 9]."""
    table = tow({"at": "M1", "gear": 2}, {"at": "M7", **worn(body=1)})
    table.say(2, 2)
    table.land(at("M5"))
    table.say(1)
    assert (table.car(2).status, table.car(2).cause) == ("out", "body")
    assert table.ruling("out").article == "collision.out"
    assert table.race.dangers == [at("M7")]
    assert table.car(1).wear == WEAR


# -- engines and debris


@pytest.mark.article("formula-d", "engine.test")
@pytest.mark.parametrize(("gear", "face", "tested"), [(5, 20, True), (5, 19, False), (6, 30, True), (6, 29, False)])
def test_a_20_in_5th_or_a_30_in_6th_tests_every_car_in_5th_or_6th(gear: int, face: int, tested: bool) -> None:
    table = position(
        {"at": "10:left:1", "gear": gear}, {"at": "2:left:3", "gear": 6}, {"at": "2:left:9", "gear": 4},
        {"at": "2:right:3", "gear": 5, "status": "spun"},
    )  # fmt: skip
    table.say(gear, face)
    table.say(next(option.answer for option in table.options if "out" not in option.facts))
    assert sorted(table.tested("engine", {1: 4, 2: 5})) == ([(1, 4), (2, 4), (4, 4)] if tested else [])
    assert [table.car(n).wear["engine"] for n in (1, 2)] == ([2, 3] if tested else [3, 3])
    assert table.race.dangers == ([table.car(1).at] if tested else [])


@pytest.mark.article("formula-d", "engine.out")
def test_the_last_engine_point_is_the_end_at_once() -> None:
    """Nobody coasts."""
    table = position({"at": "10:left:1", "gear": 5}, {"at": "2:left:3", "gear": 6, **worn(engine=1)})
    table.say(5, 20)
    table.say(table.options[0].answer)
    table.tested("engine", {2: 1})
    assert (table.car(2).status, table.car(2).cause) == ("out", "engine")
    assert table.ruling("out").article == "engine.out"
    assert table.race.dangers == ["2:left:3"]


@pytest.mark.article("formula-d", "debris.test")
@pytest.mark.parametrize(("face", "left"), [(4, 1), (5, 2)])
def test_crossing_debris_or_stopping_on_it_is_tested(face: int, left: int) -> None:
    table = tow({"at": "M1", "gear": 2}, dangers=[at("M3")])
    table.say(2, 2)
    table.land(at("M5"))
    assert table.ruling("move").facts["moved"] == 2
    assert table.tested("handling", {1: face}) == [(1, 4)]
    assert table.car(1).wear["handling"] == left
    there = tow({"at": "M-1", "gear": 2}, dangers=[at("M3")])
    there.say(2, 2)
    there.land(at("M3"))
    assert there.tested("handling") == [(1, 4)]
    assert there.ruling("handling").article == "debris.test"


@pytest.mark.article("formula-d", "debris.out", "debris.laid")
def test_the_last_handling_point_is_the_end_where_the_debris_lies() -> None:
    table = tow({"at": "M1", "gear": 2, **worn(handling=1)}, {"at": "L22"}, dangers=[at("M3")])
    table.say(2, 2)
    table.land(at("M5"))
    table.say(4)
    assert (table.car(1).status, table.car(1).cause, table.car(1).at) == ("out", "handling", at("M3"))
    assert table.ruling("out").article == "debris.out"


@pytest.mark.article("formula-d", "debris.laid", "gears.price")
def test_the_debris_of_a_hard_gear_down_is_not_laid_by_a_car_that_is_out_or_home() -> None:
    """What lies there is laid by that which puts it out, and told once, on a corner sheet too."""
    car = {"gear": 6, **worn(tyres=1, brakes=2)}
    for track, at_, answer in (
        ("monaco", "1:right:3", {"space": "2:right:4", "brakes": 0, "soft": 0}),
        ("monza", "corner:2", {"in": "after corner 2", "overshot": 3}),
    ):
        out = position({**car, "at": at_}, track=track)
        out.say(2, 4, answer)
        assert (out.car(1).status, len(out.race.dangers), out.kinds().count("danger")) == ("out", 1, 1)
    home = position({"at": "20:left:16", "gear": 6, "lap": 2}, {"at": "2:left:9"})
    home.say(2, 4)
    home.say(home.options[0].answer)
    assert (home.car(1).status, home.race.dangers, home.kinds().count("danger")) == ("finished", [], 0)


@pytest.mark.article("formula-d", "debris.laid")
def test_a_car_goes_out_once() -> None:
    book = position({"at": "after:2", "gear": 3}, {"at": "after:0"}, track="monza").rulebook
    for _ in range(2):
        book.wear.eliminate(book.car(1), "body", "14-2", removed=False)
    assert [ruling.kind for ruling in book.ruled] == ["out", "danger"]
    assert (book.car(1).status, book.race.dangers) == ("out", ["after:2"])


@pytest.mark.article("formula-d", "debris.laid")
def test_the_referee_s_word_lays_no_debris() -> None:
    """Ruling 9."""
    table = position({"at": "2:left:1", "gear": 3}, {"at": "2:left:9"})
    table.talk.override({"car": 2, "status": "out", "cause": "body"})
    assert table.race.dangers == []


# -- the end


@pytest.mark.article("formula-d", "finish.winner")
def test_a_race_has_two_laps_and_ends_when_all_are_home() -> None:
    race: Any = formula_d({"car": 1}, {"car": 2}).race
    assert race.laps == 2
    table = position({"at": "20:left:12", "gear": 4, "lap": 2}, {"at": "20:right:12", "gear": 4, "lap": 2})
    table.say(4, 12)
    table.say(table.options[0].answer)
    assert table.car(1).status == "finished"
    assert table.ruling("finish").article == "finish.winner"
    assert table.race.phase == "race"
    table.say(4, 12)
    table.say(table.options[0].answer)
    assert table.race.phase == "over"
    assert [(row["place"], row["car"], row["points"]) for row in table.rulebook.result()] == [(1, 1, 10), (2, 2, 8)]


@pytest.mark.article("formula-d", "finish.winner")
@pytest.mark.parametrize("placed", [False, True])
def test_who_is_out_has_no_place_unless_the_table_wants_it_so(placed: bool) -> None:
    """Ruling 17."""
    cars = [{"at": "20:left:12", "gear": 4, "lap": 2}, {"at": "2:left:1", "status": "out", "lap": 2}]
    table = position(*cars, options={"distance": placed})
    table.say(4, 12)
    table.say(table.options[0].answer)
    rows = [(row["place"], row["car"], row["points"]) for row in table.rulebook.result()]
    assert rows == [(1, 1, 10), (2 if placed else None, 2, 8 if placed else 0)]


@pytest.mark.article("formula-d", "gears.up", "gears.down", "gears.price", "pits.exempt")
@pytest.mark.parametrize(
    ("gear", "article", "cost"),
    [(4, "gears.up", {}), (3, "gears.up", {}), (2, "gears.down", {}), (1, "gears.price", {"gearbox": -1})],
)
def test_a_gear_is_ruled_by_the_article_that_speaks_of_it(gear: int, article: str, cost: dict[str, int]) -> None:
    table = position({"at": "2:left:1", "gear": 3})
    table.say(gear)
    ruling = table.ruling("gear_down" if cost else "gear")
    assert (ruling.article, ruling.wear) == (article, cost)


@pytest.mark.article("formula-d", "gears.down", "gears.price", "pits.exempt")
def test_a_free_gear_down_is_ruled_by_what_makes_it_free() -> None:
    """One gear always is, two are in the pit lane, or where a table's own figures say so."""
    for gear, article in ((3, "gears.down"), (2, "pits.exempt")):
        lane = position({"at": "pit:1", "gear": 4, "status": "pit", "stop": "left", "box": 1})
        lane.say(gear)
        assert lane.ruling("gear").article == article
    track = position({"at": "2:left:1", "gear": 4}, options={"gear_down": [[0, 0, 0], [1, 1, 0], [1, 1, 1]]})
    track.say(2)
    assert track.ruling("gear").article == "gears.price"
