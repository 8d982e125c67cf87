"""The rule that gives the die-roller's port its name."""

from __future__ import annotations

import re
from pathlib import Path

from hardware.wiring import wiring

RULES = Path(__file__).parent.parent.parent / "systemd" / "70-companion-roller.rules"
KNOWN = {
    "SUBSYSTEM", "ATTRS{idVendor}", "ATTRS{idProduct}", "ATTRS{serial}", "KERNELS", "SYMLINK",
    "ENV{ID_MM_DEVICE_IGNORE}", "GROUP", "MODE", "TAG",
}  # fmt: skip


def test_every_rule_gives_the_name_under_which_the_roller_is_looked_for() -> None:
    lines = [line for line in RULES.read_text(encoding="utf-8").splitlines() if "SUBSYSTEM==" in line]
    assert [line.startswith("#") for line in lines] == [False, True, True], "the Pico's holds as it is"
    rules = [line.lstrip("#") for line in lines]
    for rule in rules:
        parts = [re.fullmatch(r'([A-Z]+(?:\{\w+\})?)(==|\+=|=)"([^"]*)"', part) for part in rule.split(", ")]
        assert all(parts), rule
        found = {part[1]: part[3] for part in parts if part is not None}
        assert set(found) <= KNOWN
        assert f"/dev/{found['SYMLINK'].split()[0]}" == wiring().roller.port
        assert found["ENV{ID_MM_DEVICE_IGNORE}"] == "1", "else ModemManager talks to it first"


def test_two_boards_of_one_kind_have_a_name_each() -> None:
    pico = next(line for line in RULES.read_text(encoding="utf-8").splitlines() if line.startswith("SUBSYSTEM"))
    assert 'SYMLINK+="companion-roller companion-roller-$attr{serial}"' in pico
