"""The figures and switches of the death race."""

from __future__ import annotations

from typing import Annotated, ClassVar

from companion.rules.conversation.figures import Score, Wear, figure, table
from companion.rules.dice.figures import Figures


class DeathFigures(Figures, frozen=True):
    """The basic game's figures, those of the attack phase, and the switches of what the rules leave open."""

    without: ClassVar = frozenset(
        {
            "stand_points", "pool_minimum", "collision_wet", "aggravated_dry", "aggravated_wet", "engine_wet",
            "handling_dry", "handling_wet", "slipstream_gear", "corner_brake", "quick_to", "blocking", "slide_hard",
            "slide_soft", "slide_rain", "factor_hard_dry", "factor_hard_wet", "factor_soft_dry", "factor_soft_wet",
            "factor_rain_dry", "factor_rain_wet", "soft_laps", "flag_next_crossing", "restart_stall_aggravated",
            "pits_are_a_way_round", "no_stop_standing_still", "soft_space_not_over_line", "no_slipstream_into_pits",
        }
    )  # fmt: skip

    car_points: Annotated[int, figure("basic.pool", 1, 60)] = 18
    collision_dry: Annotated[int, figure("basic.collision", 0, 20)] = 4
    engine_dry: Annotated[int, figure("basic.engine", 0, 20)] = 4
    great_from: Annotated[int, figure("basic.start", 2, 21)] = 17
    gear_down: Annotated[tuple[tuple[Wear, Wear, Wear], ...], table("basic.gears")] = ((1, 0, 0), (2, 0, 0), (3, 0, 0))
    leave_gear: Annotated[int, figure("pit.refill", 1, 6)] = 4
    points: Annotated[tuple[Score, ...], table("basic.finish", proposed=True)] = (10, 6, 4, 3, 2, 1)
    corner_brake: Annotated[int, figure("slipstream.any-gear", 0, 3)] = 0

    wreckage_to: Annotated[int, figure("wreckage.roll", 0, 20)] = 4
    clutch_damage: Annotated[int, figure("clutch.drop", 0, 9)] = 2
    clutch_card_damage: Annotated[int, figure("utility.drop-clutch", 0, 9)] = 1
    start_tokens: Annotated[int, figure("weapons.start", 0, 9)] = 1
    refit_points: Annotated[int, figure("weapon.chain-blades", 0, 18)] = 4
    strip_to: Annotated[int, figure("weapon.chain-blades", 0, 20)] = 4
    lost_gears: Annotated[int, figure("weapon.haywire-charge", 1, 6)] = 2
    blob_tokens: Annotated[int, figure("weapon.blobber", 0, 9)] = 3
    pull_spaces: Annotated[int, figure("weapon.mag-gun", 0, 9)] = 2
    bare_space: Annotated[int, figure("weapon.frag-missiles", 0, 20)] = 4
    bravado_to: Annotated[int, figure("defence.bravado", 0, 20)] = 15
    heal_to: Annotated[int, figure("defence.nanobot-repair-systems", 0, 20)] = 8
    jammer_to: Annotated[int, figure("utility.jammer", 0, 20)] = 10
    ramp_damage: Annotated[int, figure("utility.pneumatic-ramp", 0, 9)] = 2
    remote_gear: Annotated[int, figure("weapon.remote-mines", 1, 6, proposed=True)] = 5
    retired_cars_placed: Annotated[bool, table("ruling 46", proposed=True)] = False
    out_at_zero: Annotated[bool, table("ruling 14", proposed=True)] = False
    attacks_as_played: Annotated[bool, table("ruling 21", proposed=True)] = False
    neighbours_at_zero: Annotated[bool, table("ruling 23", proposed=True)] = False
    tokens_on_hits_only: Annotated[bool, table("ruling 24", proposed=True)] = False
    armour_everywhere: Annotated[bool, table("ruling 27", proposed=True)] = False
    jammer_before_bravado: Annotated[bool, table("ruling 28", proposed=True)] = False
    bravado_spends_shot: Annotated[bool, table("ruling 29", proposed=True)] = False
    sight_is_given: Annotated[bool, table("ruling 40", proposed=True)] = False
    cars_block_fire: Annotated[bool, table("ruling 41", proposed=True)] = False
    doublers_count_once: Annotated[bool, table("ruling 42", proposed=True)] = False
    markers_stay: Annotated[bool, table("ruling 43", proposed=True)] = False
    pick_cards: Annotated[bool, table("ruling 44", proposed=True)] = False
    grid_by_die: Annotated[bool, table("ruling 45", proposed=True)] = False
