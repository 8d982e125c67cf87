"""A whole race of sections by touch, and its own moments seen by the audit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion import circuits
from companion.desk import RaceDesk
from companion.rules.rulebooks import begin

NAMES = ("Ada Vidal", "Bruno", "Chloé", "Ñandú Żak")


def a_race(folder: Path, key: str = "quarry-hill", **setup: Any) -> RaceDesk:
    """A race of sections with two drivers, bots, and a deck of the program, from its beginning."""
    track = circuits.board(key)
    setup.setdefault("cars", [{"car": n, "driver": NAMES[n - 1]} for n in (1, 2, 3)])
    setup = {"rulebook": "ninety", "track": key, "deck": 7, **setup}
    text = circuits.find(key).read_text(encoding="utf-8")
    return RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=folder, name="At the table")
