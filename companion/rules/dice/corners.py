"""Corners: the stops that they ask for, and what it costs to leave one with a stop missing. Articles 7 and 10."""

from __future__ import annotations

from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C


class Corners(DiceChapter[C, R, F]):
    """Stops made and stops missed."""

    def corner_of(self, at: str | None) -> int:
        """The index of the corner that a place lies in, between its two lines in that lane, -1 for none
        [7-1-2, 7-1-3]."""
        if at is None:
            return -1
        if self.track.known == "corner":
            where, _, number = at.partition(":")
            return int(number) - 1 if where == "corner" else -1
        return self.track.corner[self.track.ids[at]]

    def corners_passed(self, car: C) -> int:
        """How many corners of the lap lie behind a car on a straight."""
        if self.track.known == "corner":
            return self.book.sheet.stretch(car.at) // 2
        track = self.track
        at = track.ids[car.at or ""]
        lane, place = track.spaces[at].lane, track.place[at]
        return sum(track.place[track.sections[corner.section].lanes[lane][-1]] < place for corner in track.corners)

    def corners_ahead(self, car: C) -> int:
        """How many corners a car has still to leave before the line, one through which the line runs among them
        [16-0-6, 16-0-7]."""
        track = self.track
        if track.known == "corner":
            return len(track.corners) - self.book.sheet.stretch(car.at) // 2
        at = track.ids[car.at or ""]
        lanes = (track.sections[corner.section].lanes[track.spaces[at].lane] for corner in track.corners)
        return sum(max(track.place[space] for space in lane) >= track.place[at] for lane in lanes)

    def counts_standing(self, still: bool) -> bool:
        """Whether a turn makes a stop although the car stood still on brakes in it, if it did [ruling 29]."""
        return not (still and self.figures.no_stop_standing_still)

    def count_stops(self, car: C) -> None:
        """Where the whole turn ends inside a corner it makes a stop, but not in one reached by overshooting another;
        standing still on brakes makes one too, unless the table rules otherwise. A straight asks for none
        [6-2-1, 7-1-1, 7-2-2, 10-2-3, 19-3-8, rulings 28 to 30]."""
        corner, begin = self.corner_of(car.at), self.corner_of(self.move.begin)
        if corner < 0 or self.move.overs:
            car.stops = 0
        else:
            stops = self.track.corners[corner].stops
            made = self.move.made if corner == begin else 0
            if not self.counts_standing(self.move.braked > 0 and not self.move.moved):
                return
            car.stops = min(made + 1, stops)
            if made < stops:
                self.rule("stop", "7-1-1", car, corner=self.track.corners[corner].number, stops=car.stops, of=stops)

    def overshoot(self, car: C) -> None:
        """A corner left with a stop missing costs tyres for each space beyond it, by their factor
        [10-0-1, rulings 36, 37]."""
        overs = self.move.overs
        if not overs:
            return
        spaces = sum(over[1] for over in overs)
        factor = self.book.tyres.factor(car)
        loss = spaces * factor
        corners = [self.track.corners[over[0]].number for over in overs]
        missing = max(over[2] for over in overs)
        limit = self.book.wear.tyre_limit(car)
        self.lose(
            car,
            "overshoot",
            "10-0-1",
            {"tyres": loss},
            spaces=spaces,
            factor=factor,
            loss=loss,
            corners=corners,
            missing=missing,
        )
        self.overshot(car, missing, loss, limit)

    def overshot(self, car: C, missing: int, loss: int, limit: int) -> None:
        """Two stops missing, or more lost than the tyres could pay, and the car is taken off at once without a marker;
        exactly the last point spins it [10-1, 10-3, 10-4-1, 20-1]."""
        if missing >= 2:
            self.book.wear.eliminate(car, "overshoot", "10-1", removed=True)
        elif loss > limit:
            self.book.wear.eliminate(car, "overshoot", "10-3", removed=True)
        elif loss and not self.book.wear.works(car, "tyres") and not self.move.blocked:
            self.book.wear.spin(car, "10-4-1")
