"""What every chapter of every rulebook is; what it sees says the chapter of its family."""

from __future__ import annotations

from typing import Any


class Chapter:
    """A chapter of a rulebook: rules of one idea, as an object of its own beside the other chapters. It holds no state,
    for the race is the state."""

    def __init__(self, book: Any) -> None:
        """A chapter of that book, which it sees."""
