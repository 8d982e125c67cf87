"""What pages show: made once for all that show the same, when an entry is on the disk, and told to each as fast as it
takes it. The picture is taken in the desk's thread and written beside it. Who sleeps costs nothing, and is told how it
stands on waking."""

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
from companion.desk.organising import belongs_to
from companion.desk.session import Event, Seat, Session
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.sheets.entry import Entry
from companion.view.phones.phone import PhoneShown, driven, on_wall, watched
from companion.view.phones.replay import Turn, replay
from companion.view.seats.programs import Programs, hand_over
from companion.view.sight import Prices
from companion.web.art import wear
from companion.web.beside import Beside, InHall
from companion.web.channel import Channel
from companion.web.feed import FeedChannel, news
from companion.web.packed import Packed, pack
from companion.web.pages import Parts, Writer, colour
from companion.web.tokens import Tokens
from companion.wording import LANGUAGES

T = TypeVar("T")

SKEW: Final = 1.5
"""Seconds that a phone's clock may differ from the table's before it is told anew."""
LISTED: Final = 5.0
"""Seconds after which a list of the tournament is read again."""


class Table(Protocol):
    """The race at the table, as the pages reach it: work for the desk's thread."""

    @property
    def programs(self) -> Programs:
        """Who drives the program's cars; for the desk's thread."""

    def see(self, look: Callable[[RaceDesk], T]) -> Future[T]:
        """Has something read; it must not write."""

    def wins(self, desk: RaceDesk) -> Mapping[int, float]:
        """Each car's chance to win, where the table wants the odds; for the desk's thread."""

    def act(self, do: Callable[[RaceDesk], None]) -> Future[None]:
        """Has something done, with all that follows at the table; the future raises what refused it."""

    def call(self, n: int, seat: Seat) -> None:
        """Calls the table: a seat disputes question `n`, or with -1 a ruling that was given."""


class Shot(NamedTuple):
    """The shot clock as it was told: `left` of `of` seconds, standing still or not, by the clock that never goes
    back."""

    left: int
    of: int
    paused: bool
    at: float

    def same(self, other: Shot | None) -> bool:
        """Whether that goes on as this one does."""
        if other is None or (self.of, self.paused) != (other.of, other.paused):
            return False
        passed = 0 if self.paused else other.at - self.at
        return abs(self.left - passed - other.left) < SKEW


class Key(NamedTuple):
    """What some pages have in common: which page, from which seat, in which language."""

    kind: str
    seat: Seat
    lang: str


class PageChannel(Channel):
    """What pages of a key show; `whole` is all of it, `change` what the last change brought."""

    def __init__(self) -> None:
        super().__init__()
        self.mark = ""
        """What a page says that it shows: the last entry, and a digest, as what is shown may change without one."""
        self.parts: Parts = {}
        self.whole = self.change = b""
        self.page: tuple[str, Packed] = ("", Packed(b"", b""))
        """The whole page as it is opened, with the mark that it shows."""

    def show(self, shown: PhoneShown, parts: Parts) -> None:
        """Shows something new."""
        own = shown.own
        about = {
            "seq": shown.seq, "n": shown.n, "state": shown.state, "paint": colour(shown), "last": shown.last,
            "hit": next((one.seq for one in shown.rulings if one.prices), 0) if own is not None else 0,
            "until": own.until if own is not None else 0, "free": shown.free,
        }  # fmt: skip
        changed = {name: html for name, html in parts.items() if self.parts.get(name) != html}
        whole = _said({**about, "parts": parts})
        mark = f"{shown.seq}-{zlib.crc32(whole.encode()):x}"
        if mark == self.mark:
            return
        self.mark, self.parts, self.version = mark, parts, self.version + 1
        self.whole, self.change = (
            f"id: {mark}\ndata: {said}\n\n".encode() for said in (whole, _said({**about, "parts": changed}))
        )
        self.wake()


