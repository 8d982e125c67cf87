"""A die was misread and the board stands: what follows from the right face is settled, asked or listed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.circuits import load
from companion.desk import Correction, RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.protocol import LineReferee
from companion.rules.conversation.asking import Json, Option
from companion.rules.conversation.errors import BadAnswer
from companion.rules.dice.state import Car
from companion.rules.rulebooks import begin
from companion.wording import Words
from tests.table import WEAR

STAYS: dict[str, Json] = {"space": "10:left:19", "brakes": 0, "soft": 0}


def a_desk(*cars: dict[str, Any], to_play: list[int] | None = None, **setup: Any) -> RaceDesk:
    """A desk in the middle of a race on Monaco."""
    full = [{"gear": 5, "lap": 1, "status": "racing", "wear": dict(WEAR), "tyres": "hard", **car} for car in cars]
    numbers = to_play if to_play is not None else [car["car"] for car in cars]
    said = {"track": "monaco", "laps": 3, "cars": full, "to_play": numbers, **setup}
    return RaceDesk(begin(said, load("monaco")), setup=said)


def flat_out(face: int, names: tuple[str, ...] = ("Ada", "Noe", "Greta")) -> RaceDesk:
    """Three cars in 5th under a changeable sky, the second with its last engine point; the first has rolled."""
    ada, noe, greta = names
    desk = a_desk(
        {"car": 1, "driver": ada, "at": "10:left:1"},
        {"car": 2, "driver": noe, "at": "10:right:9", "wear": {**WEAR, "engine": 1}},
        {"car": 3, "driver": greta, "at": "6:left:5"},
        sky="changeable",
        surface="dry",
    )
    desk.answer(5)
    desk.answer(face)
    desk.answer(desk.asked.options[0].answer)  # type: ignore[union-attr, index]
    return desk


def rolled(desk: RaceDesk, face: int, what: str = "engine") -> None:
    """Every test of that matter that is asked shows the same face."""
    while desk.asked is not None and desk.asked.what == what:
        desk.answer(face)


def stands(desk: RaceDesk, number: int) -> tuple[str, int, int]:
    """How a car stands: its status, the gear of its next coasting turn, its engine points."""
    car = desk.rulebook.car(number)  # type: ignore[attr-defined]
    return car.status, car.coast, car.wear["engine"]


def sound(desk: RaceDesk) -> None:
    """The check of a position finds nothing, and the race goes on to the flag."""
    rulebook: Any = desk.rulebook
    assert list(rulebook.faults()) == []
    driver = HeuristicDriver(rulebook.track, 1)
    while desk.asked is not None and desk.n < 3000:
        desk.answer(driver.answer(desk.asked, rulebook.race))
    assert list(rulebook.faults()) == []
    assert rulebook.race.phase == "over"


def corrected(desk: RaceDesk, n: int, answer: Json, *then: Json) -> Correction:
    return desk.correct(n, answer, keep="board", by="Ada", why="misread", then=then)


# -- a 20 that was none, and one that was


@pytest.mark.article("competition", "16-0-1", "16-0-3", "3-2-5")
def test_a_20_that_was_none_takes_the_engine_tests_and_the_weather_die_with_it() -> None:
    desk = flat_out(20)
    rolled(desk, 2)
    race: Any = desk.rulebook.race
    assert (stands(desk, 2), race.due) == (("coasting", 4, 0), [1])
    told = corrected(desk, 1, 18)
    assert told.change == {
        "cars": [
            {"car": 1, "wear": {"engine": 3}},
            {"car": 2, "wear": {"engine": 1}, "status": "racing"},
            {"car": 3, "wear": {"engine": 3}},
        ],
        "due": [],
        "dangers": [],
    }
    assert [stands(desk, number) for number in (1, 2, 3)] == [("racing", 0, 3), ("racing", 0, 1), ("racing", 0, 3)]
    assert desk.asked is not None
    assert (desk.asked.ask, desk.asked.car, desk.asked.what) == ("gear", 2, "")
    sound(desk)


@pytest.mark.article("competition", "16-0-1", "16-0-3", "3-2-5", "5-1-1")
def test_a_20_that_was_one_is_asked_all_its_engine_tests_and_the_weather_die() -> None:
    desk = flat_out(18)
    before = desk.conversation.digest
    with pytest.raises(BadAnswer, match="nobody has answered yet"):
        corrected(desk, 1, 20)
    with pytest.raises(BadAnswer, match="nobody has answered yet: test of car 3"):
        corrected(desk, 1, 20, STAYS, 2, 2)
    assert desk.conversation.digest == before
    asked, then = [], [STAYS, 2, 2, 12]
    for count in range(len(then) + 1):
        told = desk.try_correction(1, 20, keep="board", then=then[:count])
        asked.append((told.asks.ask, told.asks.car, told.asks.what) if told.asks is not None else None)
    assert asked == [
        ("landing", 1, "spaces_20"), ("test", 1, "engine"), ("test", 2, "engine"), ("test", 3, "engine"), None
    ]  # fmt: skip
    corrected(desk, 1, 20, *then)
    assert [stands(desk, number) for number in (1, 2, 3)] == [("racing", 0, 2), ("coasting", 4, 0), ("racing", 0, 3)]
    race: Any = desk.rulebook.race
    assert (race.due, race.dangers, race.cars[0].at) == ([1], ["10:left:19", "10:right:9"], "10:left:19")
    while desk.asked is not None and desk.rulebook.round == 1 and desk.asked.what != "weather":
        desk.answer(desk.asked.options[0].answer if desk.asked.options else desk.asked.faces[-1])  # type: ignore[index]
    assert desk.asked is not None
    assert (desk.asked.car, desk.asked.what) == (1, "weather")
    sound(desk)


@pytest.mark.article("competition", "10-4-6")
def test_whose_move_is_still_to_come_is_not_told_to_have_moved() -> None:
    """It restarts in 1st either way, and that die is open."""
    desk = a_desk({"car": 1, "at": "10:left:1", "status": "spun", "turned": True, "gear": 1}, to_play=[1])
    desk.answer(5)
    for face in (5, 9):
        told = corrected(desk, 0, face)
        assert (told.change, told.left, told.fell) == (None, [], [])
    assert desk.asked is not None
    assert desk.asked.what == "gear_1"


@pytest.mark.article("competition", "16-0-2", "17-0-1")
def test_a_die_is_corrected_again_while_its_turn_is_open() -> None:
    """What the first correction set lies within the turn that the second one plays over again."""
    desk = flat_out(20)
    desk.answer(2)
    race: Any = desk.rulebook.race
    for face, engine, dangers in ((20, 3, []), (1, 2, ["10:left:21"]), (19, 3, [])):
        corrected(desk, 3, face)
        assert (race.cars[0].wear["engine"], race.dangers) == (engine, dangers)
        assert desk.asked is not None
        assert (desk.asked.what, desk.asked.car) == ("engine", 2)
        race = desk.rulebook.race
    rolled(desk, 20)
    sound(desk)


def lands(space: str, brakes: int = 0) -> dict[str, Json]:
    """A landing without a soft brake."""
    return {"space": space, "brakes": brakes, "soft": 0}


def past_a_danger(face: int, landing: Json) -> RaceDesk:
    """Car 1 in 5th, with a danger space ahead in its lane; car 2 plays after it."""
    cars = [{"car": 1, "at": "10:left:1"}, {"car": 2, "at": "2:left:1", "gear": 2}]
    desk = a_desk(*cars, dangers=["10:left:17"], sky="sun", surface="dry")
    for answer in (5, face, landing):
        desk.answer(answer)
    return desk


def asked_beside(told: Correction) -> tuple[str, int | None, str] | None:
    return told.asks and (told.asks.ask, told.asks.car, told.asks.what)


def test_what_is_asked_anew_offers_the_old_answer_first_and_as_the_one_that_stands() -> None:
    desk = flat_out(18)
    replayed, told = (desk.try_correction(1, 20, keep=keep) for keep in ("replay", "board"))
    assert told.asks is not None
    assert told.asks.options == [Option(STAYS, {}, {"stands": True}), *(replayed.asks.options or [])]  # type: ignore[union-attr]


def test_what_is_asked_anew_offers_the_old_answer_once() -> None:
    """The landing that it was corrected to is none by the right roll; the one before that is."""
    desk = past_a_danger(18, lands("10:left:18"))
    corrected(desk, 1, 19)
    corrected(desk, 2, lands("10:left:20"), 20)
    told = desk.try_correction(1, 18, keep="board")
    assert told.asks is not None
    answers = [option.answer for option in told.asks.options or []]
    assert answers.count(lands("10:left:18")) == 1
    assert not any(option.facts.get("stands") for option in told.asks.options or [])


@pytest.mark.article("competition", "16-0-1", "17-0-3")
def test_an_engine_is_not_tested_by_the_die_of_a_handling_test() -> None:
    """With a 20 the car would have gone round the danger space, and tested its engine."""
    desk = past_a_danger(18, lands("10:left:19"))
    desk.answer(1)
    told = desk.try_correction(1, 20, keep="board", then=[lands("10:left:20")])
    assert (asked_beside(told), [done.n for done in told.fell]) == (("test", 1, "engine"), [2, 3])
    assert told.change is not None
    assert told.change["cars"][0]["wear"] == {"handling": 2}


@pytest.mark.article("competition", "6-1-1")
def test_a_roll_that_is_none_of_the_right_gear_is_asked_anew_and_offers_no_old_one() -> None:
    told = flat_out(18).try_correction(0, 4, keep="board")
    assert asked_beside(told) == ("roll", 1, "gear_4")
    assert told.asks is not None
    assert (told.asks.faces, told.asks.options) == ([7, 8, 9, 10, 11, 12], None)


@pytest.mark.article("competition", "17-0-3", "16-0-1")
def test_a_test_between_answers_that_stand_falls_away_alone() -> None:
    """Round the danger space, and the engine test of the 20 is the same."""
    desk = past_a_danger(20, lands("10:left:21"))
    for matter in ("handling", "engine"):
        assert desk.asked is not None
        assert desk.asked.what == matter
        desk.answer(20)
    told = desk.try_correction(2, lands("10:left:20"), keep="board")
    assert ([done.n for done in told.fell], told.change, told.asks) == ([3], None, None)


@pytest.mark.article("competition", "17-0-3", "3-2-5")
@pytest.mark.parametrize(
    ("surface", "change"), [("dry", None), ("wet", {"cars": [{"car": 1, "wear": {"handling": 1}}]})]
)
def test_a_die_that_is_asked_anew_is_read_on_the_surface_that_the_referee_had_set(surface: str, change: Json) -> None:
    """Over the danger space after all, and the word was given when the car had moved."""
    desk = past_a_danger(20, lands("10:left:20"))
    desk.override({"sky": "changeable", "surface": surface}, by="Ada", why="rain or none")
    desk.answer(20)
    told = desk.try_correction(2, lands("10:left:21"), keep="board", then=[5])
    assert told.change == change


@pytest.mark.article("competition", "6-1-1")
def test_a_roll_that_another_gear_may_show_too_is_the_same_roll() -> None:
    desk = a_desk({"car": 1, "at": "10:left:1"}, {"car": 2, "at": "2:left:1", "gear": 2})
    for answer in (5, 12):
        desk.answer(answer)
    desk.answer(desk.asked.options[0].answer)  # type: ignore[union-attr, index]
    told = desk.try_correction(0, 4, keep="board")
    assert (told.change, told.left, told.fell, told.asks) == (None, [{"car": 1, "gear": 4}], [], None)


# -- an answer of a step in which another was corrected


@pytest.mark.article("competition", "6-3.6", "16-0-1")
def test_what_was_said_with_a_correction_answers_only_what_was_asked_then() -> None:
    """The roll was corrected, with a landing and three engine tests; then the landing is."""
    desk = flat_out(18)
    corrected(desk, 1, 20, STAYS, 2, 20, 20)
    told = desk.try_correction(2, {**STAYS, "brakes": 2}, keep="board")
    assert (told.change, told.left, told.asks) == ({"cars": [{"car": 1, "wear": {"brakes": 1}}]}, [], None)
    told = desk.try_correction(2, lands("10:left:21"), keep="board")
    assert (told.change and told.change.get("cars"), told.left, told.asks) == (
        None,
        [{"car": 1, "at": "10:left:21"}],
        None,
    )


@pytest.mark.article("competition", "16-0-1", "17-0-3")
def test_a_test_that_was_said_with_a_correction_is_no_other_test() -> None:
    """A landing over a danger space, with a 1 for its handling, and then a roll that flattens the engine."""
    desk = past_a_danger(18, lands("10:left:18"))
    corrected(desk, 1, 19)
    told = desk.try_correction(2, lands("10:left:20"), keep="board")
    assert asked_beside(told) == ("test", 1, "handling")
    told = corrected(desk, 2, lands("10:left:20"), 1)
    assert (told.change, told.asks) == ({"cars": [{"car": 1, "wear": {"brakes": 3, "handling": 1}}]}, None)
    told = desk.try_correction(1, 20, keep="board")
    assert asked_beside(told) == ("test", 1, "engine")
    sound(desk)


@pytest.mark.article("competition", "16-0-1")
def test_what_was_said_with_a_correction_that_is_made_anew_is_said_no_more() -> None:
    """The roll was a 20, and its landing another; the 20 is corrected again, and its tests with it."""
    desk = flat_out(18)
    corrected(desk, 1, 20, STAYS, 20, 20, 20)
    corrected(desk, 2, {**STAYS, "brakes": 2})
    then = [20, 20, 20]
    for count in range(3):
        told = desk.try_correction(1, 20, keep="board", then=then[:count])
        assert asked_beside(told) == ("test", count + 1, "engine")
    assert corrected(desk, 1, 20, 20, 20, 2).change == {
        "cars": [{"car": 3, "wear": {"engine": 2}}], "dangers": ["6:left:5"]
    }  # fmt: skip
    told = desk.try_correction(2, {**STAYS, "brakes": 2}, keep="board")
    assert (told.change, told.asks) == (None, None)
    sound(desk)


# -- the referee's word within the step


@pytest.mark.article("competition", "16-0-1", "16-0-2", "3-2-5")
@pytest.mark.parametrize(("n", "face", "engine"), [(5, 4, None), (5, 3, {"car": 2, "wear": {"engine": 0}})])
def test_a_die_is_read_again_on_the_surface_that_the_referee_had_set(n: int, face: int, engine: Json) -> None:
    desk = flat_out(20)
    desk.answer(10)
    desk.override({"surface": "wet"}, by="Ada", why="rain")
    rolled(desk, 10)
    change = corrected(desk, n, face).change
    assert (change and change["cars"][0].items() >= engine.items()) == (engine and True)


@pytest.mark.article("competition", "16-0-1", "16-0-3", "3-2-5")
@pytest.mark.parametrize(
    ("word", "answers"),
    [({"surface": "wet"}, [2, 2]), ({"car": 3, "status": "out"}, [2]), ({"car": 3, "gear": 4}, [2])],
)
def test_what_the_referee_has_set_stands_where_the_answers_around_it_fall_away(
    word: dict[str, Json], answers: list[Json]
) -> None:
    """Between the engine tests of a 20 that was none."""
    desk = flat_out(20)
    desk.answer(10)
    desk.override(word, by="Ada", why="so it is")
    for answer in answers:
        desk.answer(answer)
    assert stands(desk, 2) == ("coasting", 4, 0)
    race: Any = desk.rulebook.race
    there = race.surface, race.cars[2].status, race.cars[2].gear
    told = corrected(desk, 1, 18)
    assert [done.n for done in told.fell] == [2, 3, *range(5, 5 + len(answers))]
    race = desk.rulebook.race
    assert (race.surface, race.cars[2].status, race.cars[2].gear) == there
    assert (stands(desk, 2), race.due) == (("racing", 0, 1), [])
    sound(desk)


@pytest.mark.article("competition", "16-0-2", "17-0-3")
def test_what_the_referee_has_set_holds_for_the_dice_after_it() -> None:
    """The car goes out on its way and tests no engine; the others do, on the track that was set wet since."""
    cars = [
        {"car": 1, "at": "10:left:1", "wear": {**WEAR, "handling": 1}},
        {"car": 2, "at": "10:right:9"},
        {"car": 3, "at": "6:left:5"},
    ]
    desk = a_desk(*cars, dangers=["10:left:21"], sky="changeable", surface="dry")
    for answer in (5, 20, {"space": "10:left:21", "brakes": 0, "soft": 0}, 20, 10):
        desk.answer(answer)
    desk.override({"surface": "wet"}, by="Ada", why="rain")
    rolled(desk, 4)
    told = corrected(desk, 3, 1)
    assert told.change == {"cars": [{"car": 1, "wear": {"handling": 0}, "status": "out", "cause": "handling"}]}
    assert [done.n for done in told.fell] == [4]


def test_what_the_referee_cannot_have_set_then_falls_away_too() -> None:
    """Onto the space on which the car would have stopped."""
    cars = [{"car": 1, "at": "10:left:1", "gear": 3}, {"car": 2, "at": "2:left:1", "gear": 2}]
    desk = a_desk(*cars, dangers=["10:left:9"])
    for answer in (3, 8, {"space": "10:left:9", "brakes": 0, "soft": 0}):
        desk.answer(answer)
    desk.override({"car": 2, "at": "10:left:8"}, by="Ada", why="it stood there")
    desk.answer(20)
    told = desk.try_correction(1, 7, keep="board", then=[{"space": "10:left:8", "brakes": 0, "soft": 0}])
    assert [done.n for done in told.fell] == [2, 3, 4]


def test_a_landing_that_is_dearer_by_the_right_roll_is_charged_where_the_car_stands() -> None:
    """20 and not 18: nothing but two brakes brings it to where it stands, unless the table says it stands as it is."""
    desk = flat_out(18)
    told = desk.try_correction(1, 20, keep="board", then=[{**STAYS, "brakes": 2}, 20, 20, 20])
    assert told.change == {"cars": [{"car": 1, "wear": {"brakes": 1}}], "due": [1]}
    told = desk.try_correction(1, 20, keep="board", then=[STAYS, 20, 20, 20])
    assert told.change == {"due": [1]}


def drawn(sky: str, *faces: int) -> RaceDesk:
    """At the end of the round the weather is drawn for each of these faces; the sky was drawn once before."""
    surface = "wet" if sky == "rain" else "dry"
    cars = [{"car": number, "at": f"10:left:{9 - number}", "gear": 2} for number in range(1, len(faces) + 1)]
    due = [car["car"] for car in cars]
    desk = a_desk(*cars, to_play=[1], sky=sky, drawn=sky, surface=surface, due=due)
    played_on(desk, lambda: desk.asked.what == "weather")  # type: ignore[union-attr]
    for face in faces:
        desk.answer(face)
    return desk


def weather(desk: RaceDesk) -> tuple[str, str, str, bool]:
    race: Any = desk.rulebook.race
    return race.sky, race.drawn, race.surface, race.fixed


@pytest.mark.article("competition", "3-2-6.4", "3-2-6.5")
@pytest.mark.parametrize(("sky", "wrong", "right"), [("rain", 7, 20), ("sun", 20, 7), ("rain", 20, 7), ("sun", 9, 20)])
def test_a_sky_that_was_drawn_otherwise_is_the_last_one_drawn(sky: str, wrong: int, right: int) -> None:
    """Ruling 96: so the next draw stays for good, or does not, as it would have."""
    desk, straight = drawn(sky, wrong), drawn(sky, right)
    corrected(desk, desk.n - 1, right)
    assert weather(desk) == weather(straight)


@pytest.mark.article("competition", "3-2-6.1", "3-2-6.3", "3-2-6.4")
@pytest.mark.parametrize(
    ("wrong", "right", "later"),
    [
        (9, 20, 20),  # sun twice running, and it stays
        (9, 20, 9),  # changeable again, and no sun that stays by mistake
        (20, 9, 20),  # sun once
        (9, 7, 9),  # the rain that was not seen has left a wet track
        (9, 20, [13, 20]),
    ],
)
def test_what_was_drawn_since_comes_after_the_draw_that_was_another(wrong: int, right: int, later: Json) -> None:
    """The second draw is of the next round."""

    def two(first: int) -> RaceDesk:
        desk = drawn("changeable", first)
        desk.override({"due": [1]}, by="Ada", why="a 20 that nobody noted")
        played_on(desk, lambda: desk.asked.what == "weather")  # type: ignore[union-attr]
        desk.answer(later)
        return desk

    desk = two(wrong)
    first = next(done.n for done in desk.answers() if done.answer == wrong)
    corrected(desk, first, right)
    assert weather(desk) == weather(two(right))


@pytest.mark.article("competition", "3-2-5", "3-2-6.4")
@pytest.mark.parametrize(
    ("word", "change"),
    [({"sky": "sun"}, None), ({"sky": "changeable", "surface": "dry"}, None)],
)
def test_the_sky_that_the_referee_has_set_since_a_draw_stays(word: dict[str, Json], change: Json) -> None:
    desk = drawn("changeable", 7)
    n = desk.n - 1
    desk.override(word, by="Ada", why="agreed")
    assert desk.try_correction(n, 20, keep="board").change == change


@pytest.mark.article("competition", "3-2-4", "3-2-6.4")
def test_no_draw_falls_due_under_a_weather_that_stays_by_now() -> None:
    """A 20 that was an 18, and the sky has been set for good since."""
    desk, then = flat_out(18), [STAYS, 20, 20, 20]
    played_on(desk, lambda: desk.rulebook.round > 1)
    assert desk.try_correction(1, 20, keep="board", then=then).change == {"due": [1]}
    desk.override({"sky": "sun", "fixed": True}, by="Ada", why="agreed")
    assert desk.try_correction(1, 20, keep="board", then=then).change is None


@pytest.mark.article("competition", "3-2-5")
def test_a_draw_that_was_not_due_and_has_been_made_is_listed() -> None:
    desk = flat_out(20)
    played_on(desk, lambda: desk.asked.what == "weather")  # type: ignore[union-attr]
    told = desk.try_correction(1, 18, keep="board")
    assert (told.change, told.left) == ({"due": []}, [])
    desk.answer(20)
    told = desk.try_correction(1, 18, keep="board")
    assert (told.change, told.left) == (None, [{"weather": [1]}])


def from_the_draw(rulebook: str, face: int, *later: int) -> tuple[RaceDesk, int]:
    """A race for which the weather was drawn with this face, in practice with sun, and in its first round with those;
    with the number of the draw before the race."""
    setup: dict[str, Any] = {"rulebook": rulebook, "track": "monaco", "cars": [{"car": 1}, {"car": 2}]}
    desk = RaceDesk(begin(setup, load("monaco")), setup=setup)
    rulebook_now: Any = desk.rulebook
    driver = HeuristicDriver(rulebook_now.track, 1)

    def until(there: Callable[[], bool]) -> None:
        while not there():
            assert desk.asked is not None
            desk.answer("sun" if desk.asked.ask == "practice" else driver.answer(desk.asked, rulebook_now.race))

    until(lambda: desk.asked.what == "weather")  # type: ignore[union-attr]
    n = desk.n
    desk.answer(face)
    until(lambda: rulebook_now.race.phase == "race")
    if later:
        desk.override({"due": [1] * len(later)}, by="Ada", why="20s that nobody noted")
    for drawn_since in later:
        until(lambda: desk.asked.what == "weather" or not rulebook_now.race.due)  # type: ignore[union-attr]
        if rulebook_now.race.due:  # a weather that stays is drawn no more
            desk.answer(drawn_since)
    return desk, n


@pytest.mark.article("competition", "3-2-1", "3-2-2", "3-2-3", "3-2-4", "3-1-2")
@pytest.mark.article("league", "weather.table")
@pytest.mark.article("cup", "weather.initial", "weather.by-start", "weather.check")
@pytest.mark.parametrize("rulebook", ["competition", "league", "cup"])
@pytest.mark.parametrize(
    ("wrong", "right", "later"),
    [
        (9, 7, ()),  # rain on a wet track, whatever was dry in practice
        (9, 20, ()),
        (7, 20, ()),
        (20, 7, ()),
        (7, 9, ()),  # the practice is asked for then, and leaves a dry track
        (20, 9, ()),
        (9, 7, (20,)),
        (9, 7, (9,)),
        (9, 20, (7,)),
        (9, 20, (7, 9)),
    ],
)
def test_the_draw_before_the_race_was_another(rulebook: str, wrong: int, right: int, later: tuple[int, ...]) -> None:
    """What has been drawn since is drawn as in the race, and does nothing where the weather would have stayed."""
    (desk, n), (straight, _) = from_the_draw(rulebook, wrong, *later), from_the_draw(rulebook, right, *later)
    corrected(desk, n, right, *(["sun"] if right == 9 and rulebook == "competition" else []))
    assert (*weather(desk)[::2], weather(desk)[3]) == (*weather(straight)[::2], weather(straight)[3])
    sound(desk)


@pytest.mark.article("competition", "3-1-3", "3-2-4")
def test_a_sky_that_was_changeable_after_all_asks_for_the_practice() -> None:
    desk, n = from_the_draw("competition", 20)
    told = desk.try_correction(n, 9, keep="board")
    assert told.asks is not None
    assert told.asks.ask == "practice"
    told = desk.try_correction(n, 9, keep="board", then=["rain"])
    assert told.change == {"sky": "changeable", "surface": "wet", "fixed": False}


@pytest.mark.article("competition", "6-3.6")
def test_what_a_way_cost_it_costs_still_where_no_other_leads_there() -> None:
    """Two spaces beyond the corner by a 6, and it was a 5: two spaces beyond it all the same."""
    desk = a_desk({"car": 1, "at": "11:left:3", "gear": 4}, {"car": 2, "at": "1:left:1", "gear": 1}, to_play=[1])
    desk.answer(4)
    desk.answer(12)
    over = [one for one in desk.asked.options or [] if one.facts.get("overshot")]  # type: ignore[union-attr]
    landing = max(over, key=lambda one: one.facts["moved"])
    assert landing.answer["brakes"] == 0
    desk.answer(landing.answer)
    wear = dict(desk.rulebook.race.cars[0].wear)
    assert wear["tyres"] < WEAR["tyres"]
    for face in (7, 8, 9, 11):
        told = desk.try_correction(1, face, keep="board")
        assert told.change is None


@pytest.mark.article("competition", "8-0-2", "8-2-1")
@pytest.mark.parametrize(("over", "lap", "laps"), [(True, 2, 1), (False, 1, 0)])
def test_a_set_is_as_old_as_the_line_has_made_it_where_the_car_stays(over: bool, lap: int, laps: int) -> None:
    """Two spaces short of the line and not over it, or the other way: the car stays, and its set with it."""
    places: list[Json] = [
        {"space": "20:right:17", "brakes": 2, "soft": 0},
        {"space": "0:left:2", "brakes": 0, "soft": 0},
    ]
    cars = [{"car": 1, "at": "20:left:13", "gear": 3, "tyres": "soft"}, {"car": 2, "at": "10:left:1", "gear": 2}]
    desk = a_desk(*cars)
    for answer in (3, 6, places[over]):
        desk.answer(answer)
    told = corrected(desk, 2, places[not over])
    assert told.change == {"cars": [{"car": 1, "wear": {"brakes": 1 if over else 3}}]}
    assert [set(left) for left in told.left] == [{"car", "at", "lap"}]
    car: Car = desk.rulebook.race.cars[0]
    assert (car.lap, car.tyre_laps) == (lap, laps)
    sound(desk)


def stopped(gear: int, face: int) -> RaceDesk:
    """Car 1 is blocked as it comes out of the last corner of the lap, stops at its box a turn later, and spends both
    points of its stand on brakes."""
    others = ("20:right:2", "20:middle:1", "20:middle:2", "20:left:1", "20:left:2")
    desk = a_desk(
        {"car": 1, "at": "19:right:2", "gear": 3, "stops": 1, "box": 2, "round_set": True},
        *({"car": number, "at": at, "gear": 1, "box": 1} for number, at in enumerate(others, 2)),
        to_play=[1],
    )
    for answer in (gear, face):
        desk.answer(answer)
    blocked = next(one for one in desk.asked.options or [] if one.facts.get("blocked"))  # type: ignore[union-attr]
    desk.answer(blocked.answer)
    played_on(desk, lambda: (desk.asked.ask, desk.asked.car) == ("gear", 1))  # type: ignore[union-attr]
    for answer in (3, 8, {"space": "box:2", "brakes": 0, "soft": 0}, "hard", "long", {"brakes": 2}):
        desk.answer(answer)
    return desk


@pytest.mark.article("competition", "19-2-3", "5-0-2")
@pytest.mark.parametrize(
    ("gear", "wrong", "right", "brakes"),
    [
        (3, 7, 5, None),  # six spaces short, not four: two tyres more, and all of them are there again
        (3, 5, 7, None),
        (2, 4, 2, 3),  # three, not one: two brakes more, but no more than the car was built with (ruling 87)
    ],
)
def test_tyres_that_a_stop_has_renewed_are_not_those_that_were_lost(
    gear: int, wrong: int, right: int, brakes: int | None
) -> None:
    desk = stopped(gear, wrong)
    wear = desk.rulebook.race.cars[0].wear
    assert (wear["tyres"], wear["brakes"]) == (6, 2)
    told = desk.try_correction(1, right, keep="board")
    assert told.change == (brakes and {"cars": [{"car": 1, "wear": {"brakes": brakes}}]})


@pytest.mark.article("competition", "19-2-6", "8-0-1")
def test_the_set_of_a_stop_is_not_the_one_that_was_chosen_before_the_race() -> None:
    setup: dict[str, Any] = {"track": "monaco", "cars": [{"car": 1}], "sky": "sun"}
    desk = RaceDesk(begin(setup, load("monaco")), setup=setup)
    played_on(desk, lambda: desk.asked.ask == "tyres")  # type: ignore[union-attr]
    n = desk.n
    desk.answer("hard")
    assert corrected(desk, n, "rain").change == {"cars": [{"car": 1, "tyres": "rain"}]}
    driver = HeuristicDriver(load("monaco"), 1)
    while desk.asked is not None and desk.asked.ask != "tyres":
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    desk.answer("rain")
    assert corrected(desk, n, "soft").change is None
    assert desk.rulebook.race.cars[0].tyres == "rain"


@pytest.mark.article("competition", "5-0-2", "19-2-3", "19-4-1")
def test_a_car_that_was_built_otherwise_has_what_it_was_built_with() -> None:
    """So that a stop brings its tyres back as they were, and no repair is more than that (ruling 87)."""
    setup: dict[str, Any] = {"track": "monaco", "laps": 1, "cars": [{"car": 1}], "sky": "sun"}
    desk = RaceDesk(begin(setup, load("monaco")), setup=setup)
    played_on(desk, lambda: desk.asked.ask == "setup")  # type: ignore[union-attr]
    n = desk.n
    built = {"tyres": 4, "brakes": 5, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
    desk.answer({"tyres": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2, "stand": 2})
    played_on(desk, lambda: desk.asked.ask == "gear")  # type: ignore[union-attr]
    corrected(desk, n, {**built, "stand": 2})
    car: Car = desk.rulebook.race.cars[0]
    assert (car.wear, car.built) == (built, built)
    entry = desk.history.items[-1].event.change or {}
    assert Words("en").change(entry) == "1: tyres 4, brakes 5, built with tyres 4, brakes 5"
    assert Words("fr").change(entry).endswith("construite avec pneus 4, freins 5")
    sound(desk)


# -- cars that were out, or should be


@pytest.mark.article("competition", "16-0-3", "5-1-1")
def test_a_car_that_coasted_and_is_out_by_an_engine_that_held_is_back_in_the_race() -> None:
    desk = flat_out(20)
    rolled(desk, 2)
    while desk.rulebook.car(2).status == "coasting":  # type: ignore[attr-defined]
        asked = desk.asked
        assert asked is not None
        desk.answer(asked.options[0].answer if asked.options else asked.faces[0])  # type: ignore[index]
    assert stands(desk, 2)[0] == "wreck"
    corrected(desk, 1, 18)
    assert stands(desk, 2) == ("racing", 0, 1)
    race: Any = desk.rulebook.race
    assert race.gone == []
    sound(desk)


def over_a_danger(face: int, *others: dict[str, Any]) -> RaceDesk:
    """Car 1 with its last handling point drives over a danger space and tests it; car 2 plays after it."""
    desk = a_desk(
        {"car": 1, "at": "10:left:9", "gear": 2, "wear": {**WEAR, "handling": 1}},
        {"car": 2, "at": "10:left:1", "gear": 2},
        *others,
        dangers=["10:left:10"],
    )
    desk.answer(2)
    desk.answer(3)
    over = next(one for one in desk.asked.options or [] if one.facts.get("tests"))  # type: ignore[union-attr]
    desk.answer(over.answer)
    assert desk.asked is not None
    assert desk.asked.what == "handling"
    desk.answer(face)
    return desk


@pytest.mark.article("competition", "17-0-3", "5-1-1")
def test_a_test_that_was_lost_after_all_takes_the_car_out_with_its_cause_and_place() -> None:
    desk = over_a_danger(9)
    at = desk.rulebook.race.cars[0].at
    told = corrected(desk, 3, 2)
    assert told.change == {"cars": [{"car": 1, "wear": {"handling": 0}, "status": "out", "cause": "handling"}]}
    race: Any = desk.rulebook.race
    assert (race.cars[0].status, race.cars[0].cause, race.gone) == ("out", "handling", [1])
    out = next(ruling for ruling in desk.history.items[-1].rulings if ruling.kind == "out")
    assert out.facts == {"cause": "handling", "removed": True, "at": at}
    sound(desk)


@pytest.mark.article("competition", "17-0-3", "5-1-1")
def test_a_test_that_was_passed_puts_the_car_back_where_it_would_have_stopped() -> None:
    desk = over_a_danger(2)
    race: Any = desk.rulebook.race
    assert (race.cars[0].status, race.cars[0].at) == ("out", "10:left:10")
    corrected(desk, 3, 9)
    race = desk.rulebook.race
    assert (race.cars[0].status, race.cars[0].at, race.gone) == ("racing", "10:left:12", [])
    sound(desk)


def test_where_another_stands_on_its_place_it_is_back_where_it_was_taken_off() -> None:
    desk = over_a_danger(2)
    desk.override({"car": 2, "at": "10:left:12"}, by="Ada", why="the car was moved there")
    told = desk.try_correction(3, 9, keep="board")
    assert told.change is not None
    assert told.change["cars"][0]["status"] == "racing"  # on the space of the danger, where it was taken off
    assert "at" not in told.change["cars"][0]


def test_where_others_stand_on_both_its_return_is_listed() -> None:
    desk = over_a_danger(2, {"car": 3, "at": "6:left:5", "gear": 2})
    for number, place in ((2, "10:left:10"), (3, "10:left:12")):
        desk.override({"car": number, "at": place}, by="Ada", why="the car was moved there")
    told = corrected(desk, 3, 9)
    assert told.change == {"cars": [{"car": 1, "wear": {"handling": 1}}]}
    assert told.left == [{"car": 1, "status": "racing"}]
    sound(desk)


@pytest.mark.article("competition", "9-1-1", "9-0-1")
def test_a_start_that_was_no_stall_is_settled_and_the_move_that_was_not_made_is_listed() -> None:
    setup: dict[str, Any] = {"track": "monaco", "laps": 1, "cars": [{"car": 1}, {"car": 2}], "sky": "sun"}
    desk = RaceDesk(begin(setup, load("monaco")), setup=setup)
    while desk.asked is not None and desk.asked.ask != "start":
        desk.answer(desk.asked.options[0].answer)  # type: ignore[index]
    n = desk.n
    desk.answer(1)
    assert desk.rulebook.race.cars[0].status == "stalled"
    told = corrected(desk, n, 9)
    assert told.change == {"cars": [{"car": 1, "status": "racing"}]}
    assert (told.left, told.asks) == ([{"car": 1, "gear": 1}, {"car": 1, "moved": False}], None)
    assert desk.rulebook.race.cars[0].status == "racing"
    sound(desk)


@pytest.mark.article("competition", "19-4-1")
@pytest.mark.parametrize(
    ("repairs", "change"),
    [
        ({"brakes": 1, "body": 1}, {"wear": {"body": 2}, "stand": 0}),
        ({}, {"wear": {"brakes": 1}, "stand": 2}),
        ({"body": 1}, {"wear": {"brakes": 1, "body": 2}}),
    ],
)
def test_repairs_that_were_others_are_crossed_off_the_stand(repairs: Json, change: dict[str, Json]) -> None:
    lost = {**WEAR, "brakes": 1, "body": 1}
    stopping = {"at": "pit:3", "gear": 2, "box": 1, "status": "pit", "wear": lost, "built": WEAR, "round_set": True}
    desk = a_desk({"car": 1, "stand": 2, **stopping}, {"car": 2, "at": "1:left:1", "gear": 1})
    for answer in (2, 4, {"space": "box:1", "brakes": 0, "soft": 0}, "hard", "long", {"brakes": 1}):
        desk.answer(answer)
    assert corrected(desk, 5, repairs).change == {"cars": [{"car": 1, **change}]}
    sound(desk)


@pytest.mark.article("competition", "19-1-9", "19-2-5")
def test_a_car_that_was_not_out_on_its_way_out_of_the_lane_has_had_its_stop() -> None:
    leaving = {"at": "pit:8", "gear": 2, "box": 1, "stop": "left", "status": "pit"}
    cars = [{"car": 1, **leaving, "wear": {**WEAR, "handling": 1}}, {"car": 2, "at": "10:left:1", "gear": 2}]
    desk = a_desk(*cars, dangers=["pit:10"])
    for answer in (2, 4, {"space": "pit:12", "brakes": 0, "soft": 0}, 1):
        desk.answer(answer)
    corrected(desk, 3, 20)
    played_on(desk, lambda: (desk.asked.ask, desk.asked.car) == ("gear", 1))  # type: ignore[union-attr]
    assert desk.asked is not None
    assert [option.answer for option in desk.asked.options or []] == [2, 3]
    sound(desk)


# -- a car that is back in the race stands as it would have stood


def hit(status: str, at: str, *others: dict[str, Any], body: int = 1, **values: Any) -> RaceDesk:
    """Car 1 drives up behind car 2, which stands with its last body points and is asked for its collision die."""
    section, lane, number = at.split(":")
    behind, begin = (f"{section}:{lane}:{int(number) - less}" for less in (1, 4 if status == "spun" else 3))
    grid: dict[str, Any] = {"gear": 0, "lap": 0, "status": "grid"} if status != "spun" else {"gear": 2}
    desk = a_desk(
        {"car": 1, "at": begin, **grid},
        {"car": 2, "at": at, "status": status, **values, "wear": {**WEAR, **values.get("wear", {}), "body": body}},
        *others,
        to_play=[1, *(other["car"] for other in others)],
    )
    for answer in (5, 2) if status != "spun" else (2, 3):
        desk.answer(answer)
    desk.answer({"space": behind, "brakes": 0, "soft": 0})
    assert desk.asked is not None
    assert (desk.asked.what, desk.asked.car) == ("collision", 2)
    return desk


def spun(*others: dict[str, Any], body: int = 1) -> RaceDesk:
    """A car spun in 5th is hit."""
    return hit("spun", "10:left:5", *others, body=body, gear=5, wear={"tyres": 0})


def how(desk: RaceDesk, number: int) -> tuple[str, bool, int, int]:
    """How a car stands: its status, whether it has been put straight, the gear it coasts in next, its stick."""
    car = desk.rulebook.car(number)  # type: ignore[attr-defined]
    return car.status, car.turned, car.coast, car.gear


def played_on(desk: RaceDesk, until: Callable[[], bool]) -> None:
    """Every question has its first answer, every die its highest face, until something is so."""
    while desk.asked is not None and not until():
        desk.answer(desk.asked.options[0].answer if desk.asked.options else desk.asked.faces[-1])  # type: ignore[index]


def asked_next(desk: RaceDesk, number: int) -> tuple[str, str]:
    """What a car is asked first in its next turn."""
    played_on(desk, lambda: desk.asked.car == number and desk.asked.what != "collision")  # type: ignore[union-attr]
    assert desk.asked is not None
    return desk.asked.ask, desk.asked.what


@pytest.mark.article("competition", "10-4-1", "10-4-3", "10-4-6", "14-2")
def test_a_spun_car_that_was_no_wreck_is_spun() -> None:
    desk = spun({"car": 3, "at": "6:left:5", "gear": 2})
    desk.answer(1)
    assert how(desk, 2)[0] == "wreck"
    told = corrected(desk, 3, 20, 20)
    assert {"car": 2, "wear": {"body": 1}, "status": "spun"} in told.change["cars"]  # type: ignore[index]
    assert how(desk, 2) == ("spun", False, 0, 5)
    assert desk.rulebook.collisions.aggravates(desk.rulebook.car(2))  # type: ignore[attr-defined]
    assert asked_next(desk, 2) == ("start", "restart")
    assert how(desk, 2) == ("spun", True, 0, 1)
    sound(desk)


@pytest.mark.article("competition", "10-4-1", "10-4-7")
def test_a_spun_car_that_was_no_wreck_has_been_put_straight_where_the_round_is_over() -> None:
    desk = spun()
    desk.answer(1)
    played_on(desk, lambda: desk.rulebook.round == 2)
    corrected(desk, 3, 20, 20)
    assert how(desk, 2) == ("spun", True, 0, 1)
    assert not desk.rulebook.collisions.aggravates(desk.rulebook.car(2))  # type: ignore[attr-defined]
    assert asked_next(desk, 2) == ("start", "restart")
    sound(desk)


@pytest.mark.article("competition", "10-4-1", "10-4-7", "17-0-3")
def test_where_its_space_is_taken_it_is_put_straight_where_it_was_taken_off() -> None:
    """On its way to a spin a car was taken off on a danger space; on where it would have stopped stands another."""
    desk = a_desk(
        {"car": 1, "at": "1:left:3", "gear": 3, "wear": {**WEAR, "tyres": 2, "handling": 1}},
        {"car": 2, "at": "20:left:5", "gear": 2},
        to_play=[1, 2],
        dangers=["2:left:1", "2:middle:1", "2:right:1"],
    )
    desk.answer(3)
    desk.answer(7)
    lands = next(one for one in desk.asked.options or [] if one.facts.get("spin") and one.facts.get("tests"))  # type: ignore[union-attr]
    desk.answer(lands.answer)
    desk.answer(1)
    at = desk.rulebook.car(1).at  # type: ignore[attr-defined]
    played_on(desk, lambda: desk.rulebook.round == 2)
    desk.override({"car": 2, "at": lands.answer["space"]}, by="Ada", why="the car was moved there")
    corrected(desk, 3, 20)
    assert (how(desk, 1), desk.rulebook.car(1).at) == (("spun", True, 0, 1), at)  # type: ignore[attr-defined]
    assert at != lands.answer["space"]
    sound(desk)


@pytest.mark.article("competition", "10-4-1", "14-2")
def test_a_spun_car_that_one_hit_less_had_not_made_a_wreck_is_spun() -> None:
    """The first of two hits was none; the second one has made the car a wreck, in a turn of its own."""
    desk = spun({"car": 3, "at": "10:middle:2", "gear": 2}, body=2)
    desk.answer(1)
    desk.answer(20)
    for answer in (2, 3, {"space": "10:middle:5", "brakes": 0, "soft": 0}, 1):
        desk.answer(answer)
    assert how(desk, 2)[0] == "wreck"
    corrected(desk, 3, 20)
    assert how(desk, 2) == ("spun", False, 0, 5)
    assert asked_next(desk, 2) == ("start", "restart")
    sound(desk)


@pytest.mark.article("competition", "7-1-1", "14-2")
def test_a_car_in_a_corner_that_was_no_wreck_has_its_stops_again() -> None:
    """Car 2 has made two of three stops when it is hit from behind."""
    desk = a_desk(
        {"car": 1, "at": "9:left:1", "gear": 1},
        {"car": 2, "at": "9:left:3", "gear": 2, "stops": 2, "wear": {**WEAR, "body": 1}},
        {"car": 3, "at": "6:left:5", "gear": 2},
        to_play=[1, 3],
    )
    for answer in (1, 1, {"space": "9:left:2", "brakes": 0, "soft": 0}, 1):
        desk.answer(answer)
    car: Car = desk.rulebook.race.cars[1]
    assert (car.status, car.stops) == ("wreck", 0)
    told = corrected(desk, 3, 20, 20)
    assert told.change is not None
    assert told.change["cars"][-1] == {"car": 2, "wear": {"body": 1}, "status": "racing", "stops": 2}
    assert told.left == []
    assert desk.rulebook.race.cars[1].stops == 2
    sound(desk)


@pytest.mark.article("competition", "7-1-1", "14-2")
def test_so_has_one_that_one_hit_less_had_not_made_a_wreck() -> None:
    wreck, last = Car(2, at="9:left:3", status="wreck", cause="body"), Car(2, at="9:left:3", status="racing", stops=2)
    assert wreck.stands(last, last, last, over=False) == {"status": "racing", "stops": 2}
    wreck.at = "9:left:4"
    assert wreck.stands(last, last, last, over=False) == {"status": "racing"}


@pytest.mark.article("competition", "10-4-1", "14-2", "16-0-3-1")
def test_a_spun_car_whose_engine_broke_there_too_is_out_by_its_engine_where_the_round_is_over() -> None:
    desk = hit("spun", "10:left:5", gear=5, coast=-1, wear={"tyres": 0, "engine": 0})
    desk.answer(1)
    played_on(desk, lambda: desk.rulebook.round == 2)
    corrected(desk, 3, 20, 20)
    race: Any = desk.rulebook.race
    assert (race.cars[1].alive, race.cars[1].cause) == (False, "engine")
    sound(desk)


@pytest.mark.article("competition", "9-0-1", "14-2")
def test_a_car_on_the_grid_that_was_no_wreck_is_on_the_grid() -> None:
    desk = hit("grid", "20:left:13", gear=0, lap=0)
    desk.answer(1)
    assert how(desk, 2)[0] == "out"
    corrected(desk, 3, 20, 20)
    assert how(desk, 2) == ("grid", False, 0, 0)
    assert asked_next(desk, 2) == ("start", "start")
    sound(desk)


@pytest.mark.article("competition", "9-1-1", "9-1-2", "14-2")
def test_a_stalled_car_that_was_no_wreck_is_stalled() -> None:
    desk = hit("stalled", "20:left:13", gear=0, lap=0)
    desk.answer(1)
    corrected(desk, 3, 20, 20)
    assert how(desk, 2) == ("stalled", False, 0, 0)
    assert desk.rulebook.collisions.aggravates(desk.rulebook.car(2))  # type: ignore[attr-defined]
    sound(desk)


def coasting_home(*, coast: int = 3, handling: int = 1) -> RaceDesk:
    """A car that coasts home drives over four danger spaces, and tests its handling on the first of them."""
    desk = a_desk(
        {"car": 1, "at": "20:right:4", "gear": 4, "lap": 3, "status": "coasting", "coast": coast,
         "wear": {**WEAR, "engine": 0, "handling": handling}},
        {"car": 2, "at": "6:left:5", "gear": 2},
        to_play=[1, 2],
        dangers=[f"20:{lane}:{number}" for lane in ("left", "middle", "right") for number in range(4, 10)],
    )  # fmt: skip
    for answer in (3, 4, {"space": "20:right:8", "brakes": 0, "soft": 0}):
        desk.answer(answer)
    assert desk.asked is not None
    assert desk.asked.what == "handling"
    return desk


@pytest.mark.article("competition", "16-0-6", "17-0-3")
def test_a_car_that_was_not_taken_off_on_its_way_home_coasts_on() -> None:
    desk = coasting_home()
    desk.answer(1)
    told = corrected(desk, 3, 20, 20, 20, 20)
    assert [ruling.kind for ruling in desk.history.items[-1].rulings] == ["override"]
    assert (how(desk, 1), told.left) == (("coasting", False, 2, 3), [])
    assert asked_next(desk, 1) == ("gear", "coast")
    assert [option.answer for option in desk.asked.options or []] == [2, 1]  # type: ignore[union-attr]
    sound(desk)


@pytest.mark.article("competition", "16-0-6", "17-0-3")
def test_what_its_coasting_would_have_come_to_in_a_later_turn_is_left_to_the_referee() -> None:
    """In the turn before a test was misread: with one point more it had not gone out now, on its own way."""
    desk = coasting_home(handling=2)
    for face in (1, 20, 20, 20):
        desk.answer(face)
    assert how(desk, 1)[:3] == ("coasting", False, 2)
    space = desk.rulebook.car(1).at  # type: ignore[attr-defined]
    played_on(desk, lambda: desk.asked is not None and desk.asked.car == 1)
    desk.override({"dangers": ["20:right:9"]}, by="Ada", why="oil")
    desk.answer(2)
    desk.answer(2)
    over = next(one for one in desk.asked.options or [] if one.facts.get("tests"))  # type: ignore[union-attr]
    desk.answer(over.answer)
    desk.answer(1)
    assert (how(desk, 1)[0], space) == ("out", "20:right:8")
    told = corrected(desk, 3, 20)
    assert told.left == [{"car": 1, "status": "coasting"}]
    assert how(desk, 1)[0] == "out"
    sound(desk)


@pytest.mark.article("competition", "5-1-1", "14-2", "17-0-3")
def test_a_point_more_brings_no_car_back_that_another_part_had_put_out_before() -> None:
    wreck, was = (Car(2, status=status, cause=cause) for status, cause in (("wreck", "body"), ("racing", "")))
    assert wreck.stands(was, Car(2, status="out", cause="handling"), was, over=False) == {
        "status": "wreck", "cause": "handling"
    }  # fmt: skip
    assert wreck.stands(was, was, was, over=False) == {"status": "racing"}


@pytest.mark.article("competition", "16-0-3")
def test_an_engine_that_has_a_point_again_does_not_coast() -> None:
    coasting, broken = Car(2, status="coasting", coast=4), Car(2, status="spun", coast=-1)
    for part in ("body", "engine"):
        for car in (coasting, broken):
            car.mended(part)
        assert (coasting.status, coasting.coast, broken.status, broken.coast) == (
            ("coasting", 4, "spun", -1) if part == "body" else ("racing", 0, "spun", 0)
        )


@pytest.mark.article("competition", "10-4-1", "10-4-7")
@pytest.mark.parametrize("over", [False, True])
def test_a_spin_that_was_one_after_all_or_none_is_in_its_gear_once_the_round_is_over(over: bool) -> None:
    racing, spun = (Car(2, status=status, at="10:left:5", lap=1, gear=5) for status in ("racing", "spun"))
    straight: dict[str, Json] = {"turned": True, "gear": 1} if over else {}
    assert racing.stands(racing, spun, None, over=over) == {"status": "spun", **straight}
    now = Car(2, status="spun", at="10:left:5", lap=1, gear=1 if over else 5, turned=over)
    assert now.stands(spun, racing, None, over=over) == {"status": "racing", **({"gear": 5} if over else {})}


@pytest.mark.article("competition", "10-4-1")
def test_a_correction_in_the_middle_of_its_tests_is_a_replay() -> None:
    """The tests of a 20 are still being asked: with an 18 none of them is, so nothing can stand as it is."""
    desk = flat_out(20)
    desk.answer(2)
    with pytest.raises(BadAnswer, match="correct it by replay"):
        corrected(desk, 1, 18)
    desk.correct(1, 18)
    assert desk.asked is not None
    assert desk.asked.what == "spaces_18"
    sound(desk)


def test_a_race_that_was_over_goes_on_if_somebody_is_in_it_again() -> None:
    desk = over_a_danger(2)
    desk.override({"car": 2, "status": "out"}, by="Ada", why="retired")
    assert desk.asked is None
    corrected(desk, 3, 9)
    assert desk.asked is not None
    assert desk.asked.car == 1
    sound(desk)


# -- how it is told before it is done


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ["1 Ada: engine 2 → 3", "2 Noe: engine 0 → 1", "2 Noe: coasting → racing", "3 Greta: engine 2 → 3",
                "marker at 10:left:21 goes", "marker at 10:right:9 goes", "marker at 6:left:5 goes",
                "1 Ada: the weather die is no longer due"]),
        ("fr", ["1 Ada : moteur 2 → 3", "2 Noe : moteur 0 → 1", "2 Noe : inertie → en course", "3 Greta : moteur 2 → 3",
                "marqueur en 10:gauche:21 : retiré", "marqueur en 10:droite:9 : retiré",
                "marqueur en 6:gauche:5 : retiré", "1 Ada : le dé de la météo n’est plus dû"]),
    ],
)  # fmt: skip
def test_the_protocol_says_what_a_correction_changes_by_name(lang: str, said: list[str]) -> None:
    table = LineReferee(lang)
    table._sit(flat_out(20))
    while table.desk is not None and table.desk.asked is not None and table.desk.asked.what == "engine":
        table.say(b'{"answer": 2}')
    line = b'{"correct": 1, "answer": 18, "keep": "board", "try": true}'
    shown = next(one["correction"] for one in table.say(line) if "correction" in one)
    assert [one["text"].replace("\u00a0", " ") for one in shown["changes"]] == said
    assert shown["changes"][0] == {"what": "engine", "was": 2, "now": 3, "car": 1, "text": shown["changes"][0]["text"]}


def test_what_stays_otherwise_is_told_by_name_too() -> None:
    words, names = Words("en"), {1: "Ada", 5: "Noe"}
    stays: list[dict[str, Json]] = [
        {"car": 5, "at": "10:left:3", "status": "racing"},
        {"car": 1, "moved": False},
        {"weather": [5]},
        {"queue": [5, 1]},
    ]
    assert [words.skipped_change(entry, names) for entry in stays] == [
        "stays, though it would be 5 Noe: place 10:left:3, racing",
        "stays: 1 Ada would have moved and did not",
        "stays: the weather that 5 Noe drew",
        "stays: the line would be 5 Noe and 1 Ada",
    ]


@pytest.mark.article("competition", "4-0-1")
def test_a_box_that_was_another_stays_and_is_told() -> None:
    cars = [{"car": 1, "wear": WEAR}, {"car": 2, "wear": WEAR}]
    setup = {"track": "monaco", "laps": 3, "cars": cars, "sky": "sun"}
    desk = RaceDesk(begin(setup, load("monaco")), setup=setup)
    for answer in (3, 4, "hard", "hard", 2):
        desk.answer(answer)
    told = desk.correct(0, 5, by="Ada", why="a 5 it was", keep="board")
    assert (told.left, desk.rulebook.race.cars[0].box) == ([{"car": 1, "box": 5}], 3)  # type: ignore[attr-defined]
    assert Words("en").skipped_change(told.left[0]) == "stays, though it would be 1: box 5"
