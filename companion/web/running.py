"""The server at work, in a thread of its own, for the time that its race is open."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.desk import DeskThread, RaceDesk
from companion.desk.auto_answer import go_alone
from companion.desk.session import Seat
from companion.view.seats.programs import Programs, may_have_odds
from companion.view.sight import Prices
from companion.web import PORT, server
from companion.web.api import Api
from companion.web.hub import Hub, ShotClockState, TableAccess
from companion.web.networks import listening
from companion.web.race_context import InHall
from companion.web.tokens import JoinCodes, Tokens

if TYPE_CHECKING:
    from companion.view.seats.odds import RaceOdds

T = TypeVar("T")

MOST, MOST_OF_ONE = 600, 100
"""Maximum number of connections, in total and for one address; one more closes the one that has been idle for
longest."""


class Connection(H11Protocol):
    """A connection, closed without a complete request in time, or when there are too many."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._answered = self.cycle
        self._since = self.loop.time()
        self._make_room()
        self.loop.call_later(server.PATIENCE, self._look)

    @property
    def _is_idle(self) -> bool:
        asked = self.cycle
        return asked is None or asked.response_complete

    def _make_room(self) -> None:
        """Close an idle connection if there are too many, of the same address first, else this one."""
        lines = [one for one in self.connections if isinstance(one, Connection) and not one.transport.is_closing()]
        own = [one for one in lines if one._address == self._address]
        crowd = own if len(own) > MOST_OF_ONE else lines if len(lines) > MOST else []
        if crowd:
            idle = (one for one in crowd if one._is_idle and one is not self)
            min(idle, key=lambda one: one._since, default=self).transport.close()

    @property
    def _address(self) -> str:
        return self.client[0] if self.client is not None else ""

    def _look(self) -> None:
        """Close the connection if it has answered nothing since the last look."""
        if self._is_idle and self.cycle is self._answered:
            self.transport.close()
        if not self.transport.is_closing():
            self._answered = self.cycle
            self.loop.call_later(server.PATIENCE, self._look)


def served(app: ASGIApp) -> uvicorn.Config:
    """Return the server's configuration.

    Connections that ask nothing are closed. The server's complaints, such as malformed requests, are not printed;
    faults of the program are reported by the program itself.
    """
    complaints = logging.getLogger("uvicorn")
    complaints.propagate = False
    if not complaints.handlers:
        complaints.addHandler(logging.NullHandler())  # with none at all Python writes to the terminal
    return uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, lifespan="off", ws="none", http=Connection,
        loop="asyncio", timeout_keep_alive=5, timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=16384, backlog=256,
    )  # fmt: skip


class Alone:
    """A race played on phones alone, its desk in a thread of its own."""

    def __init__(self, make: Callable[[], RaceDesk], *, odds: bool = False) -> None:
        self._thread = DeskThread(make)
        self._odds: RaceOdds | None = None
        if odds and self.see(may_have_odds).result():
            from companion.view.seats.odds import RaceOdds  # with the strong drivers

            self._odds = RaceOdds()
        self.programs = self.see(lambda desk: Programs(desk, lambda: self.see(self._go_on))).result()
        self.see(self._go_on).result()

    def see(self, look: Callable[[RaceDesk], T]) -> Future[T]:
        """Read in the desk's thread."""
        return self._thread.call(look)

    def act(self, do: Callable[[RaceDesk], None]) -> Future[None]:
        """Run an act, then everything that needs no person.

        If the disk fails in the latter, the act stands, and the rest is tried again after the next act.
        """
        done = self._thread.call(do)
        self.see(self._go_on)
        return done

    def _go_on(self, desk: RaceDesk) -> None:
        go_alone(desk, self.programs)

    def wins(self, desk: RaceDesk) -> Mapping[int, float]:
        """Return the odds, if they are wanted."""
        return self._odds.wins(desk, self.programs) if self._odds is not None else {}

    @property
    def has_odds(self) -> bool:
        """True if the wall shows the odds."""
        return self._odds is not None

    def call(self, n: int, seat: Seat) -> None:
        """Do nothing: there is no table to call."""

    def close(self) -> None:
        """Stop; the race can be resumed."""
        self.see(lambda _: self.programs.end())
        if self._odds is not None:
            self._odds.end()
        self._thread.close()


