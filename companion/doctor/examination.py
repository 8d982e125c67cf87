"""All checks of a machine, within a time limit: none that hangs keeps the others from being told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.doctor import disk, display, parts, system
from companion.doctor.findings import CHECKS, CheckName, CheckResult, Found, Wired
from companion.doctor.machine import Machine
from companion.rules.conversation.errors import CompanionError
from companion.sheets.storage import Storage, look

PATIENCE_SECONDS: Final = 8.0
"""Time limit of all checks together, in seconds; a failing disk may take for ever."""


def examine(
    machine: Machine,
    folder: Path,
    wired: Wired,
    patience: float = PATIENCE_SECONDS,
    looked: Callable[[Storage], object] = lambda _: None,
) -> Found:
    """Run every check of the machine, each in its own thread.

    The races are in `folder`; `looked` is called with the state of the disk, in a check's thread. A check that fails or
    does not end in time is a finding as well.
    """
    found: dict[CheckName, CheckResult] = {}

    def look_at_disk() -> tuple[CheckResult, ...]:
        storage = look(folder, whole=True)
        looked(storage)
        return (
            disk.check_disk(storage, folder), disk.check_room(storage), disk.check_database(storage, folder),
        )  # fmt: skip

    checks: dict[tuple[CheckName, ...], Callable[[], tuple[CheckResult, ...]]] = {
        ("screen",): lambda: (display.check_screen(machine, display.wanted_connector(folder)),),
        ("panel",): lambda: (display.check_panel(machine),),
        ("touch",): lambda: (display.check_touch(machine),),
        ("sound",): lambda: (display.check_sound(machine),),
        ("groups",): lambda: (parts.check_groups(machine),),
        ("pins",): lambda: (parts.check_pins(machine, wired),),
        ("roller",): lambda: (parts.check_roller(machine, wired),),
        ("disk", "room", "database"): look_at_disk,
        ("radio",): lambda: (system.check_radio(machine, folder),),
        ("clock",): lambda: (system.check_clock(machine, folder),),
        ("power",): lambda: (system.check_power(machine),),
        ("memory",): lambda: (system.check_memory(machine),),
        ("program",): lambda: (system.check_program(machine),),
        ("system",): lambda: (system.check_system(machine),),
    }

    def run(names: tuple[CheckName, ...], check: Callable[[], tuple[CheckResult, ...]]) -> None:
        try:
            done = check()
        except OSError as wrong:
            why = CompanionError("system_refuses", path=wrong.filename or folder, why=wrong.strerror or wrong)
            done = tuple(CheckResult(name, "bad", "failed", error=why) for name in names)
        found.update({one.check: one for one in done})

    threads = [threading.Thread(target=run, args=each, daemon=True) for each in checks.items()]
    end = time.monotonic() + patience
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    done = dict(found)
    return tuple(done.get(name) or CheckResult(name, "bad", "late", {"seconds": round(patience)}) for name in CHECKS)
