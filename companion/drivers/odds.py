"""Each car's chance of each place: from the turns that it still needs by the table, and how far dice scatter.

The cars are assumed to be independent of one another; what they do to each other is in no table. Without one,
on corner sheets and with cards, or where none is worked out yet, the race is driven to its end some hundred times
instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from math import exp, inf, sqrt
from operator import lt
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, TypeGuard

from companion.drivers import Progress, prepared
from companion.drivers.registry import changed, driver_named, strong
from companion.drivers.shipped import is_shipped
from companion.drivers.strong import Strong
from companion.drivers.turn_graph import Course, Scene, fitting
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.dice.formula_de import FormulaDe

if TYPE_CHECKING:
    from companion.rules.conversation.kinds import Compound
    from companion.rules.rulebooks import Book, Dice

SCATTER: Final = 0.26
"""Standard deviation of the turns still needed, as a multiple of their square root."""
PERSON: Final = "sensible"
"""Name of the driver that stands in for a person."""
DRAWS: Final = 1000
"""Number of random draws of the rest of a race."""
RACES: Final = 100
"""Number of races driven to the end where no table has the race."""
PART: Final = 10
"""Number of races between two reports of preliminary odds."""
LATE: Final = 1000.0
"""Number of turns later than any car comes home."""


class Style(NamedTuple):
    """A way of driving: turns for each one of a champion, and the chance to go out in a turn."""

    pace: float
    risk: float


STYLES: Final[Mapping[str, Style]] = {
    "champion": Style(1.0, 0.0007),
    "club": Style(1.17, 0.0012),
    "learner": Style(1.68, 0.0083),
    "sensible": Style(1.07, 0.0022),
}
"""Style of each driver, as `tests.drivers.calibration` counts it on Monaco, two laps, six cars, dry."""


class CarProspects(NamedTuple):
    """The prospects of a car.

    `rounds` are those until it is home, as one would expect; `racing` whether it races on, and if not its place in the
    order counts; `risk` how likely it goes out in a turn.
    """

    number: int
    rounds: float
    racing: bool = True
    risk: float = STYLES["champion"].risk

    def with_driver(self, by: str) -> CarProspects:
        """Return a champion's prospects as those of another driver."""
        style = STYLES[by or PERSON]
        return self._replace(rounds=self.rounds * style.pace, risk=style.risk) if self.racing else self


Odds = Mapping[int, list[float]]
"""Chances of each place by car, from the first place on."""
SoFar = Callable[[Odds], None]
"""Callback that receives preliminary odds."""


def tabled(book: object) -> TypeGuard[Dice]:
    """Return True if tables know the turns of a race: by dice, on a circuit known to the space."""
    return isinstance(book, FormulaDe) and book.track.known == "space"


def at_hand(book: Dice, tyres: Compound | None = None) -> bool:
    """Return True if every table is there that the odds of a race and a hint for such tyres need."""
    return all(
        prepared.at_hand(book.track, scene, book.race.laps, changed(book)) for scene in required_scenes(book, tyres)
    )


def soon_at_hand(book: Dice) -> bool:
    """Return True if the tables for the odds of a race take a second or two: their laps come with the program."""
    return all(is_shipped(Course(book.track, scene, changed(book))) for scene in required_scenes(book))


def required_scenes(book: Dice, tyres: Compound | None = None) -> set[Scene]:
    """Return the scenes whose tables the odds of a race and a hint for such tyres need.

    They are that of these tyres, and where a lap is left to stop in, of the compounds that belong on the surface as it
    is now.
    """
    wet = book.race.surface == "wet"
    others = fitting(book, wet=wet) if book.race.laps > 1 else ()
    return {Scene.of(book.name, wet, one) for one in (tyres, *others)}


def standings(book: Dice, reader: Strong, programs: Mapping[int, str] | None = None) -> list[CarProspects]:
    """Return the prospects of every car; those home come before, those out after all others.

    `programs` are the cars that the program drives, with the names of their drivers; None takes all for champions.
    """
    race = book.race
    found = []
    for number in book.running_order():
        car = book.car(number)
        if car.alive:
            rounds = reader.turns(race, car) + (number in race.played)
            found.append(CarProspects(number, rounds))
        else:
            found.append(
                CarProspects(number, len(found) - LATE if car.status == "finished" else LATE + len(found), False)
            )
    return found if programs is None else [one.with_driver(programs.get(one.number, "")) for one in found]


def odds_of(cars: Sequence[CarProspects]) -> Odds:
    """Return the chances of such standings; the same for the same."""
    found = {car.number: [0] * len(cars) for car in cars}
    for times in zip(*(_times(car, at, len(cars)) for at, car in enumerate(cars)), strict=True):
        for place, (_, number) in enumerate(sorted(times)):
            found[number][place] += 1
    return {number: [count / DRAWS for count in counts] for number, counts in found.items()}


