"""What just happened, where it cost nothing and asks for nothing: the log's sentence, with the cars by their codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.rules.conversation.asking import Ruling
from companion.view.shown import Toast, Tone
from companion.view.sight import Sight

TOLD: Final[Mapping[str, tuple[Tone, str]]] = {
    "out": ("bad", "cross"),
    "spin": ("bad", "triangle"),
    "finish": ("ok", "finish"),
    "weather": ("info", ""),
    "surface": ("info", ""),
    "stall": ("warn", "triangle"),
    "great_start": ("ok", "star"),
    "plays_again": ("ok", "play"),
    "lost_turn": ("warn", "triangle"),
    "quick_stop": ("info", "pit"),
    "box": ("info", "pit"),
    "flat_out": ("warn", "engine"),
    "repair": ("ok", "check"),
    "stop": ("ok", "check"),
    "off": ("warn", "triangle"),
    "fuel": ("warn", "pit"),
    "late": ("ok", "check"),
    "extreme": ("ok", "check"),
    "held_up": ("warn", "car"),
    "pitted": ("info", "pit"),
    "skip": ("plain", "pause"),
    "move": ("ok", "check"),
}
"""Rulings that are told in passing, the first of them where there are several, with tone and pictogram."""
SURFACES: Final[Mapping[str, str]] = {"dry": "sun", "wet": "rain"}


def toast(sight: Sight) -> Toast | None:
    """What the last entries brought, in one line; None if it is not worth one: whoever chose a space has seen it."""
    ruling = _chief(sight)
    if ruling is None or (ruling.kind == "move" and not sight.alone):
        return None
    tone, icon = TOLD[ruling.kind]
    facts = ruling.facts
    icon = icon or str(facts.get("sky") or SURFACES.get(str(facts.get("surface")), ""))
    said = sight.ruled(ruling, sight.codes)
    return Toast(text=said, tone=tone, icon=icon, action="log", action_label=sight.say("race.log"))


def _chief(sight: Sight) -> Ruling | None:
    for kind in TOLD:
        for ruling in sight.told:
            if ruling.kind == kind:
                return ruling
    return None
