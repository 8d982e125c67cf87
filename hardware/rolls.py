"""What the dice showed in races that were kept, die by die."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.rules.dice import die_of
from companion.sheets.history import History
from companion.sheets.reading import entries, races, reading
from hardware.firmware.lines import LAST
from hardware.port import Bare, NoPort, milliseconds
from hardware.roller import Link

PATIENCE: Final = 60
"""Seconds for one roll of a device."""


def rolled(folder: Path, by: str = "") -> dict[str, list[int]]:
    """Every face that stands in the races of a folder, by die; only those that `by` gave, such as "roller". Faces set
    by the referee's word are no rolls. Raises LogError."""
    found: dict[str, list[int]] = {}
    with reading(folder) as db:
        for race in races(db):
            gather(History.of(entries(db, race.log_id)), found, by)
    return found


def gather(history: History, found: dict[str, list[int]], by: str = "") -> None:
    """Adds the faces of one race."""
    for item in history.items:
        key, face = item.event.key, item.event.answer
        if key is None or item.event.forced or (by and item.by != by):
            continue
        ask, _, _, what = key
        die = die_of(ask, what)
        if die and isinstance(face, int):
            found.setdefault(die, []).append(face)


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
