"""The analyses of races, and the best laps of trials, that the app works out: each apart, so that no race waits, and
kept until the app ends."""

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
    """Leaving the screen that asked does not stop one; a race that went on since is worked out anew."""

    def __init__(self) -> None:
        self._works: dict[tuple[object, ...], BackgroundJob] = {}
        self._found: dict[tuple[str, int], Analysis] = {}
        self.on_news: Callable[[], object] = lambda: None
        """Called in the app's thread when one is further, or done."""

    def share(self, race: str, entries: int) -> float:
        """How much of one is done."""
        work = self._works.get((race, entries))
        return work.share if work is not None else 0.0

    def failed(self, race: str, entries: int) -> bool:
        """Whether nothing came of one."""
        work = self._works.get((race, entries))
        return work is not None and work.over and (race, entries) not in self._found

    def found(self, race: str, entries: int) -> Analysis | None:
        """What came of one, if it is done."""
        from companion.analysis.findings import Analysis

        key = race, entries
        work = self._works.get(key)
        if key not in self._found and work is not None and work.over and not work.failed:
            self._found[key] = json_reader(Analysis)(work.said)
        return self._found.get(key)

    def so_far(self, race: str, entries: int) -> Analysis | None:
        """What there is by now of one that is not done, if there is anything."""
        from companion.analysis.findings import Analysis

        work = self._works.get((race, entries))
        return json_reader(Analysis)(work.so_far) if work is not None and work.so_far and not work.over else None

    def begin(self, folder: Path, race: str, entries: int) -> None:
        """Has the analysis of a race worked out that has so many entries, once."""
        self.work((race, entries), ["analyse", race, "--json", "--told", "--data", str(folder)])

    def work(self, key: tuple[object, ...], words: Sequence[str]) -> None:
        """Has a command run apart, once."""
        from companion.drivers.background_job import BackgroundJob

        if key not in self._works:
            self._works[key] = BackgroundJob(words, lambda: Clock.schedule_once(lambda _: self.on_news()))

    def end(self) -> None:
        """Ends those that are not done."""
        for work in self._works.values():
            if not work.over:
                work.end()