class Phones:
    """The pages of one race, open from `begin` to `end`."""

    def __init__(
        self,
        table: TableAccess,
        folder: Path | None,
        race: str,
        host: str,
        port: int = PORT,
        hall: InHall | None = None,
    ) -> None:
        self.tokens, self.host, self.port, self._hall = Tokens(folder, race), host, port, hall
        self._table = table
        self.hub: Hub | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(self) -> None:
        """Open the pages.

        Raises CompanionError if the address or port is unavailable.
        """
        taken = listening(self.host, self.port)
        self.port = taken.getsockname()[1]
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(taken, ready), name="phones", daemon=True)
        self._thread.start()
        ready.result()

    def end(self) -> None:
        """Close the pages."""
        if self._server is not None and self._thread is not None:
            if self.hub is not None and self._loop is not None:
                self._loop.call_soon_threadsafe(self.hub.end)
            self._server.should_exit = True
            self._thread.join(5)
            self._server = self._thread = None

    def revoke(self, seat: int) -> None:
        """Void a seat's token and notify its pages at once."""
        self.tokens.revoke(seat)
        self._have(lambda hub: hub.wake_seat(seat))

    def replace(self, seat: int) -> None:
        """Replace a seat's token; the old one becomes void."""
        self.tokens.replace(seat)
        self._have(lambda hub: hub.wake_seat(seat))

    @property
    def watching(self) -> int:
        """Number of open spectators' pages."""
        channels = dict(self.hub.channels) if self.hub is not None else {}
        return sum(channel.listeners for key, channel in channels.items() if key.kind != "drive")

    def offer(self, api: bool) -> None:
        """Start or stop offering the live feed to other programs."""
        self.tokens.api = api
        self._have(lambda hub: hub.wake())

    @property
    def feed_barred(self) -> bool:
        """True if race control has not allowed the live feed of this race."""
        return self.hub is not None and self.hub.feed_refused == "feed_barred"

    def clock(self, left: int, of: int, paused: bool) -> None:
        """Set the table's shot clock in seconds; `of` 0 removes it."""
        shot = ShotClockState(left, of, paused, time.monotonic()) if of else None
        self._have(lambda hub: hub.clock(shot))

    def follow(self, prices: Prices) -> None:
        """Show prices on phones as the table does."""
        self._have(lambda hub: hub.follow(prices))

    def _have(self, do: Callable[[Hub], None]) -> None:
        """Run a call in the server's loop, without waiting for it."""
        hub, loop = self.hub, self._loop
        if hub is not None and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(do, hub)

    def answering(self, drivers: bool) -> None:
        """Set whether drivers answer for themselves."""
        hub, loop = self.hub, self._loop
        if hub is not None and loop is not None:
            asyncio.run_coroutine_threadsafe(hub.answering(drivers), loop).result(5)

    @property
    def address(self) -> str:
        """The address of the pages."""
        return f"http://{self.host}:{self.port}/"

    def joining(self, code: JoinCodes) -> str:
        """Return the address with which one phone joins as a driver's.

        The code is in the fragment, which browsers do not send to any server.
        """
        return f"{self.address}drive#{code.read}"

    def drive(self, seat: int | str) -> str:
        """Return the address of a driver's page for any number of phones.

        The token is in the fragment.
        """
        return f"{self.address}drive#{self.tokens.of(int(seat) if str(seat).isdecimal() else 'referee')}"

    def _run(self, taken: socket.socket, ready: Future[None]) -> None:
        asyncio.run(self._serve(taken, ready))

    async def _serve(self, taken: socket.socket, ready: Future[None]) -> None:
        hub = Hub(self._table, self.tokens, self._hall)
        try:
            await hub.open()
        except BaseException as wrong:
            taken.close()
            ready.set_exception(wrong)
            return
        self.hub, self._loop = hub, asyncio.get_running_loop()
        pages = server.Server(hub)
        self._server = uvicorn.Server(served(pages.app(Api(pages).routes())))
        ready.set_result(None)
        try:
            await self._server.serve(sockets=[taken])
        finally:
            with contextlib.suppress(Exception):
                await hub.close()
            self.hub = self._loop = None
