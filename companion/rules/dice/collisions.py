"""Cars in each other's way: blocked spaces, and a move that ends beside or behind others. Articles 12 and 14."""

from __future__ import annotations

from typing import Protocol

from companion.rules.conversation.asking import Option, Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.faces import divided
from companion.rules.conversation.forms import Choice
from companion.rules.conversation.kinds import Pool
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.moving import MovingBook
from companion.rules.dice.questions import TestDie
from companion.rules.dice.slipstream import Slipstream
from companion.rules.dice.state import C
from companion.rules.dice.tests import Tests
from companion.rules.dice.wear import Cost, ForetoldTest, Purse


class CollisionsBook(MovingBook[C, R, F], Protocol[C, R, F]):
    """The book as blocking, collisions and a corner sheet see it."""

    @property
    def slipstream(self) -> Slipstream[C, R, F]: ...
    @property
    def tests(self) -> Tests[C, R, F]: ...
    @property
    def blocking(self) -> Blocking[C, R, F]: ...
    @property
    def collisions(self) -> Collisions[C, R, F]: ...


class Blocking(DiceChapter[C, R, F]):
    """The cost of being blocked, and the cars that are hit when it costs the race."""

    book: CollisionsBook[C, R, F]

    def row(self, spaces: int) -> tuple[int, int] | None:
        """Return the brakes and tyres that a number of blocked spaces costs; None beyond the table.

        There the car is out [12-0-1, 12-1-1].
        """
        table = self.figures.blocking
        return table[spaces - 1] if spaces <= len(table) else None

    def blocked_cost(self, car: C, spaces: int, purse: Purse, *, owed: int = 0) -> Cost:
        """Return the cost of being blocked by this many spaces, whatever the tyres.

        A car that cannot pay is out, and the last tyre point spins it. `owed` are the tyres that the move has lost by
        overshooting, which add up with these [12-0-1, 12-0-2, 12-1-1, 12-1-4, 20-2-1, ruling 40].
        """
        row = self.row(spaces)
        if row is None:
            return Cost(out="blocked", article="12-1-1")
        brakes, tyres = row
        points: tuple[tuple[Pool, int], ...] = (("brakes", brakes), ("tyres", tyres))
        limit = purse.points_left("tyres") if owed else self.book.wear.tyre_limit(purse)
        if brakes > purse.points_left("brakes") or tyres > limit:
            return Cost(points, out="blocked", article="12-1-1")
        if (tyres or owed) and tyres >= purse.points_left("tyres"):
            return Cost(points, spin=True, article="12-1-4")
        return Cost(points)

    def blocked(self, car: C) -> Procedure[None]:
        """Pay for the spaces that other cars left no way to drive [12-0-1, 12-1-1, 12-1-4]."""
        spaces = self.move.blocked
        if not spaces:
            return
        overs = self.move.overs
        owed = self.book.corners.tyres_lost(car, overs) if overs else 0
        cost = self.blocked_cost(car, spaces, self.book.wear.purse(car), owed=owed)
        row = self.row(spaces)
        if row is None:
            self.rule("blocked", cost.article, car, spaces=spaces)
        else:
            self.lose(car, "blocked", "12-0-1", dict(cost.points), spaces=spaces, brakes=row[0], tyres=row[1])
        if cost.out:
            yield from self.blocked_out(car)
        else:
            self.book.wear.befall(car, cost)

    def blocked_out(self, car: C) -> Procedure[None]:
        """Put a car out by blocking: the car just in front loses a body point without a roll.

        Both spaces are marked, and the others in contact test aggravated [12-1-1, 12-1-2, 12-1-5, 20-2-1, 20-2-2,
        rulings 49 to 51].
        """
        front = yield from self.just_in_front(car)
        self.book.wear.eliminate(car, "blocked", "12-1-1", removed=False, at_space=car.at)
        self.book.wear.mark(car.at, "12-1-2", car)
        if front is not None and front.alive:
            self.book.wear.damage(front, "body", "12-1-1", why="blocked", other=car.number)
        yield from self.tests_beside_wreck(car, front)

    def tests_beside_wreck(self, car: C, front: C | None) -> Procedure[None]:
        """The others in contact with a car that is out by blocking test aggravated [12-1-5, 20-2-2, ruling 51]."""
        for other in self.beside_wreck(car, front):
            yield from self.book.collisions.body_test(other, True, car)

    def beside_wreck(self, car: C, front: C | None) -> list[C]:
        """Return the cars that test because another is out by blocking beside them [12-1-5, 20-2-2, ruling 51]."""
        collisions = self.book.collisions
        return [other for other in collisions.neighbours(car) if other is not front and collisions.rolls(other)]

    def foretell_out(self, there: C) -> list[ForetoldTest] | None:
        """Return the tests that a car out by blocking brings where it stands.

        None where the driver must choose which car it has hit.
        """
        fronts = self.fronts(there)
        if len(fronts) > 1:
            return None
        front, collisions = next(iter(fronts), None), self.book.collisions
        return [collisions.foretold(other, True, there) for other in self.beside_wreck(there, front)]

    def just_in_front(self, car: C) -> Procedure[C | None]:
        """Return the car just in front [12-1-1, ruling 49].

        It is straight ahead in the lane; where the arrows lead elsewhere, on the space that the way needed. The driver
        chooses among several.
        """
        found = self.fronts(car)
        if len(found) < 2:
            return next(iter(found), None)
        number = yield from ask(self.front_question, car, [other.number for other in found])
        return self.car(number)

    def fronts(self, car: C) -> list[C]:
        """Return the cars of which one has blocked another [12-1-1, ruling 49]."""
        ahead = self.car_in_front(car)
        return self.in_the_way(car) if ahead is None else [ahead]

    def car_in_front(self, car: C) -> C | None:
        """Return the car straight ahead, on the board or as the table saw it."""
        if self.track.known == "corner":
            return self.car(self.move.ahead) if self.move.ahead else None
        return self.book.slipstream.car_ahead(car)

    def in_the_way(self, car: C) -> list[C]:
        """Return the cars on the spaces to which a printed move leads from where the car stands."""
        if self.track.known == "corner":
            return [self.car(number) for number in self.move.beside]
        names = {self.track.spaces[x].name for x in self.track.moves[self.track.ids[car.at or ""]]}
        return [other for other in self.others(car) if other.at in names]

    def front_question(self, car: C, numbers: list[int]) -> Choice[int]:
        """Ask which car stands just in front of the blocked one [12-1-1, ruling 49]."""
        return Choice("front", car.number, self.article("12-1-1"), [(Option(number), number) for number in numbers])


