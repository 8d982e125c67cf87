"""The state of one race as plain data: integers, strings and lists, the same bytes on every machine."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar, Final, Generic, Literal

import msgspec

from companion.rules.circuit.leg import Over
from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import POOLS, Compound, CutShort, DiceCause, Pool, Pools, Sky, Surface, Wings
from companion.rules.conversation.overriding import TypeVar

VITAL: Final[tuple[Pool, ...]] = ("body", "engine", "handling")
"""The pools whose last point puts a car out [5-1-1]."""

Status = Literal["grid", "racing", "stalled", "spun", "wreck", "coasting", "pit", "box", "out", "finished"]


class Car(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, rename={"number": "car"}):
    """One car and its driver.

    `at` is a space of the track file ("5:left:3", "pit:4", "box:4"), on a corner sheet "corner:3" or "after:3", None
    off the board. `lap` counts the times it has crossed the line (0 on the grid), `stops` those that count in the
    present corner. `wear` is what is left, `built` what it started with, `stand` the points kept at the box.
    `grid_lap` is the `lap` with which it stood on the grid for its last start, more than 0 after a red flag.
    `tyre_laps` are the laps that end the set's age; `fresh` says that the next crossing does not age it, `round_set`
    that the set has come round far enough for a stop. `arrived` is the turn in which it reached its space. `turned`
    marks a spun car put straight again, or a stall at a restart. `coast` is the gear of the next coasting turn (0: not
    coasting). `stop` is the stop being made ("quick", "long") and `cause` why the car is out. On a corner sheet
    `to_box` is how many spaces the table counted from the pit lane to the car's box, 0 if nobody did, and `still` how
    many turns in a row the car has ended in the place where it began them. `uses` are the allowances of variants that
    it has used, each with its lap, such as "top:2", `bought` the boosters that it has bought, if it was asked. `worn`
    are the points that it lacks from the race before, until they come off at the start.
    """

    counted: ClassVar[tuple[str, ...]] = ("wear", "built")
    """Counts by name: a correction that leaves the board as it is carries the differences over."""
    held: ClassVar[tuple[str, ...]] = ()
    """Numbers that such a correction also carries over, but never beyond what the car has had."""
    chosen: ClassVar[tuple[str, ...]] = ("tyres", "wings")
    """Choices, carried over unless something else has been chosen since."""
    listed: ClassVar[tuple[str, ...]] = ()
    brief: ClassVar[tuple[str, ...]] = ()
    """Lists of what a car holds, and of what it holds for a round: additions and removals are carried over."""
    once_a_lap: ClassVar[tuple[str, ...]] = ()
    once_a_round: ClassVar[tuple[str, ...]] = ()
    """Marks of things used, carried over while that lap, or round, lasts."""
    stays: ClassVar[tuple[str, ...]] = ("at", "gear", "lap", "stops", "status", "stop", "box")
    """Values that such a correction leaves, and says so; a status only where it cannot follow (see `stands`)."""

    number: int
    driver: str = ""
    team: str = ""
    at: str | None = None
    gear: int = 0
    lap: int = 0
    stops: int = 0
    wear: Pools = {}
    built: Pools = {}
    stand: int = 0
    tyres: Compound = ""
    tyre_laps: int = 0
    grid_lap: int = 0
    fresh: bool = False
    round_set: bool = False
    status: Status = "grid"
    arrived: int = 0
    turned: bool = False
    coast: int = 0
    box: int = 0
    to_box: int = 0
    still: int = 0
    stop: Literal["", "quick", "long", "missed", "left"] = ""
    cause: DiceCause = ""
    wings: Wings = ""
    uses: list[str] = []
    bought: int | None = None
    worn: Pools = {}

    def within(self, values: dict[str, Json]) -> dict[str, Json]:
        """Return the part of a correction that the car can have [5-0-2, 19-2-3, ruling 87].

        It may have stopped since, and has no more points than it was built with.
        """
        most = {**self.built, **values.get("built", {})}
        wear = {
            pool: min(points, max(most.get(pool, points), self.wear[pool]))
            for pool, points in values.pop("wear", {}).items()
        }
        changed = {pool: points for pool, points in wear.items() if points != self.wear[pool]}
        return {"wear": changed, **values} if changed else values

    def laps_done(self, lap: int) -> int:
        """Return the laps that the car has completed when it is in a lap; the crossing off the grid completes none."""
        return max(lap - (lap != self.grid_lap), 0)

    @property
    def full(self) -> Pools:
        """The points that a stop fills a car up to: those that it was built with [19-2-3]."""
        return self.built

    def renewed(self, before: Car) -> tuple[str, ...]:
        """Return the pools that a stop has renewed since the car stood as `before` [19-2-3, 19-2-4].

        No earlier loss of them counts: a new set has not come round yet.
        """
        return ("tyres",) if before.round_set and not self.round_set else ()

    def besides(self, was: Car, would: Car) -> dict[str, Json]:
        """Return what else a correction sets.

        That is what has come since of a choice that was as in `was` and should have been as in `would`: allowances that
        were used, and boosters that were bought, since then too.
        """
        used, was_used, is_used = (Counter(car.uses) for car in (self, was, would))
        uses = {use: max(0, used[use] + is_used[use] - was_used[use]) for use in {**was_used, **is_used}}
        values: dict[str, Json] = {}
        if changed := {use: count for use, count in uses.items() if count != used[use]}:
            values["uses"] = changed
        if would.bought != was.bought:
            values["bought"] = max(0, (self.bought or 0) + (would.bought or 0) - (was.bought or 0))
        return values

    def stands(self, was: Car, would: Car, last: Car | None, over: bool) -> dict[str, Json] | None:
        """Return the values to set so that the car stands as it should after a corrected step.

        After that step it stood as `was` and should have stood as `would`. The result is empty where that no longer
        matters, None where the car cannot follow. Where a part for want of which it went out since has a point again,
        `last` is the car as it stood just before. `over` says that a round has ended since then, or since the step.
        """
        if self.lost and was.lost and not would.lost:
            if would.status == "finished":
                return None
            back = would.as_set(over)
            if self.status == "out" and would.at is not None:
                return {"at": would.at, "lap": would.lap, "gear": would.gear, "stops": would.stops, **back}
            return self.with_stops(back, would)
        if last is not None and not would.lost:
            return self.with_stops(last.stands(was, would, None, over) or last.as_set(over), last)
        if would.lost and not was.lost:
            return {"status": self.status if self.lost else would.status if self.alive else "out", "cause": would.cause}
        if would.lost:
            return {"status": self.status, "cause": would.cause} if self.cause == was.cause != would.cause else {}
        if self.lost or (self.status, self.coast) == (would.status, would.coast):
            return {}
        if self.status == "grid" != was.status:  # a red flag has ended whatever it was doing
            return {}
        here = self.at == was.at and self.lap == was.lap
        if (self.status, self.coast) != (was.status, was.coast):
            return None
        if "coasting" in (was.status, would.status) or was.coast != would.coast:
            return would.as_set(over)
        if was.status == "spun" and would.status == "racing":
            return {"status": "racing", **({"gear": would.gear} if self.turned and not was.turned else {})}
        if would.status == "spun" and here:
            return would.as_set(over)
        if "stalled" in (was.status, would.status) and here and self.at == would.at:
            return would.as_set(over) if would.status in ("racing", "stalled") else None
        return None

    def with_stops(self, values: dict[str, Json], other: Car) -> dict[str, Json]:
        """Return the values of a car that is back in the race, with the stops that it had made where it stands.

        [7-1-1]
        """
        return {**values, "stops": other.stops} if other.stops and other.at == self.at else values

    def mended(self, part: Pool) -> None:
        """Let a car with a repaired part go on: it does not coast with an engine that holds [16-0-3]."""
        if part == "engine":
            self.coast = 0
            self.status = "racing" if self.status == "coasting" else self.status

    def as_set(self, over: bool) -> dict[str, Json]:
        """Return the values to set on a car that should stand as this one [10-4-1, 10-4-7, ruling 45].

        Where the round is over, a spun one is put straight, in 1st, or off if its engine broke there.
        """
        straight = self.status == "spun" and (self.turned or over)
        if straight and self.coast < 0:
            return {"status": "out", "cause": "engine"}
        values: dict[str, Json] = {"status": "racing" if self.in_pits else self.status}
        if self.coast or self.status == "coasting":
            values["coast"] = self.coast
        if straight or (self.turned and self.status == "stalled"):
            values["turned"] = True
        if straight:
            values["gear"] = 1
        return values

    @property
    def allowances(self) -> dict[str, int]:
        """The number of uses of each allowance in each lap, such as {"boosters:2": 1}."""
        return dict(Counter(self.uses))

    def times_used(self, allowance: str, lap: int | None = None) -> int:
        """Return how often an allowance was used, in the race or in a lap; on the grid the first lap has begun."""
        if lap is None:
            return sum(use.startswith(f"{allowance}:") for use in self.uses)
        return self.uses.count(f"{allowance}:{max(lap, 1)}")

    def use_up(self, allowance: str) -> None:
        """Note that an allowance is used in this lap."""
        self.uses.append(f"{allowance}:{max(self.lap, 1)}")

    @property
    def lost(self) -> bool:
        """Out of the race, on the board or off it."""
        return self.status in ("out", "wreck")

    @property
    def alive(self) -> bool:
        """Still in the race: it may yet play a turn of its own."""
        return self.status not in ("out", "finished", "wreck")

    @property
    def standing(self) -> bool:
        """On the board, wrecks included."""
        return self.status not in ("out", "finished")

    @property
    def in_pits(self) -> bool:
        """In the pit lane or in a box."""
        return self.status in ("pit", "box")


C = TypeVar("C", bound=Car, default=Car)
"""The cars of a race, with whatever its rulebook adds to a car."""


class Move(msgspec.Struct, omit_defaults=True):
    """The turn that is being played, so far.

    `begin` is the space it began on, `made` the stops made in the corner it began in. `tests` are danger spaces in
    driving order by name, "wall:" before the name for the wall. `overs` are [corner index, spaces, stops missing].
    `moved` counts spaces driven, `blocked` those that could not be. On a corner sheet `beside` and `ahead` are what the
    table saw, and `stood_ahead` the cars that were ahead in the same stretch when the turn began. `engines` are the
    cars whose engines were tested. `before` is how far the car had come where the referee has put it before it moved,
    `wings` the spaces that its wings add to the roll or take off it.
    """

    car: int
    begin: str
    lap: int = 0
    gear: int = 0
    face: int = 0
    spaces: int = 0
    moved: int = 0
    braked: int = 0
    made: int = 0
    soft: bool = False
    slid: bool = False
    crossed: bool = False
    finished: bool = False
    blocked: int = 0
    slipstreams: int = 0
    rolled: bool = False
    tests: list[str] = []
    overs: list[Over] = []
    beside: list[int] = []
    ahead: int = 0
    stood_ahead: list[int] = []
    engines: list[int] = []
    before: int | None = None
    wings: int = 0
    top: int = 0
    boost: int = 0


class RaceState(msgspec.Struct, Generic[C], omit_defaults=True, forbid_unknown_fields=True):
    """One race.

    `cars` stand in grid order. `played` are the cars that have had (or lost) their turn this round, `sweep` the place
    from which the round's order is counted. `drawn` is the sky last drawn in the race, `fixed` whether it stays, `due`
    the drivers who still roll for the weather at the end of the round. `dangers` are danger spaces, `home` the cars in
    the order of crossing the line at the end, `gone` those out of the race in the order they went, `at_line` those of
    them that went in the very move that would have brought them home. `called` are the cars that play next by the
    referee's word. `cut_short` says which points are given once the referee has ended the race as it stands,
    `red_flags` how often it has started again after a red flag.
    """

    laps: int
    pools: ClassVar[tuple[Pool, ...]] = POOLS
    markers: ClassVar[tuple[str, ...]] = ()
    """Switches that stay on once they are: a correction that leaves the board as it is may turn them on."""

    stays: ClassVar[tuple[str, ...]] = ()
    """Things on the board, and choices for the race, that such a correction leaves, and says so."""
    weathers: ClassVar[tuple[str, ...]] = ("sky", "surface", "fixed")
    """Values of the weather that such a correction carries over, unless they have changed since."""
    out_is_due: ClassVar[bool] = False
    """True if a weather die falls due for a car that goes out: a correction that puts one out lists all that are
    due."""
    piled: ClassVar[int] = 1
    """Maximum number of danger markers on one space."""
    queue: ClassVar[tuple[int, ...]] = ()
    """The cars in line, where several stand in one place."""
    fixed_values: ClassVar[tuple[str, ...]] = ()
    """Values of cars, and pools, that such a correction does not carry over in this race."""

    cars: list[C]
    phase: Literal["setup", "race", "over"] = "setup"
    sky: Sky = ""
    surface: Surface = ""
    practice: Sky = ""
    drawn: Sky = ""
    fixed: bool = False
    due: list[int] = []
    round: int = 0
    turn: int = 0
    played: list[int] = []
    sweep: int | None = None
    dangers: list[str] = []
    home: list[int] = []
    gone: list[int] = []
    at_line: list[int] = []
    called: list[int] = []
    told: list[str] = []
    cut_short: CutShort = ""
    red_flags: int = 0
    move: Move | None = None

    @property
    def red_flag(self) -> Literal[""]:
        """Return "": a red flag is over as soon as the cars stand on the grid."""
        return ""

    def owes_compound(self, car: C) -> bool:
        """Return True if a car has still to race on another compound; only in some rulebooks."""
        return False

    @property
    def lying(self) -> list[str]:
        """The space of each danger marker."""
        return self.dangers

    @property
    def marked(self) -> list[str]:
        """The spaces on which something lies that a board should show."""
        return self.dangers
