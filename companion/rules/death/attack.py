"""The attack phase: after every movement phase, the last car first, each car one action."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Moot, Proc, ask
from companion.rules.death.aiming import PASS, Barred
from companion.rules.death.cards import CARDS
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.chapter import DiceChapter

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class Attack(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """Who attacks when, and with what."""

    book: Death

    def attack_order(self) -> list[DeathCar]:
        """The last car first, whoever has a hair trigger before all; by the order as it is now, or if the table wants
        it by that of the moves just made, in which a car that had none counts as the first
        [phase.attack, utility.hair-trigger, ruling 21]."""
        cars = [car for car in self.race.cars if car.alive]
        if self.figures.attacks_as_played:
            place = {number: place for place, number in enumerate(reversed(self.race.moved))}
            cars.sort(key=lambda car: place.get(car.number, len(place)))
        else:
            cars.sort(key=self.book.order.race_order, reverse=True)
        return sorted(cars, key=lambda car: car.utility != "hair-trigger")

    def begin_attacks(self) -> Proc[None]:
        """The attack phase begins: every car acts in it, and every remote mine rolls on
        [phase.attack, weapon.remote-mines]."""
        race = self.race
        for car in race.cars:
            car.busy = False
        race.attacking = True
        race.attackers = [car.number for car in self.attack_order()]
        self.rule("attack_phase", "phase.attack", None, order=list(race.attackers))
        for mine in race.mines:
            mine.rolled = False
        return
        yield

    def act(self) -> Proc[None]:
        """The next car acts; one destroyed before its place does nothing, a spun one acts. A car that the referee has
        put behind others meanwhile acts after them [phase.one-action, ruling 21]."""
        race = self.race
        number = race.attackers[0]
        with suppress(Moot):
            yield from self.action(self.car(number))
        if race.attackers[:1] == [number]:
            race.attackers.remove(number)

    def action(self, car: DeathCar) -> Proc[None]:
        """One weapon is fired, or one token removed, or nothing done; a shot that is refused before it is fired lets
        the car choose again [phase.one-action, attack.sight, rulings 29, 40]."""
        barred = Barred()
        while True:
            action = yield from ask(self.book.aiming.attack_question, car, barred)
            if action.kind == PASS:
                self.rule("passes", "phase.one-action", car)
                return
            if action.kind == "reload":
                self.reload(car, action.weapon)
                return
            card = CARDS[action.weapon]
            if action.kind == "drop":
                self.book.shots.lay(car, card, hit=True)
                yield from self.book.mines.drop(car, card)
                return
            refused = yield from self.book.shots.fire(car, card, action)
            if not refused:
                return
            pairs = barred.pairs | {(card.key, action.target or action.space)}
            only = {"jammer": card.key, "sight": barred.only}.get(refused, "")
            barred = Barred(pairs, only)
            if not any(isinstance(option.answer, dict) for option in self.book.aiming.attack_options(car, barred)):
                self.rule("passes", "phase.one-action", car, refused=refused)
                return

    def reload(self, car: DeathCar, weapon: str) -> None:
        """One token is taken off one weapon [phase.one-action, ruling 38]."""
        car.weapons[weapon] -= 1
        self.rule(
            "reload", "phase.one-action", car, counts={f"tokens:{weapon}": -1}, card=weapon, tokens=car.weapons[weapon]
        )
