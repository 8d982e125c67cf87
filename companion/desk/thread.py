"""A desk in a thread of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, Protocol, TypeVar


class Desk(Protocol):
    """A writer of a log that can be closed."""

    def close(self) -> None: ...


D = TypeVar("D", bound=Desk)
T = TypeVar("T")


class DeskThread(Generic[D]):
    """A desk in a thread of its own, for programs in which several hands answer: they hand it work and go on.

    `make` makes the desk in that thread, because a database belongs to the thread that opened it.
    """

    def __init__(self, make: Callable[[], D]) -> None:
        self._work: queue.SimpleQueue[tuple[Callable[[D], Any], Future[Any]] | None] = queue.SimpleQueue()
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(make, ready), name="desk", daemon=True)
        self._thread.start()
        ready.result()

    def call(self, work: Callable[[D], T]) -> Future[T]:
        """Run something on the desk, after all that was handed in before; the future holds its result."""
        future: Future[T] = Future()
        self._work.put((work, future))
        return future

    def close(self) -> None:
        """Finish the work that was handed in, close the desk and end the thread."""
        self._work.put(None)
        self._thread.join()

    def _run(self, make: Callable[[], D], ready: Future[None]) -> None:
        try:
            desk = make()
        except BaseException as wrong:
            ready.set_exception(wrong)
            return
        ready.set_result(None)
        while (given := self._work.get()) is not None:
            work, future = given
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work(desk))
                except BaseException as wrong:
                    future.set_exception(wrong)
        desk.close()
