"""The referee's word: forced answers and set values, in the middle of a turn too."""

from __future__ import annotations

from typing import Any

import pytest

from companion.circuits import load
from companion.rules.conversation.errors import BadAnswer, BadOverride
from companion.rules.rulebooks import begin
from companion.wording import Words
from tests.rules.competition.test_coasting import broken
from tests.rules.competition.test_pit_stops import at_box
from tests.table import WEAR, Table, Talking


def table(*, to_play: list[int] | None = None, **setup: Any) -> Table:
    """Cars 1, 2 and 3 on the long straight, in this order."""
    cars = [
        {"car": 1, "at": "10:left:9", "gear": 3},
        {"car": 2, "at": "10:left:5", "gear": 3},
        {"car": 3, "at": "10:left:1", "gear": 3},
    ]
    return Table(cars, to_play=[] if to_play is None else to_play, **setup)


def refused(where: Table | Talking, change: Any, match: str) -> None:
    """The change is refused with one sentence and nothing has changed."""
    before = where.talk.digest, where.talk.key, where.talk.n
    with pytest.raises(BadOverride, match=match) as caught:
        where.talk.override(change)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    assert (where.talk.digest, where.talk.key, where.talk.n) == before


def test_every_value_can_be_set() -> None:
    race = table(sky="changeable")
    change = {
        "car": 2,
        "wear": {"tyres": 1, "engine": 2},
        "gear": 5,
        "at": "11:left:2",
        "lap": 2,
        "stops": 1,
        "tyres": "rain",
        "tyre_laps": 1,
        "stand": 1,
    }
    noted = race.talk.override(change)
    assert [(ruling.kind, ruling.article, ruling.car, ruling.facts) for ruling in noted] == [
        ("override", "ruling 4", 2, {"change": change})
    ]
    car = race.car(2)
    assert car.wear == {**WEAR, "tyres": 1, "engine": 2}
    assert (car.gear, car.at, car.lap, car.stops, car.tyres, car.tyre_laps, car.stand) == (
        5, "11:left:2", 2, 1, "rain", 1, 1
    )  # fmt: skip
    race.talk.override({"surface": "wet", "dangers": ["10:left:3", "10:left:2"], "cars": [{"car": 1, "gear": 1}]})
    assert (race.race.surface, race.race.dangers, race.car(1).gear) == ("wet", ["10:left:2", "10:left:3"], 1)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"car": 9, "gear": 3}, "There is no car 9; the race has 1, 2, 3"),
        ({"car": True, "gear": 3}, "named by its number"),
        ({"car": "1", "gear": 3}, "named by its number|There is no car"),
        ({"gear": 3}, "gear cannot be set"),
        ({"cars": 5}, '"cars" must be a list'),
        ({"cars": [5]}, '"cars" must be a list'),
        ({"cars": [{"gear": 3}]}, "named by its number"),
        ({"car": 1, "gear": 7}, "gear: a whole number from 0 to 6, not 7"),
        ({"car": 1, "gear": True}, "gear: a whole number"),
        ({"car": 1, "gear": 3.0}, "gear: a whole number"),
        ({"car": 1, "lap": -1}, "laps: a whole number from 0"),
        ({"car": 1, "stops": 4}, "stops: a whole number from 0 to 3"),
        ({"car": 1, "wear": 5}, "Wear is set by pool"),
        ({"car": 1, "wear": {"wings": 5}}, "no pool called wings"),
        ({"car": 1, "wear": {"tyres": -1}}, "holds 0 to 60"),
        ({"car": 1, "wear": {"tyres": True}}, "holds 0 to 60"),
        ({"car": 1, "tyres": "slick"}, "hard, soft, rain"),
        ({"car": 1, "at": "10:left:99"}, "there is no 10:left:99"),
        ({"car": 1, "at": None}, "there is no none"),
        ({"car": 1, "at": ["10:left:1"]}, "there is no "),
        ({"car": 1, "at": "10:left:5"}, "Car 2 stands on 10:left:5; a space holds one car"),
        ({"car": 1, "status": "flying"}, '"stalled", "spun", "coasting", "wreck" or "out"; not to "flying"'),
        ({"car": 1, "team": "A"}, "team cannot be set on a car"),
        ({"sky": "snow"}, "sky is one of sun, changeable, rain"),
        ({"surface": ["wet"]}, "surface is one of dry, wet"),
        ({"dangers": "10:left:1"}, '"dangers" is a list'),
        ({"dangers": ["10:left:99"]}, "there is no 10:left:99"),
        ({"order": 3}, '"order" is a list'),
        ({"order": [3, 3]}, "names each car that still plays once"),
        ({"order": [True]}, "names each car"),
        ({"order": [9]}, "There is no car 9"),
        ({"fuel": 3}, "fuel cannot be set"),
        ({"car": 1, "gear": 2, "cars": [{"car": 2, "gear": 9}]}, "gear: a whole number"),
    ],
)
def test_nonsense_is_refused_whole(change: Any, match: str) -> None:
    refused(table(), change, match)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"car": 1, "status": "flying"}, '"coasting", "wreck" ou "out"\u00a0; pas "flying"'),
        ({"car": 1, "status": "out", "cause": "rust"}, '"compounds" ou "referee"\u00a0; "rust" n’en est pas'),
        ({"sky": "snow"}, '"sun", "changeable", "rain"\u00a0; pas "snow"'),
    ],
)
def test_what_may_stand_there_is_listed_in_french(change: Any, said: str) -> None:
    with pytest.raises(BadOverride) as wrong:
        table().talk.override(change)
    assert said in Words("fr").error(wrong.value)


