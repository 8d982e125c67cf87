"""Preparation from boxes to the grid, and the conditions of a position: articles 1, 2, 4 and 5.

One check serves a setup, the referee's word and a correction that leaves the board as it is: `Position.faults` yields
all that is wrong, and a race that was played has none. The rules' consequences of a changed value,
such as the last point of a part, are settled first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar, Final, Literal, Protocol

from companion.rules.conversation.asking import Json, JsonValue, Option, Procedure, Question, QuestionWithdrawn, ask
from companion.rules.conversation.errors import BadAnswer, BadSetup
from companion.rules.conversation.forms import Choice, Form, whole
from companion.rules.conversation.kinds import Pool, Pools, Sky, Surface, Wings, by_name
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import VITAL, C, Status
from companion.rules.dice.turn import TurnBook

CarChoice = Literal["build", "card", "none"]
"""Source of a driver's car: he builds it, takes it with a card, or it is the same for all."""
Rolls = Mapping[int, Sequence[int]]
"""Rolls of each car: one, and one more for each time that it was level."""


def to_roll(cars: Sequence[int], rolls: Rolls) -> int | None:
    """Return the car that rolls next: each once, then those that are level again [1-0-1].

    None when no two are, and for a car that is alone.
    """
    open_groups = [(cars, 0)]
    while open_groups:
        level, rolled = open_groups.pop()
        if len(level) < 2:
            continue
        waiting = next((car for car in level if len(rolls.get(car, ())) <= rolled), None)
        if waiting is not None:
            return waiting
        faces = sorted({rolls[car][rolled] for car in level})  # the highest is the next group to be popped
        open_groups += [([car for car in level if rolls[car][rolled] == face], rolled + 1) for face in faces]
    return None


def by_die(cars: Sequence[int], rolls: Rolls) -> list[int]:
    """Return the grid from pole: the highest roll first, level cars by their next one [1-0-1]."""
    return sorted(cars, key=lambda car: [-face for face in rolls.get(car, ())])


def roll_off(
    cars: Sequence[int], faces: dict[str, list[int]], die: Callable[[int, Mapping[str, Json]], Question[int]]
) -> Procedure[list[int]]:
    """Ask for one more roll, noted in `faces`; return the grid from pole once nobody has to roll [1-0-1].

    Before that the result is empty. `die` makes the question of a car, with the cars that it is level with and the face
    that they rolled.
    """
    rolled = {car: faces.get(str(car), []) for car in cars}
    car = to_roll(cars, rolled)
    if car is None:
        return by_die(cars, rolled)
    before = rolled[car]
    level = [other for other in cars if other != car and before and rolled[other][: len(before)] == before]
    face = yield from ask(die, car, {"level": level, "face": before[-1]} if level else {})
    faces[str(car)] = [*before, face]
    return []


class SetupBook(TurnBook[C, R, F], Protocol[C, R, F]):
    """The book as preparing, position and referee see it."""

    @property
    def preparing(self) -> Preparing[C, R, F]: ...
    @property
    def position(self) -> Position[C, R, F]: ...
    @property
    def statuses(self) -> Sequence[Status]: ...
    @property
    def car_values(self) -> Sequence[str]: ...
    @property
    def race_endings(self) -> Sequence[str]: ...
    def set_by_word(self, change: Mapping[str, Json]) -> None: ...


