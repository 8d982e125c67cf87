"""Slipstream: on behind the car ahead. Article 18."""

from __future__ import annotations

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Moot, Option, Proc, ask
from companion.rules.conversation.forms import Choice
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C


class Slipstream(DiceChapter[C, R, F]):
    """Who is offered one, where it ends, what it costs."""

    def enters_corner(self, car: C, landing: Landing) -> bool:
        """A slipstream begun on a straight that ends in or beyond a corner costs a brake; begun in a corner it does
        not [18-1-4, 18-2-3, 18-3-2, ruling 76]."""
        track = self.track
        start = track.ids[car.at or ""]
        if track.corner[start] >= 0 or (landing.finished and not landing.overs):
            return False
        return bool(landing.overs) or track.corner[landing.space] >= 0

    def tows(self, car: C, ahead: C | None) -> bool:
        """A slipstream is offered behind a car that is not in a higher gear, both in 4th or more, to one that did not
        brake and was not blocked or out of line [18-0-1, 18-0-2, 18-1-1, 18-1-6, 18-2-2, rulings 73, 74]."""
        move = self.move
        if ahead is None or car.status not in ("racing", "pit") or move.finished:
            return False
        if move.braked or move.blocked or move.overs:
            return False
        return self.gears_tow(car, ahead) and self.draws(ahead)

    def gears_tow(self, car: C, ahead: C) -> bool:
        """Both cars are in 4th or more, the one ahead in no higher gear [18-0-1, 18-1-1]."""
        return self.figures.slipstream_gear <= ahead.gear <= car.gear

    def draws(self, ahead: C) -> bool:
        """There is no slipstream behind a spun car, a coasting one or a wreck; behind one whose engine has just broken
        there is [10-4-4, 16-0-5, 18-1-7, 18-1-8, ruling 73]."""
        if ahead.status == "coasting":
            return ahead.coast == 4
        return ahead.status in ("racing", "pit")

    def car_ahead(self, car: C) -> C | None:
        """The car straight ahead in the lane, if there is one [18-0-2, ruling 2]."""
        ahead = self.track.ahead[self.track.ids[car.at or ""]]
        if ahead < 0:
            return None
        name = self.track.spaces[ahead].name
        return next((other for other in self.others(car) if other.at == name), None)

    def slipstream_question(self, car: C, soft: bool) -> Choice[Landing | None] | None:
        """Whether to take the slipstream and where it ends; all its spaces, or fewer by brakes; never compulsory
        [18-0-3, 18-0-4, 18-1-2, 18-1-5, 18-2-1, 18-3-1, 18-3-3, 19-1-3, rulings 75 to 80]. From the pit lane only
        where none of them is lost: where it leads out [ruling 79]."""
        if not self.tows(car, self.car_ahead(car)):
            return None
        spaces = self.figures.slipstream_spaces
        leg = self.book.landings.leg(car, spaces, soft=soft)
        if self.figures.no_slipstream_into_pits:
            leg = leg._replace(until=-1)
        found = [landing for landing in self.book.landings.landings(car, leg) if landing.moved]
        if car.in_pits:
            found = [landing for landing in found if landing.moved + landing.brakes + landing.blocked >= spaces]
        choices: list[tuple[Option, Landing | None]] = [(Option(None), None)]
        choices += self.book.landings.choices(car, found, self.figures.corner_brake)
        if len(choices) == 1:
            return None
        return Choice(
            "slipstream",
            car.number,
            self.article("18-0-2"),
            choices,
            what=f"tow_{self.move.slipstreams + 1}",
            wanted="The slipstream may be left (null) or end at",
            broad=self.book.landings.forced_landing,
        )

    def further(self, car: C, soft: bool) -> Proc[None]:
        """What may follow a move before its tests: as many slipstreams as offer themselves [18-1-3]."""
        while (yield from self.slipstream(car, soft)):
            pass

    def slipstream(self, car: C, soft: bool) -> Proc[bool]:
        """One slipstream; whether it was offered and taken [18-0-3, 18-0-4]."""
        try:
            tow = yield from ask(self.slipstream_question, car, soft)
        except Moot:
            return False
        if tow is None:
            return False
        self.move.slipstreams += 1
        self.rule("slipstream", "18-0-3", car, spaces=tow.moved)
        yield from self.towed(car, tow)
        return True

    def towed(self, car: C, tow: Landing) -> Proc[None]:
        """The way of a slipstream; into a corner it costs a brake [18-1-4, 18-2-3]."""
        self.book.moving.take(car, tow, self.figures.corner_brake if self.enters_corner(car, tow) else 0)
        return
        yield
