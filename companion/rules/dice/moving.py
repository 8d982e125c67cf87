"""A move: where it may stop, what each stop costs, and the car on its way. Articles 6, 7, 8, 10 to 12, 18, 21."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, Protocol

from msgspec.structs import replace

from companion.rules.circuit.leg import Landing, Leg
from companion.rules.conversation.asking import Json, JsonValue, Option, Procedure, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.forms import Choice, whole
from companion.rules.conversation.kinds import Pools
from companion.rules.dice.chapter import Book, C_contra, DiceChapter, F, R, Stretches
from companion.rules.dice.corners import Corners
from companion.rules.dice.offers import LandingContext, Offers, named_test
from companion.rules.dice.order import Finish, Order
from companion.rules.dice.pits import Pits
from companion.rules.dice.state import C
from companion.rules.dice.tyres import Tyres
from companion.rules.dice.wear import FREE, Charges, Cost, Purse, Wear


class Slipstreaming(Protocol[C_contra]):
    """The slipstreams after a move, and what one into a corner costs."""

    def slipstreams(self, car: C_contra, soft: bool) -> Procedure[None]: ...
    def enters_corner(self, car: C_contra, landing: Landing) -> bool: ...
    def entry_cost(self, brakes: int) -> Cost: ...
    def pay_entry(self, car: C_contra, brakes: int) -> None: ...


class DangerSpaces(Protocol[C_contra]):
    """The spaces that a way tests."""

    def danger_spaces(self, car: C_contra) -> Collection[str]: ...


class BlockedCost(Protocol[C_contra]):
    """The cost of being blocked."""

    def blocked_cost(self, car: C_contra, spaces: int, purse: Purse, *, owed: int = 0) -> Cost: ...


class UnseenMove(Stretches, Protocol[C_contra]):
    """The move of a turn on a corner sheet."""

    def displace_unseen(self, car: C_contra, spaces: int, *, soft: bool = True, least: int = 0) -> Procedure[None]: ...


class MovingBook(Book[C, R, F], Protocol[C, R, F]):
    """The book as landings, moves, slipstreams and tests see it."""

    @property
    def wear(self) -> Wear[C, R, F]: ...
    @property
    def order(self) -> Order[C, R, F]: ...
    @property
    def finish(self) -> Finish[C, R, F]: ...
    @property
    def pits(self) -> Pits[C, R, F]: ...
    @property
    def tyres(self) -> Tyres[C, R, F]: ...
    @property
    def corners(self) -> Corners[C, R, F]: ...
    @property
    def landings(self) -> Landings[C, R, F]: ...
    @property
    def moving(self) -> Moving[C, R, F]: ...
    @property
    def slipstream(self) -> Slipstreaming[C]: ...
    @property
    def tests(self) -> DangerSpaces[C]: ...
    @property
    def blocking(self) -> BlockedCost[C]: ...
    @property
    def sheet(self) -> UnseenMove[C]: ...


class Landings(DiceChapter[C, R, F]):
    """Every stop that a car can reach, with its price."""

    book: MovingBook[C, R, F]

    brakes_in_lane: ClassVar[bool] = True
    """True if a car in the pit lane may brake there; otherwise only spaces beyond the lane can be braked."""

    # -- the leg

    def leg(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Leg:
        """Return a displacement as the board must search it, with the brakes that are left and no more.

        Danger spaces may be driven around, and on the last lap it ends on the line; it slides once a turn, and the
        stops made count in the corner where the turn began [5-1-2, 7-1-1, 8-1-2, 8-2-3, 11-0-4, 17-1, 17-3, 19-3-6].
        """
        track, move = self.track, self.move
        ids = track.ids
        start = ids[car.at or ""]
        made = move.made if track.corner[start] == track.corner[ids[move.begin]] else 0
        until = self.book.pits.box_due(car)
        return Leg(
            start=start,
            spaces=spaces,
            slide=0 if move.slid else self.book.tyres.slide(car),
            soft=self.book.tyres.soft_spaces(car) if soft else 0,
            brakes=self.most_brakes(car),
            made=made,
            taken=self.beside_boxes(car, start, until, self.occupied_spaces(car)),
            dangers=frozenset(ids[space] for space in self.book.tests.danger_spaces(car)),
            finish=self.book.finish.last_lap(car),
            ages=not self.book.tyres.gives_space(car, crossed=True),
            until=until,
            least=least,
            pits_count=self.figures.pits_are_a_way_round,
            soft_ends=self.figures.soft_space_not_over_line,
            slides_anyway=self.book.tyres.slides_anyway(),
        )

    def occupied_spaces(self, car: C) -> frozenset[int]:
        """Return the spaces on which another car stands, by id; one that holds any number of cars is never taken."""
        ids, holds_many = self.track.ids, self.book.pits.holds_many
        return frozenset([ids[other.at or ""] for other in self.others(car) if not holds_many(other.at)])

    def beside_boxes(self, car: C, start: int, until: int, taken: frozenset[int]) -> frozenset[int]:
        """Return the taken spaces as the boxes see them [19-1-1, 19-1-5, ruling 90].

        A car that waits for a box which another is in waits behind the lane space before it, so that this one can
        leave; and it leaves past a car that waits on that space all the same.
        """
        if until in taken:
            return taken | {self.board.front[until]}
        return taken - {front} if (front := self.waits_before(car, start)) >= 0 else taken

    def waits_before(self, car: C, start: int) -> int:
        """Return the lane space before a box, by id, where a car on it waits for that very box; else -1.

        [ruling 90]
        """
        front = self.board.front.get(start, -1)
        if front < 0 or self.book.pits.holds_many(car.at):
            return -1
        waiting = (other for other in self.others(car) if other.status == "pit" and not other.stop)
        waits = any(other.box == car.box and self.track.ids[other.at or ""] == front for other in waiting)
        return front if waits else -1

    def most_brakes(self, car: C) -> int:
        """Return how many spaces a car can brake away: one for each brake point, and none without.

        [11-0-4, 5-1-2]
        """
        return self.book.wear.points_left(car, "brakes")

    # -- costs

    def landing_cost(self, car: C, purse: Purse, charges: Charges) -> Cost:
        """Return the cost of a stop: brakes, then overshooting, then being blocked, each from what is then left.

        [11-0-3, 18-1-4, 10-0-1, 12-0-1, 6-3.11, ruling 40]
        """
        book = self.book
        cost = book.moving.brake_cost(charges.brakes).plus(book.slipstream.entry_cost(charges.entry))
        left, owed = purse.after(cost), 0
        if charges.overs:
            over = book.corners.overshoot_cost(car, charges.overs, left, braked=charges.brakes, blocked=charges.blocked)
            cost = cost.plus(over)
            if over.out or over.ends_move:
                return cost
            left, owed = left.after(over), over.total
        if charges.blocked:
            cost = cost.plus(book.blocking.blocked_cost(car, charges.blocked, left, owed=owed))
        return cost

    def costs(self, car: C) -> Callable[[Charges], Cost]:
        """Return what gives the cost of a stop for a car as it stands now."""
        purse = self.book.wear.purse(car)
        return partial(self.landing_cost, car, purse)

    def cost(self, car: C, landing: Landing, *, entry: int = 0) -> Cost:
        """Return what one stop costs a car as it stands now, with the brakes of a slipstream into a corner."""
        charges = self.charges(car, landing)
        return self.costs(car)(replace(charges, entry=charges.entry + entry))

    def charges(self, car: C, landing: Landing) -> Charges:
        """Return what a stop is charged for, as far as it is certain to be driven."""
        driven = self.actual_landing(car, landing)
        in_pits = driven.space in self.board.pits
        entry = self.book.pits.entry_brakes(car) if in_pits else 0
        return Charges(driven.brakes, entry, driven.overs, driven.blocked, driven.finished, in_pits)

    def actual_landing(self, car: C, landing: Landing) -> Landing:
        """Return a stop as far as it is certain to be driven; in some rulebooks a move may have to end sooner."""
        return landing

    def option_cost(self, car: C, cost: Cost) -> Pools:
        """Return the cost of a stop as its option shows it: what is due."""
        return self.book.wear.option_cost(cost)

    # -- landings

    def landings(self, car: C, leg: Leg) -> list[Landing]:
        """Return every legal stop of a leg, but not where a car waits for the box that it leaves.

        Of blocked ones there are only the furthest, then the one that would play first next time [12-1-3, 19-1-1,
        19-1-5, rulings 48, 90].
        """
        before = self.waits_before(car, leg.start)
        found = [landing for landing in self.board.landings(leg) if landing.space != before]
        if not found:
            return [Landing(leg.start, 0)]
        best: dict[int, int] = {}
        for landing in [landing for landing in found if landing.blocked]:
            best[landing.brakes] = max(best.get(landing.brakes, 0), self._ahead_of(leg.start, landing.space))
        return [
            landing
            for landing in found
            if not landing.blocked or self._ahead_of(leg.start, landing.space) == best[landing.brakes]
        ]

    def unbraked_in_pits(self, car: C, found: Sequence[Landing]) -> list[Landing]:
        """Return the landings without those in the pits that a car which is there would brake to."""
        return [one for one in found if not (car.in_pits and one.brakes and one.space in self.board.pits)]

    def _ahead_of(self, start: int, space: int) -> int:
        track = self.track
        return (track.place[space] - track.place[start]) % track.length

    def test_name(self, test: int) -> str:
        """A test of the way by name: the danger space, or the wall beside a space."""
        return named_test(self.board.names, test)

    def choices(self, car: C, found: Sequence[Landing], entry_brake: int = 0) -> list[tuple[Option, Landing]]:
        """Return landings as options with their prices, cheapest first [18-1-4].

        With `entry_brake` they cost that many brakes more into a corner, as they may into the pits; those that the car
        cannot pay are left out.
        """
        return self.offers(car, entry_brake).listed(found)

    def offers(self, car: C, entry_brake: int) -> Offers:
        """Return what turns the landings of a car into options [18-1-4]."""
        pit_brakes, pits = self.book.pits.entry_brakes(car), self.board.pits

        def entry(landing: Landing) -> int:
            brakes = entry_brake if entry_brake and self.book.slipstream.enters_corner(car, landing) else 0
            return brakes + (pit_brakes if landing.space in pits else 0)

        return Offers(
            self.stage(),
            self.costs(car),
            partial(self.option_cost, car),
            self.book.wear.points_left(car, "brakes"),
            partial(self.actual_landing, car),
            entry if entry_brake or pit_brakes else None,
        )

    def stage(self) -> LandingContext:
        """Return what the stops of this turn have in common [7-1-1, ruling 29].

        In the corner where it began some stops are made already, and standing still on brakes may not count as one.
        """
        move, track = self.move, self.track
        corner = track.corner[track.ids[move.begin]]
        return LandingContext(self.board, corner, move.made, self.book.corners.counts_standing(True))

    def landing_question(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Choice[Landing] | None:
        """Ask where the car stops: every reachable stop with its cost.

        A coasting one goes as far as it can [6-3.5, 6-3.6, 6-3.7, 6-3.9, 16-0-3].
        """
        if not car.alive or car.at is None:
            return None
        leg = self.leg(car, spaces, soft=soft, least=least)
        found = self.landings(car, leg)
        if car.coast == self.move.gear:  # an engine that breaks in this turn is coasted out in the next
            found = self.furthest(car, leg, found)
        question = Choice(
            "landing",
            car.number,
            self.article("7-2-3"),
            lambda: self.choices(car, found),
            what=f"spaces_{spaces}",
            broad=self.forced_landing,
            find=lambda answer: self._only(answer, found),
        )
        question.held = lambda answer, what: self._after_another_roll(car, answer, what, soft=soft, least=least)
        return question

    def _after_another_roll(self, car: C, answer: JsonValue, what: str, *, soft: bool, least: int) -> Landing | None:
        """Return the landing of an answer given after another roll, with the tests and the price of its way."""
        spaces = what.removeprefix("spaces_")
        if not spaces.isdecimal():
            return None
        return self._only(answer, self.landings(car, self.leg(car, int(spaces), soft=soft, least=least)))

    def _only(self, answer: JsonValue, found: Sequence[Landing]) -> Landing | None:
        """Return the landing that an answer names by space, brakes and soft space, if there is only one.

        If there are several it must say over which tests.
        """
        if not isinstance(answer, dict) or answer.keys() | {"over"} != {"space", "brakes", "soft", "over"}:
            return None
        name, brakes, soft = answer["space"], answer["brakes"], answer["soft"]
        if type(name) is not str or type(brakes) is not int or type(soft) is not int:
            return None
        space = self.track.ids.get(name)
        named = [one for one in found if one.space == space and one.brakes == brakes and one.soft == soft]
        if "over" in answer and len(named) > 1:
            return next((one for one in named if [self.test_name(test) for test in one.tests] == answer["over"]), None)
        return named[0] if len(named) == 1 and "over" not in answer else None

    def furthest(self, car: C, leg: Leg, found: list[Landing]) -> list[Landing]:
        """Return the furthest stops of a coasting car without going out or spinning if that is possible.

        Soft space and slide are included, and it brakes only against blocking or going out [16-0-3, 16-0-8, 20-4-2,
        rulings 68, 69].
        """
        costs = self.costs(car)

        def rank(landing: Landing) -> tuple[int, ...]:
            cost = costs(self.charges(car, landing))
            worst = 2 if cost.out else int(cost.spin)
            ahead = self._ahead_of(leg.start, landing.space)
            return (
                worst,
                -int(landing.finished),
                landing.blocked if worst == 2 else 0,
                -landing.moved,
                -ahead,
            )

        best = min(map(rank, found))
        return [landing for landing in found if rank(landing) == best]

    def forced_landing(self, answer: JsonValue) -> Landing:
        """Return a landing by the referee's word: any space that exists and is free, at the brakes named."""
        said = answer if isinstance(answer, dict) else {}
        name = said.get("space")
        if isinstance(name, str) and name not in self.track.ids:
            raise BadAnswer("no_space.said", track=self.track.name, at=name[:40], form=self.track.place_form)
        if not isinstance(name, str):
            raise BadAnswer("landing_space", example='{"space": "5:left:3", "brakes": 0, "soft": 0}')
        car, space = self.car(self.move.car), self.track.ids[name]
        if not self.book.pits.holds_many(name) and any(other.at == name for other in self.others(car)):
            raise BadAnswer("space_taken", name=name)
        brakes, soft = whole(said.get("brakes", 0)), whole(said.get("soft", 0))
        most = self.book.wear.points_left(car, "brakes")
        bonus = max(1, self.book.tyres.bonus_of(car.tyres))
        if not 0 <= brakes <= most or not 0 <= soft <= bonus:
            raise BadAnswer("brakes_range", car=car.number, brakes=most, bonus=bonus)
        return Landing(space, self._about(car, space), brakes, soft)

    def _about(self, car: C, space: int) -> int:
        """About how many spaces a space lies ahead of a car, where no legal way counts them; less than 0 behind it."""
        ahead = self._ahead_of(self.track.ids[car.at or ""], space)
        return (ahead + 1) // 2 if 2 * ahead <= self.track.length else (ahead - self.track.length) // 2


