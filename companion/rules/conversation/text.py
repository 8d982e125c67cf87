"""Text that people give: the marks in it that turn letters round."""

from __future__ import annotations

import unicodedata
from typing import Final

TURNING: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks of Unicode that set the direction of what follows. Nobody sees them, and a name with one turns the rest of its
line round wherever it is shown; Arabic and Hebrew need none."""


def folded(text: str) -> str:
    """Return a text to compare by: without case and accents.

    >>> folded("Sainte-Dévote")
    'sainte-devote'
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def unturned(text: str) -> str:
    r"""Return a text without the marks that turn letters round.

    >>> unturned("Ada\u202e 7"), unturned("نادية")
    ('Ada 7', 'نادية')
    """
    return "".join(letter for letter in text if letter not in TURNING)
