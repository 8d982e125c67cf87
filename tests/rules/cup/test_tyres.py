"""Compounds by surface and age, tyres without points, and the second compound."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.rulebooks import begin
from tests.rules.cup.boards import CUP, race
from tests.table import WEAR, Table

NO_PITS = re.sub(r"(?ms)^\[pit\].*?\n\n", "", CUP)
"""The same board without a pit lane."""


@pytest.mark.article("cup", "tyres.dry", "tyres.wet", "overshoot.loss")
@pytest.mark.parametrize(
    ("tyres", "surface", "factors"),
    [
        ("hard", "dry", (1, 1, 1)),
        ("soft", "dry", (2, 2, 3)),
        ("rain", "dry", (2, 2, 3)),
        ("hard", "wet", (1, 1, 1)),
        ("soft", "wet", (2, 2, 3)),
        ("rain", "wet", (1, 1, 1)),
    ],
)
def test_what_a_space_overshot_costs(tyres: str, surface: str, factors: tuple[int, int, int]) -> None:
    sky = "rain" if surface == "wet" else "sun"
    for age, factor in enumerate(factors):
        car = {"car": 1, "gear": 4, "at": "3:left:2", "stops": 1, "tyres": tyres, "tyre_laps": age}
        table = race(
            {**car, "wear": {**WEAR, "tyres": 29}}, sky=sky, surface=surface, options={"base": [9, 3, 3, 3, 3, 2]}
        )
        table.say(4, 7)
        option = next(option for option in table.options if not option.answer["brakes"] and not option.answer["soft"])
        assert option.wear == {"tyres": -factor * option.facts["overshot"]}


@pytest.mark.article("cup", "tyres.wet")
@pytest.mark.parametrize(("tyres", "slid"), [("hard", 3), ("soft", 3), ("rain", 1)])
def test_in_a_corner_that_wants_stops_a_wet_track_lets_slide(tyres: str, slid: int) -> None:
    table = race({"car": 1, "gear": 1, "at": "3:right:1", "tyres": tyres}, sky="rain", surface="wet")
    table.say(1, 1)
    assert {option.facts.get("slid") for option in table.options if not option.answer["brakes"]} == {slid}


def soft(**car: object) -> Table:
    table = race({"car": 1, "gear": 3, "at": "2:left:1", "tyres": "soft", **car})
    table.say(3, 4)
    return table


@pytest.mark.article("cup", "tyres.dry", "tyres.empty")
def test_soft_tyres_give_a_space_in_their_first_lap_while_they_have_points() -> None:
    assert "2:left:6" in soft().spaces(soft=1)
    assert not soft(tyre_laps=1).spaces(soft=1)
    assert not soft(wear={**WEAR, "tyres": 0}).spaces(soft=1)


@pytest.mark.article("cup", "tyres.two-compounds")
def test_a_car_has_raced_on_whatever_it_drives_on() -> None:
    table = soft()
    table.land("2:left:5")
    assert table.car(1).raced == ["soft"]  # type: ignore[attr-defined]
    again = soft(raced=["soft"])
    again.land("2:left:5")
    assert again.car(1).raced == ["soft"]  # type: ignore[attr-defined]


@pytest.mark.article("cup", "tyres.two-compounds")
@pytest.mark.parametrize(
    ("car", "raced"),
    [
        ({"lap": 1}, ["soft"]),
        ({"lap": 2, "tyre_laps": 1}, ["soft"]),
        ({"lap": 1, "raced": []}, []),
        ({"lap": 2, "tyre_laps": 1, "tyres": "soft", "raced": ["rain", "soft"]}, ["rain", "soft"]),  # that was noted
        ({"lap": 2, "raced": ["hard", "soft"]}, ["hard", "soft"]),  # it has stopped since it began
        ({"lap": 2}, ["hard", "soft"]),  # the one before may have been hard
        ({"lap": 2, "raced": ["rain", "hard"]}, ["rain", "soft"]),  # the one before was neither
        ({"lap": 3, "tyre_laps": 1, "raced": ["hard", "rain"]}, ["rain", "soft"]),
        ({"lap": 3, "raced": ["hard", "rain"]}, ["hard", "rain", "soft"]),
        ({"lap": 1, "at": "pit:6", "status": "pit", "stop": "left", "fresh": True}, ["hard", "soft"]),
        ({"lap": 1, "at": "box:4", "status": "box", "stop": "long"}, ["hard"]),  # it has not raced on the new one
    ],
)
def test_a_car_has_raced_on_the_set_that_it_is_on_and_on_no_more_than_it_can_have_had(
    car: dict[str, Any], raced: list[str]
) -> None:
    """A car noted on hard tyres is on soft ones; its position can be read again."""
    table = race({"car": 1, "gear": 3, "at": "2:left:1", "raced": ["hard"], **car}, {"car": 2, "at": "3:left:1"})
    table.talk.override({"car": 1, "tyres": "soft"})
    assert table.car(1).raced == raced  # type: ignore[attr-defined]
    assert begin(table.rulebook.state(), table.rulebook.track).car(1).raced == raced


@pytest.mark.article("cup", "tyres.two-compounds", "pit.declare")
@pytest.mark.parametrize("claimed", [["hard"], ["soft"], ["hard", "soft"]])
def test_what_a_car_on_the_pit_grid_has_raced_on_goes_without_its_new_set(claimed: list[str]) -> None:
    boxed: dict[str, Any] = {"at": "box:4", "status": "box", "stop": "long", "leaves": 9, "lap": 2}
    table = race(
        {"car": 1, "gear": 3, "at": "2:left:1"}, {"car": 2, **boxed, "tyres": "rain", "raced": ["hard", "soft"]}
    )
    table.talk.override({"car": 2, "raced": claimed})
    assert table.car(2).raced == claimed  # type: ignore[attr-defined]
    for wrong in (["rain"], []):
        with pytest.raises(
            BadOverride, match=rf"Car 2 has raced on .*; {''.join(wrong) or 'nothing'} cannot be claimed for it"
        ):
            table.talk.override({"car": 2, "raced": wrong})


@pytest.mark.article("cup", "tyres.two-compounds", "pit.declare")
def test_a_word_about_the_new_set_on_the_pit_grid_is_none_about_the_old_one() -> None:
    """Unless it says so itself; whose turn it is does not matter."""
    boxed = {"car": 2, "at": "box:4", "status": "box", "stop": "long", "lap": 1, "raced": ["hard"]}
    table = race({"car": 1, "gear": 3, "at": "2:left:1"}, boxed)
    table.talk.override({"car": 2, "tyres": "soft"})
    assert table.car(2).raced == ["hard"]  # type: ignore[attr-defined]
    table.talk.override({"car": 2, "tyres": "hard"})
    table.talk.override({"car": 2, "tyres": "soft", "raced": ["soft"]})
    assert table.car(2).raced == ["soft"]  # type: ignore[attr-defined]


@pytest.mark.article("cup", "tyres.two-compounds", "pit.entry", "pit.declare")
@pytest.mark.parametrize(
    ("car", "raced"),
    [
        ({}, ["soft"]),
        ({"lap": 2, "tyre_laps": 1}, ["soft"]),
        ({"lap": 2}, ["hard", "soft"]),  # it has stopped before
    ],
)
def test_a_set_told_before_another_is_declared_has_been_raced_on(car: dict[str, Any], raced: list[str]) -> None:
    """A car noted on hard tyres has come into the pits on soft ones; what is said after them is said of the new set."""
    table = race({"car": 1, "gear": 3, "at": "4:left:10", "raced": ["hard"], **car}, {"car": 2, "at": "2:left:1"})
    table.say(3, 8)
    table.land("box:4")
    assert table.ask == "tyres"
    table.talk.override({"car": 1, "tyres": "soft"})
    table.say("hard")
    assert table.car(1).raced == raced  # type: ignore[attr-defined]
    table.talk.override({"car": 1, "tyres": "rain"})
    assert table.car(1).raced == raced  # type: ignore[attr-defined]


@pytest.mark.article("cup", "tyres.two-compounds", "weather.wet-conditions", "pit.optional")
@pytest.mark.parametrize(
    ("setup", "car", "lacks"),
    [
        ({}, {}, True),
        ({}, {"raced": ["hard", "soft"]}, False),
        ({}, {"raced": ["soft", "rain"], "tyres": "rain"}, False),
        ({"wet_conditions": True}, {}, False),
        ({}, {"waived": True}, False),
        ({"track": NO_PITS}, {}, False),
        ({"laps": 2}, {}, True),
        ({"laps": 1}, {}, False),  # the pits are closed in the last lap
    ],
)
def test_who_still_owes_a_second_compound(setup: dict[str, Any], car: dict[str, Any], lacks: bool) -> None:
    table = race({"car": 1, "gear": 3, "at": "2:left:1", "raced": ["hard"], "lap": 2, **car}, **setup)
    assert table.rulebook.tyres.lacks_compound(table.car(1)) is lacks  # type: ignore[attr-defined]


@pytest.mark.article("cup", "tyres.two-compounds")
def test_a_car_that_passes_the_pits_is_reminded_of_it() -> None:
    table = race({"car": 1, "gear": 3, "at": "4:middle:22", "raced": ["hard"]}, {"car": 2, "at": "2:left:1"})
    table.say(3, 4)
    table.land("0:middle:3")
    assert (table.ruling("reminder").article, table.ruling("reminder").car) == ("tyres.two-compounds", 1)
    for more in ({"waived": True}, {"lap": 2}, {"lap": 3}):
        other = race(
            {"car": 1, "gear": 3, "at": "4:middle:22", "raced": ["hard"], **more}, {"car": 2, "at": "2:left:1"}
        )
        other.say(3, 4)
        other.land("0:middle:3")
        assert "reminder" not in other.kinds()  # it owes none, or the pits are behind it


@pytest.mark.article("cup", "tyres.two-compounds", "pit.optional")
@pytest.mark.parametrize(("laps", "lap", "reminded"), [(2, 0, True), (2, 1, False), (3, 0, False), (3, 1, True)])
def test_the_reminder_comes_as_long_as_a_stop_is_possible(laps: int, lap: int, reminded: bool) -> None:
    """In two laps the pits are open at the end of the first alone: the line before it is the last to say so."""
    car = {"car": 1, "gear": 3, "at": "4:middle:22", "raced": ["hard"], "lap": lap, "fresh": not lap}
    table = race(car, {"car": 2, "at": "2:left:1"}, laps=laps)
    table.say(3, 4)
    table.land("0:middle:3")
    assert ("reminder" in table.kinds()) is reminded


@pytest.mark.article("cup", "tyres.two-compounds")
def test_in_the_pits_and_before_the_first_line_a_position_says_what_was_raced_on() -> None:
    new = {"car": 1, "at": "box:4", "status": "box", "stop": "long", "leaves": 9, "raced": ["soft"]}
    assert race(new, leaving=[1]).car(1).tyres == "hard"
    assert race({"car": 1, "at": "2:left:1", "lap": 0, "raced": ["hard"]}).ask == "gear"


@pytest.mark.article("cup", "tyres.dry", "tyres.wet", "pit.quick", "wear.pools")
def test_figures_that_the_page_has_lost_are_marked_as_proposed() -> None:
    proposed = {figure.name for figure in race({"car": 1, "at": "2:left:1"}).rulebook.listed() if figure.proposed}
    assert {"factor_hard_dry", "factor_soft_dry", "slide_rain", "base", "pit", "botched_to", "bonus_spaces"} <= proposed
    assert not {"handling_wet", "kers_lap", "team_points", "repair_points", "soft_laps", "blocking"} & proposed


@pytest.mark.article("cup", "tyres.two-compounds", "pit.exit")
@pytest.mark.parametrize(("track", "box", "ends"), [(CUP, 4, "pit:7"), ("spa", 10, "pit:10")])
def test_a_car_in_the_lane_has_raced_on_its_new_set_before_the_lap_is_counted(track: str, box: int, ends: str) -> None:
    car = {
        "car": 1, "at": f"box:{box}", "status": "box", "stop": "long", "leaves": 1, "box": box,
        "raced": ["hard"], "tyres": "soft", "fresh": True,
    }  # fmt: skip
    other = {"car": 2, "at": "2:left:1" if track == CUP else "after:3", "gear": 2}
    table = race(car, other, leaving=[1], track=track)
    table.say(1, 1)
    table.say(table.options[0].answer)
    state = table.rulebook.state()
    assert [(one["at"], one["lap"], one["raced"]) for one in state["cars"][:1]] == [(ends, 1, ["hard", "soft"])]
    assert begin(state, table.rulebook.track).state() == state
    state["cars"][0]["raced"] = ["hard", "rain", "soft"]
    with pytest.raises(BadSetup, match="cannot have raced on hard, rain, soft"):
        begin(state, table.rulebook.track)
