"""A USB stick named COMPANION, and what becomes of the copies on it."""

from __future__ import annotations

import time
from pathlib import Path

from tests.machine.bench import Bench
from tests.machine.guest import SCREEN, Guest
from tests.machine.host import Hindered, run
from tests.machine.racing import kept

BACKUP = "companion-backup"
MOUNT = "media-companion.mount"
FOLDER = "/media/companion"
UNDONE = ".companion-backup-"
SLOW = 64 << 10
"""Bytes a second that a stick takes, so that a copy can be caught at it."""


def bought(place: Path, kind: str = "vfat", size: int = 64 << 20) -> Path:
    """A stick as they are sold, given the name."""
    with open(place, "wb") as file:
        file.truncate(size)
    run(f"mkfs.{kind}", "-n" if kind == "vfat" else "-L", "COMPANION", place)
    return place


def put_in(guest: Guest, stick: Path, rate: int = 64 << 20) -> None:
    """Plugs it in, a stick that takes so many bytes a second; its file's name is its own."""
    name = stick.stem
    guest.qmp.do("object-add", qom_type="throttle-group", id=f"slow-{name}", limits={"bps-write": rate})
    file = {"driver": "raw", "file": {"driver": "file", "filename": str(stick)}}
    guest.qmp.do("blockdev-add", driver="throttle", node_name=name, throttle_group=f"slow-{name}", file=file)
    guest.qmp.do("device_add", driver="usb-storage", id=name, drive=name, bus="usb.0")


def plug(guest: Guest, stick: Path, rate: int = 64 << 20) -> float:
    """Plugs it in; after how many seconds it is mounted."""
    began = time.monotonic()
    put_in(guest, stick, rate)
    guest.wait(lambda: guest.show(MOUNT, "ActiveState") == "active", 120)
    return time.monotonic() - began


def pull(guest: Guest, stick: Path) -> None:
    """Whatever is being written."""
    name = stick.stem
    guest.qmp.do("device_del", id=name)
    guest.qmp.until("DEVICE_DELETED")
    guest.wait(lambda: released(guest, name), 120)
    guest.qmp.do("object-del", id=f"slow-{name}")
    guest.wait(lambda: guest.show(BACKUP, "ActiveState") in ("failed", "inactive"), 180)


def released(guest: Guest, name: str) -> bool:
    """Whether qemu has let the file go: what the stick was still writing, it writes first."""
    try:
        guest.qmp.do("blockdev-del", node_name=name)
    except Hindered:
        return False
    return True


def gone(guest: Guest) -> None:
    """Waits until no stick is mounted."""
    guest.wait(lambda: guest.show(MOUNT, "ActiveState") in ("failed", "inactive"), 180)


def copies(guest: Guest) -> list[str]:
    """The whole copies on the stick, by name."""
    return guest.run("cd /media/companion/companion 2>&- && ls -d companion-* 2>&-", must=False).split()


def ours(guest: Guest) -> str:
    """It is called ours, and given a copy, whose name is returned."""
    guest.run("companion races backup adopt /media/companion")
    guest.run(f"systemctl start {BACKUP}")
    return copies(guest)[-1]


def carried(stick: Path, copy: str, into: Path) -> dict[int, str]:
    """The last race of a copy, read from the stick itself."""
    into.mkdir()
    run("mcopy", "-s", "-i", stick, f"::/companion/{copy}", into)
    return kept(into / copy)


