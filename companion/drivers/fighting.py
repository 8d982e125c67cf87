"""A sensible driver's fight: which shot promises most, when a card is worth using."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple

from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.death.cards import CARDS
from companion.rules.dice.state import Car

ASKS: Final = frozenset({"attack", "sight", "use", "clutch", "card", "slot", "strip", "extra", "place"})
"""The questions that only a race with arms asks."""

BESIDES: Final = {
    "blobber": 0.8, "haywire-missiles": 1.5, "haywire-charge": 1.5, "mag-gun": 0.7, "chain-blades": 0.5,
    "wrecker-ball": 0.5,
}  # fmt: skip
"""What a hit is worth beside its damage, in points."""
TOKEN: Final = 0.3
"""What taking a reload token off is worth, in points of damage."""
OFTEN: Final = {"pneumatic-ramp": 0.3, "limpet-mines": 0.3, "mag-plates": 0.4, "nitros": 0.5}
"""How often a card is used that could be; the others always."""
RELOAD: Final = 0.5
"""What a shot is worth that can be fired only later, beside one now."""
MOST: Final = 5
"""The points of a target that are told apart: no shot takes more."""
FACES: Final = 20
SPARE: Final = 6
"""Points below which a driver pays for nothing that he need not have."""


class Rival(NamedTuple):
    """The worth of 1, 2, 3, ... points to a target, in turns, and how much it matters, from 0 to 1."""

    losses: tuple[float, ...]
    weight: float

    def loss(self, points: float) -> float:
        """Return how much it matters that the target loses this many points; fractions count in proportion."""
        whole = min(int(points), MOST)
        low = self.losses[whole - 1] if whole else 0.0
        return self.weight * (low + (points - whole) * (self.losses[min(whole, MOST - 1)] - low))


def aim(asked: Asked, rivals: Mapping[int, Rival], mines: Mapping[str, float]) -> Json:
    """Return the action that costs the rivals most, in turns, each by how much it matters.

    `mines` has the worth of each mine laid now.
    """

    def usual(points: float) -> float:
        return sum(rival.loss(points) for rival in rivals.values()) / max(len(rivals), 1)

    def worth(option: Option) -> float:
        answer = option.answer
        if answer is None:
            return 0.0
        card = CARDS[answer.get("fire") or answer["reload"]]
        if "reload" in answer:
            shot = card.accuracy / FACES * usual(card.damage + BESIDES.get(card.key, 0.0))
            return RELOAD * shot / float(option.facts["tokens"])
        if card.key in mines:
            return mines[card.key]
        hit = [answer["at"]] if "at" in answer else option.facts.get("cars", ())
        if not hit:
            return usual(1) * _worth(option)
        points = option.facts.get("damage", card.damage) + BESIDES.get(card.key, 0.0)
        return _hits(option) * sum(rivals[number].loss(points) for number in hit if number in rivals)

    return max(asked.options or [], key=worth).answer


def fight(asked: Asked, car: Car, chance: Random) -> Json:
    """Return the answer to a question about arms that promises most to that car."""
    options = asked.options or []
    fields = asked.fields or {}
    if asked.ask == "attack":
        return max(options, key=lambda option: _worth(option) * chance.uniform(0.7, 1.0)).answer
    if asked.ask == "sight":
        return bool(fields["range"] <= 4) or chance.random() < 0.6
    if asked.ask == "use":
        return _uses(asked.what, fields, chance)
    if asked.ask == "clutch":
        paying = [
            option for option in options if option.answer is not None and not {"spin", "out"} & option.facts.keys()
        ]
        rich = sum(car.wear.values()) > SPARE
        return chance.choice(paying).answer if paying and rich and chance.random() < 0.6 else None
    return chance.choice(options).answer


def _uses(card: str, fields: dict[str, Json], chance: Random) -> bool:
    """Return True if a card is used where it can be; refitting one, which costs points, half of the time."""
    if "refit" in fields:
        return chance.random() < 0.5
    return chance.random() < OFTEN.get(card, 1.0)


def _worth(option: Option) -> float:
    """Return the points of damage that an action promises."""
    answer, facts = option.answer, option.facts
    if answer is None:
        return 0.0
    if "reload" in answer:
        return TOKEN / float(facts["tokens"])
    card = CARDS[answer["fire"]]
    if "hits_to" not in facts:
        return 0.5  # a mine
    points: float = facts.get("damage", card.damage) + BESIDES.get(card.key, 0.0)
    if "space" in answer:
        points = 0.5
    return float(_hits(option) * points * len(facts.get("cars", (0,))))


def _hits(option: Option) -> float:
    """Return the chance that a shot hits, past all that may turn it away."""
    hits: float = min(option.facts["hits_to"], FACES) / FACES
    for guard in ("bravado", "jammer"):
        hits *= min(option.facts.get(guard, FACES), FACES) / FACES
    return hits
