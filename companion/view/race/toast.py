"""The toast for an event that cost nothing and asks for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.rules.conversation.asking import Ruling
from companion.rules.ninety.circuit import SectionTrack
from companion.view.consequences import TOLD
from companion.view.shown import Toast, Tone
from companion.view.sight import Sight

SURFACES: Final[Mapping[str, str]] = {"dry": "sun", "wet": "rain"}


GRAVER: Final[frozenset[Tone]] = frozenset({"bad", "info"})
"""Tones of rulings that take precedence over a reminder."""
REMINDED: Final[tuple[Tone, str]] = ("warn", "flag")


def toast(sight: Sight) -> Toast | None:
    """Return the last entries' ruling in one line; None if it is not worth a toast."""
    ruling = _chief(sight)
    reminded = next((one for one in sight.told if one.kind == "reminder" and one.car is not None), None)
    if reminded is not None and (ruling is None or TOLD[ruling.kind][0] not in GRAVER):
        ruling = reminded
    if ruling is None:
        return None
    tone, icon = TOLD.get(ruling.kind, REMINDED)
    facts = ruling.facts
    if facts.get("passed") is False or facts.get("hits") is False:
        tone, icon = ("warn", "cross") if "passed" in facts else ("plain", "target")
    icon = icon or str(facts.get("sky") or SURFACES.get(str(facts.get("surface")), ""))
    said = sight.ruled(ruling, sight.codes)
    return Toast(text=said, tone=tone, icon=icon, action="log", action_label=sight.say("race.log"))


def _chief(sight: Sight) -> Ruling | None:
    """Return the first ruling in the order of TOLD.

    A move is left out if a person chose its space, except in the race of cards.
    """
    seen = not sight.alone and not isinstance(sight.track, SectionTrack)
    found = [ruling for ruling in sight.told if ruling.kind in TOLD and not (seen and ruling.kind == "move")]
    return min(found, key=lambda ruling: list(TOLD).index(ruling.kind), default=None)
