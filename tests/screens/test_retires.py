"""A driver who gives up: car, Retires."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import circuits
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.theme import theme
from companion.screens.pages.override import OverrideScreen
from companion.screens.race.race import RaceScreen
from companion.view.race.intents import OpenMenu
from tests.screens.audit import in_both_looks, marks
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, skip


@pytest.mark.parametrize("book", RULEBOOKS)
def test_a_driver_who_gives_up_is_out_after_two_taps(rig: Rig, folder: Path, book: str) -> None:
    """In every rulebook, whoever is asked at that moment; Undo has the driver in the race again."""
    key = "saltmarsh" if book == "ninety" else "monaco"
    board = circuits.board(key)
    driver: Driver = HeuristicCardDriver(board, 2) if isinstance(board, SectionTrack) else HeuristicDriver(board, 2)
    deck = {"ninety": {"deck": 5, "laps": 12}, "death": {"deck": 5}}.get(book, {})
    language = "fr" if book in ("cup", "ninety") else "en"
    table = Table.at_race(rig, folder, lambda: a_race(folder, key, rulebook=book, **deck), language=language)
    try:
        skip(table, driver, lambda asked: asked.round >= 2)
        asked = table.see(lambda desk: desk.asked.car)
        number = next(car for car in (1, 2, 3) if car != asked)
        table.app.go("override")
        table.calm()
        screen = table.app.screen
        assert isinstance(screen, OverrideScreen)
        assert not table.ui.offers(theme.words.screen("override.retires"))
        table.taps = 0
        table.tap_row(
            screen.whom, len(screen.whom.shown) - len(screen.cars) + [car for car, *_ in screen.cars].index(number)
        )
        assert in_both_looks(screen) == []
        table.ui.tap(theme.words.screen("override.retires"))
        assert table.taps == 1, "a touch of the car, and one of the key"
        gone = table.see(lambda desk: [(one.car, one.cause) for one in desk.sheet().retirements])
        assert gone == [(number, "referee")]
        assert table.screen.now is not None
        table.app.playing.seat.undo()  # type: ignore[union-attr]
        table.calm()
        assert not table.see(lambda desk: desk.sheet().retirements)
        table.given(table.wanted(driver))
    finally:
        table.close()


def test_who_is_out_has_nothing_to_give_up(table: Table) -> None:
    table.see(lambda desk: desk.override({"car": 2, "status": "out"}, by="table", why="gave up"))
    table.app.go("override", car=2)
    table.calm()
    screen = table.app.screen
    assert isinstance(screen, OverrideScreen)
    assert not table.ui.offers(theme.words.screen("override.retires"))
    table.tap_row(screen.whom, 2)
    assert table.ui.offers(theme.words.screen("override.retires"))


@pytest.mark.parametrize("book", [name for name in RULEBOOKS if name != "ninety"])
def test_the_race_is_ended_from_the_menu(rig: Rig, folder: Path, book: str) -> None:
    """More, End or red flag, half points, Set, the table agrees; Undo has the race going on."""
    deck = {"deck": 5} if book == "death" else {}
    language = "fr" if book in ("cup", "formula-d") else "en"
    table = Table.at_race(rig, folder, lambda: a_race(folder, "monaco", rulebook=book, **deck), language=language)
    try:
        driver = HeuristicDriver(circuits.load("monaco"), 2)
        skip(table, driver, lambda asked: asked.round >= 1 and asked.ask == "gear")
        for name, answer in (("red_flag", "now"), ("cut_short", "half")):
            table.emit(OpenMenu())
            table.calm()
            table.tap(table.screen.menu.keys["ending"])
            table.calm()
            screen = table.app.screen
            assert isinstance(screen, OverrideScreen)
            assert in_both_looks(screen) == []
            assert [seen.mark.text for seen in marks(table.app.stage) if not seen.mark.whole] == []
            choice = next(field for field in screen.values.fields if field.name == name)
            label = next(key.label for key in choice.keys if key.answer == answer)
            table.ui.tap(label, beside=choice.label)
            table.ui.tap(theme.words.screen("override.set_key"))
            table.calm()
            assert in_both_looks(screen) == []
            table.tap(screen.band.keys[2])
            if name == "red_flag":  # the name is asked for once
                screen.band.writing.line.text = "Eve"
                screen.band.writing.line.focus = False
                table.tap(screen.band.done)
            table.calm()
            assert isinstance(table.app.screen, RaceScreen)
        assert table.see(lambda desk: desk.over)
        assert table.see(lambda desk: {row["share"] for row in desk.rulebook.result()}) == {"half"}
        assert table.see(lambda desk: desk.rulebook.race.red_flags) == 1
        table.app.playing.seat.undo()  # type: ignore[union-attr]
        table.calm()
        assert not table.see(lambda desk: desk.over)
    finally:
        table.close()
