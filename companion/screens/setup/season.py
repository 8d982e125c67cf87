"""The grid of a race of a season: by the last race, by the black die or by hand; and who is on his home track."""

from __future__ import annotations

from functools import partial
from typing import Any, Final, Literal

from companion.screens.setup.grid import RIGHT, GridStep
from companion.screens.setup.step import Change, DriverRow
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CAPTION, SMALL
from companion.view.setup.draft import LineUp

Mark = Literal["home", "absent"]
MARKS: Final[tuple[Mark, ...]] = ("home", "absent")
WAYS: Final[tuple[LineUp, ...]] = ("die", "last", "hand")
ROW: Final = 60.0
KEY: Final = 52.0


class SeasonStep(GridStep):
    """Lists the drivers from the winner of the last race, or from pole; the black die is asked in the race itself. The
    driver who is chosen is moved, was not in the last race, or is on his home track."""

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.ways = [Key(on_tap=partial(self._line_up, way)) for way in WAYS]
        self.switches = {name: Key(on_tap=partial(self._mark, name)) for name in MARKS}

    def _line_up(self, way: LineUp) -> None:
        self.on_change(self.draft.but(line_up=way))

    def _mark(self, name: Mark) -> None:
        """At home or not, in the last race or not."""
        number, marked = (
            self.draft.entrants[self.chosen].number,
            self.draft.home if name == "home" else self.draft.absent,
        )
        others = tuple(one for one in marked if one != number)
        now = others if number in marked else (*others, number)
        self.on_change(self.draft.but(home=now) if name == "home" else self.draft.but(absent=now))

    # -- where everything is

    def arrange(self) -> None:
        if self.shown is None:
            return
        draft = self.draft
        self.chosen = min(self.chosen, max(len(draft.entrants) - 1, 0))
        self.entrants.show(self._rows())
        self.put(self.entrants, 0, 0, self.w - RIGHT - 1, self.h)
        left, wide = self.w - RIGHT + 12, RIGHT - 24
        for way, key in zip(WAYS, self.ways, strict=True):
            label = self.say(f"line_up.{way}")
            key.show(Face(label=label, look="option", size=BODY, chosen=way == draft.line_up))
        self.put_rows(self.ways, left, 8, wide, KEY)
        shown: list[Any] = []
        if draft.entrants:
            if draft.line_up != "die":
                self._arrange_hand(left, wide)
                self.put_rows(self.moves.values(), left, 8 + ROW, wide, KEY, across=1, gap=ROW - KEY)
                shown += self.moves.values()
            marks = MARKS if draft.line_up == "last" else MARKS[:1]
            number = draft.entrants[self.chosen].number
            for name in marks:
                key = self.switches[name]
                marked = number in (draft.home if name == "home" else draft.absent)
                key.show(Face(label=self.say(name), look="option", size=BODY, chosen=marked))
                shown.append(key)
            self.put_rows(shown[-len(marks) :], left, 8 + 4 * ROW, wide, KEY, across=2)
        self.only(shown, of=(*self.moves.values(), *self.switches.values()))

    def _rows(self) -> list[DriverRow]:
        draft, place, rows = self.draft, 0, []
        for at, one in enumerate(draft.entrants):
            absent = draft.line_up == "last" and one.number in draft.absent
            listed = draft.line_up != "die" and not absent
            place += listed
            notes = [self.say("home")] if one.number in draft.home else []
            notes += [self.say("absent")] if absent else []
            word = " · ".join(notes)
            rows.append(DriverRow(entrant=one, place=place if listed else 0, word=word, chosen=at == self.chosen))
        return rows

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        left = pen.w - RIGHT
        pen.fill(left - 1, 0, 1, pen.h, "line")
        if self.shown is not None:
            y = 92.0 if self.draft.line_up == "die" else 8 + 5 * ROW + 6
            note = self.say(f"line_up_note.{self.draft.line_up}")
            pen.paragraph(note, left + 14, y, SMALL, RIGHT - 28, "mid", SEMIBOLD, 2, floor=CAPTION)
