"""The behaviour of a die-roller.

It announces its dice, waits for a request, rolls when its button is pressed, and repeats the face until the referee
has acknowledged it.
"""

from .lines import LAST, VERSION, Wire, number

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has neither this module nor use for it
    from collections.abc import Callable

TUMBLES = 600
"""Milliseconds from the button to the face."""
READABLE = 1000
"""Milliseconds for which a face stays on the digits before they show the open question."""


class Roller:
    """A die-roller, independent of its hardware.

    `write` sends bytes, `throw(die)` rolls a die, `show(text)` shows four characters. Call `hear` with the bytes
    received, `press` when the button is pressed, and `tick` continually; `now` is in milliseconds.
    """

    def __init__(
        self,
        write: "Callable[[bytes], object]",
        throw: "Callable[[str], int]",
        show: "Callable[[str], object]",
        dice: "tuple[str, ...]",
        name: str = "pico 1",
    ) -> None:
        self.wire = Wire(write)
        self.throw, self.show, self.dice, self.name = throw, show, dice, name
        self.ask, self.die = 0, dice[0]
        """Roll that is asked for (0: none), and the die that the button rolls."""
        self.rolling_until = 0
        """Time when the rolling die comes to rest; 0 if none rolls."""
        self.told: tuple[int, str, int] | None = None
        """Face of the last roll that was asked for, until the next one: roll, die, face."""
        self._thrown = 0, dice[0]
        """Roll and die at the moment the button was pressed; what is asked for meanwhile is another roll."""
        self._idle = self._digits = ""
        """Text on the digits while nothing is asked for, and the current text."""
        self._readable_until = 0

    def begin(self, now: int) -> None:
        """Send a hello and drop the request.

        The referee must request again: a player may have entered the face by hand meanwhile.
        """
        self.wire.restart()
        self.ask = 0
        self._idle = "----"
        self.wire.send(now, "HELLO", VERSION, self.name, " ".join(self.dice))

    def hear(self, data: bytes, now: int) -> None:
        """Handle the bytes received."""
        for word, fields in self.wire.take(data, now):
            if word == "HELLO":
                self.begin(now)
            elif word == "PING":
                self.wire.say("PONG", *fields[:1])
            elif word == "ROLL" and len(fields) == 2:
                self._take_request(number(fields[0], LAST), fields[1], now)
            elif word == "CANCEL" and fields[:1] == [str(self.ask)]:
                self.ask = 0
                self._idle = "----"

    def _take_request(self, ask: "int | None", die: str, now: int) -> None:
        """Take a request for a roll; if that roll is done, send its face again."""
        if not ask:
            return
        if self.told is not None and self.told[:2] == (ask, die):
            self.wire.send(now, "FACE", *self.told)
            return
        self.told = None  # what has this number again some day is another roll
        if die not in self.dice:
            self.wire.send(now, "ERR", ask, "nodie")
        else:
            self.ask, self.die = ask, die

    def press(self, now: int) -> None:
        """Roll the requested die, or the last one if none is requested.

        Ignored while a face is shown for reading: a double press cannot mean a question that the digits have not shown
        yet.
        """
        if not self.rolling_until and now >= self._readable_until:
            self.rolling_until = now + TUMBLES
            self._thrown = self.ask, self.die
            self.wire.send(now, "ROLLING", *self._thrown)

    def tick(self, now: int) -> None:
        """Finish a roll that is due, update the digits, and send pending lines."""
        if self.rolling_until and now >= self.rolling_until:
            self._finish(now)
        digits = self._current(now)
        if digits != self._digits:
            self._digits = digits
            self.show(digits)
        self.wire.tick(now)

    def _finish(self, now: int) -> None:
        ask, die = self._thrown
        face = self.throw(die)
        self.rolling_until = 0
        self.wire.send(now, "FACE", ask, die, face)
        if ask and self.ask in (0, ask):
            self.told = (ask, die, face)
        if self.ask == ask:
            self.ask = 0
        self._idle = "%4d" % face  # noqa: UP031
        self._readable_until = now + READABLE

    def _current(self, now: int) -> str:
        """Return the four characters to show now.

        They are a tumbling die, a face to read, the open question, or the last state.
        """
        if self.rolling_until:
            return ("-   ", " -  ", "  - ", "   -")[now // 60 % 4]
        if self.ask and now >= self._readable_until:
            return "d%3s" % self.die  # noqa: UP031
        return self._idle
