"""What is settled before the race: boxes, cars, tyres and the grid. Articles 2, 4 and 5."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from companion.rules.conversation.asking import Json, JsonValue, Moot, Option, Proc, ask
from companion.rules.conversation.errors import BadAnswer, BadSetup
from companion.rules.conversation.forms import Choice, Form, whole
from companion.rules.conversation.kinds import Pools, by_name
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C


class Preparing(DiceChapter[C, R, F]):
    """From the setup to the grid."""

    # -- what a setup says

    def check(self, setup: Mapping[str, Json]) -> None:
        """What these rules ask of a setup beyond what every race needs; raises BadSetup."""

    def take_build(self, car: C, raw: Mapping[str, Json]) -> None:
        """A car that the setup brings built; raises BadSetup for one that could not be built so."""
        try:
            points, car.stand = self.read_build(by_name(car.wear) | ({"stand": car.stand} if "stand" in raw else {}))
        except BadAnswer as wrong:
            raise BadSetup(f"Car {car.number}: {wrong}") from None
        car.wear, car.built = dict(points), dict(points)

    def complete(self, car: C) -> None:
        """In a position what is left out of a car has its value at the start of a race, hard tyres among them; the
        engine of a coasting car has broken [8-0-1, 16-0-3]."""
        usual, pools = self.usual_build(), self.race.pools
        if car.coast or car.status == "coasting":
            car.wear = {"engine": 0, **car.wear}
        car.wear = {pool: car.wear.get(pool, car.built.get(pool, usual[pool])) for pool in pools}
        car.built = {pool: car.built.get(pool, car.wear[pool]) for pool in pools}
        car.tyres = car.tyres or "hard"

    def usual_stand(self, car: C) -> int:
        """What a stand keeps at the start of a race: the points of the most a car and its stand have that the car was
        not built with, as many as a stand may keep [5-0-2, 5-3]."""
        figures = self.figures
        if "stand_points" in figures.without:
            return 0
        rest = figures.car_points + figures.stand_points - sum(car.built.values())
        return min(max(rest, 0), figures.stand_points)

    def usual_build(self) -> Pools:
        """The points of a car that nobody has built otherwise [5-0-2]."""
        return self.spread((6, 3, 3, 3, 3, 2))

    def spread(self, shares: tuple[int, ...]) -> Pools:
        """Shares of the pools, in their order; what the figures give more or less than these goes to the tyres, or off
        the fullest pools so that none is below the minimum [5-0-2, 5-2]."""
        least = self.figures.pool_minimum
        points = {pool: max(share, least) for pool, share in zip(self.race.pools, shares, strict=True)}
        points["tyres"] += self.figures.car_points - sum(points.values())
        while points["tyres"] < least:
            points[max(points, key=points.__getitem__)] -= 1
            points["tyres"] += 1
        return points

    # -- before the race

    def prepare(self) -> Proc[None]:
        """What is still open before the start: the weather, boxes in grid order, cars and tyres; one at a time, the
        weather before all that depends on it [2-0-1, 3-0-1, 4-0-1, ruling 103]."""
        race = self.race
        pole = self.grid_order()[0]
        self.book.remind("setup")
        if not race.sky or not race.surface:
            weather = self.book.weather
            with suppress(Moot):  # the referee has said what it is
                yield from weather.surface_from_practice(pole) if race.sky else weather.draw_weather(pole)
        elif (car := self.without_box()) is not None:
            yield from self.choose_box(car)
        elif (car := next((car for car in race.cars if not car.wear), None)) is not None:
            yield from self.build(car)
        elif (car := next((car for car in race.cars if not car.tyres), None)) is not None:
            car.tyres = yield from ask(self.book.pits.tyres_question, car)
            self.rule("tyres", "8-0-1", car, tyres=car.tyres)
        else:
            self.form_up()

    def without_box(self) -> C | None:
        """The next driver to choose a box: pole first, down the grid [4-0-1]."""
        if not self.track.box_count:
            return None
        return next((car for car in self.grid_order() if not car.box), None)

    def free_boxes(self, car: C) -> list[int]:
        """One box a driver; with more cars than boxes a team shares, else they are shared in grid order again
        [4-0-1, 4-0-2, ruling 90]."""
        boxes = range(1, self.track.box_count + 1)
        taken = [other.box for other in self.race.cars]
        fewest = min(taken.count(box) for box in boxes)
        free = [box for box in boxes if taken.count(box) == fewest]
        if fewest and (own := [other.box for other in self.race.cars if other.team == car.team and other.box]):
            free = own if car.team else free
        return free

    def box_question(self, car: C) -> Choice[int]:
        """Which of the boxes that are still free [4-0-1]."""
        choices = [(Option(box), box) for box in self.free_boxes(car)]
        return Choice("box", car.number, self.article("4-0-1"), choices, wanted="The boxes still free are")

    def allot_boxes(self) -> None:
        """Where nobody chooses, the box in which a car stands, or on a corner sheet that of the lane, is its own; the
        others have the first that are free, pole first, down the grid [4-0-1, 4-0-2, 19-2-5, rulings 81, 90]."""
        if self.without_box() is None:
            return
        for car in self.race.cars:
            where, _, number = (car.at or "").partition(":")
            if not car.box and (where == "box" or (where == "pit" and self.track.known == "corner")):
                car.box = int(number)
        for car in self.grid_order():
            car.box = car.box or self.free_boxes(car)[0]

    def choose_box(self, car: C) -> Proc[None]:
        """A driver writes his name on a box [4-0-1, 4-0-2]."""
        car.box = yield from ask(self.box_question, car)
        self.rule("box", "4-0-1", car, box=car.box)

    def build(self, car: C) -> Proc[None]:
        """A driver spreads his wear points over the six parts of the car, and keeps up to two at his stand
        [5-0-1, 5-0-2, 5-2, 5-3]."""
        points, car.stand = yield from ask(self.build_question, car)
        car.wear, car.built = dict(points), dict(points)
        self.rule("build", "5-0-2", car, built=dict(points), stand=car.stand)

    def build_question(self, car: C) -> Form[tuple[Pools, int]]:
        """How the points are spread; three sound cars are offered [5-0-2, 5-3]."""
        figures = self.figures
        fields: dict[str, Json] = {
            pool: [figures.pool_minimum, figures.car_points + figures.stand_points] for pool in self.race.pools
        }
        fields["stand"] = [0, figures.stand_points]
        fields["points"] = [figures.car_points, figures.stand_points]
        return Form("setup", car.number, self.article("5-0-2"), fields, self.read_build, self.offered_builds())

    def offered_builds(self) -> list[Option]:
        """Sound ways to spread the points: even, for the corners, for the straights."""
        found = [self.usual_build()]
        for shares in ((9, 3, 2, 2, 2, 2), (5, 4, 3, 2, 4, 2)):
            if (points := self.spread(shares)) not in found:
                found.append(points)
        return [Option({**points, "stand": self.figures.stand_points}) for points in found]

    def read_build(self, answer: JsonValue) -> tuple[Pools, int]:
        """Checks a car, and gives its points and those of the stand: at least one point a part, twenty in all, the two
        of the stand on the car or at the stand [5-0-2, 5-2, 5-3, ruling 102]."""
        figures = self.figures
        if not isinstance(answer, dict):
            raise BadAnswer('A car is written by pool, such as {"tyres": 6, "brakes": 3, ...}.')
        unknown = [name for name in answer if name != "stand" and name not in self.race.pools]
        missing = [pool for pool in self.race.pools if pool not in answer]
        if unknown or missing:
            pools = ", ".join(self.race.pools)
            wrong = [f"{name}: {', '.join(one)}" for name, one in (("unknown", unknown), ("missing", missing)) if one]
            raise BadAnswer(f"A car has {pools} and stand; {'; '.join(wrong)}.")
        points = {pool: whole(answer[pool]) for pool in self.race.pools}
        if lacking := self.lacking(points):
            raise BadAnswer(lacking[0])
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
        return points, stand

    def lacking(self, points: Pools) -> list[str]:
        """What a car lacks before the start, a sentence for each part that has not at least one point [5-2]."""
        least = self.figures.pool_minimum
        few = [(pool, count) for pool, count in points.items() if count < least]
        return [f"Every part needs {least} or more; {pool} has {count}." for pool, count in few]

    def form_up(self) -> None:
        """The cars stand on the grid, pole first; the race begins [2-0-3, ruling 8]."""
        race = self.race
        race.phase = "race"
        for place, car in enumerate(self.grid_order()):
            if car.at is None:
                car.at = self.grid_place(place)
                car.fresh = True
            car.arrived = place + 1
            self.rule("grid", "2-0-3", car, place=place + 1, at=car.at)
        race.turn = len(race.cars)
        self.book.remind("start")

    def grid_order(self) -> list[C]:
        """The cars from pole on: as the setup has them, where the rulebook asks for nothing else."""
        return self.race.cars

    def grid_place(self, place: int) -> str:
        """The space of a grid slot, counted from 0 for pole."""
        if self.track.known == "corner":
            return f"after:{len(self.track.corners)}"
        return self.track.spaces[self.track.grid[place]].name
