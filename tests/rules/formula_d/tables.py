"""Races by the rules of the box for one example each."""

from __future__ import annotations

from typing import Any

from tests.rules.competition.boards import TOW, at
from tests.table import WEAR, Table


def formula_d(*cars: dict[str, Any], track: str = "monaco", **setup: Any) -> Table:
    """A race, or with `to_play` a position, of two laps."""
    return Table(list(cars), track, rulebook="formula-d", **{"laps": 2, **setup})


def grid(*cars: dict[str, Any], **setup: Any) -> Table:
    """Cars 1, 2, ... about to start in that order."""
    entered = [{"car": n, **car} for n, car in enumerate(cars, 1)]
    return formula_d(*entered, **{"grid": [car["car"] for car in entered], **setup})


def position(*cars: dict[str, Any], **setup: Any) -> Table:
    """The first car is about to play; the others stand in 1st unless they say otherwise."""
    entered = [{"car": n, **({} if n == 1 else {"gear": 1}), **car} for n, car in enumerate(cars, 1)]
    return formula_d(*entered, **{"to_play": [1], **setup})


def tow(*cars: dict[str, Any], **setup: Any) -> Table:
    """On the long straight of three lanes; cars on L8, M9 and R8 leave no way round behind M7."""
    return position(*({**car, "at": at(car["at"])} for car in cars), track=TOW, **setup)


WALL: tuple[dict[str, Any], ...] = ({"at": "M9"}, {"at": "L8"}, {"at": "R8"})
"""Cars that leave no way round."""


def worn(**points: int) -> dict[str, Any]:
    """The points of the box with some pools at others."""
    return {"wear": {**WEAR, **points}}
