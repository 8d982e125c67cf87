"""A new tournament or season: a line for each setting, its values, and the start key."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock

from companion import circuit_index, house_rules
from companion.desk.organising import begin_season, begin_tournament
from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfNewEvent, Visit
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.finder import Finder
from companion.screens.kit.foot import MAIN, deed
from companion.screens.kit.key import Face
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, theme
from companion.screens.kit.writing import Writing
from companion.tournament import season
from companion.view.events.new_event import (
    ADD,
    Begun,
    EventLine,
    EventPick,
    NewEventShown,
    changed,
    is_found,
    new_event,
    race_of,
    usual,
    with_race,
)

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LEFT: Final = 404.0
LINE: Final = 52.0
PICK: Final = 56.0
STEPPER: Final = 296.0
NEW: Final = "new"
"""Key of the record that is being created."""
VALUES_AT: Final = 140.0
"""Left edge of the values of the lines, in dp."""


class EventLineView(RowView):
    """Row of an `EventLine`."""

    def draw(self, pen: Pen, shown: EventLine) -> None:
        if shown.chosen:
            self.choose(pen)
        right = pen.w - 30
        if not shown.value:
            pen.icon("plus", 32, pen.h / 2, 20, "mid")
            pen.text(shown.label, 52, pen.h / 2, NAME, "hi", SEMIBOLD, room=right - 52)
            return
        pen.text(shown.label, 20, pen.h / 2, SMALL, "mid", SEMIBOLD, room=VALUES_AT - 26)
        pen.text(shown.value, VALUES_AT, pen.h / 2, NAME, "hi", SEMIBOLD, room=right - VALUES_AT, cut=True)
        pen.icon("forward", pen.w - 16, pen.h / 2, 16, "low")


class PickView(RowView):
    """Row of an `EventPick`."""

    def draw(self, pen: Pen, shown: EventPick) -> None:
        right = pen.w - 14
        if shown.chosen:
            self.choose(pen)
            pen.icon("check", right - 10, pen.h / 2, 22, "hi")
            right -= 30
        lift = 11 if shown.note else 0
        pen.text(shown.label, 16, pen.h / 2 - lift, NAME, "hi", SEMIBOLD, room=right - 16, cut=True)
        pen.text(shown.note, 16, pen.h / 2 + 13, CAPTION, "mid", SEMIBOLD, room=right - 16, cut=True)


class NewEventScreen(Composed, Screen):
    """A new event of the kind `given["kind"]`.

    The draft is stored in `begun`, the open line in `line`.
    """

    given: OfNewEvent

    def __init__(self, app: CompanionApp, given: OfNewEvent) -> None:
        super().__init__(app, given)
        self.house = house_rules.saved(app.folder)
        """Saved house rules."""
        self.lines = Rows(EventLineView, on_row=self._open, high=LINE)
        self.finder = Finder(PickView, self._pick, is_found, PICK)
        self.picks = self.finder.rows
        circuit_index.check(lambda: Clock.schedule_once(self.look_again))
        self.writing, self.stepper = Writing(on_change=self._wrote), Stepper(on_change=self._answer)
        self._seen = self._line
        """Line whose answers are shown; another finger may have opened the next one meanwhile."""

    @property
    def begun(self) -> Begun:
        """The draft."""
        if "begun" not in self.given:
            self.given["begun"] = usual(self.given.get("kind", "tournament"), theme.words, time.strftime("%Y-%m-%d"))
        return self.given["begun"]

    # -- what fingers do

    def _change(self, begun: Begun) -> None:
        self.given["begun"] = begun
        self.look_again()

    def _open(self, place: int) -> None:
        name, begun = self.lines.shown[place].name, self.begun
        if name == ADD and isinstance(begun, season.SeasonBegun):
            self._change(with_race(begun, theme.words))
            name = f"race {len(begun.calendar) + 1}"
        self.given["line"] = name
        self.picks.scroll_y = 1
        self.look_again()

    def _pick(self, pick: EventPick) -> None:
        circuit = self._seen == "track" or race_of(self._seen) is not None
        refused = circuit_index.read(str(pick.answer)).refusal if circuit else None
        if refused is None:
            self._answer(pick.answer)
        else:
            self._refused(refused)
            self.look_again()  # it is not offered any more

    def _answer(self, value: Any) -> None:
        """Set the visible line's value, or remove the line."""
        self._change(changed(self.begun, self._seen, value, theme.words, self.house))

    def _wrote(self, text: str) -> None:
        field = self.writing.shown
        said = " ".join(text.split())
        if field is not None and said != field.value:
            answer: Any = said if race_of(field.name) is None else ("date", said)
            self._change(changed(self.begun, field.name, answer, theme.words))

    def _remove(self) -> None:
        self.given["line"] = "race 1"
        self._answer(None)

    @property
    def _line(self) -> str:
        return self.given.get("line", "name")

    def _begin(self) -> None:
        begun, folder = self.begun, self.app.folder

        def make() -> RecordDesk[Any]:
            if isinstance(begun, season.SeasonBegun):
                return begin_season(folder, begun, by=self.app.recording.by)
            return begin_tournament(folder, begun, by=self.app.recording.by)

        recording = self.app.recording
        if recording.key != NEW:  # a second tap begins no second one
            recording.open(NEW, make, lambda: recording.do(lambda desk: desk.log_id, self._on_begin), self._refused)

    def _on_begin(self, record: str) -> None:
        if self.app.recording.key == NEW:
            self.app.recording.close()
        if self.app.screen is not self:
            return
        self.app.playing.signals.happen("accepted")
        kind = self.given.get("kind", "tournament")
        self.app.show([self.app.visits[0], Visit("entrants", {"record": record, "kind": kind})])

    def _refused(self, wrong: CompanionError) -> None:
        self.app.playing.signals.happen("refused")
        self.app.tell(wrong)

    def press(self, name: str) -> bool:
        if name != "confirm":
            return super().press(name)
        self._begin()
        return True

    @property
    def toast_at(self) -> tuple[float, float]:
        return 20, self.h - 72

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        self._seen = self._line
        now = new_event(self.begun, theme.words, self._line, self.house)
        ui.title(now.title, self.app.back)
        foot = ui.foot()
        ui.button(
            foot.cut_right(MAIN + 12).cut_right(MAIN),
            "main",
            deed(self.say("new_event.begin"), now.legend),
            self._begin,
        )
        ui.ask(foot.inset(8), now.question, now.about)
        lines = ui.area.cut_left(LEFT)
        ui.fill(lines.cut_right(1), "line")
        ui.place(lines, self.lines).show(now.lines)
        self._compose_values(ui, ui.area, now)

    def _compose_values(self, ui: Ui, area: Area, now: NewEventShown) -> None:
        """Compose the values of the open line: a text, a number, or a list below either."""
        head = Area(area.x, area.y, area.w, 100).inset(12, 12)
        if now.can_remove:
            face = Face(icon="trash", label=self.say("new_event.remove"), look="option")
            ui.button(head.cut_right(104), "remove", face, self._remove)
            head.cut_right(8)
        if now.writing is not None:
            area.cut_top(100)
            if self.writing.shown is None or self.writing.shown.name != now.writing.name:
                self.writing.show(now.writing)
            ui.place(head, self.writing)
        if now.stepper is not None:
            ui.place(head.cut_left(STEPPER), self.stepper).show(now.stepper)
        if now.note:
            ui.pen.paragraph(now.note, area.x + 14, head.bottom + 28, BODY, area.w - 30, "mid", SEMIBOLD, 3)
        if now.picks:
            ui.place(area, self.finder).show(now.picks)
            self.finder.follow(lambda pick: bool(pick.chosen))
