"""The screen that the program draws on is chosen by its connector, whatever number its card has at this boot."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.commands.main import main
from companion.screens.app import connectors, launch
from companion.screens.app.connectors import choose_connector, describe_connectors, find_connectors

Machine = Callable[..., None]
CARD = "SDL_KMSDRM_DEVICE_INDEX"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """Make a machine of the states of its connectors, by the kernel's names; no card of it can really be drawn on."""
    monkeypatch.setattr(connectors, "SYSTEM", tmp_path / "sys")
    monkeypatch.setattr(launch, "CARDS", tmp_path / "dri")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", CARD):
        monkeypatch.setenv(name, "")  # so that it is taken back in the end
        monkeypatch.delenv(name)
    before = list(logging.getLogger().handlers)

    def make(**states: str) -> None:
        for card in ("card0", "renderD128"):
            (tmp_path / "sys" / card).mkdir(parents=True)
        (tmp_path / "dri").mkdir()
        (tmp_path / "sys/version").write_text("drm 1.1.0 20060810\n")
        for number, (name, state) in enumerate(states.items(), 33):
            folder = tmp_path / "sys" / name.replace("_", "-")
            folder.mkdir()
            (folder / "status").write_text(f"{state}\n")
            (folder / "connector_id").write_text(f"{number}\n")
            (tmp_path / "dri" / folder.name.partition("-")[0]).touch()

    yield make
    for handler in set(logging.getLogger().handlers) - set(before):
        logging.getLogger().removeHandler(handler)
        handler.close()


PI_5 = {"card2_DSI_2": "connected", "card1_HDMI_A_1": "connected", "card1_HDMI_A_2": "disconnected",
        "card1_Writeback_1": "unknown"}  # fmt: skip
"""The panel is a card of its own, and HDMI the other."""
PI_5_NEXT_BOOT = {name.translate({ord("1"): "2", ord("2"): "1"}): state for name, state in PI_5.items()}
PI_4 = {"card1_HDMI_A_1": "connected", "card1_HDMI_A_2": "disconnected", "card1_DSI_1": "connected"}
"""HDMI and the panel share a card."""
NO_PANEL = {"card0_HDMI_A_1": "disconnected", "card0_HDMI_A_2": "connected", "card0_DSI_1": "disconnected"}
PC = {"card0_Virtual_1": "connected"}
TEN = {"card10_Composite_1": "connected", "card9_HDMI_A_1": "connected"}


@pytest.mark.parametrize(
    ("states", "wanted", "name", "card"),
    [
        (PI_5, "", "DSI-2", "2"),
        (PI_5_NEXT_BOOT, "", "DSI-1", "1"),
        (PI_5, "HDMI-A-1", "HDMI-A-1", "1"),
        (PI_5, "HDMI-A-2", "DSI-2", "2"),  # nothing is plugged in there
        (PI_4, "", "DSI-1", "1"),
        (NO_PANEL, "", "HDMI-A-2", "0"),
        (PC, "", "Virtual-1", "0"),
        (TEN, "", "HDMI-A-1", "9"),
        (TEN, "Composite-1", "Composite-1", "10"),
    ],
)
def test_the_panel_is_drawn_on_then_hdmi_unless_the_table_names_another(
    states: dict[str, str], wanted: str, name: str, card: str, machine: Machine
) -> None:
    machine(**states)
    chosen = choose_connector(find_connectors(), wanted)
    assert chosen is not None
    assert (chosen.name, chosen.device) == (name, f"card{card}")
    launch.choose_screen(wanted)
    assert os.environ[CARD] == card


def test_a_card_that_the_environment_names_stays(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(**PI_5)
    monkeypatch.setenv(CARD, "1")
    launch.choose_screen()
    assert os.environ[CARD] == "1"


@pytest.mark.parametrize(("wanted", "left"), [("HDMI-A-1", "None"), ("DSI-1", "805240833"), ("", "805240833")])
def test_of_two_screens_at_one_card_the_window_is_put_on_the_chosen_one(
    wanted: str, left: str, machine: Machine
) -> None:
    """A Pi 4 counts HDMI before the panel. SDL's place for its second display is 0x2FFF0001."""
    machine(**PI_4)
    nth = launch.choose_screen(wanted)
    code = (
        f"from companion.screens.app.launch import prepare; prepare('panel', nth={nth})\n"
        "from kivy.config import Config; told = dict(Config.items('graphics'))\n"
        "print(told['left'] if told['position'] == 'custom' else None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{left}\n"


LOOSE = {"card1_DSI_1": "disconnected", "card1_HDMI_A_1": "disconnected", "card1_HDMI_A_2": "unknown",
         "card1_Writeback_1": "unknown"}  # fmt: skip


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            "No screen is connected (DSI-1 disconnected, HDMI-A-1 disconnected, HDMI-A-2 unknown); look at both ends",
        ),
        (
            "fr",
            "Aucun écran n’est branché (DSI-1 débranché, HDMI-A-1 débranché, HDMI-A-2 inconnu)\u00a0; vérifiez",
        ),
    ],
)
def test_a_loose_ribbon_is_told_by_the_command_as_such(
    lang: str, said: str, machine: Machine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the appliance standard error is the journal."""
    machine(**LOOSE)
    with pytest.raises(SystemExit) as ended:
        main(["--lang", lang, "--data", str(tmp_path / "data")])
    assert ended.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(said)
    again = f"--data {tmp_path / 'data'}" + (" --lang fr" if lang == "fr" else "")
    assert f"companion {again} race" in line
    log = (tmp_path / "data/companion.log").read_text()
    assert "connectors: DSI-1 disconnected, HDMI-A-1 disconnected, HDMI-A-2 unknown\n" in log


def test_a_screen_that_the_settings_name_is_drawn_on(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(**PI_5)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/settings.toml").write_text('connector = "HDMI-A-1"\n')

    def prepare(*_: object, **__: object) -> None:
        raise launch.NoDisplay(f"card {os.environ[CARD]}")

    monkeypatch.setattr(launch, "prepare", prepare)
    with pytest.raises(launch.NoDisplay, match=r"^card 1$"):
        launch.run(tmp_path / "data", "en")


def test_what_linux_does_not_tell_is_no_connector(tmp_path: Path) -> None:
    (tmp_path / "card0-DSI-1").mkdir()
    assert find_connectors(tmp_path) == find_connectors(tmp_path / "nowhere") == []
    assert describe_connectors([]) == ""
    assert choose_connector([]) is None