def test_wear_set_at_the_gear_question_is_offered_at_once() -> None:
    race = table()
    race.talk.override({"car": 1, "gear": 6, "wear": {"gearbox": 0}})
    assert [option.answer for option in race.options] == [5, 6]


def test_brakes_set_at_the_landing_are_offered_at_once() -> None:
    race = table(options={"car_points": 21})
    race.say(3, 4)
    assert race.spaces(4) == set()
    race.talk.override({"car": 1, "wear": {"brakes": 4}, "built": {"brakes": 4}})
    assert race.open == ("landing", 1, "spaces_4")
    assert race.spaces(4) == {"10:left:9"}
    race.talk.override({"dangers": ["10:left:13"]})
    assert race.option(space="10:left:13", brakes=0).facts["tests"] == ["10:left:13"]


def test_another_place_before_the_move_is_where_the_turn_begins() -> None:
    """The engine point of a gear-down marks the space where the turn began: the one that the referee has set."""
    race = table()
    race.talk.override({"car": 1, "at": "10:middle:8", "gear": 6})
    race.say(2)
    assert race.race.dangers == ["10:middle:8"]
    race.say(2)
    assert race.spaces() == {"10:left:9", "10:middle:10", "10:right:10"}


def test_stops_set_before_the_move_count_in_it() -> None:
    race = Table([{"car": 1, "at": "11:left:3", "gear": 3, "stops": 0}], to_play=[1])
    race.talk.override({"car": 1, "stops": 1})
    race.say(3, 7)
    assert all(not option.wear for option in race.options if not option.answer["brakes"])  # nothing is overshot


@pytest.mark.article("competition", "14-1", "14-3", "14-4")
def test_a_car_taken_out_between_two_tests() -> None:
    """Car 2 still had its roll before it; the mover rolls all the same."""
    race = Table([{"car": 1, "at": "10:left:1", "gear": 2}, {"car": 2, "at": "10:left:4", "gear": 2}], to_play=[2, 1])
    race.talk.override({"order": [1, 2]})
    race.say(2, 2)
    race.land("10:left:3")
    assert race.open == ("test", 2, "collision")
    race.talk.override({"car": 2, "status": "out"})
    assert race.open == ("test", 1, "collision")


def test_a_car_taken_out_in_its_own_turn() -> None:
    race = table()
    race.say(3, 4)
    race.talk.override({"car": 1, "status": "out"})
    assert race.car(1).status == "out"
    assert race.car(1).cause == "referee"
    assert race.open == ("gear", 2, "")
    assert race.race.move is not None
    assert race.race.move.car == 2
    assert race.race.gone == [1]


def test_a_car_taken_out_while_another_plays_and_brought_back() -> None:
    race = table()
    race.talk.override({"car": 2, "status": "out"})
    assert race.open == ("gear", 1, "")
    race.say(3, 4)
    race.land("10:left:13")
    assert race.open == ("gear", 3, "")
    race.talk.override({"car": 2, "status": "racing", "at": "10:right:1"})
    assert (race.car(2).status, race.car(2).cause, race.race.gone) == ("racing", "", [])
    race.talk.override({"car": 2, "status": "out"})
    race.talk.override({"car": 3, "at": "10:right:1"})
    refused(race, {"car": 2, "status": "racing"}, "Another car stands on 10:right:1")


@pytest.mark.parametrize("status", ["stalled", "spun"])
def test_a_car_set_stalled_or_spun(status: str) -> None:
    race = table()
    race.talk.override({"car": 2, "status": status})
    race.say(3, 4)
    race.land("10:left:13")
    assert race.open == (("roll", 2, "gear_1") if status == "stalled" else ("start", 2, "restart"))


