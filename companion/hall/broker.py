"""The hall's own broker: find, configure, start and restart a nats-server."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from companion import whole_file
from companion.hall.wire import PAYLOAD
from companion.rules.conversation.errors import CompanionError
from companion.web.networks import listening

FOLDER: Final = "nats"
"""Subfolder of race control's data folder for the broker's data."""
PORT: Final = 4222
STORED: Final = 2 << 30
ROOM: Final = 8 << 20
"""Free space, in bytes, below which a disk is full: two of the longest batches."""
SAFE: Final = (2, 10, 23)
"""First version that writes to the disk before it acknowledges, and loses no stream when it is killed."""
READY: Final = 20.0
"""Time limit for the broker's first answer after its start, in seconds."""
ENDING: Final = 4.0
"""Time limit for the broker to end by itself, in seconds."""


class NoBroker(CompanionError):
    """Raised if there is no nats-server, or it does not start."""


@functools.cache
def program() -> tuple[str, tuple[int, ...]]:
    """Return the path and version of this machine's nats-server.

    Raises NoBroker, which says how to install it.
    """
    found = shutil.which("nats-server", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin")
    if found is None:
        raise NoBroker("no_nats")
    said = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=20, check=False).stdout
    return found, tuple(map(int, re.findall(r"\d+", said)[:3]))


def user(key: str, publish: Sequence[str], subscribe: Sequence[str]) -> Mapping[str, object]:
    """Return the broker's entry for the holder of a key: where it may publish and subscribe."""
    return {"nkey": key, "permissions": {"publish": list(publish), "subscribe": list(subscribe)}}


class Broker:
    """One nats-server, running from `begin` to `end`.

    `more` is merged into its configuration: a cluster, leaf nodes, TLS. If it has accounts, `users` get an account of
    their own.
    """

    def __init__(
        self,
        folder: Path,
        host: str = "0.0.0.0",
        port: int = PORT,
        *,
        name: str = "hall",
        users: Sequence[Mapping[str, object]] = (),
        more: Mapping[str, object] | None = None,
    ) -> None:
        self.folder, self.host, self.port, self.name = folder, host, port, name
        self.users, self.more = list(users), dict(more or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._ending = threading.Event()
        self._keeper = threading.Thread(target=self._keep, name="nats", daemon=True)

    @property
    def _file(self) -> Path:
        return self.folder.absolute() / "nats.conf"

    @property
    def address(self) -> str:
        """The address at which race control connects."""
        return f"nats://{'127.0.0.1' if self.host == '0.0.0.0' else self.host}:{self.port}"

    @property
    def full(self) -> bool:
        """Return True if the broker's disk is nearly full, which it reports only in its own log."""
        kept = [place for place in (self.folder, self.folder / "store") if place.exists()]
        return any(shutil.disk_usage(place).free < ROOM for place in kept)

    @property
    def pid(self) -> int:
        """The process id of the running broker."""
        assert self._process is not None
        return self._process.pid

    def begin(self) -> None:
        """Start the broker and keep it running.

        Raises NoBroker.
        """
        program()
        self._end_orphan()
        listening(self.host, self.port, NoBroker).close()
        self.configure()
        self._start()
        try:
            self._await()
        except BaseException:
            self._stop()
            raise
        self._keeper.start()

    def end(self) -> None:
        """Stop the broker; its store stays on disk."""
        self._ending.set()
        self._stop()
        if self._keeper.is_alive():
            self._keeper.join(ENDING)
            self._stop()  # one that was being started again

    def allow(self, users: Sequence[Mapping[str, object]]) -> None:
        """Admit these users from now on and disconnect all others."""
        self.users = list(users)
        self.configure()
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGHUP)

    def configure(self) -> None:
        """Write the broker's configuration.

        Raises NoBroker if the disk refuses it.
        """
        stream: dict[str, object] = {
            "store_dir": str(self.folder.absolute() / "store"),
            "max_mem": 64 << 20,
            "max_file": STORED,
        }
        if program()[1] >= (2, 10):
            stream["sync_interval"] = "always"
        said = {
            "server_name": self.name, "listen": f"{self.host}:{self.port}", "max_payload": PAYLOAD,
            "max_connections": 4096, "ping_interval": "5s", "ping_max": 2, "write_deadline": "5s",
            "max_pending": 64 << 20, "pid_file": str(self.folder.absolute() / "nats.pid"), "jetstream": stream,
            **self.more,
        }  # fmt: skip
        if self.users and isinstance(others := self.more.get("accounts"), dict):
            said["accounts"] = {"HALL": {"jetstream": "enabled", "users": self.users}, **others}
        elif self.users:
            said["authorization"] = {"users": self.users}
        try:
            whole_file.write(self._file, json.dumps(said, indent=1).encode(), mode=0o600)
        except OSError as wrong:
            raise NoBroker("not_written.output", out=self.folder, wrong=wrong.strerror) from wrong

    # -- the machinery

    def _end_orphan(self) -> None:
        """Stop a broker left behind by a killed race control, which holds the port and this folder."""
        with contextlib.suppress(OSError, ValueError):
            pid = int((self.folder / "nats.pid").read_text())
            if str(self._file).encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                os.kill(pid, signal.SIGTERM)
                for _ in range(100):
                    os.kill(pid, 0)
                    time.sleep(0.05)

    def _start(self) -> None:
        command = [program()[0], "-c", str(self._file), "-l", str(self.folder / "nats.log")]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip

    def _await(self) -> None:
        """Wait until the broker answers.

        Raises NoBroker with the last line of its log.
        """
        end = time.monotonic() + READY
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as line:
                if line.recv(5) == b"INFO ":
                    return
            if self._process is None or self._process.poll() is not None:
                break
            time.sleep(0.02)
        log = self.folder / "nats.log"
        last = log.read_text(errors="replace").splitlines()[-1:] if log.exists() else []
        raise NoBroker("nats", port=self.port, why="".join(last) or "it says nothing")

    def _keep(self) -> None:
        """Restart the broker whenever it dies, after a growing delay."""
        wait = 0.2
        while not self._ending.is_set():
            assert self._process is not None
            began = time.monotonic()
            self._process.wait()
            wait = 0.2 if time.monotonic() - began > 60 else min(wait * 2, 10)
            if not self._ending.wait(wait):
                self._start()

    def _stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(ENDING)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(5)