SLIDES: Final = {"hard": "8-1-2", "soft": "8-2-2", "rain": "8-3-2", "super_soft": "variant.super-soft"}
"""Article on the slide of a car, by its tyres."""


class Moving(DiceChapter[C, R, F]):
    """From where a car stood to where it stops."""

    book: MovingBook[C, R, F]

    def place_at(self, car: C, space: str) -> None:
        """Leave a car on a space of its way instead of at the end of it; before the line it has not crossed it."""
        track = self.track
        if space not in track.ids:
            return
        if track.past_line(track.ids[car.at or ""]) and not track.past_line(track.ids[space]):
            car.lap -= 1
            self.move.finished = False
        car.at = space

    @property
    def rolled(self) -> int:
        """The face of the gear's die, for the move that it brings; 0 for what follows that move [6-3.4]."""
        return 0 if self.move.moved else self.move.face

    def more_in(self, car: C, gear: int) -> int:
        """Return the spaces that a roll in a gear brings beyond those of its face, or fewer [6-3.4]."""
        return 0

    def spaces_of(self, car: C, face: int) -> Procedure[int]:
        """Return the spaces that a roll brings: as many as the die shows [6-3.4, 6-3.5]."""
        yield from ()
        return face

    def terms(self, car: C, slid: int, soft: int, braked: int, blocked: int) -> dict[str, Json]:
        """Return the terms of a move's spaces: the die, the slide, the soft space, less braked and blocked ones.

        [6-2-1, 8-1-2, 8-2-1, 11-0-1, 12-0-1]
        """
        spaces = {
            "rolled": self.rolled, "bonus": self.book.pits.bonus(car), "slid": slid, "soft": int(soft),
            "braked": braked, "blocked": blocked,
        }  # fmt: skip
        return {name: count for name, count in spaces.items() if count}

    def lost(self, terms: Mapping[str, Json], moved: int) -> dict[str, Json]:
        """Return the spaces of a roll that a car does not drive in the pits, at no cost.

        It stands behind another one or at its box [19-1-5, 19-2-2, rulings 82, 86].
        """
        spaces = sum(-count if name in ("braked", "blocked") else count for name, count in terms.items()) - moved
        return {"lost": spaces} if spaces > 0 else {}

    def take(self, car: C, landing: Landing, entry: int = 0) -> None:
        """Put the car where it stops and note what its way has brought.

        That is when it came there, what slid, what was braked; the line may have been crossed [6-2-1, 6-2-3, 8-1-2,
        8-2-2, 8-3-2, 18-1-6, 21-1-5, ruling 8]. By the referee's word a car may also go back, over the line too.
        """
        track, move = self.track, self.move
        start = track.ids[car.at or ""]
        name = track.spaces[landing.space].name
        moved, back = max(landing.moved, 0), landing.moved < 0
        terms = self.terms(car, landing.slid, landing.soft, landing.brakes, landing.blocked)
        if back:
            terms = {"back": -landing.moved}
        elif name.startswith(("pit:", "box:")):
            terms |= self.lost(terms, moved)
        move.moved += moved
        move.tests += [self.book.landings.test_name(test) for test in landing.tests]
        move.overs = list(landing.overs)
        move.blocked = landing.blocked
        move.braked += landing.brakes
        if landing.space != start:
            self.race.turn += 1
            car.arrived = self.race.turn
        self.rule("move", "6-2-1", car, begin=car.at, at=name, moved=moved, **terms)
        if landing.slid and landing.moved:
            move.slid = True
            self.rule("slide", SLIDES[car.tyres or "hard"], car, spaces=landing.slid)
        if landing.soft:
            self.book.tyres.gain(car, landing.soft)
        self.brake(car, landing.brakes)
        self.book.slipstream.pay_entry(car, entry)
        past, past_now = track.past_line(start), track.past_line(landing.space)
        crosses = past_now and not past and not back
        if back and past and not past_now:
            car.lap = max(0, car.lap - 1)
        car.at = name
        if name.startswith(("pit:", "box:")):
            self.book.pits.into_pits(car, name)
        elif car.in_pits:
            self.book.pits.leave_lane(car)
        if crosses:
            move.crossed, move.finished = True, self.book.finish.last_lap(car)
            car.lap += 1

    def brake_cost(self, spaces: int) -> Cost:
        """Each brake point shortens the move by one space, at any moment of it [11-0-1, 11-0-3, 6-3.9]."""
        return Cost((("brakes", spaces),)) if spaces else FREE

    def brake(self, car: C, spaces: int) -> None:
        """Pay for the spaces braked away [11-0-3]."""
        if spaces:
            self.lose(car, "brake", "11-0-3", dict(self.brake_cost(spaces).points), spaces=spaces)

    def displace(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Procedure[None]:
        """Make the move of a turn, then as many slipstreams as are open [6-3.5 to 6-3.9, 18-1-3]."""
        if self.track.known == "corner":
            yield from self.book.sheet.displace_unseen(car, spaces, soft=soft, least=least)
            return
        landing = yield from ask(self.book.landings.landing_question, car, spaces, soft=soft, least=least)
        self.take(car, landing)
        yield from self.book.slipstream.slipstreams(car, soft)
