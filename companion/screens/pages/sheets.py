"""The stored races, most recent first.

A tap opens a race's sheet, a long press deletes it. Deleted races are listed the same way, to be restored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.signing import TABLE
from companion.screens.app.visits import OfSheets
from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import CAPTION, NAME, SMALL, theme
from companion.sheets.high_water import there
from companion.sheets.reading import StoredRace, count_races, races, reading
from companion.sheets.stored_race import delete, restore
from companion.sheets.wall_clock import moment
from companion.view.pages.sheet import by_turns
from companion.view.setup.new_race import rulebook_name
from companion.view.shown import ViewModel

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp


PAGE: Final = 100
"""Number of races listed at first, and added by each touch of the last row."""


class KeptRow(ViewModel, frozen=True, kw_only=True):
    """A stored race."""

    log_id: str
    name: str
    facts: str
    state: str
    over: bool


class OlderRow(ViewModel, frozen=True, kw_only=True):
    """The last row of a page, with the number of older races."""

    said: str


class KeptView(RowView):
    """A row that shows a `KeptRow`, or the way to older races."""

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


class SheetsScreen(Composed, Screen):
    """The list of races, or a key to begin one.

    With `given["deleted"]` it lists the deleted races.
    """

    given: OfSheets

    def __init__(self, app: CompanionApp, given: OfSheets) -> None:
        super().__init__(app, given)
        self.deleted = given.get("deleted", False)
        self.listed: list[StoredRace] = []
        self.most, self.older = PAGE, 0
        self.wrong: CompanionError | None = None
        """Reason why they cannot be listed."""
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
        """Ask whether to delete a race, or to restore a deleted one."""
        if place >= len(self.listed):
            return
        race = self.listed[place]
        what = "restore" if self.deleted else "delete"
        if race.log_id == self.app.playing.log_id:
            self.app.tell(CompanionError("delete_open"))
            return
        question = Confirmation(
            title=self.say(f"sheet.{what}_ask", race=race.name), note=self.say(f"sheet.{what}_note"),
            act=self.say(f"sheet.{what}"),
        )  # fmt: skip
        self.app.ask(question, lambda: self._act(race))

    def _act(self, race: StoredRace) -> None:
        """Delete or restore a race, in a thread since all of it has to be read."""
        act = restore if self.deleted else delete
        self.in_thread(lambda: act(self.app.folder, race.log_id, by=TABLE), self._relist)

    def _relist(self) -> None:
        self._read()
        self.look_again()

    def _row(self, race: StoredRace) -> KeptRow:
        words = theme.words
        facts = [rulebook_name(race.rulebook, words), words.screen("sheet.cars", count=race.cars)]
        if race.laps:
            facts.append(words.screen("new_race.distance", count=race.laps, turns=by_turns(race.rulebook)))
        if moment(race.begun) not in race.name:  # the usual name says it
            facts.append(words.screen("sheet.begun", at=moment(race.begun)))
        state = words.screen("sheet.over") if race.over else words.screen("sheet.running", round=race.round)
        return KeptRow(log_id=race.log_id, name=race.name, facts=" · ".join(facts), state=state, over=race.over)

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        title, note = ("sheet.deleted_races", "sheet.deleted_hint") if self.deleted else ("sheet.races", "sheet.hint")
        ui.title(self.say(title), self.app.back, self.say(note) if self.listed else "")
        if self.listed:
            older = [OlderRow(said=self.say("sheet.older", count=self.older))] if self.older > 0 else []
            ui.place(ui.area, ui.named("rows", self._make_rows)).show([*map(self._row, self.listed), *older])
        else:
            empty = ui.named("empty", lambda: Empty(on_act=lambda: self.app.instead("new_race")))
            ui.place(ui.area.inset(60, 40), empty).show(self._nothing())

    def _make_rows(self) -> Rows:
        on_row = self._tap_deleted if self.deleted else self._open
        return Rows(KeptView, on_row=on_row, on_row_hold=self._ask, high=62)

    def _nothing(self) -> EmptyState:
        if self.wrong is not None:
            said = theme.words.error(self.wrong)
            return EmptyState(icon="triangle", title=self.say("sheet.unreadable"), note=said, tone="bad")
        if self.deleted:
            return EmptyState(icon="trash", title=self.say("sheet.none_deleted"))
        return EmptyState(
            icon="history", title=self.say("sheet.no_races"), note=self.say("sheet.no_races_note"),
            act=self.say("sheet.no_races_key"),
        )  # fmt: skip
