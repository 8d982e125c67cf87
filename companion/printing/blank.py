"""Race sheets to print in advance for a table without a screen: each car's boxes of wear, to be crossed off by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from companion import circuits
from companion.drawing.typefaces import BOLD
from companion.printing.paper import EDGE, INK, QUIET, RULE, Paper
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.kinds import CHART, Pool
from companion.rules.conversation.setup import MOST
from companion.rules.ninety.ninety import Ninety
from companion.rules.rulebooks import begin, named
from companion.view.setup.new_race import rulebook_name
from companion.wording import Words

TITLE, HEAD, BODY = 15.0, 10.5, 9.0
MAX_BOXES: Final = 18
"""Maximum number of boxes of a pool."""
SIDE, ROW, NAMES = 7.6, 6.6, 44.0
WRITTEN: Final = ((("number", 30.0), ("driver", 76.0), ("team", 80.0)),
                  (("grid", 30.0), ("finish", 38.0), ("cause", 76.0), ("round", 40.0)))  # fmt: skip
"""Fields to fill in by hand on the two lines of a car, each with its width in mm."""


def boxes_of(rulebook: str) -> dict[Pool, tuple[int, int]]:
    """Return the points of each pool of a usual car, and the most that any car has.

    Raises BadSetup for an unknown rulebook.
    """
    track = "saltmarsh" if issubclass(named(rulebook), Ninety) else "monaco"
    cars: list[Json] = [{"car": number, "team": "A"} for number in (1, 2)]
    book: Any = begin({"rulebook": rulebook, "cars": cars}, circuits.board(track))
    car = book.car(1)
    if isinstance(book, Ninety):
        charts = book.preparing.charts()
        return {pool: (charts[0][pool], max(chart[pool] for chart in charts)) for pool in CHART}
    usual = book.preparing.usual_build()
    if len(usual) == 1:
        return {pool: (points, points) for pool, points in usual.items()}
    if hasattr(car, "home"):
        car.home = True
    asked = next(book.preparing.build(car), None)
    most = car.built if asked is None else {pool: asked.fields[pool][1] for pool in usual}
    return {pool: (points, min(most[pool], MAX_BOXES)) for pool, points in usual.items()}


def blank_sheets(rulebook: str, cars: int, lang: str, *, letter: bool = False) -> bytes:
    """Return blank sheets for a number of cars of a rulebook as a PDF.

    Raises BadSetup for an unknown rulebook, BadEntry for too many cars.
    """
    if not 1 <= cars <= MOST:
        raise BadEntry("cars_range", most=MOST, cars=cars)
    return _Blank(rulebook, cars, Words(lang, rulebook), letter).render()


class _Blank:
    """Sheets being drawn; `y` is how far down the sheet they have come, in mm."""

    def __init__(self, rulebook: str, cars: int, words: Words, letter: bool) -> None:
        self.pools, self.cars, self.words = boxes_of(rulebook), cars, words
        self.title = f"{words.screen('sheet.title')} · {rulebook_name(rulebook, words)}"
        self.paper = Paper(self.title, datetime(2000, 1, 1, tzinfo=UTC), "letter" if letter else "A4")
        self.right, self.bottom = self.paper.wide - EDGE, self.paper.high - EDGE - 8
        self.y = 0.0

    def render(self) -> bytes:
        high = 18.5 + len(self.pools) * ROW
        for car in range(1, self.cars + 1):
            if car == 1 or self.y + high > self.bottom:
                if car > 1:
                    self.paper.turn()
                self._frame()
            self._car(car)
            self.y += high
        return self.paper.whole()

    def _frame(self) -> None:
        """Draw the head and the foot of a sheet."""
        paper, room = self.paper, self.right - EDGE
        paper.text(self.title, EDGE, EDGE + 4, TITLE, weight=BOLD, room=room)
        more = any(one < most for one, most in self.pools.values())
        said = self.words.screen("paper.boxes" if more else "paper.boxes_usual")
        foot = paper.high - EDGE
        paper.line([(EDGE, foot - 6), (self.right, foot - 6)])
        for at, line in enumerate((said, self.words.say("org_blank"))):
            paper.text(line, EDGE, foot - 3 + at * 4, 7.5, ink=QUIET, room=room)
        self.y = EDGE + 17

    def _car(self, place: int) -> None:
        """Draw lines to write on, and a row of boxes for each pool.

        The boxes of the usual car are dark, those for more lighter.
        """
        paper, y = self.paper, self.y
        paper.line([(EDGE, y - 5), (self.right, y - 5)], INK, 0.3)
        number = paper.text(f"{place}.", EDGE, y, HEAD, weight=BOLD) + 4
        for down, written in enumerate(WRITTEN):
            x, line = EDGE + number, y + down * 7
            for what, room in written:
                end = min(x + room, self.right)
                wide = paper.text(self.words.word("listing", what), x, line, BODY, ink=QUIET)
                paper.line([(x + wide + 2, line + 2), (end - 3, line + 2)], RULE, 0.3)
                x = end
        for at, (pool, (usual, most)) in enumerate(self.pools.items()):
            here = y + 16 + at * ROW
            name = self.words.word("pool", pool)
            paper.text(name[:1].upper() + name[1:], EDGE, here, BODY, room=NAMES - 2)
            for box in range(most):
                x, ink, thick = EDGE + NAMES + box * SIDE, INK if box < usual else RULE, 0.45 if box < usual else 0.25
                paper.rim(x, here - 2.5, SIDE - 1.2, 5.0, ink, thick)
