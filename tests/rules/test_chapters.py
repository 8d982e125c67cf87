"""A rulebook is a book of chapters: objects without state that stand side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from random import Random
from typing import Any

import pytest

from companion.circuits import board
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.rulebook import Chapter
from companion.rules.dice.competition import Competition
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import RULEBOOKS, begin

DICE = [name for name, kind in RULEBOOKS.items() if issubclass(kind, FormulaDe)]
GIVEN = {"book", "track", "board", "figures", "car", "article", "rule"}
"""What a chapter is given when its book is made."""


def table(rulebook: str) -> tuple[Any, Callable[[Asked], Json]]:
    """A short race by that rulebook, and who answers in it."""
    setup: dict[str, Any] = {"rulebook": rulebook, "cars": [{"car": number} for number in (1, 2, 3, 4)]}
    if rulebook == "ninety":
        chance = Random(5)
        book: Any = begin({**setup, "track": "quarry-hill", "laps": 4, "deck": 7}, board("quarry-hill"))
        return book, lambda asked: chance.choice(asked.options or ()).answer
    track = board("monaco")
    book, driver = begin({**setup, "track": "monaco", "laps": 1}, track), HeuristicDriver(track, 5)
    return book, lambda asked: driver.answer(asked, book.race)


def told(rulebook: str, *, anew: bool) -> Iterator[Any]:
    """Every question of a race with the state before it; `anew` makes each chapter once more before every answer."""
    book, answer = table(rulebook)
    talk = Conversation(book)
    while (asked := talk.asked) is not None:
        yield asked, talk.digest
        if anew:
            book.open_chapters()
        talk.answer(answer(asked))
    for name in book.chapters():
        chapter = getattr(book, name)
        kept = {key for key in vars(chapter) if not isinstance(getattr(type(chapter), key, None), cached_property)}
        assert kept <= GIVEN, f"{type(chapter).__name__} keeps {kept - GIVEN}"
    yield book.result(), talk.digest


@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_a_chapter_has_no_state_of_its_own(rulebook: str) -> None:
    assert list(told(rulebook, anew=True)) == list(told(rulebook, anew=False))


@pytest.mark.parametrize("rulebook", DICE)
def test_a_chapter_of_a_variant_is_a_kind_of_the_one_that_it_replaces(rulebook: str) -> None:
    family, book = FormulaDe.chapters(), RULEBOOKS[rulebook]
    assert issubclass(book, FormulaDe)
    said = book.chapters()
    assert set(family) <= set(said)
    assert all(issubclass(said[name], kind) for name, kind in family.items())
    listed = {name for name in book.__annotations__ if name in said}
    assert {name for name, kind in said.items() if kind is not family.get(name)} == listed, "its head lists them all"


@pytest.mark.parametrize("rulebook", DICE)
def test_what_a_chapter_rewrites_is_marked(rulebook: str) -> None:
    book = RULEBOOKS[rulebook]
    assert issubclass(book, FormulaDe)
    for kind in book.chapters().values():
        for name, what in vars(kind).items():
            inner = getattr(what, "fget", getattr(what, "__func__", what))
            rewrites = callable(inner) and name != "__init__" and any(name in vars(base) for base in kind.__mro__[1:-1])
            assert getattr(inner, "__override__", False) == rewrites, f"{kind.__name__}.{name}"


def test_a_chapter_knows_its_book_and_through_it_the_others() -> None:
    book = begin({"track": "monaco", "cars": [{"car": 1}]}, board("monaco"))
    assert isinstance(book, Competition)
    chapters = [getattr(book, name) for name in book.chapters()]
    assert all(isinstance(chapter, Chapter) and chapter.book is book for chapter in chapters)
    assert len(chapters) == len(FormulaDe.chapters()) + 1
    other = book.clone()
    assert other.order is not book.order
    assert other.order.race is other.race
