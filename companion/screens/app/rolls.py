"""The rolls of the die-roller: each goes to the screen or the race that wants it, and the table is told of each."""

from __future__ import annotations

import math
import time
from collections import deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final, NamedTuple

from kivy.clock import Clock

from companion.rules.conversation.errors import BadAnswer
from companion.screens.widgets.theme import theme
from companion.view.shown import Toast, Tone

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from companion.screens.app.seat import RollFate

SECONDS_APART: Final = 1.0
"""After a roll was taken, one that nobody asked for within so many seconds is the same throw or a second press."""
BLACK: Final = "20"
"""The die-roller's name of the black die."""


class Roll(NamedTuple):
    """A face of a die ("" if it is not known which), the question it was rolled for (-1: none), whether that question
    had asked the device for it, and when it came, by the clock that only goes forward."""

    face: int
    die: str
    n: int
    asked: bool
    came: float


class Rolls:
    """Decides on one roll after the other: the next one waits until the desk has said what became of the last."""

    def __init__(self, app: CompanionApp) -> None:
        self._app = app
        self._waiting: deque[Roll] = deque()
        self._at_desk = False
        self._taken = -math.inf
        """When the last roll was taken."""

    def put(self, roll: Roll) -> None:
        """Add a roll that has come; it wakes the screen."""
        self._app.sleep.wake()
        self._waiting.append(roll)
        self._go_on()

    def too_late(self, face: int, die: str) -> None:
        """Tell of a roll whose question was answered by other means before the die lay still."""
        self._set_aside("late", face, die)

    def _go_on(self) -> None:
        while self._waiting and not self._at_desk:
            roll = self._waiting.popleft()
            try:
                self._decide(roll)
            except BadAnswer as wrong:
                self._refuse(theme.words.error(wrong))

    def _decide(self, roll: Roll) -> None:
        """Hand a roll to whoever wants it. Raise BadAnswer for a face or a die that cannot be."""
        must_be_on_die(roll.face, roll.die)
        screen, seat = self._app.screen, self._app.playing.seat
        if not roll.asked and roll.came < self._taken + SECONDS_APART:
            self._set_aside("soon", roll.face, roll.die)
        elif screen is not None and screen.rolled(roll.face, roll.die):
            self._taken = time.monotonic()
        elif seat is None:
            self._set_aside("idle", roll.face, roll.die)
        else:
            self._at_desk = True
            seat.rolled(roll.face, roll.die, roll.n).add_done_callback(lambda fate: self._came_back(roll, fate))

    def _came_back(self, roll: Roll, fate: Future[RollFate]) -> None:
        """In the desk's thread: the desk has decided."""
        decided = time.monotonic()
        Clock.schedule_once(lambda _: self._decided(roll, fate, decided))

    def _decided(self, roll: Roll, fate: Future[RollFate], when: float) -> None:
        self._at_desk = False
        wrong = fate.exception()
        if isinstance(wrong, BadAnswer):
            self._refuse(theme.words.error(wrong))
        elif wrong is not None:
            self._refuse(theme.words.screen("race.failed"))
        elif fate.result() == "late":
            self._set_aside("late", roll.face, roll.die)
        elif fate.result() == "kept":
            self._tell("kept", roll.face, roll.die, "info")
        else:
            self._taken = when
            if not self._app.shows_question:
                self._tell("taken", roll.face, roll.die, "ok")
            if self._app.visits[-1].name != "race":  # which signals what an answer brings by itself
                self._app.playing.signals.happen("accepted")
        self._go_on()

    # -- what the table is told

    def _set_aside(self, why: str, face: int, die: str) -> None:
        self._tell(why, face, die, "warn")
        self._app.playing.signals.happen("refused")

    def _tell(self, what: str, face: int, die: str, tone: Tone) -> None:
        text = theme.words.screen(f"beside.{what}", face=face, die=die)
        self._app.tell(Toast(text=text, tone=tone, icon="die"))

    def _refuse(self, text: str) -> None:
        self._app.tell(Toast(text=text, tone="bad", icon="cross"))
        self._app.playing.signals.happen("refused")


def must_be_on_die(face: int, die: str) -> None:
    """Raise BadAnswer if a die does not have this face; "" is a die that is not known."""
    from companion.rules.dice.questions import BlackDie, GearDie  # with the rules core: not before a roll comes

    if die:
        (BlackDie(None, "", "") if die == BLACK else GearDie(0, int(die))).read(face)
