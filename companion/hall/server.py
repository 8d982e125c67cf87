"""Race control's server: its pages and their events, the acts on them, and joining tables.

Anybody on the hall's network may look; to say something takes a code of one's own; a table that joins, the code
that was made for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Set
from importlib import resources
from pathlib import Path
from typing import Final, ParamSpec, Protocol

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from companion.desk.session import code_of
from companion.hall.broker import Broker
from companion.hall.changing import change_of, sight_of, values_of
from companion.hall.feeds import TableFeeds
from companion.hall.floor import Floor, RaceSeen
from companion.hall.intake import Intake
from companion.hall.members import Members
from companion.hall.pages import PARTS, HallWriter, Many, Parts
from companion.hall.pinned import pin
from companion.hall.snapshot import HallSnapshot, TableSeen
from companion.protocol.messages import TableMessage
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.sheets.entry import Entry
from companion.sheets.place import LEDGER
from companion.tournament.control import CallRuled, ControlAct, FeedAllowed, LogConfirmed, Message
from companion.view.listing import Listing
from companion.view.markup import Html
from companion.web.api import Api
from companion.web.art import icon, typeface
from companion.web.feed import FeedChannel
from companion.web.packed import Packed, pack
from companion.web.race_context import RaceContext
from companion.web.server import (
    HANDLERS,
    Guard,
    Rates,
    RequestRefused,
    address_of,
    body_of,
    event_stream,
    language,
    sentence_response,
)
from companion.wording import LANGUAGES, Words

P = ParamSpec("P")

STREAMS, STREAMS_OF_ONE = 400, 100
"""Maximum number of open pages, in all and for one address."""
PING: Final = 2.0
"""Interval, in seconds, at which a page is told that nothing is new."""
REST: Final = 0.02
"""Pause after pages were rendered, in seconds: what comes meanwhile is shown together."""
ANYWAY: Final = 1.0
"""Interval between checks for tables that have gone quiet, in seconds."""


class RaceControlAccess(Protocol):
    """Race control as the pages use it, from any thread."""

    members: Members
    folder: Path
    halls: int
    broker: Broker
    intake: Intake
    floor: Floor

    def snapshot(self) -> HallSnapshot:
        """Return the state of the hall."""

    def entries(self, log_id: str) -> list[Entry]:
        """Return a log of the ledger."""

    def speak(self, who: str, word: ControlAct) -> None:
        """Add a word to race control's day.

        Raises CompanionError.
        """

    def start(self, who: str, table: str, key: str, why: str = "") -> None:
        """Give a table a race, or each waiting race the table of its number.

        Raises CompanionError.
        """

    def decide(self, who: str, log_id: str, end: str, why: str, *, take: bool) -> None:
        """Accept or reject a claimed result.

        Raises CompanionError.
        """


class PageContent:
    """The content of one kind of page in one language; `version` counts the changes."""

    def __init__(self) -> None:
        self.version, self.listeners = 0, 0
        self.parts: Parts = {}
        self._since: dict[str, int] = {}
        """Version in which each part, and each piece of one, last changed."""
        self._messages: dict[int, bytes] = {}

    def show(self, parts: Parts) -> bool:
        """Update the content; return True if it changed."""
        changed: list[str] = []
        for name, html in parts.items():
            old = self.parts.get(name)
            if html == old:
                continue
            if isinstance(html, Many) and isinstance(old, Many) and list(html.pieces) == list(old.pieces):
                changed += [one for one, piece in html.pieces.items() if old.pieces[one] != piece]
            else:
                changed.append(name)
        if changed:
            self.version += 1
            self.parts, self._messages = parts, {}
            self._since.update(dict.fromkeys(changed, self.version))
        return bool(changed)

    def since(self, version: int) -> bytes:
        """Return what changed since a version, -1 for all.

        The message is built once for all pages that wait for it.
        """
        if version not in self._messages:
            changed: dict[str, Html] = {}
            for name, html in self.parts.items():
                if self._since[name] > version:
                    changed[name] = html
                elif isinstance(html, Many):
                    changed |= {one: it for one, it in html.pieces.items() if self._since.get(one, 0) > version}
            self._messages[version] = _message(self.version, changed)
        return self._messages[version]


class HallServer:
    """The requests to race control's pages.

    Lives in one event loop; `stir` may be called from any thread.
    """

    def __init__(self, control: RaceControlAccess, *, api: bool = False) -> None:
        """Set up the server; with `api`, other programs may follow the tables' races."""
        self.control, self.rates, self._api = control, Rates(), api
        self._feeds = TableFeeds(control.floor, control.entries)
        self.ending = False
        self._writers = {lang: HallWriter(lang) for lang in LANGUAGES}
        self._channels = {(kind, lang): PageContent() for kind in PARTS for lang in LANGUAGES}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._dirty, self._turn = asyncio.Event(), asyncio.Event()
        self._streams: Counter[str] = Counter()
        self._pages: dict[tuple[str, str], tuple[float, Packed]] = {}
        self._files = _files()

    def app(self) -> Starlette:
        """Return the ASGI application."""
        acts = {
            "/join": self.join, "/code": self.code, "/revoke": self.revoke, "/say": self.say, "/come": self.come,
            "/rule": self.rule, "/confirm": self.confirm, "/start": self.start, "/set": self.set,
            "/take": self.take, "/keep": self.keep_first, "/feed": self.allow_feed,
        }  # fmt: skip
        routes = [
            Route("/", self.page), Route("/wall", self.page), Route("/control", self.page),
            Route("/log/{log_id}", self.log), Route("/change/{log_id}", self.change), Route("/events", self.events),
            *(Route(path, act, methods=["POST"]) for path, act in acts.items()),
            *(Route(path, self.file) for path in self._files), *Api(self).routes("/tables/{table}"),
        ]  # fmt: skip
        guard = Middleware(Guard, rates=self.rates)
        return Starlette(
            routes=routes,
            middleware=[guard, Middleware(GZipMiddleware, minimum_size=600)],
            exception_handlers={**HANDLERS, CompanionError: _refusal},
        )

    def stir(self) -> None:
        """Mark the pages as out of date; may be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed)

    def _changed(self) -> None:
        """Mark the pages as out of date, in the loop."""
        self._pages.clear()
        self._dirty.set()

    def end(self) -> None:
        """End every page's stream; may be called from any thread."""
        self.ending = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake)

    async def keep(self) -> None:
        """Keep the pages up to date."""
        self._loop = asyncio.get_running_loop()
        while not self.ending:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._dirty.wait(), ANYWAY)
            self._dirty.clear()
            with contextlib.suppress(CompanionError):
                self.control.members.look()
            if any(channel.listeners for channel in self._channels.values()):
                try:
                    self._fresh(self.control.snapshot())
                except Exception:  # a fault of this program: the pages stay as they were until something else changes
                    logging.getLogger(__name__).exception("race control's pages")
                await asyncio.sleep(REST)
            await self._feeds.look()

    def _fresh(self, shown: HallSnapshot) -> None:
        new = [
            channel.show(self._writers[lang].parts(kind, shown))
            for (kind, lang), channel in self._channels.items() if channel.listeners
        ]  # fmt: skip
        if any(new):
            self.wake()

    def wake(self) -> None:
        """Wake every page."""
        self._turn.set()
        self._turn = asyncio.Event()
        if self.ending:
            self._feeds.wake()

    # -- what is read

    async def page(self, request: Request) -> Response:
        """Serve a whole page."""
        kind, lang = "control" if request.url.path == "/control" else "wall", language(request)
        at, made = self._pages.get((kind, lang), (-math.inf, None))
        if made is None or time.monotonic() - at > ANYWAY:
            writer = self._writers[lang]
            made = pack(writer.page(kind, writer.parts(kind, self.control.snapshot())))
            self._pages[kind, lang] = time.monotonic(), made
        return made.response(request)

    async def log(self, request: Request) -> Response:
        """Serve a table's log, entry by entry."""
        _, race = self._race(request.path_params["log_id"])
        self.rates.take("made", address_of(request))
        entries = await asyncio.to_thread(self.control.entries, race.log_id)
        return HTMLResponse(self._writers[language(request)].log(race, entries))

    async def change(self, request: Request) -> Response:
        """Serve the page that corrects a table's race, or a car in it."""
        table, race = self._race(request.path_params["log_id"])
        lang, car = language(request), _car(request.query_params.get("car", ""))
        self.rates.take("made", address_of(request))

        def write() -> str:
            sight = sight_of(self.control.entries(race.log_id), lang)
            return self._writers[lang].change(table, race, values_of(sight, car), car)

        return HTMLResponse(await asyncio.to_thread(write))

    def _race(self, log_id: str) -> tuple[str, RaceSeen]:
        """Return the race of a log and its table.

        Raises RequestRefused if it is not under way at any.
        """
        for table, race in self.control.floor.races.items():
            if race.log_id == log_id:
                return table, race
        raise RequestRefused(404, "not_there")

    async def file(self, request: Request) -> Response:
        """Serve a file that is constant while the program runs."""
        made, kind = self._files[request.url.path]
        return made.response(request, kind, cache_control="max-age=3600")

    async def events(self, request: Request) -> Response:
        """Stream the parts of a page whenever they change."""
        kind = request.query_params.get("page", "wall")
        if kind not in PARTS:
            raise RequestRefused(404, "not_there")
        who = address_of(request)
        self.must_have_room(who)
        return event_stream(request, self._stream(self._channels[kind, language(request)], who))

    async def _stream(self, channel: PageContent, who: str) -> AsyncIterator[bytes]:
        have = -1
        with self.count_stream(who):
            channel.listeners += 1
            self._dirty.set()
            try:
                while not self.ending:
                    if channel.version != have and channel.parts:
                        message, have = channel.since(have), channel.version
                        yield message
                    turn = self._turn
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(turn.wait(), PING)
                    if channel.version == have or not channel.parts:
                        yield b": still\n\n"
            finally:
                channel.listeners -= 1

    def must_have_room(self, who: str) -> None:
        """Raise RequestRefused if an address, or all together, have too many pages open already."""
        if self._streams.total() >= STREAMS or self._streams[who] >= STREAMS_OF_ONE:
            raise RequestRefused(503, "full")

    @contextlib.contextmanager
    def count_stream(self, who: str) -> Iterator[None]:
        """Count a page as long as it is open."""
        self._streams[who] += 1
        try:
            yield
        finally:
            self._streams -= Counter({who: 1})

    # -- what other programs read, see companion.web.api

    @property
    def closing(self) -> bool:
        """True once the server is ending."""
        return self.ending

    @property
    def feed_refused(self) -> str:
        """The code of the reason why there is no live feed, "" if there is one."""
        return "" if self._api else "feed_off"

    @property
    def folder(self) -> Path:
        """The ledger's folder."""
        return self.control.folder / LEDGER

    async def feed(self, table: str, lang: str) -> FeedChannel | None:
        """Return the live feed of a table's race, or None before one has begun.

        Raises RequestRefused for a table that the hall does not have.
        """
        found = await self._feeds.feed(table, lang)
        if found is None and table not in (one.table for one in await asyncio.to_thread(self.tables)):
            raise RequestRefused(404, "no_table", table=table)
        return found

    def standings(self, lang: str) -> Listing | None:
        """Return the standings of the hall's last tournament or season, or None."""
        return RaceContext(self.control.folder, None, None).standings(lang)

    def tables(self) -> list[TableMessage]:
        """Return the tables and the progress of their races."""
        return [_table_message(one) for one in self.control.snapshot().tables]

    # -- what is said

    async def join(self, request: Request) -> Response:
        """Admit a table by its code."""
        members, broker = self.control.members, self.control.broker
        said = await self._said(request, {"code", "key"}, {"hall"})
        try:
            table, name = members.join(said["code"], said["key"], hall="hall" in said and bool(self.control.halls))
        except CompanionError:
            self.rates.take("wrong", address_of(request))
            raise
        self.stir()
        given = {
            "id": table, "table": name, "hall": members.hall, "port": broker.port, "pin": pin(broker.folder),
            "halls": self.control.halls, "leaf": members.all()[table].leaf,
        }  # fmt: skip
        return JSONResponse(given)

    async def code(self, request: Request) -> Response:
        """Issue a new code for a table."""
        self._who(request)
        said = await self._said(request, {"name"})
        return JSONResponse({"told": self.control.members.code(said["name"]), "stays": True})

    async def revoke(self, request: Request) -> Response:
        """Remove a table from the hall."""
        self._who(request)
        said = await self._said(request, {"table"})
        self.control.members.revoke(said["table"])
        self.stir()
        return JSONResponse({})

    async def come(self, request: Request) -> Response:
        """Tell a table that somebody answers its call."""
        who, said = self._who(request), await self._said(request, {"table"})
        self.control.intake.comes(said["table"], who)
        self.stir()
        return JSONResponse({})

    async def say(self, request: Request) -> Response:
        """Send a text message to every table."""
        who, said = self._who(request), await self._said(request, {"text"})
        return await self._done(request, self.control.speak, who, Message(text=said["text"]))

    async def allow_feed(self, request: Request) -> Response:
        """Allow or forbid the tables to offer the live feed of their races."""
        who, said = self._who(request), await self._said(request, {"allowed"})
        if said["allowed"] not in ("on", "off"):
            raise RequestRefused(400, "bad_request")
        return await self._done(request, self.control.speak, who, FeedAllowed(allowed=said["allowed"] == "on"))

    async def rule(self, request: Request) -> Response:
        """Send a ruling on a call."""
        who, said = self._who(request), await self._said(request, {"table", "log", "about", "text"})
        name, about = self.control.members.name(said["table"]) or "", said["about"]
        ruled = CallRuled(
            table=name, log_id=said["log"], text=said["text"], about=int(about) if about.isdecimal() else 0
        )
        return await self._done(request, self.control.speak, who, ruled)

    async def set(self, request: Request) -> Response:
        """Send a correction of a table's race, after trying it."""
        who, said = self._who(request), await self._said(request, {"log", "car", "text"}, of=("value.",))
        table, race = self._race(said["log"])
        fields = {name.removeprefix("value."): text for name, text in said.items() if name.startswith("value.")}

        def tried() -> CallRuled:
            sight = sight_of(self.control.entries(race.log_id), language(request))
            change = change_of(sight, _car(said["car"]), fields, who, said["text"])
            return CallRuled(table=table, log_id=race.log_id, text=said["text"], change=change)

        return await self._done(request, self.control.speak, who, await asyncio.to_thread(tried))

    async def confirm(self, request: Request) -> Response:
        """Confirm a result as one of two people.

        The second may use the first one's page with his own code.
        """
        said = await self._said(request, {"log", "seq", "hash"}, {"code"})
        who = self.control.members.person(said.get("code", "")) if said.get("code") else self._who(request)
        if who is None:
            self.rates.take("wrong", address_of(request))
            raise RequestRefused(401, "token")
        meant = (said["log"], said["seq"], said["hash"])
        for table, race in self.control.floor.races.items():
            if (race.log_id, str(race.seq), race.hash) == meant:
                result = LogConfirmed(table=table, log_id=race.log_id, seq=race.seq, hash=race.hash)
                return await self._done(request, self.control.speak, who, result)
        raise RequestRefused(409, "stale")

    async def take(self, request: Request) -> Response:
        """Accept a claimed result, with a reason."""
        who, said = self._who(request), await self._said(request, {"log", "hash", "text"})
        return await self._done(request, self.control.decide, who, said["log"], said["hash"], said["text"], take=True)

    async def keep_first(self, request: Request) -> Response:
        """Reject a claimed result and keep the first one."""
        who, said = self._who(request), await self._said(request, {"log", "hash"})
        return await self._done(request, self.control.decide, who, said["log"], said["hash"], "", take=False)

    async def start(self, request: Request) -> Response:
        """Start a race at a table, or each at the table of its number.

        A reason is needed where the seats no longer hold.
        """
        who, said = self._who(request), await self._said(request, {"table", "race"}, {"why"})
        why = said.get("why", "")
        return await self._done(request, self.control.start, who, said["table"], said["race"], why)

    async def _done(self, request: Request, act: Callable[P, None], *given: P.args, **more: P.kwargs) -> Response:
        """Run an act of race control in another thread and respond."""
        await asyncio.to_thread(act, *given, **more)
        self.stir()
        return JSONResponse({"told": Words(language(request)).screen("hall.done")})

    def _who(self, request: Request) -> str:
        """Return the official whose code a request bears.

        Raises RequestRefused for an invalid code.
        """
        kind, _, code = request.headers.get("authorization", "")[:100].partition(" ")
        who = self.control.members.person(code) if kind == "Bearer" else None
        if who is None:
            self.rates.take("wrong", address_of(request))
            raise RequestRefused(401, "token")
        return who

    async def _said(
        self, request: Request, wanted: Set[str], also: Set[str] = frozenset(), of: tuple[str, ...] = ()
    ) -> Mapping[str, str]:
        """Return the body of a request, checked to be an object of texts.

        `wanted` are the required names, `also` the optional ones, `of` prefixes of further ones. Raises RequestRefused.
        """
        said: Mapping[str, Json] = await body_of(request)
        there = {name for name in said if not name.startswith(of)}
        if not wanted <= there <= wanted | also or not all(isinstance(one, str) for one in said.values()):
            raise RequestRefused(400, "bad_request")
        return {name: str(one) for name, one in said.items()}


