"""The base class of a tournament's or season's screens: views of and acts on a record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from companion.desk.begun import BegunRace
from companion.desk.organising import OrganisedDesk, begun_race, race_setup
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.hall.receiving import collected
from companion.rules.conversation.errors import BadEntry, CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfRecord
from companion.screens.kit.compose import TITLE_BAR as BAR
from companion.screens.kit.compose import Area, Composed, Title, TitleBar, Ui
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.foot import BAND, KEYS
from companion.screens.kit.key import Face, Key, Look
from companion.screens.kit.menu import WIDE as MENU
from companion.screens.kit.menu import Menu, MenuKey
from companion.screens.kit.theme import SMALL, theme
from companion.screens.kit.writing import Writing
from companion.sheets.records import kinds
from companion.sheets.stored_race import restore
from companion.tournament.record import Act
from companion.view.events.acts import TakeBack
from companion.view.shown import Field, MenuEntry, Toast, ViewModel
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

KEEP: Final = ("late", "agreed")
"""Reasons for leaving the tables of a round as they are after a change; another reason is typed."""
LINE_HEIGHT: Final = 92.0
"""Height that a typed reason needs above the foot, in dp."""
TOLD_HEIGHT: Final = 56.0
"""Height that a text to read first needs, in dp."""
REASON_PITCH: Final = 112.0
"""Width of the key of a reason with its gap, in dp."""
OTHER: Final = "other"
"""Reason that is typed."""
Kind = Literal["tournament", "season", "trials"]
Offer = tuple[str, str, Callable[[], object]]
"""Key of the menu: name, pictogram, action."""


class PanelQuestion(ViewModel, frozen=True, kw_only=True):
    """A question.

    `reasons` are the offered ones, by their keys in the table `of`, none for a text. `instead` is a key before them
    for another action; `told` is a text to read first.
    """

    title: str
    note: str = ""
    of: str = ""
    reasons: tuple[str, ...] = ()
    instead: str = ""
    told: str = ""
    line: Field | None = None
    """Field of the typed text, once it is typed."""


class QuestionPanel(Composed):
    """The question at the foot of a screen; `again()` composes the screen."""

    def __init__(self, again: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.again = again
        self.line = Writing(on_done=self._on_text, capitals="first")
        self._then: Callable[[str], object] = lambda _: None
        self._instead: Callable[[], object] = lambda: None

    @property
    def high(self) -> float:
        """Its height with the foot of the screen, in dp."""
        asked: PanelQuestion | None = self.shown
        if asked is None:
            return BAND
        return BAND + (LINE_HEIGHT if asked.line is not None else 0.0) + (TOLD_HEIGHT if asked.told else 0.0)

    def why(
        self,
        title: str,
        of: str,
        reasons: Sequence[str],
        then: Callable[[str], object],
        told: str = "",
        instead: tuple[str, Callable[[], object]] = ("", lambda: None),
    ) -> None:
        """Ask for a reason; call `then(reason)`, or `instead`, labelled from the same table."""
        self._then, (other, self._instead) = then, instead
        note = theme.words.screen("asking.why")
        self.show(PanelQuestion(title=title, note=note, of=of, reasons=(*reasons, OTHER), instead=other, told=told))
        self.again()

    def word(
        self,
        title: str,
        label: str,
        then: Callable[[str], object],
        value: str = "",
        most: int = 30,
        *,
        needed: bool = True,
    ) -> None:
        """Ask for a text; call `then(text)`, which is empty only where none is `needed`."""
        self._then = then
        asked = PanelQuestion(title=title, note=theme.words.screen("asking.word"))
        self._write(asked, label, value, most, needed=needed)

    def close(self) -> bool:
        """Close the question; return False if there was none."""
        was, self.shown = self.shown is not None, None
        self.line.line.focus = False
        return was

    def _write(self, asked: PanelQuestion, label: str, value: str, most: int, *, needed: bool = True) -> None:
        self.line.needed = needed
        line = Field(name=f"{asked.title} {label}", label=label, kind="text", value=value, high=most)
        self.show(msgspec.structs.replace(asked, line=line))
        self.line.show(line)
        self.line.line.text = value
        self.again()
        self.draw_now()
        self.line.line.focus = True

    def _choose_reason(self, why: str) -> None:
        """Answer with a reason by its key, or have it typed."""
        if self.shown is None:
            return  # another finger has answered already
        if why == self.shown.instead:
            instead = self._instead
            self.close()
            instead()
        elif why == OTHER:
            self._write(self.shown, theme.words.screen("entrants.reason_line"), "", 60)
        else:
            self._answer(theme.words.screen(f"{self.shown.of}.{why}"))

    def _on_text(self, text: str) -> None:
        if self.shown is not None:
            self._answer(" ".join(text.split()))

    def _answer(self, text: str) -> None:
        """Close the question, then act on its answer."""
        then = self._then
        self.close()
        self.again()
        then(text)

    def compose(self, ui: Ui) -> None:
        asked: PanelQuestion | None = self.shown
        if asked is None:
            return
        ui.pen.band()
        foot, offered = ui.area.cut_bottom(BAND), self._offered(asked)
        keys = len(offered) * REASON_PITCH
        ui.ask(Area(20, foot.y, foot.w - 40 - keys, foot.h), asked.title, asked.note)
        cells = Area(foot.right - 4 - keys, foot.y + 8, keys - 8, KEYS).columns(len(offered))
        for cell, why in zip(cells, offered, strict=True):
            look: Look = "option" if why in (OTHER, asked.instead) else "answer"
            face = Face(label=theme.words.screen(f"{asked.of}.{why}"), look=look)
            ui.button(cell, why, face, partial(self._choose_reason, why))
        if asked.line is not None:
            ui.place(ui.area.cut_bottom(LINE_HEIGHT).inset(20, 8), self.line)
        if asked.told:
            ui.pen.paragraph(asked.told, 20, 20, SMALL, ui.pen.w - 40)

    @staticmethod
    def _offered(asked: PanelQuestion) -> tuple[str, ...]:
        """Return the keys from left to right."""
        return (asked.instead, *asked.reasons) if asked.instead else asked.reasons


class RecordScreen(Composed, Screen):
    """A screen of a record of `kind`, by its id in `given["record"]` (else the last one).

    Subclasses return the content from `look` and lay it out in `compose_record`; `now` is the last content, `main`
    the key that the hardware button confirms with.
    """

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
        self.menu = Menu(self._choose_offer, on_close=self.close_menu)
        self.menu_open = False
        self._collected = False
        self.asking = QuestionPanel(again=self.look_again)
        app.recording.open(f"{self.record_kind} {self.record}", self._open_desk, self.again, self._refused)

    def _open_desk(self) -> Any:
        """Open the desk of the record."""
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
        """Return the content of the screen; called in the desk's thread."""
        raise NotImplementedError

    def collect(self, desk: OrganisedDesk) -> tuple[list[str], list[CompanionError]]:
        """Collect, once, what was raced meanwhile here and at the hall's tables.

        Returns the races and the problems.
        """
        if self._collected:
            return [], []
        self._collected = True
        found = collected(desk)
        return found.results, found.wrong

    def minute(self) -> None:
        """Collect again each minute, on a screen that collects."""
        if self._collected:
            self._collected = False
            self.again()

    # -- looking and acting

    def again(self, *_: object) -> None:
        """Read the content again."""
        words = theme.words
        self.app.recording.do(lambda desk: self.look(desk, words), self._on_read, self._refused)

    def _on_read(self, found: Any) -> None:
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
        """The signature of acts done here."""
        return self.app.recording.by

    def do(self, make: Callable[[Any], Act], then: Callable[[], object] | None = None, by: str = "") -> None:
        """Do an act, signed `by` another name if given; a refusal is only shown."""
        signed = by or self.by

        def done(_: object) -> None:
            self.app.playing.signals.happen("accepted")
            if then is not None:
                self.if_here(then)()
            self.again()

        self.app.recording.do(lambda desk: desk.act(make(desk.record), by=signed), done, self.show_refusal)

    def show_refusal(self, wrong: CompanionError) -> None:
        """Show a refusal."""
        self.app.playing.signals.happen("refused")
        self.app.tell(wrong)
        self.again()

    def _undo(self, last: int) -> None:
        by = self.by
        self.app.recording.do(lambda desk: desk.take_back(1, last, by=by), self.again, self.show_refusal)

    def _history(self) -> None:
        self.app.go("acts", record=self.record, kind=self.record_kind)

    def correct(self, race: str) -> None:
        """Open the correction, with a reason, of a settled result or of the tables."""
        if race:
            self.app.go("table_result", record=self.record, kind=self.record_kind, table=race, correct=True)
        elif self.app.visits[-1].name != "seeding":
            self.app.go("seeding", record=self.record)

    def start(self, key: str, why: str = "") -> None:
        """Start or resume the race of a table or of the season here; ask whether to restore a deleted one.

        If the round's seats are out of date, the organiser is asked whether to deal again, or `why` they stay.
        """
        by = self.by

        def begin(desk: OrganisedDesk) -> BegunRace | dict[str, Any]:
            return begun_race(desk, key) or race_setup(desk, key, by=by, why=why)

        def refused(wrong: CompanionError) -> None:
            if wrong.code == "seeds_changed":
                self.ask_to_keep(theme.words.error(wrong), lambda why: self.start(key, why))
            else:
                self.show_refusal(wrong)

        self.app.recording.do(begin, self.if_here(self._race), self.if_here(refused))

    def _race(self, found: BegunRace | dict[str, Any]) -> None:
        if not isinstance(found, BegunRace):
            self.app.playing.begin(found, str(found["track"]))
        elif not found.deleted:
            self.app.playing.resume(found.log_id)
        else:
            title = self.say("table.restore_ask", table=found.key, season=self.record_kind == "season")
            question = Confirmation(title=title, note=self.say("table.restore_note"), act=self.say("sheet.restore"))
            self.app.ask(question, partial(self._restore, found.log_id))

    def _restore(self, race: str) -> None:
        """Restore a deleted race and resume it, in a thread since all of it has to be read."""
        by = self.by
        self.in_thread(lambda: restore(self.app.folder, race, by=by), lambda: self.app.playing.resume(race))

    def ask_to_keep(self, objection: str, keep: Callable[[str], object]) -> None:
        """Ask whether to deal the round again, or why it stays; then call `keep(why)`."""
        self.asking.why(self.say("seeding.ask_keep"), "seeding.keep_reason", KEEP, then=keep, told=objection,
                        instead=("anew", partial(self._deal_anew, objection)))  # fmt: skip

    def _deal_anew(self, why: str) -> None:
        """Deal the last round again, and show it."""
        by = self.by
        self.app.recording.do(lambda desk: desk.act(desk.record.seeding_again(why=why), by=by),
                              self.if_here(lambda _: self._dealt()), self.show_refusal)  # fmt: skip

    def _dealt(self) -> None:
        if self.app.visits[-1].name == "seeding":
            self.again()
        else:
            self.app.go("seeding", record=self.record)

    # -- the menu

    def offers(self) -> Sequence[Offer]:
        """Return the menu entries before the history and a new record."""
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
        """The table to export from here: its kind, and its subject."""
        return "standings"

    def _take_along(self) -> None:
        self.app.go("taking", record=self.record, kind=self.record_kind, table=self.table_here)

    def _sign(self) -> None:
        """Ask the organiser for a name, which signs acts from now on."""
        usual = self.app.recording.signing.usual
        self.asking.word(self.say("asking.who"), self.say("asking.name"), then=self._signed, value=usual)

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
        """Close the menu; return False if it was not open."""
        was, self.menu_open = self.menu_open, False
        self.look_again()
        return was

    def _choose_offer(self, name: str) -> None:
        self.close_menu()
        next(act for one, _, act in self._all_offers if one == name)()

    def back(self) -> bool:
        """Close what is over the screen; return False if nothing is."""
        if was := self.asking.close():
            self.look_again()
        return self.close_menu() or was

    @property
    def is_loaded(self) -> bool:
        return self.now is not None or self.wrong is not None

    def press(self, name: str) -> bool:
        if name == "undo" and self.undo.ready and self.undo.on_tap is not None:
            self.undo.on_tap()
        elif name == "confirm" and self.main.ready and self.main.on_tap is not None:
            self.main.on_tap()
        else:
            return super().press(name)
        return True

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
            none = wrong.code == "no_record"
            unread = "not_there" if isinstance(wrong, BadEntry) else "unreadable"
            title = self.say(f"season.none_{self.record_kind}" if none else f"season.{unread}")
            note = self.say(f"season.none_{self.record_kind}_note") if none else theme.words.error(wrong)
            tone: Any = "plain" if none else "bad"
            act = self.say(f"season.begin_{self.record_kind}") if none else ""
            self.empty.show(
                EmptyState(icon="trophy" if none else "triangle", title=title, note=note, tone=tone, act=act)
            )
            ui.place(ui.area.inset(60, 40), self.empty)
        self._compose_menu(ui)

    def compose_record(self, ui: Ui) -> None:
        """Compose the record below the bar."""
        raise NotImplementedError

    def _compose_menu(self, ui: Ui) -> None:
        """Compose the menu or the question on top, disabling everything below."""
        asked = self.asking.shown is not None
        if self.menu_open:
            entries = ((name, self.say(f"season.menu.{name}"), icon) for name, icon, _ in self._all_offers)
            self.menu.show(tuple(MenuEntry(name=name, label=label, icon=icon) for name, label, icon in entries))
            ui.place(Area(0, 0, ui.pen.w, ui.pen.h), self.menu)
        if asked:
            ui.place(Area(0, ui.pen.h - self.asking.high, ui.pen.w, self.asking.high), self.asking)
        for child in ui.placed:
            child.disabled = (self.menu_open and child is not self.menu) or (
                asked and child not in (self.asking, self.bar)
            )

    def compose_foot(self, ui: Ui, undo: TakeBack) -> Area:
        """Compose the foot with the Undo key at its left; return the space beside that.

        The key is Correct for something settled; held, it shows the history.
        """
        foot = ui.foot()
        foot.cut_left(8)
        label, icon = (self.say("season.correct"), "edit") if undo.settled else (theme.say("undo"), "undo")
        look: Look = "quiet" if undo.label else "barred"
        ui.place(foot.cut_left(92), self.undo).show(Face(look=look, icon=icon, label=label, note=undo.label))
        undone = partial(self._undo, undo.seq) if undo.label else None
        self.undo.on_tap = partial(self.correct, undo.race) if undo.settled else undone
        foot.cut_left(16)
        return foot

    def compose_main(
        self,
        ui: Ui,
        area: Area,
        face: Face,
        on_tap: Callable[[], object] | None = None,
        on_hold: Callable[[], object] | None = None,
    ) -> None:
        """Compose the main key, which the hardware button confirms with."""
        self.main.on_tap, self.main.on_hold = on_tap, on_hold
        ui.place(area, self.main).show(face)
