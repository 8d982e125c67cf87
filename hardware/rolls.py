"""Rolls of a die by the device at a port."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final

from hardware.firmware.lines import LAST
from hardware.port import Bare, NoPort, milliseconds
from hardware.roller import Link

PATIENCE: Final = 60
"""Seconds for one roll of a device."""


def of_device(name: str, die: str, rolls: int, tell: Callable[[int], object]) -> list[int]:
    """Roll a die several times with the device at a port, and return the faces.

    `tell` is called with each face. Raises NoPort if the device stops.
    """
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
                raise NoPort("roller_stopped", port=name, many=len(faces))
    except OSError as wrong:
        raise NoPort("roller_gone", port=name) from wrong
    finally:
        port.close()
    return faces
