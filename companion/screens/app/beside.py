"""What stands beside the screen: buttons, lamps, a die-roller. This is all that the screens know of them; who opens the
app hands in those that there are.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Literal, Protocol

from kivy.clock import Clock

from companion.rules.conversation.errors import CompanionError
from companion.screens.app.rolls import Roll, Rolls
from companion.screens.app.signals import Light
from companion.screens.widgets.theme import theme
from companion.view.shown import Toast
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

Of = Literal["found", "unfit", "lost", "cocked", "fault", "battery"]
"""What may be told of a die-roller: it is there, speaks another protocol, is lost, lies askew, reports something, or
has little left in its battery."""

ANYWHERE: Final = ("history", "pause")
"""The buttons that mean the same at every question."""

NOTHING_THERE: Final = "no_port"
"""The kind of the error that no die-roller is plugged in."""


class Beside(Protocol):
    """The parts on the table. None of its methods waits for a part."""

    def begin(self, hands: Hands) -> None:
        """The app is open; from here on the parts may use its hands."""

    def end(self) -> None:
        """The app closes."""

    def asked(self, n: int, die: str, *, starting: bool, wet: bool) -> None:
        """Question `n` is open and wants this die ("" for none); whether the race is about to start, and the track is
        wet. It is called with every picture of the race."""

    def happen(self, event: Light, heard: bool) -> None:
        """Something happens in the race; `heard` says whether it may be heard."""

    @property
    def buttons(self) -> bool:
        """Whether there are buttons."""

    @property
    def roller(self) -> str:
        """What the die-roller calls itself; "" if there is none."""

    @property
    def complaint(self) -> CompanionError | None:
        """Why there are no buttons, if that is known."""

    @property
    def wired(self) -> tuple[bool, int, str]:
        """Whether buttons or lamps are wired, on which chip (-1: the Pi's own), and the die-roller's port."""

    @property
    def roller_complaint(self) -> CompanionError | None:
        """Why there is no die-roller, if that is known."""


class Nothing:
    """A table with nothing beside the screen."""

    buttons, roller, complaint, roller_complaint, wired = False, "", None, None, (False, -1, "")

    def begin(self, hands: Hands) -> None: ...

    def end(self) -> None: ...

    def asked(self, n: int, die: str, *, starting: bool, wet: bool) -> None: ...

    def happen(self, event: Light, heard: bool) -> None: ...


class Hands:
    """What parts may do to the app, from any thread: what they mean is done with the next frame."""

    def __init__(self, app: CompanionApp) -> None:
        self._app = app
        self._rolls = Rolls(app)

    def press(self, name: str) -> None:
        """A button: "up", "down", "first", "last", "confirm", "override", "undo", "history", "next", "pause". What
        selects or answers does so while the question is on the screen that was there as it was pressed."""
        seen = self._asked()
        Clock.schedule_once(lambda _: self._app.press(name) if name in ANYWHERE or self._asked() == seen else None)

    def _asked(self) -> str:
        """The question on the screen, "" without a race."""
        shown = self._app.playing.shown
        return shown.prompt.key if shown is not None else ""

    def rolled(self, face: int, die: str, n: int) -> None:
        """The die-roller shows a face of a die; `n` is the question it was rolled for, -1 if nobody asked for it: then
        it is meant for the question on the screen, if that asks for this die."""
        shown = self._app.playing.shown
        seen = shown.prompt.n if shown is not None and shown.prompt.die and die in ("", shown.prompt.die) else -1
        roll = Roll(face, die, n if n >= 0 else seen, n >= 0, time.monotonic())
        Clock.schedule_once(lambda _: self._rolls.put(roll))

    def too_late(self, face: int, die: str) -> None:
        """The die-roller shows the face of a roll that was called off: a finger was first."""
        Clock.schedule_once(lambda _: self._rolls.too_late(face, die))

    def tell(self, what: Of, text: str = "") -> None:
        """Tells something of the die-roller: its name, its version, its report or the per cent that are left."""
        tone: Literal["plain", "warn"] = "plain" if what == "found" else "warn"

        def told(_: float) -> None:
            self._app.tell(Toast(text=theme.words.screen(f"beside.{what}", text=text), tone=tone, icon="die"))
            self.changed()

        Clock.schedule_once(told)

    def tell_shut(self, wrong: CompanionError) -> None:
        """Tell why the port of the die-roller is shut."""
        told = Toast(text=theme.words.error(wrong), tone="warn", icon="die")
        Clock.schedule_once(lambda _: self._app.tell(told))

    def changed(self, *_: object) -> None:
        """Parts have come or gone: what says so is drawn anew."""
        Clock.schedule_once(lambda _: self._app.screen.look_again() if self._app.screen is not None else None)


def ask(beside: Beside, shown: RaceShown) -> None:
    """Tells the parts which question a picture of the race shows."""
    prompt = shown.prompt
    beside.asked(prompt.n, prompt.die, starting=prompt.starting, wet=shown.top.wet)
