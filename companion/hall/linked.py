"""A connection to the broker in a thread of its own, with its own loop: made again whenever it is lost."""

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
from companion.rules.conversation.errors import CompanionError

AGAIN: Final = 1.0
"""After how many seconds the next server is tried."""
PATIENCE: Final = 3
"""Seconds after which a server that does not answer is given up."""
OTHER: Final = "Race control shows another certificate than when this table joined, or none; join again by a new code."
ENDING: Final = 4.0
"""Seconds that are left to whatever is under way at the end."""


class Linked:
    """Works while there is a connection, from `begin` until `end`; `why` is what stands in its way, in English."""

    def __init__(self, servers: Sequence[str], seed: str, name: str, pin: str = "") -> None:
        self.why = ""
        self.trouble: CompanionError | None = None
        """What this program itself, its disk for one, has against it; None where it is the connection."""
        self._servers, self._seed, self._name, self._pin = itertools.cycle(servers), seed, name, pin
        self._ending = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stirred: asyncio.Event | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name=name, daemon=True)

    def begin(self) -> None:
        """Begins; returns at once."""
        self._thread.start()

    def end(self) -> None:
        """Ends, whatever is under way: it is sent again another day."""
        self._ending = True
        self.stir()
        if self._thread.is_alive():
            self._thread.join(ENDING)

    def stir(self) -> None:
        """From any thread: there is something to do."""
        if self._loop is not None and self._stirred is not None:
            with contextlib.suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(self._stirred.set)

    async def work(self, client: Client) -> None:
        """What is done while there is a connection; ends when that does."""
        raise NotImplementedError

    def opening(self) -> None:
        """What is done first, in the thread. Raises CompanionError: it is tried again then."""

    def between(self) -> None:
        """What is done now and then while there is none."""

    def ended(self) -> None:
        """What is done last, in the thread."""

    def goes_on(self, client: Client) -> bool:
        """Whether there is still a connection to work with."""
        return not self._ending and client.is_connected

    async def rest(self, seconds: float) -> None:
        """Waits, but no longer than until something stirs."""
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
                    self.why, self.trouble = str(wrong), wrong
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
