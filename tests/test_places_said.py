"""Every place of every circuit is said at the terminal in the words in which the screens show it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.rules.rulebooks import begin
from companion.terminal.answers import typed as answer_typed
from companion.terminal.asides import change_typed
from companion.view.setup.places import places
from companion.view.worded import BoardWords
from companion.wording import LANGUAGES, Words
from tests.test_terminal_overrides import override

SHEET: dict[str, Any] = {
    "track": "monza",
    "sky": "sun",
    "cars": [
        {"car": 1, "driver": "Ada", "at": "corner:6", "gear": 2, "stops": 1, "lap": 1},
        {"car": 2, "driver": "Bob", "at": "corner:5", "gear": 2, "lap": 1},
    ],
    "to_play": [1, 2],
}
YES = {"en": "y", "fr": "o"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", [*circuits.keys(), *circuits.section_keys()])
def test_a_place_is_read_back_from_the_words_that_show_it(key: str, lang: str) -> None:
    """Those of the terminal and those of the touchscreen, and what follows them is read as well."""
    track = circuits.board(key)
    rulebook = "ninety" if key in circuits.section_keys() else "competition"
    book = begin({"track": key, "rulebook": rulebook, "cars": [{"car": 1}, {"car": 2}]}, track)
    words = Words(lang, rulebook)
    for place in places(track):
        for shown in {words.place(place), BoardWords(lang, rulebook, track).place(place)}:
            said = f"car 2 {words.word('value', 'at')} {shown} {words.word('value', 'lap')} 1".split()
            assert change_typed(said, words, str, book, {}) == {"car": 2, "at": place, "lap": 1}, shown


@pytest.mark.parametrize(
    ("lang", "said", "place"),
    [
        ("en", "place past the line", "after:0"),
        ("en", "place over the line", "after:0"),
        ("en", "at after corner 6, over the line", "after:0"),
        ("en", "place after the last corner, past the line", "after:0"),
        ("en", "place after corner 6", "after:6"),
        ("en", "place after the last corner, before the line", "after:6"),
        ("en", "place in corner 3", "corner:3"),
        ("fr", "place après la ligne", "after:0"),
        ("fr", "place après virage 6, ligne franchie", "after:0"),
        ("fr", "place après le dernier virage, après la ligne", "after:0"),
        ("fr", "place après virage 6", "after:6"),
        ("fr", "place après le virage 6, avant la ligne", "after:6"),
        ("fr", "place dans le virage 3", "corner:3"),
    ],
)
def test_the_line_makes_two_places_of_the_straight_after_the_last_corner(
    tmp_path: Path, lang: str, said: str, place: str
) -> None:
    word = {"en": "override", "fr": "forcer"}[lang]
    sure = [YES[lang]] if place == "after:0" else []
    override(tmp_path, f"{word} Bob {said}", *sure, "Eve", "misplaced", position=SHEET, lang=lang)
    with RaceDesk.resume(tmp_path) as desk:
        bob = desk.rulebook.car(2)
        assert (bob.at, bob.lap) == (place, 2 if place == "after:0" else 1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_that_are_no_place_are_refused_whole(tmp_path: Path, lang: str) -> None:
    said, told = {
        "en": ("override Bob place over the hill", "there is no over the hill; on a corner sheet a place is corner 3,"),
        "fr": ("forcer Bob place après la bosse", "il n’y a pas de après la bosse\u00a0; sur une fiche de virages,"),
    }[lang]
    shown = override(tmp_path, said, position=SHEET, lang=lang)
    assert told.replace("\u00a0", " ") in shown.replace("\u00a0", " ")


def desk_at(at: str, *answers: Any, **car: Any) -> RaceDesk:
    """Bring car 1 to the question where its move ended."""
    setup = {**SHEET, "cars": [{**SHEET["cars"][0], "stops": 0, "box": 1, "at": at, **car}, SHEET["cars"][1]]}
    desk = RaceDesk(begin(setup, circuits.board("monza")), setup=setup)
    for answer in answers:
        desk.answer(answer)
    assert desk.asked is not None
    assert desk.asked.ask == "saw"
    return desk


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("at", ["after:0", "corner:1", "after:5", "corner:6", "after:6", "pit:1"])
def test_each_option_of_a_move_is_read_back_from_its_words(at: str, lang: str) -> None:
    words, desk = Words(lang), desk_at(at, 2, 4)
    assert desk.asked is not None
    for option in desk.asked.options or []:
        assert answer_typed(words.offered("saw", option), desk.asked, words) == option.answer


@pytest.mark.parametrize(
    ("lang", "said", "answer"),
    [
        ("en", "past the line", {"in": "after corner 6", "line": True}),
        ("en", "over the line", {"in": "after corner 6", "line": True}),
        ("en", "after corner 6, past the line brakes 1", {"in": "after corner 6", "line": True, "brakes": 1}),
        ("en", "after corner 6 brakes 1 over the line", {"in": "after corner 6", "line": True, "brakes": 1}),
        ("en", "after the last corner, before the line", {"in": "after corner 6"}),
        ("en", "short of the line", {"in": "after corner 6"}),
        ("en", "after corner 6", {"in": "after corner 6"}),
        ("en", "in corner 1 over the line", {"in": "corner 1", "line": True}),
        ("fr", "après virage 6, après la ligne freins 1", {"in": "after corner 6", "line": True, "brakes": 1}),
        ("fr", "après le virage 6, ligne franchie", {"in": "after corner 6", "line": True}),
        ("fr", "après le dernier virage, avant la ligne", {"in": "after corner 6"}),
        ("fr", "avant la ligne", {"in": "after corner 6"}),
        ("fr", "dans le virage 1, ligne franchie", {"in": "corner 1", "line": True}),
    ],
)
def test_the_end_of_a_move_is_said_in_the_same_words(lang: str, said: str, answer: dict[str, Any]) -> None:
    desk = desk_at("after:6", 2, 4)
    assert desk.asked is not None
    assert answer_typed(said, desk.asked, Words(lang)) == answer


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "after corner 6, past the line"), ("fr", "après virage 6, après la ligne")]
)
def test_a_car_that_is_past_the_line_stays_there_in_these_words(lang: str, said: str) -> None:
    desk = desk_at("after:0", 2, 2)
    assert desk.asked is not None
    assert answer_typed(said, desk.asked, Words(lang)) == {"in": "after corner 6"}
