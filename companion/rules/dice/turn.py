"""The turn of a car, in the fifteen steps of article 6-3.

    1  the gear is announced                      gears
    2  the stick is set                           gears
    3  a gear-down is paid for                    gears
    4  the die of the gear is rolled              gears
    5  the car moves                              moving
    6  it slides, on the wrong tyres in the wet   moving
    7  soft tyres may bring a space               moving
    8  slipstreams, each with a slide of its own  slipstream
    9  brakes                                     moving
    10 handling and wall tests of the way         tests
    11 overshooting and blocking are paid         corners, collisions
    12 tyres at the box                           pits
    13 a quick stop or a long one                 pits
    14 collision tests                            collisions
    15 engine tests                               tests

A car that stands drives off first: `Starts`, below.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

import msgspec

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Json, Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.faces import Band, Face, divided
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.collisions import CollisionsBook
from companion.rules.dice.gears import Gears
from companion.rules.dice.questions import StartDie
from companion.rules.dice.sheet import Sheet
from companion.rules.dice.state import C, Move
from companion.rules.dice.wear import Cost, ForetoldTest
from companion.rules.dice.weather import Weather


class TurnBook(CollisionsBook[C, R, F], Protocol[C, R, F]):
    """The book as a turn, a start and an outlook see it."""

    @property
    def weather(self) -> Weather[C, R, F]: ...
    @property
    def gears(self) -> Gears[C, R, F]: ...
    @property
    def sheet(self) -> Sheet[C, R, F]: ...
    @property
    def turn(self) -> Turn[C, R, F]: ...
    @property
    def starts(self) -> Starts[C, R, F]: ...


class Turn(DiceChapter[C, R, F]):
    """One car's turn, from the gear to the engines."""

    book: TurnBook[C, R, F]

    def turn(self, car: C) -> Procedure[None]:
        """Play a car's turn; a wreck is taken off instead [0-0-3, 6-2-5, 6-3, 14-2].

        The cars that it passes are counted from where the turn began, or where the referee has put it then.
        """
        race = self.race
        if race.sweep is None:
            self.book.order.begin_round(car)
        before, rank = self.book.order.progress(car), self.book.order.level_order(car)
        if car.status == "wreck":
            self.book.wear.clear(car)
        else:
            race.move = self.new_move(car)
            yield from self.play(car)
            yield from self.end_of_turn(car)
            before = before if self.move.before is None else self.move.before
        self.book.order.has_played(car, before, rank)
        race.move = None

    def rest(self) -> Procedure[None]:
        """Play the rest of a turn whose car the referee has taken out [16-0-1, ruling 64].

        After a 20 in 5th or a 30 in 6th these are the engine tests of the others, and its end.
        """
        car = self.car(self.move.car)
        if self.move.rolled:
            yield from self.book.tests.engine_tests()
        yield from self.end_of_turn(car)
        self.race.move = None

    def new_move(self, car: C) -> Move:
        """Return the turn of a car as it begins: nothing has happened in it yet."""
        return Move(
            car=car.number,
            begin=car.at or "",
            lap=car.lap,
            made=car.stops,
            stood_ahead=self.book.sheet.stood_ahead(car),
        )

    def play(self, car: C) -> Procedure[None]:
        """Play the turn by the car's status."""
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

    def drive(self, car: C) -> Procedure[None]:
        """Roll the die of the gear, and make the move and what follows from it [6-3.4 to 6-3.15]."""
        self.book.remind("roll")
        try:
            face = yield from self.book.gears.roll(car)  # 4
        except QuestionWithdrawn:
            return
        self.move.face = face
        if car.status == "stalled":
            car.status, car.turned = "racing", False
        if self.book.tests.flat_out(car.gear, face):
            self.drives_engines(car, face)
            yield from self.book.weather.weather_is_due(car)
        spaces = yield from self.book.moving.spaces_of(car, face)
        yield from self.book.moving.displace(car, spaces)  # 5 to 9: the way, soft space, brakes, slipstreams
        yield from self.after_move(car)

    def drives_engines(self, car: C, face: int) -> None:
        """Note that an engine is driven to its limit: after the move there are tests for it [16-0-1]."""
        self.move.rolled = True
        self.rule("flat_out", "16-0-1", car, face=face, gear=car.gear)

    def after_move(self, car: C) -> Procedure[None]:
        """Settle a move: tests and price of the way, box, stop in the corner, collisions, engines.

        [6-3, 6-3.10 to 6-3.15]
        """
        yield from self.arrive(car)  # 10, 11
        if car.status == "box" and not car.stop:
            with suppress(QuestionWithdrawn):  # by the referee's word it is not in its box
                yield from self.book.pits.pit_stop(car)  # 12, 13
        if car.alive:
            self.book.corners.count_stops(car)
        yield from self.book.collisions.collisions(car)  # 14
        yield from self.book.tests.last_wall_test(car)
        if self.move.rolled:
            yield from self.book.tests.engine_tests()  # 15
        yield from self.book.tests.own_tests(car)

    def foretell(self, car: C, landing: Landing, *, entry: int = 0) -> list[ForetoldTest]:
        """Return the dice that a stop brings until somebody has a choice, in their order, if each of them goes well.

        Nothing is rolled or moved for it. Offers, such as a slipstream, are taken to be declined; `entry` are the
        brakes that one into a corner costs. What comes only of a die that fails is not among them.
        """
        book = self.book
        driven = book.landings.actual_landing(car, landing)
        cost = book.landings.cost(car, landing, entry=entry)
        there = self.landed(car, driven, cost)
        return book.tests.on_way(car, driven) + self.foretell_end(there, driven, cost)

    def foretell_end(self, there: C, landing: Landing, cost: Cost) -> list[ForetoldTest]:
        """Return the dice of a move that has ended and is paid for."""
        book = self.book
        found: list[ForetoldTest] = []
        gone: C | None = None
        if cost.out == "blocked":
            beside = book.blocking.foretell_out(there)
            if beside is None:
                return found
            found += beside
            gone = next((car for car in book.blocking.fronts(there) if book.wear.fatal(car, "body")), None)
        if there.status == "box" and not there.stop:
            stop = book.pits.foretell_stop(there)
            if stop is None:
                return found
            found += stop
        found += book.collisions.at(there)
        if there.alive and book.tests.ends_at_wall(landing):
            found.append(book.tests.at_wall(there, there.at or ""))
        if self.move.rolled:
            found += [test for test in book.tests.engines(there) if gone is None or test.car != gone.number]
        found += book.tests.foretell_own(there)
        return found + book.weather.foretell(there, landing, cost)

    def landed(self, car: C, landing: Landing, cost: Cost) -> C:
        """Return a car as it stands once it has stopped somewhere and paid for it, and no die has failed."""
        track, start, name = self.track, self.track.ids[car.at or ""], self.board.names[landing.space]
        status, turned = car.status, car.turned
        if name.startswith("box:"):
            status = "box"
        elif name.startswith("pit:"):
            status = status if status == "coasting" else "pit"
        elif car.in_pits:
            status = "racing"
        if cost.out or (cost.spin and car.coast and not landing.finished):
            status = "out"
        elif landing.finished:
            status = "finished"
        elif cost.spin:
            status, turned = "spun", False
        crosses = landing.moved >= 0 and track.past_line(landing.space) and not track.past_line(start)
        return msgspec.structs.replace(
            car,
            at=name,
            lap=car.lap + crosses,
            status=status,
            turned=turned,
            arrived=car.arrived if landing.space == start else self.race.turn + 1,
            wear=dict(self.book.wear.purse(car).after(cost).wear),
        )

    def arrive(self, car: C) -> Procedure[None]:
        """Make the tests of the way in its order, then charge the move, then cross the line.

        [6-3.10, 6-3.11, 21-1-1]
        """
        yield from self.book.tests.way_tests(car)  # 10
        if car.alive:
            yield from self.settle(car)  # 11
        if self.move.finished and not car.alive:
            self.book.finish.short_of_line(car)
        elif self.move.finished:
            self.book.finish.finish(car)
        elif car.alive:
            self.book.tyres.age_tyres(car)

    def settle(self, car: C) -> Procedure[None]:
        """Once the way's tests are done: overshooting is paid, then blocking [6-3.11, ruling 40]."""
        self.book.corners.overshoot(car)
        if car.alive:
            yield from self.book.blocking.blocked(car)

    def end_of_turn(self, car: C) -> Procedure[None]:
        """Ask what is still to be asked when a car has played; only some rulebooks do."""
        yield from ()


