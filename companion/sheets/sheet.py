"""The race sheet and the car sheets, as data: what stands on them."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Ask, Cause, Kind, Pool, Pools

Noted = Kind | Literal["correction"]
"""Reason why points were crossed off or given back: a ruling, or the referee's correction."""


class Crossing(msgspec.Struct, frozen=True):
    """Points crossed off a pool or given back: in which round, by which answer, why, by which article, what is left."""

    round: int
    n: int
    seq: int
    pool: Pool
    points: int
    left: int
    kind: Noted
    article: str
    facts: dict[str, Json] = {}


class Place(msgspec.Struct, frozen=True):
    """The place of a car when a round began; `place` counts from 1, None if it was out of the order."""

    round: int
    place: int | None
    lap: int
    at: str | None
    gear: int
    tyres: str
    status: str


class Retirement(msgspec.Struct, frozen=True):
    """Why and when a car went out."""

    car: int
    round: int
    cause: Cause
    article: str
    n: int
    seq: int


class CarSheet(msgspec.Struct):
    """One car's sheet; `more` is what the rulebook keeps of a car beside its wear, such as KERS points."""

    car: int
    driver: str = ""
    team: str = ""
    built: Pools = {}
    stand: int = 0
    wear: Pools = {}
    status: str = ""
    tyres: str = ""
    more: dict[str, Json] = {}
    crossings: list[Crossing] = []
    places: list[Place] = []
    retired: Retirement | None = None


class RoundLine(msgspec.Struct, frozen=True):
    """The running order and the weather when a round began; `more` is what the rulebook keeps of a race beside them."""

    round: int
    order: list[int]
    sky: str
    surface: str
    more: dict[str, Json] = {}


class Word(msgspec.Struct, frozen=True):
    """The referee's word: a value that was set (`change`), or an answer that was not offered."""

    n: int
    seq: int
    by: str
    at: str
    why: str
    change: dict[str, Json] | None = None
    ask: Ask | Literal[""] = ""
    car: int | None = None
    answer: Json = None


class Amended(msgspec.Struct, frozen=True):
    """A correction: of which answer, from what to what, and what became of the answers after it.

    `fell` are the answers (by entry) that fell away, or with the board as it stood no longer follow.
    """

    n: int
    seq: int
    by: str
    at: str
    why: str
    keep: str
    ask: Ask
    car: int | None
    was: Json
    answer: Json
    kept: int
    fell: list[int]
    left: list[Json]
    change: dict[str, Json] | None = None


class Remark(msgspec.Struct, frozen=True):
    """A note, or a dispute of the ruling of entry `about`.

    `outcome` is that of a dispute: "upheld", "changed", or nothing yet; `ask`, `car` and `answer` are those of the
    answer that brought the ruling, `change` is what the referee set. All are empty for the beginning of the race.
    """

    n: int
    seq: int
    by: str
    at: str
    text: str
    about: int | None = None
    outcome: str = ""
    ask: Ask | Literal[""] = ""
    car: int | None = None
    answer: Json = None
    change: dict[str, Json] | None = None


class HandoverLine(msgspec.Struct, frozen=True):
    """A car's seat that the `program` took, by its driver's name, or with "" a person.

    `rolls` is whether the program rolls for its drivers from then on.
    """

    n: int
    seq: int
    by: str
    at: str
    why: str
    car: int
    program: str
    rolls: bool


class RaceSheet(msgspec.Struct):
    """A race's sheet.

    `figures` are those that its rulebook proposes where no source gives any, as they were used, `variants` the switches
    of those that are on.
    """

    log_id: str
    name: str
    rulebook: str
    version: str
    track: str
    begun: str
    entries: int
    figures: dict[str, Json]
    rounds: list[RoundLine]
    cars: list[CarSheet]
    retirements: list[Retirement]
    overrides: list[Word]
    corrections: list[Amended]
    notes: list[Remark]
    disputes: list[Remark]
    handovers: list[HandoverLine]
    result: list[dict[str, Json]] | None
    variants: list[str] = []

    def car(self, number: int) -> CarSheet | None:
        """Return the sheet of one car, or None if it is not in the race."""
        return next((car for car in self.cars if car.car == number), None)
