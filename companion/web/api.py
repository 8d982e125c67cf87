"""The API of other programs, below /api/v1: races, live events, stored races, and the schema.

Both servers offer it, a table's for its own race and a hall's for each of its tables.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.desk.session import code_of
from companion.protocol.messages import TableMessage, schema
from companion.rules.conversation.errors import CompanionError
from companion.view.listing import Listing
from companion.web.feed import MARK, FeedChannel, standings_message, stored_races, stored_sheet
from companion.web.packed import Packed, pack
from companion.web.server import (
    PING,
    Query,
    Rates,
    RequestRefused,
    address_of,
    check_query,
    event_stream,
    is_language,
    language,
    sentence_response,
)
from companion.wording import Words

ROOT: Final = "/api/v1"
READ: Final[Query] = {"lang": is_language}
"""Query parameters of a request, each with its check."""
EVENTS: Final[Query] = {"since": lambda value: MARK.fullmatch(value) is not None, **READ}
"""Query parameters of a request for events, each with its check."""


class Source(Protocol):
    """The data that the answers are made from."""

    rates: Rates

    @property
    def closing(self) -> bool:
        """True once the server ends, and every stream with it."""

    @property
    def feed_refused(self) -> str:
        """The code of the reason why the API is closed, "" if it is open."""

    @property
    def folder(self) -> Path | None:
        """The folder of the stored races, or None."""

    async def feed(self, table: str, lang: str) -> FeedChannel | None:
        """Return the feed of a table's race, fresh, or None without a race.

        Raises RequestRefused if there is no such table.
        """

    def standings(self, lang: str) -> Listing | None:
        """Return the standings of the tournament or season, None without one."""

    def tables(self) -> list[TableMessage]:
        """Return the tables; none for a table that is alone."""

    def must_have_room(self, who: str) -> None:
        """Raise RequestRefused if an address, or all together, follow too much already."""

    def count_stream(self, who: str) -> AbstractContextManager[None]:
        """Count a follower while its stream is open."""


class Api:
    """The routes of the API."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def routes(self, race: str = "") -> list[Route]:
        """Return where each of them is; `race` is the path of a table's race in a hall."""
        answers = {
            f"{race}/race": self.race, f"{race}/events": self.events, "/races": self.races,
            "/races/{race}/sheet": self.sheet, "/standings": self.standings, "/schema": self.schema,
        }  # fmt: skip
        if race:
            answers["/tables"] = self.tables
        return [Route(ROOT + path, answer, name=f"api{path}") for path, answer in answers.items()]

    async def race(self, request: Request) -> Response:
        """Serve the whole race."""
        return (await self._feed(request)).race.response(request, "application/json")

    async def events(self, request: Request) -> Response:
        """Stream the events since an entry, and the whole race, whenever something happens."""
        await self._feed(request, EVENTS)
        who = address_of(request)
        self.source.must_have_room(who)
        since = request.headers.get("last-event-id") or request.query_params.get("since", "")
        return event_stream(request, self._follow(request, since, who))

    async def _follow(self, request: Request, have: str, who: str) -> AsyncIterator[bytes]:
        with self.source.count_stream(who), (await self._feed(request, EVENTS)).listened() as channel:
            version = -1
            yield b"retry: 1000\n\n"
            while not self.source.closing and not self.source.feed_refused:
                if channel.version != version:
                    message, have, version = channel.since(have), channel.mark, channel.version
                    yield message
                await channel.wait(PING)
                if channel.version == version:
                    yield b": still\n\n"

    async def _feed(self, request: Request, query: Query = READ) -> FeedChannel:
        self._check(request, query)
        found = await self.source.feed(request.path_params.get("table", ""), language(request))
        if found is None:
            raise RequestRefused(404, "no_race")
        return found

    async def schema(self, request: Request) -> Response:
        """Serve the JSON schema of all messages, whether there is a feed or not."""
        check_query(request, READ)
        return _schema().response(request, "application/schema+json", cache_control="max-age=3600")

    async def tables(self, request: Request) -> Response:
        """Serve the tables of a hall."""
        return await self._answer(request, self.source.tables)

    async def races(self, request: Request) -> Response:
        """Serve the list of stored races, the last one first."""
        folder = self.source.folder
        return await self._answer(request, lambda: stored_races(folder) if folder is not None else [])

    async def sheet(self, request: Request) -> Response:
        """Serve the race sheet of a stored race, by id or name.

        A race under way with hidden cards has none.
        """
        folder, race = self.source.folder, request.path_params["race"]
        return await self._answer(request, lambda: stored_sheet(folder, race) if folder is not None else None, "hidden")

    async def standings(self, request: Request) -> Response:
        """Serve the standings of the tournament or season."""
        lang = language(request)
        return await self._answer(request, lambda: standings_message(self.source.standings(lang)), "no_standings")

    async def _answer(self, request: Request, read: Callable[[], object], none: str = "not_there") -> Response:
        """Respond with data read from disk; `none` is the code for no data."""
        self._check(request)
        self.source.rates.take("made", address_of(request))
        try:
            found = await asyncio.to_thread(read)
        except CompanionError as wrong:
            lang = language(request)
            return sentence_response(request, 404, code_of(wrong), Words(lang).error(wrong))
        if found is None:
            raise RequestRefused(404, none)
        return Response(msgspec.json.encode(found), media_type="application/json")

    def _check(self, request: Request, query: Query = READ) -> None:
        if code := self.source.feed_refused:
            raise RequestRefused(403, code)
        check_query(request, query)


@functools.cache
def _schema() -> Packed:
    return pack(msgspec.json.encode(schema()))
