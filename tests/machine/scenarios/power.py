"""The power comes, and goes."""

from __future__ import annotations

import shutil

from tests.machine.bench import Bench, Fingers
from tests.machine.racing import at_a_gear, begun, carried_out, kept


def power_on(bench: Bench) -> None:
    """From the switch to the first page, and by a finger to the question where the race left off.

    Both are on the display what they are without one."""
    folder = begun(bench.room / "data", at_a_gear)
    with bench.machine(bench.races(folder)) as guest, bench.twin(folder) as twin:
        bench.say(f"booted {guest.booted():.0f} s after power-on")
        bench.say(f"first page, READY, {guest.ready():.0f} s after power-on")
        assert guest.show("companion-screen", "NRestarts") == "0", guest.journal("companion-screen")
        bench.same(guest, twin, "home")
        fingers = Fingers(guest, twin)
        fingers.resume()
        bench.same(guest, twin, "question")


def cut_in_a_race(bench: Bench, cuts: int = 3) -> None:
    """The plug is pulled in the middle of a race by touch, again and again: each time the race is there and goes on,
    with every answer that the display had shown as taken."""
    folder, races = begun(bench.room / "data", at_a_gear), None
    for at in range(cuts):
        races = bench.races(folder)
        with bench.machine(races) as guest, bench.twin(folder) as twin:
            bench.say(f"cut {at + 1}: first page {guest.ready():.0f} s after power-on")
            fingers = Fingers(guest, twin)
            fingers.resume()
            for _ in range(2):
                fingers.answer()
                bench.same(guest, twin, f"cut-{at + 1}")
            known = kept(bench.room / "twin")
            guest.plug_pulled()
        shutil.rmtree(folder)
        found = kept(carried_out(races, folder))
        assert {seq: found.get(seq) for seq in known} == known, f"cut {at + 1} lost what the display had shown"
        bench.say(f"cut {at + 1}: all {len(known)} entries are there")
        shutil.rmtree(bench.room / "twin")
