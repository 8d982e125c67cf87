"""Corners: the stops that they ask for, and what it costs to leave one with a stop missing. Articles 7 and 10."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.rules.circuit.leg import Over
from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Pool
from companion.rules.dice.chapter import Book, DiceChapter, F, R
from companion.rules.dice.state import C
from companion.rules.dice.tyres import Tyres
from companion.rules.dice.wear import Cost, Purse, Wear


class CornersBook(Book[C, R, F], Protocol[C, R, F]):
    """The book as corners see it."""

    @property
    def wear(self) -> Wear[C, R, F]: ...
    @property
    def tyres(self) -> Tyres[C, R, F]: ...


class Corners(DiceChapter[C, R, F]):
    """Stops made and stops missed."""

    book: CornersBook[C, R, F]

    def corner_of(self, at: str | None) -> int:
        """Return the index of the corner that a place lies in, -1 for none [7-1-2, 7-1-3].

        A corner lies between its two lines in that lane.
        """
        if at is None:
            return -1
        if self.track.known == "corner":
            where, _, number = at.partition(":")
            return int(number) - 1 if where == "corner" else -1
        return self.track.corner[self.track.ids[at]]

    def corners_passed(self, place: str) -> int:
        """Return how many corners of the lap lie behind a place on a straight."""
        if self.track.known == "corner":
            return self.book.sheet.stretch(place) // 2
        track = self.track
        at = track.ids[place]
        lane, driven = track.spaces[at].lane, track.place[at]
        return sum(track.place[track.sections[corner.section].lanes[lane][-1]] < driven for corner in track.corners)

    def corners_ahead(self, car: C) -> int:
        """Return how many corners a car has still to leave before the line [16-0-6, 16-0-7].

        A corner through which the line runs counts.
        """
        track = self.track
        if track.known == "corner":
            return len(track.corners) - self.book.sheet.stretch(car.at) // 2
        at = track.ids[car.at or ""]
        lanes = (track.sections[corner.section].lanes[track.spaces[at].lane] for corner in track.corners)
        return sum(max(track.place[space] for space in lane) >= track.place[at] for lane in lanes)

    def counts_standing(self, still: bool) -> bool:
        """Return True if a turn makes a stop even if the car stood `still` on brakes in it [ruling 29]."""
        return not (still and self.figures.no_stop_standing_still)

    def count_stops(self, car: C) -> None:
        """Count a stop where the whole turn ends inside a corner, but not in one reached by overshooting another.

        Standing still on brakes makes one too, unless the table rules otherwise. A straight asks for none [6-2-1,
        7-1-1, 7-2-2, 10-2-3, 19-3-8, rulings 28 to 30].
        """
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

    # -- a corner left with a stop missing

    def puts_out(self, missing: int) -> bool:
        """Return True if this many stops missed in one corner put a car out: two, unless changed [10-1]."""
        return missing >= self.figures.missed_stops

    def price_of_space(self, car: C) -> int:
        """Return the tyres that each space beyond a corner costs a car [10-0-1, ruling 34]."""
        return self.book.tyres.factor(car)

    def articles_of_price(self, car: C) -> list[str]:
        """Return the articles by which a space beyond a corner costs a car more than a tyre point."""
        return self.book.tyres.articles_of_factor(car)

    def priced(self, car: C) -> dict[str, Json]:
        """Return the articles, besides the one on overshooting, that make its price; nothing for the plain one."""
        found = [self.article(one) for one in self.articles_of_price(car)]
        return {"priced_by": found} if found else {}

    def tyres_lost(self, car: C, overs: Sequence[Over]) -> int:
        """Return the tyres that overshooting costs: the spaces beyond the corners times the factor of the set.

        [10-0-1, rulings 34, 36, 37]
        """
        return sum([over.spaces for over in overs]) * self.price_of_space(car)

    def overshoot_cost(self, car: C, overs: Sequence[Over], purse: Purse, *, braked: int = 0, blocked: int = 0) -> Cost:
        """Return the cost of overshooting: two stops missed, or tyres that cannot pay, put the car out.

        Exactly the last point spins it, unless being `blocked` beyond the corner is paid for as well [10-0-1, 10-1,
        10-3, 10-4-1, 20-1, ruling 40].
        """
        lost = self.tyres_lost(car, overs)
        points: tuple[tuple[Pool, int], ...] = (("tyres", lost),)
        if self.puts_out(max([over.missing for over in overs])):
            return Cost(points, out="overshoot", article="10-1")
        if lost > self.book.wear.tyre_limit(purse):
            return Cost(points, out="overshoot", article="10-3")
        if lost and lost >= purse.points_left("tyres") and not blocked:
            return Cost(points, spin=True, article="10-4-1")
        return Cost(points)

    def overshoot(self, car: C) -> None:
        """Pay for the corners that were left with a stop missing [10-0-1]."""
        move = self.move
        if not move.overs:
            return
        purse = self.book.wear.purse(car)
        cost = self.overshoot_cost(car, move.overs, purse, braked=move.braked, blocked=move.blocked)
        self.pay_overshoot(car, move.overs, cost)
        if cost.ends_move:
            move.blocked = 0
        self.book.wear.befall(car, cost)

    def pay_overshoot(self, car: C, overs: Sequence[Over], cost: Cost) -> None:
        """Cross off what overshooting costs, with the numbers of the sum [10-0-1]."""
        self.lose(
            car,
            "overshoot",
            "10-0-1",
            dict(cost.points),
            spaces=sum(over.spaces for over in overs),
            factor=self.price_of_space(car),
            loss=cost.total,
            corners=[self.track.corners[over.corner].number for over in overs],
            missing=max(over.missing for over in overs),
            **self.priced(car),
        )
