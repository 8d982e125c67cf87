"""Two lines to a running machine: to qemu itself (QMP), and to the agent in the guest. Both are JSON, line by line."""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import time
from pathlib import Path
from typing import Any

from tests.machine.host import Hindered

PATIENCE = 3600.0
"""Seconds after which what a machine was asked for will not come any more; an emulated one takes its time."""


class Line:
    """Says one thing at a time and hears what comes of it."""

    def __init__(self, address: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(str(address))
        self.socket.settimeout(PATIENCE)
        self.heard = b""
        self.events: list[dict[str, Any]] = []

    def do(self, what: str, **given: Any) -> Any:
        """What came of a command; raises Hindered if it was refused."""
        self.say(what, **given)
        return self.answer(what)

    def say(self, what: str, **given: Any) -> None:
        """A command whose answer is heard later."""
        asked = {"execute": what, "arguments": {name.replace("_", "-"): one for name, one in given.items()}}
        self.socket.sendall(json.dumps(asked).encode() + b"\n")

    def answer(self, what: str) -> Any:
        """The next answer; raises Hindered if it is a refusal."""
        while True:
            told = self._next()
            if "return" in told:
                return told["return"]
            if "error" in told:
                raise Hindered(f"{what}: {told['error']['desc']}")
            self.events.append(told)

    def _next(self) -> dict[str, Any]:
        while b"\n" not in self.heard:
            more = self.socket.recv(1 << 16)
            if not more:
                raise Hindered("The machine is gone.")
            self.heard += more
        line, _, self.heard = self.heard.partition(b"\n")
        told: dict[str, Any] = json.loads(line)
        return told

    def close(self) -> None:
        self.socket.close()


class Qmp(Line):
    """qemu's own line."""

    def __init__(self, address: Path) -> None:
        super().__init__(address)
        self._next()  # its greeting
        self.do("qmp_capabilities")

    def until(self, event: str) -> None:
        """Waits for an event."""
        while not any(one.get("event") == event for one in self.events):
            self.events.append(self._next())
        self.events.clear()

    def hmp(self, line: str) -> str:
        """What the monitor for people says."""
        said: str = self.do("human-monitor-command", command_line=line)
        return said


class Agent(Line):
    """Root in the guest, through qemu's guest agent: commands and files, without a network."""

    def _next(self) -> dict[str, Any]:
        while True:
            with contextlib.suppress(ValueError):  # a serial port without an agent yet says more than JSON
                return super()._next()

    def synced(self, seconds: float) -> bool:
        """Whether the agent has answered in so many seconds."""
        self.socket.settimeout(seconds)
        try:
            mark = time.monotonic_ns() & 0x7FFF_FFFF
            self.say("guest-sync", id=mark)
            while self.answer("guest-sync") != mark:  # the answer to one that was given up
                pass
        except (TimeoutError, OSError):
            return False
        except Hindered as wrong:  # it heard what the port itself had said
            if not str(wrong).startswith("guest-sync"):
                raise
            return False
        self.socket.settimeout(PATIENCE)
        return True

    def run(self, command: str, patience: float = PATIENCE, *, must: bool = True) -> str:
        """What a line of shell says in the guest; raises Hindered if it fails and `must` not."""
        began = self.do("guest-exec", path="/bin/sh", arg=["-c", command], capture_output=True)
        end = time.monotonic() + patience
        while not (done := self.do("guest-exec-status", pid=began["pid"]))["exited"]:
            if time.monotonic() > end:
                raise Hindered(f"{command[:80]!r} takes more than {patience:.0f} s in the guest.")
            time.sleep(0.2)
        said = "".join(
            base64.b64decode(done.get(where, "")).decode(errors="replace") for where in ("out-data", "err-data")
        )
        if must and done.get("exitcode") != 0:
            raise Hindered(f"{command[:80]!r} failed in the guest: {said.strip()[-2000:]}")
        return said.strip()

    def write(self, path: str, data: bytes) -> None:
        """Writes a file in the guest."""
        handle = self.do("guest-file-open", path=path, mode="wb")
        for at in range(0, len(data), 1 << 16):
            piece = base64.b64encode(data[at : at + (1 << 16)]).decode()
            self.do("guest-file-write", handle=handle, buf_b64=piece)
        self.do("guest-file-close", handle=handle)

    def read(self, path: str) -> bytes:
        """What is in a file of the guest."""
        handle, data = self.do("guest-file-open", path=path, mode="rb"), b""
        while not (piece := self.do("guest-file-read", handle=handle, count=1 << 20))["eof"] or piece["count"]:
            data += base64.b64decode(piece["buf-b64"])
            if piece["eof"]:
                break
        self.do("guest-file-close", handle=handle)
        return data