@pytest.mark.article("competition", "9-0-1")
def test_a_car_set_on_the_grid_rolls_its_start_before_its_first_gear() -> None:
    cars = [{"car": 1, "at": "20:left:13", "gear": 3, "lap": 0}, {"car": 2, "at": "6:left:5", "gear": 3, "lap": 1}]
    race = Table(cars, to_play=[2, 1])
    race.talk.override({"car": 1, "status": "grid"})
    assert (race.car(1).status, race.car(1).gear) == ("grid", 0)
    refused(race, {"car": 2, "status": "grid"}, "Car 2 has crossed the line and is not on the grid")
    race.talk.override({"order": [1]})
    assert race.open == ("start", 1, "start")
    for more in ({"gear": 2}, {"lap": 1}):
        refused(race, {"car": 1, **more}, "Car 1 is on the grid, without gear and lap; set its status to racing as")
    race.talk.override({"car": 1, "gear": 2, "status": "racing"})
    assert race.open == ("gear", 1, "")


@pytest.mark.article("competition", "9-0-1")
@pytest.mark.parametrize("more", [{"gear": 1}, {"lap": 1}])
@pytest.mark.parametrize("rulebook", ["competition", "cup", "death", "league"])
def test_before_the_race_no_car_has_a_gear_or_a_lap(rulebook: str, more: dict[str, Any]) -> None:
    race = Talking(begin({"rulebook": rulebook, "cars": [{"car": 1}, {"car": 2}], "laps": 1}, load("porto-sereno")))
    with pytest.raises(BadOverride, match="Car 2 is on the grid, without gear and lap"):
        race.talk.override({"car": 2, **more})


@pytest.mark.article("competition", "6-3-3")
def test_a_turn_whose_gear_is_taken_out_before_the_die_asks_for_a_gear_again() -> None:
    race = table()
    race.say(3)
    race.talk.override({"car": 1, "gear": 2})
    assert race.open == ("roll", 1, "gear_2")
    race.talk.override({"car": 1, "gear": 0})
    assert race.open == ("gear", 1, "")
    assert [option.answer for option in race.options] == [1]
    race.say(1, 2)
    race.talk.override({"car": 1, "gear": 0})  # the die has been rolled
    assert race.ask == "landing"


@pytest.mark.article("competition", "10-4-6")
@pytest.mark.article("league", "tyres.spin")
@pytest.mark.parametrize("rulebook", ["competition", "league"])
@pytest.mark.parametrize("change", [{"status": "spun", "turned": True}, {"gear": 0}])
def test_a_spun_car_drives_off_in_1st_whatever_was_set(rulebook: str, change: dict[str, Any]) -> None:
    spun = {"car": 1, "at": "10:left:9", "gear": 0, "status": "spun", "turned": True}
    race = Table([spun, {"car": 2, "at": "10:left:1", "gear": 3}], rulebook=rulebook, to_play=[2, 1])
    race.talk.override({"car": 1, **change})
    race.talk.override({"order": [1]})
    if rulebook == "competition":
        race.say(10)
    assert (race.open, race.car(1).gear) == (("roll", 1, "gear_1"), 1)


@pytest.mark.article("competition", "14-2")
def test_a_car_that_stands_nowhere_is_no_wreck() -> None:
    race = Talking(begin({"rulebook": "competition", "cars": [{"car": 1}, {"car": 2}]}, load("monaco")))
    refused(race, {"car": 2, "status": "wreck"}, "A status can be set once the race has begun")
    race.talk.override({"car": 2, "status": "out"})
    refused(race, {"car": 2, "status": "wreck", "cause": "engine"}, "A status can be set once")


@pytest.mark.article("competition", "8-2-1")
@pytest.mark.parametrize(("laps", "aged"), [((1,), 1), ((1, 0), 0), ((), 0)])
def test_a_car_that_has_crossed_the_line_by_the_referee_s_word_ages_its_set_at_the_next(
    laps: tuple[int, ...], aged: int
) -> None:
    """Set on its first lap, it has had the crossing that does not count; set back, it has it before it."""
    race = Table([{"car": 1, "at": "20:left:16", "gear": 2, "lap": 0, "tyres": "soft"}], to_play=[1])
    for lap in laps:
        race.talk.override({"car": 1, "lap": lap})
    race.say(2, 2)
    race.land(next(space for space in race.spaces() if space.startswith("0:")))
    assert (race.car(1).lap, race.car(1).tyre_laps, race.car(1).fresh) == (1 + aged, aged, False)


@pytest.mark.article("competition", "8-2-1")
def test_whoever_is_set_back_before_its_first_crossing_has_it_before_it_whatever_its_set_was() -> None:
    race = Table([{"car": 1, "at": "20:left:16", "gear": 2, "tyre_laps": 1}], to_play=[1])
    race.talk.override({"car": 1, "lap": 0, "tyre_laps": 0})
    race.say(2, 2)
    race.land("0:left:1")
    assert (race.car(1).lap, race.car(1).tyre_laps) == (1, 0)


