"""What every screen is: a pane that fills the canvas, opened by name and left by going back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

from kivy.clock import Clock

from companion.rules.conversation.asking import Json
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.theme import theme
from companion.screens.widgets.unsaved import unsaved
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.screens.app.app import CompanionApp
    from companion.screens.widgets.toast import Box
    from companion.wording import Words

T = TypeVar("T")


class Screen(Pane):
    """One screen of the app.

    `given` is what it was opened with. A screen that failed, or that is come back to, is made anew with the same
    `given`; what it wants to remember, such as a word that is searched, it writes there.
    """

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__()
        self.app, self.given = app, given
        unsaved.bind(count=self.look_again)

    def back(self) -> bool:
        """Goes back within the screen, such as closing its keyboard; False if there is nothing to close here."""
        return False

    def leave(self) -> None:
        """The screen is about to go."""

    def act(self, action: str) -> None:
        """The key of a toast was tapped."""

    def press(self, name: str) -> None:
        """A button beside the screen: here only the way back."""
        if name == "undo":
            self.app.back()

    def rolled(self, face: int, die: str) -> bool:
        """The die-roller shows a face of a die; whether that meant something here, so that no race is told. Raises
        BadAnswer for a roll that makes no sense here."""
        return False

    @property
    def clock_runs(self) -> bool:
        """Return True while a clock runs that people watch."""
        return False

    @property
    def shows_question(self) -> bool:
        """Return True if the open question of the race is seen here."""
        return False

    def see(self, look: Callable[[RaceDesk, Words], T], then: Callable[[T], object]) -> None:
        """Has something read in the desk's thread, and something done with it here if the screen is still there then.
        Without a race it goes home."""

        def seen(found: Future[T]) -> None:
            Clock.schedule_once(lambda _: then(found.result()) if self.app.screen is self else None)

        seat = self.app.playing.seat
        if seat is not None:
            seat.see(look).add_done_callback(seen)
        else:
            self.go_home()

    def if_here(self, then: Callable[..., object]) -> Callable[..., object]:
        """The same, but nothing once this screen is not open any more: a desk that answers late, or the second tap of a
        double tap, leads nobody away from where he has gone."""
        return lambda *found: then(*found) if self.app.screen is self else None

    def go_home(self) -> None:
        """Goes home, as soon as it is where it can be left: what it would show is not there."""
        Clock.schedule_once(lambda _: self.app.home())

    @property
    def toast_at(self) -> tuple[float, float]:
        """Where a toast comes up: its top left corner, in dp."""
        return (self.w - 388) / 2, self.h - 72

    @property
    def kept_in_sight(self) -> tuple[Box, ...]:
        """What a toast does not hide while there is a place for it that hides no words either."""
        return ()

    @property
    def toast_wide(self) -> float:
        """How wide a toast is, in dp."""
        return 388.0

    def race(self, shown: RaceShown) -> None:
        """There is a new picture of the race that is open."""

    @property
    def filled(self) -> bool:
        """Whether all that it shows has been read."""
        return True

    def minute(self) -> None:
        """A minute of the clock on the wall has begun."""

    def say(self, where: str, **facts: Json) -> str:
        """A text of the screens in the language spoken now, such as say("home.resume")."""
        return theme.words.screen(where, **facts)
