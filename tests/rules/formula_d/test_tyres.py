"""Kinds of tyres, an option of the box: what each gives and costs on a dry track and on a wet one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion import articles, circuits
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.leg import Landing, Leg
from companion.rules.circuit.search import Board
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.testing import check
from companion.wording import Words
from tests.rules.competition.boards import TOW, with_pits
from tests.rules.formula_d.tables import formula_d, grid, position
from tests.table import Table

TYRES = {"tyres": True}
WET = {"tyres": True, "weather": True}


def shod(at: str, gear: int, tyres: str, *, wet: bool = False, track: str = TOW, **car: Any) -> Table:
    """Car 1 stands somewhere on a kind of tyres."""
    sky = {"sky": "rain"} if wet else {}
    return position({"at": at, "gear": gear, "tyres": tyres, **car}, track=track, options=WET, laps=3, **sky)


# -- the choice


@pytest.mark.article("formula-d", "option.tyres")
def test_every_driver_chooses_pole_first_and_rain_tyres_only_where_there_is_weather() -> None:
    table = formula_d({"car": 1}, {"car": 2}, grid=[2, 1], options=TYRES)
    assert table.open == ("tyres", 2, "")
    assert [option.answer for option in table.options] == ["hard", "soft"]
    ruled = table.say("soft")
    assert [(ruling.kind, ruling.article) for ruling in ruled] == [("tyres", "option.tyres")]
    table.say("hard")
    assert [car.tyres for car in table.race.cars] == ["hard", "soft"]
    assert table.open == ("start", 2, "start")
    wet = grid({}, options=WET, sky="rain")
    assert [option.answer for option in wet.options] == ["hard", "soft", "rain"]
    assert grid({}).ask == "start", "without it nobody is asked"


def test_a_setup_names_the_tyres_and_no_kind_that_there_is_not() -> None:
    table = grid({"tyres": "soft"}, {}, options=TYRES)
    assert table.open == ("tyres", 2, "")
    table.say("hard")
    table.talk.override({"car": 2, "tyres": "soft"})
    assert table.car(2).tyres == "soft"
    with pytest.raises(BadOverride) as word:
        table.talk.override({"car": 2, "tyres": "rain"})
    assert Words("en").error(word.value).startswith("Tyres are one of hard, soft; rain is not")
    assert Words("fr").error(word.value).startswith("Les pneus sont, au choix")
    with pytest.raises(BadSetup) as refused:
        grid({"tyres": "rain"}, options=TYRES)
    assert Words("en").error(refused.value) == "Car 1 has rain tyres; there are hard, soft."
    assert Words("fr").error(refused.value).startswith("La voiture 1 a des pneus pluie")


# -- the slide


@pytest.mark.article("formula-d", "option.tyres-hard", "option.tyres-soft", "option.tyres-rain")
@pytest.mark.parametrize(
    ("tyres", "age", "wet", "spaces"),
    [
        ("hard", 0, False, 0), ("hard", 2, True, 3),
        ("soft", 0, False, 0), ("soft", 1, True, 3), ("soft", 2, True, 0),
        ("rain", 0, False, 0), ("rain", 2, True, 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("at", "stops", "ends", "slides"),
    [
        ("1:right:1", 1, "1:right:", True),  # in a corner, nothing due
        ("1:right:6", 1, "2:right:", True),  # out of it
        ("0:right:5", 0, "1:right:", True),  # into it
        ("2:right:2", 0, "2:right:", False),  # none near
    ],
)
def test_in_the_wet_a_move_with_a_space_in_a_corner_is_longer(
    tyres: str, age: int, wet: bool, spaces: int, at: str, stops: int, ends: str, slides: bool
) -> None:
    table = shod(at, 2, tyres, wet=wet, tyre_laps=age, lap=3, stops=stops)
    table.say(2, 3)
    there = [option for option in table.options if option.answer["space"].startswith(ends) and option.facts["moved"]]
    moved = {option.facts["moved"] + option.answer["brakes"] for option in there if not option.answer["soft"]}
    assert moved == {3 + spaces * slides}
    assert {option.facts.get("slid", 0) for option in there} == {spaces * slides}


@pytest.mark.article("formula-d", "option.tyres-hard")
def test_it_slides_once_a_turn_and_not_when_it_stands_still() -> None:
    ahead = {"at": "2:right:6", "gear": 4}
    cars = ({"at": "1:right:6", "gear": 4, "tyres": "hard", "stops": 1, "lap": 1}, ahead)
    table = position(*cars, track=TOW, options=WET, laps=3, sky="rain")
    table.say(3, 4)
    ruled = table.land("2:right:5", brakes=1)
    move = next(ruling for ruling in ruled if ruling.kind == "move")
    assert (move.facts["rolled"], move.facts["slid"], move.facts["braked"], move.facts["moved"]) == (4, 3, 1, 6)
    assert next(ruling for ruling in ruled if ruling.kind == "slide").article == "option.tyres-hard"
    slow = shod("1:right:6", 1, "hard", wet=True, stops=1)
    slow.say(1, 1)
    assert slow.option(space="1:right:6", soft=0).facts.get("slid") is None
    ruled = slow.land("1:right:6", brakes=1)
    assert [ruling for ruling in ruled if ruling.kind == "slide"] == []


@pytest.mark.article("formula-d", "option.tyres-hard")
@pytest.mark.parametrize(
    ("at", "stops", "place", "moved"),
    [
        ("corner:1", 2, "corner 1", 6), ("corner:1", 2, "after corner 1", 6), ("after:0", 0, "corner 1", 6),
        ("after:1", 0, "after corner 1", 3),
    ],
)  # fmt: skip
def test_on_a_corner_sheet_the_place_says_whether_it_slid(at: str, stops: int, place: str, moved: int) -> None:
    car = {"at": at, "gear": 2, "tyres": "hard", "stops": stops}
    table = position(car, track="monza", options=WET, sky="rain")
    table.say(2, 3)
    ruled = table.say({"in": place})
    assert next(ruling.facts["moved"] for ruling in ruled if ruling.kind == "move") == moved


def driven(found: list[Landing]) -> set[tuple[Any, ...]]:
    return {(one.space, one.moved, one.brakes, one.tests, one.overs, one.blocked, one.finished) for one in found}


@pytest.mark.article("formula-d", "option.tyres-hard")
def test_out_of_a_corner_that_wants_no_stop_it_drives_as_by_a_higher_roll() -> None:
    """On made-up boards with cars, dangers and brakes: a slide of three is a die of three more, but for standing still
    and for the slide into the next corner."""
    board, chance, track = Board(circuits.load("monaco")), Random(8), circuits.load("monaco")
    corners = [space.id for space in track.spaces if track.corner[space.id] >= 0]
    everywhere = [space.id for space in track.spaces if space.section >= 0 and space.id not in track.blocked]
    seen = 0
    for _ in range(150):
        start = chance.choice(corners)
        taken = frozenset(chance.sample(everywhere, 25)) - {start}
        dangers = frozenset(chance.sample(everywhere, chance.choice((0, 12))))
        made = track.corners[track.corner[start]].stops
        leg = Leg(start, chance.randint(4, 12), brakes=2, made=made, taken=taken, dangers=dangers)
        slid = board.landings(replace(leg, slide=3, slides_anyway=True))
        assert driven(slid) == driven(board.landings(replace(leg, spaces=leg.spaces + 3)))
        assert {landing.slid for landing in slid} == {3}
        seen += len(slid)
    assert seen > 1000


# -- the space more, and the penalties


@pytest.mark.article("formula-d", "option.tyres-soft")
@pytest.mark.parametrize(
    ("tyres", "age", "wet", "more"),
    [("soft", 0, False, True), ("soft", 1, False, False), ("soft", 0, True, False), ("hard", 0, False, False)],
)
def test_new_soft_tyres_may_bring_a_space_on_a_dry_track(tyres: str, age: int, wet: bool, more: bool) -> None:
    table = shod("2:right:2", 2, tyres, wet=wet, tyre_laps=age, lap=3)
    table.say(2, 3)
    assert ("2:right:6" in table.spaces(soft=1)) is more
    if more:
        assert any(ruling.article == "option.tyres-soft" for ruling in table.land("2:right:6", soft=1))


@pytest.mark.article("formula-d", "option.tyres-hard", "option.tyres-soft", "option.tyres-rain")
@pytest.mark.parametrize(
    ("tyres", "dry", "wet"),
    [("hard", (1, 1, 1), (1, 1, 1)), ("soft", (2, 2, 3), (2, 2, 3)), ("rain", (2, 2, 3), (1, 1, 1))],
)
def test_a_space_beyond_a_corner_costs_by_tyres_and_age(tyres: str, dry: tuple[int, ...], wet: tuple[int, ...]) -> None:
    for rain, factors in ((False, dry), (True, wet)):
        for age, factor in enumerate(factors):
            table = shod("0:left:8", 2, tyres, wet=rain, tyre_laps=age, lap=3)
            table.say(3, 4)
            beyond = next(option for option in table.options if option.facts.get("overshot"))
            assert beyond.wear.get("tyres", 0) == -beyond.facts["overshot"] * factor


# -- the pits


def in_box(**car: Any) -> Table:
    """Car 1 has come to its box in 4th."""
    entry = {"at": "4:left:19", "gear": 4, "box": 1, "round_set": True, "tyres": "soft", "tyre_laps": 1, "lap": 2}
    table = position({**entry, **car}, track=with_pits(TOW), options=WET, laps=3)
    table.say(4, 7)
    table.land("box:1")
    return table


@pytest.mark.article("formula-d", "option.stop-tyres")
def test_a_stop_may_change_the_kind_of_tyres() -> None:
    table = in_box(wear={"tyres": 2})
    assert table.open == ("tyres", 1, "")
    assert [option.answer for option in table.options] == ["soft", "hard", "rain"], "the same as before comes first"
    table.say("rain")
    car = table.car(1)
    assert (car.tyres, car.tyre_laps, car.wear["tyres"]) == ("rain", 0, 6)
    assert table.talk.asked is not None
    assert (table.ask, table.talk.asked.what) == ("test", "quick_stop")


@pytest.mark.article("formula-d", "option.stop-tyres")
def test_a_stop_is_told_before_the_tyres_are_chosen_and_no_die_is_foretold() -> None:
    table = in_box()
    box = table.ruling("box")
    assert (box.article, box.facts, box.wear) == ("pits.enter", {"box": 1}, {})
    book = position({"at": "20:right:1", "gear": 5, "box": 1}, options=TYRES).rulebook
    assert book.pits.foretell_stop(book.car(1)) is None


@pytest.mark.article("formula-d", "option.stop-soft")
@pytest.mark.parametrize("quick", [True, False])
def test_soft_tyres_bring_no_space_on_the_way_out_of_the_pits(quick: bool) -> None:
    table = in_box()
    table.say("soft")
    if quick:
        table.say(10)
    else:
        table.say(20)
        table.until("gear")
        table.say(4, 12)
    assert table.ask == "landing"
    assert not table.spaces(soft=1)
    table.land(next(iter(table.spaces())))
    track = shod("0:right:1", 3, "soft", tyre_laps=0)
    track.say(2, 2)
    assert track.spaces(soft=1), "on the track they do"


@pytest.mark.article("formula-d", "option.stop-soft", "option.tyres-soft")
def test_soft_tyres_bring_a_space_on_the_way_to_the_box_and_none_behind_it() -> None:
    lane = {"at": "pit:2", "gear": 2, "box": 10, "status": "pit", "tyres": "soft", "lap": 1}
    table = position(lane, options=WET, laps=3, sky="sun")
    table.say(2, 2)
    assert (table.spaces(), table.spaces(soft=1)) == ({"pit:4"}, {"pit:5"})
    soft, car = table.rulebook.tyres.soft_space, table.car(1)
    assert not soft(replace(car, stop="left"))
    assert not soft(replace(car, status="racing", at="0:right:1")), "it is back on the track in the same turn"


# -- races


@pytest.mark.parametrize("sky", ["rain", "changeable", ""])
def test_races_with_tyres_are_offered_ruled_and_replayed_alike(sky: str) -> None:
    tracks = [circuits.load("monaco"), circuits.load("monza")]
    setup = {"options": WET if sky else TYRES, **({"sky": sky} if sky else {})}
    known = {article.id for article in articles.load("formula-d")}
    assert (
        check("formula-d", tracks, [RandomDriver, HeuristicDriver], races=2, setup=setup, articles=known, moves=50)
        == []
    )
