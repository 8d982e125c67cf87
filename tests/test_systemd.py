"""The unit that puts the terminal referee on a console."""

from __future__ import annotations

import configparser
from pathlib import Path

from companion.cli import COMMANDS

UNIT = Path(__file__).parent.parent / "systemd" / "companion-console.service"


def test_the_console_unit_starts_a_command_that_exists_and_keeps_its_races() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(UNIT, encoding="utf-8")
    program, command = unit["Service"]["ExecStart"].split()
    assert program.endswith("/.venv/bin/companion")
    assert command in COMMANDS
    assert unit["Service"]["StateDirectory"] == "companion"
    assert unit["Service"]["TTYPath"].removeprefix("/dev/") in unit["Unit"]["Conflicts"]
