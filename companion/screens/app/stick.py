"""The backup stick of an appliance: a new one is offered to the table, once."""

from __future__ import annotations

import contextlib
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock

from companion.rules.conversation.errors import CompanionError
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.theme import theme
from companion.sheets.place import COPIES, STICK, database_exists
from companion.sheets.sticks import make_ours, ours
from companion.view.shown import Toast

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

EVERY: Final = 5.0
"""Seconds between two polls."""


class Stick:
    """Watcher for sticks, in a thread of its own: a bad one may be slow to answer."""

    def __init__(self, app: CompanionApp, place: Path = STICK) -> None:
        self.app, self.place = app, place
        self._asked = False
        """True if the question about the present stick was asked; only plugging it in again asks another time."""
        self._question: Any = None
        """Question about the stick, while it covers the screen."""
        self._looking: threading.Thread | None = None
        self._clock: Any = None

    def begin(self) -> None:
        """Start watching."""
        self._clock = Clock.schedule_interval(self.look, EVERY)

    def end(self) -> None:
        """Stop watching."""
        if self._clock is not None:
            self._clock.cancel()

    def look(self, _: float = 0) -> None:
        """Check once, unless the last check is still running."""
        if self._looking is None or not self._looking.is_alive():
            self._looking = threading.Thread(target=self._look, name="stick", daemon=True)
            self._looking.start()

    def _look(self) -> None:
        there, known = False, False
        with contextlib.suppress(OSError):
            there = self.place.is_mount()
            known = there and ours(self.app.folder, self.place)
        Clock.schedule_once(lambda _: self._looked(there, known))

    def _looked(self, there: bool, known: bool) -> None:
        if self._question is not None and (known or not there):
            if self.app.over is self._question:
                self.app.uncover()
            self._question = None
        if not there:
            self._asked = False
        elif not known and not self._asked and not self.app.covered:
            self._asked = True
            say = theme.words.screen
            question = Confirmation(title=say("stick.title"), note=say("stick.note"), act=say("stick.act"))
            self.app.ask(question, self._on_message)
            self._question = self.app.over

    def _on_message(self) -> None:
        threading.Thread(target=self._make, name="stick", daemon=True).start()

    def _make(self) -> None:
        """Make the stick the table's, with a first copy, including unsaved entries.

        If the table's name cannot be stored, the copy is made all the same.
        """
        told: Toast | CompanionError = Toast(text=theme.words.screen("stick.ours"), tone="ok", icon="usb")
        for do in (partial(make_ours, self.app.folder, self.place), self._copy):
            try:
                do()
            except CompanionError as wrong:
                told = wrong
        Clock.schedule_once(lambda _: self.app.tell(told))

    def _copy(self) -> None:
        """Make the first copy; raises LogError, also for faulty races in it."""
        from companion.sheets.backup import backup

        unsaved = self.app.playing.unsaved
        if database_exists(self.app.folder) or unsaved:
            copy = backup(self.app.folder, self.place / COPIES, keep=36, unsaved=unsaved)
            if copy.problems:
                raise copy.problems[0]
