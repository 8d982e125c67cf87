"""The cards of given rulings, beside every question: whatever its band leaves them, nothing is overprinted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from companion import circuits
from companion.articles import load
from companion.desk import RaceDesk
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver, RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import begin
from companion.screens.kit.band import BAND, BAND_BLACK, BAND_GRID, BAND_LIST
from companion.screens.kit.canvas import HIGH
from companion.screens.kit.ruling_card import DISPUTE, FOOT, RulingCard
from companion.screens.kit.theme import theme
from companion.screens.kit.top_bar import HIGH as BAR
from companion.screens.race.race import CARD
from companion.view.citing import cited
from companion.view.race import card
from companion.view.shown import Card
from companion.view.sight import Sight
from companion.wording import Words
from tests.screens.audit import audit, marks, place, texts
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import NAMES, skip

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
    driver: Driver = HeuristicCardDriver(board, 5) if isinstance(board, SectionTrack) else HeuristicDriver(board, 5)
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
        view = rig.show(RulingCard(print), 334, BAR, CARD, HIGH - BAR - band)
        for one in given:
            view.show(one)
            rig.settle(1)
            said = texts(view)
            assert audit(view) == [], (band, one)
            foot = HIGH - band - FOOT - DISPUTE
            assert all(
                seen.box.y + seen.box.h <= foot for seen in marks(view) if seen.mark.text and seen.home == place(view)
            ), (
                band,
                one.title,
                said,
            )
            if band == BAND_LIST:
                continue
            if one.losses:
                assert {str(one.losses[0].before), str(one.losses[0].after)} <= set(said), (one, said)
            if one.die is not None:
                assert {one.die.face, one.die.rolled, one.die.loses} <= set(said), (one, said)
            if band in (BAND, BAND_BLACK) and one.die is not None and len(one.sums) == 1:
                assert any(line.text.split()[0] in text for line in one.lines for text in said), "a sentence"


@pytest.mark.parametrize(("book", "at"), RACES)
def test_the_head_of_a_card_cites_the_longest_title_whole(rig: Rig, language: str, book: str, at: str) -> None:
    theme.language = language
    words, given = Words(language, book), next(cards(book, at, language))
    view = rig.show(RulingCard(print), 334, BAR, CARD, HIGH - BAR - BAND)
    for said in sorted({cited(article.id, words) for article in load(book)}, key=len)[-5:]:
        view.show(replace(given, cited=said))
        rig.settle(1)
        assert audit(view) == []
        assert all(seen.mark.whole for seen in marks(view)), said


@pytest.mark.parametrize(("book", "at"), [RACES[0], RACES[4], ("competition", "spa")])
def test_a_given_ruling_never_lies_over_the_car_that_must_answer(rig: Rig, book: str, at: str, at_race: Any) -> None:
    """Nor over the section in which that car stands."""
    board, cards = circuits.board(at), book == "ninety"
    setup: dict[str, Any] = {"laps": 9, "deck": 3} if cards else {"laps": 2}
    table = at_race(at, 4, rulebook=book, **setup)
    driver: Driver = RandomCardDriver(board, 7) if cards else RandomDriver(board, 7)
    seen = 0
    for _ in range(120):
        asked, before = table.see(lambda desk: desk.asked), table.shown
        if asked is None or seen:
            break
        unlucky = asked.ask == "test" and asked.bands and asked.n % 2
        table.app.playing.seat.answer(asked.n, 1 if unlucky else table.wanted(driver))
        rig.until(lambda before=before: table.app.playing.shown is not before)
        card, ui = table.shown.card, table.ui
        if (
            card is None
            or not card.seq
            or card.sky is not None
            or table.prompt.layout not in ("keys", "die", "cards", "black")
        ):
            continue
        table.calm()
        dashboard = table.shown.dashboard
        if dashboard is None or not ui.sees(card.cited) or table.shown.contest is not None:
            continue
        assert dashboard.plate == table.prompt.plate
        assert ui.sees(dashboard.position)
        assert all(f"section:{tile.number}" in ui.spaces() for tile in table.shown.board.sections if tile.here)
        seen += 1
    assert seen


@pytest.mark.parametrize("panel", PANELS)
def test_a_given_ruling_never_lies_over_the_spaces_to_choose_from(
    rig: Rig, panel: tuple[tuple[int, int], float], at_race: Any
) -> None:
    """Until an answer is selected, whose own consequences come in its place."""
    rig.window(*panel)
    table = at_race("monaco", 6, rulebook="death", laps=2)
    skip(table, RandomDriver(circuits.board("monaco"), 5), lambda asked: asked.ask == "clutch")
    ui, card = table.ui, table.shown.card
    assert card is not None
    (cited,) = (word for word in ui.words() if word.text == card.cited)
    places = [place for key in table.prompt.keys for place in ui.places(key.label)]
    assert len(places) == len(table.prompt.keys)
    assert all(y < cited.box.y for _, y in places), "the card stands below all of them"
    ui.audit()
    assert ui.sees(str(card.losses[0].after))
    table.choose(table.prompt.keys[-1])
    assert table.prompt.act is not None
    assert not ui.sees(card.cited)
