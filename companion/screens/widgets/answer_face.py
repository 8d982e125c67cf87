"""How an answer to the question looks on its key: one that is not allowed, one that is chosen, a space, a card."""

from __future__ import annotations

from typing import Final

from companion.screens.widgets.key import Face
from companion.screens.widgets.theme import CLOCK, DIE, NAME, TONES, VALUE
from companion.view.shown import Key, Price

LETTERS: Final = 3
"""A landing with a longer label than a letter or a number has it in the middle."""


def label_size(layout: str, answer: Key, wide: float) -> float:
    """How large the label of an answer is on a key so wide, in dp."""
    if layout == "cards":
        return CLOCK
    if len(answer.label) <= 3 and (len(answer.label) == 1 or not answer.label.isalpha()):
        full = 32 if wide < 64 else DIE
        return min(full, 38) if answer.note else full
    return VALUE if wide >= 110 else NAME


def face_of(layout: str, answer: Key, size: float, chosen: bool) -> Face:
    """An answer on its key, with a label of that size."""
    if answer.why:
        refused = answer.prices or (Price(icon="cross", text="", tone="bad"),)
        if answer.plate is not None:  # it is another car's
            return Face(note=answer.label, plate=answer.plate, look="barred", aside=True)
        return Face(label=answer.label, note=answer.note, prices=refused, look="barred", size=size)
    landing = layout == "landing"
    return Face(
        label=answer.label,
        note=answer.note,
        note_tone=TONES[answer.note_tone] if answer.note_tone != "plain" else "",
        prices=answer.prices,
        look="option" if landing else "answer",
        size=size,
        chosen=chosen,
        aside=landing and (len(answer.label) <= LETTERS or answer.plate is not None),
        plate=answer.plate,
    )
