"""The app: which screen is open and which lie beneath it, how all of them look and speak, and what happens when one
fails."""

from __future__ import annotations

import gc
import importlib
import logging
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, Unpack, cast, overload

from kivy.base import runTouchApp, stopTouchApp
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.metrics import Metrics
from kivy.uix.widget import Widget

from companion import circuits
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.analysing import Analysing
from companion.screens.app.backlight import shine
from companion.screens.app.beside import Beside, Hands, Nothing
from companion.screens.app.disk import Disk
from companion.screens.app.failing import Failures, thread_failed
from companion.screens.app.hall import Hall
from companion.screens.app.playing import Playing
from companion.screens.app.plugged import Plugged
from companion.screens.app.recording import Recording
from companion.screens.app.screen import Screen
from companion.screens.app.service import Manager, Watch
from companion.screens.app.settings import Kept, Theme
from companion.screens.app.signals import Light
from companion.screens.app.sleep import Sleep
from companion.screens.app.sound import Speaker
from companion.screens.app.stick import Stick
from companion.screens.app.telling import AppToast
from companion.screens.app.visits import (
    SCREENS,
    Bare,
    OfAnalysis,
    OfEvents,
    OfHistory,
    OfNewEvent,
    OfNewRace,
    OfOverride,
    OfRecord,
    OfRules,
    OfSheet,
    OfSheets,
    OfTrial,
    ScreenName,
    Visit,
)
from companion.screens.app.voice import Voice
from companion.screens.widgets.canvas import fit
from companion.screens.widgets.confirm import Confirm, Question
from companion.screens.widgets.dock import dock
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.theme import theme
from companion.screens.widgets.touch import ears
from companion.view.shown import Toast

log = logging.getLogger(__name__)

YOUNG: Final = 10_000
"""After how many new objects the youngest are looked through for garbage; a picture is made of some thousands."""
DAY: Final = range(7, 19)
"""The hours in which the theme that goes by the clock is daylight."""
ESCAPE: Final = 27
"""The key of a keyboard that goes back."""


