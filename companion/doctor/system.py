"""The computer itself: radio, clock, power, memory, and which versions of everything it has."""

from __future__ import annotations

import contextlib
import platform
import re
import sqlite3
import sys
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Final

from companion.doctor.findings import CheckResult
from companion.doctor.machine import Machine
from companion.rules.compiled import compiled
from companion.rules.conversation.errors import LogError
from companion.sheets.place import DATABASE
from companion.version import VERSION
from companion.web.access_point import FAULT, FILE, access_point, fault

WORLD: Final = ("", "00")
"""Country codes of a radio whose country has not been set."""
TIGHT: Final = 80_000_000
"""Free memory, in bytes, below which the next program may be killed."""
CLOCK_SLACK: Final = 120.0
"""Tolerance, in seconds, by which a file may be ahead of the clock: disks and clocks are set a little late."""
LOW_NOW, LOW_SINCE, HOT_NOW, HOT_SINCE = 1 << 0, 1 << 16, 0b1110, 0b1110 << 16
"""Power and heat flags of the Raspberry Pi firmware, now and since the start (vcgencmd get_throttled)."""


def check_radio(machine: Machine, folder: Path) -> CheckResult:
    """Find the wireless card, and why the table's own network did not or cannot start."""
    folders = machine.glob("/sys/class/net/*/wireless", "/sys/class/net/*/phy80211")
    facts = {"name": ", ".join(dict.fromkeys(folder.parent.name for folder in folders))}
    blocked = {
        kind
        for switch in machine.glob("/sys/class/rfkill/rfkill*")
        if machine.read(f"/sys/class/rfkill/{switch.name}/type") == "wlan"
        for kind in ("hard", "soft")
        if machine.read(f"/sys/class/rfkill/{switch.name}/{kind}") == "1"
    }
    if blocked:
        return CheckResult("radio", "warn", "hard" if "hard" in blocked else "soft", facts)
    if (wrong := fault(machine.path(str(FAULT)))) is not None:
        return CheckResult("radio", "warn", "network", facts | {"why": wrong.why})
    try:
        access_point(folder)
    except LogError:
        return CheckResult("radio", "warn", "damaged", facts | {"path": str(folder / FILE)})
    if not folders:
        return CheckResult("radio", "absent", "none")
    told = re.search(r"^country (\w\w):", machine.run("iw", "reg", "get"), re.MULTILINE)
    country = told[1] if told else machine.read("/sys/module/cfg80211/parameters/ieee80211_regdom")
    if country in WORLD:
        return CheckResult("radio", "warn" if machine.is_pi else "ok", "no_country", facts)
    return CheckResult("radio", "ok", "well", facts | {"country": country})


def check_clock(machine: Machine, folder: Path) -> CheckResult:
    """Find out whether the clock can be right: not before what was written here, and set by a time server."""
    written = [path.stat().st_mtime for path in (Path(__file__), folder / DATABASE) if _there(path)]
    latest = max(written, default=machine.now)  # neither can be read by whoever asks
    facts = {"now": _minute(machine.now), "before": _minute(latest)}
    if machine.now < latest - CLOCK_SLACK:
        return CheckResult("clock", "bad", "wrong", facts)
    said = machine.run("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if said == "yes" or machine.path("/run/systemd/timesync/synchronized").exists():
        return CheckResult("clock", "ok", "well", facts)
    if said == "no":
        return CheckResult("clock", "warn", "alone", facts)
    return CheckResult("clock", "absent", "unknown", facts)


def _there(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return path.exists()
    return False


def _minute(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")


def check_power(machine: Machine) -> CheckResult:
    """Find out whether a Raspberry Pi has, or had since its start, too little voltage, or is too hot."""
    told = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", machine.run("vcgencmd", "get_throttled"))
    bits = int(told[1], 16) if told else _alarm(machine)
    if bits is None:
        return CheckResult("power", "absent", "unknown")
    if bits & (LOW_NOW | LOW_SINCE):
        return CheckResult("power", "bad" if bits & LOW_NOW else "warn", "low" if bits & LOW_NOW else "was_low")
    if bits & (HOT_NOW | HOT_SINCE):
        return CheckResult("power", "warn", "hot" if bits & HOT_NOW else "was_hot")
    return CheckResult("power", "ok", "well")


def _alarm(machine: Machine) -> int | None:
    """Return what the kernel tells of the voltage, where the command is not there or may not ask."""
    for sensor in machine.glob("/sys/class/hwmon/hwmon*"):
        folder = f"/sys/class/hwmon/{sensor.name}"
        if machine.read(f"{folder}/name") == "rpi_volt":
            return LOW_NOW if machine.read(f"{folder}/in0_lcrit_alarm") == "1" else 0
    return None


def check_memory(machine: Machine) -> CheckResult:
    """Tell how much memory there is, and how much is free."""
    sizes = dict(re.findall(r"^(Mem\w+): +(\d+) kB$", machine.read("/proc/meminfo"), re.MULTILINE))
    if not {"MemTotal", "MemAvailable"} <= sizes.keys():
        return CheckResult("memory", "absent", "unknown")
    whole, free = (1024 * int(sizes[name]) for name in ("MemTotal", "MemAvailable"))
    tight = free < TIGHT
    return CheckResult(
        "memory", "warn" if tight else "ok", "tight" if tight else "well", {"whole": whole, "free": free}
    )


def check_program(machine: Machine) -> CheckResult:
    """Tell the versions of the program and of what it stands on."""
    prefix = Path(sys.prefix)
    facts = {
        "version": VERSION,
        "made": prefix.name if prefix.parent.name == "versions" else "",
        "compiled": compiled(),
        "python": platform.python_version(),
        "kivy": _version("kivy"),
        "sqlite": sqlite3.sqlite_version,
    }
    return CheckResult("program", "ok", "well", facts)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "–"


def check_system(machine: Machine) -> CheckResult:
    """Tell the board, the system and its kernel."""
    name = re.search(r'^PRETTY_NAME="?([^"\n]*)', machine.read("/etc/os-release"), re.MULTILINE)
    facts = {
        "model": machine.model or platform.machine(),
        "system": name[1] if name else "?",
        "kernel": machine.read("/proc/sys/kernel/osrelease") or "?",
    }
    return CheckResult("system", "ok", "well", facts)
