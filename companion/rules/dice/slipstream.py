"""Slipstream: on behind the car ahead. Article 18."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Option, Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.forms import Choice
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.moving import MovingBook
from companion.rules.dice.state import C
from companion.rules.dice.wear import FREE, Cost


class Slipstream(DiceChapter[C, R, F]):
    """Slipstreams: which cars get one, where it ends, and its cost."""

    book: MovingBook[C, R, F]

    def entry_brakes(self) -> int:
        """Return the brakes that a slipstream from a straight into a corner costs [18-1-4, 18-2-3]."""
        return self.figures.corner_brake

    def entry_cost(self, brakes: int) -> Cost:
        """Return the cost of those brakes [18-1-4]."""
        return Cost((("brakes", brakes),)) if brakes else FREE

    def pay_entry(self, car: C, brakes: int) -> None:
        """Pay the brakes that a slipstream into a corner costs [18-1-4, 18-2-3]."""
        if brakes:
            self.lose(car, "slipstream", "18-1-4", dict(self.entry_cost(brakes).points), brakes=brakes)

    def enters_corner(self, car: C, landing: Landing) -> bool:
        """Return True if a slipstream begun on a straight ends in or beyond a corner, which costs a brake.

        One begun in a corner does not [18-1-4, 18-2-3, 18-3-2, ruling 76].
        """
        track = self.track
        start = track.ids[car.at or ""]
        if track.corner[start] >= 0 or (landing.finished and not landing.overs):
            return False
        return bool(landing.overs) or track.corner[landing.space] >= 0

    def can_slipstream(self, car: C, ahead: C | None) -> bool:
        """Return True behind a car that is not in a higher gear, both in 4th or more.

        The move must not have been braked, blocked or out of line [18-0-1, 18-0-2, 18-1-1, 18-1-6, 18-2-2, rulings 73,
        74].
        """
        move = self.move
        if ahead is None or car.status not in ("racing", "pit") or move.finished:
            return False
        if move.braked or move.blocked or move.overs:
            return False
        return self.gears_allow_slipstream(car, ahead) and self.gives_slipstream(ahead)

    def gears_allow_slipstream(self, car: C, ahead: C) -> bool:
        """Both cars are in 4th or more, the one ahead in no higher gear [18-0-1, 18-1-1]."""
        return self.figures.slipstream_gear <= ahead.gear <= car.gear

    def gives_slipstream(self, ahead: C) -> bool:
        """Return True unless the car ahead is spun, coasting or a wreck.

        A car whose engine has just broken still gives one [10-4-4, 16-0-5, 18-1-7, 18-1-8, ruling 73].
        """
        if ahead.status == "coasting":
            return ahead.coast == 4
        return ahead.status in ("racing", "pit")

    def car_ahead(self, car: C) -> C | None:
        """Return the car straight ahead in the lane, or None [18-0-2, ruling 2]."""
        ahead = self.track.ahead[self.track.ids[car.at or ""]]
        if ahead < 0:
            return None
        name = self.track.spaces[ahead].name
        return next((other for other in self.others(car) if other.at == name), None)

    def spaces(self) -> int:
        """Return the spaces of a slipstream [18-0-3]."""
        return self.figures.slipstream_spaces

    def leads_into_pits(self) -> bool:
        """Return True if a slipstream may lead into the pits [ruling 80]."""
        return not self.figures.no_slipstream_into_pits

    def slipstream_question(self, car: C, soft: bool) -> Choice[Landing | None] | None:
        """Ask whether to take the slipstream, which is never compulsory, and where it ends.

        It has all its spaces, or fewer by brakes [18-0-3, 18-0-4, 18-1-2, 18-1-5, 18-2-1, 18-3-1, 18-3-3, 19-1-3,
        rulings 75 to 80]. From the pit lane there is one only where no space is lost: where it leads out [ruling 79].
        """
        if not self.can_slipstream(car, self.car_ahead(car)):
            return None
        spaces = self.spaces()
        leg = self.book.landings.leg(car, spaces, soft=soft)
        if not self.leads_into_pits():
            leg = replace(leg, until=-1)
        found = [landing for landing in self.book.landings.landings(car, leg) if landing.moved]
        if car.in_pits:
            found = [landing for landing in found if landing.moved + landing.brakes + landing.blocked >= spaces]
        choices: list[tuple[Option, Landing | None]] = [(Option(None), None)]
        choices += self.book.landings.choices(car, found, self.entry_brakes())
        if len(choices) == 1:
            return None
        return Choice(
            "slipstream",
            car.number,
            self.article("18-0-2"),
            choices,
            what=f"tow_{self.move.slipstreams + 1}",
            broad=self.book.landings.forced_landing,
        )

    def slipstreams(self, car: C, soft: bool) -> Procedure[None]:
        """Offer slipstreams between a move and its tests, as many as are open [18-1-3]."""
        while (yield from self.slipstream(car, soft)):
            pass

    def slipstream(self, car: C, soft: bool) -> Procedure[bool]:
        """One slipstream; whether it was offered and taken [18-0-3, 18-0-4]."""
        try:
            tow = yield from ask(self.slipstream_question, car, soft)
        except QuestionWithdrawn:
            return False
        if tow is None:
            return False
        self.move.slipstreams += 1
        self.rule("slipstream", "18-0-3", car, spaces=tow.moved)
        yield from self.towed(car, tow)
        return True

    def towed(self, car: C, tow: Landing) -> Procedure[None]:
        """Drive the way of a slipstream; into a corner it costs a brake [18-1-4, 18-2-3]."""
        self.book.moving.take(car, tow, self.entry_brakes() if self.enters_corner(car, tow) else 0)
        yield from ()
