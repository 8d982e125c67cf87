"""The live feed of each table's race, made from the ledger's copy of its log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from companion.desk import RaceDesk
from companion.desk.session import Session
from companion.hall.floor import Floor, RaceSeen
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.web.feed import FeedChannel, News, news


class TableFeeds:
    """The feeds with followers, by table and language.

    Lives in one event loop.
    """

    def __init__(self, floor: Floor, entries: Callable[[str], Sequence[Entry]]) -> None:
        self._floor, self._entries = floor, entries
        self._feeds: dict[tuple[str, str], FeedChannel] = {}
        self._sessions: dict[str, Session] = {}
        self._making = asyncio.Lock()

    async def feed(self, table: str, lang: str) -> FeedChannel | None:
        """Return the feed of a table's race, fresh, or None without a race.

        Raises LogError if this program cannot drive the race again.
        """
        race = self._floor.races.get(table)
        if race is None:
            return None
        feed = self._feeds.setdefault((table, lang), FeedChannel())
        await self._fresh(feed, table, lang, race)
        return feed

    async def look(self) -> None:
        """Update every feed with followers."""
        for (table, lang), feed in self._feeds.items():
            if feed.listeners and (race := self._floor.races.get(table)) is not None:
                try:
                    await self._fresh(feed, table, lang, race)
                except Exception:  # whatever a table has sent: the others are followed all the same
                    logging.getLogger(__name__).exception("the feed of a table")

    async def _fresh(self, feed: FeedChannel, table: str, lang: str, race: RaceSeen) -> None:
        async with self._making:
            if (feed.race_id, feed.seq) != (race.log_id, race.seq):
                have = feed.seq if feed.race_id == race.log_id else -1
                feed.show(*await asyncio.to_thread(self._news, table, lang, race, have))

    def _news(self, table: str, lang: str, race: RaceSeen, have: int) -> News:
        session = self._sessions.get(table)
        if session is None or (session.race, session.desk.seq) != (race.log_id, race.seq):
            log = self._entries(race.log_id)
            history = History.of(log)
            desk = RaceDesk.from_log(history)
            desk.history = history
            session = self._sessions[table] = Session(desk, log)
        return news(session, lang, {}, have)

    def wake(self) -> None:
        """Wake every follower."""
        for feed in self._feeds.values():
            feed.wake()
