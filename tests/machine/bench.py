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
from typing import Any

from tests.machine import image
from tests.machine.display import apart, beside, png, turn
from tests.machine.guest import DATA, SCREEN, Guest, over, switched_on
from tests.machine.host import Hindered
from tests.screens.appliance import Appliance, appliance

Panel = tuple[int, int, str]
"""Its width and height, and how the driver of its touchscreen calls itself."""
SEVEN: Panel = (800, 480, "generic ft5x06 (79)")
"""The official 7 inch display."""
SAME = 0.0003
"""In parts of all pixels: what may differ between a display and its twin and be the same picture. A ring about another
key is 0.002 of them."""
CLOCK = 0.001
"""On the first page, where it is told what time it is."""

WRITTEN = f"cat {DATA}/companion.log /run/lamps /run/tapped; journalctl --no-pager -b -o short-monotonic | tail -n 200"
"""What a machine tells of itself."""


class Bench:
    """A scenario's own: its folder goes with it, `pictures` stays. `hours` is how long a race is left alone, `name` its
    own in the report."""

    def __init__(self, suite: str, room: Path, pictures: Path, hours: float = 0.25, name: str = "") -> None:
        self.suite, self.room, self.pictures, self.hours, self.name = suite, room, pictures, hours, name
        self.wanted, self.agreed = room / "twin.png", room / "agreed.png"
        pictures.mkdir(parents=True, exist_ok=True)

    def say(self, what: str) -> None:
        """A figure for the report."""
        print(f"{self.name}: {what}", flush=True)

    # -- machines

    def races(self, folder: Path) -> Path:
        """A disk for the races, with what is in a folder."""
        return image.file_system(self.room / "races.img", "192M", "races", folder)

    @contextlib.contextmanager
    def machine(self, races: Path, panel: Panel = SEVEN, words: str = "") -> Iterator[Guest]:
        """A machine with the appliance, switched on now, its kernel told these words too; its races stay on their
        disk."""
        disk = over(image.installed(self.suite) / "root.img", self.room / "disk.qcow2")
        guest = Guest(self.room, image.base(self.suite), disk, races, size=panel[:2], words=words)
        with self.switched_on(guest):
            yield guest

    @contextlib.contextmanager
    def switched_on(self, guest: Guest) -> Iterator[Guest]:
        """A machine until its scenario ends; what is written in one where that fails is kept beside the pictures."""
        with switched_on(guest):
            try:
                yield guest
            except Exception:
                with contextlib.suppress(Exception):
                    (self.pictures / f"{self.name}.log").write_text(guest.run(WRITTEN, must=False))
                raise

    @contextlib.contextmanager
    def at_home(self, folder: Path | None = None) -> Iterator[tuple[Guest, Appliance]]:
        """A machine at its first page, with a race to be resumed, and its twin. With a folder it has these races in
        place of its own, and wants its screen started anew."""
        ready = image.ready(self.suite)
        disk = over(ready / "disk.qcow2", self.room / "disk.qcow2")
        races = Path(shutil.copy(ready / "races.img", self.room))
        guest = Guest(self.room, image.base(self.suite), disk, races, memory=ready / "memory")
        with self.switched_on(guest), self.twin(folder or ready / "folder") as twin:
            if folder is not None:
                guest.run(f"systemctl stop {SCREEN} && find {DATA} -type f -delete")
                for file in filter(Path.is_file, folder.iterdir()):
                    guest.agent.write(f"{DATA}/{file.name}", file.read_bytes())
                guest.run(f"chown -R companion: {DATA}")
            yield guest, twin

    def shown(self, guest: Guest, name: str) -> Path:
        """A picture of a machine's display, kept under a name."""
        return self._shown(guest, self.pictures / f"{name}.png")

    def _shown(self, guest: Guest, place: Path) -> Path:
        raw = self.room / "display.ppm"
        guest.qmp.do("screendump", filename=str(raw))
        return png(raw, place)

    # -- the twin

    @contextlib.contextmanager
    def twin(self, folder: Path, size: tuple[int, int] = SEVEN[:2], zone: str = "") -> Iterator[Appliance]:
        """The same app over a copy of the same races, without a display, in the time of a place or of this machine."""
        copy = self.room / "twin"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        with tempfile.TemporaryDirectory() as sockets, appliance(copy, Path(sockets), size=size, zone=zone) as app:
            yield app.ready()

    def same(
        self, guest: Guest, twin: Appliance, name: str, seconds: float = 300, *, turned: int = 0, told: bool = True,
        most: float = SAME,
    ) -> None:  # fmt: skip
        """Waits until the display shows what its twin has come to, turned by so many degrees, and keeps the picture if
        it is `told`; raises Hindered if it never does in so many seconds of its own."""
        twin.rest()
        end = guest.lived() + seconds
        while True:
            twin.picture(self.wanted)
            seen = turn(self._shown(guest, self.room / "seen.png"), turned)
            found = apart(seen, self.wanted)
            if found.pixels <= most:
                break
            if guest.lived() > end:
                why = "nothing of what was last done was heard" if self._as_before(seen) else "something else was heard"
                beside(seen, self.wanted, both := self.pictures / f"{name}.png")
                raise Hindered(f"{name} is not what its twin shows, as if {why}: {found}; both are in {both}.")
            time.sleep(1)
        shutil.copy(self.wanted, self.agreed)
        if told:
            shutil.copy(seen, self.pictures / f"{name}.png")
            self.say(f"{name}: {found}")

    def _as_before(self, seen: Path) -> bool:
        """Whether a picture is the last one that was the same on both."""
        return self.agreed.exists() and apart(seen, self.agreed).pixels <= SAME

    def settled(self, guest: Guest, twin: Appliance, name: str = "touched", *, told: bool = False, **how: Any) -> None:
        """Nobody touches what is not there yet: the machine shows what its twin has come to, and its ears are open."""
        self.same(guest, twin, name, told=told, **how)
        guest.twice_alive()


