"""The turns that a car alone still needs, from every place in every gear with every purse.

They are found by value iteration backwards from the flag. Two tables come of it. The limit has a price for every point
of wear, and no end of them: the pace that dice allow. The one that drivers read knows what is left of the pools, what
it means to spend the last of them, and in a race with arms what others take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.drivers.turn_graph import Course, EqualStops, PurseStep, Rows
from companion.drivers.weights import CLEAR, DICE, FEARED, HITS, LAST, POINT, SPIN, STUCK, Hits, out_of
from companion.rules.conversation.kinds import Pool, Pools
from companion.rules.death.death import Death

GEARS: Final = 7
"""Gears that a car can be in before it announces the next one: 0, standing, to 6."""
Turns = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.intp]
ROLLS: Final = [(gear, face, chance) for gear in range(1, GEARS) for face, chance in DICE[gear]]
"""Every roll of every gear, with its chance."""
CHANCES: Final = np.array([[chance] for _, _, chance in ROLLS])
FIRST_ROLLS: Final = [[gear for gear, _, _ in ROLLS].index(gear) for gear in range(1, GEARS)]


class Terms(NamedTuple):
    """The terms of the value of a turn besides the course.

    They are the effect of each cost and each shift on each purse, and the worth, in turns, of being out with so many
    crossings of the line still to come and of a spin.
    """

    steps: list[list[PurseStep | None]]
    shifts: dict[tuple[int, int], list[PurseStep | None]]
    purses: int
    out: Callable[[int], float]
    spin: float
    turn: float = 1.0
    hits: Sequence[tuple[float, Hits]] = ()
    """Chances of losing points of the one pool to other cars, by the turns still to come."""


class TurnValues(NamedTuple):
    """Turns by gear, place and purse: before the gear of a turn is announced, and when it is, before the roll."""

    before: Turns
    rolling: Turns


def columns(sheet: TurnValues) -> bytes:
    """Return a sheet as a table stores it: by purse the columns before the gear, then those after it."""
    return np.concatenate([sheet.before, sheet.rolling[1:]]).transpose(2, 0, 1).tobytes()


class LapSubject(NamedTuple):
    """The subject of a sheet.

    It has the rows that are driven by, the crossings of the line still to come after the next one, and the sheet that
    is read beyond the line (-1: none).
    """

    rows: Rows
    after: int
    beyond: int


def laps_of(course: Course, crossings: int) -> list[LapSubject]:
    """Return the sheets of a race.

    Where the flag alone brings nobody home the first is the one for cars past it; then come those for 0, 1, 2, ...
    further crossings of the line before the last one, and where a new set of tyres gives a space more, the same for
    cars on their first lap on one. The last sheet is that of the start, from which the line does not age a set.
    """
    first = int(bool(course.home))
    laps = [LapSubject(course.rows, -1, -1)] * first
    laps += [LapSubject(course.rows if after else course.last, after, first + after - 1) for after in range(crossings)]
    if course.soft_space:
        new = [
            LapSubject(course.new if after else course.new_last, after, first + after - 1) for after in range(crossings)
        ]
        if crossings > 1:
            new[-1] = new[-1]._replace(beyond=len(laps) + crossings - 2)
        laps += new
    return laps


def solve(
    course: Course, terms: Terms, crossings: int, progress: Callable[[float], None] = lambda share: None
) -> list[TurnValues]:
    """Return the turns of every sheet, see `laps_of`."""
    track, places = course.track, course.places
    order = sorted(range(len(places)), key=lambda x: (-track.order[places[x][0]], -places[x][1]))
    laps = laps_of(course, crossings)
    sheets: list[TurnValues] = []
    rolls: dict[int, PlaceRolls] = {}  # by row: most laps have theirs in common
    for number, (rows, after, beyond) in enumerate(laps):
        past = after < 0
        backwards = Backwards(course, terms._replace(spin=LAST, turn=CLEAR, hits=()) if past else terms)
        backwards.out = LAST if past else terms.out(after)
        if beyond >= 0:
            backwards.turns[:, len(places) : -1] = sheets[beyond].before
        home = sorted(course.home) if past else []
        for turns in (backwards.turns, backwards.rolling):
            turns[:, home] = 0.0
        for done, place in enumerate(order):
            if place not in home:
                row = rows[place]
                if id(row) not in rolls:
                    rolls[id(row)] = backwards.rolls(row)
                backwards.fill(rolls[id(row)], place)
            if done % 100 == 0:
                progress((number + done / len(places)) / len(laps))
        sheets.append(TurnValues(backwards.turns[:, : len(places)].copy(), backwards.rolling))
    progress(1.0)
    return sheets


class PlaceRolls(NamedTuple):
    """All that the ROLLS can do from one place, as arrays.

    `stops` has where each of them ends, a gear and a place in one number, `costs` the gear and the cost of it in
    another; `first` is where the stops of each roll begin.
    """

    stops: Numbers
    costs: Numbers
    first: Numbers


class Backwards:
    """One sheet on its way from the last place to the first.

    Everything of a place is done at once: `turns` has for each gear the places of this lap, those beyond the line, and
    the flag, each with every purse.
    """

    def __init__(self, course: Course, terms: Terms) -> None:
        self.terms, self.purses, self.out = terms, terms.purses, 0.0
        count = len(course.places)
        self.turns = np.zeros((GEARS, 2 * count + 1, self.purses), np.float32)
        self.turns[:, :count] = STUCK
        self.rolling = np.full((GEARS, count, self.purses), STUCK, np.float32)
        steps: list[list[PurseStep | None]] = [
            *terms.steps,
            [None] * self.purses,
        ]  # the last is a way that nobody can pay
        self.costs = len(steps)
        self.left = np.array([[self._purse_left(gear, step) for step in row] for gear in range(GEARS) for row in steps])
        """By gear, cost and purse how far from a stop's first turns those lie that a car has there: it stands where it
        has spun."""
        prices = [[self._price(step) for step in row] for row in steps]
        self.prices = np.array(prices * GEARS, np.float32)
        shifts = sorted((shift, made) for shift, made in terms.shifts.items() if any(made))
        self.shifts = np.array([[self._shifted(gear, step) for step in made] for (_, gear), made in shifts])
        """By change of gear and purse the gear and the purse that come of it, in one number."""
        taken = [terms.turn + max(step.price for step in made if step) for _, made in shifts]
        self.shift_turns = np.array(taken, np.float32)[:, None]
        nows = [now for (now, _), _ in shifts]
        self.nows = sorted(set(nows))
        self.first_shifts = [nows.index(now) for now in self.nows]

    def _purse_left(self, gear: int, step: PurseStep | None) -> int:
        if step is None or step.purse < 0:
            return 0
        standing = gear * int(self.turns[0].size) if step.spins else 0
        return step.purse - standing

    def _price(self, step: PurseStep | None) -> float:
        if step is None or step.purse < 0:
            return inf  # being out is what every roll can do
        return step.price + step.spins * self.terms.spin

    def _shifted(self, gear: int, step: PurseStep | None) -> int:
        return gear * self.purses + step.purse if step else 0  # a car that stands rolls nothing

    def rolls(self, row: Sequence[tuple[EqualStops, ...]]) -> PlaceRolls:
        """Lay out all that can be done from a place."""
        count, nobody = self.turns.shape[1], (EqualStops(self.costs - 1, (0,)),)
        stops: list[int] = []
        costs: list[int] = []
        first: list[int] = []
        for gear, face, _ in ROLLS:
            first.append(len(stops))
            for cost, ends in row[face] or nobody:
                stops += [gear * count + (stop if stop >= 0 else count - 1) for stop in ends]
                costs += [gear * self.costs + cost] * len(ends)
        return PlaceRolls(np.array(stops) * self.purses, np.array(costs), np.array(first))

    def fill(self, rolls: PlaceRolls, place: int) -> None:
        """Fill in the turns from one place, when those from all places after it are known.

        Of all that a roll can do it takes the best, of all gears that may follow the one whose rolls need the fewest
        turns.
        """
        left = self.left.take(rolls.costs, axis=0) + rolls.stops[:, None]
        ends = self.turns.take(left) + self.prices.take(rolls.costs, axis=0)
        best = np.minimum(np.minimum.reduceat(ends, rolls.first), self.out)
        rolling = self.rolling[:, place]
        rolling[1:] = np.add.reduceat(best * CHANCES, FIRST_ROLLS)
        before = self.turns[:, place]
        before[self.nows] = np.minimum.reduceat(rolling.take(self.shifts) + self.shift_turns, self.first_shifts)
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


def worth_of(course: Course, laps: int, progress: Callable[[float], None] = lambda share: None) -> list[TurnValues]:
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
    steps: list[list[PurseStep | None]] = [[PurseStep(0, False, price * sum(costs))] for costs in course.costs]
    gears = course.gears()
    shifts: dict[tuple[int, int], list[PurseStep | None]] = {
        shift: [PurseStep(0, False, price * sum(cost.values()))] for shift, cost in gears.items()
    }
    terms = Terms(steps, shifts, 1, lambda after: STUCK, 0.0)
    return _drive(course, terms, gears, laps + 1, solve(course, terms, laps + 1))


def _drive(
    course: Course, terms: Terms, gears: dict[tuple[int, int], Pools], crossings: int, sheets: list[TurnValues]
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
                gear = min(shifts, key=lambda one: one[1].price + sheet.rolling[one[0], place, 0])[0]
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


def _ahead(sheets: list[TurnValues], at: int, count: int, gear: int, stop: int) -> float:
    return float(sheets[at].before[gear, stop % count, 0]) if stop >= 0 else 0.0
