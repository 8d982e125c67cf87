"""A driver who gives up: car, Retires."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.theme import theme
from companion.wording import capital
from tests.screens.table import NAMES, Table, driver_on, skip


@pytest.mark.parametrize("book", RULEBOOKS)
def test_a_driver_who_gives_up_is_out_after_two_taps(book: str, at_race: Any) -> None:
    """In every rulebook, whoever is asked at that moment; Undo has the driver in the race again."""
    key = "saltmarsh" if book == "ninety" else "monaco"
    driver = driver_on(key)
    deck = {"ninety": {"deck": 5, "laps": 12}, "death": {"deck": 5}}.get(book, {})
    language = "fr" if book in ("cup", "ninety") else "en"
    table = at_race(key, rulebook=book, app={"language": language}, **deck)
    skip(table, driver, lambda asked: asked.round >= 2)
    asked = table.see(lambda desk: desk.asked.car)
    number = next(car for car in (1, 2, 3) if car != asked)
    table.app.go("override")
    table.calm()
    ui, retires = table.ui, theme.words.screen("override.retires")
    assert not ui.offers(retires)
    ui.tap(NAMES[number - 1])
    ui.audit_both()
    ui.tap(retires)
    gone = table.see(lambda desk: [(one.car, one.cause) for one in desk.sheet().retirements])
    assert gone == [(number, "referee")]
    assert table.app.visits[-1].name == "race"
    table.app.playing.seat.undo()  # type: ignore[union-attr]
    table.calm()
    assert not table.see(lambda desk: desk.sheet().retirements)
    table.given(table.wanted(driver))


def test_who_is_out_has_nothing_to_give_up(table: Table) -> None:
    table.see(lambda desk: desk.override({"car": 2, "status": "out"}, by="table", why="gave up"))
    table.app.go("override", car=2)
    table.calm()
    ui, retires = table.ui, theme.words.screen("override.retires")
    assert not ui.offers(retires)
    ui.tap(NAMES[0])
    assert ui.offers(retires)


@pytest.mark.parametrize("book", [name for name in RULEBOOKS if name != "ninety"])
def test_the_race_is_ended_from_the_menu(book: str, at_race: Any) -> None:
    """More, End or red flag, half points, Set, the table agrees; Undo has the race going on."""
    deck = {"deck": 5} if book == "death" else {}
    language = "fr" if book in ("cup", "formula-d") else "en"
    table = at_race("monaco", rulebook=book, app={"language": language}, **deck)
    driver = driver_on()
    skip(table, driver, lambda asked: asked.round >= 1 and asked.ask == "gear")
    for name, answer in (("red_flag", "now"), ("cut_short", "half")):
        table.menu("ending")
        ui = table.ui
        ui.audit_both()
        assert ui.cut() == set()
        ui.tap(capital(theme.words.word(name, answer)))
        ui.tap(theme.words.screen("override.set_key"))
        ui.audit_both()
        table.sign(theme.words.screen("override.agreed.label"), by="Eve" if name == "red_flag" else "")
        assert table.app.visits[-1].name == "race"
    assert table.see(lambda desk: desk.over)
    assert table.see(lambda desk: {row["share"] for row in desk.rulebook.result()}) == {"half"}
    assert table.see(lambda desk: desk.rulebook.race.red_flags) == 1
    table.app.playing.seat.undo()  # type: ignore[union-attr]
    table.calm()
    assert not table.see(lambda desk: desk.over)
