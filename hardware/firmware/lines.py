"""The wire between referee and die-roller: lines of ASCII with a checksum, sent until they are acknowledged.

Both ends run this module: the referee under CPython, the roller under MicroPython, which lacks much of the library.
Time is milliseconds of a clock that only goes forward.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has neither this module nor use for it
    from collections.abc import Callable

VERSION = 1
"""The version of the protocol."""
LONGEST = 80
"""The longest line in bytes, its end included."""
LAST = 9999
"""After this number lines and rolls are counted from 1 again."""
AGAIN = 300
"""Milliseconds after which a line is sent again that was not acknowledged."""
PATIENCE = 5
"""How often a line is sent again so soon; after that only every `SELDOM` milliseconds."""
SELDOM = 3000
WAITING = 8
"""The most lines that wait to be sent; of more the oldest goes."""


def checksum(body: bytes) -> str:
    """The bytes between $ and *, combined by exclusive or: two hexadecimal digits."""
    total = 0
    for byte in body:
        total ^= byte
    return "%02X" % total  # noqa: UP031 - quicker than a format string on a Pico


def pack(seq: int, word: str, *fields: object) -> bytes:
    """A line: `$seq,WORD,field,...*checksum` and a line feed. What would break a line or make it too long is left out
    of its fields."""
    parts = [str(seq), word] + [clean(field) for field in fields]
    body = ",".join(parts).encode()[: LONGEST - 5]
    return b"$" + body + b"*" + checksum(body).encode() + b"\n"


def clean(field: object) -> str:
    """A field as it may stand in a line: printable ASCII without $ * and comma."""
    return "".join([sign for sign in str(field) if " " <= sign <= "~" and sign not in "$*,"])


def unpack(line: bytes) -> "tuple[int, str, list[str]] | None":
    """A line taken apart: its number, its word and its fields; None if it is not whole."""
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
    """A whole number from 0 to `most` in at most four digits, None for anything else."""
    if not 1 <= len(text) <= 4:
        return None
    value = 0
    for sign in text:
        if not "0" <= sign <= "9":
            return None
        value = value * 10 + ord(sign) - 48
    return value if value <= most else None


class Wire:
    """One end of the wire. `write` sends bytes; `take` gives each whole line once, however often it came.

    Lines with number 0 are neither acknowledged nor repeated. `bad` counts the lines that could not be read.
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
        """The words and fields of the lines that end in `data`. A line that is too long is passed over to its end."""
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
        """Whether a line has to be heeded; it is acknowledged in any case."""
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
        """Whether all that was sent is acknowledged."""
        return not self._queue

    def say(self, word: str, *fields: object) -> None:
        """Sends a line once."""
        self.write(pack(0, word, *fields))

    def send(self, now: int, word: str, *fields: object) -> None:
        """Sends a line until it is acknowledged, after those that wait already."""
        self._seq = self._seq % LAST + 1
        self._queue.append((self._seq, pack(self._seq, word, *fields)))
        if len(self._queue) > WAITING:
            self._queue.pop(1)
        self.tick(now)

    def tick(self, now: int) -> None:
        """Sends what is due."""
        if self._queue and (not self._sent or now >= self._due):
            self._sent += 1
            self._due = now + (AGAIN if self._sent < PATIENCE else SELDOM)
            self.write(self._queue[0][1])

    def restart(self) -> None:
        """Forgets what waits to be sent and what was begun: the other end has begun anew."""
        self._begun, self._skips, self._seen = b"", False, 0
        self._queue, self._sent = [], 0
