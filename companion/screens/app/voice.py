"""Speech, if the table wants it: rulings, whose turn it is, the result.

Debian's espeak-ng speaks, without a network; where it is not installed nothing is spoken: everything is on the screen
as well.
"""

from __future__ import annotations

import logging
import queue
import shutil
import subprocess
import threading
from typing import Final

from companion.screens.kit.theme import theme
from companion.view.shown_race import RaceShown

PROGRAM: Final = "espeak-ng"
LOUDEST: Final = 200
"""Maximum volume of the speech program."""
PODIUM: Final = 3


class Voice:
    """Speaker in a thread; a new sentence cuts off the old one.

    `level` and `volume` (0 to 100) are the table's.
    """

    def __init__(self, level: str = "off", volume: int = 100) -> None:
        self.level, self.volume = level, volume
        self.program = shutil.which(PROGRAM)
        self._wanted: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        self._speaks: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def say(self, text: str, lang: str) -> None:
        """Say a text in a language, as soon as possible."""
        if self.level != "spoken" or self.program is None or not text:
            return
        while not self._wanted.empty():
            self._wanted.get_nowait()
        if self._speaks is not None:
            self._speaks.terminate()
        self._wanted.put((text, lang))
        if self._thread is None:
            self._thread = threading.Thread(target=self._go_on, name="voice", daemon=True)
            self._thread.start()

    def _go_on(self) -> None:
        while True:
            text, lang = self._wanted.get()
            loud = str(LOUDEST * self.volume // 100)
            try:
                self._speaks = subprocess.Popen(
                    [self.program or PROGRAM, "-v", lang, "-a", loud, "--", text],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip
                self._speaks.wait()
            except OSError:
                logging.getLogger(__name__).info("nothing is spoken: %s does not start", self.program)
                return
            finally:
                self._speaks = None


def spoken(before: RaceShown | None, now: RaceShown) -> str:
    """Return the text to speak for a new picture of the race.

    The new ruling, then whose turn it is; at the end the result.
    """
    if before is not None and before.prompt.key == now.prompt.key:
        return ""
    said = []
    if now.card is not None and now.card.seq and (before is None or before.card != now.card):
        said += [now.card.title, *(line.text for line in now.card.lines)]
    elif now.toast is not None and (before is None or now.toast != before.toast):
        said.append(now.toast.text)
    if now.prompt.layout == "none":
        first = [row for row in now.order if row.position][:PODIUM]
        places = ". ".join(theme.words.screen("voice.place", place=row.position, name=row.name) for row in first)
        said += [now.prompt.title, places]
    else:
        plays, played = (
            next((row for row in shown.order if row.playing), None) if shown is not None else None
            for shown in (now, before)
        )
        if plays is not None and (played is None or plays.plate != played.plate):
            said.append(theme.words.screen("voice.turn", name=plays.name or str(plays.plate.number)))
    return ". ".join(text.rstrip(". ") for text in said if text)
