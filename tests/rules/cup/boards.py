"""The board of the cup's tests: two corners, two zones, a pit grid of four places; and how a race begins there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.rules.competition.boards import OVER_THE_LINE, board, corner, straight
from tests.table import Table

CUP = (
    board(
        "Cup",
        OVER_THE_LINE,
        corner("First"),
        straight(14, 13, 12),  # the back straight
        corner("Bend", stops=2),
        straight(24, 23, 23),  # the straight of the pits
        pit="""
[pit]
entries = [["4:left:12", 1], ["4:left:13", 1]]
spaces  = 14
boxes   = [4, 5, 6, 7]
exits   = [[13, "0:left:1"], [14, "0:left:2"]]

[[drs]]
name     = "Back"
sections = [2]

[[drs]]
name     = "Front"
sections = [4]
""",
    )
    .replace("competition = 3", "cup = 3")
    .replace(
        '"4:left:5", "4:right:4", "4:left:2", "4:right:1"',
        '"4:left:23", "4:right:22", "4:left:20", "4:right:19", "4:left:17", "4:right:16"',
    )
)

ONE, TWO = {"car": 1, "gear": 4}, {"car": 2, "gear": 4}


def race(*cars: dict[str, Any], to_play: Sequence[int] = (1,), track: str = CUP, **setup: Any) -> Table:
    """A cup race in its middle; cars stand where they say, in lap 1 on hard tyres with the base column."""
    return Table(cars, track=track, rulebook="cup", to_play=list(to_play), **setup)


def grid(*cars: dict[str, Any], track: str = CUP, **setup: Any) -> Table:
    """A cup race before its start."""
    return Table(cars, track=track, rulebook="cup", **setup)


def drives(gear: int, face: int, space: str, *cars: dict[str, Any], brakes: int = 0, **setup: Any) -> Table:
    """Car 1, as the first of `cars`, takes a gear, rolls and lands on a space."""
    table = race(*cars, **setup)
    table.say(gear, face)
    table.land(space, brakes)
    return table
