"""The cup's tests: no engine is at its limit in the pits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.tests import Tests

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupTests(Tests[CupCar, CupRace, CupFigures]):
    """Tests on the black die."""

    book: Cup

    @override
    def flat_out(self, gear: int, face: int) -> bool:
        """No engine is at its limit in the pits [pit.suspended, engine.trigger]."""
        return not self.book.pits.from_pits() and super().flat_out(gear, face)
