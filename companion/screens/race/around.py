"""The app, as the controller of the race screen needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeVar

from companion.screens.app.screen import Screen
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.shot_clock import Countdown
from companion.screens.kit.theme import theme
from companion.view.shown import Toast
from companion.view.sight import Prices

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.screens.app.seat import RaceSession
    from companion.wording import Words

T = TypeVar("T")


class AroundRace:
    """The app around a race screen and its shot clock, as its controller's host."""

    def __init__(self, screen: Screen, shot: Countdown) -> None:
        self._screen, self._app, self.shot = screen, screen.app, shot

    @property
    def session(self) -> RaceSession | None:
        return self._app.playing.seat

    @property
    def words(self) -> Words:
        return theme.words

    @property
    def prices(self) -> Prices:
        return self._app.kept.now.prices

    @property
    def referee(self) -> str:
        return self._app.playing.signing.name

    @property
    def is_open(self) -> bool:
        return self._app.screen is self._screen

    def redraw(self, *, at_once: bool = False) -> None:
        if at_once:
            self._screen.draw_now()
        else:
            self._screen.look_again()

    def read(self, look: Callable[[RaceDesk, Words], T], then: Callable[[T], object]) -> None:
        self._screen.see(look, then)

    def tell(self, toast: Toast) -> None:
        self._app.tell(toast)

    def hush(self) -> None:
        self._app.hush()

    def refused(self) -> None:
        self._app.playing.signals.happen("refused")

    def confirm(self, title: str, note: str, act: str, then: Callable[[], object]) -> None:
        self._app.ask(Confirmation(title=title, note=note, act=act), then)

    def go_back(self) -> None:
        self._app.back()

    def go_home(self) -> None:
        self._app.home()

    def leave_race(self) -> None:
        self._app.playing.leave()

    def call_control(self) -> None:
        self._app.hall.call()

    def open_page(self, name: Literal["phones", "settings", "sheet"]) -> None:
        if name == "sheet":
            self._app.go("sheet")
        else:
            self._app.go(name)

    def open_history(self, n: int | None = None) -> None:
        self._app.go("history", n=n)

    def open_rules(self, article: str) -> None:
        self._app.go("rules", article=article)

    def open_sheet(self, car: int) -> None:
        self._app.go("sheet", page="car", car=car)

    def open_override(self, car: int | None = None, *, ending: bool = False, seat: bool = False) -> None:
        self._app.go("override", car=car, ending=ending, seat=seat)
