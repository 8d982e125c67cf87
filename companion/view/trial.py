"""A race for those who want to try the program before they enter one of their own."""

from __future__ import annotations

from typing import Final

from companion.sheets.entrants import Entrant
from companion.view.draft import Draft
from companion.view.standing_cars import Standing

CARS: Final = (
    ("Ada", "0:left:4", 3), ("Bruno", "0:middle:4", 3), ("Chloé", "0:right:3", 3),
    ("Dario", "0:middle:2", 2), ("Elsa", "0:left:1", 2), ("Farid", "0:right:1", 2),
)  # fmt: skip
"""Drivers with their spaces and gears: the first corner is a roll away, and the first question a gear."""


def trial() -> Draft:
    """A lap of Monaco by the reference rules, just begun."""
    entrants = tuple(Entrant(number=at + 1, name=name, colour=at) for at, (name, _, _) in enumerate(CARS))
    draft = Draft(track="monaco", laps=1, entrants=entrants)
    for entrant, (_, space, gear) in zip(entrants, CARS, strict=True):
        draft = draft.standing_at(entrant.number, Standing(at=space, gear=gear))
    return draft
