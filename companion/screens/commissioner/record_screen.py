"""What every screen of a tournament or a season is: it looks at the record that is open, and acts on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from companion.desk.organising import OrganisedDesk, begun_races, deal, race_setup
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.hall.receiving import collected
from companion.rules.conversation.errors import BadEntry, CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.asking import Asking
from companion.screens.widgets.compose import Area, Composed, Ui
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.foot import BAND, KEYS, MAIN
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.menu import WIDE as MENU
from companion.screens.widgets.menu import Entry, Menu, MenuKey
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.theme import theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title, TitleBar
from companion.sheets.records import kinds
from companion.tournament.record import Act
from companion.view.commissioner.acts import TakeBack
from companion.view.shown import Toast
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

KEEP: Final = ("late", "agreed")
"""Why the tables of a round stay though something has changed; another reason is typed."""
Kind = Literal["tournament", "season", "trials"]
Offer = tuple[str, str, Callable[[], object]]
"""A key of the menu: its name, its pictogram, and what it does."""


class RecordScreen(Composed, Screen):
    """Shows a record of `kind`, by its id in `given["record"]` (else the last one). A subclass says in `look` what is
    to be shown, and in `compose_record` where everything is; `now` is what was seen last, `main` the key
    that the button beside the screen confirms with."""

    kind: Kind = "season"
    given: OfRecord

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.now: Any = None
        self.wrong: CompanionError | None = None
        self.bar = TitleBar(app.back)
        self.empty = Empty(on_act=self._new)
        self.undo, self.main = Key(on_hold=self._history), Key()
        self.menu_key = MenuKey(on_tap=self._open_menu)
        self.menu = Menu(self._choose_offer, self.close_menu)
        self.menu_open = False
        self._collected = False
        self.asking = Asking(self.look_again)
        app.recording.open(f"{self.record_kind} {self.record}", self._opened, self.again, self._refused)

    def _opened(self) -> Any:
        """The desk of the record."""
        if self.record_kind == "trials":
            return TrialDesk.resume(self.app.folder, self.record)
        return RecordDesk.resume(self.app.folder, kinds()[self.record_kind], self.record)

    @property
    def record_kind(self) -> Kind:
        """The kind of record: a tournament or a season."""
        return self.given.get("kind", self.kind)

    @property
    def record(self) -> str:
        """The record's id, or "last"."""
        return self.given.get("record", "last")

    def look(self, desk: RecordDesk[Any], words: Words) -> Any:
        """What is to be shown, looked at in the desk's thread."""
        raise NotImplementedError

    def collect(self, desk: OrganisedDesk) -> tuple[list[str], list[CompanionError]]:
        """Takes in, once, what was raced meanwhile here and at the tables of the hall: which races, what is wrong."""
        if self._collected:
            return [], []
        self._collected = True
        found = collected(desk)
        return found.results, found.wrong

    def minute(self) -> None:
        """What was raced meanwhile is taken in as well while a screen is open that takes it in."""
        if self._collected:
            self._collected = False
            self.again()

    def place(self) -> list[Any]:
        """Puts everything in its place; what is seen."""
        return []

    # -- looking and acting

    def again(self, *_: object) -> None:
        """Looks anew."""
        words = theme.words
        self.app.recording.do(lambda desk: self.look(desk, words), self._seen, self._refused)

    def _seen(self, found: Any) -> None:
        if self.app.screen is self:
            self.now, self.wrong = found, None
            self.look_again()

    def _refused(self, wrong: CompanionError) -> None:
        if self.app.screen is self:
            self.wrong = wrong
            if self.now is not None:
                self.app.tell(wrong)  # what was seen last stays, and is told to be no more
            self.look_again()

    @property
    def by(self) -> str:
        """Who signs what is done here."""
        return self.app.recording.by

    def do(self, make: Callable[[Any], Act], then: Callable[[], object] | None = None, by: str = "") -> None:
        """Has an act done, signed `by` somebody else than who signs here; what is refused is told, and nothing has
        changed then."""
        signed = by or self.by

        def done(_: object) -> None:
            self.app.playing.signals.happen("accepted")
            if then is not None:
                self.if_here(then)()
            self.again()

        self.app.recording.do(lambda desk: desk.act(make(desk.record), by=signed), done, self.told)

    def told(self, wrong: CompanionError) -> None:
        """Tells what was refused."""
        self.app.playing.signals.happen("refused")
        self.app.tell(wrong)
        self.again()

    def _undo(self, last: int) -> None:
        by = self.by
        self.app.recording.do(lambda desk: desk.take_back(1, last, by=by), self.again, self.told)

    def _history(self) -> None:
        self.app.go("acts", record=self.record, kind=self.record_kind)

    def correct(self, race: str) -> None:
        """Goes to where what is settled is put right, with a reason: a result, or the tables."""
        if race:
            self.app.go("table_result", record=self.record, kind=self.record_kind, table=race, correct=True)
        elif self.app.visits[-1].name != "seeding":
            self.app.go("seeding", record=self.record)

    def start(self, key: str, why: str = "") -> None:
        """Begins the race of a table or of the season here; one that was begun goes on. Where the seats of the round
        are no longer true it is asked whether they are dealt anew, or `why` they stay."""
        by = self.by

        def begin(desk: OrganisedDesk) -> str | dict[str, Any]:
            return dict(begun_races(desk)).get(key) or race_setup(desk, key, by=by, why=why)

        def refused(wrong: CompanionError) -> None:
            if wrong.kind == "seeds_changed":
                self.ask_to_keep(theme.words.error(wrong), lambda why: self.start(key, why))
            else:
                self.told(wrong)

        self.app.recording.do(begin, self.if_here(self._race), self.if_here(refused))

    def _race(self, found: str | dict[str, Any]) -> None:
        if isinstance(found, str):
            self.app.playing.resume(found)
        else:
            self.app.playing.begin(found, str(found["track"]))

    def ask_to_keep(self, objection: str, keep: Callable[[str], object]) -> None:
        """Asks whether the tables of the round are dealt anew, or why they stay: then `keep(why)`."""
        self.asking.why(self.say("seeding.ask_keep"), "seeding.keep_reason", KEEP, keep, objection,
                        ("anew", partial(self._deal_anew, objection)))  # fmt: skip

    def _deal_anew(self, why: str) -> None:
        """The last round is dealt anew, and shown."""
        by = self.by
        self.app.recording.do(lambda desk: deal(desk, desk.record.seeding_again(why=why), by=by),
                              self.if_here(lambda _: self._dealt()), self.told)  # fmt: skip

    def _dealt(self) -> None:
        if self.app.visits[-1].name == "seeding":
            self.again()
        else:
            self.app.go("seeding", record=self.record)

    # -- the menu

    def offers(self) -> Sequence[Offer]:
        """What its menu has before the history and a new record."""
        return ()

    @property
    def _all_offers(self) -> Sequence[Offer]:
        both: tuple[Offer, ...] = (("history", "history", self._history), ("sign", "edit", self._sign))
        if self.record_kind == "trials":  # they have no tables, and begin where there are drivers
            return (*self.offers(), *both)
        new = f"new_{self.record_kind}"
        return (*self.offers(), ("take", "export", self._take_along), *both, (new, "plus", self._new))

    @property
    def table_here(self) -> str:
        """The table that is taken along from here: what it is, and of what."""
        return "standings"

    def _take_along(self) -> None:
        self.app.go("taking", record=self.record, kind=self.record_kind, table=self.table_here)

    def _sign(self) -> None:
        """Whoever organises says who he is: what is done from now on is signed so."""
        self.asking.word(
            self.say("asking.who"), self.say("asking.name"), self._signed, self.app.recording.signing.usual
        )

    def _signed(self, name: str) -> None:
        signing = self.app.recording.signing
        signing.sign(name)
        if signing.name:
            self.app.tell(Toast(text=self.say("asking.signed", name=signing.name), tone="ok", icon="check"))

    def _new(self) -> None:
        if self.record_kind == "trials":
            self.app.go("new_race")
        else:
            self.app.go("new_event", kind=self.record_kind)

    def _open_menu(self) -> None:
        self.menu_open = True
        self.look_again()

    def close_menu(self) -> bool:
        """Closes the menu; False if it was not open."""
        was, self.menu_open = self.menu_open, False
        self.look_again()
        return was

    def _choose_offer(self, name: str) -> None:
        self.close_menu()
        next(act for one, _, act in self._all_offers if one == name)()

    def back(self) -> bool:
        """Closes what lies over the screen; False if nothing does."""
        if was := self.asking.close():
            self.look_again()
        return self.close_menu() or was

    @property
    def filled(self) -> bool:
        return self.now is not None or self.wrong is not None

    def press(self, name: str) -> None:
        if name == "undo" and self.undo.ready and self.undo.on_tap is not None:
            self.undo.on_tap()
        elif name == "confirm" and self.main.ready and self.main.on_tap is not None:
            self.main.on_tap()
        else:
            super().press(name)

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        self.bar.keep = MENU
        if self.now is None:
            self.bar.show(Title(text=self.say(f"season.kind.{self.record_kind}")))
        bar = ui.area.cut_top(BAR)
        ui.place(bar, self.bar)
        if self.now is not None:
            self.compose_record(ui)
            ui.place(bar.cut_right(MENU), self.menu_key)
        elif self.wrong is not None:
            wrong = self.wrong
            none = wrong.kind == "no_record"
            unread = "not_there" if isinstance(wrong, BadEntry) else "unreadable"
            title = self.say(f"season.none_{self.record_kind}" if none else f"season.{unread}")
            note = self.say(f"season.none_{self.record_kind}_note") if none else theme.words.error(wrong)
            tone: Any = "plain" if none else "bad"
            act = self.say(f"season.begin_{self.record_kind}") if none else ""
            self.empty.show(Nothing(icon="trophy" if none else "triangle", title=title, note=note, tone=tone, act=act))
            ui.place(ui.area.inset(60, 40), self.empty)
        self._compose_menu(ui)

    def compose_record(self, ui: Ui) -> None:
        """Say what is shown of the record, beneath the bar; here what `place` and `draw` say."""
        ui.placed += self.place()
        self.draw(ui.pen)

    def _compose_menu(self, ui: Ui) -> None:
        """The menu, or what is asked, on top of all, which is not touched beneath it."""
        asked = self.asking.shown is not None
        if self.menu_open:
            entries = ((name, self.say(f"season.menu.{name}"), icon) for name, icon, _ in self._all_offers)
            self.menu.show(tuple(Entry(name=name, label=label, icon=icon) for name, label, icon in entries))
            ui.place(Area(0, 0, ui.pen.w, ui.pen.h), self.menu)
        if asked:
            ui.place(Area(0, ui.pen.h - self.asking.high, ui.pen.w, self.asking.high), self.asking)
        for child in ui.placed:
            child.disabled = (self.menu_open and child is not self.menu) or (
                asked and child not in (self.asking, self.bar)
            )

    def put_undo(self, undo: TakeBack) -> Key:
        """The key that takes back, in its corner; what is settled is corrected. Held it shows the history."""
        can = bool(undo.label)
        label = self.say("season.correct") if undo.settled else theme.say("undo")
        icon = "edit" if undo.settled else "undo"
        self.undo.show(Face(look="quiet" if can else "barred", icon=icon, label=label, note=undo.label))
        undone = partial(self._undo, undo.seq) if can else None
        self.undo.on_tap = partial(self.correct, undo.race) if undo.settled else undone
        self.put(self.undo, 20, self.h - BAND + 8, 92, KEYS)
        return self.undo

    def put_main(self, face: Face, wide: float = MAIN) -> Key:
        """The key that acts, in the other corner."""
        self.main.show(face)
        self.put(self.main, self.w - 12 - wide, self.h - BAND + 8, wide, KEYS)
        return self.main

    def draw(self, pen: Pen) -> None:
        """Draws what lies beneath the keys."""
