"""The French championship rules: three laps, cars built of wear points, every risk with its price.

The chapters of a race are the family's: formula_de.py lists them. Here stands what these rules have and the others of
the family do not: the order of play with lapped cars, aggravated collision tests and the mover's automatic losses, and
coasting.
"""

from __future__ import annotations

from typing import ClassVar, Final

from companion.rules.conversation.asking import Moot, Option, Proc, ask
from companion.rules.conversation.overriding import override
from companion.rules.dice.chapter import DiceChapter
from companion.rules.dice.collisions import Collisions
from companion.rules.dice.figures import Figures
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.order import Order
from companion.rules.dice.questions import Gear
from companion.rules.dice.starts import Starts
from companion.rules.dice.state import Car, Race
from companion.rules.dice.turn import Turn
from companion.rules.dice.wear import Wear

COASTING_GEAR: Final = 4
"""The gear of the first coasting turn [16-0-3]."""


class CompetitionOrder(Order[Car, Race[Car], Figures]):
    """Lapped cars, and wrecks ahead of the leader."""

    book: Competition

    @override
    def before_the_limit(self, car: Car) -> bool:
        """Level with the limit but not past it: a car plays after those past it and those in the lane, unless the
        lane is closed to it [19-1-7, 19-5-1, 19-5-2.1, 19-5-2.3, 19-5-5, rulings 11 to 13]."""
        if car.lap == 0 or self.book.finish.last_lap(car):
            return False
        return self.track.ids[car.at or ""] not in self.track.past_limit

    @override
    def level_order(self, car: Car) -> tuple[int, ...]:
        """Among level cars the higher gear plays first, then the one that got there first; a stalled car after the
        others [6-2-3, 9-1-3, 10-4-7]."""
        return (car.status == "stalled" and not car.turned, -car.gear, car.arrived)

    @override
    def next_to_play(self) -> Car | None:
        """A wreck that stands first of all goes at the very beginning of a round, before the leader plays
        [14-2, 20-3-2, ruling 14]."""
        if self.race.sweep is None and (wrecks := [car for car in self.waiting() if self.heads(car)]):
            return min(wrecks, key=self.race_order)
        return super().next_to_play()

    def heads(self, car: Car) -> bool:
        """Whether a car is a wreck ahead of the leader on the leader's own lap [ruling 14]."""
        if car.status != "wreck":
            return False
        leader = self.leader()
        return leader is not None and self.leads(car, leader)

    @override
    def begin_round(self, leader: Car) -> None:
        """A round goes by the leader, also where a wreck ahead of him is taken off first [0-0-2, ruling 14]."""
        super().begin_round(self.leader() or leader)

    @override
    def turn_order(self, car: Car) -> tuple[int, tuple[int, ...]]:
        """A round goes from the leader backwards around the loop, so that a lapped car plays where it stands on it, and
        last if it stands just ahead of him; a wreck ahead of the leader goes before all others
        [6-2-2, 6-2-5, rulings 6, 14]."""
        if self.heads(car):
            place, level = self.race_order(car)
            return -1, (place, *level)
        sweep = self.race.sweep or 0
        behind = (sweep - self.standing(car)) % self.lap_length
        return (behind or self.lap_length * self.just_ahead(car), self.level_order(car))

    def just_ahead(self, car: Car) -> bool:
        """Whether a lapped car is level with the leader and would play before him, so that it is the one immediately
        ahead of him on the loop [6-2-3, 6-2-5]."""
        leader = self.leader()
        return (
            leader is not None
            and (self.standing(leader) - self.standing(car)) % self.lap_length == 0
            and self.level_order(car) < self.level_order(leader)
        )

    @override
    def has_played(self, car: Car, before: int, rank: tuple[int, ...]) -> None:
        """Notes that a car has had its turn, which began at `before` (see `driven`) with that rank among level cars,
        and what that does to others: whom the leader passes before its turn loses it, also if the leader is home or
        out at the end of his; who passes the leader after it plays again [6-2-5, rulings 5 to 7].
        """
        leader = self.leader()
        now = self.driven(car)
        lapping: Car | None = None
        if leader is not None and now > before:
            if leader is car or self.leads(car, leader):
                self._laps(car, before, now, rank)
            elif self.driven(leader) > now and self.passed(car, leader, before, now, rank):
                lapping = leader
        super().has_played(car, before, rank)
        if lapping is not None and car.alive:
            self.race.played.remove(car.number)
            self.rule("plays_again", "6-2-5", car, leader=lapping.number)

    def _laps(self, car: Car, before: int, now: int, rank: tuple[int, ...]) -> None:
        """Takes the turn from waiting cars that the leader has passed: those a lap behind, not a car of his own lap
        that plays after him only because it is in the pit lane, nor a wreck of it [6-2-5, rulings 6, 14]."""
        for other in self.others(car):
            if (
                self.driven(other) < before
                and other.number not in self.race.played
                and self.passed(car, other, before, now, rank)
            ):
                self.race.played.append(other.number)
                self.rule("lost_turn", "6-2-5", other, by=car.number)


