"""The league's pits: a lane for any number of cars, and stops that take their own turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.kinds import Pools
from companion.rules.conversation.overriding import override
from companion.rules.dice.pits import Pits
from companion.rules.league.figures import LeagueFigures
from companion.rules.league.state import LeagueCar, LeagueRace

if TYPE_CHECKING:
    from companion.rules.league.league import League


class LeaguePits(Pits[LeagueCar, LeagueRace, LeagueFigures]):
    """Into the lane, to the box, out again, as the league has it."""

    book: League

    @override
    def may_enter(self, car: LeagueCar) -> bool:
        """The pits are open once, at the end of the first lap [pit.entry, ruling 11]."""
        return car.lap == self.figures.pit_lap and super().may_enter(car)

    @override
    def holds_many(self, space: str | None) -> bool:
        """The pit lane and its boxes are as wide as it takes: nobody waits for another [pit.lane, ruling 13]."""
        return (space or "").startswith(("pit:", "box:"))

    @override
    def into_pits(self, car: LeagueCar, place: str) -> None:
        """Entering the lane cuts the gear to 4th, free of charge [pit.lane, ruling 13]."""
        entering, limit = not car.in_pits, self.figures.leave_gear
        super().into_pits(car, place)
        if entering and car.gear > limit:
            before, car.gear = car.gear, limit
            self.rule("gear_cut", "pit.lane", car, before=before, gear=limit)

    @override
    def lane_gears(self, car: LeagueCar, gears: list[int]) -> list[int]:
        """In the lane any gear up to the limit [pit.lane, ruling 13]."""
        return [gear for gear in gears if gear <= self.figures.leave_gear] or gears[:1]

    @override
    def quick_stop(self, car: LeagueCar) -> Proc[None]:
        """All tyres are back; the die is rolled in the next turn [pit.quick, ruling 12]."""
        car.stop = "quick"
        self.rule("stops", "pit.quick", car, stop="quick")
        return
        yield

    @override
    def repairs_left(self, car: LeagueCar) -> int:
        """A technical stop gives two other points back, of any kind [pit.technical, ruling 15]."""
        return self.figures.technical_points

    @override
    def repair(self, car: LeagueCar, repairs: Pools) -> None:
        """Points that were lost come back, never more than the car began with [pit.technical, ruling 15]."""
        for pool, points in repairs.items():
            car.wear[pool] += points
        self.rule("repair", "pit.technical", car, dict(repairs))

    @override
    def turn_in_box(self, car: LeagueCar) -> Proc[None]:
        """After a quick stop the die says whether the car leaves: 1 to 10, out in 4th by half of it, rounded up; 11 to
        20, in the next turn. After a technical stop it stays for this turn; else it drives out
        [pit.quick, pit.missed, pit.technical, ruling 12]."""
        if car.stop == "quick":
            yield from super().quick_stop(car)
        elif car.stop == "long":
            car.stop = "missed"
            self.rule("waits", "pit.technical", car)
        else:
            yield from super().turn_in_box(car)

    @override
    def leave_at_once(self, car: LeagueCar, spaces: int) -> Proc[None]:
        """The way out of a quick stop, without a soft space [pit.quick]."""
        yield from self.leave_box(car)
        yield from self.book.moving.displace(car, spaces, soft=False, least=1)
        yield from self.book.turn.after_move(car)

    @override
    def leave_box(self, car: LeagueCar) -> Proc[None]:
        """The box is left in 4th [pit.quick, pit.missed, pit.technical]."""
        car.gear = self.move.gear = self.figures.leave_gear
        self.rule("gear", "pit.lane", car, before=0, gear=car.gear)
        car.stop = "left"
        return
        yield
