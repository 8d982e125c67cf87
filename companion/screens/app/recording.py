"""The open record, with its desk in a thread so that touches never wait for a disk."""

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
from companion.sheets.storage import is_known

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

T = TypeVar("T")


class Opening:
    """A desk being opened.

    `made` holds it until somebody takes it; `left` is True once nobody waits for it.
    """

    def __init__(self) -> None:
        self.done, self.left = threading.Event(), False
        self.made: DeskThread[Any] | None = None

    def over(self) -> None:
        """Wait for the end, and close the desk if nobody took it."""
        self.done.wait()
        if self.made is not None:
            self.made.close()


class Recording:
    """At most one open record.

    `key` identifies it; opening another key closes it. `signing` knows the organiser, as long as the program runs.
    """

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self.key = ""
        self._thread: DeskThread[Any] | None = None
        self._opening: Opening | None = None
        """Last opening, in progress or finished."""
        self.signing = Signing(app.kept)

    @property
    def by(self) -> str:
        """The name that signs acts."""
        return self.signing.name or TABLE

    def open(
        self,
        key: str,
        make: Callable[[], Any],
        then: Callable[[], object],
        wrong: Callable[[CompanionError], object],
    ) -> None:
        """Open the desk of a record, unless it is open; then call `then()` or `wrong(why)`."""
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
                said = self._as_error(why)
                Clock.schedule_once(
                    lambda _: self._not_opened(this, said, lambda: self.open(key, make, then, wrong), wrong)
                )
            else:
                Clock.schedule_once(lambda _: self._on_open(this, then))
            finally:
                this.done.set()

        threading.Thread(target=opening, name="opening", daemon=True).start()

    def _on_open(self, this: Opening, then: Callable[[], object]) -> None:
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

            def check_name() -> None:
                is_known(self.app.folder)
                again()

            self.app.ask(lost_with_power(said), check_name)

    def do(
        self,
        work: Callable[[Any], T],
        then: Callable[[T], object] = lambda _: None,
        wrong: Callable[[CompanionError], object] | None = None,
    ) -> None:
        """Run work at the desk; call `then(result)` with the next frame.

        A refusal is shown, or passed to `wrong`.
        """
        if self._thread is not None:
            self._thread.call(work).add_done_callback(lambda done: self._done(done, then, wrong))

    def _done(
        self, done: Future[T], then: Callable[[T], object], wrong: Callable[[CompanionError], object] | None
    ) -> None:
        why = done.exception()
        if why is None:
            Clock.schedule_once(lambda _: then(done.result()))
        else:
            said = self._as_error(why)
            Clock.schedule_once(lambda _: (wrong or self.app.tell)(said))

    @staticmethod
    def _as_error(why: BaseException) -> CompanionError:
        if isinstance(why, CompanionError):
            return why
        logging.getLogger(__name__).error("the record failed", exc_info=why)
        return CompanionError("not_opened")

    def close(self) -> None:
        """Close the record after all pending work, free for other writers."""
        if self._thread is not None:
            self._thread.close()
        if self._opening is not None:
            self._opening.left = True
        self._thread, self.key = None, ""
