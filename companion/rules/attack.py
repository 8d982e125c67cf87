"""The attack phase: after every movement phase, the last car first, each car one action."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from companion.rules.aiming import PASS, Action, Aiming, Barred
from companion.rules.arena import DeathCar, Mine
from companion.rules.cards import CARDS, Card
from companion.rules.conversation import Json, Moot, Option, Proc, ask
from companion.rules.errors import BadOverride
from companion.rules.formula_de import FIRST
from companion.rules.questions import BlackDie, Choice, GearDie
from companion.rules.race import Race
from companion.rules.weapons import SIDE


class Attack(Aiming):
    """Who attacks when, with what, and what becomes of it."""

    # -- the phase

    def step(self) -> Proc[None] | None:
        """The attack phase follows the movement phase of each round, an action or a mine a step [phase.attack]."""
        race = self.race
        running = race.phase == "race" and any(car.alive for car in race.cars)
        if running and race.attacking:
            if (mine := self.mine_due()) is not None:
                return self.roll_on(mine)
            return self.act() if race.attackers else self.end_of_round()
        if running and race.sweep is not None and self.next_to_play() is None:
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
        cars = [car for car in self.race.cars if car.alive and car.at is not None]
        if self.figures.attacks_as_played:
            moved = {number: place for place, number in enumerate(self.race.moved, 1)}
            cars.sort(key=lambda car: -moved.get(car.number, 0))
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
        called_off = number in race.attackers and race.attackers[0] != number and self.car(number).alive
        if number in race.attackers and not called_off:
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

    def lay(self, car: DeathCar, card: Card, *, hit: bool) -> None:
        """A shot lays the weapon's tokens on it, hit or miss [attack.hit, ruling 24]."""
        if card.key in car.weapons and (hit or not self.figures.tokens_on_hits_only):
            car.weapons[card.key] += card.reload

    def fire(self, car: DeathCar, card: Card, action: Action) -> Proc[str]:
        """A shot at a car, at a bare space or at all that the weapon reaches; what refused it, empty if it was fired or
        bravado has spent it [attack.hit, weapon.frag-missiles, weapon.forward-turbolaser, weapon.rear-turbolaser,
        weapon.haywire-charge, ruling 25]."""
        if action.space:
            if not (yield from self.seen(car, card, None, action.space)):
                return "sight"
            hit = yield from self.roll_to_hit(car, card, None, action.space)
            self.lay(car, card, hit=hit)
            if hit:
                self.splash(card, car, self.splashed(card, car, action.space))
            return ""
        if action.target:
            other = self.car(action.target)
            refused = yield from self.refused(car, card, other)
            if refused == "bravado" and self.figures.bravado_spends_shot:
                self.lay(car, card, hit=False)
                return ""
            if refused:
                return refused
            hit = yield from self.roll_to_hit(car, card, other, "")
            self.lay(car, card, hit=hit)
            if hit:
                yield from self.strike(card, car, other)
            return ""
        struck = []
        for other in self.targets(card, car):
            if not other.alive or (yield from self.refused(car, card, other)):
                continue
            if (yield from self.roll_to_hit(car, card, other, "")):
                struck.append(other)
        self.lay(car, card, hit=bool(struck))
        for other in struck:
            if other.alive:
                yield from self.strike(card, car, other)
        return ""

    # -- before the shot

    def refused(self, car: DeathCar, card: Card, other: DeathCar) -> Proc[str]:
        """What keeps a shot from being fired at a car, in its order: sight, Bravado, the jammer; empty if nothing does
        [attack.sight, defence.bravado, utility.jammer, ruling 28]."""
        if not (yield from self.seen(car, card, other)):
            return "sight"
        order = [self.bravado, self.jammed]
        if self.figures.jammer_before_bravado:
            order.reverse()
        for guard in order:
            if refused := (yield from guard(car, card, other)):
                return refused
        return ""

    def sight_question(self, car: DeathCar, card: Card, other: DeathCar | None, space: str) -> Choice[bool] | None:
        """Whether a straight line leads from a car to another, or to a bare space, without leaving the track, by the
        referee's word [attack.sight, rulings 40, 41]."""
        if not car.alive or (other is not None and not other.alive):
            return None
        choices = [(Option(True), True), (Option(False), False)]
        question = Choice("sight", car.number, "attack.sight", choices, what=card.key, wanted="Say true or false;")
        aim: dict[str, Json] = {"card": card.key}
        if other is None:
            ids = self.track.ids
            aim |= {"space": space, "range": self.range_from(ids[car.at or ""], ids[space]), "side": SIDE[True]}
        else:
            aim |= {"target": other.number, "range": self.range_to(car, other), "side": SIDE[self.ahead_of(car, other)]}
        between: list[Json] = [] if other is None else [*self.between(card, car, other)]
        question.fields = aim | {"facing": card.facing, "reach": card.range, "between": between}
        return question

    def seen(self, car: DeathCar, card: Card, other: DeathCar | None, space: str = "") -> Proc[bool]:
        """Whether the attacker has line of sight to a car, or to a bare space [attack.sight]."""
        if not self.needs_sight(card, car, other.at if other is not None else space):
            return True
        seen = yield from ask(self.sight_question, car, card, other, space)
        if not seen:
            at: dict[str, Json] = {"other": other.number} if other is not None else {"at": space}
            self.rule("refused", "attack.sight", car, card=card.key, by="sight", **at)
        return seen

    def guard_die(self, car: DeathCar, other: DeathCar, guard: str, to: int) -> BlackDie | None:
        """The die that lets a shot be fired at all."""
        if not car.alive or not other.alive:
            return None
        return BlackDie(car.number, CARDS[guard].article, guard, {"succeeds_to": to, "target": other.number})

    def overcome(self, car: DeathCar, card: Card, other: DeathCar, guard: str, to: int) -> Proc[str]:
        """The roll against a card that guards a target; the card if the shot is refused, empty if it may be fired."""
        face = yield from ask(self.guard_die, car, other, guard, to)
        if face <= to:
            return ""
        article = CARDS[guard].article
        self.rule("refused", article, car, other=other.number, card=card.key, by=guard, face=face, to=to)
        return guard

    def bravado(self, car: DeathCar, card: Card, other: DeathCar) -> Proc[str]:
        """Bravado has to be overcome first, on 1 to 15; who fails fires at another or with another weapon
        [defence.bravado, ruling 29]."""
        if other.defence != "bravado":
            return ""
        return (yield from self.overcome(car, card, other, "bravado", self.figures.bravado_to))

    def jammed(self, car: DeathCar, card: Card, other: DeathCar) -> Proc[str]:
        """A jammer turns missiles away on 11 and more, once in an attack phase; then the same weapon looks for another
        target [utility.jammer, ruling 29]."""
        if card.family != "missile" or not other.ready("jammer"):
            return ""
        refused = yield from self.overcome(car, card, other, "jammer", self.figures.jammer_to)
        if refused:
            self.spend(other, "jammer")
        return refused

    # -- the shot

    def hit_die(self, car: DeathCar, card: Card, other: DeathCar | None, space: str) -> BlackDie | None:
        """The die of a shot [attack.hit]."""
        if not car.alive or (other is not None and not other.alive):
            return None
        facts: dict[str, Json] = {"hits_to": self.accuracy(card, other), "card": card.key}
        facts |= {"target": other.number} if other is not None else {"space": space}
        return BlackDie(car.number, "attack.hit", "attack", facts)

    def roll_to_hit(self, car: DeathCar, card: Card, other: DeathCar | None, space: str) -> Proc[bool]:
        """The accuracy or less hits; a targeting computer may roll a miss again, once a lap
        [attack.hit, utility.targeting-computer, rulings 26, 37]."""
        while True:
            to = self.accuracy(card, other)
            face = yield from ask(self.hit_die, car, card, other, space)
            facts: dict[str, Json] = {"other": other.number} if other is not None else {"at": space}
            if other is not None:
                facts |= {"range": self.range_to(car, other), "side": SIDE[self.ahead_of(car, other)]}
            self.rule("shot", "attack.hit", car, card=card.key, face=face, to=to, hits=face <= to, **facts)
            if face <= to:
                return True
            key = "targeting-computer"
            if not car.ready(key) or not (yield from self.uses(car, key, partial(car.ready, key), shot=card.key)):
                return False
            self.spend(car, key)

    # -- mines

    def drop(self, car: DeathCar, card: Card) -> Proc[None]:
        """A slip mine lies where the car stands, a remote one straight ahead of it, where a car sets it off at once
        [weapon.slip-mines, weapon.remote-mines, ruling 48]."""
        at, other = car.at or "", None
        if card.key == "slip-mines":
            car.stock[card.key] -= 1
        else:
            at, other = self.track.spaces[self.track.ahead[self.track.ids[at]]].name, self.car_ahead(car)
        mine = Mine(car.number, card.key, at, rolled=True)  # type: ignore[arg-type]
        self.race.mines.append(mine)
        self.rule("mine", card.article, car, action="dropped", at=at, owner=car.number, card=card.key)
        if other is not None:
            yield from self.explode(other, mine, _stays)

    def mine_due(self) -> Mine | None:
        """The remote mine that rolls next: each once in an attack phase, but not in the one in which it is laid; in the
        place of its owner, before and besides his action, and at once where he has no place in the phase
        [weapon.remote-mines, ruling 48]."""
        later = self.race.attackers[1:]
        due = (mine for mine in self.race.mines if mine.card == "remote-mines" and not mine.rolled)
        return next((mine for mine in due if mine.owner not in later), None)

    def mine_die(self, mine: Mine) -> GearDie | None:
        """How far a remote mine rolls: the violet die [weapon.remote-mines]."""
        die = GearDie(mine.owner, self.figures.remote_gear, "weapon.remote-mines")
        die.what, die.fields = f"mine_{self.figures.remote_gear}", {"card": mine.card, "at": mine.at}
        if not self.car(mine.owner).standing:
            die.car = None
        return die if mine in self.race.mines else None

    def roll_on(self, mine: Mine) -> Proc[None]:
        """A remote mine rolls on in its lane until a car is in its way [weapon.remote-mines, ruling 48]."""
        mine.rolled = True
        face = yield from ask(self.mine_die, mine)
        begin, other = mine.at, None
        for space in self.board.run(self.track.ids[begin])[1 : face + 1]:
            mine.at = self.track.spaces[space].name
            other = next((car for car in self.race.cars if car.standing and car.at == mine.at), None)
            if other is not None:
                break
        facts: dict[str, Json] = {"action": "rolls", "owner": mine.owner, "card": mine.card}
        self.rule("mine", "weapon.remote-mines", self.car(mine.owner), begin=begin, at=mine.at, **facts)
        if other is not None:
            with suppress(Moot):
                yield from self.explode(other, mine, _stays)


def _stays() -> None:
    """The car stands there already."""
