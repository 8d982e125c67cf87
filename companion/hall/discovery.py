"""Discovery of race control by mDNS: it announces its name, and tables listen."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from types import TracebackType
from typing import Final, NamedTuple, Self

from zeroconf import Error, ServiceBrowser, ServiceInfo, ServiceListener, Zeroconf

KIND: Final = "_companion-hall._tcp.local."


class HallAddress(NamedTuple):
    """The address of a hall's pages."""

    hall: str
    host: str
    port: int


class NetworkAnnouncement:
    """An announcement of race control on the network, until closed.

    Where the network carries no multicast, tables must be given the address.
    """

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
        """Stop announcing."""
        if self._line is not None:
            with contextlib.suppress(OSError, Error):
                self._line.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class _Listener(ServiceListener):
    def __init__(self) -> None:
        self.places: list[HallAddress] = []
        self.some = threading.Event()

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        info = zc.get_service_info(type_, name, 2000)
        if info is not None and info.port and info.addresses:
            hall = (info.properties or {}).get(b"hall") or b""
            place = HallAddress(hall.decode("utf-8", "replace"), socket.inet_ntoa(info.addresses[0]), info.port)
            self.places.append(place)
            self.some.set()

    def update_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        """Ignore an updated service."""

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        """Ignore a service that is gone: a hall that was found is asked anyway."""


OTHERS_SECONDS: Final = 0.5
"""Wait for other halls once one has answered, in seconds: on one network they answer the same question."""


def discover(seconds: float = 6.0) -> list[HallAddress]:
    """Return the halls heard within `seconds`.

    Once one is heard, others have half a second more.
    """
    heard = _Listener()
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
