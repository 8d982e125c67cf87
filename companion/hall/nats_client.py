"""A connection to the broker in its own thread and event loop, renewed whenever it is lost."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import ssl
import threading
from collections.abc import Sequence
from typing import Final

from nats.aio.client import Client
from nats.errors import Error as NatsError

from companion.hall.keys import public, signed
from companion.hall.pinned import trusting
from companion.rules.conversation.errors import CompanionError, error_text

AGAIN: Final = 1.0
"""Delay before the next server is tried, in seconds."""
PATIENCE: Final = 3
"""Time limit for a server to answer, in seconds."""
OTHER: Final = error_text(CompanionError("other_certificate"))
ENDING: Final = 4.0
"""Time limit at the end for whatever is under way, in seconds."""


class NatsClient:
    """A worker that runs while there is a connection, from `begin` to `end`.

    `why` is the error that prevents it, as `written`.
    """

    def __init__(self, servers: Sequence[str], seed: str, name: str, pin: str = "") -> None:
        self.why = ""
        self.trouble: CompanionError | None = None
        """Error of this program itself, such as its disk's; None where the connection is at fault."""
        self._servers, self._seed, self._name, self._pin = itertools.cycle(servers), seed, name, pin
        self._ending = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stirred: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name=name, daemon=True)

    def begin(self) -> None:
        """Start the thread and return at once."""
        self._thread.start()

    def end(self) -> None:
        """Stop; unsent entries are sent after the next start."""
        self._ending = True
        self.stir()
        if self._thread.is_alive():
            self._thread.join(ENDING)

    def stir(self) -> None:
        """Wake the worker; may be called from any thread."""
        if self._loop is not None and self._stirred is not None:
            with contextlib.suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(self._stirred.set)

    async def work(self, client: Client) -> None:
        """Work while there is a connection; return when it ends."""
        raise NotImplementedError

    def opening(self) -> None:
        """Prepare, in the thread, before connecting.

        A CompanionError makes it try again later.
        """

    def between(self) -> None:
        """Work periodically while there is no connection."""

    def ended(self) -> None:
        """Clean up, in the thread, at the end."""

    def goes_on(self, client: Client) -> bool:
        """Return True while the connection is usable and the thread is not ending."""
        return not self._ending and client.is_connected

    async def rest(self, seconds: float) -> None:
        """Wait some seconds, or until woken."""
        assert self._stirred is not None
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stirred.wait(), seconds)
        self._stirred.clear()

    async def _run(self) -> None:
        self._loop, self._stirred = asyncio.get_running_loop(), asyncio.Event()
        opened = False
        try:
            while not self._ending:
                try:
                    if not opened:
                        self.opening()
                        opened = True
                    await self._once()
                except ssl.SSLError:
                    self.why = OTHER
                except CompanionError as wrong:
                    self.why, self.trouble = error_text(wrong), wrong
                except (NatsError, OSError, TimeoutError) as wrong:
                    self.why, self.trouble = str(wrong) or type(wrong).__name__, None
                except Exception as wrong:  # a fault of this program: the race at the table goes on all the same
                    logging.getLogger(__name__).exception("the hall's line")
                    self.why = type(wrong).__name__
                self.between()
                if not self._ending:
                    await self.rest(AGAIN)
        finally:
            self.ended()

    async def _once(self) -> None:
        async def told(wrong: Exception) -> None:
            logging.getLogger(__name__).debug("nats: %r", wrong)

        client, seed = Client(), self._seed
        sign = (lambda nonce: signed(seed, nonce)) if seed else None
        if seed:  # nats-py would want a package for this that has no wheel
            client._public_nkey = public(seed)
        trust = trusting(self._pin) if self._pin else None
        try:
            await client.connect(
                next(self._servers), name=self._name, signature_cb=sign,
                allow_reconnect=False, connect_timeout=PATIENCE, ping_interval=PATIENCE, max_outstanding_pings=2,
                error_cb=told, tls=trust, tls_hostname="hall" if trust else None,
            )  # fmt: skip
            if trust and not client._server_info.get("tls_required"):
                raise ssl.SSLError
            self.why, self.trouble = "", None
            await self.work(client)
        finally:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(client.close(), PATIENCE)
