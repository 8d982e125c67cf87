"""The port of the die-roller: opened when it is there, read in a thread of its own, and opened again after it was gone.

This is the one place where a serial port is opened. Nothing here waits for the race, and the race waits for nothing
here.
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
"""Bits a second, where the port is a real one; USB and pseudo-terminals do not mind."""
PAUSES: Final = (0.25, 5.0)
"""The first and the longest pause in seconds before the port is tried again."""
HELLO: Final = 5000
"""Milliseconds after which what is plugged in should have said hello."""
MUCH: Final = 1024
"""The most bytes that are taken at once."""


NOTHING: Final = "no_port"
"""The kind of the error that nothing is plugged in, which many tables live with."""


class NoPort(CompanionError):
    """A serial port that is not there, that somebody else has, or at which there is no die-roller."""


def opened(name: str) -> Any:
    """The serial port of a name or URL, ours alone; raises OSError (SerialException is one) or ValueError."""
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
    """Say why a port does not open, and what to do. Pyserial wraps the system's number in words of its own."""
    number, said = 0, ""
    for one in (wrong, wrong.__context__):
        match getattr(one, "args", ()):
            case (int(number), str(said)):
                break
    match number:
        case errno.ENOENT:
            return NoPort(
                f"There is nothing at {name}; plug the die-roller in, or name its port in wiring.toml.",
                "no_port",
                port=name,
            )
        case errno.EACCES:
            return NoPort(f"This user may not open {name}; add the user to the group dialout, and start anew.")
        case errno.EPERM:
            return NoPort(
                f"The system keeps {name} from the screen's service; sudo companion-appliance port lets it in."
            )
        case errno.EAGAIN | errno.EBUSY:
            return NoPort(
                f"Another program has {name}; end that one, such as companion roller test or a second screen."
            )
        case 0 | errno.ENOTTY | errno.EINVAL | errno.EISDIR:
            return NoPort(f"{name} is no serial port; name the die-roller's in wiring.toml.")
        case errno.EIO:
            return NoPort(f"The port {name} cannot be opened (it is gone).")
    return NoPort(f"The port {name} cannot be opened ({os.strerror(number) if number > 0 else said}).")


def no_roller(name: str) -> NoPort:
    """Say that a port is open and no die-roller is behind it."""
    return NoPort(
        f"What is at {name} does not speak as a die-roller does; companion roller test {name} says where it fails."
    )


def let_go(port: Any) -> None:
    """Closes a serial port; one that fails even at that, as a device that is gone may, is let go all the same."""
    try:
        port.close()
    except Exception as wrong:
        logging.getLogger(__name__).info("a serial port that does not close: %s", wrong)


def milliseconds() -> int:
    """A clock that only goes forward."""
    return time.monotonic_ns() // 1_000_000


class Bare:
    """A port with nothing that speaks over it, for the checks of a device. Raises NoPort."""

    def __init__(self, name: str) -> None:
        try:
            self._serial = opened(name)
        except (OSError, ValueError) as wrong:
            raise no_port(name, wrong) from wrong

    def send(self, data: bytes) -> None:
        self._serial.write(data)

    def read(self, ms: int) -> tuple[bytes, int]:
        """What has come, or comes within the twentieth of a second; and how many milliseconds that took."""
        since = milliseconds()
        data: bytes = self._serial.read(1)
        data += self._serial.read(self._serial.in_waiting)
        return data, milliseconds() - since

    def close(self) -> None:
        let_go(self._serial)


class Port(Running):
    """Keeps a die-roller's link over the port `name`. In the port's thread `tell(news)` is called, and `shut()` when
    there is another reason why no roller is there: `complaint`."""

    def __init__(self, name: str, tell: Callable[[News], object], shut: Callable[[], object] = lambda: None) -> None:
        self.name, self._tell, self._shut = name, tell, shut
        self.complaint: NoPort | None = None
        self.link = Link(self._write, random.randrange(LAST))
        self._serial: Any = None
        self._wanted: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
        super().__init__("die-roller")

    def want(self, n: int, die: str) -> None:
        """Question `n` asks for a die; "" for none. From any thread, and at once."""
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
            self._asked()
            self._over.wait(pause * random.uniform(0.8, 1.2))
            pause = min(pause * 2, PAUSES[1])

    def _talk(self) -> bool:
        """Talks as long as there is somebody; whether anybody was there."""
        was = False
        try:
            self._serial = opened(self.name)
            self.link.open(milliseconds())
            silent = milliseconds()
            while not self._over.is_set():
                self._asked()
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
        """Keep why there is no roller; None when there is one."""
        changed, self.complaint = str(why) != str(self.complaint), why
        if changed and not self._over.is_set():
            try:
                self._shut()
            except Exception:
                logging.getLogger(__name__).exception("why there is no die-roller was not taken")

    def _asked(self) -> None:
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
