"""The races that were kept, the last one first; a touch opens a race's sheet, and one that is held is deleted. The same
list shows the deleted ones, to be restored."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from kivy.clock import Clock

from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.signing import TABLE
from companion.screens.app.visits import OfSheets
from companion.screens.widgets.confirm import Question
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import CAPTION, NAME, SMALL, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title, TitleBar
from companion.sheets.high_water import there
from companion.sheets.reading import Listed, count_races, races, reading
from companion.sheets.stored_race import delete, restore
from companion.sheets.wall_clock import moment
from companion.view.pages.sheet import by_turns
from companion.view.shown import Shown

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp


PAGE: Final = 100
"""How many races are listed, and how many more by each touch of the last row."""


class KeptRow(Shown, frozen=True, kw_only=True):
    """A race that was kept."""

    log_id: str
    name: str
    facts: str
    state: str
    over: bool


class OlderRow(Shown, frozen=True, kw_only=True):
    """The last row of a page: how many older races there are."""

    said: str


class KeptView(RowView):
    """Draws a `KeptRow`, or the way to older ones."""

    def draw(self, pen: Pen, shown: KeptRow | OlderRow) -> None:
        middle = pen.h / 2
        if isinstance(shown, OlderRow):
            pen.icon("history", 34, middle, 26, "mid")
            pen.text(shown.said, 66, middle, NAME, "mid", SEMIBOLD)
            return
        pen.icon("finish" if shown.over else "flag", 34, middle, 26, "mid" if shown.over else "ok")
        pen.icon("forward", pen.w - 26, middle, 20, "low")
        right = pen.w - 50
        right -= pen.text(shown.state, right, middle, SMALL, "mid" if shown.over else "ok", SEMIBOLD, "right") + 14
        pen.text(shown.name, 66, middle - 11, NAME, "hi", SEMIBOLD, room=right - 66, cut=True)
        pen.text(shown.facts, 66, middle + 14, CAPTION, "mid", SEMIBOLD, room=right - 66, cut=True)


class SheetsScreen(Screen):
    """Lists the races; where there are none, a key begins one. With `given["deleted"]` it lists those that were
    deleted."""

    given: OfSheets

    def __init__(self, app: CompanionApp, given: OfSheets) -> None:
        super().__init__(app, given)
        self.deleted = given.get("deleted", False)
        self.bar = TitleBar(app.back)
        self.rows = Rows(KeptView, self._tap_deleted if self.deleted else self._open, self._ask, high=62)
        self.empty = Empty(on_act=lambda: app.instead("new_race"))
        self.listed: list[Listed] = []
        self.most, self.older = PAGE, 0
        self.wrong: CompanionError | None = None
        """Why they cannot be listed."""
        self._read()

    def _read(self) -> None:
        try:
            if not there(self.app.folder):
                return
            with reading(self.app.folder) as db:
                self.listed = races(db, deleted=self.deleted, most=self.most)
                self.older = count_races(db, deleted=self.deleted) - len(self.listed)
        except CompanionError as wrong:
            self.wrong = wrong

    def _open(self, place: int) -> None:
        if place < len(self.listed):
            self.app.go("sheet", race=self.listed[place].log_id)
        else:
            self.most += PAGE
            self._relist()

    def _tap_deleted(self, place: int) -> None:
        (self._ask if place < len(self.listed) else self._open)(place)

    def _ask(self, place: int) -> None:
        """Delete a race, or restore one that was deleted?"""
        if place >= len(self.listed):
            return
        race = self.listed[place]
        what = "restore" if self.deleted else "delete"
        if race.log_id == self.app.playing.log_id:
            self.app.tell(CompanionError(self.say("sheet.delete_open")))
            return
        question = Question(
            title=self.say(f"sheet.{what}_ask", race=race.name), note=self.say(f"sheet.{what}_note"),
            act=self.say(f"sheet.{what}"),
        )  # fmt: skip
        self.app.ask(question, lambda: self._act(race))

    def _act(self, race: Listed) -> None:
        """Does it in a thread of its own: all of the race is read for it."""
        act = restore if self.deleted else delete

        def work() -> None:
            try:
                act(self.app.folder, race.log_id, by=TABLE)
            except CompanionError as wrong:
                Clock.schedule_once(lambda _, why=wrong: self.app.tell(why))
            Clock.schedule_once(self.if_here(lambda _: self._relist()))

        threading.Thread(target=work, name="deleting", daemon=True).start()

    def _relist(self) -> None:
        self._read()
        self.look_again()

    def _row(self, race: Listed) -> KeptRow:
        words = theme.words
        facts = [words.screen("sheet.cars", count=race.cars)]
        if race.laps:
            facts.append(words.screen("new_race.distance", count=race.laps, turns=by_turns(race.rulebook)))
        facts.append(words.screen("sheet.begun", at=moment(race.begun)))
        state = words.screen("sheet.over") if race.over else words.screen("sheet.running", round=race.round)
        return KeptRow(log_id=race.log_id, name=race.name, facts=" · ".join(facts), state=state, over=race.over)

    def arrange(self) -> None:
        title, note = ("sheet.deleted_races", "sheet.deleted_hint") if self.deleted else ("sheet.races", "sheet.hint")
        self.bar.show(Title(text=self.say(title), note=self.say(note) if self.listed else ""))
        self.put(self.bar, 0, 0, self.w, BAR)
        if self.listed:
            older = [OlderRow(said=self.say("sheet.older", count=self.older))] if self.older > 0 else []
            self.rows.show([*map(self._row, self.listed), *older])
            self.put(self.rows, 0, BAR, self.w, self.h - BAR)
            self.remove_widget(self.empty)
        else:
            self.remove_widget(self.rows)
            self.empty.show(self._nothing())
            self.put(self.empty, 60, BAR + 40, self.w - 120, self.h - BAR - 80)

    def _nothing(self) -> Nothing:
        if self.wrong is not None:
            said = theme.words.error(self.wrong)
            return Nothing(icon="triangle", title=self.say("sheet.unreadable"), note=said, tone="bad")
        if self.deleted:
            return Nothing(icon="trash", title=self.say("sheet.none_deleted"))
        return Nothing(
            icon="history", title=self.say("sheet.no_races"), note=self.say("sheet.no_races_note"),
            act=self.say("sheet.no_races_key"),
        )  # fmt: skip

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
