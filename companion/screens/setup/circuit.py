"""Which circuit: every one in a list, the chosen one drawn beside it, and over how many laps; and which way leads from
a board of one's own to a race."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kivy.clock import Clock

from companion import circuit_index
from companion.screens.board.overview import Overview
from companion.screens.setup.step import Change, Step
from companion.screens.widgets.finder import Finder
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import RowView
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, theme
from companion.view.setup.draft import from_position
from companion.view.setup.new_race import CircuitRow, circuit_rows, found
from companion.view.shown import Field

LIST: Final = 300
ROW: Final = 56
SAID: Final = 134
ZONES: Final = 36
KEY: Final = 52
WAYS: Final[Mapping[str, str]] = {"space": "car", "corner": "flag", "imported": "export"}
"""The ways from a board to a race, the best first, each with its pictogram."""


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
        self.finder = Finder(CircuitView, lambda shown: self._choose(shown[0]), _is_found, high=ROW)
        self.circuits = self.finder.rows
        self.drawing = Overview()
        self.laps = Stepper(self._laps)
        self.yours = Key(on_tap=self._tell_ways)
        self.tells_ways = False
        """Whether the ways from a board of one's own to a race are told in place of the circuit."""
        self._listed: tuple[str, str, list[CircuitRow]] = ("", "", [])
        self._revealed = False
        circuit_index.check(lambda: Clock.schedule_once(self._news))

    def _news(self, _: float) -> None:
        """A board has been checked."""
        self._listed = ("", "", [])
        self.look_again()

    @property
    def rows(self) -> list[CircuitRow]:
        """Every circuit; listed once for a rulebook and a language, until another board has been checked."""
        now = (self.draft.rulebook, theme.language)
        if self._listed[:2] != now:
            self._listed = (*now, circuit_rows(self.draft, theme.words))
        return self._listed[2]

    @property
    def _said(self) -> int:
        """How high what is said of the circuit is; the zones of the cup want two lines more."""
        row = next((row for row in self.rows if row.key == self.draft.track), None)
        return SAID + (ZONES if row is not None and row.zones else 0)

    def back(self) -> bool:
        """Go back from the ways to the circuit."""
        told, self.tells_ways = self.tells_ways, False
        self.look_again()
        return told

    def _tell_ways(self) -> None:
        self.tells_ways = not self.tells_ways
        self.look_again()

    def _choose(self, row: CircuitRow) -> None:
        """Another circuit, over as many laps as were chosen before. A board that cannot be read says why in its row."""
        if self.tells_ways:
            self.back()
        if row.why or row.key == self.draft.track:
            return
        if not circuit_index.read(row.key).wrong:
            draft = self.draft.but(track=row.key)
            draft = draft.with_laps(draft.laps) if draft.laps else draft
            self.on_change(from_position(draft) if draft.standing is not None else draft)
        self._news(0)

    def _laps(self, laps: int) -> None:
        self.on_change(self.draft.with_laps(laps))

    def arrange(self) -> None:
        if self.shown is None:
            return
        draft, rows = self.draft, self.rows
        self.finder.show(tuple((row, row.key == draft.track) for row in rows))
        self.put(self.finder, 0, 0, LIST - 1, self.h - (0 if draft.cards else KEY + 16))
        self.only([self.finder], of=[self.drawing, self.laps, self.yours])
        if not draft.cards:
            self.yours.show(Face(label=self.say("yours"), look="option", chosen=self.tells_ways))
            self.put(self.yours, 8, self.h - KEY - 8, LIST - 17, KEY)
        board = draft.board
        if board is None or self.tells_ways:
            return
        if not self._revealed:
            self._revealed = True
            self.finder.draw_now()
            self.finder.reveal(lambda shown: bool(shown[1]))
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
        if self.tells_ways:
            self._paint_ways(pen)
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

    def _paint_ways(self, pen: Pen) -> None:
        """Which of the ways from a board to a race serves it best."""
        left, room, y = LIST + 60.0, pen.w - LIST - 72, 32.0
        for way, icon in WAYS.items():
            key = "no_sheet_about" if way == "corner" and self.draft.by_spaces else f"way.{way}"
            pen.icon(icon, LIST + 32.0, y, 28, "info")
            y = pen.paragraph(self.say(key), left, y, BODY, room, "hi", SEMIBOLD, 5, floor=SMALL) + 16
        pen.text("companion tracks --help", left, pen.h - 20, CAPTION, "mid", SEMIBOLD, room=room)

    def _usual(self, row: CircuitRow) -> str:
        return self.say("usual", laps=row.laps) if self.draft.laps not in (0, row.laps) else ""


def _is_found(shown: tuple[CircuitRow, bool], text: str) -> bool:
    return bool(found([shown[0]], text))
