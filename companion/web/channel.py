"""A message for many followers: made once, and sent to each as fast as it can take it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Self


class Channel:
    """A message rebuilt at most once per change of the race.

    `version` counts its changes.
    """

    def __init__(self) -> None:
        self.version = 0
        self.listeners = 0
        self.made = -1
        """Number of the change of the race that it was made at."""
        self.making = asyncio.Lock()
        """Lock held while it is made: once for all who want it."""
        self._turn = asyncio.Event()

    @contextlib.contextmanager
    def listened(self) -> Iterator[Self]:
        """Count a follower while this is open."""
        self.listeners += 1
        try:
            yield self
        finally:
            self.listeners -= 1

    def wake(self) -> None:
        """Wake every follower."""
        self._turn.set()
        self._turn = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        """Wait for a change, or until the time is up."""
        try:
            await asyncio.wait_for(self._turn.wait(), seconds)
        except TimeoutError:
            return