FIRST = 1


class Starts(DiceChapter[C, R, F]):
    """From standing still to 1st gear."""

    book: TurnBook[C, R, F]

    def start_die(self, car: C) -> StartDie | None:
        """Return the black die before the first gear, in each car's first turn [9-0-1, ruling 92]."""
        return StartDie(car.number, self.article("9-0-1"), "start", self.start_bands()) if car.alive else None

    def start_bands(self) -> tuple[Band, ...]:
        """Return the bands of a stall, a start, a great start [9-0-1]."""
        return divided(self.figures.stall_to, self.figures.great_from - 1)

    def starting_gear(self) -> int:
        """Return the gear in which a car leaves the grid, the 1st unless the table has another [9-3]."""
        return self.figures.starting_gear

    def away_in(self, car: C) -> dict[str, Json]:
        """Return the gear to tell of a car that drives off, where it is not the 1st [9-3]."""
        return {"gear": car.gear} if car.gear != FIRST else {}

    def start(self, car: C) -> Procedure[None]:
        """1: the car stalls. 20: it moves four spaces at once. Anything else: 1st gear [9-0-1, 9-1-1, 9-2-1, 9-3]."""
        face = yield from ask(self.start_die, car)
        if face <= self.figures.stall_to:
            self.stall(car, face)
            return
        car.status, car.gear = "racing", self.starting_gear()
        self.move.gear = car.gear
        if face >= self.figures.great_from:
            yield from self.great_start(car, face, "9-2-1")
            return
        self.rule("start", "9-3", car, face=face, **self.away_in(car))
        yield from self.book.turn.drive(car)

    def stall(self, car: C, face: Face) -> None:
        """Stall the engine: no move this turn [9-1-1, 9-1-2, ruling 94].

        Tests with the car are aggravated until it has moved.
        """
        car.status, car.turned, car.gear = "stalled", False, 0
        self.rule("stall", "9-1-1", car, face=face)

    def great_start(self, car: C, face: Face, article: str) -> Procedure[None]:
        """Drive four spaces at once by the driving code, soft space included; then 1st or 2nd.

        [9-2-1, 9-2-2, 10-4-6, rulings 44, 93]
        """
        spaces = self.figures.great_spaces
        self.rule("great_start", article, car, face=face, spaces=spaces)
        yield from self.book.moving.displace(car, spaces)
        yield from self.book.turn.after_move(car)

    def start_after_stall(self, car: C) -> Procedure[None]:
        """Play the turn after a stall without another roll: in the gear of the start, out of a spin in 1st.

        [9-1-1, 10-4-6, rulings 43, 94]
        """
        car.gear = self.move.gear = FIRST if car.turned else self.starting_gear()
        self.rule("start", "10-4-6" if car.turned else "9-1-1", car, **self.away_in(car))
        yield from self.book.turn.drive(car)

    def restart_die(self, car: C) -> StartDie | None:
        """Return the black die before a spun car drives on [10-4-6]."""
        return StartDie(car.number, self.article("10-4-6"), "restart", self.start_bands()) if car.alive else None

    def restart(self, car: C) -> Procedure[None]:
        """Restart after a spin: on 1 the car stalls for a turn, on 20 it drives four spaces, then 1st or 2nd.

        Else it takes 1st gear at once [10-4-1, 10-4-6, rulings 43, 44].
        """
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
        """Put a spun car straight at the end of the round, its stick in 1st.

        [10-4-1, 10-4-7, rulings 10, 46]
        """
        if not car.turned:
            car.turned, car.gear = True, FIRST
            self.rule("turned", "10-4-1", car)
