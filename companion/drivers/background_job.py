"""Long sums in a process of their own, as quiet as the machine has it: no race ever waits for them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Final

RUN: Final = "import sys; from companion.commands.main import main; sys.argv[0] = 'companion'; main()"
"""Code that the process runs: the command `companion`, wherever it is installed."""
STEP: Final = 2
"""Interval between progress reports, in per cent."""


class BackgroundJob:
    """A command of `companion` that runs as a process of its own with --told.

    It writes on standard error how far it is, in thousandths, a line each. `on_news()` is called from a thread of its
    own whenever there are news, and once when it is `over`.
    """

    def __init__(self, words: Sequence[str], on_news: Callable[[], object]) -> None:
        self.share, self.over, self.said, self.failed = 0.0, False, b"", False
        self.so_far = b""
        """Last line of JSON with a preliminary result."""
        self._on_news = on_news
        quiet = [nice, "-n", "19"] if (nice := shutil.which("nice")) else []
        self._process = subprocess.Popen(
            [*quiet, sys.executable, "-c", RUN, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        threading.Thread(target=self._hear, name="background job", daemon=True).start()

    def end(self) -> None:
        """Terminate the process, done or not."""
        self._process.terminate()

    def _hear(self) -> None:
        assert self._process.stderr is not None
        assert self._process.stdout is not None
        for line in self._process.stderr:
            if line.startswith(b"{"):
                self.so_far = line
                self._on_news()
            elif line.strip().isdigit() and (share := int(line) / 1000) >= self.share + STEP / 100:
                self.share = share
                self._on_news()
        self.said = self._process.stdout.read()
        self.failed = self._process.wait() != 0
        self.over = True
        self._on_news()
