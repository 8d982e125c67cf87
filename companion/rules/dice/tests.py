"""What is tested on the way and after it: danger spaces and handling, the wall, engines. Articles 15 to 17."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.conversation.asking import Moot, Proc, ask
from companion.rules.conversation.faces import FLAT_OUT, divided
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.questions import TestDie
from companion.rules.dice.state import C

WALL = "wall:"
"""Before the name of a space of the outside lane: the test is against the wall."""


class Tests(DiceChapter[C, R, F]):
    """Tests on the black die and what they cost."""

    def black_die(self, car: C, article: str, what: str, losing: Callable[[], int]) -> TestDie | None:
        """The black die for a test that is lost from 1 up to what `losing` says; moot for a car that is out [0-0-5]."""
        if not car.alive:
            return None
        to = losing()
        return TestDie(car.number, self.article(article), what, divided(to), {"loses_to": to})

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
        fatal = self.book.wear.fatal(car, "handling")
        self.lose(car, "handling", "17-0-2", {"handling": 1}, face=face, to=to, at=space)
        if fatal:
            self.book.moving.place_at(car, space)
            self.book.wear.eliminate(car, "handling", "17-0-3", removed=True)

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
        end, lap, finished = car.at, car.lap, self.move.finished
        self.book.moving.place_at(car, space)
        self.book.wear.damage(car, "body", "15-0-2", face=face, to=to, why="wall")
        if car.alive:
            car.at, car.lap, self.move.finished = end, lap, finished

    def last_wall_test(self, car: C) -> Proc[None]:
        """A car that stops where it enters the outside lane tests the wall after the other cars [15-1, ruling 61]."""
        tests = self.move.tests
        if tests and car.alive and not car.in_pits and tests[-1] == WALL + (car.at or ""):
            yield from self.wall_test(car, car.at or "")

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
        for car in self.book.order.in_running_order([car for car in self.race.cars if self.tests_engine(car)]):
            if car.number not in self.move.engines:
                yield from self.engine_test(car)
                self.move.engines.append(car.number)

    def tests_engine(self, car: C) -> bool:
        """Stick in 5th or 6th, on the track, engine alive: spun cars too, not those in the pits or coasting
        [16-0-1, 10-4-5, 19-1-4]."""
        return car.gear >= 5 and car.status in ("racing", "spun") and self.book.wear.works(car, "engine")

    def engine_die(self, car: C) -> TestDie | None:
        """The die of an engine's test, moot where there is none to test any more [16-0-1, 16-0-2]."""
        return self.black_die(car, "16-0-2", "engine", self.engine_to) if self.tests_engine(car) else None

    def engine_test(self, car: C) -> Proc[None]:
        """One engine's test [16-0-2]."""
        try:
            face = yield from ask(self.engine_die, car)
        except Moot:
            return
        to = self.engine_to()
        if face > to:
            self.rule("engine", "16-0-2", car, face=face, to=to)
        else:
            self.book.wear.damage(car, "engine", "16-0-2", face=face, to=to, why="engine")
