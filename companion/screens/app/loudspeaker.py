"""Which sound card an appliance plays on, and a mixer that is opened anew when that is another one.

On a panel nobody else sees to it: ALSA's default is the first card, which on a Raspberry Pi 5 may be an HDMI socket
with nothing in it, and Kivy gives sound up for good where the mixer does not open at once.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from pathlib import Path
from typing import Final

from companion.screens.app.connectors import find_connectors

CARD: Final = "ALSA_CARD"
"""The variable by which ALSA, and with it SDL and espeak-ng, knows the card that its default device is on."""
SETTLED: Final = bool(os.environ.get(CARD) or os.environ.get("AUDIODEV"))
"""Whether somebody has said in the unit where sound is to go."""
SYSTEM_WIDE: Final = Path("/etc/asound.conf")
"""Where raspi-config, or somebody, writes the same for the whole system."""
_LINE: Final = re.compile(r"^ *\d+ \[(\S+) *\]: (\S+)", re.MULTILINE)
_HDMI: Final = "vc4-hdmi"
_RATE, _S16, _STEREO, _BUFFER = 44100, 0x8010, 2, 1024
"""How Kivy opens the mixer; what is opened twice must be opened alike."""


def best_card(
    cards: Path = Path("/proc/asound/cards"), displays: Path | None = None, settled: Path = SYSTEM_WIDE
) -> str | None:
    """Return the card to play on: one on USB, else one with a socket of its own, else HDMI with a screen in it; "" for
    the system's own choice, None if there is none that could be heard."""
    if sys.platform != "linux" or os.environ.get("SDL_AUDIODRIVER"):
        return ""
    if os.environ.get("SDL_VIDEODRIVER") != "kmsdrm" or SETTLED or settled.exists():
        return "" if os.path.exists("/dev/snd") else None
    try:
        found = _LINE.findall(cards.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return None
    heard = [(name, driver) for name, driver in found if driver != _HDMI or _has_screen(name, displays)]
    rank = {"USB-Audio": 0, _HDMI: 2}
    return min(heard, key=lambda card: rank.get(card[1], 1))[0] if heard else None


def _has_screen(name: str, displays: Path | None) -> bool:
    """Return True if a screen is in the HDMI socket of this card: vc4hdmi0 is HDMI-A-1."""
    socket = int(name.removeprefix("vc4hdmi") or 0) + 1
    return any(one.is_connected for one in find_connectors(displays) if one.name == f"HDMI-A-{socket}")


def open_mixer(card: str) -> bool:
    """Open SDL's mixer on a card, closed before if it was open on another one. False if it takes nothing; the system's
    own choice is Kivy's to open."""
    if not card:
        return True
    import kivy.core.audio  # noqa: F401  # which loads the mixer, and does not open it

    os.environ[CARD] = card
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        if "libSDL2_mixer" in line:
            mixer = ctypes.CDLL(line.split(maxsplit=5)[5])
            while mixer.Mix_QuerySpec(None, None, None):
                mixer.Mix_CloseAudio()
            return bool(mixer.Mix_OpenAudio(_RATE, _S16, _STEREO, _BUFFER) == 0)
    return True  # Kivy plays by something else here