class Fingers:
    """Fingers on a machine's touchscreen, and on its twin's at the same places of the picture; the machine's may be
    turned."""

    def __init__(self, bench: Bench, guest: Guest, twin: Appliance, panel: Panel = SEVEN, turned: int = 0) -> None:
        self.bench, self.guest, self.twin, self.turned = bench, guest, twin, turned
        self.places: dict[str, tuple[float, float]] = {}
        known = self.heard()
        guest.agent.write("/run/fingers.py", (Path(__file__).parent / "carried/fingers.py").read_bytes())
        guest.run("modprobe uinput")
        wide, high, name = panel
        unit = "systemd-run -q --unit=fingers -p StandardOutput=file:/run/tapped"
        guest.run(f"{unit} python3 /run/fingers.py /run/fingers {wide} {high} '{name}'")
        guest.wait(lambda: "there" in guest.run("cat /run/tapped", must=False), 120)
        guest.wait(lambda: self.heard() > known, 120)

    def heard(self) -> int:
        """How often the screen has found a touchscreen that came."""
        log = self.guest.run(f"cat {DATA}/companion.log", must=False)
        return log.count("came: [('/dev/input/")

    def away(self) -> None:
        """The touchscreen goes."""
        self.guest.run("systemctl stop fingers")

    def at(self, x: float, y: float) -> None:
        """A tap on the machine alone."""
        for _ in range(self.turned // 90):
            x, y = y, 1 - x
        self.guest.run(f"echo {x:.5f} {y:.5f} > /run/fingers")

    def tap(self, label: str) -> None:
        """The key with this label, on both."""
        x, y = self.places[label] = self.twin.until(lambda: self.twin.do("place", label=label))
        self.at(x, y)
        self.twin.tap(label)

    def resume(self) -> None:
        """From the first page to the open question."""
        self.tap("Resume")
        self.twin.until(lambda: self.twin.see()["n"] is not None)
        self.settled()

    def settled(self, most: float = SAME) -> None:
        """Both are where the next finger is meant for."""
        self.bench.settled(self.guest, self.twin, turned=self.turned, most=most)

    def resume_again(self) -> None:
        """The machine's screen was started anew: from its first page to where the twin is."""
        self.guest.ready()
        self.guest.twice_alive()
        self.at(*self.places["Resume"])

    def answer(self, most: float = SAME) -> None:
        """Answers the open question on both, with whatever it offers first."""
        n = self.twin.see()["n"]
        while place := self.twin.do("place", n=n):
            before = self.bench.agreed.read_bytes()
            self.at(*place)
            self.twin.do("touch", n=n)
            self.settled(most)
            if self.bench.agreed.read_bytes() == before:
                raise Hindered(f"A finger changes nothing on both: {self.twin.see()}")
