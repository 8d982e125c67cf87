"""The stretches of a corner sheet: which of them a move goes through, and in which order the cars of one run.

A place is "corner:3", "after:3" on the way from it, "after:0" from the line to the first corner, "pit:4" and "box:4"
for the driver of box 4. In which order the cars of one stretch run, their arrival says, or the table.
"""

from __future__ import annotations

from companion.rules.circuit.leg import Over
from companion.rules.dice.order import STRETCH
from companion.rules.dice.state import C
from companion.rules.dice.weather import Skies

AHEAD = 3
"""How many corners ahead a move can end; nobody drives through more."""


class Stretches(Skies[C]):
    """Corners, the ways between them, and the line, where nobody counts spaces."""

    def corners_passed(self, car: C) -> int:
        """How many corners of the lap lie behind a car on a straight."""
        if self.track.known == "corner":
            return self.stretch(car.at) // 2
        track = self.track
        at = track.ids[car.at or ""]
        lane, place = track.spaces[at].lane, track.place[at]
        return sum(track.place[track.sections[corner.section].lanes[lane][-1]] < place for corner in track.corners)

    # -- where a move ends

    def places_ahead(self, car: C, *, tow: bool = False) -> list[str]:
        """Where a move can end: here, in the corners ahead and after them, in the pits if they are open to the car;
        once there, in its box, and after the stop back on the track [19-1-1, 19-2-5]."""
        count = len(self.track.corners)
        lane, box = f"pit:{car.box}", f"box:{car.box}"
        taken = not self.holds_many(box) and any(other.at == box for other in self.others(car))
        if car.in_pits and not car.stop:
            return [lane] if taken else [lane, box]
        if car.in_pits:
            places, here = [lane, "after:0"], 0
        else:
            stretch = self.stretch(car.at)
            here = (stretch + 1) // 2
            places = [car.at or "", f"after:{here}"]
        for corner in range(here, here + min(AHEAD, max(count - 1, 1))):
            places += [f"corner:{corner % count + 1}", f"after:{corner % count + 1}"]
        near = not self.missed(car, f"after:{count}")
        if near and self.may_enter(car) and not (tow and self.figures.no_slipstream_into_pits):
            places += [lane] if taken else [lane, box]
        return list(dict.fromkeys(places))

    def spoken(self, place: str) -> str:
        """A place as the table says it: "corner 3", "after corner 3", "pit", "box"."""
        where, _, number = place.partition(":")
        if where == "after":
            return f"after corner {int(number) or len(self.track.corners)}"
        return f"corner {number}" if where == "corner" else where

    def missed(self, car: C, place: str) -> list[Over]:
        """The corners that a move to a place leaves with stops missing."""
        start, length = self.stretch(car.at), self.lap_length // STRETCH
        overs: list[Over] = []
        for step in range((self.stretch(place) - start) % length):
            stretch = (start + step) % length
            if stretch % 2:
                corner = stretch // 2
                made = self.move.made if step == 0 and corner == self.corner_of(self.move.begin) else 0
                if made < self.track.corners[corner].stops:
                    overs.append(Over(corner, 0, self.track.corners[corner].stops - made))
        return overs

    def entry_brake(self, car: C, place: str) -> int:
        """The brake that a slipstream costs which ends in a corner or beyond it, unless it began in one
        [18-1-4, 18-2-3, ruling 76]."""
        if self.corner_of(car.at) >= 0 or not (place.startswith("corner") or self.missed(car, place)):
            return 0
        return self.figures.corner_brake

    def can_cross(self, car: C, place: str) -> bool:
        """Whether a move to a place may have crossed the line."""
        return car.in_pits or self.must_cross(car, place) or self.stretch(place) == 2 * len(self.track.corners)

    def must_cross(self, car: C, place: str) -> bool:
        """Whether a move to a place cannot but have crossed the line, otherwise than in the pits."""
        return not car.in_pits and self.stretch(place) < self.stretch(car.at)

    # -- within a stretch

    def set_in_order(self, order: list[int]) -> None:
        """The cars of each stretch run as the table saw them; nobody leaves his stretch by it [6-2-2]."""
        cars = [self.car(number) for number in order]
        for stretch in {self.stretch(car.at) for car in cars}:
            here = [car for car in cars if self.stretch(car.at) == stretch]
            for car, arrived in zip(here, sorted(car.arrived for car in here), strict=True):
                car.arrived = arrived

    def stood_ahead(self, car: C) -> list[int]:
        """On a corner sheet, the cars ahead of one in its stretch; on a board that is known nobody need ask."""
        if self.track.known == "space" or car.at is None:
            return []
        here = self.stretch(car.at)
        return [
            other.number for other in self.others(car) if self.stretch(other.at) == here and other.arrived < car.arrived
        ]

    def passed(self, car: C, other: C, before: int, now: int, rank: tuple[int, ...]) -> bool:
        """Whether a car went by another on the loop: stretch by stretch, within one as the cars stood and stand
        [6-2-5]."""
        if self.track.known == "space":
            return super().passed(car, other, before, now, rank)
        begin, span = before // STRETCH, now // STRETCH - before // STRETCH
        gap = (self.stretch(other.at) - begin) % (self.lap_length // STRETCH)
        if gap == 0 and other.number not in self.move.stood_ahead:
            return False
        return gap < span or (gap == span and car.arrived < other.arrived)

    def mark(self, space: str | None, article: str, car: C) -> None:
        """A danger marker; where the spaces are not known each one is said, and the stretch is noted."""
        if self.track.known == "corner" and space in self.race.dangers:
            self.rule("danger", article, car, at=space)
        else:
            super().mark(space, article, car)
