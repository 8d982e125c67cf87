"""Spaces that other cars left no way to drive. Article 12."""

from __future__ import annotations

from companion.rules.conversation.asking import Option, Proc, ask
from companion.rules.conversation.forms import Choice
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C


class Blocking(DiceChapter[C, R, F]):
    """What it costs to be blocked, and who is hit when it costs the race."""

    def blocked(self, car: C) -> Proc[None]:
        """Spaces that could not be driven cost brakes and tyres by the table, whatever the tyres; who cannot pay, or
        is blocked by seven or more, is out [12-0-1, 12-0-2, 12-1-1, 12-1-4, 20-2-1]."""
        spaces = self.move.blocked
        if not spaces:
            return
        table = self.figures.blocking
        owed = sum(over[1] for over in self.move.overs) * self.book.tyres.factor(car)
        if spaces > len(table):
            self.rule("blocked", "12-1-1", car, spaces=spaces)
            yield from self.blocked_out(car)
            return
        brakes, tyres = table[spaces - 1]
        limit = self.book.wear.left(car, "tyres") if owed else self.book.wear.tyre_limit(car)
        short = brakes > self.book.wear.left(car, "brakes") or tyres > limit
        self.lose(
            car,
            "blocked",
            "12-0-1",
            {"brakes": brakes, "tyres": tyres},
            spaces=spaces,
            brakes=brakes,
            tyres=tyres,
        )
        if short:
            yield from self.blocked_out(car)
        elif not self.book.wear.works(car, "tyres") and (tyres or owed):
            self.book.wear.spin(car, "12-1-4")

    def blocked_out(self, car: C) -> Proc[None]:
        """Out by blocking: the car just in front loses a body point without a roll, both spaces are marked, and the
        others in contact test aggravated [12-1-1, 12-1-2, 12-1-5, 20-2-1, 20-2-2, rulings 49 to 51]."""
        front = yield from self.just_in_front(car)
        self.book.wear.eliminate(car, "blocked", "12-1-1", removed=False, at_space=car.at)
        self.book.wear.mark(car.at, "12-1-2", car)
        if front is not None and front.alive:
            self.book.wear.damage(front, "body", "12-1-1", why="blocked", other=car.number)
        yield from self.tests_beside_wreck(car, front)

    def tests_beside_wreck(self, car: C, front: C | None) -> Proc[None]:
        """The others in contact with a car that is out by blocking test aggravated [12-1-5, 20-2-2, ruling 51]."""
        for other in self.book.collisions.neighbours(car):
            if other is not front and self.book.collisions.rolls(other):
                yield from self.book.collisions.body_test(other, True, car)

    def just_in_front(self, car: C) -> Proc[C | None]:
        """The car straight ahead in the lane; where the arrows lead elsewhere, the one on the space the way needed,
        the driver choosing among several [12-1-1, ruling 49]."""
        ahead = self.car_in_front(car)
        if ahead is not None:
            return ahead
        found = self.in_the_way(car)
        if not found:
            return None
        if len(found) == 1:
            return found[0]
        number = yield from ask(self.front_question, car, [other.number for other in found])
        return self.car(number)

    def car_in_front(self, car: C) -> C | None:
        """The car straight ahead, on the board or as the table saw it."""
        if self.track.known == "corner":
            return self.car(self.move.ahead) if self.move.ahead else None
        return self.book.slipstream.car_ahead(car)

    def in_the_way(self, car: C) -> list[C]:
        """The cars on the spaces to which a printed move leads from where the car stands."""
        if self.track.known == "corner":
            return [self.car(number) for number in self.move.beside]
        names = {self.track.spaces[x].name for x in self.track.moves[self.track.ids[car.at or ""]]}
        return [other for other in self.others(car) if other.at in names]

    def front_question(self, car: C, numbers: list[int]) -> Choice[int]:
        """Which car stands just in front of the blocked one [12-1-1, ruling 49]."""
        return Choice("front", car.number, self.article("12-1-1"), [(Option(number), number) for number in numbers])
