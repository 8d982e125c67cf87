"""Variants, alone and together: each changes what it says in each rulebook, and nothing of the rest."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, cast

import pytest
from msgspec.structs import replace

from companion import articles, circuits
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.file import load_track
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.conversation.figures import figure
from companion.rules.cup import CupSlipstream
from companion.rules.dice.figures import Figures
from companion.rules.dice.gears import Gears
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.state import Car, RaceState
from companion.rules.dice.variants import VARIANTS, Variant
from companion.rules.rulebooks import RULEBOOKS, begin, variants_of
from companion.rules.testing import check
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from companion.terminal.screen import RacePrinter
from companion.terminal.sheet import show_sheet
from companion.view.citing import figure_name
from companion.view.pages.sheet import page
from companion.view.setup.draft import Draft
from companion.view.setup.new_race import figure_rows
from companion.wording import Words
from tests.rules.cup.boards import CUP
from tests.table import WEAR, Table

DICE = ["formula-d", "competition", "cup", "death", "league"]
ALL_DICE = ["beginner", *DICE]
WEAR_OF = {key: {"points": 18} for key in ("beginner", "death")}


def drives(rulebook: str, gear: int, face: int, *cars: dict[str, Any], on: str = "", **setup: Any) -> Table:
    """Car 1 takes a gear and rolls, with a variant on or none."""
    cars = tuple({"wear": WEAR_OF.get(rulebook, WEAR), "gear": gear, **car} for car in cars)
    if on:
        setup["options"] = {on: True}
    table = Table(cars, CUP, rulebook=rulebook, to_play=[1], laps=3, **setup)
    table.say(gear, face)
    return table


FIRED = ["boosters:2", "boosters:2", "boosters:3", "boosters:3", "boosters:4"]
"""Boosters fired in laps, two in one at the most."""

# -- one at a time


@pytest.mark.article("formula-d competition cup league death", "variant.one-slipstream")
@pytest.mark.parametrize("rulebook", DICE)
@pytest.mark.parametrize("on", ["", "one_slipstream"])
def test_behind_another_car_again_there_is_no_second_slipstream(rulebook: str, on: str) -> None:
    cars = [{"car": 1, "at": "2:middle:1"}, {"car": 2, "at": "2:middle:9"}, {"car": 3, "at": "2:left:12"}]
    table = drives(rulebook, 4, 7, *cars, on=on)
    table.land("2:middle:8")
    assert table.open == ("slipstream", 1, "tow_1")
    table.land("2:left:11")
    again = table.open == ("slipstream", 1, "tow_2")
    assert again is not bool(on)


@pytest.mark.article("competition", "variant.one-slipstream")
@pytest.mark.parametrize("on", ["", "one_slipstream"])
def test_the_first_slipstream_wants_a_gear_as_ever(on: str) -> None:
    table = drives("competition", 3, 4, {"car": 1, "at": "2:middle:4"}, {"car": 2, "at": "2:middle:9"}, on=on)
    table.land("2:middle:8")
    assert table.ask != "slipstream"


@pytest.mark.article("formula-d competition cup league death", "variant.slow-debris")
@pytest.mark.parametrize("rulebook", DICE)
@pytest.mark.parametrize(("gear", "on", "tests"), [(1, "", True), (1, "slow_debris", False), (2, "slow_debris", True)])
def test_in_first_gear_debris_is_not_tested(rulebook: str, gear: int, on: str, tests: bool) -> None:
    dangers = ["2:left:2", "2:middle:2", "2:right:2"]
    table = drives(rulebook, gear, 2, {"car": 1, "at": "2:middle:1"}, on=on, dangers=dangers)
    shown = [bool(option.facts.get("tests")) for option in table.options if option.answer["brakes"] == 0]
    assert set(shown) == {tests}
    table.say(next(option.answer for option in table.options if option.answer["brakes"] == 0))
    assert (table.ask == "test") is tests


@pytest.mark.article("formula-d competition cup league", "variant.corner-contact")
@pytest.mark.parametrize("rulebook", ["formula-d", "competition", "cup", "league"])
@pytest.mark.parametrize(
    ("at", "ahead", "on", "to"),
    [
        ("9:right:1", "9:right:3", "", 1), ("9:right:1", "9:right:3", "corner_contact", 3),
        ("1:left:1", "1:left:3", "corner_contact", 1), ("2:left:1", "2:left:3", "corner_contact", 1),
    ],
)  # fmt: skip
def test_a_corner_of_three_stops_is_a_bad_place_to_touch(rulebook: str, at: str, ahead: str, on: str, to: int) -> None:
    """Loews asks for three, Sainte-Dévote for one; on a straight it is as ever."""
    cars = [{"car": 1, "at": at, "gear": 1, "wear": WEAR}, {"car": 2, "at": ahead, "gear": 1, "wear": WEAR}]
    options = {on: True} if on else {}
    table = Table(cars, rulebook=rulebook, to_play=[1], laps=3, options=options)
    table.say(1, 1)
    table.land(f"{at[:-1]}2")
    assert {face for _, face in table.tested("collision")} == {to}


@pytest.mark.article("competition", "variant.corner-contact")
def test_a_wet_corner_is_a_face_worse() -> None:
    cars = [
        {"car": n, "at": at, "gear": 1, "tyres": "rain", "stops": 2} for n, at in ((1, "9:right:1"), (2, "9:right:4"))
    ]
    table = Table(cars, to_play=[1], sky="rain", surface="wet", options={"corner_contact": True})
    table.say(1, 1)
    table.land("9:right:3")
    assert {face for _, face in table.tested("collision")} == {4}


@pytest.mark.article("competition", "variant.corner-contact")
@pytest.mark.parametrize(
    ("ats", "mover", "figures", "to"),
    [
        (("corner:1", "after:0"), 1, {}, 2), (("corner:1", "after:0"), 2, {}, 1), (("after:0", "corner:1"), 1, {}, 1),
        (("after:0", "corner:1"), 2, {}, 2), (("corner:8", "corner:8"), 1, {}, 3), (("after:3", "after:3"), 1, {}, 1),
        (("corner:1", "corner:1"), 1, {"collision_dry": 20}, 20),
        (("corner:1", "corner:1"), 1, {"collision_dry": 19}, 20),
    ],
)  # fmt: skip
def test_it_is_the_corner_of_the_car_that_moves_and_a_20_never_fails_twice(
    ats: tuple[str, str], mover: int, figures: dict[str, int], to: int
) -> None:
    """At the Nürburgring the first corner asks for two stops and the last, the eighth, for three."""
    cars = [{"car": n, "at": at, "gear": 2} for n, at in enumerate(ats, 1)]
    options = {"corner_contact": True, **figures}
    book = Table(cars, "nurburgring", to_play=[1], options=options).rulebook
    assert book.race.move is not None
    book.race.move.car = mover
    assert book.collisions.loses_to(book.car(1), book.car(2), aggravated=False) == to


@pytest.mark.article("competition", "variant.settled")
@pytest.mark.parametrize(
    ("drawn", "fixed", "face", "sky", "settles"),
    [
        ("changeable", False, 10, "changeable", True), ("changeable", True, 10, "changeable", False),
        ("sun", False, 10, "changeable", False), ("sun", False, 20, "sun", False), ("rain", False, 20, "sun", False),
    ],
)  # fmt: skip
def test_only_changeable_twice_running_settles_and_is_told_once(
    drawn: str, fixed: bool, face: int, sky: Any, settles: bool
) -> None:
    car = {"car": 1, "at": "2:left:1", "gear": 4}
    book = Table([car], to_play=[1], sky="changeable", drawn=drawn, options={"settled": True}).rulebook
    book.race.fixed = fixed
    book.weather.evolve(book.car(1), face, sky)
    assert book.race.sky == sky
    assert book.race.fixed is (settles or fixed or drawn == sky)
    own = [one.facts for one in book.ruled if one.article == "variant.settled"]
    assert own == [{"sky": sky, "surface": book.race.surface, "fixed": True}] * settles


@pytest.mark.article("competition", "variant.wide-pits")
def test_in_wide_pits_a_box_and_the_track_hold_one_car_all_the_same() -> None:
    pits = Table([{"car": 1, "at": "2:left:1", "gear": 4}], to_play=[1], options={"wide_pits": True}).rulebook.pits
    assert [pits.holds_many(place) for place in ("pit:1", "box:1", "2:left:1", None)] == [True, False, False, False]


@pytest.mark.article("competition league", "variant.settled")
@pytest.mark.parametrize("rulebook", ["competition", "league"])
@pytest.mark.parametrize(("on", "stays"), [("", False), ("settled", True)])
def test_changeable_drawn_twice_running_stays(rulebook: str, on: str, stays: bool) -> None:
    options = {on: True} if on else {}
    car = {"car": 1, "at": "2:left:1", "gear": 4, "lap": 1}
    table = Table([car], rulebook=rulebook, to_play=[1], laps=3, sky="changeable", drawn="changeable", options=options)
    book = table.rulebook
    book.weather.evolve(book.race.cars[0], 10, "changeable")
    assert (book.race.sky, book.race.fixed) == ("changeable", stays)
    assert [ruling.article for ruling in book.ruled if ruling.facts.get("fixed")] == ["variant.settled"] * stays


@pytest.mark.article("beginner formula-d competition death", "variant.wide-pits")
@pytest.mark.parametrize("rulebook", ["beginner", "formula-d", "competition", "death"])
@pytest.mark.parametrize(("on", "ends"), [("", "pit:6"), ("wide_pits", "pit:9")])
def test_in_a_wide_lane_nobody_waits_for_another(rulebook: str, on: str, ends: str) -> None:
    wear = {"points": 18} if rulebook in ("beginner", "death") else WEAR
    lane = {"status": "pit", "gear": 2, "wear": wear}
    cars = [{"car": 1, "at": "pit:2", "box": 10, **lane, "gear": 4}, {"car": 2, "at": "pit:7", "box": 9, **lane}]
    table = Table(cars, rulebook=rulebook, to_play=[1], laps=3, options={on: True} if on else {})
    table.say(4, 7)
    assert ends in table.spaces()
    assert (ends == "pit:9") == ("pit:6" not in table.spaces())


@pytest.mark.article("formula-d competition cup league death", "variant.sweeper")
@pytest.mark.parametrize("rulebook", DICE)
@pytest.mark.parametrize(
    ("on", "other", "left"),
    [
        ("", "2:left:12", ["2:left:3", "2:right:1", "2:right:9"]), ("sweeper", "2:left:12", ["2:right:9"]),
        ("sweeper", "2:left:3", ["2:left:3", "2:right:9"]),
        ("sweeper", "1:left:1", ["2:left:3", "2:right:1", "2:right:9"]),
    ],
)  # fmt: skip
def test_debris_goes_once_the_last_car_has_passed_it(rulebook: str, on: str, other: str, left: list[str]) -> None:
    """Debris ahead stays, and so does debris that another car is level with or behind."""
    cars = [{"car": 1, "at": "2:middle:1"}, {"car": 2, "at": other}]
    table = drives(rulebook, 3, 4, *cars, on=on, dangers=["2:left:3", "2:right:1", "2:right:9"])
    table.land("2:middle:5")
    assert table.race.dangers == left


@pytest.mark.article("competition", "variant.sweeper")
@pytest.mark.parametrize(
    ("cars", "left"),
    [
        ([{}, {"at": "1:left:1", "status": "out"}], ["2:right:9"]),
        ([{}, {"at": None, "status": "finished", "lap": 4}, {"at": "2:left:12"}], ["2:right:9"]),
        ([{"lap": 2}, {"at": "2:left:12", "lap": 1}], ["2:left:3", "2:right:1", "2:right:9"]),
        ([{}, {"at": "2:left:4"}], ["2:right:9"]),
    ],
)
def test_only_cars_still_racing_keep_debris_where_it_is(cars: list[dict[str, Any]], left: list[str]) -> None:
    entered = [{"car": n, **car} for n, car in enumerate(cars, 1)]
    entered[0]["at"] = "2:middle:1"
    table = drives("competition", 3, 4, *entered, on="sweeper", dangers=["2:left:3", "2:right:1", "2:right:9"])
    table.land("2:middle:5")
    assert table.race.dangers == left
    assert [one.facts["at"] for one in table.rulings if one.kind == "swept"] == [
        space for space in ("2:left:3", "2:right:1") if space not in left
    ]


@pytest.mark.article("competition", "variant.sweeper")
@pytest.mark.parametrize(("status", "left"), [("racing", []), ("out", ["2:left:3"])])
def test_who_is_out_in_his_turn_sweeps_nothing(status: str, left: list[str]) -> None:
    cars = [{"car": 1, "at": "2:middle:5", "gear": 3}, {"car": 2, "at": "2:left:12", "gear": 3}]
    book = Table(cars, CUP, to_play=[1], dangers=["2:left:3"], options={"sweeper": True}).rulebook
    car = book.car(1)
    before = book.order.progress(replace(car, at="2:middle:1"))
    car.status = status
    book.order.has_played(car, before, book.order.level_order(car))
    assert (book.race.dangers, book.race.played[-1]) == (left, 1)


@pytest.mark.article("death", "variant.sweeper")
def test_all_wreckage_of_a_space_is_swept_at_once() -> None:
    cars = [{"car": 1, "at": "2:middle:1"}, {"car": 2, "at": "2:left:12"}]
    table = drives("death", 3, 4, *cars, on="sweeper", dangers=["2:left:2"], piles={"2:left:2": 3})
    table.land("2:middle:5")
    assert (table.race.dangers, table.race.piles) == ([], {})
    assert table.told("swept", "en") == "1 is the last car past the debris on 2:left:2: it is cleared."


@pytest.mark.article("competition", "variant.sweeper")
@pytest.mark.parametrize(("place", "dangers"), [("after corner 6", ["after:0"]), ("corner 1", [])])
def test_on_a_corner_sheet_a_stretch_is_swept_when_the_last_car_has_left_it(place: str, dangers: list[str]) -> None:
    cars = [{"car": 1, "gear": 1, "at": "after:0"}, {"car": 2, "gear": 1, "at": "corner:2"}]
    table = Table(cars, "monza", to_play=[1], dangers=["after:0"], options={"sweeper": True})
    table.say(2, 2)
    table.say(
        next(
            option.answer for option in table.options if option.answer["in"] in (place, place.replace("0", "corner 0"))
        )
    )
    table.until("gear")
    assert table.race.dangers == dangers


@pytest.mark.article("beginner formula-d competition cup death", "variant.pit-limit")
@pytest.mark.parametrize("rulebook", ["beginner", *(name for name in DICE if name != "league")])
@pytest.mark.parametrize(
    ("gear", "on", "price"), [(5, "", 0), (5, "pit_limit", 1), (6, "", 0), (6, "pit_limit", None), (4, "pit_limit", 0)]
)
def test_the_pits_have_a_speed_limit(rulebook: str, gear: int, on: str, price: int | None) -> None:
    car = {"car": 1, "at": "4:left:6", "lap": 1, "box": 1, "round_set": True, "gear": gear}
    table = drives(rulebook, gear, {4: 12, 5: 20, 6: 28}[gear], car, on=on)
    into = [one for one in table.options if one.answer["space"].startswith("box") and not one.answer["brakes"]]
    assert [-sum(one.wear.values()) for one in into] == ([] if price is None else [price])
    if into:
        table.say(into[0].answer)
        told = [ruling.wear for ruling in table.rulings if ruling.kind == "pit_limit"]
        assert told == [into[0].wear] * bool(price)


@pytest.mark.article("competition", "variant.pit-limit")
def test_who_has_no_brake_left_cannot_enter_in_5th() -> None:
    for brakes in (0, 1):
        wear = {**WEAR, "brakes": brakes}
        car = {"car": 1, "at": "4:left:6", "lap": 1, "box": 1, "round_set": True, "wear": wear}
        table = drives("competition", 5, 20, car, on="pit_limit")
        assert any(space.startswith("box") for space in table.spaces()) is bool(brakes)


@pytest.mark.article("competition", "variant.pit-limit")
def test_on_a_corner_sheet_the_brake_of_the_pits_is_due_besides_those_on_the_way() -> None:
    wear = {**WEAR, "brakes": 1}
    car = {"car": 1, "at": "after:6", "lap": 1, "box": 1, "round_set": True, "gear": 5, "wear": wear}
    table = Table([car], "monza", to_play=[1], options={"pit_limit": True})
    table.say(5, 20)
    table.refuses({"in": "box", "brakes": 1}, "costs brakes besides; car 1 has 1")
    assert table.option({"in": "box"}).wear == {"brakes": -1}
    table.say({"in": "box"})
    assert table.car(1).status == "box"
    assert table.told("pit_limit", "en") == "1 enters the pits in 5th: \N{MINUS SIGN}1 brake."


@pytest.mark.article("competition", "variant.pit-limit")
@pytest.mark.parametrize(
    ("car", "brakes", "enters"),
    [
        ({"gear": 5, "wear": {**WEAR, "brakes": 1}}, 1, True), ({"gear": 5, "wear": {**WEAR, "brakes": 0}}, 1, False),
        ({"gear": 6}, 0, False), ({"gear": 4, "wear": {**WEAR, "brakes": 0}}, 0, True),
        ({"gear": 5, "at": "pit:2", "status": "pit"}, 0, False),
    ],
)  # fmt: skip
def test_a_brake_is_due_at_the_entry_in_5th_alone_and_once(car: dict[str, Any], brakes: int, enters: bool) -> None:
    entry = {"car": 1, "at": "4:left:6", "lap": 1, "box": 1, "round_set": True, **car}
    book = Table([entry], CUP, to_play=[1], laps=3, options={"pit_limit": True}).rulebook
    assert (book.pits.entry_brakes(book.car(1)), book.pits.may_enter(book.car(1))) == (brakes, enters)


@pytest.mark.article("beginner formula-d competition cup death", "variant.distance")
@pytest.mark.parametrize("rulebook", ["beginner", *(name for name in DICE if name != "league")])
@pytest.mark.parametrize("on", ["", "distance"])
def test_who_is_out_has_a_place_by_how_far_he_came(rulebook: str, on: str) -> None:
    place = {"gear": 3, "lap": 2, "wear": WEAR_OF.get(rulebook, WEAR)}
    cars = [
        {"car": 1, "at": "2:left:9", "lap": 3}, {"car": 2, "at": "2:left:3", **place, "status": "out"},
        {"car": 3, "at": "2:left:5", **place, "status": "out"}, {"car": 4, "at": "2:left:3", **place, "status": "out"},
    ]  # fmt: skip
    options = {"points": [10, 6, 4, 3], **({on: True} if on else {})}
    cars[0]["wear"] = place["wear"]
    table = Table(cars, rulebook=rulebook, to_play=[1], laps=3, gone=[3, 4, 2], options=options)
    table.talk.override({"cut_short": "now"})
    rows = [(row["car"], row["place"], row["points"]) for row in table.rulebook.result()]
    if on:
        assert rows == [(1, 1, 10), (3, 2, 6), (2, 3, 4), (4, 4, 3)]
    else:
        assert rows == [(1, 1, 10), (3, None, 0), (2, None, 0), (4, None, 0)]


@pytest.mark.article("cup", "variant.distance")
def test_who_loses_turn_one_of_the_cup_has_come_furthest_of_those_out() -> None:
    """Ruling 48: those past the flag keep the order of the line, turn one left or not."""
    cars = [
        {"car": 1, "at": "1:left:1", "lap": 4}, {"car": 2, "at": "1:left:2", "lap": 4},
        {"car": 3, "at": "1:left:3", "lap": 4, "status": "out"}, {"car": 4, "at": "4:left:1", "lap": 3},
        {"car": 5, "at": "4:left:3", "lap": 3, "status": "out"},
    ]  # fmt: skip
    table = Table(cars, CUP, rulebook="cup", to_play=[], laps=3, flagged=[1, 3, 2], options={"distance": True})
    table.talk.override({"cut_short": "now"})
    assert [(row["car"], row["place"]) for row in table.rulebook.result()] == [(1, 1), (2, 2), (3, 3), (5, 4), (4, 5)]


@pytest.mark.article("competition", "variant.slow-debris")
def test_on_a_corner_sheet_nobody_is_asked_for_debris_in_first_gear() -> None:
    asked = []
    for options in ({}, {"slow_debris": True}):
        car = {"car": 1, "gear": 1, "at": "after:0"}
        table = Table([car], "monza", to_play=[1], options=options)
        table.say(1, 2)
        asked.append(table.fields["dangers"])
    assert asked == [[0, 20], [0, 0]]


@pytest.mark.article("beginner formula-d competition cup league death", "variant.top")
@pytest.mark.parametrize("rulebook", ALL_DICE)
@pytest.mark.parametrize(("top", "spaces"), [(None, 6), (1, 7), (-1, 5)])
def test_once_a_lap_a_driver_adds_a_space_or_takes_one_off(rulebook: str, top: int | None, spaces: int) -> None:
    table = drives(rulebook, 3, 6, {"car": 1, "at": "2:middle:1"}, on="top")
    assert (table.open, table.fields) == (("allowance", 1, "top"), {"face": 6})
    assert "not used yet" in table.asks("en")
    assert "pas encore utilisée" in table.asks("fr")
    table.say(top)
    assert table.open == ("landing", 1, f"spaces_{spaces}")
    table.land(f"2:middle:{1 + spaces}")
    table.until("gear")
    facts = table.ruling("move").facts
    assert (facts["moved"], facts["rolled"], facts.get("top")) == (spaces, 6, top)
    table.say(3, 4)
    assert (table.ask == "allowance") is (top is None), "the lap is the same"


@pytest.mark.article("beginner formula-d competition cup league death", "variant.top")
@pytest.mark.parametrize("rulebook", ALL_DICE)
@pytest.mark.parametrize(("lap", "uses", "asked"), [(1, ["top:1"], False), (2, ["top:1"], True), (2, ["top:2"], False)])
def test_the_next_lap_brings_another(rulebook: str, lap: int, uses: list[str], asked: bool) -> None:
    table = drives(rulebook, 3, 6, {"car": 1, "at": "2:middle:1", "lap": lap, "uses": uses}, on="top")
    assert (table.ask == "allowance") is asked


@pytest.mark.article("competition", "variant.top")
def test_engines_go_by_what_the_die_showed_and_a_move_keeps_a_space() -> None:
    table = drives("competition", 5, 20, {"car": 1, "at": "2:left:1"}, on="top")
    assert "flat_out" in table.kinds()
    table.say(-1)
    assert table.open == ("landing", 1, "spaces_19")
    slow = drives("competition", 1, 1, {"car": 1, "at": "2:left:1"}, on="top")
    assert [option.answer for option in slow.options] == [None, 1]


@pytest.mark.article("competition", "variant.top", "variant.super-top", "variant.boosters")
def test_who_is_out_or_has_used_it_up_is_not_asked_for_what_is_allowed_him() -> None:
    car = {"car": 1, "at": "2:middle:1", "lap": 1, "bought": 6, "wear": {**WEAR, "tyres": 1}}
    table = Table([{**car, "gear": 5}], CUP, to_play=[1], laps=3, options={"top": True, "boosters": True})
    table.say(5)
    book, one = table.rulebook, table.car(1)

    def answers(made: Any) -> list[Any] | None:
        return None if made is None else [(option.answer, option.facts.get("spaces")) for option in made.options()]

    top, boost = book.moving.top_question, book.moving.booster_question
    assert [answers(top(one, spaces)) for spaces in (1, 2)] == [
        [(None, 1), (1, 2)], [(None, 2), (1, 3), (-1, 1)],
    ]  # fmt: skip
    assert answers(boost(one, 11)) == [(None, None), (5, 16)]
    for change, asked in (
        ({"status": "out"}, (False, False)), ({"status": "pit"}, (True, False)), ({"status": "box"}, (True, False)),
        ({"uses": ["top:1"]}, (False, True)), ({"uses": ["top:2"]}, (True, True)), ({"bought": None}, (True, False)),
        ({"uses": ["boosters:1"]}, (True, True)), ({"uses": ["boosters:1"] * 2}, (True, False)),
        ({"bought": 1, "uses": ["boosters:2"]}, (True, False)), ({"bought": 2, "uses": ["boosters:2"]}, (True, True)),
    ):  # fmt: skip
        now = replace(one, **change)
        assert (top(now, 11) is not None, boost(now, 11) is not None) == asked, change
    book.race.move.gear = 4
    assert boost(one, 11) is None

    chosen = Table([{"car": 1, "at": "2:middle:1", "gear": 4}], CUP, to_play=[1], options={"super_top": True})
    chosen.say(4)
    face, one = chosen.rulebook.gears.face_question, chosen.car(1)
    assert answers(face(one)) == [(None, None), *((die, die) for die in (7, 8, 9, 10, 11, 12))]
    for change, asked in (({"status": "out"}, False), ({"uses": ["super_top:1"]}, False), ({"uses": ["top:1"]}, True)):
        assert (face(replace(one, **change)) is not None) is asked
    chosen.say(9)
    assert one.uses == ["super_top:1"]
    assert chosen.ruling("allowance").facts == {"what": "super_top", "face": 9, "gear": 4}


@pytest.mark.article("competition", "variant.top", "variant.boosters")
def test_what_is_allowed_counts_in_the_move_of_the_die_alone() -> None:
    """And not in a slipstream after it."""
    wear = {**WEAR, "tyres": 4}
    mine = {"car": 1, "at": "2:middle:1", "gear": 5, "bought": 2, "wear": wear, "built": wear}
    cars = [mine, {"car": 2, "at": "2:middle:9", "gear": 5}]
    table = Table(cars, CUP, to_play=[1], laps=3, options={"top": True, "boosters": True, "booster_spaces": 1})
    table.say(5)
    table.talk.answer(5, forced=True)
    for answer in (1, 1):
        table.say(answer)
    told = [one.facts for one in table.rulings if one.kind == "allowance"]
    assert {"what": "boosters", "spaces": 1, "number": 1, "left": 1} in told
    assert {"what": "top", "spaces": 1, "rolled": 5} in told
    table.land("2:middle:8")
    assert table.ask == "slipstream"
    table.land("2:left:11")
    found = [one.facts for one in table.rulings if one.kind == "move"]
    assert [(one["moved"], one.get("top"), one.get("boost")) for one in found] == [(7, 1, 1), (3, None, None)]
    plain = Table([mine], CUP, to_play=[1], laps=3, options={"top": True, "boosters": True})
    plain.say(5, 11, None, None)
    plain.say(plain.options[0].answer)
    assert not {"top", "boost"} & set(plain.ruling("move").facts)
    assert "allowance" not in plain.kinds()


@pytest.mark.article("formula-d competition", "variant.top", "variant.boosters")
def test_a_great_start_is_no_roll_to_add_to() -> None:
    options = {"top": True, "boosters": True, "starting_gear": 5}
    table = Table([{"car": 1}], CUP, rulebook="formula-d", laps=3, grid=[1], options=options)
    table.say(2)
    assert table.ask == "start"
    table.say(20)
    assert (table.car(1).gear, table.ask) == (5, "landing")


@pytest.mark.article("competition", "variant.boosters")
def test_the_engine_is_tested_once_after_a_booster_if_it_still_runs() -> None:
    wear = {**WEAR, "tyres": 4}
    car = {"car": 1, "at": "2:middle:1", "lap": 1, "bought": 2, "wear": wear, "built": wear}
    table = drives("competition", 5, 11, car, on="boosters")
    table.say(5)
    tests, one = table.rulebook.tests, table.car(1)
    assert [tests.booster_to(number) for number in range(1, 7)] == [4, 6, 8, 10, 12, 14]
    no_engine = {"wear": {**wear, "engine": 0}}
    for change, tested in (({}, True), ({"status": "out"}, False), ({"coast": 5}, False), (no_engine, False)):
        now = replace(one, **change)
        assert tests.tests_booster(now) is tested
        assert (tests.booster_die(now) is not None) is tested
        assert [test.kind for test in tests.foretell_own(now)].count("engine") == tested
    table.race.move.boost = 0
    assert not tests.tests_booster(one)
    table.race.move.boost = 1
    assert tests.tests_booster(one)
    table.say(table.options[0].answer)
    table.until(lambda: table.talk.question is None or table.talk.question.what == "engine")
    table.say(5)
    assert (table.ruling("engine").article, table.ruling("engine").facts["to"]) == ("variant.boosters", 4)
    assert table.car(1).wear["engine"] == 3


@pytest.mark.article("formula-d competition", "variant.boosters")
def test_boosters_are_bought_by_each_driver_once_from_pole() -> None:
    cars = [{"car": 1}, {"car": 2}]
    table = Table(cars, CUP, rulebook="formula-d", laps=3, grid=[2, 1], options={"boosters": True})
    assert table.open == ("allowance", 2, "buy")
    assert [option.wear for option in table.options] == [{}, *({"tyres": -count} for count in range(1, 6))]
    table.say(None)
    assert table.ruling("allowance").facts == {"what": "buy", "count": 0}
    assert (table.car(2).bought, table.open) == (0, ("allowance", 1, "buy"))
    table.say(2)
    assert (table.car(1).wear["tyres"], table.car(1).built["tyres"], table.car(1).bought) == (4, 4, 2)
    assert (table.ruling("allowance").wear, table.ask) == ({"tyres": -2}, "start")


@pytest.mark.article("beginner formula-d competition cup league death", "variant.top")
@pytest.mark.parametrize("rulebook", ALL_DICE)
@pytest.mark.parametrize(("eased", "spaces"), [(False, [2, 3, 1]), (True, [1, 2])])
def test_the_driver_goes_by_what_the_wings_left_of_the_roll(rulebook: str, eased: bool, spaces: list[int]) -> None:
    car = {"car": 1, "at": "1:left:1", "wings": "high"}
    table = drives(rulebook, 1, 2, car, options={"top": True, "wings": True})
    table.say(eased)
    assert [option.facts["spaces"] for option in table.options] == spaces
    table.say(table.options[-1].answer)
    assert table.open == ("landing", 1, f"spaces_{spaces[-1]}")


@pytest.mark.article("beginner formula-d competition cup league death", "variant.super-top")
@pytest.mark.parametrize("rulebook", ALL_DICE)
def test_once_a_race_a_driver_chooses_his_face(rulebook: str) -> None:
    wear = WEAR_OF.get(rulebook, WEAR)
    car = {"car": 1, "at": "2:middle:1", "gear": 4, "wear": wear, "tyres": "hard"}
    table = Table([car], CUP, rulebook=rulebook, to_play=[1], laps=3, options={"super_top": True})
    table.say(4)
    assert table.open == ("allowance", 1, "super_top")
    assert [option.answer for option in table.options] == [None, 7, 8, 9, 10, 11, 12]
    table.say(None)
    assert table.open == ("roll", 1, "gear_4")
    table.talk.rewind(table.talk.n - 1)
    table.say(None, 11)
    assert table.open == ("landing", 1, "spaces_11")
    table.talk.rewind(table.talk.n - 2)
    table.say(9)
    assert table.open == ("landing", 1, "spaces_9")
    table.land("2:middle:10")
    table.until("gear")
    table.say(3)
    assert table.ask == "roll", "the race is the same"


@pytest.mark.article("competition", "variant.super-top")
def test_a_face_that_is_chosen_counts_as_rolled() -> None:
    car = {"car": 1, "at": "2:left:1", "gear": 5}
    table = Table([car], to_play=[1], laps=3, options={"super_top": True})
    table.say(5, 20)
    assert "flat_out" in table.kinds()
    assert table.told("allowance", "en") == "1 chooses 20 in 5th instead of rolling, once in this race."


@pytest.mark.article("beginner formula-d competition cup league death", "variant.boosters")
@pytest.mark.parametrize("rulebook", ALL_DICE)
def test_boosters_are_bought_with_points_that_no_stop_brings_back(rulebook: str) -> None:
    cars = [{"car": 1}, {"car": 2}]
    table = Table(cars, CUP, rulebook=rulebook, laps=3, options={"boosters": True})
    driver = HeuristicDriver(SMALL, 1)
    while table.open is None or table.open[2] != "buy":
        assert table.talk.asked is not None
        table.say(driver.answer(table.talk.asked, table.race))
    car, pool = table.car(table.open[1] or 0), "points" if "points" in table.race.pools else "tyres"
    had = dict(car.wear)
    most = min(6, had[pool] - 1)
    assert [option.answer for option in table.options] == [None, *range(1, most + 1)]
    assert table.option(2).wear == {pool: -2}
    table.say(2)
    assert (car.wear, car.built, car.bought) == ({**had, pool: had[pool] - 2},) * 2 + (2,)
    assert table.told("allowance", "en").startswith(f"{car.number} buys 2 boosters: \N{MINUS SIGN}2 ")
    again = begin(table.rulebook.state(), table.rulebook.track)
    assert again.state() == table.rulebook.state()


@pytest.mark.article("beginner formula-d competition cup league death", "variant.boosters")
@pytest.mark.parametrize("rulebook", ALL_DICE)
@pytest.mark.parametrize(
    ("gear", "uses", "to"),
    [
        (5, [], 4), (5, ["boosters:1"], 6), (5, [*FIRED[:2], FIRED[3]], 10), (5, FIRED[:4], 12),
        (5, ["boosters:1"] * 2, None), (5, FIRED, None), (4, [], None),
    ],
)  # fmt: skip
def test_a_booster_brings_five_spaces_and_a_test_of_the_engine(
    rulebook: str, gear: int, uses: list[str], to: int | None
) -> None:
    pool = "points" if rulebook in WEAR_OF else "tyres"
    had = {**WEAR_OF.get(rulebook, WEAR)}
    had[pool] -= 5
    car = {"car": 1, "at": "2:middle:1", "lap": 1, "bought": 5, "uses": uses, "wear": had, "built": had}
    table = drives(rulebook, gear, {4: 7, 5: 11}[gear], car, on="boosters")
    if to is None:
        assert table.ask == "landing"
        return
    assert table.open == ("allowance", 1, "boosters")
    assert table.fields == {"more": 5, "left": 5 - len(uses), "now": min(5 - len(uses), 2 - uses.count("boosters:1"))}
    assert table.option(5).facts == {"spaces": 16, "loses_to": to}
    table.say(5)
    assert table.open == ("landing", 1, "spaces_16")
    table.say(table.options[0].answer)
    engine = "points" if "points" in table.race.pools else "engine"
    points = table.car(1).wear[engine]
    table.until(lambda: bool(table.talk.question is None or table.talk.question.what == "engine"))
    assert table.tested("engine", {1: to}) == [(1, to)]
    assert table.car(1).wear[engine] == points - 1


@pytest.mark.article("beginner formula-d competition cup league death", "variant.boosters")
@pytest.mark.parametrize("rulebook", ALL_DICE)
@pytest.mark.parametrize(("chosen", "set_to", "face", "asked"), [(4, 5, 11, "allowance"), (5, 4, 7, "landing")])
def test_the_gear_that_the_referee_sets_before_the_roll_is_that_of_boosters(
    rulebook: str, chosen: int, set_to: int, face: int, asked: str
) -> None:
    pool = "points" if rulebook in WEAR_OF else "tyres"
    had = {**WEAR_OF.get(rulebook, WEAR)}
    had[pool] -= 5
    car = {"car": 1, "at": "2:middle:1", "lap": 1, "gear": chosen, "bought": 5, "wear": had, "built": had}
    table = Table([car], CUP, rulebook=rulebook, to_play=[1], laps=3, options={"boosters": True})
    table.say(chosen)
    table.talk.override({"car": 1, "gear": set_to})
    table.say(face)
    assert table.ask == asked


@pytest.mark.article("competition", "variant.boosters")
def test_a_car_that_has_bought_boosters_is_judged_as_it_was_built() -> None:
    wear = {**WEAR, "tyres": WEAR["tyres"] - 2}
    setup = {"rulebook": "competition", "track": SMALL.key, "laps": 2, "options": {"boosters": True}}
    car = begin({**setup, "cars": [{"car": 1, "wear": wear, "bought": 2}]}, SMALL).race.cars[0]
    assert (car.wear, car.built, car.bought) == (wear, wear, 2)
    with pytest.raises(BadSetup, match=r"^Car 1: "):
        begin({**setup, "cars": [{"car": 1, "wear": wear, "bought": 1}]}, SMALL)


@pytest.mark.article("competition", "variant.boosters")
@pytest.mark.parametrize(
    ("said", "left", "built"),
    [({}, 4, 4), ({"wear": WEAR}, 6, 6), ({"wear": {"tyres": 2}}, 2, 2), ({"built": {"tyres": 5}}, 5, 5)],
)
def test_a_car_of_a_position_lacks_the_points_that_it_paid(said: dict[str, Any], left: int, built: int) -> None:
    """A position that says nothing of them is meant; the stand keeps no more than it would have without."""
    car = {"car": 1, "at": "2:middle:1", "lap": 1, "bought": 2, **said}
    setup = {"rulebook": "competition", "track": SMALL.key, "laps": 2, "options": {"boosters": True}, "to_play": [1]}
    found = begin({**setup, "cars": [car]}, SMALL).race.cars[0]
    assert (found.wear["tyres"], found.built["tyres"]) == (left, built)
    assert found.stand == min(2, 22 - (sum(found.built.values()) + 2))


@pytest.mark.article("competition", "variant.boosters", "variant.top", "variant.super-top")
@pytest.mark.parametrize(
    ("car", "figures", "said"),
    [
        ({"uses": [f"top:{lap}" for lap in range(1, 5)], "lap": 3}, {}, ""),
        ({"uses": [f"top:{lap}" for lap in range(1, 6)], "lap": 3}, {}, "has used top 5 times; 4 is the most"),
        ({"bought": 2, "built": WEAR}, {}, ""), ({"bought": 6}, {}, ""), ({"bought": 5, "built": {"tyres": 1}}, {}, ""),
        ({"bought": 3, "built": WEAR}, {}, "is built of 23 points"),
        ({"bought": 2}, {"boosters_most": 2}, ""), ({"bought": 3}, {"boosters_most": 2}, "2 are the most"),
        ({"bought": 2, "built": {**WEAR, "tyres": 0}, "wear": {"tyres": 0}}, {}, "1 are the most"),
        ({"bought": 2, "built": {"tyres": 4}, "wear": {"tyres": 6}}, {}, "tyres can be 0 to 4, not 6"),
    ],
)  # fmt: skip
def test_what_a_position_allows_is_as_much_as_a_race_of_three_laps_gives(
    car: dict[str, Any], figures: dict[str, int], said: str
) -> None:
    setup = {"track": SMALL.key, "laps": 3, "to_play": [1]}
    options = {"top": True, "super_top": True, "boosters": True, **figures}
    one = {"car": 1, "at": "2:middle:1", "lap": 1, **car}
    if said:
        with pytest.raises(BadSetup, match=said):
            begin({**setup, "options": options, "cars": [one]}, SMALL)
        return
    book = begin({**setup, "options": options, "cars": [one]}, SMALL)
    allowed = {"top": (1, 4), "super_top": (1, 1), "boosters": (2, car.get("bought", 0))}
    assert book.position.allowances(book.car(1)) == allowed


@pytest.mark.article("competition", "variant.boosters")
@pytest.mark.parametrize(
    ("figures", "most"), [({}, 5), ({"pool_minimum": 2}, 4), ({"boosters_most": 2}, 2), ({"boosters_most": 5}, 5)]
)
def test_boosters_are_bought_once_every_car_is_built_and_leave_a_pool_its_least(
    figures: dict[str, int], most: int
) -> None:
    table = Table([{"car": 1}, {"car": 2}], CUP, options={"boosters": True, **figures})
    found = []
    while table.ask in ("test", "box", "setup"):
        found.append(table.ask)
        table.say(table.options[0].answer if table.options else 5)
    assert (found.count("setup"), table.open) == (2, ("allowance", 1, "buy"))
    assert len(table.options) == 1 + min(most, table.car(1).wear["tyres"] - figures.get("pool_minimum", 1))
    book = table.rulebook
    assert book.preparing.booster_question(replace(book.car(1), wear={})) is None
    table.say(None)
    assert table.open == ("allowance", 2, "buy")


@pytest.mark.article("competition", "variant.boosters")
def test_the_referee_s_word_on_boosters_takes_no_more_points_than_there_are() -> None:
    desk = allowed(wear={**WEAR, "tyres": 1})
    car = desk.rulebook.car(1)
    desk.override({"car": 1, "bought": 4}, by="Ada", why="forgotten")
    assert (car.bought, car.wear["tyres"], car.built["tyres"]) == (4, 0, 2)
    desk.override({"car": 1, "gear": 3}, by="Ada", why="forgotten")
    assert (car.gear, car.wear["tyres"], car.built["tyres"]) == (3, 0, 2)
    none = allowed(bought=None)
    none.override({"car": 1, "bought": 2}, by="Ada", why="forgotten")
    assert (none.rulebook.car(1).wear["tyres"], none.rulebook.car(1).built["tyres"]) == (2, 2)
    least = {**WEAR, "tyres": 1}
    desk = allowed(wear=least, built=least)
    for bought in (3, 4):
        with pytest.raises(BadOverride, match=f"{bought - 1} are the most"):
            desk.override({"car": 1, "bought": bought}, by="Ada", why="forgotten")
    table = Table([{"car": 1}], CUP, options={"boosters": True})
    with pytest.raises(BadOverride, match="not built yet"):
        table.talk.override({"car": 1, "bought": 2})


@pytest.mark.article("competition", "variant.boosters")
@pytest.mark.parametrize(
    ("said", "left", "built"),
    [({}, 6, 6), ({"bought": 0}, 6, 6), ({"bought": 6}, 1, 1), ({"bought": 1, "built": {"tyres": 3}}, 3, 3)],
)
def test_a_car_of_a_position_is_built_of_a_point_at_least(said: dict[str, Any], left: int, built: int) -> None:
    setup = {"track": SMALL.key, "laps": 2, "options": {"boosters": True}, "to_play": [1]}
    (car,) = begin({**setup, "cars": [{"car": 1, "at": "2:middle:1", "lap": 1, **said}]}, SMALL).race.cars
    assert (car.wear["tyres"], car.built["tyres"]) == (left, built)


@pytest.mark.article("competition", "variant.boosters")
def test_a_car_that_a_setup_brings_without_boosters_has_all_its_points() -> None:
    setup = {"track": SMALL.key, "laps": 2, "options": {"boosters": True}, "cars": [{"car": 1, "wear": WEAR}]}
    (car,) = begin(setup, SMALL).race.cars
    assert (car.wear, car.built, car.stand, car.bought) == (WEAR, WEAR, 2, None)
    lacking = {part: 4 for part in WEAR if part != "tyres"}
    with pytest.raises(BadSetup, match="Every part needs 1 or more; tyres has 0"):
        begin({**setup, "cars": [{"car": 1, "wear": lacking}]}, SMALL)


@pytest.mark.article("beginner", "variant.boosters")
def test_the_one_pool_of_a_position_lacks_the_points_of_boosters_too() -> None:
    setup = {"rulebook": "beginner", "track": SMALL.key, "laps": 2, "options": {"boosters": True}, "to_play": [1]}
    car = begin({**setup, "cars": [{"car": 1, "at": "2:middle:1", "lap": 1, "bought": 3}]}, SMALL).race.cars[0]
    assert (car.wear, car.built) == ({"points": 15}, {"points": 15})


@pytest.mark.article("competition", "variant.boosters", "variant.top", "variant.super-top")
@pytest.mark.parametrize(
    ("on", "car", "said"),
    [
        (["top"], {"uses": ["top:1", "top:1"]}, "Car 1 has used top:1 2 times; in a lap 1 is the most."),
        (["top"], {"uses": ["top:1", "top:2"]}, ""),
        (
            ["top"], {"uses": ["super_top:1"]},
            "Car 1 cannot have used super_top:1; allowances are written with a lap, here top:1.",
        ),
        (["top"], {"uses": ["top:x"]}, "Car 1 cannot have used top:x; allowances are written with a lap, here top:1."),
        (["top"], {"uses": ["top:0"]}, "Car 1 cannot have used top:0; allowances are written with a lap, here top:1."),
        (
            ["wings"], {"uses": ["top:01"]},
            "Car 1 cannot have used top:01; allowances are written with a lap, here none.",
        ),
        (["super_top"], {"uses": ["super_top:1"]}, ""),
        (
            ["super_top"], {"uses": ["super_top:1", "super_top:2"]},
            "Car 1 has used super_top 2 times; 1 is the most that it has.",
        ),
        (["boosters"], {"bought": 2, "uses": FIRED[:2]}, ""),
        (["boosters"], {"uses": ["boosters:1"]}, "Car 1 has used boosters 1 times; 0 is the most that it has."),
        (
            ["boosters"], {"bought": 6, "uses": FIRED[:1] * 3},
            "Car 1 has used boosters:2 3 times; in a lap 2 is the most.",
        ),
        (["boosters"], {"bought": 7}, "Car 1: bought is 0 to 6; 7 is not."),
        (["boosters"], {"wear": {"tyres": 0}, "built": {"tyres": 0}}, ""),
        (["boosters"], {"bought": 5, "wear": {"tyres": 1}}, "Car 1 cannot have bought 5 boosters; 4 are the most."),
        (["top"], {"bought": 1}, "Car 1 has bought boosters; in this race there are none."),
    ],
)  # fmt: skip
def test_nobody_has_used_more_than_he_may(on: list[str], car: dict[str, Any], said: str) -> None:
    options = {**dict.fromkeys(on, True), **({"boosters_most": 4} if car.get("bought") == 5 else {})}
    setup = {"track": SMALL.key, "laps": 3, "options": options, "to_play": [1]}
    cars = [{"car": 1, "at": "2:middle:1", "lap": 2, "stand": 0, **car}]
    if not said:
        assert begin({**setup, "cars": cars}, SMALL).race.cars[0].uses == car.get("uses", [])
        return
    with pytest.raises(BadSetup) as refused:
        begin({**setup, "cars": cars}, SMALL)
    assert Words("en").error(refused.value) == said
    assert Words("fr").error(refused.value) != said


def allowed(**car: Any) -> RaceDesk:
    """Car 1 is about to play its second lap with a space, and boosters, of its own."""
    built = {**WEAR, "tyres": 4}
    cars = [{"car": 1, "at": "2:middle:1", "lap": 2, "gear": 5, "bought": 2, "wear": built, "built": built, **car}]
    setup = {"track": "monaco", "laps": 3, "options": {"top": True, "boosters": True}, "to_play": [1], "cars": cars}
    return RaceDesk(begin(setup, circuits.load("monaco")), setup=setup)


@pytest.mark.article("competition", "variant.boosters", "variant.top")
def test_the_referee_sets_what_a_driver_has_used() -> None:
    desk = allowed(uses=["boosters:1"])
    desk.override({"car": 1, "uses": {"top:2": 1, "boosters:1": 0}}, by="Ada", why="forgotten")
    assert desk.rulebook.car(1).uses == ["top:2"]
    for answer in (5, 11, None):
        desk.answer(answer)
    assert desk.asked is not None
    assert desk.asked.ask == "landing", "the space of this lap is used"
    for uses in ({"top:2": 2}, {"tip:2": 1}, {"boosters:2": 3}, {"top:2": True}, ["top:2"], {"top:2": -1}):
        with pytest.raises(BadOverride):
            desk.override({"car": 1, "uses": uses}, by="Ada", why="forgotten")
    assert desk.rulebook.car(1).uses == ["top:2"]


@pytest.mark.article("competition", "variant.boosters")
def test_the_referee_sets_boosters_with_the_points_that_were_paid() -> None:
    desk = allowed()
    car = desk.rulebook.car(1)
    desk.override({"car": 1, "bought": 3}, by="Ada", why="forgotten")
    assert (car.bought, car.wear["tyres"], car.built["tyres"]) == (3, 3, 3)
    desk.override({"car": 1, "bought": 0, "wear": {"tyres": 5}}, by="Ada", why="forgotten")
    assert (car.bought, car.wear["tyres"], car.built["tyres"]) == (0, 5, 6)


def to_roll(desk: RaceDesk, *answers: Any) -> int:
    """Answers in turn, then any until the next gear; gives the number of the first of them."""
    first = desk.n
    for answer in answers:
        desk.answer(answer)
    while desk.asked is not None and desk.asked.ask != "gear":
        options = desk.asked.options
        assert options or desk.asked.faces
        desk.answer(options[0].answer if options else (desk.asked.faces or [])[-1])
    return first


@pytest.mark.article("competition", "variant.boosters", "variant.top")
@pytest.mark.parametrize(
    ("at", "answer", "uses"),
    [(2, None, ["top:2"]), (3, None, ["boosters:2"]), (3, -1, ["boosters:2", "top:2"])],
)
@pytest.mark.parametrize("keep", ["replay", "board"])
def test_a_corrected_answer_takes_back_what_was_used(at: int, answer: int | None, uses: list[str], keep: str) -> None:
    """Whether a driver took a space more, and whether he fired a booster."""
    desk = allowed()
    to_roll(desk, 5, 11, 5, 1)
    car = desk.rulebook.car(1)
    assert sorted(car.uses) == ["boosters:2", "top:2"]
    told = desk.try_correction(at, answer, keep=keep)
    then = [told.asks.options[0].answer] if keep == "board" and told.asks and told.asks.options else []
    changed = {one.what: (one.was, one.now) for one in told.changes if ":" in one.what}
    assert changed == {use: (1, 0) for use in ("top:2", "boosters:2") if use not in uses}
    desk.correct(at, answer, keep=keep, then=then)
    assert sorted(desk.rulebook.car(1).uses) == uses


@pytest.mark.article("competition", "variant.boosters", "variant.top")
@pytest.mark.parametrize("keep", ["replay", "board"])
def test_a_use_that_was_not_answered_for_is_noted(keep: str) -> None:
    desk = allowed()
    to_roll(desk, 5, 11, None, None)
    told = desk.try_correction(3, 1, keep=keep)
    assert [(one.what, one.was, one.now) for one in told.changes if ":" in one.what] == [("top:2", 0, 1)]
    desk.correct(3, 1, keep=keep)
    assert desk.rulebook.car(1).uses == ["top:2"]


@pytest.mark.article("competition", "variant.boosters")
@pytest.mark.parametrize("keep", ["replay", "board"])
def test_boosters_bought_are_corrected_with_the_points_that_they_cost(keep: str) -> None:
    setup = {"track": SMALL.key, "laps": 2, "options": {"boosters": True}, "cars": [{"car": 1}]}
    desk = RaceDesk(begin(setup, SMALL), setup=setup)
    while desk.asked is not None and desk.asked.what != "buy":
        desk.answer(desk.asked.options[0].answer if desk.asked.options else (desk.asked.faces or [])[0])
    n = to_roll(desk, 3)
    car = desk.rulebook.car(1)
    before = car.wear["tyres"], car.built["tyres"]
    desk.correct(n, 1, keep=keep)
    car = desk.rulebook.car(1)
    assert (car.bought, car.wear["tyres"], car.built["tyres"]) == (1, before[0] + 2, before[1] + 2)


@pytest.mark.article("competition", "variant.boosters")
def test_the_engine_of_a_booster_is_foretold_and_its_last_point_ends_the_race() -> None:
    wear = {**WEAR, "engine": 1, "tyres": 5}
    car = {"car": 1, "at": "2:middle:1", "lap": 1, "bought": 1, "gear": 5, "wear": wear, "built": {**WEAR, "tyres": 5}}
    table = drives("competition", 5, 11, car, on="boosters")
    table.say(5)
    book, found = table.rulebook, table.talk.question
    landing = found.read(table.options[0].answer)
    tests = book.turn.foretell(book.car(1), landing)
    assert [(one.kind, one.to, one.cost.out) for one in tests if one.kind == "engine"] == [("engine", 4, "")], (
        "it coasts"
    )
    table.say(table.options[0].answer)
    table.say(4)
    assert table.ruling("hit").article == "variant.boosters"
    assert table.car(1).coast


@pytest.mark.article("competition", "variant.boosters")
@pytest.mark.parametrize("bought", [1, 6])
def test_a_position_without_a_tyre_left_may_have_bought_boosters(bought: int) -> None:
    """A point was left of the part when they were bought; it may be gone since."""
    car = {"car": 1, "at": "2:left:1", "gear": 2, "lap": 1, "tyres": "hard", "bought": bought, "wear": {"tyres": 0}}
    setup = {"track": "monaco", "laps": 2, "sky": "sun", "cars": [car], "to_play": [1], "options": {"boosters": True}}
    book = begin(setup, circuits.load("monaco"))
    assert (book.race.cars[0].built["tyres"], book.race.cars[0].wear["tyres"]) == (1, 0)


# -- alone and together, in every rulebook: `pytest tests/rules/test_variants.py -k together --variant-races 50`, and
#    `-k alone --variant-races 200`, with `and formula-d` of one rulebook

SMALL = load_track(CUP, "the board of the cup's tests", "board")


def fit(on: tuple[Variant, ...]) -> bool:
    """Return True if variants can be on together."""
    return not any(one.name in other.excludes for one in on for other in on)


def setup_of(name: str, on: tuple[Variant, ...]) -> dict[str, Any]:
    laps = {} if any(one.laps for one in on) else {"laps": 2}
    needed = {need for one in on for need in one.needs}
    with_needed = [one.switch for one in variants_of(name) if one in on or one.name in needed]
    return {"cars": [{"car": 1}, {"car": 2}], "options": dict.fromkeys(with_needed, True), **laps}


ALONE = [pytest.param(name, one, id=f"{name}-{one.name}") for name in ALL_DICE for one in variants_of(name)]


@pytest.mark.parametrize(("name", "one"), ALONE)
def test_a_race_with_a_variant_is_offered_ruled_and_replayed_alike(name: str, one: Variant) -> None:
    """Every answer on a copy, undone exactly; the race again from its answers."""
    known = {article.id for article in articles.load(name)}
    setup = setup_of(name, (one,))
    assert check(RULEBOOKS[name], [SMALL], [RandomDriver], 1, setup=setup, articles=known, turns=0, moves=50) == []


@pytest.mark.parametrize("name", ALL_DICE)
@pytest.mark.parametrize("count", [pytest.param(1, id="alone"), pytest.param(2, id="together")])
def test_variants_come_to_the_flag_and_replay(name: str, count: int, variant_races: int) -> None:
    """Every variant, and every pair that can be on together."""
    known = {article.id for article in articles.load(name)}
    tracks = [SMALL] if name == "death" else [SMALL, circuits.load("monza")]
    drivers, found = [RandomDriver, HeuristicDriver], {}
    for on in filter(fit, combinations(variants_of(name), count)):
        setup = setup_of(name, on)
        faults = check(
            RULEBOOKS[name], tracks, drivers, variant_races, setup=setup, articles=known, turns=0, moves=10, aside=False
        )
        if faults:
            found[" and ".join(one.name for one in on)] = faults
    assert found == {}


@pytest.mark.parametrize("name", DICE)
def test_where_none_is_on_nothing_is_composed(name: str) -> None:
    track = circuits.load("monaco")
    plain = begin({"rulebook": name, "track": "monaco", "cars": [{"car": 1}]}, track)
    assert {key: type(getattr(plain, key)) for key in plain.chapters()} == dict(plain.chapters())
    assert "options" not in plain.state()
    switches = [variant.switch for variant in variants_of(name)]
    assert [figure.value for figure in type(plain).listed() if figure.name in switches] == [False] * len(switches)


def test_a_position_says_the_variants_that_are_on() -> None:
    track = circuits.load("monaco")
    setup = {"track": "monaco", "cars": [{"car": 1}], "options": {"slow_debris": True, "car_points": 24}}
    book = begin(setup, track)
    assert book.state()["options"] == {"slow_debris": True, "car_points": 24}
    spare = book.clone()
    assert spare.tests.tests_debris(Car(1, gear=1)) is False
    assert type(spare.tests) is type(book.tests), "made once"


BEGINS = """
import sys
from companion import articles, circuits
from companion.rules.rulebooks import begin

