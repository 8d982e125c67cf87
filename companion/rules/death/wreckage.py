"""What lies on the road: wreckage markers and mines. A car meets them space by space on its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.rules.circuit.distance import NEVER
from companion.rules.circuit.leg import Landing, Leg
from companion.rules.conversation.asking import Json, Moot, Proc, ask
from companion.rules.death.cards import CARDS
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace, Mine
from companion.rules.death.tyre_tricks import SWERVE, Weave
from companion.rules.dice.chapter import DiceChapter
from companion.rules.dice.questions import TestDie

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class Wreckage(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """What cars leave behind, and what it does to those that come."""

    book: Death

    # -- what waits on the road

    def road_hazards(self, car: DeathCar) -> frozenset[str]:
        """The spaces on which something waits for a car; behind one with oil to spray the road is dangerous too
        [wreckage.roll, weapon.slip-mines, weapon.remote-mines, utility.oil-spray]."""
        oil = self.book.bodywork
        oily = (oil.behind_of(other) for other in self.others(car) if oil.may_spray(other))
        names = (self.track.spaces[x].name for x in oily if x >= 0)
        return frozenset((*self.race.dangers, *(mine.at for mine in self.race.mines), *names))

    def drive_over(self, car: DeathCar, landing: Landing) -> Proc[None]:
        """Along the way space by space: a corner that it comes into may heal, what waits on it strikes at once, and a
        car that it stops stays on that space. Where a ramp puts a car down it meets what lies there, in the place of a
        car that it has destroyed too; one that stays where it was meets nothing
        [wreckage.roll, weapon.slip-mines, utility.oil-spray, utility.pneumatic-ramp, defence.nanobot-repair-systems,
        rulings 2, 13]."""
        start, healed, names = car.at, 0, self.board.names
        for space, cut in [(space, self.cut(car, landing, space)) for space in landing.tests]:
            healed = yield from self.book.bodywork.heal(car, start, names[space], healed)
            if car.at == start:
                yield from self.meet(car, names[space], landing.moved - cut.moved, self._at(car, cut))
            if car.at != start:
                self.book.move.stopped = True
                return
        end, down = landing, self.book.gadgets.comes_down(car, landing)
        if down:
            healed = yield from self.book.bodywork.heal(car, start, names[landing.space], healed)
            end = yield from self.book.gadgets.ramped(car, landing)
        if car.alive and car.at == start:
            self.put(car, end)
        if down and self.figures.ramp_damage:
            self.book.wear.empty(car)
        if landing.moved > 0:
            yield from self.book.bodywork.heal(car, start, car.at, healed)
        if down and car.at == names[end.space] != start and (yield from self.entering(car)):
            self.book.move.stopped = True

    def _at(self, car: DeathCar, cut: Landing) -> Callable[[], None]:
        """Puts a car down on a space of its way, once."""

        def stand() -> None:
            if car.at != self.track.spaces[cut.space].name:
                self.put(car, cut)

        return stand

    def put(self, car: DeathCar, landing: Landing) -> None:
        """Where a way ends, the car is put down and the tokens of the spaces that it has driven are paid
        [utility.grip-tyres, utility.swerve-tyres]."""
        if isinstance(landing, Weave) and (tokens := min(landing.tokens, car.stock[landing.card])):
            self.book.bodywork.spend(car, landing.card, tokens)
        self.book.moving.take(car, landing)

    def cut(self, car: DeathCar, landing: Landing, space: int) -> Landing:
        """The same move if something ends it on a space of its way, be it the last: nothing is braked or blocked, and
        only the corners behind that space are overshot [ruling 2]."""
        run = self.board.run(space)
        beyond = run.index(landing.space) if landing.space in run else NEVER
        overs = tuple(over._replace(spaces=over.spaces - beyond) for over in landing.overs if over.spaces > beyond)
        driven, tokens = landing.moved - beyond, landing.tokens if isinstance(landing, Weave) else 0
        if not overs and space != landing.space:
            driven, tokens = self.driven_to(car, landing, space)
        if isinstance(landing, Weave):
            return Weave(space, driven, overs=overs, card=landing.card, tokens=tokens)
        return Landing(space, driven, overs=overs)

    def driven_to(self, car: DeathCar, landing: Landing, space: int) -> tuple[int, int]:
        """How many spaces of a move lie behind a car when it comes to a space of its way, and how many tokens these
        took: the fewest of a way that goes around the cars and over what this move crosses alone, and from which the
        rest of the move leads to its end; into the pits none does [basic.drive, wreckage.roll, utility.oil-spray,
        utility.grip-tyres, utility.swerve-tyres, ruling 52]."""
        leg, tests, whole = self.book.landings.leg(car, landing.moved), landing.tests, landing.moved
        met = tests.index(space) + 1
        onward, end = self.walks(leg._replace(start=space), landing, met), (landing.space, len(tests))
        ways = self.ways_to(leg, landing, space, met)
        return min(ways, key=lambda way: (end not in onward[whole - way[0]], way))

    def ways_to(self, leg: Leg, landing: Landing, space: int, met: int) -> list[tuple[int, int]]:
        """In how many spaces and for how many tokens a way comes to a space over so many of the tests of a landing, for
        no more tokens than it takes [basic.drive, utility.grip-tyres, utility.swerve-tyres]."""
        leg = leg._replace(brakes=leg.spaces)
        ways = [(way, 0) for way in self.board.landings(leg)]
        if isinstance(landing, Weave):
            woven = self.book.tyre_tricks.woven(leg, landing.card, landing.tokens)
            ways += [(way, way.tokens) for way in woven]
        return [(way.moved, tokens) for way, tokens in ways if way.space == space and way.tests == landing.tests[:met]]

    def walks(self, leg: Leg, landing: Landing, met: int = 0) -> list[set[tuple[int, int]]]:
        """What is reached after 0, 1, 2, ... spaces around the cars, over what a landing crosses and nothing else that
        waits, however it weaves: each space, with how many of those have been crossed."""
        tests, beyond = landing.tests, self.beyond(landing)
        closed = leg.taken | (leg.dangers - set(tests))
        layers = [{(leg.start, met)}]
        for _ in range(leg.spaces):
            layers.append(
                {
                    (y, met + (y in tests))
                    for x, met in layers[-1]
                    for y in self.led_to(landing, x, beyond)
                    if y not in closed
                }
            )
        return layers

    def beyond(self, landing: Landing) -> tuple[int, ...]:
        """The spaces of a move beyond a corner left too early, straight on in one lane [basic.overshoot]."""
        spaces, at = [], landing.space
        for _ in range(landing.overs[0].spaces + landing.finished if landing.overs else 0):
            spaces.append(at)
            at = self.track.behind[at]
        return tuple(reversed(spaces))

    def led_to(self, landing: Landing, x: int, beyond: tuple[int, ...]) -> Sequence[int]:
        """The spaces to which a space leads, in the way that a move is driven; swerving, a corner's spaces lead where
        no arrow does as well, and a corner left too early leads straight on
        [basic.drive, basic.overshoot, utility.swerve-tyres]."""
        if x in beyond:
            return [y for y in self.track.moves[x] if y in beyond]
        corner, leads = self.track.corner, self.track.moves[x]
        if isinstance(landing, Weave) and landing.card == SWERVE and corner[x] >= 0:
            leads = (*leads, *self.book.tyre_tricks.unprinted(x))
        if beyond and corner[x] == landing.overs[0].corner:
            return [y for y in leads if corner[y] == corner[x] or y == beyond[0]]
        return leads

    def entering(self, car: DeathCar) -> Proc[bool]:
        """A car that has been moved onto a space otherwise meets what lies there all the same, but no oil, for it has
        nothing left to drive; whether that stops it, or the referee has put it elsewhere [wreckage.roll,
        utility.oil-spray, weapon.mag-gun, rulings 13, 39]."""
        begin = car.at
        stops = yield from self.meet(car, begin or "", 0, _nothing)
        return stops or car.at != begin

    def meet_what_lies(self, car: DeathCar, space: str, rest: int, stand: Callable[[], None]) -> Proc[bool]:
        """Everything that lies on one space strikes a car as long as it is there, marker before mines, those that
        explode before those that end its move; whether the car stops there. `stand` puts it there, `rest` are the
        spaces that it still had to drive [wreckage.roll, weapon.remote-mines, weapon.slip-mines]."""
        stays = False
        try:
            if space in self.race.dangers:
                stays = yield from self.wreckage_roll(car, space, stand)
            mines = [mine for mine in self.race.mines if mine.at == space]
            for mine in sorted(mines, key=lambda mine: mine.card == "slip-mines"):
                if mine.card == "remote-mines":
                    stays = (yield from self.explode(car, mine, stand)) or stays
                elif car.alive:
                    self.slip(car, mine, stand)
                    stays = True
        except Moot:
            pass
        return stays

    def die_there(
        self, car: DeathCar, begin: str | None, article: str, what: str, losing: Callable[[], int]
    ) -> TestDie | None:
        """The die for what lies on the way of a car, moot once the referee has put it elsewhere than it was: it stays
        there [wreckage.roll, weapon.remote-mines, ruling 39]."""
        return self.book.tests.black_die(car, article, what, losing) if car.at == begin else None

    def wreckage_to(self, car: DeathCar) -> int:
        """Wreckage costs a point on 1 to 4; armour leaves fewer faces [wreckage.roll, defence.light-armour,
        defence.heavy-armour, defence.heavy-armour-front, defence.mine-sweepers]."""
        to = self.figures.wreckage_to
        return min(to, car.armour.wreckage) if car.armour.wreckage else to

    def wreckage_roll(self, car: DeathCar, space: str, stand: Callable[[], None]) -> Proc[bool]:
        """Driving over a marker is a roll; if it costs the point, the marker goes and leaves no new one; whether the
        car stays there for good [wreckage.roll, rulings 2, 11, 12, 43]."""
        to = self.wreckage_to(car)
        face = yield from ask(self.die_there, car, car.at, "wreckage.roll", "wreckage", lambda: self.wreckage_to(car))
        if face > to:
            self.rule("wreckage", "wreckage.roll", car, face=face, to=to, at=space)
            return False
        armour = car.armour.front if self.figures.armour_everywhere else 0
        points = max(0, 1 - armour)
        facts: dict[str, Json] = {"hits": True, "armour": armour} if armour else {"hits": True}
        if not self.figures.markers_stay:
            self.book.wear.unmark(space)
            facts["cleared"] = True
        if points and self.book.wear.points(car) <= points:
            stand()
        self.rule("wreckage", "wreckage.roll", car, face=face, to=to, at=space, **facts)
        self.book.wear.hurt(car, points, "wreckage.roll", marker=False, at=space, why="wreckage")
        return not car.alive or car.status == "spun"

    # -- mines

    def slip(self, car: DeathCar, mine: Mine, stand: Callable[[], None]) -> None:
        """A slip mine ends the move on its space and takes two gears, though not below 1st, and is gone
        [weapon.slip-mines, ruling 47]."""
        self.race.mines.remove(mine)
        stand()
        self.rule("mine", "weapon.slip-mines", car, action="slips", at=mine.at, owner=mine.owner, card=mine.card)
        self.book.gears.lose_gears(car, "weapon.slip-mines", least=1)

    def mine_to(self, car: DeathCar) -> int:
        """A remote mine hits up to its accuracy; mine sweepers halve it, rounded down
        [weapon.remote-mines, defence.mine-sweepers]."""
        to = CARDS["remote-mines"].accuracy
        return to // 2 if car.defence == "mine-sweepers" else to

    def explode(self, car: DeathCar, mine: Mine, stand: Callable[[], None]) -> Proc[bool]:
        """A remote mine explodes under the first car that comes to its space; whether that car stays there for good
        [weapon.remote-mines, rulings 27, 48]."""
        to = self.mine_to(car)
        face = yield from ask(self.die_there, car, car.at, "weapon.remote-mines", "mine", lambda: self.mine_to(car))
        self.race.mines.remove(mine)
        hits = face <= to
        facts: Mapping[str, Json] = {"action": "explodes", "at": mine.at, "owner": mine.owner, "card": mine.card}
        self.rule("mine", "weapon.remote-mines", car, face=face, to=to, hits=hits, **facts)
        if not hits:
            return False
        points = CARDS["remote-mines"].damage
        if self.book.wear.points(car) <= points:
            stand()
        self.book.wear.hurt(car, points, "weapon.remote-mines", at=mine.at, why="mine")
        return not car.alive or car.status == "spun"

    def meet(self, car: DeathCar, space: str, rest: int, stand: Callable[[], None]) -> Proc[bool]:
        """After what lies on a space, the oil of the car ahead of it; whether the car stops there
        [wreckage.roll, weapon.slip-mines, weapon.remote-mines, utility.oil-spray]."""
        begin = car.at
        if (yield from self.meet_what_lies(car, space, rest, stand)):
            return True
        for other in list(self.others(car)) if rest else ():
            sprays = partial(self.sprays, other, car, begin, space)
            if (yield from self.book.bodywork.uses(other, "oil-spray", sprays, other=car.number, at=space)):
                yield from self.book.bodywork.spray(other, car, rest, stand)
                return True
        return False

    def sprays(self, other: DeathCar, car: DeathCar, begin: str | None, space: str) -> bool:
        """Whether a car may spray its oil onto the space straight behind it, over which one comes that the referee has
        not put elsewhere than it was [utility.oil-spray, ruling 39]."""
        oil = self.book.bodywork
        return car.at == begin and oil.may_spray(other) and oil.behind_of(other) == self.track.ids[space]


def _nothing() -> None:
    """A car that stands there already."""
