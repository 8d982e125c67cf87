"""The signature: a race's referee, or the organiser of a tournament or season.

The referee is asked for once per race and offered in the next.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from companion.rules.conversation.errors import CompanionError
from companion.sheets.entrants import fitted

if TYPE_CHECKING:
    from companion.screens.app.settings import SettingsFile

TABLE: Final = "table"
"""Signature of answers while nobody has given a name."""


class Signing:
    """The referee of one race, or the organiser; `name` is empty until somebody signs."""

    def __init__(self, kept: SettingsFile) -> None:
        self.name, self._kept = "", kept

    @property
    def usual(self) -> str:
        """The last signature, of any race."""
        return self._kept.now.referee

    def sign(self, name: str) -> None:
        """Set the name for the rest of the race; an empty one clears it."""
        self.name = fitted(name)
        if self.name and self.name != self.usual:
            with contextlib.suppress(CompanionError):  # a full disk: the race has the name all the same
                self._kept.change(referee=self.name)
