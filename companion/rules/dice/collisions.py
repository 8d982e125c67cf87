"""Ending a move beside others or behind them. Article 14."""

from __future__ import annotations

from companion.rules.conversation.asking import Moot, Proc, ask
from companion.rules.conversation.faces import divided
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.questions import TestDie
from companion.rules.dice.state import C


class Collisions(DiceChapter[C, R, F]):
    """Who tests, in which order, and what it costs."""

    def neighbours(self, car: C) -> list[C]:
        """The cars that one which ends its move threatens: beside it or straight ahead of it, not behind; in running
        order [14-1, rulings 1, 2]."""
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
        """Whether collision tests with a car are lost more easily than others; not in every rulebook."""
        return False

    def rolls(self, car: C) -> bool:
        """Whether a car that is threatened rolls itself: not one that is out; one whose engine has broken and that is
        still to coast does, in the ordinary range [14-3, 16-0-4, ruling 54]."""
        return car.alive

    def collisions(self, car: C) -> Proc[None]:
        """Ending a move beside or behind others: each of them tests its body, then the mover once for each; for one
        that it puts out it loses a point without a roll instead. Either of a pair may aggravate its tests. A car that
        stays by braking tests too [6-3.14, 14-1, 14-3, 14-4, 14-5, 17-2-1, rulings 53, 55, 56]."""
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
            if car.alive:
                aggravated = self.aggravates(car) or self.aggravates(other)
                yield from self.body_test(car, aggravated, other)

    def may_collide(self, car: C) -> bool:
        """The lane and the boxes are neutral ground, and a car that has left the race tests nothing
        [14-1, 19-1-3, 19-5-3, ruling 57]."""
        return car.alive and not car.in_pits

    def mover_tests(self) -> bool:
        """Whether the car that has moved up to others makes a test for each of them as well [14-1]."""
        return True

    def takes_automatic_losses(self) -> bool:
        """Whether the mover pays without a roll for a car that it puts out; not in every rulebook."""
        return False

    def body_test(self, car: C, aggravated: bool, other: C) -> Proc[bool]:
        """One car's collision test, if the two still touch; whether it put that car out [14-1, 14-3]."""
        article = "14-3" if aggravated else "14-1"
        try:
            face = yield from ask(self.collision_die, car, article, aggravated, other)
        except Moot:
            return False
        to = self.book.tests.collision_to(aggravated=aggravated)
        if face > to:
            self.rule("collision", article, car, face=face, to=to, other=other.number, aggravated=aggravated)
            return False
        self.book.wear.damage(car, "body", article, face=face, to=to, why="collision", other=other.number)
        return not car.alive

    def touch(self, car: C, other: C) -> bool:
        """Whether two cars of which one has come up to the other still stand so, wherever the referee may have put
        them; one that is out is not looked for [14-1]."""
        third = other if car.number == self.move.car else car
        return not third.alive or third in self.neighbours(self.car(self.move.car))

    def collision_die(self, car: C, article: str, aggravated: bool, other: C) -> TestDie | None:
        """The die of a collision test while the two touch; a car whose engine has broken still rolls while it stands
        [14-1, ruling 54]."""
        if not self.rolls(car) or not self.touch(car, other):
            return None
        to = self.book.tests.collision_to(aggravated=aggravated)
        return TestDie(car.number, self.article(article), "collision", divided(to), {"loses_to": to})
