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
        if car.lap > lap and not car.fresh:
            had = car.kers
            self.lap_done(car)
            if self.move.tests:  # one of them may yet take the lap back
                self.book.move.won = car.kers - had
        self.follow_flag()

    def past_flag(self, car: CupCar) -> bool:
        """Whether a car has crossed the line after the last lap [finish.order]."""
        return car.status == "finished" or car.lap > self.race.laps

    def follow_flag(self) -> None:
        """Flagged are those past the line after the last lap, in the order of crossing it, however they came there; who
        is before it again is so no more [finish.order, ruling 34]."""
        race = self.race
        race.flagged = [number for number in race.flagged if self.past_flag(self.car(number))]
        for car in self.unflagged():
            race.flagged.append(car.number)
            self.rule("flag", "finish.order", car, place=len(race.flagged))

    def unflagged(self) -> list[CupCar]:
        """The cars that race past the flag though nobody has noted it, in running order [finish.order]."""
        race = self.race
        found = [car for car in race.cars if car.alive and self.past_flag(car) and car.number not in race.flagged]
        return self.book.order.in_running_order(found)

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
