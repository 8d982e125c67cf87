"""Exceptions in screens: refusals are shown, a failed screen is rebuilt."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Final

from kivy.base import ExceptionHandler, ExceptionManager
from kivy.clock import Clock

from companion.rules.conversation.errors import CompanionError
from companion.screens.kit.theme import theme
from companion.view.shown import Toast

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

log = logging.getLogger(__name__)

PATIENCE: Final = 10.0
"""Seconds in which a screen may fail once and reopen; at the next failure the one beneath it opens."""


class Failures(ExceptionHandler):
    """Handler of exceptions from screens, so that Kivy's loop goes on.

    No screen owns the race, so it stays as it was.
    """

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.last: tuple[object, float] = ("", -PATIENCE)
        """Screen that failed last, and when."""
        self.repair = Clock.create_trigger(self._made_anew)

    def begin(self) -> None:
        """Start handling exceptions from Kivy's loop."""
        ExceptionManager.add_handler(self)

    def end(self) -> None:
        """Stop handling exceptions."""
        ExceptionManager.remove_handler(self)
        self.repair.cancel()

    def handle_exception(self, inst: BaseException) -> int:
        return int(ExceptionManager.PASS if self.caught(inst) else ExceptionManager.RAISE)

    def caught(self, wrong: BaseException) -> bool:
        """Handle an exception; return True if the app goes on.

        A refusal is shown, and a screen that failed is rebuilt, at the same question.
        """
        if not isinstance(wrong, Exception):
            return False
        self.report(wrong, self.app.visits[-1].name if self.app.visits else "")
        if not isinstance(wrong, CompanionError):
            self.repair()
        return True

    def report(self, wrong: Exception, name: object) -> None:
        """Show a refusal, or log the failure of a screen and say that it failed."""
        if isinstance(wrong, CompanionError):
            self.app.tell(wrong)
            return
        log.error("the screen %s failed", name, exc_info=wrong)
        self.app.tell(Toast(text=theme.words.screen("app.failed"), tone="bad", icon="triangle"))

    def _made_anew(self, *_: object) -> None:
        """Rebuild the failed screen.

        If it failed a moment ago already, the one beneath it is shown instead, and in the worst case the screen of
        last resort.
        """
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
    """Log an exception from a thread."""
    log.error("a thread failed", exc_info=gone.exc_value)
