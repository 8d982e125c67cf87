"""The flap behind another car in a zone (DRS), which the cup has instead of the slipstream."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from companion.rules.circuit.leg import Landing
from companion.rules.circuit.track import Zone
from companion.rules.circuit.zones import zones_of
from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.slipstream import Slipstream

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupSlipstream(Slipstream[CupCar, CupRace, CupFigures]):
    """DRS and KERS, one after the other as the driver likes, until the tests begin."""

    book: Cup

    @property
    def zones(self) -> tuple[Zone, ...]:
        """The DRS zones of this race [drs.zones, ruling 44]."""
        named = tuple(map(tuple, self.race.zones))
        if named not in self._zones:
            self._zones[named] = zones_of(self.track, named)
        return self._zones[named]

    @cached_property
    def _zones(self) -> dict[tuple[tuple[int, ...], ...], tuple[Zone, ...]]:
        """The zones of the circuit by the stretches that were named, as far as they have been asked for."""
        return {}

    def zone_of(self, at: str | None) -> Zone | None:
        """The DRS zone that a space lies in [drs.zones]."""
        space = self.track.ids[at or ""]
        return next((zone for zone in self.zones if space in zone.spaces), None)

    @override
    def tows(self, car: CupCar, ahead: CupCar | None) -> bool:
        """DRS is open to a car straight behind another, both inside the same zone, in 4th or more and not slower than
        it; not on the way out of the pits, not after braking, and not in wet weather conditions unless the table
        says so. The zones of a corner sheet are on the table's own board, and whoever is not in one leaves DRS
        [drs.zones, drs.conditions, drs.chain, rulings 23, 24, 28, 44]."""
        if ahead is None or self.book.pits.from_pits() or not super().tows(car, ahead):
            return False
        if self.race.wet_conditions and not self.figures.drs_in_wet_conditions:
            return False
        if self.track.known == "corner":
            return True
        zone = self.zone_of(car.at)
        return zone is not None and zone is self.zone_of(ahead.at)

    @override
    def draws(self, ahead: CupCar) -> bool:
        """The car ahead must be driving [drs.conditions]."""
        return ahead.status == "racing"

    @override
    def further(self, car: CupCar, soft: bool) -> Proc[None]:
        """After the die's spaces, DRS and KERS as often as they offer themselves, in whatever order
        [drs.chain, kers.spend, rulings 21, 22]."""
        while (yield from self.slipstream(car, soft)) or (yield from self.book.kers.kers(car)):
            pass

    @override
    def towed(self, car: CupCar, tow: Landing) -> Proc[None]:
        """With each DRS a new way begins [drs.move, ruling 21]."""
        self.book.move.towed_from, self.book.move.towed_after = car.at or "", self.book.move.moved
        yield from super().towed(car, tow)
