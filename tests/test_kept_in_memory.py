"""An appliance whose races lie in memory, as on a card made read-only: no race begins until somebody says he knows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.commands.main import companion
from companion.protocol import LineReferee
from companion.rules.conversation.errors import NotSaved
from companion.sheets import storage
from companion.sheets.storage import Mount, look
from companion.terminal import prompts

SETUP = {"track": "monaco", "laps": 1, "cars": [{"car": 1}, {"car": 2}]}
CARS = ["race", "--rulebook", "competition", "--track", "monaco", "--laps", "1", "--cars", "Ada, Bob"]


@pytest.fixture
def races(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the races of an appliance; its system is read-only, and what changes lies in memory."""
    folder = tmp_path / "races"
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    monkeypatch.setattr(storage, "mount_of", lambda _: Mount("/", "tmpfs", "overlayroot", ("rw",)))
    return folder


def test_a_table_at_the_terminal_is_asked_once(races: Path) -> None:
    refused = CliRunner().invoke(companion, CARS, input="stop\n")
    assert "lost at power-off" in " ".join(refused.output.split())
    assert "stop here, or go on in memory?" in refused.output
    assert refused.exit_code == 1
    for said in ("memory\nquit\n", "quit\n"):
        went_on = CliRunner().invoke(companion, [*CARS], input=said)
        assert ("lost at power-off" in " ".join(went_on.output.split())) is said.startswith("memory"), "asked once"
        assert "not saved" not in went_on.output
    french = CliRunner().invoke(companion, ["--lang", "fr", "race", "--resume"], input="quit\n")
    assert "mémoire" not in french.output


def test_a_table_at_the_terminal_is_told_in_french(races: Path) -> None:
    told = CliRunner().invoke(companion, ["--lang", "fr", *CARS], input="stop\n")
    assert "sont en mémoire et perdues sans courant" in " ".join(told.output.split())


def test_a_program_says_that_it_knows(races: Path) -> None:
    def said(referee: LineReferee, **line: Any) -> list[dict[str, Any]]:
        return referee.say(json.dumps(line).encode())

    (refused,) = said(LineReferee(folder=races), setup=SETUP)
    assert "lost at power-off" in str(refused["error"])
    assert refused["choices"] == ["stop", "memory"]
    assert "question" in said(LineReferee(folder=races), setup=SETUP, memory=True)[-1]
    assert "question" in said(LineReferee(folder=races), setup=SETUP)[-1], "asked once"


def test_memory_is_a_grave_fault_of_an_appliance_alone(
    races: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert look(races).faults == ("volatile",)
    assert "volatile" in storage.GRAVE
    assert look(tmp_path).faults == ("memory",), "a folder that somebody named is his own affair"
    monkeypatch.delenv("STATE_DIRECTORY")
    assert look(races).faults == ("memory",)


BEGUN: dict[str, list[str]] = {
    "tournament": ["tournament", "new", "Cup night", "--track", "monaco"],
    "season": ["season", "new", "Thursdays", "monaco", "--rulebook", "competition"],
    "trial": ["trial", "--track", "monaco", "--drivers", "14 Vidal, 7 Brun"],
    "hall": ["hall", "open", "Saturday"],
}
"""Every other record that a command begins."""


@pytest.mark.parametrize("kind", BEGUN)
def test_no_record_is_begun_either_until_somebody_says_that_he_knows(
    races: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*words: str, typed: str = "", lang: str = "en") -> Result:
        monkeypatch.setattr(prompts, "is_asked", lambda: bool(typed))
        return CliRunner().invoke(companion, ["--lang", lang, *words], input=typed)

    assert isinstance(run(*BEGUN[kind]).exception, NotSaved), "a script is not asked"
    refused = run(*BEGUN[kind], typed="stop\n", lang="fr")
    assert "sont en mémoire et perdues sans courant" in " ".join(refused.output.split())
    assert refused.exit_code == 1
    assert not (races / "races.db").exists()
    went_on = run(*BEGUN[kind], typed="memory\nquit\n")
    assert "lost at power-off" in " ".join(went_on.output.split())
    assert went_on.exit_code == 0
    assert (races / "races.db").exists()
    again = run(*BEGUN[kind])
    assert "power" not in again.output, "asked once"
    assert again.exit_code == 0


ON: dict[str, list[str]] = {
    "tournament": ["note", "A note"],
    "season": ["note", "A note"],
    "trial": ["time", "14", "1", "17", "1:15.56"],
}
"""What is written into each that is there."""


@pytest.mark.parametrize("kind", ON)
def test_nor_gone_on_with_after_a_start_of_the_machine(races: Path, kind: str) -> None:
    """The record itself may lie where no power takes it, below what changes."""
    begun = CliRunner().invoke(companion, [kind, "--memory", *BEGUN[kind][1:]])
    assert begun.exit_code == 0, begun.output
    assert CliRunner().invoke(companion, [kind, *ON[kind]]).exit_code == 0
    (races / storage.KNOWN).unlink()
    assert isinstance(CliRunner().invoke(companion, [kind, *ON[kind]]).exception, NotSaved)
    changed = [*ON[kind], *(["--why", "put right"] if kind == "trial" else [])]
    assert CliRunner().invoke(companion, [kind, "--memory", *changed]).exit_code == 0
