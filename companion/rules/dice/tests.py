"""What breaks: danger spaces and handling, the wall, collisions, engines. Articles 14 to 17 and 20."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.rules.conversation.asking import Moot, Proc, ask
from companion.rules.conversation.faces import FLAT_OUT, divided
from companion.rules.conversation.kinds import DiceCause, Pool
from companion.rules.dice.order import Ordering
from companion.rules.dice.questions import TestDie
from companion.rules.dice.state import C

WALL = "wall:"
"""Before the name of a space of the outside lane: the test is against the wall."""


class Damage(Ordering[C]):
    """Tests on the black die and what they cost."""

    def black_die(self, car: C, article: str, what: str, losing: Callable[[], int]) -> TestDie | None:
        """The black die for a test that is lost from 1 up to what `losing` says; moot for a car that is out [0-0-5]."""
        if not car.alive:
            return None
        to = losing()
        return TestDie(car.number, self.article(article), what, divided(to), {"loses_to": to})

    # -- losing the points that keep a car in the race

    def damage(self, car: C, pool: Pool, article: str, **facts: object) -> None:
        """A point of body or engine leaves a danger marker where it was lost; the last one ends the car's race
        [17-0-1, 5-1-1]."""
        fatal = self.fatal(car, pool)
        self.lose(car, "hit", article, {pool: 1}, pool=pool, at=car.at, **facts)
        self.mark(car.at, "17-0-1", car)
        if fatal and car.alive:
            if pool == "engine":
                self.engine_gone(car)
            else:
                self.body_gone(car)

    def body_gone(self, car: C) -> None:
        """The last body point destroys the car: it waits where it stands until its next turn
        [14-2, 20-3-1, 20-3-2]."""
        self.eliminate(car, "body", "14-2", removed=False)

    def engine_gone(self, car: C) -> None:
        """The last engine point breaks the engine: the car is off at once."""
        self.eliminate(car, "engine", "16-0-3-1", removed=True)

    # -- danger spaces

    def handling_to(self) -> int:
        """A danger space costs a handling point from 1 to 4 on a dry track, to 5 on a wet one [17-0-2]."""
        return self.figures.handling_wet if self.wet else self.figures.handling_dry

    def way_tests(self, car: C) -> Proc[None]:
        """The tests of the way, in the order of the way: whoever goes out on one is taken off there, and the rest of
        its move falls away. The way begins with the first space entered, so a car that stays makes none
        [6-3.10, 15-0-2, 17-0-2, 17-0-3, 17-2, rulings 58, 60]."""
        tests = list(self.move.tests)
        for place, test in enumerate(tests):
            space = test.removeprefix(WALL)
            if test.startswith(WALL):
                if place == len(tests) - 1 and space == car.at and not (self.move.finished or car.in_pits):
                    continue  # after the collision tests, if it is where the car stops [15-1]
                yield from self.wall_test(car, space)
            else:
                yield from self.handling_test(car, test)
            if not car.alive:
                return

    def handling_test(self, car: C, space: str) -> Proc[None]:
        """Entering a danger space is tested on the black die; the last handling point ends the race, and the car is
        taken off at once, with no new marker [17-0-2, 17-0-3, 20-5-1, 20-5-2]."""
        try:
            face = yield from ask(self.black_die, car, "17-0-2", "handling", self.handling_to)
        except Moot:
            return
        to = self.handling_to()
        if face > to:
            self.rule("handling", "17-0-2", car, face=face, to=to, at=space)
            return
        fatal = self.fatal(car, "handling")
        self.lose(car, "handling", "17-0-2", {"handling": 1}, face=face, to=to, at=space)
        if fatal:
            self.place_at(car, space)
            self.eliminate(car, "handling", "17-0-3", removed=True)

    def place_at(self, car: C, space: str) -> None:
        """Leaves a car on a space of its way instead of at the end of it."""
        move = self.move
        if move.crossed and space in self.track.ids and not self.track.past_line(self.track.ids[space]):
            car.lap, move.crossed = move.lap, False
            if move.finished:
                move.finished = False
        if space in self.track.ids:
            car.at = space

    # -- the wall

    def collision_to(self, *, aggravated: bool = False) -> int:
        """A collision costs a body point on 1 on a dry track, 1 or 2 on a wet one; one more each if the test is
        aggravated [14-1, 14-3]."""
        figures = self.figures
        if aggravated:
            return figures.aggravated_wet if self.wet else figures.aggravated_dry
        return figures.collision_wet if self.wet else figures.collision_dry

    def wall_test(self, car: C, space: str) -> Proc[None]:
        """Whoever enters the outside lane of an oval tests its body against the wall, not who stays in it; a car
        destroyed by it stays on that space [15-0-1 to 15-0-4, ruling 62]."""
        try:
            face = yield from ask(self.black_die, car, "15-0-2", "wall", self.collision_to)
        except Moot:
            return
        to = self.collision_to()
        if face > to:
            self.rule("wall", "15-0-2", car, face=face, to=to, at=space)
            return
        end, lap, crossed, finished = car.at, car.lap, self.move.crossed, self.move.finished
        self.place_at(car, space)
        self.damage(car, "body", "15-0-2", face=face, to=to, why="wall")
        if car.alive:
            car.at, car.lap = end, lap
            self.move.crossed, self.move.finished = crossed, finished

    def last_wall_test(self, car: C) -> Proc[None]:
        """A car that stops where it enters the outside lane tests the wall after the other cars [15-1, ruling 61]."""
        tests = self.move.tests
        if tests and car.alive and not car.in_pits and tests[-1] == WALL + (car.at or ""):
            yield from self.wall_test(car, car.at or "")

    # -- collisions

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
        return self.in_running_order(found)

    def in_running_order(self, cars: Iterable[C]) -> list[C]:
        """Cars by their place in the race, the one that plays first before the others."""
        return sorted(cars, key=self.race_order)

    def aggravates(self, car: C) -> bool:
        """Whether collision tests with a car are lost more easily than others; not in every rulebook."""
        return False

    def rolls(self, car: C) -> bool:
        """Whether a car that is threatened rolls itself: not one that is out; one whose engine has broken and that is
        still to coast does, in the ordinary range [14-3, 16-0-4, ruling 54]."""
        return car.alive

    def collisions(self, car: C) -> Proc[None]:
        """Ending a move beside or behind others: each of them tests its body, then the mover once for each; for one
        that it puts out it loses a point without a roll instead. A car that stays by braking tests too
        [6-3.14, 14-1, 14-4, 14-5, 17-2-1, rulings 53, 55, 56]."""
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
                self.damage(car, "body", "14-4", why="put_out")
        for other in tests if self.mover_tests() else ():
            if car.alive:
                aggravated = self.aggravates(car) or self.aggravates(other)
                yield from self.body_test(car, aggravated, other)

    def may_collide(self, car: C) -> bool:
        """The lane and the boxes are neutral ground, and a car that has left the race tests nothing
        [19-1-3, 19-5-3, ruling 57]."""
        return car.alive and not car.in_pits

    def mover_tests(self) -> bool:
        """Whether the car that has moved up to others makes a test for each of them as well [14-1]."""
        return True

    def takes_automatic_losses(self) -> bool:
        """Whether the mover pays without a roll for a car that it puts out; not in every rulebook."""
        return False

    def body_test(self, car: C, aggravated: bool, other: C) -> Proc[bool]:
        """One car's collision test; whether it put that car out [14-1, 14-3]."""
        article = "14-3" if aggravated else "14-1"
        try:
            face = yield from ask(self.collision_die, car, article, aggravated)
        except Moot:
            return False
        to = self.collision_to(aggravated=aggravated)
        if face > to:
            self.rule("collision", article, car, face=face, to=to, other=other.number, aggravated=aggravated)
            return False
        self.damage(car, "body", article, face=face, to=to, why="collision", other=other.number)
        return not car.alive

    def collision_die(self, car: C, article: str, aggravated: bool) -> TestDie | None:
        """The die of a collision test; a car whose engine has broken still rolls while it stands [ruling 54]."""
        if not car.standing or not self.rolls(car) or not self.works(car, "body"):
            return None
        to = self.collision_to(aggravated=aggravated)
        return TestDie(car.number, self.article(article), "collision", divided(to), {"loses_to": to})

    # -- engines

    def flat_out(self, gear: int, face: int) -> bool:
        """A 20 in 5th or a 30 in 6th drives an engine to its limit [16-0-1]."""
        return FLAT_OUT.get(gear) == face

    def engine_to(self) -> int:
        """An engine test costs a point from 1 to 4 on a dry track, to 3 on a wet one [16-0-2]."""
        return self.figures.engine_wet if self.wet else self.figures.engine_dry

    def engine_tests(self) -> Proc[None]:
        """After a 20 in 5th or a 30 in 6th every car in 5th or 6th on the track tests its engine, in running order
        [16-0-1, 10-4-5, 19-1-4, 6-3.15, rulings 63, 64]."""
        for car in self.in_running_order([car for car in self.race.cars if self.tests_engine(car)]):
            if self.tests_engine(car):
                yield from self.engine_test(car)

    def tests_engine(self, car: C) -> bool:
        """Stick in 5th or 6th, on the track, engine alive: spun cars too, not those in the pits or coasting
        [16-0-1, 10-4-5, 19-1-4]."""
        return (
            car.alive
            and car.at is not None
            and car.gear >= 5
            and car.status in ("racing", "spun")
            and car.coast == 0
            and self.works(car, "engine")
        )

    def engine_test(self, car: C) -> Proc[None]:
        """One engine's test [16-0-2]."""
        try:
            face = yield from ask(self.black_die, car, "16-0-2", "engine", self.engine_to)
        except Moot:
            return
        to = self.engine_to()
        if face > to:
            self.rule("engine", "16-0-2", car, face=face, to=to)
        else:
            self.damage(car, "engine", "16-0-2", face=face, to=to, why="engine")

    # -- the end of a car's race

    def clear(self, car: C) -> None:
        """A wreck is taken off the board when its next turn comes up [14-2, 12-1-2, 16-0-3, ruling 14]."""
        car.status = "out"
        self.rule("removed", _CLEARED.get(car.cause, "14-2"), car, at=car.at)


_CLEARED: dict[DiceCause, str] = {"blocked": "12-1-2", "engine": "16-0-3", "body": "14-2"}
