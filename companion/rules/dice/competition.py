"""The French championship rules: three laps, cars built of wear points, every risk with its price.

The chapters of a race are the family's: formula_de.py lists them. Here stands what these rules have and the others of
the family do not: the order of play with lapped cars, aggravated collision tests and the mover's automatic losses, and
coasting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Option, Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.kinds import Pool
from companion.rules.conversation.overriding import override
from companion.rules.dice.chapter import DiceChapter
from companion.rules.dice.collisions import Collisions
from companion.rules.dice.figures import Figures
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.moving import Landings
from companion.rules.dice.order import Order
from companion.rules.dice.questions import Gear
from companion.rules.dice.sheet import Sheet
from companion.rules.dice.state import Car, RaceState
from companion.rules.dice.turn import Starts, Turn
from companion.rules.dice.wear import FREE, Cost, Wear

COASTING_GEAR: Final = 4
"""The gear of the first coasting turn [16-0-3]."""


class CompetitionOrder(Order[Car, RaceState[Car], Figures]):
    """Lapped cars, and wrecks ahead of the leader."""

    book: Competition

    @override
    def before_the_limit(self, car: Car) -> bool:
        """Return True if a car level with the pit limit is not past it, so that it plays after those in the lane.

        It does unless the lane is closed to it [19-1-7, 19-5-1, 19-5-2.1, 19-5-2.3, 19-5-5, rulings 11 to 13].
        """
        if car.lap == 0 or self.book.finish.last_lap(car):
            return False
        return self.track.ids[car.at or ""] not in self.track.past_limit

    @override
    def level_order(self, car: Car) -> tuple[int, ...]:
        """Return the rank of a car among level ones: the higher gear first, then the earlier arrival.

        A stalled car comes after the others [6-2-3, 9-1-3, 10-4-7].
        """
        return (car.status == "stalled" and not car.turned, -car.gear, car.arrived)

    @override
    def next_to_play(self) -> Car | None:
        """Return the next car; a wreck that stands first of all goes at the very beginning of a round.

        It does so before the leader plays [14-2, 20-3-2, ruling 14].
        """
        if self.race.sweep is None and (wrecks := [car for car in self.waiting() if self.heads(car)]):
            return min(wrecks, key=self.race_order)
        return super().next_to_play()

    def heads(self, car: Car) -> bool:
        """Return True if a car is a wreck ahead of the leader on the leader's own lap [ruling 14]."""
        if car.status != "wreck":
            return False
        leader = self.leader()
        return leader is not None and self.leads(car, leader)

    @override
    def begin_round(self, leader: Car) -> None:
        """Begin a round by the leader, also where a wreck ahead of him is taken off first.

        [0-0-2, ruling 14]
        """
        super().begin_round(self.leader() or leader)

    @override
    def turn_order(self, car: Car) -> tuple[int, tuple[int, ...]]:
        """Return the rank of a car in a round, which goes from the leader backwards around the loop.

        So a lapped car plays where it stands on it, and last if it stands just ahead of the leader; a wreck ahead of
        the leader goes before all others [6-2-2, 6-2-5, rulings 6, 14].
        """
        if self.heads(car):
            place, level = self.race_order(car)
            return -1, (place, *level)
        sweep = self.race.sweep or 0
        behind = (sweep - self.standing(car)) % self.lap_length
        return (behind or self.lap_length * self.just_ahead(car), self.level_order(car))

    def just_ahead(self, car: Car) -> bool:
        """Return True if a lapped car is level with the leader and would play before him [6-2-3, 6-2-5].

        It is then the one immediately ahead of him on the loop.
        """
        leader = self.leader()
        return (
            leader is not None
            and (self.standing(leader) - self.standing(car)) % self.lap_length == 0
            and self.level_order(car) < self.level_order(leader)
        )

    @override
    def has_played(self, car: Car, before: int, rank: tuple[int, ...]) -> None:
        """Note that a car has had its turn, and its effect on others [6-2-5, rulings 5 to 7].

        The turn began at `before` (see `driven`) with that rank among level cars. A car that the leader passes before
        its turn loses it, also if the leader is home or out at the end of his; a car that passes the leader after it
        plays again.
        """
        leader = self.leader()
        now = self.progress(car)
        lapping: Car | None = None
        if leader is not None and now > before:
            if leader is car or self.leads(car, leader):
                self._laps(car, before, now, rank)
            elif self.progress(leader) > now and self.passed(car, leader, before, now, rank):
                lapping = leader
        super().has_played(car, before, rank)
        if lapping is not None and car.alive:
            self.race.played.remove(car.number)
            self.rule("plays_again", "6-2-5", car, leader=lapping.number)

    def _laps(self, car: Car, before: int, now: int, rank: tuple[int, ...]) -> None:
        """Take the turn from waiting cars that the leader has passed: those a lap behind.

        A car of his own lap that plays after him only because it is in the pit lane keeps it, and so does a wreck of it
        [6-2-5, rulings 6, 14].
        """
        for other in self.others(car):
            if (
                self.progress(other) < before
                and other.number not in self.race.played
                and self.passed(car, other, before, now, rank)
            ):
                self.race.played.append(other.number)
                self.rule("lost_turn", "6-2-5", other, by=car.number)


