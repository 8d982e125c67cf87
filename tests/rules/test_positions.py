"""A position that is written down goes on exactly, in every rulebook; random corrections end in one that may be."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.circuits import board, load
from companion.desk import RaceDesk
from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.rulebooks import RULEBOOKS, begin
from tests.rules.random_corrections import WAYS, Corrected
from tests.table import WEAR

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
            if talk.last_checkpoint[0] == talk.n and (len(talk.checkpoints) % 3 == 0 or talk.n < 8):
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
    """Return the status of a car, its cause, and the cars that are out of the race."""
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
    cars = [{"car": number, "status": "racing", "at": f"section:{10 - number}"} for number in (1, 2)]
    setup = {"rulebook": "ninety", "track": "quarry-hill", "cars": cars, "to_play": [1, 2], "round": 2}
    desk = RaceDesk(begin(setup, board("quarry-hill")), setup=setup)
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.car) == ("declare", 1)
    word(desk, car=1, at="section:3")
    assert (desk.asked.ask, desk.asked.car) == ("declare", 2)
    word(desk, car=1, at="section:9")
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


# -- positions that cannot be, through every door


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_state_of_a_legal_race_is_a_position_and_show_state_a_setup(rulebook: str, races: int) -> None:
    """At every question, in the middle of a turn too, and once the race is over."""
    for seed in range(max(2, races // 60)):
        race = Corrected(seed, "replay", rulebook)
        desk = race.desk
        while True:
            race.check()
            again: Any = begin(json.loads(json.dumps(desk.state()[0])), race.track)
            assert list(again.faults()) == []
            if desk.asked is None or desk.n > 600:
                break
            desk.answer(race.say(desk.asked))


DICE = ("competition", "cup", "death", "league")
WEATHER = ("competition", "cup", "league")
CANNOT: list[tuple[tuple[str, ...], dict[str, Any], str]] = [
    (DICE, {"lap": 9}, "cannot be in lap 9 of a race of"),
    (WEATHER, {"tyre_laps": 7}, "cannot be on tyres 7 laps old in lap 1; they are new"),
    (WEATHER, {"tyre_laps": 1, "lap": 1}, "cannot be on tyres 1 lap old in lap 1; they are new"),
    (("competition", "league", "cup"), {"at": "pit:4", "lap": 0, "gear": 2}, "in the pits at pit lane 4 in lap 0"),
    (("competition", "league"), {"at": "pit:4", "lap": 9, "gear": 2}, "lap 9"),
    (DICE, {"at": "1:left:1", "stops": 3}, "corner 1 asks for 1 stops; 3 cannot count in it"),
    (DICE, {"stops": 1}, "is in no corner, where no stop counts"),
    (("competition",), {"stand": 5}, "has 0 to 2 repair points, not 5"),
    (WEATHER, {"wear": {"tyres": 33}}, "33"),
    (("death",), {"wear": {"points": 33}}, "33"),
]


@pytest.mark.article("competition", "5-0-2", "5-3", "19-2-3")
@pytest.mark.parametrize(
    ("rulebook", "car", "said"), [(book, car, said) for books, car, said in CANNOT for book in books]
)
def test_what_cannot_be_is_refused_in_a_setup_and_by_the_referee_alike(
    rulebook: str, car: dict[str, Any], said: str
) -> None:
    """The sentence is the same for the car whose turn it is and for another, and nothing has changed."""
    built = {"built": {"points": 18}} if rulebook == "death" else {"built": dict(WEAR)}
    one, other = {**CAR, **built}, {**OTHER, **built}
    for cars in (({**one, **car}, other), (one, {**other, **car})):
        with pytest.raises(BadSetup, match=said) as refused:
            standing(rulebook, *cars, to_play=[1, 2])
        assert str(refused.value).endswith(".")
        assert "\n" not in str(refused.value)
    desk = standing(rulebook, one, other, to_play=[1, 2])
    before = desk.state()
    for number in (1, 2):
        with pytest.raises(BadOverride, match=said):
            word(desk, car=number, **car)
        assert desk.state() == before


@pytest.mark.article("competition", "3-2-2", "3-2-3")
@pytest.mark.parametrize("rulebook", WEATHER)
@pytest.mark.parametrize(("sky", "wrong", "right"), [("sun", "wet", "dry"), ("rain", "dry", "wet")])
def test_a_sky_and_a_surface_go_together(rulebook: str, sky: str, wrong: str, right: str) -> None:
    said = f"Under {sky} the track is {right}, not {wrong}"
    with pytest.raises(BadSetup, match=said):
        standing(rulebook, sky=sky, surface=wrong)
    with pytest.raises(BadSetup, match=said):
        begin(
            {"rulebook": rulebook, "track": "monaco", "cars": [{"car": 1}], "sky": sky, "surface": wrong},
            load("monaco"),
        )
    desk = standing(rulebook, sky="changeable", surface=wrong)
    with pytest.raises(BadOverride, match=said):
        word(desk, sky=sky, surface=wrong)
    rulings = word(desk, sky=sky)
    race: Any = desk.rulebook.race
    assert (race.sky, race.surface) == (sky, right)
    assert [one.facts["surface"] for one in rulings if one.kind == "surface"] == [right]
    with pytest.raises(BadOverride, match=said):
        word(desk, surface=wrong)
    assert standing(rulebook, surface="wet").rulebook.race.sky == "rain"  # a wet track that says no more


@pytest.mark.article("competition", "0-0-1", "21-1-1")
@pytest.mark.parametrize(("rulebook", "laps"), [("competition", 3), ("cup", 3), ("league", 2), ("death", 3)])
def test_home_is_who_has_driven_every_lap(rulebook: str, laps: int) -> None:
    with pytest.raises(
        BadSetup, match=f"cannot be home in lap 1 of a race of {laps} laps; a car home has lap {laps + 1}"
    ):
        standing(rulebook, CAR, {**OTHER, "status": "finished"}, laps=laps)
    home = {"car": 2, "status": "finished"}
    race: Any = standing(rulebook, CAR, home, laps=laps).rulebook.race
    assert race.cars[1].lap == laps + 1
    if rulebook == "competition":
        standing(rulebook, CAR, {**OTHER, "status": "finished"}, options={"flag_next_crossing": True})


@pytest.mark.article("competition", "7-1-1")
def test_on_its_move_a_car_has_no_other_stops_by_word_than_its_corner_asks_for() -> None:
    """It began in a corner of three stops and has come to one of one; what is shown then is a setup."""
    begun = {**CAR, "at": "11:left:2", "stops": 1, "gear": 2}
    desk = standing("competition", begun, OTHER, to_play=[1])
    desk.answer(2)
    desk.answer(3)
    with pytest.raises(BadOverride, match=r"cannot count in it|no stop counts"):
        word(desk, car=1, stops=3)
    begin(desk.state()[0], load("monaco"))


VALUES = {
    "lap": st.integers(0, 5),
    "tyre_laps": st.integers(0, 5),
    "stops": st.integers(0, 3),
    "stand": st.integers(0, 4),
    "gear": st.integers(1, 6),
    "tyres": st.sampled_from(["hard", "soft", "rain"]),
    "status": st.sampled_from(["racing", "stalled", "spun", "out"]),
    "at": st.sampled_from(["1:left:1", "10:left:12", "11:left:2", "20:left:1", "pit:4", "box:2", "pit:18"]),
    "wear": st.dictionaries(st.sampled_from(list(WEAR)), st.integers(0, 9), min_size=1),
}  # fmt: skip


@settings(max_examples=120, deadline=None, derandomize=True)
@given(
    st.sampled_from(DICE), st.integers(0, 30), st.fixed_dictionaries({}, optional=VALUES).filter(bool),
    st.sampled_from([1, 2]), st.one_of(st.none(), st.sampled_from(["sun", "changeable", "rain"])),
    st.one_of(st.none(), st.sampled_from(["dry", "wet"])),
)  # fmt: skip
def test_a_word_is_refused_or_leaves_a_position_that_may_be(
    rulebook: str, answers: int, car: dict[str, Any], number: int, sky: str | None, surface: str | None
) -> None:
    """Whatever is set, at whatever question, of the car whose turn it is as of another."""
    race = Corrected(answers, "replay", rulebook)
    desk = race.desk
    for _ in range(20 + 7 * answers):
        if desk.asked is None:
            break
        desk.answer(race.say(desk.asked))
    change: dict[str, Any] = {"car": number, **car}
    change |= {name: value for name, value in (("sky", sky), ("surface", surface)) if value is not None}
    before, refused = desk.state(), ""
    try:
        desk.override(change, by="Ada", why="miscounted")
    except BadOverride as wrong:
        refused = str(wrong)
    if refused:
        assert (desk.state(), refused[-1], "\n" in refused) == (before, ".", False)
    else:
        race.check()
        begin(json.loads(json.dumps(desk.state()[0])), race.track)
