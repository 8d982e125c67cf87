"""A grid by the black die, for a table that holds no trials [1-0-1]."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.rules.conversation.asking import Proc, Question, ask

Rolls = Mapping[int, Sequence[int]]
"""What each car has rolled: once, and once more for each time it was level."""


def to_roll(cars: Sequence[int], rolls: Rolls, depth: int = 0) -> int | None:
    """The car that rolls next: each once, then those that are level again; None when no two are, and for a car that is
    alone [1-0-1]."""
    if len(cars) < 2:
        return None
    waiting = [car for car in cars if len(rolls.get(car, ())) <= depth]
    if waiting:
        return waiting[0]
    for face in sorted({rolls[car][depth] for car in cars}, reverse=True):
        level = [car for car in cars if rolls[car][depth] == face]
        if (again := to_roll(level, rolls, depth + 1)) is not None:
            return again
    return None


def by_die(cars: Sequence[int], rolls: Rolls) -> list[int]:
    """The grid from pole: the highest roll first, level cars by their next one [1-0-1]."""
    return sorted(cars, key=lambda car: [-face for face in rolls.get(car, ())])


def roll_off(cars: Sequence[int], faces: dict[str, list[int]], die: Callable[[int], Question[int]]) -> Proc[list[int]]:
    """One roll more of those who still have to roll, noted in `faces`; the grid from pole once nobody has, before that
    nothing [1-0-1]."""
    rolled = {car: faces.get(str(car), []) for car in cars}
    car = to_roll(cars, rolled)
    if car is None:
        return by_die(cars, rolled)
    face = yield from ask(die, car)
    faces[str(car)] = [*rolled[car], face]
    return []
