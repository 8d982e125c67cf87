"""The attack phase: after every movement phase, the last car first, each car one action."""

from __future__ import annotations

from contextlib import suppress

from companion.rules.conversation.asking import Json, Moot, Proc, ask
from companion.rules.conversation.errors import BadOverride
from companion.rules.death.aiming import PASS, Barred
from companion.rules.death.cards import CARDS
from companion.rules.death.mines import Mines
from companion.rules.death.state import DeathCar
from companion.rules.dice.formula_de import FIRST
from companion.rules.dice.state import Race


class Attack(Mines):
    """Who attacks when, and with what."""

    # -- the phase

    def step(self) -> Proc[None] | None:
        """The attack phase follows the movement phase of each round, an action or a mine a step [phase.attack]."""
        race = self.race
        running = race.phase == "race" and any(car.alive for car in race.cars)
        if running and race.attacking:
            if (mine := self.mine_due()) is not None:
                return self.roll_on(mine)
            return self.act() if race.attackers else self.end_of_round()
        if running and self.next_to_play() is None:
            return self.begin_attacks()
        return super().step()

    def begin_round(self, leader: DeathCar) -> None:
        """A round begins with the movement phase, which is the basic game's round [phase.movement]."""
        for car in self.race.cars:
            car.busy = False
        super().begin_round(leader)

    def has_played(self, car: DeathCar, before: int, rank: tuple[int, ...]) -> None:
        """Notes in which order the cars have moved; one that the referee lets move again moved last
        [phase.movement, ruling 21]."""
        super().has_played(car, before, rank)
        self.race.moved = [number for number in self.race.moved if number != car.number] + [car.number]

    def attack_order(self) -> list[DeathCar]:
        """The last car first, whoever has a hair trigger before all; by the order as it is now, or if the table wants
        it by that of the moves just made, in which a car that had none counts as the first
        [phase.attack, utility.hair-trigger, ruling 21]."""
        cars = [car for car in self.race.cars if car.alive]
        if self.figures.attacks_as_played:
            place = {number: place for place, number in enumerate(reversed(self.race.moved))}
            cars.sort(key=lambda car: place.get(car.number, len(place)))
        else:
            cars.sort(key=self.race_order, reverse=True)
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

    def end_of_round(self) -> Proc[None]:
        """When every car has acted the round is over, and the stick of a spun car is in 1st
        [phase.attack, spin.zero]."""
        race = self.race
        for car in race.cars:
            if car.status == "spun":
                car.gear = min(car.gear, FIRST)
        race.attacking, race.sweep = False, None
        for listed in (race.played, race.called, race.moved):
            listed.clear()
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

    def _set_order(self, race: Race[DeathCar], order: list[Json]) -> None:
        """In the attack phase the referee's order is that of the attackers."""
        if not self.race.attacking:
            super()._set_order(race, order)
            return
        alive = [car.number for car in race.cars if car.alive]
        if any(isinstance(number, bool) or number not in alive or order.count(number) > 1 for number in order):
            raise BadOverride(f"The order names cars that can still attack, each once: {', '.join(map(str, alive))}.")
        self.race.attackers = list(order)

    # -- one action

    def action(self, car: DeathCar) -> Proc[None]:
        """One weapon is fired, or one token removed, or nothing done; a shot that is refused before it is fired lets
        the car choose again [phase.one-action, attack.sight, rulings 29, 40]."""
        barred = Barred()
        while True:
            action = yield from ask(self.attack_question, car, barred)
            if action.kind == PASS:
                self.rule("passes", "phase.one-action", car)
                return
            if action.kind == "reload":
                self.reload(car, action.weapon)
                return
            card = CARDS[action.weapon]
            if action.kind == "drop":
                self.lay(car, card, hit=True)
                yield from self.drop(car, card)
                return
            refused = yield from self.fire(car, card, action)
            if not refused:
                return
            pairs = barred.pairs | {(card.key, action.target or action.space)}
            only = {"jammer": card.key, "sight": barred.only}.get(refused, "")
            barred = Barred(pairs, only)
            if not any(isinstance(option.answer, dict) for option in self.attack_options(car, barred)):
                self.rule("passes", "phase.one-action", car, refused=refused)
                return

    def reload(self, car: DeathCar, weapon: str) -> None:
        """One token is taken off one weapon [phase.one-action, ruling 38]."""
        car.weapons[weapon] -= 1
        self.rule("reload", "phase.one-action", car, card=weapon, tokens=car.weapons[weapon])
