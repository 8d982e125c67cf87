"""Events on a car's way in the death race: by its own cards, by cars around it, by hazards on the road.

First the one pool of points that all of it costs. Then, in the order of a move: where grip and swerve tyres let it go,
what cards do by themselves, what its driver does by his own will, collisions, and the markers and mines that it meets
space by space.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Protocol, cast

from msgspec.structs import replace

from companion.rules.circuit.leg import Landing, Leg, Over
from companion.rules.circuit.search import FIELD, Search
from companion.rules.circuit.track import NEVER, distances
from companion.rules.conversation.asking import Json, Option, Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.faces import divided
from companion.rules.conversation.forms import Choice
from companion.rules.conversation.kinds import Kind, Pool, Pools
from companion.rules.conversation.overriding import override
from companion.rules.death.cards import CARDS
from companion.rules.death.state import DeathCar, DeathChapter, DeathFigures, DeathMove, DeathRace, Mine
from companion.rules.dice.collisions import Collisions, CollisionsBook
from companion.rules.dice.one_pool import POOL
from companion.rules.dice.questions import TestDie
from companion.rules.dice.wear import FREE, Cost, ForetoldTest, Purse, Wear

GRIP, SWERVE = "grip-tyres", "swerve-tyres"
MAX_WEAVES: Final = 8
"""Maximum number of ways to weave onto a space that are distinguished, by what they drive over."""


class Weave(Landing, frozen=True, gc=False):
    """A landing that is only reached with tokens: of which card, and how many."""

    card: str = ""
    tokens: int = 0


class LosingGears(Protocol):
    """The gears that a hit takes."""

    def lose_gears(self, car: DeathCar, article: str, *, least: int = 0) -> None: ...


class Adjacent(Protocol):
    """The spaces around one."""

    def adjacent(self, space: int) -> list[int]: ...


class HazardsBook(CollisionsBook[DeathCar, DeathRace, DeathFigures], Protocol):
    """The book as hazards see it."""

    @property
    def move(self) -> DeathMove: ...
    @property
    def wear(self) -> DeathWear: ...
    @property
    def gears(self) -> LosingGears: ...
    @property
    def collisions(self) -> DeathCollisions: ...
    @property
    def reach(self) -> Adjacent: ...
    @property
    def tyre_tricks(self) -> TyreTricks: ...
    @property
    def bodywork(self) -> Bodywork: ...
    @property
    def gadgets(self) -> Gadgets: ...
    @property
    def wreckage(self) -> Wreckage: ...


class DeathWear(Wear[DeathCar, DeathRace, DeathFigures]):
    """The one pool of points: what a hit takes, the spin at 0, and the wreckage that damage leaves."""

    # -- points

    def points(self, car: DeathCar) -> int:
        """Return the points that a car has left [basic.pool]."""
        return car.wear[POOL]

    @override
    def works(self, car: DeathCar, part: Pool) -> bool:
        """No part breaks on its own: a car drives on as long as it is not destroyed [spin.zero, ruling 15]."""
        return True

    @override
    def fatal(self, car: DeathCar, part: Pool, points: int = 1) -> bool:
        """One more point destroys a car that has none left [spin.zero]."""
        return self.points(car) <= points if self.is_out_at_zero() else self.points(car) == 0

    @override
    def lose(self, car: DeathCar, kind: Kind, article: str, points: Mapping[Pool, int], **facts: Json) -> None:
        """Take points; what is paid for a gear, a corner or being blocked leaves wreckage where the table wants that.

        [wreckage.marker, ruling 9]
        """
        before = self.points(car)
        super().lose(car, kind, article, points, **facts)
        if kind in ("gear_down", "overshoot", "blocked"):
            self.paid(car, before)

    # -- damage

    def hurt(
        self, car: DeathCar, points: int, article: str, *, marker: bool = True, at: str | None = None, **facts: Json
    ) -> None:
        """Make one hit, whatever its points: wreckage lies where it struck, and at 0 the car spins.

        Only the next hit destroys it. A car that comes to stand elsewhere spins there [wreckage.marker, spin.zero,
        rulings 9, 10, 14].
        """
        if points < 1:
            return
        cost, at = self.hit_cost(self.purse(car), points), at or car.at
        self.lose(car, "hit", article, dict(cost.points), lost=points, at=at, **facts)
        if marker:
            self.mark(at, "wreckage.marker", car)
        if cost.out or at == car.at:
            self.befall(car, cost)

    def hit_cost(self, purse: Purse, points: int) -> Cost:
        """Return the cost of one hit, which spins a car that loses its last point.

        A car that has no point left is destroyed [spin.zero, rulings 14, 15].
        """
        hit, left = Cost(((POOL, points),)), purse.points_left(POOL)
        if points and not left:
            return hit.plus(Cost(out="destroyed", article="spin.zero"))
        return hit.plus(self.last_point()) if 0 < points >= left else hit

    @override
    def damage(self, car: DeathCar, pool: Pool, article: str, **facts: Json) -> None:
        """Take the damage of a test, which is damage like any other [ruling 9]."""
        self.hurt(car, 1, article, **facts)

    @override
    def damage_cost(self, car: DeathCar, pool: Pool) -> Cost:
        """Return the cost of the damage of a test: a hit of one point."""
        return self.hit(car, 1)

    def hit(self, car: DeathCar, points: int) -> Cost:
        """Return what a hit costs a car as it stands; one that has spun does not spin again."""
        cost = self.hit_cost(self.purse(car), points)
        return replace(cost, spin=False) if car.status == "spun" or car.in_pits else cost

    def paid(self, car: DeathCar, before: int) -> None:
        """Leave wreckage for a cost that has taken points, where the table wants that.

        `before` are the points that the car had [wreckage.marker, ruling 9].
        """
        if self.figures.costs_leave_markers and self.points(car) < before:
            self.mark(car.at, "wreckage.marker", car)

    # -- none left

    def destroy(self, car: DeathCar) -> None:
        """Destroy a car that owes a point it does not have, and take it off at once [spin.zero]."""
        self.eliminate(car, "destroyed", "spin.zero", removed=True)

    @override
    def spin(self, car: DeathCar, article: str) -> None:
        """Turn a car with 0 points left round where it stands [spin.zero, ruling 14].

        It does not spin in the pits, over the line, or while it is spun already.
        """
        ends = self.race.move is not None and self.race.move.car == car.number and self.race.move.finished
        if ends or car.in_pits or car.status == "spun":
            return
        car.status, car.turned = "spun", False
        self.rule("spin", article, car, at=car.at)

    def empty(self, car: DeathCar) -> None:
        """Spin a car that has paid its last point, as one that was hit [spin.zero, ruling 14]."""
        if car.alive and self.points(car) == 0:
            self.befall(car, self.last_point())

    def is_out_at_zero(self) -> bool:
        """Return True if a car without a point is out, rather than spun [ruling 14]."""
        return self.figures.out_at_zero

    def last_point(self, *, finished: bool = False, in_pits: bool = False) -> Cost:
        """Return the cost of paying the last point: a spin on the track, or the end if the table wants it so.

        [spin.zero, ruling 14]
        """
        if self.is_out_at_zero():
            return Cost(out="destroyed", article="spin.zero")
        return FREE if finished or in_pits else Cost(spin=True, article="spin.zero")

    @override
    def mark(self, space: str | None, article: str, car: DeathCar) -> None:
        """Put a wreckage marker on a space of the track; several may lie there.

        [wreckage.marker, ruling 11]
        """
        if space is None or space.startswith(("pit:", "box:")):
            return
        race = self.race
        if space in race.dangers:
            race.piles[space] = race.piles.get(space, 0) + 1
        else:
            race.dangers.append(space)
            race.dangers.sort()
        self.rule("danger", article, car, at=space)

    @override
    def unmark(self, space: str) -> None:
        """One marker is taken off a space [wreckage.roll, ruling 11]."""
        race = self.race
        if race.piles.get(space):
            race.piles[space] -= 1
            if not race.piles[space]:
                del race.piles[space]
        elif space in race.dangers:
            race.dangers.remove(space)


class TyreTricks(DeathChapter):
    """The ways that the tokens of tyres open up beside those that every car has."""

    book: HazardsBook

    def woven(self, leg: Leg, card: str, tokens: int) -> list[Weave]:
        """Return the landings that a leg reaches with up to this many tokens of a card.

        [utility.grip-tyres, utility.swerve-tyres]
        """

        def find() -> list[Weave]:
            return self.weaving(leg, tokens) if card == GRIP else self.swerving(leg, tokens, {})

        return cast("list[Weave]", self.board.remembered(("woven", leg, card, tokens), find))

    def weaving(self, leg: Leg, tokens: int) -> list[Weave]:
        """Return the landings of grip tyres, which let some spaces be driven from lane to lane and back.

        Printed moves must allow it, and the rest of the move is legal. Arrows hold, and so does the lane beyond a
        corner left too early [utility.grip-tyres, basic.overshoot, ruling 51].
        """
        walked: dict[tuple[tuple[int, ...], tuple[int, ...]], list[set[tuple[int, int]]]] = {}
        found = []
        for spent in range(1, min(tokens + 1, leg.spaces)):
            for way in self.board.landings(replace(leg, spaces=leg.spaces - spent)):
                if way.blocked:
                    continue
                crossed = way.tests, self.book.wreckage.beyond(way)
                if crossed not in walked:
                    walked[crossed] = self.book.wreckage.walks(leg, way)
                if (way.space, len(way.tests)) in walked[crossed][way.moved + spent]:
                    found.append(_woven(way, GRIP, spent, spent))
        return found + self.weaving_over(leg, tokens) if leg.dangers else found

    def weaving_over(self, leg: Leg, tokens: int) -> list[Weave]:
        """Return the landings of grip tyres over hazards that lie aside of every legal way, as few of them as can be.

        They take as many spaces more as the longest of the legal ways there that drive over as much of it as any does
        [utility.grip-tyres, wreckage.roll, ruling 51].
        """
        found, walked = [], {}
        legal: dict[tuple[int, tuple[Over, ...]], list[Landing]] = {}
        for way in self.board.landings(replace(leg, brakes=leg.spaces)):
            if not way.finished:
                legal.setdefault((way.space, way.overs), []).append(way)
        for (space, overs), ways in legal.items():
            end = Landing(space, leg.spaces, overs=overs)
            beyond = self.book.wreckage.beyond(end)
            if beyond not in walked:
                walked[beyond] = self.clear_walks(leg, end)
            for brakes in range(min(leg.brakes + 1, leg.spaces)):
                moved = leg.spaces - brakes
                for tests in walked[beyond][moved].get(space, []):
                    under = [way for way in ways if way.moved < moved and set(way.tests) <= set(tests)]
                    most = [way for way in under if not any(set(way.tests) < set(other.tests) for other in under)]
                    if most and (spent := moved - max(way.moved for way in most)) <= tokens:
                        found.append(Weave(space, moved, brakes, tests=tests, overs=overs, card=GRIP, tokens=spent))
        return found

    def clear_walks(self, leg: Leg, landing: Landing) -> list[dict[int, list[tuple[int, ...]]]]:
        """Return the spaces reached after 0, 1, 2, ... spaces around the cars, with the hazards driven over.

        The way is driven as to the landing. For each space there are the sets of hazards of which none holds another
        [utility.grip-tyres, wreckage.roll].
        """
        beyond = self.book.wreckage.beyond(landing)
        layers: list[dict[int, list[tuple[int, ...]]]] = [{leg.start: [()]}]
        for _ in range(leg.spaces):
            after: dict[int, list[tuple[int, ...]]] = {}
            for x, walks in layers[-1].items():
                for y in self.book.wreckage.led_to(landing, x, beyond):
                    if y not in leg.taken:
                        after.setdefault(y, []).extend((*over, y) if y in leg.dangers else over for over in walks)
            layers.append({y: _fewest(walks) for y, walks in after.items()})
        return layers

    def swerving(self, leg: Leg, tokens: int, known: dict[tuple[int, int, int], list[Weave]]) -> list[Weave]:
        """Return the landings of swerve tyres: in a corner one space onto a lane that no arrow leads to.

        From there the driving code goes on. Lane changes on a straight are as legal as ever, and no corner is left by
        it [utility.swerve-tyres, ruling 51].
        """
        key = leg.start, leg.spaces, tokens
        if key in known:
            return known[key]
        found = known[key] = []
        search = Search(self.board, leg)
        search.landings()
        corner = self.track.corner
        for x, labels, _, overs in search.spots:
            if corner[x] < 0 or overs:
                continue
            made = leg.made if corner[x] == corner[leg.start] else 0
            for field, driven in _distances(labels, leg.spaces):
                for y in self.unprinted(x):
                    if y not in leg.taken and corner[y] == corner[x]:
                        tests = search.tests[field] + ((y,) if y in leg.dangers else ())
                        rest = replace(leg, start=y, spaces=leg.spaces - driven - 1, made=made)
                        found += self._after_swerve(rest, driven + 1, tests, tokens, known)
        return found

    def _after_swerve(
        self,
        leg: Leg,
        driven: int,
        tests: tuple[int, ...],
        tokens: int,
        known: dict[tuple[int, int, int], list[Weave]],
    ) -> list[Weave]:
        """Return the landings of a move that has just ignored an arrow [utility.swerve-tyres]."""
        ways = [_woven(way, SWERVE, driven, 1, tests) for way in self.board.landings(leg) if not way.blocked]
        if tokens > 1:
            again = self.swerving(leg, tokens - 1, known)
            ways += [_woven(way, SWERVE, driven, way.tokens + 1, tests) for way in again]
        return ways

    def unprinted(self, x: int) -> list[int]:
        """Return the spaces next ahead of one in a corner to which no arrow leads.

        They are its own lane's, and in the lanes beside it those that lie further on.
        """
        track = self.track
        front = track.stretch[x][1]
        near = [track.ahead[x], *(y for y in track.beside[x] if track.stretch[y][1] > front)]
        return [y for y in near if y >= 0 and y not in track.moves[x] and y not in track.blocked]


def _fewest(walks: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the sets of hazards that hold no other, the smallest first.

    There are no more than anybody chooses from on a board full of wreckage.
    """
    kept: list[tuple[int, ...]] = []
    for over in sorted(set(walks), key=lambda over: (len(over), over)):
        if len(kept) < MAX_WEAVES and not any(set(other) < set(over) for other in kept):
            kept.append(over)
    return kept


