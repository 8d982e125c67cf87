"""What single lines of the league's rules come to: positions, the lane, the way out, the tables."""

from __future__ import annotations

import pytest

from companion.rules.conversation.errors import BadOverride, BadSetup
from tests.rules.league.tables import grid, league, position
from tests.table import WEAR


@pytest.mark.article("league", "start.grid")
def test_the_last_classification_holds_numbers_from_1_to_999() -> None:
    cars = ({"car": 1}, {"car": 999})
    assert league(*cars, sky="sun", last=[999, 1]).race.grid == [1, 999]
    for wrong in ([1000], [0], [1, 1]):
        with pytest.raises(BadSetup, match="each once"):
            league(*cars, sky="sun", last=wrong)


@pytest.mark.article("league", "start.grid")
def test_a_grid_names_every_car_once() -> None:
    assert [car.number for car in grid({}, {}, grid=[2, 1]).rulebook.preparing.grid_order()] == [2, 1]
    for wrong in ([1], [1, 1], [1, 2, 3]):
        with pytest.raises(BadSetup, match="every car of the race once"):
            grid({}, {}, grid=wrong)


@pytest.mark.article("league", "season.drivers", "season.teams")
def test_a_setup_is_not_cut_short_and_nobody_coasts_in_it() -> None:
    with pytest.raises(BadSetup, match="not in its setup"):
        grid({}, {}, cut_short="now")
    assert position({"at": "2:left:5"}, {"at": "2:left:1"}, cut_short="now").race.phase == "over"
    for status in ("coasting", "wreck"):
        with pytest.raises(BadSetup, match="such a car is out"):
            position({"at": "2:left:5"}, {"at": "2:left:1", "status": status, "gear": 5})


@pytest.mark.article("league", "setup.wear")
def test_a_position_may_say_what_a_car_began_with() -> None:
    built = {**WEAR, "tyres": 8}
    table = position({"at": "2:left:5", "home": True, "built": built}, {"at": "2:left:1"})
    assert (table.car(1).built, table.car(2).built) == (built, table.rulebook.preparing.share(table.car(2)))
    with pytest.raises(BadSetup, match="every car is built of the same points, this one of tyres 6, brakes 3"):
        position({"at": "2:left:5", "built": built}, {"at": "2:left:1"})


@pytest.mark.article("league", "race.two-laps", "race.unfinished")
def test_the_referee_sets_the_race_and_cuts_it_short_by_one_word() -> None:
    table = position({"at": "2:left:5"}, {"at": "2:left:1"})
    table.talk.override({"sky": "rain"})
    assert table.race.sky == "rain"
    for wrong in ("later", "", True):
        with pytest.raises(BadOverride, match="nothing else ends it"):
            table.talk.override({"cut_short": wrong})
    table.talk.override({"cut_short": "now"})
    assert table.race.phase == "over"


@pytest.mark.article("league", "race.two-laps", "race.unfinished")
def test_whoever_is_out_is_placed_by_how_far_he_came() -> None:
    table = position(
        {"at": "2:left:5"},
        {"at": "8:left:1", "status": "out"},
        {"status": "out", "lap": 2},
        {"at": "1:left:1", "status": "out", "lap": 2},
        {"at": "4:left:1", "status": "out"},
        cut_short="now",
    )
    assert [car.number for car in table.rulebook.finish.classification()] == [4, 2, 5, 1, 3]


@pytest.mark.article("league", "pit.lane")
def test_the_lane_is_wide_and_the_track_is_not() -> None:
    table = position({"at": "2:left:5"}, {"at": "2:left:1", "gear": 1}, {"at": "pit:5", "status": "pit"})
    with pytest.raises(BadOverride, match="a space holds one car"):
        table.talk.override({"car": 2, "at": "2:left:5"})
    table.talk.override({"car": 2, "at": "pit:5"})
    assert table.car(2).at == "pit:5"


@pytest.mark.article("league", "pit.lane")
def test_in_the_lane_a_gear_above_the_limit_comes_down_and_is_cut_at_the_entry_alone() -> None:
    """By the referee's word a car may be in 6th there."""
    table = position({"at": "pit:2", "gear": 6, "status": "pit", "stop": "left", "box": 9})
    assert sorted(option.answer for option in table.options) == [2, 3, 4]
    by_one = {"gear_down": []}
    table = position({"at": "pit:2", "gear": 6, "status": "pit", "stop": "left", "box": 9}, options=by_one)
    assert [option.answer for option in table.options] == [5]  # as low as it can come
    table.say(5, 11)
    table.say(table.options[0].answer)
    assert (table.car(1).gear, "gear_cut" in table.kinds()) == (5, False)


@pytest.mark.article("league", "pit.quick", "pit.lane")
@pytest.mark.parametrize("tyres", ["soft", "hard"])
def test_the_way_out_of_a_quick_stop_has_no_soft_space_and_is_a_space_at_least(tyres: str) -> None:
    car = {"at": "box:1", "box": 1, "status": "box", "stop": "quick", "tyres": tyres}
    table = position(car, {"at": "2:left:1", "gear": 1})
    table.say(4)
    assert table.spaces() == {"pit:5"}
    assert table.spaces(soft=1) == set()
    assert table.spaces(brakes=1) == set()  # nobody brakes in the lane


@pytest.mark.article("league", "pit.quick")
def test_what_follows_a_move_follows_the_way_out() -> None:
    """A marker in the lane is tested there as anywhere."""
    car = {"at": "box:10", "box": 10, "status": "box", "stop": "quick"}
    table = position(car, {"at": "2:left:1", "gear": 1}, dangers=["pit:16"])
    table.say(10)
    table.land("pit:17")
    assert table.open == ("test", 1, "handling")


@pytest.mark.article("league", "tyres.spin")
def test_whoever_drives_on_after_a_spin_has_begun_his_turn() -> None:
    """The referee's order sends nobody back who has his die before him."""
    table = position({"at": "2:left:5", "status": "spun"}, {"at": "2:left:1", "gear": 1}, to_play=[1, 2])
    assert table.open == ("roll", 1, "gear_1")
    table.talk.override({"order": [2, 1]})
    assert table.open == ("roll", 1, "gear_1")
