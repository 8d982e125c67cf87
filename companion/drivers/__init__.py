"""Drivers: whatever answers for an empty seat, in demos, tests and simulations.

A driver sees what the table sees, the open question and the state of the race, and gives an answer.
"""

from __future__ import annotations

from typing import Any, Protocol

from companion.rules.conversation.asking import Asked, Json


class Driver(Protocol):
    """Answers any question of a race, whichever its rulebook keeps; must leave the state as it is."""

    def answer(self, asked: Asked, race: Any) -> Json:
        """A legal answer to the open question."""
        ...
