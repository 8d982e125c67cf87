"""Where a move may stop, and what each stop costs. Articles 7, 10 to 12."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from companion.rules.circuit.leg import Landing, Leg
from companion.rules.conversation.asking import JsonValue, Option
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.forms import Choice, whole
from companion.rules.conversation.kinds import Pools
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.offers import Offers, Price, Stage, Till, named_test
from companion.rules.dice.state import C


class Landings(DiceChapter[C, R, F]):
    """Every stop that a car can reach, with its price."""

    brakes_in_lane: ClassVar[bool] = True
    """Whether a car in the pit lane may brake there; where it may not, spaces beyond the lane alone can be braked."""

    # -- the leg

    def leg(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Leg:
        """A displacement as the board must search it, with the brakes that are left and no more; danger spaces may be
        driven around, and on the last lap it ends on the line; it slides once a turn, and the stops made count in the
        corner where the turn began [5-1-2, 7-1-1, 8-1-2, 8-2-3, 11-0-4, 17-1, 17-3, 19-3-6]."""
        track, move = self.track, self.move
        ids = track.ids
        start = ids[car.at or ""]
        made = move.made if track.corner[start] == track.corner[ids[move.begin]] else 0
        until = self.book.pits.box_due(car)
        return Leg(
            start=start,
            spaces=spaces,
            slide=0 if move.slid else self.book.tyres.slide(car),
            soft=soft and self.book.tyres.soft_space(car),
            brakes=self.most_brakes(car),
            made=made,
            taken=self.beside_boxes(car, start, until, self.taken(car)),
            dangers=frozenset(ids[space] for space in self.race.dangers),
            finish=self.book.finish.last_lap(car),
            ages=not self.book.tyres.gives_space(car, crossed=True),
            until=until,
            least=least,
            pits_count=self.figures.pits_are_a_way_round,
            soft_ends=self.figures.soft_space_not_over_line,
        )

    def taken(self, car: C) -> frozenset[int]:
        """The spaces on which another car stands, by id; one that holds any number of cars is never taken."""
        ids, holds_many = self.track.ids, self.book.pits.holds_many
        return frozenset([ids[other.at or ""] for other in self.others(car) if not holds_many(other.at)])

    def beside_boxes(self, car: C, start: int, until: int, taken: frozenset[int]) -> frozenset[int]:
        """What is taken as the boxes see it: whoever waits for a box that another car is in waits behind the lane space
        before it, so that this one can leave; and it leaves past one that waits on that space all the same
        [19-1-1, 19-1-5, ruling 90]."""
        if until in taken:
            return taken | {self.board.front[until]}
        return taken - {front} if (front := self.waits_before(car, start)) >= 0 else taken

    def waits_before(self, car: C, start: int) -> int:
        """The lane space before a box, by id, where a car on it waits for that very box; else -1 [ruling 90]."""
        front = self.board.front.get(start, -1)
        waiting = (other for other in self.others(car) if other.status == "pit" and not other.stop)
        waits = any(other.box == car.box and self.track.ids[other.at or ""] == front for other in waiting)
        return front if waits and not self.book.pits.holds_many(car.at) else -1

    def most_brakes(self, car: C) -> int:
        """How many spaces a car can brake away: one for each brake point, and none without [11-0-4, 5-1-2]."""
        return self.book.wear.left(car, "brakes")

    # -- prices

    def price(self, car: C, landing: Landing) -> Price:
        """What a landing costs a car."""
        return self.prices(car)(landing, 0)

    def prices(self, car: C) -> Callable[[Landing, int], Price]:
        """How the landings of a car are priced, each with the brakes that it costs more than it brakes
        [10-0-1, 10-3, 11-0-3, 12-0-1]."""
        wear = self.book.wear
        factor, limit = self.book.tyres.factor(car), wear.tyre_limit(car)
        return Till(factor, limit, wear.left(car, "brakes"), self.figures.blocking).price

    # -- landings

    def landings(self, car: C, leg: Leg) -> list[Landing]:
        """Every legal stop of a leg, but not where a car waits for the box that it leaves; of blocked ones only the
        furthest, then the one that would play first next time [12-1-3, 19-1-1, 19-1-5, rulings 48, 90]."""
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
        """Landings without those in the pits that a car which is there would brake to."""
        return [one for one in found if not (car.in_pits and one.brakes and one.space in self.board.pits)]

    def _ahead_of(self, start: int, space: int) -> int:
        track = self.track
        return (track.place[space] - track.place[start]) % track.length

    def test_name(self, test: int) -> str:
        """A test of the way by name: the danger space, or the wall beside a space."""
        return named_test(self.board.names, test)

    def choices(self, car: C, found: Sequence[Landing], entry_brake: int = 0) -> list[tuple[Option, Landing]]:
        """Landings as options with their prices, cheapest first; with `entry_brake` into a corner they cost so many
        brakes more, and not those that the car cannot pay [18-1-4]."""

        def entry(landing: Landing) -> int:
            return entry_brake if self.book.slipstream.enters_corner(car, landing) else 0

        most = self.book.wear.left(car, "brakes")
        return Offers(self.stage(), self.prices(car), self.cost, entry if entry_brake else None, most).listed(found)

    def stage(self) -> Stage:
        """What the stops of this turn have in common: in the corner where it began some are made already, and standing
        still on brakes may not count as one [7-1-1, ruling 29]."""
        move, track = self.move, self.track
        corner = track.corner[track.ids[move.begin]]
        return Stage(self.board, corner, move.made, self.book.corners.counts_standing(True))

    def cost(self, price: Price) -> Pools:
        """A price by pool, as an option tells it."""
        return self.book.wear.cost({"brakes": price.brakes, "tyres": price.tyres})

    def landing_question(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Choice[Landing] | None:
        """Where the car stops: every reachable stop with its cost; a coasting one as far as it can
        [6-3.5, 6-3.6, 6-3.7, 6-3.9, 16-0-3]."""
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
            wanted="From there the car can stop at",
            broad=self.forced_landing,
            find=lambda answer: self._only(answer, found),
        )
        question.held = lambda answer, what: self._after_another_roll(car, answer, what, soft=soft, least=least)
        return question

    def _after_another_roll(self, car: C, answer: JsonValue, what: str, *, soft: bool, least: int) -> Landing | None:
        """The landing that an answer meant after another roll, with the tests and the price of its way."""
        spaces = what.removeprefix("spaces_")
        if not spaces.isdecimal():
            return None
        return self._only(answer, self.landings(car, self.leg(car, int(spaces), soft=soft, least=least)))

    def _only(self, answer: JsonValue, found: Sequence[Landing]) -> Landing | None:
        """The landing that an answer names, if there is one of its space, brakes and soft space, or several and it says
        over which tests."""
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
        """A coasting car goes as far as it can without going out or spinning if that is possible, soft space and slide
        included, and brakes only against blocking or going out [16-0-3, 16-0-8, 20-4-2, rulings 68, 69]."""

        prices = self.prices(car)

        def rank(landing: Landing) -> tuple[int, ...]:
            price = prices(landing, 0)
            worst = 2 if price.out else int(price.spin)
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
        """A landing by the referee's word: any space that exists and is free, at the brakes named."""
        said = answer if isinstance(answer, dict) else {}
        name = said.get("space")
        if not isinstance(name, str) or name not in self.track.ids:
            raise BadAnswer(
                'A landing names a space of the circuit, such as {"space": "5:left:3", "brakes": 0, "soft": 0}.'
            )
        car, space = self.car(self.move.car), self.track.ids[name]
        if not self.book.pits.holds_many(name) and any(other.at == name for other in self.others(car)):
            raise BadAnswer(f"Another car stands on {name}; a space holds one car.")
        brakes, soft = whole(said.get("brakes", 0)), whole(said.get("soft", 0))
        most = self.book.wear.left(car, "brakes")
        if not 0 <= brakes <= most or not 0 <= soft <= 1:
            raise BadAnswer(f"Car {car.number} can spend 0 to {most} brakes and 0 or 1 soft space there.")
        return Landing(space, self._about(car, space), brakes, soft)

    def _about(self, car: C, space: int) -> int:
        """About how many spaces a space lies ahead of a car, where no legal way counts them; less than 0 behind it."""
        ahead = self._ahead_of(self.track.ids[car.at or ""], space)
        return (ahead + 1) // 2 if 2 * ahead <= self.track.length else (ahead - self.track.length) // 2
