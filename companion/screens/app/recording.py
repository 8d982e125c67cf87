"""The record that is open in the app: its desk in a thread of its own, so that no finger waits for a disk."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from kivy.clock import Clock

from companion.desk.thread import DeskThread
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.playing import lost_with_power
from companion.screens.app.signing import TABLE, Signing
from companion.screens.widgets.theme import theme
from companion.sheets.storage import is_known

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

T = TypeVar("T")


class Opening:
    """A desk being made: `made` once it is, until somebody has taken it; `left` if nobody waits for it any more."""

    def __init__(self) -> None:
        self.done, self.left = threading.Event(), False
        self.made: DeskThread[Any] | None = None

    def over(self) -> None:
        """Waits until it is done, and closes the desk that nobody took."""
        self.done.wait()
        if self.made is not None:
            self.made.close()


class Recording:
    """At most one record. `key` says which: another key closes it, and opens the other one. `signing` is who organises,
    for as long as the program runs."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.key = ""
        self._thread: DeskThread[Any] | None = None
        self._opening: Opening | None = None
        """The last opening, whether it is under way or over."""
        self.signing = Signing(app.kept)

    @property
    def by(self) -> str:
        """Who signs an act."""
        return self.signing.name or TABLE

    def open(
        self,
        key: str,
        make: Callable[[], Any],
        then: Callable[[], object],
        wrong: Callable[[CompanionError], object],
    ) -> None:
        """Has the desk of a record made, unless it is there; `then()` when it is, or `wrong(why)` when it cannot be."""
        if self._thread is not None and self.key == key:
            Clock.schedule_once(lambda _: then())
            return
        self.close()
        self.key = key
        before, this = self._opening, Opening()
        self._opening = this

        def opening() -> None:
            if before is not None:
                before.over()  # it may have been the same record, which has one writer
            try:
                if not this.left:
                    this.made = DeskThread(make)
            except Exception as why:
                said = self._said(why)
                Clock.schedule_once(
                    lambda _: self._not_opened(this, said, lambda: self.open(key, make, then, wrong), wrong)
                )
            else:
                Clock.schedule_once(lambda _: self._opened(this, then))
            finally:
                this.done.set()

        threading.Thread(target=opening, name="opening", daemon=True).start()

    def _opened(self, this: Opening, then: Callable[[], object]) -> None:
        if this.left:
            this.over()
            return
        self._thread, this.made = this.made, None
        then()

    def _not_opened(
        self,
        this: Opening,
        said: CompanionError,
        again: Callable[[], object],
        wrong: Callable[[CompanionError], object],
    ) -> None:
        if not this.left:
            self.key = ""
        wrong(said)
        if not this.left and said.kind == "volatile":

            def known() -> None:
                is_known(self.app.folder)
                again()

            self.app.ask(lost_with_power(said), known)

    def do(
        self,
        work: Callable[[Any], T],
        then: Callable[[T], object] = lambda _: None,
        wrong: Callable[[CompanionError], object] | None = None,
    ) -> None:
        """Has the desk do something; `then(what it returned)` with the next frame. What is refused is told, or handed
        to `wrong`."""
        if self._thread is not None:
            self._thread.call(work).add_done_callback(lambda done: self._done(done, then, wrong))

    def _done(
        self, done: Future[T], then: Callable[[T], object], wrong: Callable[[CompanionError], object] | None
    ) -> None:
        why = done.exception()
        if why is None:
            Clock.schedule_once(lambda _: then(done.result()))
        else:
            said = self._said(why)
            Clock.schedule_once(lambda _: (wrong or self.app.tell)(said))

    @staticmethod
    def _said(why: BaseException) -> CompanionError:
        if isinstance(why, CompanionError):
            return why
        logging.getLogger(__name__).error("the record failed", exc_info=why)
        return CompanionError(theme.words.screen("app.not_opened"))

    def close(self) -> None:
        """Ends writing, once all that was meant is done; the record is free for others then."""
        if self._thread is not None:
            self._thread.close()
        if self._opening is not None:
            self._opening.left = True
        self._thread, self.key = None, ""
