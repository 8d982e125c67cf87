"""Every question of every book says of each answer what it means, what it costs and what may follow."""

from __future__ import annotations

from typing import Any

import pytest

from companion import articles, circuits
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.drivers.cards import RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.rules.conversation.asking import Asked
from companion.view.race.queue import bands
from companion.view.race.race import race
from companion.view.race.risk import LANDS, befalls
from companion.view.shown import AnswerKey
from companion.view.sight import Sight
from companion.view.worded import BoardWords
from companion.wording import LANGUAGES
from tests.view.watched import a_desk

BOARDS = {
    "competition": ("monaco", "spa"),
    "cup": ("monaco", "spa"),
    "league": ("monaco", "spa"),
    "death": ("monaco", "copper-basin"),
    "ninety": ("quarry-hill", "saltmarsh"),
}
NAMES_ITSELF = ("setup", "chart", "box")
"""Questions whose answers are written out whole on their keys, or are a number of a thing."""
KNOWN = {
    "competition": {"gear", "landing", "tyres", "box", "test", "saw"},
    "cup": {"gear", "landing", "tyres", "setup", "test", "stop", "saw", "kers"},
    "league": {"gear", "landing", "tyres", "box", "test", "saw"},
    "death": {"gear", "landing", "card", "use", "sight", "attack", "test"},
    "ninety": {"declare", "play", "check", "contest", "show", "late", "line", "pay", "strategy"},
}
"""What every walk meets, at least."""
GRAVE = {"out", "spin"}
MOST = 2
"""How often each kind of question is looked at in a race."""


@pytest.mark.parametrize("book", BOARDS)
def test_each_key_of_every_question_has_its_price_or_its_meaning(book: str) -> None:
    met: set[str] = set()
    for seed, track in enumerate(BOARDS[book]):
        board: Any = circuits.board(track)
        desk = a_desk(track, 6, rulebook=book)
        ahead, seen = Ahead(desk), dict[tuple[str, str], int]()
        driver: Any = RandomCardDriver(board, seed) if book == "ninety" else RandomDriver(board, seed)
        while (asked := desk.asked) is not None and desk.n < 900:
            kind = asked.ask, asked.what.rstrip("0123456789").rstrip("_")
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= MOST:
                met.add(asked.ask)
                for lang in LANGUAGES:
                    told(desk, ahead, asked, lang)
            desk.answer(driver.answer(asked, desk.rulebook.race))
    assert met >= KNOWN[book], KNOWN[book] - met


def told(desk: RaceDesk, ahead: Ahead, asked: Asked, lang: str) -> None:
    board: Any = desk.rulebook.track
    words = BoardWords(lang, desk.rulebook.name, board)
    sight = Sight(desk, words, ahead=ahead)
    shown = race(sight)
    prompt = shown.prompt
    assert prompt.article in articles.load(desk.rulebook.name), f"{asked.ask} cites {prompt.article}"
    if asked.faces is not None:
        promised = [price.text for one in (*prompt.keys, *shown.board.spaces) for price in one.prices]
        assert asked.ask != "roll" or sight.say("price.free") not in promised, "what is rolled after it is not known"
        for key in bands(asked, prompt.keys) if asked.ask == "test" else ():
            assert key.prices, (asked.ask, asked.what, key.label)
            called_safe(ahead, asked, key, sight.say("price.safe"))
        return
    for key in prompt.keys:
        if not key.why and asked.ask not in NAMES_ITSELF:
            assert key.prices or key.note, (lang, asked.ask, asked.what, key.label)
            called_free(ahead, asked, key, sight.say("price.free"))
            gone_is_accepted(ahead, asked, key)
    for row in (row for page in prompt.pages for row in page.rows):
        assert row.title, asked.ask
        assert row.prices, (lang, asked.ask, row.title)
    for price in (price for mark in shown.board.spaces if prompt.pages for price in mark.prices if price.icon):
        assert not any(map(str.isalpha, price.text)), f"{price.text}: a space has room for a figure"


def called_safe(ahead: Ahead, asked: Asked, key: AnswerKey, safe: str) -> None:
    """Faces that are called safe take nothing at once, no card either."""
    if any(price.text == safe for price in key.prices):
        (seen,) = ahead.foresee([key.answer])
        assert not any(points < 0 for one in seen.rulings for points in one.wear.values()), (asked.what, key)
        assert seen.asked is None or seen.asked.ask != "strip", key


def called_free(ahead: Ahead, asked: Asked, key: AnswerKey, free: str) -> None:
    """What is called free costs nothing for sure and has nobody roll, but for the die of a gear."""
    if not any(price.text == free for price in key.prices):
        return
    record = ahead.record(key.answer)
    assert not any(points < 0 for points in record.wear.values()), (asked.ask, key)
    assert not befalls(record), (asked.ask, asked.what, key)
    assert all(test.ask == "roll" for test in record.tests), (asked.ask, asked.what, key)
    assert asked.ask != "slipstream" or not LANDS & {end.ask for end in record.ends}, "what it meets there is not known"


def gone_is_accepted(ahead: Ahead, asked: Asked, key: AnswerKey) -> None:
    """What puts its car out or spins it, whatever is rolled, says so and is accepted first."""
    if not GRAVE.isdisjoint(befalls(ahead.record(key.answer))):
        assert key.accept, (asked.ask, asked.what, key)
        assert any(price.tone == "bad" for price in key.prices), (asked.ask, asked.what, key)
