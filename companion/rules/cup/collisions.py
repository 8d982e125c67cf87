"""The cup's collisions: all who are involved roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.collisions import Collisions

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupCollisions(Collisions[CupCar, CupRace, CupFigures]):
    """Who tests beside whom."""

    book: Cup

    @override
    def body_test(self, car: CupCar, aggravated: bool, other: CupCar) -> Proc[bool]:
        """All who are involved roll; the threatened first, then the mover once for each that is still in the race; a
        car that is out is rolled for no more, and nobody loses a point without a roll [collision.risk,
        collision.order, collision.range, rulings 13, 14]."""
        if not other.alive:
            return False
        return (yield from super().body_test(car, False, other))
