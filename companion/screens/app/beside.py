"""What stands beside the screen: buttons, lamps, a die-roller. This is all that the screens know of them; who opens the
app hands in those that there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, Protocol

from kivy.clock import Clock

from companion.rules.conversation.errors import CompanionError
from companion.screens.app.signals import Light
from companion.screens.widgets.theme import theme
from companion.view.shown import Toast
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

Of = Literal["found", "unfit", "lost", "cocked", "fault", "battery"]
"""What may be told of a die-roller: it is there, speaks another protocol, is lost, lies askew, reports something, or
has little left in its battery."""

ANSWERS: Final = ("confirm", "override", "undo", "next")
"""The buttons that answer, or take an answer back."""

FIRST_ROUND: Final = ("", "1")
"""The rounds whose first gears are the start of the race."""


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


class Nothing:
    """A table with nothing beside the screen."""

    buttons, roller, complaint = False, "", None

    def begin(self, hands: Hands) -> None: ...

    def end(self) -> None: ...

    def asked(self, n: int, die: str, *, starting: bool, wet: bool) -> None: ...

    def happen(self, event: Light, heard: bool) -> None: ...


class Hands:
    """What parts may do to the app, from any thread: what they mean is done with the next frame."""

    def __init__(self, app: CompanionApp) -> None:
        self._app = app

    def press(self, name: str) -> None:
        """A button: "up", "down", "first", "last", "confirm", "override", "undo", "history", "next", "pause". What
        answers does so while the question is on the screen that was there as it was pressed."""
        seen = self._asked()
        Clock.schedule_once(lambda _: self._app.press(name) if name not in ANSWERS or self._asked() == seen else None)

    def _asked(self) -> str:
        """The question on the screen, "" without a race."""
        shown = self._app.playing.shown
        return shown.prompt.key if shown is not None else ""

    def rolled(self, face: int, die: str, n: int) -> None:
        """The die-roller shows a face of a die; `n` is the question it was rolled for, -1 if nobody asked for it."""
        Clock.schedule_once(lambda _: self._rolled(face, die, n))

    def _rolled(self, face: int, die: str, n: int) -> None:
        if self._app.screen is not None and self._app.screen.rolled(face, die):
            return
        if self._app.playing.seat is not None:
            self._app.playing.seat.rolled(face, die, n)

    def tell(self, what: Of, text: str = "") -> None:
        """Tells something of the die-roller: its name, its version, its report or the per cent that are left."""
        tone: Literal["plain", "warn"] = "plain" if what == "found" else "warn"

        def told(_: float) -> None:
            self._app.tell(Toast(text=theme.words.screen(f"beside.{what}", text=text), tone=tone, icon="die"))
            self.changed()

        Clock.schedule_once(told)

    def changed(self, *_: object) -> None:
        """Parts have come or gone: what says so is drawn anew."""
        Clock.schedule_once(lambda _: self._app.screen.look_again() if self._app.screen is not None else None)


def ask(beside: Beside, shown: RaceShown) -> None:
    """Tells the parts which question a picture of the race shows."""
    prompt = shown.prompt
    starting = prompt.ask == "start" and shown.top.round in FIRST_ROUND
    beside.asked(prompt.n, prompt.die, starting=starting, wet=shown.top.wet)
