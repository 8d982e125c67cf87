"""Race control is found by mDNS, without anybody typing an address: it says its name, and tables listen for it."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from types import TracebackType
from typing import Final, NamedTuple, Self

from zeroconf import Error, ServiceBrowser, ServiceInfo, ServiceListener, Zeroconf

KIND: Final = "_companion-hall._tcp.local."


class Place(NamedTuple):
    """Where a hall's pages are."""

    hall: str
    host: str
    port: int


class Said:
    """Says where race control is, until it is closed. Where the network takes no multicast, nobody hears it, and
    tables are told the address."""

    def __init__(self, hall: str, addresses: list[str], port: int) -> None:
        self._line: Zeroconf | None = None
        name = "".join(letter if letter.isalnum() else "-" for letter in hall or "hall")[:40]
        with contextlib.suppress(OSError, Error):
            self._line = Zeroconf()
            info = ServiceInfo(
                KIND, f"{name}.{KIND}", port=port, addresses=[socket.inet_aton(one) for one in addresses],
                properties={"hall": hall[:200]}, server=f"{socket.gethostname()}.local.",
            )  # fmt: skip
            self._line.register_service(info, allow_name_change=True)

    def close(self) -> None:
        """Says no more."""
        if self._line is not None:
            with contextlib.suppress(OSError, Error):
                self._line.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class _Heard(ServiceListener):
    def __init__(self) -> None:
        self.places: list[Place] = []
        self.some = threading.Event()

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        info = zc.get_service_info(type_, name, 2000)
        if info is not None and info.port and info.addresses:
            hall = (info.properties or {}).get(b"hall") or b""
            place = Place(hall.decode("utf-8", "replace"), socket.inet_ntoa(info.addresses[0]), info.port)
            self.places.append(place)
            self.some.set()

    def update_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        """It is as it was."""

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        """Who was heard is asked all the same."""


OTHERS_SECONDS: Final = 0.5
"""How long other halls are waited for once one was heard: on one network they answer the same question."""


def found(seconds: float = 6.0) -> list[Place]:
    """Return the halls that are heard within `seconds`; once one is heard, others have half a second more."""
    heard = _Heard()
    try:
        line = Zeroconf()
    except (OSError, Error):
        return []
    try:
        ServiceBrowser(line, KIND, heard)
        if heard.some.wait(seconds):
            time.sleep(OTHERS_SECONDS)
    finally:
        line.close()
    return list(heard.places)
