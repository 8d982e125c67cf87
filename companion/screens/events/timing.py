"""A trial from paper: driver and session, counts, clock; or a correction of one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import BadEntry
from companion.screens.app.visits import OfRecord
from companion.screens.events.new_event import PICK, PickView
from companion.screens.events.record_screen import RecordScreen
from companion.screens.kit.compose import Area, Title, Ui
from companion.screens.kit.foot import MAIN, deed
from companion.screens.kit.key import Face, Look
from companion.screens.kit.rows import Rows
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import VALUE
from companion.screens.kit.writing import Writing
from companion.tournament.record import Act
from companion.tournament.times import MOST, AbsoluteTime, clock_of, clock_text
from companion.tournament.trials import Trials, TrialTyped
from companion.view.events.new_event import EventPick
from companion.view.shown import Field, Undo, ViewModel
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LEFT: Final = 330.0
COUNTS: Final[dict[str, tuple[int, int]]] = {
    "session": (1, 9), "throws": (0, MOST), "no_over": (0, MOST), "factor": (1, 9), "misplaced": (0, 20),
}  # fmt: skip
"""Counts with steppers, with their minimum and maximum."""
REASONS: Final = ("misread", "sheet", "dispute")
"""Reasons for changing a time that was entered; another reason is typed."""


def time_text(time: AbsoluteTime | None) -> str:
    """Return a time in brief: the total, and its clock."""
    return "" if time is None or time.last else f"{time.total}, {clock_text(time.clock)}"


class TimingShown(ViewModel, frozen=True, kw_only=True):
    """The drivers with their times by session, and the number of sessions.

    `stewards`: they count misplaced cars; by the box nobody does.
    """

    subtitle: str
    drivers: tuple[tuple[int, str, tuple[tuple[int, AbsoluteTime], ...]], ...]
    sessions: int
    stewards: bool
    undo: Undo


class TimingScreen(RecordScreen):
    """The trials `given["record"]`; `given["number"]` is the driver."""

    kind = "trials"

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows = Rows(PickView, on_row=self._choose, high=PICK)
        self.steppers = {name: Stepper(on_change=lambda _: self.look_again()) for name in COUNTS}
        self.clock = Writing(on_change=lambda _: self.look_again())
        self.is_last = False
        self.main.on_tap = self._enter

    def look(self, desk: RecordDesk[Any], words: Words) -> TimingShown:
        record: Trials = desk.record
        last = record.signed[-1]
        return TimingShown(
            subtitle=record.name,
            drivers=tuple(
                (number, one.name, tuple(sorted(record.runs[number].items()))) for number, one in record.drivers.items()
            ),
            sessions=record.sessions,
            stewards=record.kind.MISPLACED,
            undo=Undo(label=words.screen("trial.undo.typed"), seq=last.seq)
            if isinstance(last.act, TrialTyped)
            else Undo(),
        )

    def do(self, make: Callable[[Any], Act], then: Callable[[], object] | None = None, by: str = "") -> None:
        signed = by or self.by
        self.app.recording.do(
            lambda desk: desk.desk.act(make(desk.record), by=signed), self._entered, self.show_refusal
        )

    # -- what fingers do

    def _choose(self, place: int) -> None:
        """Select another driver, discarding the values of the previous one."""
        self.given["number"] = self.now.drivers[place][0]
        self._afresh()

    def _afresh(self) -> None:
        for name, (low, _) in COUNTS.items():
            self._step(name, low)
        runs = self._driver[2]
        free = [at for at in range(1, self.now.sessions + 1) if at not in dict(runs)]
        self._step("session", free[0] if free else 1)
        self.clock.line.text, self.is_last = "", False
        self.look_again()

    def _step(self, name: str, value: int) -> None:
        low, high = COUNTS[name]
        high = self.now.sessions if name == "session" else high
        label = self.say(f"timing.{name}")
        self.steppers[name].show(Field(name=name, label=label, value=value, low=low, high=high))
        self.steppers[name].value = value

    def _last(self) -> None:
        self.is_last = not self.is_last
        self.look_again()

    def _entered(self, _: object) -> None:
        self.app.playing.signals.happen("accepted")
        self._afresh()
        self.again()

    def _undo(self, last: int) -> None:
        self.app.recording.do(lambda desk: desk.take_back(1, last), self.again, self.show_refusal)

    @property
    def _driver(self) -> tuple[int, str, tuple[tuple[int, AbsoluteTime], ...]]:
        now: TimingShown = self.now
        drivers = now.drivers
        return next((one for one in drivers if one[0] == self.given.get("number")), drivers[0])

    @property
    def _time(self) -> AbsoluteTime:
        """The time as stepped and written; raises BadEntry for a bad clock."""
        if self.is_last:
            return AbsoluteTime(0, 0, last=True)
        throws, over, factor, placed = (self.steppers[name].value for name in list(COUNTS)[1:])
        time = AbsoluteTime(throws, clock_of(self.clock.value), over, factor, placed)
        time.check()
        return time

    def _enter(self) -> None:
        number, session = self._driver[0], self.steppers["session"].value
        try:
            time = self._time
        except BadEntry as wrong:
            self.show_refusal(wrong)
            return

        def enter(why: str) -> None:
            self.do(lambda _: TrialTyped(driver=number, session=session, time=time, why=why))

        if session in dict(self._driver[2]):
            self.asking.why(self.say("timing.ask_why"), "table.why", REASONS, then=enter)
        else:
            enter("")

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        now: TimingShown = self.now
        if self.steppers["session"].shown is None:
            self._afresh()
        self.bar.show(Title(text=self.say("timing.title"), note=now.subtitle))
        self._foot(ui, ui.foot())
        ui.place(ui.area.cut_left(LEFT), self.rows).show([
            EventPick(answer=number, label=f"{number} {name}", chosen=number == self._driver[0],
                      note=", ".join(self.say("timing.run", session=at, time=time_text(time)) for at, time in runs))
            for number, name, runs in now.drivers
        ])  # fmt: skip
        ui.pen.fill(ui.area.x, ui.area.y, 1, ui.area.h, "line")
        form = ui.area.inset(12, 6)
        self.clock.show(Field(name="clock", label=self.say("timing.clock"), kind="text", high=12))
        counted = [stepper for name, stepper in self.steppers.items() if now.stewards or name != "misplaced"]
        fields = (*counted, self.clock)
        for cell, field in zip(form.cut_top(3 * 86).cells(len(fields), 2, 78), fields, strict=True):
            ui.place(cell, field)
        last = Face(
            label=self.say("trial.missed" if now.stewards else "trial.missed_box"), look="option", chosen=self.is_last
        )
        ui.button(form.cut_top(58), "last", last, self._last)

    def _foot(self, ui: Ui, foot: Area) -> None:
        foot.cut_left(8)
        undo: Undo = self.now.undo
        look: Look = "quiet" if undo.label else "barred"
        self.undo.show(Face(look=look, icon="undo", label=self.say("timing.undo"), note=undo.label))
        self.undo.on_tap = partial(self._undo, undo.seq) if undo.label else None
        ui.place(foot.cut_left(92), self.undo)
        try:
            time = self._time
        except BadEntry:
            face = Face(label=self.say("table.enter"), look="barred", size=VALUE, note=self.say("timing.clock_first"))
        else:
            label = self.say("trial.key_enter_last") if time.last else self.say("trial.key_enter", sum=time.total)
            face = deed(label, self.say("table.paper"))
        ui.place(foot.cut_right(MAIN + 8).cut_right(MAIN), self.main).show(face)
        number, name, runs = self._driver
        session = self.steppers["session"].value
        there = dict(runs).get(session)
        note = self.say("timing.there" if there is not None else "timing.fresh", car=f"{number} {name}",
                        session=session, time=time_text(there))  # fmt: skip
        foot.cut_left(16)
        ui.ask(foot, self.say("table.ask_paper"), note)
