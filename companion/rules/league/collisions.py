"""The league's body test: all who are adjacent roll, the one behind too, and nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.overriding import override
from companion.rules.dice.collisions import Collisions
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeagueCollisions(Collisions[LeagueCar, LeagueRace, LeagueFigures]):
    """Who tests."""

    book: League

    @override
    def neighbours(self, car: LeagueCar) -> list[LeagueCar]:
        """All who are adjacent to the one who has ended his turn: beside him, straight ahead, and straight behind; by
        the official procedure not the one behind. On a corner sheet the table names that one with those beside
        [body.test, ruling 5]."""
        near = super().neighbours(car)
        if self.figures.official_body_test or self.track.known == "corner":
            return near
        behind = self.track.behind[self.track.ids[car.at or ""]]
        if behind < 0:
            return near
        name = self.track.spaces[behind].name
        return self.book.order.in_running_order([*near, *(other for other in self.others(car) if other.at == name)])

    @override
    def mover_tests(self) -> bool:
        """Only those roll whom a racer has come up to; by the official procedure so does he [body.test, ruling 5]."""
        return self.figures.official_body_test