@pytest.mark.article("competition", "14-2")
def test_a_wreck_is_taken_off_and_put_back_by_the_referee_s_word() -> None:
    race = table()
    race.talk.override({"car": 2, "status": "wreck", "cause": "body"})
    assert "10:left:5" not in free(race)
    race.talk.override({"car": 2, "status": "out"})
    assert (race.car(2).status, race.car(2).cause, race.race.gone) == ("out", "body", [2])
    assert "10:left:5" in free(race)
    race.talk.override({"car": 2, "status": "wreck"})
    assert (race.car(2).status, race.car(2).cause, race.race.gone) == ("wreck", "body", [2])
    race.talk.override({"car": 2, "status": "out", "cause": "engine"})
    assert race.car(2).cause == "engine"
    race.talk.override({"car": 3, "at": "10:left:5"})
    refused(race, {"car": 2, "status": "wreck"}, "Another car stands on 10:left:5 by now")


def free(race: Table) -> set[str]:
    """The spaces on which nobody stands."""
    return {space.name for space in race.rulebook.track.spaces} - {car.at for car in race.race.cars if car.standing}


@pytest.mark.article("competition", "19-2-5")
def test_a_car_in_the_pit_lane_of_a_corner_sheet_has_its_stop_before_it() -> None:
    """Ruling 81: the way to its box is counted there; whoever has none yet has the one that is called, no other."""
    race = Table([{"car": 1, "at": "after:6", "gear": 2, "box": 2}], "monza", to_play=[1])
    race.talk.override({"car": 1, "at": "pit:2"})
    assert (race.car(1).status, race.car(1).stop, race.car(1).box) == ("pit", "", 2)
    places = (("monza", "pit:3", 3, ""), ("monza", "box:3", 3, "missed"), ("monaco", "pit:18", 0, ""))
    for track, at, box, stop in places:
        race = Table([{"car": 1}, {"car": 2}], track)
        race.talk.override({"car": 1, "at": at})
        assert (race.car(1).stop, race.car(1).box) == (stop, box)


def test_into_the_pits_and_out_by_the_referee_s_word() -> None:
    race = table()
    race.talk.override({"car": 2, "at": "pit:3"})
    assert race.car(2).status == "pit"
    race.talk.override({"car": 2, "at": "box:2"})
    assert (race.car(2).status, race.car(2).stop) == ("box", "missed")
    refused(race, {"car": 2, "status": "spun"}, "in the pits, where no car is spun")
    race.talk.override({"car": 2, "at": "10:left:5"})
    assert (race.car(2).status, race.car(2).stop) == ("racing", "")
    race.talk.override({"car": 3, "status": "out"})
    race.talk.override({"car": 3, "at": "pit:3"})
    assert race.car(3).status == "out"


@pytest.mark.article("competition", "19-2-5", "19-1-9")
@pytest.mark.parametrize(("at", "gears"), [("pit:5", [1, 2, 3]), ("pit:6", [2, 3])])
def test_a_car_put_into_the_lane_beyond_its_box_has_had_its_stop(at: str, gears: list[int]) -> None:
    """Beside the fifth space of the lane, which it may still turn in from."""
    race = Table([{"car": 1, "at": "20:left:5", "gear": 2, "box": 2}], to_play=[1])
    race.talk.override({"car": 1, "at": at})
    assert [option.answer for option in race.options] == gears


@pytest.mark.article("competition", "7-1-2", "7-1-3")
@pytest.mark.parametrize(
    ("track", "at", "stops"),
    [
        ("monaco", "1:left:2", 0),
        ("monaco", "3:left:2", 0),
        ("monaco", "2:left:2", 1),
        ("monza", "corner:1", 0),
        ("monza", "corner:2", 0),
        ("monza", "after:1", 1),
    ],
)
def test_a_car_brought_back_into_a_corner_has_made_no_stop_there(track: str, at: str, stops: int) -> None:
    """On a straight there is none to be made, and what the referee has said of it stands."""
    here = "10:left:9" if track == "monaco" else "after:4"
    race = Table([{"car": 1, "at": here, "gear": 3}, {"car": 2, "status": "out", "cause": "body"}], track, to_play=[1])
    race.talk.override({"car": 2, "stops": 1})
    race.talk.override({"car": 2, "at": at})
    assert race.car(2).stops == stops


# -- order


@pytest.mark.article("competition", "19-2-4", "19-1-1")
@pytest.mark.parametrize(("at", "opened"), [("19:right:2", True), ("0:left:3", False)])
def test_a_set_has_come_round_on_a_car_that_is_put_near_the_pit_entry(at: str, opened: bool) -> None:
    """As it has where a move or a position brings the car there [ruling 35]."""
    race = Table([{"car": 1, "at": "5:left:2", "gear": 3, "lap": 2, "box": 1}], to_play=[1])
    race.talk.override({"car": 1, "at": at, "stops": 1 if opened else 0})
    assert race.car(1).round_set == opened
    race.say(3, 6)
    assert any(space.startswith(("pit:", "box:")) for space in race.spaces()) == opened


