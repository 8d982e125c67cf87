"""Points given back to a car's pools: a form of which every field is a pool, as columns with a key each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.rules.conversation.asking import Json
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, Pen
from companion.screens.widgets.theme import BODY, NAME, VALUE, theme
from companion.screens.widgets.touch import Target
from companion.view.shown import Column, Dashboard, Prompt, Shown

BAND: Final = 288.0
KEYS: Final = 97.0
"""How far from the top the keys are."""
HIGH: Final = 56.0
FOOT: Final = 56.0
COLUMN: Final = 56.0
COUNT: Final = 78.0


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


class PoolForm(Pane):
    """Shows `Pools`, about 500 by 221 dp: every tap on + gives one point to a pool, which may cost more than one of
    those that there are to give, and one on its column takes it back; `on_done(values)` gives the answer.

    `undo()` takes back the last point, and is False if there is none.
    """

    def __init__(self, on_done: Callable[[dict[str, Json]], object], **properties: Any) -> None:
        self.on_done = on_done
        self.given: list[str] = []
        super().__init__(**properties)
        self.keys: list[Key] = []
        self.less: list[Less] = []
        self.done = Key(on_tap=lambda: self.on_done(self.values()), means="done")

    def show(self, shown: Pools) -> None:
        """Shows a form; what was given stays as long as it is the same question."""
        if self.shown is None or self.shown.prompt.key != shown.prompt.key:
            self.given = []
        super().show(shown)

    def values(self) -> dict[str, Json]:
        """What each pool is given."""
        return {pool: self.given.count(pool) for pool in dict.fromkeys(self.given)}

    def undo(self) -> bool:
        """Takes back the last point."""
        if not self.given:
            return False
        self.given.pop()
        self.look_again()
        return True

    @property
    def left(self) -> int:
        """How many points can still be given."""
        most = self.shown.prompt.most if self.shown is not None else 0
        return most - self.spent if most else 99

    @property
    def spent(self) -> int:
        """What the points given so far cost."""
        prices = {field.name: field.price for field in self.shown.prompt.fields}
        return sum(prices[pool] for pool in self.given)

    def _give(self, pool: str) -> None:
        self.given.append(pool)
        self.look_again()

    def _take(self, pool: str) -> None:
        """Takes back a point of a pool."""
        if pool in self.given:
            del self.given[len(self.given) - 1 - self.given[::-1].index(pool)]
            self.look_again()

    def _pitch(self) -> float:
        return (self.w + 8) / max(1, len(self.shown.columns))

    def arrange(self) -> None:
        if self.shown is None:
            return
        columns: tuple[Column, ...] = self.shown.columns
        fields = {field.name: field for field in self.shown.prompt.fields}
        self.as_many(self.keys, len(columns), Key)
        for key, column in zip(self.keys, columns, strict=True):
            field = fields.get(column.pool)
            can = field is not None and self.given.count(field.name) < field.high and self.left >= field.price
            key.on_tap = partial(self._give, column.pool) if can else None
            key.means = field or ""
            word = theme.words.screen("pools.full" if column.left >= column.built else "pools.none")
            if field is not None and field.price > 1:
                word = theme.words.screen("pools.price", points=field.price)
            elif can:
                word = ""
            key.show(Face(icon="plus" if can else "", label=word, look="answer" if can else "barred", size=BODY))
        self.put_rows(self.keys, 0, KEYS, self.w, HIGH)
        self.as_many(self.less, len(columns), Less)
        for less, column in zip(self.less, columns, strict=True):
            given = column.pool in self.given
            less.on_tap = partial(self._take, column.pool) if given else None
            less.means = fields.get(column.pool, "")
            less.show(given)
        self.put_rows(self.less, 0, 4, self.w, KEYS - 12)
        self.put(self.done, self.w - 164, self.h - FOOT, 164, FOOT)
        act = self.shown.prompt.act
        note = theme.words.screen("pools.left", points=self.left) if self.left < 99 else ""
        if act is not None and 0 < self.left < 99:
            note = f"{self.left} {act.note}"
        self.done.show(Face(label=theme.say("done"), note=note, size=NAME))

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        pitch = self._pitch()
        for at, column in enumerate(self.shown.columns):
            count = self.given.count(column.pool)
            middle = at * pitch + (pitch - 8) / 2
            self._column(pen, column, count, middle, pitch - 40)
        most = self.shown.prompt.most
        if most:
            y = pen.h - FOOT / 2
            x = 0.0
            for place in range(min(most, 8)):
                if place < self.spent:
                    pen.fill(x, y - 10, 20, 20, "ok", 2)
                else:
                    pen.rim(x, y - 10, 20, 20, "rim", 1.5, 2)
                x += 25
            dear = any(field.price > 1 for field in self.shown.prompt.fields)
            said = theme.words.screen("pools.points" if dear else "pools.repairs", count=self.spent, of=most)
            pen.text(said, x + 8, y, NAME, "hi", BOLD, room=pen.w - 180 - x)

    @staticmethod
    def _column(pen: Pen, column: Column, given: int, middle: float, wide: float) -> None:
        """A column of points with those given back in green, its count and pictogram in one line below."""
        wide = min(wide, 46.0)
        gap = 2.5 if column.built <= 6 else 1.0
        high = min(7.5, (COLUMN + gap) / max(1, column.built) - gap)
        for point in range(column.built):
            box = (middle - wide / 2, COLUMN - (point + 1) * (high + gap) + gap, wide, high)
            if point < column.left:
                pen.fill(*box, "hi", 2)
            elif point < column.left + given:
                pen.fill(*box, "ok", 2)
            else:
                pen.rim(*box, "rim", 1.0 if high < 6 else 1.5, 2)
        count = column.left + given
        token = "ok" if given else "bad" if not count else "warn" if count == 1 else "hi"
        pen.text(str(count), middle - 6, COUNT, VALUE, token, BOLD, "right")
        pen.icon(column.pool, middle + 14, COUNT, 22, "mid")
