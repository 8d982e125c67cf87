"""Race control as it runs: a broker of its own, the ledger, the pages, and whatever follows from what comes in."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import uvicorn

from companion.desk.organising import collect
from companion.desk.record_desk import RecordDesk
from companion.hall.broker import FOLDER, PORT, Broker
from companion.hall.floor import Floor
from companion.hall.intake import Intake
from companion.hall.ledger import FOLDER as LEDGER
from companion.hall.ledger import Answer, Ledger
from companion.hall.members import Members
from companion.hall.server import HallServer
from companion.hall.shown import Shown, seen
from companion.rules.conversation.errors import CompanionError, LogError
from companion.sheets.entry import Entry
from companion.sheets.place import stamp
from companion.sheets.reading import entries, reading
from companion.sheets.records import kept_record, records
from companion.tournament.control import Control, Message, Opened, Word
from companion.tournament.season import Season
from companion.tournament.tournament import Tournament
from companion.view.standings import StandingsShown, standings
from companion.web.networks import listening
from companion.wording import LANGUAGES, Words

PAGES: Final = 8019
"""The port of race control's pages, the same every time."""
MOST: Final = 600
"""Connections at a time; more are turned away."""
MESSAGES: Final = 3
"""How many of the last messages stand on the wall."""


class RaceControl:
    """The hall of one data folder, from `begin` until `end`."""

    def __init__(
        self,
        folder: Path,
        *,
        name: str = "",
        host: str = "0.0.0.0",
        port: int = PORT,
        pages: int = PAGES,
        more: Mapping[str, object] | None = None,
    ) -> None:
        """Raises LogError if what is kept of the hall makes no sense."""
        self.folder, self.host, self.pages = folder, host, pages
        self.members, self.floor = Members(folder / FOLDER, name), Floor()
        self.broker = Broker(folder / FOLDER, host, port, users=self.members.users(), more=more)
        self.intake = Intake(
            folder, [self.broker.address], self.members.seed, names=self.members.name, new=self._came,
            left=self.members.revoke, begun=self.floor.begin,
        )  # fmt: skip
        self.server: HallServer | None = None
        self._uvicorn: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._stamp: tuple[int, ...] = (-1,)
        self._control: Control | None = None
        self._standings: dict[str, StandingsShown] = {}
        self._reading = threading.Lock()

    def begin(self) -> None:
        """Opens the hall. Raises NoBroker, CompanionError."""
        self.members.begin()
        self._open_day()
        self.broker.begin()
        try:
            self._serve()
        except BaseException:
            self.broker.end()
            raise
        self.members.changed = self.broker.allow
        self.intake.begin()

    def end(self) -> None:
        """Closes it; what it has stays."""
        self.intake.end()
        if self._uvicorn is not None and self._thread is not None and self.server is not None:
            self.server.ending = True
            self._uvicorn.should_exit = True
            self._thread.join(5)
        self.broker.end()

    # -- what the pages ask, from any thread

    def shown(self) -> Shown:
        """How the hall is now."""
        self._look()
        control = self._control
        said = [one for one in control.signed if isinstance(one.act, Message) and not one.act.table] if control else []
        told = tuple((one.by, one.act.text) for one in said[-MESSAGES:] if isinstance(one.act, Message))
        return seen(self.members, self.intake, self.floor, control, told, self._standings)

    def entries(self, log_id: str) -> list[Entry]:
        """A log of the ledger."""
        with reading(self.folder / LEDGER, check=False) as db:
            return list(entries(db, log_id))

    def speak(self, who: str, word: Word) -> None:
        """Race control says something. Raises CompanionError."""
        with self._reading, RecordDesk.resume(self.folder, Control) as desk:
            desk.act(word, by=who)

    # -- the machinery

    def _open_day(self) -> None:
        """Race control's own log, where there is none yet."""
        with contextlib.suppress(LogError), reading(self.folder, check=False) as db:
            if records(db, Control.KIND):
                return
        RecordDesk.begin(self.folder, Control, Opened(name=self.members.hall), by="race control").close()

    def _look(self) -> None:
        """Reads again what race control and its tournament or season have, if anything was written there."""
        with self._reading:
            if (found := stamp(self.folder)) == self._stamp:
                return
            self._stamp = found
            with contextlib.suppress(CompanionError):
                control = kept_record(self.folder, "last", Control.KIND).record
                self._control = control if isinstance(control, Control) else None
            for kind in (Tournament, Season):
                with contextlib.suppress(CompanionError):
                    record = kept_record(self.folder, "last", kind.KIND).record
                    if isinstance(record, Tournament | Season):
                        self._standings = {lang: standings(record, Words(lang)) for lang in LANGUAGES}

    def _came(self, ledger: Ledger, answer: Answer) -> None:
        """In the ledger's thread: something came in."""
        over = {name for name, race in self.floor.races.items() if race.over}
        self.floor.take(ledger, answer)
        if {name for name, race in self.floor.races.items() if race.over} - over:
            threading.Thread(target=self._collect, daemon=True).start()
        if self.server is not None:
            self.server.stir()

    def _collect(self) -> None:
        """A race is over: its result goes into the tournament or season that it was begun for."""
        with contextlib.suppress(CompanionError), self._reading, RecordDesk.resume(self.folder, Tournament) as cup:
            self._complain(collect(cup, self.folder / LEDGER)[1])
        with contextlib.suppress(CompanionError), self._reading, RecordDesk.resume(self.folder, Season) as season:
            self._complain(collect(season, self.folder / LEDGER)[1])

    @staticmethod
    def _complain(wrong: list[CompanionError]) -> None:
        for why in wrong:
            logging.getLogger(__name__).warning("%s", why)

    def _serve(self) -> None:
        """Opens the pages in a thread of their own. Raises CompanionError if the port cannot be had."""
        taken = listening(self.host, self.pages)
        self.pages = taken.getsockname()[1]
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._pages(taken, ready)), name="race control's pages", daemon=True
        )
        self._thread.start()
        ready.wait(10)

    async def _pages(self, taken: socket.socket, ready: threading.Event) -> None:
        server = HallServer(self)
        config = uvicorn.Config(
            server.app(), log_config=None, access_log=False, server_header=False, lifespan="off", ws="none", http="h11",
            loop="asyncio", limit_concurrency=MOST, timeout_keep_alive=5, timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=16384,
        )  # fmt: skip
        self._uvicorn, self.server = uvicorn.Server(config), server
        keeping = asyncio.create_task(server.keep())
        ready.set()
        try:
            await self._uvicorn.serve(sockets=[taken])
        finally:
            keeping.cancel()