setup = {"track": "monaco", "cars": [{"car": 1}], "options": {"slow_debris": True}}
begin(setup, circuits.load("monaco")), articles.load("competition")
print("importlib.metadata" in sys.modules)
"""


def test_a_race_of_the_house_begins_without_a_look_at_installed_packages() -> None:
    """Looking for them would take longer than all the rest of it."""
    ran = subprocess.run([sys.executable, "-c", BEGINS], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("False\n", "")


def test_a_race_of_cards_knows_none() -> None:
    assert variants_of("ninety") == ()
    assert [one.id for one in articles.load("ninety") if one.id.startswith("variant.")] == []


# -- the log, the sheet, the setup


def test_the_log_the_sheet_and_the_setup_name_those_that_are_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on = {"one_slipstream": True}
    setup = {"track": "monaco", "cars": [{"car": 1}, {"car": 2}], "options": on}
    driver = RandomDriver(circuits.load("monaco"), 1)
    with begin_race(setup, "monaco", tmp_path) as desk:
        for _ in range(12):
            assert desk.asked is not None
            desk.answer(driver.answer(desk.asked, cast("RaceState[Car]", desk.rulebook.race)))
        sheet, history = desk.sheet(), desk.history
    with RaceDesk.resume(tmp_path) as desk:
        assert {figure.name: figure.value for figure in desk.rulebook.figures}["one_slipstream"] is True
    assert verify(tmp_path, "last", rulebook_of).problems == []
    for lang, label in (("en", "One slipstream a turn"), ("fr", "Une seule aspiration par coup")):
        words = Words(lang, "competition")
        row = next(row for row in figure_rows(Draft(options=on), words) if row.name == "one_slipstream")
        assert (row.label, row.kind, row.value, row.changed, row.proposed) == (label, "switch", True, True, False)
        assert row.note == articles.load("competition").get("variant.one-slipstream").text(lang)
        assert label in page(sheet, history, words).head.subtitle
        show_sheet(RacePrinter(words), sheet)
        assert label in capsys.readouterr().out


# -- a package's own


class Towed(Slipstream):
    figures: Any

    def can_slipstream(self, car: Car, ahead: Car | None) -> bool:
        """No slipstream before a lap of the table's choice [variant.late-tow]."""
        return car.lap >= self.figures.tow_lap and super().can_slipstream(car, ahead)


