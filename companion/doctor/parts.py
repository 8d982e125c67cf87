"""The box of buttons and lamps, the die-roller, and the groups that may use them. No port and no pin is opened."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from companion.doctor.findings import CheckResult, Wired
from companion.doctor.machine import Machine

DEVICE_PATTERNS: Final = (
    "/dev/dri/card[0-9]*", "/dev/dri/renderD*", "/dev/input/event*", "/dev/gpiochip*", "/dev/snd/pcm*p",
    "/dev/ttyACM*", "/dev/ttyUSB*",
)  # fmt: skip
"""Patterns of the devices that the program opens."""
READ_ONLY: Final = "/dev/input/"
SERIAL_PORT_PATTERNS: Final = ("/dev/ttyACM*", "/dev/ttyUSB*")
"""Patterns of the serial ports of die-rollers."""
CHIP_INFO_IOCTL: Final = 0x8044B401
"""Request for a GPIO chip's name and label, 32 bytes each, and its lines (GPIO_GET_CHIPINFO_IOCTL, gpio.h)."""
HEADER_CHIPS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip with the pins of the header, as `hardware.gpio` looks for them."""


def check_groups(machine: Machine) -> CheckResult:
    """Find the groups whose devices the program's user may not open."""
    missing: list[str] = []
    for path in machine.glob(*DEVICE_PATTERNS):
        with contextlib.suppress(OSError):  # gone meanwhile
            if not machine.user.may(path, write=not machine.named(path).startswith(READ_ONLY)):
                missing.append(machine.group(path))
    facts = {"user": machine.user.name, "groups": ",".join(dict.fromkeys(missing))}
    if not missing:
        return CheckResult("groups", "ok", "well", facts)
    return CheckResult("groups", "bad", "root" if "root" in missing else "missing", facts)


def chip_label(chip: Path) -> str:
    """Return what a GPIO chip calls itself, "" if it cannot be asked."""
    try:
        with chip.open("rb", buffering=0) as opened:
            told = fcntl.ioctl(opened, CHIP_INFO_IOCTL, bytes(68))
    except OSError:
        return ""
    return told[32:64].rstrip(b"\0").decode(errors="replace")


def check_pins(
    machine: Machine, wired: Wired, label: Callable[[Path], str] = chip_label, library: str = "lgpio"
) -> CheckResult:
    """Find the chip with the pins of the buttons, and the library that reaches them.

    `label` asks a chip what it calls itself.
    """
    if wired.error is not None:
        return CheckResult("pins", "bad", "wiring", error=wired.error)
    if not wired.pins:
        return CheckResult("pins", "absent", "unwired")
    paths = machine.glob("/dev/gpiochip*")
    chips = {path.name: label(path) for path in paths}
    said = ", ".join(f"{name} {called}".strip() for name, called in chips.items())
    found = [name for name, called in chips.items() if called in HEADER_CHIPS or name == f"gpiochip{wired.chip}"]
    if not machine.is_pi and not found:
        return CheckResult("pins", "absent", "none")
    if not all(map(machine.user.may, paths)):
        return CheckResult("pins", "bad", "locked", {"chips": said, "user": machine.user.name})
    if not found:
        return CheckResult("pins", "bad", "other" if chips else "no_chip", {"chips": said})
    facts = {"chip": found[0], "label": chips[found[0]]}
    if find_spec(library) is None:
        return CheckResult("pins", "bad", "no_library", facts)
    return CheckResult("pins", "ok", "well", facts)


def check_roller(machine: Machine, wired: Wired) -> CheckResult:
    """Find the die-roller's port, and why it could not be opened."""
    if wired.port_error is not None:
        return CheckResult("roller", "bad", "wiring", error=wired.port_error)
    if not wired.port:
        return CheckResult("roller", "absent", "unwired")
    facts = {"port": wired.port}
    if "://" in wired.port:
        return CheckResult("roller", "absent", "network", facts)
    if not wired.port.startswith("/"):
        return CheckResult("roller", "bad", "no_serial", facts)
    port = machine.path(wired.port)
    if not port.exists():
        others = ", ".join(machine.named(path) for path in machine.glob(*SERIAL_PORT_PATTERNS))
        return CheckResult(
            "roller", "warn" if others else "absent", "other" if others else "none", facts | {"others": others}
        )
    if not _is_serial(machine, port):
        return CheckResult("roller", "bad", "no_serial", facts)
    if not machine.user.may(port):
        return CheckResult("roller", "bad", "rights", facts | {"group": machine.group(port), "user": machine.user.name})
    holder = _holder(machine, port)
    if holder is None:
        return CheckResult("roller", "ok", "well", facts)
    process, program = holder
    if "companion" in program:
        return CheckResult("roller", "ok", "ours", facts)
    return CheckResult("roller", "bad", "busy", facts | {"program": program, "process": process})


def _is_serial(machine: Machine, port: Path) -> bool:
    """Return False for a device that is no serial port.

    That is one outside /dev, or one that the kernel does not count among the terminals.
    """
    device = port.resolve()
    if not device.is_relative_to(machine.root.resolve() / "dev"):
        return False
    number = device.stat().st_rdev
    kind = machine.path(f"/sys/dev/char/{os.major(number)}:{os.minor(number)}/subsystem")
    return not kind.exists() or kind.resolve().name == "tty"


def _holder(machine: Machine, port: Path) -> tuple[int, str] | None:
    """Return the process that has a port open and its program, as far as this user may see."""
    wanted = {str(port), str(port.resolve()), machine.named(port)}
    with contextlib.suppress(ValueError):  # it lies outside the root
        wanted.add("/" + str(port.resolve().relative_to(machine.root.resolve())))
    for opened in machine.glob("/proc/[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if os.readlink(opened) in wanted:
                process = opened.parts[-3]
                words = machine.read(f"/proc/{process}/cmdline").split("\0")
                # a Python program is its script, not the interpreter
                names = [Path(word).name for word in words if not word.startswith("-")]
                program = next((name for name in names if not name.startswith("python")), "")
                return int(process), program or machine.read(f"/proc/{process}/comm")
    return None
