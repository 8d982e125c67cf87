"""The figures and switches of the league."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from companion.rules.conversation.figures import Score, figure, table
from companion.rules.dice.figures import Factors, Figures

Points = Annotated[int, Meta(ge=1, le=20)]


class LeagueFigures(Figures, frozen=True):
    """What the league has otherwise than the family; what its own pages leave out is proposed."""

    without: ClassVar = frozenset(
        {
            "car_points", "stand_points", "pool_minimum", "aggravated_dry", "aggravated_wet", "flag_next_crossing",
            "restart_stall_aggravated", "pits_are_a_way_round", "soft_space_not_over_line", "no_slipstream_into_pits",
            "retired_cars_placed",
        }
    )  # fmt: skip

    wear_setup: Annotated[
        tuple[Points, Points, Points, Points, Points, Points], table("setup.wear", proposed=True)
    ] = (6, 3, 3, 3, 3, 2)  # fmt: skip
    home_tyres: Annotated[int, figure("tyres.home", 0, 9)] = 2
    collision_wet: Annotated[int, figure("weather.rain", 0, 20, proposed=True)] = 2
    engine_dry: Annotated[int, figure("engine.range", 0, 20)] = 1
    engine_wet: Annotated[int, figure("weather.rain", 0, 20, proposed=True)] = 1
    handling_wet: Annotated[int, figure("weather.rain", 0, 20, proposed=True)] = 5
    corner_brake: Annotated[int, figure("ruling 10", 0, 3, proposed=True)] = 1
    leave_gear: Annotated[int, figure("pit.lane", 2, 6)] = 4
    pit_lap: Annotated[int, figure("pit.entry", 1, 98)] = 1
    technical_points: Annotated[int, figure("pit.technical", 0, 9)] = 2
    slide_hard: Annotated[int, figure("weather.rain", 0, 9, proposed=True)] = 3
    slide_soft: Annotated[int, figure("weather.rain", 0, 9, proposed=True)] = 3
    slide_rain: Annotated[int, figure("weather.rain", 0, 9, proposed=True)] = 1
    factor_hard_dry: Annotated[Factors, table("tyres.choice", proposed=True)] = (1, 1, 1)
    factor_hard_wet: Annotated[Factors, table("tyres.choice", proposed=True)] = (1, 1, 1)
    factor_soft_dry: Annotated[Factors, table("tyres.choice", proposed=True)] = (2, 2, 3)
    factor_soft_wet: Annotated[Factors, table("tyres.choice", proposed=True)] = (2, 2, 3)
    factor_rain_dry: Annotated[Factors, table("tyres.choice", proposed=True)] = (2, 2, 3)
    factor_rain_wet: Annotated[Factors, table("tyres.choice", proposed=True)] = (1, 1, 1)
    soft_laps: Annotated[int, figure("tyres.choice", 0, 3, proposed=True)] = 1
    points: Annotated[tuple[Score, ...], table("season.points", proposed=True)] = (10, 8, 6, 5, 4, 3, 2, 1, 0, 0)
    racers: Annotated[int, figure("season.drivers", 2, 20)] = 10
    team_racers: Annotated[int, figure("season.teams", 1, 10)] = 2
    season_races: Annotated[int, figure("season.races", 1, 99)] = 8
    no_stop_standing_still: Annotated[bool, table("ruling 1", proposed=True)] = False
    official_body_test: Annotated[bool, table("ruling 5", proposed=True)] = False
    official_slipstream: Annotated[bool, table("ruling 10", proposed=True)] = False
    retired_cars_placed: Annotated[bool, table("race.unfinished")] = True
