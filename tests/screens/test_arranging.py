"""A race of a season arranged by touch, and who signs what is done; every screen of it is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.desk.organising import begin_season
from companion.screens.app.settings import Kept
from companion.sheets.records import kept_record
from companion.tournament.season import Begun, Season, Stage
from tests.screens.audit import audit
from tests.screens.recorded import Table
from tests.screens.test_new_event import menu, touch, went
from tests.screens.test_season import begun
from tests.screens.test_tournament import typed

if TYPE_CHECKING:
    from tests.screens.rig import Rig


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    begun(tmp_path / "data").close()
    return tmp_path / "data"


@pytest.fixture
def table(rig: Rig, folder: Path) -> Iterator[Table]:
    made = Table(rig, folder, "calendar")
    menu(made, "arrange")
    yield made
    made.app.close()


def season(folder: Path) -> Season:
    found = kept_record(folder, "last", "season").record
    assert isinstance(found, Season)
    return found


def test_somebody_else_drives_a_car_and_one_stays_away(table: Table, folder: Path) -> None:
    """Race 6 begins upside down: 40 has pole, and a substitute; 27, second, is absent."""
    screen = table.screen
    assert [row.number for row in screen.now.rows][:3] == [40, 27, 5]
    table.rig.tap(screen.ways["substitute"])
    table.wait()
    typed(table, "Ada")
    assert season(folder).substitutes == {(6, 40): "Ada"}
    assert (screen.now.rows[0].name, screen.now.rows[0].note) == ("Ada", "for Dalton")
    touch(table, screen.rows, 1)
    table.tap(screen.ways["absent"])
    assert season(folder).missing == {(6, 27)}
    assert (screen.now.rows[-1].number, screen.now.rows[-1].note) == (27, "does not race")
    setup = season(folder).setup(6)
    assert [car["driver"] for car in setup["cars"]][:2] == ["Ada", "Sousa"]  # type: ignore[call-overload,index,union-attr]


@pytest.mark.article("league", "start.grid")
def test_a_grid_is_set_by_hand_with_a_reason(table: Table, folder: Path) -> None:
    screen = table.screen
    before = [row.number for row in screen.now.rows]
    table.tap(screen.ways["down"], screen.ways["down"])
    assert not season(folder).grids, "nothing is settled yet"
    table.tap(screen.main)
    table.tap(screen.asking.keys["penalty"])
    grid = season(folder).grids[6]
    assert (list(grid.order), grid.rule, grid.why) == ([*before[1:3], before[0], *before[3:]], "hand", "Penalty")
    table.tap(screen.undo)
    assert not season(folder).grids


def test_a_race_is_moved_and_another_one_is_off(table: Table, folder: Path) -> None:
    screen = table.screen
    table.rig.tap(screen.ways["date"])
    table.wait()
    typed(table, " May")
    table.tap(screen.asking.keys["hall"])
    race = season(folder).race(6)
    assert (race.stage.date, race.postponed) == ("6 Jun May", True)
    table.tap(screen.ways["circuit"])
    assert not audit(screen)
    touch(table, screen.circuits, 0)
    table.tap(screen.asking.keys["few"])
    assert season(folder).race(6).stage.track == screen.circuits.shown[0].answer
    table.tap(screen.ways["off"])
    table.tap(screen.asking.keys["time"])
    went(table, "calendar")
    table.tap(table.screen.tiles[5])
    assert season(folder).abandoned == {6: "No time"}
    assert (table.screen.now.question, table.screen.now.note) == ("Race 6 is off", "No time")
    menu(table, "history")
    assert table.screen.now.rows[0].about == "the table · No time"


def test_nothing_happens_until_a_reason_is_said(table: Table, folder: Path) -> None:
    """An empty reason is none; Back leaves all as it was."""
    screen, before = table.screen, len(season(folder).log)
    table.tap(screen.ways["off"])
    assert screen.rows.disabled
    table.rig.tap(screen.asking.keys["other"])
    table.wait()
    typed(table, "")
    assert screen.asking.shown is not None
    table.app.back()
    table.wait()
    assert screen.asking.shown is None
    assert table.app.screen is screen
    assert len(season(folder).log) == before


def test_whoever_organises_says_so_and_signs_from_then_on(table: Table, folder: Path) -> None:
    """The name is kept, and offered when the program starts again; until it is said, the table signs."""
    table.tap(table.screen.ways["absent"])
    menu(table, "sign")
    typed(table, "Weber")
    table.tap(table.screen.ways["absent"])
    assert [one.by for one in season(folder).log[-2:]] == ["table", "Weber"]
    assert Kept(folder).now.referee == "Weber"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_race_without_drivers_is_moved_or_off_and_nothing_else(rig: Rig, tmp_path: Path, lang: str) -> None:
    """A season whose drivers were not entered yet: what wants a driver says nothing and does nothing."""
    calendar = (Stage("monaco"), Stage("spa"))
    begin_season(tmp_path / "empty", Begun(name="League", calendar=calendar), by="Weber").close()
    Kept(tmp_path / "empty").change(language=lang)
    table = Table(rig, tmp_path / "empty", "calendar")
    try:
        menu(table, "arrange")
        screen = table.screen
        assert [way for way, key in screen.ways.items() if key.on_tap is not None] == ["date", "circuit", "off"]
        assert screen.main.parent is None, "there is no grid of nobody"
        assert not audit(screen)
        table.tap(screen.ways["date"])
        typed(table, "Mardi")
        table.tap(screen.asking.keys["hall"])
        assert season(tmp_path / "empty").race(1).stage.date == "Mardi"
    finally:
        table.app.close()


def test_a_grid_being_set_is_dropped_when_somebody_comes_back(table: Table, folder: Path) -> None:
    """He was absent when the order was begun, and an undo has him race after all."""
    screen = table.screen
    touch(table, screen.rows, 1)
    table.tap(screen.ways["absent"])
    touch(table, screen.rows, 1)
    table.tap(screen.ways["down"])
    assert 27 not in screen.order
    table.tap(screen.undo)
    assert table.screen is screen
    assert (screen.order, [row.number for row in screen.now.rows][:3]) == ([], [40, 27, 5])


def test_two_reasons_let_go_at_once_are_one(table: Table, folder: Path) -> None:
    table.tap(table.screen.ways["off"])
    keys = table.screen.asking.keys
    fingers = [table.rig.press(keys[reason]) for reason in ("hall", "few")]
    for finger in fingers:
        finger.up()
    went(table, "calendar")
    found = season(folder)
    assert (found.race(6).state, found.log[-1].act.why) == ("abandoned", "Hall taken")
    assert [one.act.why for one in found.log].count("Too few") == 0


def test_a_button_does_no_more_than_a_finger_could(table: Table, folder: Path) -> None:
    """Where the key that it stands for is not there, or lies under what is asked, nothing is done."""
    before = len(season(folder).log)
    screen = table.screen
    assert screen.main.parent is None, "the grid is settled: there is no key for it"
    table.app.press("confirm")
    table.wait()
    assert (screen.asking.shown, len(season(folder).log)) == (None, before)
    table.tap(screen.ways["off"])
    table.app.press("undo")
    table.wait()
    assert (screen.asking.shown, len(season(folder).log)) == (None, before)
    assert table.screen is screen
    table.app.back()
    table.wait()
    menu(table, "result")
    table.tap(table.screen.paper)
    table.app.press("confirm")
    table.wait()
    assert table.app.playing.shown is None, "a result is being typed: no race begins"
    assert table.screen.draft is not None
