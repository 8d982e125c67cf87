"""The settings: every choice is seen at once, and followed as soon as it is made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.screens.app.screen import Screen
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CLOCK, VALUE, theme
from companion.screens.widgets.title_bar import HIGH, Title, TitleBar

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

SECONDS: Final = 5
"""One step of the shot clock."""
LONGEST: Final = 300
BLOCK: Final = 85
"""The height of a choice with its heading."""
KEY: Final = 52
GAP: Final = 8


class Choice(NamedTuple):
    """A setting and the values it may have; column and place on the screen."""

    name: str
    values: tuple[Any, ...]
    column: int
    row: int


CHOICES: Final = (
    Choice("language", ("en", "fr"), 0, 0),
    Choice("theme", ("dark", "daylight", "auto"), 0, 1),
    Choice("reduced_motion", (False, True), 0, 2),
    Choice("rotation", (0, 90, 180, 270), 0, 3),
    Choice("sound", ("off", "clock", "all", "spoken"), 1, 0),
    Choice("prices", ("always", "after", "never"), 1, 1),
)
SHARE: Final = 10
"""One step of what is set in per cent."""
STEPPED: Final = {"shot_clock": (1, 2), "brightness": (0, 4), "volume": (1, 4)}
"""What is set by − and +, and where; `shot_clock` in seconds, the others in per cent."""
MORE_PLACE: Final = (1, 3)


class SettingsScreen(Screen):
    """Choices as keys, the chosen one outlined; the shot clock as a stepper; touch check and status beside them."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self._bar = TitleBar(app.back)
        self.keys: dict[tuple[str, Any], Key] = {
            (choice.name, value): Key(on_tap=partial(self._choose, choice.name, value))
            for choice in CHOICES
            for value in choice.values
        }
        self.steps = {
            name: [
                Key(Face(icon=icon, look="option"), on_tap=partial(self._step, name, by), repeats=True)
                for icon, by in (("minus", -1), ("plus", 1))
            ]
            for name in STEPPED
        }
        self.less, self.more = self.steps["shot_clock"]
        self.ways = {
            "touch": Key(on_tap=lambda: app.go("touch")),
            "status": Key(on_tap=lambda: app.go("status")),
            "hall": Key(on_tap=lambda: app.go("hall")),
            "deleted": Key(on_tap=lambda: app.go("sheets", deleted=True)),
        }

    def _choose(self, name: str, value: Any) -> None:
        self.app.choose(**{name: value})
        self.look_again()

    def _step(self, name: str, by: int) -> None:
        now = getattr(self.app.kept.now, name)
        if name == "shot_clock":
            self._choose(name, min(max(now + by * SECONDS, 0), LONGEST))
        else:
            self._choose(name, min(max(now + by * SHARE, SHARE if name == "brightness" else 0), 100))

    # -- where everything is

    def _corner(self, column: int, row: int) -> tuple[float, float, float]:
        """Where a block begins, and how wide it is."""
        wide = (self.w - 36) / 2
        return 12 + column * (wide + 12), HIGH + 4 + row * BLOCK, wide

    def _in_a_row(self, keys: list[Key], column: int, row: int) -> None:
        x, y, wide = self._corner(column, row)
        self.put_rows(keys, x, y + 30, wide, KEY, gap=GAP)

    def arrange(self) -> None:
        self._bar.show(Title(text=self.say("settings.title")))
        self.put(self._bar, 0, 0, self.w, HIGH)
        chosen = self.app.kept.now
        for choice in CHOICES:
            now = getattr(chosen, choice.name)
            now = theme.language if choice.name == "language" else now
            for value in choice.values:
                label = self.say(f"settings.{choice.name}_is", value=value)
                self.keys[choice.name, value].show(Face(label=label, look="option", size=BODY, chosen=value == now))
            self._in_a_row([self.keys[choice.name, value] for value in choice.values], choice.column, choice.row)
        for name, way in self.ways.items():
            way.show(Face(label=self.say(f"settings.{name}"), look="quiet", size=BODY))
        self._in_a_row(list(self.ways.values()), *MORE_PLACE)
        for name, (less, more) in self.steps.items():
            x, y, wide = self._corner(*STEPPED[name])
            self.put(less, x, y + 30, 88, KEY)
            self.put(more, x + wide - 88, y + 30, 88, KEY)

    # -- what is drawn beneath

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        for choice in CHOICES:
            self._heading(pen, choice.name, choice.column, choice.row)
        self._heading(pen, "more", *MORE_PLACE)
        for name, place in STEPPED.items():
            self._heading(pen, name, *place)
            x, y, wide = self._corner(*place)
            value = getattr(self.app.kept.now, name)
            said = self.say(f"settings.{name}_is", value=value)
            size = CLOCK if value else VALUE
            pen.text(said, x + wide / 2, y + 30 + KEY / 2, size, "hi", align="centre", room=wide - 200)

    def _heading(self, pen: Pen, name: str, column: int, row: int) -> None:
        x, y, wide = self._corner(column, row)
        pen.text(self.say(f"settings.{name}"), x + 2, y + 15, BODY, "mid", SEMIBOLD, room=wide)
