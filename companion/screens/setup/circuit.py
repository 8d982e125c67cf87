"""Choice of circuit and laps: a list, the selected circuit drawn beside it.

Also explains how a board of one's own is prepared for a race.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kivy.clock import Clock

from companion import circuit_index
from companion.screens.board.overview import Overview
from companion.screens.kit.compose import Area, Ui
from companion.screens.kit.finder import Finder
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import RowView
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, theme
from companion.screens.setup.step import Change, SetupStep
from companion.view.setup.draft import from_position
from companion.view.setup.new_race import CircuitRow, circuit_rows, search_circuits
from companion.view.shown import Field

LIST: Final = 300
ROW: Final = 56
SAID: Final = 134
ZONES: Final = 36
KEY: Final = 52
WAYS: Final[Mapping[str, str]] = {"space": "car", "corner": "flag", "imported": "export"}
"""Ways from a board to a race, best first, with their pictograms."""


class CircuitView(RowView):
    """Row of a `CircuitRow`."""

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


class CircuitStep(SetupStep):
    """Step of the circuit and its laps."""

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.finder = Finder(CircuitView, on_row=lambda shown: self._choose(shown[0]), is_found=_is_found, high=ROW)
        self.circuits = self.finder.rows
        self.drawing = Overview()
        self.laps = Stepper(on_change=self._laps)
        self.tells_ways = False
        """True if the ways from a board of one's own to a race are shown in place of the circuit."""
        self._listed: tuple[str, str, list[CircuitRow]] = ("", "", [])
        circuit_index.check(lambda: Clock.schedule_once(self._news))

    def _news(self, _: float) -> None:
        """Refresh the list after a board has been checked."""
        self._listed = ("", "", [])
        self.look_again()

    @property
    def rows(self) -> list[CircuitRow]:
        """All circuits, cached by rulebook and language until another board is checked."""
        now = (self.draft.rulebook, theme.language)
        if self._listed[:2] != now:
            self._listed = (*now, circuit_rows(self.draft, theme.words))
        return self._listed[2]

    def back(self) -> bool:
        """Go back from the explanation to the circuit."""
        told, self.tells_ways = self.tells_ways, False
        self.look_again()
        return told

    def _tell_ways(self) -> None:
        self.tells_ways = not self.tells_ways
        self.look_again()

    def _choose(self, row: CircuitRow) -> None:
        """Select a circuit and keep the laps; an unreadable board says why in its row."""
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

    def compose_step(self, ui: Ui) -> None:
        draft, rows = self.draft, self.rows
        side = ui.area.cut_left(LIST)
        ui.fill(side.cut_right(1), "line")
        if not draft.cards:
            face = Face(label=self.say("yours"), look="option", chosen=self.tells_ways)
            ui.button(side.cut_bottom(KEY + 16).inset(8, 8), "yours", face, self._tell_ways)
        ui.place(side, self.finder).show(tuple((row, row.key == draft.track) for row in rows))
        self.finder.follow(lambda shown: bool(shown[1]))
        row = next((row for row in rows if row.key == draft.track), None)
        if self.tells_ways:
            self._write_ways(ui.pen, ui.area)
            return
        if (board := draft.board) is not None:
            self.drawing.picture_of(board)
        if row is None:
            self._write_kinds(ui.pen, ui.area)
            return
        about = ui.area.cut_bottom(SAID + (ZONES if row.zones else 0))
        if board is not None:
            ui.area.cut_bottom(10)
            ui.place(ui.area.inset(8, 6), self.drawing)
            self._compose_laps(ui, about)
        self._write_circuit(ui.pen, about, row)

    def _compose_laps(self, ui: Ui, about: Area) -> None:
        draft = self.draft
        label = theme.words.screen("new_race.turns" if draft.cards else "new_race.laps")
        low, high = draft.distances
        field = Field(name="laps", label=label, value=draft.laps or draft.usual_laps, low=low, high=high)
        ui.place(Area(about.right - 176, about.bottom - 88, 164, 76), self.laps).show(field)

    def _write_circuit(self, pen: Pen, about: Area, row: CircuitRow) -> None:
        """Write what is known of a circuit, beside its laps."""
        left, room = about.x + 16, about.w - 28
        pen.text(row.name, left, about.y, NAME, "hi", BOLD, room=room, cut=True)
        y = about.y + 22
        if row.zones:
            y = pen.paragraph(row.zones, left, y, CAPTION, room, "mid", SEMIBOLD, 2) + 2
        trust = f"{self.say('trust')}{theme.words.say('colon')}{row.trust}"
        for text in filter(None, (row.known, row.grid, trust, self._usual(row))):
            y = pen.paragraph(text, left, y, CAPTION, room - 176, "mid", SEMIBOLD, 2) + 2

    def _write_kinds(self, pen: Pen, area: Area) -> None:
        """Write what kinds of circuits there are, for newcomers."""
        pen.icon("flag", area.middle[0], 52, 48, "low")
        kinds = ("sections_about",) if self.draft.cards else ("drawn_about", "sheet_about")
        if self.draft.by_spaces:
            kinds = ("drawn_about", "no_sheet_about")
        y = 112.0
        for kind in kinds:
            y = pen.paragraph(self.say(kind), area.x + 16, y, BODY, area.w - 32, "mid", SEMIBOLD, 5) + 16

    def _write_ways(self, pen: Pen, area: Area) -> None:
        """Write the ways to prepare a board for races, the best first."""
        left, room, y = area.x + 60, area.w - 72, 32.0
        for way, icon in WAYS.items():
            key = "no_sheet_about" if way == "corner" and self.draft.by_spaces else f"way.{way}"
            pen.icon(icon, area.x + 32, y, 28, "info")
            y = pen.paragraph(self.say(key), left, y, BODY, room, "hi", SEMIBOLD, 5, floor=SMALL) + 16
        pen.text("companion tracks --help", left, area.bottom - 20, CAPTION, "mid", SEMIBOLD, room=room)

    def _usual(self, row: CircuitRow) -> str:
        return self.say("usual", laps=row.laps) if self.draft.laps not in (0, row.laps) else ""


def _is_found(shown: tuple[CircuitRow, bool], text: str) -> bool:
    return bool(search_circuits([shown[0]], text))
