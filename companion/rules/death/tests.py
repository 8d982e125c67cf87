"""The death race's tests: what lies on the way has been met by its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.tests import Tests

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathTests(Tests[DeathCar, DeathRace, DeathFigures]):
    """Tests on the black die."""

    book: Death

    @override
    def way_tests(self, car: DeathCar) -> Proc[None]:
        """Nothing is left to test at the end of a way [ruling 2]."""
        return
        yield
