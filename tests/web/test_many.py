"""A few of many: hostile requests and phones; `tests/web/hostile.py` and `tests/web/load.py` have the full figures."""

from __future__ import annotations

import contextlib
import logging
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.desk.beginning import begin_race
from companion.web import running, server
from companion.web.running import Phones
from tests.test_protocol import SETUP
from tests.web.hostile import attack
from tests.web.load import FOLLOWERS, measure
from tests.web.pages import Phone, opened

WEBSOCKET = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n"


@pytest.fixture
def complaints(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What is logged, the server's own words too, which nobody else hears."""
    logging.getLogger("uvicorn").addHandler(caplog.handler)
    yield caplog
    logging.getLogger("uvicorn").removeHandler(caplog.handler)


def test_hostile_requests_bring_no_traceback_and_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in server.RATES:
        monkeypatch.setitem(server.RATES, kind, (1e9, 1e9))
    said, _ = attack(tmp_path, 400)
    assert said == []


def test_who_hangs_up_or_dawdles_in_the_middle_of_an_answer_brings_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, complaints: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.2)
    with opened(tmp_path) as (pages, table):
        phone = Phone(pages, 1)
        head = [f"{name}: {value}" for name, value in phone.headers({"Content-Length": "40"}).items()]
        said = "\r\n".join(["POST /answer HTTP/1.1", f"Host: {pages.host}:{pages.port}", *head, "", '{"n": 0, '])
        for stays in (False, True):
            with socket.create_connection((pages.host, pages.port), timeout=60) as line:
                line.sendall(said.encode())
                if stays:
                    assert b" 408 " in line.recv(200)
                else:
                    time.sleep(0.1)
        time.sleep(0.2)
        assert table.see(lambda desk: desk.n).result() == 0
        assert phone.post("/answer", n=0, answer=3) == (200, "")
    assert "Traceback" not in complaints.text


def test_phones_that_come_sleep_and_vanish_see_every_entry_and_the_table_is_not_slower(
    tmp_path: Path, complaints: pytest.LogCaptureFixture
) -> None:
    found = measure(tmp_path, 20, pause=0.02)
    assert found["heard"] > 100
    assert found["answer beside them ms"] < 5 * found["answer alone ms"] + 20  # a slow machine measures little
    assert found["commit to page ms"] < 500
    assert found["grown kB"] < 20_000
    assert "Traceback" not in complaints.text  # also as the pages close with phones at them


def test_200_programs_that_follow_cost_the_table_what_200_spectators_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STREAMS_OF_ONE", 210)
    monkeypatch.setattr(running, "MOST_OF_ONE", 210)
    monkeypatch.setitem(server.RATES, "read", (1e9, 1e9))
    spectators = measure(tmp_path / "spectators", 200, pause=0.05)
    followers = measure(tmp_path / "followers", 200, pause=0.05, path=FOLLOWERS)
    assert followers["heard"] > spectators["heard"]
    assert followers["answer beside them ms"] < 1.5 * spectators["answer beside them ms"] + 20  # a busy machine
    assert followers["commit to page ms"] < 1.5 * spectators["commit to page ms"] + 60


def test_pages_that_vanish_before_anything_could_be_shown_leave_room_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STREAMS_OF_ONE", 1)
    monkeypatch.setitem(server.RATES, "read", (1e9, 1e9))
    with opened(tmp_path) as (pages, table):
        phone, busy = Phone(pages), threading.Event()
        table.see(lambda _: busy.wait(10))
        with phone.following("watch") as first, phone.following("watch") as second:
            assert (first.status, second.status) == (200, 503)
        time.sleep(0.2)  # they are known to be gone before the desk has time for them
        busy.set()
        end, status = time.monotonic() + 60, 503
        while status != 200:
            assert time.monotonic() < end
            with phone.following("watch") as again:
                status = again.status


