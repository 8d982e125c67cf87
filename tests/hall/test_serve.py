"""`companion hall` as it is started, killed and started again; and how it is found."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.hall.discovery import NetworkAnnouncement, discover
from companion.hall.membership import FILE, joined
from companion.rules.conversation.errors import LogError
from companion.web.networks import addresses
from tests.hall.network import free_port, needs_nats


@contextlib.contextmanager
def serving(folder: Path, nats: int, pages: int, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The hall of a folder, and the code of whoever opened it."""
    command = [sys.executable, "-m", "companion.commands.main", "--data", str(folder), "--lang", "en", "hall", "serve",
               "--on", "127.0.0.1", "--nats", str(nats), "--port", str(pages), *more]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as hall:
        assert hall.stdout is not None
        try:
            assert hall.stdout.readline().split()[0] == "Wall"
            yield hall, hall.stdout.readline().strip().rpartition("#")[2]
        finally:
            hall.terminate()


def answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as line:
        return line.recv(4) == b"INFO"
    return False


def said(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(companion, ["--data", str(folder), "--lang", "en", "hall", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_table_leaves_a_hall_that_its_file_does_not_name(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{")
    with pytest.raises(LogError, match="names no hall; let the table leave it"):
        joined(tmp_path)
    assert said(tmp_path, "leave") == "This table has left the hall.\n"
    assert said(tmp_path, "leave") == "This table is in no hall.\n"


@needs_nats
def test_it_is_killed_and_starts_again_on_the_same_ports(tmp_path: Path) -> None:
    """A kill -9 leaves its broker behind: the next start ends that, and takes its place."""
    nats, pages = free_port(), free_port()
    with serving(tmp_path, nats, pages) as (hall, first):
        assert len(first) == 8
        os.kill(hall.pid, signal.SIGKILL)
        hall.wait(10)
        assert answers(nats), "the broker goes on without it"
    with serving(tmp_path, nats, pages, "--api") as (hall, second):
        assert second != first
        with urllib.request.urlopen(f"http://127.0.0.1:{pages}/api/v1/tables", timeout=60) as reply:
            assert reply.read() == b"[]"
        page = f"http://127.0.0.1:{pages}/control?lang=en"
        with urllib.request.urlopen(page, timeout=60) as reply:
            assert socket.gethostname() in reply.read().decode(), "a hall without a name is called as its machine is"
        code = said(tmp_path, "code", "4").split()[-1]
        told = said(tmp_path / "table", "join", code, "--at", "127.0.0.1", "--port", str(pages))
        assert told.startswith("This table is 4 in the hall")
        assert said(tmp_path / "table", "leave") == "This table has left the hall.\n"
        assert said(tmp_path / "table", "leave") == "This table is in no hall.\n"
        with urllib.request.urlopen(f"http://127.0.0.1:{pages}/events", timeout=60) as stream:
            assert stream.readline(), "a page is open"
            os.kill(int((tmp_path / "nats/nats.pid").read_text()), signal.SIGKILL)
            hall.terminate()
            assert hall.wait(15) == 130, "it was asked to end, while it was starting its broker again"
            stream.read()
    assert not answers(nats)


@needs_nats
@pytest.mark.parametrize("started", [True, False], ids=["open", "starting"])
@pytest.mark.parametrize("ends", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_who_stops_it_stops_its_broker_too(tmp_path: Path, ends: str, started: bool) -> None:
    """Ctrl+C, a service that is stopped, a terminal that is closed: once, in quick succession, or while it starts."""
    nats, stop = free_port(), signal.Signals[ends]
    command = [sys.executable, "-m", "companion.commands.main", "--data", str(tmp_path), "hall", "serve",
               "--on", "127.0.0.1", "--nats", str(nats), "--port", str(free_port())]  # fmt: skip
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(stop, signal.SIG_DFL if ends != "SIGINT" else signal.default_int_handler),
    ) as hall:  # fmt: skip
        assert hall.stdout is not None
        if started:
            hall.stdout.readline()
        else:
            end = time.monotonic() + 60
            while not (tmp_path / "nats/nats.conf").exists() and time.monotonic() < end:
                time.sleep(0.002)
        for _ in range(3):
            with contextlib.suppress(ProcessLookupError):
                os.kill(hall.pid, stop)
            time.sleep(0.05)
        assert hall.wait(60) == 130
    end = time.monotonic() + 60
    while answers(nats) and time.monotonic() < end:
        time.sleep(0.1)
    assert not answers(nats)


@pytest.mark.skipif(not addresses(), reason="This machine is on no network: nobody could be heard.")
def test_a_hall_is_found_by_its_name() -> None:
    with NetworkAnnouncement("Salle d'été", addresses(), 8019):
        for _ in range(3):  # another test's hall may be heard first, and this one too late on a busy machine
            ours = [(place.hall, place.port) for place in discover() if place.hall == "Salle d'été"]
            if ours:
                break
    assert ours == [("Salle d'été", 8019)]
