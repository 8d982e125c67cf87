"""A stand for one screen: what it needs of the app, and what it asked of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kivy.clock import Clock

from companion.desk import RaceDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.analysing import Analysing
from companion.screens.app.playing import Playing
from companion.screens.app.screen import Screen
from companion.screens.app.seat import RaceSession
from companion.screens.app.settings import SettingsFile
from companion.screens.app.signing import Signing
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import ears
from companion.view.shown import Toast
from companion.view.shown_race import RaceShown
from tests.screens.rig import Rig
from tests.screens.ui import Ui


class Stand:
    """Takes the place of the app and of the open race; `asked` are the screens that were gone to."""

    def __init__(self, rig: Rig, folder: Path) -> None:
        self.rig, self.folder = rig, folder
        self.playing = self.app = self
        self.seat: RaceSession | None = None
        self.log_id = self.rulebook = ""
        self.unsaved = ()
        self.analysing = Analysing()
        self.signing = Signing(SettingsFile(folder))
        self.screen: Screen | None = None
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.told: list[Any] = []
        self.made: RaceDesk | None = None

    def sit(self, make: Callable[[], RaceDesk]) -> RaceSession:
        """Opens a race."""

        def desk() -> RaceDesk:
            self.made = make()
            return self.made

        self.seat = RaceSession(desk, self._on_picture, lang=theme.language)
        self.calm()
        return self.seat

    def open(
        self, make: Callable[[], RaceDesk], in_memory: Callable[[], RaceDesk] | None = None, guided: bool = False
    ) -> RaceSession:
        """Opens a race as the app would."""
        return self.sit(make)

    begin = Playing.begin  # by the way of the app itself

    def show(self, kind: type[Screen], **given: Any) -> Any:
        """Shows a screen as the app would."""
        self.rig.clear()
        screen = kind(self, given)  # type: ignore[arg-type]
        self.screen = screen
        self.rig.show(screen)
        self.calm()
        return screen

    def calm(self) -> None:
        """Lets the desk's thread do all it was told, and the screen draw it."""
        for _ in range(4 if self.seat is not None else 1):
            if self.seat is not None:
                self.seat.see(lambda *_: None).result(20)
            self.rig.settle(2)

    def _on_picture(self, picture: RaceShown) -> None:
        """Show the race as the desk's thread has drawn it, at the next frame."""
        Clock.schedule_once(lambda _: self.screen.race(picture) if self.screen is not None else None, -1)

    def tap(self, target: Any, y: float | None = None) -> None:
        """Taps, without waiting until touches are heard again, and waits for what follows."""
        ears.listen()
        self.rig.tap(target, y)
        self.calm()

    # -- what a screen asks of the app

    def go(self, name: str, **given: Any) -> None:
        self.asked.append((name, given))

    instead = go

    def back(self) -> None:
        if self.screen is None or not self.screen.back():
            self.asked.append(("back", {}))

    def home(self) -> None:
        self.asked.append(("home", {}))

    def tell(self, what: Toast | CompanionError) -> None:
        self.told.append(what)

    @property
    def ui(self) -> Ui:
        """The person at it, who reads."""
        return Ui.over(self.rig)

    def close(self) -> None:
        self.screen = None
        if self.seat is not None:
            self.seat.close()
            self.seat = None