def _distances(labels: int, spaces: int) -> list[tuple[int, int]]:
    """Return the distances below a whole move that the labels of a space hold, each with its field of tests."""
    found, field = [], 0
    while labels:
        found += [(field, driven) for driven in range(spaces) if labels >> driven & 1]
        labels >>= FIELD
        field += 1
    return found


def _woven(way: Landing, card: str, spaces: int, tokens: int, before: tuple[int, ...] = ()) -> Weave:
    """Return a landing with what was driven before its leg began, and the tokens that it costs."""
    return Weave(
        way.space,
        way.moved + spaces,
        way.brakes,
        tests=before + way.tests,
        overs=way.overs,
        finished=way.finished,
        card=card,
        tokens=tokens,
    )


class Bodywork(DeathChapter):
    """Cards that act on a moving car: those of cars around it, and its own that work by themselves.

    Among them are oil, mag plates, nanobots, limpet mines.
    """

    book: HazardsBook

    # -- armour

    def held_off(self, armour: int) -> int:
        """Return the points that armour holds off in collisions and on wreckage [ruling 27].

        They are none, unless the table wants it to hold there as it does against weapons.
        """
        return armour if self.figures.armour_everywhere else 0

    # -- whether a card is used

    def use_question(self, car: DeathCar, card: str, holds: Callable[[], bool], **facts: Json) -> Choice[bool] | None:
        """Ask whether a car uses a card now that it could.

        [utility.no-weapon, utility.nitros, utility.oil-spray]
        """
        if not car.alive or not holds():
            return None
        article = CARDS[card].article
        choices = [(Option(True, facts=facts), True), (Option(False), False)]
        question = Choice("use", car.number, article, choices, what=card)
        question.fields = {"card": card, **facts}
        return question

    def uses(self, car: DeathCar, card: str, holds: Callable[[], bool], **facts: Json) -> Procedure[bool]:
        """Ask whether a car uses a card; no where it cannot any more."""
        try:
            used = yield from ask(self.use_question, car, card, holds, **facts)
        except QuestionWithdrawn:
            return False
        return used

    # -- once a lap, once a phase, from a stock

    def spend(self, car: DeathCar, key: str, count: int = 1, **facts: Json) -> None:
        """Spend a card: tokens are taken off it, or it rests until the line or the next phase.

        [utility.no-weapon, utility.nitros, utility.turbo, utility.grip-tyres, utility.jammer, ruling 19]
        """
        counts = {f"stock:{key}": -count} if key in car.stock else None
        if counts:
            car.stock[key] -= count
        car.used = car.used or CARDS[key].lap
        car.busy = car.busy or CARDS[key].phase
        self.rule("used", CARDS[key].article, car, counts=counts, card=key, left=car.stock.get(key, 0), **facts)

    def refresh(self, car: DeathCar) -> None:
        """Let the cards that work once a lap work again on a new lap [ruling 19]."""
        car.used = False

    # -- where cars are

    def under(self, car: DeathCar, space: int) -> DeathCar | None:
        """Return the car on whose space a ramp move would end, or None [utility.pneumatic-ramp]."""
        name = self.track.spaces[space].name
        return next((other for other in self.others(car) if other.at == name), None)

    # -- the way

    def may_spray(self, car: DeathCar) -> bool:
        """Once a lap, on the track [utility.oil-spray]."""
        return car.ready("oil-spray") and not car.in_pits

    def behind_of(self, car: DeathCar) -> int:
        """Return the space straight behind a car, or -1 for none."""
        return self.track.behind[self.track.ids[car.at or ""]]

    def spray(self, owner: DeathCar, car: DeathCar, rest: int, put_there: Callable[[], None]) -> Procedure[None]:
        """Stop a car in the oil; it rolls for a collision for each space that it should still have driven.

        [utility.oil-spray, ruling 52]
        """
        self.spend(owner, "oil-spray", other=car.number, spaces=rest)
        put_there()
        for _ in range(rest):
            yield from self.book.collisions.body_test(car, False, owner)

    def heal(self, car: DeathCar, start: str | None, space: str | None, healed: int = 0) -> Procedure[int]:
        """Roll for nanobots in each corner that a car enters; restore one point, never above the maximum.

        These are the corners on its way from the start to a space, of which the first `healed` have been rolled for
        already. Returns how many they are [defence.nanobot-repair-systems].
        """
        entered = self.corners_entered(start, space)
        with suppress(QuestionWithdrawn):
            for _ in range(healed, entered):
                face = yield from ask(self.heal_die, car)
                if face <= self.figures.heal_to:
                    car.wear[POOL] += 1
                gain: Pools = {POOL: 1} if face <= self.figures.heal_to else {}
                self.rule("heal", "defence.nanobot-repair-systems", car, gain, face=face, to=self.figures.heal_to)
        return entered

    def can_heal(self, car: DeathCar) -> bool:
        """Return True if nanobots roll for a car in the next corner.

        There must be something to mend, and the car must not just have spun at 0 [defence.nanobot-repair-systems,
        spin.zero].
        """
        points = self.book.wear.points(car)
        if not car.alive or car.defence != "nanobot-repair-systems" or points >= car.built[POOL]:
            return False
        return car.status != "spun" or points > 0

    def foretell_heal(self, car: DeathCar) -> ForetoldTest:
        """Return the die of the nanobots: from 1 to a face it gives a point."""
        return self.book.tests.foretold("heal", car, self.figures.heal_to, Cost(((POOL, -1),)))

    def heal_die(self, car: DeathCar) -> TestDie | None:
        """Return the die of the nanobots, while they roll for a car.

        [defence.nanobot-repair-systems, spin.zero]
        """
        if not self.can_heal(car):
            return None
        to = self.figures.heal_to
        return TestDie(car.number, "defence.nanobot-repair-systems", "heal", divided(to), {"succeeds_to": to})

    def corners_entered(self, start: str | None, end: str | None) -> int:
        """Return how many corners a car enters on its way from one space to another.

        Out of the pits they are those from their exit on, into them none [defence.nanobot-repair-systems].
        """
        track = self.track
        begin, last = (track.spaces[track.ids[at or ""]].section for at in (start, end))
        if last < 0:
            return 0
        if begin < 0:
            assert track.pit is not None
            begin = track.spaces[track.pit.exits[0][1]].section - 1
        count = len(track.sections)
        passed = [(begin + step) % count for step in range(1, (last - begin) % count + 1)]
        return sum(track.sections[index].corner is not None for index in passed)

    # -- mag plates

    def plates_question(self, car: DeathCar, mover: DeathCar, space: str) -> Choice[bool] | None:
        """Ask whether a car with mag plates is drawn onto the space that another has just left beside it.

        [utility.mag-plates]
        """
        if not self.may_cling(car, space):
            return None
        choices = [(Option(True, facts={"at": space}), True), (Option(False), False)]
        question = Choice("use", car.number, "utility.mag-plates", choices, what="mag-plates")
        question.fields = {"card": "mag-plates", "at": space, "other": mover.number, "left": car.stock["mag-plates"]}
        return question

    def may_cling(self, car: DeathCar, space: str) -> bool:
        """Return True if a car may follow onto a free space beside it with mag plates.

        It takes a token a time, once a phase; into a corner or on in it only as its arrows lead, and never over the
        line [utility.mag-plates, ruling 49].
        """
        track = self.track
        if car.status not in ("racing", "stalled") or car.busy or not car.stock.get("mag-plates"):
            return False
        here, there = track.ids[car.at or ""], track.ids[space]
        if there not in self.book.reach.adjacent(here) or any(other.at == space for other in self.others(car)):
            return False
        against = track.corner[there] >= 0 and there not in track.moves[here]
        return not against and not self.over_line(here, there)

    def mag_plates(self, mover: DeathCar, begin: str | None) -> Procedure[None]:
        """Ask each car that was beside one that has driven off whether it follows onto its space.

        [utility.mag-plates]
        """
        if begin is None or mover.at == begin:
            return
        for car in list(self.others(mover)):
            if car.utility != "mag-plates":
                continue
            try:
                follows = yield from ask(self.plates_question, car, mover, begin)
            except QuestionWithdrawn:
                continue
            if follows:
                self.spend(car, "mag-plates", at=begin)
                self.moved_aside(car, begin)
                yield from self.book.wreckage.entering(car)

    def moved_aside(self, car: DeathCar, space: str) -> None:
        """Move a car by anything but its own move: it drives no stop and overshoots nothing.

        The stops that it has made stay made while it is in their corner, and in one that it had left it owes none;
        pulled out before a corner it has that whole corner ahead of it and drives it again, for stops are counted on
        the way through [utility.mag-plates, weapon.mag-gun, basic.corner, rulings 32, 49].
        """
        track = self.track
        here, there = track.ids[car.at or ""], track.ids[space]
        before, after = self.book.corners.corner_of(car.at), self.book.corners.corner_of(space)
        back = (track.place[here] - track.place[there]) % track.length < track.length // 2
        if self.over_line(here, there):
            car.lap -= 1
        if before != after:
            car.stops = track.corners[after].stops if after >= 0 and back else 0
        car.at = space
        self.race.turn += 1
        car.arrived = self.race.turn

    def over_line(self, here: int, there: int) -> bool:
        """Return True if the line lies between two spaces that are near each other."""
        place = self.track.place
        return 2 * abs(place[here] - place[there]) > self.track.length

    # -- limpet mines

    def may_drop(self, car: DeathCar) -> bool:
        """Return True if a limpet mine may be left: at the end of any move on the track, while there are any.

        The move may have ended in a spin. It is no shot, and reload tokens do not hold it back. A car that spins before
        its die makes no move [weapon.limpet-mines, ruling 50].
        """
        moved = car.status == "racing" or (car.status == "spun" and bool(self.move.face + self.move.moved))
        return moved and "limpet-mines" in car.weapons and car.stock["limpet-mines"] > 0


