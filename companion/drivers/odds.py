"""Each car's chance of each place: from the turns that it still needs, as the table has them, and how far dice scatter.

The cars are taken for independent of one another; what they do to each other is in no table. Where there is none, on
corner sheets and with cards, or where there is time, the race is driven to its end some hundred times instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import exp, sqrt
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, TypeGuard

from companion.drivers import Progress
from companion.drivers.roster import driver_named, strong
from companion.drivers.strong import Strong
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.dice.formula_de import FormulaDe

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book, Dice

SCATTER = 0.26  # a test tries others
"""The standard deviation of the turns still needed, as a multiple of their square root."""
PERSON: Final = "sensible"
"""Whom a person is taken for."""
DRAWS: Final = 1000
"""How often the rest of a race is drawn."""
RACES: Final = 100
"""How often it is driven, where no table has it."""
LATE: Final = 1000.0
"""Later than any car comes home."""


class Style(NamedTuple):
    """How a driver drives: the turns that he needs for one of a champion, and how likely he goes out in a turn."""

    pace: float
    risk: float


STYLES: Final[Mapping[str, Style]] = {
    "champion": Style(1.0, 0.0007),
    "club": Style(1.17, 0.0012),
    "learner": Style(1.68, 0.0083),
    "sensible": Style(1.07, 0.0022),
}
"""As `tests.drivers.calibration` counts them on Monaco, two laps, six cars, dry."""


class Standing(NamedTuple):
    """How a car stands: the rounds until it is home, as one would expect; whether it races on, and if not how the order
    has it; and how likely it goes out in a turn."""

    number: int
    rounds: float
    racing: bool = True
    risk: float = STYLES["champion"].risk

    def driven(self, by: str) -> Standing:
        """The same for a driver, if it was read as a champion's."""
        style = STYLES[by or PERSON]
        return self._replace(rounds=self.rounds * style.pace, risk=style.risk) if self.racing else self


Odds = Mapping[int, list[float]]
"""By car the chance of each place, from the first on."""


def tabled(book: object) -> TypeGuard[Dice]:
    """Whether tables know the turns of a race: by dice, on a circuit known to the space."""
    return isinstance(book, FormulaDe) and book.track.known == "space"


def standings(book: Dice, reader: Strong, programs: Mapping[int, str] | None = None) -> list[Standing]:
    """How every car stands; those home come before, those out after all others. `programs` are the cars that the
    program drives, with the names of their drivers; None takes all for champions."""
    race = book.race
    found = []
    for number in book.running_order():
        car = book.car(number)
        if car.alive:
            rounds = reader.turns(race, car) + (number in race.played)
            found.append(Standing(number, rounds))
        else:
            found.append(Standing(number, len(found) - LATE if car.status == "finished" else LATE + len(found), False))
    return found if programs is None else [one.driven(programs.get(one.number, "")) for one in found]


def odds_of(cars: list[Standing]) -> Odds:
    """The chances of such standings; the same for the same."""
    found = {car.number: [0] * len(cars) for car in cars}
    spread = [SCATTER * sqrt(max(car.rounds, 0.0)) if car.racing else 0.0 for car in cars]
    stays = [exp(-car.risk * car.rounds) if car.racing else 1.0 for car in cars]
    row = [(at, car.number, car.rounds, spread[at], stays[at]) for at, car in enumerate(cars)]
    for scattered, fates in _draws(len(cars)):
        times = [
            (rounds + wide * scattered[at] if fates[at] < stay else LATE - rounds, number)
            for at, number, rounds, wide, stay in row
        ]
        times.sort()
        for place, (_, number) in enumerate(times):
            found[number][place] += 1
    return {number: [count / DRAWS for count in counts] for number, counts in found.items()}


@cache
def _draws(cars: int) -> list[tuple[list[float], list[float]]]:
    """The same draws for every question, so that what differs between two answers is not chance."""
    chance = Random(cars)
    return [([chance.gauss(0, 1) for _ in range(cars)], [chance.random() for _ in range(cars)]) for _ in range(DRAWS)]


def odds(book: Dice, reader: Strong, programs: Mapping[int, str] | None = None) -> Odds:
    """Each car's chance of each place as the race stands; see `standings`."""
    return odds_of(standings(book, reader, programs))


def chances(
    talk: Conversation, programs: Mapping[int, str], races: int = 0, progress: Progress = lambda share: None
) -> dict[str, list[float]]:
    """Each car's chance of each place as plain data, from the tables or, where a race has none, from RACES driven to
    their end; with `races` from so many in any case. Raises BadAnswer for a race that has not begun."""
    book: Book = talk.rulebook  # type: ignore[assignment]
    if book.race.phase == "setup":
        raise BadAnswer("There are odds only once the race has begun.", "no_odds")
    if tabled(book) and not races:
        found = odds(book, strong("champion", book), programs)
    else:
        found = driven_out(talk, programs, races or RACES, progress=progress)
    return {str(number): places for number, places in found.items()}


def driven_out(
    talk: Conversation, programs: Mapping[int, str], races: int = RACES, seed: int = 0,
    progress: Progress = lambda share: None,
) -> Odds:  # fmt: skip
    """The same from so many races driven to their end from the last state that was kept, traffic and all: by the
    program's drivers where it has the seat, else by the one that a person is taken for."""
    book: Book = talk.rulebook  # type: ignore[assignment]
    found = {car.number: [0] * len(book.race.cars) for car in book.race.cars}
    saved = talk.marks[-1][1] if talk.marks else book.save()
    for number in range(races):
        other = book.spare()
        other.load(saved)
        other.guess(seed + number)
        on = Conversation(other)
        drivers = {name: driver_named(name, other, seed + number) for name in {PERSON, *programs.values()}}
        while (asked := on.asked) is not None:
            driver = drivers[programs.get(asked.car or 0) or PERSON]
            on.answer(driver.answer(asked, other.race))
        for place, line in enumerate(other.result()):
            found[int(line["car"])][place] += 1
        progress((number + 1) / races)
    return {number: [count / races for count in counts] for number, counts in found.items()}