def test_who_asks_nothing_is_not_waited_for_and_keeps_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither at once nor after half a request; who watches is not sent away."""
    monkeypatch.setattr(server, "PATIENCE", 0.2)
    with opened(tmp_path) as (pages, _), Phone(pages).following("watch") as seen:
        assert seen.block() == ": here"
        with _idle(pages) as silent, _idle(pages) as slow:
            slow.sendall(f"GET / HTTP/1.1\r\nHost: {pages.host}\r\n\r\nGET /".encode())
            while slow.recv(1 << 16):
                pass
            assert silent.recv(9) == b""
        assert seen.shown()["n"] == 0
        assert seen.block() == ": still"


def test_for_a_connection_too_many_the_one_that_idles_longest_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of the same address where that has too many; who is being answered stays."""
    monkeypatch.setattr(server, "PATIENCE", 60)
    monkeypatch.setattr(running, "MOST_OF_ONE", 3)
    monkeypatch.setattr(running, "MOST", 4)
    with opened(tmp_path) as (pages, _), contextlib.ExitStack() as lines:
        seen = lines.enter_context(Phone(pages).following("watch"))
        first, second, third = (lines.enter_context(_idle(pages)) for _ in range(3))
        assert first.recv(9) == b""
        others = [lines.enter_context(_idle(pages, source)) for source in ("127.0.0.2", "127.0.0.3")]
        assert second.recv(9) == b""
        assert [_is_open(one) for one in (third, *others)] == [True, True, True]
        assert seen.shown()["n"] == 0


def test_idle_connections_of_one_address_shut_out_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 60)
    with opened(tmp_path) as (pages, _), contextlib.ExitStack() as lines:
        for _ in range(650):
            lines.enter_context(_idle(pages, "127.0.0.2"))
        assert "<main" in Phone(pages).get("/")


def test_who_floods_a_page_has_it_made_once_and_slows_no_answer(tmp_path: Path) -> None:
    """From five addresses at once; the pages are compressed once as well, and other than after the next answer."""
    with opened(tmp_path) as (pages, table):
        phone = Phone(pages, 1)
        before = phone.get("/wall")
        looked = table.see(lambda _: None).result
        busy = threading.Event()
        table.see(lambda _: busy.wait(20))
        try:
            for at in range(2, 7):
                flood = Phone(pages, source=f"127.0.0.{at}")
                for _ in range(20):
                    assert flood.get("/wall") == before  # while the desk has other things to do
        finally:
            busy.set()
        looked()
        assert phone.post("/answer", n=0, answer=3) == (200, "")
        assert phone.get("/wall") != before


def test_wrong_codes_of_other_addresses_keep_nobody_from_joining(tmp_path: Path) -> None:
    """Nor do those of one's own where the code is read by a camera, which nobody can guess."""
    with opened(tmp_path) as (pages, _):
        for at in range(2, 10):
            guesser = Phone(pages, source=f"127.0.0.{at}")
            assert {guesser.post("/join", code=f"WRONG{one}")[0] for one in range(8)} == {401}
        assert Phone(pages).post("/join", code=pages.tokens.code(1).typed) == (200, "")
        guesser = Phone(pages, source="127.0.0.2")
        while guesser.post("/join", code="WRONG9")[0] == 401:
            pass
        code = pages.tokens.code(2)
        assert guesser.post("/join", code=code.typed) == (429, "too_many")
        assert guesser.post("/join", code=code.read) == (200, "")


def test_what_the_server_complains_of_does_not_reach_the_terminal(tmp_path: Path) -> None:
    begin_race(SETUP, "monaco", tmp_path).close()
    said = [sys.executable, "-m", "companion.commands.main", "phones", "--data", str(tmp_path), "--on", "127.0.0.1"]
    running = subprocess.Popen([*said, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        address = next(line for line in running.stdout if "http://" in line)
        port = int(address.rpartition(":")[2].partition("/")[0])
        for sent in (
            b"\x16\x03\x01\x02\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + WEBSOCKET,
            b"GET /" + b"x" * 20_000,
        ):
            with socket.create_connection(("127.0.0.1", port), timeout=60) as line, contextlib.suppress(OSError):
                line.sendall(sent)
                assert line.recv(9)
    finally:
        running.terminate()
        _, complained = running.communicate(timeout=60)
    assert complained == ""


def _idle(pages: Phones, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection((pages.host, pages.port), timeout=60, source_address=(source, 0))


def _is_open(line: socket.socket) -> bool:
    line.settimeout(0.1)
    try:
        return line.recv(9) != b""
    except TimeoutError:
        return True