class Gadgets(DeathChapter):
    """Gadgets that a driver uses in his own move besides driving: nitros, ram, clutch, ramp."""

    book: HazardsBook

    # -- the move

    def nitros(self, car: DeathCar) -> Procedure[int]:
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
        """Return the car that a ram spike would strike: the one straight ahead at the end of the move.

        [utility.ram-spike]
        """
        if car.utility != "ram-spike" or car.status != "racing" or self.move.finished:
            return None
        return self.book.slipstream.car_ahead(car)

    def ram(self, car: DeathCar) -> Procedure[bool]:
        """Offer a ram instead of a slipstream: a point of damage to the car straight ahead.

        The collision is rolled as usual [utility.ram-spike].
        """
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
        """Ask whether a car one space short of a corner pays for the space that takes it in, and which.

        [clutch.drop, utility.drop-clutch, rulings 5 to 8]
        """
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
        return Choice("clutch", car.number, "clutch.drop", choices)

    def leaves_too_early(self, car: DeathCar, at: int) -> bool:
        """Return True if the car still owes a stop in the corner that it stands in [basic.corner]."""
        corner = self.track.corner[at]
        if corner < 0:
            return False
        made = self.move.made + 1 if corner == self.book.corners.corner_of(self.move.begin) else 1
        return made < self.track.corners[corner].stops

    def clutch_option(self, car: DeathCar, space: int) -> Option:
        """One space further, at the price of the clutch, for the first stop of the corner there [clutch.drop]."""
        corner = self.track.corners[self.track.corner[space]]
        cost = self.book.wear.hit_cost(self.book.wear.purse(car), self.clutch_price(car))
        return Option(
            {"space": self.track.spaces[space].name, "brakes": 0, "soft": 0},
            self.book.wear.option_cost(cost),
            {"moved": 1, "corner": corner.number, "stops": 1, "of": corner.stops, **cost.option_facts()},
        )

    def clutch_price(self, car: DeathCar) -> int:
        """Two points of damage, one with the card [clutch.drop, utility.drop-clutch]."""
        figures = self.figures
        return figures.clutch_card_damage if car.utility == "drop-clutch" else figures.clutch_damage

    def drop_clutch(self, car: DeathCar) -> Procedure[None]:
        """Offer the clutch: the damage falls where the car is, then it stands in the corner, and its stop counts.

        A car may follow onto the space that it left [clutch.drop, utility.mag-plates, rulings 5, 6, 10].
        """
        try:
            space = yield from ask(self.clutch_question, car)
        except QuestionWithdrawn:
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

    def raise_ramp(self, car: DeathCar, spaces: int) -> Procedure[None]:
        """Offer to raise the ramp, once a lap: the whole move, of at most this many spaces, may go through other cars.

        It may in its slipstream too [utility.pneumatic-ramp, slipstream.any-gear, ruling 1].
        """
        if car.in_pits:
            return
        near = any(self.in_reach(car, other, spaces) for other in self.others(car))
        if near and (yield from self.book.bodywork.uses(car, "pneumatic-ramp", lambda: car.ready("pneumatic-ramp"))):
            self.book.bodywork.spend(car, "pneumatic-ramp")
            self.book.move.ramp = True

    def in_reach(self, car: DeathCar, other: DeathCar, spaces: int) -> bool:
        """Return True if another car stands no further ahead than a move goes, or just beyond it.

        A car just beyond it gives a slipstream [utility.pneumatic-ramp, slipstream.any-gear].
        """
        ids = self.track.ids
        return distances(self.track, ids[car.at or ""]).get(ids[other.at or ""], NEVER) <= spaces + 1

    def ramp_damage(self) -> int:
        """Return the points that coming down on a car costs [utility.pneumatic-ramp]."""
        return self.figures.ramp_damage

    def ramped(self, car: DeathCar, landing: Landing) -> Procedure[Landing]:
        """Charge a car two points on which a ramp move ends; return the free space beside it that the ramp takes.

        That car rolls for a collision. If no space is free, the same happens to a car beside it
        [utility.pneumatic-ramp].
        """
        struck: list[int] = []
        space, start = landing.space, car.at
        while (other := self.book.bodywork.under(car, space)) is not None:
            struck.append(other.number)
            self.book.wear.hurt(
                car, self.ramp_damage(), "utility.pneumatic-ramp", at=other.at, why="ramp", other=other.number
            )
            meets = partial(self.stands_under, other, car, space)
            yield from self.book.collisions.body_test(other, False, car, meets=meets)
            if self.book.bodywork.under(car, space) is None:
                break
            try:
                space = yield from ask(self.place_question, car, space, struck, start)
            except QuestionWithdrawn:
                break
        if self.book.bodywork.under(car, space) is not None:
            return Landing(self.track.ids[car.at or ""], 0)
        return Landing(space, landing.moved, landing.brakes, overs=landing.overs)

    def foretell_ramp(self, car: DeathCar, landing: Landing) -> list[ForetoldTest]:
        """Return the roll of the car on which a ramp comes down, before its driver chooses where it stands."""
        other = self.book.bodywork.under(car, landing.space)
        assert other is not None
        return [self.book.collisions.foretold(other, False, car)]

    def stands_under(self, other: DeathCar, car: DeathCar, space: int) -> bool:
        """Return True if the car on which a ramp has come down still stands there.

        [utility.pneumatic-ramp]
        """
        return self.book.bodywork.under(car, space) is other

    def comes_down(self, car: DeathCar, landing: Landing) -> bool:
        """Return True if a ramp move ends on another car, and goes on from there [utility.pneumatic-ramp]."""
        return not landing.finished and self.book.bodywork.under(car, landing.space) is not None

    def onto(self, car: DeathCar, other: DeathCar, option: Option) -> Option:
        """Coming down on a car has its price, which may spin or destroy [utility.pneumatic-ramp, spin.zero]."""
        cost = self.book.wear.hit_cost(self.book.wear.purse(car), self.ramp_damage() - option.wear.get(POOL, 0))
        facts: dict[str, Json] = {**option.facts, "onto": other.number, **cost.option_facts()}
        return Option(option.answer, self.book.wear.option_cost(cost), facts)

    def place_question(self, car: DeathCar, space: int, struck: list[int], start: str | None) -> Choice[int] | None:
        """Ask where a car is put that came down on another: a free space beside it, else a taken one.

        None once the referee has put the car elsewhere [utility.pneumatic-ramp].
        """
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
        return Choice("place", car.number, "utility.pneumatic-ramp", choices)


