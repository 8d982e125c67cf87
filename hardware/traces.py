"""Recordings of contacts as text, to replay them through the debounce.

    # Anything: whose buttons these are, what was done.
    0 confirm down
    412 confirm up
    1873 confirm down
    96310 confirm up
    means confirm

Each edge is a line: microseconds since the first edge, the button, and the direction. The last line lists the meaning
of each press as it was recognised; correct it by hand if the recognition was wrong.
"""

from __future__ import annotations

from collections.abc import Callable

from hardware.debounce import Name, Press


class Recorder:
    """A recorder of edges and presses that writes lines with `write`, none before the first."""

    def __init__(self, write: Callable[[str], object], remark: str) -> None:
        self._write, self._remark = write, remark
        self._first: int | None = None
        self._means: list[str] = []

    def edge(self, name: Name, down: bool, at: int) -> None:
        """Record an edge of a contact; `at` is in microseconds."""
        if self._first is None:
            self._first = at
            self._write(f"# {self._remark}\n")
        self._write(f"{at - self._first} {name} {'down' if down else 'up'}\n")

    def press(self, press: Press) -> None:
        """Record a recognised press."""
        self._means.append(press.means)

    def end(self) -> None:
        """Write the last line."""
        if self._first is None:
            self._write(f"# {self._remark}\n")
        self._write(" ".join(["means", *self._means]) + "\n")
