"""Background analyses of races and best laps of trials.

Each runs in a process of its own, so that no race waits, and its result is cached until the app ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.rules.conversation.typed import json_reader

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis
    from companion.drivers.background_job import BackgroundJob


class Analysing:
    """The analyses by race and number of entries.

    Leaving the screen that asked for one does not stop it; a race that has gone on since is analysed again.
    """

    def __init__(self) -> None:
        self._works: dict[tuple[object, ...], BackgroundJob] = {}
        self._found: dict[tuple[str, int], Analysis] = {}
        self.on_news: Callable[[], object] = lambda: None
        """Callback in the app's thread for progress and completion."""

    def share(self, race: str, entries: int) -> float:
        """Return the progress of an analysis, 0 to 1."""
        work = self._works.get((race, entries))
        return work.share if work is not None else 0.0

    def failed(self, race: str, entries: int) -> bool:
        """Return True if an analysis has ended without a result."""
        work = self._works.get((race, entries))
        return work is not None and work.over and (race, entries) not in self._found

    def result(self, race: str, entries: int) -> Analysis | None:
        """Return the result of an analysis, or None until it is done."""
        from companion.analysis.findings import Analysis

        key = race, entries
        work = self._works.get(key)
        if key not in self._found and work is not None and work.over and not work.failed:
            self._found[key] = json_reader(Analysis)(work.said)
        return self._found.get(key)

    def so_far(self, race: str, entries: int) -> Analysis | None:
        """Return the partial result of a running analysis, or None so far."""
        from companion.analysis.findings import Analysis

        work = self._works.get((race, entries))
        return json_reader(Analysis)(work.so_far) if work is not None and work.so_far and not work.over else None

    def begin(self, folder: Path, race: str, entries: int) -> None:
        """Start the analysis of a race with that many entries, once."""
        self.work((race, entries), ["races", "analyse", race, "--json", "--told", "--data", str(folder)])

    def work(self, key: tuple[object, ...], words: Sequence[str]) -> None:
        """Run a command in the background, once."""
        from companion.drivers.background_job import BackgroundJob

        if key not in self._works:
            self._works[key] = BackgroundJob(words, lambda: Clock.schedule_once(lambda _: self.on_news()))

    def end(self) -> None:
        """End the analyses still running."""
        for work in self._works.values():
            if not work.over:
                work.end()
