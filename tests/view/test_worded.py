"""A space is called by its corner, its number and its lane, wherever people read of it on the screens."""

from __future__ import annotations

import re

import pytest

from companion import circuits
from companion.desk.ahead import Ahead
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.errors import BadSetup, CompanionError
from companion.view.race.race import race
from companion.view.setup.draft import Draft, RaceEntrant, StartPosition, from_position, refusal
from companion.view.sight import Sight
from companion.view.worded import BoardWords, near
from companion.wording import LANGUAGES, Words
from companion.wording.filling import corner_names, leaves, locale
from tests.view.test_order import on_track
from tests.view.watched import Watched, a_desk


@pytest.mark.parametrize(
    ("lang", "place", "said", "brief"),
    [
        ("en", "3:middle:7", "space 7 in Casino 1, middle", "Casino 1"),
        ("fr", "3:middle:7", "case 7 de Casino 1, milieu", "Casino 1"),
        ("en", "2:left:5", "space 5 before Casino 1, left", "before Casino 1"),
        ("fr", "2:left:5", "case 5 avant Casino 1, gauche", "avant Casino 1"),
        ("en", "20:right:1", "space 1 after Anthony Noghès, right", "after Anthony Noghès"),
        ("en", "box:3", "box 3", "box 3"),
        ("en", "", "none", "none"),
    ],
)
def test_a_space_is_called_by_its_corner_its_number_and_its_lane(lang: str, place: str, said: str, brief: str) -> None:
    track = circuits.load("monaco")
    words = BoardWords(lang, "competition", track)
    assert words.place(place) == said
    assert near(Words(lang), track, place) == brief


def test_a_corner_sheet_has_its_own_places() -> None:
    track = circuits.load("spa")
    assert BoardWords("en", "competition", track).place("after:3") == Words("en").place("after:3")


def test_rulings_and_the_history_name_spaces_so() -> None:
    watched = Watched(lambda: on_track({"car": 1, "at": "2:left:5", "gear": 3}))
    try:
        seen = watched.seat.see(lambda desk, words: words.ruling(Ruling("spin", "1", 1, {}, {"at": "3:middle:7"})))
        assert seen.result(timeout=60) == "1 spins on space 7 in Casino 1, middle."
    finally:
        watched.seat.close()


def test_a_handling_test_says_by_which_corner() -> None:
    track, desk = circuits.load("monaco"), a_desk(laps=2)
    driver = HeuristicDriver(track, 5)
    while desk.asked is not None and desk.asked.what != "handling":
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    sight = Sight(desk, BoardWords("en", "competition", track), ahead=Ahead(desk))
    note = next(row.note for row in race(sight).tests if row.state == "now")
    corners = [section.corner.name for section in track.sections if section.corner is not None]
    assert note.removeprefix("before ") in corners


@pytest.mark.parametrize(
    ("lang", "wrong", "said"),
    [
        ("en", BadSetup("car_on_space", car=3, at="3:middle:7"),
         "Car 3 stands on space 7 in Casino 1, middle; a space holds one car."),
        ("fr", BadSetup("car_on_space", car=3, at="3:middle:7"),
         "La voiture 3 est en case 7 de Casino 1, milieu\u00a0; une case n’en porte qu’une."),
        ("en", CompanionError("There is no way to space 3:middle:7."),
         "There is no way to space 7 in Casino 1, middle."),
        ("en", CompanionError("Monaco has no space 99:left:9."), "Monaco has no space 99:left:9."),
        ("en", CompanionError('A space is written "3:middle:7".'), 'A space is written "3:middle:7".'),
    ],
)  # fmt: skip
def test_what_is_wrong_names_spaces_so(lang: str, wrong: CompanionError, said: str) -> None:
    assert BoardWords(lang, "competition", circuits.load("monaco")).error(wrong) == said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_says_space_twice(lang: str) -> None:
    """Where a sentence has said that it is a space, the place is only its number and corner."""
    word = {"en": "space", "fr": "case"}[lang]
    table = locale(lang)
    lists = [entry for entry in table.values() if isinstance(entry, list)]
    said = [text for rows in lists for row in rows for text in leaves(row)]
    said += leaves({name: entry for name, entry in table.items() if not isinstance(entry, list)})
    assert [one for one in said if re.search(word + r"( \w+)? \{\w+:place\}", one)] == []
    spots = [one for one in said if re.search(r"\{\w+:spot\}", one)]
    assert len(spots) >= 2
    assert [one for one in spots if not re.search(word + r"( \w+)? \{\w+:spot\}", one)] == []
    words = BoardWords(lang, "competition", circuits.load("monaco"))
    assert words.place("3:middle:7") == f"{word} {words.spot('3:middle:7')}"
    assert words.spot("box:3") == words.place("box:3")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_position_that_is_refused_names_spaces_so(lang: str) -> None:
    entrants = tuple(RaceEntrant(number=car, name=f"D{car}", colour=car) for car in (1, 2))
    made = from_position(Draft(rulebook="competition", track="monaco", entrants=entrants))
    for car in (1, 2):
        made = made.standing_at(car, StartPosition(at="3:middle:7"))
    said = {"en": "Cars 1 and 2 stand on space 7 in Casino 1, middle", "fr": "case 7 de Casino 1, milieu"}[lang]
    assert said in refusal(made, Words(lang))


@pytest.mark.parametrize(
    ("lang", "track", "stop", "two"),
    [
        ("en", "monaco", "1 makes stop 1 of 1 in Casino 1.", "1 overshoots Casino 1 and Casino 2 by 3 spaces"),
        ("fr", "monaco", "1 fait l’arrêt 1 sur 1 au virage Casino 1.", "1 sort des virages Casino 1 et Casino 2 de 3"),
        ("en", "monza", "1 makes stop 1 of 1 in corner 2.", "1 overshoots corners 2 and 3 by 3 spaces"),
        ("fr", "monza", "1 fait l’arrêt 1 sur 1 au virage 2.", "1 sort des virages 2 et 3 de 3 cases"),
    ],
)
def test_a_corner_is_called_as_the_board_calls_it(lang: str, track: str, stop: str, two: str) -> None:
    """A drawn board, whose sections have numbers of their own, by its name; a corner sheet by its number."""
    words = BoardWords(lang, "competition", circuits.load(track))
    over = {"spaces": 3, "factor": 1, "loss": 3, "corners": [2, 3], "missing": 1, "paid": True}
    assert words.ruling(Ruling("stop", "7-1-1", 1, {}, {"corner": 2, "stops": 1, "of": 1})) == stop
    assert words.ruling(Ruling("overshoot", "10-0-1", 1, {"tyres": -3}, over)).startswith(two)
    told = [(7, "Corner 7"), (8, "8"), (9, "Loews")]
    words.corner_names = corner_names(told)
    assert words.corner_names == {9: "Loews"}
    mixed = words.ruling(Ruling("overshoot", "10-0-1", 1, {"tyres": -3}, {**over, "corners": [8, 9]}))
    assert ("corner 8 and Loews" if lang == "en" else "virages 8 et Loews") in mixed
