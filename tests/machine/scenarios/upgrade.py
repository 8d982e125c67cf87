"""Another version, one that does not start, and back again, while a race is open."""

from __future__ import annotations

import time

from tests.machine import image
from tests.machine.bench import Bench, Fingers
from tests.machine.guest import Guest, over


def upgrade(bench: Bench) -> None:
    """An upgrade whose screen does not come leaves the version before running; one that does come is changed to, back
    from, and to again. The race that was open all the while is the same."""
    more = over(image.versions(bench.suite), bench.room / "versions.qcow2")
    with bench.at_home() as (guest, twin):
        guest.qmp.do("blockdev-add", driver="qcow2", node_name="more", file={"driver": "file", "filename": str(more)})
        guest.qmp.do("device_add", driver="usb-storage", id="more", drive="more", bus="usb.0")
        guest.wait(lambda: guest.run("ls /dev/disk/by-label/versions", must=False).startswith("/dev"), 120)
        guest.run("mount --mkdir -o ro LABEL=versions /run/more")
        fingers = Fingers(bench, guest, twin)
        fingers.resume()
        fingers.answer()
        bench.same(guest, twin, "upgrade-before")
        before = current(guest)

        said = changed(bench, guest, "broken", must=False)
        assert f"{before} runs again." in said, said
        assert current(guest) == before
        again(bench, guest, fingers, "upgrade-failed")

        said = changed(bench, guest, "next")
        after = current(guest)
        assert after != before, said
        again(bench, guest, fingers, "upgraded")

        for expected in (before, after):
            bench.say(timed(guest, "companion-appliance rollback"))
            assert current(guest) == expected
            again(bench, guest, fingers, f"rolled-{'back' if expected == before else 'forward'}")


def changed(bench: Bench, guest: Guest, name: str, *, must: bool = True) -> str:
    """An upgrade to one of the versions that were built beside; what it says."""
    guest.run(f"cp -a /run/more/{name} /root/companion")
    guest.run(f"cp -a /run/more/{name}-built/* /opt/companion/versions/")
    said = timed(guest, "python3 /root/companion/systemd/appliance.py upgrade", must=must)
    guest.run("rm -r /root/companion")
    bench.say(f"{name}: {said.splitlines()[-1]}")
    return said


def timed(guest: Guest, command: str, *, must: bool = True) -> str:
    """What a command says, and how long it took."""
    began = time.monotonic()
    said = guest.run(command, must=must)
    return f"{said} ({time.monotonic() - began:.0f} s)"


def current(guest: Guest) -> str:
    """The version that runs."""
    return guest.run("basename $(readlink /opt/companion/current)")


def again(bench: Bench, guest: Guest, fingers: Fingers, name: str) -> None:
    """The screen is there, and the race where it was left."""
    fingers.resume_again()
    bench.same(guest, fingers.twin, name)
