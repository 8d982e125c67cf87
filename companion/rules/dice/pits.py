"""The pit lane and the stops. Article 19."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from companion.rules.conversation.asking import A, Json, JsonValue, Option, Procedure, Question, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.faces import FACES, Band, divided
from companion.rules.conversation.forms import Choice, Form, whole
from companion.rules.conversation.kinds import Compound, Pool, Pools
from companion.rules.dice.chapter import Book, C_contra, DiceChapter, F, R
from companion.rules.dice.order import Finish
from companion.rules.dice.questions import Gear, TestDie
from companion.rules.dice.state import C
from companion.rules.dice.wear import ForetoldTest, Wear

REPAIRS: Final[tuple[Pool, ...]] = ("brakes", "gearbox", "body", "engine", "handling")
"""Pools that a long stop can restore besides the tyres [19-4-1]."""

COMPOUNDS: tuple[Compound, ...] = ("hard", "soft", "rain")


class Displacing(Protocol[C_contra]):
    """The move of a turn."""

    def displace(self, car: C_contra, spaces: int, *, soft: bool = True, least: int = 0) -> Procedure[None]: ...


class Driving(Protocol[C_contra]):
    """A turn from its die on, and from its last space on."""

    def drive(self, car: C_contra) -> Procedure[None]: ...
    def arrive(self, car: C_contra) -> Procedure[None]: ...


class HighestGear(Protocol):
    """The gears of a race."""

    def highest(self) -> int: ...


class PitsBook(Book[C, R, F], Protocol[C, R, F]):
    """The book as pits see it."""

    @property
    def wear(self) -> Wear[C, R, F]: ...
    @property
    def finish(self) -> Finish[C, R, F]: ...
    @property
    def moving(self) -> Displacing[C]: ...
    @property
    def gears(self) -> HighestGear: ...
    @property
    def turn(self) -> Driving[C]: ...


class Pits(DiceChapter[C, R, F]):
    """Into the lane, to the box, out again."""

    book: PitsBook[C, R, F]

    # -- wear

    def holds_many(self, space: str | None) -> bool:
        """Return True if a space has room for any number of cars; in most rulebooks none has."""
        return False

    def into_pits(self, car: C, place: str) -> None:
        """Set the status of a car in the pit lane or in the box; a coasting car goes on coasting.

        Only the referee's word brings a car into the lane beyond its box [16-0-3, 19-2-5].
        """
        if place.startswith("box"):
            car.status = "box"
        elif car.status != "coasting":
            car.status = "pit"
            if self.past_box(car):
                car.stop = "left"

    def leave_lane(self, car: C) -> None:
        """Back on the track: the stop is over."""
        car.status, car.stop = "racing", ""

    # -- who may enter, and how

    def entry_brakes(self, car: C) -> int:
        """Return the brakes that it costs a car to enter the pits as it is: none in any rulebook [19-1-1]."""
        return 0

    def may_enter(self, car: C) -> bool:
        """Return True if the lane is open to a car: not at the start, and not on its last lap.

        Its set must have come round again, and a coasting car never enters [19-1-1, 19-1-7, 19-2-4, 16-0-9, rulings 35,
        88].
        """
        return (
            car.box > 0
            and car.lap > 0
            and not self.book.finish.last_lap(car)
            and car.round_set
            and car.status == "racing"
        )

    def box_due(self, car: C) -> int:
        """Return the box at which a car in the lane must stop, its own and no other, or -1.

        [19-1-1, 19-2-1, 19-2-5]
        """
        pit = self.track.pit
        if pit is None or not car.box or car.stop:
            return -1
        if car.status == "pit" or self.may_enter(car):
            return pit.boxes[car.box - 1]
        return -1

    def way_to_box(self, car: C) -> int:
        """Return the spaces from a car in the lane to its box [ruling 81].

        The box is one beyond the lane space in front of it; on a corner sheet the spaces are those that the table
        counted.
        """
        pit = self.track.pit
        if pit is None:
            return car.to_box
        at = pit.spaces.index(self.track.ids[car.at or ""])
        return pit.spaces.index(pit.fronts[car.box - 1]) - at + 1

    def past_box(self, car: C) -> bool:
        """Return True if a car in the lane is beyond its box, as only one is that has stopped there.

        [19-2-5]
        """
        return self.track.pit is not None and car.box > 0 and self.way_to_box(car) < 1

    def lane_gears(self, car: C, gears: list[int]) -> list[int]:
        """Return the gears in the lane that can reach the box, or the highest allowed if none can.

        After the stop 1st is barred until the car is out of the lane [19-1-6, 19-1-8, 19-1-9].
        """
        if car.stop == "left":
            return [gear for gear in gears if gear > 1] or gears
        reach = [gear for gear in gears if FACES[gear][-1] >= self.way_to_box(car)]
        return reach or gears[-1:]

    # -- the stop

    def pit_stop(self, car: C) -> Procedure[None]:
        """Make a stop on reaching the box: the tyres are announced first, then the kind of stop.

        [19, 19-2-1, 19-2-6, 6-3.12, 6-3.13]
        """
        self.rule("box", "19-2-1", car, box=car.box)
        compound = yield from ask(self.of_the_stop, car, lambda: self.tyres_question(car, car.tyres))
        self.fit(car, compound)
        kind = yield from ask(self.of_the_stop, car, lambda: self.stop_question(car))
        if kind == "quick":
            yield from self.quick_stop(car)
        else:
            yield from self.long_stop(car)

    def foretell_stop(self, there: C) -> list[ForetoldTest] | None:
        """Return the dice of a car that has come to its box; None where its driver chooses first."""
        return None

    def of_the_stop(self, car: C, make: Callable[[], Question[A]]) -> Question[A] | None:
        """Return a question of the stop, or None for a car that the referee has put elsewhere.

        It is not in its box then [19-2-1, 19-2-5].
        """
        return make() if car.status == "box" else None

    def compounds(self) -> tuple[Compound, ...]:
        """Return the kinds of tyres that there are to choose from [8-0-1]."""
        return COMPOUNDS

    def tyres_question(self, car: C, first: Compound = "") -> Choice[Compound]:
        """Ask which tyres are fitted, before the race and at a stop [8-0-1, 19-2-6, 19-2-7, ruling 91].

        At a stop they are the same as before if the driver says nothing.
        """
        order = sorted(self.compounds(), key=lambda compound: compound != first)
        choices = [(Option(compound), compound) for compound in order]
        article = self.article("19-2-6" if car.in_pits else "8-0-1")
        return Choice("tyres", car.number, article, choices)

    def fit(self, car: C, compound: Compound) -> None:
        """Restore every tyre point and fit a new set, whose age begins with the next lap.

        [19-2-3, 19-3-1, 8-0-2]
        """
        won = car.built["tyres"] - car.wear["tyres"]
        car.wear["tyres"] = car.built["tyres"]
        car.tyres, car.tyre_laps, car.round_set = compound, 0, False
        car.fresh = not self.beyond_line(car.at)
        self.rule("tyres", "19-2-3", car, {"tyres": won} if won else {}, tyres=compound)

    def beyond_line(self, place: str | None) -> bool:
        """Return True if a place of the lane, or a box, lies beyond the line: the way out does not cross it.

        [ruling 33]
        """
        if self.track.known == "corner":
            return False  # the lap is counted on leaving the pits
        return self.track.past_line(self.track.ids[place or ""])

    def first_lap(self, place: str | None) -> int:
        """Return the first lap of a car in a place of the pits, which open at the end of lap 1 [19-1-7, ruling 33]."""
        return 1 + self.beyond_line(place)

    def stop_question(self, car: C) -> Choice[str]:
        """Ask for a quick stop for tyres alone, or a long one with repairs [19-3-1, 19-4-1]."""
        return Choice(
            "stop",
            car.number,
            self.article("19-3-1"),
            [(Option("quick"), "quick"), (Option("long", facts={"stand": self.repairs_left(car)}), "long")],
        )

    def highest_gear(self) -> int:
        """Return the highest gear in which a box is left [19-4-2]."""
        return min(self.figures.leave_gear, self.book.gears.highest())

    def quick_stop(self, car: C) -> Procedure[None]:
        """Out at once in 4th, or the car stays for a turn [19-3-2, 19-3-3, 19-3-4]."""
        spaces = yield from self.roll_quick_stop(car)
        if spaces:
            car.stop, car.gear = "left", self.highest_gear()
            self.move.gear = car.gear
            yield from self.leave_at_once(car, spaces)

    def roll_quick_stop(self, car: C) -> Procedure[int]:
        """Roll for a quick stop; return the spaces by which the car leaves its box.

        On 1 to 10 of the black die it leaves by half of it rounded up; on 11 to 20, 0 spaces, it misses its turn
        [19-3-2, 19-3-3, 19-3-4].
        """
        face = yield from ask(self.of_the_stop, car, lambda: self.quick_die(car))
        if face > self.figures.quick_to:
            car.stop = "missed"
            self.rule("quick_stop", "19-3-4", car, face=face, won=False)
            return 0
        spaces = ((face.last if isinstance(face, Band) else face) + 1) // 2
        self.rule("quick_stop", "19-3-3", car, face=face, spaces=spaces, won=True)
        return spaces

    def quick_die(self, car: C) -> TestDie:
        """Return the black die of a quick stop, on which two faces each bring as many spaces.

        [19-3-2, 19-3-3]
        """
        to = self.figures.quick_to
        bands = divided(*range(2, to, 2), to)
        return TestDie(car.number, self.article("19-3-2"), "quick_stop", bands, {"succeeds_to": to})

    def leave_at_once(self, car: C, spaces: int) -> Procedure[None]:
        """Drive out of a quick stop: brakes and slipstream allowed, the soft space not; at least one space.

        [19-3-3, 19-3-5, 19-3-7, 19-1-3, 6-3.13, rulings 79, 84, 85]
        """
        move = self.move
        move.tests, move.overs, move.blocked, move.braked, move.crossed = [], [], 0, 0, False
        move.begin, move.made, car.stops = car.at or "", 0, 0
        yield from self.book.moving.displace(car, spaces, soft=False, least=1)
        yield from self.book.turn.arrive(car)

    def long_stop(self, car: C) -> Procedure[None]:
        """Repair from the stand's points, then wait a turn [19-4-1, 19-4-2, 19-4-3, ruling 87]."""
        car.stop = "long"
        self.rule("stops", "19-4-1", car, stop="long")
        if self.repairs_left(car) and any(self.repairable(car, pool) for pool in REPAIRS):
            repairs = yield from ask(self.of_the_stop, car, lambda: self.repair_question(car))
            self.repair(car, repairs)

    def repairs_left(self, car: C) -> int:
        """Return how many points a long stop may bring back: those that the stand still has [19-4-1]."""
        return car.stand

    def repairable(self, car: C, pool: Pool) -> int:
        """Return the points of a pool that a repair can restore: only those lost since the start."""
        return max(0, car.built[pool] - car.wear[pool])

    def repair_question(self, car: C) -> Form[Pools]:
        """Ask which points to take back, as many as the stand still has [19-4-1]."""
        offered, most = [Option({}, {})], self.repairs_left(car)
        for pool in REPAIRS:
            for points in range(1, min(self.repairable(car, pool), most) + 1):
                offered.append(Option({pool: points}, {pool: points}))
        if most >= 2:
            lost = [pool for pool in REPAIRS if self.repairable(car, pool)]
            offered += [Option({a: 1, b: 1}, {a: 1, b: 1}) for i, a in enumerate(lost) for b in lost[i + 1 :]]
        fields: dict[str, Json] = {pool: [0, self.repairable(car, pool)] for pool in REPAIRS}
        fields["stand"] = most
        return Form(
            "repair",
            car.number,
            self.article("19-4-1"),
            fields,
            lambda answer: self.read_repairs(car, answer),
            offered,
        )

    def read_repairs(self, car: C, answer: JsonValue) -> Pools:
        """Check what a driver wants repaired; raises BadAnswer beyond what was lost or what the stop gives."""
        if not isinstance(answer, dict):
            raise BadAnswer("repairs_form", example='{"brakes": 1}', none="{}")
        repairs = {}
        for pool, points in answer.items():
            if pool not in REPAIRS:
                raise BadAnswer("not_repairable", pool=pool, pools=", ".join(REPAIRS))
            if not 0 <= whole(points) <= self.repairable(car, pool):
                raise BadAnswer("not_lost", car=car.number, lost=self.repairable(car, pool), pool=pool, points=points)
            if points:
                repairs[pool] = points
        self.check_repairs(car, repairs)
        return repairs

    def check_repairs(self, car: C, repairs: Pools) -> None:
        """Raise BadAnswer for more repairs than the stop gives [19-4-1]."""
        most, wanted = self.repairs_left(car), sum(repairs.values())
        if wanted > most:
            raise BadAnswer("repairs_most", car=car.number, points=most, wanted=wanted)

    def repair(self, car: C, repairs: Pools) -> None:
        """Each repair is crossed off the stand's points [19-4-1]."""
        for pool, points in repairs.items():
            car.wear[pool] += points
            car.stand -= points
        counts = {"stand": -sum(repairs.values())} if repairs else None
        self.rule("repair", "19-4-1", car, dict(repairs), counts=counts, stand=car.stand)

    # -- leaving after a missed or a long stop

    def bonus(self, car: C) -> int:
        """Return the spaces of a car's way out besides those of its die; only some rulebooks give any."""
        return 0

    def leave_gear_question(self, car: C) -> Gear:
        """Out of the box in 2nd, 3rd or 4th at will [19-1-9, 19-3-4, 19-4-2, rulings 24, 83]."""
        gears = range(2, self.highest_gear() + 1)
        choices = [(Option(gear), gear) for gear in gears]
        return Gear(car.number, self.article("19-4-2"), choices, what="leave")

    def leave_box(self, car: C) -> Procedure[None]:
        """Drive off a turn after a missed or a long stop [19-3-4, 19-4-2]."""
        gear = yield from ask(self.leave_gear_question, car)
        car.gear = self.move.gear = gear
        self.rule("gear", "19-4-2", car, before=0, gear=gear)
        car.stop = "left"

    # -- a turn

    def turn_in_box(self, car: C) -> Procedure[None]:
        """Play the turn of a car that stands in its box: it drives out [19-3-4, 19-4-2]."""
        yield from self.leave_box(car)
        yield from self.book.turn.drive(car)
