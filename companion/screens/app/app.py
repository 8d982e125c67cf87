"""The app: the stack of screens, their look and language, and failing screens."""

from __future__ import annotations

import importlib
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable
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
from companion.screens.app.disk import Disk
from companion.screens.app.failing import Failures, thread_failed
from companion.screens.app.hall import Hall
from companion.screens.app.hotplug import Hotplug
from companion.screens.app.pauses import Pauses
from companion.screens.app.playing import Playing
from companion.screens.app.recording import Recording
from companion.screens.app.screen import Screen
from companion.screens.app.service import Manager, Watch
from companion.screens.app.settings import SettingsFile, Theme
from companion.screens.app.signals import Light
from companion.screens.app.sleep import Sleep
from companion.screens.app.sound import Speaker
from companion.screens.app.stick import Stick
from companion.screens.app.table_hardware import ANYWHERE, AppAccess, NoHardware, TableHardware
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
from companion.screens.kit.canvas import fit
from companion.screens.kit.confirm import Confirm, Confirmation
from companion.screens.kit.dock import dock
from companion.screens.kit.focus import ENTER, TAB, Focus
from companion.screens.kit.pane import Pane
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import ears
from companion.view.shown import Toast

log = logging.getLogger(__name__)

DAYLIGHT_HOURS: Final = range(7, 19)
"""Hours of the daylight theme, if the theme follows the clock."""
ESCAPE: Final = 27
"""Key code of the keyboard's back key."""


