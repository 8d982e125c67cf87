"""The hint card: the champion's answer, why, and what the others lose."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import BODY, NAME, QUESTION, SMALL, TITLE
from companion.view.race import intents
from companion.view.race.intents import Emit

HEAD: Final = 44.0
PAD: Final = 13.0
HIDE: Final = 52.0
TAKE: Final = 88.0
ROW: Final = 25.0


class HintPane(Pane):
    """A pane that shows a hint: (`HintShown`, labels of its keys, column headings).

    The pane covers what is underneath.
    """

    def __init__(self, emit: Emit, **properties: Any) -> None:
        super().__init__(**properties)
        self.take = Key(on_tap=partial(emit, intents.TakeHint()), means="hint")
        self.hide = Key(on_tap=partial(emit, intents.HideHint()), means="close")

    def on_touch_down(self, touch: Any) -> bool:
        return bool(super().on_touch_down(touch)) or bool(self.collide_point(*touch.pos))

    def arrange(self) -> None:
        if self.shown is None:
            return
        hint, (take, hide), _ = self.shown
        wide = self.w - 2 * PAD
        self.take.show(Face(label=take, prices=hint.act.prices, size=QUESTION if len(take) < 10 else TITLE))
        self.put(self.take, PAD, self.h - TAKE - 8, wide, TAKE)
        self.hide.show(Face(label=hide, look="quiet", size=BODY))
        self.put(self.hide, PAD, self.h - TAKE - HIDE - 16, wide, HIDE)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg2")
        pen.fill(0, 0, 3, pen.h, "info")
        if self.shown is None:
            return
        hint, _, (turns, wins) = self.shown
        room, right = pen.w - 2 * PAD, pen.w - PAD
        pen.icon("bulb", PAD + 10, HEAD / 2, 20, "info")
        left = pen.text(hint.left, right, HEAD / 2, SMALL, "mid", SEMIBOLD, "right")
        pen.text(hint.title, PAD + 30, HEAD / 2, BODY, "hi", BOLD, room=room - 38 - left, cut=True)
        pen.fill(3, HEAD, pen.w - 3, 1, "line")
        pen.text(hint.best, PAD, HEAD + 24, TITLE, "hi", BOLD, room=room, cut=True)
        foot = pen.h - TAKE - HIDE - 24 - (len(hint.rows) + 1) * ROW * bool(hint.rows)
        lines = max(1, int((foot - HEAD - 48) // 20))
        pen.paragraph(hint.why, PAD, HEAD + 54, SMALL, room, "mid", SEMIBOLD, lines)
        if not hint.rows:
            return
        pen.fill(3, foot - 2, pen.w - 3, 1, "line")
        y = foot + ROW / 2
        pen.text(turns, PAD, y, SMALL, "mid", SEMIBOLD)
        pen.text(wins, right, y, SMALL, "mid", SEMIBOLD, "right")
        for row in hint.rows:
            y += ROW
            pen.text(row.label, PAD, y, NAME, "hi", BOLD, room=42, cut=True)
            pen.text(row.wins, right, y, SMALL, "mid", SEMIBOLD, "right")
            lost = pen.text(row.lost, right - 44, y, SMALL, "warn" if row.part else "ok", BOLD, "right")
            left, wide = PAD + 48, right - 44 - max(lost, 40) - 10 - PAD - 48
            pen.fill(left, y - 4, wide, 8, "bg4", 2)
            pen.fill(left, y - 4, wide * row.part, 8, "warn", 2)
