"""What the dice showed in races that were kept, die by die."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from companion.rules.conversation.faces import die_of
from companion.sheets.acts import drawn
from companion.sheets.history import History
from companion.sheets.reading import entries, races, reading
from hardware.firmware.lines import LAST
from hardware.port import Bare, NoPort, milliseconds
from hardware.roller import Link

PATIENCE: Final = 60
"""Seconds for one roll of a device."""


class Rolled(NamedTuple):
    """Every face that was rolled, by die, and how many rolls were left out because of bands."""

    faces: dict[str, list[int]]
    banded: int


def rolled(folder: Path, by: str = "") -> Rolled:
    """What the dice showed in the races of a folder; only what `by` gave, such as "roller", else all that was rolled at
    the table: not what the program drew. Faces set by the referee's word are no rolls. Raises LogError."""
    found: dict[str, list[int]] = {}
    banded = 0
    with reading(folder) as db:
        for race in races(db):
            banded += gather(History.of(entries(db, race.log_id)), found, by)
    return Rolled(found, banded)


def gather(history: History, found: dict[str, list[int]], by: str = "") -> int:
    """Adds the faces of one race, and says how many rolls were left out because of bands.

    A kind of test of which one roll was told as a band is left out whole: where 2 to 20 is a band, only the ones would
    be counted, and no die would be fair.
    """
    rolls = []
    for item in history.items:
        key, face = item.event.key, item.event.answer
        if key is None or item.event.forced or (item.by != by if by else drawn(item.by)):
            continue
        ask, _, _, what = key
        die = die_of(ask, what)
        if die and not isinstance(face, str):  # the sky of a practice that the table was told
            rolls.append((die, ask, what, face))
    banded = {(ask, what) for _, ask, what, face in rolls if isinstance(face, list)}
    known = [(die, face) for die, ask, what, face in rolls if (ask, what) not in banded and isinstance(face, int)]
    for die, face in known:
        found.setdefault(die, []).append(face)
    return len(rolls) - len(known)


def of_device(name: str, die: str, rolls: int, tell: Callable[[int], object]) -> list[int]:
    """So many rolls of a die by the device at a port, each told; raises NoPort if it stops."""
    port = Bare(name)
    link = Link(port.send, random.randrange(LAST))
    faces: list[int] = []
    end = time.monotonic() + PATIENCE
    try:
        link.open(milliseconds())
        while len(faces) < rolls:
            link.want(len(faces), die, milliseconds())
            data, _ = port.read(50)
            now = milliseconds()
            for news in link.hear(data, now) + link.tick(now):
                if news.what == "rolled" and news.die == die and news.n == len(faces):
                    faces.append(news.face)
                    tell(news.face)
                    end = time.monotonic() + PATIENCE
            if time.monotonic() > end:
                raise NoPort(f"The die-roller at {name} rolled {len(faces)} times and then no more.")
    except OSError as wrong:
        raise NoPort(f"The die-roller at {name} is gone.") from wrong
    finally:
        port.close()
    return faces
