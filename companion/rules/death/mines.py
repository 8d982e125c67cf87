"""Mines in the attack phase: a car drops one, and the remote ones roll on.

What a mine does to the car that meets it stands with whatever else lies on the road: wreckage.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Json, Moot, Proc, ask
from companion.rules.death.cards import Card
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace, Mine
from companion.rules.dice.chapter import DiceChapter
from companion.rules.dice.questions import GearDie

if TYPE_CHECKING:
    from companion.rules.death.death import Death


class Mines(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """Where mines are laid, and how far they roll."""

    book: Death

    def drop(self, car: DeathCar, card: Card) -> Proc[None]:
        """A slip mine lies where the car stands, a remote one straight ahead of it, where a car sets it off at once
        [weapon.slip-mines, weapon.remote-mines, ruling 48]."""
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
            yield from self.book.wreckage.explode(other, mine, _stays)

    def mine_due(self) -> Mine | None:
        """The remote mine that rolls next: each once in an attack phase, but not in the one in which it is laid; in the
        place of its owner, before and besides his action, and at once where he has no place in the phase
        [weapon.remote-mines, ruling 48]."""
        later = self.race.attackers[1:]
        due = (mine for mine in self.race.mines if mine.card == "remote-mines" and not mine.rolled)
        return next((mine for mine in due if mine.owner not in later), None)

    def mine_die(self, mine: Mine) -> GearDie:
        """How far a remote mine rolls: the violet die [weapon.remote-mines]."""
        die = GearDie(mine.owner, self.figures.remote_gear, "weapon.remote-mines")
        die.what = f"mine_{self.figures.remote_gear}"
        die.fields = {"card": mine.card, "owner": mine.owner, "at": mine.at}
        if not self.car(mine.owner).standing:
            die.car = None
        return die

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
                yield from self.book.wreckage.explode(other, mine, _stays)


def _stays() -> None:
    """The car stands there already."""
