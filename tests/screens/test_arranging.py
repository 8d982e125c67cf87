"""A race of a season arranged by touch, and who signs what is done; every screen of it is looked at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.desk.organising import begin_season
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.theme import theme
from companion.sheets.records import kept_record
from companion.tournament.season import Season, SeasonBegun, Stage
from companion.view.shown import Toast
from tests.screens.test_new_event import menu
from tests.screens.test_season import begun
from tests.screens.ui import Ui

if TYPE_CHECKING:
    from tests.screens.rig import Rig


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    begun(tmp_path / "data").close()
    return tmp_path / "data"


@pytest.fixture
def ui(folder: Path, open_at: Callable[..., Ui]) -> Ui:
    """A person who arranges race 6."""
    made = open_at("calendar")
    menu(made, "arrange")
    return made


def season(folder: Path) -> Season:
    found = kept_record(folder, "last", "season").record
    assert isinstance(found, Season)
    return found


def toast() -> Toast:
    """Return a toast of several lines, with a key."""
    told = "The program drives the car of Ada Lovelace-Byron of the Royal Automobile Club from now on."
    return Toast(text=told, icon="check", action="log", action_label="Log")


def reads(ui: Ui, *rows: str) -> bool:
    """Return whether there are rows that begin like that: "1 40 Dalton"."""
    return all(ui.places(row) for row in rows)


def pressed(ui: Ui, *ways: str) -> None:
    """Tap keys of the screen, one after the other."""
    for way in ways:
        ui.tap(theme.words.screen(f"arranging.{way}"))


def test_somebody_else_drives_a_car_and_one_stays_away(ui: Ui, folder: Path) -> None:
    """Race 6 begins upside down: 40 has pole, and a substitute; 27, second, is absent."""
    assert reads(ui, "1 40 Dalton", "2 27 Keller", "3 5 Sousa")
    pressed(ui, "way.substitute")
    ui.type("Ada")
    assert season(folder).substitutes == {(6, 40): "Ada"}
    assert ui.places(also="1 40 Ada for Dalton")
    pressed(ui, "way.substitute")
    ui.type("")
    assert season(folder).substitutes == {}, "he drives himself"
    pressed(ui, "way.substitute")
    ui.type("Ada")
    ui.tap("Keller")
    pressed(ui, "way.absent")
    assert season(folder).missing == {(6, 27)}
    ui.scroll()
    rows = [(x, y) for x, y in ui.places(below="Race 6") if x < 500 and y < 380]
    assert ui.places(also="27 Keller does not race") == rows[-1:]
    setup = season(folder).setup(6)
    assert [car["driver"] for car in setup["cars"]][:2] == ["Ada", "Sousa"]  # type: ignore[call-overload,index,union-attr]


@pytest.mark.article("league", "start.grid")
def test_a_grid_is_set_by_hand_with_a_reason(ui: Ui, folder: Path) -> None:
    assert [ui.offers(way) for way in ("Up", "Down")] == [False, True]
    ui.tap("Brun")
    assert [ui.offers(way) for way in ("Up", "Down")] == [True, False], "the last one"
    ui.scroll(start=True)
    ui.tap("Dalton")
    pressed(ui, "way.down", "way.down")
    assert reads(ui, "1 27 Keller", "2 5 Sousa", "3 40 Dalton")
    assert not season(folder).grids, "nothing is settled yet"
    pressed(ui, "grid", "grid_reason.penalty")
    grid = season(folder).grids[6]
    assert (list(grid.order[:4]), grid.rule, grid.why) == ([27, 5, 40, 3], "hand", "Penalty")
    assert ui.sees("Arrange race 6"), "it is settled"
    ui.tap("Undo")
    assert not season(folder).grids


@pytest.mark.usefixtures("folder")
def test_a_toast_covers_no_words_of_keys_that_wait_for_a_reason(open_at: Callable[..., Ui]) -> None:
    """It goes to the foot of the list, though that waits, too."""
    ui = open_at("calendar", "fr")
    menu(ui, "arrange")
    ui.tap("Dalton")
    pressed(ui, "way.down", "grid")
    ui.app.tell(toast())
    ui.rig.wait(0.2)
    ui.audit()


def test_a_race_is_moved_and_another_one_is_off(ui: Ui, folder: Path) -> None:
    pressed(ui, "way.date")
    ui.type(" May")
    pressed(ui, "reason.hall")
    race = season(folder).race(6)
    assert (race.stage.date, race.postponed) == ("6 Jun May", True)
    pressed(ui, "way.circuit")
    ui.audit()
    ui.tap("Suzuka")
    pressed(ui, "reason.few")
    assert season(folder).race(6).stage.track == "suzuka"
    pressed(ui, "way.off", "reason.time")
    ui.calm()
    ui.tap("6")
    assert season(folder).abandoned == {6: "No time"}
    assert ui.sees("Race 6 is off", "No time")
    menu(ui, "history")
    assert ui.sees("the table · No time")


def test_nothing_happens_until_a_reason_is_said(ui: Ui, folder: Path) -> None:
    """An empty reason is none; Back leaves all as it was."""
    before = len(season(folder).log)
    pressed(ui, "way.off")
    assert not ui.offers("Keller")
    pressed(ui, "reason.other")
    assert ui.sees("nothing written yet"), "and Done waits"
    ui.app.back()  # from the keyboard
    ui.calm()
    assert ui.sees("Why is race 6 off?")
    ui.app.back()
    ui.calm()
    assert ui.sees("Arrange race 6")
    assert ui.offers("Keller")
    assert len(season(folder).log) == before


def test_whoever_organises_says_so_and_signs_from_then_on(ui: Ui, folder: Path) -> None:
    """The name is kept, and offered when the program starts again; until it is said, the table signs."""
    pressed(ui, "way.absent")
    menu(ui, "sign")
    ui.type("Weber")
    pressed(ui, "way.absent")
    assert [one.by for one in season(folder).log[-2:]] == ["table", "Weber"]
    assert SettingsFile(folder).now.referee == "Weber"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_race_without_drivers_is_moved_or_off_and_nothing_else(rig: Rig, tmp_path: Path, lang: str) -> None:
    """A season whose drivers were not entered yet: what wants a driver says nothing and does nothing."""
    calendar = (Stage("monaco"), Stage("spa"))
    begin_season(tmp_path, SeasonBegun(name="League", calendar=calendar), by="Weber").close()
    ui = Ui(rig, tmp_path, language=lang)
    ui.app.go("calendar")
    ui.calm()
    menu(ui, "arrange")
    ways = ("up", "down", "substitute", "absent", "date", "circuit", "off")
    offered = [way for way in ways if ui.offers(theme.words.screen(f"arranging.way.{way}"))]
    assert offered == ["date", "circuit", "off"]
    assert not ui.sees(theme.words.screen("arranging.grid")), "there is no grid of nobody"
    ui.audit()
    pressed(ui, "way.date")
    ui.type("Mardi")
    pressed(ui, "reason.hall")
    assert season(tmp_path).race(1).stage.date == "Mardi"
    ui.close()


def test_a_grid_being_set_is_dropped_when_somebody_comes_back(ui: Ui, folder: Path) -> None:
    """He was absent when the order was begun, and an undo has him race after all."""
    ui.tap("Keller")
    pressed(ui, "way.absent")
    ui.tap("Sousa")
    pressed(ui, "way.down")
    assert ui.sees("This grid?")
    ui.tap("Undo")
    assert ui.sees("Arrange race 6")
    assert reads(ui, "1 40 Dalton", "2 27 Keller", "3 5 Sousa")


def test_two_reasons_let_go_at_once_are_one(ui: Ui, folder: Path) -> None:
    pressed(ui, "way.off")
    fingers = [ui.rig.press(*ui.where(reason)) for reason in ("Hall taken", "Too few")]
    for finger in fingers:
        finger.up()
    ui.calm()
    found = season(folder)
    assert (found.race(6).state, found.log[-1].act.why) == ("abandoned", "Hall taken")
    assert [one.act.why for one in found.log].count("Too few") == 0


def test_a_button_does_no_more_than_a_finger_could(ui: Ui, folder: Path) -> None:
    """Where the key that it stands for is not there, or lies under what is asked, nothing is done."""

    before = len(season(folder).log)
    for name, way in (("confirm", ""), ("undo", "way.off")):
        pressed(ui, *filter(None, [way]))
        ui.app.press(name)
        ui.calm()
        assert ui.sees("Arrange race 6"), "nothing is asked"
        assert len(season(folder).log) == before
    ui.app.back()
    ui.calm()
    menu(ui, "result")
    ui.tap(theme.words.screen("table.from_paper"))
    read = ui.text()
    ui.app.press("confirm")
    ui.calm()
    assert ui.text() == read, "a result is being typed: no race begins"
