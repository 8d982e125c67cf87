"""The base class of screens: a pane over the canvas, opened by name, left by Back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

from kivy.clock import Clock

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.screens.kit.pane import Pane
from companion.screens.kit.theme import theme
from companion.screens.kit.toast import WIDE
from companion.screens.kit.unsaved import unsaved
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.screens.app.app import CompanionApp
    from companion.screens.kit.toast import Box
    from companion.wording import Words

T = TypeVar("T")


class Screen(Pane):
    """A screen of the app.

    `given` holds its parameters. A screen that failed, or to which one returns, is rebuilt with the same `given`;
    what it wants to remember, such as a search text, it stores there.
    """

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__()
        self.app, self.given = app, given
        unsaved.bind(count=self.look_again)

    def back(self) -> bool:
        """Go back within the screen, such as close its keyboard; False if nothing is open."""
        return False

    def leave(self) -> None:
        """Handle the screen's removal."""

    def act(self, action: str) -> None:
        """Handle a tap on the key of a toast."""

    def press(self, name: str) -> bool:
        """Handle a hardware button while no focus is seen; return False to leave it to the focus.

        By default that is all but Undo, which goes back, and which comes here always.
        """
        if name == "undo":
            self.app.back()
        return name == "undo"

    def keeps(self, name: str) -> bool:
        """Return True if a button is the screen's own even while a focus is seen."""
        return False

    @property
    def asks(self) -> str:
        """The question whose answers hardware buttons select, "" if there is none.

        The focus is not seen before it is moved to something else, and goes with the question.
        """
        return ""

    def rolled(self, face: int, die: str) -> bool:
        """Offer a roll to the screen; return True if it used it, so that no race gets it.

        Raises BadAnswer for a roll that makes no sense here.
        """
        return False

    @property
    def clock_runs(self) -> bool:
        """True while a visible clock runs."""
        return False

    @property
    def shows_question(self) -> bool:
        """True if the open question of the race is visible here."""
        return False

    def see(self, look: Callable[[RaceDesk, Words], T], then: Callable[[T], object]) -> None:
        """Read something in the desk's thread, then call `then` if the screen is still open.

        Without a race it goes home.
        """

        def deliver(found: Future[T]) -> None:
            Clock.schedule_once(lambda _: then(found.result()) if self.app.screen is self else None)

        seat = self.app.playing.seat
        if seat is not None:
            seat.see(look).add_done_callback(deliver)
        else:
            self.go_home()

    def if_here(self, then: Callable[..., object]) -> Callable[..., object]:
        """Wrap a callback so that it does nothing once the screen has been left.

        A desk may answer late, and a double tap has a second tap.
        """
        return lambda *found: then(*found) if self.app.screen is self else None

    def in_thread(self, act: Callable[[], object], then: Callable[[], object]) -> None:
        """Run `act` in a thread and report its error; then call `then` unless the screen has been left."""

        def run() -> None:
            try:
                act()
            except CompanionError as wrong:
                Clock.schedule_once(lambda _, why=wrong: self.app.tell(why))
            Clock.schedule_once(self.if_here(lambda _: then()))

        threading.Thread(target=run, name="screen", daemon=True).start()

    def go_home(self) -> None:
        """Go home with the next frame: the content to show does not exist."""
        Clock.schedule_once(lambda _: self.app.home())

    @property
    def toast_at(self) -> tuple[float, float]:
        """The top left corner of a toast, in dp."""
        return (self.w - WIDE) / 2, self.h - 72

    @property
    def kept_in_sight(self) -> tuple[Box, ...]:
        """The boxes that a toast should leave free if it can."""
        return ()

    @property
    def toast_wide(self) -> float:
        """The width of a toast, in dp."""
        return WIDE

    def race(self, shown: RaceShown) -> None:
        """Take a new picture of the open race."""

    @property
    def is_loaded(self) -> bool:
        """True once all content has been read."""
        return True

    def minute(self) -> None:
        """Handle the start of a minute."""

    def say(self, where: str, **facts: Json) -> str:
        """Return a text in the current language, by its key: "home.resume"."""
        return theme.words.screen(where, **facts)