@pytest.mark.article("competition", "6-2-2")
def test_the_order_of_play_as_the_referee_says() -> None:
    race = table()
    assert race.open == ("gear", 1, "")
    race.talk.override({"order": [3, 1, 2]})
    assert race.open == ("gear", 3, "")
    played = []
    while race.race.round == 1:
        assert race.open is not None
        played.append(race.open[1])
        race.say(3, 4)
        race.say(race.options[0].answer)
        race.until("gear")
    assert played == [3, 1, 2]
    assert race.open == ("gear", 1, "")  # the next round is played by the places again


@pytest.mark.article("competition", "6-2-2")
def test_an_order_leaves_out_who_has_played() -> None:
    race = table()
    race.talk.override({"order": [1, 3]})
    race.say(3, 4)
    race.land("10:left:13")
    assert race.open == ("gear", 3, "")
    race.say(3, 8)
    race.say(race.options[0].answer)
    race.until("gear")
    assert race.race.round == 2


@pytest.mark.article("competition", "6-2-2")
def test_a_turn_that_has_begun_is_played_to_its_end_first() -> None:
    race = table()
    race.say(3)
    race.talk.override({"order": [3, 2]})
    assert race.open == ("roll", 1, "gear_3")
    race.say(4)
    race.land("10:left:13")
    assert race.open == ("gear", 3, "")


def test_the_order_of_level_cars_is_the_order_of_their_arrival_too() -> None:
    race = Table([{"car": 1, "at": "10:left:5", "gear": 2}, {"car": 2, "at": "10:right:6", "gear": 2}], to_play=[])
    assert race.rulebook.running_order() == [1, 2]
    race.talk.override({"order": [2, 1]})
    assert race.rulebook.running_order() == [2, 1]
    assert race.open == ("gear", 2, "")


def test_a_car_off_the_board_is_in_no_order_and_there_is_none_before_the_race() -> None:
    race = table()
    race.talk.override({"car": 3, "status": "out"})
    refused(race, {"order": [3, 1]}, "Car 3 is no longer on the board")
    refused(Table([{"car": 1}]), {"order": [1]}, "once the race has begun")


@pytest.mark.article("competition", "6-2-2")
def test_an_order_goes_along_with_the_position() -> None:
    race = table()
    race.talk.override({"order": [3, 1, 2]})
    again = begin(race.rulebook.state(), race.rulebook.track)
    assert again.to_play() == [3, 1, 2]
    following = again.order.next_to_play()
    assert following is not None
    assert following.number == 3


@pytest.mark.article("competition", "0-0-2", "6-2-2")
@pytest.mark.parametrize(
    ("played", "at", "asked"),
    [
        (False, "10:left:13", 3),  # the round goes by whoever leads now
        (False, "10:left:7", 1),
        (True, "10:left:7", 3),  # it comes before car 2, whose turn has not begun
        (True, "10:left:3", 2),
        (True, "10:left:15", 2),  # ahead of where the round began it comes last
    ],
)
def test_at_the_beginning_of_a_turn_a_car_that_comes_first_now_is_asked(played: bool, at: str, asked: int) -> None:
    race = table()
    if played:
        race.say(3, 4)
        race.land("10:left:13")
    race.talk.override({"car": 3, "at": at})
    assert (race.open, race.race.round) == (("gear", asked, ""), 1)
    assert race.rulebook.to_play()[0] == asked


@pytest.mark.article("competition", "0-0-2", "6-2-2")
def test_once_the_gear_is_set_the_turn_goes_on_whoever_leads() -> None:
    race = table()
    race.say(3)
    race.talk.override({"car": 3, "at": "10:left:13"})
    assert race.open == ("roll", 1, "gear_3")


@pytest.mark.article("competition", "0-0-2", "6-2-2")
def test_whom_the_referee_has_called_plays_before_a_new_leader() -> None:
    race = table()
    race.talk.override({"order": [2, 1, 3]})
    race.talk.override({"car": 3, "at": "10:left:13"})
    assert race.open == ("gear", 2, "")
    assert race.rulebook.to_play() == [2, 1, 3]


