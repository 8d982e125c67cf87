"""Race control at work: its broker, ledger and pages, and the handling of incoming logs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeVar

import uvicorn

from companion.desk.record_desk import RecordDesk
from companion.hall import championship
from companion.hall.broker import FOLDER, PORT, Broker
from companion.hall.carrier import Carrier
from companion.hall.floor import Floor
from companion.hall.intake import Intake
from companion.hall.joining import PAGES
from companion.hall.ledger import Answer, Ledger
from companion.hall.members import Members, table_name
from companion.hall.membership import joined
from companion.hall.nats_client import ENDING
from companion.hall.pinned import make, pin, settings
from companion.hall.receiving import Claim, decide, received
from companion.hall.server import HallServer
from companion.hall.snapshot import HallSnapshot, Scales, take_snapshot
from companion.hall.starting import Waiting, events, numbered, start, waiting, with_assignments
from companion.hall.timing import TIMED, TRIALS, due, held_at, trials
from companion.rules.conversation.errors import BadEntry, CompanionError, LogError
from companion.sheets.entry import Entry
from companion.sheets.place import LEDGER, stamp
from companion.sheets.reading import entries, reading
from companion.sheets.records import last_record, records
from companion.tournament.control import Control, ControlAct, DayOpened, LogConfirmed, Message
from companion.tournament.record import RACE_CONTROL
from companion.tournament.season import Season
from companion.tournament.tournament import Tournament
from companion.view.events.standings import StandingsShown, standings
from companion.web.networks import listening
from companion.web.running import served
from companion.wording import LANGUAGES, Words

Event = TypeVar("Event", Tournament, Season)

AGAIN: Final = 1.0
"""Delay, in seconds, before results are brought in again if another program has the tournament open."""
WALL_MESSAGES: Final = 3
"""Number of the latest messages on the wall."""


class RaceControl:
    """The hall of one data folder, from `begin` to `end`."""

    def __init__(
        self,
        folder: Path,
        *,
        name: str = "",
        host: str = "0.0.0.0",
        port: int = PORT,
        pages: int = PAGES,
        encrypted: bool = False,
        halls: int = 0,
        api: bool = False,
        more: Mapping[str, object] | None = None,
    ) -> None:
        """Prepare the hall; `begin` opens it.

        A hall that was `encrypted` once stays so. `halls` is the port for other halls (0: none); with `api` other
        programs may follow the tables' races. Raises LogError for unreadable members, NoBroker if no certificate can be
        made.
        """
        self.folder, self.host, self.pages, self._api = folder, host, pages, api
        self.members, self.floor = Members(folder / FOLDER, name), Floor()
        if encrypted:
            make(folder / FOLDER)
        pinned = pin(folder / FOLDER)
        self.halls, above = halls, joined(folder / LEDGER)
        said = {**(more or {}), **({"tls": settings(folder / FOLDER)} if pinned else {})}
        said |= championship.settings(host, halls, above)
        self.broker = Broker(folder / FOLDER, host, port, users=self.members.users(), more=said)
        self.intake = Intake(
            folder, [self.broker.address], self.members.seed, names=self.members.name, new=self._came,
            left=self.members.revoke, begun=self.floor.begin, pin=pinned,
        )  # fmt: skip
        self.above = Carrier(folder / LEDGER, championship.through(above, self.broker, pinned)) if above else None
        """Uploader of the ledger to the championship that the hall is in."""
        self.server: HallServer | None = None
        self._uvicorn: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._stamp: tuple[int, ...] = (-1,)
        self._control: Control | None = None
        self._waiting: list[Waiting] = []
        self._trials: set[str] = set()
        self._scales: Scales = {}
        self._claims: dict[type[Tournament] | type[Season], list[Claim]] = {}
        self._overtaken: set[tuple[str, str]] = set()
        self._over, self._ended = threading.Event(), threading.Event()
        self._receiving = threading.Thread(target=self._receive, name="results", daemon=True)
        self._standings: dict[str, StandingsShown] = {}
        self._reading = threading.Lock()

    def begin(self) -> None:
        """Open the hall.

        Raises NoBroker, CompanionError.
        """
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
        if self.above is not None:
            self.above.begin()
        self._over.set()  # whatever came in before this program was started
        self._receiving.start()

    def end(self) -> None:
        """Close the hall, even if only part of it was opened; its data stays."""
        self._ended.set()
        self._over.set()
        if self.server is not None and self._uvicorn is not None:
            self.server.end()
            self._uvicorn.should_exit = True
        if self.above is not None:
            self.above.end()
        self.intake.end()
        for thread in (self._thread, self._receiving):
            if thread is not None and thread.is_alive():
                thread.join(ENDING)
        self.broker.end()

    # -- what the pages ask, from any thread

    def snapshot(self) -> HallSnapshot:
        """Return the state of the hall."""
        self._look()
        control = self._control
        said = [one for one in control.signed if isinstance(one.act, Message) and not one.act.table] if control else []
        told = tuple((one.by, one.act.text) for one in said[-WALL_MESSAGES:] if isinstance(one.act, Message))
        running = {(table, race.belongs) for table, race in self.floor.races.items() if race.belongs is not None}
        starts = with_assignments(self._waiting, control, running)
        found = take_snapshot(
            self.members,
            self.intake,
            self.floor,
            control,
            told,
            self._standings,
            starts,
            self._scales,
            self._trials,
            self._overtaken,
        )
        claims = tuple(claim for found in self._claims.values() for claim in found)
        feed = control is not None and control.allows_feed("")
        return found._replace(full=self.broker.full, claims=claims, feed=feed)

    def entries(self, log_id: str) -> list[Entry]:
        """Return a log of the ledger."""
        with reading(self.folder / LEDGER) as db:
            return list(entries(db, log_id))

    def speak(self, who: str, word: ControlAct) -> None:
        """Add a word to race control's day.

        Raises CompanionError.
        """
        with self._reading, RecordDesk.resume(self.folder, Control, memory=True) as desk:
            desk.act(word, by=who)
        if isinstance(word, LogConfirmed):
            self._over.set()

    def start(self, who: str, table: str, key: str, why: str = "") -> None:
        """Give a table a race of the tournament or season.

        With an empty `key`, give every waiting race of one event to the table of its number; with that of the trials,
        give them to all tables. `why` is the reason where the seats no longer hold. Raises CompanionError.
        """
        names = self.members.names()
        if key == TRIALS:
            for word in trials(self.folder, names):
                self.speak(who, word)
            return
        tables = {numbered(name): name for name in names}
        if key:
            begins = [(table_name(table), key)]
        else:
            races = [race for race in self.snapshot().starts
                     if not race.table and not race.runs and numbered(race.key) in tables]  # fmt: skip
            event = races[0].belongs[0] if races else ""
            begins = [(tables[numbered(race.key)], race.key) for race in races if race.belongs[0] == event]
            if not begins:
                raise LogError("no_table.race")
        for table, key in begins:
            if table not in names:
                raise LogError("no_table", table=table)
            self.speak(who, start(self.folder, table, key, by=who, why=why))

    def decide(self, who: str, log_id: str, end: str, why: str, *, take: bool) -> None:
        """Accept or reject the claimed result of a log that ends with this hash.

        Raises CompanionError.
        """
        end_of = (log_id, end)
        if not (self._decide(Tournament, end_of, who, why, take) or self._decide(Season, end_of, who, why, take)):
            raise BadEntry("decided_meanwhile")
        self._over.set()

    # -- the machinery

    def _decide(self, kind: type[Event], end: tuple[str, str], who: str, why: str, take: bool) -> bool:
        """Decide on the claim with that end, if the last event of a kind has it; return whether it has."""
        claims = self._claims.get(kind, [])
        for claim in claims:
            if claim.end == end:
                with RecordDesk.resume(self.folder, kind, memory=True) as desk:
                    decide(desk, claim, take=take, by=who, why=why)
                self._claims[kind] = [one for one in claims if one is not claim]
                return True
        return False

    def _open_day(self) -> None:
        """Begin race control's own log unless there is one."""
        with contextlib.suppress(LogError), reading(self.folder) as db:
            if records(db, Control.KIND):
                return
        opened = DayOpened(name=self.members.hall)
        RecordDesk.begin(self.folder, Control, opened, by=RACE_CONTROL, memory=True).close()

    def _look(self) -> None:
        """Reload race control's day and its events if anything was written."""
        with self._reading:
            if (found := stamp(self.folder)) == self._stamp:
                return
            self._stamp = found
            with contextlib.suppress(CompanionError):
                self._control = last_record(self.folder, Control)
            self._waiting, self._scales, self._trials, self._overtaken = [], {}, set(), set()
            self._standings = {}
            for kept in events(self.folder):
                record, before = kept.record, len(self._waiting)
                assert isinstance(record, Tournament | Season)
                self._standings = self._standings or {lang: standings(record, Words(lang)) for lang in LANGUAGES}
                self._waiting += waiting(kept)
                self._scales |= {(kept.listed.log_id, key): record.scale(key) for key in record.results}
                self._overtaken |= {
                    (kept.listed.log_id, key) for key in record.results if record.results[key].overtaken is not None
                }
                self._scales |= {race.belongs: record.scale(race.key) for race in self._waiting[before:]}
                self._waiting += due(kept, self._control)
                self._trials |= held_at(kept, self._control)

    def _came(self, ledger: Ledger, answer: Answer) -> None:
        """Handle a new answer, in the ledger's thread."""
        over = {name for name, race in self.floor.races.items() if race.over}
        timed = self.floor.take(ledger, answer) and any(
            one.kind in TIMED for one in ledger.entries(answer.log_id, answer.head.seq - answer.new + 1)
        )
        if timed or {name for name, race in self.floor.races.items() if race.over} - over:
            self._over.set()
        if self.server is not None:
            self.server.stir()

    def _receive(self) -> None:
        """Receive results whenever races end or are confirmed, in a thread of its own.

        If another program is writing there, it tries again later.
        """
        while self._over.wait() and not self._ended.is_set():
            self._over.clear()
            busy = self._bring_in(Tournament) | self._bring_in(Season)
            if self.server is not None:
                self.server.stir()
            if busy:
                self._ended.wait(AGAIN)
                self._over.set()

    def _bring_in(self, kind: type[Event]) -> bool:
        """Bring results into the tournament or season; return True if another program has it open."""
        try:
            with RecordDesk.resume(self.folder, kind, memory=True) as desk:
                found, self._claims[kind] = received(desk)
        except CompanionError as why:
            return why.code == "held"
        except Exception:  # a fault of this program, perhaps over what a table has sent: the rest goes on
            logging.getLogger(__name__).exception("what came from the tables")
            return False
        for one in found.wrong:
            logging.getLogger(__name__).warning("%s", one)
        return False

    def _serve(self) -> None:
        """Serve the pages in a thread of their own.

        Raises CompanionError if the port is unavailable.
        """
        taken = listening(self.host, self.pages)
        self.pages = taken.getsockname()[1]
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._pages(taken, ready)), name="race control's pages", daemon=True
        )
        self._thread.start()
        ready.wait(10)

    async def _pages(self, taken: socket.socket, ready: threading.Event) -> None:
        server = HallServer(self, api=self._api)
        self._uvicorn, self.server = uvicorn.Server(served(server.app())), server
        keeping = asyncio.create_task(server.keep())
        ready.set()
        try:
            await self._uvicorn.serve(sockets=[taken])
        finally:
            keeping.cancel()
