"""A roll of the die-roller that came before its question."""

from __future__ import annotations

import time
from typing import Final

from companion.rules.conversation.asking import Asked
from companion.rules.conversation.faces import die_of

WAITS: Final = 10.0
"""How many seconds a roll is kept that came before its question."""


class EarlyRoll:
    """Keeps the last one: the face, of this die if it is known which."""

    def __init__(self) -> None:
        self._rolled: tuple[int, str, float] | None = None

    def keep(self, face: int, die: str) -> None:
        """A roll for which nothing is asked yet."""
        self._rolled = face, die, time.monotonic()

    def taken(self, asked: Asked | None) -> int | None:
        """The face, once, if its question is asked now and it is not too old."""
        if self._rolled is None or asked is None:
            return None
        face, die, at = self._rolled
        late = time.monotonic() - at >= WAITS
        if late or die not in ("", die_of(asked.ask, asked.what)) or face not in (asked.faces or ()):
            return None
        self._rolled = None
        return face
