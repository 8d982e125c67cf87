"""How well a weapon hits and what its hit does: the special text of each weapon, defence by defence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Moot, Option, Proc, ask
from companion.rules.conversation.forms import Choice
from companion.rules.death.cards import CARDS, Card
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import POOL, DeathCar, DeathRace
from companion.rules.dice.chapter import DiceChapter

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class Weapons(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """Accuracy and armour; then the effects."""

    book: Death

    # -- hitting

    def accuracy(self, card: Card, other: DeathCar | None) -> int:
        """The highest face that hits; chaff halves missiles and lasers, rounded down [attack.hit,
        defence.chaff-release, weapon.laser-guided-missiles, weapon.frag-missiles]."""
        if other is not None and other.defence == "chaff-release" and card.family in ("missile", "laser"):
            return card.accuracy // 2
        return card.accuracy if other is not None else max(0, card.accuracy - self.figures.bare_space)

    def shield(self, card: Card, car: DeathCar, other: DeathCar) -> int:
        """What armour takes off a hit: its front figure against fire from ahead, its rear one against fire from behind;
        nothing against anti-tank missiles [defence.armour, defence.light-armour, defence.heavy-armour,
        defence.heavy-armour-front, defence.heavy-armour-rear, defence.mine-sweepers, weapon.anti-tank-missiles,
        ruling 27]."""
        if card.key == "anti-tank-missiles" or other is car:
            return 0
        return other.armour.rear if self.book.reach.ahead_of(car, other) else other.armour.front

    def strike(self, card: Card, car: DeathCar, other: DeathCar) -> Proc[None]:
        """A hit takes the weapon's points less the armour, then does what its card says besides
        [defence.armour, attack.hit, weapon.acid-jets, weapon.anti-tank-missiles, weapon.flamer, weapon.forward-laser,
        weapon.forward-mg, weapon.grenade-launcher, weapon.laser-guided-missiles, weapon.long-range-missiles,
        weapon.megaton-missiles, weapon.missile-turret, weapon.rear-laser, weapon.rear-mg, weapon.turret-laser,
        weapon.turret-mg, weapon.blobber, weapon.chain-blades, weapon.haywire-charge, weapon.haywire-missiles,
        weapon.mag-gun, weapon.wrecker-ball]."""
        near = self.splashed(card, car, other.at)
        points = self.wound(card, car, other)
        effect = self.effects.get(card.key)
        if effect is not None and other.alive and (points or not card.damage):
            yield from effect(card, car, other)
        self.splash(card, car, near)

    def wound(self, card: Card, car: DeathCar, other: DeathCar) -> int:
        """Takes from a car what armour lets through, and says how much that is [defence.armour]."""
        shield = self.shield(card, car, other)
        points = max(0, card.damage - shield)
        if points:
            self.book.wear.hurt(other, points, card.article, why="shot", other=car.number, card=card.key, armour=shield)
        elif card.damage:
            self.rule("shielded", "defence.armour", other, card=card.key, armour=shield)
        return points

    @property
    def effects(self) -> Mapping[str, Callable[[Card, DeathCar, DeathCar], Proc[None]]]:
        """What a hit does besides its points, by weapon [weapon.blobber, weapon.chain-blades, weapon.haywire-charge,
        weapon.haywire-missiles, weapon.mag-gun, weapon.wrecker-ball]."""
        return {
            "blobber": self.blob,
            "chain-blades": self.strip,
            "haywire-charge": self.scramble,
            "haywire-missiles": self.scramble,
            "mag-gun": self.pull,
            "wrecker-ball": self.wreck,
        }

    # -- frag missiles

    def splashed(self, card: Card, car: DeathCar, at: str | None) -> list[DeathCar]:
        """The cars around the place that a frag missile hits, the attacker too [weapon.frag-missiles, ruling 25]."""
        if card.key != "frag-missiles":
            return []
        near = {self.track.spaces[x].name for x in self.book.reach.adjacent(self.track.ids[at or ""])}
        return [other for other in self.race.cars if self.book.reach.on_track(other) and other.at in near]

    def splash(self, card: Card, car: DeathCar, near: Sequence[DeathCar]) -> None:
        """They take its damage without a roll, each less its armour [weapon.frag-missiles, rulings 25, 27]."""
        for other in near:
            self.wound(card, car, other)

    # -- effects

    def blob(self, card: Card, car: DeathCar, other: DeathCar) -> Proc[None]:
        """Three reload tokens more on the target's weapons, as evenly as they go; where one is over, the attacker says
        which weapon gets it [weapon.blobber, ruling 30]."""
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
        """Which weapon of the target gets the token that is over [weapon.blobber]."""
        choices = [(Option(key, facts={"tokens": tokens}), key) for key, tokens in other.weapons.items()]
        return Choice("extra", car.number, "weapon.blobber", choices, wanted="The weapons of the target are")

    def strip(self, card: Card, car: DeathCar, other: DeathCar) -> Proc[None]:
        """After damage a die: on 1 to 4 the target loses its utility or its defence, as it chooses; a Powerful card
        stays [weapon.chain-blades, ruling 35]."""
        if not self.loose(other):
            return
        try:
            to = self.figures.strip_to
            face = yield from ask(self.book.tests.black_die, other, card.article, "strip", lambda: to)
            if face > to:
                self.rule("stripped", card.article, other, face=face, to=to)
                return
            key = yield from ask(self.strip_question, other)
        except Moot:
            return
        if other.utility == key:
            other.utility = ""
        else:
            other.defence = ""
        other.stripped.append(key)
        self.rule("stripped", card.article, other, face=face, to=to, card=key)

    def loose(self, car: DeathCar) -> list[str]:
        """The cards that chain blades can tear off a car [weapon.chain-blades]."""
        return [key for key in (car.utility, car.defence) if key and not CARDS[key].powerful]

    def strip_question(self, car: DeathCar) -> Choice[str] | None:
        """Which card the target gives up [weapon.chain-blades, ruling 35]."""
        if not car.alive or not self.loose(car):
            return None
        choices = [(Option(key), key) for key in self.loose(car)]
        return Choice("strip", car.number, "weapon.chain-blades", choices, wanted="It can lose")

    def wreck(self, card: Card, car: DeathCar, other: DeathCar) -> Proc[None]:
        """The target's maximum falls by one, and with it what it has above that [weapon.wrecker-ball, ruling 36]."""
        other.built[POOL] = max(1, other.built[POOL] - 1)
        over = other.wear[POOL] - other.built[POOL]
        other.wear[POOL] -= max(0, over)
        self.rule("maximum", card.article, other, {POOL: -over} if over > 0 else {}, most=other.built[POOL])
        return
        yield

    def scramble(self, card: Card, car: DeathCar, other: DeathCar) -> Proc[None]:
        """Two gears down, or a spin [weapon.haywire-charge, weapon.haywire-missiles, rulings 30, 31]."""
        self.book.gears.lose_gears(other, card.article)
        return
        yield

    def pull(self, card: Card, car: DeathCar, other: DeathCar) -> Proc[None]:
        """The target is drawn into the attacker's lane and two spaces back, until something stands in its way; what
        lies there is rolled for. Then it and every car around it roll for a collision, moved or not, new there or not
        [weapon.mag-gun, ruling 32]."""
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
        """Whether a car still stands beside one that a mag gun has drawn [weapon.mag-gun]."""
        return near in self.around(car)

    def around(self, car: DeathCar) -> list[DeathCar]:
        """The cars on the spaces around a car."""
        names = {self.track.spaces[x].name for x in self.book.reach.adjacent(self.track.ids[car.at or ""])}
        return [other for other in self.others(car) if other.at in names]

    def pulled_over(self, car: DeathCar, other: DeathCar) -> list[int]:
        """The spaces over which a mag gun pulls: sideways to the same distance in the attacker's lane, in whichever
        section, or half a space back where none is level; then straight back [weapon.mag-gun, ruling 32]."""
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
    """A gap along the lap, the shorter way round."""
    return (gap + length // 2) % length - length // 2
