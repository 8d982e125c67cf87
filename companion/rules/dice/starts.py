"""Driving off: at the start of the race, after a stall, after a spin. Articles 9 and 10-4."""

from __future__ import annotations

from companion.rules.conversation.asking import Proc, ask
from companion.rules.conversation.faces import Band, Face, divided
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.questions import StartDie
from companion.rules.dice.state import C

FIRST = 1


class Starts(DiceChapter[C, R, F]):
    """From standing still to 1st gear."""

    def start_die(self, car: C) -> StartDie | None:
        """The black die before the first gear, in each car's first turn [9-0-1, ruling 92]."""
        return StartDie(car.number, self.article("9-0-1"), "start", self.start_bands()) if car.alive else None

    def start_bands(self) -> tuple[Band, ...]:
        """A stall, a start, a great start [9-0-1]."""
        return divided(self.figures.stall_to, self.figures.great_from - 1)

    def start(self, car: C) -> Proc[None]:
        """1: the car stalls. 20: it moves four spaces at once. Anything else: 1st gear [9-0-1, 9-1-1, 9-2-1, 9-3]."""
        face = yield from ask(self.start_die, car)
        if face <= self.figures.stall_to:
            self.stall(car, face)
            return
        car.status, car.gear = "racing", FIRST
        self.move.gear = FIRST
        if face >= self.figures.great_from:
            yield from self.great_start(car, face, "9-2-1")
            return
        self.rule("start", "9-3", car, face=face)
        yield from self.book.turn.drive(car)

    def stall(self, car: C, face: Face) -> None:
        """The engine stalls: no move this turn; tests with the car are aggravated until it has moved
        [9-1-1, 9-1-2, ruling 94]."""
        car.status, car.turned, car.gear = "stalled", False, 0
        self.rule("stall", "9-1-1", car, face=face)

    def great_start(self, car: C, face: Face, article: str) -> Proc[None]:
        """Four spaces at once by the driving code, soft space included; then 1st or 2nd
        [9-2-1, 9-2-2, 10-4-6, rulings 44, 93]."""
        spaces = self.figures.great_spaces
        self.rule("great_start", article, car, face=face, spaces=spaces)
        yield from self.book.moving.displace(car, spaces)
        yield from self.book.turn.after_move(car)

    def start_after_stall(self, car: C) -> Proc[None]:
        """The turn after a stall: 1st gear, without another roll [9-1-1, 10-4-6, rulings 43, 94]."""
        car.gear = self.move.gear = FIRST
        self.rule("start", "10-4-6" if car.turned else "9-1-1", car)
        yield from self.book.turn.drive(car)

    def restart_die(self, car: C) -> StartDie | None:
        """The black die before a spun car drives on [10-4-6]."""
        return StartDie(car.number, self.article("10-4-6"), "restart", self.start_bands()) if car.alive else None

    def restart(self, car: C) -> Proc[None]:
        """After a spin, 1: the car stalls for a turn. 20: four spaces, then 1st or 2nd. Else 1st gear at once
        [10-4-1, 10-4-6, rulings 43, 44]."""
        self.turn_round(car)
        if not car.alive:
            return
        face = yield from ask(self.restart_die, car)
        if face <= self.figures.stall_to:
            car.status, car.turned = "stalled", True
            self.rule("stall", "10-4-6", car, face=face)
            return
        car.status, car.turned = "racing", False
        car.gear = self.move.gear = FIRST
        if face >= self.figures.great_from:
            yield from self.great_start(car, face, "10-4-6")
            return
        self.rule("restart", "10-4-6", car, face=face)
        yield from self.book.turn.drive(car)

    def turn_round(self, car: C) -> None:
        """A spun car is put straight at the end of the round, its stick in 1st [10-4-1, 10-4-7, rulings 10, 46]."""
        if not car.turned:
            car.turned, car.gear = True, FIRST
            self.rule("turned", "10-4-1", car)
