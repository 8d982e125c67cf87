"""The disk that the races lie on, as the app last found it: looked at when the app opens, and when somebody asks."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.screens.widgets.theme import theme
from companion.sheets.storage import GRAVE, Fault, Storage, look

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

log = logging.getLogger(__name__)


class Disk:
    """What was found, None while it is being looked at. Looking takes a thread of its own: a card may take seconds."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.found: Storage | None = None

    def begin(self) -> None:
        """Looks for the first time, after the first picture."""
        Clock.schedule_once(lambda _: Clock.schedule_once(lambda _: self.look()))

    def look(self) -> None:
        """Looks again."""
        self.found = None
        threading.Thread(target=self._look, name="disk", daemon=True).start()

    def _look(self) -> None:
        found = look(self.app.folder)
        Clock.schedule_once(lambda _: self.take(found))

    def take(self, found: Storage) -> None:
        """Keep how the disk was found, here or by the page Status."""
        how = " ".join(found.mount[1:3]) if found.mount is not None else "an unknown file system"
        log.log(
            logging.WARNING if found.faults else logging.INFO,
            "the races lie on %s, %d MB are free: %s", how, found.free // 1_000_000, ", ".join(found.faults) or "well",
        )  # fmt: skip
        self.found = found
        if self.app.screen is not None and found.faults:
            self.app.screen.look_again()

    @property
    def grave(self) -> Fault | None:
        """What must be put right before a race, if anything."""
        faults = self.found.faults if self.found is not None else ()
        return next((fault for fault in faults if fault in GRAVE), None)


def said(fault: Fault) -> str:
    """A fault in words."""
    return theme.words.screen("storage", fault=fault)
