"""Following a trial on the board by touch: gear, face and space of each throw.

The findings of the lap are listed here too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from companion.rules.circuit.track import Track
from companion.rules.conversation.faces import FACES
from companion.screens.board.view import BoardView
from companion.screens.kit.compose import Area, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, SMALL, TITLE, theme
from companion.view.events.followed import FindingShown
from companion.view.events.trials import TrialShown
from companion.view.shown import Price
from companion.view.shown_board import BoardScene, CarMark, SpaceMark

Act = Callable[[Callable[[Any], Any]], None]

HIGH: Final = 52.0
GAP: Final = 8.0
LABEL: Final = 26.0
"""Height of a line over the keys, in dp."""
ROW: Final = 66.0


class FindingView(RowView):
    """Row of a `FindingShown`."""

    def draw(self, pen: Pen, shown: FindingShown) -> None:
        if shown.chosen:
            self.choose(pen, "warn")
        price = pen.text(shown.price, pen.w - 12, pen.h / 2 - 11, TITLE, "warn", BOLD, "right")
        pen.text(shown.title, 14, pen.h / 2 - 11, BODY, "hi", BOLD, room=pen.w - 36 - price)
        pen.text(shown.note, 14, pen.h / 2 + 13, SMALL, "mid", SEMIBOLD, room=pen.w - 26)


class Following:
    """The part of a trial's screen that follows the car.

    `act` does something at the desk without a sound, `again` composes the screen again; `track` is the circuit, None
    if no car can be followed on it.
    """

    def __init__(self, act: Act, again: Callable[[], object]) -> None:
        self.act, self.again = act, again
        self.track: Track | None = None
        self.on = False
        """True if the board is shown in place of the clock."""
        self.listing = False
        """True if the findings are shown in place of the times."""
        self.gear = self.face = self.chosen = 0
        self._board = BoardView(on_space=self._landed)

    # -- what fingers and the roller do

    def _toggle(self) -> None:
        self.on = not self.on
        self.again()

    def show_findings(self) -> None:
        """Toggle between findings and times."""
        self.listing, self.chosen = not self.listing, 0
        self.again()

    def _choose_gear(self, gear: int) -> None:
        self.gear, self.face = gear, 0
        self.again()

    def _choose_face(self, face: int) -> None:
        self.face = 0 if self.face == face else face
        self.again()

    def rolled(self, face: int, die: str) -> None:
        """Take gear and face from the roller; only the space is still to be touched."""
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

    # -- what is shown

    def _reach(self, track: Track, at: str) -> tuple[SpaceMark, ...]:
        """Return marks for the reach of the face straight on, or of the die's extremes.

        They keep the whole reach in view.
        """
        marks, space = [], track.ids[at]
        faces = (self.face,) if self.face else FACES[self.gear]
        for distance in range(1, faces[-1] + 1):
            space = track.ahead[space] if space >= 0 else -1
            if space >= 0 and distance in (faces[0], faces[-1]):
                marks.append(SpaceMark(space=track.spaces[space].name, state="ahead", text=str(distance)))
        return tuple(marks)

    def compose_board(self, ui: Ui, area: Area, now: TrialShown) -> None:
        """Compose the board around the car; a tap on a space is the landing."""
        followed = now.followed
        if followed is None or self.track is None:
            return
        self.gear = self.gear or followed.gear or 1
        cars = (CarMark(plate=now.plate, space=followed.at, state="playing"),) if now.plate is not None else ()
        scene = BoardScene(close="roll", around=followed.at, cars=cars, spaces=self._reach(self.track, followed.at))
        ui.place(area, self._board).show(self.track, scene)

    def compose_throw(self, ui: Ui, area: Area) -> None:
        """Compose gear and face of the throw, and the key back to the clock."""
        self.compose_key(ui, area.cut_bottom(68).inset(12, 8))
        say, column = theme.words.screen, area.inset(12)
        label = column.cut_top(36)
        ui.pen.text(say("trial.follow_gear"), label.x, label.y + 22, SMALL, "mid", SEMIBOLD, room=label.w)
        for cell, gear in zip(column.cut_top(2 * HIGH + GAP).cells(len(FACES), 3, HIGH, GAP), FACES, strict=True):
            face = Face(label=say("trial.follow_key", gear=gear), look="option", size=TITLE, chosen=gear == self.gear)
            ui.button(cell, ("gear", gear), face, partial(self._choose_gear, gear))
        label = column.cut_top(LABEL)
        ui.pen.text(say("trial.follow_face"), label.x, label.middle[1], SMALL, "mid", SEMIBOLD, room=label.w)
        ui.pen.text("1-2-2", label.right, label.middle[1], CAPTION, "low", SEMIBOLD, "right")
        faces = FACES[self.gear]
        for cell, number in zip(column.cells(len(faces), 4, HIGH, GAP), faces, strict=True):
            face = Face(label=str(number), look="option", size=TITLE, chosen=number == self.face)
            ui.button(cell, ("face", number), face, partial(self._choose_face, number))

    def compose_key(self, ui: Ui, area: Area) -> None:
        """Compose the key that toggles between board and clock."""
        label = theme.words.screen("trial.key_clock" if self.on else "trial.key_board")
        ui.button(area, "board", Face(label=label, look="option", icon="clock" if self.on else "circuit"), self._toggle)

    def compose_findings(self, ui: Ui, area: Area, found: tuple[FindingShown, ...]) -> None:
        """Compose the findings with Accept and Reject."""
        say, self.chosen = theme.words.screen, min(self.chosen, max(0, len(found) - 1))
        keys = area.cut_bottom(84).inset(12, 8).cut_top(64).columns(2)
        rows = ui.place(area, ui.named("findings", partial(Rows, FindingView, on_row=self._choose, high=ROW)))
        rows.show([replace(one, chosen=at == self.chosen) for at, one in enumerate(found)])
        price = Price(text=found[self.chosen].price if found else "", tone="warn")
        reject = Face(label=say("trial.key_reject"), look="option", size=TITLE)
        accept = Face(label=say("trial.key_accept"), look="option", size=TITLE, prices=(price,))
        ui.button(keys[0], "reject", reject, partial(self._judge, False))
        ui.button(keys[1], "accept", accept, partial(self._judge, True))
