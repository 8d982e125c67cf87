"""Permission to drive from a phone: a 128-bit token for each car.

Tokens are stored with the races, so a restart voids none.

A phone is given it for a joining code, which the table's screen shows and which works once; another code lets another
phone drive the same car.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import time
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion import whole_file
from companion.desk.session import Seat
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.typed import json_reader

FILE: Final = "phones.json"
BYTES: Final = 16
LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Characters of a code that is typed, without letters that look like digits."""
TYPED: Final = 6
MOST: Final = 20
"""Number of races whose tokens are kept, the last ones."""


class JoinCodes(NamedTuple):
    """The codes with which one phone joins: 128 bits for a camera, and a short one to type."""

    read: str
    typed: str


def is_typed(code: str) -> bool:
    """Return True for what is as short as a code that is typed, which somebody may guess."""
    return len(code) < BYTES


class PhoneAccess(msgspec.Struct):
    """The phones' state of a race.

    `tokens` are by seat, `drivers` says that drivers answer for themselves, `host` and `port` are where the pages are
    open ("" and 0 once closed), `api` says that they offer the live feed.
    """

    tokens: dict[str, str] = msgspec.field(default_factory=dict)
    drivers: bool = True
    host: str = ""
    port: int = 0
    api: bool = False


_read: Final = json_reader(dict[str, PhoneAccess])


class Tokens:
    """The tokens of one race, and when each seat was last heard of.

    Use from one thread at a time.
    """

    def __init__(self, folder: Path | None, race: str) -> None:
        self._path = folder / FILE if folder is not None and race else None
        self._race = race
        self.complaint: CompanionError | None = None
        """Error about the file, which was moved aside so that phones join again."""
        self._mine = self._stored().get(race, PhoneAccess())
        self._seats: dict[str, Seat] = {}
        self.heard: dict[Seat, float] = {}
        """Time when each seat was last heard of, on the monotonic clock."""
        self.since: dict[Seat, str] = {}
        """Time when each seat's first phone came, on the wall clock."""
        self.codes: dict[Seat, JoinCodes] = {}
        """Codes that nobody has used yet; a restart voids them."""
        self._index()

    @property
    def drivers(self) -> bool:
        """True if drivers answer for themselves."""
        return self._mine.drivers

    @drivers.setter
    def drivers(self, answer: bool) -> None:
        self._mine.drivers = answer
        self._keep()

    @property
    def open(self) -> tuple[str, int]:
        """The host and port at which the pages were opened.

        They are opened there again if the program was killed meanwhile.
        """
        return self._mine.host, self._mine.port

    @open.setter
    def open(self, at: tuple[str, int]) -> None:
        self._mine.host, self._mine.port = at
        self._keep()

    @property
    def api(self) -> bool:
        """True if the pages offer the live feed to other programs."""
        return self._mine.api

    @api.setter
    def api(self, offered: bool) -> None:
        self._mine.api = offered
        self._keep()

    def of(self, seat: Seat) -> str:
        """Return the token of a seat, making it on first use."""
        if str(seat) not in self._mine.tokens:
            self.replace(seat)
        return self._mine.tokens[str(seat)]

    def has(self, seat: Seat) -> bool:
        """Return True if a seat has a valid token."""
        return str(seat) in self._mine.tokens

    def replace(self, seat: Seat) -> str:
        """Make a new token for a seat; the old one becomes void."""
        self.since.pop(seat, None)
        made = secrets.token_urlsafe(BYTES)
        self._set({**self._mine.tokens, str(seat): made}, seat)
        return made

    def code(self, seat: Seat) -> JoinCodes:
        """Make a new joining code for a seat; the one shown before becomes void."""
        typed = "".join(secrets.choice(LETTERS) for _ in range(TYPED))
        self.codes[seat] = JoinCodes(secrets.token_urlsafe(BYTES), typed)
        return self.codes[seat]

    def join(self, said: str) -> str:
        """Exchange a joining code, which is used up, or a valid token for a token; "" for neither."""
        if self.seat(said) is not None:
            return said
        digests = {_digest(one): seat for seat, code in list(self.codes.items()) for one in code}
        seat = digests.get(_digest(said)) or digests.get(_digest("".join(said.split()).upper()))
        if seat is None:
            return ""
        del self.codes[seat]
        token = self.of(seat)
        self.hear(seat)
        return token

    def revoke(self, seat: Seat) -> None:
        """Void a seat's token and joining code at once."""
        self.codes.pop(seat, None)
        self.since.pop(seat, None)
        self._set({name: token for name, token in self._mine.tokens.items() if name != str(seat)}, seat)

    def _set(self, tokens: dict[str, str], seat: Seat) -> None:
        self._mine.tokens = tokens
        self.heard.pop(seat, None)
        self._index()
        self._keep()

    def seat(self, token: str) -> Seat | None:
        """Return the seat of a token, None if it is void."""
        return self._seats.get(_digest(token))

    def hear(self, seat: Seat) -> None:
        """Record that a seat was heard of."""
        self.heard[seat] = time.monotonic()
        self.since.setdefault(seat, time.strftime("%H:%M"))

    def _index(self) -> None:
        """Index the tokens by digest, so that the time of a search reveals nothing."""
        self._seats = {
            _digest(token): int(seat) if seat.isdecimal() else "referee" for seat, token in self._mine.tokens.items()
        }

    def _stored(self) -> dict[str, PhoneAccess]:
        if self._path is None:
            return {}
        try:
            return whole_file.json(self._path, _read) or {}
        except ValueError:
            lies = self._path
            with contextlib.suppress(OSError):
                lies = whole_file.put_aside(self._path)
            self.complaint = CompanionError("no_phones", path=str(lies))
            return {}

    def _keep(self) -> None:
        if self._path is None:
            return
        kept = self._stored()  # another race may have its pages open in another program
        kept.pop(self._race, None)
        last = dict([*kept.items(), (self._race, self._mine)][-MOST:])
        try:
            whole_file.write(self._path, msgspec.json.encode(last), mode=0o600)
        except (OSError, CompanionError):
            return  # a full disk: they hold until the program ends


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
