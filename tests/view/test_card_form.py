"""What is typed of a card, and what is an answer."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.conversation.asking import Asked
from companion.view.race.form import TypedCard, answer_of, cards_of, offered_cards, others, typed_range
from companion.view.shown import AnswerKey, Prompt


def asked(**fields: Any) -> Asked:
    return Asked(n=0, ask="play", car=1, round=1, article="play.cards", fields=fields)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (TypedCard(), ""),
        (TypedCard(kind="S", value=3), ""),
        (TypedCard(kind="S", value=3, factor="45"), "S3 45"),
        (TypedCard(kind="D", value=1, factor="7", symbols="NCTT"), "D1 7 TTCN"),
    ],
)
def test_a_card_is_written_as_soon_as_nothing_is_missing(typed: TypedCard, code: str) -> None:
    assert typed.code == code
    assert typed.is_started == (typed != TypedCard())


def test_cards_are_typed_where_the_rules_say_how_they_are_written() -> None:
    assert typed_range(asked(card="S3 45 TT", cards=[1, 2])) == (1, 2)
    assert typed_range(asked(cards=[1, 2])) == (0, 0)  # a deck of the program: every card is offered
    assert typed_range(asked(card="turbo")) == (0, 0)
    assert typed_range(asked()) == (0, 0)


def test_words_and_cards_are_told_apart() -> None:
    keys = (
        AnswerKey(answer="blind", label="Blind"),
        AnswerKey(answer="D1 20", label="D1"),
        AnswerKey(answer=None, label="None"),
    )
    prompt = Prompt(key="", n=0, title="", keys=keys, typed=(1, 1))
    assert offered_cards(prompt) == ("D1 20",)
    assert [key.label for key in others(prompt)] == ["Blind"]
    assert (cards_of("blind"), cards_of(["D1 20", "S3 4"]), cards_of("S3 4")) == ([], ["D1 20", "S3 4"], ["S3 4"])


def test_one_card_is_an_answer_by_itself_and_of_several_a_list() -> None:
    assert answer_of(Prompt(key="", n=0, title="", typed=(1, 1)), ["D1 20"]) == "D1 20"
    assert answer_of(Prompt(key="", n=0, title="", typed=(1, 2)), ["D1 20"]) == ["D1 20"]
    assert answer_of(Prompt(key="", n=0, title="", typed=(0, 2)), []) == []
