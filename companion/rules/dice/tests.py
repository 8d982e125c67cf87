"""Tests on the way and after it: danger spaces and handling, the wall, engines. Articles 15 to 17."""

from __future__ import annotations

from collections.abc import Callable, Collection

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.faces import FLAT_OUT, divided
from companion.rules.conversation.kinds import DiceCause
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.moving import MovingBook
from companion.rules.dice.offers import WALL
from companion.rules.dice.questions import TestDie
from companion.rules.dice.state import C
from companion.rules.dice.wear import Cost, ForetoldTest


class Tests(DiceChapter[C, R, F]):
    """Tests on the black die and what they cost."""

    book: MovingBook[C, R, F]

    def black_die(self, car: C, article: str, what: str, losing: Callable[[], int]) -> TestDie | None:
        """Return the black die for a test that fails from 1 up to `losing()`; None for a car that is out.

        [0-0-5]
        """
        if not car.alive:
            return None
        to = losing()
        return TestDie(car.number, self.article(article), what, divided(to), {"loses_to": to})

    # -- what a stop brings

    def foretold(
        self, kind: str, car: C, to: int, cost: Cost, *, other: int | None = None, at: str = ""
    ) -> ForetoldTest:
        """Return a test on the black die that fails from 1 to a face, as it is shown beforehand."""
        return ForetoldTest(kind, car.number, to, divided(to), cost, other, at)

    def on_way(self, car: C, landing: Landing) -> list[ForetoldTest]:
        """Return the tests of a way in their order, but for the one against the wall beside which it ends."""
        tests = self.names_on_way(landing)
        if self.ends_at_wall(landing):
            tests = tests[:-1]
        found = []
        for test in tests:
            space = test.removeprefix(WALL)
            if test is space:
                found.append(self.foretold("handling", car, self.handling_to(), self.handling_cost(car), at=space))
            else:
                found.append(self.at_wall(car, space))
        return found

    def names_on_way(self, landing: Landing) -> list[str]:
        """Return all that a turn has entered once it ends with a landing."""
        return [*self.move.tests, *(self.book.landings.test_name(test) for test in landing.tests)]

    def ends_at_wall(self, landing: Landing) -> bool:
        """Return True if a turn that ends with a landing ends on entering the outside lane of an oval."""
        tests, end = self.names_on_way(landing), landing.space
        return tests[-1:] == [WALL + self.board.names[end]] and not landing.finished and end not in self.board.pits

    def at_wall(self, car: C, space: str) -> ForetoldTest:
        """Return the test of a car that enters the outside lane of an oval."""
        return self.foretold("wall", car, self.collision_to(), self.book.wear.damage_cost(car, "body"), at=space)

    def engines(self, there: C) -> list[ForetoldTest]:
        """Return the tests of the engines after a 20 in 5th or a 30 in 6th, the car that moves as it stands then."""
        cars = [there if car.number == there.number else car for car in self.race.cars]
        tested = self.book.order.in_running_order([car for car in cars if self.tests_engine(car)])
        to, damage = self.engine_to(), self.book.wear.damage_cost
        return [
            self.foretold("engine", car, to, damage(car, "engine"))
            for car in tested
            if car.number not in self.move.engines
        ]

    def own_tests(self, car: C) -> Procedure[None]:
        """Make the tests that a turn ends with for its own car alone; there are none in any rulebook [6-3.15]."""
        yield from ()

    def foretell_own(self, there: C) -> list[ForetoldTest]:
        """Return those tests beforehand, for the car as it stands then."""
        return []

    # -- danger spaces

    def tests_debris(self, car: C) -> bool:
        """A car that enters a danger space tests its handling, whatever its gear [17-0-2]."""
        return True

    def danger_spaces(self, car: C) -> Collection[str]:
        """Return the spaces that a car tests if it enters them [17-0-2]."""
        return self.race.dangers if self.tests_debris(car) else ()

    def handling_to(self) -> int:
        """Return the highest face on which a danger space costs a handling point: 4 dry, 5 wet.

        [17-0-2]
        """
        return self.figures.handling_wet if self.wet else self.figures.handling_dry

    def way_tests(self, car: C) -> Procedure[None]:
        """Make the tests of the way in order; a car that goes out on one is taken off there.

        The way begins with the first space entered, so a car that stays makes none [6-3.10, 15-0-2, 17-0-2, 17-0-3,
        17-2, rulings 58, 60].
        """
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

    def handling_test(self, car: C, space: str) -> Procedure[None]:
        """Test handling on entering a danger space, on the black die [17-0-2, 17-0-3, 20-5-1, 20-5-2].

        The last handling point ends the race, and the car is taken off at once, with no new marker.
        """
        try:
            face = yield from ask(self.black_die, car, "17-0-2", "handling", self.handling_to)
        except QuestionWithdrawn:
            return
        to = self.handling_to()
        if face > to:
            self.rule("handling", "17-0-2", car, face=face, to=to, at=space)
            return
        cost = self.handling_cost(car)
        self.lose(car, "handling", "17-0-2", dict(cost.points), face=face, to=to, at=space)
        if cost.out:
            self.book.moving.place_at(car, space)
            self.book.wear.eliminate(car, cost.out, cost.article, removed=True)

    def handling_cost(self, car: C) -> Cost:
        """Return what a failed test over a danger space costs; the last point ends the race [17-0-2, 17-0-3]."""
        out: DiceCause = "handling" if self.book.wear.fatal(car, "handling") else ""
        return Cost((("handling", 1),), out=out, article="17-0-3")

    # -- the wall

    def collision_to(self, *, aggravated: bool = False) -> int:
        """Return the highest face on which a collision costs a body point: 1 on a dry track, 2 on a wet one.

        It is one more if the test is aggravated [14-1, 14-3].
        """
        figures = self.figures
        if aggravated:
            return figures.aggravated_wet if self.wet else figures.aggravated_dry
        return figures.collision_wet if self.wet else figures.collision_dry

    def wall_test(self, car: C, space: str) -> Procedure[None]:
        """Test the body against the wall on entering the outside lane of an oval, not on staying in it.

        A car destroyed by it stays on that space [15-0-1 to 15-0-4, ruling 62].
        """
        try:
            face = yield from ask(self.black_die, car, "15-0-2", "wall", self.collision_to)
        except QuestionWithdrawn:
            return
        to = self.collision_to()
        if face > to:
            self.rule("wall", "15-0-2", car, face=face, to=to, at=space)
            return
        end, lap, finished = car.at, car.lap, self.move.finished
        self.book.moving.place_at(car, space)
        self.book.wear.damage(car, "body", "15-0-2", face=face, to=to, why="wall")
        if car.alive:
            car.at, car.lap, self.move.finished = end, lap, finished

    def last_wall_test(self, car: C) -> Procedure[None]:
        """Test the wall after the other cars, if a car stops where it enters the outside lane.

        [15-1, ruling 61]
        """
        tests = self.move.tests
        if tests and car.alive and not car.in_pits and tests[-1] == WALL + (car.at or ""):
            yield from self.wall_test(car, car.at or "")

    # -- engines

    def flat_out(self, gear: int, face: int) -> bool:
        """Return True for a 20 in 5th or a 30 in 6th, which drives an engine to its limit [16-0-1]."""
        return FLAT_OUT.get(gear) == face

    def engine_to(self) -> int:
        """Return the highest face on which an engine test costs a point: 4 on a dry track, 3 on a wet one.

        [16-0-2]
        """
        return self.figures.engine_wet if self.wet else self.figures.engine_dry

    def engine_tests(self) -> Procedure[None]:
        """Test the engines of all cars in 5th or 6th after a 20 in 5th or a 30 in 6th, in running order.

        [16-0-1, 10-4-5, 19-1-4, 6-3.15, rulings 63, 64]
        """
        for car in self.book.order.in_running_order([car for car in self.race.cars if self.tests_engine(car)]):
            if car.number not in self.move.engines:
                yield from self.engine_test(car)
                self.move.engines.append(car.number)

    def tests_engine(self, car: C) -> bool:
        """Return True if a car tests its engine: stick in 5th or 6th, on the track, engine alive.

        Spun cars do too, those in the pits or coasting do not [16-0-1, 10-4-5, 19-1-4].
        """
        return car.gear >= 5 and car.status in ("racing", "spun") and self.book.wear.works(car, "engine")

    def engine_die(self, car: C) -> TestDie | None:
        """Return the die of an engine's test, or None if it is not tested.

        [16-0-1, 16-0-2]
        """
        return self.black_die(car, "16-0-2", "engine", self.engine_to) if self.tests_engine(car) else None

    def engine_test(self, car: C) -> Procedure[None]:
        """One engine's test [16-0-2]."""
        try:
            face = yield from ask(self.engine_die, car)
        except QuestionWithdrawn:
            return
        to = self.engine_to()
        if face > to:
            self.rule("engine", "16-0-2", car, face=face, to=to)
        else:
            self.book.wear.damage(car, "engine", "16-0-2", face=face, to=to, why="engine")
