"""Processes that a test kills."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable


def beside(work: Callable[[int], object]) -> tuple[int, int]:
    """Has `work` done in a process of its own, which is given where to write what it acknowledges; the process, and
    where to read that."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            work(writer)
        finally:
            os._exit(1)
    os.close(writer)
    return child, reader


def kill(child: int) -> int:
    """Kills such a process; how it ended."""
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]
