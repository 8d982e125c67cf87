"""Corners left with a stop missing, and the spin on the last tyre point. Article 10."""

from __future__ import annotations

from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.state import C


class Overshooting(Slipstream[C]):
    """What a corner costs that was not driven as it has to be."""

    def overshoot(self, car: C) -> None:
        """A corner left with a stop missing costs tyres for each space beyond it, by their factor
        [10-0-1, rulings 36, 37]."""
        overs = self.move.overs
        if not overs:
            return
        spaces = sum(over[1] for over in overs)
        factor = self.factor(car)
        loss = spaces * factor
        corners = [self.track.corners[over[0]].number for over in overs]
        missing = max(over[2] for over in overs)
        limit = self.tyre_limit(car)
        self.lose(
            car,
            "overshoot",
            "10-0-1",
            {"tyres": loss},
            spaces=spaces,
            factor=factor,
            loss=loss,
            corners=corners,
            missing=missing,
        )
        self.overshot(car, missing, loss, limit)

    def overshot(self, car: C, missing: int, loss: int, limit: int) -> None:
        """Two stops missing, or more lost than the tyres could pay, and the car is taken off at once without a marker;
        exactly the last point spins it [10-1, 10-3, 10-4-1, 20-1]."""
        if missing >= 2:
            self.eliminate(car, "overshoot", "10-1", removed=True)
        elif loss > limit:
            self.eliminate(car, "overshoot", "10-3", removed=True)
        elif loss and not self.works(car, "tyres") and not self.move.blocked:
            self.spin(car, "10-4-1")

    def spin(self, car: C, article: str) -> None:
        """The last tyre point spins the car where it stands; it stays in its gear until the end of the round
        [5-1-4, 10-4-1, 10-4-2, 12-1-4]."""
        if self.move.finished:
            return
        car.turned = False
        if car.coast:
            self.eliminate(car, "engine", "16-0-3-1", removed=True)
            return
        car.status = "spun"
        self.rule("spin", article, car, at=car.at)
