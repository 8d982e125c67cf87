"""Home: the race to resume, and the way to every other screen."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from kivy.clock import Clock

from companion.articles import rulebooks
from companion.hall.membership import FILE as HALL
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.disk import fault_text
from companion.screens.app.screen import Screen
from companion.screens.app.table_hardware import NOTHING_THERE
from companion.screens.app.visits import OfRecord
from companion.screens.kit.compose import Act, Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, CAPTION, QUESTION, VALUE, theme
from companion.screens.kit.touch import Target
from companion.screens.kit.unsaved import unsaved
from companion.view.events.next_up import EventProgress, Kind, events, nearest
from companion.view.events.standings import circuit_name
from companion.view.pages.home import ResumableRace, kept_races, open_race
from companion.view.shown import Toast, ViewModel

if TYPE_CHECKING:
    from companion.hall.timing import AssignedTrials
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import SectionTrack
    from companion.screens.app.app import CompanionApp
    from companion.screens.board.overview import Overview
    from companion.tournament.control import Started

BAR: Final = 48
CARD: Final = 204
"""Height of the card of the race, in dp."""
TILES: Final = 126
FOOT: Final = 56
TRIAL: Final = 116
"""Width of the key that shows a race to try, in dp."""
MARGIN: Final = 12
EVENTS: Final[tuple[tuple[Kind, str], ...]] = (("tournament", "trophy"), ("season", "clock"))
ANSWER_SIZE: Final = (436, 74)
"""Width and height of the card's main key, in dp."""
TEXT: Final = 418
"""Width of the texts in the card, in dp."""
CIRCUIT_AT: Final = 448
"""Left edge of the picture of the circuit in the card, in dp."""
DAMAGED: Final = ("damaged", "changed", "gap", "cut", "empty", "lost", "gone", "unreadable", "senseless")
"""Kinds of errors of a race that a salvage helps against."""


class Tile(ViewModel, frozen=True, kw_only=True):
    """A tile that leads to another screen.

    It has a pictogram, its `kind`, a label and a note; for a tournament or season also a bar for each table or race,
    filled once that is done.
    """

    icon: str
    label: str
    note: str = ""
    kind: str = ""
    bars: tuple[bool, ...] = ()
    wrong: bool = False


class TileKey(Target):
    """A key that shows a `Tile`."""

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
    """The large key with the main answer of home; it shows a `Tile`."""

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


class HomeData:
    """The data of home, read from the database.

    That is the open race and its circuit, both None without a race, or why it cannot be read (`wrong`); and the race
    and trials that race control has assigned to this table, or why they cannot be (`unheard`).
    """

    def __init__(self, app: CompanionApp) -> None:
        self.race: ResumableRace | None = None
        self.track: Track | SectionTrack | None = None
        self.kept = 0
        self.wrong: CompanionError | None = None
        self.events: dict[Kind, EventProgress] = {}
        self.given: Started | None = None
        self.trials: AssignedTrials | None = None
        self.unheard: CompanionError | None = None
        try:
            if (app.folder / HALL).exists():
                from companion.hall.starting import assigned_race
                from companion.hall.timing import assigned_trials

                self.given, self.trials = assigned_race(app.folder), assigned_trials(app.folder)
        except CompanionError as wrong:  # a table races without race control all the same
            self.unheard = wrong
        try:
            self.kept = kept_races(app.folder)
            self.events = events(app.folder)
            if (opened := open_race(app.folder)) is not None:
                self.race, self.track = opened
        except CompanionError as wrong:
            self.wrong = wrong


