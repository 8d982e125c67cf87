"""Home: the race to resume, with its circuit and its cars, and the ways to everything else."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from kivy.clock import Clock

from companion.articles import rulebooks
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.disk import said
from companion.screens.app.screen import Screen
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CAPTION, NAME, QUESTION, theme
from companion.screens.widgets.touch import Target
from companion.screens.widgets.unsaved import unsaved
from companion.view.home import OpenRace, kept_races, open_race
from companion.view.shown import Shown, Toast

if TYPE_CHECKING:
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import SectionTrack
    from companion.screens.app.app import CompanionApp
    from companion.screens.board.overview import Overview

BAR: Final = 48
SIDE: Final = 284
"""The width of the two columns of tiles."""
TRIAL: Final = 116
"""The width of the key that shows a race to try."""
PANEL: Final = (12, 60, 408)
"""Left, top and height of the panel of the race."""


DAMAGED: Final = ("damaged", "changed", "gap", "cut", "empty", "lost", "gone")
"""What may be wrong with a race that a salvage helps against: the kinds of its errors."""


class Tile(Shown, frozen=True, kw_only=True):
    """A way to another screen: a pictogram, a word, and a line about what is there."""

    icon: str
    label: str
    note: str = ""


class TileKey(Target):
    """Shows a `Tile`."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", 8)
        if isinstance(self.shown, Tile):
            middle = pen.h / 2
            pen.icon(self.shown.icon, 33, middle - 34, 38, "mid")
            pen.text(self.shown.label, 14, middle + 12, NAME, "hi", BOLD, room=pen.w - 20)
            pen.text(self.shown.note, 14, middle + 36, CAPTION, "mid", room=pen.w - 20)


