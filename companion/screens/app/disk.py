"""The health of the races' disk, checked when the app opens and on demand."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from kivy.clock import Clock

from companion.screens.kit.theme import theme
from companion.sheets.storage import GRAVE, Fault, Storage, look

log = logging.getLogger(__name__)


class Disk:
    """The last check of the disk that holds `folder`; None during a check.

    A check runs in a thread of its own: a card may take seconds. `on_fault` is called when it has found any.
    """

    def __init__(self, folder: Path, on_fault: Callable[[], object]) -> None:
        self.folder, self.on_fault = folder, on_fault
        self.found: Storage | None = None

    def begin(self) -> None:
        """Run the first check, after the first frame."""
        Clock.schedule_once(lambda _: Clock.schedule_once(lambda _: self.look()))

    def look(self) -> None:
        """Run a check."""
        self.found = None
        threading.Thread(target=self._look, name="disk", daemon=True).start()

    def _look(self) -> None:
        found = look(self.folder)
        Clock.schedule_once(lambda _: self.take(found))

    def take(self, found: Storage) -> None:
        """Store a result, from a check here or by the page Status."""
        how = " ".join(found.mount[1:3]) if found.mount is not None else "an unknown file system"
        log.log(
            logging.WARNING if found.faults else logging.INFO,
            "the races lie on %s, %d MB are free: %s", how, found.free // 1_000_000, ", ".join(found.faults) or "well",
        )  # fmt: skip
        self.found = found
        if found.faults:
            self.on_fault()

    @property
    def grave(self) -> Fault | None:
        """The fault that must be fixed before a race, or None."""
        faults = self.found.faults if self.found is not None else ()
        return next((fault for fault in faults if fault in GRAVE), None)


def fault_text(fault: Fault) -> str:
    """Return a fault in words."""
    return theme.words.screen("storage", fault=fault)
