"""The figures and switches of the dice-and-gears rulebooks, as the competition has them.

A table may change them in the setup. Another rulebook's are a subclass with its own values in their place.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.rules.conversation.errors import BadSetup
from companion.rules.conversation.figures import FigureTable, Score, WearPoints, figure, table
from companion.rules.conversation.kinds import POOLS, UNPAYABLE

Points = Annotated[int, Meta(ge=1, le=20)]
"""Points of a pool of a car at the start."""
Factor = Annotated[int, Meta(ge=0, le=UNPAYABLE)]
Factors = tuple[Factor, Factor, Factor]
"""Costs of a space overshot: with a new set, one a lap old, and an older one."""


class Figures(FigureTable, frozen=True):
    """Every figure of the rulebook; nothing else holds one."""

    car_points: Annotated[int, figure("5-0-2", 6, 60)] = 20
    stand_points: Annotated[int, figure("4-0-2", 0, 10)] = 2
    pool_minimum: Annotated[int, figure("5-2", 1, 5)] = 1
    collision_dry: Annotated[int, figure("14-1", 0, 20)] = 1
    collision_wet: Annotated[int, figure("14-1", 0, 20)] = 2
    aggravated_dry: Annotated[int, figure("14-3", 0, 20)] = 2
    aggravated_wet: Annotated[int, figure("14-3", 0, 20)] = 3
    engine_dry: Annotated[int, figure("16-0-2", 0, 20)] = 4
    engine_wet: Annotated[int, figure("16-0-2", 0, 20)] = 3
    handling_dry: Annotated[int, figure("17-0-2", 0, 20)] = 4
    handling_wet: Annotated[int, figure("17-0-2", 0, 20)] = 5
    stall_to: Annotated[int, figure("9-1", 0, 19)] = 1
    great_from: Annotated[int, figure("9-2", 2, 21)] = 20
    starting_gear: Annotated[int, figure("9-3", 1, 6)] = 1
    highest_gear: Annotated[int, figure("6-2-6", 2, 6)] = 6
    great_spaces: Annotated[int, figure("9-2-1", 1, 12)] = 4
    missed_stops: Annotated[int, figure("10-1", 1, 4)] = 2
    slipstream_spaces: Annotated[int, figure("18-0-3", 1, 6)] = 3
    slipstream_gear: Annotated[int, figure("18-0-1", 1, 6)] = 4
    corner_brake: Annotated[int, figure("18-1-4", 0, 3)] = 1
    quick_to: Annotated[int, figure("19-3-3", 0, 20)] = 10
    leave_gear: Annotated[int, figure("19-4-2", 2, 6)] = 4
    blocking: Annotated[tuple[tuple[WearPoints, WearPoints], ...], table("12-0-1")] = (
        (1, 0),
        (2, 0),
        (3, 0),
        (3, 1),
        (3, 2),
        (3, 3),
    )
    gear_down: Annotated[tuple[tuple[WearPoints, WearPoints, WearPoints], ...], table("13-4")] = (
        (1, 0, 0),
        (1, 1, 0),
        (1, 1, 1),
    )
    slide_hard: Annotated[int, figure("8-1-2", 0, 9)] = 3
    slide_soft: Annotated[int, figure("8-2-2", 0, 9)] = 3
    slide_rain: Annotated[int, figure("8-3-2", 0, 9)] = 1
    factor_hard_dry: Annotated[Factors, table("8-1-1")] = (1, 1, 1)
    factor_hard_wet: Annotated[Factors, table("8-1-2")] = (1, 1, 1)
    factor_soft_dry: Annotated[Factors, table("8-2-1")] = (2, 2, 3)
    factor_soft_wet: Annotated[Factors, table("8-2-2")] = (2, 2, 3)
    factor_rain_dry: Annotated[Factors, table("8-3-1")] = (2, 2, 3)
    factor_rain_wet: Annotated[Factors, table("8-3-2")] = (1, 1, 1)
    soft_laps: Annotated[int, figure("8-2-1", 0, 3)] = 1
    points: Annotated[tuple[Score, ...], table("21-1-2", proposed=True)] = (10, 6, 4, 3, 2, 1)
    flag_next_crossing: Annotated[bool, table("ruling 100", proposed=True)] = False
    restart_stall_aggravated: Annotated[bool, table("ruling 43", proposed=True)] = False
    pits_are_a_way_round: Annotated[bool, table("ruling 21", proposed=True)] = False
    no_stop_standing_still: Annotated[bool, table("ruling 29", proposed=True)] = False
    soft_space_not_over_line: Annotated[bool, table("ruling 31", proposed=True)] = False
    no_slipstream_into_pits: Annotated[bool, table("ruling 80", proposed=True)] = False

    def check(self) -> None:
        if self.stall_to >= self.great_from:
            raise BadSetup("stall_bands", low=self.stall_to, high=self.great_from)
        if self.starting_gear > self.highest_gear:
            gear, highest = self.starting_gear, self.highest_gear
            raise BadSetup("starting_gear", gear=gear, highest=highest, start="starting_gear", top="highest_gear")
        needed = self.pool_minimum * len(POOLS)
        if "pool_minimum" not in self.without and self.car_points < needed:
            raise BadSetup("car_points_too_few", points=self.car_points, least=self.pool_minimum, needed=needed)
