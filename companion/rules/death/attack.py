"""The attack phase: after every movement phase, the last car first, each car one action.

From top to bottom: the phase, the question, what a weapon reaches, whether a shot hits, what a hit does, and mines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple, Protocol

from companion.rules.circuit.track import NEVER, Corner, Section, distances, neighbours
from companion.rules.conversation.asking import Json, JsonValue, Option, Procedure, Question, QuestionWithdrawn, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.faces import divided
from companion.rules.conversation.forms import Choice
from companion.rules.death.cards import CARDS, WeaponCard
from companion.rules.death.hazards import HazardsBook
from companion.rules.death.state import DeathCar, DeathChapter, Mine
from companion.rules.dice.one_pool import POOL
from companion.rules.dice.questions import GearDie, TestDie


class AttackBook(HazardsBook, Protocol):
    """The book as the attack phase sees it."""

    @property
    def attack(self) -> Attack: ...
    @property
    def aiming(self) -> Aiming: ...
    @property
    def reach(self) -> Reach: ...
    @property
    def shots(self) -> Shots: ...
    @property
    def weapons(self) -> Weapons: ...
    @property
    def mines(self) -> Mines: ...


class Attack(DeathChapter):
    """The attack phase: after every movement phase, the last car first, each car one action."""

    book: AttackBook

    def attack_order(self) -> list[DeathCar]:
        """Return the cars in the order of their attacks: the last car first, a hair trigger before all.

        The order is the one as it is now, or if the table wants it that of the moves just made, in which a car that had
        none counts as the first [phase.attack, utility.hair-trigger, ruling 21].
        """
        cars = [car for car in self.race.cars if car.alive]
        if self.figures.attacks_as_played:
            place = {number: place for place, number in enumerate(reversed(self.race.moved))}
            cars.sort(key=lambda car: place.get(car.number, len(place)))
        else:
            cars.sort(key=self.book.order.race_order, reverse=True)
        return sorted(cars, key=lambda car: car.utility != "hair-trigger")

    def begin_attacks(self) -> Procedure[None]:
        """Begin the attack phase, in which every car acts and every remote mine rolls on.

        [phase.attack, weapon.remote-mines]
        """
        race = self.race
        for car in race.cars:
            car.busy = False
        race.attacking = True
        race.attackers = [car.number for car in self.attack_order()]
        self.rule("attack_phase", "phase.attack", None, order=list(race.attackers))
        for mine in race.mines:
            mine.rolled = False
        yield from ()

    def act(self) -> Procedure[None]:
        """Let the next car act [phase.one-action, ruling 21].

        A car destroyed before its place does nothing, a spun one acts. A car that the referee has put behind others
        meanwhile acts after them.
        """
        race = self.race
        number = race.attackers[0]
        with suppress(QuestionWithdrawn):
            yield from self.action(self.car(number))
        if race.attackers[:1] == [number]:
            race.attackers.remove(number)

    def action(self, car: DeathCar) -> Procedure[None]:
        """Fire one weapon, or remove one token, or do nothing.

        After a shot that is refused before it is fired the car chooses again. A car that can do nothing is not asked
        [phase.one-action, attack.sight, rulings 29, 39, 40].
        """
        barred, refused = LostChoices(), ""
        while True:
            try:
                action = yield from ask(self.book.aiming.attack_question, car, barred)
            except QuestionWithdrawn:
                if self.book.aiming.may_act(car):
                    self.passes(car, refused)
                return
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
            pairs = barred.pairs
            if refused != REFEREE:
                pairs |= {(card.key, action.target or action.space)}
            only = {"jammer": card.key, "sight": barred.only, REFEREE: barred.only}.get(refused, "")
            barred = LostChoices(pairs, only)

    def passes(self, car: DeathCar, refused: str) -> None:
        """Note that a car that can do nothing passes, from the first or once its shots have been refused.

        [phase.one-action]
        """
        facts: dict[str, Json] = {"refused": refused} if refused else {"idle": True}
        self.rule("passes", "phase.one-action", car, **facts)

    def reload(self, car: DeathCar, weapon: str) -> None:
        """One token is taken off one weapon [phase.one-action, ruling 38]."""
        car.weapons[weapon] -= 1
        self.rule(
            "reload", "phase.one-action", car, counts={f"tokens:{weapon}": -1}, card=weapon, tokens=car.weapons[weapon]
        )


PASS: Final = "pass"


class Action(NamedTuple):
    """An action of a car in the attack phase.

    It fires (at a car, at a bare space, or at whatever its weapon reaches), drops a mine, takes a token off a weapon,
    or passes.
    """

    kind: str
    weapon: str = ""
    target: int = 0
    space: str = ""


class LostChoices(NamedTuple):
    """Choices that an action has lost: pairs of weapon and target that were refused.

    The target is a car, a bare space, or "" for all that the weapon reaches. After a jammed shot everything but that
    weapon is barred.
    """

    pairs: frozenset[tuple[str, int | str]] = frozenset()
    only: str = ""


class Aim(Question[Action]):
    """The question of an action; what it shows is worked out when somebody looks."""

    ask = "attack"

    def __init__(self, rules: Aiming, car: DeathCar, barred: LostChoices) -> None:
        super().__init__(car.number, "phase.one-action")
        self.rules, self.attacker, self.barred = rules, car, barred

    @property
    def fields(self) -> Mapping[str, Json]:  # type: ignore[override]
        return self.rules.attack_facts(self.attacker, self.barred)

    def options(self) -> list[Option]:
        return self.rules.attack_options(self.attacker, self.barred)

    def read(self, answer: JsonValue) -> Action:
        return self.rules.read_attack(self.attacker, answer, self.barred)


class Aiming(DeathChapter):
    """The question of the attack phase."""

    book: AttackBook

    def attack_question(self, car: DeathCar, barred: LostChoices) -> Aim | None:
        """Ask for one action: a shot, a mine, a token, or nothing; None for a car that can do nothing.

        The question shows the order of the attackers, every weapon with its tokens and every car with its range
        [phase.one-action, attack.front, attack.range].
        """
        return Aim(self, car, barred) if self.may_act(car) and self.has_action(car, barred) else None

    def may_act(self, car: DeathCar) -> bool:
        """Return True if it is a car's place to act [phase.one-action, ruling 21]."""
        return car.alive and self.race.attackers[:1] == [car.number]

    def has_action(self, car: DeathCar, barred: LostChoices) -> bool:
        """Return True if a car can fire a weapon or take a token off one [phase.one-action]."""
        if not barred.only and any(car.weapons.values()):
            return True
        return any(self.shots(car, CARDS[key], barred) for key in self.loaded(car, barred))

    def loaded(self, car: DeathCar, barred: LostChoices) -> list[str]:
        """Return the weapons that a car may fire: none in the pits, after a jammed shot no other.

        [phase.one-action, attack.sight, utility.jammer]
        """
        if not self.book.reach.on_track(car):
            return []
        return [key for key, tokens in car.weapons.items() if not tokens and barred.only in ("", key)]

    def attack_facts(self, car: DeathCar, barred: LostChoices) -> dict[str, Json]:
        """Return the facts that the question shows besides its answers.

        After a jammed shot they name the weapon that alone may be fired [phase.one-action, attack.range,
        utility.jammer].
        """
        facts: dict[str, Json] = {
            "attackers": list(self.race.attackers),
            "weapons": [self.weapon_facts(car, key) for key in car.weapons],
            "targets": [self.target_facts(car, other) for other in self.targets_around(car)],
        }
        return facts | ({"only": barred.only} if barred.only else {})

    def weapon_facts(self, car: DeathCar, key: str) -> dict[str, Json]:
        """Return a weapon as the table sees it."""
        card = CARDS[key]
        facts: dict[str, Json] = {"card": key, "tokens": car.weapons[key], "reload": card.reload}
        facts |= {"accuracy": card.accuracy, "damage": card.damage, "range": card.range, "facing": card.facing}
        if card.stock:
            facts["stock"] = car.stock[key]
        return facts

    def targets_around(self, car: DeathCar) -> list[DeathCar]:
        """Every other car on the track, the nearest first; none for a car in the pits."""
        if not self.book.reach.on_track(car):
            return []
        found = [other for other in self.others(car) if self.book.reach.on_track(other)]
        return sorted(found, key=lambda other: (self.book.reach.range_to(car, other), other.number))

    def target_facts(self, car: DeathCar, other: DeathCar) -> dict[str, Json]:
        """Return a target as the table sees it: how far, on which side, and what protects it."""
        side = SIDE[self.book.reach.ahead_of(car, other)]
        armour = other.armour.rear if side == "front" else other.armour.front
        facts: dict[str, Json] = {"car": other.number, "range": self.book.reach.range_to(car, other), "side": side}
        facts["armour"] = armour
        if other.defence:
            facts["defence"] = other.defence
        if other.ready("jammer"):
            facts["jammer"] = True
        return facts

    # -- what is offered

    def attack_options(self, car: DeathCar, barred: LostChoices) -> list[Option]:
        """Return every action that is allowed: shots first, then tokens, then none.

        A car in the pits has no shot, after a jammed one it has nothing else [phase.one-action, attack.sight,
        utility.jammer].
        """
        options = [shot for key in self.loaded(car, barred) for shot in self.shots(car, CARDS[key], barred)]
        if not barred.only:
            options += [Option({"reload": key}, facts={"tokens": n}) for key, n in car.weapons.items() if n]
            options.append(Option(None))
        return options

    def shots(self, car: DeathCar, card: WeaponCard, barred: LostChoices) -> list[Option]:
        """Return the shots of one weapon, the nearest target first; for a mine, whether it can be laid.

        [attack.front, attack.range, weapon.slip-mines, weapon.remote-mines, weapon.limpet-mines,
        weapon.forward-turbolaser, weapon.haywire-charge, weapon.frag-missiles]
        """
        fire: dict[str, Json] = {"fire": card.key}
        if card.aim == "drop":
            facts: dict[str, Json] = {"left": car.stock[card.key]} if card.stock else {}
            return [Option(fire, facts=facts)] if self.can_drop(car, card) else []
        targets = self.book.reach.targets(card, car)
        if card.aim != "car":
            cars = [other.number for other in targets if (card.key, "") not in barred.pairs]
            return [Option(fire, facts={"cars": cars, "hits_to": card.accuracy})] if cars else []
        options = [
            Option({**fire, "at": other.number}, facts=self.shot_facts(card, car, other))
            for other in targets
            if (card.key, other.number) not in barred.pairs
        ]
        spaces = self.track.spaces
        for space in [] if barred.only else self.book.reach.bare_spaces(card, car):
            name = spaces[space].name
            if (card.key, name) not in barred.pairs:
                facts = {"hits_to": self.book.weapons.accuracy(card, None)}
                if self.book.reach.needs_sight(card, car, name):
                    facts["sight"] = True
                options.append(Option({**fire, "space": name}, facts=facts))
        return options

    def shot_facts(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> dict[str, Json]:
        """Return the facts of a shot at a car.

        They are its range, the face that hits, the side, the points that get through, the tokens, and what must be
        overcome first.
        """
        facts: dict[str, Json] = {
            "range": self.book.reach.range_to(car, other),
            "hits_to": self.book.weapons.accuracy(card, other),
            "side": SIDE[self.book.reach.ahead_of(car, other)],
            "damage": max(0, card.damage - self.book.weapons.shield(card, car, other)),
            "tokens": card.reload,
        }
        if self.book.reach.needs_sight(card, car, other.at):
            facts["sight"] = True
        if other.defence == "bravado":
            facts["bravado"] = self.book.shots.bravado_to()
        if card.family == "missile" and other.ready("jammer"):
            facts["jammer"] = self.book.shots.jammer_to()
        return facts

    def can_drop(self, car: DeathCar, card: WeaponCard) -> bool:
        """Return True if a car can lay a mine with this card [weapon.slip-mines, weapon.remote-mines].

        It lays slip mines while there are any, and a remote mine onto the space straight ahead, one on the board at a
        time.
        """
        if card.key == "slip-mines":
            return car.stock[card.key] > 0
        ahead = self.track.ahead[self.track.ids[car.at or ""]]
        own = any(mine.owner == car.number and mine.card == card.key for mine in self.race.mines)
        return ahead >= 0 and not own

    # -- what is answered

    def read_attack(self, car: DeathCar, answer: JsonValue, barred: LostChoices) -> Action:
        """Return the action that an answer names; raise BadAnswer with the reason why it is none.

        [phase.one-action, attack.front, attack.rear, attack.range, attack.sight, utility.jammer]
        """
        if answer is None and not barred.only:
            return Action(PASS)
        if not isinstance(answer, dict) or set(answer) not in ({"reload"}, {"fire"}, {"fire", "at"}, {"fire", "space"}):
            raise BadAnswer("attack_form")
        key = answer.get("fire", answer.get("reload"))
        if not isinstance(key, str) or key not in car.weapons:
            raise BadAnswer("no_weapon", car=car.number, weapons=", ".join(car.weapons))
        if barred.only and ("reload" in answer or key != barred.only):
            raise BadAnswer("jammed_elsewhere", card=barred.only)
        tokens = car.weapons[key]
        if "reload" in answer:
            if not tokens:
                raise BadAnswer("no_token", card=key, car=car.number)
            return Action("reload", key)
        if tokens:
            raise BadAnswer("weapon_reloading", card=key, car=car.number, tokens=tokens)
        if not self.book.reach.on_track(car):
            raise BadAnswer("fire_in_pits", car=car.number)
        card = CARDS[key]
        if "at" in answer:
            return self.read_target(car, card, answer["at"], barred)
        if "space" in answer:
            return self.read_space(car, card, answer["space"], barred)
        return self.read_untargeted(car, card, barred)

    def read_target(self, car: DeathCar, card: WeaponCard, number: Json, barred: LostChoices) -> Action:
        """Return a shot at a car; raise BadAnswer if it cannot be fired.

        The car may face the wrong way, be out of range, or have refused the shot before [attack.front, attack.rear,
        attack.range, attack.sight, defence.bravado, weapon.heat-seeking-missiles, weapon.forward-turbolaser].
        """
        if card.aim != "car":
            raise BadAnswer("no_target", card=card.key, same=card.key)
        cars = self.targets_around(car)
        other = next((one for one in cars if type(number) is int and one.number == number), None)
        if other is None:
            listed = ", ".join(str(one.number) for one in cars)
            raise BadAnswer("target_car", cars=listed)
        wrong = self.book.reach.misfire(card, car, other)
        if wrong == "facing":
            side = "behind" if card.facing == "front" else "in front of"
            right = "in front" if card.facing == "front" else "behind"
            raise BadAnswer("target_side", other=other.number, side=side, car=car.number, card=card.key, right=right)
        if wrong == "range":
            far = self.book.reach.range_to(car, other)
            raise BadAnswer("target_far", other=other.number, far=far, card=card.key, range=card.range)
        if wrong:
            raise BadAnswer("target_corner", other=other.number)
        if (card.key, other.number) in barred.pairs:
            raise BadAnswer("shot_refused", other=other.number)
        return Action("fire", card.key, other.number)

    def read_space(self, car: DeathCar, card: WeaponCard, name: Json, barred: LostChoices) -> Action:
        """Return a frag missile's shot at a bare space; raise BadAnswer for any other.

        [weapon.frag-missiles, utility.jammer, ruling 26]
        """
        spaces = [self.track.spaces[space].name for space in self.book.reach.bare_spaces(card, car)]
        if barred.only or name not in spaces:
            raise BadAnswer("frag_space")
        if (card.key, str(name)) in barred.pairs:
            raise BadAnswer("shot_refused_at", name=name)
        return Action("fire", card.key, 0, str(name))

    def read_untargeted(self, car: DeathCar, card: WeaponCard, barred: LostChoices) -> Action:
        """Return a shot that names no target; raise BadAnswer if it cannot be fired so.

        The weapon may need a target, have nothing to do, or be refused by all that it reaches [weapon.limpet-mines,
        weapon.remote-mines, weapon.slip-mines, weapon.forward-turbolaser, weapon.rear-turbolaser,
        weapon.haywire-charge, attack.front, defence.bravado].
        """
        if card.aim == "car":
            raise BadAnswer("target_wanted", card=card.key, same=card.key)
        if card.aim == "move":
            raise BadAnswer("limpet_not_fired")
        if card.aim == "drop":
            if not self.can_drop(car, card):
                raise BadAnswer("mine_not_laid", card=card.key, car=car.number)
            return Action("drop", card.key)
        if not self.book.reach.targets(card, car):
            raise BadAnswer("none_in_reach", card=card.key, car=car.number)
        if (card.key, "") in barred.pairs:
            raise BadAnswer("all_refused", card=card.key)
        return Action("fire", card.key)


SIDE: Final = {True: "front", False: "rear"}
"""Side on which a target is: the front if it would move before the attacker, otherwise the rear."""


class Reach(DeathChapter):
    """The reach of weapons: which cars are in front, how far away, and which must be seen."""

    book: AttackBook

    # -- where cars are

    def adjacent(self, space: int) -> list[int]:
        """Return the spaces around one: beside it, ahead and behind in its lane [attack.range]."""
        return neighbours(self.track, space)

    # -- between two cars

    def ahead_of(self, car: DeathCar, other: DeathCar) -> bool:
        """Return True if another car is in front: it would move before this one.

        Where its nose points does not matter [attack.front, attack.rear, ruling 22].
        """
        return self.book.order.leads(other, car)

    def on_track(self, car: DeathCar) -> bool:
        """Return True if a car can fire and be fired at [attack.sight, weapon.frag-missiles].

        The pits lie off the track, and a car that is out takes no splash.
        """
        return car.alive and not car.in_pits

    def range_to(self, car: DeathCar, other: DeathCar) -> int:
        """Count the spaces between two cars, whatever their laps and their order.

        [attack.range, ruling 23]
        """
        ids = self.track.ids
        return self.range_between(ids[car.at or ""], ids[other.at or ""])

    def range_between(self, here: int, there: int) -> int:
        """Count the spaces from any space around an attacker to a target; a neighbour is at 1.

        They are counted forwards, or from the target forwards, whichever is less [attack.range, attack.rear, ruling
        23].
        """
        track, around = self.track, self.adjacent(here)
        nearest = min(distances(track, *around, by=way).get(there, NEVER) for way in ("forwards", "backwards"))
        if 4 * nearest > track.length:  # half a lap and more: a corner's arrows lead from neither to the other
            nearest = distances(track, *around, by="any").get(there, NEVER)
        return min(NEVER, nearest + int(not self.figures.neighbours_at_zero))

    def further_on(self, here: int, space: int) -> bool:
        """Return True if a space lies further on than another, by the shorter way round the lap.

        [attack.front]
        """
        track = self.track
        gap = (track.place[space] - track.place[here]) % track.length
        return 0 < gap < track.length - gap

    # -- what a weapon can hit

    def faces(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> bool:
        """Return True if a weapon faces a car: front weapons one in front, rear weapons one behind, turrets both.

        [attack.front, attack.rear, weapon.rear-laser, weapon.rear-mg, weapon.rear-turbolaser, weapon.missile-turret,
        weapon.turret-laser, weapon.turret-mg, weapon.wrecker-ball, weapon.chain-blades]
        """
        return card.facing in ("both", SIDE[self.ahead_of(car, other)])

    def reaches(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> bool:
        """Return True if a car is in range.

        [attack.range, weapon.long-range-missiles, weapon.haywire-charge]
        """
        if card.aim == "around":
            ids = self.track.ids
            return ids[other.at or ""] in self.adjacent(ids[car.at or ""])
        return self.range_to(car, other) <= card.range

    def in_lane(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> bool:
        """Return True unless a turbolaser aims at another lane: it hits in its own only, through bends.

        [weapon.forward-turbolaser, weapon.rear-turbolaser, ruling 33]
        """
        spaces, ids = self.track.spaces, self.track.ids
        return card.aim != "lane" or spaces[ids[car.at or ""]].lane == spaces[ids[other.at or ""]].lane

    def round_bends(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> bool:
        """Return True unless a heat seeker would have to fly round a corner of two stops or more.

        That holds for a car further back on the road too [weapon.heat-seeking-missiles, rulings 23, 34].
        """
        if card.key != "heat-seeking-missiles":
            return True
        here, there = (self.track.ids[at or ""] for at in (car.at, other.at))
        if self.further_on(there, here):
            here, there = there, here
        return all(corner.stops < 2 for corner in self.corners_between(here, there))

    def corners_between(self, here: int, there: int) -> list[Corner]:
        """List the corners that lie whole between a space and one further on; not those in which the two are."""
        track = self.track
        begin, ends = track.place[here], (track.spaces[here].section, track.spaces[there].section)
        gap = (track.place[there] - begin) % track.length

        def passed(section: Section) -> bool:
            lanes = (any(0 < (track.place[x] - begin) % track.length < gap for x in lane) for lane in section.lanes)
            return section.index not in ends and all(lanes)

        return [section.corner for section in track.sections if section.corner is not None and passed(section)]

    def misfire(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> str:
        """Return why a weapon cannot hit a car: facing, range, lane or bends; empty if it can.

        [attack.front, attack.rear, attack.range]
        """
        if not self.faces(card, car, other):
            return "facing"
        if not self.reaches(card, car, other):
            return "range"
        if not self.in_lane(card, car, other):
            return "lane"
        return "" if self.round_bends(card, car, other) else "bends"

    def targets(self, card: WeaponCard, car: DeathCar) -> list[DeathCar]:
        """Return the cars that a weapon can hit, the nearest first [attack.range]."""
        found = [other for other in self.others(car) if self.on_track(other) and not self.misfire(card, car, other)]
        return sorted(found, key=lambda other: (self.range_to(car, other), other.number))

    def covered(self, card: WeaponCard, car: DeathCar) -> dict[int, int]:
        """Return the spaces of the track in a weapon's range, with the range of each.

        They count for cars on the attacker's lap: on the side to which it fires, level ones on both, and in the lane
        along which it fires; none from the pits [attack.range, attack.front, attack.rear, attack.sight].
        """
        if not self.on_track(car) or card.aim in ("drop", "move"):
            return {}
        track, here = self.track, self.track.ids[car.at or ""]
        around, lane = self.adjacent(here), track.spaces[here].lane
        found: dict[int, int] = {}
        for space in around if card.aim == "around" else range(len(track.stretch)):
            if space == here or (card.aim == "lane" and track.spaces[space].lane != lane):
                continue
            beyond = self.further_on(space, here) if card.facing == "front" else self.further_on(here, space)
            if (card.facing == "both" or not beyond) and (far := self.range_between(here, space)) <= card.range:
                found[space] = far
        return found

    def bare_spaces(self, card: WeaponCard, car: DeathCar) -> list[int]:
        """Return the empty spaces at which frag missiles may be fired [weapon.frag-missiles, ruling 26].

        They lie in front and in range, and have a car beside them.
        """
        if card.key != "frag-missiles":
            return []
        ids = self.track.ids
        here = ids[car.at or ""]
        stands = {ids[other.at or ""] for other in self.others(car)} | {here}
        near = {x for other in self.others(car) for x in self.adjacent(ids[other.at or ""])}
        ahead = (x for x in near - stands - self.track.blocked if self.further_on(here, x))
        return sorted(x for x in ahead if self.range_between(here, x) <= card.range)

    # -- sight

    def needs_sight(self, card: WeaponCard, car: DeathCar, at: str | None) -> bool:
        """Return True if the referee must say whether the attacker sees its target.

        A neighbour is seen; heat seekers and turbolasers need no line of sight [attack.sight,
        weapon.heat-seeking-missiles, weapon.forward-turbolaser, weapon.rear-turbolaser, ruling 40].
        """
        if self.figures.sight_is_given or card.aim != "car" or card.key == "heat-seeking-missiles":
            return False
        ids = self.track.ids
        return ids[at or ""] not in self.adjacent(ids[car.at or ""])

    def between(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> list[int]:
        """Return the cars that stand nearer in the same direction along the road, where they may block fire.

        They never block a grenade's [attack.sight, weapon.grenade-launcher, ruling 41].
        """
        if not self.figures.cars_block_fire or card.family == "grenade":
            return []
        far, on = self.range_to(car, other), self.lies_on(car, other)
        near = (one for one in self.others(car) if self.on_track(one))
        return [one.number for one in near if self.lies_on(car, one) == on and self.range_to(car, one) < far]

    def lies_on(self, car: DeathCar, other: DeathCar) -> bool:
        """Return True if another car stands further on along the road, whatever the laps of the two."""
        ids = self.track.ids
        return self.further_on(ids[car.at or ""], ids[other.at or ""])


REFEREE: Final = "referee"
"""Reason of a refused shot whose target the referee has taken away."""


class Shots(DeathChapter):
    """A shot: whether it may be fired at all, whether it hits, and the tokens that it lays on its weapon."""

    book: AttackBook

    def lay(self, car: DeathCar, card: WeaponCard, *, hit: bool) -> None:
        """Lay the weapon's tokens on it after a shot, hit or miss [attack.hit, ruling 24]."""
        if card.reload and (hit or not self.figures.tokens_on_hits_only):
            car.weapons[card.key] += card.reload
            counts, tokens = {f"tokens:{card.key}": card.reload}, car.weapons[card.key]
            self.rule("lays", "attack.hit", car, counts=counts, card=card.key, tokens=tokens)

    def fire(self, car: DeathCar, card: WeaponCard, action: Action) -> Procedure[str]:
        """Fire at a car, at a bare space or at all that the weapon reaches; return what refused the shot.

        That is empty if the shot was fired or bravado has spent it. A car refused by its guard is no target: with none
        left nothing was fired, and no token is laid [attack.hit, weapon.frag-missiles, weapon.forward-turbolaser,
        weapon.rear-turbolaser, weapon.haywire-charge, ruling 25].
        """
        if action.space:
            refused, hit = yield from self.shoot(car, card, None, action.space)
            if refused:
                return refused
            self.lay(car, card, hit=hit)
            if hit:
                self.book.weapons.splash(card, car, self.book.weapons.splashed(card, car, action.space))
            return ""
        if action.target:
            other = self.car(action.target)
            refused, hit = yield from self.shoot(car, card, other)
            if refused:
                return self.spent(car, card, refused)
            self.lay(car, card, hit=hit)
            if hit:
                yield from self.book.weapons.strike(card, car, other)
            return ""
        shots: list[tuple[DeathCar, bool]] = []
        refused = ""
        for other in self.book.reach.targets(card, car):
            by, hit = yield from self.shoot(car, card, other)
            if not by:
                shots.append((other, hit))
            elif not refused or by != REFEREE:
                refused = by
        if not shots:
            return self.spent(car, card, refused)
        struck = [other for other, hit in shots if hit]
        self.lay(car, card, hit=bool(struck))
        for other in struck:
            if other.alive:
                yield from self.book.weapons.strike(card, car, other)
        return ""

    def shoot(
        self, car: DeathCar, card: WeaponCard, other: DeathCar | None, space: str = ""
    ) -> Procedure[tuple[str, bool]]:
        """Aim and roll; return what refused the shot, empty if it was fired, and whether it hit.

        If the referee takes the target away before the roll, the shot was not fired; a ruling tells it [attack.hit,
        attack.sight, phase.one-action, rulings 25, 39].
        """
        try:
            if refused := (yield from self.refused(car, card, other, space)):
                return refused, False
            return "", (yield from self.roll_to_hit(car, card, other, space))
        except QuestionWithdrawn:
            if not self.book.aiming.may_act(car):
                raise
            at: dict[str, Json] = {"other": other.number} if other is not None else {"at": space}
            self.rule("refused", "ruling 39", car, card=card.key, by=REFEREE, **at)
            return REFEREE, False

    def can_hit(self, car: DeathCar, card: WeaponCard, other: DeathCar | None, space: str) -> bool:
        """Return True while a shot may be fired: the referee may move either car, or take it off, in the middle of it.

        [attack.front, attack.rear, attack.range, attack.sight, ruling 39]
        """
        reach = self.book.reach
        if not reach.on_track(car):
            return False
        if other is None:
            return self.track.ids[space] in reach.bare_spaces(card, car)
        return reach.on_track(other) and not reach.misfire(card, car, other)

    def spent(self, car: DeathCar, card: WeaponCard, refused: str) -> str:
        """Return what still refuses a shot that was refused [defence.bravado, ruling 29].

        By a switch a shot that bravado refuses is fired all the same, and has missed: then nothing does.
        """
        if refused != "bravado" or not self.figures.bravado_spends_shot:
            return refused
        self.lay(car, card, hit=False)
        return ""

    # -- before the shot

    def refused(self, car: DeathCar, card: WeaponCard, other: DeathCar | None, space: str) -> Procedure[str]:
        """Return what keeps a shot from being fired, empty if nothing does: sight, Bravado, the jammer, in that order.

        [attack.sight, defence.bravado, utility.jammer, ruling 28]
        """
        if not (yield from self.has_line_of_sight(car, card, other, space)):
            return "sight"
        if other is None:
            return ""
        order = [self.bravado, self.jammed]
        if self.figures.jammer_before_bravado:
            order.reverse()
        for guard in order:
            if refused := (yield from guard(car, card, other)):
                return refused
        return ""

    def sight_question(
        self, car: DeathCar, card: WeaponCard, other: DeathCar | None, space: str
    ) -> Choice[bool] | None:
        """Ask whether a straight line leads from a car to another, or to a bare space, without leaving the track.

        The referee decides [attack.sight, rulings 40, 41].
        """
        if not self.can_hit(car, card, other, space):
            return None
        choices = [(Option(True), True), (Option(False), False)]
        question = Choice("sight", car.number, "attack.sight", choices, what=card.key)
        aim: dict[str, Json] = {"card": card.key}
        ids, reach = self.track.ids, self.book.reach
        if other is None:
            aim |= {"space": space, "range": reach.range_between(ids[car.at or ""], ids[space]), "side": SIDE[True]}
        else:
            side = SIDE[reach.ahead_of(car, other)]
            aim |= {"target": other.number, "range": reach.range_to(car, other), "side": side}
        between: list[Json] = [] if other is None else [*reach.between(card, car, other)]
        question.fields = aim | {"facing": card.facing, "reach": card.range, "between": between}
        return question

    def has_line_of_sight(self, car: DeathCar, card: WeaponCard, other: DeathCar | None, space: str) -> Procedure[bool]:
        """Return True if the attacker has line of sight to a car, or to a bare space [attack.sight]."""
        if not self.book.reach.needs_sight(card, car, other.at if other is not None else space):
            return True
        seen = yield from ask(self.sight_question, car, card, other, space)
        if not seen:
            at: dict[str, Json] = {"other": other.number} if other is not None else {"at": space}
            self.rule("refused", "attack.sight", car, card=card.key, by="sight", **at)
        return seen

    def guard_die(self, car: DeathCar, card: WeaponCard, other: DeathCar, guard: str, to: int) -> TestDie | None:
        """Return the die that decides whether a shot may be fired at all, or None if it can no longer hit."""
        if not self.can_hit(car, card, other, ""):
            return None
        facts = {"succeeds_to": to, "target": other.number}
        return TestDie(car.number, CARDS[guard].article, guard, divided(to), facts)

    def overcome(self, car: DeathCar, card: WeaponCard, other: DeathCar, guard: str, to: int) -> Procedure[str]:
        """Roll against a card that guards a target; return the card if it refuses the shot, else empty."""
        face = yield from ask(self.guard_die, car, card, other, guard, to)
        article = CARDS[guard].article
        if face <= to:
            self.rule("overcome", article, car, other=other.number, card=card.key, by=guard, face=face, to=to)
            return ""
        self.rule("refused", article, car, other=other.number, card=card.key, by=guard, face=face, to=to)
        return guard

    def bravado_to(self) -> int:
        """Return the highest face that overcomes bravado [defence.bravado]."""
        return self.figures.bravado_to

    def jammer_to(self) -> int:
        """Return the highest face that overcomes a jammer [utility.jammer]."""
        return self.figures.jammer_to

    def bravado(self, car: DeathCar, card: WeaponCard, other: DeathCar) -> Procedure[str]:
        """Roll to overcome Bravado, on 1 to 15; return it if it refuses the shot.

        A driver who fails fires at another car or with another weapon [defence.bravado, ruling 29].
        """
        if other.defence != "bravado":
            return ""
        return (yield from self.overcome(car, card, other, "bravado", self.bravado_to()))

    def jammed(self, car: DeathCar, card: WeaponCard, other: DeathCar) -> Procedure[str]:
        """Roll against a jammer, which turns missiles away on 11 and more [utility.jammer, ruling 29].

        It does so once in an attack phase; then the same weapon looks for another target.
        """
        if card.family != "missile" or not other.ready("jammer"):
            return ""
        refused = yield from self.overcome(car, card, other, "jammer", self.jammer_to())
        if refused:
            self.book.bodywork.spend(other, "jammer")
        return refused

    # -- the shot

    def hit_die(self, car: DeathCar, card: WeaponCard, other: DeathCar | None, space: str) -> TestDie | None:
        """Return the die of a shot, or None if it can no longer hit [attack.hit]."""
        if not self.can_hit(car, card, other, space):
            return None
        to = self.book.weapons.accuracy(card, other)
        facts: dict[str, Json] = {"hits_to": to, "card": card.key}
        facts |= {"target": other.number} if other is not None else {"space": space}
        return TestDie(car.number, "attack.hit", "attack", divided(to), facts)

    def roll_to_hit(self, car: DeathCar, card: WeaponCard, other: DeathCar | None, space: str) -> Procedure[bool]:
        """Roll to hit: the accuracy or less does; a targeting computer may roll a miss again, once a lap.

        [attack.hit, utility.targeting-computer, rulings 26, 37]
        """
        again = False
        while True:
            to = self.book.weapons.accuracy(card, other)
            try:
                face = yield from ask(self.hit_die, car, card, other, space)
            except QuestionWithdrawn:
                if again:
                    return False  # it was fired, and has missed
                raise
            facts: dict[str, Json] = {"other": other.number} if other is not None else {"at": space}
            if other is not None:
                side = SIDE[self.book.reach.ahead_of(car, other)]
                facts |= {"range": self.book.reach.range_to(car, other), "side": side}
            self.rule("shot", "attack.hit", car, card=card.key, face=face, to=to, hits=face <= to, **facts)
            if face <= to:
                return True
            key = "targeting-computer"
            if not (yield from self.book.bodywork.uses(car, key, partial(car.ready, key), shot=card.key)):
                return False
            self.book.bodywork.spend(car, key)
            again = True


class Weapons(DeathChapter):
    """The accuracy of weapons and the effects of their hits: the special text of each weapon, defence by defence."""

    book: AttackBook

    # -- hitting

    def accuracy(self, card: WeaponCard, other: DeathCar | None) -> int:
        """Return the highest face that hits; chaff halves missiles and lasers, rounded down.

        [attack.hit, defence.chaff-release, weapon.laser-guided-missiles, weapon.frag-missiles]
        """
        if other is not None and other.defence == "chaff-release" and card.family in ("missile", "laser"):
            return card.accuracy // 2
        return card.accuracy if other is not None else max(0, card.accuracy - self.figures.bare_space)

    def shield(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> int:
        """Return the points that armour takes off a hit: its front figure against fire from ahead, else its rear one.

        It takes nothing off anti-tank missiles [defence.armour, defence.light-armour, defence.heavy-armour,
        defence.heavy-armour-front, defence.heavy-armour-rear, defence.mine-sweepers, weapon.anti-tank-missiles, ruling
        27].
        """
        if card.key == "anti-tank-missiles" or other is car:
            return 0
        return other.armour.rear if self.book.reach.ahead_of(car, other) else other.armour.front

    def strike(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> Procedure[None]:
        """Take the weapon's points less the armour, then do what its card says besides.

        [defence.armour, attack.hit, weapon.acid-jets, weapon.anti-tank-missiles, weapon.flamer, weapon.forward-laser,
        weapon.forward-mg, weapon.grenade-launcher, weapon.laser-guided-missiles, weapon.long-range-missiles,
        weapon.megaton-missiles, weapon.missile-turret, weapon.rear-laser, weapon.rear-mg, weapon.turret-laser,
        weapon.turret-mg, weapon.blobber, weapon.chain-blades, weapon.haywire-charge, weapon.haywire-missiles,
        weapon.mag-gun, weapon.wrecker-ball]
        """
        near = self.splashed(card, car, other.at)
        points = self.wound(card, car, other)
        effect = self.effects.get(card.key)
        if effect is not None and other.alive and (points or not card.damage):
            yield from effect(card, car, other)
        self.splash(card, car, near)

    def wound(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> int:
        """Take from a car what armour lets through, and say how much that is [defence.armour]."""
        shield = self.shield(card, car, other)
        points = max(0, card.damage - shield)
        if points:
            self.book.wear.hurt(other, points, card.article, why="shot", other=car.number, card=card.key, armour=shield)
        elif card.damage:
            self.rule("shielded", "defence.armour", other, card=card.key, armour=shield)
        return points

    @property
    def effects(self) -> Mapping[str, Callable[[WeaponCard, DeathCar, DeathCar], Procedure[None]]]:
        """The effects of a hit besides its points, by weapon.

        [weapon.blobber, weapon.chain-blades, weapon.haywire-charge, weapon.haywire-missiles, weapon.mag-gun,
        weapon.wrecker-ball]
        """
        return {
            "blobber": self.blob,
            "chain-blades": self.strip,
            "haywire-charge": self.scramble,
            "haywire-missiles": self.scramble,
            "mag-gun": self.pull,
            "wrecker-ball": self.wreck,
        }

    # -- frag missiles

    def splashed(self, card: WeaponCard, car: DeathCar, at: str | None) -> list[DeathCar]:
        """Return the cars around the place that a frag missile hits, the attacker too.

        [weapon.frag-missiles, ruling 25]
        """
        if card.key != "frag-missiles":
            return []
        near = {self.track.spaces[x].name for x in self.book.reach.adjacent(self.track.ids[at or ""])}
        return [other for other in self.race.cars if self.book.reach.on_track(other) and other.at in near]

    def splash(self, card: WeaponCard, car: DeathCar, near: Sequence[DeathCar]) -> None:
        """They take its damage without a roll, each less its armour [weapon.frag-missiles, rulings 25, 27]."""
        for other in near:
            self.wound(card, car, other)

    # -- effects

    def blob(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> Procedure[None]:
        """Put three reload tokens more on the target's weapons, as evenly as they go.

        Where one is over, the attacker says which weapon gets it [weapon.blobber, ruling 30].
        """
        keys = list(other.weapons)
        if not keys:
            return
        each, over = divmod(self.figures.blob_tokens, len(keys))
        counts = {f"tokens:{key}": each for key in keys}
        for key in keys:
            other.weapons[key] += each
        if over:
            extra = yield from ask(self.extra_question, car, other)
            other.weapons[extra] += over
            counts[f"tokens:{extra}"] += over
        self.rule("blobbed", card.article, other, counts=counts, weapons=dict(other.weapons), other=car.number)

    def extra_question(self, car: DeathCar, other: DeathCar) -> Choice[str]:
        """Ask which weapon of the target gets the token that is over [weapon.blobber]."""
        choices = [(Option(key, facts={"tokens": tokens}), key) for key, tokens in other.weapons.items()]
        return Choice("extra", car.number, "weapon.blobber", choices)

    def strip(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> Procedure[None]:
        """Roll after damage: on 1 to 4 the target loses its utility or its defence.

        Its driver chooses which; a Powerful card stays [weapon.chain-blades, ruling 35].
        """
        if not self.loose(other):
            return
        try:
            to = self.figures.strip_to
            face = yield from ask(self.book.tests.black_die, other, card.article, "strip", lambda: to)
            if face > to:
                self.rule("stripped", card.article, other, face=face, to=to)
                return
            key = yield from ask(self.strip_question, other)
        except QuestionWithdrawn:
            return
        if other.utility == key:
            other.utility = ""
        else:
            other.defence = ""
        other.stripped.append(key)
        self.rule("stripped", card.article, other, face=face, to=to, card=key)

    def loose(self, car: DeathCar) -> list[str]:
        """Return the cards that chain blades can tear off a car [weapon.chain-blades]."""
        return [key for key in (car.utility, car.defence) if key and not CARDS[key].powerful]

    def strip_question(self, car: DeathCar) -> Choice[str] | None:
        """Ask which card the target gives up [weapon.chain-blades, ruling 35]."""
        if not car.alive or not self.loose(car):
            return None
        choices = [(Option(key), key) for key in self.loose(car)]
        return Choice("strip", car.number, "weapon.chain-blades", choices)

    def wreck(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> Procedure[None]:
        """Lower the target's maximum by one, and with it the points above that.

        [weapon.wrecker-ball, ruling 36]
        """
        other.built[POOL] = max(1, other.built[POOL] - 1)
        over = other.wear[POOL] - other.built[POOL]
        other.wear[POOL] -= max(0, over)
        self.rule("maximum", card.article, other, {POOL: -over} if over > 0 else {}, most=other.built[POOL])
        yield from ()

    def scramble(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> Procedure[None]:
        """Two gears down, or a spin [weapon.haywire-charge, weapon.haywire-missiles, rulings 30, 31]."""
        self.book.gears.lose_gears(other, card.article)
        yield from ()

    def pull(self, card: WeaponCard, car: DeathCar, other: DeathCar) -> Procedure[None]:
        """Pull the target into the attacker's lane and two spaces back, until something stands in its way.

        Whatever lies there is rolled for. Then it and every car around it roll for a collision, moved or not, new there
        or not [weapon.mag-gun, ruling 32].
        """
        begin = other.at
        for space in self.pulled_over(car, other):
            taken = any(one.at == self.track.spaces[space].name for one in self.others(other))
            if taken or space in self.track.blocked:
                break
            self.book.bodywork.moved_aside(other, self.track.spaces[space].name)
            if (yield from self.book.wreckage.entering(other)):
                break
        if not other.alive:
            return
        if other.at != begin:
            self.rule("pulled", card.article, other, begin=begin, at=other.at, other=car.number)
        for near in self.around(other):
            meets = partial(self.stands_beside, near, other)
            yield from self.book.collisions.body_test(other, False, near, meets=meets)
            if other.alive:
                yield from self.book.collisions.body_test(near, False, other, meets=meets)

    def stands_beside(self, near: DeathCar, car: DeathCar) -> bool:
        """Return True if a car still stands beside one that a mag gun has pulled [weapon.mag-gun]."""
        return near in self.around(car)

    def around(self, car: DeathCar) -> list[DeathCar]:
        """Return the cars on the spaces around a car."""
        names = {self.track.spaces[x].name for x in self.book.reach.adjacent(self.track.ids[car.at or ""])}
        return [other for other in self.others(car) if other.at in names]

    def pulled_over(self, car: DeathCar, other: DeathCar) -> list[int]:
        """Return the spaces over which a mag gun pulls a car [weapon.mag-gun, ruling 32].

        They lead sideways to the same distance in the attacker's lane, in whichever section, or half a space back where
        none is level; then straight back.
        """
        track = self.track
        here, lane = track.ids[other.at or ""], track.spaces[track.ids[car.at or ""]].lane
        way: list[int] = []
        if track.spaces[here].lane != lane:
            spaces = (x for section in track.sections for x in section.lanes[lane])
            gaps = {x: _half(track.place[x] - track.place[here], track.length) for x in spaces}
            at = min(gaps, key=lambda x: (abs(gaps[x]), gaps[x]))
            way.append(at)
        else:
            at = here
        for _ in range(self.figures.pull_spaces):
            at = track.behind[at]
            if at < 0:
                break
            way.append(at)
        return way


def _half(gap: int, length: int) -> int:
    """Return a gap along the lap, the shorter way round."""
    return (gap + length // 2) % length - length // 2


class Mines(DeathChapter):
    """Mines in the attack phase: where they are laid, and how far they roll."""

    book: AttackBook

    def drop(self, car: DeathCar, card: WeaponCard) -> Procedure[None]:
        """Lay a mine [weapon.slip-mines, weapon.remote-mines, ruling 48].

        A slip mine lies where the car stands, a remote one straight ahead of it, where a car sets it off at once.
        """
        at, other, counts = car.at or "", None, None
        if card.key == "slip-mines":
            car.stock[card.key] -= 1
            counts = {f"stock:{card.key}": -1}
        else:
            at = self.track.spaces[self.track.ahead[self.track.ids[at]]].name
            other = self.book.slipstream.car_ahead(car)
        mine = Mine(car.number, card.key, at, rolled=True)  # type: ignore[arg-type]
        self.race.mines.append(mine)
        self.rule("mine", card.article, car, counts=counts, action="dropped", at=at, owner=car.number, card=card.key)
        if other is not None:
            yield from self.book.wreckage.explode(other, mine, _leave_there)

    def mine_due(self) -> Mine | None:
        """Return the remote mine that rolls next, or None [weapon.remote-mines, ruling 48].

        Each rolls once in an attack phase, but not in the one in which it is laid: in the place of its owner, before
        and besides his action, and at once where he has no place in the phase.
        """
        later = self.race.attackers[1:]
        due = (mine for mine in self.race.mines if mine.card == "remote-mines" and not mine.rolled)
        return next((mine for mine in due if mine.owner not in later), None)

    def mine_die(self, mine: Mine) -> GearDie:
        """Return the die of a remote mine's roll: the violet one [weapon.remote-mines]."""
        die = GearDie(mine.owner, self.figures.remote_gear, "weapon.remote-mines")
        die.what = f"mine_{self.figures.remote_gear}"
        die.fields = {"card": mine.card, "owner": mine.owner, "at": mine.at}
        if not self.car(mine.owner).standing:
            die.car = None
        return die

    def roll_on(self, mine: Mine) -> Procedure[None]:
        """Roll a remote mine on in its lane until a car is in its way [weapon.remote-mines, ruling 48]."""
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
            with suppress(QuestionWithdrawn):
                yield from self.book.wreckage.explode(other, mine, _leave_there)


def _leave_there() -> None:
    """Leave the car where it is: it stands there already."""
