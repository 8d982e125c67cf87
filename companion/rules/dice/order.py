"""Who plays next: order on the track, level cars, lapped cars, cars around the pits. Articles 6-2-2 to 6-2-5, 19-5."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from companion.rules.circuit.track import Space
from companion.rules.conversation.asking import Proc
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C

UNIT: Final = 1000
"""A half space in the finer measure that leaves room between two of them for the cars in the pit lane."""

STRETCH: Final = 1_000_000
"""A corner, or a straight between two, on a corner sheet: room for the cars in it one after another."""


class Order(DiceChapter[C, R, F]):
    """The order in which cars play a round."""

    # -- where a car is

    @cached_property
    def lap_length(self) -> int:
        """The lap in the order's measure."""
        if self.track.known == "corner":
            return (2 * len(self.track.corners) + 1) * STRETCH
        return self.track.length * UNIT

    def along(self, car: C) -> int:
        """How far along the lap a car is, from the line."""
        if self.track.known == "corner":
            return self.book.sheet.stretch(car.at) * STRETCH + STRETCH - 1 - car.arrived
        return self.track.place[self.track.ids[car.at or ""]] * UNIT

    def driven(self, car: C) -> int:
        """How far a car has come in the race: laps, then place. Below 0 on the grid."""
        return (car.lap - 1) * self.lap_length + self.along(car)

    def behind(self, car: C, other: C) -> int | None:
        """How many spaces a car is behind another on the road, a half one counted as a whole; None where nobody has
        counted them or one of them is not on the board."""
        if self.track.known == "corner" or car.at is None or other.at is None:
            return None
        return -((self.driven(car) - self.driven(other)) // (2 * UNIT))

    def standing(self, car: C) -> int:
        """How far a car has come for the order of play, which around the pits is not the order on the road: there
        their own rule stands above the general one [6-2-4, 19-5-1, 19-5-2.1, 19-5-2.3, 19-5-5]."""
        driven = self.driven(car)
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
        """Cars in the lane and the boxes play after those past the pit limit, by place, the lane before a box when
        level, and before those that are not past it [19-5-2.2, 19-5-2, 19-5-4]."""
        pit = self.track.pit
        assert pit is not None
        name = car.at or ""
        number = int(name.partition(":")[2])
        rank = 2 * number + 1 if name.startswith("pit:") else 2 * pit.spaces.index(pit.fronts[number - 1]) + 2
        order = pit.limit * UNIT - UNIT // 2 + rank
        return driven - (driven - order) % self.lap_length

    def before_the_limit(self, car: C) -> bool:
        """Whether a car on the track plays after those in the lane that it is level with; not in every rulebook."""
        return False

    # -- level cars

    def level_order(self, car: C) -> tuple[int, ...]:
        """Among level cars the higher gear plays first, then the one nearer the inside of the corner that it is in or
        comes to; a stalled car after the others [6-2-3, 9-1-3, 10-4-7]."""
        return (car.status == "stalled" and not car.turned, -car.gear, self.from_inside(car), car.arrived)

    def from_inside(self, car: C) -> int:
        """How many lanes a car is from the inside of the corner that it is in or comes to; 0 in the pits, and where
        nobody knows the lanes."""
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
        """How far each space that was asked of is from the inside."""
        return {}

    def running_order(self) -> list[int]:
        """The cars in running order, leader first: those home, then those racing, then the others [6-2-2]."""
        race = self.race
        racing = [car for car in race.cars if car.alive and car.at is not None]
        racing.sort(key=self.race_order)
        return [*race.home, *(car.number for car in racing), *reversed(race.gone)]

    # -- the round

    def leader(self) -> C | None:
        """The racing car that has come furthest; a finished or retired leader hands on to the next [0-0-2]."""
        racing = (car for car in self.race.cars if car.alive and car.at is not None)
        return min(racing, key=self.race_order, default=None)

    def race_order(self, car: C) -> tuple[int, tuple[int, ...]]:
        """The furthest car first, level ones by their own rule."""
        return (-self.standing(car), self.level_order(car))

    def leads(self, car: C, other: C) -> bool:
        """Whether a car comes before another in that order."""
        gap = self.standing(car) - self.standing(other)
        return gap > 0 or (gap == 0 and self.level_order(car) < self.level_order(other))

    def next_to_play(self) -> C | None:
        """Whose turn it is: the leader's when a round begins, then of those still waiting the next in turn; None at its
        end [6-2-2]."""
        race = self.race
        if race.sweep is None:
            return self.leader()
        if (called := self.called()) is not None:
            return called
        return min(self.waiting(), key=self.turn_order, default=None)

    def waiting(self) -> list[C]:
        """The cars that have not had their turn this round."""
        played = self.race.played
        return [car for car in self.race.cars if car.number not in played and car.standing and car.at is not None]

    def turn_order(self, car: C) -> tuple[int, tuple[int, ...]]:
        """How the cars of a round follow one another: in race order."""
        return self.race_order(car)

    def called(self) -> C | None:
        """The next of the cars that the referee has put in an order of his own, of those that may play [ruling 4]."""
        waiting = {car.number: car for car in self.waiting()} if self.race.called else {}
        return next((waiting[number] for number in self.race.called if number in waiting), None)

    def has_played(self, car: C, before: int, rank: tuple[int, ...]) -> None:
        """Notes that a car has had its turn, which began at `before` (see `driven`) with that rank among level cars."""
        race = self.race
        if car.number in race.called:
            race.called.remove(car.number)
        if car.number not in race.played:
            race.played.append(car.number)

    def passed(self, car: C, other: C, before: int, now: int, rank: tuple[int, ...]) -> bool:
        """Whether a car went by another on the loop between two distances; level with it before or after, by who
        would play first."""
        if self.track.known == "corner":
            return self.book.sheet.went_by(car, other, before, now)
        gap = (self.along(other) - before) % self.lap_length
        ahead = now - before - gap
        if ahead < 0 or (gap == 0 and rank < self.level_order(other)):
            return False
        return ahead > 0 or self.level_order(car) < self.level_order(other)

    # -- collisions

    def in_running_order(self, cars: Iterable[C]) -> list[C]:
        """Cars by their place in the race, the one that plays first before the others."""
        return sorted(cars, key=self.race_order)

    # -- as text

    def to_play(self) -> list[int]:
        """The cars that still play this round, in order; the one whose turn it is comes first."""
        race = self.race
        if race.sweep is None:
            return self.running_order()
        numbers = [car.number for car in sorted(self.waiting(), key=self.turn_order)]
        first = [number for number in race.called if number in numbers]
        if race.move is not None and race.move.car in numbers:
            first = [race.move.car, *(number for number in first if number != race.move.car)]
        return [*first, *(number for number in numbers if number not in first)]

    def call(self, to_play: list[int]) -> None:
        """The cars that still play do so in the order in which a position lists them; as many of them are called as it
        takes for the others to follow by the rules [6-2-2, ruling 4]."""
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
        """A round begins with the leader's turn [0-0-2]."""
        race = self.race
        race.round += 1
        race.sweep = self.standing(leader) % self.lap_length
        self.rule("round", "0-0-2", self.told_to_lead(leader), round=race.round)

    def told_to_lead(self, first: C) -> C:
        """Who is said to lead a round that begins with the turn of `first`."""
        return first

    # -- the end of a round, a car's race, the race

    def end_of_round(self) -> Proc[None]:
        """The weather is drawn again if it must be, spun cars are put straight [3-2-5, 10-4-1]."""
        race = self.race
        yield from self.book.weather.draw_again()
        for car in race.cars:
            if car.status == "spun":
                self.book.starts.turn_round(car)
        race.sweep = None
        race.played.clear()
        race.called.clear()
