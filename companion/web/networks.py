"""The networks that this machine is on, and its ports on them."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import socket
import struct
from typing import Final

from companion.rules.conversation.errors import CompanionError

_REASONS: Final = {
    socket.EAI_NONAME: "no machine has that name",
    errno.EADDRINUSE: "another program uses it",
    errno.EADDRNOTAVAIL: "this machine has no such address",
    errno.EACCES: "only root may use it",
}
"""Reasons why the system refuses a port, in our words."""
SIOCGIFADDR: Final = 0x8915
"""Number of the ioctl that returns the address of an interface (netdevice(7))."""


def addresses() -> list[str]:
    """Return this machine's addresses on its networks, the outgoing one first.

    No name server is asked: a hall's network may have none and lead nowhere.
    """
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # it has none
                told = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found.append(socket.inet_ntoa(told[20:24]))
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which way would be taken
        found.insert(0, str(probe.getsockname()[0]))
    return [one for one in dict.fromkeys(found) if not one.startswith("127.")]


def listening(host: str, port: int, wrong: type[CompanionError] = CompanionError) -> socket.socket:
    """Return a socket that listens at an address and port.

    Raises `wrong` if they are unavailable.
    """
    try:
        return socket.create_server((host, port), backlog=256)
    except OSError as why:
        system = str(why.strerror).partition(" (while")[0]  # Python adds the address to the system's words
        reason = _REASONS.get(why.errno or 0, system)
        raise wrong("port", port=port, host=host, why=reason) from why
