"""What a car may do in the attack phase, as a question: its weapons, its targets, and why anything else is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.rules.conversation.asking import Json, JsonValue, Option, Question
from companion.rules.conversation.errors import BadAnswer
from companion.rules.death.cards import CARDS, Card
from companion.rules.death.figures import DeathFigures
from companion.rules.death.reach import SIDE
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.chapter import DiceChapter

if TYPE_CHECKING:
    from companion.rules.death.death import Death


PASS: Final = "pass"


class Action(NamedTuple):
    """What a car does in the attack phase: it fires (at a car, at a bare space, or at whatever its weapon reaches),
    drops a mine, takes a token off a weapon, or passes."""

    kind: str
    weapon: str = ""
    target: int = 0
    space: str = ""


class Barred(NamedTuple):
    """What an action may not choose any more: pairs of weapon and target that were refused (a car, a bare space, or ""
    for all that the weapon reaches), and, after a jammed shot, everything but that weapon."""

    pairs: frozenset[tuple[str, int | str]] = frozenset()
    only: str = ""


class Aim(Question[Action]):
    """The question of an action; what it shows is worked out when somebody looks."""

    ask = "attack"

    def __init__(self, rules: Aiming, car: DeathCar, barred: Barred) -> None:
        super().__init__(car.number, "phase.one-action")
        self.rules, self.attacker, self.barred = rules, car, barred

    @property
    def fields(self) -> Mapping[str, Json]:  # type: ignore[override]
        return self.rules.attack_facts(self.attacker, self.barred)

    def options(self) -> list[Option]:
        return self.rules.attack_options(self.attacker, self.barred)

    def read(self, answer: JsonValue) -> Action:
        return self.rules.read_attack(self.attacker, answer, self.barred)


class Aiming(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """The question of the attack phase."""

    book: Death

    def attack_question(self, car: DeathCar, barred: Barred) -> Aim | None:
        """One action: a shot, a mine, a token, or nothing. It shows who attacks in what order, every weapon with its
        tokens and every car with its range [phase.one-action, attack.front, attack.range]."""
        if not car.alive or self.race.attackers[:1] != [car.number]:
            return None
        return Aim(self, car, barred)

    def attack_facts(self, car: DeathCar, barred: Barred) -> dict[str, Json]:
        """What the question shows besides its answers; after a jammed shot also the weapon that alone may be fired
        [phase.one-action, attack.range, utility.jammer]."""
        facts: dict[str, Json] = {
            "attackers": list(self.race.attackers),
            "weapons": [self.weapon_facts(car, key) for key in car.weapons],
            "targets": [self.target_facts(car, other) for other in self.targets_around(car)],
        }
        return facts | ({"only": barred.only} if barred.only else {})

    def weapon_facts(self, car: DeathCar, key: str) -> dict[str, Json]:
        """A weapon as the table sees it."""
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
        """A target as the table sees it: how far, on which side, and what protects it."""
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

    def attack_options(self, car: DeathCar, barred: Barred) -> list[Option]:
        """Every action that is allowed: shots first, then tokens, then none; in the pits no shot, after a jammed one
        nothing else [phase.one-action, attack.sight, utility.jammer]."""
        options: list[Option] = []
        if self.book.reach.on_track(car):
            for key, tokens in car.weapons.items():
                if not tokens and (not barred.only or barred.only == key):
                    options += self.shots(car, CARDS[key], barred)
        if not barred.only:
            options += [Option({"reload": key}, facts={"tokens": n}) for key, n in car.weapons.items() if n]
            options.append(Option(None))
        return options

    def shots(self, car: DeathCar, card: Card, barred: Barred) -> list[Option]:
        """The shots of one weapon, the nearest target first; what is laid, while it can be
        [attack.front, attack.range, weapon.slip-mines, weapon.remote-mines, weapon.limpet-mines,
        weapon.forward-turbolaser, weapon.haywire-charge, weapon.frag-missiles]."""
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

    def shot_facts(self, card: Card, car: DeathCar, other: DeathCar) -> dict[str, Json]:
        """What a shot at a car comes to: range, the face that hits, the side, the points that get through, the tokens,
        and what must be overcome first."""
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
            facts["bravado"] = self.figures.bravado_to
        if card.family == "missile" and other.ready("jammer"):
            facts["jammer"] = self.figures.jammer_to
        return facts

    def can_drop(self, car: DeathCar, card: Card) -> bool:
        """Slip mines while there are any; a remote mine onto the space straight ahead, one on the board at a time
        [weapon.slip-mines, weapon.remote-mines]."""
        if card.key == "slip-mines":
            return car.stock[card.key] > 0
        ahead = self.track.ahead[self.track.ids[car.at or ""]]
        own = any(mine.owner == car.number and mine.card == card.key for mine in self.race.mines)
        return ahead >= 0 and not own

    # -- what is answered

    def read_attack(self, car: DeathCar, answer: JsonValue, barred: Barred) -> Action:
        """The action that an answer names; raises BadAnswer that says why it is none
        [phase.one-action, attack.front, attack.rear, attack.range, attack.sight, utility.jammer]."""
        if answer is None and not barred.only:
            return Action(PASS)
        if not isinstance(answer, dict) or set(answer) not in ({"reload"}, {"fire"}, {"fire", "at"}, {"fire", "space"}):
            raise BadAnswer(
                'An attack is written {"fire": weapon, "at": car}, {"fire": weapon}, {"reload": weapon} or null.'
            )
        key = answer.get("fire", answer.get("reload"))
        if not isinstance(key, str) or key not in car.weapons:
            raise BadAnswer(f"Car {car.number} has no such weapon; it has {', '.join(car.weapons) or 'none'}.")
        if barred.only and ("reload" in answer or key != barred.only):
            raise BadAnswer(f"The jammed {barred.only} has to be fired at another car.")
        tokens = car.weapons[key]
        if "reload" in answer:
            if not tokens:
                raise BadAnswer(f"There is no reload token on the {key} of car {car.number}; it is ready to fire.")
            return Action("reload", key)
        if tokens:
            raise BadAnswer(
                f"The {key} of car {car.number} is reloading; the tokens on it, {tokens}, must be taken off first."
            )
        if not self.book.reach.on_track(car):
            raise BadAnswer(f"Car {car.number} is in the pits and cannot fire; it can take a token off a weapon.")
        card = CARDS[key]
        if "at" in answer:
            return self.read_target(car, card, answer["at"], barred)
        if "space" in answer:
            return self.read_space(car, card, answer["space"], barred)
        return self.read_untargeted(car, card, barred)

    def read_target(self, car: DeathCar, card: Card, number: Json, barred: Barred) -> Action:
        """A shot at a car; raises BadAnswer if it faces the wrong way, is out of range or was refused before
        [attack.front, attack.rear, attack.range, attack.sight, defence.bravado, weapon.heat-seeking-missiles,
        weapon.forward-turbolaser]."""
        if card.aim != "car":
            raise BadAnswer(f'The {card.key} takes no target; it is fired as {{"fire": "{card.key}"}}.')
        cars = self.targets_around(car)
        other = next((one for one in cars if type(number) is int and one.number == number), None)
        if other is None:
            listed = ", ".join(str(one.number) for one in cars) or "none"
            raise BadAnswer(f"A target is another car on the track, one of {listed}.")
        wrong = self.book.reach.misfire(card, car, other)
        if wrong == "facing":
            side = "behind" if card.facing == "front" else "in front of"
            right = "in front" if card.facing == "front" else "behind"
            raise BadAnswer(
                f"Car {other.number} is {side} car {car.number}; the {card.key} fires at cars {right} only."
            )
        if wrong == "range":
            far = self.book.reach.range_to(car, other)
            raise BadAnswer(f"Car {other.number} is {far} spaces away; the {card.key} reaches {card.range}.")
        if wrong:
            raise BadAnswer(f"A corner of more than one stop lies before car {other.number}; it cannot be reached.")
        if (card.key, other.number) in barred.pairs:
            raise BadAnswer(f"That shot at car {other.number} was refused; choose another target or another weapon.")
        return Action("fire", card.key, other.number)

    def read_space(self, car: DeathCar, card: Card, name: Json, barred: Barred) -> Action:
        """A frag missile at a bare space; raises BadAnswer for any other
        [weapon.frag-missiles, utility.jammer, ruling 26]."""
        spaces = [self.track.spaces[space].name for space in self.book.reach.bare_spaces(card, car)]
        if barred.only or name not in spaces:
            raise BadAnswer(
                "Only frag missiles are fired at a space: an empty one in front and in range, with a car beside it."
            )
        if (card.key, str(name)) in barred.pairs:
            raise BadAnswer(f"That shot at {name} was refused; choose another target or another weapon.")
        return Action("fire", card.key, 0, str(name))

    def read_untargeted(self, car: DeathCar, card: Card, barred: Barred) -> Action:
        """A weapon without a target; raises BadAnswer if it needs one, there is nothing to do for it, or all that it
        reaches have refused it [weapon.limpet-mines, weapon.remote-mines, weapon.slip-mines, weapon.forward-turbolaser,
        weapon.rear-turbolaser, weapon.haywire-charge, attack.front, defence.bravado]."""
        if card.aim == "car":
            raise BadAnswer(f'The {card.key} needs a target, such as {{"fire": "{card.key}", "at": 3}}.')
        if card.aim == "move":
            raise BadAnswer("Limpet mines are not fired; one may be dropped at the end of each move.")
        if card.aim == "drop":
            if not self.can_drop(car, card):
                raise BadAnswer(
                    f"The {card.key} of car {car.number} cannot be laid: none is left, or one is out already."
                )
            return Action("drop", card.key)
        if not self.book.reach.targets(card, car):
            raise BadAnswer(f"There is no car that the {card.key} of car {car.number} reaches.")
        if (card.key, "") in barred.pairs:
            raise BadAnswer(f"The {card.key} was refused by every car that it reaches; choose another weapon.")
        return Action("fire", card.key)
