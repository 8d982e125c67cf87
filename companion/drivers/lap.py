"""The lap of a trial as dice allow it, and the luck and the driving in a driver's own lap.

The best lap is the fewest throws on average. Nobody brakes there, no gear costs a point, and each overshot space costs
throws [1-0-1, 1-1-12]: the table of a race alone with those prices, one lap long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from companion.drivers import shipped
from companion.drivers.prepared import folder, keep, read
from companion.drivers.table import Table
from companion.drivers.turn_graph import Course, PurseStep, Scene
from companion.drivers.weights import STUCK
from companion.rules.circuit.track import Track
from companion.rules.conversation.kinds import Surface
from companion.tournament.following import FollowedLap, start_of
from companion.tournament.trial import Throw, Trial, Tyres, factor

FORM: Final = 1
"""Version of this calculation; a new one invalidates everything stored."""


class Shares(NamedTuple):
    """The throws that a lap lost against the best one: by the dice, and by the driver's gears and spaces."""

    dice: float
    driving: float


class BestLap:
    """The best lap of a circuit on one surface with one compound."""

    def __init__(self, course: Course, table: Table) -> None:
        self.course, self.table = course, table

    @property
    def throws(self) -> float:
        """The fewest throws, overshot spaces among them, that a lap takes on average."""
        return self._before(1, 0, self.course.index[start_of(self.course.track), 0])

    def shares(self, followed: Sequence[Throw]) -> Shares | None:
        """Return the shares of a lap that was seen throw by throw.

        None where a throw was not seen whole, or not by the rules, or the car is not home. Both shares and the best lap
        add up to its throws and what it overshot.
        """
        scene = self.course.scene
        board = FollowedLap(
            self.course.track,
            Trial(driver=1, tyres=_of_trials(scene.tyres), sky="rain" if scene.surface == "wet" else "sun"),
        )
        each, dice, driving = factor(_of_trials(scene.tyres), scene.surface), 0.0, 0.0
        for throw in followed:
            place, after, gear = self._place(board), 1 - board.car.lap, board.car.gear
            stop = board.throw(throw)
            if throw.unseen or not (throw.face and stop.gear and stop.die and stop.placed):
                return None
            before, rolling = self._before(after, gear, place), self._rolling(after, throw.gear, place)
            best, _ = min(self._comes_to(after, throw.gear, place, throw.face))
            driving += 1 + rolling - before
            dice += best - rolling
            left = 0.0 if board.home else self._before(1 - board.car.lap, throw.gear, self._place(board))
            driving += each * stop.overshot + left - best
        return Shares(dice, driving) if board.home else None

    def _place(self, board: FollowedLap) -> int:
        """Return the number of the place where a car stands."""
        track, car = self.course.track, board.car
        space = track.ids[car.at or ""]
        corner = track.corner[space]
        return self.course.index[space, min(car.stops, track.corners[corner].stops) if corner >= 0 else 0]

    def _comes_to(self, after: int, gear: int, place: int, face: int) -> list[tuple[float, int]]:
        """Return the throws of each stop of a roll, with its number; a roll that leads nowhere is worth nothing."""
        course, count = self.course, len(self.course.places)
        found = [(STUCK, -1)]
        for cost, stops in course.ways(place, face, last=not after):
            if (price := _price(course.costs[cost])) is None:
                continue
            for stop in stops:
                beyond = stop >= count
                left = 0.0 if stop < 0 else self._before(after - beyond, gear, stop - count * beyond)
                found.append((price + left, stop))
        return found

    def _before(self, after: int, gear: int, place: int) -> float:
        return self.table.before(after, 0, gear, place, new=True)

    def _rolling(self, after: int, gear: int, place: int) -> float:
        return self.table.rolling(after, 0, gear, place, new=True)


def _price(costs: tuple[int, ...]) -> float | None:
    """Return the throws that points of tyres and brakes cost; None if a brake is among them."""
    tyres, brakes = costs
    return None if brakes else float(tyres)


def _of_trials(tyres: str) -> Tyres:
    return "soft" if tyres == "soft" else "rain" if tyres == "rain" else "hard"


_held: dict[tuple[Track, Tyres, Surface], BestLap] = {}
"""Laps that this program has read."""


def lap_at_hand(track: Track, tyres: Tyres, surface: Surface) -> BestLap | None:
    """Return the best lap of a circuit, or None if it must be worked out first."""
    key = track, tyres, surface
    if key not in _held:
        course = _course(track, tyres, surface)
        if (table := read(*_kept_as(course))) is not None:
            _held[key] = BestLap(course, table)
    return _held.get(key)


def best_lap(
    track: Track, tyres: Tyres, surface: Surface, progress: Callable[[float], None] = lambda share: None
) -> BestLap:
    """Return the best lap of a circuit, worked out now if it never was."""
    if (lap := lap_at_hand(track, tyres, surface)) is not None:
        return lap
    course = _course(track, tyres, surface)
    shipped.work_out(course, lambda share: progress(0.9 * share))
    _held[track, tyres, surface] = lap = worked_out(course, lambda share: progress(0.9 + 0.1 * share))
    return lap


def worked_out(course: Course, progress: Callable[[float], None] = lambda share: None) -> BestLap:
    """Work out and store the best lap on a course whose stops are known."""
    from companion.drivers import values  # with numpy, which nobody needs who reads a table only

    steps: list[list[PurseStep | None]] = []
    for costs in course.costs:
        price = _price(costs)
        steps.append([None if price is None else PurseStep(0, False, price)])
    free: Mapping[tuple[int, int], list[PurseStep | None]] = {
        shift: [PurseStep(0, False, 0.0)] for shift in course.gears()
    }
    terms = values.Terms(steps, dict(free), 1, lambda after: STUCK, 0.0)
    path, digest = _kept_as(course)
    turns = b"".join(values.columns(sheet) for sheet in values.solve(course, terms, 2, progress))
    return BestLap(course, keep(path, digest, course, (), 1, turns))


def _course(track: Track, tyres: Tyres, surface: Surface) -> Course:
    return Course(track, Scene("competition", surface, tyres))


def _kept_as(course: Course) -> tuple[Path, str]:
    """Return the file of a lap, and its identity."""
    scene, digest = course.scene, f"{course.digest}-lap-{FORM}"
    return folder() / f"{course.track.key}-{scene.surface}-{scene.tyres}-{digest}.table", digest
