"""Touchscreens, mice and keyboards as Linux reports them; needs no Kivy."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path
from typing import Final, Literal

Hand = Literal["touchscreen", "one finger", "mouse", "keyboard"]
"""Kinds of input devices: a screen that reports several fingers or only one, a pointer, letters."""
FINGERS_AS_MOUSE: Final = "SDL_TOUCH_MOUSE_EVENTS"
"""Hint that tells SDL whether to treat the first finger as a mouse."""
_XY: Final = 0b11
"""Bits of a device that moves along both axes."""
_LEFT: Final = 0x110
"""Bit of a device with the left mouse button."""
_LETTERS: Final = 0xFFFF_FFFE
"""Bits of the first rows of a keyboard; a power button, or a television behind HDMI, has only some of them."""
_DIRECT: Final = 1
"""Bit of a device whose picture is touched directly: a screen, not a pad."""
_MT_X: Final = 0x35
"""Bit of a device that reports the positions of several fingers."""
_OVERRIDE: Final = 2
"""SDL priority of a hint that overrides the environment."""


def plugged(system: Path = Path("/sys/class/input"), devices: Path = Path("/dev/input")) -> dict[str, Hand]:
    """Return the kind of each input device that this user may read, by its path."""
    found: dict[str, Hand] = {}
    for event in sorted(system.glob("event*")):
        try:
            absolute, relative, keys = (_bits(event / f"device/capabilities/{kind}") for kind in ("abs", "rel", "key"))
            direct = _bits(event / "device/properties") >> _DIRECT & 1
        except (OSError, ValueError):
            continue
        hand: Hand
        if direct and absolute & _XY:
            hand = "touchscreen" if absolute >> _MT_X & 1 else "one finger"
        elif keys >> _LEFT & 1 and _XY in (absolute & _XY, relative & _XY):
            hand = "mouse"
        elif keys & _LETTERS == _LETTERS:
            hand = "keyboard"
        else:
            continue
        if os.access(devices / event.name, os.R_OK):
            found[str(devices / event.name)] = hand
    return found


def _bits(path: Path) -> int:
    """Read a sysfs bit mask: hexadecimal words, the highest first."""
    value = 0
    for word in path.read_text(encoding="ascii").split():
        value = value << struct.calcsize("l") * 8 | int(word, 16)
    return value


def mouse_of_fingers(wanted: bool) -> None:
    """Have SDL emulate a mouse with the first finger, or not.

    Does nothing where SDL does not run. Needed for touchscreens that nothing else reads.
    """
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        if "libSDL2-2" in line:
            sdl = ctypes.CDLL(line.split(maxsplit=5)[5])
            sdl.SDL_SetHintWithPriority(FINGERS_AS_MOUSE.encode(), b"1" if wanted else b"0", _OVERRIDE)
            return
