"""Events of the race for lights and sounds.

Nothing is signalled by sound or light alone: everything is on the screen as well.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, Literal

from companion.screens.app.sound import Event, Speaker
from companion.view.shown_race import RaceShown

Light = Event | Literal["waiting", "idle"]
"""States of a light: an event, a question open, none open."""

TONES: Final[dict[str, Event]] = {"warn": "cost", "bad": "out"}


class Signals:
    """Dispatcher of race events; `listen(light)` adds a callback for event names."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._listeners: list[Callable[[Light], object]] = []

    def listen(self, light: Callable[[Light], object]) -> None:
        """Call `light` with each event, in the screen's thread."""
        self._listeners.append(light)

    def happen(self, event: Light) -> None:
        """Dispatch an event; a failing listener is logged, and the race goes on."""
        if event != "waiting" and event != "idle":
            self._speaker.play(event)
        for light in self._listeners:
            try:
                light(event)
            except Exception:
                logging.getLogger(__name__).exception("a light failed on %s", event)


def light_events(before: RaceShown | None, now: RaceShown) -> list[Light]:
    """Return the events of a new picture, compared with the one before.

    What an undo returns to has been signalled before.
    """
    rests: Light = "idle" if now.prompt.layout == "none" else "waiting"
    if before is None:
        return [rests]
    found: list[Light] = []
    asked_anew = before.prompt.key != now.prompt.key
    if now.toast is not None and now.toast.tone == "bad" and now.toast.icon == "cross" and not asked_anew:
        return ["refused"] if now.toast != before.toast else []
    if asked_anew:
        found.append("accepted")
    if now.card is not None and now.card != before.card and (asked_anew or before.card is None):
        found += [TONES[now.card.tone]] if now.card.tone in TONES else []
    if now.prompt.n >= before.prompt.n:
        if now.top.sky != before.top.sky:
            found.append("weather")
        if lap(now) > lap(before) or now.prompt.layout == "none" != before.prompt.layout:
            found.append("leader")
    if asked_anew:
        found.append(rests)
    return found


def lap(shown: RaceShown) -> int:
    """Return the lap of the leader; 0 where a race counts rounds only."""
    return int(shown.top.lap or 0)
