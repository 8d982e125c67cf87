"""A sensible driver's fight: which shot promises most, when a card is worth using."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple

from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.death.cards import CARDS
from companion.rules.dice.state import Car

ASKS: Final = frozenset({"attack", "sight", "use", "clutch", "card", "slot", "strip", "extra", "place"})
"""Questions that only a race with arms asks."""

EXTRA_WORTH: Final = {
    "blobber": 0.8, "haywire-missiles": 1.5, "haywire-charge": 1.5, "mag-gun": 0.7, "chain-blades": 0.5,
    "wrecker-ball": 0.5,
}  # fmt: skip
"""Worth of a hit on top of its damage, in points, by weapon."""
TOKEN_WORTH: Final = 0.3
"""Worth of taking a reload token off, in points of damage."""
USE_PROBABILITY: Final = {"pneumatic-ramp": 0.3, "limpet-mines": 0.3, "mag-plates": 0.4, "nitros": 0.5}
"""Probability of using a card that can be used; 1 for all others."""
LATER_SHOT_SHARE: Final = 0.5
"""Worth of a shot that can only be fired later, as a share of one fired now."""
MOST: Final = 5
"""Maximum points of a target that are distinguished: no shot takes more."""
FACES: Final = 20
SPARE: Final = 6
"""Number of points below which a driver pays for nothing that he need not have."""


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
            shot = card.accuracy / FACES * usual(card.damage + EXTRA_WORTH.get(card.key, 0.0))
            return LATER_SHOT_SHARE * shot / float(option.facts["tokens"])
        if card.key in mines:
            return mines[card.key]
        hit = [answer["at"]] if "at" in answer else option.facts.get("cars", ())
        if not hit:
            return usual(1) * _worth(option)
        points = option.facts.get("damage", card.damage) + EXTRA_WORTH.get(card.key, 0.0)
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
    return chance.random() < USE_PROBABILITY.get(card, 1.0)


def _worth(option: Option) -> float:
    """Return the points of damage that an action promises."""
    answer, facts = option.answer, option.facts
    if answer is None:
        return 0.0
    if "reload" in answer:
        return TOKEN_WORTH / float(facts["tokens"])
    card = CARDS[answer["fire"]]
    if "hits_to" not in facts:
        return 0.5  # a mine
    points: float = facts.get("damage", card.damage) + EXTRA_WORTH.get(card.key, 0.0)
    if "space" in answer:
        points = 0.5
    return float(_hits(option) * points * len(facts.get("cars", (0,))))


def _hits(option: Option) -> float:
    """Return the chance that a shot hits, past all that may turn it away."""
    hits: float = min(option.facts["hits_to"], FACES) / FACES
    for guard in ("bravado", "jammer"):
        hits *= min(option.facts.get(guard, FACES), FACES) / FACES
    return hits
