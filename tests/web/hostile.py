"""Many hostile requests: none brings a traceback, none changes the race. `python -m tests.web.hostile`."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import random
import socket
import tempfile
import time
from pathlib import Path

import pytest

from companion.web import server
from companion.web.running import Phones
from tests.web.pages import Phone, opened

WORDS = (
    "/answer",
    "/undo",
    "/table",
    "/look",
    "/events",
    "/sheet.pdf",
    "/replay",
    "/replay?at=9",
    "/tables",
    "/",
    "/drive",
    "/wall",
    "/phone.js",
    "/../x",
    "//",
    "/%00",
)
METHODS = ("GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "TRACE", "\x00", "PRI")
BODIES = (b"", b"null", b"[]", b"{}", b"{", b'{"n": 0}', b'{"n": 1e999, "answer": 3}', b'{"n": 0, "answer": NaN}',
          b"[" * 2000, b"\xff\xfe", b'{"n": -1, "answer": {"space": "1:left:1", "brakes": -9}}',
          b'{"n": 0, "answer": "<script>"}', b'{"n": true, "answer": 3}', b'{"n": 0, "n": 1}', b"x" * 6000)  # fmt: skip
HEADERS = ("Host", "Origin", "Authorization", "Content-Type", "Content-Length", "Last-Event-ID", "Accept-Language",
           "Sec-Fetch-Site", "Transfer-Encoding", "X-Forwarded-For", "Cookie", "Expect")  # fmt: skip

VALUES = (
    "",
    "-1",
    "99999",
    "chunked",
    "null",
    "Bearer " + "A" * 22,
    "fr;q=x,en;q=9e9",
    "\u00e9",
    "http://evil.example",
)


def one(dice: random.Random, pages: Phones, token: str) -> bytes:
    """A request that nobody would send: a little or wholly wrong."""
    host = f"{pages.host}:{pages.port}"
    good = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json"}
    body = dice.choice(BODIES)
    good["Content-Length"] = str(len(body))
    for name in dice.sample(HEADERS, dice.randrange(4)):
        good[name] = dice.choice((*VALUES, host, "x" * dice.choice((1, 300, 9000))))
    if dice.random() < 0.3:
        good["Authorization"] = f"Bearer {token}"  # a car that is not asked
    path = dice.choice(WORDS) + dice.choice(("", "?lang=zz", "?page=drive", "?page=watch&lang=fr", "?" + "a=b&" * 99))
    if path.startswith("/events") and "drive" not in path and dice.random() < 0.9:
        path = "/events?page=nobody"
    lines = [f"{dice.choice(METHODS) if dice.random() < 0.5 else 'POST'} {path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in good.items()] + ["Connection: close"]
    return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body


class Complaints(logging.Handler):
    """What the program complains of, but for what is no request at all."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() != "Invalid HTTP request received.":
            self.said.append(self.format(record))


def attack(folder: Path, count: int) -> tuple[list[str], float]:
    """So many of them at a race, which stands as it did; what the program complained of, and requests a second."""
    complaints, dice = Complaints(), random.Random(5)
    loggers = logging.getLogger(), logging.getLogger("uvicorn")
    for logger in loggers:
        logger.addHandler(complaints)
    try:
        with opened(folder) as (pages, table):
            token = Phone(pages, 2).token
            before = table.see(lambda desk: (desk.seq, desk.state())).result()
            began = time.monotonic()
            for _ in range(count):
                with socket.create_connection((pages.host, pages.port), timeout=60) as line:
                    line.settimeout(0.01 if dice.random() < 0.05 else 5)
                    with contextlib.suppress(TimeoutError, ConnectionError):  # it vanished, or was turned away
                        line.sendall(one(dice, pages, token))
                        line.recv(200)
            rate = count / (time.monotonic() - began)
            assert table.see(lambda desk: (desk.seq, desk.state())).result() == before
            assert Phone(pages, 1).post("/answer", n=0, answer=3) == (200, "")
    finally:
        for logger in loggers:
            logger.removeHandler(complaints)
    return complaints.said, rate


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--requests", type=int, default=100_000)
    count = asked.parse_args().requests
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for kind in server.RATES:
            patch.setitem(server.RATES, kind, (1e9, 1e9))
        patch.setattr(server, "PATIENCE", 0.1)  # or it would be an hour of waiting for bodies that never come
        said, rate = attack(Path(folder), count)
    print(json.dumps({"requests": count, "complaints": said[:9], "a second": round(rate)}))


if __name__ == "__main__":
    main()
