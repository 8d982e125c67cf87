"""The order of play, and of the finish: who is ahead, who plays, who is home. Articles 6-2-2 to 6-2-5, 19-5, 21."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, NamedTuple, Protocol

from companion.rules.circuit.track import Space
from companion.rules.conversation.asking import Json, Procedure
from companion.rules.conversation.kinds import share_of
from companion.rules.dice.chapter import Book, C_contra, DiceChapter, F, R, Stretches
from companion.rules.dice.state import C
from companion.rules.dice.weather import Weather

UNIT: Final = 1000
"""A half space in the finer measure that leaves room between two of them for the cars in the pit lane."""

STRETCH: Final = 1_000_000
"""A corner, or a straight between two, on a corner sheet: room for the cars in it one after another."""


class Progress(Stretches, Protocol[C_contra]):
    """The way of cars around a corner sheet."""

    def stands_still(self, car: C_contra) -> None: ...
    def went_by(self, car: C_contra, other: C_contra, before: int, now: int) -> bool: ...


class TurningRound(Protocol[C_contra]):
    """The end of a spin."""

    def turn_round(self, car: C_contra) -> None: ...


class OrderBook(Book[C, R, F], Protocol[C, R, F]):
    """The book as order and finish see it."""

    @property
    def order(self) -> Order[C, R, F]: ...
    @property
    def finish(self) -> Finish[C, R, F]: ...
    @property
    def weather(self) -> Weather[C, R, F]: ...
    @property
    def sheet(self) -> Progress[C]: ...
    @property
    def starts(self) -> TurningRound[C]: ...


class Order(DiceChapter[C, R, F]):
    """The order in which cars play a round."""

    book: OrderBook[C, R, F]

    # -- where a car is

    @cached_property
    def lap_length(self) -> int:
        """The lap in the order's measure."""
        if self.track.known == "corner":
            return (2 * len(self.track.corners) + 1) * STRETCH
        return self.track.length * UNIT

    def along(self, car: C) -> int:
        """Return how far along the lap a car is, from the line."""
        within = STRETCH - 1 - car.arrived if self.track.known == "corner" else 0
        return self.along_at(car.at or "") + within

    def along_at(self, place: str) -> int:
        """Return how far along the lap a place is, from the line; on a corner sheet its stretch."""
        if self.track.known == "corner":
            return self.book.sheet.stretch(place) * STRETCH
        return self.track.place[self.track.ids[place]] * UNIT

    def progress(self, car: C) -> int:
        """Return how far a car has come in the race, in laps, then place; below 0 on the grid."""
        return (car.lap - 1) * self.lap_length + self.along(car)

    def behind(self, car: C, other: C) -> int | None:
        """Return how many spaces a car is behind another on the road, a half one counted as a whole.

        None where nobody has counted them or one of them is not on the board.
        """
        if self.track.known == "corner" or car.at is None or other.at is None:
            return None
        return -((self.progress(car) - self.progress(other)) // (2 * UNIT))

    def standing(self, car: C) -> int:
        """Return how far a car has come for the order of play [6-2-4, 19-5-1, 19-5-2.1, 19-5-2.3, 19-5-5].

        Around the pits that is not the order on the road: there their own rule stands above the general one.
        """
        driven = self.progress(car)
        pit = self.track.pit
        if pit is None:
            return driven
        if car.in_pits:
            return self.behind_the_limit(car, driven)
        over = (driven - pit.limit * UNIT) % self.lap_length
        if over <= 4 * UNIT and self.before_the_limit(car):
            return driven - over - UNIT + 1 + over // UNIT
        return driven

    def behind_the_limit(self, car: C, driven: int) -> int:
        """Return how far a car in the lane or a box has come for the order of play.

        It is behind those past the pit limit and before those that are not, by place, the lane before a box when level
        [19-5-2.2, 19-5-2, 19-5-4].
        """
        pit = self.track.pit
        assert pit is not None
        name = car.at or ""
        number = int(name.partition(":")[2])
        rank = 2 * number + 1 if name.startswith("pit:") else 2 * pit.spaces.index(pit.fronts[number - 1]) + 2
        order = pit.limit * UNIT - UNIT // 2 + rank
        return driven - (driven - order) % self.lap_length

    def before_the_limit(self, car: C) -> bool:
        """Return True if a car on the track plays after level ones in the lane; only in some rulebooks."""
        return False

    # -- level cars

    def level_order(self, car: C) -> tuple[int, ...]:
        """Return the rank of a car among level ones: the higher gear plays first, then the one nearer the inside.

        The inside is that of the corner that it is in or comes to; a stalled car comes after the others [6-2-3, 9-1-3,
        10-4-7].
        """
        return (car.status == "stalled" and not car.turned, -car.gear, self.from_inside(car), car.arrived)

    def from_inside(self, car: C) -> int:
        """Return how many lanes a car is from the inside of the corner that it is in or comes to.

        0 in the pits, and where nobody knows the lanes.
        """
        if self.track.known == "corner" or car.at is None or not self.track.corners:
            return 0
        lanes = self._from_inside.get(car.at)
        if lanes is None:
            lanes = self._from_inside[car.at] = self._lanes_from_inside(self.track.spaces[self.track.ids[car.at]])
        return lanes

    def _lanes_from_inside(self, space: Space) -> int:
        if space.lane < 0:
            return 0
        track = self.track
        count = len(track.sections)
        sections = (track.sections[(space.section + ahead) % count] for ahead in range(count))
        inside = next(section.corner.inside for section in sections if section.corner is not None)
        return abs(space.lane - inside)

    @cached_property
    def _from_inside(self) -> dict[str, int]:
        """The lanes from the inside of each space, as far as they were asked for."""
        return {}

    def running_order(self) -> list[int]:
        """Return the cars in running order, leader first: those home, then those racing, then the others.

        [6-2-2]
        """
        race = self.race
        racing = [car for car in race.cars if car.alive and car.at is not None]
        racing.sort(key=self.race_order)
        return [*race.home, *(car.number for car in racing), *reversed(race.gone)]

    # -- the round

    def leader(self) -> C | None:
        """Return the racing car that has come furthest, or None [0-0-2].

        A finished or retired leader hands on to the next.
        """
        racing = (car for car in self.race.cars if car.alive and car.at is not None)
        return min(racing, key=self.race_order, default=None)

    def race_order(self, car: C) -> tuple[int, tuple[int, ...]]:
        """Return the rank of a car: the furthest first, level ones by their own rule."""
        return (-self.standing(car), self.level_order(car))

    def leads(self, car: C, other: C) -> bool:
        """Return True if a car comes before another in that order."""
        gap = self.standing(car) - self.standing(other)
        return gap > 0 or (gap == 0 and self.level_order(car) < self.level_order(other))

    def next_to_play(self) -> C | None:
        """Return the car whose turn it is, or None at the end of a round [6-2-2].

        The leader begins a round, then comes the next in turn of those still waiting.
        """
        race = self.race
        if race.sweep is None:
            return self.leader()
        if (called := self.called()) is not None:
            return called
        return min(self.waiting(), key=self.turn_order, default=None)

    def waiting(self) -> list[C]:
        """Return the cars that have not had their turn this round."""
        played = self.race.played
        return [car for car in self.race.cars if car.number not in played and car.standing and car.at is not None]

    def turn_order(self, car: C) -> tuple[int, tuple[int, ...]]:
        """Return the rank of a car in a round, which is race order."""
        return self.race_order(car)

    def called(self) -> C | None:
        """Return the next car that may play, of those that the referee has put in an order of his own.

        [ruling 4]
        """
        waiting = {car.number: car for car in self.waiting()} if self.race.called else {}
        return next((waiting[number] for number in self.race.called if number in waiting), None)

    def has_played(self, car: C, before: int, rank: tuple[int, ...]) -> None:
        """Note that a car has had its turn, which began at `before` (see `driven`) with that rank among level cars."""
        race = self.race
        self.book.sheet.stands_still(car)
        if car.number in race.called:
            race.called.remove(car.number)
        if car.number not in race.played:
            race.played.append(car.number)

    def passed(self, car: C, other: C, before: int, now: int, rank: tuple[int, ...]) -> bool:
        """Return True if a car went by another on the loop between two distances.

        Level with it before or after, it counts by who would play first.
        """
        if self.track.known == "corner":
            return self.book.sheet.went_by(car, other, before, now)
        gap = (self.along(other) - before) % self.lap_length
        ahead = now - before - gap
        if ahead < 0 or (gap == 0 and rank < self.level_order(other)):
            return False
        return ahead > 0 or self.level_order(car) < self.level_order(other)

    # -- collisions

    def in_running_order(self, cars: Iterable[C]) -> list[C]:
        """Return the cars by their place in the race, the one that plays first before the others."""
        return sorted(cars, key=self.race_order)

    # -- as text

    def to_play(self) -> list[int]:
        """Return the cars that still play this round, in order; the one whose turn it is comes first."""
        race = self.race
        if race.sweep is None:
            return self.running_order()
        numbers = [car.number for car in sorted(self.waiting(), key=self.turn_order)]
        first = [number for number in race.called if number in numbers]
        if race.move is not None and race.move.car in numbers:
            first = [race.move.car, *(number for number in first if number != race.move.car)]
        return [*first, *(number for number in numbers if number not in first)]

    def call(self, to_play: list[int]) -> None:
        """Let the cars that still play do so in the order in which a position lists them.

        As many of them are called as it takes for the others to follow by the rules [6-2-2, ruling 4].
        """
        race = self.race
        race.called = [number for number in race.called if number in to_play]
        if self.to_play() == to_play:
            return
        race.called = []
        usual = self.to_play()
        for count in range(len(to_play)):
            if to_play[count:] == [number for number in usual if number not in to_play[:count]]:
                race.called = to_play[:count]
                return

    # -- a turn

    def begin_round(self, leader: C) -> None:
        """Begin a round with the leader's turn [0-0-2]."""
        race = self.race
        race.round += 1
        race.sweep = self.standing(leader) % self.lap_length
        self.rule("round", "0-0-2", self.told_to_lead(leader), round=race.round)

    def told_to_lead(self, first: C) -> C:
        """Return the car shown as leader of a round that begins with the turn of `first`."""
        return first

    # -- the end of a round, a car's race, the race

    def end_of_round(self) -> Procedure[None]:
        """Draw the weather again if it must be, and put spun cars straight [3-2-5, 10-4-1]."""
        race = self.race
        yield from self.book.weather.draw_again()
        for car in race.cars:
            if car.status == "spun":
                self.book.starts.turn_round(car)
        race.sweep = None
        race.played.clear()
        race.called.clear()


class Finish(DiceChapter[C, R, F]):
    """The end of the race: the cars that are home, and how far the others have come."""

    book: OrderBook[C, R, F]

    def flag_ends_race(self) -> bool:
        """Return True if the first car home ends the race of all others at their next crossing.

        [ruling 100]
        """
        return self.figures.flag_next_crossing

    def last_lap(self, car: C) -> bool:
        """Return True if the car's next crossing of the line ends its race [2-0-3, 0-0-1]."""
        if self.flag_ends_race() and self.race.home:
            return True
        return car.lap >= self.race.laps

    def finish(self, car: C) -> None:
        """Bring a car home that crosses the line after the last lap, in the order of crossing.

        Any part of the car over it is enough [21-1-1, 21-1-2, 21-1-4, 21-1-5].
        """
        car.status, car.coast, car.stops = "finished", 0, 0
        self.race.home.append(car.number)
        self.rule("finish", "21-1-1" if len(self.race.home) == 1 else "21-1-4", car, place=len(self.race.home))

    def short_of_line(self, car: C) -> None:
        """Put a car that is out in the very move that would have brought it home on the line.

        It is not beyond the line, but further than all that have not reached it [21-1-2, ruling 101].
        """
        car.lap -= 1
        self.race.at_line.append(car.number)
        if self.track.known == "corner":
            car.at = f"after:{len(self.track.corners)}"
            return
        car.at = self.track.spaces[self.track.behind[self.track.ids[car.at or ""]]].name

    def reached(self, car: C) -> int:
        """Return how far a car came that is not home [21-1-2, ruling 101].

        One that went out as it crossed the line came as far as the line.
        """
        if car.number in self.race.at_line:
            return car.lap * self.book.order.lap_length
        return self.book.order.progress(car)

    def close(self) -> Procedure[None]:
        """End the race: every driver is home or out, or the referee ends it [21-1-3, ruling 104]."""
        self.race.phase = "over"
        self.book.remind("finish")
        self.rule("result", "21-1-3", None, order=[car.number for car in self.classification()])
        yield from ()

    def classification(self) -> list[C]:
        """Return the classified cars: those home as they crossed, those still in the race, then those out.

        In a race that was ended, those still in it come as they run; those out by distance, the later retirement first.
        Where these have places, those still in the race stand among them by how far they came [21-1-1, 21-1-4, rulings
        101, 104].
        """
        running = [self.car(number) for number in self.book.order.running_order()]
        gone = sorted((car for car in running if car.lost), key=self.distance, reverse=True)
        if not self.places_retired():
            return [*(car for car in running if not car.lost), *gone]
        rest = [*(car for car in running if car.alive and not self.is_home(car)), *gone]
        return [*(car for car in running if self.is_home(car)), *sorted(rest, key=self.distance, reverse=True)]

    @classmethod
    def places_retired(cls) -> bool:
        """Return True if those out have places, by how far they came; only in some rulebooks [ruling 101]."""
        return False

    def is_home(self, car: C) -> bool:
        """Return True if a car has its place by crossing the line [21-1-1, 21-1-4]."""
        return car.status == "finished"

    def distance(self, car: C) -> int:
        """Return how far a car came for the classification: 0 if it is nowhere on the board [ruling 101]."""
        if car.at is None:
            return 0
        return self.book.order.standing(car) if car.alive else self.reached(car)

    def result(self) -> list[dict[str, Json]]:
        """Return the classification: place, car, laps completed, status, cause and points.

        A car that is still in a race that was ended has a place [21-1-2, rulings 101, 104].
        """
        rows = []
        ended = bool(self.race.cut_short)
        for place, car in enumerate(self.classification(), 1):
            placed = car.status == "finished" or self.places_retired() or (ended and car.alive)
            scale = self.figures.points
            points = share_of(scale[place - 1], self.race.cut_short) if placed and place <= len(scale) else 0
            row: dict[str, Json] = {
                "place": place if placed else None,
                "car": car.number,
                "laps": max(0, car.lap - 1),
                "status": car.status,
                "points": points,
            }
            if self.race.cut_short in ("half", "none"):
                row["share"] = self.race.cut_short
            if car.cause:
                row["cause"] = car.cause
            rows.append(row)
        return rows


class TeamPlace(NamedTuple):
    """A team in a classification: its place, its points, and its cars, the better placed first."""

    place: int
    team: str
    points: int
    cars: tuple[int, ...]


def teams_of(result: Iterable[Mapping[str, Json]]) -> list[TeamPlace]:
    """Return the teams of a classification from the first to the last; none where a race is not for teams."""
    cars: dict[tuple[int, str, int], list[int]] = {}
    for row in result:
        if "team_place" in row:
            cars.setdefault((row["team_place"], row["team"], row["team_points"]), []).append(row["car"])
    return sorted(TeamPlace(*team, tuple(numbers)) for team, numbers in cars.items())