@pytest.mark.article("competition", "5-1-1", "16-0-3")
@pytest.mark.parametrize(
    ("car", "wear", "after"),
    [
        ({"status": "coasting", "coast": 4}, {"tyres": 1}, ("coasting", 4)),
        ({"status": "coasting", "coast": 4}, {"engine": 1}, ("racing", 0)),
        ({"status": "spun", "coast": -1}, {"tyres": 1}, ("spun", -1)),
        ({"status": "spun", "coast": -1}, {"engine": 1}, ("spun", 0)),
        ({"gear": 4}, {"engine": 0}, ("out", 0)),
        ({"gear": 5}, {"engine": 0}, ("coasting", 4)),
        ({}, {"body": 0}, ("wreck", 0)),
        ({}, {"handling": 0}, ("out", 0)),
        ({}, {"tyres": 0, "brakes": 0, "gearbox": 0}, ("racing", 0)),
    ],
)
def test_a_part_that_is_set_without_a_point_is_broken_and_an_engine_with_one_holds(
    car: dict[str, Any], wear: dict[str, int], after: tuple[str, int]
) -> None:
    other = {"car": 1, "at": "10:left:9", "gear": 3}
    held = {**WEAR, "engine": 0} if "coast" in car else WEAR
    race = Table([other, {"car": 2, "at": "10:left:5", "gear": 3, "wear": held, **car}], to_play=[1])
    race.talk.override({"car": 2, "wear": wear})
    assert (race.car(2).status, race.car(2).coast) == after


# -- the sky


def test_a_sky_set_by_the_referee_counts_as_drawn() -> None:
    """Changeable, set to sun: sun for the time being; drawn once more it stays."""
    race = table(sky="changeable")
    race.talk.override({"sky": "sun"})
    assert (race.race.fixed, race.race.drawn, race.race.surface) == (False, "sun", "dry")
    assert begin(race.rulebook.state(), race.rulebook.track).race.fixed is False
    race.talk.override({"sky": "changeable"})
    assert (race.race.fixed, race.race.drawn) == (False, "changeable")


def test_a_final_sky_stays_final_unless_it_is_set_to_changeable() -> None:
    race = table(sky="sun")
    race.talk.override({"sky": "rain", "surface": "wet"})
    assert race.race.fixed is True
    race.talk.override({"sky": "changeable"})
    assert race.race.fixed is False


# -- on a corner sheet


def test_a_place_on_a_corner_sheet_holds_more_than_one_car() -> None:
    race = Table([{"car": 1, "at": "after:1", "gear": 3}, {"car": 2, "at": "after:1", "gear": 3}], "spa", to_play=[])
    assert race.rulebook.running_order() == [1, 2]
    race.talk.override({"car": 2, "at": "corner:3"})
    assert race.rulebook.running_order() == [2, 1]
    race.talk.override({"car": 1, "at": "corner:3"})
    race.talk.override({"order": [2, 1]})
    assert race.rulebook.running_order() == [2, 1]
    race.talk.override({"order": [1, 2]})
    assert race.rulebook.running_order() == [1, 2]
    refused(race, {"car": 1, "at": "corner:9"}, "on a corner sheet a place is")


# -- forced answers


def test_forced_answers_are_taken_if_they_make_sense_at_all() -> None:
    race = table()
    race.refuses(6)
    race.talk.answer(6, forced=True)
    assert race.car(1).gear == 6
    race.refuses(3)
    race.talk.answer(3, forced=True)
    assert race.open == ("landing", 1, "spaces_3")
    race.talk.answer({"space": "10:right:3", "brakes": 0, "soft": 0}, forced=True)
    assert race.car(1).at == "10:right:3"


@pytest.mark.article("competition", "6-2-1", "21-1-5")
@pytest.mark.parametrize(
    ("begin", "lap", "end", "back", "after"),
    [
        ("6:left:5", 1, "6:left:3", 2, 1),
        ("6:left:5", 1, "6:middle:5", 1, 1),
        ("18:left:5", 1, "18:left:3", 2, 1),
        ("12:left:3", 1, "6:left:3", 59, 1),
        ("0:left:2", 2, "20:left:16", 3, 1),
        ("0:left:2", 1, "20:left:16", 3, 0),
        ("0:left:2", 0, "20:left:16", 3, 0),
    ],
    ids=[
        "behind", "beside, half a space back", "on the second half of the lap", "over half the lap", "over the line",
        "over the line behind the grid", "over a line that it has never crossed",
    ],
)  # fmt: skip
def test_a_forced_landing_behind_the_car_puts_it_back(begin: str, lap: int, end: str, back: int, after: int) -> None:
    race = Table([{"car": 1, "at": begin, "gear": 3, "lap": lap}], to_play=[1])
    race.say(3, 5)
    move, *_ = race.talk.answer({"space": end, "brakes": 0, "soft": 0}, forced=True)
    assert (race.car(1).at, race.car(1).lap) == (end, after)
    assert (move.kind, move.facts["moved"], move.facts["back"]) == ("move", 0, back)
    assert Words("en").ruling(move) == f"1 goes back to {end}."


@pytest.mark.article("competition", "6-2-6")
@pytest.mark.parametrize(("face", "taken"), [(0, False), (1, True), (40, True), (41, False)])
def test_a_forced_roll_is_a_number_of_spaces_that_there_could_be(face: int, taken: bool) -> None:
    race = table()
    race.say(3)
    if taken:
        race.talk.answer(face, forced=True)
        assert race.open == ("landing", 1, f"spaces_{face}")
    else:
        with pytest.raises(BadAnswer, match="1 to 40"):
            race.talk.answer(face, forced=True)


