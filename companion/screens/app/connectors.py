"""Display connectors of this machine, what is plugged in, and the choice among them.

The kernel numbers graphics cards in the order in which it finds them, which differs from boot to boot; a connector
keeps its name. Nothing here needs Kivy.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

SYSTEM: Final = Path("/sys/class/drm")
"""Folder in which Linux lists the connectors of its graphics cards."""
PREFERRED: Final = ("DSI", "DPI", "HDMI")
"""Kinds of connectors to draw on, in order of preference: the panel before a television at HDMI."""
_NAME: Final = re.compile(r"card(\d+)-(?!Writeback)(.+)")
"""Name of a connector's folder; a writeback one copies the picture into memory and has no socket."""


class Connector(NamedTuple):
    """A display connector: `HDMI-A-1` is connected, disconnected or unknown.

    Those of a card are in the order of their `number`, in which SDL counts displays.
    """

    card: int
    number: int
    name: str
    status: str

    @property
    def is_connected(self) -> bool:
        """True if a screen is plugged in."""
        return self.status == "connected"

    @property
    def device(self) -> str:
        """The file name of its graphics card below /dev/dri."""
        return f"card{self.card}"


def find_connectors(system: Path | None = None) -> list[Connector]:
    """Return the connectors of all graphics cards, by card and number."""
    found = []
    for folder in (SYSTEM if system is None else system).glob("card*-*"):
        if named := _NAME.fullmatch(folder.name):
            with contextlib.suppress(OSError, ValueError):
                status = (folder / "status").read_text(encoding="ascii").strip()
                told = folder / "connector_id"  # not told by kernels before 6.1
                number = int(told.read_text(encoding="ascii")) if told.exists() else 0
                found.append(Connector(int(named[1]), number, named[2], status))
    return sorted(found)


def choose_connector(found: Iterable[Connector], wanted: str = "") -> Connector | None:
    """Return the connector to draw on, or None if no screen is connected.

    The one named `wanted` comes first, then the panel, then HDMI, then any other.
    """

    def rank(connector: Connector) -> tuple[bool, int]:
        kind = connector.name.partition("-")[0]
        return connector.name != wanted, PREFERRED.index(kind) if kind in PREFERRED else len(PREFERRED)

    return min((one for one in found if one.is_connected), key=rank, default=None)


def describe_connectors(found: Sequence[Connector]) -> str:
    """Return the connectors with their states: `DSI-1 connected, HDMI-A-1 disconnected`."""
    return ", ".join(f"{one.name} {one.status}" for one in found)
