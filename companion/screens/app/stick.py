"""The stick of an appliance: when one is plugged in that nobody has called the table's yet, that is asked, once."""

from __future__ import annotations

import contextlib
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock

from companion.rules.conversation.errors import CompanionError, LogError
from companion.screens.widgets.confirm import Question
from companion.screens.widgets.theme import theme
from companion.sheets.place import COPIES, STICK, database_exists
from companion.sheets.sticks import make_ours, ours
from companion.view.shown import Toast

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

EVERY: Final = 5.0
"""Seconds between two looks."""


class Stick:
    """Looks whether a stick is there, in a thread of its own: a bad one may take its time to answer."""

    def __init__(self, app: CompanionApp, place: Path = STICK) -> None:
        self.app, self.place = app, place
        self._asked = False
        """Whether the stick that is there was asked about; another answer takes another plug."""
        self._question: Any = None
        """That question, as it lies over the screen."""
        self._looking: threading.Thread | None = None
        self._clock: Any = None

    def begin(self) -> None:
        """From here on it is looked for."""
        self._clock = Clock.schedule_interval(self.look, EVERY)

    def end(self) -> None:
        """It is looked for no longer."""
        if self._clock is not None:
            self._clock.cancel()

    def look(self, _: float = 0) -> None:
        """Looks once, unless the last look has not ended."""
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
            question = Question(title=say("stick.title"), note=say("stick.note"), act=say("stick.act"))
            self.app.ask(question, self._said)
            self._question = self.app.over

    def _said(self) -> None:
        threading.Thread(target=self._make, name="stick", daemon=True).start()

    def _make(self) -> None:
        """Makes it the table's, with a first copy, which has what a full card did not take: where that does not take
        the table's name either, the copy is made all the same."""
        told: Toast | CompanionError = Toast(text=theme.words.screen("stick.ours"), tone="ok", icon="usb")
        for do in (partial(make_ours, self.app.folder, self.place), self._copy):
            try:
                do()
            except CompanionError as wrong:
                told = wrong
        Clock.schedule_once(lambda _: self.app.tell(told))

    def _copy(self) -> None:
        """Makes the first copy; raises LogError, also for what is wrong with the races in it."""
        from companion.sheets.backup import backup

        unsaved = self.app.playing.unsaved
        if database_exists(self.app.folder) or unsaved:
            copy = backup(self.app.folder, self.place / COPIES, keep=36, unsaved=unsaved)
            if copy.problems:
                raise LogError(copy.problems[0])