class CompetitionCollisions(Collisions[Car, Race[Car], Figures]):
    """Aggravated tests, and points lost without a roll."""

    book: Competition

    @override
    def aggravates(self, car: Car) -> bool:
        """A spun car, one stalled at the start and a wreck, unless its engine broke, make tests with them aggravated
        [9-1-2, 10-4-3, 14-3, 20-6, ruling 42]."""
        if car.status == "spun":
            return not car.turned
        if car.status == "stalled":
            return not car.turned or self.figures.restart_stall_aggravated
        return car.status == "wreck" and car.cause != "engine"

    @override
    def takes_automatic_losses(self) -> bool:
        """The mover pays a body point without a roll for each car that it puts out [14-4, 20-3-3]."""
        return True


class CompetitionWear(Wear[Car, Race[Car], Figures]):
    """An engine that breaks at speed."""

    book: Competition

    @override
    def engine_gone(self, car: Car) -> None:
        """The last engine point breaks the engine: in 5th or 6th the car still has to coast, else it is off at once;
        a spun one at the end of the round [16-0-3, 16-0-3-1, 20-4-1, 20-4-3, ruling 45]."""
        if car.status == "spun" and not car.turned:
            car.coast = -1
            self.rule("engine", "ruling 45", car, broken=True)
        elif car.gear >= 5 and car.status not in ("pit", "box"):
            car.status, car.coast = "coasting", 4
            self.rule("engine", "16-0-3", car, broken=True)
        else:
            self.eliminate(car, "engine", "16-0-3-1", removed=True)


class CompetitionTurn(Turn[Car, Race[Car], Figures]):
    """The turn of a car whose engine has broken."""

    book: Competition

    @override
    def play(self, car: Car) -> Proc[None]:
        """A car whose engine has broken coasts in its next turn [16-0-3]."""
        if car.status == "coasting":
            yield from self.book.coasting.coast(car)
        else:
            yield from super().play(car)


class CompetitionStarts(Starts[Car, Race[Car], Figures]):
    """The end of a spin with a broken engine."""

    book: Competition

    @override
    def turn_round(self, car: Car) -> None:
        """A spun car whose engine broke while it stood there is off instead of being put straight [ruling 45]."""
        super().turn_round(car)
        if car.coast < 0:
            self.book.wear.eliminate(car, "engine", "16-0-3-1", removed=True)


class Coasting(DiceChapter[Car, Race[Car], Figures]):
    """The last turns of a car whose engine has broken."""

    book: Competition

    def coast(self, car: Car) -> Proc[None]:
        """A car whose engine has broken plays the die of 4th once more and is then out; past the last but one corner
        of its race it coasts to the line, a gear lower each turn [16-0-3, 16-0-6, 20-4-2, rulings 65 to 67]."""
        home = car.coast < COASTING_GEAR or self.coasts_home(car)
        gear = yield from ask(self.coast_gear_question, car)
        self.coast_gear(car, gear)
        try:
            face = yield from ask(self.book.gears.gear_die, car)
        except Moot:
            return
        self.move.face = face
        yield from self.book.moving.displace(car, face)
        yield from self.book.turn.after_move(car)
        if car.status == "coasting":
            self.after_coasting(car, home)

    def coasts_home(self, car: Car) -> bool:
        """Past the last but one corner of its own last lap: overshot counts as past, inside does not
        [16-0-6, 16-0-7, rulings 65, 66]."""
        last = self.book.finish.last_lap(car) and len(self.track.corners) > 1
        return last and self.book.corners.corners_ahead(car) <= 1

    def coast_gear_question(self, car: Car) -> Gear | None:
        """4th at no cost first, then each turn one lower, or lower still by paying for the gears skipped
        [16-0-3, 16-0-6, rulings 24, 67]."""
        if not car.alive:
            return None
        choices = [(Option(car.coast), car.coast)]
        if car.coast < COASTING_GEAR:
            for gear in range(car.coast - 1, max(car.coast - 1 - len(self.figures.gear_down), 0), -1):
                cost = self.book.gears.gear_cost(car.coast + 1, gear)
                if self.book.gears.can_pay(car, cost):
                    choices.append((Option(gear, self.book.wear.cost(cost)), gear))
        return Gear(car.number, self.article("16-0-6"), choices, what="coast", wanted="It coasts in")

    def coast_gear(self, car: Car, gear: int) -> None:
        """Sets the stick of a coasting car and crosses off what a skip costs [16-0-6]."""
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
        if home and car.gear > 1:
            car.coast = car.gear - 1
        else:
            self.book.wear.eliminate(car, "engine", "16-0-3", removed=False)


class Competition(FormulaDe[Car, Race[Car], Figures]):
    """The reference rulebook."""

    order: CompetitionOrder
    wear: CompetitionWear
    collisions: CompetitionCollisions
    turn: CompetitionTurn
    starts: CompetitionStarts
    coasting: Coasting

    name = "competition"
    VERSION: ClassVar[str] = "competition 6"
    statuses: ClassVar = ("grid", "racing", "stalled", "spun", "coasting", "wreck", "out")
    reminders: ClassVar = {
        "setup": ("3-1-5", "22-0-1", "22-0-2"),
        "roll": ("6-1-3", "6-3-1", "6-3-2"),
        "lane": ("19-1-8",),
    }
