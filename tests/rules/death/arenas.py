"""Tables of the death race for tests: a straight with cars on it, in the movement or the attack phase."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.circuits import load
from companion.rules.death.cards import CARDS
from companion.rules.rulebooks import begin
from tests.rules.competition.boards import TOW, at
from tests.table import Table

FULL = 18


def armed(number: int, place: str, *weapons: str, points: int = FULL, gear: int = 3, **more: Any) -> dict[str, Any]:
    """A car on the long straight of TOW (by the code of its space) or on a space by its name, with loaded weapons."""
    car: dict[str, Any] = {"car": number, "at": at(place) if ":" not in place else place, "gear": gear}
    return {**car, "wear": {"points": points}, "weapons": dict.fromkeys(weapons, 0), **more}


def loading(cars: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same cars, those without weapons with one to reload, so that they are asked in the attack phase."""
    held = {key for car in cars for key in car["weapons"]}
    spare = (key for key, card in CARDS.items() if card.kind == "weapon" and not card.powerful and key not in held)
    return [car if car["weapons"] else {**car, "weapons": {next(spare): 9}} for car in cars]


def driving(*cars: dict[str, Any], to_play: list[int] | None = None, track: str = TOW, **setup: Any) -> Table:
    """A movement phase in which car 1 plays next, and after which every car can act."""
    return Table(loading(cars), track, rulebook="death", to_play=to_play or [1], **setup)


def attacking(*cars: dict[str, Any], order: list[int] | None = None, track: str = TOW, **setup: Any) -> Table:
    """An attack phase in which car 1 acts next; every car can."""
    setup = {"attacking": True, "attackers": [1] if order is None else order, "to_play": [], **setup}
    return Table(loading(cars), track, rulebook="death", **setup)


def points(table: Table, number: int) -> int:
    """The points that a car has left."""
    return table.car(number).wear["points"]


def grid(*cars: dict[str, Any], track: str = "monaco", **setup: Any) -> Table:
    """A race before its start."""
    return Table([{"driver": "D", **car} for car in cars], track, rulebook="death", **setup)


def rules(setup: dict[str, Any], track: str = "monaco") -> Any:
    """The rulebook of a setup, begun."""
    return begin({"rulebook": "death", "track": track, **setup}, load(track))
