"""What the cards around a car do to it while it moves, and what its own do by themselves: oil, mag plates, nanobots,
limpet mines."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json, Moot, Option, Proc, ask
from companion.rules.conversation.faces import divided
from companion.rules.conversation.forms import Choice
from companion.rules.conversation.kinds import Pools
from companion.rules.death.cards import CARDS
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import POOL, DeathCar, DeathRace
from companion.rules.dice.chapter import DiceChapter
from companion.rules.dice.questions import TestDie

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class Bodywork(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """The movement phase with cards. A utility is never fired; it acts while cars move [utility.no-weapon]."""

    book: Death

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

    # -- once a lap, once a phase, from a stock

    def spend(self, car: DeathCar, key: str, count: int = 1, **facts: Json) -> None:
        """A card that has done what it does once a lap rests until the line; tokens are taken off it; once a phase it
        rests until the next [utility.no-weapon, utility.nitros, utility.turbo, utility.grip-tyres,
        utility.jammer, ruling 19]."""
        counts = {f"stock:{key}": -count} if key in car.stock else None
        if counts:
            car.stock[key] -= count
        car.used = car.used or CARDS[key].lap
        car.busy = car.busy or CARDS[key].phase
        self.rule("used", CARDS[key].article, car, counts=counts, card=key, left=car.stock.get(key, 0), **facts)

    def refresh(self, car: DeathCar) -> None:
        """A new lap: what works once a lap works again [ruling 19]."""
        car.used = False

    # -- where cars are

    def under(self, car: DeathCar, space: int) -> DeathCar | None:
        """The car on whose space a ramp move would end [utility.pneumatic-ramp]."""
        name = self.track.spaces[space].name
        return next((other for other in self.others(car) if other.at == name), None)

    # -- the way

    def may_spray(self, car: DeathCar) -> bool:
        """Once a lap, on the track [utility.oil-spray]."""
        return car.ready("oil-spray") and not car.in_pits

    def behind_of(self, car: DeathCar) -> int:
        """The space straight behind a car, -1 if there is none."""
        return self.track.behind[self.track.ids[car.at or ""]]

    def spray(self, owner: DeathCar, car: DeathCar, rest: int, stand: Callable[[], None]) -> Proc[None]:
        """The car stops in the oil and rolls for a collision once for each space that it should still have driven
        [utility.oil-spray, ruling 52]."""
        self.spend(owner, "oil-spray", other=car.number, spaces=rest)
        stand()
        for _ in range(rest):
            yield from self.book.collisions.body_test(car, False, owner)

    def heal(self, car: DeathCar, start: str | None, space: str | None, healed: int = 0) -> Proc[int]:
        """Each corner that a car with nanobots enters may give it a point back, never more than its maximum: those on
        its way from the start to a space, of which the first have been rolled for already; returns how many these are
        [defence.nanobot-repair-systems]."""
        entered = self.corners_entered(start, space)
        with suppress(Moot):
            for _ in range(healed, entered):
                face = yield from ask(self.heal_die, car)
                if face <= self.figures.heal_to:
                    car.wear[POOL] += 1
                gain: Pools = {POOL: 1} if face <= self.figures.heal_to else {}
                self.rule("heal", "defence.nanobot-repair-systems", car, gain, face=face, to=self.figures.heal_to)
        return entered

    def heal_die(self, car: DeathCar) -> TestDie | None:
        """The die of the nanobots, while there is something to mend and the car has not just spun at 0
        [defence.nanobot-repair-systems, spin.zero]."""
        if not car.alive or car.defence != "nanobot-repair-systems" or self.book.wear.points(car) >= car.built[POOL]:
            return None
        if car.status == "spun" and not self.book.wear.points(car):
            return None
        to = self.figures.heal_to
        return TestDie(car.number, "defence.nanobot-repair-systems", "heal", divided(to), {"succeeds_to": to})

    def corners_entered(self, start: str | None, end: str | None) -> int:
        """How many corners a car comes into on its way from one space to another; out of the pits those from their exit
        on, into them none [defence.nanobot-repair-systems]."""
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
        """Whether a car with mag plates is drawn onto the space that another has just left beside it
        [utility.mag-plates]."""
        if not self.may_cling(car, space):
            return None
        choices = [(Option(True, facts={"at": space}), True), (Option(False), False)]
        question = Choice("use", car.number, "utility.mag-plates", choices, what="mag-plates", wanted="It may answer")
        question.fields = {"card": "mag-plates", "at": space, "other": mover.number, "left": car.stock["mag-plates"]}
        return question

    def may_cling(self, car: DeathCar, space: str) -> bool:
        """A token a time, once a phase, into a free space beside it; into a corner or on in it only as its arrows lead,
        and never over the line [utility.mag-plates, ruling 49]."""
        track = self.track
        if car.status not in ("racing", "stalled") or car.busy or not car.stock.get("mag-plates"):
            return False
        here, there = track.ids[car.at or ""], track.ids[space]
        if there not in self.book.reach.adjacent(here) or any(other.at == space for other in self.others(car)):
            return False
        against = track.corner[there] >= 0 and there not in track.moves[here]
        return not against and not self.over_line(here, there)

    def mag_plates(self, mover: DeathCar, begin: str | None) -> Proc[None]:
        """Whoever was beside a car that has driven off may follow onto its space [utility.mag-plates]."""
        if begin is None or mover.at == begin:
            return
        for car in list(self.others(mover)):
            if car.utility != "mag-plates":
                continue
            try:
                follows = yield from ask(self.plates_question, car, mover, begin)
            except Moot:
                continue
            if follows:
                self.spend(car, "mag-plates", at=begin)
                self.moved_aside(car, begin)
                yield from self.book.wreckage.entering(car)

    def moved_aside(self, car: DeathCar, space: str) -> None:
        """A car moved by anything but its own move drives no stop and overshoots nothing. The stops that it has made
        stay made while it is in their corner, and in one that it had left it owes none; pulled out before a corner it
        has that whole corner ahead of it and drives it anew, for stops are counted on the way through
        [utility.mag-plates, weapon.mag-gun, basic.corner, rulings 32, 49]."""
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
        """Whether the line lies between two spaces that are near each other."""
        place = self.track.place
        return 2 * abs(place[here] - place[there]) > self.track.length

    # -- limpet mines

    def may_drop(self, car: DeathCar) -> bool:
        """A limpet mine may be left at the end of any move on the track, of one that ended in a spin too, while there
        are any: it is no shot, and reload tokens do not hold it back. A car that spins before its die makes none
        [weapon.limpet-mines, ruling 50]."""
        moved = car.status == "racing" or (car.status == "spun" and bool(self.move.face + self.move.moved))
        return moved and "limpet-mines" in car.weapons and car.stock["limpet-mines"] > 0