class Collisions(DiceChapter[C, R, F]):
    """Collision tests: which cars make them, in which order, and their cost."""

    book: CollisionsBook[C, R, F]

    def neighbours(self, car: C) -> list[C]:
        """Return the cars beside and straight ahead of one that ends its move, in running order.

        It threatens these, and not the one behind [14-1, rulings 1, 2].
        """
        if self.track.known == "corner":
            move = self.move
            near = {*move.beside, move.ahead}
            found = [other for other in self.others(car) if other.number in near and not other.in_pits]
        else:
            at = self.track.ids[car.at or ""]
            spaces = {self.track.spaces[x].name for x in (*self.track.beside[at], self.track.ahead[at]) if x >= 0}
            found = [other for other in self.others(car) if other.at in spaces]
        return self.book.order.in_running_order(found)

    def aggravates(self, car: C) -> bool:
        """Return True if collision tests with a car fail more easily; only some rulebooks have that."""
        return False

    def rolls(self, car: C) -> bool:
        """Return True if a threatened car rolls itself: not one that is out [14-3, 16-0-4, ruling 54].

        A car whose engine has broken and that is still to coast does, in the ordinary range.
        """
        return car.alive

    def collisions(self, car: C) -> Procedure[None]:
        """Test the collisions of a move that ends beside or behind others: these first, then the mover.

        For a car that it puts out the mover loses a point without a roll instead. Either of a pair may aggravate its
        tests. A car that stays by braking tests too [6-3.14, 14-1, 14-3, 14-4, 14-5, 17-2-1, rulings 53, 55, 56].
        """
        if not self.may_collide(car):
            return
        others = self.neighbours(car)
        tests: list[C] = []
        lost = 0
        for other in others:
            aggravated = self.aggravates(car) or self.aggravates(other)
            if self.rolls(other):
                out = yield from self.body_test(other, aggravated, car)
                if out and self.takes_automatic_losses():
                    lost += 1
                    continue
            tests.append(other)
        for _ in range(lost):
            if car.alive:
                self.book.wear.damage(car, "body", "14-4", why="put_out")
        for other in tests if self.mover_tests() else ():
            if car.alive and self.is_rolled_for(other):
                aggravated = self.aggravates(car) or self.aggravates(other)
                yield from self.body_test(car, aggravated, other)

    def is_rolled_for(self, other: C) -> bool:
        """Return True if the mover rolls because of a car that it has come up to: a wreck, too.

        [14-1, 14-3]
        """
        return True

    def loses_to(self, car: C, other: C, *, aggravated: bool) -> int:
        """Return the highest face on which a car loses a body point because of another [14-1, 14-3]."""
        return self.book.tests.collision_to(aggravated=aggravated)

    def cost(self, car: C, other: C) -> Cost:
        """Return what a collision with another costs a car that loses its test."""
        return self.book.wear.damage_cost(car, "body")

    def foretold(self, car: C, aggravated: bool, other: C) -> ForetoldTest:
        """Return the test of a car because of another, as it is shown beforehand."""
        to = self.loses_to(car, other, aggravated=aggravated)
        return self.book.tests.foretold("collision", car, to, self.cost(car, other), other=other.number)

    def at(self, there: C) -> list[ForetoldTest]:
        """Return the tests of a move that ends with a car as it stands there, in their order."""
        if not self.may_collide(there):
            return []
        near = [(other, self.aggravates(there) or self.aggravates(other)) for other in self.neighbours(there)]
        found = [self.foretold(other, aggravated, there) for other, aggravated in near if self.rolls(other)]
        if self.mover_tests():
            found += [
                self.foretold(there, aggravated, other) for other, aggravated in near if self.is_rolled_for(other)
            ]
        return found

    def may_collide(self, car: C) -> bool:
        """Return True if a car can collide: not in the lane or a box, and not once it has left the race.

        [14-1, 19-1-3, 19-5-3, ruling 57]
        """
        return car.alive and not car.in_pits

    def mover_tests(self) -> bool:
        """Return True if the car that has moved up to others makes a test for each of them as well [14-1]."""
        return True

    def takes_automatic_losses(self) -> bool:
        """Return True if the mover pays without a roll for a car that it puts out; only in some rulebooks."""
        return False

    def body_test(self, car: C, aggravated: bool, other: C) -> Procedure[bool]:
        """One car's collision test, if the two still touch; whether it put that car out [14-1, 14-3]."""
        article = "14-3" if aggravated else "14-1"
        try:
            face = yield from ask(self.collision_die, car, article, aggravated, other)
        except QuestionWithdrawn:
            return False
        to = self.loses_to(car, other, aggravated=aggravated)
        if face > to:
            self.rule("collision", article, car, face=face, to=to, other=other.number, aggravated=aggravated)
            return False
        self.book.wear.damage(car, "body", article, face=face, to=to, why="collision", other=other.number)
        return not car.alive

    def touch(self, car: C, other: C) -> bool:
        """Return True if two cars of which one has come up to the other still stand so [14-1].

        The referee may have put them elsewhere; a car that is out is not looked for.
        """
        third = other if car.number == self.move.car else car
        return not third.alive or third in self.neighbours(self.car(self.move.car))

    def collision_die(self, car: C, article: str, aggravated: bool, other: C) -> TestDie | None:
        """Return the die of a collision test while the two touch, or None [14-1, ruling 54].

        A car whose engine has broken still rolls while it stands.
        """
        if not self.rolls(car) or not self.touch(car, other):
            return None
        to = self.loses_to(car, other, aggravated=aggravated)
        return TestDie(car.number, self.article(article), "collision", divided(to), {"loses_to": to})
