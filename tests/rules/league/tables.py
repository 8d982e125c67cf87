"""Races of the league for one example each."""

from __future__ import annotations

from typing import Any

from tests.table import WEAR, Table


def league(*cars: dict[str, Any], track: str = "monaco", **setup: Any) -> Table:
    """A race, or with `to_play` a position, of two laps."""
    return Table(list(cars), track, rulebook="league", **{"laps": 2, **setup})


def grid(*cars: dict[str, Any], **setup: Any) -> Table:
    """Cars 1, 2, ... about to start in that order, in the sun, on hard tyres."""
    entered = [{"car": n, "box": n, "tyres": "hard", **car} for n, car in enumerate(cars, 1)]
    numbers = [car["car"] for car in entered]
    return league(*entered, **{"sky": "sun", "grid": numbers, **setup})


def position(*cars: dict[str, Any], **setup: Any) -> Table:
    """The first car is about to play; the others stand in 1st unless they say otherwise."""
    entered = [{"car": n, **({} if n == 1 else {"gear": 1}), **car} for n, car in enumerate(cars, 1)]
    return league(*entered, **{"to_play": [1], **setup})


def worn(**points: int) -> dict[str, Any]:
    """The set-up with some pools at other points."""
    return {"wear": {**WEAR, **points}}
