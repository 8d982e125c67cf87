"""What Linux says of the devices that people touch, point and type with; nothing here needs Kivy."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path
from typing import Final, Literal

Hand = Literal["touchscreen", "one finger", "mouse", "keyboard"]
"""What may be plugged in: a screen that tells of several fingers or of one only, a pointer, letters."""
FINGERS_AS_MOUSE: Final = "SDL_TOUCH_MOUSE_EVENTS"
"""By what SDL is told whether it makes a mouse of the first finger."""
_XY: Final = 0b11
"""The bits of a device that moves along both axes."""
_LEFT: Final = 0x110
"""The bit of a device with the left key of a mouse."""
_LETTERS: Final = 0xFFFF_FFFE
"""The bits of the first rows of a keyboard; a power button, or a television behind HDMI, has some of them at most."""
_DIRECT: Final = 1
"""The bit of a device on whose picture the fingers are: a screen, no pad."""
_MT_X: Final = 0x35
"""The bit of a device that tells where each of several fingers is."""
_OVERRIDE: Final = 2
"""SDL's word for a hint that counts for more than the environment's."""


def plugged(system: Path = Path("/sys/class/input"), devices: Path = Path("/dev/input")) -> dict[str, Hand]:
    """What people touch, point and type with, by its device: all that this user may read."""
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
    """A mask of sysfs: words in hexadecimal, the highest first."""
    value = 0
    for word in path.read_text(encoding="ascii").split():
        value = value << struct.calcsize("l") * 8 | int(word, 16)
    return value


def mouse_of_fingers(wanted: bool) -> None:
    """Whether SDL, where it runs, makes a mouse of the first finger: of screens that nobody else reads."""
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        if "libSDL2-2" in line:
            sdl = ctypes.CDLL(line.split(maxsplit=5)[5])
            sdl.SDL_SetHintWithPriority(FINGERS_AS_MOUSE.encode(), b"1" if wanted else b"0", _OVERRIDE)
            return
