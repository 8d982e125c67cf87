"""What contacts did, recorded as text, so that the debounce can be tried on it again and again.

    # Anything: whose buttons these are, what was done.
    0 confirm down
    412 confirm up
    1873 confirm down
    96310 confirm up
    means confirm

Each edge is a line: microseconds since the first, which button, whether it went down or up. The last line says what
fingers did, each press by what it means: as it was heard, until whoever pressed corrects it.
"""

from __future__ import annotations

from collections.abc import Callable

from hardware.debounce import Name, Press


class Recorder:
    """Writes by `write`, line by line, as things happen: nothing before the first of them."""

    def __init__(self, write: Callable[[str], object], remark: str) -> None:
        self._write, self._remark = write, remark
        self._first: int | None = None
        self._means: list[str] = []

    def edge(self, name: Name, down: bool, at: int) -> None:
        """A contact closed or opened, at so many microseconds."""
        if self._first is None:
            self._first = at
            self._write(f"# {self._remark}\n")
        self._write(f"{at - self._first} {name} {'down' if down else 'up'}\n")

    def press(self, press: Press) -> None:
        """Something was heard."""
        self._means.append(press.means)

    def end(self) -> None:
        """Nothing more will come."""
        if self._first is None:
            self._write(f"# {self._remark}\n")
        self._write(" ".join(["means", *self._means]) + "\n")
