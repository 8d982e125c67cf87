"""Strategies: how they are chosen, and the points that they bring."""

from __future__ import annotations

from companion.rules.conversation.asking import Option, Proc, ask
from companion.rules.ninety.cards import RaceCard
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.hand import CardQuestion, one_of
from companion.rules.ninety.state import STRATEGIES, SectionCar, Strategy


class Strategies(SectionChapter):
    """What a driver has set out to do."""

    def choose_strategy(self, car: SectionCar) -> Proc[None]:
        """A driver chooses a strategy before the race, at a stop, or for a turn that he skips [strategy.choose]."""
        car.strategy = yield from ask(self.strategy_question, car)
        self.rule("strategy", "strategy.choose", car, strategy=car.strategy)

    def strategy_question(self, car: SectionCar) -> CardQuestion[Strategy]:
        """One of five, and Chase where the table plays with it [strategy.choose, strategy.chase, ruling 22]."""
        known = [name for name in STRATEGIES if name != "chase" or self.figures.chase]
        return CardQuestion(
            "strategy", car.number, "strategy.choose", one_of(known),
            [Option(name) for name in known],
        )  # fmt: skip

    def hazard(self, car: SectionCar, played: list[RaceCard]) -> int:
        """Hazard: a point for each damage and each check on the cards played, whatever becomes of them
        [strategy.hazard, ruling 20]."""
        if car.strategy != "hazard":
            return 0
        points = sum(shown.count("RBC+-") for shown in played)
        if points:
            self.rule("bonus", "strategy.hazard", car, what="hazard", points=points)
        return points

    def chased(self, car: SectionCar) -> bool:
        """Chase: whether an unlapped car is ahead in the same section or stands in the next one
        [strategy.chase, ruling 22]."""
        if car.strategy != "chase" or not self.figures.chase:
            return False
        queue = self.book.order.queue(car.section)
        near = [*queue[: queue.index(car)], *self.book.order.queue((car.section + 1) % len(self.track.sections))]
        return any(self.book.order.progress(other) >= self.book.order.progress(car) for other in near)
