"""The analysis of a race that no table knows, by cards or on a corner sheet.

At the beginning of its rounds it is driven to its end some times from there, and so each car's chance to win then is
known. Luck and mistakes in a round nobody can tell apart: with so few races a single answer weighs less than chance
does.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.analysis.findings import TURNING, Analysis, CarAnalysis, Moment, SoFar, turns_of
from companion.drivers import Progress
from companion.drivers.odds import driven_out
from companion.rules.conversation.conversation import Conversation
from companion.sheets.history import History
from companion.sheets.replay import reapply_answer, rulebook_of

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book

MOST: Final = 10
"""Maximum number of rounds examined, spread over the race."""
RACES: Final = 60
"""Number of races driven out from each of these rounds."""
NOTED: Final = 0.2
"""Smallest change of a chance that is reported: two chances, each counted in this many races, differ by it three times
in a hundred though nothing changed."""


class Look(NamedTuple):
    """A round that was looked at: its number, the answers and the entry before it, each car's chance to win."""

    round: int
    n: int
    seq: int
    wins: dict[int, float]


class DrivingOut:
    """A race on its way through."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.looks: list[Look] = []
        self.book: Book

    def reckon(self, progress: Progress = lambda share: None, so_far: SoFar | None = None) -> Analysis:
        """Analyse the whole race; call `so_far` with the findings whenever another round was looked at."""
        rounds: list[int] = []
        self._replay(lambda number, seq, talk: rounds.append(number))
        every = max(1, -(-len(rounds) // MOST))
        wanted = rounds[::every]

        def look(number: int, seq: int, talk: Conversation) -> None:
            if number not in wanted:
                return
            found = driven_out(talk, self.history.programs, RACES)
            self.looks.append(Look(number, talk.n, seq, {car: places[0] for car, places in found.items()}))
            progress(len(self.looks) / len(wanted))
            if so_far is not None:
                so_far(self._findings())

        self._replay(look)
        return self._findings()

    def _replay(self, at_round: Callable[[int, int, Conversation], None]) -> None:
        """Play the race again; call `at_round` with each round that begins, and the entry before it."""
        beginning = self.history.beginning
        assert beginning is not None
        self.book = rulebook_of(beginning.setup, beginning.track)
        talk, before = Conversation(self.book), 0
        for item in self.history.items:
            reapply_answer(talk, self.history, item)
            if self.book.race.phase == "race" and self.book.round > before:
                before = self.book.round
                at_round(before, item.seq, talk)

    def _findings(self) -> Analysis:
        beginning, race = self.history.beginning, self.book.race
        assert beginning is not None
        swings = self._swings(race.round)
        drivers = []
        for line in self.book.result():
            car = self.book.car(line["car"])
            own = tuple(one for one in swings if one.car == car.number)[:TURNING]
            turns = turns_of(self.history, car.number)
            drivers.append(CarAnalysis(car.number, car.driver, line["place"], car.status, turns=turns, dearest=own))
        seen = {look.round: look.wins for look in self.looks}
        return Analysis(
            self.history.name, self.book.track.name, self.book.name, race.round, tuple(drivers),
            tuple(seen.get(number, {}) for number in range(1, race.round + 1)),
            tuple(sorted(swings[:TURNING], key=lambda one: one.n)), weighed=False,
        )  # fmt: skip

    def _swings(self, rounds: int) -> list[Moment]:
        """Return the changes of the chances to win from look to look and to the flag, greatest first."""
        ends = list(self.looks)
        if self.book.race.phase == "over":
            won = {line["car"]: float(line["place"] == 1) for line in self.book.result()}
            ends.append(Look(rounds + 1, 0, 0, won))
        found = [
            Moment(was.n, was.seq, was.round, car, "declare", "", None, before=chance, after=now.wins[car],
                   until=now.round - 1)
            for was, now in pairwise(ends)
            for car, chance in was.wins.items()
        ]  # fmt: skip
        return sorted((one for one in found if one.swing >= NOTED), key=lambda one: -one.swing)
