"""Stops at the box, quick and long: articles 19, 19-2, 19-3 and 19-4."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.circuits import find
from tests.table import WEAR, Table

WORN = {**WEAR, "tyres": 2, "brakes": 1, "engine": 1}


def at_box(compound: str | None = "hard", *others: dict[str, Any], **car: Any) -> Table:
    """Car 1 has just reached its box, beside the fourth space of Monaco's lane, worn; asked for its tyres unless they
    are given."""
    setup = {key: car.pop(key) for key in ("sky", "surface", "laps", "options", "track") if key in car}
    one = {
        "car": 1,
        "at": "pit:2",
        "gear": 2,
        "box": 1,
        "status": "pit",
        "wear": dict(WORN),
        "built": dict(WEAR),
        **car,
    }
    table = Table([one, *others], to_play=[1], **setup)
    table.say(2, 4)
    table.land(f"box:{one['box']}")
    if compound is not None:
        table.say(compound)
    return table


@pytest.mark.article("competition", "19", "19-2-1", "19-2-3", "19-2-6", "19-3-1", "8-0-2")
def test_a_stop_restores_the_tyres_and_fits_a_new_set() -> None:
    table = at_box(None, tyre_laps=2, tyres="hard")
    assert table.open == ("tyres", 1, "")  # before anything else
    assert table.talk.question is not None
    assert table.talk.question.article == "19-2-6"
    table.say("soft")
    car = table.car(1)
    assert (car.wear["tyres"], car.tyres, car.tyre_laps) == (WEAR["tyres"], "soft", 0)
    assert car.wear["brakes"] == 1
    assert table.ruling("tyres").wear == {"tyres": 4}
    assert table.open == ("stop", 1, "")


@pytest.mark.article("competition", "19-2-3", "19-3-1")
def test_tyres_may_be_changed_that_have_lost_nothing() -> None:
    table = at_box("hard", wear=dict(WEAR))
    assert table.ruling("tyres").wear == {}
    assert table.car(1).wear == WEAR


@pytest.mark.article("competition", "19-2-7")
def test_whoever_says_nothing_keeps_his_type() -> None:
    assert at_box(None, tyres="rain").options[0].answer == "rain"


@pytest.mark.article("competition", "19-2-6")
def test_tyres_announced_hold_for_the_next_turn_too() -> None:
    table = at_box("soft")
    table.say("quick", 15)
    assert table.open == ("gear", 1, "leave")
    table.say(4, 7)
    table.land("pit:10")
    assert table.car(1).tyres == "soft"


@pytest.mark.article("competition", "19-3-2", "19-3-3")
@pytest.mark.parametrize(("face", "spaces"), [(1, 1), (2, 1), (7, 4), (10, 5)])
def test_a_quick_stop_leaves_at_once_by_half_the_die(face: int, spaces: int) -> None:
    table = at_box("hard")
    table.say("quick")
    assert table.open == ("test", 1, "quick_stop")
    table.say(face)
    # The lane space in front of the box, pit:4, is the first.
    assert table.spaces() == {f"pit:{3 + spaces}"}
    table.land(f"pit:{3 + spaces}")
    assert table.car(1).gear == 4
    assert {option.answer: option.wear for option in table.options} == {2: {"gearbox": -1}, 3: {}, 4: {}, 5: {}}


@pytest.mark.article("competition", "19-3-4", "19-1-9", "19-4-2")
@pytest.mark.parametrize("face", [11, 20])
def test_a_quick_stop_missed_waits_for_the_next_turn(face: int) -> None:
    table = at_box("hard")
    table.say("quick", face)
    assert table.ruling("quick_stop").article == "19-3-4"
    assert table.car(1).at == "box:1"
    assert [option.answer for option in table.options] == [2, 3, 4]
    table.say(3)
    assert table.open == ("roll", 1, "gear_3")
    table.say(5)
    table.land("pit:8")
    assert table.car(1).wear == {**WORN, "tyres": WEAR["tyres"]}


@pytest.mark.article("competition", "19-3-5")
def test_no_soft_space_on_a_quick_exit() -> None:
    table = at_box("soft")
    table.say("quick", 10)
    assert table.spaces(soft=1) == set()
    table = at_box("soft")
    table.say("quick", 20)  # missed; the exit a turn later is a move like any other
    table.say(3, 5)
    assert table.spaces(soft=1) == {"pit:9"}


@pytest.mark.article("competition", "19-3-6", "19-2-5", "8-2-3")
def test_the_soft_space_holds_as_far_as_the_box(tmp_path: Path) -> None:
    one = {"car": 1, "at": "pit:1", "gear": 1, "box": 5, "tyres": "soft", "status": "pit"}
    table = Table([one], to_play=[1])
    table.say(2, 4)
    assert table.spaces(soft=1) == {"pit:6"}
    table = Table([{**one, "at": "pit:6"}], to_play=[1])
    table.say(2, 2)
    assert table.spaces(soft=1) == {"box:5"}  # pit:8 by the die, the box by the soft space
    # Also where the box lies beyond the line: Monaco, were its only box beside pit:18, which is past it.
    text = find("monaco").read_text("utf-8")
    beyond = tmp_path / "beyond.toml"
    beyond.write_text(text.replace("boxes   = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13]", "boxes = [18]"), "utf-8")
    table = Table([{**one, "at": "pit:16", "box": 1}], track=str(beyond), to_play=[1])
    table.say(2, 2)
    assert table.spaces(soft=1) == {"box:1"}
    table.land("pit:18")
    assert table.car(1).lap == 2
    # And where the die alone has crossed the line, in the lane: were it to lie before pit:16.
    further = tmp_path / "further.toml"
    further.write_text(beyond.read_text("utf-8").replace("line    = 18", "line    = 16"), "utf-8")
    table = Table([{**one, "at": "pit:14", "box": 1}], track=str(further), to_play=[1])
    table.say(2, 2)
    assert (table.spaces(), table.spaces(soft=1)) == ({"pit:16"}, {"pit:17"})
    # The lap of the set that ended there does not end it before the box: it stands so in the next turn.
    table.land("pit:16")
    assert (table.car(1).lap, table.car(1).tyre_laps) == (2, 1)
    table.say(2, 2)
    assert (table.spaces(), table.spaces(soft=1)) == ({"pit:18"}, {"box:1"})
    # A set that was on its second lap before the line has none, on either side of it.
    for place, age in (("pit:14", 1), ("pit:16", 2)):
        table = Table([{**one, "at": place, "box": 1, "tyre_laps": age}], track=str(further), to_play=[1])
        table.say(2, 2)
        assert table.spaces(soft=1) == set()
    # Nor does the line end it for whoever comes in from the track, 17 spaces before it.
    table = Table([{**one, "at": "20:right:2", "gear": 5, "status": "racing", "box": 1}], str(beyond), to_play=[1])
    table.say(5, 17)
    assert "pit:17" in table.spaces()
    assert "pit:18" in table.spaces(soft=1)
    # On the way out there is none beyond the line, in the lane either.
    table = Table([{**one, "at": "pit:14", "box": 1, "stop": "quick"}], track=str(further), to_play=[1])
    table.say(2, 2)
    assert (table.spaces(), table.spaces(soft=1)) == ({"pit:16"}, set())
    # Across the line elsewhere there is none: 20:right:18 is the last space before 0:right:1.
    table = Table([{**one, "at": "20:right:16", "status": "racing"}], to_play=[1])
    table.say(1, 2)
    assert table.option(space="20:right:18", brakes=0, soft=0)


@pytest.mark.article("competition", "19-3-7")
def test_brakes_on_a_quick_exit_but_at_least_one_space() -> None:
    table = at_box("hard", wear={**WORN, "brakes": 5}, built={**WEAR, "brakes": 5})
    table.say("quick", 8)
    found = {option.answer["space"]: option.wear for option in table.options}
    assert found == {
        "pit:7": {},
        "pit:6": {"brakes": -1},
        "pit:5": {"brakes": -2},
        "pit:4": {"brakes": -3},
    }


def out_of_the_last_box(compound: str, **setup: Any) -> Table:
    """Porto Sereno, box 12 beside pit:15: ten spaces lead by pit:18 and 0:left:2 to the first space of the corner."""
    one = {"car": 1, "at": "pit:13", "gear": 2, "box": 12, "status": "pit"}
    table = Table([one], to_play=[1], track="porto-sereno", options={"quick_to": 20}, **setup)
    table.say(2, 3)
    table.land("box:12")
    table.say(compound, "quick", 20)
    return table


@pytest.mark.article("competition", "19-3-8")
def test_a_quick_exit_into_the_first_corner_is_a_stop_there() -> None:
    table = out_of_the_last_box("hard")
    assert "1:left:1" in table.spaces()
    table.land("1:left:1")
    assert table.car(1).stops == 1
    assert table.ruling("stop").facts["corner"] == 1


@pytest.mark.article("competition", "19-3-8")
def test_a_quick_exit_slides_in_the_wet() -> None:
    table = out_of_the_last_box("rain", sky="rain", surface="wet")
    assert "1:left:2" in table.spaces()
    table.land("1:left:2")
    assert table.ruling("slide").facts["spaces"] == 1
    assert table.car(1).stops == 1


@pytest.mark.article("competition", "19-4-1", "19-4-2")
def test_a_long_stop_repairs_from_the_stand() -> None:
    table = at_box("hard", stand=2)
    table.say("long")
    assert table.open == ("repair", 1, "")
    table.refuses({"brakes": 3}, "has lost 2 of brakes")
    table.refuses({"brakes": 2, "engine": 1}, "back at most 2 points")
    table.refuses({"tyres": 1}, "cannot be repaired")
    table.say({"brakes": 1, "engine": 1})
    car = table.car(1)
    assert (car.wear["brakes"], car.wear["engine"], car.wear["tyres"], car.stand) == (2, 2, WEAR["tyres"], 0)
    ruling = table.ruling("repair")
    assert (ruling.before["stand"], ruling.counts, ruling.left["stand"]) == (2, {"stand": -2}, 0)
    assert car.at == "box:1"
    assert table.open == ("gear", 1, "leave")
    assert [option.answer for option in table.options] == [2, 3, 4]


@pytest.mark.article("competition", "19-4-2")
def test_the_box_is_left_a_turn_later() -> None:
    table = at_box("hard", stand=0)
    table.say("long", 4, 7)
    assert table.spaces() == {"pit:10"}
    table.land("pit:10")
    assert (table.car(1).status, table.car(1).stop) == ("pit", "left")


@pytest.mark.article("competition", "19-4-3")
def test_a_long_stop_for_tyres_alone() -> None:
    table = at_box("hard", stand=2)
    table.say("long", {})
    assert table.car(1).wear == {**WORN, "tyres": WEAR["tyres"]}
    assert (table.car(1).stand, table.ruling("repair").counts) == (2, {})
    table = at_box("hard", stand=0)
    table.say("long")
    assert table.ask == "gear"  # the stand has nothing to give: nothing is asked


def test_a_new_set_ages_from_the_second_crossing() -> None:
    table = at_box("hard", tyre_laps=2)
    table.say("long", {}, 4, 12)
    table.land("pit:15")
    table.say(4, 10)
    table.land(next(iter(sorted(table.spaces()))))
    assert table.car(1).lap == 4
    assert table.car(1).tyre_laps == 0


def test_the_second_stop_is_barred_until_the_set_has_come_round() -> None:
    table = at_box("hard")
    table.say("quick", 10)
    table.land("pit:8")
    assert not table.car(1).round_set


@pytest.mark.article("competition", "19-3-2", "19-3-3", "19-2-3")
def test_a_band_of_the_quick_die_counts_by_its_last_face() -> None:
    table = at_box("hard", tyre_laps=1)
    assert not table.car(1).round_set  # the set is new and has yet to come round
    table.say("quick", [5, 6])
    assert table.ruling("quick_stop").facts == {"face": [5, 6], "spaces": 3, "won": True}
    assert table.spaces() == {"pit:6"}
    assert (table.race.move.gear, table.race.move.begin, table.race.move.made) == (4, "box:1", 0)


@pytest.mark.article("competition", "19-3-3", "19-1-3")
def test_what_the_way_in_has_brought_is_not_brought_again_by_the_way_out() -> None:
    """A danger space before the lane is tested once."""
    one = {"car": 1, "at": "20:middle:1", "gear": 3, "box": 1, "round_set": True}
    table = Table([one], to_play=[1], dangers=["20:right:2"])
    table.say(3, 7)
    table.land("box:1")
    assert table.open == ("test", 1, "handling")
    table.say(20, "hard", "quick", 6)
    table.land("pit:6")
    assert table.kinds(1).count("handling") == 1
    assert (table.ask, table.car(1).at) == ("gear", "pit:6")


@pytest.mark.article("competition", "19-1-6", "19-1-8", "19-1-9")
def test_a_car_that_stands_without_a_gear_in_the_lane_may_take_1st() -> None:
    one = {"car": 1, "at": "pit:8", "gear": 0, "box": 1, "status": "pit", "stop": "left"}
    table = Table([one], to_play=[1])
    assert [option.answer for option in table.options] == [1]


@pytest.mark.article("competition", "19-4-2", "6-3", "19-1-5")
def test_a_car_that_cannot_leave_its_box_makes_no_second_stop() -> None:
    """Another stands on the lane space before it."""
    one = {"car": 1, "at": "box:1", "gear": 0, "box": 1, "status": "box", "stop": "long"}
    table = Table([one, {"car": 2, "at": "pit:4", "gear": 2, "box": 2, "status": "pit"}], to_play=[1])
    table.say(2, 3)
    table.land("box:1")
    assert table.kinds(1).count("box") == 0
    assert table.open == ("gear", 2, "")
