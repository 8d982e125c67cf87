"""A position that is written down goes on exactly, in every rulebook; random corrections end in one that may be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.circuits import board, load
from companion.desk import RaceDesk
from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.rulebooks import RULEBOOKS, begin
from tests.rules.random_corrections import WAYS, Corrected

AHEAD = 40
"""How many answers a race that was read back is followed."""


def goes_on(desk: RaceDesk, ruled: list[list[Ruling]], starts: dict[int, Any], track: Any) -> None:
    """From each position, as text, the same answers bring the same questions, rulings and positions."""
    events = desk.conversation.events
    for at, state in starts.items():
        again = RaceDesk(begin(json.loads(json.dumps(state)), track))
        talk = again.conversation
        for n in range(at, min(at + AHEAD, len(events))):
            if n in starts:
                assert again.state() == (starts[n], True), (at, n)
            assert talk.key == events[n].key, (at, n)
            assert talk.apply(events[n]) == ruled[n], (at, n)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_show_state_writes_goes_on_exactly(rulebook: str, races: int) -> None:
    """At the beginning of every third step of random races, brittle cars and setups included."""
    for seed in range(max(2, races // 20)):
        race = Corrected(seed, "replay", rulebook)
        desk = race.desk
        ruled: list[list[Ruling]] = []
        starts: dict[int, Any] = {}
        while desk.asked is not None and desk.n < 400:
            talk = desk.conversation
            if talk.last_mark[0] == talk.n and (len(talk.marks) % 3 == 0 or talk.n < 8):
                starts[talk.n], whole = desk.state()
                assert whole
            ruled.append(desk.answer(race.say(desk.asked)))
        goes_on(desk, ruled, starts, race.track)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("keep", WAYS)
def test_a_corrected_die_leaves_a_race_that_may_be_and_reaches_the_flag(rulebook: str, keep: str, races: int) -> None:
    """`python -m tests.rules.random_corrections` corrects 300."""
    for seed in range(max(3, races // 10)):
        race = Corrected(seed, keep, rulebook)
        try:
            race.play()
        except BaseException as failure:
            failure.add_note(f"{rulebook}, seed {seed}, {keep}")
            raise


@pytest.mark.article("competition", "16-0-1")
def test_a_turn_that_a_word_has_ended_but_for_its_engine_tests_is_no_position_to_go_on_from() -> None:
    """The others still test their engines for it, which no text of a position says."""
    desk = standing("competition", {**CAR, "gear": 5}, {**OTHER, "gear": 5})
    for answer in (5, 20):
        desk.answer(answer)
    word(desk, car=1, status="out")
    assert desk.asked is not None
    assert (desk.asked.what, desk.asked.car, desk.state()[1]) == ("engine", 2, False)
    desk.answer(20)
    assert (desk.asked.ask, desk.asked.car, desk.state()[1]) == ("gear", 2, True)


# -- the last point, by the referee's word and in a setup

CAR = {"car": 1, "at": "10:left:9", "gear": 3, "lap": 1, "status": "racing"}
OTHER = {"car": 2, "at": "10:left:5", "gear": 3, "lap": 1, "status": "racing"}


def standing(rulebook: str, *cars: dict[str, Any], track: str = "monaco", **setup: Any) -> RaceDesk:
    """A desk on a race of that rulebook, in the middle."""
    said = {"rulebook": rulebook, "track": track, "to_play": [], "cars": list(cars or (CAR, OTHER)), **setup}
    return RaceDesk(begin(said, load(track)), setup=said)


def out(desk: RaceDesk, number: int) -> tuple[str, str, list[int]]:
    """How a car stands, why, and who is out of the race."""
    race: Any = desk.rulebook.race
    car = next(car for car in race.cars if car.number == number)
    return car.status, car.cause, list(race.gone)


def word(desk: RaceDesk, **change: Any) -> list[Ruling]:
    return desk.override(change, by="Ada", why="miscounted")


@pytest.mark.article("competition", "5-1-1")
@pytest.mark.parametrize(
    ("rulebook", "part", "gear", "status", "cause"),
    [
        ("competition", "body", 3, "wreck", "body"),
        ("competition", "engine", 3, "out", "engine"),
        ("competition", "engine", 5, "coasting", ""),
        ("competition", "handling", 3, "out", "handling"),
        ("league", "body", 3, "out", "body"),
        ("league", "engine", 5, "out", "engine"),
        ("league", "handling", 3, "out", "handling"),
    ],
)
def test_the_last_point_crossed_off_by_the_referee_ends_the_race(
    rulebook: str, part: str, gear: int, status: str, cause: str
) -> None:
    desk = standing(rulebook, {**CAR, "gear": 3}, {**OTHER, "gear": gear})
    rulings = word(desk, car=2, wear={part: 0})
    assert out(desk, 2) == (status, cause, [2] if cause else [])
    last = rulings[-1]
    if cause:
        assert (last.kind, last.car, last.facts["cause"], last.facts["at"]) == ("out", 2, cause, "10:left:5")
    else:
        assert (last.kind, last.car) == ("engine", 2)


@pytest.mark.article("competition", "5-1-1")
def test_in_its_own_turn_it_ends_the_turn_too() -> None:
    desk = standing("competition")
    assert desk.asked is not None
    assert desk.asked.car == 1
    word(desk, car=1, wear={"body": 0})
    assert (desk.asked.car, out(desk, 1)) == (2, ("wreck", "body", [1]))  # type: ignore[union-attr]


@pytest.mark.article("competition", "5-1-1", "16-0-3")
def test_an_engine_that_has_a_point_again_does_not_coast_any_more() -> None:
    desk = standing("competition", {**CAR, "gear": 5}, {**OTHER, "gear": 5})
    word(desk, car=2, wear={"engine": 0})
    assert out(desk, 2) == ("coasting", "", [])
    with pytest.raises(BadOverride, match="has no engine point left and is out with the last"):
        word(desk, car=2, status="racing")
    word(desk, car=2, wear={"engine": 1})
    assert out(desk, 2) == ("racing", "", [])
    with pytest.raises(BadOverride, match="coasting with an engine that holds"):
        word(desk, car=2, status="coasting")


@pytest.mark.article("cup", "wear.penalty")
def test_in_the_cup_none_left_is_harmless_until_a_point_is_due() -> None:
    desk = standing("cup")
    word(desk, car=2, wear={"body": 0, "engine": 0, "handling": 0})
    assert out(desk, 2) == ("racing", "", [])


@pytest.mark.article("death", "spin.zero")
def test_in_the_death_race_the_last_point_spins_and_a_car_that_has_spun_drives_on_with_none() -> None:
    desk = standing("death")
    word(desk, car=2, wear={"points": 0})
    assert out(desk, 2) == ("spun", "", [])
    word(desk, car=2, status="racing")
    assert out(desk, 2) == ("racing", "", [])
    at_zero = standing("death", options={"out_at_zero": True})
    word(at_zero, car=2, wear={"points": 0})
    assert out(at_zero, 2) == ("out", "destroyed", [2])
    with pytest.raises(BadSetup, match="Car 1 has no point left and is out at 0"):
        standing("death", {**CAR, "wear": {"points": 0}}, OTHER, options={"out_at_zero": True})


@pytest.mark.article("ninety", "chart.breakdown")
def test_in_ninety_a_full_chart_races_on_and_more_than_it_holds_is_refused() -> None:
    car = {"car": 1, "status": "racing", "built": {"tyres": 12, "cards": 6, "damage": 4}}
    setup = {"rulebook": "ninety", "track": "quarry-hill", "cars": [car, {**car, "car": 2}], "to_play": [1, 2]}
    desk = RaceDesk(begin(setup, board("quarry-hill")), setup=setup)
    word(desk, car=1, wear={"damage": 0, "tyres": 0})
    assert out(desk, 1) == ("racing", "", [])
    with pytest.raises(BadOverride, match="holds 4 damage, no more"):
        word(desk, car=1, wear={"damage": 5})
    with pytest.raises(BadSetup, match="holds 4 damage, no more"):
        begin({**setup, "cars": [{**car, "wear": {"damage": 5}}, {**car, "car": 2}]}, board("quarry-hill"))


@pytest.mark.article("competition", "5-1-1")
@pytest.mark.parametrize("rulebook", ["competition", "league"])
@pytest.mark.parametrize("part", ["body", "engine", "handling"])
def test_a_position_with_a_car_that_is_out_by_its_wear_is_refused(rulebook: str, part: str) -> None:
    with pytest.raises(BadSetup, match=f"Car 2 has no {part} point left and is out with the last; give it one, or"):
        standing(rulebook, CAR, {**OTHER, "wear": {part: 0}})
    desk = standing(rulebook, CAR, {**OTHER, "wear": {part: 0}, "status": "out", "cause": part})
    assert out(desk, 2) == ("out", part, [2])


# -- what a position leaves out, and in which order it plays


@pytest.mark.article("competition", "5-3")
@pytest.mark.parametrize(
    ("car", "stand"),
    [
        ({}, 2),
        ({"stand": 0}, 0),
        ({"wear": {"tyres": 1, "body": 1}}, 2),
        ({"built": {"tyres": 7, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}}, 1),
        ({"built": {"tyres": 8, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}}, 0),
    ],
)
def test_a_position_without_a_stand_has_what_a_stand_begins_with(car: dict[str, Any], stand: int) -> None:
    desk = standing("competition", {**CAR, **car}, OTHER)
    race: Any = desk.rulebook.race
    assert race.cars[0].stand == stand
    again: Any = begin(desk.state()[0], load("monaco"))
    assert again.race.cars[0].stand == stand


@pytest.mark.article("competition", "6-2-2")
@pytest.mark.parametrize("order", [[1, 2, 3], [3, 1, 2], [2, 3, 1], [3, 2, 1], [2]])
def test_to_play_is_the_order_in_which_they_play(order: list[int]) -> None:
    cars = [{**CAR, "car": number, "at": f"10:left:{16 - 5 * number}"} for number in (1, 2, 3)]
    desk = standing("competition", *cars, to_play=order)
    played = []
    while desk.rulebook.round == 1:
        assert desk.asked is not None
        if desk.asked.ask == "gear":
            played.append(desk.asked.car)
        desk.answer(desk.asked.options[0].answer if desk.asked.options else desk.asked.faces[0])  # type: ignore[index]
    assert played == order


@pytest.mark.article("competition", "6-2-2", "14-2")
@pytest.mark.parametrize("wrecked", ["10:right:10", "10:middle:9", "10:left:13"])
@pytest.mark.parametrize("to_play", [[], [1, 2, 3], [1, 3]])
def test_a_wreck_beside_the_leader_goes_when_it_would_have(wrecked: str, to_play: list[int]) -> None:
    """Whoever goes on from the text has the same turns and the same rulings."""
    wreck = {"car": 3, "at": wrecked, "status": "wreck", "cause": "body", "lap": 1, "arrived": 1, "gear": 5}
    desk = standing("competition", {**CAR, "arrived": 2}, {**OTHER, "arrived": 3}, wreck, to_play=to_play)
    ruled: list[list[Ruling]] = []
    starts: dict[int, Any] = {}
    while desk.asked is not None and desk.n < 60:
        state, whole = desk.state()
        if whole:
            starts[desk.n] = state
        asked = desk.asked
        ruled.append(desk.answer(asked.options[0].answer if asked.options else asked.faces[-1]))  # type: ignore[index]
    goes_on(desk, ruled, starts, load("monaco"))


# -- whoever leads now is asked


@pytest.mark.article("ninety", "turn.order")
def test_in_ninety_whoever_leads_by_the_places_as_they_are_set_is_asked() -> None:
    cars = [{"car": number, "status": "racing", "section": 9 - number} for number in (1, 2)]
    setup = {"rulebook": "ninety", "track": "quarry-hill", "cars": cars, "to_play": [1, 2], "round": 2}
    desk = RaceDesk(begin(setup, board("quarry-hill")), setup=setup)
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.car) == ("declare", 1)
    word(desk, car=1, at="section:3")
    assert (desk.asked.ask, desk.asked.car) == ("declare", 2)
    word(desk, car=1, at="section:12")
    assert (desk.asked.ask, desk.asked.car) == ("declare", 1)
    desk.answer("skip")
    word(desk, car=1, at="section:3")  # his turn has begun: it is played to its end
    assert (desk.asked.ask, desk.asked.car) == ("strategy", 1)


@pytest.mark.article("competition", "0-0-2", "6-2-2")
@pytest.mark.parametrize("rulebook", ["competition", "league", "cup"])
def test_with_dice_whoever_leads_when_the_round_begins_is_asked(rulebook: str) -> None:
    desk = standing(rulebook)
    assert desk.asked is not None
    assert desk.asked.car == 1
    word(desk, car=1, at="10:left:1")
    assert (desk.asked.ask, desk.asked.car, desk.rulebook.round) == ("gear", 2, 1)
    word(desk, car=1, at="10:left:9")
    assert desk.asked.car == 1
    desk.answer(3)
    word(desk, car=1, at="10:left:1")
    assert (desk.asked.ask, desk.asked.car) == ("roll", 1)