class CompetitionCollisions(Collisions[Car, RaceState[Car], Figures]):
    """Aggravated tests, and points lost without a roll."""

    book: Competition

    @override
    def aggravates(self, car: Car) -> bool:
        """Return True for a spun car, one stalled at the start and a wreck, unless its engine broke.

        Tests with them are aggravated [9-1-2, 10-4-3, 14-3, 20-6, ruling 42].
        """
        if car.status == "spun":
            return not car.turned
        if car.status == "stalled":
            return not car.turned or self.figures.restart_stall_aggravated
        return car.status == "wreck" and car.cause != "engine"

    @override
    def takes_automatic_losses(self) -> bool:
        """Return True: the mover pays a body point without a roll for each car that it puts out.

        [14-4, 20-3-3]
        """
        return True


class CompetitionWear(Wear[Car, RaceState[Car], Figures]):
    """An engine that breaks at speed."""

    book: Competition

    @override
    def ends_race(self, car: Car, pool: Pool) -> bool:
        """Return True unless a broken engine lets a car coast, or a spun one wait for the end of the round."""
        waits = car.status == "spun" and not car.turned
        return pool != "engine" or not (waits or self.coasts(car))

    def coasts(self, car: Car) -> bool:
        """Return True if a car whose engine breaks goes on by its speed [16-0-3, 20-4-1]."""
        return car.gear >= 5 and car.status not in ("pit", "box")

    @override
    def engine_gone(self, car: Car) -> None:
        """Break the engine: in 5th or 6th the car still has to coast, else it is off at once.

        A spun one goes at the end of the round [16-0-3, 16-0-3-1, 20-4-1, 20-4-3, ruling 45].
        """
        if car.status == "spun" and not car.turned:
            car.coast = -1
            self.rule("engine", "ruling 45", car, broken=True)
        elif self.coasts(car):
            car.status, car.coast = "coasting", 4
            self.rule("engine", "16-0-3", car, broken=True)
        else:
            self.eliminate(car, "engine", "16-0-3-1", removed=True)


class CompetitionTurn(Turn[Car, RaceState[Car], Figures]):
    """The turn of a car whose engine has broken."""

    book: Competition

    @override
    def play(self, car: Car) -> Procedure[None]:
        """Play a turn; a car whose engine has broken coasts in its next one [16-0-3]."""
        if car.status == "coasting":
            yield from self.book.coasting.coast(car)
        else:
            yield from super().play(car)


class CompetitionStarts(Starts[Car, RaceState[Car], Figures]):
    """The end of a spin with a broken engine."""

    book: Competition

    @override
    def turn_round(self, car: Car) -> None:
        """Put a spun car straight; one whose engine broke while it stood there is off instead [ruling 45]."""
        super().turn_round(car)
        if car.coast < 0:
            self.book.wear.eliminate(car, "engine", "16-0-3-1", removed=True)


