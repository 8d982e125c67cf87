"""The question of a disk that takes nothing, in place of the race's own."""

from __future__ import annotations

from typing import Final

from companion.rules.conversation.asking import Json
from companion.view.shown import Key, Prompt
from companion.view.sight import Sight

FULL: Final = "disk_full"
"""Whether to stop or to go on in memory."""


def full_disk(sight: Sight, was: Prompt, why: str, selected: Json) -> Prompt:
    """Asks what becomes of the race if the disk is full, read-only or broken."""
    keys = (
        Key(answer="stop", label=sight.say("race.save_stop")),
        Key(answer="memory", label=sight.say("race.save_memory")),
    )
    return Prompt(
        key=f"{was.key} {FULL}", n=was.n, ask=FULL, title=sight.say("race.save", why=why), layout="keys", keys=keys,
        chosen=next((at for at, key in enumerate(keys) if key.answer == selected), -1), undo=was.undo, redo=was.redo,
    )  # fmt: skip
