"""In and along the pit lane: article 19-1. Monaco's lane leaves the right at 20:right:1 and 2, has 18 spaces, boxes
beside 4 to 13, and leads out of its last space to 0:right:1 and 2."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.competition.boards import TOW, with_pits
from tests.table import WEAR, Table


def driving(at: str, gear: int, *others: dict[str, Any], before: int | None = None, **car: Any) -> Table:
    """Car 1 about to roll in that gear, driving for box 1 unless told otherwise; `before` is its gear until then."""
    setup = {key: car.pop(key) for key in ("sky", "surface", "laps", "options", "track") if key in car}
    one = {"car": 1, "at": at, "gear": gear if before is None else before, "box": 1, **car}
    table = Table([one, *others], to_play=[1], **setup)
    table.say(gear)
    return table


def in_lane(at: str, gear: int, *others: dict[str, Any], **car: Any) -> Table:
    return driving(at, gear, *others, status="pit", **car)


def pits(table: Table) -> set[str]:
    spaces = {option.answer["space"] for option in table.options if option.answer and not option.answer["brakes"]}
    return {space for space in spaces if space.startswith(("pit", "box"))}


@pytest.mark.article("competition", "19-1-1", "19-1-2", "19-5-1")
@pytest.mark.parametrize(
    ("at", "lane"),
    [
        ("20:right:1", {"pit:3", "pit:4"}),  # by its own arrow, or by that of the next space
        ("20:right:2", {"pit:4"}),
        ("20:middle:1", {"pit:3"}),  # one to 20:right:2, then the lane
        ("19:left:6", {"pit:2"}),  # 20:middle:1, 20:right:2
        ("20:right:3", set()),
        ("20:middle:2", set()),
        ("20:left:1", set()),
    ],
)
def test_only_the_marked_spaces_lead_into_the_lane(at: str, lane: set[str]) -> None:
    table = driving(at, 2, stops=1)
    table.say(4)
    assert pits(table) == lane


@pytest.mark.article("competition", "19-1-1", "19-1-2")
def test_the_lane_is_single_and_leads_out_of_its_last_space() -> None:
    table = in_lane("pit:10", 2, stop="left")
    table.say(4)
    assert table.spaces() == {"pit:14"}
    table = in_lane("pit:17", 2, stop="left")
    table.say(3)
    # pit:18, then 0:right:1 or 0:right:2, then one ahead or to the left
    assert table.spaces() == {"0:right:2", "0:middle:2", "0:right:3", "0:middle:3"}


@pytest.mark.article("competition", "19-1-3", "19-5-3")
def test_no_collision_between_lane_and_lane_or_lane_and_track() -> None:
    table = driving("20:right:2", 2, {"car": 2, "at": "pit:3", "gear": 2}, {"car": 3, "at": "20:right:6", "gear": 2})
    table.say(4)
    table.land("pit:2")
    assert "collision" not in table.kinds()
    assert table.ask == "gear"  # the next turn
    table = driving("20:right:3", 2, {"car": 2, "at": "pit:5", "gear": 2})
    table.say(4)
    table.land("20:right:7")
    assert table.ask != "test"
    # The same two on the track do roll.
    table = driving("20:right:3", 2, {"car": 2, "at": "20:right:8", "gear": 2})
    table.say(4)
    table.land("20:right:7")
    assert table.open == ("test", 2, "collision")


@pytest.mark.article("competition", "19-1-3", "19-1-5", "19-2-2")
def test_a_car_waits_behind_another_in_the_lane_at_no_cost() -> None:
    table = driving("20:right:2", 2, {"car": 2, "at": "pit:3", "gear": 2})
    table.say(4)
    waiting = table.option(space="pit:2", brakes=0)
    assert waiting.wear == {}
    assert "blocked" not in waiting.facts
    assert pits(table) == {"pit:2"}
    table.land("pit:2")
    assert table.car(1).wear == WEAR
    assert table.told("move", "en") == "1 rolls 4 and drives 2 spaces to pit lane 2; 2 spaces unused."
    table = in_lane("pit:2", 2, {"car": 2, "at": "pit:3", "gear": 2})
    table.say(4)
    assert table.options[0].answer["space"] == "pit:2"
    assert table.options[0].wear == {}
    table.land("pit:2")
    assert table.car(1).wear == WEAR
    assert table.told("move", "en") == "1 rolls 4 and stays: pit lane 2; 4 spaces unused."
    assert table.told("move", "fr") == "1 fait 4 et reste\u00a0: ligne des stands 2\u00a0; 4 cases inutilisées."
    table = driving("20:right:2", 2, {"car": 2, "at": "pit:3", "gear": 2})
    table.say(4)
    table.land("pit:1", brakes=3)
    assert table.ruling("move").facts == {"begin": "20:right:2", "at": "pit:1", "moved": 1, "rolled": 4, "braked": 3}


@pytest.mark.article("competition", "19-1-5", "19-2-2")
def test_a_taken_box_is_waited_for_in_the_lane() -> None:
    table = in_lane("pit:2", 2, {"car": 2, "at": "box:1", "gear": 0, "box": 1})
    table.say(4)
    assert table.option(space="pit:3", brakes=0).wear == {}
    assert table.spaces() == {"pit:3"}


@pytest.mark.article("competition", "19-1-3")
def test_brakes_and_gear_down_hold_in_the_lane() -> None:
    table = in_lane("pit:1", 2, box=10, before=1)
    table.say(4)
    assert table.option(space="pit:4", brakes=1).wear == {"brakes": -1}
    table = Table([{"car": 1, "at": "pit:8", "gear": 6, "box": 1, "status": "pit", "stop": "left"}], to_play=[1])
    assert table.option(2).wear == {"gearbox": -1, "brakes": -1, "engine": -1}
    table.say(2)
    assert table.race.dangers == ["pit:8"]  # the engine point marks the lane space


@pytest.mark.article("competition", "19-1-4")
def test_cars_in_the_pits_do_not_test_their_engines() -> None:
    table = driving(
        "19:right:2",
        5,
        {"car": 2, "at": "pit:15", "gear": 5, "stop": "left"},
        {"car": 3, "at": "10:left:3", "gear": 5},
        {"car": 4, "at": "10:right:9", "gear": 4},
        sky="changeable",
        stops=1,
    )
    table.say(20)
    table.land("box:1")
    table.say("hard", "long")
    assert table.open == ("test", 3, "engine")
    table.say(20)
    assert table.ask == "test"
    assert table.open == ("test", 1, "weather")  # whoever rolled it draws, though he is in the pits


@pytest.mark.article("competition", "19-1-6", "19-1-8")
def test_the_gear_in_the_lane_must_reach_the_box_if_one_can() -> None:
    # From pit:1 to the box beside pit:4 it is four spaces, which 2nd reaches and 1st does not.
    one: dict[str, Any] = {"car": 1, "at": "pit:1", "gear": 4, "box": 1, "status": "pit"}
    assert [option.answer for option in Table([one], to_play=[1]).options] == [2, 3, 4, 5]
    poor = {**one, "wear": {**WEAR, "gearbox": 0}}
    assert [option.answer for option in Table([poor], to_play=[1]).options] == [3, 4, 5]
    far = {**one, "gear": 1, "box": 10}
    assert [option.answer for option in Table([far], to_play=[1]).options] == [2]


@pytest.mark.article("competition", "19-1-8", "19-1-9")
@pytest.mark.parametrize(
    ("where", "why"),
    [
        ({"at": "pit:1", "gear": 2}, ("reach", "19-1-8")),
        ({"at": "pit:10", "gear": 2, "stop": "left"}, ("out", "19-1-9")),
    ],
)
def test_first_gear_says_why_it_is_barred_in_the_lane(where: dict[str, Any], why: tuple[str, str]) -> None:
    table = Table([{"car": 1, "box": 1, "status": "pit", **where}], to_play=[1])
    barred = table.rulebook.gears.barred(table.car(1), 1)
    assert barred is not None
    assert barred[:2] == why
    assert table.rulebook.gears.barred(table.car(1), 2) is None


@pytest.mark.article("competition", "19-1-7")
@pytest.mark.parametrize(("lap", "open_"), [(0, False), (1, True), (2, True), (3, False)])
def test_the_lane_is_closed_at_the_start_and_on_the_last_lap(lap: int, open_: bool) -> None:
    table = driving("20:right:1", 2, lap=lap)
    table.say(4)
    assert bool(pits(table)) == open_


@pytest.mark.article("competition", "19-1-9")
def test_first_gear_is_barred_between_the_stop_and_the_end_of_the_lane() -> None:
    left: dict[str, Any] = {"car": 1, "at": "pit:10", "gear": 2, "box": 1, "status": "pit", "stop": "left"}
    assert [option.answer for option in Table([left], to_play=[1]).options] == [2, 3]
    track = {"car": 1, "at": "0:right:1", "gear": 2, "box": 1}
    assert [option.answer for option in Table([track], to_play=[1]).options] == [1, 2, 3]
    box = {**left, "at": "box:3", "box": 3, "gear": 0, "status": "box", "stop": "missed"}
    assert [option.answer for option in Table([box], to_play=[1]).options] == [2, 3, 4]


@pytest.mark.article("competition", "19-2-5", "19-2-1")
def test_whoever_is_in_the_lane_must_stop_in_his_own_box() -> None:
    table = in_lane("pit:2", 3, box=2)
    table.say(8)
    assert table.spaces() == {"box:2"}
    table = in_lane("pit:2", 3, box=10, before=2)
    table.say(8)
    assert table.spaces() == {"pit:10"}


@pytest.mark.article("competition", "19-2-1")
def test_in_front_of_the_box_is_not_in_it() -> None:
    table = in_lane("pit:2", 2)
    table.say(2)
    table.land("pit:4")
    assert table.car(1).status == "pit"
    assert "box" not in table.kinds(1)
    table = in_lane("pit:4", 1)
    table.say(1)
    table.land("box:1")
    assert table.open == ("tyres", 1, "")


@pytest.mark.article("competition", "19-2-2")
def test_any_number_reaches_the_box() -> None:
    table = in_lane("pit:1", 5)
    table.say(20)
    assert table.option(space="box:1", brakes=0).wear == {}
    assert table.spaces() == {"box:1"}


@pytest.mark.article("competition", "19-2-4")
def test_a_set_must_have_done_a_lap_before_a_stop() -> None:
    for lap_done in (True, False):
        table = Table([{"car": 1, "at": "20:right:1", "gear": 2, "round_set": lap_done}], to_play=[1])
        table.say(2, 4)
        assert bool(pits(table)) == lap_done


@pytest.mark.article("competition", "19-1-5")
def test_exit_spaces_taken_are_waited_for_in_the_lane() -> None:
    others = [{"car": 2, "at": "0:right:1", "gear": 1}, {"car": 3, "at": "0:right:2", "gear": 1}]
    table = in_lane("pit:16", 2, *others, stop="left")
    table.say(4)
    assert [(option.answer["space"], option.wear) for option in table.options if not option.answer["brakes"]] == [
        ("pit:18", {})
    ]


@pytest.mark.article("competition", "6-2-1", "21-1-5")
def test_the_lap_is_completed_where_the_line_crosses_the_lane() -> None:
    table = in_lane("pit:16", 2, stop="left")
    table.say(2)
    table.land("pit:18")
    assert table.car(1).lap == 2
    assert table.car(1).status == "pit"


@pytest.mark.article("competition", "18-0-3", "19-1-3")
def test_a_slipstream_in_the_lane_only_where_it_leads_out() -> None:
    towing = {"car": 2, "at": "pit:18", "gear": 4, "stop": "left"}
    table = in_lane("pit:10", 4, towing, stop="left")
    table.say(7)
    table.land("pit:17")
    assert table.ask == "gear"  # behind car 2, with nowhere to go
    table = in_lane("pit:10", 4, {**towing, "at": "pit:17"}, {"car": 3, "at": "0:right:1", "gear": 4}, stop="left")
    table.say(8)
    assert table.spaces() == {"pit:16"}


@pytest.mark.article("competition", "18-0-3", "19-1-1")
@pytest.mark.parametrize("barred", [False, True])
def test_a_slipstream_into_the_lane(barred: bool) -> None:
    # 20:right:2 is behind car 2; three spaces on lie pit:3 by the entry and 20:right:5 around the car.
    table = driving(
        "19:right:1",
        4,
        {"car": 2, "at": "20:right:3", "gear": 4},
        stops=1,
        options={"no_slipstream_into_pits": barred, "gear_down": [[0, 0, 0]]},
    )
    table.talk.answer(3, forced=True)
    table.land("20:right:2")
    assert table.ask == "slipstream"
    assert pits(table) == (set() if barred else {"pit:3"})


def boxed(number: int, box: int = 1, **car: Any) -> dict[str, Any]:
    return {"car": number, "at": f"box:{box}", "box": box, "gear": 3, "status": "box", "stop": "missed", **car}


@pytest.mark.article("competition", "7-0-1", "19-1-1")
def test_a_car_on_the_first_space_of_the_lane_is_not_driven_over() -> None:
    for ahead, lane in (("pit:8", {"pit:3", "pit:4"}), ("pit:1", set())):
        table = driving("20:right:1", 2, {"car": 2, "at": ahead, "gear": 2, "status": "pit", "box": 5}, stops=1)
        table.say(4)
        assert pits(table) == lane


@pytest.mark.article("competition", "19-1-1", "19-2-5")
@pytest.mark.parametrize(("box", "lane"), [(1, {"pit:4"}), (2, {"pit:4", "box:2"})])
def test_nobody_turns_into_the_lane_beyond_his_own_box(box: int, lane: set[str]) -> None:
    """The second way in of this lane leads to the space before box 2, one beyond that before box 1."""
    track = with_pits(TOW, '[["4:right:17", 1], ["4:right:19", 5]]')
    table = driving("4:right:14", 3, track=track, round_set=True, box=box)
    table.say(7)
    assert pits(table) == lane


@pytest.mark.article("competition", "19-1-1", "19-1-2", "19-2-5")
@pytest.mark.parametrize(("box", "stop", "leaves"), [(2, "", False), (2, "left", True), (1, "left", True)])
def test_nobody_turns_out_of_the_lane_before_his_own_box(box: int, stop: str, leaves: bool) -> None:
    """The first way out of this lane, from its tenth space, lies between the boxes."""
    track = with_pits(TOW).replace("[4, 5]", "[4, 11]")
    table = in_lane("pit:8", 3, track=track, box=box, stop=stop)
    table.say(6)
    assert any(space.startswith("0:") for space in table.spaces()) == leaves
    assert pits(table) == (set() if leaves else {"box:2"})


@pytest.mark.article("competition", "4-0-2", "19-1-1", "19-1-5")
def test_whoever_waits_for_a_taken_box_waits_behind_the_space_before_it() -> None:
    """Ruling 90: boxes that cars share."""
    table = in_lane("pit:1", 2, boxed(2))
    table.say(4)
    assert table.spaces() == {"pit:3"}
    free = in_lane("pit:1", 2)
    free.say(4)
    assert free.spaces() == {"box:1"}
    other = in_lane("pit:1", 3, boxed(2), box=2)  # its own box is free
    other.say(5)
    assert other.spaces() == {"box:2"}
    late = driving("20:right:2", 2, boxed(2), {"car": 3, "at": "pit:3", "gear": 2, "box": 1, "status": "pit"}, stops=1)
    late.say(4)
    assert pits(late) == {"pit:2"}


@pytest.mark.article("competition", "4-0-2", "19-1-1", "19-4-2")
@pytest.mark.parametrize(("box", "stop", "leaves"), [(1, "", True), (2, "", False), (1, "left", False)])
def test_whoever_leaves_a_box_leaves_past_the_car_that_waits_for_it(box: int, stop: str, leaves: bool) -> None:
    """Ruling 90: by the referee's word, or in an old race, it may stand before the box; a car that only drives by in
    the lane is waited for as ever."""
    waiting = {"car": 2, "at": "pit:4", "gear": 2, "box": box, "status": "pit", "stop": stop}
    table = Table([boxed(1), waiting], to_play=[1])
    table.say(3, 6)
    assert table.spaces() == ({"pit:9"} if leaves else {"box:1"})
    quick = Table([boxed(1, stop="long"), waiting], to_play=[1])
    quick.say(2, 2)
    assert quick.spaces() == ({"pit:5"} if leaves else {"box:1"})
    behind = Table([boxed(1), {**waiting, "at": "pit:3"}, {**waiting, "car": 3, "box": 2, "stop": ""}], to_play=[1])
    behind.say(3, 6)
    assert behind.spaces() == {"box:1"}, "another's waits there"


@pytest.mark.article("competition", "4-0-2", "19-1-1", "19-3-3")
def test_a_quick_exit_of_one_space_stays_in_the_box_while_a_car_waits_before_it() -> None:
    """Ruling 90."""
    table = Table([boxed(1), {"car": 2, "at": "pit:4", "gear": 2, "box": 1, "status": "pit"}], to_play=[1])
    rulebook = table.rulebook
    leg = rulebook.landings.leg(table.car(1), 1, soft=False, least=1)
    found = [
        (track_name(rulebook, landing), landing.moved) for landing in rulebook.landings.landings(table.car(1), leg)
    ]
    assert found == [("box:1", 0)]


def track_name(rulebook: Any, landing: Any) -> str:
    return str(rulebook.track.spaces[landing.space].name)
