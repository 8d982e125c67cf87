"""Many at a race, phones or other programs: what they cost the table, and how soon they see what it wrote.

`python -m tests.web.load [--feed]`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import tempfile
import threading
import time
from pathlib import Path

from companion.web.running import Alone, Phones
from tests.web.pages import opened

SPECTATORS, FOLLOWERS = "/events?page=watch&", "/api/v1/events?"
"""Where pages of spectators follow a race, and other programs."""
PAIRS = 12
"""How often an answer is given and taken back."""


class Crowd:
    """So many who follow at a path, in a thread of their own; `seen` has when each heard of an entry."""

    def __init__(self, pages: Phones, count: int, path: str) -> None:
        self.pages, self.count, self.path = pages, count, path
        self.seen: dict[int, list[float]] = {}
        self.ready = threading.Event()
        self._there = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._tasks = [self._loop.create_task(self._follow(place)) for place in range(self.count)]
        self._loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))

    async def _follow(self, place: int) -> None:
        """One page; every fourth vanishes now and then and comes back, and every tenth sleeps."""
        lang = "fr" if place % 3 == 0 else "en"
        while True:
            reader, writer = await asyncio.open_connection(self.pages.host, self.pages.port, limit=1 << 22)
            host = f"{self.pages.host}:{self.pages.port}"
            writer.write(f"GET {self.path}lang={lang} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            if place % 10 == 9:
                self._hear(None)
                await asyncio.sleep(3600)
            blocks = 0
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    blocks += 1
                    of, _, mark = line[4:].decode().strip().partition("-")
                    self._hear(int(of if self.path == SPECTATORS else mark))
                    if place % 4 == 3 and blocks % 5 == 0:
                        break
            writer.close()

    def _hear(self, seq: int | None) -> None:
        self._there += 1
        if self._there >= self.count:
            self.ready.set()
        if seq is not None:
            self.seen.setdefault(seq, []).append(time.monotonic())

    def close(self) -> None:
        self._loop.call_soon_threadsafe(lambda: [task.cancel() for task in self._tasks])
        self._thread.join(10)


def answers(table: Alone, pause: float) -> tuple[list[float], dict[int, float]]:
    """How long each answer took from its being handed in to its commit, and when each entry was committed."""
    took: list[float] = []
    written: dict[int, float] = {}
    for _ in range(PAIRS):
        for move in ("answer", "undo"):
            began = time.monotonic()
            table.act(lambda desk, move=move: desk.answer(3, n=0) if move == "answer" else desk.undo(1)).result()  # type: ignore[misc]
            took.append(time.monotonic() - began)
            written[table.see(lambda desk: desk.seq).result()] = time.monotonic()
            time.sleep(pause)
    return took, written


def measure(folder: Path, phones: int, pause: float = 0.15, path: str = SPECTATORS) -> dict[str, float]:
    """The median answer with and without so many who follow at a path, the median and the slowest sight of an entry,
    memory."""
    with opened(folder) as (pages, table):
        pages.offer(True)
        answers(table, 0)
        alone, _ = answers(table, pause)
        crowd = Crowd(pages, phones, path)
        try:
            crowd.ready.wait(60)
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            beside, written = answers(table, pause)
            time.sleep(0.5)
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        finally:
            crowd.close()
    late = [at - written[seq] for seq, heard in crowd.seen.items() if seq in written for at in heard]
    return {
        "phones": phones,
        "answer alone ms": 1000 * statistics.median(alone),
        "answer beside them ms": 1000 * statistics.median(beside),
        "commit to page ms": 1000 * statistics.median(late),
        "slowest twentieth ms": 1000 * sorted(late)[int(len(late) * 0.95)],
        "heard": len(late),
        "grown kB": grown,
    }


def main() -> None:
    from companion.web import running, server

    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--phones", type=int, default=200)
    asked.add_argument("--feed", action="store_true", help="other programs in place of spectators")
    count, path = asked.parse_args().phones, FOLLOWERS if asked.parse_args().feed else SPECTATORS
    server.STREAMS_OF_ONE = running.MOST_OF_ONE = count + 10
    server.RATES["read"] = (1e9, 1e9)
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({name: round(value, 2) for name, value in measure(Path(folder), count, path=path).items()}))


if __name__ == "__main__":
    main()
