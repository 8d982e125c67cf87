"""The findings of an analysis, as plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from companion.drivers import BEGINS
from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Ask
from companion.sheets.history import History

TURNING: Final = 4
"""Maximum number of turning points reported."""


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer that mattered.

    It has its number and entry in the log, whose it is and in which round, the turns that it won (luck) or lost (a
    mistake), and the car's chance to win before and after. `better` is a champion's answer, where there was a choice,
    and `weighed` each answer with the turns that it loses. Where nothing is known but the chances, it is all that came
    up to the round `until`.
    """

    n: int
    seq: int
    round: int
    car: int
    ask: Ask
    what: str
    answer: Json
    luck: float = 0.0
    mistake: float = 0.0
    better: Json = None
    before: float = 0.0
    after: float = 0.0
    weighed: tuple[tuple[Json, float], ...] = ()
    until: int = 0

    @property
    def swing(self) -> float:
        """By how much the chance to win changed."""
        return abs(self.after - self.before)


class CarAnalysis(msgspec.Struct, frozen=True, omit_defaults=True):
    """One car's race in turns.

    It has what it was expected to take at the start and what it took (or what being out is worth), its luck and its
    mistakes: took = expected - luck + mistakes. Also how many decisions were weighed, how many turns it played, and the
    dearest mistakes, or where only chances are known what changed his most.
    """

    car: int
    driver: str
    place: int | None
    status: str
    expected: float = 0.0
    took: float = 0.0
    luck: float = 0.0
    mistakes: float = 0.0
    decisions: int = 0
    turns: int = 0
    dearest: tuple[Moment, ...] = ()


class Analysis(msgspec.Struct, frozen=True):
    """A whole race: its drivers as classified, each car's chances, and the decisive moments.

    The chances to win go round by round (of some rounds nothing is known where they are driven out). Where it is not
    `weighed`, luck and mistakes are not known.
    """

    name: str
    track: str
    rulebook: str
    rounds: int
    drivers: tuple[CarAnalysis, ...]
    chances: tuple[dict[int, float], ...]
    turning: tuple[Moment, ...]
    weighed: bool = True


SoFar = Callable[[Analysis], None]
"""Callback that receives the findings so far."""


def turns_of(history: History, number: int) -> int:
    """Return how many turns a car has begun."""
    keys = (item.event.key for item in history.items)
    return sum(key is not None and key[0] in BEGINS and key[1] == number for key in keys)