class CompanionApp:
    """The app in Kivy's one window. `folder` holds races, settings and log; `lang` is spoken where the settings name no
    language; `beside` is what stands beside the screen. With `asks_language` the table is asked for one, until it has
    chosen."""

    def __init__(
        self, folder: Path, kept: Kept, lang: str = "en", beside: Beside | None = None, *, asks_language: bool = False
    ) -> None:
        self.folder, self.kept, self._lang = circuits.look_in(folder), kept, lang
        self.beside = beside or Nothing()
        self._asks_language = asks_language and not kept.now.language
        self.speaker = Speaker(kept.now.sound)
        self.voice = Voice(kept.now.sound, kept.now.volume)
        self._shines = 100
        self.disk = Disk(self)
        self.watch = Watch(self, Manager())
        self.stick = Stick(self)
        self.hall = Hall(self)
        self.plugged = Plugged(self)
        self.sleep = Sleep(self)
        self.playing = Playing(self)
        self.analysing = Analysing()
        self.recording = Recording(self)
        self.playing.signals.listen(self._happened)
        self.stage = Widget()
        self.screen: Screen | None = None
        self.visits: list[Visit] = []
        self.canvas = fit(Window.width, Window.height)
        self.toast = AppToast(self)
        self.failures = Failures(self)
        self._over: Confirm | None = None
        self.spares_collector = False
        """Whether what a race is made of is kept from Python's garbage collector while it is open, so that no touch
        waits for it; for the program itself, not for the apps of tests."""
        self._next_minute: Any = None

    # -- its life

    def open(self) -> None:
        """Takes its place in the window and shows home."""
        self.failures.begin()
        Window.bind(size=self._fitted, on_keyboard=self._key)
        theme.bind(on_look=self._dressed)
        self._fitted()
        self.dress()
        self._minute()
        Window.add_widget(self.stage)
        if not self.show([Visit("home", {})]):
            self.show_trouble()
        elif self._asks_language:
            self.go("language")
        if self.kept.complaint is not None:
            self.tell(self.kept.complaint)
        self.disk.begin()
        self.beside.begin(Hands(self))
        self.watch.begin()
        self.stick.begin()
        self.hall.begin()
        self.plugged.begin()
        self.sleep.begin()

    def close(self) -> None:
        """Leaves the window."""
        self.sleep.end()
        self.watch.end()
        self.stick.end()
        self.hall.end()
        self.analysing.end()
        self.plugged.end()
        self.beside.end()
        self.failures.end()
        Window.unbind(size=self._fitted, on_keyboard=self._key)
        theme.unbind(on_look=self._dressed)
        self.toast.hush()
        self._next_minute.cancel()
        if self.screen is not None:
            self.screen.leave()
        self.playing.close()
        self.recording.close()
        self.stage.clear_widgets()
        Window.remove_widget(self.stage)

    def run(self) -> None:
        """Opens the app and stays until it is closed."""
        Window.set_title("Companion")
        signal.signal(signal.SIGTERM, lambda *_: stopTouchApp())
        threading.excepthook = thread_failed
        self.open()
        self.spares_collector = True
        gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
        log.info("the touchscreen is open, with %d by %d pixels", *Window.size)
        try:
            runTouchApp()
        finally:
            self.close()

    # -- screens

    @overload
    def go(self, name: Bare) -> None: ...
    @overload
    def go(self, name: Literal["analysis"], **given: Unpack[OfAnalysis]) -> None: ...
    @overload
    def go(self, name: Literal["history"], **given: Unpack[OfHistory]) -> None: ...
    @overload
    def go(self, name: Literal["new_event"], **given: Unpack[OfNewEvent]) -> None: ...
    @overload
    def go(self, name: Literal["new_race"], **given: Unpack[OfNewRace]) -> None: ...
    @overload
    def go(self, name: OfEvents, **given: Unpack[OfRecord]) -> None: ...
    @overload
    def go(self, name: Literal["override"], **given: Unpack[OfOverride]) -> None: ...
    @overload
    def go(self, name: Literal["rules"], **given: Unpack[OfRules]) -> None: ...
    @overload
    def go(self, name: Literal["sheet"], **given: Unpack[OfSheet]) -> None: ...
    @overload
    def go(self, name: Literal["sheets"], **given: Unpack[OfSheets]) -> None: ...
    @overload
    def go(self, name: Literal["trial"], **given: Unpack[OfTrial]) -> None: ...
    @overload
    def go(self, name: type[Screen], **given: object) -> None: ...
    def go(self, name: ScreenName | type[Screen], **given: object) -> None:
        """Opens a screen on top of the one that is open, one's own by its class."""
        self.show([*self.visits, Visit(name, given)])

    @overload
    def instead(self, name: Bare) -> None: ...
    @overload
    def instead(self, name: OfEvents, **given: Unpack[OfRecord]) -> None: ...
    @overload
    def instead(self, name: Literal["new_event"], **given: Unpack[OfNewEvent]) -> None: ...
    @overload
    def instead(self, name: Literal["new_race"], **given: Unpack[OfNewRace]) -> None: ...
    def instead(self, name: ScreenName, **given: object) -> None:
        """Opens a screen in place of the one that is open."""
        self.show([*self.visits[:-1], Visit(name, given)])

    def back(self) -> None:
        """Goes back: from what lies over the screen, within the screen, or to the one beneath; home stays."""
        if dock().line is not None:
            dock().close()
        elif self._over is not None:
            self.uncover()
        elif (self.screen is None or not self.screen.back()) and len(self.visits) > 1:
            self.show(self.visits[:-1])

    def home(self) -> None:
        """Goes back to home."""
        self.show(self.visits[:1])

    def show(self, visits: list[Visit]) -> bool:
        """Puts the last of these visits on the stage. False if its screen cannot be made: that is told, and nothing
        changes."""
        visit, screen = visits[-1], None
        try:
            screen = self._kind(visit.name)(self, visit.given)
            self._place(screen)
            screen.draw_now()
        except Exception as wrong:
            if screen is not None:
                screen.discard()
            self.failures.report(wrong, visit.name)
            return False
        dock().close()
        self.uncover()
        ears.close()
        if self.screen is not None:
            self.stage.remove_widget(self.screen)
            self.screen.leave()
        self.screen, self.visits = screen, visits
        if visit.name == "home":
            self.recording.close()
            self.playing.signals.happen("idle")
        self.stage.add_widget(screen, index=len(self.stage.children))
        self.toast.place()
        return True

    def _kind(self, name: ScreenName | type[Screen]) -> type[Screen]:
        """The class of a screen; it is imported when it is first opened."""
        if not isinstance(name, str):
            return name
        module, _, kind = SCREENS[name].partition(":")
        return cast("type[Screen]", getattr(importlib.import_module(module), kind))

    def show_trouble(self) -> None:
        """The screen that only says that no other can be shown."""
        self.show([Visit("trouble", {})])

    def _place(self, pane: Pane) -> None:
        """Lays a pane over the whole canvas."""
        pane.pos, pane.size = (self.canvas.x, self.canvas.y), (self.canvas.width, self.canvas.height)

    def _happened(self, event: Light) -> None:
        """What the race brings wakes the screen, is shown by lamps, and sounded as far as the settings let it."""
        if event not in ("idle", "waiting", "tick", "over"):
            self.sleep.wake()
        self.beside.happen(event, event != "waiting" and event != "idle" and self.speaker.heard(event))

    def press(self, name: str) -> None:
        """A button beside the screen; what is to be confirmed or typed is for fingers, and Undo takes it away. It wakes
        a screen that sleeps, and does nothing else then."""
        if self.sleep.wake():
            return
        if self.covered:
            if name == "undo":
                self.back()
        elif self.screen is not None:
            self.screen.press(name)

    # -- how it looks and speaks

    def choose(self, **choices: Any) -> None:
        """Keeps choices of the table and follows them at once."""
        try:
            self.kept.change(**choices)
        except CompanionError as wrong:
            self.tell(wrong)
        self.dress()
        self._fitted()
        self.sleep.wake()

    def dress(self) -> None:
        """Looks and speaks as the settings say, and as the hour does."""
        chosen = self.kept.now
        self.speaker.level = self.voice.level = chosen.sound
        self.speaker.volume = self.voice.volume = chosen.volume
        if chosen.brightness != self._shines:
            self._shines = chosen.brightness
            shine(chosen.brightness)
        language = chosen.language or self._lang
        if language != theme.language:
            self.toast.hush()  # it was told in the other
        theme.language = language
        theme.still = chosen.reduced_motion
        Window.rotation = chosen.rotation
        theme.look = look(chosen.theme, time.localtime().tm_hour)
        self.playing.follow()
        self._dressed()

    def _dressed(self, *_: object) -> None:
        Window.clearcolor = theme.rgba("bg0")

    def _fitted(self, *_: object) -> None:
        """Lays the canvas into the window as it is now."""
        self.canvas = fit(Window.width, Window.height, self.kept.now.density)
        Metrics.density = theme.scale = self.canvas.density
        self.stage.size = Window.size
        for pane in (self.screen, self._over):
            if pane is not None:
                self._place(pane)
        self.toast.place()

    def _minute(self, *_: object) -> None:
        """Once a minute, as it begins: the clock on the wall, and the theme that goes by it."""
        self._next_minute = Clock.schedule_once(self._minute, 60 - time.time() % 60)
        theme.look = look(self.kept.now.theme, time.localtime().tm_hour)
        if self.screen is not None:
            self.screen.minute()

    def _key(self, _window: object, key: int, *_: object) -> bool:
        if self.sleep.wake():
            return True
        if key == ESCAPE:
            self.back()
        return key == ESCAPE

    # -- what lies over the screen

    def tell(self, what: Toast | CompanionError) -> None:
        """Tells something in one line that goes by itself: a toast, or what is wrong."""
        self.sleep.wake()
        self.toast.tell(what)

    def hush(self) -> None:
        """Takes the toast away before its time: somebody goes on."""
        self.toast.hush()

    @property
    def over(self) -> Confirm | None:
        """What is being confirmed, over the screen."""
        return self._over

    @property
    def covered(self) -> bool:
        """Whether something is being confirmed or typed, which nothing else may come between."""
        return self._over is not None or dock().line is not None

    @property
    def shows_question(self) -> bool:
        """Return True if the open question of the race can be seen, and with it what an answer brings."""
        return not self.covered and self.screen is not None and self.screen.shows_question

    def ask(self, question: Question, act: Callable[[], object]) -> None:
        """Has an act confirmed that no undo can give back; `act` is called if it is."""

        def meant() -> None:
            self.uncover()
            act()

        self.uncover()
        self._over = Confirm(on_act=meant, on_cancel=self.uncover)
        self._over.show(question)
        self._place(self._over)
        self.stage.add_widget(self._over)
        self.toast.place()

    def uncover(self) -> None:
        """Takes the confirmation away, unconfirmed."""
        if self._over is not None:
            self.stage.remove_widget(self._over)
            self._over = None
            self.toast.place()


def look(chosen: Theme, hour: int) -> str:
    """The look of a theme at an hour: "dark" or "daylight"."""
    if chosen == "auto":
        return "daylight" if hour in DAY else "dark"
    return chosen
