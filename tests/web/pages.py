"""A race with its pages open, and a phone that speaks to them without a browser."""

from __future__ import annotations

import contextlib
import http.client
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.web.running import Alone, Phones
from tests.test_protocol import SETUP

NAMES = ("Ada", "<script>alert(1)</script>")


@contextlib.contextmanager
def opened(
    folder: Path,
    setup: dict[str, Any] | None = None,
    track: str = "monaco",
    name: str = "Table 4",
    race: Callable[[], RaceDesk] | None = None,
) -> Iterator[tuple[Phones, Alone]]:
    """The pages of a race that has just begun, or of that `race`, on any port of this machine."""
    table = Alone(race or (lambda: begin_race(setup or SETUP, track, folder, name=name)))
    pages = Phones(table, folder, table.see(lambda desk: desk.history.log_id).result(), "127.0.0.1", 0)
    pages.begin()
    try:
        yield pages, table
    finally:
        pages.end()
        table.close()


class Phone:
    """What a browser would send, from one seat or from none, and from an address of this machine."""

    def __init__(self, pages: Phones, seat: int | str | None = None, source: str = "127.0.0.1") -> None:
        self.at, self.port, self.source = pages.host, pages.port, (source, 0)
        self.token = pages.drive(seat).partition("#")[2] if seat is not None else ""

    def headers(self, more: dict[str, str | None] | None = None) -> dict[str, str]:
        given: dict[str, str | None] = {"Origin": f"http://{self.at}:{self.port}", "Content-Type": "application/json"}
        given |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {name: value for name, value in (given | (more or {})).items() if value is not None}

    def ask(
        self, method: str, path: str, body: bytes | None = None, **more: str | None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of a reply; underscores of headers are hyphens."""
        line = http.client.HTTPConnection(self.at, self.port, timeout=60, source_address=self.source)
        given = {name.replace("_", "-"): value for name, value in more.items()}
        try:
            line.request(method, path, body, self.headers(given))
            reply = line.getresponse()
            return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
        finally:
            line.close()

    def get(self, path: str, **more: str | None) -> str:
        status, _, body = self.ask("GET", path, **more)
        assert status == 200, (status, body)
        return body.decode()

    def post(self, path: str, **said: Any) -> tuple[int, str]:
        """The status of an answer, and the code of its refusal."""
        status, _, body = self.ask("POST", path, json.dumps(said).encode())
        return status, json.loads(body).get("code", "")

    @contextlib.contextmanager
    def following(self, kind: str = "drive", last: str | None = None, lang: str = "en") -> Iterator[Stream]:
        """What the page is sent from here on."""
        line = http.client.HTTPConnection(self.at, self.port, timeout=60, source_address=self.source)
        more = {"Last-Event-ID": last} if last is not None else {}
        line.request("GET", f"/events?page={kind}&lang={lang}", headers=self.headers({**more, "Origin": None}))
        try:
            yield Stream(line.getresponse())
        finally:
            if line.sock is not None:
                line.sock.close()
            line.close()


class Stream:
    """Events as a page reads them."""

    def __init__(self, reply: http.client.HTTPResponse) -> None:
        self.status, self._reply, self.mark = reply.status, reply, ""

    def block(self) -> str:
        """The next event, or the sign that nothing is new."""
        lines = []
        while line := self._reply.readline().decode().rstrip("\n"):
            lines.append(line)
        return "\n".join(lines)

    def shown(self, seconds: float = 5.0) -> dict[str, Any]:
        """What is shown next."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            told = dict(line.split(": ", 1) for line in self.block().splitlines())
            if "data" in told:
                self.mark = told.get("id", self.mark)
                return dict(json.loads(told["data"]))
        raise AssertionError("nothing new")
