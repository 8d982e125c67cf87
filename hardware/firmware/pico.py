"""The die-roller on a Raspberry Pi Pico: button, TM1637 and USB."""

import sys
from os import urandom
from select import POLLIN, poll

import micropython
from machine import Pin
from utime import sleep_ms, ticks_diff, ticks_ms

from .device import Roller
from .dice import throw
from .segments import Segments

BUTTON, CLOCK, DATA = 15, 16, 17
"""Pins: the button against ground, and the two of the TM1637."""
SETTLES = 30
"""Milliseconds for which the button must stay down to count."""
DICE = ("1", "2", "3", "4", "5", "6", "20")


def run() -> None:
    """Roll dice until the power goes.

    Control-C over the wire is off, so the files cannot be changed while it runs. To change them, hold the button while
    plugging in: it then returns at once.
    """
    button = Pin(BUTTON, Pin.IN, Pin.PULL_UP)
    if not button():
        return
    micropython.kbd_intr(-1)
    segments = Segments(Pin(CLOCK, Pin.OPEN_DRAIN, value=1), Pin(DATA, Pin.OPEN_DRAIN, value=1))
    wire = poll()
    wire.register(sys.stdin, POLLIN)
    roller = Roller(sys.stdout.buffer.write, lambda die: throw(die, urandom), segments.show, DICE)
    before, now, down = ticks_ms(), 0, 0
    roller.begin(now)
    while True:
        ticks = ticks_ms()
        now += ticks_diff(ticks, before)  # ticks begin anew every twelve days
        before = ticks
        while wire.poll(0):
            roller.hear(sys.stdin.buffer.read(1), now)
        if button():
            down = 0
        elif not down:
            down = now or 1
        elif 0 < down <= now - SETTLES:
            down = now + (1 << 40)  # not again before it is let go
            roller.press(now)
        roller.tick(now)
        sleep_ms(2)
