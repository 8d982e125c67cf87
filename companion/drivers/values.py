"""How many turns a car alone still needs, from every place in every gear with every purse: value iteration backwards
from the flag.

Two tables come of it. The limit has a price for every point of wear, and no end of them: the pace that dice allow. The
one that drivers read knows what is left of the pools, and what it means to spend the last of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from companion.drivers.course import Course, Step, Way
from companion.rules.circuit.track import Track
from companion.rules.conversation.faces import GEAR_DICE
from companion.rules.conversation.kinds import Pool, Pools

DICE: Final = tuple(
    tuple((face - 1, count / len(GEAR_DICE[gear])) for face, count in sorted(Counter(GEAR_DICE[gear]).items()))
    if gear
    else ()
    for gear in range(7)
)
"""By gear the faces of its die, less one, each with its chance."""
STUCK: Final = 1000.0
"""What a roll is worth that nothing can be done with."""
GEARS: Final = 13
"""A table holds, for each place, the turns before the gear by the gear that it is in (0 to 6), and after the gear."""


class Terms(NamedTuple):
    """What the value of a turn rests on besides the course: what each cost and each shift makes of each purse, and what
    it is worth, in turns, to be out with so many crossings of the line still to come and to spin."""

    steps: list[list[Step | None]]
    shifts: dict[tuple[int, int], list[Step | None]]
    purses: int
    out: Callable[[int], float]
    spin: float
    turn: float = 1.0


Sheet = list[list[float]]
"""Turns by purse and column (see GEARS): sheet[purse * GEARS + column][place]."""


def solve(
    course: Course, terms: Terms, crossings: int, progress: Callable[[float], None] = lambda share: None
) -> list[Sheet]:
    """The sheets for 0, 1, 2, ... further crossings of the line before the last one; before them, where the flag alone
    brings nobody home, the one for cars past it."""
    count = len(course.places)
    track = course.track
    order = sorted(range(count), key=lambda x: (-track.order[course.places[x][0]], -course.places[x][1]))
    ahead = [[0.0] * count for _ in range(terms.purses * GEARS)]
    sheets: list[Sheet] = [_past_the_flag(course, terms, ahead, order)] if course.home else []
    for after in range(crossings):
        ahead = sheets[-1] if sheets else ahead
        sheet = [[STUCK] * count + beyond[:count] for beyond in ahead]
        rows = course.rows if after else course.last
        for done, place in enumerate(order):
            _fill(sheet, rows[place], place, terms, terms.out(after))
            if done % 100 == 0:
                progress((after + done / count) / crossings)
        sheets.append([column[:count] for column in sheet])
    progress(1.0)
    return sheets


def _past_the_flag(course: Course, terms: Terms, ahead: Sheet, order: list[int]) -> Sheet:
    """What a car that has taken the flag still risks until it is home: turns count no more, a spin is the end."""
    sheet = [column + column for column in ahead]
    for place in order:
        if place not in course.home:
            for column in sheet:
                column[place] = STUCK
            _fill(sheet, course.rows[place], place, terms._replace(spin=LAST, turn=CLEAR), LAST)
    return [column[: len(course.places)] for column in sheet]


def _fill(sheet: Sheet, rows: list[tuple[Way, ...]], place: int, terms: Terms, out: float) -> None:
    """The turns from one place, when those from all places after it are known."""
    steps, shifts = terms.steps, terms.shifts
    least: dict[tuple[int, tuple[int, ...]], float] = {}
    for purse in range(terms.purses):
        base = purse * GEARS
        for gear in range(1, 7):
            total = 0.0
            for face, share in DICE[gear]:
                best = out
                for cost, stops in rows[face]:
                    step = steps[cost][purse]
                    if step is None or step.purse < 0:
                        continue
                    column = step.purse * GEARS + (0 if step.spins else gear)
                    value = least.get((column, stops))
                    if value is None:
                        turns = sheet[column]
                        value = least[column, stops] = min([turns[stop] for stop in stops]) if stops[0] >= 0 else 0.0
                    value += step.price
                    if step.spins:
                        value += terms.spin
                    if value < best:
                        best = value
                total += share * best
            sheet[base + 6 + gear][place] = total
    for (now, gear), made in shifts.items():
        for purse in range(terms.purses):
            shift = made[purse]
            if shift is not None:
                value = terms.turn + shift.price + sheet[shift.purse * GEARS + 6 + gear][place]
                column = purse * GEARS + now
                if value < sheet[column][place]:
                    sheet[column][place] = value


POINT: Final = 0.3
"""What a point of a pool that is not told apart is worth, in turns."""
SPIN: Final = 1.0
"""What a spin costs beside its place and gear: a car that stands across the road is hit."""
CLEAR: Final = 0.05
"""What a turn costs past the flag."""
LAST: Final = 25.0
"""What it is worth to be out, in turns, beyond driving the rest of the race."""


def out_of(track: Track, after: int) -> float:
    """What it is worth to be out, in turns, with so many crossings of the line to come after the next one."""
    return LAST + track.shortest_lap / 9 * (after + 1)


def worth_of(course: Course, laps: int, progress: Callable[[float], None] = lambda share: None) -> list[Sheet]:
    """The sheets that a driver reads, for a race of so many laps: each purse is an end of points, and the last ones do
    what the core says that they do."""
    purses = course.purses()
    terms = Terms(
        list(course.steps(purses)),
        course.shifts(purses, POINT),
        len(purses),
        lambda after: out_of(course.track, after),
        SPIN,
    )
    return solve(course, terms, laps + 1, progress)


class Pace(NamedTuple):
    """A race alone from pole: the turns it takes, and the points it spends of each pool on the way."""

    turns: float
    spent: dict[Pool, float]


def limit(course: Course, price: float, laps: int) -> Pace:
    """The pace that dice allow at a price of a point of any pool, in turns: of all ways to drive so many laps from
    pole the one with the fewest turns and prices, with no end of points; and what is spent so, on average."""
    steps: list[list[Step | None]] = [[Step(0, False, price * sum(costs))] for costs in course.costs]
    gears = course.gears()
    shifts: dict[tuple[int, int], list[Step | None]] = {
        shift: [Step(0, False, price * sum(cost.values()))] for shift, cost in gears.items()
    }
    terms = Terms(steps, shifts, 1, lambda after: STUCK, 0.0)
    sheets = solve(course, terms, laps + 1)
    return _driven(course, terms, gears, sheets)


def _driven(course: Course, terms: Terms, gears: dict[tuple[int, int], Pools], sheets: list[Sheet]) -> Pace:
    """What a race from pole is on average, driven by the sheets."""
    count = len(course.places)
    track = course.track
    order = sorted(range(count), key=lambda x: (track.order[course.places[x][0]], course.places[x][1]))
    pools: list[Pool] = [*course.pools, *(pool for cost in gears.values() for pool in cost)]
    turns, spent = 0.0, dict.fromkeys(pools, 0.0)
    begin = course.index[track.grid[0], 0]
    likely: dict[tuple[int, int, int], float] = {(len(sheets) - 1, begin, 0): 1.0}
    first = int(bool(course.home))
    for after in range(len(sheets) - 1, first - 1, -1):
        sheet, rows = sheets[after], course.rows if after else course.last
        for place in order:
            for now in range(7):
                share = likely.pop((after, place, now), 0.0)
                if not share:
                    continue
                turns += share
                shifts = [(gear, step[0]) for (was, gear), step in terms.shifts.items() if was == now and step[0]]
                gear = min(shifts, key=lambda one: one[1].price + sheet[6 + one[0]][place])[0]
                for pool, points in gears[now, gear].items():
                    spent[pool] += share * points
                for face, chance in DICE[gear]:
                    ways = (
                        (step.price + _ahead(sheets, after, count, gear, stop), cost, stop)
                        for cost, stops in rows[place][face]
                        for stop in stops
                        if (step := terms.steps[cost][0]) is not None
                    )
                    _, cost, stop = min(ways)
                    for pool, points in zip(course.pools, course.costs[cost], strict=True):
                        spent[pool] += share * chance * points
                    if stop >= 0:
                        there = (after - (stop >= count), stop % count, gear)
                        likely[there] = likely.get(there, 0.0) + share * chance
    return Pace(turns, spent)


def _ahead(sheets: list[Sheet], after: int, count: int, gear: int, stop: int) -> float:
    return sheets[after - (stop >= count)][gear][stop % count] if stop >= 0 else 0.0
