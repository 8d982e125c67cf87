"""The sheet of one entrant: number, name and club to write, and in a season the circuits where he is at home."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.rules.conversation.setup import NUMBERS
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import NAME, QUESTION, theme
from companion.screens.widgets.writing import Writing
from companion.tournament.entrants import LETTERS, Entrant
from companion.tournament.record import one_line
from companion.view.shown import Field, Shown

FIELD: Final = 76.0
NUMBER: Final = 120.0
HOME: Final = 52.0


class Sheet(Shown, frozen=True, kw_only=True):
    """The entrant as he is entered now, or a new one with a number that is free; the circuits of the season."""

    number: int
    name: str = ""
    team: str = ""
    home: tuple[str, ...] = ()
    old: int = 0
    """His number so far, 0 for a new one."""
    circuits: tuple[tuple[str, str], ...] = ()


class HomeView(RowView):
    """Draws a circuit and whether it is a home circuit."""

    def draw(self, pen: Pen, shown: tuple[str, bool]) -> None:
        name, chosen = shown
        pen.icon("home", 28, pen.h / 2, 20, "hi" if chosen else "low")
        pen.text(name, 52, pen.h / 2, NAME, "hi" if chosen else "mid", SEMIBOLD, room=pen.w - 96, cut=True)
        if chosen:
            pen.icon("check", pen.w - 26, pen.h / 2, 22, "ok")


class EntrySheet(Pane):
    """Shows a `Sheet`; `on_change()` is called with every letter. The circuits are laid beside it by whose it is."""

    def __init__(self, on_change: Callable[[], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change
        self.number, self.name, self.team = (Writing(on_change=self._wrote, capitals="each") for _ in range(3))
        self.circuits = Rows(HomeView, self._home, high=HOME)
        self.home: list[str] = []

    def show(self, shown: Sheet) -> None:
        """Shows an entrant; what was written is gone if it is another one."""
        if shown != self.shown:
            self.home = list(shown.home)
            super().show(shown)
            for line, name, value, most in (
                (self.number, "number", str(shown.number), len(str(NUMBERS[1]))),
                (self.name, "name", shown.name, LETTERS),
                (self.team, "team", shown.team, LETTERS),
            ):
                label = theme.words.screen(f"entrants.field.{name}")
                line.show(Field(name=f"{name} {shown.old} {shown.number}", label=label, kind="text", value=value,
                                high=most))  # fmt: skip
                line.line.text = value

    def _wrote(self, _: str) -> None:
        self.look_again()
        self.on_change()

    def _home(self, place: int) -> None:
        key = self.shown.circuits[place][0]
        self.home = [one for one in self.home if one != key] if key in self.home else [*self.home, key]
        self.look_again()
        self.on_change()

    @property
    def entrant(self) -> Entrant | None:
        """Who is written, None as long as a number or a name lacks."""
        number, name = self.number.value.strip(), one_line(self.name.value)
        if not number.isdecimal() or not name:
            return None
        return Entrant(int(number), name, one_line(self.team.value), tuple(self.home))

    def arrange(self) -> None:
        if self.shown is None:
            return
        self.circuits.show([(name, key in self.home) for key, name in self.shown.circuits])
        wide = self.w - 32
        self.put(self.number, 16, 8, NUMBER, FIELD)
        self.put(self.name, 16 + NUMBER + 12, 8, wide - NUMBER - 12, FIELD)
        self.put(self.team, 16, 8 + FIELD + 10, wide, FIELD)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        said = " ".join((self.number.value, self.name.value)).strip()
        pen.text(said, 16, 8 + 2 * (FIELD + 10) + 40, QUESTION, "hi", BOLD, room=pen.w - 32, cut=True)
        pen.text(self.team.value, 16, 8 + 2 * (FIELD + 10) + 74, NAME, "mid", SEMIBOLD, room=pen.w - 32, cut=True)