class TowFigures(Figures, frozen=True):
    tow_lap: Annotated[int, figure("variant.late-tow", 1, 9)] = 2


class Wild(Gears):
    """To be excluded; no gear is barred otherwise than usual."""

    def barred(self, car: Car, gear: int) -> Any:
        return super().barred(car, gear)


@pytest.fixture
def own() -> Iterator[None]:
    VARIANTS.add(Variant("late-tow", (Towed,), TowFigures, {"death": "Wrecks have no wake."}, ["wild"], {"en": "Late"}))
    VARIANTS.add(Variant("wild", (Wild,)))
    yield
    VARIANTS.drop("late-tow")
    VARIANTS.drop("wild")


@pytest.mark.usefixtures("own")
def test_a_variant_brings_its_figures_and_says_where_it_means_nothing() -> None:
    cars = [{"car": 1, "at": "2:middle:1"}, {"car": 2, "at": "2:middle:9"}]
    offered = []
    for options in ({}, {"late_tow": True}, {"late_tow": True, "tow_lap": 1}):
        table = drives("league", 4, 7, *cars, options=options)
        table.land("2:middle:8")
        offered.append(table.ask == "slipstream")
    assert offered == [True, False, True]
    assert "late_tow" not in RULEBOOKS["death"].figure_table().figure_names()
    with pytest.raises(BadSetup, match="no figure or switch called late_tow"):
        drives("death", 4, 7, *cars, options={"late_tow": True})
    with pytest.raises(BadSetup, match="no figure or switch called tow_lap"):
        drives("death", 4, 7, *cars, options={"tow_lap": 1})
    assert [figure_name("late_tow", Words(lang, "league")) for lang in ("en", "fr")] == ["Late", "Late"]


