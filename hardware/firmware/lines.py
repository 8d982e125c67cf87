"""The wire between referee and die-roller: ASCII lines with checksum and acknowledgement.

Both ends run this module: the referee under CPython, the roller under MicroPython, which lacks much of the library.
Times are milliseconds of a monotonic clock.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has neither this module nor use for it
    from collections.abc import Callable

VERSION = 1
"""Version of the protocol."""
LONGEST = 80
"""Maximum length of a line in bytes, including its end."""
LAST = 9999
"""Last number of lines and rolls, after which counting restarts at 1."""
AGAIN = 300
"""Milliseconds after which a line is sent again that was not acknowledged."""
PATIENCE = 5
"""Number of times that a line is sent again so soon; after that only every `SELDOM` milliseconds."""
SELDOM = 3000
WAITING = 8
"""Maximum number of lines that wait to be sent; beyond that the oldest is dropped."""


def checksum(body: bytes) -> str:
    """Return the exclusive or of the bytes between $ and *, as two hexadecimal digits."""
    total = 0
    for byte in body:
        total ^= byte
    return "%02X" % total  # noqa: UP031 - quicker than a format string on a Pico


def pack(seq: int, word: str, *fields: object) -> bytes:
    """Return the line `$seq,WORD,field,...*checksum` with a line feed.

    Fields lose the characters that would break the line; a line that is too long is cut.
    """
    parts = [str(seq), word] + [clean(field) for field in fields]
    body = ",".join(parts).encode()[: LONGEST - 5]
    return b"$" + body + b"*" + checksum(body).encode() + b"\n"


def clean(field: object) -> str:
    """Return a field reduced to printable ASCII without $, * and comma."""
    return "".join([sign for sign in str(field) if " " <= sign <= "~" and sign not in "$*,"])


def unpack(line: bytes) -> "tuple[int, str, list[str]] | None":
    """Split a line into number, word and fields; None if it is invalid."""
    line = line.strip()
    if len(line) < 6 or line[:1] != b"$" or line[-3:-2] != b"*":
        return None
    body = line[1:-3]
    for byte in body:
        if not 0x20 <= byte <= 0x7E:
            return None
    if line[-2:] != checksum(body).encode():
        return None
    parts = body.decode().split(",")
    seq = number(parts[0], LAST)
    return None if seq is None or len(parts) < 2 or not parts[1] else (seq, parts[1], parts[2:])


def number(text: str, most: int) -> "int | None":
    """Return a whole number from 0 to `most` of at most four digits, else None."""
    if not 1 <= len(text) <= 4:
        return None
    value = 0
    for sign in text:
        if not "0" <= sign <= "9":
            return None
        value = value * 10 + ord(sign) - 48
    return value if value <= most else None


class Wire:
    """One end of the wire.

    `write` sends bytes; `take` returns each valid line once, even if it was repeated. Lines with number 0 are neither
    acknowledged nor repeated. `bad` counts the unreadable lines.
    """

    def __init__(self, write: "Callable[[bytes], object]") -> None:
        self.write = write
        self.bad = 0
        self._begun = b""
        self._skips = False
        self._seen = 0
        self._seq = 0
        self._queue: list[tuple[int, bytes]] = []
        self._sent = 0
        self._due = 0

    # -- in

    def take(self, data: bytes, now: int) -> "list[tuple[str, list[str]]]":
        """Return word and fields of the lines completed by `data`.

        A line that is too long is skipped to its end.
        """
        found = []
        pieces = data.split(b"\n")
        for place, piece in enumerate(pieces):
            self._begun += piece
            if len(self._begun) >= LONGEST:
                self._begun, self._skips = b"", True
            if place == len(pieces) - 1:
                break
            line, self._begun = self._begun, b""
            if self._skips:
                self._skips = False
                self.bad += 1
            elif line.strip():
                read = unpack(line)
                if read is None:
                    self.bad += 1
                elif self._new(read, now):
                    found.append((read[1], read[2]))
        return found

    def _new(self, read: "tuple[int, str, list[str]]", now: int) -> bool:
        """Return True if a line is new and needs handling; acknowledges any numbered line."""
        seq, word, fields = read
        if word == "ACK":
            if fields and self._queue and fields[0] == str(self._queue[0][0]):
                self._queue.pop(0)
                self._sent = 0
                self.tick(now)
            return False
        if not seq:
            return True
        self.write(pack(0, "ACK", seq))
        if seq == self._seen and word != "HELLO":
            return False
        self._seen = seq
        return True

    # -- out

    @property
    def idle(self) -> bool:
        """True if every line sent has been acknowledged."""
        return not self._queue

    def say(self, word: str, *fields: object) -> None:
        """Send a line once."""
        self.write(pack(0, word, *fields))

    def send(self, now: int, word: str, *fields: object) -> None:
        """Send a line until it is acknowledged, after those already pending."""
        self._seq = self._seq % LAST + 1
        self._queue.append((self._seq, pack(self._seq, word, *fields)))
        if len(self._queue) > WAITING:
            self._queue.pop(1)
        self.tick(now)

    def tick(self, now: int) -> None:
        """Send the pending line if it is due."""
        if self._queue and (not self._sent or now >= self._due):
            self._sent += 1
            self._due = now + (AGAIN if self._sent < PATIENCE else SELDOM)
            self.write(self._queue[0][1])

    def restart(self) -> None:
        """Drop pending lines and partial input, because the other end has restarted."""
        self._begun, self._skips, self._seen = b"", False, 0
        self._queue, self._sent = [], 0
