"""Buttons beside the screen act only on what it shows, and on the question that was there as they were pressed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest

from companion.rules.conversation.asking import Asked
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.app.table_hardware import AppAccess
from companion.screens.app.visits import Bare
from tests.screens.table import Table, driver_on, skip

AT = {"formula-d": "kestrel-moor", "ninety": "quarry-hill", "death": "porto-sereno"}
"""The circuit of a rulebook; of others Monaco."""
SKIPS = (None, {})
"""The answers that skip what is optional."""


Opened = Callable[..., Table]


@pytest.fixture
def opened(at_race: Any) -> Opened:
    """Open a race under a rulebook and go on to a question."""

    def at(book: str, until: Callable[[Asked], bool], key: str = "", **setup: Any) -> Table:
        setup = {"laps": 6 if book == "ninety" else 1, "rulebook": book, **setup}
        table: Table = at_race(key or AT.get(book, "monaco"), 4, until, **setup)
        return table

    return at


def answers(table: Table) -> list[Any]:
    given: list[Any] = table.see(lambda desk: [item.event.answer for item in desk.history.items])
    return given


def press(table: Table, *names: str) -> None:
    for name in names:
        table.app.press(name)
        table.calm()


@pytest.mark.parametrize("name", ["up", "last", "next", "confirm"])
def test_a_button_pressed_at_one_question_selects_nothing_of_the_next(opened: Opened, name: str) -> None:
    """A phone was first: the button was meant for the question that was on the screen as it was pressed."""
    table = opened("competition", lambda asked: asked.ask == "gear" and asked.round > 1)
    free = next(key for key in table.prompt.keys if not key.why and not key.accept)
    hands = AppAccess(table.app)
    table.given(free.answer)
    hands.press(name)
    table.calm()
    assert (table.prompt.ask, table.prompt.chosen, table.selected()) == ("roll", -1, [])


def test_the_referees_word_is_never_asked_about_an_answer_that_is_no_longer_selected(opened: Opened) -> None:
    table = opened("competition", lambda asked: asked.ask == "landing" and len(asked.options or ()) > 2)
    press(table, "first", "up")
    for name in ("override", "up"):
        table.app.press(name)  # before the desk has said anything
    table.calm()
    assert not table.ui.sees("why?")
    press(table, "override")
    assert table.ui.sees("why?")


def test_five_quick_presses_move_by_five(opened: Opened) -> None:
    table = opened("competition", lambda asked: asked.ask == "roll" and len(asked.faces or ()) > 6)
    press(table, "first")
    for _ in range(5):
        table.app.press("up")
    table.calm()
    assert table.selected() == [table.prompt.keys[5].label]


def test_under_a_form_buttons_do_nothing_and_undo_folds_it(opened: Opened) -> None:
    """A quick answer that cannot be seen is not given: the great key says Done, and it is for fingers."""
    table = opened("competition", lambda asked: asked.ask == "saw" and asked.round > 1, "spa")
    press(table, "up")
    before, ui = answers(table), table.ui
    ui.tap("Further")
    assert ui.offers("Back")
    press(table, "confirm", "up", "last", "next", "override")
    assert (answers(table), ui.offers("Back")) == (before, True)
    press(table, "undo")
    assert (answers(table), ui.offers("Further")) == (before, True)
    press(table, "up", "confirm")
    if answers(table) == before:
        press(table, "confirm")
    assert len(answers(table)) > len(before)


def test_undo_folds_the_whole_die_before_it_takes_an_answer_back(opened: Opened) -> None:
    table = opened("competition", lambda asked: asked.ask == "test" and asked.round > 0)
    before = answers(table)
    table.ui.hold("Collision")
    assert all(table.ui.offers(str(face), below="Collision") for face in range(1, 21))
    press(table, "undo")
    assert answers(table) == before
    assert table.ui.sees("–20"), "the bands are there again"
    press(table, "undo")
    assert answers(table) == before[:-1]


def test_in_pools_confirm_is_the_done_that_is_seen(opened: Opened) -> None:
    """Up marks nothing there, so it selects nothing: a repair that was tapped is given, and no other."""
    table = opened("cup", lambda asked: asked.ask == "repair", laps=3)
    before, ui = answers(table), table.ui
    press(table, "up", "last", "next")
    assert (answers(table), table.prompt.chosen) == (before, -1)
    ui.tap(icon="plus", beside="brakes")
    press(table, "confirm")
    assert answers(table)[len(before)] == {"brakes": 1}


def test_at_the_end_confirm_is_home_and_undo_asks_first(opened: Opened, language: str) -> None:
    table = opened("competition", lambda asked: False)
    table.app.choose(language=language)
    table.calm()
    before = answers(table)
    press(table, "undo", "confirm")
    act = {"en": "Take back", "fr": "Oui, annuler"}[language]
    assert (answers(table), table.ui.offers(act)) == (before, True)
    table.audited()
    press(table, "undo")
    assert (answers(table), table.ui.offers(act)) == (before, False)
    press(table, "undo")
    table.ui.tap(act)
    assert answers(table) == before[: len(answers(table))] != before
    skip(table, driver_on(), lambda asked: False)
    press(table, "confirm")
    assert [visit.name for visit in table.app.visits] == ["home"]


def test_undo_goes_back_from_every_other_screen(opened: Opened) -> None:
    table = opened("competition", lambda asked: asked.round > 0)
    before = answers(table)
    of_races = ("analysis", "history", "new_race", "override", "rules", "sheet", "sheets")
    for name in (*of_races, *(set(get_args(Bare)) - {"build", "home", "language", "race", "trouble"})):
        table.app.go(name)
        table.calm()
        assert table.app.visits[-1].name == name
        press(table, "undo")
        assert table.app.visits[-1].name == "race", name
    assert answers(table) == before


@pytest.mark.parametrize("book", RULEBOOKS)
def test_next_selects_what_skips_a_question_and_confirm_gives_it(opened: Opened, book: str) -> None:
    """At each kind of question that may be skipped; an answer that costs something has its card first."""
    seen: set[tuple[str, str]] = set()

    def optional(asked: Asked) -> bool:
        kind = asked.ask, asked.what.rstrip("0123456789")
        skips = any(option.answer in SKIPS and type(option.answer) is not bool for option in asked.options or ())
        return skips and kind not in seen and (asked.round > 0 or asked.ask != "setup")

    table = opened(book, optional)
    while (asked := table.see(lambda desk: desk.asked)) is not None:
        seen.add((asked.ask, asked.what.rstrip("0123456789")))
        before = answers(table)
        press(table, "next", "next")
        assert answers(table) == before, asked.ask
        if table.prompt.layout != "pools":
            key = table.prompt.keys[table.prompt.chosen]
            assert table.prompt.chosen >= 0
            assert key.answer in SKIPS, asked.ask
            skips, card = table.shown.attack.skip if table.shown.attack else key, table.shown.card
            if table.prompt.pages:
                assert table.ui.offers(table.prompt.act.label), "beside what comes of each space"
            else:
                assert table.ui.is_chosen(skips.label), (asked.ask, asked.what)
                assert not key.accept or table.ui.offers(card.accept), asked.ask
            press(table, "confirm")
            assert answers(table)[len(before)] in SKIPS
        skip(table, driver_on(AT.get(book, "monaco")), optional)
    assert seen or book == "beginner", "there nothing is optional"


def test_a_long_list_scrolls_to_what_buttons_select(opened: Opened) -> None:
    table = opened("death", lambda asked: asked.ask == "card" and len(asked.options or ()) > 8)
    for name, at in (("last", -1), ("first", 0)):
        press(table, name)
        table.rig.wait(0.2)
        assert table.ui.sees(table.prompt.keys[at].label), "the list has scrolled"
        assert table.ui.is_chosen(table.prompt.keys[at].label)


def test_cars_are_built_by_buttons(opened: Opened) -> None:
    """Confirm is the key at the right, Next the offered car; Undo is the key at the left, not the way home."""
    table = opened("competition", lambda asked: asked.ask == "setup")
    ui = table.ui
    ui.wait_for("Build cars")
    before = answers(table)
    if not (ui.offers("Next") or ui.offers("Done")):
        press(table, "confirm")
        assert answers(table) == before, "points are left"
    press(table, "next", "confirm")
    assert len(answers(table)) == len(before) + 1
    press(table, "undo")
    assert (answers(table), table.app.visits[-1].name) == (before, "build")
    ui.hold("Brakes")
    assert ui.sees("Legend")
    press(table, "next", "down", "up")
    assert answers(table) == before, "the focus moves over the explanation"
    press(table, "undo")
    assert table.app.visits[-1].name == "build"
    assert not ui.sees("Legend")
