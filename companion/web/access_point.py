"""The device's own network for phones, where nobody else has one: off until the table starts it.

`systemd/appliance.py` makes it and writes beside the races what it is called; the program writes there whether it is
wanted, and a unit that watches for that has NetworkManager do it. The program itself needs no right for it.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Final

import msgspec

from companion import whole_file
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.typed import json_reader

FILE: Final = "access-point.json"
WANTED: Final = "access-point"


class AccessPoint(msgspec.Struct, frozen=True):
    """A network: its name and password, and the device's address on it."""

    name: str
    password: str
    address: str


_read: Final = json_reader(AccessPoint)


def access_point(folder: Path) -> AccessPoint | None:
    """The network that this device can make, if it can."""
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        return _read((folder / FILE).read_bytes())
    return None


def turn(folder: Path, *, on: bool) -> None:
    """Asks for it, or no longer."""
    with contextlib.suppress(OSError, CompanionError):  # a full disk: it stays as it is
        whole_file.write(folder / WANTED, b"on\n" if on else b"off\n")


def wifi(own: AccessPoint) -> str:
    """The network as a phone's camera reads it.

    >>> wifi(AccessPoint("Table;4", "secret", "10.4.0.1"))
    'WIFI:T:WPA;S:Table\\\\;4;P:secret;;'
    """
    name, password = (re.sub(r'([\\;,:"])', r"\\\1", one) for one in (own.name, own.password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"
