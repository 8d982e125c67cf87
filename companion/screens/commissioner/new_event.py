"""A new tournament or season: a line for each thing it begins with, what that can be, and the key that begins."""

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
from companion.screens.widgets.finder import Finder
from companion.screens.widgets.foot import BAND, KEYS, MAIN, ask, deed, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title, TitleBar
from companion.screens.widgets.writing import Writing
from companion.tournament import season
from companion.view.commissioner.new_event import (
    ADD,
    Begun,
    EventLine,
    EventPick,
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
NEW: Final = "new"
"""The key of a record that is being begun."""
LABEL: Final = 140.0
"""Where the values of the lines begin."""


class LineView(RowView):
    """Draws an `EventLine`."""

    def draw(self, pen: Pen, shown: EventLine) -> None:
        if shown.chosen:
            self.choose(pen)
        right = pen.w - 30
        if not shown.value:
            pen.icon("plus", 32, pen.h / 2, 20, "mid")
            pen.text(shown.label, 52, pen.h / 2, NAME, "hi", SEMIBOLD, room=right - 52)
            return
        pen.text(shown.label, 20, pen.h / 2, SMALL, "mid", SEMIBOLD, room=LABEL - 26)
        pen.text(shown.value, LABEL, pen.h / 2, NAME, "hi", SEMIBOLD, room=right - LABEL, cut=True)
        pen.icon("forward", pen.w - 16, pen.h / 2, 16, "low")


class PickView(RowView):
    """Draws an `EventPick`."""

    def draw(self, pen: Pen, shown: EventPick) -> None:
        right = pen.w - 14
        if shown.chosen:
            self.choose(pen)
            pen.icon("check", right - 10, pen.h / 2, 22, "hi")
            right -= 30
        lift = 11 if shown.note else 0
        pen.text(shown.label, 16, pen.h / 2 - lift, NAME, "hi", SEMIBOLD, room=right - 16, cut=True)
        pen.text(shown.note, 16, pen.h / 2 + 13, CAPTION, "mid", SEMIBOLD, room=right - 16, cut=True)


class NewEventScreen(Screen):
    """Of the kind `given["kind"]`; what was chosen so far is remembered in `begun`, the open line in `line`."""

    given: OfNewEvent

    def __init__(self, app: CompanionApp, given: OfNewEvent) -> None:
        super().__init__(app, given)
        self.bar = TitleBar(app.back)
        self.house = house_rules.saved(app.folder)
        """The house rules that are kept."""
        self.lines, self.finder = Rows(LineView, self._open, high=LINE), Finder(PickView, self._pick, is_found, PICK)
        self.picks = self.finder.rows
        circuit_index.check(lambda: Clock.schedule_once(self.look_again))
        self.writing, self.stepper = Writing(on_change=self._wrote), Stepper(self._answer)
        self.remove, self.main = Key(on_tap=self._remove), Key(on_tap=self._begin)
        self._seen = self._line
        """The line whose answers are seen: another finger may have opened the next one meanwhile."""

    @property
    def begun(self) -> Begun:
        """What it begins with, so far."""
        if "begun" not in self.given:
            self.given["begun"] = usual(self.given.get("kind", "tournament"), theme.words, time.strftime("%Y-%m-%d"))
        return self.given["begun"]

    # -- what fingers do

    def _change(self, begun: Begun) -> None:
        self.given["begun"] = begun
        self.look_again()

    def _open(self, place: int) -> None:
        name, begun = self.lines.shown[place].name, self.begun
        if name == ADD and isinstance(begun, season.Begun):
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
        """The line that is seen has this value from now on, or goes."""
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
            if isinstance(begun, season.Begun):
                return begin_season(folder, begun, by=self.app.recording.by)
            return begin_tournament(folder, begun, by=self.app.recording.by)

        recording = self.app.recording
        if recording.key != NEW:  # a second tap begins no second one
            recording.open(NEW, make, lambda: recording.do(lambda desk: desk.log_id, self._begun), self._refused)

    def _begun(self, record: str) -> None:
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

    def press(self, name: str) -> None:
        if name == "confirm":
            self._begin()
        else:
            super().press(name)

    @property
    def toast_at(self) -> tuple[float, float]:
        return 20, self.h - 72

    # -- where everything is

    def arrange(self) -> None:
        self._seen = self._line
        now = new_event(self.begun, theme.words, self._line, self.house)
        top, right, wide = self.h - BAND, LEFT + 12, self.w - LEFT - 24
        self.bar.show(Title(text=now.title))
        self.put(self.bar, 0, 0, self.w, BAR)
        self.lines.show(now.lines)
        self.put(self.lines, 0, BAR, LEFT - 1, top - BAR)
        seen: list[Any] = [self.bar, self.lines, self.main]
        y = BAR + 12.0
        if now.writing is not None:
            before = self.writing.shown
            if before is None or before.name != now.writing.name:
                self.writing.show(now.writing)
            self.put(self.writing, right, y, wide - (112 if now.can_remove else 0), 76)
            seen.append(self.writing)
        if now.can_remove:
            self.remove.show(Face(icon="trash", label=self.say("new_event.remove"), look="option"))
            self.put(self.remove, right + wide - 104, y, 104, 76)
            seen.append(self.remove)
        if now.stepper is not None:
            self.stepper.show(now.stepper)
            self.put(self.stepper, right, y, 200, 76)
            seen.append(self.stepper)
        if now.picks:
            y = BAR + 100.0 if now.writing is not None else BAR
            self.finder.show(now.picks)
            self.put(self.finder, LEFT, y, self.w - LEFT, top - y)
            seen.append(self.finder)
        self.main.show(deed(self.say("new_event.begin"), now.legend))
        self.put(self.main, self.w - 12 - MAIN, top + 8, MAIN, KEYS)
        self.only(seen, of=[*self.children])

    def paint(self, pen: Pen) -> None:
        now = new_event(self.begun, theme.words, self._line, self.house)
        top = pen.h - BAND
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(LEFT - 1, BAR, 1, top - BAR, "line")
        ground(pen)
        ask(pen, now.question, now.about, 20, pen.w - MAIN - 12 - 40)
        if now.note:
            pen.paragraph(now.note, LEFT + 14, BAR + 116, BODY, pen.w - LEFT - 30, "mid", SEMIBOLD, 3)
