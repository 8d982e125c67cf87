"""The power comes, and goes."""

from __future__ import annotations

import shutil
import time
from random import Random

from tests.machine.bench import CLOCK, Bench, Fingers
from tests.machine.guest import DATA, Guest
from tests.machine.racing import at_a_gear, begun, carried_out, kept
from tests.screens.appliance import Appliance

OVERLAY = "overlayroot=tmpfs"
"""What raspi-config writes for a read-only system."""


def power_on(bench: Bench) -> None:
    """From the switch to the first page, and by a finger to the question where the race left off.

    Both are on the display what they are without one."""
    folder = begun(bench.room / "data", at_a_gear)
    with bench.machine(bench.races(folder)) as guest, bench.twin(folder) as twin:
        bench.say(f"booted {guest.booted():.0f} s after power-on")
        bench.say(f"first page, READY, {guest.ready():.0f} s after power-on")
        assert guest.show("companion-screen", "NRestarts") == "0", guest.journal("companion-screen")
        bench.same(guest, twin, "home", most=CLOCK)
        fingers = Fingers(bench, guest, twin)
        fingers.resume()
        bench.same(guest, twin, "question")


def cuts(bench: Bench) -> None:
    """The plug is pulled twenty times in the middle of a race by touch, each time in the middle of an answer.

    All that the display had shown as taken is on the disk, once that is mended as a boot mends it."""
    drawn, more = Random(), 0
    for at in range(1, 21):
        with bench.at_home() as (guest, twin):
            shown, found = cut(bench, guest, twin, drawn, f"cut {at}")
            more += len(found) - len(shown)
    bench.say(
        f"nothing lost; {more} of the 20 last answers had come to the disk, and no picture of them to the display"
    )


def cut_and_booted(bench: Bench) -> None:
    """The plug is pulled in the middle of an answer, and the machine switched on again: the race goes on."""
    folder, drawn = begun(bench.room / "data", at_a_gear), Random()
    races = bench.races(folder)
    with bench.machine(races) as guest, bench.twin(folder) as twin:
        guest.ready()
        cut(bench, guest, twin, drawn, "cut")
    with bench.machine(races) as guest, bench.twin(bench.room / "after") as twin:
        bench.say(f"switched on again: first page {guest.ready():.0f} s after power-on")
        cut(bench, guest, twin, drawn, "cut again")


def read_only(bench: Bench) -> None:
    """Under a read-only system as raspi-config makes it, a race on its partition goes on after the plug was pulled."""
    folder, drawn = begun(bench.room / "data", at_a_gear), Random()
    races = bench.races(folder)
    for name, before in (("read-only", folder), ("read-only, restarted", bench.room / "before")):
        if before != folder:
            shutil.move(bench.room / "after", before)
        with bench.machine(races, words=OVERLAY) as guest, bench.twin(before) as twin:
            bench.say(f"{name}: first page {guest.ready():.0f} s after power-on")
            assert guest.run("findmnt -n -o SOURCE,FSTYPE /").split() == ["overlayroot", "overlay"]
            assert guest.run(f"findmnt -n -o FSTYPE {DATA}").strip() == "ext4"
            assert "memory" not in guest.run(f"cat {DATA}/companion.log")
            cut(bench, guest, twin, drawn, name)


def cut(bench: Bench, guest: Guest, twin: Appliance, drawn: Random, name: str) -> tuple[dict[int, str], dict[int, str]]:
    """Plays on by touch, and pulls the plug in the middle of an answer: what had been shown, and what is found."""
    fingers = Fingers(bench, guest, twin)
    fingers.resume()
    for _ in range(drawn.randint(1, 3)):
        fingers.answer()
        bench.same(guest, twin, name.replace(" ", "-"))
    shown = kept(twin.folder)
    fingers.at(*twin.do("place", n=twin.see()["n"]))
    time.sleep(after := drawn.uniform(0, 1))
    guest.plug_pulled()
    shutil.rmtree(bench.room / "after", ignore_errors=True)
    found = kept(carried_out(bench.room / "races.img", bench.room / "after"))
    assert {seq: found.get(seq) for seq in shown} == shown, f"{name} lost what the display had shown"
    bench.say(f"{name}: {after:.2f} s after a finger; {len(shown)} entries were shown, {len(found)} are there")
    return shown, found