def _said(data: Json) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Hub:
    """The pages of one race. Lives in the server's event loop; whatever it reads of the race it reads in the desk's
    thread."""

    def __init__(self, table: Table, tokens: Tokens, hall: InHall | None = None) -> None:
        self.table, self.tokens, self._hall = table, tokens, hall
        self.channels: dict[Key, PageChannel] = {}
        self.feeds: dict[str, FeedChannel] = {}
        """The live feed, by language."""
        self.closing = False
        """Whether the pages are being closed: their streams end."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._dirty = asyncio.Event()
        self._changes = 0
        """How often the race, or what stands beside it, may have changed."""
        self._session: Session | None = None
        self._ahead: Ahead | None = None
        self._writers: dict[str, Writer] = {}
        self._keeping: asyncio.Task[None] | None = None
        self.prices: Prices = "always"
        """When the table shows prices."""
        self.shot: Shot | None = None
        """The shot clock, where there is one."""
        self._beside: Beside | None = None
        """What stands beside the race, if anything does."""
        self._allowed = True
        """Whether the race may be followed by other programs."""
        self._looked = -math.inf
        self.stored: Beside | None = None
        """What is stored in the race's folder, if it has one."""
        self._listed: dict[tuple[str, str], tuple[float, Packed]] = {}
        self._listing = asyncio.Lock()
        self._bare: dict[str, Packed] = {}
        self._official: tuple[float, str | None] = (-math.inf, None)
        self._replays: dict[str, tuple[int, Sequence[Turn]]] = {}

    async def open(self) -> None:
        """Begins to listen."""
        self._loop = asyncio.get_running_loop()
        self._session = await self._see(self._sit)
        self._keeping = asyncio.create_task(self._keep())

    def end(self) -> None:
        """Has every page's stream end."""
        self.closing = True
        self.wake()

    def wake(self) -> None:
        """Have every page and follower look again."""
        for channel in (*self.channels.values(), *self.feeds.values()):
            channel.wake()

    async def close(self) -> None:
        """Ends listening."""
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
            beside = self.stored = Beside(desk.log.folder, belongs_to(desk.log.entries[0]), self._hall)
            self._beside = beside if beside.there else None
            self._allowed = beside.allows_feed()
        self._writers = {lang: Writer(lang, desk.rulebook.track, desk.rulebook.name) for lang in LANGUAGES}
        return session

    def _leave(self, session: Session) -> None:
        session.close()
        self.table.programs.deaf(self.look_again)

    @property
    def session(self) -> Session:
        """What is said of the race; for the desk's thread."""
        assert self._session is not None
        return self._session

    def _hear(self, event: Event) -> None:
        """From the desk's thread: something was written."""
        self.look_again()

    def look_again(self) -> None:
        """From any thread: what the pages show may have changed."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed)

    def _changed(self) -> None:
        """In the loop: whatever was made before is out of date."""
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
        """Make a channel anew if anything has changed since it was made."""
        async with channel.making:
            if channel.made == self._changes:
                return
            changes = self._changes
            try:
                await show()
            except Exception:
                logging.getLogger(__name__).exception("a page could not be made")
            channel.made = changes

    async def _show_page(self, key: Key, channel: PageChannel) -> None:
        channel.show(*await self.shown(key))

    async def _show_feed(self, lang: str, feed: FeedChannel) -> None:
        feed.show(*await self._see(lambda desk: news(self.session, lang, self.table.wins(desk), feed.seq)))

    async def shown(self, key: Key) -> tuple[PhoneShown, Parts]:
        """What pages of a key show now."""
        kind, seat, lang = key
        shown = await self._see(lambda desk: self._picture(desk, kind, seat, lang))
        if shown.over:
            shown = msgspec.structs.replace(shown, official=await self._confirmed())
        return shown, await asyncio.to_thread(getattr(self._writers[lang], kind), shown)

    def _picture(self, desk: RaceDesk, kind: str, seat: Seat, lang: str) -> PhoneShown:
        assert self._ahead is not None
        if kind == "wall":
            return on_wall(self.session, lang, self.table.wins(desk))
        if kind == "overlay":
            return on_wall(self.session, lang, {})
        if kind == "watch":
            return watched(self.session, lang)
        return driven(self.session, lang, seat, self._ahead, prices=self.prices, programs=self.table.programs)

    async def page(self, kind: str, lang: str) -> Packed:
        """A page as it is opened; a driver's has nothing on it until its phone has said who it is."""
        writer = self._writers[lang]
        if kind == "drive":
            if lang not in self._bare:
                self._bare[lang] = pack(writer.page(kind, {}))
            return self._bare[lang]
        channel = await self.channel(Key(kind, "spectator", lang))
        async with channel.making:
            mark, made = channel.page
            if mark != channel.mark:
                html = writer.page(kind, channel.parts, channel.mark, beside=self._beside is not None)
                mark, made = channel.page = channel.mark, await asyncio.to_thread(pack, html)
        return made

    async def beside(self, kind: str, lang: str) -> Packed | None:
        """A list of the tournament or season that the race counts for; None where it counts for none."""
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
        """When two people had confirmed the result, as it was a moment ago."""
        if (beside := self._beside) is None:
            return None
        if time.monotonic() - self._official[0] > LISTED:
            self._official = time.monotonic(), await asyncio.to_thread(beside.official, await self.entries())
        return self._official[1]

    async def replay(self, lang: str) -> Sequence[Turn]:
        """The turns of a race that is over; none of one that is not, or is on no disk."""
        seq, over = await self._see(lambda desk: (desk.seq, desk.over))
        log = await self.entries() if over else ()
        if not log:
            return ()
        if self._replays.get(lang, (-1, ()))[0] != seq:
            self._replays[lang] = seq, await asyncio.to_thread(replay, log, lang)
        return self._replays[lang][1]

    async def channel(self, key: Key) -> PageChannel:
        """The channel of a key, fresh."""
        channel = self.channels.setdefault(key, PageChannel())
        await self._fresh(channel, partial(self._show_page, key, channel))
        return channel

    async def feed(self, lang: str) -> FeedChannel:
        """The live feed in a language, fresh."""
        feed = self.feeds.setdefault(lang, FeedChannel())
        await self._fresh(feed, partial(self._show_feed, lang, feed))
        return feed

    @property
    def feed_refused(self) -> str:
        """The code that says why there is no live feed; "" where there is."""
        if not self._allowed:
            return "feed_barred"
        return "" if self.tokens.api else "feed_off"

    async def _ask_control(self) -> None:
        """Look again whether race control allows the live feed, as it was a moment ago."""
        if self._beside is None or time.monotonic() - self._looked < LISTED:
            return
        self._looked = time.monotonic()
        if (allowed := await asyncio.to_thread(self._beside.allows_feed)) is not self._allowed:
            self._allowed = allowed
            self.wake()

    async def entries(self) -> Sequence[Entry]:
        """The log of the race."""
        return await self._see(lambda desk: tuple(desk.log.entries) if desk.log is not None else ())

    def writer(self, lang: str) -> Writer:
        """Whoever writes the pages in a language."""
        return self._writers[lang]

    def worded(self, wrong: CompanionError, lang: str) -> str:
        """What is wrong, in one sentence."""
        return self._writers[lang].words.error(wrong)

    # -- what a driver does

    async def held(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats that a phone in one of them has: those of all cars of its driver."""
        return await self._see(lambda _: self.session.cars_of(seat) or (seat,))

    async def answer(self, seat: Seat, n: int, answer: Json, seen: int | None) -> int:
        """The question that is open after it and all that went by itself then. Raises what the session refuses it
        for; `seen` is the last entry that the page shows, here and below."""
        await self._act(lambda: self.session.answer(seat, n, answer, seen=seen))
        return await self._see(lambda desk: desk.n)

    async def undo(self, seat: Seat, n: int, seen: int | None) -> None:
        """Takes back the driver's own last answer."""
        await self._act(lambda: self.session.undo(seat, n, seen=seen))

    async def give_back(self, seat: Seat, n: int, seen: int | None) -> None:
        """Lets the table answer."""
        await self._see(lambda _: self.session.give_back(seat, n, seen=seen))
        self._changed()

    async def pushed(self, n: int, seen: int | None) -> None:
        """The table has pushed the program's car, as was seen while question `n` was open."""

        def pushed(_: RaceDesk) -> None:
            self.session.must_be_open(n, seen)
            self.table.programs.done()

        await self._see(pushed)

    async def hand_over(self, car: int, driver: str, rolls: bool) -> None:
        """The program drives a car from here on, or with "" a person does."""

        def handed(desk: RaceDesk) -> None:
            hand_over(desk, car, driver, rolls=rolls)

        await asyncio.wrap_future(self.table.act(handed))

    async def dispute(self, seat: Seat, n: int, answer: Json, lang: str, seen: int | None) -> None:
        """The driver would rather have the table decide what that answer brings."""

        def dispute(_: RaceDesk) -> None:
            self.session.permit(seat, n)
            assert self._ahead is not None
            shown = driven(self.session, lang, seat, self._ahead, answer)
            why = shown.card.title if shown.card is not None else shown.prompt.title if shown.prompt is not None else ""
            self.session.dispute(seat, n, why, seen=seen)

        await asyncio.wrap_future(self.table.act(dispute))
        self.table.call(n, seat)
        self._changed()

    async def doubt(self, seat: Seat, seq: int, lang: str) -> None:
        """The driver disputes a ruling that was given."""

        def doubt(_: RaceDesk) -> None:
            assert self._ahead is not None
            lines = driven(self.session, lang, seat, self._ahead).rulings
            why = next((one.text for one in lines if one.seq == seq), "")
            self.session.doubt(seat, seq, why)

        await asyncio.wrap_future(self.table.act(doubt))
        self.table.call(-1, seat)

    async def look(self, seat: Seat, n: int, answer: Json, lang: str) -> dict[str, str]:
        """What an answer would bring: its card, and what is left then."""
        ahead = self._ahead
        assert ahead is not None

        def look(_: RaceDesk) -> PhoneShown:
            self.session.permit(seat, n)
            return driven(self.session, lang, seat, ahead, answer, prices=self.prices)

        shown = await self._see(look)
        writer = self._writers[lang]
        parts = writer.drive(shown)
        return {
            "card": writer.accepting(shown),
            "wear": wear(shown.costs) if shown.costs and parts["wear"] else parts["wear"],
            "board": parts["board"],
        }

    async def answering(self, drivers: bool) -> None:
        """Whether drivers answer for themselves."""
        self.tokens.drivers = drivers
        await self._see(lambda _: setattr(self.session, "drivers_answer", drivers))
        self._changed()

    def follow(self, prices: Prices) -> None:
        """Prices are shown as the table shows them."""
        self.prices = prices
        self._changed()

    def clock(self, shot: Shot | None) -> None:
        """The shot clock is another, or goes otherwise than before."""
        if shot is self.shot or (shot is not None and shot.same(self.shot)):
            return
        self.shot = shot
        for channel in self.channels.values():
            channel.wake()

    def told(self, seat: Seat) -> None:
        """The token of a seat is void: its pages look again."""
        for key, channel in self.channels.items():
            if key.seat == seat:
                channel.wake()

    async def _see(self, look: Callable[[RaceDesk], T]) -> T:
        return await asyncio.wrap_future(self.table.see(look))

    async def _act(self, do: Callable[[], None]) -> None:
        await asyncio.wrap_future(self.table.act(lambda _: do()))
