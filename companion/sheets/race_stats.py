"""Statistics of a race from its log alone: time, dice, wear, tyres, gaps and overtakes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from companion.rules.circuit.track import Track
from companion.rules.conversation.faces import BLACK_DIE, GEAR_DICE, die_of
from companion.sheets.acts import person
from companion.sheets.history import History
from companion.sheets.sheet import CarSheet, RaceSheet

BREAK: Final = 600.0
"""Seconds without an answer that count as a break of the table, and not as anybody's time."""
DICE: Final[Mapping[str, tuple[int, ...]]] = {str(gear): sides for gear, sides in GEAR_DICE.items()} | {"20": BLACK_DIE}
"""Sides of each die, by its name."""


class TurnTime(NamedTuple):
    """The time that a driver took for a turn, in seconds."""

    car: int
    round: int
    seconds: float


class Times(NamedTuple):
    """A driver's time over a race, in seconds: all turns, the mean of them, and the slowest with its round."""

    total: float
    average: float
    slowest: float
    round: int


def turns(history: History) -> list[TurnTime]:
    """Return the time of each turn.

    It runs from each question of the turn, asked of its driver, to the answer of a person or a die-roller. Answers that
    were undone count as well; a break of the table does not.
    """
    found: dict[tuple[int, int], float] = {}
    before = _moment(history.begun)
    for item in history.items:
        now = _moment(item.at)
        if now is None:
            continue
        car, round_ = item.event.key[1:3] if item.event.key is not None else (None, 0)
        seconds = (now - before).total_seconds() if before is not None else BREAK
        if car is not None and round_ and 0 <= seconds < BREAK and _takes_time(item.by):
            found[round_, car] = found.get((round_, car), 0.0) + seconds
        before = now
    return [TurnTime(car, round_, seconds) for (round_, car), seconds in sorted(found.items())]


def _takes_time(by: str) -> bool:
    return person(by) or by.startswith("roller")


def _moment(at: str) -> datetime | None:
    try:
        return datetime.fromisoformat(at)
    except ValueError:
        return None


def times(found: Sequence[TurnTime]) -> dict[int, Times]:
    """Return the turns of a race by driver."""
    by_car: dict[int, list[TurnTime]] = {}
    for turn in found:
        by_car.setdefault(turn.car, []).append(turn)
    return {
        car: Times(
            total=sum(turn.seconds for turn in mine),
            average=sum(turn.seconds for turn in mine) / len(mine),
            slowest=max(turn.seconds for turn in mine),
            round=max(mine, key=lambda turn: turn.seconds).round,
        )
        for car, mine in by_car.items()
    }


class RollSum(NamedTuple):
    """The rolls of a die by a car: their number, the sum of their faces, and the mean of the die."""

    rolls: int
    total: Fraction
    expected: Fraction

    @property
    def mean(self) -> Fraction:
        """The mean of the faces shown."""
        return self.total / self.rolls


def rolled(history: History) -> dict[tuple[int, str], RollSum]:
    """Return the rolls of each die by each car; of a roll answered by a band each of its faces counts alike."""
    found: dict[tuple[int, str], RollSum] = {}
    for item in history.items:
        if item.event.key is None:
            continue
        ask, car, _, what = item.event.key
        die, answer = die_of(ask, what), item.event.answer
        if car is None or die not in DICE:
            continue
        first, last = map(int, answer if isinstance(answer, list) else (answer, answer))
        sides = DICE[die]
        before = found.get((car, die), RollSum(0, Fraction(0), Fraction(sum(sides), len(sides))))
        found[car, die] = before._replace(rolls=before.rolls + 1, total=before.total + Fraction(first + last, 2))
    return found


def wear(sheet: RaceSheet) -> dict[int, list[tuple[int, int]]]:
    """Return the total points of each car at the end of each round, as (round, points).

    The first is what it was built with.
    """
    rounds = [line.round for line in sheet.rounds]
    return {car.car: list(_worn(car, rounds)) for car in sheet.cars if car.built}


def _worn(car: CarSheet, rounds: Sequence[int]) -> Iterator[tuple[int, int]]:
    left = sum(car.wear.values()) - sum(crossing.points for crossing in car.crossings)
    if rounds:
        yield rounds[0] - 1, left
    for round_ in rounds:
        if car.retired is not None and round_ > car.retired.round:
            return
        left += sum(crossing.points for crossing in car.crossings if crossing.round == round_)
        yield round_, left


class Stint(NamedTuple):
    """Laps on tyres of one compound, from the first to the last."""

    tyres: str
    first: int
    last: int


def stints(car: CarSheet) -> list[Stint]:
    """Return the tyres that a car drove on, lap by lap."""
    found: list[Stint] = []
    for place in car.places:
        lap = max(place.lap, 1)
        if not place.tyres or place.status in ("out", "wreck", "finished"):
            continue
        if found and found[-1].tyres == place.tyres:
            found[-1] = found[-1]._replace(last=lap)
        else:
            found.append(Stint(place.tyres, lap, lap))
    return found


def gaps(sheet: RaceSheet, track: Track) -> dict[int, list[tuple[int, float]]]:
    """Return the spaces of each car behind the leader at the beginning of each round, as (round, spaces).

    The lines end with the round in which the winner is home: nobody leads on the track after that. Empty on a circuit
    that is known to the corner only.
    """
    if track.known != "space":
        return {}
    flag = min((place.round for car in sheet.cars for place in car.places if place.status == "finished"), default=None)
    half: dict[int, dict[int, int]] = {}
    for car in sheet.cars:
        for place in car.places:
            if flag is not None and place.round > flag:
                break
            if place.at is not None and place.at in track.ids and place.status not in ("out", "wreck"):
                half.setdefault(place.round, {})[car.car] = place.lap * track.length + track.place[track.ids[place.at]]
    found: dict[int, list[tuple[int, float]]] = {}
    for round_, come in sorted(half.items()):
        first = max(come.values())
        for number, so_far in come.items():
            found.setdefault(number, []).append((round_, (first - so_far) / 2))
    return found


class OvertakeCount(NamedTuple):
    """The cars that a car has overtaken from round to round, and those that have overtaken it, as counts."""

    made: int
    lost: int


def overtakes(sheet: RaceSheet) -> dict[int, OvertakeCount]:
    """Return the overtakes: of each two cars, whether they change places from one round's order to the next."""
    found = {car.car: OvertakeCount(0, 0) for car in sheet.cars}
    gone = {car.car: car.retired.round for car in sheet.cars if car.retired is not None}
    for before, after in pairwise(sheet.rounds):
        here = [one for one in before.order if one in after.order and gone.get(one, after.round) >= after.round]
        now = {number: at for at, number in enumerate(after.order)}
        for at, ahead in enumerate(here):
            for behind in here[at + 1 :]:
                if now[behind] < now[ahead]:
                    found[behind] = found[behind]._replace(made=found[behind].made + 1)
                    found[ahead] = found[ahead]._replace(lost=found[ahead].lost + 1)
    return found
