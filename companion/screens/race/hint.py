"""The hint card: the champion's answer, why, and what the others lose."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD
from companion.screens.kit.theme import BODY, NAME, QUESTION, SMALL, TITLE
from companion.view.race import intents
from companion.view.race.intents import Emit

HEAD: Final = 44.0
PAD: Final = 13.0
HIDE: Final = 52.0
TAKE: Final = 88.0
ROW: Final = 25.0


class HintPane(Composed):
    """A pane that shows a hint: (`HintShown`, labels of its keys, column headings).

    The pane covers what is underneath.
    """

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)

    def on_touch_down(self, touch: Any) -> bool:
        return bool(super().on_touch_down(touch)) or bool(self.collide_point(*touch.pos))

    def compose(self, ui: Ui) -> None:
        area, pen = ui.area, ui.pen
        ui.fill(area, "bg2")
        pen.fill(0, 0, 3, pen.h, "info")
        if self.shown is None:
            return
        hint, (take, hide), (turns, wins) = self.shown
        head = area.cut_top(HEAD).inset(PAD)
        ui.icon(head.cut_left(20), "bulb", 20, "info")
        left = ui.text(head, hint.left, SMALL, "mid", align="right")
        head.cut_right(left + 8)
        head.cut_left(10)
        ui.text(head, hint.title, BODY, weight=BOLD, cut=True)
        pen.fill(3, HEAD, pen.w - 3, 1, "line")
        area.cut_bottom(8)
        face = Face(label=take, prices=hint.act.prices, size=QUESTION if len(take) < 10 else TITLE)
        act = area.cut_bottom(TAKE).inset(PAD)
        ui.button(act, "take", face, partial(self.emit, intents.TakeHint()), means="hint")
        area.cut_bottom(8)
        close = area.cut_bottom(HIDE).inset(PAD)
        face = Face(label=hide, look="quiet", size=BODY)
        ui.button(close, "hide", face, partial(self.emit, intents.HideHint()), means="close")
        area.cut_bottom(8)
        area = area.inset(PAD)
        lost = area.cut_bottom((len(hint.rows) + 1) * ROW if hint.rows else 0)
        ui.text(area.cut_top(48), hint.best, TITLE, weight=BOLD, cut=True)
        lines = max(1, int(area.h // 20))
        pen.paragraph(hint.why, area.x, area.y + 6, SMALL, area.w, "mid", SEMIBOLD, lines)
        if not hint.rows:
            return
        pen.fill(3, lost.y - 2, pen.w - 3, 1, "line")
        heading, *rows = lost.rows(len(hint.rows) + 1, ROW, 0)
        ui.text(heading, turns, SMALL, "mid")
        ui.text(heading, wins, SMALL, "mid", align="right")
        for line, row in zip(rows, hint.rows, strict=True):
            ui.text(line.cut_left(42), row.label, NAME, weight=BOLD, cut=True)
            ui.text(line.cut_right(44), row.wins, SMALL, "mid", align="right")
            wide = ui.text(line, row.lost, SMALL, "warn" if row.part else "ok", BOLD, "right")
            line.cut_right(max(wide, 40) + 10)
            line.cut_left(6)
            bar = line.inset(0, line.h / 2 - 4)
            ui.fill(bar, "bg4", 2)
            ui.fill(bar.cut_left(bar.w * row.part), "warn", 2)
