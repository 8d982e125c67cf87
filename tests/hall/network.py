"""A bad network for the hall's tests: what goes through it to and from a nats-server is lost, doubled, held back."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
import threading
import time
from collections.abc import Callable
from random import Random

import pytest

NATS = shutil.which("nats-server", path="/usr/local/bin:/usr/bin:/usr/sbin:/bin")
MISSING = "There is no nats-server here; apt-get install nats-server brings it."
needs_nats = pytest.mark.skipif(NATS is None, reason=MISSING)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def until(holds: Callable[[], object], seconds: float = 30) -> None:
    """Waits until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


class Network:
    """Stands between tables and a broker. Of the messages `lost` and `doubled` in 100 are, and `held` in 100 come up to
    `longest` seconds late, and so after others; `cut`, nobody reaches the other side."""

    def __init__(self, port: int, seed: int = 1) -> None:
        self.lost = self.doubled = self.held = 0
        self.longest, self.passed, self.cut = 0.5, 0, False
        self._to, self._rng = port, Random(seed)
        self._loop = asyncio.new_event_loop()
        self._lines: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        opened = asyncio.run_coroutine_threadsafe(self._open(), self._loop)
        self.port = opened.result(10)

    @property
    def address(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def part(self) -> None:
        """Cuts it in two."""
        self.cut = True
        self._loop.call_soon_threadsafe(lambda: [line.close() for line in self._lines])

    def close(self) -> None:
        self.part()
        time.sleep(0.05)
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _open(self) -> int:
        server = await asyncio.start_server(self._joined, "127.0.0.1", 0, limit=1 << 20)
        return int(server.sockets[0].getsockname()[1])

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.cut:
            writer.close()
            return
        with contextlib.suppress(OSError):
            there, back = await asyncio.open_connection("127.0.0.1", self._to, limit=1 << 20)
            self._lines |= {writer, back}
            await asyncio.gather(self._carry(reader, back), self._carry(there, writer))
        writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Message by message: PUB and MSG have their length at the end of their line."""
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while (line := await reader.readline()) and not self.cut:
                if line[:4] in (b"PUB ", b"MSG ", b"HPUB", b"HMSG"):
                    line += await reader.readexactly(int(line.split()[-1]) + 2)
                    self.passed += 1
                    for _ in range(self._times()):
                        if self._rng.randrange(100) < self.held:
                            late = asyncio.create_task(self._late(line, writer))
                            self._tasks.add(late)
                            late.add_done_callback(self._tasks.discard)
                        else:
                            writer.write(line)
                else:
                    writer.write(line)
                await writer.drain()
        writer.close()

    async def _late(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(self._rng.random() * self.longest)
        if not (writer.is_closing() or self.cut):
            writer.write(line)

    def _times(self) -> int:
        if self._rng.randrange(100) < self.lost:
            return 0
        return 2 if self._rng.randrange(100) < self.doubled else 1
