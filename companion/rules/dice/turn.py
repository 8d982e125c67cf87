"""The turn of a car, in the fifteen steps of article 6-3.

The steps stand here in their order, whatever chapter carries them out: 1 to 3 the gear (gears), 4 the die, 5 to 9 the
move with its soft space, its brakes and its slipstreams (moving, landings, slipstream), 10 the tests of the way
(tests), 11 what the move has cost (corners, blocking), 12 and 13 the stop (pits), 14 collisions, 15 engines (tests).
"""

from __future__ import annotations

from contextlib import suppress

from companion.rules.conversation.asking import Moot, Proc, ask
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C, Move


class Turn(DiceChapter[C, R, F]):
    """One car's turn, from the gear to the engines."""

    def turn(self, car: C) -> Proc[None]:
        """A car's turn; a wreck is taken off instead. Whom it passes is counted from where the turn began, or where the
        referee has put it then [0-0-3, 6-2-5, 6-3, 14-2]."""
        race = self.race
        if race.sweep is None:
            self.book.order.begin_round(car)
        before, rank = self.book.order.driven(car), self.book.order.level_order(car)
        if car.status == "wreck":
            self.book.wear.clear(car)
        else:
            race.move = self.new_move(car)
            yield from self.play(car)
            yield from self.end_of_turn(car)
            before = before if self.move.before is None else self.move.before
        self.book.order.has_played(car, before, rank)
        race.move = None

    def rest(self) -> Proc[None]:
        """What a turn still brings whose car the referee's word has taken out: after a 20 in 5th or a 30 in 6th the
        engine tests of the others, and its end [16-0-1, ruling 64]."""
        car = self.car(self.move.car)
        if self.move.rolled:
            yield from self.book.tests.engine_tests()
        yield from self.end_of_turn(car)
        self.race.move = None

    def new_move(self, car: C) -> Move:
        """The turn of a car as it begins: nothing has happened in it yet."""
        return Move(
            car=car.number,
            begin=car.at or "",
            lap=car.lap,
            made=car.stops,
            stood_ahead=self.book.sheet.stood_ahead(car),
        )

    def play(self, car: C) -> Proc[None]:
        """The turn as the car's state has it."""
        if car.status == "grid":
            yield from self.book.starts.start(car)
        elif car.status == "stalled":
            yield from self.book.starts.start_after_stall(car)
        elif car.status == "spun":
            yield from self.book.starts.restart(car)
        elif car.status == "box":
            yield from self.book.pits.turn_in_box(car)
        else:
            yield from self.book.gears.choose_gear(car)  # 1 to 3: announced, the stick set, a gear-down paid
            if car.alive:
                yield from self.drive(car)

    def drive(self, car: C) -> Proc[None]:
        """The die of the gear, the move, and what follows from it [6-3.4 to 6-3.15]."""
        self.book.remind("roll")
        try:
            face = yield from ask(self.book.gears.gear_die, car)  # 4
        except Moot:
            return
        self.move.face = face
        if car.status == "stalled":
            car.status, car.turned = "racing", False
        if self.book.tests.flat_out(car.gear, face):
            self.drives_engines(car, face)
            yield from self.book.weather.weather_is_due(car)
        yield from self.book.moving.displace(car, face)  # 5 to 9: the way, soft space, brakes, slipstreams
        yield from self.after_move(car)

    def drives_engines(self, car: C, face: int) -> None:
        """An engine is driven to its limit: after the move there are tests for it [16-0-1]."""
        self.move.rolled = True
        self.rule("flat_out", "16-0-1", car, face=face, gear=car.gear)

    def after_move(self, car: C) -> Proc[None]:
        """The way's tests and price, the box, the stop in the corner, collisions, engines: in this order
        [6-3, 6-3.10 to 6-3.15]."""
        yield from self.arrive(car)  # 10, 11
        if car.status == "box" and not car.stop:
            with suppress(Moot):  # by the referee's word it is not in its box
                yield from self.book.pits.pit_stop(car)  # 12, 13
        if car.alive:
            self.book.corners.count_stops(car)
        yield from self.book.collisions.collisions(car)  # 14
        yield from self.book.tests.last_wall_test(car)
        if self.move.rolled:
            yield from self.book.tests.engine_tests()  # 15

    def arrive(self, car: C) -> Proc[None]:
        """The tests of the way in its order, then what the move costs, then the line [6-3.10, 6-3.11, 21-1-1]."""
        yield from self.book.tests.way_tests(car)  # 10
        if car.alive:
            yield from self.settle(car)  # 11
        if self.move.finished and not car.alive:
            self.book.finish.short_of_line(car)
        elif self.move.finished:
            self.book.finish.finish(car)
        elif car.alive:
            self.book.tyres.age_tyres(car)

    def settle(self, car: C) -> Proc[None]:
        """Once the way's tests are done: overshooting is paid, then blocking [6-3.11, ruling 40]."""
        self.book.corners.overshoot(car)
        if car.alive:
            yield from self.book.blocking.blocked(car)

    def end_of_turn(self, car: C) -> Proc[None]:
        """What is still to be asked when a car has played; not in every rulebook."""
        return
        yield
