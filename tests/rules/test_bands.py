"""Bands of a die: whoever knows only that a test held says so, and no face is made up."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion import circuits
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.faces import Band, divided
from companion.rules.rulebooks import begin
from tests.table import Table

BOOKS = ("competition", "cup", "league", "death")
TESTS = {
    "competition": {"weather", "handling", "collision", "engine", "quick_stop", "wall"},
    "cup": {"weather", "handling", "collision", "engine", "quick_stop"},
    "league": {"weather", "handling", "collision", "engine"},
    "death": {"collision", "wreckage", "attack"},
}
"""The tests that the random races of a book meet in any case."""


@pytest.mark.parametrize(
    ("lasts", "bands"),
    [
        ((4,), [(1, 4), (5, 20)]),
        ((0,), [(1, 20)]),
        ((20,), [(1, 20)]),
        ((31,), [(1, 20)]),
        ((12, 7, 20), [(1, 7), (8, 12), (13, 20)]),
        ((2, 4, 6, 8, 10), [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 20)]),
    ],
)
def test_the_black_die_is_divided_where_a_rule_divides_it(lasts: tuple[int, ...], bands: list[tuple[int, int]]) -> None:
    assert [tuple(band) for band in divided(*lasts)] == bands


def test_a_band_compares_as_each_of_its_faces_does() -> None:
    for figure in (0, 4, 20):
        for band in divided(figure):
            faces = range(band.first, band.last + 1)
            assert {face <= figure for face in faces} == {band <= figure}
            assert {face > figure for face in faces} == {band > figure}
            assert {face >= figure + 1 for face in faces} == {band >= figure + 1}
            assert {face < figure + 1 for face in faces} == {band < figure + 1}
    with pytest.raises(AssertionError, match="the rule divides 3 to 7"):
        _ = Band(3, 7) <= 5


def played(book: str, track: str, seed: int) -> tuple[Conversation, list[tuple[Asked, Json, list[Ruling]]]]:
    """A race of chance and sense in which every test is answered with a part of a band."""
    board = circuits.load(track)
    cars = [{"car": number} for number in range(1, 7)]
    talk = Conversation(begin({"rulebook": book, "track": track, "laps": 2, "cars": cars}, board))
    drivers, random = (RandomDriver(board, seed), HeuristicDriver(board, seed)), Random(seed)
    told: list[tuple[Asked, Json, list[Ruling]]] = []
    while (asked := talk.asked) is not None and talk.n < 1500:
        answer = drivers[random.random() < 0.9].answer(asked, talk.rulebook.race)  # type: ignore[attr-defined]
        if asked.bands is not None:
            first, last = next(band for band in asked.bands if band[0] <= answer <= band[1])
            answer = random.choice([[first, last], [answer, answer], [first, answer], [answer, last]])
        told.append((asked, answer, talk.answer(answer)))
    return talk, told


def without_face(rulings: list[Ruling]) -> list[Any]:
    return [
        (one.kind, one.article, one.car, one.wear, {k: v for k, v in one.facts.items() if k != "face"})
        for one in rulings
    ]


@pytest.mark.parametrize(
    ("book", "track"),
    [(book, track) for book in BOOKS for track in ("monaco", "copper-basin")]
    + [(book, "spa") for book in BOOKS if book != "death"],
)
def test_a_race_told_in_bands_is_the_race_of_any_faces_in_them(book: str, track: str) -> None:
    """Every test of a race answered with a band, then the same race with a face of each: the same rulings and state,
    but for what the die showed; and no ruling names a face that nobody said."""
    met: Counter[str] = Counter()
    for seed in range(2):
        talk, told = played(book, track, seed)
        again = Conversation(begin({"rulebook": book, "track": track, "laps": 2,
                                    "cars": [{"car": n} for n in range(1, 7)]}, circuits.load(track)))  # fmt: skip
        random = Random(-seed)
        for asked, answer, rulings in told:
            if asked.bands is None:
                assert again.answer(answer) == rulings
                continue
            met[asked.what] += 1
            faces = [ruling.facts["face"] for ruling in rulings if "face" in ruling.facts]
            assert all(face == answer for face in faces), (asked, rulings)
            assert without_face(again.answer(random.randint(*answer))) == without_face(rulings), asked
        assert again.digest == talk.digest
    if track == "monaco":
        missing = TESTS[book] - {"wall"} - set(met)
        assert not missing, (missing, met)
    assert met


def test_what_is_no_band_of_a_test_is_refused_in_a_sentence() -> None:
    table = Table([{"car": 1, "at": "0:left:1", "gear": 4}, {"car": 2, "at": "0:left:3", "gear": 2}], to_play=[1, 2],
                  sky="sun", surface="dry", dangers=["0:left:2"])  # fmt: skip
    rolled(table)
    asked = table.talk.asked
    assert asked is not None
    assert (asked.ask, asked.bands) == ("test", [[1, 4], [5, 20]])
    for wrong in (
        [4, 5],
        [1, 20],
        [0, 4],
        [5, 21],
        [6, 5],
        [5],
        [],
        [1, 2, 3],
        [1.0, 4],
        [True, 4],
        ["1", "4"],
        [[1, 4]],
    ):
        with pytest.raises(BadAnswer) as why:
            table.talk.answer(wrong)
        assert str(why.value).count(".") <= 2
        assert table.talk.asked == asked
        assert "[1, 4], [5, 20]" in str(why.value) or str(why.value).startswith("A whole number is wanted here")


def rolled(table: Table) -> None:
    """Plays until a danger space is tested."""
    for _ in range(6):
        asked = table.talk.asked
        assert asked is not None
        if asked.ask == "test":
            return
        if asked.options:
            through = [one for one in asked.options if isinstance(one.answer, dict) and one.facts.get("tests")]
            table.talk.answer((through or asked.options)[0].answer)
        else:
            table.talk.answer((asked.faces or [0])[-1])
    raise AssertionError("no test is met")


@pytest.mark.parametrize("book", BOOKS)
def test_where_the_face_itself_counts_there_are_no_bands(book: str) -> None:
    """Gear dice, and the black die for places on a grid."""
    board = circuits.load("monaco")
    cars = [{"car": number} for number in (1, 2, 3)]
    options = {"grid_by_die": True} if book in ("cup", "death") else {}
    setup = {"rulebook": book, "track": "monaco", "laps": 1, "cars": cars, "options": options}
    talk = Conversation(begin(setup, board))
    driver = HeuristicDriver(board, 1)
    seen = set()
    while (asked := talk.asked) is not None and talk.n < 120:
        if asked.faces is not None and (asked.ask == "roll" or asked.what == "grid"):
            seen.add(asked.what if asked.what == "grid" else asked.ask)
            assert asked.bands is None
            with pytest.raises(BadAnswer):
                talk.answer([asked.faces[0], asked.faces[-1]])
        else:
            assert (asked.bands is None) == (asked.faces is None)
        talk.answer(driver.answer(asked, talk.rulebook.race))  # type: ignore[attr-defined]
    assert seen == ({"roll"} if book == "competition" else {"roll", "grid"})


WEATHER = [[1, 7], [8, 12], [13, 20]]
HALVES = [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 20]]


@pytest.mark.parametrize(
    ("book", "whats"),
    [
        pytest.param(
            "competition", {"start": [[1, 1], [2, 19], [20, 20]], "weather": WEATHER, "quick_stop": HALVES},
            marks=pytest.mark.article("competition", "9-0-1", "3-0-4", "19-3-2", "19-3-3"),
        ),
        pytest.param(
            "cup", {"weather": WEATHER, "quick_stop": [[1, 5], [6, 15], [16, 20]]},
            marks=pytest.mark.article("cup", "weather.initial", "pit.quick"),
        ),
        pytest.param("league", {"weather": WEATHER}, marks=pytest.mark.article("league", "weather.table")),
        pytest.param("death", {"wreckage": [[1, 4], [5, 20]]}, marks=pytest.mark.article("death", "wreckage.roll")),
    ],
)  # fmt: skip
def test_the_bands_of_a_test_are_those_of_its_article(book: str, whats: dict[str, list[list[int]]]) -> None:
    """The most that a car can lose by: the death race's armour leaves fewer faces."""
    found: dict[str, list[list[int]]] = {}
    for seed in range(4):
        for asked, _, _ in played(book, "monaco", seed)[1]:
            if asked.bands is not None and asked.what in whats:
                found[asked.what] = max(found.get(asked.what, []), asked.bands)
        if found == whats:
            break
    assert found == whats
