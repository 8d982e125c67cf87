"""The pages of a race: made once for all that show the same, after each entry is stored.

Each is sent as fast as its reader takes it. The picture is taken in the desk's thread and written outside of it. A
sleeping phone costs nothing, and gets the current state when it wakes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec

from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.desk.begun import belongs_to
from companion.desk.session import Event, Seat, Session
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.sheets.entry import Entry
from companion.view.phones.phone import PhoneShown, driver_page, on_wall, watched
from companion.view.phones.replay import ReplayTurn, replay
from companion.view.seats.programs import Programs, hand_over
from companion.view.sight import Prices
from companion.web.art import wear
from companion.web.channel import Channel
from companion.web.feed import FeedChannel, news
from companion.web.packed import Packed, pack
from companion.web.pages import Parts, Writer, colour
from companion.web.race_context import InHall, RaceContext
from companion.web.tokens import Tokens
from companion.wording import LANGUAGES

T = TypeVar("T")

SKEW: Final = 1.5
"""Difference between a phone's clock and the table's that is tolerated before the phone is told again, in seconds."""
LISTED: Final = 5.0
"""Seconds after which a list of the tournament is read again."""


class TableAccess(Protocol):
    """The race at the table, as the pages reach it: work for the desk's thread."""

    @property
    def programs(self) -> Programs:
        """The drivers of the program's cars; for the desk's thread."""

    def see(self, look: Callable[[RaceDesk], T]) -> Future[T]:
        """Read in the desk's thread; `look` must not write."""

    def wins(self, desk: RaceDesk) -> Mapping[int, float]:
        """Return each car's chance to win, where the table wants odds; for the desk's thread."""

    def act(self, do: Callable[[RaceDesk], None]) -> Future[None]:
        """Run an act with all that follows at the table; the future raises a refusal."""

    def call(self, n: int, seat: Seat) -> None:
        """Call the table: a seat disputes question `n`, or with -1 a past ruling."""


class ShotClockState(NamedTuple):
    """A state of the shot clock.

    `left` of `of` seconds remain at `at`, by the monotonic clock; `paused` stops it.
    """

    left: int
    of: int
    paused: bool
    at: float

    def same(self, other: ShotClockState | None) -> bool:
        """Return True if another state is this one, continued."""
        if other is None or (self.of, self.paused) != (other.of, other.paused):
            return False
        passed = 0 if self.paused else other.at - self.at
        return abs(self.left - passed - other.left) < SKEW


class PageVariant(NamedTuple):
    """The kind, seat and language that pages have in common."""

    kind: str
    seat: Seat
    lang: str


class PageChannel(Channel):
    """The content of the pages of one key.

    `whole` is all of it, `change` what the last change brought.
    """

    def __init__(self) -> None:
        super().__init__()
        self.mark = ""
        """Version of the page shown: the last entry, and a digest, since the content may change without an entry."""
        self.parts: Parts = {}
        self.whole = self.change = b""
        self.page: tuple[str, Packed] = ("", Packed(b"", b""))
        """Whole page as it is opened, with its mark."""

    def show(self, shown: PhoneShown, parts: Parts) -> None:
        """Update the content."""
        own = shown.own
        about = {
            "seq": shown.seq, "n": shown.n, "state": shown.state, "paint": colour(shown), "last": shown.last,
            "hit": next((one.seq for one in shown.rulings if one.prices), 0) if own is not None else 0,
            "until": own.until if own is not None else 0, "free": shown.free,
        }  # fmt: skip
        changed = {name: html for name, html in parts.items() if self.parts.get(name) != html}
        whole = _compact_json({**about, "parts": parts})
        mark = f"{shown.seq}-{zlib.crc32(whole.encode()):x}"
        if mark == self.mark:
            return
        self.mark, self.parts, self.version = mark, parts, self.version + 1
        self.whole, self.change = (
            f"id: {mark}\ndata: {said}\n\n".encode() for said in (whole, _compact_json({**about, "parts": changed}))
        )
        self.wake()


