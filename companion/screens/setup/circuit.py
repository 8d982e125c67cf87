"""Which circuit: every one in a list, the chosen one drawn beside it, and over how many laps."""

from __future__ import annotations

from typing import Any, Final

from companion.screens.board.overview import Overview
from companion.screens.setup.step import Change, Step
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, CAPTION, NAME, theme
from companion.view.setup.draft import from_position
from companion.view.setup.new_race import CircuitRow, circuit_rows
from companion.view.shown import Field

LIST: Final = 300
ROW: Final = 56
SAID: Final = 134
ZONES: Final = 36


class CircuitView(RowView):
    """Draws a `CircuitRow`, chosen or not."""

    def draw(self, pen: Pen, shown: tuple[CircuitRow, bool]) -> None:
        row, chosen = shown
        if chosen:
            self.choose(pen)
        right = pen.w - 14
        if chosen:
            pen.icon("check", right - 10, pen.h / 2, 22, "hi")
            right -= 30
        ink = "hi" if not row.why else "mid"
        pen.text(row.name, 16, pen.h / 2 - 11, NAME, ink, SEMIBOLD, room=right - 16, cut=True)
        note, token = (row.why, "bad") if row.why else (row.tally, "mid")
        pen.text(note, 16, pen.h / 2 + 13, CAPTION, token, SEMIBOLD, room=right - 16, cut=True)


class CircuitStep(Step):
    """Chooses circuit and laps."""

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.circuits = Rows(CircuitView, self._choose, high=ROW)
        self.drawing = Overview()
        self.laps = Stepper(self._laps)
        self._listed: tuple[str, str, list[CircuitRow]] = ("", "", [])
        self._revealed = False

    @property
    def rows(self) -> list[CircuitRow]:
        """Every circuit; read once for a rulebook and a language."""
        now = (self.draft.rulebook, theme.language)
        if self._listed[:2] != now:
            self._listed = (*now, circuit_rows(self.draft, theme.words))
        return self._listed[2]

    @property
    def _said(self) -> int:
        """How high what is said of the circuit is; the zones of the cup want two lines more."""
        row = next((row for row in self.rows if row.key == self.draft.track), None)
        return SAID + (ZONES if row is not None and row.zones else 0)

    def _choose(self, place: int) -> None:
        row = self.rows[place]
        if not row.why and row.key != self.draft.track:
            draft = self.draft.but(track=row.key, laps=0)
            self.on_change(from_position(draft) if draft.standing is not None else draft)

    def _laps(self, laps: int) -> None:
        self.on_change(self.draft.with_laps(laps))

    def arrange(self) -> None:
        if self.shown is None:
            return
        draft, rows = self.draft, self.rows
        self.circuits.show([(row, row.key == draft.track) for row in rows])
        self.put(self.circuits, 0, 0, LIST - 1, self.h)
        board = draft.board
        if board is None:
            return
        if not self._revealed:
            self._revealed = True
            self.circuits.reveal(next((place for place, row in enumerate(rows) if row.key == draft.track), 0))
        self.drawing.picture_of(board)
        self.put(self.drawing, LIST + 8, 6, self.w - LIST - 16, self.h - self._said - 22)
        label = theme.words.screen("new_race.turns" if draft.cards else "new_race.laps")
        low, high = draft.distances
        self.laps.show(Field(name="laps", label=label, value=draft.laps or draft.usual_laps, low=low, high=high))
        self.put(self.laps, self.w - 176, self.h - 88, 164, 76)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(LIST - 1, 0, 1, pen.h, "line")
        if self.shown is None:
            return
        row = next((row for row in self.rows if row.key == self.draft.track), None)
        if row is None:
            self._paint_kinds(pen)
            return
        left, room = LIST + 16.0, pen.w - LIST - 28
        pen.text(row.name, left, pen.h - self._said, NAME, "hi", BOLD, room=room, cut=True)
        y = pen.h - self._said + 22
        if row.zones:
            y = pen.paragraph(row.zones, left, y, CAPTION, room, "mid", SEMIBOLD, 2) + 2
        narrow = room - 176
        for text in (
            row.known,
            row.grid,
            f"{self.say('trust')}{theme.words.say('colon')}{row.trust}",
            self._usual(row),
        ):
            if text:
                y = pen.paragraph(text, left, y, CAPTION, narrow, "mid", SEMIBOLD, 2) + 2

    def _paint_kinds(self, pen: Pen) -> None:
        """What can be chosen from, for who has never seen it."""
        pen.icon("flag", (LIST + pen.w) / 2, 52, 48, "low")
        kinds = ("sections_about",) if self.draft.cards else ("drawn_about", "sheet_about")
        if self.draft.by_spaces:
            kinds = ("drawn_about", "no_sheet_about")
        y = 112.0
        for kind in kinds:
            y = pen.paragraph(self.say(kind), LIST + 16.0, y, BODY, pen.w - LIST - 32, "mid", SEMIBOLD, 5) + 16

    def _usual(self, row: CircuitRow) -> str:
        return self.say("usual", laps=row.laps) if self.draft.laps else ""