@pytest.mark.usefixtures("own")
def test_two_that_exclude_each_other_are_refused_in_both_languages() -> None:
    with pytest.raises(BadSetup) as refused:
        drives("cup", 4, 7, {"car": 1, "at": "2:middle:1"}, options={"late_tow": True, "wild": True})
    assert Words("en").error(refused.value) == "late_tow and wild exclude each other; switch one of them off."
    said = Words("fr").error(refused.value).replace("\N{NO-BREAK SPACE}", " ")
    assert said == "late_tow et wild s’excluent ; désactivez l’un des deux."


@pytest.mark.usefixtures("own")
def test_the_later_one_asks_the_earlier_ones_and_the_order_is_one() -> None:
    for options in ({"one_slipstream": True, "late_tow": True}, {"late_tow": True, "one_slipstream": True}):
        table = drives("cup", 4, 7, {"car": 1, "at": "2:middle:1"}, options=options)
        line = [kind.__name__ for kind in type(table.rulebook.slipstream).__mro__[1:]]
        assert line[:4] == ["Towed", "OneSlipstream", "CupSlipstream", "Slipstream"]


def test_a_name_is_taken_once() -> None:
    with pytest.raises(ValueError, match="There is a variant one-slipstream already"):
        VARIANTS.add(Variant("one-slipstream", (Towed,)))