def _compact_json(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Hub:
    """The pages of one race.

    Lives in the server's event loop; it reads the race only in the desk's thread.
    """

    def __init__(self, table: TableAccess, tokens: Tokens, hall: InHall | None = None) -> None:
        self.table, self.tokens, self._hall = table, tokens, hall
        self.channels: dict[PageVariant, PageChannel] = {}
        self.feeds: dict[str, FeedChannel] = {}
        """Live feeds, by language."""
        self.closing = False
        """True while the pages close, which ends their streams."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._dirty = asyncio.Event()
        self._changes = 0
        """Number of possible changes so far, of the race or its tournament's pages."""
        self._session: Session | None = None
        self._ahead: Ahead | None = None
        self._writers: dict[str, Writer] = {}
        self._keeping: asyncio.Task[None] | None = None
        self.prices: Prices = "always"
        """When the table shows prices."""
        self.shot: ShotClockState | None = None
        """Shot clock, if there is one."""
        self._beside: RaceContext | None = None
        """Tournament or season that the race belongs to, if any."""
        self._allowed = True
        """True if other programs may follow the race."""
        self._looked = -math.inf
        self.stored: RaceContext | None = None
        """Stored content of the race's folder, if it has one."""
        self._listed: dict[tuple[str, str], tuple[float, Packed]] = {}
        self._listing = asyncio.Lock()
        self._bare: dict[str, Packed] = {}
        self._official: tuple[float, str | None] = (-math.inf, None)
        self._replays: dict[str, tuple[int, Sequence[ReplayTurn]]] = {}

    async def open(self) -> None:
        """Start listening."""
        self._loop = asyncio.get_running_loop()
        self._session = await self._see(self._sit)
        self._keeping = asyncio.create_task(self._keep())

    def end(self) -> None:
        """End every page's stream."""
        self.closing = True
        self.wake()

    def wake(self) -> None:
        """Wake every page and follower."""
        for channel in (*self.channels.values(), *self.feeds.values()):
            channel.wake()

    async def close(self) -> None:
        """Stop listening."""
        if self._keeping is not None:
            self._keeping.cancel()
        if (session := self._session) is not None:
            await self._see(lambda _: self._leave(session))

    def _sit(self, desk: RaceDesk) -> Session:
        session = Session(desk)
        session.drivers_answer = self.tokens.drivers
        session.listen(self._hear)
        self.table.programs.listen(self.look_again)
        self._ahead = Ahead(desk)
        if desk.log is not None:
            beside = self.stored = RaceContext(desk.log.folder, belongs_to(desk.log.entries[0]), self._hall)
            self._beside = beside if beside.there else None
            self._allowed = beside.allows_feed()
        self._writers = {lang: Writer(lang, desk.rulebook.track, desk.rulebook.name) for lang in LANGUAGES}
        return session

    def _leave(self, session: Session) -> None:
        session.close()
        self.table.programs.deaf(self.look_again)

    @property
    def session(self) -> Session:
        """The session of the race; for the desk's thread."""
        assert self._session is not None
        return self._session

    def _hear(self, event: Event) -> None:
        """Handle a new entry, in the desk's thread."""
        self.look_again()

    def look_again(self) -> None:
        """Mark the pages as out of date; may be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed)

    def _changed(self) -> None:
        """Mark the pages as out of date, in the loop."""
        self._changes += 1
        self._dirty.set()

    async def _keep(self) -> None:
        while True:
            try:
                await asyncio.wait_for(self._dirty.wait(), LISTED if self._beside is not None else None)
            except TimeoutError:
                await self._ask_control()
                if self._official[0] == -math.inf:
                    continue  # only of a race that is over: confirming its result is no entry of the race
                self._changes += 1
            self._dirty.clear()
            await self._ask_control()
            for key, channel in sorted(self.channels.items(), key=lambda pair: pair[0].kind):
                if channel.listeners:
                    await self._fresh(channel, partial(self._show_page, key, channel))
            for lang, feed in self.feeds.items():
                if feed.listeners:
                    await self._fresh(feed, partial(self._show_feed, lang, feed))

    async def _fresh(self, channel: Channel, show: Callable[[], Awaitable[None]]) -> None:
        """Rebuild a channel if anything has changed since it was made."""
        async with channel.making:
            if channel.made == self._changes:
                return
            changes = self._changes
            try:
                await show()
            except Exception:
                logging.getLogger(__name__).exception("a page could not be made")
            channel.made = changes

    async def _show_page(self, key: PageVariant, channel: PageChannel) -> None:
        channel.show(*await self.shown(key))

    async def _show_feed(self, lang: str, feed: FeedChannel) -> None:
        feed.show(*await self._see(lambda desk: news(self.session, lang, self.table.wins(desk), feed.seq)))

    async def shown(self, key: PageVariant) -> tuple[PhoneShown, Parts]:
        """Return what the pages of a key show now."""
        kind, seat, lang = key
        shown = await self._see(lambda desk: self._picture(desk, kind, seat, lang))
        if shown.over and (official := await self._confirmed()) is not None:
            shown = msgspec.structs.replace(shown, official=official)
        return shown, await asyncio.to_thread(getattr(self._writers[lang], kind), shown)

    def _picture(self, desk: RaceDesk, kind: str, seat: Seat, lang: str) -> PhoneShown:
        assert self._ahead is not None
        if kind == "wall":
            return on_wall(self.session, lang, self.table.wins(desk))
        if kind == "overlay":
            return on_wall(self.session, lang, {})
        if kind == "watch":
            return watched(self.session, lang)
        return driver_page(self.session, lang, seat, self._ahead, prices=self.prices, programs=self.table.programs)

    async def page(self, kind: str, lang: str) -> Packed:
        """Return a whole page; a driver's is empty until his phone has identified itself."""
        writer = self._writers[lang]
        if kind == "drive":
            if lang not in self._bare:
                self._bare[lang] = pack(writer.page(kind, {}))
            return self._bare[lang]
        channel = await self.channel(PageVariant(kind, "spectator", lang))
        async with channel.making:
            mark, made = channel.page
            if mark != channel.mark:
                html = writer.page(kind, channel.parts, channel.mark, beside=self._beside is not None)
                mark, made = channel.page = channel.mark, await asyncio.to_thread(pack, html)
        return made

    async def beside(self, kind: str, lang: str) -> Packed | None:
        """Return a list of the race's tournament or season, or None."""
        if (beside := self._beside) is None:
            return None
        async with self._listing:
            at, made = self._listed.get((kind, lang), (-math.inf, Packed(b"", b"")))
            if time.monotonic() - at > LISTED:
                listing = await asyncio.to_thread(beside.listing, kind, lang)
                made = pack(self._writers[lang].beside(kind, listing, beside.hall.page if beside.hall else ""))
                self._listed[kind, lang] = time.monotonic(), made
        return made

    async def _confirmed(self) -> str | None:
        """Return when two people had confirmed the result, as of a moment ago."""
        if (beside := self._beside) is None:
            return None
        if time.monotonic() - self._official[0] > LISTED:
            self._official = time.monotonic(), await asyncio.to_thread(beside.official, await self.entries())
        return self._official[1]

    async def replay(self, lang: str) -> Sequence[ReplayTurn]:
        """Return the turns of a finished race.

        Empty if it is not finished, or not stored.
        """
        seq, over = await self._see(lambda desk: (desk.seq, desk.over))
        log = await self.entries() if over else ()
        if not log:
            return ()
        if self._replays.get(lang, (-1, ()))[0] != seq:
            self._replays[lang] = seq, await asyncio.to_thread(replay, log, lang)
        return self._replays[lang][1]

    async def channel(self, key: PageVariant) -> PageChannel:
        """Return the channel of a key, up to date."""
        channel = self.channels.setdefault(key, PageChannel())
        await self._fresh(channel, partial(self._show_page, key, channel))
        return channel

    async def feed(self, lang: str) -> FeedChannel:
        """Return the live feed in a language, up to date."""
        feed = self.feeds.setdefault(lang, FeedChannel())
        await self._fresh(feed, partial(self._show_feed, lang, feed))
        return feed

    @property
    def feed_refused(self) -> str:
        """The code of the reason why there is no live feed, "" if there is one."""
        if not self._allowed:
            return "feed_barred"
        return "" if self.tokens.api else "feed_off"

    async def _ask_control(self) -> None:
        """Refresh race control's permission for the live feed, unless it was read a moment ago."""
        if self._beside is None or time.monotonic() - self._looked < LISTED:
            return
        self._looked = time.monotonic()
        if (allowed := await asyncio.to_thread(self._beside.allows_feed)) is not self._allowed:
            self._allowed = allowed
            self.wake()

    async def entries(self) -> Sequence[Entry]:
        """Return the log of the race."""
        return await self._see(lambda desk: tuple(desk.log.entries) if desk.log is not None else ())

    def writer(self, lang: str) -> Writer:
        """Return the writer of the pages in a language."""
        return self._writers[lang]

    def error_text(self, wrong: CompanionError, lang: str) -> str:
        """Return an error as one sentence."""
        return self._writers[lang].words.error(wrong)

    # -- what a driver does

    async def held(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats of a seat's driver."""
        return await self._see(lambda _: self.session.cars_of(seat) or (seat,))

    async def answer(self, seat: Seat, n: int, answer: Json, seen: int | None) -> int:
        """Answer a question and return the number of the next open one.

        `seen` is the last entry that the page shows, here and below. Raises what the session refuses it with.
        """
        await self._act(lambda: self.session.answer(seat, n, answer, seen=seen))
        return await self._see(lambda desk: desk.n)

    async def undo(self, seat: Seat, n: int, seen: int | None) -> None:
        """Undo the driver's own last answer."""
        await self._act(lambda: self.session.undo(seat, n, seen=seen))

    async def give_back(self, seat: Seat, n: int, seen: int | None) -> None:
        """Leave a question to the table."""
        await self._see(lambda _: self.session.give_back(seat, n, seen=seen))
        self._changed()

    async def pushed(self, n: int, seen: int | None) -> None:
        """Record that the table has moved the program's car, as seen at question `n`."""

        def pushed(_: RaceDesk) -> None:
            self.session.must_be_open(n, seen)
            self.table.programs.done()

        await self._see(pushed)

    async def hand_over(self, car: int, driver: str, rolls: bool) -> None:
        """Let the program drive a car, or a person if `driver` is ""."""

        def handed(desk: RaceDesk) -> None:
            hand_over(desk, car, driver, rolls=rolls)

        await asyncio.wrap_future(self.table.act(handed))

    async def dispute(self, seat: Seat, n: int, answer: Json, lang: str, seen: int | None) -> None:
        """Dispute an answer's outcome before it is given, for the table to decide."""

        def dispute(_: RaceDesk) -> None:
            self.session.permit(seat, n)
            assert self._ahead is not None
            shown = driver_page(self.session, lang, seat, self._ahead, answer)
            why = shown.card.title if shown.card is not None else shown.prompt.title if shown.prompt is not None else ""
            self.session.dispute(seat, n, why, seen=seen)

        await asyncio.wrap_future(self.table.act(dispute))
        self.table.call(n, seat)
        self._changed()

    async def doubt(self, seat: Seat, seq: int, lang: str) -> None:
        """Dispute a past ruling."""

        def doubt(_: RaceDesk) -> None:
            assert self._ahead is not None
            lines = driver_page(self.session, lang, seat, self._ahead).rulings
            why = next((one.text for one in lines if one.seq == seq), "")
            self.session.doubt(seat, seq, why)

        await asyncio.wrap_future(self.table.act(doubt))
        self.table.call(-1, seat)

    async def look(self, seat: Seat, n: int, answer: Json, lang: str) -> dict[str, str]:
        """Preview an answer: its card, and what is left after it."""
        ahead = self._ahead
        assert ahead is not None

        def look(_: RaceDesk) -> PhoneShown:
            self.session.permit(seat, n)
            return driver_page(self.session, lang, seat, ahead, answer, prices=self.prices)

        shown = await self._see(look)
        writer = self._writers[lang]
        parts = writer.drive(shown)
        return {
            "card": writer.accepting(shown),
            "wear": wear(shown.costs) if shown.costs and parts["wear"] else parts["wear"],
            "board": parts["board"],
        }

    async def answering(self, drivers: bool) -> None:
        """Set whether drivers answer for themselves."""
        self.tokens.drivers = drivers
        await self._see(lambda _: setattr(self.session, "drivers_answer", drivers))
        self._changed()

    def follow(self, prices: Prices) -> None:
        """Show prices as the table does."""
        self.prices = prices
        self._changed()

    def clock(self, shot: ShotClockState | None) -> None:
        """Update the shot clock, and wake the pages if it changed."""
        if shot is self.shot or (shot is not None and shot.same(self.shot)):
            return
        self.shot = shot
        for channel in self.channels.values():
            channel.wake()

    def wake_seat(self, seat: Seat) -> None:
        """Wake the pages of a seat whose token is void."""
        for key, channel in self.channels.items():
            if key.seat == seat:
                channel.wake()

    async def _see(self, look: Callable[[RaceDesk], T]) -> T:
        return await asyncio.wrap_future(self.table.see(look))

    async def _act(self, do: Callable[[], None]) -> None:
        await asyncio.wrap_future(self.table.act(lambda _: do()))