class Coasting(DiceChapter[Car, RaceState[Car], Figures]):
    """The last turns of a car whose engine has broken."""

    book: Competition

    def coast(self, car: Car) -> Procedure[None]:
        """Coast with a broken engine: play the die of 4th once more, and then the car is out.

        Past the last but one corner of its race it coasts to the line, a gear lower each turn [16-0-3, 16-0-6, 20-4-2,
        rulings 65 to 67].
        """
        home = self.heads_home(car)
        gear = yield from ask(self.coast_gear_question, car)
        self.coast_gear(car, gear)
        try:
            face = yield from self.book.gears.roll(car)
        except QuestionWithdrawn:
            return
        self.move.face = face
        yield from self.book.moving.displace(car, (yield from self.book.moving.spaces_of(car, face)))
        yield from self.book.turn.after_move(car)
        if car.status == "coasting":
            self.after_coasting(car, home)

    def heads_home(self, car: Car) -> bool:
        """Return True if a car coasts to the line, rather than for one turn only [16-0-6]."""
        return car.coast < COASTING_GEAR or self.coasts_home(car)

    def ends(self, car: Car, *, home: bool, spun: bool = False) -> Cost:
        """Return the end of a coasting car whose turn ends short of the line [16-0-3, 16-0-3-1, 16-0-6].

        It is out by a spin, or after its last coasting turn.
        """
        if spun:
            return Cost(out="engine", article="16-0-3-1")
        return FREE if home and car.gear > 1 else Cost(out="engine", article="16-0-3")

    def coasts_home(self, car: Car) -> bool:
        """Return True past the last but one corner of the car's own last lap.

        A corner overshot counts as past, one that the car is in does not [16-0-6, 16-0-7, rulings 65, 66].
        """
        last = self.book.finish.last_lap(car) and len(self.track.corners) > 1
        return last and self.book.corners.corners_ahead(car) <= 1

    def coast_gear_question(self, car: Car) -> Gear | None:
        """Ask for the gear of a coasting car: 4th at no cost first, then each turn one lower.

        It may go lower still by paying for the gears skipped [16-0-3, 16-0-6, rulings 24, 67].
        """
        if not car.alive:
            return None
        choices = [(Option(car.coast), car.coast)]
        if car.coast < COASTING_GEAR:
            for gear in range(car.coast - 1, max(car.coast - 1 - self.book.gears.most_skipped(), 0), -1):
                cost = self.book.gears.gear_cost(car.coast + 1, gear)
                if self.book.gears.can_pay(car, cost):
                    choices.append((Option(gear, self.book.wear.option_cost(Cost(tuple(cost.items())))), gear))
        return Gear(car.number, self.article("16-0-6"), choices, what="coast")

    def coast_gear(self, car: Car, gear: int) -> None:
        """Set the stick of a coasting car and cross off what a skip costs [16-0-6]."""
        cost = self.book.gears.gear_cost(car.coast + 1, gear) if car.coast < COASTING_GEAR else {}
        before, car.gear, car.coast = car.gear, gear, gear
        self.move.gear = gear
        if cost:
            self.lose(car, "gear_down", "16-0-6", cost, before=before, gear=gear, skipped=before - gear - 1)
        else:
            self.rule("gear", "16-0-3", car, before=before, gear=gear)

    def after_coasting(self, car: Car, home: bool) -> None:
        """Each coasting turn leaves a danger marker; the last one ends the race [16-0-3, 16-0-6, ruling 71]."""
        self.book.wear.mark(car.at, "16-0-3", car)
        ends = self.ends(car, home=home)
        if ends.out:
            self.book.wear.eliminate(car, ends.out, ends.article, removed=False)
        else:
            car.coast = car.gear - 1


class CompetitionLandings(Landings[Car, RaceState[Car], Figures]):
    """The stops of a coasting car."""

    book: Competition

    @override
    def choices(self, car: Car, found: Sequence[Landing], entry_brake: int = 0) -> list[tuple[Option, Landing]]:
        """Return the landings, with the end of the race of a coasting car where a stop brings it.

        [16-0-3, 16-0-3-1]
        """
        choices = super().choices(car, found, entry_brake)
        if car.status == "coasting" and car.coast == self.move.gear:  # else its engine broke in this very move
            home = self.book.coasting.heads_home(car)
            for option, landing in choices:
                if not landing.finished and "out" not in option.facts:
                    ends = self.book.coasting.ends(car, home=home, spun=bool(option.facts.pop("spin", False)))
                    option.facts.update(ends.option_facts())
        return choices


class CompetitionSheet(Sheet[Car, RaceState[Car], Figures]):
    """The rules of a corner sheet, where the table counts the spaces."""

    book: Competition

    @override
    def ends(self, car: Car, place: str, *, line: bool) -> Cost:
        """Return the end of a coasting car that has not come home [16-0-3]."""
        home = (line or car.in_pits) and self.book.finish.last_lap(car)
        if car.status != "coasting" or car.coast != self.move.gear or home:
            return FREE
        return self.book.coasting.ends(car, home=self.book.coasting.heads_home(car))


class Competition(FormulaDe[Car, RaceState[Car], Figures]):
    """The reference rulebook."""

    order: CompetitionOrder
    landings: CompetitionLandings
    sheet: CompetitionSheet
    wear: CompetitionWear
    collisions: CompetitionCollisions
    turn: CompetitionTurn
    starts: CompetitionStarts
    coasting: Coasting

    name = "competition"
    VERSION: ClassVar[str] = "competition 8"
    statuses: ClassVar = ("grid", "racing", "stalled", "spun", "coasting", "wreck", "out")
    reminders: ClassVar = {
        "setup": ("3-1-5", "22-0-1", "22-0-2"),
        "roll": ("6-1-3", "6-3-1", "6-3-2"),
        "lane": ("19-1-8",),
    }
