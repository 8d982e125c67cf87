"""A space is called by its corner, its number and its lane wherever a race at a known board is shown, and never by the
coordinate that files write."""

from __future__ import annotations

from typing import Any

import pytest

from companion.screens.kit.theme import theme
from companion.wording import capital
from tests.screens.rig import Rig
from tests.screens.table import COORDINATE, Table
from tests.screens.ui import Ui

HERE = "2:left:5"
SAID = {"en": "space 5 before Casino 1, left", "fr": "case 5 avant Casino 1, gauche"}


@pytest.fixture
def monaco(panel: Rig, table: Table, language: str) -> Table:
    """A race at Monaco in a language."""
    table.app.choose(language=language)
    table.calm()
    return table


def coordinates(table: Table) -> list[str]:
    return [word.text for word in table.ui.words() if COORDINATE.search(word.text)]


def chosen(ui: Ui, name: str) -> str:
    """Return the space of a value in words, as they stand behind its name; the list is scrolled to it."""
    label = f"{capital(theme.words.word('value', name))} · "
    while not ui.sees(label):
        assert ui.scroll(), ui.screen()
    return next(word.text.removeprefix(label) for word in ui.words() if word.text.startswith(label))


def test_the_line_of_an_override_names_the_place_as_its_title_does(monaco: Table) -> None:
    ui = monaco.ui
    monaco.app.go("override", car=1)
    ui.calm()
    before = chosen(ui, "at")
    ui.tap(icon="plus", beside=before)
    said = chosen(ui, "at")
    assert said != before
    assert len([word for word in ui.words() if said in word.text]) > 1
    assert coordinates(monaco) == []
    ui.audit_both()


def test_danger_spaces_that_were_chosen_have_the_words_of_the_space_on_their_keys(monaco: Table) -> None:
    ui, added = monaco.ui, set()
    monaco.app.go("override")
    ui.calm()
    for _ in range(5):
        while ui.scroll():
            pass
        ui.tap(icon="plus", beside=chosen(ui, "dangers"))
        added.add(chosen(ui, "dangers"))
        ui.tap(icon="check")
    while ui.scroll():
        pass
    assert len(added) == 5
    assert [said for said in added if not ui.offers(said)] == []
    assert coordinates(monaco) == []
    ui.audit_both()


def override_place(table: Table, car: int) -> None:
    """Put a car on a space by the referee's word."""
    assert table.app.playing.seat is not None
    table.app.playing.seat.override({"car": car, "at": HERE}, by="Noor", why="misread")
    table.calm()


def test_a_refused_override_names_the_place(monaco: Table, language: str) -> None:
    """One car is put where another stands: the toast says where that is."""
    for car in (2, 1):
        override_place(monaco, car)
    assert monaco.see(lambda desk: (desk.rulebook.car(2).at, desk.rulebook.car(1).at == HERE)) == (HERE, False)
    assert monaco.ui.sees(SAID[language])
    assert coordinates(monaco) == []


def test_the_log_of_a_race_that_was_kept_names_places(monaco: Table, language: str) -> None:
    """The open race and the kept one say the same of it."""
    override_place(monaco, 2)
    kept: tuple[dict[str, Any], ...] = ({}, {"race": monaco.app.playing.log_id})
    for given in kept:
        if given:
            monaco.app.playing.leave()
            monaco.calm()
        monaco.app.go("sheet", page="log", **given)
        monaco.ui.wait_for(*SAID[language].split(", "))
        assert coordinates(monaco) == []
