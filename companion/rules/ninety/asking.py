"""What the race of sections asks, and how it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.rules.conversation.kinds import SectionAsk

SECTION_ASKS: Final[Mapping[SectionAsk, tuple[str, str]]] = {
    "chart": ("the car chart that was dealt", '{"tyres": 12, "cards": 6, "damage": 4}'),
    "substitute": ("whether the substitute car is taken", "true or false"),
    "qualify": ("the card shown for qualifying", 'a card, such as "S3 45 TT"'),
    "strategy": ("the strategy", '"save_tyres", "hazard", "balance", "lucky", "banging", or "chase" if it is on'),
    "declare": (
        "what is declared at the start of a turn, or what the turn begins with: the cards, or whether an extreme "
        "trajectory is tried",
        '"stop", "skip", or a list of cards, true or false; "go" to draw first; off the track "back"',
    ),
    "keep": ("which of two drawn cards is kept", "one of the two"),
    "play": ("the cards played for movement", '["S3 45 TT"], or two as ["D1 20 C", "G3 71"]'),
    "pay": ("the cards laid down instead of tyres", "how many; with a deck of the program a list of them, [] for none"),
    "check": ("what is played against the check card", '"blind", a card, or of one of the table its factor'),
    "discard": ("a card discarded at a stop", "a card"),
    "contest": ("whether a driver takes part in a contest", "true or false"),
    "show": ("the cards shown in a contest", "a list of one card or two"),
    "drawn": (
        "a card turned over; `what` says for what: qualifying, level, symbol, leader, late, extreme, contest",
        "a card; where `by` says so its factor or its value alone is enough",
    ),
    "extreme": ("whether a driver on an extreme trajectory takes its check before he draws", "true or false"),
    "late": ("whether a driver brakes late", "true or false"),
    "line": ("the trajectory point on which a turn ends", "its number in the section, or null"),
}
"""Every kind of question, with what it asks and how it is answered."""
