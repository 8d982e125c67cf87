"""The cards of given rulings, beside every question: whatever its band leaves them, nothing is overprinted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers import Driver
from companion.drivers.cards import SensibleWithCards
from companion.drivers.sensible import Sensible
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import begin
from companion.screens.race.race import SIDE
from companion.screens.widgets.band import BAND, BAND_BLACK, BAND_GRID, BAND_LIST
from companion.screens.widgets.canvas import HIGH
from companion.screens.widgets.ruling_card import DISPUTE, FOOT, RulingCard
from companion.screens.widgets.theme import theme
from companion.screens.widgets.top_bar import HIGH as BAR
from companion.view import card
from companion.view.shown import Card
from companion.view.sight import Sight
from companion.wording import Words
from tests.screens.audit import audit
from tests.screens.rig import Rig
from tests.screens.table import NAMES

RACES = [("competition", "monaco"), ("cup", "porto-sereno"), ("league", "imola"), ("death", "porto-sereno"),
         ("ninety", "quarry-hill")]  # fmt: skip


def cards(book: str, at: str, lang: str) -> Iterator[Card]:
    """The cards of a race of six, each kind of them once."""
    board = circuits.board(at)
    cars = [{"car": number, "driver": name} for number, name in enumerate(NAMES[:6], 1)]
    setup = {
        "rulebook": book,
        "track": at,
        "cars": cars,
        "laps": 2,
        **({"deck": 3, "laps": 9} if book == "ninety" else {}),
    }
    desk = RaceDesk(begin(setup, board), setup=setup)
    driver: Driver = SensibleWithCards(board, 5) if isinstance(board, SectionTrack) else Sensible(board, 5)
    words, seen = Words(lang, book), set()
    for _ in range(500):
        if (asked := desk.asked) is None:
            return
        desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="table")
        given = card.after(Sight(desk, words, told=desk.history.items[-1].rulings, entry=1))
        kind = given and (given.title, given.sums, given.losses, len(given.lines), given.plate is None)
        if given is not None and kind not in seen:
            seen.add(kind)
            yield given


@pytest.mark.parametrize(("book", "at"), RACES)
def test_a_card_says_what_has_room_above_its_keys(rig: Rig, language: str, book: str, at: str) -> None:
    """Beside a die, the black die, two rows of answers and a list; what it took is said while there is room for it."""
    theme.language = language
    given = list(cards(book, at, language))
    assert len(given) > 5
    for band in (BAND, BAND_BLACK, BAND_GRID, BAND_LIST):
        rig.clear()
        view = rig.show(RulingCard(None, print, print, print), 500, BAR, SIDE, HIGH - BAR - band)
        for one in given:
            view.show(one)
            rig.settle(1)
            said = [mark.text for mark in view.marks if mark.kind == "text"]
            assert audit(view) == [], (band, one)
            foot = view.h - FOOT - DISPUTE
            assert all(mark.y + mark.h <= foot for mark in view.marks if mark.text), (band, one.title, said)
            if band != BAND_LIST:
                assert one.losses == () or f"{one.losses[0].name} {one.losses[0].before}" in said
