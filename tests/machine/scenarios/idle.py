"""A race that nobody touches, for hours."""

from __future__ import annotations

import time
from typing import NamedTuple

from tests.machine.bench import Bench, Fingers
from tests.machine.guest import DATA, SCREEN, Guest

MINUTE = 60.0
USED = f"""
pid=$(systemctl show --value --property=MainPID {SCREEN})
awk '/^VmRSS/ {{ print $2 }}' /proc/$pid/status
for look in 1 2 3 4 5; do ls /proc/$pid/fd | wc -l; sleep 0.3; done | sort -n | head -n 1
ls /proc/$pid/task | wc -l
awk '{{ print $14 + $15 }}' /proc/$pid/stat
du -ks {DATA} | cut -f1
cut -d. -f1 /proc/uptime
"""


class Used(NamedTuple):
    """What the screen has: kB of memory, files (the least of five looks: one may be open for a moment), threads,
    hundredths of a second of a processor, kB on the disk; and the seconds since the kernel began."""

    memory: int
    files: int
    threads: int
    processor: int
    disk: int
    at: int


def used(guest: Guest) -> Used:
    return Used(*map(int, guest.run(USED).split()))


def idle(bench: Bench) -> None:
    """A race left alone at a question for `--hours` is where it was: the picture, what the screen has, and its ears.

    What it has is told after the first minutes and at the end; it may not have more than a fiftieth more."""
    with bench.at_home() as (guest, twin):
        fingers = Fingers(bench, guest, twin)
        fingers.resume()
        time.sleep(3 * MINUTE)
        first = used(guest)
        end = time.monotonic() + bench.hours * 60 * MINUTE
        while time.monotonic() < end:
            time.sleep(min(10 * MINUTE, max(0.0, end - time.monotonic())))
            bench.same(guest, twin, "idle", told=False)
        last = used(guest)
        share = (last.processor - first.processor) / (last.at - first.at)
        bench.say(f"{(last.at - first.at) / 3600:.2f} h, {share:.1f} % of a processor, of this machine's kind")
        bench.say(f"memory {first.memory} and {last.memory} kB, on the disk {first.disk} and {last.disk} kB")
        bench.say(f"files {first.files} and {last.files}, threads {first.threads} and {last.threads}")
        assert last.memory <= first.memory * 1.02
        assert last.files <= first.files
        assert last.threads <= first.threads
        assert last.disk <= first.disk + 256
        assert guest.show(SCREEN, "NRestarts") == "0", guest.journal(SCREEN)
        fingers.answer()
        bench.same(guest, twin, "idle-answered")
