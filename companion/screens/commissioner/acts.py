"""The history of a tournament, a season or of trials: every act with who and why, to go back to before it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.record_screen import RecordScreen
from companion.screens.widgets.foot import BAND, MAIN, ask, deed, ground
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import CAPTION, NAME, SMALL
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.view.commissioner.acts import ActRow, ActsShown, acts
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

ROW: Final = 54.0


class ActView(RowView):
    """Draws an `ActRow`, chosen or not: what was taken back is struck through, what is settled has a lock."""

    def draw(self, pen: Pen, shown: tuple[ActRow, bool]) -> None:
        row, chosen = shown
        if chosen:
            self.choose(pen)
        middle, right = pen.h / 2, pen.w - 20
        pen.text(row.at, 20, middle, SMALL, "mid", SEMIBOLD)
        pen.text(str(row.seq), 104, middle, SMALL, "low", SEMIBOLD, "right")
        if row.settled:
            pen.icon("lock", right - 10, middle, 20, "low")
        wide = pen.text(row.text, 124, middle - 11, NAME, "low" if row.undone else "hi", SEMIBOLD, room=right - 160,
                        cut=True)  # fmt: skip
        if row.undone:
            pen.fill(124, middle - 12, wide, 2, "low")
        pen.text(row.about, 124, middle + 13, CAPTION, "mid", SEMIBOLD, room=right - 160, cut=True)


class ActsScreen(RecordScreen):
    """Every act of the record, the last one first; one is chosen, and it is gone back to before it."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.chosen = 0
        """The entry that is chosen, by its number."""
        self.rows = Rows(ActView, self._choose, high=ROW)

    def look(self, desk: RecordDesk[Any], words: Words) -> ActsShown:
        return acts(desk.record, words)

    def _choose(self, place: int) -> None:
        seq = self.now.rows[place].seq
        self.chosen = 0 if seq == self.chosen else seq
        self.look_again()

    @property
    def _row(self) -> ActRow | None:
        return next((row for row in self.now.rows if row.seq == self.chosen), None)

    def _go_back(self) -> None:
        takes, last, by = self._row.takes if self._row is not None else 0, self.now.last, self.by

        def undo(desk: Any) -> None:
            its = desk.desk if isinstance(desk, TrialDesk) else desk
            its.take_back(takes, last, by=by)

        self.chosen = 0
        self.app.recording.do(undo, self.if_here(lambda _: self.app.back()), self.told)

    def back(self) -> bool:
        was = super().back() or bool(self.chosen)
        self.chosen = 0
        return was

    def place(self) -> list[Any]:
        now: ActsShown = self.now
        self.bar.show(Title(text=self.say("acts.title"), note=now.subtitle))
        self.rows.show([(row, row.seq == self.chosen) for row in now.rows])
        row = self._row
        self.put(self.rows, 0, BAR, self.w, self.h - BAND - BAR)
        if row is None or (not row.takes and row.fixes is None):
            return [self.rows]
        fixes = row.fixes
        self.main.on_tap = self._go_back if fixes is None else partial(self.correct, fixes)
        label = self.say("acts.go_back" if fixes is None else "season.correct")
        price = self.say("acts.takes", count=row.takes) if fixes is None else self.say("acts.with_reason")
        return [self.rows, self.put_main(deed(label, price))]

    def draw(self, pen: Pen) -> None:
        row = self._row
        how = "none" if row is None else "undone" if row.undone else "settled" if row.settled else "back"
        how = "first" if how == "back" and row is not None and not row.takes else how
        room = pen.w - 40 - (MAIN + 12 if row is not None and (row.takes or row.fixes is not None) else 0)
        ground(pen)
        ask(pen, self.say(f"acts.ask.{how}", entry=self.chosen), self.say(f"acts.note.{how}"), 20, room)
