"""Every question of every rulebook has a title that is short, whole and an imperative of its own, in both languages."""

from __future__ import annotations

import pytest

from companion import circuits
from companion.drivers.cards import HeuristicCardDriver, RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked
from companion.rules.rulebooks import RULEBOOKS
from companion.view.race import queue
from companion.view.race.titles import ROOM, title, unit
from companion.view.shown import AnswerKey, Price
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.view.watched import a_desk


@pytest.mark.parametrize("book", sorted(RULEBOOKS))
def test_no_title_is_cut_or_begins_with_a_sign(book: str) -> None:
    """Races as they go and races by chance; each kind of question is looked at once."""
    seen: set[tuple[str, str]] = set()
    cards = book == "ninety"
    track = circuits.board("saltmarsh" if cards else "monaco")
    for kind_of_driver in (HeuristicCardDriver, RandomCardDriver) if cards else (HeuristicDriver, RandomDriver):
        driver = kind_of_driver(track, 1)
        desk = a_desk(track.key, 5, rulebook=book, laps=8 if cards else 2)
        for _ in range(1200):
            asked = desk.asked
            if asked is None:
                break
            kind = (asked.ask, asked.what.rstrip("0123456789"))
            if kind not in seen:
                seen.add(kind)
                for lang in LANGUAGES:
                    sight = Sight(desk, Words(lang, book))
                    said = title(sight, asked)
                    assert said[:1].isalnum(), (kind, said)
                    assert "…" not in said, (kind, said)
                    assert len(said) <= ROOM[lang], (kind, said)
                    assert len(unit(sight, asked)) <= 16, (kind, unit(sight, asked))
            desk.answer(driver.answer(asked, desk.rulebook.race))
    always = {"declare", "play", "check", "contest", "show"} if cards else {"gear", "roll", "landing", "test", "start"}
    assert always <= {ask for ask, _ in seen}


def test_a_roll_of_which_nothing_more_is_said_is_no_test() -> None:
    """The league rolls for its grid: every face means something, and none is safe."""
    desk = a_desk("monaco", 3, rulebook="league")
    driver = HeuristicDriver(circuits.load("monaco"), 1)
    while desk.asked is not None and (desk.asked.ask, desk.asked.what) != ("test", "grid"):
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    assert desk.asked is not None
    assert queue.tests(Sight(desk, Words("en", "league")), ()) == ()


@pytest.mark.parametrize(("lang", "loses", "more"), [("en", "fails on 1–4", "1–4 loses more"),
                                                     ("fr", "échec sur 1–4", "1–4 perd plus")])  # fmt: skip
def test_where_all_faces_of_a_test_lose_the_losing_ones_lose_more(lang: str, loses: str, more: str) -> None:
    """Wreckage on the way beyond a corner: whatever falls, the overshoot is paid."""
    sight = Sight(a_desk("monaco", 2, rulebook="death"), Words(lang, "death"))
    asked = Asked(n=1, ask="test", car=1, round=1, what="wreckage", article="wreckage.roll", fields={"loses_to": 4})
    worse, bad, safe = (AnswerKey(answer=1, label="1", prices=(Price(text=text, tone=tone),))
                        for text, tone in (("−6", "warn"), ("−5", "warn"), ("safe", "ok")))  # fmt: skip
    assert unit(sight, asked, (worse, safe)) == loses
    assert unit(sight, asked, (worse, bad)) == more
