"""The family of dice-and-gears rulebooks: how a race runs, step by step. Articles 6, 9, 10-4, 16 and 21."""

from __future__ import annotations

import msgspec

from companion.rules.conversation.asking import Json, Moot, Proc, ask
from companion.rules.conversation.faces import Band, Face, divided
from companion.rules.dice.position import Position
from companion.rules.dice.questions import StartDie
from companion.rules.dice.state import C, Move

FIRST = 1


class FormulaDe(Position[C]):
    """A race from the weather draw to the classification; a rulebook changes a method or a figure."""

    # -- steps

    def step(self) -> Proc[None] | None:
        """The next step of the race, by the state alone; None when the race is over."""
        race = self.race
        if race.phase == "setup":
            return self.prepare()
        if race.phase == "over":
            return None
        if not any(car.alive for car in race.cars):
            return self.close()
        car = self.next_to_play()
        return self.end_of_round() if car is None else self.turn(car)

    def abandon(self) -> None:
        """Closes the turn of a car that the referee has taken out of the race."""
        move = self.race.move
        if move is not None:
            self.race.move = None
            if move.car not in self.race.played:
                self.race.played.append(move.car)

    # -- a turn

    def turn(self, car: C) -> Proc[None]:
        """A car's turn; a wreck is taken off instead [0-0-3, 6-3, 14-2]."""
        race = self.race
        if race.sweep is None:
            self.begin_round(car)
        before, rank = self.driven(car), self.level_order(car)
        if car.status == "wreck":
            self.clear(car)
        else:
            race.move = self.new_move(car)
            yield from self.play(car)
            yield from self.end_of_turn(car)
        self.has_played(car, before, rank)
        race.move = None

    def new_move(self, car: C) -> Move:
        """The turn of a car as it begins: nothing has happened in it yet."""
        return Move(
            car=car.number,
            begin=car.at or "",
            lap=car.lap,
            made=car.stops,
            stood_ahead=self.stood_ahead(car),
        )

    def end_of_turn(self, car: C) -> Proc[None]:
        """What is still to be asked when a car has played; not in every rulebook."""
        return
        yield

    def begin_round(self, leader: C) -> None:
        """A round begins with the leader's turn [0-0-2]."""
        race = self.race
        race.round += 1
        race.sweep = self.standing(leader) % self.lap_length
        self.rule("round", "0-0-2", leader, round=race.round)

    def play(self, car: C) -> Proc[None]:
        """The turn as the car's state has it."""
        if car.status == "grid":
            yield from self.start(car)
        elif car.status == "stalled":
            yield from self.start_after_stall(car)
        elif car.status == "spun":
            yield from self.restart(car)
        elif car.status == "box":
            yield from self.turn_in_box(car)
        else:
            yield from self.choose_gear(car)
            if car.alive:
                yield from self.drive(car)

    def turn_in_box(self, car: C) -> Proc[None]:
        """The turn of a car that stands in its box: it drives out [19-3-4, 19-4-2]."""
        yield from self.leave_box(car)
        yield from self.drive(car)

    def drive(self, car: C) -> Proc[None]:
        """The die of the gear, the move, and what follows from it [6-3.4 to 6-3.15]."""
        self.remind("roll")
        try:
            face = yield from ask(self.gear_die, car)
        except Moot:
            return
        self.move.face = face
        if car.status == "stalled":
            car.status, car.turned = "racing", False
        if self.flat_out(car.gear, face):
            self.move.rolled = True
            self.rule("flat_out", "16-0-1", car, face=face, gear=car.gear)
            yield from self.weather_is_due(car)
        yield from self.displace(car, face)
        yield from self.after_move(car)

    def after_move(self, car: C) -> Proc[None]:
        """The way's tests and price, the box, the stop in the corner, collisions, engines: in this order
        [6-3, 6-3.10 to 6-3.15]."""
        yield from self.arrive(car)
        if car.status == "box" and not car.stop:
            yield from self.pit_stop(car)
        if car.alive:
            self.count_stops(car)
        yield from self.collisions(car)
        yield from self.last_wall_test(car)
        if self.move.rolled:
            yield from self.engine_tests()

    def arrive(self, car: C) -> Proc[None]:
        """The tests of the way in its order, then what the move costs, then the line [6-3.10, 6-3.11, 21-1-1]."""
        yield from self.way_tests(car)
        if car.alive:
            yield from self.settle(car)
        if self.move.finished and not car.alive:
            self.short_of_line(car)
        elif self.move.finished:
            self.finish(car)
        elif car.alive:
            self.age_tyres(car)

    def short_of_line(self, car: C) -> None:
        """Out in the very move that would have brought it home, a car has come as far as the line and not beyond it:
        further than all who have not reached it [21-1-2, ruling 101]."""
        car.lap = self.move.lap
        if self.track.known == "corner":
            car.at = f"after:{len(self.track.corners)}"
            return
        car.at = self.track.spaces[self.track.behind[self.track.ids[car.at or ""]]].name

    # -- starts

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
        yield from self.drive(car)

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
        yield from self.displace(car, spaces)
        yield from self.after_move(car)

    def start_after_stall(self, car: C) -> Proc[None]:
        """The turn after a stall: 1st gear, without another roll [9-1-1, 10-4-6, rulings 43, 94]."""
        car.gear = self.move.gear = FIRST
        self.rule("start", "10-4-6" if car.turned else "9-1-1", car)
        yield from self.drive(car)

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
        self.move.gear = car.gear
        if face >= self.figures.great_from:
            yield from self.great_start(car, face, "10-4-6")
            return
        self.rule("restart", "10-4-6", car, face=face)
        yield from self.drive(car)

    def turn_round(self, car: C) -> None:
        """A spun car is put straight at the end of the round, its stick in 1st [10-4-1, 10-4-7, rulings 10, 46]."""
        if not car.turned:
            car.turned, car.gear = True, FIRST
            self.rule("turned", "10-4-1", car)

    # -- the end of a round, a car's race, the race

    def end_of_round(self) -> Proc[None]:
        """The weather is drawn again if it must be, spun cars are put straight [3-2-5, 10-4-1]."""
        race = self.race
        yield from self.draw_again()
        for car in race.cars:
            if car.status == "spun":
                self.turn_round(car)
        race.sweep = None
        race.played.clear()
        race.called.clear()

    def finish(self, car: C) -> None:
        """Whoever crosses the line after the last lap is home, in the order of crossing; any part of the car over it
        will do [21-1-1, 21-1-2, 21-1-4, 21-1-5]."""
        car.status, car.coast, car.stops = "finished", 0, 0
        self.race.home.append(car.number)
        self.rule("finish", "21-1-1" if len(self.race.home) == 1 else "21-1-4", car, place=len(self.race.home))

    def close(self) -> Proc[None]:
        """The race is over when every driver is home or out [21-1-3]."""
        self.race.phase = "over"
        self.remind("finish")
        self.rule("result", "21-1-3", None, order=[car.number for car in self.classification()])
        return
        yield

    # -- what the world may see

    def result(self) -> list[dict[str, Json]]:
        """The classification: place, car, laps completed, status, cause and points [21-1-2, ruling 101]."""
        rows = []
        for place, car in enumerate(self.classification(), 1):
            home = car.status == "finished" or self.figures.retired_cars_placed
            points = self.figures.points[place - 1] if home and place <= len(self.figures.points) else 0
            row: dict[str, Json] = {
                "place": place if home else None,
                "car": car.number,
                "laps": max(0, car.lap - 1),
                "status": car.status,
                "points": points,
            }
            if car.cause:
                row["cause"] = car.cause
            rows.append(row)
        return rows

    def state(self) -> dict[str, Json]:
        """The position as a setup that goes on exactly from here; whole only between two turns."""
        race, figures = self.race, self.figures
        values: dict[str, Json] = msgspec.to_builtins(race)
        for inner in ("played", "move"):
            values.pop(inner, None)
        for car, said in zip(race.cars, values["cars"], strict=True):
            for name in ("stand", "fresh", "round_set"):  # left out they would be as at the start of a race
                said[name] = getattr(car, name)
        if race.phase != "setup":
            values["to_play"] = self.to_play() if race.sweep is not None else []
        usual = type(figures)()
        changed = {
            name: getattr(figures, name)
            for name in figures.__struct_fields__
            if getattr(figures, name) != getattr(usual, name)
        }
        if changed:
            values["options"] = msgspec.to_builtins(changed)
        return {"rulebook": self.name, "track": self.track.key, **values}
