"""The family of dice-and-gears rulebooks: how a race runs, step by step. Articles 2, 4 to 6, 9, 10-4, 16 and 21."""

from __future__ import annotations

import msgspec

from companion.rules.conversation import Json, Moot, Option, Proc, ask
from companion.rules.errors import BadAnswer
from companion.rules.questions import Choice, Form, StartDie, whole
from companion.rules.race import POOLS, Car, Move
from companion.rules.unseen import Unseen

FIRST = 1


class FormulaDe(Unseen):
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

    # -- before the race

    def prepare(self) -> Proc[None]:
        """What is still open before the start: the weather, boxes in grid order, cars and tyres; one at a time, the
        weather before all that depends on it [2-0-1, 3-0-1, 4-0-1, ruling 103]."""
        race = self.race
        pole = race.cars[0]
        self.remind("setup")
        if not race.sky:
            yield from self.draw_weather(pole)
        elif not race.surface:
            yield from self.surface_from_practice(pole)
        elif (car := self.without_box()) is not None:
            yield from self.choose_box(car)
        elif (car := next((car for car in race.cars if not car.wear), None)) is not None:
            yield from self.build(car)
        elif (car := next((car for car in race.cars if not car.tyres), None)) is not None:
            car.tyres = yield from ask(self.tyres_question, car)
            self.rule("tyres", "8-0-1", car, tyres=car.tyres)
        else:
            self.form_up()

    def without_box(self) -> Car | None:
        """The next driver to choose a box: pole first, down the grid [4-0-1]."""
        if not self.track.box_count:
            return None
        return next((car for car in self.race.cars if not car.box), None)

    def box_question(self, car: Car) -> Choice[int]:
        """One box a driver; with more cars than boxes a team shares, else they are shared in grid order again
        [4-0-1, 4-0-2, ruling 90]."""
        boxes = range(1, self.track.box_count + 1)
        taken = [other.box for other in self.race.cars if other.box]
        fewest = min(taken.count(box) for box in boxes)
        free = [box for box in boxes if taken.count(box) == fewest]
        if fewest and (own := [other.box for other in self.race.cars if other.team == car.team and other.box]):
            free = own if car.team else free
        return Choice(
            "box",
            car.number,
            self.article("4-0-1"),
            [(Option(box), box) for box in free],
            wanted="The boxes still free are",
        )

    def choose_box(self, car: Car) -> Proc[None]:
        """A driver writes his name on a box [4-0-1, 4-0-2]."""
        car.box = yield from ask(self.box_question, car)
        self.rule("box", "4-0-1", car, box=car.box)

    def build(self, car: Car) -> Proc[None]:
        """A driver spreads his wear points over the six parts of the car, and keeps up to two at his stand
        [5-0-1, 5-0-2, 5-2, 5-3]."""
        points = yield from ask(self.build_question, car)
        car.stand = points.pop("stand")
        car.wear, car.built = dict(points), dict(points)
        self.rule("build", "5-0-2", car, built=dict(points), stand=car.stand)

    def build_question(self, car: Car) -> Form[dict[str, int]]:
        """How the points are spread; three sound cars are offered [5-0-2, 5-3]."""
        figures = self.figures
        fields: dict[str, Json] = {
            pool: [figures.pool_minimum, figures.car_points + figures.stand_points] for pool in POOLS
        }
        fields["stand"] = [0, figures.stand_points]
        fields["points"] = [figures.car_points, figures.stand_points]
        return Form("setup", car.number, self.article("5-0-2"), fields, self.read_build, self.offered_builds())

    def offered_builds(self) -> list[Option]:
        """Sound ways to spread the points: even, for the corners, for the straights."""
        figures = self.figures
        offered = []
        for shares in ((6, 3, 3, 3, 3, 2), (9, 3, 2, 2, 2, 2), (5, 4, 3, 2, 4, 2)):
            points = dict(zip(POOLS, shares, strict=True))
            points["tyres"] += figures.car_points - sum(shares)
            if points["tyres"] >= figures.pool_minimum:
                offered.append(Option({**points, "stand": figures.stand_points}))
        return offered

    def read_build(self, answer: Json) -> dict[str, int]:
        """Checks a car: at least one point a part, twenty in all, the two of the stand on the car or at the stand
        [5-0-2, 5-2, 5-3, ruling 102]."""
        figures = self.figures
        if not isinstance(answer, dict):
            raise BadAnswer('A car is written by pool, such as {"tyres": 6, "brakes": 3, ...}.')
        unknown = [name for name in answer if name not in (*POOLS, "stand")]
        missing = [pool for pool in POOLS if pool not in answer]
        if unknown or missing:
            raise BadAnswer(
                f"A car has {', '.join(POOLS)} and stand; {'unknown: ' + ', '.join(unknown) if unknown else ''}"
                f"{'missing: ' + ', '.join(missing) if missing else ''}."
            )
        points = {pool: whole(answer[pool]) for pool in POOLS}
        for pool, count in points.items():
            if count < figures.pool_minimum:
                raise BadAnswer(f"Every part needs at least {figures.pool_minimum} point; {pool} has {count}.")
        total = sum(points.values())
        most = figures.car_points + figures.stand_points
        if not figures.car_points <= total <= most:
            raise BadAnswer(
                f"A car has {figures.car_points} points, or up to {most} with those of the stand; this one has {total}."
            )
        stand = whole(answer.get("stand", most - total))
        if total + stand != most:
            raise BadAnswer(
                f"With {total} points on the car the stand keeps {most - total}; {stand} would make {total + stand} "
                f"points instead of {most}."
            )
        points["stand"] = stand
        return points

    def form_up(self) -> None:
        """The cars stand on the grid, pole first; the race begins [2-0-3, ruling 8]."""
        race = self.race
        race.phase = "race"
        for place, car in enumerate(race.cars):
            if car.at is None:
                car.at = self.grid_place(place)
                car.fresh = True
            car.arrived = place + 1
            self.rule("grid", "2-0-3", car, place=place + 1, at=car.at)
        race.turn = len(race.cars)
        self.remind("start")

    def grid_place(self, place: int) -> str:
        """The space of a grid slot, counted from 0 for pole."""
        if self.track.known == "corner":
            return f"after:{len(self.track.corners)}"
        return self.track.spaces[self.track.grid[place]].name

    # -- a turn

    def turn(self, car: Car) -> Proc[None]:
        """A car's turn; a wreck is taken off instead [0-0-3, 6-3, 14-2]."""
        race = self.race
        if race.sweep is None:
            self.begin_round(car)
        before, rank = self.driven(car), self.level_order(car)
        if car.status == "wreck":
            self.clear(car)
        else:
            race.move = Move(
                car=car.number,
                begin=car.at or "",
                lap=car.lap,
                made=car.stops,
                stood_ahead=self.stood_ahead(car),
            )
            yield from self.play(car)
        self.has_played(car, before, rank)
        race.move = None

    def begin_round(self, leader: Car) -> None:
        """A round begins with the leader's turn [0-0-2]."""
        race = self.race
        race.round += 1
        race.played.clear()
        race.sweep = self.standing(leader) % self.lap_length
        self.rule("round", "0-0-2", leader, round=race.round)

    def play(self, car: Car) -> Proc[None]:
        """The turn as the car's state has it."""
        if car.status == "grid":
            yield from self.start(car)
        elif car.status == "stalled":
            yield from self.start_after_stall(car)
        elif car.status == "spun":
            yield from self.restart(car)
        elif car.status == "box":
            yield from self.leave_box(car)
            yield from self.drive(car)
        else:
            yield from self.choose_gear(car)
            if car.alive:
                yield from self.drive(car)

    def drive(self, car: Car) -> Proc[None]:
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
            self.weather_is_due(car)
        yield from self.displace(car, face)
        yield from self.after_move(car)

    def after_move(self, car: Car) -> Proc[None]:
        """The way's tests and price, the box, the stop in the corner, collisions, engines: in this order
        [6-3, 6-3.10 to 6-3.15]."""
        yield from self.arrive(car)
        if car.alive and car.status == "box" and not car.stop:
            yield from self.pit_stop(car)
        if car.alive:
            self.count_stops(car)
        yield from self.collisions(car)
        yield from self.last_wall_test(car)
        if self.move.rolled:
            yield from self.engine_tests()

    def arrive(self, car: Car) -> Proc[None]:
        """The tests of the way in its order, then what the move costs, then the line [6-3.10, 6-3.11, 21-1-1]."""
        yield from self.way_tests(car)
        if car.alive:
            yield from self.settle(car)
        if self.move.finished and not car.alive:
            car.lap = self.move.lap
        elif self.move.finished:
            self.finish(car)
        elif car.alive:
            self.age_tyres(car)

    # -- starts

    def start_die(self, car: Car) -> StartDie | None:
        """The black die before the first gear, in each car's first turn [9-0-1, ruling 92]."""
        return StartDie(car.number, self.article("9-0-1"), "start") if car.alive else None

    def start(self, car: Car) -> Proc[None]:
        """1: the car stalls. 20: it moves four spaces at once. Anything else: 1st gear [9-0-1, 9-1-1, 9-2-1, 9-3]."""
        face = yield from ask(self.start_die, car)
        if face <= self.figures.stall_to:
            self.stall(car, face)
            return
        car.status, car.gear = "racing", FIRST
        self.move.gear = FIRST
        if face >= self.figures.great_from:
            yield from self.great_start(car, face)
            return
        self.rule("start", "9-3", car, face=face)
        yield from self.drive(car)

    def stall(self, car: Car, face: int) -> None:
        """The engine stalls: no move this turn; tests with the car are aggravated until it has moved
        [9-1-1, 9-1-2, ruling 94]."""
        car.status, car.turned, car.gear = "stalled", False, 0
        self.rule("stall", "9-1-1", car, face=face)

    def great_start(self, car: Car, face: int) -> Proc[None]:
        """Four spaces at once by the driving code, soft space included; then 1st or 2nd [9-2-1, 9-2-2, ruling 93]."""
        spaces = self.figures.great_spaces
        self.rule("great_start", "9-2-1", car, face=face, spaces=spaces)
        yield from self.displace(car, spaces)
        yield from self.after_move(car)

    def start_after_stall(self, car: Car) -> Proc[None]:
        """The turn after a stall: 1st gear, without another roll [9-1-1, 10-4-6, rulings 43, 94]."""
        car.gear = self.move.gear = FIRST
        self.rule("start", "9-1-1", car)
        yield from self.drive(car)

    def restart_die(self, car: Car) -> StartDie | None:
        """The black die before a spun car drives on [10-4-6]."""
        return StartDie(car.number, self.article("10-4-6"), "restart") if car.alive else None

    def restart(self, car: Car) -> Proc[None]:
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
            yield from self.great_start(car, face)
            return
        self.rule("restart", "10-4-6", car, face=face)
        yield from self.drive(car)

    def turn_round(self, car: Car) -> None:
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

    def finish(self, car: Car) -> None:
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

    def to_play(self) -> list[int]:
        """The cars that still play this round, in order."""
        race = self.race
        if race.sweep is None:
            return self.order()
        numbers = [car.number for car in sorted(self.waiting(), key=self.turn_order)]
        called = [number for number in race.called if number in numbers]
        return [*called, *(number for number in numbers if number not in called)]