class NoChapter:
    pass


class Misspelt(Slipstream):
    def can_slipstreem(self, car: Car, ahead: Car | None) -> bool:
        return False


class Empty(Slipstream):
    pass


@pytest.mark.parametrize(
    ("name", "chapters", "said"),
    [
        ("my rule", (Towed,), "'my rule' is not"),
        ("class", (Towed,), "'class' is not"),
        ("car-points", (Towed,), "'car-points' is not"),
        ("", (Towed,), "'' is not"),
        ("nothing", (), "nothing needs a class"),
        ("no-chapter", (NoChapter,), "NoChapter, of the variant no-chapter, is no subclass of a chapter"),
        ("misspelt", (Towed, Misspelt), "Misspelt, of the variant misspelt, overrides nothing"),
        ("empty", (Empty,), "Empty, of the variant empty, overrides nothing"),
    ],
)
def test_a_variant_that_could_not_be_on_or_changes_nothing_is_refused(name: str, chapters: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Variant(name, chapters)


class OfTheCup(CupSlipstream):
    def can_slipstream(self, car: Car, ahead: Car | None) -> bool:
        return False


def test_a_variant_that_changes_nothing_in_a_rulebook_is_found_by_the_check() -> None:
    VARIANTS.add(Variant("of-the-cup", (OfTheCup,)))
    tracks, on = [circuits.load("monaco")], {"options": {"of_the_cup": True}}
    try:
        found = [check(name, tracks, [RandomDriver], races=0, moves=0, turns=0, setup=on) for name in ("league", "cup")]
    finally:
        VARIANTS.drop("of-the-cup")
    assert found == [["league: of-the-cup changes no chapter of this rulebook."], []]