class Preparing(DiceChapter[C, R, F]):
    """From the setup to the grid."""

    book: SetupBook[C, R, F]
    choice_of_car: ClassVar[CarChoice] = "build"
    """Source of a driver's car."""

    # -- what a setup says

    def enter(self) -> None:
        """Settle what these rules ask of the entrants, before their cars are checked; raise BadSetup."""

    def check(self, setup: Mapping[str, Json]) -> None:
        """Check a setup for what these rules ask beyond what every race needs; raise BadSetup."""

    def take_build(self, car: C, raw: Mapping[str, Json]) -> None:
        """Take a car that the setup brings built; raise BadSetup for one that could not be built so."""
        try:
            points, car.stand = self.read_build(by_name(car.wear) | ({"stand": car.stand} if "stand" in raw else {}))
        except BadAnswer as wrong:
            raise BadSetup("car_fault", car=car.number, wrong=wrong) from None
        car.wear, car.built = dict(points), dict(points)

    def complete(self, car: C) -> None:
        """Complete a car of a position: what is left out has its value at the start of a race.

        Hard tyres are among these values; the engine of a coasting car has broken, and no part was built without a
        point [5-2, 8-0-1, 16-0-3].
        """
        usual, pools = self.usual_build(), self.race.pools
        if car.coast or car.status == "coasting":
            car.wear = {"engine": 0, **car.wear}
        car.wear = {pool: car.wear.get(pool, car.built.get(pool, usual[pool])) for pool in pools}
        least = 0 if "pool_minimum" in self.figures.without else self.figures.pool_minimum
        car.built = {pool: car.built.get(pool, max(car.wear[pool], least)) for pool in pools}
        car.tyres = car.tyres or "hard"

    def stand_limit(self, car: C) -> int:
        """Return the most points that a car's stand may keep [5-3]."""
        return 0 if "stand_points" in self.figures.without else self.figures.stand_points

    def build_limit(self, car: C) -> int | None:
        """Return the most points of a car and its stand, None where they are not built of points [5-0-2, 5-3]."""
        figures = self.figures
        return None if {"car_points", "stand_points"} & figures.without else figures.car_points + figures.stand_points

    def most_in(self, pool: Pool) -> int | None:
        """Return the most points of a part of any car, None where only what a whole car is built of has a limit."""
        return None

    def usual_stand(self, car: C) -> int:
        """Return the points of a stand at the start of a race [5-0-2, 5-3].

        They are those of the most a car and its stand have that the car was not built with, as many as a stand may
        keep.
        """
        most = self.build_limit(car)
        return 0 if most is None else min(max(most - sum(car.built.values()), 0), self.stand_limit(car))

    def usual_build(self) -> Pools:
        """Return the points of a car that nobody has built otherwise [5-0-2]."""
        return self.spread((6, 3, 3, 3, 3, 2))

    def spread(self, shares: tuple[int, ...]) -> Pools:
        """Return shares of the pools, in their order, adjusted to the figures [5-0-2, 5-2].

        What the figures give more or less goes to the tyres, or off the fullest pools so that none is below the
        minimum.
        """
        least = self.figures.pool_minimum
        points = {pool: max(share, least) for pool, share in zip(self.race.pools, shares, strict=True)}
        points["tyres"] += self.figures.car_points - sum(points.values())
        while points["tyres"] < least:
            points[max(points, key=points.__getitem__)] -= 1
            points["tyres"] += 1
        return points

    # -- before the race

    def prepare(self) -> Procedure[None]:
        """Prepare what is still open before the start, one thing at a time.

        The weather comes before all that depends on it, then boxes in grid order, cars and tyres [2-0-1, 3-0-1, 4-0-1,
        ruling 103].
        """
        race = self.race
        pole = self.grid_order()[0]
        self.book.remind("setup")
        if not race.sky or not race.surface:
            weather = self.book.weather
            with suppress(QuestionWithdrawn):  # the referee has said what it is
                yield from weather.surface_from_practice(pole) if race.sky else weather.draw_weather(pole)
        elif (car := self.without_box()) is not None:
            yield from self.choose_box(car)
        elif (car := next((car for car in race.cars if not car.wear), None)) is not None:
            yield from self.build(car)
        elif (car := self.without_tyres()) is not None:
            yield from self.choose_tyres(car)
        else:
            yield from self.line_up()

    def line_up(self) -> Procedure[None]:
        """Form up on the grid: nothing is left to choose [2-0-3]."""
        self.form_up()
        yield from ()

    def without_tyres(self) -> C | None:
        """Return the next driver to choose his tyres [8-0-1, ruling 103]."""
        return next((car for car in self.race.cars if not car.tyres), None)

    def choose_tyres(self, car: C) -> Procedure[None]:
        """Ask a driver for the tyres with which he starts [8-0-1]."""
        car.tyres = yield from ask(self.book.pits.tyres_question, car)
        self.rule("tyres", "8-0-1", car, tyres=car.tyres)

    def without_box(self) -> C | None:
        """Return the next driver to choose a box: pole first, down the grid [4-0-1]."""
        if not self.track.box_count:
            return None
        return next((car for car in self.grid_order() if not car.box), None)

    def free_boxes(self, car: C) -> list[int]:
        """Return the boxes that a driver may choose: one each [4-0-1, 4-0-2, ruling 90].

        With more cars than boxes a team shares, else they are shared in grid order again.
        """
        boxes = range(1, self.track.box_count + 1)
        taken = [other.box for other in self.race.cars]
        fewest = min(taken.count(box) for box in boxes)
        free = [box for box in boxes if taken.count(box) == fewest]
        if fewest and (own := [other.box for other in self.race.cars if other.team == car.team and other.box]):
            free = own if car.team else free
        return free

    def box_question(self, car: C) -> Choice[int]:
        """Ask which of the boxes that are still free a driver takes [4-0-1]."""
        choices = [(Option(box), box) for box in self.free_boxes(car)]
        return Choice("box", car.number, self.article("4-0-1"), choices)

    def allot_boxes(self) -> None:
        """Allot the boxes where nobody chooses, pole first, down the grid.

        The box in which a car stands, or on a corner sheet that of the lane, is its own; the others have the first that
        are free [4-0-1, 4-0-2, 19-2-5, rulings 81, 90].
        """
        if self.without_box() is None:
            return
        for car in self.race.cars:
            where, _, number = (car.at or "").partition(":")
            if not car.box and (where == "box" or (where == "pit" and self.track.known == "corner")):
                car.box = int(number)
        for car in self.grid_order():
            car.box = car.box or self.free_boxes(car)[0]

    def choose_box(self, car: C) -> Procedure[None]:
        """Let a driver write his name on a box [4-0-1, 4-0-2]."""
        car.box = yield from ask(self.box_question, car)
        self.rule("box", "4-0-1", car, box=car.box)

    def build(self, car: C) -> Procedure[None]:
        """Let a driver spread his wear points over the six parts of the car, and keep up to two at his stand.

        [5-0-1, 5-0-2, 5-2, 5-3]
        """
        points, car.stand = yield from ask(self.build_question, car)
        car.wear, car.built = dict(points), dict(points)
        self.rule("build", "5-0-2", car, built=dict(points), stand=car.stand)

    def build_question(self, car: C) -> Form[tuple[Pools, int]]:
        """Ask how the points are spread; three sound cars are offered [5-0-2, 5-3]."""
        figures = self.figures
        fields: dict[str, Json] = {pool: [figures.pool_minimum, self.most_built(pool)] for pool in self.race.pools}
        if self.kept_points:
            fields["stand"] = [0, figures.stand_points]
        fields["points"] = [figures.car_points, figures.stand_points]
        return Form("setup", car.number, self.article("5-0-2"), fields, self.read_build, self.offered_builds())

    @property
    def kept_points(self) -> dict[str, int]:
        """Return the points that a car as it is offered keeps for repairs, if any are kept [5-0-2, 5-3]."""
        figures = self.figures
        kept = 0 if "stand_points" in figures.without else figures.stand_points
        return {"stand": kept} if kept else {}

    def most_built(self, pool: Pool) -> int:
        """Return the most points of a part that a driver may build [5-0-2, 5-3]."""
        return self.figures.car_points + self.figures.stand_points

    def offered_builds(self) -> list[Option]:
        """Sound ways to spread the points: even, for the corners, for the straights."""
        found = [self.usual_build()]
        for shares in ((9, 3, 2, 2, 2, 2), (5, 4, 3, 2, 4, 2)):
            if (points := self.spread(shares)) not in found:
                found.append(points)
        return [Option({**points, **self.kept_points}) for points in found]

    def read_build(self, answer: JsonValue) -> tuple[Pools, int]:
        """Check a car, and return its points and those of the stand [5-0-2, 5-2, 5-3, ruling 102].

        It has at least one point a part, twenty in all, the two of the stand on the car or at the stand.
        """
        figures = self.figures
        if not isinstance(answer, dict):
            raise BadAnswer("built_by_pool", example='{"tyres": 6, "brakes": 3, ...}')
        unknown = [name for name in answer if name != "stand" and name not in self.race.pools]
        missing = [pool for pool in self.race.pools if pool not in answer]
        if unknown or missing:
            pools = ", ".join(self.race.pools)
            wrong = [f"{name}: {', '.join(one)}" for name, one in (("unknown", unknown), ("missing", missing)) if one]
            raise BadAnswer("built_pools", pools=pools, wrong="; ".join(wrong))
        points = {pool: whole(answer[pool]) for pool in self.race.pools}
        if lacking := self.lacking(points):
            raise BadAnswer.of(lacking[0])
        total = sum(points.values())
        most = figures.car_points + figures.stand_points
        if not figures.stand_points and total != most:
            raise BadAnswer("built_total", points=most, total=total)
        if not figures.car_points <= total <= most:
            raise BadAnswer("built_total_repair", points=figures.car_points, most=most, total=total)
        stand = whole(answer.get("stand", most - total))
        if total + stand != most:
            raise BadAnswer("built_repair", total=total, kept=most - total, stand=stand, sum=total + stand, most=most)
        return points, stand

    def lacking(self, points: Pools) -> list[BadSetup]:
        """Return a fault for each part that has not at least one point before the start [5-2]."""
        least = self.figures.pool_minimum
        few = [(pool, count) for pool, count in points.items() if count < least]
        return [BadSetup("part_least", least=least, pool=pool, count=count) for pool, count in few]

    def form_up(self) -> None:
        """Form up the cars on the grid, pole first, and begin the race [2-0-3, ruling 8]."""
        race = self.race
        race.phase = "race"
        for place, car in enumerate(self.grid_order()):
            if car.at is None:
                car.at = self.grid_place(place)
                car.fresh = True
            car.arrived = place + 1
            self.rule("grid", "2-0-3", car, self.take_wear(car), place=place + 1, at=car.at)
        race.turn = len(race.cars)
        self.book.remind("start")

    def take_wear(self, car: C) -> Pools:
        """Take off what a car lacks from the race before, whatever it was built with; a point of each pool stays.

        [5-2, season.wear]
        """
        lost = {pool: min(points, car.wear[pool] - 1) for pool, points in car.worn.items()}
        wear = {pool: -points for pool, points in lost.items() if points > 0}
        for pool, points in wear.items():
            car.wear[pool] += points
        car.worn = {}
        return wear

    def form_up_again(self, cars: Sequence[C]) -> None:
        """Form up these cars on the grid after a red flag, pole first, without a gear [ruling 105].

        They stand before the line, and crossing it again brings none of them a lap further than it was.
        """
        for place, car in enumerate(cars):
            car.status, car.at, car.arrived = "grid", self.grid_place(place), place + 1
            car.gear, car.stops, car.still, car.to_box, car.stop, car.turned = 0, 0, 0, 0, "", False
            if car.lap > car.grid_lap:  # else it has not crossed the line since it stood there
                car.lap = car.grid_lap = car.lap - 1
            car.fresh = True
            self.rule("grid", "ruling 105", car, place=place + 1, at=car.at)

    @property
    def grid_slots(self) -> int:
        """The number of cars that the grid holds; any number on a corner sheet."""
        return len(self.race.cars) if self.track.known == "corner" else len(self.track.grid)

    def grid_order(self) -> list[C]:
        """Return the cars from pole on: as the setup has them, where the rulebook asks for nothing else."""
        return self.race.cars

    def grid_place(self, place: int) -> str:
        """Return the space of a grid slot, counted from 0 for pole."""
        if self.track.known == "corner":
            return f"after:{len(self.track.corners)}"
        return self.track.spaces[self.track.grid[place]].name


