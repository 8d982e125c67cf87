"""What a weapon reaches: who is in front, how far, and what must be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.rules.circuit.distance import NEVER, distances
from companion.rules.death.cards import Card
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.chapter import DiceChapter

if TYPE_CHECKING:
    from companion.rules.death.death import Death


SIDE: Final = {True: "front", False: "rear"}
"""Where a target is, by whether it would move before the attacker."""


class Reach(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """Front and rear, range, lanes and bends, line of sight."""

    book: Death

    # -- where cars are

    def adjacent(self, space: int) -> list[int]:
        """The spaces around one: beside it, ahead and behind in its lane [attack.range]."""
        track = self.track
        near = [track.ahead[space], *track.beside[space], track.behind[space]]
        return [x for x in near if x >= 0]

    # -- between two cars

    def ahead_of(self, car: DeathCar, other: DeathCar) -> bool:
        """Whether another car is in front: it would move before this one, wherever its nose points
        [attack.front, attack.rear, ruling 22]."""
        return self.book.order.leads(other, car)

    def on_track(self, car: DeathCar) -> bool:
        """Whether a car can be fired from and at: the pits lie off the track, and who is off
        takes no splash [attack.sight, weapon.frag-missiles]."""
        return car.alive and not car.in_pits

    def range_to(self, car: DeathCar, other: DeathCar) -> int:
        """The spaces between two cars, from any space around the one behind to the other; a neighbour is at 1. For a
        rear weapon they are counted from the target forward [attack.range, attack.rear, ruling 23]."""
        rear, front = (car, other) if self.ahead_of(car, other) else (other, car)
        ids = self.track.ids
        return self.range_from(ids[rear.at or ""], ids[front.at or ""])

    def range_from(self, rear: int, front: int) -> int:
        """The range between two spaces, counted forward [attack.range, ruling 23]."""
        nearest = distances(self.track, *self.adjacent(rear)).get(front, NEVER)
        return min(NEVER, nearest + int(not self.figures.neighbours_at_zero))

    def further_on(self, here: int, space: int) -> bool:
        """Whether a space lies further on than another, by the shorter way round the lap [attack.front]."""
        track = self.track
        gap = (track.place[space] - track.place[here]) % track.length
        return 0 < gap < track.length - gap

    # -- what a weapon can hit

    def faces(self, card: Card, car: DeathCar, other: DeathCar) -> bool:
        """Front weapons fire at cars in front, rear ones at cars behind, turrets either way
        [attack.front, attack.rear, weapon.rear-laser, weapon.rear-mg, weapon.rear-turbolaser, weapon.missile-turret,
        weapon.turret-laser, weapon.turret-mg, weapon.wrecker-ball, weapon.chain-blades]."""
        return card.facing in ("both", SIDE[self.ahead_of(car, other)])

    def reaches(self, card: Card, car: DeathCar, other: DeathCar) -> bool:
        """Whether a car is in range [attack.range, weapon.long-range-missiles, weapon.haywire-charge]."""
        if card.aim == "around":
            ids = self.track.ids
            return ids[other.at or ""] in self.adjacent(ids[car.at or ""])
        return self.range_to(car, other) <= card.range

    def in_lane(self, card: Card, car: DeathCar, other: DeathCar) -> bool:
        """A turbolaser hits in its own lane only, through bends [weapon.forward-turbolaser, weapon.rear-turbolaser,
        ruling 33]."""
        spaces, ids = self.track.spaces, self.track.ids
        return card.aim != "lane" or spaces[ids[car.at or ""]].lane == spaces[ids[other.at or ""]].lane

    def round_bends(self, card: Card, car: DeathCar, other: DeathCar) -> bool:
        """Heat seekers fly round corners of one stop, not of more; before a car that is not further on lies none,
        whichever sections the two are in [weapon.heat-seeking-missiles, ruling 34]."""
        track = self.track
        here, there = (track.ids[at or ""] for at in (car.at, other.at))
        if card.key != "heat-seeking-missiles" or not self.further_on(here, there):
            return True
        begin, end = track.spaces[here].section, track.spaces[there].section
        count = len(track.sections)
        between = (track.sections[(begin + step) % count].corner for step in range(1, (end - begin) % count))
        return all(corner is None or corner.stops < 2 for corner in between)

    def misfire(self, card: Card, car: DeathCar, other: DeathCar) -> str:
        """Why a weapon cannot hit a car: facing, range, lane or bends; empty if it can
        [attack.front, attack.rear, attack.range]."""
        if not self.faces(card, car, other):
            return "facing"
        if not self.reaches(card, car, other):
            return "range"
        if not self.in_lane(card, car, other):
            return "lane"
        return "" if self.round_bends(card, car, other) else "bends"

    def targets(self, card: Card, car: DeathCar) -> list[DeathCar]:
        """The cars that a weapon can hit, the nearest first [attack.range]."""
        found = [other for other in self.others(car) if self.on_track(other) and not self.misfire(card, car, other)]
        return sorted(found, key=lambda other: (self.range_to(car, other), other.number))

    def covered(self, card: Card, car: DeathCar) -> dict[int, int]:
        """The spaces of the track in a weapon's range, with the range of each, whoever stands there: on the side to
        which it fires, level ones on both, and in the lane along which it fires; none from the pits
        [attack.range, attack.front, attack.rear, attack.sight]."""
        if not self.on_track(car) or card.aim in ("drop", "move"):
            return {}
        track, here = self.track, self.track.ids[car.at or ""]
        around, lane = self.adjacent(here), track.spaces[here].lane
        found: dict[int, int] = {}
        for space in around if card.aim == "around" else range(len(track.stretch)):
            if space == here or (card.aim == "lane" and track.spaces[space].lane != lane):
                continue
            behind, ahead = self.further_on(space, here), self.further_on(here, space)
            front = NEVER if card.facing == "rear" or behind else self.range_from(here, space)
            rear = NEVER if card.facing == "front" or ahead else self.range_from(space, here)
            if min(front, rear) <= card.range:
                found[space] = min(front, rear)
        return found

    def bare_spaces(self, card: Card, car: DeathCar) -> list[int]:
        """The empty spaces in front and in range that have a car beside them: frag missiles may be fired at them
        [weapon.frag-missiles, ruling 26]."""
        if card.key != "frag-missiles":
            return []
        ids = self.track.ids
        here = ids[car.at or ""]
        stands = {ids[other.at or ""] for other in self.others(car)} | {here}
        near = {x for other in self.others(car) for x in self.adjacent(ids[other.at or ""])}
        ahead = (x for x in near - stands - self.track.blocked if self.further_on(here, x))
        return sorted(x for x in ahead if self.range_from(here, x) <= card.range)

    # -- sight

    def needs_sight(self, card: Card, car: DeathCar, at: str | None) -> bool:
        """Line of sight is the referee's word; a neighbour is seen, heat seekers and turbolasers need none
        [attack.sight, weapon.heat-seeking-missiles, weapon.forward-turbolaser, weapon.rear-turbolaser, ruling 40]."""
        if self.figures.sight_is_given or card.aim != "car" or card.key == "heat-seeking-missiles":
            return False
        ids = self.track.ids
        return ids[at or ""] not in self.adjacent(ids[car.at or ""])

    def between(self, card: Card, car: DeathCar, other: DeathCar) -> list[int]:
        """The cars that stand nearer in the same direction; only where they may block fire, and never a grenade's
        [attack.sight, weapon.grenade-launcher, ruling 41]."""
        if not self.figures.cars_block_fire or card.family == "grenade":
            return []
        far, side = self.range_to(car, other), self.ahead_of(car, other)
        near = (one for one in self.others(car) if self.on_track(one))
        return [one.number for one in near if self.ahead_of(car, one) == side and self.range_to(car, one) < far]
