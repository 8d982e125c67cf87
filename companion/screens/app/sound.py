"""Sounds: eight short ones, synthesised here, each for an event also on the screen.

Kivy plays them, on an appliance on the best sound card, reopening the mixer when the card changes. Without a sound
device they are silently skipped.
"""

from __future__ import annotations

import array
import ctypes
import logging
import math
import os
import re
import sys
import tempfile
import wave
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from companion.screens.app.connectors import find_connectors
from companion.screens.app.settings import Sound

Event = Literal["accepted", "cost", "out", "refused", "tick", "over", "weather", "leader"]
"""Events with a sound: an answer accepted; a ruling that costs; a spin or a car out; an answer refused; one of the last
seconds, and the time over; a change of weather; the leader on a new lap or at the finish."""

RATE: Final = 22050
"""Samples a second."""
LOUD: Final = 11000
"""Amplitude of the loudest sample; 32767 is the maximum."""


class Beep(NamedTuple):
    """A tone: frequency in hertz (0 is a rest), length in milliseconds, decay (0: none)."""

    hertz: int
    ms: int
    decay: float = 0.0


NOTES: Final[Mapping[Event, tuple[Beep, ...]]] = {
    "accepted": (Beep(2000, 15, 2.0),),
    "cost": (Beep(660, 90, 1.0), Beep(0, 20), Beep(495, 140, 2.0)),
    "out": (Beep(196, 300, 1.0),),
    "refused": (Beep(150, 120, 4.0),),
    "tick": (Beep(1000, 40, 2.0),),
    "over": (Beep(600, 600),),
    "weather": (Beep(784, 60), Beep(988, 60), Beep(1175, 240, 3.0)),
    "leader": (Beep(784, 80), Beep(0, 30), Beep(1047, 200, 2.0)),
}

CLOCK: Final = ("tick", "over")
"""Events heard at the level "clock"."""


class Speaker:
    """Player of event sounds at a `level` and a `volume` of 0 to 100."""

    volume = 100

    def __init__(self, level: Sound = "all") -> None:
        self.level: Sound = level
        self._ready: dict[Event, Any] | None = None
        self._card: str | None = None

    def is_audible(self, event: Event) -> bool:
        """Return True if the level allows this event's sound."""
        return self.level in ("all", "spoken") or (self.level == "clock" and event in CLOCK)

    def play(self, event: Event) -> None:
        """Play the sound of an event from its start, if the level allows it."""
        if not self.is_audible(event):
            return
        card = best_card()
        if self._ready is None or card != self._card:
            try:
                self._ready, self._card = self._load(card), card
            except OSError:  # a full disk silences nothing else, and the next sound tries again
                return
        sound = (self._ready or {}).get(event)
        if sound is not None:
            sound.stop()
            sound.volume = self.volume / 100
            sound.play()

    def _load(self, card: str | None) -> dict[Event, Any] | None:
        """Return the sounds for a card: empty if it fails, None without a card.

        A card may be plugged in later.
        """
        if card is None:
            return None
        if not open_mixer(card):
            logging.getLogger(__name__).info("there is no sound: the card %s takes none", card)
            return {}
        from kivy.core.audio import SoundLoader

        ready: dict[Event, Any] = {}
        with tempfile.TemporaryDirectory(prefix="companion-sounds-") as folder:
            for event in NOTES:
                path = Path(folder, f"{event}.wav")
                write(event, path)
                sound = SoundLoader.load(str(path))
                if sound is None or not sound.length:
                    logging.getLogger(__name__).info("there is no sound: the device takes none")
                    return {}
                ready[event] = sound
        return ready


def write(event: Event, path: Path) -> None:
    """Write the sound of an event as a WAV file."""
    samples = array.array("h")
    for note in NOTES[event]:
        samples.extend(_tone(note))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())


def _tone(note: Beep) -> array.array[int]:
    """Return a tone with edges of three milliseconds, so that it does not click."""
    count = RATE * note.ms // 1000
    edge = RATE * 3 // 1000
    turn = 2 * math.pi * note.hertz / RATE

    def loud(at: int) -> float:
        return LOUD * min(1, at / edge, (count - at) / edge) * math.exp(-note.decay * at / count)

    return array.array("h", (int(loud(at) * math.sin(turn * at)) for at in range(count)))


# -- the sound card
#
# On a panel nobody else sees to it: ALSA's default is the first card, which on a Raspberry Pi 5 may be an HDMI socket
# with nothing in it, and Kivy gives up sound for good if the mixer does not open at once.

CARD: Final = "ALSA_CARD"
"""Environment variable for the card of the default device of ALSA, and with it of SDL and espeak-ng."""
SETTLED: Final = bool(os.environ.get(CARD) or os.environ.get("AUDIODEV"))
"""True if the unit's environment already chooses the sound card."""
SYSTEM_WIDE: Final = Path("/etc/asound.conf")
"""File in which raspi-config, or a person, sets the card of the whole system."""
_LINE: Final = re.compile(r"^ *\d+ \[(\S+) *\]: (\S+)", re.MULTILINE)
_HDMI: Final = "vc4-hdmi"
_RATE, _S16, _STEREO, _BUFFER = 44100, 0x8010, 2, 1024
"""Parameters of Kivy's mixer; a second opening must use the same."""


def best_card(
    cards: Path = Path("/proc/asound/cards"), displays: Path | None = None, settled: Path = SYSTEM_WIDE
) -> str | None:
    """Return the sound card to use, "" for the system's choice, None if none is audible.

    USB comes first, then a card with its own socket, then HDMI with a screen in it.
    """
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
    """Open SDL's mixer on a card, closing it on another first.

    Returns False if the card does not open. The system's own choice ("") is left to Kivy.
    """
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
