"""What is heard: eight short sounds, made here, each for something that is also written on the screen.

Kivy plays them. Without a sound device all is silent, and nobody is told.
"""

from __future__ import annotations

import array
import logging
import math
import tempfile
import wave
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from companion.screens.app.loudspeaker import best_card, open_mixer
from companion.screens.app.settings import Sound

Event = Literal["accepted", "cost", "out", "refused", "tick", "over", "weather", "leader"]
"""An answer accepted; a ruling that costs; a spin or a car out; an answer refused; one of the last seconds and the time
over; a change of weather; the leader on a new lap or at the finish."""

RATE: Final = 22050
"""Samples a second."""
LOUD: Final = 11000
"""The loudest sample; 32767 is the most there is."""


class Note(NamedTuple):
    """One tone: how high in hertz (0 is a rest), how long in milliseconds, and how fast it dies away (0: not)."""

    hertz: int
    ms: int
    decay: float = 0.0


NOTES: Final[Mapping[Event, tuple[Note, ...]]] = {
    "accepted": (Note(2000, 15, 2.0),),
    "cost": (Note(660, 90, 1.0), Note(0, 20), Note(495, 140, 2.0)),
    "out": (Note(196, 300, 1.0),),
    "refused": (Note(150, 120, 4.0),),
    "tick": (Note(1000, 40, 2.0),),
    "over": (Note(600, 600),),
    "weather": (Note(784, 60), Note(988, 60), Note(1175, 240, 3.0)),
    "leader": (Note(784, 80), Note(0, 30), Note(1047, 200, 2.0)),
}

CLOCK: Final = ("tick", "over")
"""What is heard at the level "clock"."""


class Speaker:
    """Plays the sounds of what happens, as far as its `level` lets them be heard, at a `volume` of 0 to 100."""

    volume = 100

    def __init__(self, level: Sound = "all") -> None:
        self.level: Sound = level
        self._ready: dict[Event, Any] | None = None
        self._card: str | None = None

    def heard(self, event: Event) -> bool:
        """Whether the level lets this be heard."""
        return self.level in ("all", "spoken") or (self.level == "clock" and event in CLOCK)

    def play(self, event: Event) -> None:
        """Plays the sound of an event from its beginning, if it is to be heard."""
        if not self.heard(event):
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
        """The sounds, ready to play on a card, none where it takes none; None without one, which may be plugged in
        later."""
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
    """Writes the sound of an event as a WAV file."""
    samples = array.array("h")
    for note in NOTES[event]:
        samples.extend(_tone(note))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())


def _tone(note: Note) -> array.array[int]:
    """A tone that begins and ends within three milliseconds, so that it does not click."""
    count = RATE * note.ms // 1000
    edge = RATE * 3 // 1000
    turn = 2 * math.pi * note.hertz / RATE

    def loud(at: int) -> float:
        return LOUD * min(1, at / edge, (count - at) / edge) * math.exp(-note.decay * at / count)

    return array.array("h", (int(loud(at) * math.sin(turn * at)) for at in range(count)))
