"""The table hardware: buttons, lamps, a die roller, whose rolls go to the screen or race that wants them.

The screens know no more of it than this; the caller of the app supplies the parts.
"""

from __future__ import annotations

import math
import time
from collections import deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

from kivy.clock import Clock

from companion.rules.conversation.errors import BadAnswer, CompanionError
from companion.screens.app.signals import Light
from companion.screens.kit.theme import theme
from companion.view.shown import Toast, Tone
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from companion.screens.app.seat import RollFate

Of = Literal["found", "unfit", "lost", "cocked", "fault", "battery"]
"""News of a die-roller: found, speaks another protocol, lost, die askew, reports a fault, battery low."""

ANYWHERE: Final = ("history", "pause")
"""Buttons that mean the same at every question."""

MOVES: Final = ("up", "down", "first", "last")
"""Buttons that only move or select."""

NOTHING_THERE: Final = "no_port"
"""Kind of the error that no die-roller is plugged in."""


class TableHardware(Protocol):
    """The hardware at the table; no method waits for a part."""

    def begin(self, hands: AppAccess) -> None:
        """Start the parts, which may use `hands` from now on."""

    def end(self) -> None:
        """Stop the parts: the app is closing."""

    def set_question(self, n: int, die: str, *, starting: bool, wet: bool) -> None:
        """Tell the parts the open question `n` and its die ("" for none).

        `starting` is True just before the start of the race, `wet` on a wet track. Called with every picture of the
        race.
        """

    def happen(self, event: Light, heard: bool) -> None:
        """Signal an event of the race; `heard` is True if sound is allowed."""

    @property
    def buttons(self) -> bool:
        """True if there are buttons."""

    @property
    def roller(self) -> str:
        """The name of the die roller, "" without one."""

    @property
    def complaint(self) -> CompanionError | None:
        """The reason why there are no buttons, if known."""

    @property
    def wired(self) -> tuple[bool, int, str]:
        """The wiring: any buttons or lamps, their chip (-1: the Pi's own), the roller's port."""

    @property
    def roller_complaint(self) -> CompanionError | None:
        """The reason why there is no die roller, if known."""


class NoHardware:
    """A table without hardware."""

    buttons, roller, complaint, roller_complaint, wired = False, "", None, None, (False, -1, "")

    def begin(self, hands: AppAccess) -> None: ...

    def end(self) -> None: ...

    def set_question(self, n: int, die: str, *, starting: bool, wet: bool) -> None: ...

    def happen(self, event: Light, heard: bool) -> None: ...


class AppAccess:
    """The hardware's access to the app, from any thread; it acts with the next frame."""

    def __init__(self, app: CompanionApp) -> None:
        self.app = app
        self._rolls = RollQueue(app)

    def press(self, name: str) -> None:
        """Press a button.

        "up", "down", "first", "last", "confirm", "override", "undo", "history", "next" or "pause". Buttons that
        select or answer act only while the question that was visible when they were pressed is still on the screen,
        and those that do more than move only on what had the focus.
        """
        seen = self._seen(name)
        Clock.schedule_once(lambda _: self.app.press(name) if self._seen(name) == seen else None)

    def _seen(self, name: str) -> tuple[object, ...]:
        """Return what somebody who presses a button has seen: the screen, the question of a race, the focus."""
        if name in ANYWHERE:
            return ()
        shown, focus = self.app.playing.shown, self.app.focus.key if name not in MOVES else None
        return self.app.screen, shown.prompt.key if shown is not None else "", focus

    def rolled(self, face: int, die: str, n: int) -> None:
        """Submit a face read by the die roller.

        `n` is the question that it was rolled for, -1 if unasked: then it counts for the question on the screen, if
        that asks for this die.
        """
        shown = self.app.playing.shown
        seen = shown.prompt.n if shown is not None and shown.prompt.die and die in ("", shown.prompt.die) else -1
        roll = Roll(face, die, n if n >= 0 else seen, n >= 0, time.monotonic())
        Clock.schedule_once(lambda _: self._rolls.add(roll))

    def too_late(self, face: int, die: str) -> None:
        """Report the face of a roll that was called off because a finger was first."""
        Clock.schedule_once(lambda _: self._rolls.too_late(face, die))

    def tell(self, what: Of, text: str = "") -> None:
        """Show a toast about the die roller: its name, version, report or battery."""
        tone: Literal["plain", "warn"] = "plain" if what == "found" else "warn"

        def show(_: float) -> None:
            self.app.tell(Toast(text=theme.words.screen(f"beside.{what}", text=text), tone=tone, icon="die"))
            self.changed()

        Clock.schedule_once(show)

    def tell_shut(self, wrong: CompanionError) -> None:
        """Show a toast on why the port of the die roller is shut."""
        told = Toast(text=theme.words.error(wrong), tone="warn", icon="die")
        Clock.schedule_once(lambda _: self.app.tell(told))

    def changed(self, *_: object) -> None:
        """Redraw the screen after a change of the parts."""
        Clock.schedule_once(lambda _: self.app.screen.look_again() if self.app.screen is not None else None)


def ask(beside: TableHardware, shown: RaceShown) -> None:
    """Tell the parts the question that a picture of the race shows."""
    prompt = shown.prompt
    beside.set_question(prompt.n, prompt.die, starting=prompt.starting, wet=shown.top.wet)


# -- rolls of the die roller

SECONDS_APART: Final = 1.0
"""Seconds after a roll within which another one that nobody asked for is the same throw or a second press."""
BLACK: Final = "20"
"""Name of the black die on the die-roller."""


class Roll(NamedTuple):
    """A roll: its face, its die and its question.

    `die` is "" if unknown, `n` is -1 without a question; `asked` is True if that question had asked the device for
    it, `came` is when it came, on the monotonic clock.
    """

    face: int
    die: str
    n: int
    asked: bool
    came: float


class RollQueue:
    """Queue of rolls: each waits until the desk has decided on the last.

    Every outcome is shown to the table.
    """

    def __init__(self, app: CompanionApp) -> None:
        self._app = app
        self._waiting: deque[Roll] = deque()
        self._at_desk = False
        self._taken = -math.inf
        """Time of the last roll taken."""

    def add(self, roll: Roll) -> None:
        """Add a roll and wake the screen."""
        self._app.sleep.wake()
        self._waiting.append(roll)
        self._go_on()

    def too_late(self, face: int, die: str) -> None:
        """Report a roll whose question was answered otherwise before the die lay still."""
        self._set_aside("late", face, die)

    def _go_on(self) -> None:
        while self._waiting and not self._at_desk:
            roll = self._waiting.popleft()
            try:
                self._decide(roll)
            except BadAnswer as wrong:
                self._refuse(theme.words.error(wrong))

    def _decide(self, roll: Roll) -> None:
        """Give a roll to the screen or race that wants it.

        Raises BadAnswer for a face or a die that cannot be.
        """
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
        """Take the desk's decision, in its thread."""
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
    """Raise BadAnswer if a die does not have this face; "" is an unknown die."""
    from companion.rules.dice.questions import BlackDie, GearDie  # with the rules core: not before a roll comes

    if die:
        (BlackDie(None, "", "") if die == BLACK else GearDie(0, int(die))).read(face)