def wins_of(cars: Sequence[CarProspects], owns: Sequence[CarProspects]) -> list[float]:
    """Return a car's chance to win with each of the prospects `owns`, the others as they are.

    It is as `odds_of` has it, but the others are drawn once for all of them.
    """
    number, many = owns[0].number, len(cars)
    others = [_times(car, at, many) for at, car in enumerate(cars) if car.number != number]
    first = list(map(min, *others)) if len(others) > 1 else others[0] if others else [(inf, 0)] * DRAWS
    (here,) = (at for at, car in enumerate(cars) if car.number == number)
    return [sum(map(lt, _times(own, here, many), first)) / DRAWS for own in owns]


@lru_cache(maxsize=64)
def _times(car: CarProspects, at: int, cars: int) -> list[tuple[float, int]]:
    """Return when a car at a place among this many comes home in each draw, with its number.

    Most cars stand as they did when the last question was asked.
    """
    if not car.racing:
        return [(car.rounds, car.number)] * DRAWS
    number, rounds, wide = car.number, car.rounds, SCATTER * sqrt(max(car.rounds, 0.0))
    stays, late = exp(-car.risk * car.rounds), LATE - car.rounds
    return [
        (rounds + wide * scattered if fate < stays else late, number)
        for scattered, fate in zip(*_draws(cars)[at], strict=True)
    ]


@cache
def _draws(cars: int) -> list[tuple[tuple[float, ...], tuple[float, ...]]]:
    """Return by car how far it scatters in each draw, and its fate.

    The draws are the same for every question, so that what differs between two answers is not chance.
    """
    chance = Random(cars)
    drawn = [([chance.gauss(0, 1) for _ in range(cars)], [chance.random() for _ in range(cars)]) for _ in range(DRAWS)]
    scattered, fates = zip(*drawn, strict=True)
    return list(zip(zip(*scattered, strict=True), zip(*fates, strict=True), strict=True))


def odds(book: Dice, reader: Strong, programs: Mapping[int, str] | None = None) -> Odds:
    """Each car's chance of each place as the race stands; see `standings`."""
    return odds_of(standings(book, reader, programs))


def chances(
    talk: Conversation, programs: Mapping[int, str], races: int = 0, progress: Progress = lambda share: None,
    so_far: SoFar = lambda odds: None,
) -> dict[str, list[float]]:  # fmt: skip
    """Return each car's chance of each place as plain data.

    It comes from the tables or, where a race has none at hand, nor soon, from RACES driven to their end; with `races`
    from so many in any case. Raises BadAnswer for a race that has not begun.
    """
    book: Book = talk.rulebook  # type: ignore[assignment]
    if book.race.phase == "setup":
        raise BadAnswer("no_odds")
    if tabled(book) and not races and (at_hand(book) or soon_at_hand(book)):
        found = odds(book, strong("champion", book), programs)
    else:
        found = driven_out(talk, programs, races or RACES, progress=progress, so_far=so_far)
    return as_plain(found)


def as_plain(found: Odds) -> dict[str, list[float]]:
    """Return odds as plain data."""
    return {str(number): places for number, places in found.items()}


def driven_out(
    talk: Conversation, programs: Mapping[int, str], races: int = RACES, seed: int = 0,
    progress: Progress = lambda share: None, so_far: SoFar = lambda odds: None,
) -> Odds:  # fmt: skip
    """Return the odds from this many races driven to their end from the last stored state, traffic and all.

    The program's drivers drive where the program has the seat, else the one that a person is taken for. `so_far` gets
    the odds of the first PART races, and of the next.
    """
    book: Book = talk.rulebook  # type: ignore[assignment]
    found = {car.number: [0] * len(book.race.cars) for car in book.race.cars}
    saved = talk.checkpoints[-1][1] if talk.checkpoints else book.save()
    for number in range(races):
        other = book.clone()
        other.load(saved)
        other.sample_hidden(seed + number)
        on = Conversation(other)
        drivers = {name: driver_named(name, other, seed + number) for name in {PERSON, *programs.values()}}
        while (asked := on.asked) is not None:
            driver = drivers[programs.get(asked.car or 0) or PERSON]
            on.answer(driver.answer(asked, other.race))
        for place, line in enumerate(other.result()):
            found[int(line["car"])][place] += 1
        done = number + 1
        progress(done / races)
        if not done % PART and done < races:
            so_far({number: [count / done for count in counts] for number, counts in found.items()})
    return {number: [count / races for count in counts] for number, counts in found.items()}
