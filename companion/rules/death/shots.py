"""A shot: whether it may be fired at all, whether it hits, and the tokens that it lays on its weapon."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json, Moot, Option, Proc, ask
from companion.rules.conversation.faces import divided
from companion.rules.conversation.forms import Choice
from companion.rules.death.aiming import Action
from companion.rules.death.cards import CARDS, Card
from companion.rules.death.figures import DeathFigures
from companion.rules.death.reach import SIDE
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.chapter import DiceChapter
from companion.rules.dice.questions import TestDie

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class Shots(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """From the target to the hit."""

    book: Death

    def lay(self, car: DeathCar, card: Card, *, hit: bool) -> None:
        """A shot lays the weapon's tokens on it, hit or miss [attack.hit, ruling 24]."""
        if card.reload and (hit or not self.figures.tokens_on_hits_only):
            car.weapons[card.key] += card.reload
            counts, tokens = {f"tokens:{card.key}": card.reload}, car.weapons[card.key]
            self.rule("lays", "attack.hit", car, counts=counts, card=card.key, tokens=tokens)

    def fire(self, car: DeathCar, card: Card, action: Action) -> Proc[str]:
        """A shot at a car, at a bare space or at all that the weapon reaches; what refused it, empty if it was fired or
        bravado has spent it. A car refused by its guard is no target: with none left nothing was fired, and no token
        is laid [attack.hit, weapon.frag-missiles, weapon.forward-turbolaser, weapon.rear-turbolaser,
        weapon.haywire-charge, ruling 25]."""
        if action.space:
            if not (yield from self.seen(car, card, None, action.space)):
                return "sight"
            hit = yield from self.roll_to_hit(car, card, None, action.space)
            self.lay(car, card, hit=hit)
            if hit:
                self.book.weapons.splash(card, car, self.book.weapons.splashed(card, car, action.space))
            return ""
        if action.target:
            other = self.car(action.target)
            refused = yield from self.refused(car, card, other)
            if refused:
                return self.spent(car, card, refused)
            hit = yield from self.roll_to_hit(car, card, other, "")
            self.lay(car, card, hit=hit)
            if hit:
                yield from self.book.weapons.strike(card, car, other)
            return ""
        shots: list[tuple[DeathCar, bool]] = []
        refused = ""
        for other in self.book.reach.targets(card, car):
            with suppress(Moot):  # by the referee's word that target is none any more
                if by := (yield from self.refused(car, card, other)):
                    refused = by
                else:
                    shots.append((other, (yield from self.roll_to_hit(car, card, other, ""))))
        if not shots:
            return self.spent(car, card, refused)
        struck = [other for other, hit in shots if hit]
        self.lay(car, card, hit=bool(struck))
        for other in struck:
            if other.alive:
                yield from self.book.weapons.strike(card, car, other)
        return ""

    def spent(self, car: DeathCar, card: Card, refused: str) -> str:
        """What is left of a shot that was refused: by a switch one that bravado refuses is fired all the same, and has
        missed [defence.bravado, ruling 29]."""
        if refused != "bravado" or not self.figures.bravado_spends_shot:
            return refused
        self.lay(car, card, hit=False)
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
        ids, reach = self.track.ids, self.book.reach
        if other is None:
            aim |= {"space": space, "range": reach.range_from(ids[car.at or ""], ids[space]), "side": SIDE[True]}
        else:
            side = SIDE[reach.ahead_of(car, other)]
            aim |= {"target": other.number, "range": reach.range_to(car, other), "side": side}
        between: list[Json] = [] if other is None else [*reach.between(card, car, other)]
        question.fields = aim | {"facing": card.facing, "reach": card.range, "between": between}
        return question

    def seen(self, car: DeathCar, card: Card, other: DeathCar | None, space: str = "") -> Proc[bool]:
        """Whether the attacker has line of sight to a car, or to a bare space [attack.sight]."""
        if not self.book.reach.needs_sight(card, car, other.at if other is not None else space):
            return True
        seen = yield from ask(self.sight_question, car, card, other, space)
        if not seen:
            at: dict[str, Json] = {"other": other.number} if other is not None else {"at": space}
            self.rule("refused", "attack.sight", car, card=card.key, by="sight", **at)
        return seen

    def guard_die(self, car: DeathCar, other: DeathCar, guard: str, to: int) -> TestDie | None:
        """The die that lets a shot be fired at all."""
        if not car.alive or not other.alive:
            return None
        facts = {"succeeds_to": to, "target": other.number}
        return TestDie(car.number, CARDS[guard].article, guard, divided(to), facts)

    def overcome(self, car: DeathCar, card: Card, other: DeathCar, guard: str, to: int) -> Proc[str]:
        """The roll against a card that guards a target; the card if the shot is refused, empty if it may be fired."""
        face = yield from ask(self.guard_die, car, other, guard, to)
        article = CARDS[guard].article
        if face <= to:
            self.rule("overcome", article, car, other=other.number, card=card.key, by=guard, face=face, to=to)
            return ""
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
            self.book.bodywork.spend(other, "jammer")
        return refused

    # -- the shot

    def hit_die(self, car: DeathCar, card: Card, other: DeathCar | None, space: str) -> TestDie | None:
        """The die of a shot [attack.hit]."""
        if not car.alive or (other is not None and not other.alive):
            return None
        to = self.book.weapons.accuracy(card, other)
        facts: dict[str, Json] = {"hits_to": to, "card": card.key}
        facts |= {"target": other.number} if other is not None else {"space": space}
        return TestDie(car.number, "attack.hit", "attack", divided(to), facts)

    def roll_to_hit(self, car: DeathCar, card: Card, other: DeathCar | None, space: str) -> Proc[bool]:
        """The accuracy or less hits; a targeting computer may roll a miss again, once a lap
        [attack.hit, utility.targeting-computer, rulings 26, 37]."""
        while True:
            to = self.book.weapons.accuracy(card, other)
            face = yield from ask(self.hit_die, car, card, other, space)
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
