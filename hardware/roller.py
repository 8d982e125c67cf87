"""The referee's side of a die-roller, which it asks, hears and never trusts.

No port is opened here. Times are milliseconds of a monotonic clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from companion.rules.conversation.faces import BLACK_DIE, FACES
from hardware.firmware.lines import LAST, VERSION, Wire, number

DICE: Final[Mapping[str, Sequence[int]]] = {
    **{str(gear): faces for gear, faces in FACES.items()},
    "20": BLACK_DIE,
}
"""Faces of each die, by its name on the wire."""

PINGED: Final = 1000
"""Milliseconds between two pings."""
SILENT: Final = 3000
"""Milliseconds without a readable line after which a roller counts as lost."""
FLOOD: Final = 8000
"""Bytes in a second that no die-roller exceeds."""

What = Literal["found", "unfit", "lost", "rolling", "rolled", "late", "cocked", "battery", "fault"]


class News(NamedTuple):
    """News from the die-roller.

    "found": it said hello and can be used, `text` is its name; "unfit": it speaks another protocol, `text` is its
    version; "lost": nothing readable arrives, or far too much; "rolling"; "rolled": `die` shows `face`, for the roll of
    question `n` (-1: not requested); "late": `die` shows `face` for a cancelled roll, answered by hand first;
    "cocked": the die is cocked and is rolled again; "battery": `face` per cent are left; "fault": it reports `text`.
    """

    what: What
    die: str = ""
    face: int = 0
    n: int = -1
    text: str = ""


class Link:
    """The referee's end of the wire.

    `write` sends bytes; `hear` and `tick` return news. The first roll has the number after `ask`. Choose that at
    random: a device repeats the face of a number that it has just rolled for an earlier run of the program.

    `name` and `dice` are as the device reports them, `battery` is in per cent (None: unknown). `there` is True if it
    can be used now, `unfit` if it speaks another protocol, `flooded` if it sent far too much.
    """

    def __init__(self, write: Callable[[bytes], object], ask: int = 0) -> None:
        self.wire = Wire(write)
        self.there = self.unfit = self.flooded = False
        self.name = ""
        self.dice: tuple[str, ...] = ()
        self.battery: int | None = None
        self.rejected = 0
        """Number of whole lines that made no sense."""
        self._wanted: tuple[int, str] | None = None
        self._ask, self._sent = ask, 0
        self._called_off = 0
        """Last roll that was called off and may still come."""
        self._heard = self._pinged = self._second = self._count = 0

    def open(self, now: int) -> None:
        """Send a hello on a newly opened port."""
        self.wire.restart()
        self._heard = self._pinged = self._second = now
        self._sent = self._count = 0
        self.flooded = False
        self.wire.send(now, "HELLO", VERSION)

    # -- what is asked

    def want(self, n: int, die: str, now: int) -> None:
        """Request a die for question `n`, "" for none."""
        wanted = (n, die) if die else None
        if wanted == self._wanted:
            return
        self._wanted = wanted
        before, self._sent = self._sent, 0
        self._called_off = before or self._called_off
        if wanted is not None:
            self._ask = self._ask % LAST + 1
            self._request(now)
        if self.there and before and not self._sent:
            self.wire.send(now, "CANCEL", before)

    def _request(self, now: int) -> None:
        if self.there and self._wanted is not None and self._wanted[1] in self.dice:
            self._sent = self._ask
            self._called_off = self._called_off if self._called_off != self._ask else 0
            self.wire.send(now, "ROLL", self._ask, self._wanted[1])

    def _once_more(self, now: int) -> None:
        """Request the same die as another roll, because the face is invalid."""
        self._ask = self._ask % LAST + 1
        self._request(now)

    # -- what is heard

    def hear(self, data: bytes, now: int) -> list[News]:
        """Handle the bytes received, and return the news."""
        if now - self._second >= 1000:
            self._second, self._count = now, 0
        self._count += len(data)
        if self._count > FLOOD:
            self.flooded = True
            return self.lose()
        news: list[News] = []
        for word, fields in self.wire.take(data, now):
            found = self._read(word, fields, now)
            if found is None:
                self.rejected += 1
            else:
                self._heard = now
                news += found
        return news

    def tick(self, now: int) -> list[News]:
        """Ping the device, resend lines that are due, and notice if it is silent."""
        if now - self._heard >= SILENT:
            self._heard = now
            return self.lose()
        if now - self._pinged >= PINGED:
            self._pinged = now
            if self.there:
                self.wire.say("PING", now % LAST)
            elif self.wire.idle:
                self.wire.send(now, "HELLO", VERSION)
        self.wire.tick(now)
        return []

    def lose(self) -> list[News]:
        """Mark the device as gone."""
        was, self.there, self.unfit = self.there, False, False
        return [News("lost")] if was else []

    def _read(self, word: str, fields: list[str], now: int) -> list[News] | None:
        """Return the news in a line, or None if it is invalid."""
        if word == "PONG":
            return []
        if word == "HELLO" and len(fields) == 3:
            return self._hello(fields, now)
        if not self.there:
            return []  # it has not said who it is, or speaks otherwise
        if word == "BAT" and len(fields) == 1:
            return self._battery(number(fields[0], 100))
        if word == "ERR" and len(fields) == 2:
            return [News("fault", text=fields[1])]
        ask = number(fields[0], LAST) if len(fields) >= 2 else None
        if ask is None or fields[1] not in DICE:
            return None
        if word in ("ROLLING", "COCKED") and len(fields) == 2:
            return [News("rolling" if word == "ROLLING" else "cocked", fields[1])]
        face = number(fields[2], LAST) if word == "FACE" and len(fields) == 3 else None
        return self._face(ask, fields[1], face, now) if face is not None else None

    def _hello(self, fields: list[str], now: int) -> list[News]:
        if fields[0] != str(VERSION):
            known, self.there, self.unfit = self.unfit, False, True
            return [] if known else [News("unfit", text=fields[0])]
        known, self.there, self.unfit = self.there, True, False
        self.name, self.dice = fields[1].strip() or "?", tuple(die for die in fields[2].split() if die in DICE)
        self._request(now)
        return [] if known else [News("found", text=self.name)]

    def _battery(self, left: int | None) -> list[News] | None:
        if left is None:
            return None
        self.battery = left
        return [News("battery", face=left)]

    def _face(self, ask: int, die: str, face: int, now: int) -> list[News]:
        """Return the news of a face, once each, as a device may repeat it."""
        if ask and ask == self._called_off:
            self._called_off = 0
            return [News("late", die, face)]
        if ask and (self._wanted is None or ask != self._sent):
            return []
        n = self._wanted[0] if ask and self._wanted is not None else -1
        asked = self._wanted[1] if self._wanted is not None else ""
        if ask:
            self._sent = 0
        if asked and (die != asked or face not in DICE[die]):
            self._once_more(now)
        return [News("rolled", die, face, n)]
