"""What systemd does with the screen."""

from __future__ import annotations

import time

from tests.machine.bench import Bench
from tests.machine.guest import SCREEN


def waits_for_the_display(bench: Bench) -> None:
    """The screen begins once the display's device is there, given to its group; its first picture is no fault however
    long it takes."""
    with bench.at_home() as (guest, _):
        display = int(guest.show("dev-companion-display.device", "ActiveEnterTimestampMonotonic"))
        begins = int(guest.show(SCREEN, "InactiveExitTimestampMonotonic"))
        is_there = int(guest.show(SCREEN, "ActiveEnterTimestampMonotonic"))
        assert 0 < display <= begins < is_there, (display, begins, is_there)
        assert guest.show(SCREEN, "NRestarts") == "0", guest.journal(SCREEN)
        assert guest.run("stat --format=%G /dev/dri/card0") == "video"
        bench.say(f"display {display / 1e6:.0f} s after the kernel, screen begun {begins / 1e6:.0f} s")
        bench.say(f"its first page {is_there / 1e6:.0f} s, in {(is_there - begins) / 1e6:.0f} s")


def frozen(bench: Bench) -> None:
    """A screen that is killed is started anew, and so is one that stands still for WatchdogSec, however long it takes
    to be there again."""
    with bench.at_home() as (guest, _):
        guest.run(
            f"rm /etc/systemd/system/{SCREEN}.d/guest.conf && systemctl daemon-reload && systemctl restart {SCREEN}"
        )
        assert guest.show(SCREEN, "WatchdogUSec") == "20s"
        guest.run("systemctl service-watchdogs yes")  # off else: a starved machine would be taken for a dead one
        for signal, told in (("KILL", "status=9/KILL"), ("STOP", "Watchdog timeout")):
            before, began = guest.show(SCREEN, "MainPID"), time.monotonic()
            guest.run(f"kill -{signal} {before}")
            guest.wait(lambda before=before: guest.show(SCREEN, "MainPID") not in (before, "0", ""))  # type: ignore[misc]
            guest.wait(lambda: guest.show(SCREEN, "ActiveState") == "active")
            assert told in guest.journal(SCREEN)
            bench.say(f"after SIG{signal}: ready again in {time.monotonic() - began:.0f} s")
        assert guest.show(SCREEN, "NRestarts") == "2"
