"""The cup's end: nobody is home at the line, but when turn one is left, with two compounds raced on."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.finish import Finish

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupFinish(Finish[CupCar, CupRace, CupFigures]):
    """Past the flag, and out of turn one."""

    book: Cup

    @override
    def last_lap(self, car: CupCar) -> bool:
        """The line ends nobody's race: turn one does [ruling 34]."""
        return False

    def over_the_line(self, car: CupCar, lap: int) -> None:
        """A completed lap brings KERS; after the last one the order of crossing is the order of the finish, for those
        who clear turn one [kers.points, finish.order, rulings 20, 34, 35]."""
        race = self.race
        if car.lap <= lap:
            return
        if not car.fresh:
            self.lap_done(car)
        if car.lap > race.laps and car.number not in race.flagged:
            race.flagged.append(car.number)
            self.rule("flag", "finish.order", car, place=len(race.flagged))

    def lap_done(self, car: CupCar) -> None:
        """A lap completed brings KERS, and a reminder to whoever owes the race a second compound
        [kers.points, tyres.two-compounds]."""
        self.book.kers.lap_done(car)
        self.book.tyres.lap_done(car)

    @cached_property
    def turn_one(self) -> int:
        """The index of the first corner after the line [finish.turn-one]."""
        if self.track.known == "corner":
            return 0
        track = self.track
        return min(range(len(track.corners)), key=lambda i: track.place[self.board.bends[i][-1]])

    def cleared(self, car: CupCar) -> bool:
        """Whether a car past the flag has left turn one behind it; it may spin in the next one [finish.turn-one]."""
        if car.number not in self.race.flagged or not car.alive:
            return False
        return self.book.corners.corners_passed(car) > 0

    @override
    def finish(self, car: CupCar) -> None:
        """Home, in the order in which the line was crossed; without a second compound disqualified
        [finish.order, tyres.two-compounds, rulings 19, 34]."""
        race = self.race
        if self.book.tyres.lacks_compound(car):
            self.book.wear.eliminate(car, "compounds", "ruling 19", removed=True)
            return
        car.status, car.stops = "finished", 0
        race.home = [number for number in race.flagged if self.car(number).status == "finished"]
        before = race.flagged[: race.flagged.index(car.number)]
        place = 1 + sum(number not in race.gone for number in before)
        self.rule("finish", "finish.turn-one", car, place=place)
