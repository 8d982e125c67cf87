"""The cards of the death race: 27 weapons, 21 defences of eight kinds, 16 utilities.

Their figures lie in cards.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Final, Literal

import msgspec

from companion.rules.conversation.typed import converted

Kind = Literal["weapon", "defence", "utility"]
Facing = Literal["", "front", "rear", "both"]

SLOTS: Final[Mapping[str, int]] = {"weapon": 2, "defence": 1, "utility": 1}
"""Number of cards of each kind that a car has room for, in the order in which they are dealt [upgrades.slots]."""


class WeaponCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"family": "class"}):
    """One card. What each figure means stands at the head of cards.toml; 0 where a card has none."""

    key: str
    kind: Kind
    copies: int = 1
    powerful: bool = False
    accuracy: int = 0
    damage: int = 0
    range: int = 0
    reload: int = 0
    family: Literal["", "jet", "missile", "laser", "gun", "grenade", "mine"] = ""
    facing: Facing = ""
    aim: Literal["car", "lane", "around", "drop", "move"] = "car"
    tokens: int = 1
    stock: int = 0
    front: int = 0
    rear: int = 0
    collision: int = 0
    wreckage: int = 0
    ahead: int = 0
    behind: int = 0
    lap: bool = False
    phase: bool = False

    @property
    def article(self) -> str:
        """The article that says what the card does."""
        return f"{self.kind}.{self.key}"


def _read() -> dict[str, WeaponCard]:
    text = resources.files("companion.rules.death").joinpath("cards.toml").read_text("utf-8")
    cards = converted(tomllib.loads(text)["card"], list[WeaponCard])
    return {card.key: card for card in cards}


CARDS: Final[Mapping[str, WeaponCard]] = _read()
"""Every card by its key."""
NOTHING: Final = WeaponCard("", "defence")
"""The defence of a car without one."""


def of_kind(kind: str) -> list[WeaponCard]:
    """Return the cards of a kind, in the order of the file."""
    return [card for card in CARDS.values() if card.kind == kind]
