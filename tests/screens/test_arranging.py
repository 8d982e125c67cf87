"""A race of a season arranged by touch, and who signs what is done; every screen of it is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.desk.organising import begin_season
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.theme import theme
from companion.sheets.records import kept_record
from companion.tournament.season import Season, SeasonBegun, Stage
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
    table.press("arranging.way.substitute")
    typed(table, "Ada")
    assert season(folder).substitutes == {(6, 40): "Ada"}
    assert (screen.now.rows[0].name, screen.now.rows[0].note) == ("Ada", "for Dalton")
    touch(table, screen.rows, 1)
    table.press("arranging.way.absent")
    assert season(folder).missing == {(6, 27)}
    assert (screen.now.rows[-1].number, screen.now.rows[-1].note) == (27, "does not race")
    setup = season(folder).setup(6)
    assert [car["driver"] for car in setup["cars"]][:2] == ["Ada", "Sousa"]  # type: ignore[call-overload,index,union-attr]


@pytest.mark.article("league", "start.grid")
def test_a_grid_is_set_by_hand_with_a_reason(table: Table, folder: Path) -> None:
    screen = table.screen
    before = [row.number for row in screen.now.rows]
    table.press("arranging.way.down")
    table.press("arranging.way.down")
    assert not season(folder).grids, "nothing is settled yet"
    table.tap(screen.main)
    table.press("arranging.grid_reason.penalty")
    grid = season(folder).grids[6]
    assert (list(grid.order), grid.rule, grid.why) == ([*before[1:3], before[0], *before[3:]], "hand", "Penalty")
    table.tap(screen.undo)
    assert not season(folder).grids


def test_a_race_is_moved_and_another_one_is_off(table: Table, folder: Path) -> None:
    screen = table.screen
    table.press("arranging.way.date")
    typed(table, " May")
    table.press("arranging.reason.hall")
    race = season(folder).race(6)
    assert (race.stage.date, race.postponed) == ("6 Jun May", True)
    table.press("arranging.way.circuit")
    assert not audit(screen)
    table.ui.tap("Suzuka")
    table.press("arranging.reason.few")
    assert season(folder).race(6).stage.track == "suzuka"
    table.press("arranging.way.off")
    table.press("arranging.reason.time")
    went(table, "calendar")
    table.ui.tap("6")
    assert season(folder).abandoned == {6: "No time"}
    assert (table.screen.now.question, table.screen.now.note) == ("Race 6 is off", "No time")
    menu(table, "history")
    assert table.screen.now.rows[0].about == "the table · No time"


def test_nothing_happens_until_a_reason_is_said(table: Table, folder: Path) -> None:
    """An empty reason is none; Back leaves all as it was."""
    screen, before = table.screen, len(season(folder).log)
    table.press("arranging.way.off")
    assert screen.rows.disabled
    table.press("arranging.reason.other")
    typed(table, "")
    assert screen.asking.shown is not None
    table.app.back()
    table.wait()
    assert screen.asking.shown is None
    assert table.app.screen is screen
    assert len(season(folder).log) == before


def test_whoever_organises_says_so_and_signs_from_then_on(table: Table, folder: Path) -> None:
    """The name is kept, and offered when the program starts again; until it is said, the table signs."""
    table.press("arranging.way.absent")
    menu(table, "sign")
    typed(table, "Weber")
    table.press("arranging.way.absent")
    assert [one.by for one in season(folder).log[-2:]] == ["table", "Weber"]
    assert SettingsFile(folder).now.referee == "Weber"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_race_without_drivers_is_moved_or_off_and_nothing_else(rig: Rig, tmp_path: Path, lang: str) -> None:
    """A season whose drivers were not entered yet: what wants a driver says nothing and does nothing."""
    calendar = (Stage("monaco"), Stage("spa"))
    begin_season(tmp_path / "empty", SeasonBegun(name="League", calendar=calendar), by="Weber").close()
    SettingsFile(tmp_path / "empty").change(language=lang)
    table = Table(rig, tmp_path / "empty", "calendar")
    try:
        menu(table, "arrange")
        screen = table.screen
        ways = ("up", "down", "substitute", "absent", "date", "circuit", "off")
        offered = [way for way in ways if table.ui.offers(theme.words.screen(f"arranging.way.{way}"))]
        assert offered == ["date", "circuit", "off"]
        assert screen.main.parent is None, "there is no grid of nobody"
        assert not audit(screen)
        table.press("arranging.way.date")
        typed(table, "Mardi")
        table.press("arranging.reason.hall")
        assert season(tmp_path / "empty").race(1).stage.date == "Mardi"
    finally:
        table.app.close()


def test_a_grid_being_set_is_dropped_when_somebody_comes_back(table: Table, folder: Path) -> None:
    """He was absent when the order was begun, and an undo has him race after all."""
    screen = table.screen
    touch(table, screen.rows, 1)
    table.press("arranging.way.absent")
    touch(table, screen.rows, 1)
    table.press("arranging.way.down")
    assert table.ui.sees(theme.words.screen("arranging.ask.grid", race=6))
    table.tap(screen.undo)
    assert table.screen is screen
    assert table.ui.sees(theme.words.screen("arranging.ask.race", race=6))
    assert [row.number for row in screen.now.rows][:3] == [40, 27, 5]


def test_two_reasons_let_go_at_once_are_one(table: Table, folder: Path) -> None:
    table.press("arranging.way.off")
    reasons = [theme.words.screen(f"arranging.reason.{name}") for name in ("hall", "few")]
    fingers = [table.rig.press(*place) for place in [table.ui.where(reason) for reason in reasons]]
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
    table.press("arranging.way.off")
    table.app.press("undo")
    table.wait()
    assert (screen.asking.shown, len(season(folder).log)) == (None, before)
    assert table.screen is screen
    table.app.back()
    table.wait()
    menu(table, "result")
    table.press("table.from_paper")
    table.app.press("confirm")
    table.wait()
    assert table.app.playing.shown is None, "a result is being typed: no race begins"
    assert table.screen.draft is not None
