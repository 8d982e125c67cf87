"""The bench a scenario works at: machines with the appliance, a twin of their screen without a display, and a place for
pictures.

The twin is the same app on this machine, over the same races: it knows where each key lies, is touched wherever the
machine is, and shows what the machine's display should show.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.machine import image
from tests.machine.display import apart, beside, png
from tests.machine.guest import Guest, over, switched_on
from tests.machine.host import Hindered
from tests.screens.appliance import Appliance, appliance

SAME = 0.004
"""In parts of all pixels: what may differ between a display and its twin and be the same picture."""


class Bench:
    """A scenario's own: its folder goes with it, `pictures` stays."""

    def __init__(self, suite: str, room: Path, pictures: Path) -> None:
        self.suite, self.room, self.pictures = suite, room, pictures

    def say(self, what: str) -> None:
        """A figure for the report."""
        print(f"    {what}", flush=True)

    # -- machines

    def races(self, folder: Path) -> Path:
        """A disk for the races, with what is in a folder."""
        return image.file_system(self.room / "races.img", "16M", "races", folder)

    @contextlib.contextmanager
    def machine(self, races: Path) -> Iterator[Guest]:
        """A machine with the appliance, switched on now; its races stay on their disk."""
        disk = over(image.installed(self.suite) / "root.img", self.room / "disk.qcow2")
        with switched_on(Guest(self.room, image.base(self.suite), disk, races)) as guest:
            yield guest

    @contextlib.contextmanager
    def at_home(self) -> Iterator[tuple[Guest, Appliance]]:
        """A machine at its first page, with a race to be resumed, and its twin."""
        ready = image.ready(self.suite)
        disks = [over(ready / name, self.room / f"over-{name}.qcow2") for name in ("disk.qcow2", "races.img")]
        guest = Guest(self.room, image.base(self.suite), *disks, memory=ready / "memory")
        with switched_on(guest), self.twin(ready / "folder") as twin:
            yield guest, twin

    def shown(self, guest: Guest, name: str) -> Path:
        """A picture of a machine's display, kept under a name."""
        raw = self.room / "display.ppm"
        guest.qmp.do("screendump", filename=str(raw))
        return png(raw, self.pictures / f"{name}.png")

    # -- the twin

    @contextlib.contextmanager
    def twin(self, folder: Path) -> Iterator[Appliance]:
        """The same app over a copy of the same races, without a display."""
        copy = self.room / "twin"
        shutil.copytree(folder, copy)
        with tempfile.TemporaryDirectory() as sockets, appliance(copy, Path(sockets)) as app:
            yield app.ready()

    def same(self, guest: Guest, twin: Appliance, name: str, seconds: float = 120) -> None:
        """Waits until the display shows what its twin does; raises Hindered if it never does."""
        wanted, end = self.room / "twin.png", time.monotonic() + seconds
        while True:
            twin.do("picture", path=str(wanted))
            seen = self.shown(guest, name)
            found = apart(seen, wanted)
            if found.pixels <= SAME:
                break
            if time.monotonic() > end:
                beside(seen, wanted, seen)
                raise Hindered(f"{name} is not what its twin shows: {found}; both are in {seen}.")
            time.sleep(2)
        self.say(f"{name}: {found}")


class Fingers:
    """Fingers on a machine's touchscreen, and on its twin's at the same places."""

    def __init__(self, guest: Guest, twin: Appliance) -> None:
        self.guest, self.twin = guest, twin
        guest.agent.write("/run/fingers.py", (Path(__file__).parent / "carried/fingers.py").read_bytes())
        guest.run("modprobe uinput")
        guest.run(
            "systemd-run -q --unit=fingers -p StandardOutput=file:/run/tapped python3 /run/fingers.py /run/fingers"
        )
        guest.wait(lambda: "there" in guest.run("cat /run/tapped", must=False))

    def away(self) -> None:
        """The touchscreen goes."""
        self.guest.run("systemctl stop fingers")

    def at(self, x: float, y: float) -> None:
        """A tap on the machine alone."""
        self.guest.run(f"echo {x:.5f} {y:.5f} > /run/fingers")

    def tap(self, label: str) -> None:
        """The key with this label, on both."""
        x, y = self.twin.until(lambda: self.twin.do("place", label=label))
        self.at(x, y)
        self.twin.tap(label)

    def resume(self) -> None:
        """From the first page to the open question."""
        self.tap("Resume")
        self.twin.until(lambda: self.twin.see()["n"] is not None)

    def answer(self) -> None:
        """Answers the open question on both, with whatever it offers first."""
        n = self.twin.see()["n"]
        while place := self.twin.do("place", n=n):
            self.at(*place)
            self.twin.do("touch", n=n)
            time.sleep(2)  # the machine's ears are shut until its next picture is there
