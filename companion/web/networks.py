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
"""Why the system does not give a port, in our words."""
ADDRESS: Final = 0x8915
"""What asks Linux for the address of an interface (SIOCGIFADDR, netdevice(7))."""


def addresses() -> list[str]:
    """The addresses of this machine on its networks, the one that leads out first. Nobody else is asked: a hall's
    network may have no names and lead nowhere."""
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # it has none
                told = fcntl.ioctl(probe, ADDRESS, struct.pack("256s", name.encode()[:15]))
                found.append(socket.inet_ntoa(told[20:24]))
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which way would be taken
        found.insert(0, str(probe.getsockname()[0]))
    return [one for one in dict.fromkeys(found) if not one.startswith("127.")]


def listening(host: str, port: int, wrong: type[CompanionError] = CompanionError) -> socket.socket:
    """A socket that listens at that address and port. Raises `wrong` if they cannot be had."""
    try:
        return socket.create_server((host, port), backlog=256)
    except OSError as why:
        system = str(why.strerror).partition(" (while")[0]  # Python adds the address to the system's words
        reason = _REASONS.get(why.errno or 0, system)
        raise wrong(f"Port {port} of {host} cannot be had: {reason}.", "port", port=port, host=host) from why
