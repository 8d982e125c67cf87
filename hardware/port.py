"""The port of the die-roller, read in a thread and reopened whenever it is gone.

No other module opens a serial port. Nothing here waits for the race, nor does the race wait for anything here.
"""

from __future__ import annotations

import errno
import logging
import os
import queue
import random
import termios
import time
from collections.abc import Callable
from typing import Any, Final

from companion.rules.conversation.errors import CompanionError
from hardware.firmware.lines import LAST
from hardware.roller import Link, News
from hardware.running import Running

BAUD: Final = 115200
"""Bits a second of a real port; USB and pseudo-terminals ignore it."""
PAUSES: Final = (0.25, 5.0)
"""First and longest pause before the port is tried again, in seconds."""
HELLO: Final = 5000
"""Milliseconds in which a plugged-in device should say hello."""
MUCH: Final = 1024
"""Maximum number of bytes read at once."""


NOTHING: Final = "no_port"
"""Kind of the error that nothing is plugged in, which many tables live with."""


class NoPort(CompanionError):
    """Raised if a serial port is missing, busy or without a die-roller."""


def open_port(name: str) -> Any:
    """Open a serial port by name or URL, for exclusive use.

    Raises OSError (SerialException is one) or ValueError.
    """
    import serial

    port = serial.serial_for_url(name, baudrate=BAUD, timeout=0.05, write_timeout=0.5, do_not_open=True)
    if os.path.exists(name):
        port.exclusive = True
    try:
        port.open()
    except termios.error as wrong:  # pyserial lets it through when the plug is pulled in this moment
        raise OSError(*wrong.args) from wrong
    return port


def no_port(name: str, wrong: Exception) -> NoPort:
    """Return why a port does not open, and what to do.

    Pyserial wraps the system's error number in a text, so that is looked up as well.
    """
    number, said = 0, ""
    for one in (wrong, wrong.__context__):
        match getattr(one, "args", ()):
            case (int(number), str(said)):
                break
    match number:
        case errno.ENOENT:
            return NoPort("no_port", port=name)
        case errno.EACCES:
            return NoPort("port_group", port=name)
        case errno.EPERM:
            return NoPort("port_kept", port=name)
        case errno.EAGAIN | errno.EBUSY:
            return NoPort("port_busy", port=name)
        case 0 | errno.ENOTTY | errno.EINVAL | errno.EISDIR:
            return NoPort("port_kind", port=name)
        case errno.EIO:
            return NoPort("port_failed", port=name, why="it is gone")
    return NoPort("port_failed", port=name, why=os.strerror(number) if number > 0 else said)


def no_roller(name: str) -> NoPort:
    """Return the error of an open port without a die-roller."""
    return NoPort("port_mute", port=name, same=name)


def let_go(port: Any) -> None:
    """Close a serial port, ignoring errors, as the device may be gone."""
    try:
        port.close()
    except Exception as wrong:
        logging.getLogger(__name__).info("a serial port that does not close: %s", wrong)


def milliseconds() -> int:
    """Return the milliseconds of a monotonic clock."""
    return time.monotonic_ns() // 1_000_000


class Bare:
    """A plain port without a protocol, for the checks of a device. Raises NoPort."""

    def __init__(self, name: str) -> None:
        try:
            self._serial = open_port(name)
        except (OSError, ValueError) as wrong:
            raise no_port(name, wrong) from wrong

    def send(self, data: bytes) -> None:
        self._serial.write(data)

    def read(self, ms: int) -> tuple[bytes, int]:
        """Return the bytes received within 50 milliseconds, and the milliseconds waited."""
        since = milliseconds()
        data: bytes = self._serial.read(1)
        data += self._serial.read(self._serial.in_waiting)
        return data, milliseconds() - since

    def close(self) -> None:
        let_go(self._serial)


class Port(Running):
    """The link to a die-roller over the port `name`.

    In the port's thread `tell(news)` is called, and `shut()` whenever `complaint`, the reason why there is no roller,
    changes.
    """

    def __init__(self, name: str, tell: Callable[[News], object], shut: Callable[[], object] = lambda: None) -> None:
        self.name, self._tell, self._shut = name, tell, shut
        self.complaint: NoPort | None = None
        self.link = Link(self._write, random.randrange(LAST))
        self._serial: Any = None
        self._wanted: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
        super().__init__("die-roller")

    def want(self, n: int, die: str) -> None:
        """Request a die for question `n`, "" for none; from any thread, without waiting."""
        self._wanted.put((n, die))

    # -- in the port's thread

    def _run(self) -> None:
        pause = PAUSES[0]
        while not self._over.is_set():
            if not self.name.startswith("/") or os.path.exists(self.name):
                if self._talk():
                    pause = PAUSES[0]
                self._news(self.link.lose())
                if self.link.flooded:
                    pause = PAUSES[1]
            else:
                self._explain(no_port(self.name, FileNotFoundError(errno.ENOENT, "")))
            self._send_requests()
            self._over.wait(pause * random.uniform(0.8, 1.2))
            pause = min(pause * 2, PAUSES[1])

    def _talk(self) -> bool:
        """Talk to the device until it is gone; return True if a roller was there."""
        was = False
        try:
            self._serial = open_port(self.name)
            self.link.open(milliseconds())
            silent = milliseconds()
            while not self._over.is_set():
                self._send_requests()
                data = self._serial.read(1)
                if data:
                    data += self._serial.read(min(self._serial.in_waiting, MUCH - 1))
                now = milliseconds()
                news = self.link.hear(data, now) + self.link.tick(now)
                self._news(news)
                was = was or self.link.there
                if self.link.there or self.link.unfit:
                    silent = now
                    self._explain(None if self.link.there else no_roller(self.name))
                elif self.link.flooded or now - silent > HELLO:
                    self._explain(no_roller(self.name))
                if self.link.flooded or any(one.what == "lost" for one in news) or now - silent > 2 * PAUSES[1] * 1000:
                    break  # opened anew: a device that hangs may be found again
        except (OSError, ValueError, TypeError) as wrong:  # pyserial lets a TypeError through when a port goes away
            if self._serial is None:
                self._explain(no_port(self.name, wrong))
            logging.getLogger(__name__).info("the die-roller's port %s: %s", self.name, wrong)
        except Exception:
            logging.getLogger(__name__).exception("the die-roller's port failed, and is opened anew")
        finally:
            if self._serial is not None:
                let_go(self._serial)
                self._serial = None
        return was

    def _explain(self, why: NoPort | None) -> None:
        """Store why there is no roller, None if there is one."""
        changed, self.complaint = str(why) != str(self.complaint), why
        if changed and not self._over.is_set():
            try:
                self._shut()
            except Exception:
                logging.getLogger(__name__).exception("why there is no die-roller was not taken")

    def _send_requests(self) -> None:
        while not self._wanted.empty():
            self.link.want(*self._wanted.get(), milliseconds())

    def _write(self, data: bytes) -> None:
        if self._serial is not None:
            self._serial.write(data)

    def _news(self, news: list[News]) -> None:
        for one in news:
            try:
                self._tell(one)
            except Exception:
                logging.getLogger(__name__).exception("the die-roller's %s was not taken", one.what)
