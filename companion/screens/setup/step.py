"""The base of the steps of a new race, and the rows that list drivers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.drawing.paints import paint_of
from companion.rules.conversation.asking import Json
from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.plate import draw
from companion.screens.kit.rows import RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, theme
from companion.sheets.entrants import RaceEntrant
from companion.view.setup.draft import Draft, in_teams, plate
from companion.view.shown import Tone, ViewModel

Change = Callable[[Draft], object]


class SetupStep(Composed):
    """A step; `on_change` gets the draft after each choice."""

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change

    @property
    def draft(self) -> Draft:
        """The race so far."""
        draft: Draft = self.shown
        return draft

    @property
    def field(self) -> tuple[RaceEntrant, ...]:
        """The entrants in starting order, in their teams' colours."""
        return in_teams(self.draft, theme.language)

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        if self.shown is not None:
            self.compose_step(ui)

    def compose_step(self, ui: Ui) -> None:
        """Declare the content and the layout of the step."""
        raise NotImplementedError

    def back(self) -> bool:
        """Go back within the step; False if there is nothing to go back to."""
        return False

    def say(self, key: str, **facts: Json) -> str:
        """Return a text about new races."""
        return theme.words.screen(f"new_race.{key}", **facts)


TOAST_GAP: Final = 16.0
"""Free height below the title bar beside which a toast fits over the title, in dp."""


class DriverRow(ViewModel, frozen=True, kw_only=True):
    """A driver in a list; `place` on the grid (0: not shown), a word at the right."""

    entrant: RaceEntrant
    place: int = 0
    note: str = ""
    word: str = ""
    tone: Tone = "plain"
    chosen: bool = False
    entered: bool = False


class DriverRowView(RowView):
    """Row of a `DriverRow`."""

    def draw(self, pen: Pen, shown: DriverRow) -> None:
        middle, left = pen.h / 2, 12.0
        if shown.chosen:
            self.choose(pen, paint_of(shown.entrant.colour).colour)
        if shown.place:
            pen.text(str(shown.place), left + 11, middle, BODY, "mid", SEMIBOLD, "centre", room=24)
            left += 28
        draw(pen, plate(shown.entrant), left + 18, middle, 32)
        left += 46
        right = pen.w - 14
        if shown.entered:
            pen.icon("check", right - 11, middle, 24, "ok")
            right -= 32
        if shown.word:
            token = "hi" if shown.tone == "plain" else shown.tone
            right -= pen.text(shown.word, right, middle, BODY, token, SEMIBOLD, "right") + 10
        name = shown.entrant.name or theme.words.screen("new_race.no_name")
        ink = "hi" if shown.entrant.name else "mid"
        note = shown.note or shown.entrant.team
        pen.text(name, left, middle - (9 if note else 0), NAME, ink, SEMIBOLD, room=right - left, cut=True)
        pen.text(note, left, middle + 13, CAPTION, "mid", SEMIBOLD, room=right - left, cut=True)
