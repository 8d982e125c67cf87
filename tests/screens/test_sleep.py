"""The screen sleeps: dim, then black, and back by a touch, a button or a roll, none of which says anything else."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.desk.beginning import begin_race
from companion.screens.app import backlight
from tests.screens.rig import Rig
from tests.screens.test_ui import answer
from tests.screens.ui import Ui

MINUTE = 60.0
Opened = Callable[..., Ui]


@pytest.fixture
def panel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A panel whose light Linux can set."""
    light = tmp_path / "lights/10-0045"
    light.mkdir(parents=True)
    (light / "max_brightness").write_text("255")
    (light / "brightness").write_text("204")
    monkeypatch.setattr(backlight.shine, "__defaults__", (light.parent,))
    return light / "brightness"


@pytest.fixture
def opened(rig: Rig, folder: Path) -> Iterator[Opened]:
    """Opens the app with settings of the table."""
    made: list[Ui] = []

    def open_(**settings: object) -> Ui:
        made.append(Ui(rig, folder, **settings))
        return made[-1]

    yield open_
    for ui in made:
        ui.close()


def rest(ui: Ui, minutes: float) -> None:
    """Nobody does anything for so long."""
    ui.rig.stall(minutes * MINUTE)
    ui.rig.settle(3)


def touch(ui: Ui, x: float = 400, y: float = 240) -> None:
    ui.rig.tap(x, y)
    ui.calm()


def is_black(ui: Ui) -> bool:
    return not any(ui.rig.pixels())


def test_it_dims_then_is_black_and_a_touch_wakes_it_that_answers_nothing(opened: Opened, panel: Path) -> None:
    ui = opened(dim_minutes=5, sleep_minutes=10, brightness=80)
    for _ in range(2):
        rest(ui, 4.9)
        assert panel.read_text() == "204"
        touch(ui, y=20)  # from here on the time counts anew
    rest(ui, 5.1)
    assert panel.read_text() == str(round(255 * 0.24)), "30 % of 80 %"
    assert ui.sees("New race"), "a dimmed panel shows the picture"
    rest(ui, 5)
    assert panel.read_text() == "1", "a panel that is off could not be woken by touch"
    assert is_black(ui)
    assert not ui.sees("New race")
    touch(ui)
    assert panel.read_text() == "204", "the brightness that was set"
    assert ui.sees("New race")
    assert not is_black(ui)
    ui.tap("New race")
    ui.wait_for("Beginner")


def test_the_touch_that_wakes_taps_no_key_that_lies_beneath(opened: Opened, panel: Path) -> None:
    ui = opened(sleep_minutes=10)
    word = next(word for word in ui.words() if word.text == "New race")
    rest(ui, 10.1)
    for _ in range(2):  # nor does the second touch of a double tap
        ui.rig.tap(word.box.x + 5, word.box.y + 5)
    ui.calm()
    assert ui.sees("New race")
    assert not ui.sees("Beginner")


@pytest.mark.parametrize("setting", ["dim_minutes", "sleep_minutes"])
def test_without_a_panel_to_dim_the_picture_is_veiled(
    opened: Opened, setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlight.shine, "__defaults__", (tmp_path / "nothing",))
    ui = opened(**{setting: 3})
    bright = sum(ui.rig.pixels())
    rest(ui, 3.1)
    dim = sum(ui.rig.pixels())
    assert dim < 0.8 * bright
    assert is_black(ui) is (setting == "sleep_minutes")
    touch(ui)
    assert sum(ui.rig.pixels()) == bright


def test_a_table_that_wants_none_never_sleeps(opened: Opened, panel: Path) -> None:
    ui = opened()
    rest(ui, 24 * 60)
    assert panel.read_text() == "204"
    assert ui.sees("New race")


def test_a_button_wakes_it_and_does_nothing_else(opened: Opened, panel: Path) -> None:
    ui = opened(sleep_minutes=10)
    ui.tap("New race")
    ui.wait_for("Beginner")
    rest(ui, 10.1)
    assert is_black(ui)
    ui.app.press("undo")
    ui.calm()
    assert ui.sees("Beginner")
    ui.app.press("undo")
    ui.calm()
    assert ui.sees("New race")


@pytest.fixture
def rolling(folder: Path) -> Path:
    """A race whose first question is a roll of the grid."""
    cars = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]
    begin_race({"track": "monaco", "rulebook": "beginner", "cars": cars}, "monaco", folder, name="Evening").close()
    return folder


def test_a_roll_wakes_it_and_counts(rolling: Path, opened: Opened, panel: Path) -> None:
    from companion.screens.app.table_hardware import AppAccess

    ui = opened(sleep_minutes=10)
    ui.tap("Resume")
    ui.wait_for("Grid: roll black")
    rest(ui, 10.1)
    assert is_black(ui)
    AppAccess(ui.app).rolled(17, "20", -1)
    ui.calm()
    assert not is_black(ui)
    ui.wait_for("17")


def test_it_stays_awake_while_the_shot_clock_runs(rolling: Path, opened: Opened, panel: Path) -> None:
    ui = opened(sleep_minutes=1, shot_clock=300)
    ui.tap("Resume")
    ui.wait_for("Grid: roll black")
    chance = random.Random(4)
    while not ui.sees("Start: roll black") and not ui.sees("1st"):
        answer(ui, chance)
    for _ in range(3):
        rest(ui, 1.1)
        assert not is_black(ui)
    ui.app.press("pause")
    rest(ui, 1.1)
    assert is_black(ui)


def test_a_dimmed_panel_does_not_flash_on_its_way_to_black(
    opened: Opened, panel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ui = opened(dim_minutes=5, sleep_minutes=10)
    rest(ui, 5.1)
    shone: list[int] = []
    monkeypatch.setattr(backlight, "shine", lambda percent: bool(shone.append(percent)) or True)
    rest(ui, 5)
    assert shone == [0]