class HomeScreen(Composed, Screen):
    """The first screen.

    Its data is read in a thread, so that the screen appears at once.
    """

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.found: HomeData | None = None
        self._salvaging = False
        self._overview: Overview | None = None
        Clock.schedule_once(lambda _: Clock.schedule_once(lambda _: self._begin_reading()))  # after the first picture

    def _read(self) -> None:
        found = HomeData(self.app)
        Clock.schedule_once(lambda _: self._on_read(found))

    def _on_read(self, found: HomeData) -> None:
        if self.parent is not None:
            self.found = found
            self.look_again()
            if found.unheard is not None:
                self.app.tell(found.unheard)
            if found.track is not None:
                Clock.schedule_once(self._picture)  # the key that goes on is there first

    def _picture(self, _: float) -> None:
        """Create the picture of the race's circuit and cars."""
        from companion.screens.board.overview import Overview  # only here: home is there before its race

        if self._overview is None:
            self._overview = Overview()
            self.look_again()

    @property
    def is_loaded(self) -> bool:
        return self.found is not None

    def minute(self) -> None:
        self.look_again()

    def press(self, name: str) -> bool:
        if name == "confirm":
            self.tap_key((MainKey, "main"))
        return name in ("confirm", "undo")

    # -- what fingers do

    def _try(self) -> None:
        """Begin a guided lap, offered while no race is stored."""
        from companion.view.seats.guide import guided  # with the rules core: home is there before it
        from companion.view.setup.draft import CIRCUIT

        self.app.playing.begin(guided(theme.language), CIRCUIT, guided=True)

    def _salvage(self) -> None:
        """Recover what is sound in the damaged database, in a thread."""
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
            told = Toast(tone="ok", icon="check", text=words.screen("home.salvaged_nothing"))
            if done.old is not None:
                lost = sum(race.lost for race in done.races)
                is_whole = not lost and done.list_read
                text = words.screen(
                    "home.salvaged", races=len(done.saved), count=sum(race.entries for race in done.saved), lost=lost,
                    folder=done.old.name, unread=not done.list_read,
                )  # fmt: skip
                told = Toast(tone="ok" if is_whole else "warn", icon="check" if is_whole else "cross", text=text)
        Clock.schedule_once(lambda _: self._salvaging_ended(told))

    def _salvaging_ended(self, told: Toast | CompanionError) -> None:
        self._salvaging = False
        self.app.tell(told)
        self.app.disk.look()
        self._begin_reading()

    def _begin_reading(self) -> None:
        threading.Thread(target=self._read, name="home", daemon=True).start()

    def _due(self, event: EventProgress) -> str:
        """Return what is due in an event, in a few words."""
        assert event.due is not None
        number, _, table = event.due.table.partition(".")
        return self.say(f"home.due.{event.due.what}", round=number or event.round, table=table)

    def _open_due(self, event: EventProgress) -> None:
        """Open the screen for what is due in an event."""
        assert event.due is not None
        given: OfRecord = {"record": event.record, "kind": event.kind}
        if event.due.table:
            given["table"] = event.due.table
        self.app.go(event.due.screen, **given)

    def _begin_given(self, given: Started) -> None:
        """Begin the race that race control has assigned to this table."""
        self.app.playing.begin(given.setup, str(given.setup["track"]), name=given.name)

    def _open_trials(self, given: AssignedTrials) -> None:
        """Begin or resume the trials that race control has assigned to this table."""
        if given.log_id:
            self.app.go("trial", trials=given.log_id)
        else:
            self.app.go("trial", opened=given.opened, acts=given.acts)

    def _open_event(self, kind: Kind) -> None:
        """Open the next step of a tournament or season, or create one."""
        event = self.found.events.get(kind) if self.found is not None else None
        if event is None:
            self.app.go("new_event", kind=kind)
        elif event.wrong is not None:
            self.app.tell(event.wrong)
        elif event.at == "entrants":
            self.app.go("entrants", record=event.record, kind=kind)
        else:
            self.app.go("calendar" if kind == "season" else "seeding", record=event.record)

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        self._compose_bar(ui, ui.area.cut_top(BAR))
        foot = ui.area.cut_bottom(FOOT + 14).cut_top(FOOT).inset(MARGIN)
        body = ui.area.inset(MARGIN, MARGIN)
        card = body.cut_top(CARD)
        ui.fill(card, "ground", 10)
        ui.pen.rim(*card.box, "line", 1, 10)
        body.cut_top(8)
        self._compose_tiles(ui, body.cut_top(TILES))
        self._compose_ways(ui, foot)
        foot.cut_left(12)
        self._compose_state(ui.pen, foot)
        if self.found is not None:
            self._compose_card(ui, card, self.found)

    def _compose_bar(self, ui: Ui, bar: Area) -> None:
        ui.fill(bar, "bg1")
        ui.fill(Area(0, bar.bottom - 1, bar.w, 1), "line")
        ui.pen.icon("logo", 29, 24, 28, "hi")
        ui.pen.text(self.say("home.name"), 56, 24, 24, "hi", BOLD)
        clock = ui.pen.text(time.strftime("%H:%M"), bar.right - 13, 24, 24, "hi", BOLD, "right")
        unsaved.paint(ui.pen, bar.right - 13 - clock - 18, 24)

    def _compose_tiles(self, ui: Ui, area: Area) -> None:
        """Compose a new race, and the tournament and the season or what is needed to begin one."""
        new_race, *others = area.columns(3)
        tile = Tile(icon="flag", label=self.say("home.new_race"), kind=self.say("home.a_race"),
                    note=self.say("home.begin", count=len(rulebooks())))  # fmt: skip
        ui.target(new_race, "new_race", TileKey, tile, lambda: self.app.go("new_race"))
        events = self.found.events if self.found is not None else {}
        for cell, (kind, icon) in zip(others, EVENTS, strict=True):
            tile = self._event(events.get(kind), kind, icon)
            ui.target(cell, kind, TileKey, tile, partial(self._open_event, kind))

    def _event(self, event: EventProgress | None, kind: str, icon: str) -> Tile:
        """Return the tile of a tournament or season.

        It has the name and state, or what is needed to start one.
        """
        said = self.say(f"home.a_{kind}")
        if event is None:
            return Tile(icon=icon, kind=said, label=self.say(f"home.new_{kind}"), note=self.say(f"home.needs_{kind}"))
        facts = {"round": event.round, "of": event.of, "tables": event.tables, "date": event.date}
        note = self.say(f"home.event.{event.at}", **facts)
        return Tile(icon=icon, kind=said, label=event.name, note=note, bars=event.bars, wrong=event.wrong is not None)

    def _compose_ways(self, ui: Ui, row: Area) -> None:
        """Compose the keys of races, rules and settings, each as wide as its words."""
        say, go = self.say, self.app.go
        kept = self.found.kept if self.found is not None else 0
        language = say("settings.language_is", value=theme.language)
        ways: tuple[tuple[str, str, str, Act], ...] = (
            ("sheets", "history", say("home.kept", count=kept), lambda: go("sheets")),
            ("rules", "book", say("home.articles"), lambda: go("rules")),
            ("settings", "settings", language, lambda: go("settings")),
        )
        for name, icon, note, act in ways:
            tile = Tile(icon=icon, label=say(f"home.{name}"), note=note)
            wide = max(ui.pen.width(tile.label, BODY, BOLD), ui.pen.width(note, CAPTION))
            ui.target(row.cut_left(60 + wide), name, TileKey, tile, act)
            row.cut_left(8)

    def _compose_state(self, pen: Pen, row: Area) -> None:
        """Draw the line about die roller, buttons and disk."""
        x, y = row.x, row.middle[1]
        fault = self.app.disk.grave
        if fault is not None:
            pen.icon("triangle", x + 11, y, 20, "bad")
            pen.paragraph(fault_text(fault), x + 28, y, CAPTION, row.w - 30, "bad", SEMIBOLD, 2)
            return
        beside = self.app.beside
        wrong = beside.roller_complaint
        shut = not beside.roller and wrong is not None and wrong.code != NOTHING_THERE
        for icon, there in (("die", bool(beside.roller)), ("buttons", beside.buttons)):
            pen.icon(icon, x + 11, y, 20, "ok" if there else "warn" if shut and icon == "die" else "low")
            ink = "hi" if there else "mid"
            pen.text(self.say(f"home.{icon}", there=there, shut=shut), x + 28, y, CAPTION, ink, room=row.w / 2 - 32)
            x += row.w / 2 + 4

    # -- the card of the race

    def _compose_card(self, ui: Ui, card: Area, found: HomeData) -> None:
        """Compose what is open or due, and the main key that goes on with it."""
        if found.given is not None:
            self._compose_given(ui, card, found.given)
        elif found.trials is not None:
            self._compose_trials(ui, card, found.trials)
        elif found.race is not None:
            self._compose_race(ui, card, found.race, found.track)
        elif found.wrong is not None:
            self._compose_wrong(ui, card, found.wrong)
        elif (event := nearest(found.events)) is not None:
            note = self.say("home.due_note", name=event.name)
            self._ask(ui, card, self.say("home.due_asked"), note, "trophy")
            self._answer(ui, card, Tile(icon="trophy", label=self._due(event)), partial(self._open_due, event))
        else:
            self._ask(ui, card, self.say("home.none_asked"), self.say("home.none"), "flag")
            key = _answer_area(card)
            face = Face(label=self.say("home.trial"), note=self.say("home.trial_note"), icon="play", look="option")
            ui.button(key.cut_right(TRIAL), "trial", face, self._try)
            key.cut_right(8)
            ui.target(key, "main", MainKey, self._new_race(), lambda: self.app.go("new_race"))

    def _ask(self, ui: Ui, card: Area, asked: str, note: str = "", icon: str = "") -> None:
        """Write what the card asks, and draw a pictogram where no circuit is."""
        ui.pen.text(asked, card.x + 19, card.y + 33, QUESTION, "hi", BOLD, room=TEXT)
        if icon:
            ui.icon(Area(CIRCUIT_AT, card.y, card.right - CIRCUIT_AT, CARD), icon, 96, "low")
            ui.pen.paragraph(note, card.x + 19, card.y + 66, BODY, TEXT, "mid", SEMIBOLD, 2)

    def _answer(self, ui: Ui, card: Area, tile: Tile, act: Act) -> None:
        ui.target(_answer_area(card), "main", MainKey, tile, act)

    def _new_race(self) -> Tile:
        return Tile(icon="plus", label=self.say("home.new_race"))

    def _compose_given(self, ui: Ui, card: Area, given: Started) -> None:
        circuit, sky = circuit_name(str(given.setup["track"])), str(given.setup.get("sky", ""))
        note = self.say("home.given_note", name=given.name, circuit=circuit, cars=len(given.setup["cars"]), sky=sky)
        self._ask(ui, card, self.say("home.given_asked", race=given.race), note, "flag")
        tile = Tile(icon="play", label=self.say("home.start_given"))
        self._answer(ui, card, tile, partial(self._begin_given, given))

    def _compose_trials(self, ui: Ui, card: Area, given: AssignedTrials) -> None:
        opened = given.opened
        note = self.say("home.trials_note", name=opened.name, circuit=circuit_name(opened.track),
                        drivers=len(opened.drivers))  # fmt: skip
        self._ask(ui, card, self.say("home.trials_asked"), note, "clock")
        tile = Tile(icon="play", label=self.say("home.trials", begun=bool(given.log_id)))
        self._answer(ui, card, tile, partial(self._open_trials, given))

    def _compose_race(self, ui: Ui, card: Area, race: ResumableRace, track: Track | SectionTrack | None) -> None:
        self._ask(ui, card, self.say("home.resume_asked"))
        pairs = (
            ("", race.circuit),
            *([(self.say("home.lap"), f"{race.lap}/{race.laps}")] if race.laps else []),
            (
                self.say("home.turn" if race.rounds else "home.round"),
                f"{race.round}/{race.rounds}" if race.rounds else str(race.round),
            ),
            (self.say("home.next"), race.next),
        )
        parts(ui.pen, pairs, card.x + 19, card.y + 66, TEXT)
        if track is not None and self._overview is not None:
            self._overview.picture_of(track, race.cars)
            circuit = card.inset(8, 6)
            circuit.cut_left(CIRCUIT_AT - 8)
            ui.place(circuit, self._overview)
        tile = Tile(icon="play", label=self.say("home.resume"), note=self.say("home.saved", at=race.saved))
        self._answer(ui, card, tile, partial(self.app.playing.resume, race.log_id))

    def _compose_wrong(self, ui: Ui, card: Area, wrong: CompanionError) -> None:
        """Compose why the race cannot be read, and its salvage if that helps.

        The reason can be long, and there is no circuit beside it.
        """
        self._ask(ui, card, self.say("home.unreadable"))
        middle = (CIRCUIT_AT + card.right) / 2
        ui.pen.icon("triangle", middle, card.bottom - 50, 60, "bad")
        said = theme.words.error(wrong)
        ui.pen.paragraph(said, card.x + 19, card.y + 66, BODY, card.w - 38, "mid", SEMIBOLD, 2)
        if wrong.code in DAMAGED:
            note = self.say("home.salvage_note", under_way=self._salvaging)
            tile = Tile(icon="storage", label=self.say("home.salvage"), note=note)
            self._answer(ui, card, tile, self._salvage)
        elif (event := nearest(self.found.events) if self.found is not None else None) is not None:
            self._answer(ui, card, Tile(icon="trophy", label=self._due(event)), partial(self._open_due, event))
        else:
            self._answer(ui, card, self._new_race(), lambda: self.app.go("new_race"))


def _answer_area(card: Area) -> Area:
    """Return the area of the card's main key."""
    wide, high = ANSWER_SIZE
    return Area(card.x + 12, card.bottom - high - 12, wide, high)


def parts(pen: Pen, pairs: Sequence[tuple[str, str]], x: float, y: float, room: float) -> None:
    """Draw words with their values in one line, shortening the last to fit."""
    right = x + room
    for word, value in pairs:
        if not value or x > right - 40:
            continue
        if word:
            x += pen.text(word, x, y, BODY, "low") + 6
        x += pen.text(value, x, y, BODY, "hi", BOLD, room=right - x, cut=True) + 18
