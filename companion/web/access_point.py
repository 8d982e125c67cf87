"""The device's own wireless network for phones, off until the table starts it.

`systemd/appliance.py` makes it and writes beside the races what it is called; the program writes there whether it is
wanted, and a unit that watches for that has NetworkManager do it. The program itself needs no right for it.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion import whole_file
from companion.rules.conversation.errors import CompanionError, LogError
from companion.rules.conversation.typed import json_reader

FILE: Final = "access-point.json"
WANTED: Final = "access-point"
FAULT: Final = Path("/run/companion-access-point/fault")
"""File in which `systemd/access-point.sh` gives, in one word, the reason why it did not start."""
FAULTS: Final = ("manager", "card", "radio", "profile", "failed")
"""Faults: NetworkManager does not run; no wireless card; the radio stays off; the profile is missing; anything else."""


START_SECONDS: Final = 60
"""Time limit for the network to start, in seconds; the unit that starts it has the same."""


class AccessPoint(msgspec.Struct, frozen=True):
    """A wireless network: name, password, and the device's address on it."""

    name: str
    password: str
    address: str


_read: Final = json_reader(AccessPoint)


def access_point(folder: Path) -> AccessPoint | None:
    """Return the network that this device can make, or None.

    Raises LogError for a damaged file.
    """
    path = folder / FILE
    try:
        return whole_file.json(path, _read)
    except ValueError:
        raise LogError("no_network", path=path) from None


def turn(folder: Path, *, on: bool) -> None:
    """Request that the network be on or off."""
    with contextlib.suppress(OSError, CompanionError):  # a full disk: it stays as it is
        whole_file.write(folder / WANTED, b"on\n" if on else b"off\n")


class Fault(NamedTuple):
    """The reason why the network did not start, one of FAULTS, and its time in nanoseconds."""

    why: str
    at: int


def fault(path: Path = FAULT) -> Fault | None:
    """Return why the network failed to start, None if it did or was not requested."""
    with contextlib.suppress(OSError, ValueError):
        why = path.read_text(encoding="ascii").strip()
        return Fault(why if why in FAULTS else "failed", path.stat().st_mtime_ns)
    return None


def wifi(own: AccessPoint) -> str:
    r"""Return the network as the text of a QR code that a phone's camera reads.

    >>> wifi(AccessPoint("Table;4", "secret", "10.4.0.1"))
    'WIFI:T:WPA;S:Table\\;4;P:secret;;'
    """
    name, password = (re.sub(r'([\\;,:"])', r"\\\1", one) for one in (own.name, own.password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"
