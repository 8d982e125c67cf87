"""The death race as plain data: its cars with their cards, its markers and mines."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Pool
from companion.rules.conversation.overriding import override
from companion.rules.death.cards import CARDS, NOTHING, SLOTS, Card
from companion.rules.dice.state import Car, Move, Race

POOL: Final[Pool] = "points"
"""The one pool of wear points [basic.pool]."""


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
        """A car that has a point again was not turned round for want of one [spin.zero]."""
        self.status = "racing" if self.status == "spun" else self.status

    @property
    def most(self) -> int:
        """The most points that it can have."""
        return self.built.get(POOL, 0)

    @property
    def cards(self) -> list[Card]:
        """Every card on the car."""
        return [CARDS[key] for key in (*self.weapons, self.defence, self.utility) if key]

    @property
    def armour(self) -> Card:
        """Its defence, or a card of nothing but zeros."""
        return CARDS[self.defence] if self.defence else NOTHING

    @property
    def slots(self) -> list[str]:
        """The slots that are still free, in the order of dealing."""
        taken = [*(card.kind for card in self.cards), *self.second]
        return [slot for slot, count in SLOTS.items() for _ in range(count - taken.count(slot))]

    @override
    def renewed(self, before: Car) -> tuple[str, ...]:
        """What a stop has given back since: every point, and what cards hold but limpet mines [pit.refill,
        ruling 20]."""
        if not before.round_set or self.round_set:
            return ()
        return POOL, *(f"stock:{key}" for key in self.stock if key != "limpet-mines")

    @override
    def within(self, values: dict[str, Json]) -> dict[str, Json]:
        """What such a correction sets, no more points and no more of a card's stock than the car can have: it may have
        stopped since."""
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
        """Whether the car has that utility, and it has not done what it does once a lap or a phase."""
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


class DeathRace(Race[DeathCar]):
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
