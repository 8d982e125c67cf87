"""DRS: in a zone, straight behind another car, three spaces."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.rules.conversation.errors import BadSetup
from tests.rules.cup.boards import CUP, drives, grid, race
from tests.table import WEAR, Table


def behind(one: dict[str, Any] | None = None, two: dict[str, Any] | None = None, **setup: Any) -> Table:
    """Car 1 rolls 7 along the back straight and stops straight behind car 2."""
    cars = [
        {"car": 1, "gear": 4, "at": "2:middle:1", **(one or {})},
        {"car": 2, "gear": 4, "at": "2:middle:9", **(two or {})},
    ]
    return drives(4, 7, "2:middle:8", *cars, **setup)


@pytest.mark.article("cup", "drs.zones", "drs.conditions", "drs.move")
def test_three_spaces_straight_behind_a_car_in_a_zone() -> None:
    table = behind()
    assert table.open == ("slipstream", 1, "tow_1")
    moved = {option.facts["moved"] for option in table.options if option.answer and not option.answer["brakes"]}
    assert moved == {3}
    assert table.spaces() == {"2:left:11", "2:middle:10", "2:right:10"}
    assert table.option(space="2:left:10", brakes=1).wear == {"brakes": -1}


@pytest.mark.article("cup", "drs.zones")
def test_outside_a_zone_there_is_none() -> None:
    table = behind(track=CUP.replace("sections = [2]", "sections = [0]"))
    assert table.ask != "slipstream"
    begins = CUP.replace("sections = [2]", "sections = [3]")  # the car ahead is in it, the one behind is not
    table = drives(
        4,
        7,
        "2:left:14",
        {"car": 1, "gear": 4, "at": "2:left:7"},
        {"car": 2, "gear": 4, "at": "3:left:1"},
        track=begins,
    )
    assert table.ask != "slipstream"
    car = {"car": 1, "gear": 4, "at": "2:left:7"}
    table = drives(4, 7, "2:left:14", car, {"car": 2, "gear": 4, "at": "3:left:1"})  # the one behind is, the other not
    assert table.ask != "slipstream"


@pytest.mark.article("cup", "drs.conditions")
@pytest.mark.parametrize(("ahead", "offered"), [({"gear": 3}, False), ({"gear": 4}, True), ({"gear": 5}, False)])
def test_both_in_fourth_or_more_and_no_slower_than_the_car_ahead(ahead: dict[str, int], offered: bool) -> None:
    assert (behind(two=ahead).ask == "slipstream") is offered


@pytest.mark.article("cup", "drs.conditions")
def test_not_behind_a_car_that_does_not_drive() -> None:
    assert behind(two={"status": "spun"}).ask != "slipstream"


@pytest.mark.article("cup", "drs.conditions")
def test_not_by_braking() -> None:
    table = race({"car": 1, "gear": 4, "at": "2:middle:1"}, {"car": 2, "gear": 4, "at": "2:middle:8"})
    table.say(4, 7)
    table.land("2:middle:7", brakes=1)
    assert table.ask != "slipstream"


@pytest.mark.article("cup", "drs.zones", "weather.wet-conditions")
def test_not_in_wet_weather_conditions_unless_the_table_says_so() -> None:
    assert behind(wet_conditions=True).ask != "slipstream"
    assert behind(wet_conditions=True, options={"drs_in_wet_conditions": True}).ask == "slipstream"


@pytest.mark.article("cup", "drs.chain")
def test_again_behind_the_next_car() -> None:
    table = race(
        {"car": 1, "gear": 4, "at": "2:left:1"},
        {"car": 2, "gear": 4, "at": "2:left:9"},
        {"car": 3, "gear": 4, "at": "2:left:11"},
    )
    table.say(4, 7)
    table.land("2:left:8")
    table.land("2:left:10")
    assert table.open == ("slipstream", 1, "tow_2")


@pytest.mark.article("cup", "drs.move")
def test_into_a_corner_it_costs_a_brake() -> None:
    cars = [{"car": 1, "gear": 4, "at": "2:left:6"}, {"car": 2, "gear": 4, "at": "2:left:14"}]
    table = drives(4, 7, "2:left:13", *cars)
    assert all(option.wear.get("brakes", 0) < 0 for option in table.options if option.answer)
    assert drives(4, 7, "2:left:13", {**cars[0], "wear": {**WEAR, "brakes": 0}}, cars[1]).ask != "slipstream"


BARE = re.sub(r"(?ms)^\[\[drs\]\].*?\n\n", "", CUP)
"""The same board as a file has it that says nothing of zones."""


def to_the_grid(table: Table) -> None:
    """Builds every car and fits its tyres."""
    while table.race.phase == "setup":
        table.say(table.options[0].answer if table.options else 20)


@pytest.mark.article("cup", "drs.zones")
def test_a_board_without_zones_has_two_named_before_the_race() -> None:
    table = grid({"car": 1}, {"car": 2}, track=BARE)
    assert table.open == ("zone", None, "zone_1")
    assert [option.answer for option in table.options] == [4, 2]  # the straight across the line is the longer one
    assert table.option(4).facts == {"name": "Bend – First", "spaces": 32}
    table.refuses(3)
    table.say(2)
    assert table.open == ("zone", None, "zone_2")
    table.say(4)
    assert table.open == ("test", 1, "weather")
    assert table.race.zones == [[2], [4, 0]]
    to_the_grid(table)
    told = table.ruling("zones")
    assert (told.article, told.facts) == ("drs.zones", {"zones": ["First – Bend", "Bend – First"], "proposed": False})


@pytest.mark.article("cup", "drs.zones")
def test_the_longest_stretches_hold_until_the_table_has_named_its_own() -> None:
    table: Any = grid({"car": 1}, {"car": 2}, track=BARE)
    before = [zone.name for zone in table.rulebook.slipstream.zones]
    table.say(2)
    assert (before, [zone.name for zone in table.rulebook.slipstream.zones]) == (
        ["Bend – First", "First – Bend"],
        ["First – Bend"],
    )


@pytest.mark.article("cup", "drs.zones", "drs.conditions")
def test_a_position_on_a_board_without_zones_has_the_longest_stretches_or_those_it_names() -> None:
    assert behind(track=BARE).ask == "slipstream"
    assert behind(track=BARE, zones=[[2]]).ask == "slipstream"
    assert behind(track=BARE, zones=[[4, 0], [3]]).ask != "slipstream"
    assert behind(zones=[[4, 0], [3]]).ask != "slipstream"  # the table's word goes over the file's


@pytest.mark.article("cup", "drs.zones")
def test_the_table_may_name_the_zones_of_any_board_and_proposals_are_told() -> None:
    monaco = grid({"car": 1}, {"car": 2}, track="monaco", options={"table_names_zones": True})
    assert [option.answer for option in monaco.options][:3] == [10, 20, 2]
    monaco.say(10)
    assert [option.answer for option in monaco.options][:2] == [20, 2]
    monaco.say(20)
    assert monaco.ask != "zone"
    usual, ours = (grid({"car": 1}, track=track, sky="sun") for track in ("monaco", "porto-sereno"))
    to_the_grid(usual)
    to_the_grid(ours)
    told = usual.ruling("zones")
    assert (told.article, told.facts["proposed"], len(told.facts["zones"])) == ("ruling 44", True, 2)
    assert "zones" not in ours.kinds()


@pytest.mark.article("cup", "drs.zones")
@pytest.mark.parametrize(
    ("zones", "said"),
    [
        ([[2], [2]], "each section once"),
        ([[]], "by their sections"),
        ([[0], [1], [2]], "at most 2 DRS zones"),
        ([[5, 0, 6]], "Cup has 5 sections, from 0; 5 is none for a DRS zone."),
        ([[-1]], "-1 is none for a DRS zone."),
    ],
)
def test_zones_that_are_none_are_refused(zones: list[list[int]], said: str) -> None:
    with pytest.raises(BadSetup, match=said):
        grid({"car": 1}, zones=zones)


@pytest.mark.article("cup", "drs.zones")
def test_whoever_has_named_one_names_two_if_there_is_room() -> None:
    table = grid({"car": 1}, zones=[[2]], sky="sun")
    assert (table.open, [option.answer for option in table.options]) == (("zone", None, "zone_2"), [4])
    assert grid({"car": 1}, zones=[[2, 4, 0]], sky="sun").ask == "setup"
    assert grid({"car": 1}, track="spa", sky="sun", options={"table_names_zones": True}).ask == "setup"


@pytest.mark.article("cup", "drs.zones")
def test_the_first_and_the_last_section_may_be_zones() -> None:
    assert grid({"car": 1}, zones=[[0], [4]]).race.zones == [[0], [4]]


@pytest.mark.article("cup", "drs.zones")
def test_one_proposed_zone_among_printed_ones_is_told_as_a_proposal() -> None:
    board = CUP.replace("sections = [4]\n", "sections = [4]\nproposed = true\n")
    table = grid({"car": 1}, track=board, sky="sun")
    to_the_grid(table)
    told = table.ruling("zones")
    assert (told.article, told.facts["proposed"], told.facts["zones"]) == ("ruling 44", True, ["Back", "Front"])
