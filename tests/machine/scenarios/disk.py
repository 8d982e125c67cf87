"""A disk for the races that has no room left."""

from __future__ import annotations

from tests.machine.bench import Bench, Fingers
from tests.machine.guest import DATA, SCREEN
from tests.machine.racing import carried_out, kept

FILL = f"cd {DATA} && for size in 1M 4k; do dd if=/dev/zero of=filling.$size bs=$size 2>&-; sync; done; df -k ."
"""Nothing is left, not even what the file system keeps for root."""

TITLE = 0.008
"""In parts of all pixels: the machine says "Disk full", its twin "Disk failed"."""


def full_disk(bench: Bench) -> None:
    """On a full disk the table is asked, and the race goes on in memory; once there is room all of it is on the disk.

    Each picture is the one that the twin shows, whose files may get no longer for as long."""
    with bench.at_home() as (guest, twin):
        fingers = Fingers(bench, guest, twin)
        fingers.resume()
        before = kept(twin.folder)
        bench.say(guest.run(FILL).splitlines()[-1])
        twin.room(512)
        fingers.answer(TITLE)
        assert twin.see()["asks"], "the twin is asked nothing"
        bench.same(guest, twin, "full-disk-asked", most=TITLE)
        fingers.tap("In memory")
        fingers.settled()
        for at in (1, 2):
            fingers.answer()
            bench.same(guest, twin, f"full-disk-in-memory-{at}")
        assert kept(twin.folder) == before
        guest.run(f"rm {DATA}/filling.*")
        twin.room()
        twin.until(lambda: not any("not saved" in text for text in twin.see()["texts"]))
        bench.same(guest, twin, "full-disk-room")
        assert guest.show(SCREEN, "NRestarts") == "0", guest.journal(SCREEN)
        guest.plug_pulled()
        entries = kept(carried_out(bench.room / "races.img", bench.room / "after"))
        assert entries == kept(twin.folder)
        bench.say(f"{len(entries) - len(before)} entries of the time without room are on the disk")
