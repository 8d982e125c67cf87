"""Three nats-servers in a cluster, each killed in its turn while a table races: `python -m tests.hall.cluster`."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from companion.hall.broker import Broker
from companion.hall.carrier import Carrier
from companion.hall.intake import Intake
from companion.hall.membership import Membership
from tests.hall.logs import made, written
from tests.hall.network import free_port, until
from tests.hall.test_carrier import logged

SERVERS = 3


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[list[Broker]]:
    """Three servers that know one another; each keeps every stream."""
    routes = [free_port() for _ in range(SERVERS)]
    servers = []
    for at, own in enumerate(routes):
        others = [f"nats://127.0.0.1:{port}" for port in routes]
        more = {"cluster": {"name": "hall", "listen": f"127.0.0.1:{own}", "routes": others}}
        servers.append(Broker(folder / f"nats{at}", "127.0.0.1", free_port(), name=f"hall{at}", more=more))
    try:
        for server in servers:
            server.begin()
        yield servers
    finally:
        for server in servers:
            server.end()


def killed_in_turn(folder: Path, entries: int = 40) -> float:
    """Kills each of the three once, while a table writes; how many seconds the last entries were on their way. Raises
    AssertionError if anything is missing at race control."""
    log, written_ = made(entries * (SERVERS + 1)), entries
    with cluster(folder) as servers:
        addresses = [server.address for server in servers]
        intake = Intake(folder / "control", addresses, replicas=SERVERS)
        intake.begin()
        until(lambda: intake.connected, 60)
        written(folder / "table", log[:entries])
        carrier = Carrier(folder / "table", Membership(hall="hall", table="one", id="one", servers=addresses))
        carrier.begin()
        until(lambda: carrier.stand.line == "connected", 60)
        at = 0.0
        for server in servers:
            gone = server.pid
            os.kill(gone, signal.SIGKILL)
            at = time.monotonic()
            written(folder / "table", log[written_ : written_ + entries])
            written_ += entries
            until(lambda: len(logged(folder / "control/hall", log[0].log_id)) == written_, 90)  # noqa: B023
            until(lambda: server.pid != gone, 60)  # noqa: B023
        took = time.monotonic() - at
        assert logged(folder / "control/hall", log[0].log_id) == log
        carrier.end()
        intake.end()
    return took


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        print(f"nothing was missing; the last entries took {killed_in_turn(Path(temporary)):.1f} s")
