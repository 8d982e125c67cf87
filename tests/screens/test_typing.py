"""Cards on the table by touch: each is typed once as it is shown, and picked after that."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kivy.core.window import Window

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.cards import HeuristicCardDriver
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import ears
from companion.screens.setup.new_race import NewRaceScreen
from companion.view.race.drafts import TableCards
from companion.view.race.form import cards_of, others
from companion.view.race.intents import CloseExplanation
from tests.screens.audit import in_both_looks
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, race_open
from tests.screens.test_new_race import go_on
from tests.screens.test_sections_race import CardTable

CAR = {"car": 1, "driver": "Ada", "at": "section:8", "lap": 1, "fuel": 30, "strategy": "balance", "check": "D2 50"}
RIVAL = {"car": 2, "driver": "Bo", "at": "section:1", "lap": 1, "fuel": 30}


def race(folder: Path, cars: list[dict[str, Any]]) -> RaceDesk:
    """A turn in the middle of a race of two drivers, with their cards on the table."""
    return a_race(folder, "saltmarsh", rulebook="ninety", laps=12, cars=cars, round=5, to_play=[1, 2])


@pytest.fixture
def table(panel: Rig, tmp_path: Path, language: str) -> Iterator[Table]:
    table = Table.at_race(panel, tmp_path, partial(race, tmp_path, [CAR, RIVAL]), language=language)
    yield table
    table.close()


def on_sheet(table: Table) -> TableCards:
    """The cards typed and picked so far."""
    draft = table.controller.question.draft
    assert isinstance(draft, TableCards)
    return draft


def codes(table: Table) -> list[str]:
    return on_sheet(table).codes(table.prompt)


def typed(table: Table, card: str) -> None:
    """A card is typed as it is written."""
    head, factor, *symbols = card.split()
    sheet = table.screen.cards
    table.tap(sheet.kinds[head[0]])
    table.tap(sheet.values[int(head[1])])
    for digit in factor:
        table.tap(sheet.digits[digit])
    for symbol in "".join(symbols):
        table.tap(sheet.symbols[symbol])


def asked(table: Table) -> Any:
    return table.see(lambda desk: desk.asked)


def given(table: Table) -> Any:
    """The last answer."""
    return table.see(lambda desk: desk.history.items[-1].event.answer)


def test_a_card_is_typed_and_played(table: Table) -> None:
    assert asked(table).ask == "declare"
    sheet = table.screen.cards
    assert sheet.done.face.look == "barred"
    typed(table, "D1 20 C")
    table.looks_up(sheet.asked)
    sheet = table.screen.cards
    assert in_both_looks(table.screen) == []
    for held, article in ((sheet.symbols["T"], "symbols.pay"), (sheet.kinds["S"], "track.trajectories"),
                          (sheet.values[2], "move.points"), (sheet.digits["7"], "symbols.check")):  # fmt: skip
        table.hold(held)
        assert table.controller.explanation is not None
        legend = table.controller.explanation.legend
        assert (legend.article, bool(legend.text)) == (article, True)
        table.audited()
        table.emit(CloseExplanation())
    table.tap(sheet.more)
    assert codes(table) == ["D1 20 C"]
    typed(table, "G3 71")
    assert in_both_looks(table.screen) == []
    table.tap(sheet.done)
    assert given(table) == ["D1 20 C", "G3 71"]
    assert asked(table).ask == "check"


def test_a_check_takes_a_word_or_a_card(table: Table) -> None:
    typed(table, "D1 20 CC")
    table.tap(table.screen.cards.done)
    sheet = table.screen.cards
    assert [row.code for row in sheet.list.shown] == ["", "D1 20 CC"]
    left, top = sheet.list.to_window(sheet.list.x, sheet.list.top)
    for row, title in enumerate((table.prompt.keys[0].label, "D1")):
        ears.listen()
        y = (Window.height - top) / theme.scale + sheet.list.high * (row + 0.5)
        table.rig.hold(left / theme.scale + 60, y, seconds=1.2)  # a list waits whether it is dragged
        table.calm()
        assert table.controller.explanation is not None
        assert title in table.controller.explanation.legend.title
        table.emit(CloseExplanation())
    table.tap_row(sheet.list, 0)
    assert given(table) == "blind"
    assert asked(table).ask == "drawn"
    assert sheet.list.shown == ()
    assert not {*sheet.kinds.values(), *sheet.values.values(), *sheet.symbols.values()} & set(sheet.children)
    table.tap(sheet.digits["9"])
    assert in_both_looks(table.screen) == []
    table.tap(sheet.done)
    assert given(table) == "9"
    assert (asked(table).ask, asked(table).what) == ("check", "symbol_2")
    table.tap(sheet.digits["7"])
    table.tap_row(sheet.list, 1)  # in the place of the one that was begun
    table.tap(sheet.done)
    assert given(table) == "D1 20 CC"


def test_a_card_that_there_is_not_is_refused_and_nothing_is_lost(table: Table) -> None:
    sheet = table.screen.cards
    typed(table, "S3 101 T")
    before = table.see(lambda desk: (desk.seq, desk.conversation.digest))
    table.tap(sheet.done)
    assert table.see(lambda desk: (desk.seq, desk.conversation.digest)) == before
    assert codes(table) == ["S3 101 T"]
    assert any("101" in text for text in table.texts())
    for code in ("S3 101", "S3 10"):
        table.tap(sheet.rub)
        assert codes(table) == [code]
    table.tap(sheet.more)
    typed(table, "G4 7")
    table.tap(sheet.done)  # a 3 and a 4 do not go together
    assert table.see(lambda desk: (desk.seq, desk.conversation.digest)) == before
    table.tap(sheet.wipe)
    table.tap(sheet.done)
    assert given(table) == ["S3 10"]


def test_what_is_begun_has_to_be_ended_or_wiped(table: Table) -> None:
    sheet = table.screen.cards
    table.tap(sheet.values[2])
    table.tap(sheet.digits["0"])
    assert (on_sheet(table).typed.factor, sheet.done.face.look) == ("", "barred")
    table.tap(sheet.wipe)
    assert not codes(table)


def test_cards_that_were_seen_are_picked_again(rig: Rig, tmp_path: Path) -> None:
    cars = [{**CAR, "hand": ["D1 20", "G1 30", "S4 5"]}, RIVAL]
    table = Table.at_race(rig, tmp_path, partial(race, tmp_path, cars))
    sheet = table.screen.cards
    words = len(others(table.prompt))
    for row in (2, 0, 1):
        table.tap_row(sheet.list, words + row)
        if row == 2:
            assert sheet.done.face.label == "Play 4", "what is offered says on Done what it is"
    assert codes(table) == ["D1 20", "G1 30"]  # the one picked first made room
    assert [row.pick for row in sheet.list.shown[words:]] == [1, 2, 0]
    typed(table, "D2 44")
    assert codes(table) == ["G1 30", "D2 44"]
    assert sheet.done.face.label == theme.say("done")
    table.tap_row(sheet.list, words)
    assert codes(table) == ["D1 20", "D2 44"]
    table.tap_row(sheet.list, words + 1)
    table.tap(sheet.done)
    assert given(table) == ["G1 30", "D2 44"]
    table.close()


def at_a_race_of_cards(table: Table) -> None:
    """From home to the first question: the rulebook, a circuit, three turns, two drivers, no bots."""
    table.ui.tap("A race")
    screen = table.app.screen
    assert isinstance(screen, NewRaceScreen)
    table.ui.tap("Cards")
    table.ui.tap("All the rest")
    go_on(table.ui)
    table.tap_row(screen.body.circuits, circuits.section_keys().index("quarry-hill"))
    while screen.draft.laps != 3:
        table.tap(screen.body.laps.less)
    go_on(table.ui)
    for _ in range(2):
        table.ui.tap("New driver")
    go_on(table.ui)
    for _ in range(3):
        table.tap(screen.body.bots.less)
    go_on(table.ui)
    go_on(table.ui)
    table.until(lambda: race_open(table.app))
    table.calm()


def test_a_whole_race_with_cards_on_the_table_from_home_to_the_flag(rig: Rig, tmp_path: Path) -> None:
    table = CardTable(rig, tmp_path)
    table.until(lambda: table.texts())
    try:
        at_a_race_of_cards(table)
        assert (asked(table).ask, asked(table).round) == ("chart", 0)
        driver = HeuristicCardDriver(circuits.board("quarry-hill"), 2)
        for _ in range(120):
            if asked(table) is None:
                break
            if table.prompt.typed == (0, 0):
                table.one(driver)
                continue
            answer = table.wanted(driver)
            before = table.see(lambda desk: desk.seq)
            sheet = table.screen.cards
            words = [key.answer for key in others(table.prompt)]
            if answer in words:
                table.tap_row(sheet.list, words.index(answer))
            elif isinstance(answer, int):
                for digit in str(answer):
                    table.tap(sheet.digits[digit])
                table.tap(sheet.done)
            else:
                for code in cards_of(answer):
                    if on_sheet(table).typed.is_started:
                        table.tap(sheet.more)
                    if code in on_sheet(table).seen:
                        table.tap_row(sheet.list, len(words) + on_sheet(table).seen.index(code))
                    else:
                        typed(table, code)
                table.tap(sheet.done)
            assert table.see(lambda desk: desk.seq) > before, (table.prompt.title, answer, codes(table))
        assert asked(table) is None
        table.audited()
        assert [row.position for row in table.shown.order] == [1, 2]
    finally:
        table.close()


def test_who_must_stop_is_told_in_time(rig: Rig, tmp_path: Path) -> None:
    """Fuel to turn 7: at the beginning of turn 6 by a toast; in turn 7 there is nothing else, and nobody is asked."""
    table = Table.at_race(rig, tmp_path, partial(race, tmp_path, [{**CAR, "fuel": 7}, RIVAL]))
    try:
        for turn in (6, 7):
            for _ in range(2):
                table.tap_row(table.screen.cards.list, 1)
                assert given(table) == "skip"
                table.answer(table.prompt.keys[0])
            assert asked(table).round == turn
            said = "must stop next turn" if turn == 6 else "makes a pit stop"
            assert any(said in text for text in table.texts())
            assert turn == 7 or table.prompt.unit == "stop next turn"
        assert (given(table), asked(table).ask, asked(table).car) == ("stop", "strategy", 1)
    finally:
        table.close()


def test_buttons_pick_among_the_cards_that_were_seen(rig: Rig, tmp_path: Path) -> None:
    cars = [{**CAR, "hand": ["D1 20", "G1 30"]}, RIVAL]
    table = Table.at_race(rig, tmp_path, partial(race, tmp_path, cars))
    try:
        for name in ("last", "down", "down"):
            table.screen.press(name)
            table.calm()
        assert codes(table) == ["D1 20", "G1 30"]
        table.screen.press("confirm")
        table.calm()
        assert given(table) == ["D1 20", "G1 30"]
    finally:
        table.close()
