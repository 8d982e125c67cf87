"""What a position must keep, whoever set it, and what follows where somebody set it otherwise.

One check serves a setup, the referee's word and a correction that leaves the board as it is: `faults` says all that is
wrong, a sentence each, and a race that was played has none. What a changed value brings by the rules, such as the last
point of a part, is settled first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Pool
from companion.rules.dice.preparing import Preparing
from companion.rules.dice.state import VITAL, C, Race

GONE: Final = ("out", "wreck")
"""How a car stands whose race has ended before the flag."""


class Position(Preparing[C]):
    """How a race may stand."""

    # -- what must hold

    def faults(self) -> Iterator[str]:
        """All that is wrong with the position as it stands, a sentence each."""
        yield from self.place_faults()
        running = self.race.phase != "setup"
        for car in self.race.cars:
            if running:
                yield from self.status_faults(car)
                yield from self.wear_faults(car)
        yield from self.list_faults()

    def place_faults(self) -> Iterator[str]:
        """Every car stands on a place that there is, and alone unless it holds many; danger markers likewise."""
        track = self.track
        taken: dict[str, int] = {}
        for car in self.race.cars:
            if car.at is None or not car.standing:
                continue
            if not track.has_place(car.at):
                yield f"Car {car.number}: {track.name} has no space {car.at}; {track.place_form}."
            elif track.known == "space" and car.at in taken and not self.holds_many(car.at):
                yield f"Cars {taken[car.at]} and {car.number} stand on {car.at}; a space holds one car."
            taken[car.at] = car.number
        for space in self.race.dangers:
            if not track.has_place(space):
                yield f"{track.name} has no space {space} for a danger marker; {track.place_form}."

    def status_faults(self, car: C) -> Iterator[str]:
        """What a car is doing fits where it stands, and what is listed of it; a coasting one has a gear to coast in
        [16-0-3, 16-0-6, 19, 21-1-1]."""
        race = self.race
        if car.standing and car.at is None:
            yield f"Car {car.number} is {car.status} but stands nowhere; give its place, or status out."
        if (car.coast > 0) != (car.status == "coasting") or (car.coast < 0 and car.status != "spun"):
            yield f"Car {car.number} is {car.status}; only a coasting car has a gear to coast in."
        where = (car.at or "").partition(":")[0]
        unfit = (car.status == "pit") != (where == "pit") or (car.status == "box") != (where == "box")
        if unfit and car.alive and not car.coast:
            yield f"Car {car.number} is {car.status} but stands on {car.at}; the two do not go together."
        if (car.number in race.home) != (car.status == "finished") or (car.number in race.gone) != (car.status in GONE):
            yield f"Car {car.number} is {car.status} and cannot be home or out as well."
        corner = self.corner_of(car.at) if car.alive else -1
        most = self.track.corners[corner].stops if corner >= 0 else 3
        if car.stops > most and (race.move is None or race.move.car != car.number):
            number = self.track.corners[corner].number
            yield f"Car {car.number}: corner {number} asks for {most} stops; {car.stops} cannot count in it."

    def wear_faults(self, car: C) -> Iterator[str]:
        """Whoever races has a point of body, engine and handling left; only a broken engine coasts
        [5-1-1, 16-0-3, 16-0-6]."""
        if not car.alive:
            return
        broken = car.coast != 0
        for part in VITAL:
            if not self.works(car, part) and not (part == "engine" and broken):
                yield self.none_left(car, part)
        if broken and self.works(car, "engine"):
            yield f"Car {car.number} is coasting with an engine that holds; its engine has no point left, or it races."

    def none_left(self, car: C, part: Pool) -> str:
        """That a part of a car has no point left, though the car is in the race [5-1-1]."""
        pool = self.pool_of.get(part, part)
        return f"Car {car.number} has no {pool} point left and is out with the last; give it one, or status out."

    def list_faults(self) -> Iterator[str]:
        """The lists name cars of the race, those that are called stand on the board, and a race that is over has nobody
        in it any more."""
        race = self.race
        for name in ("due", "home", "gone", "called", "played"):
            listed = getattr(race, name)
            if not set(listed) <= set(self._places) or (name != "due" and len(set(listed)) < len(listed)):
                yield f'"{name}" lists cars of the race by number, each once; {listed} does not.'
        if race.phase == "over" and not self.ended and any(car.alive for car in race.cars):
            yield "The race is over, and a car is still in it; it goes on, or every car is home or out."

    @property
    def ended(self) -> bool:
        """Whether the race is over although somebody is still in it."""
        return False

    # -- what follows

    def follow(self, before: Race[C]) -> None:
        """What follows, by the rules, from values that were set on a race that stood as `before`."""
        race = self.race
        if race.phase == "setup":
            return
        for old, car in zip(before.cars, race.cars, strict=True):
            if car.alive and old.wear != car.wear:
                self.parts_changed(car, old)
        if race.phase == "over" and not self.ended and any(car.alive for car in race.cars):
            race.phase = "race"

    def parts_changed(self, car: C, old: C) -> None:
        """The last point of body, engine or handling ends a car's race, whoever crosses it off; an engine that has a
        point again does not coast any more [5-1-1, 14-2, 16-0-3, 17-0-3]."""
        gone = [part for part in VITAL if not self.works(car, part)]
        if "body" in gone:
            self.body_gone(car)
        elif "handling" in gone:
            self.eliminate(car, "handling", "17-0-3", removed=True)
        elif "engine" in gone and not car.coast:
            self.engine_gone(car)
        if self.works(car, "engine") and not old.wear.get(self.pool_of.get("engine", "engine")):
            car.coast = 0
            car.status = "racing" if car.status == "coasting" else car.status

    # -- the referee's word

    def override(self, change: Mapping[str, Json]) -> bool:
        """Sets values by the referee's word. At the beginning of a turn another car is asked if by what was set its
        turn comes first; at the beginning of a round that is whoever leads now [0-0-2, 6-2-2, ruling 4]."""
        first = self._first_in_turn()
        if super().override(change):
            return True
        race, move = self.race, self.race.move
        if move is None or move.gear or move.face or not self._turn_is_fresh():
            return False
        if not race.played and not race.called and (leader := self.leader()) is not None:
            race.sweep = self.standing(leader) % self.lap_length
        now = self._first_in_turn()
        if now is None or now in (first, move.car):
            return False
        race.move = None
        return True

    def _first_in_turn(self) -> int | None:
        """The car whose turn comes first of those that still play this round."""
        if self.race.sweep is None or self.race.phase != "race":
            return None
        first = self.next_to_play()
        return None if first is None else first.number

    # -- as text

    def to_play(self) -> list[int]:
        """The cars that still play this round, in order; the one whose turn it is comes first."""
        race = self.race
        if race.sweep is None:
            return self.order()
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
