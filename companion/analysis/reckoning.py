"""The reckoning of a race: every answer moves the round in which its car is expected home, by luck or by a mistake.

For each car there is one number, the round in which it is expected home. Between turns that is the rounds behind it and
what the table says is still to come. A decision is measured against the best that was offered: what the best brings
otherwise than expected is luck (the roll, the cars in the way), what the answer given is worse than the best is a
mistake. Whatever else moves the number, a collision or the weather, is luck too. So both add up to all that changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.analysis.findings import TURNING, Analysis, CarAnalysis, Moment, SoFar, turns_of
from companion.drivers import Progress
from companion.drivers.odds import CarProspects, odds_of, standings, tabled, wins_of
from companion.drivers.registry import strong
from companion.drivers.weights import out_of
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.conversation import Conversation
from companion.rules.dice.state import Car
from companion.sheets.acts import Item
from companion.sheets.history import History
from companion.sheets.replay import reapply_answer, rulebook_of

if TYPE_CHECKING:
    from companion.rules.rulebooks import Dice

DEAREST: Final = 3
"""Maximum number of mistakes reported for a driver."""
MATTERS: Final = 0.25
"""Size of a moment, in turns, from which its effect on the chance to win is examined."""


class Reckoning:
    """A race on its way through the reckoning."""

    def __init__(self, history: History) -> None:
        """Prepare the analysis of a race that tables know."""
        beginning = history.beginning
        assert beginning is not None
        book = rulebook_of(beginning.setup, beginning.track)
        assert tabled(book)
        self.history, self.name = history, history.name
        self.book: Dice = book
        self.talk = Conversation(book)
        self.reader = strong("champion", book)
        self.home: dict[int, float] = {}
        """The round in which each car is expected home."""
        self.expected: dict[int, float] = {}
        self.luck: dict[int, float] = {}
        self.mistakes: dict[int, float] = {}
        self.decisions: dict[int, int] = {}
        self._ended: set[int] = set()
        self.moments: list[Moment] = []
        self.chances: list[dict[int, float]] = []

    def reckon(self, progress: Progress = lambda share: None, so_far: SoFar | None = None) -> Analysis:
        """Analyse the whole race, answer by answer; call `so_far` with the findings whenever another round begins."""
        items, told = self.history.items, 1
        self._rest()
        for number, item in enumerate(items):
            asked = self.talk.asked
            if asked is not None and item.event.change is None:
                self._weigh(asked, item)
            reapply_answer(self.talk, self.history, item)
            self._rest()
            if so_far is not None and len(self.chances) > told:
                told = len(self.chances)
                so_far(self._findings())
            if number % 20 == 0:
                progress(number / max(len(items), 1))
        progress(1.0)
        return self._findings()

    # -- one answer

    def _weigh(self, asked: Asked, item: Item) -> None:
        """Measure a decision before it is done, if it is one that a table weighs."""
        number, options = asked.car, asked.options or []
        if number is None or number not in self.home:
            return
        weighed = self.reader.weigh(asked, self.book.race)
        if weighed is None:
            return
        turns = [max(one, 0.0) for one in weighed]
        given = next((at for at, option in enumerate(options) if option.answer == item.event.answer), None)
        best = min(turns)
        behind = float(self.book.race.round)
        self._move(asked, item, number, behind + best)
        if given is None:
            return
        self.decisions[number] += len(options) > 1
        if turns[given] > best:
            better = options[turns.index(best)].answer
            lost = tuple((option.answer, one - best) for option, one in zip(options, turns, strict=True))
            self._move(asked, item, number, behind + turns[given], better, lost)

    def _move(
        self, asked: Asked, item: Item, number: int, home: float, better: object = None,
        weighed: tuple[tuple[Json, float], ...] = (),
    ) -> None:  # fmt: skip
        """Move the round in which a car is expected home: by luck, or where something was `better` by a mistake."""
        was, self.home[number] = self.home[number], home
        change = home - was
        if better is None:
            self.luck[number] -= change
        else:
            self.mistakes[number] += change
        if abs(change) < MATTERS:
            return
        before, after = self._chances(number, was, home)
        race = self.book.race
        ask, what, answer = asked.ask, asked.what, item.event.answer
        if better is None and asked.ask != "gear" and race.move is not None and race.move.face:
            ask, what, answer = "roll", f"gear_{race.move.gear}", race.move.face
        self.moments.append(
            Moment(
                self.talk.n, item.seq, race.round, number, ask, what, answer,
                -change if better is None else 0.0, change if better is not None else 0.0, better, before, after,
                weighed,
            )
        )  # fmt: skip

    def _chances(self, number: int, *homes: float) -> list[float]:
        """Return a car's chances to win if it were expected home in these rounds."""
        programs = self.history.programs
        cars, behind = standings(self.book, self.reader, programs), self.book.race.round - 1
        return wins_of(
            cars, [CarProspects(number, home - behind).with_driver(programs.get(number, "")) for home in homes]
        )

    def _rest(self) -> None:
        """After an answer: where each car stands that is not in the middle of its turn."""
        race = self.book.race
        if race.phase == "setup":
            return
        for car in race.cars:
            moving = race.move is not None and race.move.car == car.number
            if car.number not in self.home:
                self.home[car.number] = self.expected[car.number] = self._stands(car)
                self.luck[car.number] = self.mistakes[car.number] = 0.0
                self.decisions[car.number] = 0
            elif car.status == "finished" and car.number not in self._ended:
                self._settle(car, float(race.round))
            elif not car.alive and car.number not in self._ended:
                self._settle(car, race.round + out_of(self.book.track, race.laps - car.lap))
            elif car.alive and not moving:
                self._ended.discard(car.number)
                self._by_luck(car, self._stands(car))
        if race.round > len(self.chances) and race.phase == "race":
            chances = odds_of(standings(self.book, self.reader, self.history.programs))
            self.chances.append({number: places[0] for number, places in chances.items()})

    def _settle(self, car: Car, home: float) -> None:
        self._ended.add(car.number)
        self._by_luck(car, home)

    def _by_luck(self, car: Car, home: float) -> None:
        self.luck[car.number] += self.home[car.number] - home
        self.home[car.number] = home

    def _stands(self, car: Car) -> float:
        """Return the round in which a car is expected home, as the table has it between two turns."""
        race = self.book.race
        behind: int = race.round - 1 + (car.number in race.played)
        return behind + self.reader.turns(race, car)

    # -- the whole

    def _findings(self) -> Analysis:
        race = self.book.race
        drivers = []
        for place, car in enumerate(self.book.finish.classification(), 1):
            own = sorted((one for one in self.moments if one.car == car.number and one.mistake), key=_dearest)
            drivers.append(
                CarAnalysis(
                    car.number, car.driver, place if car.status == "finished" else None, car.status,
                    self.expected[car.number], self.home[car.number], self.luck[car.number], self.mistakes[car.number],
                    self.decisions[car.number], turns_of(self.history, car.number), tuple(own[:DEAREST]),
                )
            )  # fmt: skip
        turning = sorted(self.moments, key=lambda one: -one.swing)[:TURNING]
        return Analysis(
            self.name, self.book.track.name, self.book.name, race.round, tuple(drivers), tuple(self.chances),
            tuple(sorted(turning, key=lambda one: one.n)),
        )  # fmt: skip


def _dearest(moment: Moment) -> float:
    return -moment.mistake
