"""The death race as plain data: its cars with their cards, its markers and mines, and its figures."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.figures import Score, WearPoints, figure, table
from companion.rules.conversation.kinds import Pool
from companion.rules.conversation.overriding import override
from companion.rules.death.cards import CARDS, NOTHING, SLOTS, WeaponCard
from companion.rules.dice.chapter import DiceChapter
from companion.rules.dice.figures import Figures
from companion.rules.dice.one_pool import POOL
from companion.rules.dice.state import Car, Move, RaceState


class DeathCar(Car):
    """A car with its cards.

    `weapons` are its weapons with the reload tokens on each, `defence` and `utility` its other cards ("" without one).
    `second` are the slots that its Powerful cards take besides their own, `stock` what is left of mines and tokens by
    card. `used` says that its card for once a lap has been used in this one, `busy` that its card for once a phase has
    in this phase. `stripped` are cards that were torn off and wait in the pits.
    """

    counted: ClassVar = ("wear", "weapons", "stock")
    held: ClassVar = ("most",)
    once_a_lap: ClassVar = ("used",)
    once_a_round: ClassVar = ("busy",)
    stays: ClassVar = (*Car.stays, "defence", "utility", "stripped")

    weapons: dict[str, int] = msgspec.field(default_factory=dict)
    defence: str = ""
    utility: str = ""
    second: list[str] = msgspec.field(default_factory=list)
    stock: dict[str, int] = msgspec.field(default_factory=dict)
    used: bool = False
    busy: bool = False
    stripped: list[str] = msgspec.field(default_factory=list)

    @override
    def mended(self, part: Pool) -> None:
        """Let a car that has a point again race on: it was not turned round for want of one [spin.zero]."""
        self.status = "racing" if self.status == "spun" else self.status

    @property
    def most(self) -> int:
        """The most points that it can have."""
        return self.built.get(POOL, 0)

    @property
    def cards(self) -> list[WeaponCard]:
        """Every card on the car."""
        return [CARDS[key] for key in (*self.weapons, self.defence, self.utility) if key]

    @property
    def armour(self) -> WeaponCard:
        """Its defence, or a card of nothing but zeros."""
        return CARDS[self.defence] if self.defence else NOTHING

    @property
    def slots(self) -> list[str]:
        """The slots that are still free, in the order of dealing."""
        taken = [*(card.kind for card in self.cards), *self.second]
        return [slot for slot, count in SLOTS.items() for _ in range(count - taken.count(slot))]

    @override
    def renewed(self, before: Car) -> tuple[str, ...]:
        """Return what a stop has given back since: every point, and what cards hold but limpet mines.

        [pit.refill, ruling 20]
        """
        if not before.round_set or self.round_set:
            return ()
        return POOL, *(f"stock:{key}" for key in self.stock if key != "limpet-mines")

    @override
    def within(self, values: dict[str, Json]) -> dict[str, Json]:
        """Return the part of a correction that the car can have: no more points and no more of a card's stock.

        It may have stopped since.
        """
        if "most" in values:
            values["most"] = max(1, values["most"])
        most, have = values.get("most", self.most), self.wear.get(POOL, 0)
        points = min(values.pop("wear", {}).get(POOL, have), most if "most" in values else max(most, have))
        if points != have:
            values["wear"] = {POOL: points}
        stock = {key: min(left, CARDS[key].stock) for key, left in values.pop("stock", {}).items()}
        changed = {key: left for key, left in stock.items() if left != self.stock.get(key)}
        return {**values, "stock": changed} if changed else values

    def ready(self, key: str) -> bool:
        """Return True if the car has that utility, and has not used it yet in this lap or phase."""
        return self.utility == key and not (self.used if CARDS[key].lap else self.busy)


class DeathMove(Move):
    """A move of the death race: `ramp` when it goes through other cars, `stopped` when something has ended it."""

    ramp: bool = False
    stopped: bool = False


class Mine(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, rename={"owner": "car"}):
    """A mine on the board, and whose it is; `rolled` says that a remote one does not roll any more in this phase."""

    owner: int
    card: Literal["slip-mines", "remote-mines"]
    at: str
    rolled: bool = False


class DeathRace(RaceState[DeathCar]):
    """A death race.

    `grid` are the cars from pole where the black die has settled it, `faces` what each has rolled for it. `deck` is the
    number of a deck from which the program deals the cards, 0 where the table does. A space in
    `dangers` has a wreckage marker; `piles` are the markers lying on it beyond that one. `moved` are the cars that have
    had their move in this round, in that order. `attacking` says that the attack phase is on, `attackers` who still
    acts in it, in order.
    """

    pools: ClassVar[tuple[Pool, ...]] = (POOL,)
    piled: ClassVar = 100
    stays: ClassVar = ("mines",)

    grid: list[int] = msgspec.field(default_factory=list)
    faces: dict[str, list[int]] = msgspec.field(default_factory=dict)
    piles: dict[str, int] = msgspec.field(default_factory=dict)
    mines: list[Mine] = msgspec.field(default_factory=list)
    moved: list[int] = msgspec.field(default_factory=list)
    deck: int = 0
    attacking: bool = False
    attackers: list[int] = msgspec.field(default_factory=list)
    move: DeathMove | None = None

    @property
    @override
    def lying(self) -> list[str]:
        """The space of each wreckage marker, several on a pile."""
        return [space for space in self.dangers for _ in range(1 + self.piles.get(space, 0))]

    @property
    def marked(self) -> list[str]:
        """Wreckage and mines."""
        return sorted({*self.dangers, *(mine.at for mine in self.mines)})


class DeathFigures(Figures, frozen=True):
    """The figures and switches of the death race."""

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
    gear_down: Annotated[tuple[tuple[WearPoints, WearPoints, WearPoints], ...], table("basic.gears")] = (
        (1, 0, 0),
        (2, 0, 0),
        (3, 0, 0),
    )
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
    out_at_zero: Annotated[bool, table("ruling 14", proposed=True)] = False
    costs_leave_markers: Annotated[bool, table("ruling 9", proposed=True)] = False
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


class DeathChapter(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """A chapter that only the death race has."""
