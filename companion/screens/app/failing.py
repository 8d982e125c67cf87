"""What a screen lets through: a refusal is told, and a screen that failed is made anew."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Final

from kivy.base import ExceptionHandler, ExceptionManager
from kivy.clock import Clock

from companion.rules.conversation.errors import CompanionError
from companion.screens.widgets.theme import theme
from companion.view.shown import Toast

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

log = logging.getLogger(__name__)

PATIENCE: Final = 10.0
"""Seconds in which a screen may fail once and come back; if it fails again, the one beneath it comes."""


class Failures(ExceptionHandler):
    """Takes what a screen lets through, so that Kivy's loop goes on. The race is in no screen: it stays as it was."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.last: tuple[object, float] = ("", -PATIENCE)
        """The screen that failed last, and when."""
        self.repair = Clock.create_trigger(self._made_anew)

    def begin(self) -> None:
        """Takes what fails in Kivy's loop from now on."""
        ExceptionManager.add_handler(self)

    def end(self) -> None:
        """Takes nothing more."""
        ExceptionManager.remove_handler(self)
        self.repair.cancel()

    def handle_exception(self, inst: BaseException) -> int:
        return int(ExceptionManager.PASS if self.caught(inst) else ExceptionManager.RAISE)

    def caught(self, wrong: BaseException) -> bool:
        """Takes an exception. True if the app goes on: a refusal is told, and a screen that failed is made anew, at the
        same question."""
        if not isinstance(wrong, Exception):
            return False
        self.report(wrong, self.app.visits[-1].name if self.app.visits else "")
        if not isinstance(wrong, CompanionError):
            self.repair()
        return True

    def report(self, wrong: Exception, name: object) -> None:
        """Tells a refusal in its own words; of a failure of the screen with this name that there was one, and writes
        it down."""
        if isinstance(wrong, CompanionError):
            self.app.tell(wrong)
            return
        log.error("the screen %s failed", name, exc_info=wrong)
        self.app.tell(Toast(text=theme.words.screen("app.failed"), tone="bad", icon="triangle"))

    def _made_anew(self, *_: object) -> None:
        """Makes the screen that failed anew; if it failed a moment ago already, the one beneath it; at the worst one
        that only says so."""
        visits = self.app.visits
        name, at = visits[-1].name, time.monotonic()
        again = name == self.last[0] and at - self.last[1] < PATIENCE
        self.last = (name, at)
        visits = visits[:-1] if again else visits
        while visits and not self.app.show(visits):
            visits = visits[:-1]
        if not visits:
            self.app.show_trouble()


def thread_failed(gone: threading.ExceptHookArgs) -> None:
    """Writes down what a thread has let through."""
    log.error("a thread failed", exc_info=gone.exc_value)
