"""The display of the die-roller: four seven-segment digits on a TM1637, two wires."""

from utime import sleep_us

GLYPHS = {
    " ": 0x00, "-": 0x40, "d": 0x5E, "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66, "5": 0x6D, "6": 0x7D,
    "7": 0x07, "8": 0x7F, "9": 0x6F,
}  # fmt: skip
"""Segments of a sign, bit 0 at the top and then clockwise, bit 6 in the middle."""


class Segments:
    """A TM1637 display; `clock` and `data` are open-drain output pins of `machine`."""

    def __init__(self, clock, data, bright: int = 4) -> None:  # type: ignore[no-untyped-def]
        self.clock, self.data, self.bright = clock, data, bright

    def show(self, text: str) -> None:
        """Show four characters."""
        self._tell([0x40])
        self._tell([0xC0] + [GLYPHS.get(sign, 0) for sign in text[:4]])
        self._tell([0x88 | self.bright])

    def _tell(self, command: "list[int]") -> None:
        self.data(0)
        sleep_us(5)
        for byte in command:
            for bit in range(8):
                self._clocked(byte >> bit & 1)
            self._clocked(1)  # the chip acknowledges; nothing hangs on it
        self._clocked(0)
        self.data(1)  # a rise while the clock is high ends it
        sleep_us(5)

    def _clocked(self, bit: int) -> None:
        self.clock(0)
        sleep_us(5)
        self.data(bit)
        sleep_us(5)
        self.clock(1)
        sleep_us(5)