def _table_message(seen: TableSeen) -> TableMessage:
    race = seen.race
    if race is None:
        return TableMessage(table=seen.name, state=seen.state)
    return TableMessage(
        table=seen.name, state=seen.state, race=race.log_id, name=race.name, track=race.track, seq=race.seq,
        lap=race.lap, laps=race.laps, over=race.over,
    )  # fmt: skip


def _car(text: str) -> int | None:
    """Return the car of a query or a form, None for the race itself."""
    return int(text) if text.isdecimal() and len(text) < 9 else None


async def _refusal(request: Request, wrong: Exception) -> Response:
    """Return the response for a refusal, as a sentence."""
    assert isinstance(wrong, CompanionError)
    return sentence_response(request, 409, code_of(wrong), Words(language(request)).error(wrong))


def _message(version: int, parts: Parts) -> bytes:
    told = json.dumps({"at": time.time(), "parts": parts}, ensure_ascii=False, separators=(",", ":"))
    return f"id: {version}\ndata: {told}\n\n".encode()


def _files() -> dict[str, tuple[Packed, str]]:
    """Return the static files by path."""
    own = resources.files("companion.hall")
    drawn = icon("logo").replace('<svg class="i"', '<svg xmlns="http://www.w3.org/2000/svg"')
    made = {
        "/hall.js": (own.joinpath("hall.js").read_bytes(), "text/javascript"),
        "/hall.css": (own.joinpath("hall.css").read_bytes(), "text/css"),
        "/icon.svg": (drawn.replace('class="f"', 'fill="#D4101C"').encode(), "image/svg+xml"),
        "/500.woff": (typeface(500), "font/woff"),
        "/700.woff": (typeface(700), "font/woff"),
    }
    return {path: (pack(one), kind) for path, (one, kind) in made.items()}
