"""What a position must keep, whoever set it, and what follows where somebody set it otherwise.

One check serves a setup, the referee's word and a correction that leaves the board as it is: `faults` says all that is
wrong, a sentence each, and a race that was played has none. What a changed value brings by the rules, such as the last
point of a part, is settled first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.rules.conversation.kinds import Pool
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import VITAL, C

GONE: Final = ("out", "wreck")
"""How a car stands whose race has ended before the flag."""


class Position(DiceChapter[C, R, F]):
    """How a race may stand."""

    def faults(self) -> Iterator[str]:
        """All that is wrong with the position as it stands, a sentence each."""
        yield from self.place_faults()
        running = self.race.phase != "setup"
        for car in self.race.cars:
            if running:
                yield from self.status_faults(car)
                yield from self.wear_faults(car)
            elif car.wear:
                yield from self.build_faults(car)
        yield from self.list_faults()

    def place_faults(self) -> Iterator[str]:
        """Every car stands on a place that there is, and alone unless it holds many or one is on its way over the line
        for the last time; danger markers likewise [21-1-5, ruling 99]."""
        track, move = self.track, self.race.move
        home = move.car if move is not None and move.finished else 0
        taken: dict[str, int] = {}
        for car in self.race.cars:
            if car.at is None or not car.standing:
                continue
            if not track.has_place(car.at):
                yield f"Car {car.number}: {track.name} has no space {car.at}; {track.place_form}."
            elif (
                track.known == "space"
                and car.at in taken
                and home not in (car.number, taken[car.at])
                and not self.book.pits.holds_many(car.at)
            ):
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
        corner = self.book.corners.corner_of(car.at) if car.alive else -1
        most = self.track.corners[corner].stops if corner >= 0 else 3
        if car.stops > most and (race.move is None or race.move.car != car.number):
            number = self.track.corners[corner].number
            yield f"Car {car.number}: corner {number} asks for {most} stops; {car.stops} cannot count in it."

    def build_faults(self, car: C) -> Iterator[str]:
        """A car that is built has at the start what it must have to race, and where drivers build their cars a point or
        more in every part [5-1-1, 5-2]."""
        if "pool_minimum" not in self.figures.without:
            for lacking in self.book.preparing.lacking(car.wear):
                yield f"Car {car.number}: {lacking}"
        yield from self.wear_faults(car)

    def wear_faults(self, car: C) -> Iterator[str]:
        """Whoever races has a point of body, engine and handling left; only a broken engine coasts
        [5-1-1, 16-0-3, 16-0-6]."""
        if not car.alive:
            return
        broken = car.coast != 0
        for part in VITAL:
            if not self.book.wear.works(car, part) and not (part == "engine" and broken):
                yield self.none_left(car, part)
        if broken and self.book.wear.works(car, "engine"):
            yield f"Car {car.number} is coasting with an engine that holds; its engine has no point left, or it races."

    def none_left(self, car: C, part: Pool) -> str:
        """That a part of a car has no point left, though the car is in the race [5-1-1]."""
        pool = self.book.pool_of.get(part, part)
        return f"Car {car.number} has no {pool} point left and is out with the last; give it one, or status out."

    def list_faults(self) -> Iterator[str]:
        """The lists name cars of the race, those that are called stand on the board, and a race that is over has nobody
        in it any more."""
        race = self.race
        for name in ("due", "home", "gone", "at_line", "called", "played"):
            listed = getattr(race, name)
            if not set(listed) <= set(self.book.places) or (name != "due" and len(set(listed)) < len(listed)):
                yield f'"{name}" lists cars of the race by number, each once; {listed} does not.'
        if race.phase == "over" and not self.ended and any(car.alive for car in race.cars):
            yield "The race is over, and a car is still in it; it goes on, or every car is home or out."

    @property
    def ended(self) -> bool:
        """Whether the race is over although somebody is still in it."""
        return False

    def follow(self, before: R) -> None:
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
