"""A clock that is wrong by half a century."""

from __future__ import annotations

import time

from tests.machine.bench import Bench, Fingers
from tests.machine.guest import SCREEN
from tests.machine.racing import carried_out, kept


def clock(bench: Bench) -> None:
    """A machine without a network wakes up in 1970: the race goes on, and so it does when the clock comes right."""
    with bench.at_home() as (guest, twin):
        guest.run("date -s @3600")
        guest.run(f"systemctl restart {SCREEN}")
        bench.shown(guest, "1970-home")
        fingers = Fingers(bench, guest, twin)
        fingers.resume()
        fingers.answer()
        bench.same(guest, twin, "1970-answered")
        guest.run(f"date -s @{time.time():.0f}")
        fingers.answer()
        bench.same(guest, twin, "2026-answered")
        assert guest.show(SCREEN, "ActiveState") == "active", guest.journal(SCREEN)
        guest.run("sync")
        guest.plug_pulled()
        known, found = kept(twin.folder), kept(carried_out(bench.room / "races.img", bench.room / "after"))
        assert found == known
