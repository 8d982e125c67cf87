"""A USB stick named COMPANION, and what becomes of the copies on it."""

from __future__ import annotations

import time
from pathlib import Path

from tests.machine.bench import Bench
from tests.machine.guest import SCREEN, Guest
from tests.machine.host import run
from tests.machine.racing import kept

BACKUP = "companion-backup"
MOUNT = "media-companion.mount"
SLOW = 64 << 10
"""Bytes a second that the stick takes, so that a copy can be caught at it."""


def bought(place: Path) -> Path:
    """A stick as they are sold, given the name."""
    with open(place, "wb") as file:
        file.truncate(64 << 20)
    run("mkfs.vfat", "-n", "COMPANION", place)
    return place


def plug(guest: Guest, stick: Path) -> float:
    """Plugs it in; after how many seconds it is mounted."""
    began = time.monotonic()
    guest.qmp.do("object-add", qom_type="throttle-group", id="slow", limits={"bps-write": SLOW})
    file = {"driver": "raw", "file": {"driver": "file", "filename": str(stick)}}
    guest.qmp.do("blockdev-add", driver="throttle", node_name="stick", throttle_group="slow", file=file)
    guest.qmp.do("device_add", driver="usb-storage", id="stick", drive="stick", bus="usb.0")
    guest.wait(lambda: guest.show(MOUNT, "ActiveState") == "active", 120)
    return time.monotonic() - began


def pull(guest: Guest) -> None:
    """Whatever is being written."""
    guest.qmp.do("device_del", id="stick")
    guest.qmp.until("DEVICE_DELETED")
    guest.qmp.do("blockdev-del", node_name="stick")
    guest.qmp.do("object-del", id="slow")
    guest.wait(lambda: guest.show(BACKUP, "ActiveState") in ("failed", "inactive"), 180)
    guest.wait(lambda: guest.show(MOUNT, "ActiveState") in ("failed", "inactive"), 180)


def copies(guest: Guest) -> list[str]:
    """The whole copies on the stick, by name."""
    return sorted(guest.run("ls /media/companion/companion", must=False).split())


def yanked(bench: Bench) -> None:
    """A stick that is plugged in is mounted and, once it is called ours, given a copy of all races.

    Yanked in the middle of the next copy it keeps the one before; the screen goes on, and the stick is taken again."""
    stick = bought(bench.room / "stick.img")
    with bench.at_home() as (guest, twin):
        bench.say(f"mounted {plug(guest, stick):.0f} s after it was plugged in")
        guest.run("companion stick /media/companion")
        guest.run(f"systemctl start {BACKUP}")
        (first,) = copies(guest)

        guest.run(f"systemctl start --no-block {BACKUP}")
        guest.wait(lambda: ".companion-backup-" in guest.run("ls -a /media/companion/companion"), 120)
        pull(guest)
        bench.say(f"yanked: {guest.journal(BACKUP).splitlines()[-1]}")
        assert guest.show(SCREEN, "NRestarts") == "0"

        plug(guest, stick)
        assert copies(guest)[0] == first, "the copy before is gone"
        guest.run(f"systemctl start {BACKUP}")
        bench.say(f"plugged in again: {len(copies(guest))} copies")
        pull(guest)
    files = bench.room / "copied"
    files.mkdir()
    run("mcopy", "-s", "-i", stick, f"::/companion/{first}", files)
    assert kept(files / first) == kept(twin.folder), "the copy is not what was kept"
