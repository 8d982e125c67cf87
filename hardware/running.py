"""What runs in a thread of its own."""

from __future__ import annotations

import threading


class Running:
    """Runs from `begin` to `close`; a subclass's `_run` does so in the thread, and ends when `_over` is set."""

    def __init__(self, name: str) -> None:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def begin(self) -> None:
        """Begins in the thread."""
        self._thread.start()

    def close(self) -> None:
        """Ends, and waits a moment for the thread."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(2)

    def _run(self) -> None:
        raise NotImplementedError
