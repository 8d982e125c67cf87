"""Movement: one point a section, and what it costs to pass the cars that stand in the way."""

from __future__ import annotations

from companion.rules.conversation.asking import Proc
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.state import SectionCar

LAPPING = {"straight": 1, "braking": 1, "corner": 2}
"""Points for a car that is lapped or unlaps itself, by the kind of section [overtake.lapping, overtake.unlapping]."""


class Overtaking(SectionChapter):
    """Driving on."""

    @property
    def all_straight(self) -> bool:
        """On the first and the last turn every section is a straight: no contests and no late braking either
        [overtake.first-last, ruling 11]."""
        return self.race.round in (1, self.race.laps)

    def passing(self, car: SectionCar, other: SectionCar, *, begun: bool) -> tuple[int | None, str]:
        """The points that it costs to pass the car just ahead, None if that cannot be done, and the article. In the
        corner in which a turn has `begun` one that has played already is no part of its contest, held or not, and is
        passed as a lapped one is; bots pass one another for nothing, and unlap themselves from nobody else
        [overtake.straight, overtake.braking, overtake.corner, overtake.no-move, bots.overtake, ruling 8, ruling 9,
        ruling 37, ruling 41]."""
        kind, apart = self.section(car).kind, self.book.order.apart(car, other)
        if car.bot and other.bot:
            return 0, "bots.overtake"
        if car.bot and apart > 0:
            return None, "ruling 37"
        if self.all_straight:
            return self.freely(car, 1, "overtake.first-last")
        if other.still:
            return 1, "overtake.no-move"
        if kind == "straight":
            return 1, "overtake.straight"
        if apart < 0:
            return LAPPING[kind], "overtake.lapping"
        if apart > 0:
            return LAPPING[kind], "overtake.unlapping"
        if car.strategy == "banging":
            return LAPPING[kind], "overtake.banging"
        if begun and kind == "corner" and other.number in self.race.played:
            return LAPPING[kind], "ruling 41"
        return None, "overtake.braking" if kind == "braking" else "overtake.corner"

    def freely(self, car: SectionCar, price: int, article: str) -> tuple[int, str]:
        """With Banging Wheels the first overtake of turn one is free
        [strategy.banging-wheels, overtake.banging, ruling 15]."""
        if car.strategy == "banging" and self.race.round == 1 and not car.freed:
            return 0, "strategy.banging-wheels"
        return price, article

    def drive(self, car: SectionCar, points: int, played: list[str], *, begun: bool = True) -> Proc[bool]:
        """Every point takes the car one section on, unless cars stand ahead of it in its own: these it passes one by
        one first, and where it cannot it stops behind them and the rest is lost; so all points are used as far as
        overtaking allows. `begun` says that the turn began in its section, `played` are the cards on the table; back
        comes whether its movement is free to go on by late braking, which a leader's check that fails stops too
        [move.points, overtake.leader-check, ruling 3, ruling 4, ruling 5, ruling 6, ruling 7, ruling 10]."""
        moved, left, free = 0, points, True
        while left > 0:
            other = self.book.order.ahead(car)
            if other is None:
                self.book.order.advance(car)
                moved, left = moved + 1, left - 1
                continue
            price, article = self.passing(car, other, begun=begun and not moved)
            if price is None or price > left:
                self.rule("held_up", article, car, other=other.number, at=car.at, points=left)
                break
            checked = other.lapped
            free = yield from self.leaders_check(car, other, played)
            if not free:
                break
            if other.lapped != checked:
                continue  # to what it costs by now: the referee's word may have come while the check was asked
            self.swap(car, other, price, article)
            left -= price
        if car.alive:
            self.rule("move", "move.points", car, moved=moved, points=points, at=car.at, lap=car.lap)
        return free

    def swap(self, car: SectionCar, other: SectionCar, price: int, article: str) -> None:
        """A car passes the one just ahead [overtake.straight, overtake.lapping]."""
        car.arrived, other.arrived = other.arrived, car.arrived
        car.freed = car.freed or article == "strategy.banging-wheels"
        self.rule("overtakes", article, car, other=other.number, price=price, at=car.at)

    def leaders_check(self, car: SectionCar, other: SectionCar, played: list[str]) -> Proc[bool]:
        """The first time that the leader laps a car he takes a check, with a card just played too, before the points
        for it; if it fails he has one damage, stops behind that car and tries again next turn. A leading bot takes
        none, nor does who laps a car of his own team [overtake.leader-check, rulings 10, 27, 52]."""
        if car.bot or other.lapped or self.book.order.leader is not car:
            return True
        if car.team and car.team == other.team:
            return True
        dealt = self.book.hand.dealt
        there = [code for code in played if not dealt or code in self.race.discards]  # but for a new shuffle
        before = len(there)
        other.lapped = yield from self.book.checks.check(car, "C", "leader", "overtake.leader-check", there)
        if len(there) < before:
            played.remove(car.check)
            if dealt:
                self.race.discards.remove(car.check)
        return other.lapped
