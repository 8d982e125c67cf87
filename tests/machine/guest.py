"""A machine that runs: its disks, its display, its hands, its plug."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.machine import shelf
from tests.machine.host import Hindered, run
from tests.machine.talk import PATIENCE, Agent, Qmp

PARTS = (
    *("-nodefaults", "-no-user-config", "-machine", "q35", "-smp", "2", "-m", "1024", "-no-reboot", "-nic", "none"),
    *("-display", "none", "-vga", "none", "-device", "virtio-serial-pci", "-device", "qemu-xhci,id=usb"),
)
"""What it is made of: two processors of the four and the memory of a Pi 3, no network, sockets for sticks."""
CALM = (
    "quiet systemd.show_status=no mitigations=off panic=-1 no_timer_check nowatchdog "
    "systemd.default_device_timeout_sec=900 systemd.default_timeout_start_sec=900 udev.event_timeout=900 "
    "systemd.service_watchdogs=0"
)
WORDS = f"root=/dev/vda rw console=ttyS0 {CALM}"
"""What its kernel and its systemd are told; on a machine that has much else to do a clock of theirs may seem to stand
still, a disk be late, and a screen be silent for longer than WatchdogSec."""
SCREEN = "companion-screen.service"
SIGN = "WatchdogTimestampMonotonic"
"""When its loop last said that it lives."""
DATA = "/var/lib/companion"


@functools.cache
def accelerator(base: Path, boots: bool) -> tuple[str, ...]:
    """KVM where it really runs the guest's kernel, which is tried once a boot of this machine; else qemu's own
    translator, for what it has right: no AVX2, which `max` offers, and as long as the guest boots its two processors
    one after the other. Its kernel changes its own code then, and was seen to fall over what the other processor had
    not heard of yet ("Oops: int3")."""
    translated = ("-accel", f"tcg,thread={'single' if boots else 'multi'}", "-cpu", "Nehalem")
    if not os.access("/dev/kvm", os.W_OK):
        return translated
    kvm = ("-accel", "kvm", "-cpu", "host")
    tried = shelf.SHELF / f"kvm-{shelf.digest(Path('/proc/sys/kernel/random/boot_id'), base.name)}"
    if not tried.exists():
        for old in shelf.SHELF.glob("kvm-*"):
            old.unlink()
        command = ["qemu-system-x86_64", "-nodefaults", "-machine", "q35", *kvm, "-m", "512", "-display", "none"]
        command += ["-serial", "stdio", "-no-reboot", "-append", "console=ttyS0 panic=-1"]
        command += ["-kernel", str(base / "kernel"), "-initrd", str(base / "initrd")]
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=tried.open("wb"), stderr=subprocess.STDOUT, timeout=30
            )
    return kvm if b"Linux version" in tried.read_bytes() else translated


class Guest:
    """A Debian on the first of the disks, its races on the next; switched on, or gone on with from `memory`; `more`
    are parts of its own, in qemu's words."""

    def __init__(
        self, room: Path, base: Path, *disks: Path, size: tuple[int, int] = (800, 480), memory: Path | None = None,
        words: str = "", more: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.room, self.words = room, f"{words} {WORDS}".strip()
        self.began = time.monotonic()
        self.console = room / "console.log"
        sockets = {name: room / f"{name}.sock" for name in ("qmp", "agent")}
        for one in sockets.values():
            one.unlink(missing_ok=True)
        incoming = ["-incoming", f"exec:cat {memory}"] if memory is not None else []
        command = [
            *self.board(base, disks, size, memory is None), *more, *incoming,
            "-serial", f"file:{self.console}", "-qmp", f"unix:{sockets['qmp']},server=on,wait=off",
            "-chardev", f"socket,id=agent,path={sockets['agent']},server=on,wait=off",
        ]  # fmt: skip
        with open(room / "qemu.log", "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.wait(lambda: sockets["qmp"].exists() and sockets["agent"].exists(), 60, 0.1)
        try:
            self.qmp = Qmp(sockets["qmp"])
        except OSError as gone:
            raise Hindered(f"qemu ended: {(room / 'qemu.log').read_text(errors='replace').strip()}") from gone
        self.agent = Agent(sockets["agent"])
        if memory is not None:
            self.wait(lambda: self.qmp.do("query-status")["status"] != "inmigrate")
            self.qmp.do("cont")

    def board(self, base: Path, disks: tuple[Path, ...], size: tuple[int, int], boots: bool) -> list[str]:
        """The qemu that it is, with its processors, disks and display, its kernel and the agent's way out of it."""
        return [
            "qemu-system-x86_64", *PARTS, *accelerator(base, boots), *drives(disks),
            "-device", f"virtio-gpu-pci,xres={size[0]},yres={size[1]}",
            "-kernel", str(base / "kernel"), "-initrd", str(base / "initrd"), "-append", self.words,
            "-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
        ]  # fmt: skip

    # -- time

    def lived(self) -> float:
        """Seconds since power-on in which it was not kept waiting for a processor of this machine."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return time.monotonic() - self.began - max((waited(thread) for thread in threads), default=0.0)

    def wait(self, there: Callable[[], object], seconds: float = PATIENCE, every: float = 1.0) -> float:
        """Waits until something is there, looking `every` so many seconds: a look costs an emulated machine time; no
        longer than so many seconds of its own, that this machine's load is no fault of it. How many seconds after
        power-on that was."""
        end = self.lived() + seconds
        while not there():
            if self.process.poll() is not None:
                said = self.console.read_text(errors="replace") + (self.room / "qemu.log").read_text()
                raise Hindered(f"qemu ended; the console says: {said[-1500:]}")
            if self.lived() > end:
                said = self.console.read_text(errors="replace")
                raise Hindered(f"It did not come in {seconds:.0f} s; the console says: {said[-1500:]}")
            time.sleep(every)
        return time.monotonic() - self.began

    def booted(self) -> float:
        """Waits for the agent; how many seconds after power-on."""
        return self.wait(lambda: self.agent.synced(5))

    def ready(self) -> float:
        """Waits for the screen's READY; how many seconds after power-on."""
        self.booted()
        return self.wait(lambda: self.show(SCREEN, "ActiveState") == "active")

    # -- what it says

    def run(self, command: str, patience: float = PATIENCE, *, must: bool = True) -> str:
        return self.agent.run(command, patience, must=must)

    def show(self, unit: str, what: str) -> str:
        """One property of a unit."""
        return self.run(f"systemctl show --value --property={what} {unit}", must=False)

    def twice_alive(self) -> None:
        """Waits for two signs of life of the screen, from now on: its loop has come to all that was before the first,
        and been through the quarter of a second between them in which it hears nobody after a new question, however
        slow it is."""
        for _ in range(2):
            before = self.show(SCREEN, SIGN)
            self.wait(lambda before=before: self.show(SCREEN, SIGN) != before, 300, 0.5)  # type: ignore[misc]

    def journal(self, unit: str) -> str:
        return self.run(f"journalctl --no-pager -b -o cat -u {unit}", must=False)

    # -- its end

    def off(self) -> None:
        """Switched off in good order."""
        self.run("sync")
        self.qmp.do("system_powerdown")
        self.process.wait(PATIENCE)

    def saved(self, memory: Path) -> None:
        """Stopped where it is, to be gone on with from its disks and this file."""
        self.qmp.do("stop")
        self.qmp.do("migrate", uri=f"exec:cat > {memory}")
        self.wait(lambda: self.qmp.do("query-migrate")["status"] == "completed")
        self.plug_pulled()

    def plug_pulled(self) -> None:
        """The power is gone: what the kernel in it had not written is lost."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        if self.process.poll() is None:
            self.plug_pulled()
        with contextlib.suppress(OSError):
            self.qmp.close()
            self.agent.close()


def drives(disks: tuple[Path, ...]) -> list[str]:
    """Disks of a machine that has sockets for virtual ones."""
    return [word for disk in disks for word in ("-drive", f"file={disk},if=virtio,format={form(disk)}")]


def waited(thread: Path) -> float:
    """For how many seconds a thread has been ready to go on and found no processor free."""
    try:
        return int(thread.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0  # it has ended


def form(disk: Path) -> str:
    """How a disk's file is written."""
    return "qcow2" if disk.suffix == ".qcow2" else "raw"


def over(image: Path, place: Path) -> Path:
    """A disk over another that it leaves as it is."""
    place.unlink(missing_ok=True)
    run("qemu-img", "create", "-q", "-f", "qcow2", "-F", form(image), "-b", image.resolve(), place)
    return place


@contextlib.contextmanager
def switched_on(guest: Guest) -> Iterator[Guest]:
    try:
        yield guest
    finally:
        guest.close()
