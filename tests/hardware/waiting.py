"""Waiting for what other threads and processes do."""

from __future__ import annotations

import time
from collections.abc import Callable


def until(there: Callable[[], object], seconds: float = 60) -> None:
    """Waits until something is there, however slow the machine is; an AssertionError if it never comes."""
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)
