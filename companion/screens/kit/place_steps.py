"""A space of the track, chosen by the parts of its name: section, lane, number."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.key import Face, Key
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD
from companion.screens.kit.theme import CAPTION, NAME, theme
from companion.view.setup.places import beside, parts
from companion.view.shown import Field

HIGH: Final = 80.0
KEY: Final = 52.0
GAP: Final = 12.0
MANY: Final = 2
"""Number of chosen places in a row."""


class PlaceSteps(Composed):
    """Chooser of a `Field` of kind "place"; `on_change(place)` for each new space.

    The name and the space in words, and below them each part of the space's name between − and +, which repeat while
    held.
    """

    def __init__(self, on_change: Callable[[str], object] | None = None, **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change
        self.value: str | None = None
        self.names: list[str] = []

    def show(self, field: Field) -> None:
        """Show a field; a new field resets the value."""
        if field != self.shown:
            self.value = field.value if isinstance(field.value, str) else None
            self.names = [str(key.answer) for key in field.keys]
        super().show(field)

    def _step(self, part: int, by: int) -> None:
        found = beside(self.names, self.value, part, by)
        if found is not None:
            self.value = found
            self.look_again()
            if self.on_change is not None:
                self.on_change(found)

    def _can(self, part: int, by: int) -> bool:
        return beside(self.names, self.value, part, by) is not None

    def compose(self, ui: Ui) -> None:
        if self.shown is None:
            return
        said = next((key.label for key in self.shown.keys if key.answer == self.value), "–")
        ui.pen.text(f"{self.shown.label} · {said}", 2, 13, CAPTION, "mid", room=self.w - 2)
        most = max((len(parts(name)) for name in self.names), default=1)
        cells = ui.area.cut_bottom(KEY).columns(most, GAP)
        for cell, (part, name) in zip(cells, enumerate(parts(self.value) if self.value else ("–",)), strict=False):
            ui.steps(cell, part, KEY, partial(self._step, part), partial(self._can, part))
            ui.text(cell.inset(4), _part_text(name), NAME, weight=BOLD, align="centre")


def _part_text(part: str) -> str:
    """Return a part of a space's name in words."""
    words = theme.words
    return words.words_of("lane").get(part) or words.words_of("where").get(part) or part


class Places(Pane):
    """Chooser of a `Field` of kind "places"; `on_change(places)` with the new list.

    A space to choose and add, and a key for each one in the list, to remove it.
    """

    def __init__(self, on_change: Callable[[list[str]], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change
        self.value: list[str] = []
        self.place = PlaceSteps(lambda _: self.look_again())
        self.add = Key(on_tap=self._add)
        self.keys: dict[str, Key] = {}

    def show(self, field: Field) -> None:
        """Show a field; a new field resets the list."""
        if field != self.shown:
            self.value = list(field.value) if isinstance(field.value, list) else []
        super().show(field)

    def high(self) -> float:
        """Return the current height, in dp."""
        return self.room(len(self.value))

    @staticmethod
    def room(chosen: int) -> float:
        """Return the height with some spaces chosen, in dp."""
        return HIGH + 60.0 * -(-chosen // MANY)

    def _add(self) -> None:
        if self.place.value is not None and self.place.value not in self.value:
            self._changed([*self.value, self.place.value])

    def _changed(self, value: list[str]) -> None:
        self.value = value
        self.look_again()
        self.on_change(value)

    def arrange(self) -> None:
        field: Field | None = self.shown
        if field is None:
            return
        self.place.show(Field(name=field.name, label=field.label, kind="place", value=None, keys=field.keys))
        self.put(self.place, 0, 0, self.w - KEY - GAP, HIGH)
        can = self.place.value is not None and self.place.value not in self.value
        self.add.show(Face(icon="check", look="option" if can else "barred"))
        self.put(self.add, self.w - KEY, HIGH - KEY, KEY, KEY)
        for name in [name for name in self.keys if name not in self.value]:
            self.remove_widget(self.keys.pop(name))
        said = {key.answer: key.label for key in field.keys}
        for name in self.value:
            key = self.keys.setdefault(name, Key(on_tap=partial(self._take_out, name)))
            key.show(Face(label=said.get(name, name), icon="cross", look="option", chosen=True))
        self.put_rows([self.keys[name] for name in self.value], 0, HIGH + 8, self.w, KEY, across=MANY)

    def _take_out(self, name: str) -> None:
        self._changed([one for one in self.value if one != name])
