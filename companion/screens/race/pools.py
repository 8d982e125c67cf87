"""Points given back to a car's pools: a form of which every field is a pool, as columns with a key each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.rules.conversation.asking import Json
from companion.screens.widgets.compose import Area, Composed, Ui
from companion.screens.widgets.key import Face
from companion.screens.widgets.pen import BOLD, Pen
from companion.screens.widgets.theme import NAME, VALUE, theme
from companion.screens.widgets.touch import Target
from companion.view.shown import Column, Dashboard, Prompt, Shown

BAND: Final = 288.0


class Pools(Shown, frozen=True, kw_only=True):
    """A form of pools: the question and the car's columns as they are now."""

    prompt: Prompt
    columns: tuple[Column, ...]


def of(prompt: Prompt, dashboard: Dashboard | None) -> Pools | None:
    """The form as pools; None if it is about something else, or would take points as well as give them."""
    if prompt.layout != "form" or dashboard is None or not prompt.fields:
        return None
    pools = {column.pool for column in dashboard.columns}
    if all(field.name in pools and field.kind == "stepper" and not field.low for field in prompt.fields):
        return Pools(prompt=prompt, columns=dashboard.columns)
    return None


class Less(Target):
    """A column that was given points, which a tap takes back one by one; shows whether there are any."""

    def paint(self, pen: Pen) -> None:
        if self.shown:
            pen.rim(0, 0, pen.w, pen.h, "mid" if self.pressed else "rim", 2, 8)
            pen.icon("minus", pen.w - 14, 14, 18, "mid")


class PoolForm(Composed):
    """Shows `Pools`, about 500 by 221 dp: every tap on + gives one point to a pool, which may cost more than one of
    those that there are to give, and one on its column takes it back; `on_done(values)` gives the answer.

    `undo()` takes back the last point, and is False if there is none.
    """

    def __init__(self, on_done: Callable[[dict[str, Json]], object], **properties: Any) -> None:
        self.on_done = on_done
        self.given: list[str] = []
        super().__init__(**properties)

    def show(self, shown: Pools) -> None:
        """Show a form; what was given stays as long as it is the same question."""
        if self.shown is None or self.shown.prompt.key != shown.prompt.key:
            self.given = []
        super().show(shown)

    def values(self) -> dict[str, Json]:
        """Return what each pool is given."""
        return {pool: self.given.count(pool) for pool in dict.fromkeys(self.given)}

    def undo(self) -> bool:
        """Take back the last point."""
        there = bool(self.given)
        self._take(self.given[-1] if there else "")
        return there

    def _give(self, pool: str) -> None:
        self.given.append(pool)
        self.look_again()

    def _take(self, pool: str) -> None:
        if pool in self.given:
            del self.given[len(self.given) - 1 - self.given[::-1].index(pool)]
            self.look_again()

    def compose(self, ui: Ui) -> None:
        if self.shown is None:
            return
        prompt: Prompt = self.shown.prompt
        fields = {field.name: field for field in prompt.fields}
        spent = sum(fields[pool].price for pool in self.given)
        left = prompt.most - spent if prompt.most else None
        foot = ui.area.cut_bottom(56)
        for area, column in zip(ui.area.columns(len(self.shown.columns)), self.shown.columns, strict=True):
            field, given = fields.get(column.pool), self.given.count(column.pool)
            can = field is not None and given < field.high and (left is None or left >= field.price)
            word = "" if can else theme.words.screen("pools.full" if column.left >= column.built else "pools.none")
            if field is not None and field.price > 1:
                word = theme.words.screen("pools.price", points=field.price)
            face = Face(icon="plus" if can else "", label=word, look="answer" if can else "barred")
            give = partial(self._give, column.pool) if can else None
            area.cut_top(4)
            top, _, key = area.cut_top(85), area.cut_top(8), area.cut_top(56)
            ui.button(key, ("give", column.pool), face, give, means=field or "")
            less = ui.place(top, ui.named(("take", column.pool), Less))
            less.on_tap, less.means = partial(self._take, column.pool) if given else None, field or ""
            less.show(given > 0)
            self._column(ui.pen, top, column, given)
        note = "" if left is None else theme.words.screen("pools.left", points=left)
        if left and prompt.act is not None:
            note = f"{left} {prompt.act.note}"
        done = Face(label=theme.say("done"), note=note, size=NAME)
        ui.button(foot.cut_right(164), "done", done, lambda: self.on_done(self.values()), means="done")
        if prompt.most:
            for place in range(min(prompt.most, 8)):
                box = foot.cut_left(25).x, foot.y + 18, 20, 20
                ui.pen.fill(*box, "ok", 2) if place < spent else ui.pen.rim(*box, "rim", 1.5, 2)
            said = "pools.points" if any(field.price > 1 for field in prompt.fields) else "pools.repairs"
            ui.text(foot.inset(8), theme.words.screen(said, count=spent, of=prompt.most), NAME, weight=BOLD)

    @staticmethod
    def _column(pen: Pen, area: Area, column: Column, given: int) -> None:
        """A column of points with those given back in green, its count and pictogram in one line below."""
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