class CompanionApp:
    """The app in Kivy's only window.

    `folder` holds races, settings and log; `lang` is the language where the settings name none; `beside` is the table
    hardware. With `asks_language` the table is asked for its language until it has chosen one.
    """

    def __init__(
        self,
        folder: Path,
        kept: SettingsFile,
        lang: str = "en",
        beside: TableHardware | None = None,
        *,
        asks_language: bool = False,
    ) -> None:
        self.folder, self.kept, self._lang = circuits.look_in(folder), kept, lang
        self.beside = beside or NoHardware()
        self._asks_language = asks_language and not kept.now.language
        self.speaker = Speaker(kept.now.sound)
        self.voice = Voice(kept.now.sound, kept.now.volume)
        self._shines = 100
        self.disk = Disk(self.folder, lambda: self.screen.look_again() if self.screen is not None else None)
        self.stick = Stick(self)
        self.hall = Hall(self)
        self.plugged = Hotplug(self.tell)
        self.sleep = Sleep(kept, lambda: self.screen is not None and self.screen.clock_runs)
        self.pauses = Pauses(self.sleep.idle)
        self.playing = Playing(self)
        self.watch = Watch(Manager(), self.playing, lambda: self.screen is not None and self.screen.is_loaded)
        self.analysing = Analysing()
        self.recording = Recording(self)
        self.playing.signals.listen(self._happened)
        self.stage = Widget()
        self.screen: Screen | None = None
        self.visits: list[Visit] = []
        self.canvas = fit(Window.width, Window.height)
        self.toast = AppToast(self)
        self.focus = Focus(
            self._where, lambda: self.screen.asks if self.screen is not None and not self.covered else ""
        )
        self.failures = Failures(self)
        self._over: Confirm | None = None
        self._next_minute: Any = None

    # -- its life

    def open(self) -> None:
        """Add the app to the window and show home."""
        self.failures.begin()
        Window.bind(size=self._fitted, on_keyboard=self._key, on_key_up=self._key_up)
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
        self.beside.begin(AppAccess(self))
        self.watch.begin()
        self.stick.begin()
        self.hall.begin()
        self.plugged.begin()
        self.sleep.begin()
        self.focus.begin()

    def close(self) -> None:
        """Remove the app from the window and end its services."""
        self.focus.end()
        self.sleep.end()
        self.watch.end()
        self.stick.end()
        self.hall.end()
        self.analysing.end()
        self.plugged.end()
        self.beside.end()
        self.failures.end()
        Window.unbind(size=self._fitted, on_keyboard=self._key, on_key_up=self._key_up)
        theme.unbind(on_look=self._dressed)
        self.toast.hush()
        self._next_minute.cancel()
        if self.screen is not None:
            self.screen.leave()
        self.playing.close()
        self.recording.close()
        self.pauses.end()
        self.stage.clear_widgets()
        Window.remove_widget(self.stage)

    def run(self) -> None:
        """Open the app and block until it is closed."""
        Window.set_title("Companion")
        signal.signal(signal.SIGTERM, lambda *_: stopTouchApp())
        threading.excepthook = thread_failed
        self.open()
        self.pauses.begin()
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
        """Open a screen, by name or class, on top of the open one."""
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
        """Replace the open screen by another."""
        self.show([*self.visits[:-1], Visit(name, given)])

    def back(self) -> None:
        """Go back: close the overlay, step back within the screen, or leave it; home stays."""
        if dock().line is not None:
            dock().close()
        elif self._over is not None:
            self.uncover()
        elif (self.screen is None or not self.screen.back()) and len(self.visits) > 1:
            self.show(self.visits[:-1])

    def home(self) -> None:
        """Return to home."""
        self.show(self.visits[:1])

    def show(self, visits: list[Visit]) -> bool:
        """Show the last of these visits.

        Returns False if its screen cannot be made: the failure is reported and nothing changes.
        """
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
        """Return the class of a screen, importing it on first use."""
        if not isinstance(name, str):
            return name
        module, _, kind = SCREENS[name].partition(":")
        return cast("type[Screen]", getattr(importlib.import_module(module), kind))

    def show_trouble(self) -> None:
        """Show the screen of last resort, which says that no other can be shown."""
        self.show([Visit("trouble", {})])

    def _place(self, pane: Pane) -> None:
        """Spread a pane over the whole canvas."""
        pane.pos, pane.size = (self.canvas.x, self.canvas.y), (self.canvas.width, self.canvas.height)

    def _happened(self, event: Light) -> None:
        """Handle an event of the race: wake the screen, light the lamps, play the sound.

        Sound depends on the settings.
        """
        if event not in ("idle", "waiting", "tick", "over"):
            self.sleep.wake()
        self.beside.happen(event, event != "waiting" and event != "idle" and self.speaker.is_audible(event))

    def press(self, name: str) -> None:
        """Handle a hardware button.

        What the screen does not use itself moves the focus, and as long as that is seen, it confirms. On a sleeping
        screen a button only wakes it.
        """
        if self.sleep.wake() or self.screen is None:
            return
        if dock().line is not None and dock().press(name):
            return
        if name in ANYWHERE or name == "undo":
            self._press_anywhere(name)
        elif self.covered or ((self.focus.is_seen and not self.screen.keeps(name)) or not self.screen.press(name)):
            self.focus.press(name)

    def _press_anywhere(self, name: str) -> None:
        """Handle a button that means the same whether a focus is seen or not; Undo closes what lies over the screen.

        Over a question whose answers are selected by buttons, that is the focus.
        """
        if name == "undo" and self.covered:
            self.back()
        elif name == "undo" and self.focus.is_seen and self.screen is not None and self.screen.asks:
            self.focus.hide()
        elif self.screen is not None and not self.covered:
            self.screen.press(name)

    def _where(self) -> tuple[int, str]:
        return len(self.visits), str(self.visits[-1].name) if self.visits else ""

    # -- how it looks and speaks

    def choose(self, **choices: Any) -> None:
        """Store choices of the table and apply them at once."""
        try:
            self.kept.change(**choices)
        except CompanionError as wrong:
            self.tell(wrong)
        self.dress()
        self._fitted()
        self.sleep.wake()

    def dress(self) -> None:
        """Apply the settings and the time of day to look, language and sound."""
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
        """Fit the canvas into the current window."""
        self.canvas = fit(Window.width, Window.height, self.kept.now.density)
        theme.scale = self.canvas.density
        if Metrics.density != theme.scale:  # Kivy lays out all widgets anew, also where it is the same
            Metrics.density = theme.scale
        self.stage.size = Window.size
        for pane in (self.screen, self._over):
            if pane is not None:
                self._place(pane)
        self.toast.place()

    def _minute(self, *_: object) -> None:
        """Update the clock and the automatic theme at the start of each minute."""
        self._next_minute = Clock.schedule_once(self._minute, 60 - time.time() % 60)
        theme.look = look(self.kept.now.theme, time.localtime().tm_hour)
        if self.screen is not None:
            self.screen.minute()

    def _key(self, _window: object, key: int, _code: int = 0, text: str = "", held: Iterable[str] = ()) -> bool:
        """Handle a key of the keyboard: Escape goes back, Enter confirms, and others move the focus.

        In a text field only Tab does, which leaves it.
        """
        if self.sleep.wake():
            return True
        line = dock().line
        if key == ESCAPE:
            self.back()
            return True
        if line is not None:
            if key == TAB:
                dock().close()
                self.focus.move_to(line)
            return key == TAB and self.focus.type(key, text, held)
        if key in ENTER and not self.focus.is_seen:
            self.press("confirm")
            return True
        return self.focus.type(key, text or "", held)

    def _key_up(self, _window: object, key: int, *_: object) -> None:
        if key in ENTER:
            self.focus.release()

    # -- what lies over the screen

    def tell(self, what: Toast | CompanionError) -> None:
        """Show a toast, or an error as a toast."""
        self.sleep.wake()
        self.toast.tell(what)

    def hush(self) -> None:
        """Dismiss the toast early, because the user has gone on."""
        self.toast.hush()

    @property
    def over(self) -> Confirm | None:
        """The open confirmation, over the screen."""
        return self._over

    @property
    def covered(self) -> bool:
        """True while a confirmation or a text field is open, which nothing may interrupt."""
        return self._over is not None or dock().line is not None

    @property
    def shows_question(self) -> bool:
        """True if the open question of the race is visible, and so the effect of an answer."""
        return not self.covered and self.screen is not None and self.screen.shows_question

    def ask(self, question: Confirmation, act: Callable[[], object]) -> None:
        """Ask to confirm an act that cannot be undone; `act` is called if confirmed."""

        def on_confirm() -> None:
            self.uncover()
            act()

        self.uncover()
        self._over = Confirm(on_act=on_confirm, on_cancel=self.uncover)
        self._over.show(question)
        self._place(self._over)
        self.stage.add_widget(self._over)
        self.toast.place()

    def uncover(self) -> None:
        """Close the confirmation, unconfirmed."""
        if self._over is not None:
            self.stage.remove_widget(self._over)
            self._over = None
            self.toast.place()


def look(chosen: Theme, hour: int) -> str:
    """Return the look of a theme at an hour: "dark" or "daylight"."""
    if chosen == "auto":
        return "daylight" if hour in DAYLIGHT_HOURS else "dark"
    return chosen