@pytest.mark.article("competition", "6-2-1", "8-2-1", "11-0-3")
@pytest.mark.parametrize(
    ("end", "moved", "parts", "pays"),
    [
        ("10:left:8", 3, {}, (0, 0)),
        ("10:middle:8", 3, {"brakes": 3}, (3, 0)),
        ("10:middle:9", 4, {"soft": 1}, (0, 1)),
        ("20:left:5", 83, {}, (0, 0)),
    ],
    ids=["ahead", "beside, half a space before or behind, braked", "with a soft space", "nearly half the lap"],
)
def test_a_forced_landing_ahead_tells_about_how_far_it_is(
    end: str, moved: int, parts: dict[str, int], pays: tuple[int, int]
) -> None:
    race = Table([{"car": 1, "at": "10:left:5", "gear": 3}], to_play=[1])
    race.say(3, 5)
    move, *_ = race.talk.answer({"space": end, **parts}, forced=True)
    assert (race.car(1).at, move.facts["moved"]) == (end, moved)
    assert (move.facts.get("braked", 0), move.facts.get("soft", 0)) == pays
    assert race.car(1).wear["brakes"] == WEAR["brakes"] - pays[0]


@pytest.mark.article("competition", "19-1-9", "19-2-5")
@pytest.mark.parametrize(("at", "gears"), [("pit:5", [1, 2, 3, 4]), ("pit:6", [2, 3, 4])])
def test_a_car_that_lands_in_the_lane_beyond_its_box_by_word_has_had_its_stop(at: str, gears: list[int]) -> None:
    race = Table([{"car": 1, "at": "20:left:5", "gear": 3, "box": 2}], to_play=[1])
    race.say(3, 5)
    race.talk.answer({"space": at, "brakes": 0, "soft": 0}, forced=True)
    assert race.open == ("gear", 1, "")
    assert [option.answer for option in race.options] == gears


@pytest.mark.parametrize("answer", [0, 7, True, "4", None, [4], {}])
def test_a_forced_gear_that_makes_no_sense(answer: Any) -> None:
    race = table()
    before = race.talk.digest
    with pytest.raises(BadAnswer):
        race.talk.answer(answer, forced=True)
    assert race.talk.digest == before


@pytest.mark.parametrize(
    ("parts", "match"),
    [
        ({"brakes": -1}, "can spend 0 to 3 brakes and 0 to 1 bonus spaces"),
        ({"brakes": 4}, "can spend 0 to 3 brakes"),
        ({"soft": 2}, "0 to 1 bonus spaces"),
        ({"soft": -1}, "0 to 1 bonus spaces"),
        ({"space": "10:right:99"}, "On Monaco there is no 10:right:99"),
    ],
)
def test_a_forced_landing_that_makes_no_sense(parts: dict[str, Any], match: str) -> None:
    race = table()
    race.say(3, 4)
    before = race.talk.digest
    with pytest.raises(BadAnswer, match=match):
        race.talk.answer({"space": "10:right:3", "brakes": 0, "soft": 0, **parts}, forced=True)
    assert race.talk.digest == before


def test_a_surface_set_while_a_die_is_open_counts_in_that_test() -> None:
    table = Table([{"car": 1, "at": "10:left:1", "gear": 4}], to_play=[1], dangers=["10:left:5"])
    table.say(3, 4)
    table.land("10:left:5")
    assert table.open == ("test", 1, "handling")
    table.talk.override({"sky": "rain"})
    table.say(5)  # 5 is lost on a wet track only
    assert table.car(1).wear["handling"] == WEAR["handling"] - 1


def test_wear_is_not_set_on_a_car_that_is_not_built() -> None:
    table = Table([{"car": 1}])
    with pytest.raises(BadOverride, match="not built yet"):
        table.talk.override({"car": 1, "wear": {"tyres": 4}})
    assert table.car(1).wear == {}


@pytest.mark.article("competition", "6-1-1", "16-0-6", "19-4-2")
def test_a_barred_gear_goes_in_by_the_referees_word_wherever_a_gear_is_asked() -> None:
    turn, box, coasting = table(to_play=[1, 2, 3]), at_box("soft"), broken("20:left:3")
    box.say("quick", 15)
    while coasting.open != ("gear", 1, "coast"):
        coasting.say(1 if coasting.ask in ("gear", "roll") else coasting.options[-1].answer)
    for where, what in ((turn, ""), (box, "leave"), (coasting, "coast")):
        assert where.open == ("gear", 1, what)
        assert 6 not in [option.answer for option in where.options]
        with pytest.raises(BadAnswer, match="six gears"):
            where.talk.answer(7, forced=True)
        where.talk.answer(6, forced=True)
        assert (where.car(1).gear, where.ask) == (6, "roll")


