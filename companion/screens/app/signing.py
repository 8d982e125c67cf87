"""Who signs: the referee, asked once a race and offered in the next, and the organiser of a tournament or a season."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from companion.rules.conversation.errors import CompanionError
from companion.sheets.entrants import fitted

if TYPE_CHECKING:
    from companion.screens.app.settings import Kept

TABLE: Final = "table"
"""Who answers and signs as long as nobody has said his name."""


class Signing:
    """The referee of one race, or who organises: `name` is empty until somebody has signed."""

    def __init__(self, kept: Kept) -> None:
        self.name, self._kept = "", kept

    @property
    def usual(self) -> str:
        """Who signed last, in whatever race."""
        return self._kept.now.referee

    def sign(self, name: str) -> None:
        """Takes a name for the rest of the race; an empty one is none."""
        self.name = fitted(name)
        if self.name and self.name != self.usual:
            with contextlib.suppress(CompanionError):  # a full disk: the race has the name all the same
                self._kept.change(referee=self.name)
