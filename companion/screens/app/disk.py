"""The disk that the races lie on, as the app last found it: looked at when the app opens, and when somebody asks."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from kivy.clock import Clock

from companion.screens.widgets.theme import theme
from companion.sheets.storage import GRAVE, Fault, Storage, look
from companion.view.shown import Tone

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
        how = " ".join(found.mount[1:3]) if found.mount is not None else "an unknown file system"
        log.log(
            logging.WARNING if found.faults else logging.INFO,
            "the races lie on %s, %d MB are free: %s", how, found.free // 1_000_000, ", ".join(found.faults) or "well",
        )  # fmt: skip
        Clock.schedule_once(lambda _: self._looked(found))

    def _looked(self, found: Storage) -> None:
        self.found = found
        screen = self.app.screen
        if screen is not None and (found.faults or self.app.visits[-1].name == "status"):
            screen.look_again()

    @property
    def grave(self) -> Fault | None:
        """What must be put right before a race, if anything."""
        faults = self.found.faults if self.found is not None else ()
        return next((fault for fault in faults if fault in GRAVE), None)

    def line(self) -> tuple[str, Tone]:
        """The disk in one line, and whether it is well."""
        if self.found is None:
            return theme.words.screen("status.checking"), "plain"
        mount, faults = self.found.mount, [fault for fault in self.found.faults if fault != "damaged"]
        how = [mount.kind] if mount is not None else []
        if faults:
            return " · ".join([*how, *map(said, faults)]), "bad" if faults[0] in GRAVE else "warn"
        return " · ".join([*how, mount.source, mount.point] if mount is not None else ["–"]), "ok"


def said(fault: Fault) -> str:
    """A fault in words."""
    return theme.words.screen("storage", fault=fault)
