"""The live feed: a race and its events as JSON, made once per language for all programs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from companion.desk.session import Session
from companion.protocol.messages import (
    EventMessage,
    ListingMessage,
    RaceMessage,
    event_message,
    race_message,
)
from companion.rules.conversation.asking import Json
from companion.rules.public import hides
from companion.sheets.build_sheet import race_sheet
from companion.sheets.entry import REMARKS
from companion.sheets.history import History
from companion.sheets.reading import entries, find, races, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.sheet import RaceSheet
from companion.view.formats import as_data
from companion.view.listing import Listing
from companion.view.worded import BoardWords
from companion.web.channel import Channel
from companion.web.packed import Packed, pack

MAX_EVENTS: Final = 64
"""Number of recent events kept for followers who were away; whoever misses more gets the whole race alone."""

MARK: Final = re.compile(r"(?:(\w{1,8})-)?([0-9]{1,18})", re.ASCII)
"""Position of a follower: the number of an entry, or the id of a message, which begins with its race's."""

News = tuple[RaceMessage, Sequence[EventMessage], int]
"""The race, its events since an entry, and that entry."""


class FeedChannel(Channel):
    """The feed in one language: the whole race and the last events, as sent."""

    def __init__(self) -> None:
        super().__init__()
        self.race = Packed(b"", b"")
        """Whole race as JSON."""
        self.seq = -1
        """Last entry in it."""
        self.race_id = ""
        """Id of the race."""
        self._whole = b""
        self._events: list[tuple[int, bytes]] = []
        self._complete_after = 0
        """Entry after which all events are kept."""

    @property
    def mark(self) -> str:
        """The id of the last message: the race and its last entry."""
        return f"{self.race_id[:8]}-{self.seq}"

    def show(self, race: RaceMessage, events: Sequence[EventMessage], after: int) -> None:
        """Add the events since entry `after`, or begin again for another race."""
        made = _json(race)
        if made == self.race.plain:
            return
        if race.race != self.race_id or self.seq < 0:
            self.race_id, self._complete_after = race.race, after
            self._events.clear()
        self.race, self.seq, self.version = pack(made), race.seq, self.version + 1
        self._events += [(one.seq, self._block("event", one.seq, _json(one))) for one in events]
        if len(self._events) > MAX_EVENTS:
            self._complete_after = self._events[-MAX_EVENTS - 1][0]
            del self._events[:-MAX_EVENTS]
        self._whole = self._block("race", race.seq, made)
        self.wake()

    def since(self, mark: str) -> bytes:
        """Return what a follower is sent who has all up to `mark`: the events since and the race.

        Where one of the events is not kept any more, or the race never had that entry, it is the race alone.
        """
        said = MARK.fullmatch(mark)
        have = int(said[2]) if said is not None and self.race_id.startswith(said[1] or "") else -1
        whole = self._complete_after <= have <= self.seq
        return b"".join([*(made for seq, made in self._events if whole and seq > have), self._whole])

    def _block(self, kind: str, seq: int, made: bytes) -> bytes:
        return f"id: {self.race_id[:8]}-{seq}\nevent: {kind}\ndata: ".encode() + made + b"\n\n"


def news(session: Session, lang: str, wins: Mapping[int, float], have: int) -> News:
    """Return a race as anybody may know it, and its events since entry `have`, none of them a remark.

    For a feed that has none yet (-1), they are the last ones.
    """
    desk = session.desk
    words = BoardWords(lang, desk.rulebook.name, desk.rulebook.track)
    after = have if have >= 0 else max(0, desk.seq - MAX_EVENTS)
    happened = (one for one in session.events("spectator", after) if one.kind not in REMARKS)
    events = [event_message(one, words, desk.names) for one in happened]
    return race_message(session, "spectator", words, wins), events, after


def stored_races(folder: Path) -> list[dict[str, Json]]:
    """Return the races of a folder, the last played first."""
    with reading(folder) as db:
        return [race._asdict() for race in races(db)]


def stored_sheet(folder: Path, word: str) -> RaceSheet | None:
    """Return the sheet of a stored race, None while it goes on with cards that the program has dealt.

    Raises LogError if there is no such race, or it is not clear which.
    """
    with reading(folder) as db:
        history = History.of(entries(db, find(db, word).log_id))
    begun = history.beginning
    if begun is not None and not history.stands[1] and hides(rulebook_of(begun.setup, begun.track)):
        return None
    return race_sheet(history)


def standings_message(listing: Listing | None) -> ListingMessage | None:
    """Return the feed's form of a standings table, or None."""
    return ListingMessage(**as_data(listing)) if listing is not None else None


def _json(message: msgspec.Struct) -> bytes:
    return msgspec.json.encode(message, enc_hook=lambda chance: list(chance.as_integer_ratio()))