@pytest.mark.article("competition", "13-1", "13-4")
@pytest.mark.parametrize("rulebook", ["competition", "cup", "league", "death"])
def test_a_skip_beyond_the_table_costs_as_much_as_its_last_row(rulebook: str) -> None:
    """Four gears skipped by the referee's word cost what three do."""
    cars = [{"car": 1, "at": "10:left:9", "gear": 6, "lap": 1}]
    left = []
    for gear in (2, 1):
        race = Talking(begin({"rulebook": rulebook, "track": "monaco", "cars": cars, "to_play": [1]}, load("monaco")))
        full = dict(race.rulebook.car(1).wear)
        race.talk.answer(gear, forced=True)
        assert race.rulebook.car(1).gear == gear
        left.append(race.rulebook.car(1).wear)
    assert left[0] == left[1] != full


@pytest.mark.article("competition", "13-4")
def test_a_skip_by_the_referees_word_is_free_where_the_table_has_no_row() -> None:
    race = Table([{"car": 1, "at": "10:left:9", "gear": 6}], to_play=[1], options={"gear_down": []})
    assert [option.answer for option in race.options] == [5, 6]
    race.talk.answer(2, forced=True)
    assert (race.car(1).gear, race.car(1).wear) == (2, WEAR)


@pytest.mark.article("competition", "10-4-1", "9-1-1", "16-0-3")
@pytest.mark.parametrize("status", ["spun", "stalled", "coasting"])
def test_a_car_put_elsewhere_on_the_track_is_what_it_was(status: str) -> None:
    values = {"wear": {"engine": 0}} if status == "coasting" else {}
    race = table()
    race.talk.override({"car": 3, "status": status, **values})
    race.talk.override({"car": 3, "at": "9:left:1"})
    assert (race.car(3).at, race.car(3).status, race.car(3).coast) == ("9:left:1", status, 4 * bool(values))


@pytest.mark.article("competition", "8-0-2", "8-2-1")
@pytest.mark.parametrize(("fresh", "lap", "after"), [(True, 3, True), (False, 3, False), (False, 0, True)])
def test_a_lap_put_right_leaves_a_set_before_its_first_crossing(fresh: bool, lap: int, after: bool) -> None:
    """A set fitted before the line has the crossing before it, in whatever lap the car is; off the grid none is made
    but the first."""
    cars = [{"car": 1, "at": "10:left:9", "gear": 3}, {"car": 2, "at": "10:left:5", "gear": 3, "fresh": fresh}]
    race = Table(cars, to_play=[1])
    race.talk.override({"car": 2, "lap": lap})
    assert (race.car(2).lap, race.car(2).fresh) == (lap, after)


@pytest.mark.article("competition", "16-0-9", "16-0-3")
def test_a_car_said_to_coast_in_the_lane_coasts_there() -> None:
    cars = [
        {"car": 1, "at": "10:left:9", "gear": 3},
        {"car": 2, "at": "pit:3", "status": "pit", "stop": "left", "gear": 4, "box": 1},
    ]
    race = Table(cars, to_play=[1])
    race.talk.override({"car": 2, "status": "coasting", "wear": {"engine": 0}})
    assert (race.car(2).status, race.car(2).coast, race.car(2).at) == ("coasting", 4, "pit:3")
    race.talk.override({"car": 2, "status": "racing", "wear": {"engine": 2}})
    assert (race.car(2).status, race.car(2).coast, race.car(2).at) == ("pit", 0, "pit:3")


@pytest.mark.parametrize(("track", "at"), [("spa", "corner:3"), ("spa", "after:3")])
def test_on_a_sheet_a_car_comes_back_into_a_stretch_with_others(track: str, at: str) -> None:
    cars = [{"car": 1, "at": "corner:1", "gear": 3}, {"car": 2, "at": at, "gear": 3}, {"car": 3, "at": at, "gear": 3}]
    race = Table(cars, track, to_play=[1])
    race.talk.override({"car": 3, "status": "out"})
    race.talk.override({"car": 3, "status": "racing"})
    assert (race.car(3).at, race.car(3).status) == (at, "racing")


@pytest.mark.article("competition", "16-0-3", "16-0-9")
def test_a_car_that_coasts_on_through_the_lane_is_out_after_it() -> None:
    cars = [
        {"car": 1, "at": "pit:3", "status": "pit", "stop": "left", "gear": 4, "box": 1},
        {"car": 2, "at": "10:left:9", "gear": 3},
    ]
    race = Table(cars, to_play=[1])
    race.talk.override({"car": 1, "status": "coasting", "wear": {"engine": 0}})
    race.say(4, 7)
    race.say(race.options[0].answer)
    assert (race.car(1).at, race.car(1).alive, race.car(1).cause) == ("pit:10", False, "engine")
