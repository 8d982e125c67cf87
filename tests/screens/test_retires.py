"""A driver who gives up: car, Retires."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import circuits
from companion.drivers import Driver
from companion.drivers.cards import SensibleWithCards
from companion.drivers.sensible import Sensible
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.pages.override import OverrideScreen
from tests.screens.audit import in_both_looks
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, skip


@pytest.mark.parametrize("book", RULEBOOKS)
def test_a_driver_who_gives_up_is_out_after_two_taps(rig: Rig, folder: Path, book: str) -> None:
    """In every rulebook, whoever is asked at that moment; Undo has the driver in the race again."""
    key = "saltmarsh" if book == "ninety" else "monaco"
    board = circuits.board(key)
    driver: Driver = SensibleWithCards(board, 2) if isinstance(board, SectionTrack) else Sensible(board, 2)
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
        assert screen.retires.parent is None
        table.taps = 0
        table.tap_row(screen.whom, [car for car, *_ in screen.cars].index(number) + 1)
        assert in_both_looks(screen) == []
        table.tap(screen.retires)
        assert table.taps == 2
        gone = table.see(lambda desk: [(one.car, one.cause) for one in desk.sheet().retirements])
        assert gone == [(number, "referee")]
        assert table.screen.meant.now is not None
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
    assert screen.retires.parent is None
    screen._choose(1)
    table.calm()
    assert screen.retires.parent is screen
