"""The board of the cup's tests: two corners, two zones, a pit grid of four places; and how a race begins there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.rules.competition.boards import LEFT_HANDER
from tests.table import Table

CUP = f"""
name    = "Cup"
country = "Testland"
known   = "space"
laps    = {{ cup = 3 }}
weather = {{ rain = [1, 7], changeable = [8, 12], sun = [13, 20] }}
source  = "drawn for a test"
trust   = "complete: this text is the board"
line    = ["0:left:1", "0:middle:1", "0:right:1"]
grid    = ["4:left:23", "4:right:22", "4:left:20", "4:right:19", "4:left:17", "4:right:16"]

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

[[section]]  # 0, over the line
stagger = [1, 0, 1]
left    = 8
middle  = 8
right   = 7

[[section]]  # 1, turn one
corner = "First"
stops  = 1
{LEFT_HANDER}

[[section]]  # 2, the back straight
stagger = [0, 1, 2]
left    = 14
middle  = 13
right   = 12

[[section]]  # 3
corner = "Bend"
stops  = 2
{LEFT_HANDER}

[[section]]  # 4, the straight of the pits
stagger = [0, 1, 2]
left    = 24
middle  = 23
right   = 23
"""

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
