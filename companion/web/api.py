"""What other programs read, below /api/v1: a race, its events as they happen, what is stored, and the types of it all.

Both servers offer it, a table's for its own race and a hall's for each of its tables.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from companion.desk.session import code_of
from companion.protocol.messages import TableMessage, schema
from companion.rules.conversation.errors import CompanionError
from companion.view.commissioner.listings import Listing
from companion.web.feed import FeedChannel, standings_message, stored_races, stored_sheet
from companion.web.packed import Packed, pack
from companion.web.server import PING, Rates, Refused, address_of, language, sentence_response
from companion.wording import Words

ROOT = "/api/v1"


class Source(Protocol):
    """What the answers are made from."""

    rates: Rates

    @property
    def closing(self) -> bool:
        """True once the server ends, and every stream with it."""

    @property
    def feed_refused(self) -> str:
        """The code that says why nothing is read here, "" where something is."""

    @property
    def folder(self) -> Path | None:
        """The folder in which races are stored, if there is one."""

    async def feed(self, table: str, lang: str) -> FeedChannel | None:
        """Return the feed of a table's race, fresh; None where there is no race."""

    def standings(self, lang: str) -> Listing | None:
        """Return the standings of the tournament or season, None without one."""

    def tables(self) -> list[TableMessage]:
        """Return the tables; none for a table that is alone."""

    def must_have_room(self, who: str) -> None:
        """Raise Refused if an address, or all together, follow too much already."""

    def counted(self, who: str) -> AbstractContextManager[None]:
        """Count one who follows, as long as it is open."""


class Api:
    """The answers."""

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
        """The whole race."""
        return (await self._feed(request)).race.response(request, "application/json")

    async def events(self, request: Request) -> Response:
        """The events since an entry, and the whole race, whenever something happens."""
        await self._feed(request)
        who = address_of(request)
        self.source.must_have_room(who)
        since = request.headers.get("last-event-id") or request.query_params.get("since", "")
        stream = self._follow(request, since, who)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def _follow(self, request: Request, have: str, who: str) -> AsyncIterator[bytes]:
        with self.source.counted(who), (await self._feed(request)).listened() as channel:
            version = -1
            yield b"retry: 1000\n\n"
            while not self.source.closing and not self.source.feed_refused:
                if channel.version != version:
                    message, have, version = channel.since(have), channel.mark, channel.version
                    yield message
                await channel.wait(PING)
                if channel.version == version:
                    yield b": still\n\n"

    async def _feed(self, request: Request) -> FeedChannel:
        self._must_be_open()
        found = await self.source.feed(request.path_params.get("table", ""), language(request))
        if found is None:
            raise Refused(404, "not_there")
        return found

    async def schema(self, request: Request) -> Response:
        """The types of all that is read here."""
        self._must_be_open()
        return _schema().response(request, "application/schema+json", cache_control="max-age=3600")

    async def tables(self, request: Request) -> Response:
        """The tables of a hall."""
        return await self._answer(request, self.source.tables)

    async def races(self, request: Request) -> Response:
        """The stored races, the last one first."""
        folder = self.source.folder
        return await self._answer(request, lambda: stored_races(folder) if folder is not None else [])

    async def sheet(self, request: Request) -> Response:
        """The race sheet of a stored race, by its id or its name; none of a race that goes on with hidden cards."""
        folder, race = self.source.folder, request.path_params["race"]
        return await self._answer(request, lambda: stored_sheet(folder, race) if folder is not None else None)

    async def standings(self, request: Request) -> Response:
        """The standings of the tournament or season."""
        lang = language(request)
        return await self._answer(request, lambda: standings_message(self.source.standings(lang)))

    async def _answer(self, request: Request, read: Callable[[], object]) -> Response:
        """Answer with what is read from the disk."""
        self._must_be_open()
        self.source.rates.take("made", address_of(request))
        try:
            found = await asyncio.to_thread(read)
        except CompanionError as wrong:
            lang = language(request)
            return sentence_response(request, 404, code_of(wrong), Words(lang).error(wrong))
        if found is None:
            raise Refused(404, "not_there")
        return Response(msgspec.json.encode(found), media_type="application/json")

    def _must_be_open(self) -> None:
        if code := self.source.feed_refused:
            raise Refused(403, code)


@functools.cache
def _schema() -> Packed:
    return pack(msgspec.json.encode(schema()))