WINGS: Final[tuple[Wings, ...]] = ("normal", "high", "low")
"""Settings of the wings, where cars have them."""
UNDER: Final[Mapping[Sky, Surface]] = {"sun": "dry", "rain": "wet"}
"""The surface that a sky brings; under a changeable one it is either."""
GONE: Final = ("out", "wreck")
"""Statuses of a car whose race has ended before the flag."""


class Position(DiceChapter[C, R, F]):
    """The conditions of a position."""

    book: SetupBook[C, R, F]

    def faults(self) -> Iterator[BadSetup]:
        """Yield all that is wrong with the position as it stands."""
        yield from self.place_faults()
        running = self.race.phase != "setup"
        for car in self.race.cars:
            if running:
                yield from self.status_faults(car)
                yield from self.lap_faults(car)
                yield from self.wear_faults(car)
            elif car.wear:
                yield from self.build_faults(car)
            yield from self.points_faults(car)
            yield from self.tyre_faults(car)
            yield from self.wing_faults(car)
            yield from self.allowance_faults(car)
        yield from self.weather_faults()
        yield from self.list_faults()

    def place_faults(self) -> Iterator[BadSetup]:
        """Yield the faults of places, of cars and of danger markers [21-1-5, ruling 99].

        A car stands on a place that there is, and alone unless the place holds many or one is on its way over the line
        for the last time.
        """
        track, move = self.track, self.race.move
        home = move.car if move is not None and move.finished else 0
        taken: dict[str, int] = {}
        for car in self.race.cars:
            if car.at is None or not car.standing:
                continue
            if not track.has_place(car.at):
                yield BadSetup(
                    "no_space", where=f"Car {car.number}", track=track.name, at=car.at, form=track.place_form
                )
            elif (
                track.known == "space"
                and car.at in taken
                and home not in (car.number, taken[car.at])
                and not self.book.pits.holds_many(car.at)
            ):
                yield BadSetup("cars_on_space", one=taken[car.at], two=car.number, at=car.at)
            taken[car.at] = car.number
        for space in self.race.dangers:
            if not track.has_place(space):
                yield BadSetup("no_danger_space", track=track.name, at=space, form=track.place_form)

    def status_faults(self, car: C) -> Iterator[BadSetup]:
        """Yield the faults of a car's status against its place and the lists [16-0-3, 16-0-6, 19, 21-1-1].

        A coasting car has a gear to coast in.
        """
        race = self.race
        if car.standing and car.at is None:
            yield BadSetup("status_nowhere", car=car.number, status=car.status)
        if (car.coast > 0) != (car.status == "coasting") or (car.coast < 0 and car.status != "spun"):
            yield BadSetup("only_coasting", car=car.number, status=car.status)
        if car.gear > (highest := self.book.gears.highest()):
            yield BadSetup("gear_highest", car=car.number, gear=car.gear, highest=highest)
        where = (car.at or "").partition(":")[0]
        unfit = (car.status == "pit") != (where == "pit") or (car.status == "box") != (where == "box")
        if unfit and car.alive and not car.coast:
            yield BadSetup("status_place", car=car.number, status=car.status, at=car.at)
        if (car.number in race.home) != (car.status == "finished") or (car.number in race.gone) != (car.status in GONE):
            yield BadSetup("status_home", car=car.number, status=car.status)
        if not self.stops_are_of_the_begin(car):
            yield from self.stops_faults(car)

    def stops_faults(self, car: C) -> Iterator[BadSetup]:
        """Yield the faults of a car's stops: they count in the corner that it stands in, up to its number.

        A straight asks for none [7-1-1, 7-2-2].
        """
        corner = self.book.corners.corner_of(car.at) if car.alive else -1
        if corner < 0 and car.stops and car.alive:
            yield BadSetup("stops_nowhere", car=car.number)
        elif corner >= 0 and car.stops > (most := self.track.corners[corner].stops):
            number = self.track.corners[corner].number
            yield BadSetup("stops_most", car=car.number, number=number, most=most, stops=car.stops)

    def stops_are_of_the_begin(self, car: C) -> bool:
        """Return True if a moving car still has the stops of the corner in which its turn began.

        Those of the corner that it has come to are counted at the end of the move [6-2-1, ruling 28].
        """
        move = self.race.move
        if move is None or move.car != car.number or car.stops != move.made:
            return False
        return self.book.corners.corner_of(move.begin) != self.book.corners.corner_of(car.at)

    def lap_faults(self, car: C) -> Iterator[BadSetup]:
        """Yield the faults of a car's lap, of the age of its set, and of its time in the pit lane.

        A lap is one of the race's, and a car is home that has driven them all; a set is no older than the laps
        completed; the pit lane is open from the end of the first lap to the beginning of the last [0-0-1, 8-0-2,
        19-1-7, 21-1-1, rulings 33, 88].
        """
        race, lap = self.race, car.lap
        if car.status == "finished":
            fewest, most = self.fewest_laps_home(), race.laps + 1
            if not fewest <= lap <= most:
                yield BadSetup("lap_home", car=car.number, lap=lap, laps=race.laps, most=most)
        elif lap > (most := self.most_laps(car)):
            kind = "lap_most.home" if car.alive and lap == race.laps + 1 else "lap_most"
            yield BadSetup(kind, car=car.number, lap=lap, laps=race.laps, most=most)
        if car.tyre_laps > (oldest := car.laps_done(lap)):
            yield BadSetup("tyres_old", car=car.number, age=car.tyre_laps, lap=lap, oldest=oldest)
        if car.alive and (car.at or "").startswith(("pit:", "box:")):
            first = self.book.pits.first_lap(car.at)
            last = race.laps - 2 + first
            if last < first:
                yield BadSetup("pits_closed", car=car.number, laps=race.laps)
            elif not first <= lap <= last:
                several = last > first
                yield BadSetup(
                    "lap_in_pits", car=car.number, space=car.at, lap=lap, first=first, last=last, several=several
                )

    def fewest_laps_home(self) -> int:
        """Return the least lap of a car that is home: the one after the last [21-1-1, ruling 100].

        It may be less if the flag waves all others home at their next crossing.
        """
        return 1 if self.book.finish.flag_ends_race() else self.race.laps + 1

    def most_laps(self, car: C) -> int:
        """Return the last lap in which a car can be that is not home [21-1-1, 21-1-5].

        It is one more for a car on its way over the line.
        """
        move = self.race.move
        return self.race.laps + (move is not None and move.car == car.number and move.finished)

    def points_faults(self, car: C) -> Iterator[BadSetup]:
        """Yield the faults of a car's points against its build, and of its stand.

        A part holds no more points than the car was built with, and the car and its stand no more than the table gives
        them [5-0-2, 5-3, 19-2-3, ruling 87].
        """
        for pool, points in car.wear.items():
            if points > (built := car.built.get(pool, points)):
                yield BadSetup("built_less", car=car.number, built=built, pool=pool, points=points)
        most = self.book.preparing.stand_limit(car)
        if car.stand > most:
            yield BadSetup("stand_range", car=car.number, most=most, points=car.stand)
        elif car.built:
            yield from self.built_faults(car)

    def tyre_faults(self, car: C) -> Iterator[BadSetup]:
        """Yield a fault of a car whose tyres are of no kind that there is [8-0-1]."""
        kinds = self.book.pits.compounds()
        if car.tyres and car.tyres not in kinds:
            yield BadSetup("car_tyres_kind", car=car.number, tyres=car.tyres, kinds=", ".join(kinds))

    def wing_faults(self, car: C) -> Iterator[BadSetup]:
        """Yield a fault of a car with wings; not where a variant has them."""
        if car.wings:
            yield BadSetup("no_wings", car=car.number, wings=car.wings)

    def allowances(self, car: C) -> Mapping[str, tuple[int, int]]:
        """Return how often a car may use each allowance of this race, in a lap and in all; only variants give any."""
        return {}

    def allowance_faults(self, car: C) -> Iterator[BadSetup]:
        """Yield the faults of the allowances that a car has used: one of this race, and no more often than it may."""
        known = self.allowances(car)
        for use, count in car.allowances.items():
            name, _, lap = use.partition(":")
            if name not in known or not (lap.isdecimal() and lap == str(int(lap)) != "0"):
                listed = ", ".join(f"{one}:1" for one in known)
                yield BadSetup("use_form", car=car.number, use=use, listed=listed)
            elif count > (most := known[name][0]):
                yield BadSetup("use_in_lap", car=car.number, use=use, count=count, most=most)
        for name, (_, most) in known.items():
            if (count := car.times_used(name)) > most:
                yield BadSetup("use_most", car=car.number, use=name, count=count, most=most)
        if car.bought and "boosters" not in known:
            yield BadSetup("no_boosters", car=car.number)

    def built_faults(self, car: C) -> Iterator[BadSetup]:
        """Yield the faults of a car's build: it has the points that the rules give it, with its stand's.

        [5-0-2, 5-3]
        """
        for pool, points in car.built.items():
            limit = self.book.preparing.most_in(pool)
            if limit is not None and points > limit:
                yield BadSetup("built_range", car=car.number, most=limit, pool=pool, points=points)
        most, total = self.book.preparing.build_limit(car), sum(car.built.values())
        if most is not None and total + car.stand > most:
            yield BadSetup("built_most", car=car.number, total=total, stand=car.stand, most=most)

    def weather_faults(self) -> Iterator[BadSetup]:
        """Yield the faults of the weather: the sun dries the track and rain wets it [3-2-2, 3-2-3, 3-2-6].

        Under a changeable sky it is as it was.
        """
        race = self.race
        surface = UNDER.get(race.sky)
        if surface and race.surface and race.surface != surface:
            yield BadSetup("sky_surface", sky=race.sky, right=surface, wrong=race.surface)

    def build_faults(self, car: C) -> Iterator[BadSetup]:
        """Yield what a built car lacks at the start to race [5-1-1, 5-2].

        Where drivers build their cars every part has a point or more.
        """
        if "pool_minimum" not in self.figures.without:
            for lacking in self.book.preparing.lacking(car.wear):
                yield BadSetup("car_fault", car=car.number, wrong=lacking)
        yield from self.wear_faults(car)

    def wear_faults(self, car: C) -> Iterator[BadSetup]:
        """Yield the faults of a racing car's parts: body, engine and handling have a point left.

        Only a broken engine coasts [5-1-1, 16-0-3, 16-0-6].
        """
        if not car.alive:
            return
        broken = car.coast != 0
        for part in VITAL:
            if not self.book.wear.works(car, part) and not (part == "engine" and broken):
                yield self.none_left(car, part)
        if broken and self.book.wear.works(car, "engine"):
            yield BadSetup("coasting_engine", car=car.number)

    def none_left(self, car: C, part: Pool) -> BadSetup:
        """Return the fault that a part of a car has no point left, though the car is in the race.

        [5-1-1]
        """
        pool = self.book.pool_of.get(part, part)
        return BadSetup("last_point", car=car.number, pool=pool)

    def list_faults(self) -> Iterator[BadSetup]:
        """Yield the faults of the lists: they name cars of the race, and called ones stand on the board.

        A race that is over has nobody in it any more.
        """
        race = self.race
        for name in ("due", "home", "gone", "at_line", "called", "played"):
            listed = getattr(race, name)
            if not set(listed) <= set(self.book.places) or (name != "due" and len(set(listed)) < len(listed)):
                yield BadSetup("cars_listed", name=name, listed=str(listed))
        if race.phase == "over" and not self.ended and any(car.alive for car in race.cars):
            yield BadSetup("still_in_race")

    @property
    def ended(self) -> bool:
        """True if the race is over although a car is still in it [ruling 104]."""
        return bool(self.race.cut_short)

    def follow(self, before: R) -> None:
        """Apply what follows, by the rules, from values that were set on a race that stood as `before`."""
        race = self.race
        if race.phase == "setup":
            return
        for old, car in zip(before.cars, race.cars, strict=True):
            if car.alive and old.wear != car.wear:
                self.parts_changed(car, old)
        if race.phase == "over" and not self.ended and any(car.alive for car in race.cars):
            race.phase = "race"

    def parts_changed(self, car: C, old: C) -> None:
        """End the race of a car without a point of body, engine or handling, also if the referee crossed it off.

        An engine that has a point again does not coast any more [5-1-1, 14-2, 16-0-3, 17-0-3].
        """
        gone = [part for part in VITAL if not self.book.wear.works(car, part)]
        if "body" in gone:
            self.book.wear.body_gone(car)
        elif "handling" in gone:
            self.book.wear.eliminate(car, "handling", "17-0-3", removed=True)
        elif "engine" in gone and not car.coast:
            self.book.wear.engine_gone(car)
        if self.book.wear.works(car, "engine") and not old.wear.get(self.book.pool_of.get("engine", "engine")):
            car.coast = 0
            car.status = "racing" if car.status == "coasting" else car.status
