"""What is sent to everybody who follows the same: made once, and told to each as fast as it takes it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Self


class Channel:
    """A message that is made anew at most once a change of the race. `version` counts what was new of it."""

    def __init__(self) -> None:
        self.version = 0
        self.listeners = 0
        self.made = -1
        """Up to which change of the race it was made."""
        self.making = asyncio.Lock()
        """Held while it is made: once for all who want it."""
        self._turn = asyncio.Event()

    @contextlib.contextmanager
    def listened(self) -> Iterator[Self]:
        """Count one more that follows while this is open."""
        self.listeners += 1
        try:
            yield self
        finally:
            self.listeners -= 1

    def wake(self) -> None:
        """Have everybody look again."""
        self._turn.set()
        self._turn = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        """Wait until something is new, at most so long."""
        try:
            await asyncio.wait_for(self._turn.wait(), seconds)
        except TimeoutError:
            return