def yanked(bench: Bench) -> None:
    """A stick that is plugged in is mounted and, once it is called ours, given a copy of all races.

    Yanked in the middle of the next copy it keeps the one before; the screen goes on, and the stick is taken again."""
    stick = bought(bench.room / "stick.img")
    with bench.at_home() as (guest, twin):
        bench.say(f"mounted {plug(guest, stick, SLOW):.0f} s after it was plugged in")
        first = ours(guest)

        guest.run(f"systemctl start --no-block {BACKUP}")
        guest.wait(lambda: UNDONE in guest.run("ls -a /media/companion/companion"), 120, 0.2)
        pull(guest, stick)
        gone(guest)
        bench.say(f"yanked: {told(guest)}")
        assert guest.show(SCREEN, "NRestarts") == "0"

        plug(guest, stick)
        assert copies(guest)[0] == first, "the copy before is gone"
        guest.run(f"systemctl start {BACKUP}")
        assert UNDONE not in guest.run("ls -a /media/companion/companion"), "the rest of the yank is there for ever"
        bench.say(f"plugged in again: {len(copies(guest))} copies, and nothing of what was half written")
        bench.shown(guest, "stick")
        pull(guest, stick)
    assert carried(stick, first, bench.room / "copied") == kept(twin.folder), "the copy is not what was kept"


def told(guest: Guest) -> str:
    """What the copying has last said of itself."""
    ours = (line for line in guest.journal(BACKUP).splitlines() if "companion-backup.service" not in line)
    return [line for line in ours if not line.startswith(("Start", "Failed to start", "Finished"))][-1]


def full(bench: Bench) -> None:
    """A stick without room is given nothing, which is told in a sentence; what was on it stays as it is."""
    stick = bought(bench.room / "stick.img", size=8 << 20)
    with bench.at_home() as (guest, twin):
        plug(guest, stick)
        first = ours(guest)
        guest.run("head -c 64M /dev/zero > /media/companion/holiday", must=False)
        there = copies(guest)  # on a starved machine one more than ours: the table copies by the clock, too
        guest.run(f"systemctl start {BACKUP}", must=False)
        assert guest.show(BACKUP, "Result") == "exit-code"
        bench.say(told(guest))
        assert copies(guest) == there
        assert UNDONE not in guest.run("ls -a /media/companion/companion")
        guest.run("rm /media/companion/holiday")
        guest.run(f"systemctl start {BACKUP}")
        assert copies(guest)[0] == first
        assert len(copies(guest)) > len(there)
        pull(guest, stick)
    assert carried(stick, first, bench.room / "copied") == kept(twin.folder), "the copy is not what was kept"


def exfat(bench: Bench) -> None:
    """A stick of the other kind that is sold, exFAT, is mounted and given its copy, which it still has later."""
    stick = bought(bench.room / "stick.img", "exfat")
    with bench.at_home() as (guest, _):
        bench.say(f"mounted {plug(guest, stick):.0f} s after it was plugged in")
        first = ours(guest)
        pull(guest, stick)
        gone(guest)
        plug(guest, stick)
        assert copies(guest)[0] == first
        bench.say(guest.run(f"companion --data /media/companion/companion/{first} races list").splitlines()[-1])


def two(bench: Bench) -> None:
    """Of two sticks of that name the first is taken and the other let alone, until the first is pulled out."""
    sticks = [bought(bench.room / f"stick{at}.img") for at in (1, 2)]
    with bench.at_home() as (guest, _):
        plug(guest, sticks[0])
        first = ours(guest)
        put_in(guest, sticks[1])
        time.sleep(20)
        assert copies(guest)[0] == first, "the second took the first one's place"
        guest.run(f"systemctl start {BACKUP}")
        assert copies(guest)[0] == first
        pull(guest, sticks[0])
        began = time.monotonic()
        there = f'test -e "$(findmnt -no SOURCE {FOLDER})" && echo there'
        guest.wait(lambda: guest.run(there, must=False) == "there", 180)
        bench.say(f"the second has its turn {time.monotonic() - began:.0f} s after the first is gone")
        assert copies(guest) == [], "it was given a copy that nobody asked for"
        pull(guest, sticks[1])
        gone(guest)
        plug(guest, sticks[0])
        assert copies(guest)[0] == first
        assert guest.show(SCREEN, "NRestarts") == "0"
