"""The death race's corners: a point a space beyond one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.corners import Corners

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class DeathCorners(Corners[DeathCar, DeathRace, DeathFigures]):
    """What it costs to overshoot."""

    book: Death

    @override
    def overshoot(self, car: DeathCar) -> None:
        """A point a space beyond the corner; two or more stops missed, or a space overshot with no point left, and the
        car is out [basic.overshoot, rulings 15, 16]."""
        overs = self.move.overs
        if not overs:
            return
        spaces, missing = sum(over[1] for over in overs), max(over[2] for over in overs)
        corners = [self.track.corners[over[0]].number for over in overs]
        dry = self.book.wear.points(car) == 0 and not self.move.braked
        self.lose(
            car, "overshoot", "basic.overshoot", {"tyres": spaces}, spaces=spaces, corners=corners, missing=missing
        )
        self.stops_missed(car)
        if dry:
            self.book.wear.destroy(car)

    def stops_missed(self, car: DeathCar) -> None:
        """Two or more stops missed in a corner that was left, and the car is out, spun or not
        [basic.overshoot, ruling 16]."""
        if any(missing >= 2 for _, _, missing in self.move.overs):
            self.book.wear.eliminate(car, "overshoot", "basic.overshoot", removed=True)