class DeathCollisions(Collisions[DeathCar, DeathRace, DeathFigures]):
    """Collisions of armoured cars."""

    book: HazardsBook

    def collides_to(self, car: DeathCar, other: DeathCar) -> int:
        """Return the highest face on which a collision costs a point: 4, less by armour, then doubled to 20 at most.

        Each thing on the other car that makes it worse doubles the faces [basic.collision, defence.light-armour,
        defence.heavy-armour, defence.heavy-armour-front, defence.heavy-armour-rear, ruling 42].
        """
        to, armour = self.book.tests.collision_to(), car.armour
        ahead, behind = self.is_behind(car, other), self.is_behind(other, car)
        left = [armour.collision, armour.ahead if ahead else 0, armour.behind if behind else 0]
        to = min([to, *(faces for faces in left if faces)])
        doublers = self.doublers(car, other, ahead=ahead, behind=behind)
        if self.figures.doublers_count_once:
            doublers = min(doublers, 1)
        return min(to << doublers, 20)

    def stopped(self, car: DeathCar, other: DeathCar) -> int:
        """Return the points that the armour on the side of another car would stop [ruling 27]."""
        armour = car.armour
        return armour.front if self.is_behind(car, other) else armour.rear if self.is_behind(other, car) else 0

    @override
    def loses_to(self, car: DeathCar, other: DeathCar, *, aggravated: bool) -> int:
        """By the armour of the one and what the other makes worse."""
        return self.collides_to(car, other)

    @override
    def cost(self, car: DeathCar, other: DeathCar) -> Cost:
        """Return the cost of a collision: a point, unless armour holds it off."""
        return self.book.wear.hit(car, max(0, 1 - self.book.bodywork.held_off(self.stopped(car, other))))

    def is_behind(self, car: DeathCar, other: DeathCar) -> bool:
        """Return True if a car stands straight behind another [basic.collision]."""
        ids = self.track.ids
        return self.track.ahead[ids[car.at or ""]] == ids[other.at or ""]

    def doublers(self, car: DeathCar, other: DeathCar, *, ahead: bool, behind: bool) -> int:
        """Return how often the other car doubles the faces.

        An electrified body does for a car that ends its move beside it, a jet wash for one that ends it straight
        behind, wheel spikes for every car that is not straight before or behind them [utility.electrified-body,
        utility.jet-wash, utility.wheel-spikes].
        """
        moves = self.race.move is not None and self.race.move.car == car.number
        found = {
            "electrified-body": moves,
            "jet-wash": moves and ahead,
            "wheel-spikes": not ahead and not behind,
        }
        return int(found.get(other.utility, False))

    @override
    def body_test(
        self, car: DeathCar, aggravated: bool, other: DeathCar, *, meets: Callable[[], bool] | None = None
    ) -> Procedure[bool]:
        """Roll one car's collision with another, if the two still touch, or as `meets` says; return whether it is out.

        [basic.collision, ruling 27]
        """
        try:
            face = yield from ask(self.crash_die, car, other, meets)
        except QuestionWithdrawn:
            return False
        to = self.collides_to(car, other)
        if face > to:
            self.rule("collision", "basic.collision", car, face=face, to=to, other=other.number)
            return False
        stopped = self.stopped(car, other)
        points = max(0, 1 - self.book.bodywork.held_off(stopped))
        if points:
            self.book.wear.hurt(car, points, "basic.collision", face=face, to=to, why="collision", other=other.number)
        else:
            self.rule("collision", "basic.collision", car, face=face, to=to, other=other.number, armour=stopped)
        return not car.alive

    def crash_die(self, car: DeathCar, other: DeathCar, meets: Callable[[], bool] | None) -> TestDie | None:
        """Return the die of a collision, or None if none is tested [basic.collision]."""
        if not car.alive or not (meets() if meets is not None else self.touch(car, other)):
            return None
        to = self.collides_to(car, other)
        return TestDie(car.number, "basic.collision", "collision", divided(to), {"loses_to": to, "other": other.number})


