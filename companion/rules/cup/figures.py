"""The figures and switches of the cup."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from companion.rules.conversation.figures import Score, Wear, figure, table
from companion.rules.dice.figures import Factors, Figures

Outcome = Literal["dry", "wet", "clouds", "stays"]
"""What a weather check does: the sun dries the track, rain wets it, clouds leave it as it is for now, or nothing."""
OUTCOMES: Final = {"sun": 0, "changeable": 1, "rain": 2}
"""Where a table of weather checks has the outcome of a sky drawn."""
Column = tuple[Wear, Wear, Wear, Wear, Wear, Wear]
"""A column of the scorecard: a figure for each pool."""
Price = Annotated[int, Meta(ge=1, le=9)]
Prices = tuple[Price, Price, Price, Price, Price, Price]
"""A column of prices: nothing is free."""


class CupFigures(Figures, frozen=True):
    """What the cup has otherwise than the family; what its pages lost and is proposed here says so."""

    without: ClassVar = frozenset(
        {
            "car_points", "stand_points", "pool_minimum", "aggravated_dry", "aggravated_wet", "quick_to",
            "flag_next_crossing", "restart_stall_aggravated", "no_slipstream_into_pits", "retired_cars_placed",
        }
    )  # fmt: skip

    collision_dry: Annotated[int, figure("collision.range", 0, 20)] = 1
    collision_wet: Annotated[int, figure("collision.range", 0, 20)] = 2
    handling_wet: Annotated[int, figure("handling.test", 0, 20)] = 6
    corner_brake: Annotated[int, figure("ruling 24", 0, 3, proposed=True)] = 1
    leave_gear: Annotated[int, figure("pit.exit", 1, 6, proposed=True)] = 4
    slide_hard: Annotated[int, figure("tyres.wet", 0, 9, proposed=True)] = 3
    slide_soft: Annotated[int, figure("tyres.wet", 0, 9, proposed=True)] = 3
    slide_rain: Annotated[int, figure("tyres.wet", 0, 9, proposed=True)] = 1
    factor_hard_dry: Annotated[Factors, table("tyres.dry", proposed=True)] = (1, 1, 1)
    factor_hard_wet: Annotated[Factors, table("tyres.wet", proposed=True)] = (1, 1, 1)
    factor_soft_dry: Annotated[Factors, table("tyres.dry", proposed=True)] = (2, 2, 3)
    factor_soft_wet: Annotated[Factors, table("tyres.wet", proposed=True)] = (2, 2, 3)
    factor_rain_dry: Annotated[Factors, table("tyres.dry", proposed=True)] = (2, 2, 3)
    factor_rain_wet: Annotated[Factors, table("tyres.wet", proposed=True)] = (1, 1, 1)
    points: Annotated[tuple[Score, ...], table("finish.order", proposed=True)] = (10, 8, 6, 5, 4, 3, 2, 1)

    base: Annotated[Column, table("wear.pools", proposed=True)] = (6, 3, 3, 3, 3, 2)
    cost: Annotated[Prices, table("wear.construction", proposed=True)] = (1, 1, 1, 1, 1, 1)
    pit: Annotated[Prices, table("pit.full", proposed=True)] = (1, 1, 1, 1, 2, 1)
    team_points: Annotated[int, figure("wear.construction", 0, 40)] = 4
    repair_points: Annotated[int, figure("pit.full", 0, 20)] = 3
    bonus_spaces: Annotated[int, figure("pit.exit", 0, 6, proposed=True)] = 1
    botched_to: Annotated[int, figure("pit.quick", 0, 20, proposed=True)] = 5
    minimal_to: Annotated[int, figure("pit.quick", 0, 20, proposed=True)] = 15
    kers_lap: Annotated[int, figure("kers.points", 0, 9)] = 2
    kers_most: Annotated[int, figure("kers.points", 0, 9)] = 2
    checks_dry: Annotated[tuple[Outcome, Outcome, Outcome], table("weather.by-start", proposed=True)] = (
        "dry",
        "stays",
        "clouds",
    )
    checks_changeable: Annotated[tuple[Outcome, Outcome, Outcome], table("weather.by-start", proposed=True)] = (
        "dry",
        "stays",
        "wet",
    )
    checks_wet: Annotated[tuple[Outcome, Outcome, Outcome], table("weather.by-start", proposed=True)] = (
        "clouds",
        "stays",
        "wet",
    )
    grid_by_die: Annotated[bool, table("ruling 36", proposed=True)] = False
    grid_in_phases: Annotated[bool, table("ruling 32", proposed=True)] = False
    missed_stops_spin: Annotated[bool, table("ruling 4", proposed=True)] = False
    long_blocks_cost_tyres: Annotated[bool, table("ruling 8", proposed=True)] = False
    table_names_zones: Annotated[bool, table("ruling 44", proposed=True)] = False
    drs_in_wet_conditions: Annotated[bool, table("ruling 24", proposed=True)] = False
    pits_are_a_way_round: Annotated[bool, table("ruling 40", proposed=True)] = False
    no_stop_standing_still: Annotated[bool, table("ruling 41", proposed=True)] = False
    soft_space_not_over_line: Annotated[bool, table("ruling 42", proposed=True)] = False
