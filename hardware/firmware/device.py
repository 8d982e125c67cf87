"""What a die-roller does: it says what dice it has, waits to be asked, rolls when its button is pressed, and tells the
face until the referee has it."""

from .lines import LAST, VERSION, Wire, number

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has neither this module nor use for it
    from collections.abc import Callable

TUMBLES = 600
"""Milliseconds from the button to the face."""
READABLE = 1000
"""Milliseconds for which a face stays on the digits before they show the open question."""


class Roller:
    """A die-roller without its parts. `write` sends bytes, `throw(die)` rolls one, `show(text)` shows four signs.

    `hear` is given what came over the wire, `press` called when the button is pressed, `tick` all the time; `now` is in
    milliseconds.
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
        """The roll that is asked for (0: none), and the die that the button rolls."""
        self.rolling_until = 0
        """When the die that is rolling lies still; 0 if none rolls."""
        self.told: tuple[int, str, int] | None = None
        """The face of the last roll that was asked for, until another is: roll, die, face."""
        self._thrown = 0, dice[0]
        """Roll and die as they were when the button was pressed; what is asked for meanwhile is another roll."""
        self._idle = self._digits = ""
        """What the digits show when nothing is asked for, and what they show now."""
        self._readable_until = 0

    def begin(self, now: int) -> None:
        """Says hello. Nothing is asked for until the referee asks anew: a finger may have been first meanwhile."""
        self.wire.restart()
        self.ask = 0
        self._idle = "----"
        self.wire.send(now, "HELLO", VERSION, self.name, " ".join(self.dice))

    def hear(self, data: bytes, now: int) -> None:
        """Takes what came over the wire."""
        for word, fields in self.wire.take(data, now):
            if word == "HELLO":
                self.begin(now)
            elif word == "PING":
                self.wire.say("PONG", *fields[:1])
            elif word == "ROLL" and len(fields) == 2:
                self._asked(number(fields[0], LAST), fields[1], now)
            elif word == "CANCEL" and fields[:1] == [str(self.ask)]:
                self.ask = 0
                self._idle = "----"

    def _asked(self, ask: "int | None", die: str, now: int) -> None:
        """A roll is asked for; one that was rolled already is told again and not rolled anew."""
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
        """The button: the die that is asked for rolls; if none is, the last one does, unasked. While a face is to be
        read it does nothing: who presses twice cannot mean a question that the digits have not shown yet."""
        if not self.rolling_until and now >= self._readable_until:
            self.rolling_until = now + TUMBLES
            self._thrown = self.ask, self.die
            self.wire.send(now, "ROLLING", *self._thrown)

    def tick(self, now: int) -> None:
        """Finish a roll that is due, show what is current, and send what waits."""
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
        """Return the four signs of this moment: a die that tumbles, a face to be read, the open question, or nothing
        new."""
        if self.rolling_until:
            return ("-   ", " -  ", "  - ", "   -")[now // 60 % 4]
        if self.ask and now >= self._readable_until:
            return "d%3s" % self.die  # noqa: UP031
        return self._idle