class Wreckage(DeathChapter):
    """Hazards on the road, wreckage markers and mines, which a car meets space by space on its way."""

    book: HazardsBook

    # -- what waits on the road

    def road_hazards(self, car: DeathCar) -> frozenset[str]:
        """Return the spaces on which something waits for a car; the road behind a car with oil to spray counts too.

        [wreckage.roll, weapon.slip-mines, weapon.remote-mines, utility.oil-spray]
        """
        oil = self.book.bodywork
        oily = (oil.behind_of(other) for other in self.others(car) if oil.may_spray(other))
        names = (self.track.spaces[x].name for x in oily if x >= 0)
        markers = self.book.tests.danger_spaces(car)
        return frozenset((*markers, *(mine.at for mine in self.race.mines), *names))

    def slippery(self) -> frozenset[int]:
        """Return the spaces on which a slip mine lies, by id [weapon.slip-mines]."""
        return frozenset(self.track.ids[mine.at] for mine in self.race.mines if mine.card == "slip-mines")

    def drive_over(self, car: DeathCar, landing: Landing) -> Procedure[None]:
        """Drive a way space by space: corners may heal, hazards strike at once, and may stop the car on their space.

        Where a ramp puts a car down it meets the hazards there, in the place of a car that it has destroyed too; one
        that stays where it was meets nothing [wreckage.roll, weapon.slip-mines, utility.oil-spray,
        utility.pneumatic-ramp, defence.nanobot-repair-systems, rulings 2, 13].
        """
        start, healed, names = car.at, 0, self.board.names
        for space, cut in [(space, self.cut(car, landing, space)) for space in landing.tests]:
            healed = yield from self.book.bodywork.heal(car, start, names[space], healed)
            if car.at == start:
                yield from self.meet(car, names[space], landing.moved - cut.moved, self._put_on(car, cut))
            if car.at != start:
                self.book.move.stopped = True
                return
        end, down = landing, self.book.gadgets.comes_down(car, landing)
        if down:
            healed = yield from self.book.bodywork.heal(car, start, names[landing.space], healed)
            end = yield from self.book.gadgets.ramped(car, landing)
        if car.alive and car.at == start:
            self.place_car(car, end)
        if down and self.book.gadgets.ramp_damage():
            self.book.wear.empty(car)
        if landing.moved > 0:
            yield from self.book.bodywork.heal(car, start, car.at, healed)
        if down and car.at == names[end.space] != start and (yield from self.entering(car)):
            self.book.move.stopped = True

    def _put_on(self, car: DeathCar, cut: Landing) -> Callable[[], None]:
        """Put a car down on a space of its way, once."""

        def put_there() -> None:
            if car.at != self.track.spaces[cut.space].name:
                self.place_car(car, cut)

        return put_there

    def place_car(self, car: DeathCar, landing: Landing) -> None:
        """Put a car down where its way ends, and pay the tokens of the spaces that it has driven.

        [utility.grip-tyres, utility.swerve-tyres]
        """
        if isinstance(landing, Weave) and (tokens := min(landing.tokens, car.stock[landing.card])):
            self.book.bodywork.spend(car, landing.card, tokens)
        self.book.moving.take(car, landing)

    def cut(self, car: DeathCar, landing: Landing, space: int) -> Landing:
        """Return the same move if something ends it on a space of its way, even the last [ruling 2].

        Nothing is braked or blocked, and only the corners behind that space are overshot.
        """
        run = self.board.run(space)
        beyond = run.index(landing.space) if landing.space in run else NEVER
        overs = tuple(replace(over, spaces=over.spaces - beyond) for over in landing.overs if over.spaces > beyond)
        driven, tokens = landing.moved - beyond, landing.tokens if isinstance(landing, Weave) else 0
        if not overs and space != landing.space:
            driven, tokens = self.driven_to(car, landing, space)
        if isinstance(landing, Weave):
            return Weave(space, driven, overs=overs, card=landing.card, tokens=tokens)
        return Landing(space, driven, overs=overs)

    def driven_to(self, car: DeathCar, landing: Landing, space: int) -> tuple[int, int]:
        """Return how many spaces of a move lie behind a car at a space of its way, and how many tokens they took.

        They are the fewest of a way that goes around the cars and over what this move crosses alone, and from which the
        rest of the move leads to its end; into the pits none does [basic.drive, wreckage.roll, utility.oil-spray,
        utility.grip-tyres, utility.swerve-tyres, ruling 52].
        """
        leg, tests, whole = self.book.landings.leg(car, landing.moved), landing.tests, landing.moved
        met, end = tests.index(space) + 1, (landing.space, len(tests))
        ways = sorted(set(self.ways_to(leg, landing, space, met)))
        if len(ways) == 1:
            return ways[0]
        onward = self.walks(replace(leg, start=space, spaces=whole - ways[0][0]), landing, met)
        return min(ways, key=lambda way: (end not in onward[whole - way[0]], way))

    def ways_to(self, leg: Leg, landing: Landing, space: int, met: int) -> list[tuple[int, int]]:
        """Return the spaces and tokens of the ways that come to a space over the first `met` tests of a landing.

        They take no more tokens than the landing does [basic.drive, utility.grip-tyres, utility.swerve-tyres].
        """
        leg = replace(leg, brakes=leg.spaces)
        ways = [(way, 0) for way in self.board.landings(leg)]
        if isinstance(landing, Weave):
            woven = self.book.tyre_tricks.woven(leg, landing.card, landing.tokens)
            ways += [(way, way.tokens) for way in woven]
        return [(way.moved, tokens) for way, tokens in ways if way.space == space and way.tests == landing.tests[:met]]

    def walks(self, leg: Leg, landing: Landing, met: int = 0) -> list[set[tuple[int, int]]]:
        """Return the spaces reached after 0, 1, 2, ... spaces, with how many tests have been crossed.

        The walk goes around the cars, over what a landing crosses and over no other hazard, however it weaves.
        """
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
        """Return the spaces of a move beyond a corner left too early, straight on in one lane.

        [basic.overshoot]
        """
        spaces, at = [], landing.space
        for _ in range(landing.overs[0].spaces + landing.finished if landing.overs else 0):
            spaces.append(at)
            at = self.track.behind[at]
        return tuple(reversed(spaces))

    def led_to(self, landing: Landing, x: int, beyond: tuple[int, ...]) -> Sequence[int]:
        """Return the spaces to which a space leads, in the way that a move is driven.

        Swerving, a corner's spaces lead where no arrow does as well, and a corner left too early leads straight on
        [basic.drive, basic.overshoot, utility.swerve-tyres].
        """
        if x in beyond:
            return [y for y in self.track.moves[x] if y in beyond]
        corner, leads = self.track.corner, self.track.moves[x]
        if isinstance(landing, Weave) and landing.card == SWERVE and corner[x] >= 0:
            leads = (*leads, *self.book.tyre_tricks.unprinted(x))
        if beyond and corner[x] == landing.overs[0].corner:
            return [y for y in leads if corner[y] == corner[x] or y == beyond[0]]
        return leads

    def foretell_way(self, car: DeathCar, landing: Landing) -> tuple[list[ForetoldTest], bool]:
        """Return the dice of a way in their order, and whether its driver must choose a space at its end.

        Corners may heal, wreckage and remote mines strike, a slip mine ends it. Oil is not sprayed.
        """
        found: list[ForetoldTest] = []
        bodywork, names, healed = self.book.bodywork, self.board.names, 0
        markers = self.book.tests.danger_spaces(car)
        for space in landing.tests:
            name = names[space]
            entered = bodywork.corners_entered(car.at, name)
            found += [bodywork.foretell_heal(car)] * (entered - healed) if bodywork.can_heal(car) else []
            healed = max(healed, entered)
            if name in markers:
                found.append(self.foretell_wreckage(car, name))
            mines = [mine for mine in self.race.mines if mine.at == name]
            found += [self.foretell_mine(car, mine) for mine in mines if mine.card == "remote-mines"]
            if any(mine.card == "slip-mines" for mine in mines):
                return found, False
        if self.book.gadgets.comes_down(car, landing):
            entered = bodywork.corners_entered(car.at, names[landing.space])
            found += [bodywork.foretell_heal(car)] * (entered - healed) if bodywork.can_heal(car) else []
            return found + self.book.gadgets.foretell_ramp(car, landing), True
        after = replace(car, wear=self.book.wear.purse(car).after(self.brakes(landing)).wear)
        if landing.moved > 0 and bodywork.can_heal(after):
            entered = bodywork.corners_entered(car.at, names[landing.space])
            found += [bodywork.foretell_heal(after)] * (entered - healed)
        return found, False

    def brakes(self, landing: Landing) -> Cost:
        """Return what the spaces braked away cost."""
        return self.book.moving.brake_cost(landing.brakes)

    def foretell_wreckage(self, car: DeathCar, space: str) -> ForetoldTest:
        """Return the roll of a car that drives over a marker."""
        points = max(0, 1 - self.book.bodywork.held_off(car.armour.front))
        cost = self.book.wear.hit(car, points)
        return self.book.tests.foretold("wreckage", car, self.wreckage_to(car), cost, at=space)

    def foretell_mine(self, car: DeathCar, mine: Mine) -> ForetoldTest:
        """Return the roll for a remote mine under a car."""
        cost = self.book.wear.hit(car, CARDS["remote-mines"].damage)
        return self.book.tests.foretold("mine", car, self.mine_to(car), cost, at=mine.at)

    def entering(self, car: DeathCar) -> Procedure[bool]:
        """Let a car that was moved onto a space meet what lies there, but no oil; return whether it stops there.

        It has nothing left to drive. It counts as stopped if the referee has put it elsewhere [wreckage.roll,
        utility.oil-spray, weapon.mag-gun, rulings 13, 39].
        """
        begin = car.at
        stops = yield from self.meet(car, begin or "", 0, _leave_there)
        return stops or car.at != begin

    def meet_what_lies(self, car: DeathCar, space: str, rest: int, put_there: Callable[[], None]) -> Procedure[bool]:
        """Let everything that lies on one space strike a car while it is there; return whether the car stops there.

        The marker comes before mines, those that explode before those that end its move. `put_there` puts the car
        there, `rest` are the spaces that it still had to drive [wreckage.roll, weapon.remote-mines, weapon.slip-mines].
        """
        stays = False
        try:
            if space in self.book.tests.danger_spaces(car):
                stays = yield from self.wreckage_roll(car, space, put_there)
            mines = [mine for mine in self.race.mines if mine.at == space]
            for mine in sorted(mines, key=lambda mine: mine.card == "slip-mines"):
                if mine.card == "remote-mines":
                    stays = (yield from self.explode(car, mine, put_there)) or stays
                elif car.alive:
                    self.slip(car, mine, put_there)
                    stays = True
        except QuestionWithdrawn:
            pass
        return stays

    def die_there(
        self, car: DeathCar, begin: str | None, article: str, what: str, losing: Callable[[], int]
    ) -> TestDie | None:
        """Return the die for a hazard on the way of a car; None once the referee has put the car elsewhere.

        The hazard stays where it is then [wreckage.roll, weapon.remote-mines, ruling 39].
        """
        return self.book.tests.black_die(car, article, what, losing) if car.at == begin else None

    def wreckage_to(self, car: DeathCar) -> int:
        """Return the highest face on which wreckage costs a point: 4, or less by armour.

        [wreckage.roll, defence.light-armour, defence.heavy-armour, defence.heavy-armour-front, defence.mine-sweepers]
        """
        to = self.figures.wreckage_to
        return min(to, car.armour.wreckage) if car.armour.wreckage else to

    def wreckage_roll(self, car: DeathCar, space: str, put_there: Callable[[], None]) -> Procedure[bool]:
        """Roll for driving over a marker; return whether the car stays there for good.

        If it costs the point, the marker goes and leaves no new one [wreckage.roll, rulings 2, 11, 12, 43].
        """
        to = self.wreckage_to(car)
        face = yield from ask(self.die_there, car, car.at, "wreckage.roll", "wreckage", lambda: self.wreckage_to(car))
        if face > to:
            self.rule("wreckage", "wreckage.roll", car, face=face, to=to, at=space)
            return False
        armour = self.book.bodywork.held_off(car.armour.front)
        points = max(0, 1 - armour)
        facts: dict[str, Json] = {"hits": True, "armour": armour} if armour else {"hits": True}
        if not self.figures.markers_stay:
            self.book.wear.unmark(space)
            facts["cleared"] = True
        if points and self.book.wear.points(car) <= points:
            put_there()
        self.rule("wreckage", "wreckage.roll", car, face=face, to=to, at=space, **facts)
        self.book.wear.hurt(car, points, "wreckage.roll", marker=False, at=space, why="wreckage")
        return not car.alive or car.status == "spun"

    # -- mines

    def slip(self, car: DeathCar, mine: Mine, put_there: Callable[[], None]) -> None:
        """End a move on a slip mine's space and take two gears, though not below 1st; the mine is gone.

        [weapon.slip-mines, ruling 47]
        """
        self.race.mines.remove(mine)
        put_there()
        self.rule("mine", "weapon.slip-mines", car, action="slips", at=mine.at, owner=mine.owner, card=mine.card)
        self.book.gears.lose_gears(car, "weapon.slip-mines", least=1)

    def mine_to(self, car: DeathCar) -> int:
        """Return the highest face on which a remote mine hits; mine sweepers halve it, rounded down.

        [weapon.remote-mines, defence.mine-sweepers]
        """
        to = CARDS["remote-mines"].accuracy
        return to // 2 if car.defence == "mine-sweepers" else to

    def explode(self, car: DeathCar, mine: Mine, put_there: Callable[[], None]) -> Procedure[bool]:
        """Explode a remote mine under the first car that comes to it; return whether that car stays there for good.

        [weapon.remote-mines, rulings 27, 48]
        """
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
            put_there()
        self.book.wear.hurt(car, points, "weapon.remote-mines", at=mine.at, why="mine")
        return not car.alive or car.status == "spun"

    def meet(self, car: DeathCar, space: str, rest: int, put_there: Callable[[], None]) -> Procedure[bool]:
        """Let a car meet what lies on a space, then the oil of the car ahead; return whether it stops there.

        [wreckage.roll, weapon.slip-mines, weapon.remote-mines, utility.oil-spray]
        """
        begin = car.at
        if (yield from self.meet_what_lies(car, space, rest, put_there)):
            return True
        for other in list(self.others(car)) if rest else ():
            sprays = partial(self.sprays, other, car, begin, space)
            if (yield from self.book.bodywork.uses(other, "oil-spray", sprays, other=car.number, at=space)):
                yield from self.book.bodywork.spray(other, car, rest, put_there)
                return True
        return False

    def sprays(self, other: DeathCar, car: DeathCar, begin: str | None, space: str) -> bool:
        """Return True if a car may spray its oil onto the space straight behind it, over which another comes.

        The referee must not have put that other one elsewhere meanwhile [utility.oil-spray, ruling 39].
        """
        oil = self.book.bodywork
        return car.at == begin and oil.may_spray(other) and oil.behind_of(other) == self.track.ids[space]


def _leave_there() -> None:
    """Do nothing: the car stands there already."""
