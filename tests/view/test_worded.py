"""A space is called by its corner, its number and its lane, wherever people read of it on the screens."""

from __future__ import annotations

import pytest

from companion import circuits
from companion.desk.ahead import Ahead
from companion.drivers.sensible import Sensible
from companion.rules.conversation.asking import Ruling
from companion.view.race import race
from companion.view.sight import Sight
from companion.view.worded import BoardWords, near
from companion.wording import Words
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
        assert seen.result(timeout=10) == "1 spins on space 7 in Casino 1, middle."
    finally:
        watched.seat.close()


def test_a_handling_test_says_by_which_corner() -> None:
    track, desk = circuits.load("monaco"), a_desk(laps=2)
    driver = Sensible(track, 5)
    while desk.asked is not None and desk.asked.what != "handling":
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    sight = Sight(desk, BoardWords("en", "competition", track), ahead=Ahead(desk))
    note = next(row.note for row in race(sight).tests if row.state == "now")
    corners = [section.corner.name for section in track.sections if section.corner is not None]
    assert note.removeprefix("before ") in corners
