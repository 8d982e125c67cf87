"""A car's move as a whole: driven, paid for, and counted as a stop of its corner. Articles 6 and 7."""

from __future__ import annotations

from companion.rules.conversation.asking import Json, Proc, ask
from companion.rules.dice.blocking import Blocking
from companion.rules.dice.state import C


class Driving(Blocking[C]):
    """One car's move, from the die to where it stops."""

    def displace(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """The move of a turn: where it stops, then as many slipstreams as offer themselves [6-3.5 to 6-3.9, 18-1-3]."""
        if self.track.known == "corner":
            yield from self.displace_unseen(car, spaces, soft=soft, least=least)
            return
        landing = yield from ask(self.landing_question, car, spaces, soft=soft, least=least)
        self.take(car, landing)
        yield from self.further(car, soft)

    def displace_unseen(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """The move of a turn on a corner sheet, as the table saw it."""
        raise NotImplementedError
        yield

    def settle(self, car: C) -> Proc[None]:
        """Once the way's tests are done: overshooting is paid, then blocking [6-3.11, ruling 40]."""
        self.overshoot(car)
        if car.alive:
            yield from self.blocked(car)

    def count_stops(self, car: C) -> None:
        """Where the whole turn ends inside a corner it makes a stop, but not in one reached by overshooting another;
        standing still on brakes makes one too, unless the table rules otherwise. A straight asks for none
        [6-2-1, 7-1-1, 7-2-2, 10-2-3, 19-3-8, rulings 28 to 30]."""
        corner, begin = self.corner_of(car.at), self.corner_of(self.move.begin)
        if corner < 0 or self.move.overs:
            car.stops = 0
        else:
            stops = self.track.corners[corner].stops
            made = self.move.made if corner == begin else 0
            if not self.counts_standing(self.move.braked > 0 and not self.move.moved):
                return
            car.stops = min(made + 1, stops)
            if made < stops:
                self.rule("stop", "7-1-1", car, corner=self.track.corners[corner].number, stops=car.stops, of=stops)

    def _set_place(self, car: C, place: Json) -> None:
        """Moved by the referee's word into another corner, or out of one, a car has made no stop there."""
        before = self.corner_of(car.at)
        super()._set_place(car, place)
        if self.corner_of(car.at) != before:
            car.stops = 0

    def corner_of(self, at: str | None) -> int:
        """The index of the corner that a place lies in, between its two lines in that lane, -1 for none
        [7-1-2, 7-1-3]."""
        if at is None:
            return -1
        if self.track.known == "corner":
            where, _, number = at.partition(":")
            return int(number) - 1 if where == "corner" else -1
        return self.track.corner[self.track.ids[at]]
