"""A few of many: hostile requests and phones; `tests/web/hostile.py` and `tests/web/load.py` have the full figures."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import pytest

from companion.web import running, server
from companion.web.running import Phones
from tests.web.hostile import attack
from tests.web.load import measure
from tests.web.pages import Phone, opened


def test_hostile_requests_bring_no_traceback_and_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in server.RATES:
        monkeypatch.setitem(server.RATES, kind, (1e9, 1e9))
    said, _ = attack(tmp_path, 400)
    assert said == []


def test_who_hangs_up_or_dawdles_in_the_middle_of_an_answer_brings_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "PATIENCE", 0.2)
    with opened(tmp_path) as (pages, table):
        phone = Phone(pages, 1)
        head = [f"{name}: {value}" for name, value in phone.headers({"Content-Length": "40"}).items()]
        said = "\r\n".join(["POST /answer HTTP/1.1", f"Host: {pages.host}:{pages.port}", *head, "", '{"n": 0, '])
        for stays in (False, True):
            with socket.create_connection((pages.host, pages.port), timeout=10) as line:
                line.sendall(said.encode())
                if stays:
                    assert b" 408 " in line.recv(200)
                else:
                    time.sleep(0.1)
        time.sleep(0.2)
        assert table.see(lambda desk: desk.n).result() == 0
        assert phone.post("/answer", n=0, answer=3) == (200, "")
    assert "Traceback" not in caplog.text


def test_phones_that_come_sleep_and_vanish_see_every_entry_and_the_table_is_not_slower(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = measure(tmp_path, 20, pause=0.02)
    assert found["heard"] > 100
    assert found["answer beside them ms"] < 5 * found["answer alone ms"] + 20  # a slow machine measures little
    assert found["commit to page ms"] < 500
    assert found["grown kB"] < 20_000
    assert "Traceback" not in caplog.text  # also as the pages close with phones at them


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
        end, status = time.monotonic() + 10, 503
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


def test_connections_beyond_the_most_there_may_be_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", 60)
    monkeypatch.setattr(running, "MOST", 2)
    with opened(tmp_path) as (pages, _), _idle(pages), _idle(pages), _idle(pages) as third:
        assert third.recv(9) == b""


def _idle(pages: Phones) -> socket.socket:
    return socket.create_connection((pages.host, pages.port), timeout=10)
