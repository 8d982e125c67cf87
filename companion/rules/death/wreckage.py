"""What lies on the road: wreckage markers and mines. A car meets them space by space on its way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.rules.circuit.distance import NEVER, distances
from companion.rules.circuit.leg import Landing, Leg
from companion.rules.conversation.asking import Json, Moot, Option, Proc, ask
from companion.rules.conversation.errors import BadOverride
from companion.rules.conversation.forms import Choice
from companion.rules.death.cards import CARDS
from companion.rules.death.state import DeathCar, Mine
from companion.rules.death.wear import OnePool
from companion.rules.dice.state import Race


class Wreckage(OnePool):
    """What cars leave behind, and what it does to those that come."""

    # -- markers

    def mark(self, space: str | None, article: str, car: DeathCar) -> None:
        """A wreckage marker on a space of the track; several may lie there [wreckage.marker, ruling 11]."""
        if space is None or space.startswith(("pit:", "box:")):
            return
        race = self.race
        if space in race.dangers:
            race.piles[space] = race.piles.get(space, 0) + 1
        else:
            race.dangers.append(space)
            race.dangers.sort()
        self.rule("danger", article, car, at=space)

    def unmark(self, space: str) -> None:
        """One marker is taken off a space [wreckage.roll, ruling 11]."""
        race = self.race
        if race.piles.get(space):
            race.piles[space] -= 1
            if not race.piles[space]:
                del race.piles[space]
        elif space in race.dangers:
            race.dangers.remove(space)

    def _set_race(self, race: Race[DeathCar], name: str, value: Json) -> None:
        """Where the referee has set the markers, one lies on each space."""
        super()._set_race(race, name, value)
        if name == "dangers":
            if any(space.startswith(("pit:", "box:")) for space in race.dangers):
                raise BadOverride("Wreckage lies on the track, not in the pits.")
            self.race.piles = {}

    # -- what waits on the road

    def road_hazards(self, car: DeathCar) -> frozenset[str]:
        """The spaces on which something waits for a car [wreckage.roll, weapon.slip-mines, weapon.remote-mines]."""
        return frozenset((*self.race.dangers, *(mine.at for mine in self.race.mines)))

    def leg(self, car: DeathCar, spaces: int, *, soft: bool = True, least: int = 0) -> Leg:
        """A leg tells the ways apart by what they drive over [basic.drive]."""
        ids = self.track.ids
        waiting = frozenset(ids[space] for space in self.road_hazards(car))
        return super().leg(car, spaces, soft=soft, least=least)._replace(dangers=waiting)

    def go(self, car: DeathCar, landing: Landing) -> Proc[None]:
        """Along the way space by space: what waits on it strikes at once, and a car that it stops stays on that space
        [ruling 2]."""
        start = car.at
        for space, cut in [(space, self.cut(car, landing, space)) for space in self.on_the_way(car, landing)]:
            yield from self.meet(car, self.track.spaces[space].name, landing.moved - cut.moved, self._at(car, cut))
            if not car.alive or car.at != start:
                self.move.stopped = True
                return
        end = yield from self.set_down(car, landing)
        if car.alive and car.at == start:
            self.take(car, end)
        if end.space != landing.space and (yield from self.entering(car)):
            self.move.stopped = True

    def set_down(self, car: DeathCar, landing: Landing) -> Proc[Landing]:
        """Where a move ends is where it was to end, unless something stands there [basic.drive]."""
        return landing
        yield

    def _at(self, car: DeathCar, cut: Landing) -> Callable[[], None]:
        return lambda: self.take(car, cut)

    def on_the_way(self, car: DeathCar, landing: Landing) -> Iterator[int]:
        """The spaces on which something waits, in the order of the way; not what lies under a car that it jumps."""
        for space in landing.tests:
            if all(other.at != self.track.spaces[space].name for other in self.others(car)):
                yield space

    def take(self, car: DeathCar, landing: Landing, entry: int = 0) -> None:
        """Puts the car down and pays its brakes; what lay on the way has been met [ruling 2]."""
        super().take(car, landing, entry)
        self.move.tests = []

    def way_tests(self, car: DeathCar) -> Proc[None]:
        """Nothing is left to test at the end of a way [ruling 2]."""
        return
        yield

    def cut(self, car: DeathCar, landing: Landing, space: int) -> Landing:
        """The same move if it ends on a space of its way: nothing is braked, and only the corners behind that space are
        overshot [ruling 2]."""
        if space == landing.space:
            return landing
        rest = landing.moved - self.driven_to(car, landing, space)
        run = self.board.run(space)
        beyond = run.index(landing.space) if landing.space in run else NEVER
        overs = tuple(over._replace(spaces=over.spaces - beyond) for over in landing.overs if over.spaces > beyond)
        return Landing(space, landing.moved - rest, overs=overs)

    def driven_to(self, car: DeathCar, landing: Landing, space: int) -> int:
        """How many spaces of a move lie behind a car when it comes to a space of its way: the fewest of a way that goes
        around the cars and over what this move crosses alone, and from which the rest of the move leads to its end;
        into the pits none does [basic.drive, wreckage.roll, utility.oil-spray, ruling 52]."""
        leg, tests, whole = self.leg(car, landing.moved), landing.tests, landing.moved
        met = tests.index(space) + 1
        driven = sorted(self.ways_to(leg, landing, space, met))
        onward = self.walks(leg._replace(start=space), landing, met)
        return next((moved for moved in driven if (landing.space, len(tests)) in onward[whole - moved]), driven[0])

    def ways_to(self, leg: Leg, landing: Landing, space: int, met: int) -> set[int]:
        """In how many spaces a way comes to a space over so many of the tests of a landing [basic.drive]."""
        ways = self.board.landings(leg._replace(brakes=leg.spaces))
        return {way.moved for way in ways if way.space == space and way.tests == landing.tests[:met]}

    def walks(self, leg: Leg, landing: Landing, met: int = 0) -> list[set[tuple[int, int]]]:
        """What is reached after 0, 1, 2, ... spaces around the cars, over what a landing crosses and nothing else that
        waits, however it weaves: each space, with how many of those have been crossed."""
        tests = landing.tests
        closed = leg.taken | (leg.dangers - set(tests))
        layers = [{(leg.start, met)}]
        for _ in range(leg.spaces):
            layers.append(
                {
                    (y, met + (y in tests))
                    for x, met in layers[-1]
                    for y in self.led_to(landing, x)
                    if y not in closed and (y not in tests or tests[met : met + 1] == (y,))
                }
            )
        return layers

    def led_to(self, landing: Landing, x: int) -> Sequence[int]:
        """The spaces to which a space leads, in the way that a move is driven [basic.drive]."""
        return self.track.moves[x]

    def spaces_between(self, start: int, end: int) -> int:
        """The fewest spaces by printed moves from one space to another, whoever stands between [attack.range]."""
        return distances(self.track, start).get(end, NEVER)

    def entering(self, car: DeathCar) -> Proc[bool]:
        """A car that has been moved onto a space otherwise meets what lies there all the same; whether that stops it
        [wreckage.roll, ruling 13]."""
        return (yield from self.meet(car, car.at or "", 0, _nothing))

    def meet(self, car: DeathCar, space: str, rest: int, stand: Callable[[], None]) -> Proc[bool]:
        """Everything that lies on one space, marker before mines; whether the car stops there. `stand` puts it there,
        `rest` are the spaces that it still had to drive [wreckage.roll]."""
        try:
            if space in self.race.dangers and (yield from self.wreckage_roll(car, space, stand)):
                return True
            for mine in [mine for mine in self.race.mines if mine.at == space]:
                if mine.card == "slip-mines":
                    self.slip(car, mine, stand)
                    return True
                if (yield from self.explode(car, mine, stand)):
                    return True
        except Moot:
            pass
        return False

    def wreckage_to(self, car: DeathCar) -> int:
        """Wreckage costs a point on 1 to 4; armour leaves fewer faces [wreckage.roll, defence.light-armour,
        defence.heavy-armour, defence.heavy-armour-front, defence.mine-sweepers]."""
        to = self.figures.wreckage_to
        return min(to, car.armour.wreckage) if car.armour.wreckage else to

    def wreckage_roll(self, car: DeathCar, space: str, stand: Callable[[], None]) -> Proc[bool]:
        """Driving over a marker is a roll; if it costs the point, the marker goes and leaves no new one; whether the
        car stays there for good [wreckage.roll, rulings 2, 11, 12, 43]."""
        to = self.wreckage_to(car)
        face = yield from ask(self.black_die, car, "wreckage.roll", "wreckage", lambda: self.wreckage_to(car))
        if face > to:
            self.rule("wreckage", "wreckage.roll", car, face=face, to=to, at=space)
            return False
        points = 1
        if self.figures.armour_everywhere:
            points = max(0, points - car.armour.front)
        if not self.figures.markers_stay:
            self.unmark(space)
        if points and self.points(car) <= points:
            stand()
        self.rule("wreckage", "wreckage.roll", car, face=face, to=to, at=space, hits=True)
        self.hurt(car, points, "wreckage.roll", marker=False, at=space, why="wreckage")
        return not car.alive or car.status == "spun"

    # -- mines

    def slip(self, car: DeathCar, mine: Mine, stand: Callable[[], None]) -> None:
        """A slip mine ends the move on its space and takes two gears, though not below 1st, and is gone
        [weapon.slip-mines, ruling 47]."""
        self.race.mines.remove(mine)
        stand()
        self.rule("mine", "weapon.slip-mines", car, action="slips", at=mine.at, owner=mine.owner, card=mine.card)
        self.lose_gears(car, "weapon.slip-mines", least=1)

    def mine_to(self, car: DeathCar) -> int:
        """A remote mine hits up to its accuracy; mine sweepers halve it, rounded down
        [weapon.remote-mines, defence.mine-sweepers]."""
        to = CARDS["remote-mines"].accuracy
        return to // 2 if car.defence == "mine-sweepers" else to

    def explode(self, car: DeathCar, mine: Mine, stand: Callable[[], None]) -> Proc[bool]:
        """A remote mine explodes under the first car that comes to its space; whether that car stays there for good
        [weapon.remote-mines, rulings 27, 48]."""
        to = self.mine_to(car)
        face = yield from ask(self.black_die, car, "weapon.remote-mines", "mine", lambda: self.mine_to(car))
        self.race.mines.remove(mine)
        hits = face <= to
        facts: Mapping[str, Json] = {"action": "explodes", "at": mine.at, "owner": mine.owner, "card": mine.card}
        self.rule("mine", "weapon.remote-mines", car, face=face, to=to, hits=hits, **facts)
        if not hits:
            return False
        points = CARDS["remote-mines"].damage
        if self.points(car) <= points:
            stand()
        self.hurt(car, points, "weapon.remote-mines", at=mine.at, why="mine")
        return not car.alive or car.status == "spun"

    # -- whether a card is used

    def use_question(self, car: DeathCar, card: str, holds: Callable[[], bool], **facts: Json) -> Choice[bool] | None:
        """Whether a car uses a card now that it could [utility.no-weapon, utility.nitros, utility.oil-spray]."""
        if not car.alive or not holds():
            return None
        article = CARDS[card].article
        choices = [(Option(True, facts=facts), True), (Option(False), False)]
        question = Choice("use", car.number, article, choices, what=card, wanted="It is used (true) or not (false);")
        question.fields = {"card": card, **facts}
        return question

    def uses(self, car: DeathCar, card: str, holds: Callable[[], bool], **facts: Json) -> Proc[bool]:
        """Asks whether a car uses a card; no where it cannot any more."""
        try:
            used = yield from ask(self.use_question, car, card, holds, **facts)
        except Moot:
            return False
        return used


def _nothing() -> None:
    """A car that stands there already."""
