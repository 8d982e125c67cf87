"""Hints where there are no champions: with cards, and on corner sheets."""

from __future__ import annotations

from typing import Any

import pytest

from companion import circuits
from companion.drivers.cards import RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.hint import hint, ready
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.rulebooks import begin
from companion.view.seats.hint import hint_sentence
from companion.wording import Words

CARS = [{"car": number} for number in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("setup", "sure", "unsure"),
    [
        (
            {"rulebook": "ninety", "track": "saltmarsh", "deck": 4},
            {"declare", "play", "line", "check"},
            {"strategy", "substitute"},
        ),
        ({"rulebook": "ninety", "track": "saltmarsh"}, {"line", "check"}, {"contest", "strategy"}),
        ({"rulebook": "league", "track": "monza"}, {"gear"}, {"saw"}),
    ],
)
def test_a_hint_is_an_offered_answer_or_there_is_none(setup: dict[str, Any], sure: set[str], unsure: set[str]) -> None:
    """Whatever is asked of a car: the same hint each time, nothing is touched, and it is said whose it is."""
    board = circuits.board(setup["track"])
    book: Any = begin({**setup, "laps": 4, "cars": CARS}, board)
    talk, hinted, refused = Conversation(book), set[str](), set[str]()
    driver: Any = RandomCardDriver(board, 3) if setup["rulebook"] == "ninety" else RandomDriver(board, 3)  # type: ignore[arg-type]
    assert ready(book)
    while (asked := talk.asked) is not None:
        before = talk.digest
        if len(asked.options or ()) > 1:
            try:
                found = hint(asked, book)
            except BadAnswer:
                refused.add(asked.ask)
            else:
                hinted.add(asked.ask)
                assert found.answer in [option.answer for option in asked.options or []], asked
                assert found == hint(asked, book)
                assert found.plain
                assert hint_sentence(Words("en", book.name), asked, found).startswith("The program’s driver: ")
                assert hint_sentence(Words("fr", book.name), asked, found).startswith("Le pilote du programme")
        assert talk.digest == before
        talk.answer(driver.answer(asked, book.race))
    assert hinted >= sure
    assert refused >= unsure
