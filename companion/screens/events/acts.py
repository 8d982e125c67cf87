"""The history of a tournament, a season or trials: every act, with author and reason.

One can go back to before any of them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.screens.app.visits import OfRecord
from companion.screens.events.record_screen import RecordScreen
from companion.screens.kit.compose import Area, Title, Ui
from companion.screens.kit.foot import MAIN, deed
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import CAPTION, NAME, SMALL
from companion.view.events.acts import ActRow, ActsShown, acts
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp


class ActView(RowView):
    """Row of an `ActRow`: struck through if undone, with a lock if settled."""

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
    """All acts of the record, newest first; one can be selected, to go back to before it."""

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.chosen = 0
        """Number of the selected act, 0 for none."""
        self.rows = Rows(ActView, on_row=self._choose, high=54)

    def look(self, desk: RecordDesk[Any], words: Words) -> ActsShown:
        return acts(desk.record, words)

    def _choose(self, place: int) -> None:
        seq = self.now.rows[place].seq
        self.chosen = 0 if seq == self.chosen else seq
        self.look_again()

    @property
    def _row(self) -> ActRow | None:
        """The selected act."""
        return next((row for row in self.now.rows if row.seq == self.chosen), None)

    def _go_back(self, row: ActRow) -> None:
        """Undo an act and all after it."""
        takes, last, by = row.takes, self.now.last, self.by

        def undo(desk: Any) -> None:
            record = desk.desk if isinstance(desk, TrialDesk) else desk
            record.take_back(takes, last, by=by)

        self.chosen = 0
        self.app.recording.do(undo, self.if_here(lambda _: self.app.back()), self.show_refusal)

    def back(self) -> bool:
        was = super().back() or bool(self.chosen)
        self.chosen = 0
        return was

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        now: ActsShown = self.now
        self.bar.show(Title(text=self.say("acts.title"), note=now.subtitle))
        foot, row = ui.foot(), self._row
        foot.cut_left(8)
        if row is not None and (row.takes or row.fixes is not None):
            self._compose_deed(ui, foot.cut_right(MAIN), row)
            foot.cut_right(12)
        foot.cut_right(8)
        how = "none" if row is None else "undone" if row.undone else "settled" if row.settled else "back"
        how = "first" if how == "back" and row is not None and not row.takes else how
        ui.ask(foot, self.say(f"acts.ask.{how}", entry=self.chosen), self.say(f"acts.note.{how}"))
        ui.place(ui.area, self.rows).show([(row, row.seq == self.chosen) for row in now.rows])

    def _compose_deed(self, ui: Ui, area: Area, row: ActRow) -> None:
        """Compose the key that corrects the selected act, or goes back to before it."""
        if row.fixes is not None:
            face = deed(self.say("season.correct"), self.say("acts.with_reason"))
            self.compose_main(ui, area, face, partial(self.correct, row.fixes))
        else:
            face = deed(self.say("acts.go_back"), self.say("acts.takes", count=row.takes))
            self.compose_main(ui, area, face, partial(self._go_back, row))
