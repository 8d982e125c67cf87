"""A form whose fields are all pools of the car, as columns with a key each."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.theme import NAME, VALUE, theme
from companion.screens.kit.touch import Target
from companion.view.race import intents
from companion.view.race.drafts import PoolForm
from companion.view.race.intents import Emit
from companion.view.shown import Column

BAND: Final = 288.0


class Less(Target):
    """A column that shows whether it was given points; each tap takes one back."""

    def paint(self, pen: Pen) -> None:
        if self.shown:
            pen.rim(0, 0, pen.w, pen.h, "mid" if self.pressed else "rim", 2, 8)
            pen.icon("minus", pen.w - 14, 14, 18, "mid")


class PoolSheet(Composed):
    """The form of a `PoolForm`, about 500 by 221 dp.

    Each tap on + gives a pool one point, which may cost more than one of the points available; each tap on the column
    takes one back.
    """

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)

    def compose(self, ui: Ui) -> None:
        if self.shown is None:
            return
        form: PoolForm = self.shown
        prompt = form.prompt
        fields = {field.name: field for field in prompt.fields}
        spent = sum(fields[pool].price for pool in form.given)
        left = prompt.most - spent if prompt.most else None
        foot = ui.area.cut_bottom(56)
        for area, column in zip(ui.area.columns(len(form.columns)), form.columns, strict=True):
            field, given = fields.get(column.pool), form.given.count(column.pool)
            can = field is not None and given < field.high and (left is None or left >= field.price)
            word = "" if can else theme.words.screen("pools.full" if column.left >= column.built else "pools.none")
            if field is not None and field.price > 1:
                word = theme.words.screen("pools.price", points=field.price)
            face = Face(icon="plus" if can else "", label=word, look="answer" if can else "barred")
            give = partial(self.emit, intents.GivePoint(column.pool)) if can else None
            area.cut_top(4)
            top, _, key = area.cut_top(85), area.cut_top(8), area.cut_top(56)
            ui.button(key, ("give", column.pool), face, give, means=field or "")
            less = ui.place(top, ui.named(("take", column.pool), Less))
            less.on_tap = partial(self.emit, intents.TakePoint(column.pool)) if given else None
            less.means = field or ""
            less.show(given > 0)
            self._column(ui.pen, top, column, given)
        note = "" if left is None else theme.words.screen("pools.left", points=left)
        if left and prompt.act is not None:
            note = f"{left} {prompt.act.note}"
        done = Face(label=theme.say("done"), note=note, size=NAME)
        ui.button(foot.cut_right(164), "done", done, partial(self.emit, intents.GiveDraft()), means="done")
        if prompt.most:
            for place in range(min(prompt.most, 8)):
                box = foot.cut_left(25).x, foot.y + 18, 20, 20
                ui.pen.fill(*box, "ok", 2) if place < spent else ui.pen.rim(*box, "rim", 1.5, 2)
            said = "pools.points" if any(field.price > 1 for field in prompt.fields) else "pools.repairs"
            ui.text(foot.inset(8), theme.words.screen(said, count=spent, of=prompt.most), NAME, weight=BOLD)

    @staticmethod
    def _column(pen: Pen, area: Area, column: Column, given: int) -> None:
        """Draw a pool's points, those given in green, with count and pictogram below."""
        (middle, _), wide, foot = area.middle, min(area.w - 32, 46.0), area.y + 52
        gap = 2.5 if column.built <= 6 else 1.0
        high = min(7.5, (56 + gap) / max(1, column.built) - gap)
        for point in range(column.built):
            box = (middle - wide / 2, foot - (point + 1) * (high + gap) + gap, wide, high)
            if point < column.left + given:
                pen.fill(*box, "hi" if point < column.left else "ok", 2)
            else:
                pen.rim(*box, "rim", 1.0 if high < 6 else 1.5, 2)
        count = column.left + given
        token = "ok" if given else "bad" if not count else "warn" if count == 1 else "hi"
        pen.text(str(count), middle - 6, foot + 22, VALUE, token, BOLD, "right")
        pen.icon(column.pool, middle + 14, foot + 22, 22, "mid")
