"""Following the board of a trial by touch: the gear, the face and the space of each throw, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.rules.circuit.track import Track
from companion.rules.conversation.faces import FACES
from companion.screens.board.view import Board
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, SMALL, TITLE, theme
from companion.view.commissioner.followed import FindingShown
from companion.view.commissioner.trials import TrialShown
from companion.view.shown import Price
from companion.view.shown_board import BoardScene, CarMark, SpaceMark

Act = Callable[[Callable[[Any], Any]], None]

HIGH: Final = 52.0
GAP: Final = 8.0
LABEL: Final = 26.0
"""The height of a line over the keys."""
ROW: Final = 66.0


class FindingView(RowView):
    """Draws a `FindingShown`."""

    def draw(self, pen: Pen, shown: FindingShown) -> None:
        if shown.chosen:
            self.choose(pen, "warn")
        price = pen.text(shown.price, pen.w - 12, pen.h / 2 - 11, TITLE, "warn", BOLD, "right")
        pen.text(shown.title, 14, pen.h / 2 - 11, BODY, "hi", BOLD, room=pen.w - 36 - price)
        pen.text(shown.note, 14, pen.h / 2 + 13, SMALL, "mid", SEMIBOLD, room=pen.w - 26)


class Following:
    """The part of a trial's screen that follows the car. `act` does something to the desk without a sound, `again` has
    the screen laid out anew; `track` is the circuit, None where nobody can follow a car."""

    def __init__(self, act: Act, again: Callable[[], object]) -> None:
        self.act, self.again = act, again
        self.track: Track | None = None
        self.on = False
        """Whether the board is seen in the place of the clock."""
        self.listing = False
        """Whether the findings are seen in the place of the times."""
        self.gear = self.face = self.chosen = 0
        self.board = Board(on_space=self._landed)
        self.gears = {gear: Key(on_tap=partial(self._choose_gear, gear)) for gear in FACES}
        self.faces = [Key() for _ in range(10)]
        self.key, self.accept, self.reject = Key(on_tap=self._toggle), Key(), Key()
        self.rows = Rows(FindingView, self._choose, high=ROW)
        self.accept.on_tap, self.reject.on_tap = partial(self._judge, True), partial(self._judge, False)

    # -- what fingers and the roller do

    def _toggle(self) -> None:
        self.on = not self.on
        self.again()

    def show_findings(self) -> None:
        """Shows the findings, or the times again."""
        self.listing, self.chosen = not self.listing, 0
        self.again()

    def _choose_gear(self, gear: int) -> None:
        self.gear, self.face = gear, 0
        self.again()

    def _choose_face(self, face: int) -> None:
        self.face = 0 if self.face == face else face
        self.again()

    def rolled(self, face: int, die: str) -> None:
        """The roller says gear and face; only the space is still to be touched."""
        if die.isdecimal() and int(die) in FACES:
            self.gear, self.face = int(die), face
            self.again()

    def _landed(self, space: str) -> None:
        gear, face = self.gear or 1, self.face
        self.face = 0
        self.act(lambda desk: desk.follow(gear, face, space))

    def _choose(self, place: int) -> None:
        self.chosen = place
        self.again()

    def _judge(self, accepted: bool) -> None:
        n, self.chosen = self.chosen + 1, 0
        self.act(lambda desk: desk.judge(n, accepted))

    # -- where everything is

    def _reach(self, track: Track, at: str) -> tuple[SpaceMark, ...]:
        """How far the face goes straight on, or the least and the most of the die, so that all of it is in sight."""
        marks, space = [], track.ids[at]
        faces = (self.face,) if self.face else FACES[self.gear]
        for distance in range(1, faces[-1] + 1):
            space = track.ahead[space] if space >= 0 else -1
            if space >= 0 and distance in (faces[0], faces[-1]):
                marks.append(SpaceMark(space=track.spaces[space].name, state="ahead", text=str(distance)))
        return tuple(marks)

    def arrange(self, now: TrialShown, screen: Pane, left: float, right: float, top: float, foot: float) -> list[Any]:
        """Lays out the board, `left` dp wide, and beside it the keys of the throw that was seen, `right` dp wide."""
        followed, say = now.followed, theme.words.screen
        if followed is None or self.track is None:
            return []
        self.gear = self.gear or followed.gear or 1
        cars = (CarMark(plate=now.plate, space=followed.at, state="playing"),) if now.plate is not None else ()
        screen.put(self.board, 0, 96, left, foot - 96)
        scene = BoardScene(close="roll", around=followed.at, cars=cars, spaces=self._reach(self.track, followed.at))
        self.board.show(self.track, scene)
        for gear, key in self.gears.items():
            label = say("trial.follow_key", gear=gear)
            key.show(Face(label=label, look="option", size=TITLE, chosen=gear == self.gear))
        screen.put_rows(self.gears.values(), left + 12, top, right - 24, HIGH, across=3, gap=GAP)
        faces = self.faces[: len(FACES[self.gear])]
        for face, key in zip(FACES[self.gear], faces, strict=True):
            key.show(Face(label=str(face), look="option", size=TITLE, chosen=face == self.face))
            key.on_tap = partial(self._choose_face, face)
        below = top + 2 * (HIGH + GAP) - GAP + LABEL
        screen.put_rows(faces, left + 12, below, right - 24, HIGH, across=4, gap=GAP)
        return [self.board, *self.gears.values(), *faces]

    def arrange_key(self, screen: Pane, x: float, y: float, wide: float) -> Key:
        """Lays out the key that shows the board, or the clock again."""
        label = theme.words.screen("trial.key_clock" if self.on else "trial.key_board")
        self.key.show(Face(label=label, look="option", icon="clock" if self.on else "circuit"))
        screen.put(self.key, x, y, wide, HIGH)
        return self.key

    def arrange_findings(self, now: TrialShown, screen: Pane, x: float, wide: float, foot: float) -> list[Any]:
        """Lays out the findings with Accept and Reject."""
        found = now.followed.found if now.followed is not None else ()
        self.chosen = min(self.chosen, max(0, len(found) - 1))
        self.rows.show(tuple(
            FindingShown(title=one.title, note=one.note, price=one.price, chosen=at == self.chosen)
            for at, one in enumerate(found)
        ))  # fmt: skip
        screen.put(self.rows, x, 78, wide, foot - 78 - 84)
        price = found[self.chosen].price if found else ""
        say = theme.words.screen
        self.reject.show(Face(label=say("trial.key_reject"), look="option", size=TITLE))
        self.accept.show(
            Face(label=say("trial.key_accept"), look="option", size=TITLE, prices=(Price(text=price, tone="warn"),))
        )
        screen.put_rows((self.reject, self.accept), x + 12, foot - 76, wide - 24, 64)
        return [self.rows, self.reject, self.accept]

    def paint(self, pen: Pen, left: float, right: float, top: float) -> None:
        """Writes over the keys what they are."""
        say = theme.words.screen
        pen.text(say("trial.follow_gear"), left + 12, top - 14, SMALL, "mid", SEMIBOLD, room=right - 24)
        y = top + 2 * (HIGH + GAP) - GAP + LABEL / 2
        pen.text(say("trial.follow_face"), left + 12, y, SMALL, "mid", SEMIBOLD, room=right - 24)
        pen.text("1-2-2", left + right - 12, y, CAPTION, "low", SEMIBOLD, "right")
