"""What a driver does with his car in his own move besides driving it: nitros, ram, clutch, ramp."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.rules.circuit.distance import NEVER, distances
from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Json, Moot, Option, Proc, ask
from companion.rules.conversation.forms import Choice
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import POOL, DeathCar, DeathRace
from companion.rules.dice.chapter import DiceChapter

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class Gadgets(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """From the ramp to the clutch."""

    book: Death

    # -- the move

    def nitros(self, car: DeathCar) -> Proc[int]:
        """Once a lap as many spaces more as the gear has [utility.nitros]."""
        if car.in_pits:
            return 0
        gear = car.gear
        if not (yield from self.book.bodywork.uses(car, "nitros", lambda: car.ready("nitros"), spaces=gear)):
            return 0
        self.book.bodywork.spend(car, "nitros", spaces=gear)
        return gear

    # -- the ram spike, the clutch

    def rammed(self, car: DeathCar) -> DeathCar | None:
        """The car that a ram spike would strike: the one straight ahead at the end of the move [utility.ram-spike]."""
        if car.utility != "ram-spike" or car.status != "racing" or self.move.finished:
            return None
        return self.book.slipstream.car_ahead(car)

    def ram(self, car: DeathCar) -> Proc[bool]:
        """A point of damage to the car straight ahead instead of a slipstream; the collision is rolled as usual
        [utility.ram-spike]."""
        other = self.rammed(car)
        if other is None:
            return False
        ahead = other.number
        cards = self.book.bodywork
        if not (yield from cards.uses(car, "ram-spike", lambda: self.rammed(car) is other, other=ahead)):
            return False
        self.rule("used", "utility.ram-spike", car, card="ram-spike", other=ahead, left=0)
        self.book.wear.hurt(other, 1, "utility.ram-spike", why="ram", other=car.number)
        return True

    def clutch_question(self, car: DeathCar) -> Choice[int | None] | None:
        """Whether a car one space short of a corner pays for the space that takes it in, and which
        [clutch.drop, utility.drop-clutch, rulings 5 to 8]."""
        move = self.book.move
        if car.status != "racing" or move.finished or move.stopped or move.overs or not self.book.wear.points(car):
            return None
        at = self.track.ids[car.at or ""]
        taken = {other.at for other in self.others(car)}
        corner = self.track.corner
        spaces = [
            space
            for space in self.track.moves[at]
            if corner[space] >= 0 and corner[space] != corner[at] and self.track.spaces[space].name not in taken
        ]
        if not spaces or self.leaves_too_early(car, at):
            return None
        choices: list[tuple[Option, int | None]] = [(Option(None), None)]
        choices += [(self.clutch_option(car, space), space) for space in spaces]
        return Choice("clutch", car.number, "clutch.drop", choices, wanted="The clutch is left (null) or dropped onto")

    def leaves_too_early(self, car: DeathCar, at: int) -> bool:
        """Whether the car still owes a stop in the corner that it stands in [basic.corner]."""
        corner = self.track.corner[at]
        if corner < 0:
            return False
        made = self.move.made + 1 if corner == self.book.corners.corner_of(self.move.begin) else 1
        return made < self.track.corners[corner].stops

    def clutch_option(self, car: DeathCar, space: int) -> Option:
        """One space further, at the price of the clutch, for the first stop of the corner there [clutch.drop]."""
        points, corner = self.clutch_price(car), self.track.corners[self.track.corner[space]]
        spun = self.book.wear.at_zero() if points >= self.book.wear.points(car) else {}
        return Option(
            {"space": self.track.spaces[space].name, "brakes": 0, "soft": 0},
            self.book.wear.cost({"body": points}),
            {"moved": 1, "corner": corner.number, "stops": 1, "of": corner.stops, **spun},
        )

    def clutch_price(self, car: DeathCar) -> int:
        """Two points of damage, one with the card [clutch.drop, utility.drop-clutch]."""
        figures = self.figures
        return figures.clutch_card_damage if car.utility == "drop-clutch" else figures.clutch_damage

    def drop_clutch(self, car: DeathCar) -> Proc[None]:
        """The damage falls where the car is, then it stands in the corner, and its stop counts; the space that it left
        is one to follow onto [clutch.drop, utility.mag-plates, rulings 5, 6, 10]."""
        try:
            space = yield from ask(self.clutch_question, car)
        except Moot:
            return
        if space is None:
            return
        points, begin = self.clutch_price(car), car.at
        self.rule("used", "clutch.drop", car, card="drop-clutch", at=self.track.spaces[space].name, left=0)
        self.book.moving.take(car, Landing(space, 1))
        self.book.wear.hurt(car, points, "clutch.drop", at=begin, why="clutch")
        self.book.wear.empty(car)
        yield from self.book.bodywork.heal(car, begin, car.at)
        yield from self.book.wreckage.entering(car)
        yield from self.book.bodywork.mag_plates(car, begin)

    # -- the pneumatic ramp

    def raise_ramp(self, car: DeathCar, spaces: int) -> Proc[None]:
        """Once a lap a whole move, of so many spaces at most, may go through other cars, in its slipstream too
        [utility.pneumatic-ramp, slipstream.any-gear, ruling 1]."""
        if car.in_pits:
            return
        near = any(self.in_reach(car, other, spaces) for other in self.others(car))
        if near and (yield from self.book.bodywork.uses(car, "pneumatic-ramp", lambda: car.ready("pneumatic-ramp"))):
            self.book.bodywork.spend(car, "pneumatic-ramp")
            self.book.move.ramp = True

    def in_reach(self, car: DeathCar, other: DeathCar, spaces: int) -> bool:
        """Whether another car stands no further ahead than a move goes, or just beyond it: that one draws it on
        [utility.pneumatic-ramp, slipstream.any-gear]."""
        ids = self.track.ids
        return distances(self.track, ids[car.at or ""]).get(ids[other.at or ""], NEVER) <= spaces + 1

    def ramped(self, car: DeathCar, landing: Landing) -> Proc[Landing]:
        """Ending on another car costs two points, that car rolls for a collision, and the ramp takes a free space
        beside it; if there is none, the same with a car beside that one [utility.pneumatic-ramp]."""
        struck: list[int] = []
        space, start = landing.space, car.at
        while (other := self.book.bodywork.under(car, space)) is not None:
            struck.append(other.number)
            self.book.wear.hurt(
                car, self.figures.ramp_damage, "utility.pneumatic-ramp", at=other.at, why="ramp", other=other.number
            )
            meets = partial(self.stands_under, other, car, space)
            yield from self.book.collisions.body_test(other, False, car, meets=meets)
            if self.book.bodywork.under(car, space) is None:
                break
            try:
                space = yield from ask(self.place_question, car, space, struck, start)
            except Moot:
                break
        if self.book.bodywork.under(car, space) is not None:
            return Landing(self.track.ids[car.at or ""], 0)
        return Landing(space, landing.moved, landing.brakes, overs=landing.overs)

    def stands_under(self, other: DeathCar, car: DeathCar, space: int) -> bool:
        """Whether the car on which a ramp has come down still stands there [utility.pneumatic-ramp]."""
        return self.book.bodywork.under(car, space) is other

    def comes_down(self, car: DeathCar, landing: Landing) -> bool:
        """Whether a ramp move ends on another car, and goes on from there [utility.pneumatic-ramp]."""
        return not landing.finished and self.book.bodywork.under(car, landing.space) is not None

    def onto(self, car: DeathCar, other: DeathCar, option: Option) -> Option:
        """Coming down on a car has its price, which may spin or destroy [utility.pneumatic-ramp, spin.zero]."""
        cost, left = self.figures.ramp_damage - option.wear.get(POOL, 0), self.book.wear.points(car)
        facts: dict[str, Json] = {**option.facts, "onto": other.number}
        if left == 0 and self.figures.ramp_damage:
            facts["out"] = "destroyed"
        elif 0 < cost >= left:
            facts.update(self.book.wear.at_zero())
        return Option(option.answer, self.book.wear.cost({"body": cost}), facts)

    def place_question(self, car: DeathCar, space: int, struck: list[int], start: str | None) -> Choice[int] | None:
        """Where a car is put that came down on another: a free space beside it, else a taken one; moot once the
        referee has put it elsewhere [utility.pneumatic-ramp]."""
        if not car.alive or car.at != start:
            return None
        under = self.book.bodywork.under
        near = self.book.reach.adjacent(space)
        free = [x for x in near if under(car, x) is None]
        if not free:
            free = [x for x in near if (other := under(car, x)) is not None and other.number not in struck]
        if not free:
            return None
        names = [self.track.spaces[x].name for x in free]
        choices = [(Option({"space": name, "brakes": 0, "soft": 0}), x) for name, x in zip(names, free, strict=True)]
        return Choice("place", car.number, "utility.pneumatic-ramp", choices, wanted="It is put down on")
