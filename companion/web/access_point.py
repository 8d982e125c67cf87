"""The device's own network for phones, where nobody else has one: off until the table starts it.

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
"""Where `systemd/access-point.sh` says in one word why it did not start."""
FAULTS: Final = ("manager", "card", "radio", "profile", "failed")
"""NetworkManager does not run; there is no wireless card; the radio stays off; the profile is not there; all else."""


START_SECONDS: Final = 60
"""How long the network may take to come; the unit that starts it is given as long."""


class AccessPoint(msgspec.Struct, frozen=True):
    """A network: its name and password, and the device's address on it."""

    name: str
    password: str
    address: str


_read: Final = json_reader(AccessPoint)


def access_point(folder: Path) -> AccessPoint | None:
    """Return the network that this device can make, None if it can make none. Raise LogError for a damaged file."""
    path = folder / FILE
    try:
        return whole_file.json(path, _read)
    except ValueError:
        raise LogError(
            f"{path} does not say what the table's own network is called; install again: "
            "sudo python3 systemd/appliance.py install.",
            "no_network",
        ) from None


def turn(folder: Path, *, on: bool) -> None:
    """Asks for it, or no longer."""
    with contextlib.suppress(OSError, CompanionError):  # a full disk: it stays as it is
        whole_file.write(folder / WANTED, b"on\n" if on else b"off\n")


class Fault(NamedTuple):
    """Why it did not start, one of FAULTS, and when it was found out, in nanoseconds."""

    why: str
    at: int


def fault(path: Path = FAULT) -> Fault | None:
    """Return why the network did not start when it was last asked for; None if it did, or was not asked for."""
    with contextlib.suppress(OSError, ValueError):
        why = path.read_text(encoding="ascii").strip()
        return Fault(why if why in FAULTS else "failed", path.stat().st_mtime_ns)
    return None


def wifi(own: AccessPoint) -> str:
    """The network as a phone's camera reads it.

    >>> wifi(AccessPoint("Table;4", "secret", "10.4.0.1"))
    'WIFI:T:WPA;S:Table\\\\;4;P:secret;;'
    """
    name, password = (re.sub(r'([\\;,:"])', r"\\\1", one) for one in (own.name, own.password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"
