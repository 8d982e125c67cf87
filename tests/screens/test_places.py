"""A space is called by its corner, its number and its lane wherever a race at a known board is shown, and never by the
coordinate that files write."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.drivers.sensible import HeuristicDriver
from companion.screens.pages.override import OverrideScreen
from tests.screens.audit import marks
from tests.screens.journey import COORDINATE
from tests.screens.rig import Rig, field_of
from tests.screens.table import Table, a_race, skip

HERE = "2:left:5"


@pytest.fixture
def monaco(panel: Rig, folder: Path, language: str) -> Any:
    table = Table.at_race(panel, folder, lambda: a_race(folder), language=language)
    skip(table, HeuristicDriver(circuits.load("monaco"), 2), lambda asked: asked.ask == "gear")
    yield table
    table.close()


def coordinates(table: Table) -> list[str]:
    return [one.mark.text for one in marks(table.app.stage) if COORDINATE.search(one.mark.text)]


def overriding(table: Table, car: int) -> OverrideScreen:
    table.app.go("override", car=car)
    table.calm()
    screen = table.app.screen
    assert isinstance(screen, OverrideScreen)
    return screen


def test_the_line_of_an_override_names_the_place_as_its_title_does(monaco: Table, language: str) -> None:
    screen = overriding(monaco, 1)
    place = field_of(screen, "at")
    screen.scroll.scroll_to(place, padding=8, animate=False)
    monaco.rig.settle(6)
    monaco.tap(place.made[0, "plus"])
    said = next(key.label for key in place.shown.keys if key.answer == place.value)
    assert screen.change["at"] == place.value
    assert any(said in text for text in monaco.texts() if not text.startswith(place.shown.label)), monaco.texts()
    assert coordinates(monaco) == []
    monaco.ui.audit_both()
    if shown := os.environ.get("PICTURES"):
        monaco.app.choose(theme="daylight")
        monaco.calm()
        monaco.rig.screenshot(Path(shown) / f"override-{language}-{monaco.app.stage.width}.png")


def test_danger_spaces_that_were_chosen_have_the_words_of_the_space_on_their_keys(monaco: Table, language: str) -> None:
    monaco.app.go("override")
    monaco.calm()
    screen: Any = monaco.app.screen
    dangers = field_of(screen, "dangers")
    for part in (0, 2, 2, 1, 0):
        screen.scroll.scroll_y = 0
        monaco.calm()
        monaco.tap(dangers.place.made[part, "plus"])
        monaco.tap(dangers.add)
    screen.scroll.scroll_y = 0
    monaco.calm()
    words = {key.answer: key.label for key in dangers.shown.keys}
    assert len(dangers.value) == len(set(dangers.value)) == 5
    for name in dangers.value:
        assert words[name] != name
        drawn = " ".join(mark.text for mark in dangers.keys[name].marks if mark.kind == "text")
        assert drawn == words[name]
    assert coordinates(monaco) == []
    monaco.ui.audit_both()
    if shown := os.environ.get("PICTURES"):
        monaco.rig.screenshot(Path(shown) / f"dangers-{language}-{monaco.app.stage.width}.png")


def test_a_refused_override_names_the_place(monaco: Table, language: str) -> None:
    """One car is put where another stands: the toast says where that is."""
    seat = monaco.app.playing.seat
    assert seat is not None
    there = monaco.see(lambda desk: desk.rulebook.car(2).at)
    for at, sign in ((HERE, True), (HERE, False)):
        car = 2 if sign else 1
        seat.override({"car": car, "at": at}, by="Noor", why="misread")
        monaco.calm()
    assert monaco.see(lambda desk: (desk.rulebook.car(2).at, desk.rulebook.car(1).at)) != (there, HERE)
    said = {"en": "space 5 before Casino 1, left", "fr": "case 5 avant Casino 1, gauche"}[language]
    assert monaco.ui.sees(said)
    assert coordinates(monaco) == []


def test_the_log_of_a_race_that_was_kept_names_places(monaco: Table, language: str) -> None:
    """The open race and the kept one say the same of it."""
    seat = monaco.app.playing.seat
    assert seat is not None
    seat.override({"car": 2, "at": HERE}, by="Noor", why="misread")
    monaco.calm()
    said = {"en": "space 5 before Casino 1, left", "fr": "case 5 avant Casino 1, gauche"}[language]
    race = monaco.app.playing.log_id
    kept: dict[str, Any]
    for kept in ({}, {"race": race}):
        if kept:
            monaco.app.playing.leave()
            monaco.calm()
        monaco.app.go("sheet", page="log", **kept)
        monaco.until(lambda: said in " ".join(monaco.texts()))
        assert coordinates(monaco) == []
