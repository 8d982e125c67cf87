"""Background threads that can be stopped."""

from __future__ import annotations

import threading


class Running:
    """A thread from `begin` to `close`.

    A subclass implements `_run`, which must return once `_over` is set.
    """

    def __init__(self, name: str) -> None:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def begin(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop, and wait up to two seconds for the thread."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(2)

    def _run(self) -> None:
        raise NotImplementedError
