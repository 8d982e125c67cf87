"""The league's race as plain data: who is at home, the last race's order."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.rules.dice.state import Car, Race


class LeagueCar(Car):
    """A car of the league; `home` says that its racer drives on his home track."""

    home: bool = False


class LeagueRace(Race[LeagueCar]):
    """A race of the league.

    `last` is the classification of the race before, winner first, by number; empty before the first one. `grid` are the
    cars from pole once that is settled, `faces` what each has rolled for it. `cut_short` is "now" once the
    referee has ended the race where the cars stand.
    """

    last: list[int] = msgspec.field(default_factory=list)
    grid: list[int] = msgspec.field(default_factory=list)
    faces: dict[str, list[int]] = msgspec.field(default_factory=dict)
    cut_short: Literal["", "now"] = ""
