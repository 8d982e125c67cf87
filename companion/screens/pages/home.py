"""Home: the race to resume, with its circuit and its cars, and the ways to everything else."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from kivy.clock import Clock

from companion.articles import rulebooks
from companion.hall.joined import FILE as HALL
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.beside import NOTHING_THERE
from companion.screens.app.disk import said
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfRecord
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CAPTION, QUESTION, VALUE, theme
from companion.screens.widgets.touch import Target
from companion.screens.widgets.unsaved import unsaved
from companion.view.commissioner.due import Event, Kind, events, nearest
from companion.view.commissioner.standings import circuit_name
from companion.view.pages.home import OpenRace, kept_races, open_race
from companion.view.shown import Shown, Toast

if TYPE_CHECKING:
    from companion.hall.timing import Given
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import SectionTrack
    from companion.screens.app.app import CompanionApp
    from companion.screens.board.overview import Overview
    from companion.tournament.control import Started
    from companion.tournament.trials import Opened

BAR: Final = 48
CARD: Final = 204
"""The height of the card of the race."""
TILES: Final = 126
FOOT: Final = 56
TRIAL: Final = 116
"""The width of the key that shows a race to try."""
PANEL: Final = (12, 60)
"""Left and top of the card of the race."""
EVENTS: Final[tuple[tuple[Kind, str], ...]] = (("tournament", "trophy"), ("season", "clock"))
OTHERS: Final = (("sheets", "history"), ("rules", "book"), ("settings", "settings"))
MAIN: Final = (436, 74)
"""How wide and high its answer is."""
LEFT: Final = 448
"""Where the picture of the circuit begins in the card."""


DAMAGED: Final = ("damaged", "changed", "gap", "cut", "empty", "lost", "gone", "unreadable", "senseless")
"""What may be wrong with a race that a salvage helps against: the kinds of its errors."""


class Tile(Shown, frozen=True, kw_only=True):
    """A way to another screen: a pictogram, what it is (`kind`), a word, and a line about what is there; of a
    tournament or season a bar for each table or race, and whether it is done."""

    icon: str
    label: str
    note: str = ""
    kind: str = ""
    bars: tuple[bool, ...] = ()
    wrong: bool = False


class TileKey(Target):
    """Shows a `Tile`: in a flat one its pictogram and word only."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3", 8)
        tile: Tile | None = self.shown
        if tile is None:
            return
        if pen.h < TILES / 2:
            pen.icon(tile.icon, 26, pen.h / 2, 22, "mid")
            pen.text(tile.label, 46, 19, BODY, "hi", BOLD, room=pen.w - 52)
            pen.text(tile.note, 46, 40, CAPTION, "mid", SEMIBOLD, room=pen.w - 52)
            return
        pen.icon(tile.icon, 28, 26, 26, "bad" if tile.wrong else "mid")
        pen.text(tile.kind, 50, 26, CAPTION, "mid", SEMIBOLD, room=pen.w - 88)
        pen.icon("forward", pen.w - 22, 26, 18, "low")
        pen.text(tile.label, 16, 59, VALUE, "hi", BOLD, room=pen.w - 30, cut=True)
        pen.text(tile.note, 16, 90, CAPTION, "bad" if tile.wrong else "mid", SEMIBOLD, room=pen.w - 30, cut=True)
        if tile.bars:
            each = (pen.w - 32 - 4 * (len(tile.bars) - 1)) / len(tile.bars)
            for at, done in enumerate(tile.bars):
                pen.fill(16 + at * (each + 4), 109, each, 5, "ok" if done else "bg4", 2)


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
    """What was read of the race that is open: the race and its circuit, none of either, or why it cannot be read; and
    of the race and the trials that race control has given to this table, or why that cannot be read (`unheard`)."""

    def __init__(self, app: CompanionApp) -> None:
        self.race: OpenRace | None = None
        self.track: Track | SectionTrack | None = None
        self.kept = 0
        self.wrong: CompanionError | None = None
        self.events: dict[Kind, Event] = {}
        self.given: Started | None = None
        self.trials: Given | None = None
        self.unheard: CompanionError | None = None
        try:
            if (app.folder / HALL).exists():
                from companion.hall.starting import sent
                from companion.hall.timing import given

                self.given, self.trials = sent(app.folder), given(app.folder)
        except CompanionError as wrong:  # a table races without race control all the same
            self.unheard = wrong
        try:
            self.kept = kept_races(app.folder)
            self.events = events(app.folder)
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
        self._state_at = 460.0
        """Where the line about roller, buttons and disk begins."""
        self._main, self._trial = MainKey(), Key(on_tap=self._try)
        self._overview: Overview | None = None
        self._tiles = [
            TileKey(on_tap=lambda: app.go("new_race")), TileKey(on_tap=lambda: app.go("sheets")),
            TileKey(on_tap=lambda: app.go("rules")), TileKey(on_tap=lambda: app.go("settings")),
            TileKey(on_tap=lambda: self._open_event("tournament")), TileKey(on_tap=lambda: self._open_event("season")),
        ]  # fmt: skip
        Clock.schedule_once(lambda _: Clock.schedule_once(lambda _: self._begin_reading()))  # after the first picture

    def _read(self) -> None:
        found = Found(self.app)
        Clock.schedule_once(lambda _: self._shown(found))

    def _shown(self, found: Found) -> None:
        if self.parent is not None:
            self.found = found
            self.look_again()
            if found.unheard is not None:
                self.app.tell(found.unheard)
            if found.track is not None:
                Clock.schedule_once(self._picture)  # the key that goes on is there first

    def _picture(self, _: float) -> None:
        """Has room for the circuit of the race with its cars on it."""
        from companion.screens.board.overview import Overview  # only here: home is there before its race

        if self._overview is None:
            self._overview = Overview()
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
        left, top = PANEL
        self._arrange_tiles(left, top + CARD + 8)
        wide, high = MAIN
        place = top + CARD - high - 12
        if self.found is None:
            return
        race, trial, wrong = self.found.race, 0.0, self.found.wrong
        if self.found.given is not None:
            self._main.on_tap = partial(self._begin_given, self.found.given)
            self._main.show(Tile(icon="play", label=self.say("home.start_given")))
        elif self.found.trials is not None:
            self._main.on_tap = partial(self._open_trials, self.found.trials)
            self._main.show(Tile(icon="play", label=self.say("home.trials", begun=bool(self.found.trials.log_id))))
        elif race is not None:
            self._main.on_tap = partial(self.app.playing.resume, race.log_id)
            saved = self.say("home.saved", at=race.saved)
            self._main.show(Tile(icon="play", label=self.say("home.resume"), note=saved))
            if self.found.track is not None and self._overview is not None:
                self._overview.picture_of(self.found.track, race.cars)
                self.put(self._overview, left + LEFT, top + 6, self.w - 2 * left - LEFT - 8, CARD - 12)
        elif wrong is not None and wrong.kind in DAMAGED:
            self._main.on_tap = self._salvage
            note = self.say("home.salvage_note", under_way=self._salvaging)
            self._main.show(Tile(icon="storage", label=self.say("home.salvage"), note=note))
        elif (event := nearest(self.found.events)) is not None:
            self._main.on_tap = partial(self._open_due, event)
            self._main.show(Tile(icon="trophy", label=self._due(event)))
        else:
            self._main.on_tap = lambda: self.app.go("new_race")
            self._main.show(Tile(icon="plus", label=self.say("home.new_race")))
            if self.found.wrong is None:
                trial = TRIAL + 8.0
                note = self.say("home.trial_note")
                self._trial.show(Face(label=self.say("home.trial"), note=note, icon="play", look="option"))
                self.put(self._trial, left + 12 + wide - TRIAL, place, TRIAL, high)
        self.put(self._main, left + 12, place, wide - trial, high)

    def _try(self) -> None:
        """Begins a guided lap, for whoever has no race yet."""
        from companion.view.seats.guide import guided  # with the rules core: home is there before it
        from companion.view.setup.draft import CIRCUIT

        self.app.playing.begin(guided(theme.language), CIRCUIT, guided=True)

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

    def _due(self, event: Event) -> str:
        """What is due of an event, in a few words."""
        assert event.due is not None
        number, _, table = event.due.table.partition(".")
        return self.say(f"home.due.{event.due.what}", round=number or event.round, table=table)

    def _open_due(self, event: Event) -> None:
        """Goes to where it is done."""
        assert event.due is not None
        given: OfRecord = {"record": event.record, "kind": event.kind}
        if event.due.table:
            given["table"] = event.due.table
        self.app.go(event.due.screen, **given)

    def _begin_given(self, given: Started) -> None:
        """Begins the race that race control has given to this table."""
        self.app.playing.begin(given.setup, str(given.setup["track"]), name=given.name)

    def _open_trials(self, given: Given) -> None:
        """Begins the trials that race control has given to this table, or goes on with them."""
        if given.log_id:
            self.app.go("trial", trials=given.log_id)
        else:
            self.app.go("trial", opened=given.opened, acts=given.acts)

    def _open_event(self, kind: Kind) -> None:
        """Goes to where a tournament or a season waits for somebody."""
        event = self.found.events.get(kind) if self.found is not None else None
        if event is None:
            self.app.go("new_event", kind=kind)
        elif event.wrong is not None:
            self.app.tell(event.wrong)
        elif event.at == "entrants":
            self.app.go("entrants", record=event.record, kind=kind)
        else:
            self.app.go("calendar" if kind == "season" else "seeding", record=event.record)

    def _arrange_tiles(self, left: float, top: float) -> None:
        say, events = self.say, self.found.events if self.found is not None else {}
        new_race, sheets, rules, settings, *others = self._tiles
        new_race.show(Tile(icon="flag", label=say("home.new_race"), kind=say("home.a_race"),
                           note=say("home.begin", count=len(rulebooks()))))  # fmt: skip
        for key, (kind, icon) in zip(others, EVENTS, strict=True):
            key.show(self._event(events.get(kind), kind, icon))
        self.put_rows((new_race, *others), left, top, self.w - 2 * left, TILES)
        x, top = left, self.h - FOOT - 14
        kept = self.found.kept if self.found is not None else 0
        notes = (say("home.kept", count=kept), say("home.articles"), say("settings.language_is", value=theme.language))
        measured = Pen.measuring()
        for key, (name, icon), note in zip((sheets, rules, settings), OTHERS, notes, strict=True):
            tile = Tile(icon=icon, label=say(f"home.{name}"), note=note)
            key.show(tile)
            wide = 60 + max(measured.width(tile.label, BODY, BOLD), measured.width(note, CAPTION))
            self.put(key, x, top, wide, FOOT)
            x += wide + 8
        self._state_at = x + 12

    def _event(self, event: Event | None, kind: str, icon: str) -> Tile:
        """The tile of a tournament or a season: its name and its state, or what is needed for one."""
        said = self.say(f"home.a_{kind}")
        if event is None:
            return Tile(icon=icon, kind=said, label=self.say(f"home.new_{kind}"), note=self.say(f"home.needs_{kind}"))
        facts = {"round": event.round, "of": event.of, "tables": event.tables, "date": event.date}
        note = self.say(f"home.event.{event.at}", **facts)
        return Tile(icon=icon, kind=said, label=event.name, note=note, bars=event.bars, wrong=event.wrong is not None)

    # -- what is drawn beneath

    def paint(self, pen: Pen) -> None:
        self._paint_bar(pen)
        left, top = PANEL
        pen.fill(left, top, pen.w - 2 * left, CARD, "ground", 10)
        pen.rim(left, top, pen.w - 2 * left, CARD, "line", 1, 10)
        self._paint_state(pen, self._state_at)
        if self.found is None:
            return
        if self.found.given is not None:
            self._paint_given(pen, self.found.given, left + 19, top, LEFT - 30)
        elif self.found.trials is not None:
            self._paint_trials(pen, self.found.trials.opened, left + 19, top, LEFT - 30)
        elif self.found.race is not None:
            self._paint_race(pen, self.found.race, left + 19, top, LEFT - 30)
        else:
            self._paint_none(pen, left + 19, top, LEFT - 30)

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

    def _paint_given(self, pen: Pen, given: Started, x: float, top: float, room: float) -> None:
        pen.icon("flag", (LEFT + pen.w - 12) / 2, top + CARD / 2, 96, "low")
        pen.text(self.say("home.given_asked", race=given.race), x, top + 33, QUESTION, "hi", BOLD, room=room)
        circuit, sky = circuit_name(str(given.setup["track"])), str(given.setup.get("sky", ""))
        said = self.say("home.given_note", name=given.name, circuit=circuit, cars=len(given.setup["cars"]), sky=sky)
        pen.paragraph(said, x, top + 66, BODY, room, "mid", SEMIBOLD, 2)

    def _paint_trials(self, pen: Pen, opened: Opened, x: float, top: float, room: float) -> None:
        pen.icon("clock", (LEFT + pen.w - 12) / 2, top + CARD / 2, 96, "low")
        pen.text(self.say("home.trials_asked"), x, top + 33, QUESTION, "hi", BOLD, room=room)
        said = self.say("home.trials_note", name=opened.name, circuit=circuit_name(opened.track),
                        drivers=len(opened.drivers))  # fmt: skip
        pen.paragraph(said, x, top + 66, BODY, room, "mid", SEMIBOLD, 2)

    def _paint_none(self, pen: Pen, x: float, top: float, room: float) -> None:
        wrong = self.found.wrong if self.found is not None else None
        middle = (LEFT + pen.w - 12) / 2
        event = nearest(self.found.events) if self.found is not None and wrong is None else None
        asked = self.say("home.none_asked") if wrong is None else self.say("home.unreadable")
        asked = asked if event is None else self.say("home.due_asked")
        pen.text(asked, x, top + 33, QUESTION, "hi", BOLD, room=room)
        if wrong is None:
            pen.icon("flag" if event is None else "trophy", middle, top + CARD / 2, 96, "low")
            said = self.say("home.none") if event is None else self.say("home.due_note", name=event.name)
            pen.paragraph(said, x, top + 66, BODY, room, "mid", SEMIBOLD, 2)
        else:  # why it is can be long, and there is no circuit beside it
            pen.icon("triangle", middle, top + CARD - 50, 60, "bad")
            pen.paragraph(theme.words.error(wrong), x, top + 66, BODY, pen.w - 2 * x, "mid", SEMIBOLD, 2)

    def _paint_state(self, pen: Pen, x: float) -> None:
        """The line about die-roller, buttons and disk."""
        y, room = pen.h - FOOT / 2 - 14, pen.w - 12 - x
        fault = self.app.disk.grave
        if fault is not None:
            pen.icon("triangle", x + 11, y, 20, "bad")
            pen.paragraph(said(fault), x + 28, y, CAPTION, room - 30, "bad", SEMIBOLD, 2)
            return
        beside = self.app.beside
        wrong = beside.roller_complaint
        shut = not beside.roller and wrong is not None and wrong.kind != NOTHING_THERE
        for icon, there in (("die", bool(beside.roller)), ("buttons", beside.buttons)):
            pen.icon(icon, x + 11, y, 20, "ok" if there else "warn" if shut and icon == "die" else "low")
            ink = "hi" if there else "mid"
            pen.text(self.say(f"home.{icon}", there=there, shut=shut), x + 28, y, CAPTION, ink, room=room / 2 - 32)
            x += room / 2 + 4


def parts(pen: Pen, pairs: Sequence[tuple[str, str]], x: float, y: float, room: float) -> None:
    """Words and their values in one line, as far as there is room; the last one is cut short."""
    right = x + room
    for word, value in pairs:
        if not value or x > right - 40:
            continue
        if word:
            x += pen.text(word, x, y, BODY, "low") + 6
        x += pen.text(value, x, y, BODY, "hi", BOLD, room=right - x, cut=True) + 18
