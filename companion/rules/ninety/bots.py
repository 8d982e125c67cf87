"""Bots: drivers without cards or charts, who drive by a few rules."""

from __future__ import annotations

from companion.rules.conversation.asking import Proc
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.figures import SectionFigures
from companion.rules.ninety.state import SectionCar


class Bots(SectionChapter):
    """What a bot does."""

    @staticmethod
    def bots_wanted(figures: SectionFigures, players: int) -> int:
        """Three of each speed class for up to three players, two for more [bots.number, ruling 47]."""
        return figures.bots_few if players <= 3 else figures.bots_many

    def bot_value(self, car: SectionCar) -> int:
        """Slow bots move 2, fast ones 3 [bots.values]."""
        return self.figures.slow_bot if car.bot == "slow" else self.figures.fast_bot

    def bot_stops(self, car: SectionCar) -> bool:
        """Whether a bot stops now: for every marker of its class that has come up, the first of the class on the track
        that has not stopped yet, of those that have still to play; for two markers the first two, whichever of them
        comes up first; no other stops [bots.pit, ruling 13, ruling 36]."""
        race = self.race
        kin = [other for other in race.cars if other.bot == car.bot]
        due = sum(other.fuel <= race.round for other in kin) - sum(other.stops for other in kin)
        ready = [one for one in self.book.order.running() if one.status == "racing" and one.number not in race.played]
        return car in [one for one in ready if one.bot == car.bot and not one.stops][: max(due, 0)]

    def bot_turn(self, car: SectionCar) -> Proc[None]:
        """A bot moves by its value and whatever its trajectory point brings; it never brakes late, makes no checks and
        takes no damage [bots.values, bots.late-trajectory, bots.overtake, ruling 37, ruling 38]."""
        points = self.bot_value(car) + self.book.trajectories.line_bonus(car, [])
        yield from self.book.moving.drive(car, points, [])
        yield from self.book.trajectories.choose_line(car)