class MainKey(Target):
    """The answer to the one question of home, large: shows a `Tile`."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "mid" if self.pressed else "pri", 8)
        if not isinstance(self.shown, Tile):
            return
        tile, middle = self.shown, pen.h / 2
        note = pen.width(tile.note, BODY) + 18 if tile.note else 0
        x = (pen.w - 46 - pen.width(tile.label, QUESTION, BOLD) - note) / 2
        pen.icon(tile.icon, x + 14, middle, 28, "onpri")
        x += 46
        x += pen.text(tile.label, x, middle, QUESTION, "onpri", BOLD) + 18
        pen.text(tile.note, x, middle + 2, BODY, "onpri")


class Found:
    """What was read of the race that is open: the race and its circuit, none of either, or why it cannot be read."""

    def __init__(self, app: CompanionApp) -> None:
        self.race: OpenRace | None = None
        self.track: Track | SectionTrack | None = None
        self.kept = 0
        self.wrong: CompanionError | None = None
        try:
            self.kept = kept_races(app.folder)
            if (opened := open_race(app.folder)) is not None:
                self.race, self.track = opened
        except CompanionError as wrong:
            self.wrong = wrong


class HomeScreen(Screen):
    """The first screen. What it shows is read in a thread of its own, so that it is there at once."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.found: Found | None = None
        self._salvaging = False
        self._main, self._trial = MainKey(), Key(on_tap=self._try)
        self._overview: Overview | None = None
        self._tiles = [
            TileKey(on_tap=lambda: app.go("new_race")), TileKey(on_tap=lambda: app.go("sheets")),
            TileKey(on_tap=lambda: app.go("rules")), TileKey(on_tap=lambda: app.go("settings")),
        ]  # fmt: skip
        Clock.schedule_once(lambda _: Clock.schedule_once(lambda _: self._begin_reading()))  # after the first picture

    def _read(self) -> None:
        found = Found(self.app)
        Clock.schedule_once(lambda _: self._shown(found))

    def _shown(self, found: Found) -> None:
        if self.parent is not None:
            self.found = found
            self.look_again()

    @property
    def filled(self) -> bool:
        return self.found is not None

    def minute(self) -> None:
        self.look_again()

    def press(self, name: str) -> None:
        if name == "confirm" and self._main.on_tap is not None:
            self._main.on_tap()

    # -- where everything is

    def arrange(self) -> None:
        left, top, high = PANEL
        wide = self.w - SIDE - 36
        self._arrange_tiles(left + wide + 12, top)
        if self.found is None:
            return
        race, trial, wrong = self.found.race, 0.0, self.found.wrong
        if race is not None:
            self._main.on_tap = partial(self.app.playing.resume, race.log_id)
            saved = self.say("home.saved", at=race.saved)
            self._main.show(Tile(icon="play", label=self.say("home.resume"), note=saved))
            if self.found.track is not None:
                self._draw(self.found.track, race, (left + 6, top + 82, wide - 12, high - 82 - 110))
        elif wrong is not None and wrong.kind in DAMAGED:
            self._main.on_tap = self._salvage
            note = self.say("home.salvage_note", under_way=self._salvaging)
            self._main.show(Tile(icon="storage", label=self.say("home.salvage"), note=note))
        else:
            self._main.on_tap = lambda: self.app.go("new_race")
            self._main.show(Tile(icon="plus", label=self.say("home.new_race")))
            if self.found.wrong is None:
                trial = TRIAL + 8.0
                note = self.say("home.trial_note")
                self._trial.show(Face(label=self.say("home.trial"), note=note, icon="play", look="option"))
                self.put(self._trial, left + wide - 13 - TRIAL, top + high - 101, TRIAL, 88)
        self.put(self._main, left + 13, top + high - 101, wide - 26 - trial, 88)

    def _try(self) -> None:
        """Begins a race at once, for whoever has none yet."""
        from companion.view.draft_setup import setup_of  # with the rules core: home is there before it
        from companion.view.trial import trial

        race = trial()
        self.app.playing.begin(setup_of(race, theme.language), race.track)

    def _salvage(self) -> None:
        """Takes all that is sound out of the damaged database, in a thread of its own: a long log takes its time."""
        if not self._salvaging:
            self._salvaging = True
            self.look_again()
            threading.Thread(target=self._salvaged, name="salvage", daemon=True).start()

    def _salvaged(self) -> None:
        from companion.sheets.salvage import salvage

        words = theme.words
        told: Toast | CompanionError
        try:
            done = salvage(self.app.folder, lambda seq: words.say("salvage_note", seq=seq))
        except CompanionError as wrong:
            told = wrong
        else:
            saved = [race for race in done.races if race.entries]
            told = Toast(tone="ok", icon="check", text=words.screen("home.salvaged_nothing"))
            if done.old is not None:
                told = Toast(tone="ok", icon="check", text=words.screen(
                    "home.salvaged", races=len(saved), count=sum(race.entries for race in saved),
                    lost=sum(race.lost for race in done.races), folder=done.old.name,
                ))  # fmt: skip
        Clock.schedule_once(lambda _: self._salvaging_ended(told))

    def _salvaging_ended(self, told: Toast | CompanionError) -> None:
        self._salvaging = False
        self.app.tell(told)
        self.app.disk.look()
        self._begin_reading()

    def _begin_reading(self) -> None:
        threading.Thread(target=self._read, name="home", daemon=True).start()

    def _draw(self, track: Track | SectionTrack, race: OpenRace, where: tuple[float, float, float, float]) -> None:
        """The circuit with the cars on it, in its place."""
        if self._overview is None:
            from companion.screens.board.overview import Overview  # only here: home is there before its race

            self._overview = Overview()
        self._overview.picture_of(track, race.cars)
        self.put(self._overview, *where)

    def _arrange_tiles(self, left: float, top: float) -> None:
        kept = self.found.kept if self.found is not None else 0
        language = self.say("settings.language_is", value=theme.language)
        tiles = (
            Tile(icon="flag", label=self.say("home.new_race"), note=self.say("home.begin", count=len(rulebooks()))),
            Tile(icon="history", label=self.say("home.sheets"), note=self.say("home.kept", count=kept)),
            Tile(icon="table", label=self.say("home.rules"), note=self.say("home.articles")),
            Tile(icon="settings", label=self.say("home.settings"), note=language),
        )
        rows = (len(tiles) + 1) // 2
        high = (346 - 8 * (rows - 1)) / rows
        for place, (tile, key) in enumerate(zip(tiles, self._tiles, strict=True)):
            key.show(tile)
            self.put(key, left + place % 2 * 146, top + place // 2 * (high + 8), 138, high)

    # -- what is drawn beneath

    def paint(self, pen: Pen) -> None:
        self._paint_bar(pen)
        left, top, high = PANEL
        wide = pen.w - SIDE - 36
        pen.fill(left, top, wide, high, "ground", 10)
        pen.rim(left, top, wide, high, "line", 1, 10)
        self._paint_state(pen, left + wide + 12)
        if self.found is None:
            return
        if self.found.race is not None:
            self._paint_race(pen, self.found.race, left + 19, top, wide - 38)
        else:
            self._paint_none(pen, left + wide / 2, top, wide - 60)

    def _paint_bar(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, BAR, "bg1")
        pen.fill(0, BAR - 1, pen.w, 1, "line")
        pen.icon("logo", 29, 24, 28, "hi")
        pen.text(self.say("home.name"), 56, 24, 24, "hi", BOLD)
        clock = pen.text(time.strftime("%H:%M"), pen.w - 13, 24, 24, "hi", BOLD, "right")
        unsaved.paint(pen, pen.w - 13 - clock - 18, 24)

    def _paint_race(self, pen: Pen, race: OpenRace, x: float, top: float, room: float) -> None:
        pen.text(self.say("home.resume_asked"), x, top + 33, QUESTION, "hi", BOLD, room=room)
        pairs = (
            ("", race.circuit),
            *([(self.say("home.lap"), f"{race.lap}/{race.laps}")] if race.laps else []),
            (
                self.say("home.turn" if race.rounds else "home.round"),
                f"{race.round}/{race.rounds}" if race.rounds else str(race.round),
            ),
            (self.say("home.next"), race.next),
        )
        parts(pen, pairs, x, top + 66, room)

    def _paint_none(self, pen: Pen, middle: float, top: float, room: float) -> None:
        wrong = self.found.wrong if self.found is not None else None
        pen.icon("flag" if wrong is None else "triangle", middle, top + 92, 72, "low" if wrong is None else "bad")
        asked = self.say("home.none_asked") if wrong is None else self.say("home.unreadable")
        pen.text(asked, middle, top + 168, QUESTION, "hi", BOLD, "centre", room)
        why = self.say("home.none") if wrong is None else theme.words.error(wrong)
        pen.paragraph(why, middle, top + 210, BODY, room, "mid", SEMIBOLD, 3, "centre")

    def _paint_state(self, pen: Pen, x: float) -> None:
        """The line about die-roller, buttons and disk."""
        pen.fill(x, 414, SIDE, 1, "line")
        fault = self.app.disk.grave
        if fault is not None:
            pen.icon("triangle", x + 11, 441, 20, "bad")
            pen.text(said(fault), x + 28, 441, CAPTION, "bad", room=SIDE - 30)
            return
        beside = self.app.beside
        for icon, there in (("die", bool(beside.roller)), ("buttons", beside.buttons)):
            pen.icon(icon, x + 11, 441, 20, "ok" if there else "low")
            ink = "hi" if there else "mid"
            pen.text(self.say(f"home.{icon}", there=there), x + 28, 441, CAPTION, ink, room=SIDE / 2 - 32)
            x += SIDE / 2 + 4


def parts(pen: Pen, pairs: Sequence[tuple[str, str]], x: float, y: float, room: float) -> None:
    """Words and their values in one line, as far as there is room; the last one is cut short."""
    right = x + room
    for word, value in pairs:
        if not value or x > right - 40:
            continue
        if word:
            x += pen.text(word, x, y, BODY, "low") + 6
        x += pen.text(value, x, y, BODY, "hi", BOLD, room=right - x, cut=True) + 18
