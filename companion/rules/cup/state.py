"""The cup as plain data: what is on its scorecards and on its pit grid."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Compound, Sky
from companion.rules.conversation.overriding import override
from companion.rules.dice.state import Car, Move, Race

Service = Literal["", "full", "botched", "minimal", "advantage"]
"""How a pit stop went: a full stop, or what the die made of a quick one."""


class CupCar(Car):
    """A car with its KERS, and what it has raced on.

    `kers` are the points in hand, `raced` the compounds that it has driven on in the race. `service` is the stop
    that it makes, `leaves` the round in whose pit phase it may leave the grid and `bonus` the repair points that it
    did not use. `waived` says that the race director does not ask a second compound of it.
    """

    held: ClassVar = ("kers", "bonus")
    stays: ClassVar = ("at", "gear", "lap", "stops", "status", "stop", "service")

    kers: int = 0
    raced: list[Compound] = msgspec.field(default_factory=list)
    service: Service = ""
    leaves: int = 0
    bonus: int = 0
    waived: bool = False

    @override
    def within(self, values: dict[str, Json]) -> dict[str, Json]:
        """What such a correction sets; points for the way out matter as long as the car stands on the pit grid, and
        what it has raced on goes with the tyres that it is on, unless it is on new ones in the pits."""
        if self.status != "box":
            values.pop("bonus", None)
        if not self.in_pits and values.get("tyres", self.tyres) not in values.get("raced", [self.tyres]):
            values.pop("raced", None)
        return super().within(values)

    @override
    def besides(self, was: Car, would: Car) -> dict[str, Json]:
        """A set that is another compound has been raced on as that and not as the one that was said; once it is off the
        car, only where the other one has been raced on in any case [tyres.two-compounds, rulings 18, 39]."""
        said, before = was.tyres, was.raced if isinstance(was, CupCar) else []
        if said == would.tyres or said in before or said not in self.raced:
            return {}
        raced = list(dict.fromkeys(would.tyres if one == said else one for one in self.raced))
        follows = self.tyres == said or would.tyres in self.raced
        return {"raced": raced} if follows else {}


class CupMove(Move):
    """A move of the cup: `strained` when changing down has cost an engine point, `kers` the points spent in it.
    `won` are those that a completed lap has brought, noted where a test of its way may yet take the lap back.
    `towed_from` is the space on which the last DRS began, after `towed_after` spaces; before any the way is the die's.
    """

    strained: bool = False
    kers: int = 0
    won: int = 0
    towed_from: str = ""
    towed_after: int = 0


class CupRace(Race[CupCar]):
    """A cup race.

    `started` is the sky at the start, `wet_conditions` whether the marker is on its active side. `pitting` and
    `leaving` are the two columns of the pit grid, each from its top. `flagged` are the cars that have crossed the
    line at the end, in that order, whether or not they have cleared turn one. `grid` are the cars from pole once
    they have qualified, `faces` what they rolled in this phase, `settled` those that earlier phases put at the back.
    `zones` are the DRS zones that the table has named, each by its sections; empty where those of the circuit hold.
    """

    markers: ClassVar = ("wet_conditions",)
    weathers: ClassVar = (*Race.weathers, "started")
    stays: ClassVar = ("zones",)
    out_is_due: ClassVar = True

    started: Sky = ""
    wet_conditions: bool = False
    pitting: list[int] = msgspec.field(default_factory=list)
    leaving: list[int] = msgspec.field(default_factory=list)
    flagged: list[int] = msgspec.field(default_factory=list)
    grid: list[int] = msgspec.field(default_factory=list)
    faces: dict[str, list[int]] = msgspec.field(default_factory=dict)
    zones: list[list[int]] = msgspec.field(default_factory=list)
    settled: list[int] = msgspec.field(default_factory=list)
    heat: int = 1
    move: CupMove | None = None

    @override
    def owes_compound(self, car: CupCar) -> bool:
        """Whether a car has raced on one compound only, and is not let off: by wet weather conditions or by the race
        director [tyres.two-compounds, weather.wet-conditions, rulings 18, 19]."""
        return not self.wet_conditions and not car.waived and len(set(car.raced)) < 2
