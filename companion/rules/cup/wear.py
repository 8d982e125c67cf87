"""What wear costs in the cup: a pool at 0 is harmless until it must pay and cannot; only then its penalty falls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import DiceCause, Kind, Pool
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.wear import Wear

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


DISQUALIFIED: Final = ("turn_one", "compounds")
"""Why a car past the flag has no place all the same [finish.turn-one, tyres.two-compounds]."""


class CupWear(Wear[CupCar, CupRace, CupFigures]):
    """Pools, their penalties, and how a car leaves the race."""

    book: Cup

    @override
    def works(self, car: CupCar, part: Pool) -> bool:
        """A part whose points are gone still holds: 0 is harmless until a point is due [wear.penalty, ruling 11]."""
        return True

    @override
    def fatal(self, car: CupCar, part: Pool, points: int = 1) -> bool:
        """Only a point of body, engine or handling that is due and missing ends a race
        [wear.penalty, collision.out, engine.range, handling.test]."""
        return self.left(car, part) < points

    @override
    def lose(self, car: CupCar, kind: Kind, article: str, points: Mapping[Pool, int], **facts: Json) -> None:
        """Crosses points off, and says how many of those due were not there [wear.penalty]."""
        short = sum(max(0, count - self.left(car, part)) for part, count in points.items())
        if short:
            facts["short"] = short
        super().lose(car, kind, article, points, **facts)

    @override
    def tyre_limit(self, car: CupCar) -> int:
        """A car pays with the tyre points that it has [overshoot.limit]."""
        return self.left(car, "tyres")

    @override
    def body_gone(self, car: CupCar) -> None:
        """A body point that is due and missing eliminates [collision.out]."""
        self.eliminate(car, "body", "collision.out", removed=True)

    @override
    def engine_gone(self, car: CupCar) -> None:
        """An engine point that is due and missing eliminates [engine.range]."""
        self.eliminate(car, "engine", "engine.range", removed=True)

    @override
    def eliminate(self, car: CupCar, cause: DiceCause, article: str, *, removed: bool, **facts: Json) -> None:
        """Whoever is out is off the board, and where its move ended lies a marker, whatever the reason; a weather check
        falls due. To be disqualified after the flag is no elimination, nor what befalls a car that is home: it has
        driven its race and only its place is taken away, so nothing lies on the track and no weather turns
        [handling.marker, weather.check, finish.turn-one, rulings 12, 16, 37]."""
        if not car.alive:
            return
        super().eliminate(car, cause, article, removed=True, **facts)
        disqualified = cause in DISQUALIFIED or car.number in self.race.home
        if self.race.phase == "race" and not disqualified:
            self.mark(car.at, "handling.marker", car)
            self.book.weather.falls_due(car)

    @override
    def mark(self, space: str | None, article: str, car: CupCar) -> None:
        """There are no dangerous spaces in the pits [pit.suspended, handling.marker]."""
        if not (space or "").startswith(("pit:", "box:")):
            super().mark(space, article, car)
