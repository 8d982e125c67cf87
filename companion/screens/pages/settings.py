"""The settings: every choice is visible, and takes effect when it is made."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.screens.app.screen import Screen
from companion.screens.kit.compose import Act, Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.theme import BODY, CLOCK, VALUE, theme

CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "language": ("en", "fr"),
    "theme": ("dark", "daylight", "auto"),
    "reduced_motion": (False, True),
    "rotation": (0, 90, 180, 270),
    "sound": ("off", "clock", "all", "spoken"),
    "prices": ("always", "after", "never"),
}
STEPS: Final = {
    "shot_clock": (0, 300, 5),
    "brightness": (10, 100, 10),
    "volume": (0, 100, 10),
    "dim_minutes": (0, 240, 5),
    "sleep_minutes": (0, 240, 5),
}
"""Settings with figures: minimum, maximum and step, in seconds, per cent or minutes."""
COLUMNS: Final = (
    ("language", "theme", "reduced_motion", "rotation", "brightness", "dim_minutes"),
    ("sound", "volume", "prices", "shot_clock", "more", "sleep_minutes"),
)


class SettingsScreen(Composed, Screen):
    """The settings, and the ways to the screens about the machine.

    Choices are keys, the current one outlined; figures have − and +.
    """

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        ui.title(self.say("settings.title"), self.app.back)
        for column, names in zip(ui.area.inset(12, 10).columns(2, 12), COLUMNS, strict=True):
            for block, name in zip(column.rows(len(names), 70, 0), names, strict=True):
                ui.text(block.cut_top(22).inset(2), self.say(f"settings.{name}"), BODY, "mid")
                row = block.cut_top(48)
                if name in CHOICES:
                    self._choices(ui, row, name)
                elif name in STEPS:
                    self._figure(ui, row, name)
                else:
                    self._ways(ui, row)

    def _choices(self, ui: Ui, row: Area, name: str) -> None:
        now = theme.language if name == "language" else getattr(self.app.kept.now, name)
        for cell, value in zip(row.columns(len(CHOICES[name])), CHOICES[name], strict=True):
            label = self.say(f"settings.{name}_is", value=value)
            face = Face(label=label, look="option", size=BODY, chosen=value == now)
            ui.button(cell, (name, value), face, partial(self._choose, name, value))

    def _figure(self, ui: Ui, row: Area, name: str) -> None:
        for cell, icon, by in ((row.cut_left(88), "minus", -1), (row.cut_right(88), "plus", 1)):
            act = partial(self._step, name, by)
            ui.button(cell, (name, icon), Face(icon=icon, look="option"), act, repeats=True)
        now = getattr(self.app.kept.now, name)
        ui.text(row.inset(12), self.say(f"settings.{name}_is", value=now), CLOCK if now else VALUE, align="centre")

    def _ways(self, ui: Ui, row: Area) -> None:
        go = self.app.go
        ways: dict[str, Act] = {"touch": lambda: go("touch"), "status": lambda: go("status")}
        ways |= {"hall": lambda: go("hall"), "deleted": lambda: go("sheets", deleted=True)}
        for cell, (name, act) in zip(row.columns(len(ways)), ways.items(), strict=True):
            ui.button(cell, name, Face(label=self.say(f"settings.{name}"), look="quiet"), act)

    def _choose(self, name: str, value: Any) -> None:
        self.app.choose(**{name: value})
        self.look_again()

    def _step(self, name: str, by: int) -> None:
        least, most, step = STEPS[name]
        self._choose(name, min(max(getattr(self.app.kept.now, name) + by * step, least), most))
