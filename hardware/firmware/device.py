"""What a die-roller does: it says what dice it has, waits to be asked, rolls when its button is pressed, and tells the
face until the referee has it."""

from .lines import LAST, VERSION, Wire, number

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has neither this module nor use for it
    from collections.abc import Callable

TUMBLES = 600
"""Milliseconds from the button to the face."""


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
        self._rolls = 0

    def begin(self, now: int) -> None:
        """Says hello. Nothing is asked for until the referee asks anew: a finger may have been first meanwhile."""
        self.wire.restart()
        self.ask = 0
        self.wire.send(now, "HELLO", VERSION, self.name, " ".join(self.dice))
        self.show("----")

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
                self.show("----")

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
            self.show("d%3s" % die)  # noqa: UP031

    def press(self, now: int) -> None:
        """The button: the die that is asked for rolls; if none is, the last one does, unasked."""
        if not self.rolling_until:
            self.rolling_until = now + TUMBLES
            self._rolls = self.ask
            self.wire.send(now, "ROLLING", self.ask, self.die)

    def tick(self, now: int) -> None:
        """Goes on with the time."""
        if self.rolling_until and now >= self.rolling_until:
            self.rolling_until = 0
            face = self.throw(self.die)
            self.wire.send(now, "FACE", self._rolls, self.die, face)
            if self._rolls:
                self.told = (self._rolls, self.die, face)
            if self.ask == self._rolls:
                self.ask = 0
            self.show("%4d" % face)  # noqa: UP031
        elif self.rolling_until:
            self.show(("-   ", " -  ", "  - ", "   -")[now // 60 % 4])
        self.wire.tick(now)
