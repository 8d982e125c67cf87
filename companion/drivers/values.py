"""The turns that a car alone still needs, from every place in every gear with every purse.

They are found by value iteration backwards from the flag. Two tables come of it. The limit has a price for every point
of wear, and no end of them: the pace that dice allow. The one that drivers read knows what is left of the pools, what
it means to spend the last of them, and in a race with arms what others take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.drivers.turn_graph import FURTHEST, Course, Rows, Step
from companion.drivers.weights import CLEAR, DICE, FEARED, HITS, LAST, POINT, SPIN, STUCK, Hits, out_of
from companion.rules.conversation.kinds import Pool, Pools
from companion.rules.death.death import Death

GEARS: Final = 7
"""Gears that a car can be in before it announces the next one: 0, standing, to 6."""
Turns = npt.NDArray[np.float32]
CHANCES: Final = np.array([[dict(DICE[gear]).get(face, 0.0) for face in range(FURTHEST)] for gear in range(GEARS)])
"""By gear how likely each roll is."""


class Terms(NamedTuple):
    """The terms of the value of a turn besides the course.

    They are the effect of each cost and each shift on each purse, and the worth, in turns, of being out with so many
    crossings of the line still to come and of a spin.
    """

    steps: list[list[Step | None]]
    shifts: dict[tuple[int, int], list[Step | None]]
    purses: int
    out: Callable[[int], float]
    spin: float
    turn: float = 1.0
    hits: Sequence[tuple[float, Hits]] = ()
    """How often others take points of the one pool, by the turns still to come."""


class Sheet(NamedTuple):
    """Turns by gear, purse and place: before the gear of a turn is announced, and when it is, before the roll."""

    before: Turns
    rolling: Turns


def columns(sheet: Sheet) -> bytes:
    """Return a sheet as a table stores it: by purse the columns before the gear, then those after it."""
    return np.concatenate([sheet.before, sheet.rolling[1:]]).transpose(1, 0, 2).tobytes()


class Lap(NamedTuple):
    """The subject of a sheet.

    It has the rows that are driven by, the crossings of the line still to come after the next one, and the sheet that
    is read beyond the line (-1: none).
    """

    rows: Rows
    after: int
    beyond: int


def laps_of(course: Course, crossings: int) -> list[Lap]:
    """Return the sheets of a race.

    Where the flag alone brings nobody home the first is the one for cars past it; then come those for 0, 1, 2, ...
    further crossings of the line before the last one, and where a new set of tyres gives a space more, the same for
    cars on their first lap on one. The last sheet is that of the start, from which the line does not age a set.
    """
    first = int(bool(course.home))
    laps = [Lap(course.rows, -1, -1)] * first
    laps += [Lap(course.rows if after else course.last, after, first + after - 1) for after in range(crossings)]
    if course.soft_space:
        new = [Lap(course.new if after else course.new_last, after, first + after - 1) for after in range(crossings)]
        if crossings > 1:
            new[-1] = new[-1]._replace(beyond=len(laps) + crossings - 2)
        laps += new
    return laps


def solve(
    course: Course, terms: Terms, crossings: int, progress: Callable[[float], None] = lambda share: None
) -> list[Sheet]:
    """Return the turns of every sheet, see `laps_of`."""
    track, places = course.track, course.places
    order = sorted(range(len(places)), key=lambda x: (-track.order[places[x][0]], -places[x][1]))
    laps = laps_of(course, crossings)
    sheets: list[Sheet] = []
    for number, (rows, after, beyond) in enumerate(laps):
        past = after < 0
        backwards = Backwards(course, terms._replace(spin=LAST, turn=CLEAR, hits=()) if past else terms)
        backwards.out = LAST if past else terms.out(after)
        if beyond >= 0:
            backwards.turns[:, :, len(places) : -1] = sheets[beyond].before
        home = sorted(course.home) if past else []
        for turns in (backwards.turns, backwards.rolling):
            turns[:, :, home] = 0.0
        for done, place in enumerate(order):
            if place not in home:
                backwards.fill(rows[place], place)
            if done % 100 == 0:
                progress((number + done / len(places)) / len(laps))
        sheets.append(Sheet(backwards.turns[:, :, : len(places)].copy(), backwards.rolling))
    progress(1.0)
    return sheets


class Backwards:
    """One sheet on its way from the last place to the first.

    Everything of a place is done at once: `turns` has for each gear and purse the places of this lap, those beyond the
    line, and the flag.
    """

    def __init__(self, course: Course, terms: Terms) -> None:
        self.terms, self.purses, self.out = terms, terms.purses, 0.0
        count = len(course.places)
        self.turns = np.zeros((GEARS, self.purses, 2 * count + 1), np.float32)
        self.turns[:, :, :count] = STUCK
        self.rolling = np.full((GEARS, self.purses, count), STUCK, np.float32)
        nothing: list[Step | None] = [None] * self.purses
        steps = [*terms.steps, nothing]
        self.left = np.array([[self._purse_left(step) for step in row] for row in steps], np.intp)
        """By cost and purse the purse that is left; those of a car that has spun come after the others, then being
        out."""
        self.price = np.array([[step.price if step else 0.0 for step in row] for row in steps], np.float32)
        self.shifts = [
            (now, gear, [self._shifted(step) for step in made], max(step.price for step in made if step))
            for (now, gear), made in terms.shifts.items()
            if any(made)
        ]

    def _purse_left(self, step: Step | None) -> int:
        if step is None or step.purse < 0:
            return 2 * self.purses
        return step.purse + self.purses * step.spins

    def _shifted(self, step: Step | None) -> int:
        return step.purse if step else self.purses

    def fill(self, rows: Sequence[Sequence[tuple[int, tuple[int, ...]]]], place: int) -> None:
        """Fill in the turns from one place, when those from all places after it are known.

        Of all that a roll can do it takes the best, of all gears that may follow the one whose rolls need the fewest
        turns.
        """
        stops: list[int] = []
        begins: list[int] = []
        costs: list[int] = []
        faces: list[int] = []
        for ways in rows:
            faces.append(len(costs))
            for cost, ends in ways:
                begins.append(len(stops))
                stops += ends
                costs.append(cost)
            begins.append(len(stops))  # going out, which every roll can do
            stops.append(-1)
            costs.append(len(self.left) - 1)
        least = np.minimum.reduceat(self.turns[:, :, stops], begins, axis=2)
        room = np.full((GEARS, 2 * self.purses + 1, len(costs)), self.out, np.float32)
        room[:, : self.purses] = least
        room[:, self.purses : -1] = least[:1] + self.terms.spin
        left = self.left[costs]
        ends_at = room[:, left, np.arange(len(costs))[:, None]] + self.price[costs]
        best = np.minimum.reduceat(ends_at, faces, axis=1)
        rolling = np.einsum("gfp,gf->gp", best, CHANCES)
        self.rolling[1:, :, place] = rolling[1:]
        padded = np.concatenate([rolling, np.full((GEARS, 1), STUCK)], axis=1)
        before = self.turns[:, :, place]
        for now, gear, made, price in self.shifts:
            np.minimum(before[now], padded[gear, made] + (self.terms.turn + price), out=before[now])
        if self.terms.hits:
            far = before[1:, -1].min()
            before[:] = hit(before, next(hits for most, hits in self.terms.hits if far <= most), self.terms.spin)


def hit(before: Turns, hits: Hits, spin: float) -> Turns:
    """Return the turns by gear and points before others may take some of them, from those after it.

    The last point spins a car, and with none left it is out.
    """
    found = before * (1 - sum(chance for _, chance in hits))
    for points, chance in hits:
        found[:, points + 1 :] += chance * before[:, 1:-points]
        found[:, 1 : points + 1] += chance * (before[:1, :1] + spin)
        found[:, 0] += chance * (before[:, -1] + FEARED)
    return found


def worth_of(course: Course, laps: int, progress: Callable[[float], None] = lambda share: None) -> list[Sheet]:
    """Return the sheets that a driver reads, for a race of this many laps.

    Each purse has an end of points, and the last ones do what the core says that they do.
    """
    purses = course.purses()
    terms = Terms(
        list(course.steps(purses)),
        course.shifts(purses, POINT),
        len(purses),
        lambda after: out_of(course.track, after),
        SPIN,
        hits=HITS if isinstance(course.book, Death) else (),
    )
    return solve(course, terms, laps + 1, progress)


class Pace(NamedTuple):
    """A race alone from pole: the turns it takes, and the points it spends of each pool on the way."""

    turns: float
    spent: dict[Pool, float]


def limit(course: Course, price: float, laps: int) -> Pace:
    """Return the pace that dice allow at a price of a point of any pool, in turns.

    Of all ways to drive this many laps from pole it is the one with the fewest turns and prices, with no end of points;
    and what is spent so, on average.
    """
    steps: list[list[Step | None]] = [[Step(0, False, price * sum(costs))] for costs in course.costs]
    gears = course.gears()
    shifts: dict[tuple[int, int], list[Step | None]] = {
        shift: [Step(0, False, price * sum(cost.values()))] for shift, cost in gears.items()
    }
    terms = Terms(steps, shifts, 1, lambda after: STUCK, 0.0)
    return _drive(course, terms, gears, laps + 1, solve(course, terms, laps + 1))


def _drive(
    course: Course, terms: Terms, gears: dict[tuple[int, int], Pools], crossings: int, sheets: list[Sheet]
) -> Pace:
    """Return the average of a race from pole driven by the sheets; on a new set till the end of the first lap."""
    count = len(course.places)
    track = course.track
    order = sorted(range(count), key=lambda x: (track.order[course.places[x][0]], course.places[x][1]))
    pools: list[Pool] = [*course.pools, *(pool for cost in gears.values() for pool in cost)]
    turns, spent = 0.0, dict.fromkeys(pools, 0.0)
    begin = course.index[track.grid[0], 0]
    laps = laps_of(course, crossings)
    likely: dict[tuple[int, int, int], float] = {(len(sheets) - 1, begin, 0): 1.0}
    for at in range(len(sheets) - 1, -1, -1):
        sheet, (rows, after, beyond) = sheets[at], laps[at]
        if after < 0:
            break
        for place in order:
            for now in range(7):
                share = likely.pop((at, place, now), 0.0)
                if not share:
                    continue
                turns += share
                shifts = [(gear, step[0]) for (was, gear), step in terms.shifts.items() if was == now and step[0]]
                gear = min(shifts, key=lambda one: one[1].price + sheet.rolling[one[0], 0, place])[0]
                for pool, points in gears[now, gear].items():
                    spent[pool] += share * points
                for face, chance in DICE[gear]:
                    ways = (
                        (step.price + _ahead(sheets, beyond if stop >= count else at, count, gear, stop), cost, stop)
                        for cost, stops in rows[place][face]
                        for stop in stops
                        if (step := terms.steps[cost][0]) is not None
                    )
                    _, cost, stop = min(ways)
                    for pool, points in zip(course.pools, course.costs[cost], strict=True):
                        spent[pool] += share * chance * points
                    if stop >= 0:
                        there = (beyond if stop >= count else at, stop % count, gear)
                        likely[there] = likely.get(there, 0.0) + share * chance
    return Pace(turns, spent)


def _ahead(sheets: list[Sheet], at: int, count: int, gear: int, stop: int) -> float:
    return float(sheets[at].before[gear, 0, stop % count]) if stop >= 0 else 0.0
