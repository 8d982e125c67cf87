"""A dispute ends when its ruling is upheld, or when the answer that brought it is taken back or corrected."""

from __future__ import annotations

import pytest

from companion.desk import RaceDesk
from companion.rules.conversation.errors import NothingToDo
from companion.view.pages.sheet import word_rows
from companion.wording import Words
from tests.view.watched import a_desk


def disputed() -> tuple[RaceDesk, int]:
    """A race in memory, and the entry of its first answer, which is disputed."""
    desk = a_desk(many=2)
    desk.answer(7, n=0)
    seq = desk.seq
    desk.dispute(seq, by="Ben", why="it showed 8")
    return desk, seq


def outcomes(desk: RaceDesk) -> list[str]:
    return [remark.outcome for remark in desk.sheet().disputes]


def test_a_ruling_that_is_upheld_is_disputed_no_longer() -> None:
    desk, seq = disputed()
    assert desk.open_disputes() == [(seq, "it showed 8")]
    desk.uphold(seq, by="table")
    assert desk.open_disputes() == []
    assert outcomes(desk) == ["upheld"]
    with pytest.raises(NothingToDo, match="is not disputed"):
        desk.uphold(seq, by="table")
    desk.dispute(seq, by="Cleo", why="no")
    assert desk.open_disputes() == [(seq, "no")], "it may be disputed again"


@pytest.mark.parametrize("keep", ["replay", "board"])
def test_a_correction_ends_it_and_its_undo_opens_it_again(keep: str) -> None:
    desk, seq = disputed()
    desk.correct(0, 20, keep=keep, by="Ben")
    assert desk.open_disputes() == []
    assert outcomes(desk) == ["changed"]
    desk.undo()
    assert desk.open_disputes() == [(seq, "it showed 8")]


def test_an_answer_that_is_taken_back_has_nothing_to_dispute() -> None:
    desk, _ = disputed()
    desk.undo()
    assert outcomes(desk) == ["changed"]


@pytest.mark.parametrize(
    ("lang", "titles"),
    [
        (
            "en",
            [
                "The start of the race (disputed)",
                "Sky rain (changed)",
                "Black die of 1 Ada: 7 (changed)",
            ],
        ),
        (
            "fr",
            [
                "Le début de la course (décision contestée)",
                "Ciel pluie (décision changée)",
                "Dé noir de 1 Ada\xa0: 7 (décision changée)",
            ],
        ),
    ],
)
def test_what_was_disputed_keeps_its_name_when_something_else_has_taken_its_place(lang: str, titles: list[str]) -> None:
    desk, _ = disputed()
    desk.undo()
    desk.answer(8, n=0)
    desk.override({"sky": "rain"}, by="Ada", why="a slip")
    desk.dispute(desk.seq, by="Ben", why="it was sun")
    desk.undo()
    desk.answer(9)
    desk.dispute(1, by="Ben", why="it was dry")
    assert [row.title for row in word_rows(desk.sheet(), Words(lang))] == titles
