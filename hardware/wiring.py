"""The wiring: which button, lamp and buzzer is on which pin, and the die-roller's port. Read from `wiring.toml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Annotated, Final

import msgspec

from companion import whole_file
from companion.rules.conversation.errors import CompanionError

FILE: Final = "wiring.toml"

Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]

PULLED: Final = frozenset({2, 3})
"""Pins with a resistor of their own: a lamp would glow, a button be slow to let go."""
TAKEN: Final = {0: "HAT", 1: "HAT", 14: "console", 15: "console"}
"""Pins that the Pi uses itself, and what for."""


class BadWiring(CompanionError):
    """A wiring that cannot be: a pin used twice, or one that is not free."""


class Buttons(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The pin of each button; None: there is none."""

    up: Pin | None = None
    down: Pin | None = None
    confirm: Pin | None = None
    undo: Pin | None = None
    next: Pin | None = None
    clock: Pin | None = None


class Lamps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pins of the status lamp's colours, of the start lights in their order, and of the lamp for a wet track."""

    red: Pin | None = None
    green: Pin | None = None
    blue: Pin | None = None
    start: tuple[Pin, ...] = ()
    wet: Pin | None = None


class Sounder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pin of the buzzer."""

    pin: Pin | None = None


class Serial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The port of the die-roller: a device, or a URL of pyserial; "" for none."""

    port: str = ""


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is wired. `chip` is the number of the GPIO chip; -1: the one that calls itself the Pi's."""

    buttons: Buttons = Buttons()
    lamps: Lamps = Lamps()
    buzzer: Sounder = Sounder()
    roller: Serial = Serial()
    chip: Annotated[int, msgspec.Meta(ge=-1, le=99)] = -1

    def pins(self) -> Iterator[tuple[str, int]]:
        """Each part that is there, with its pin."""
        for group in (self.buttons, self.lamps):
            for name in group.__struct_fields__:
                value = getattr(group, name)
                if isinstance(value, tuple):
                    yield from ((f"{name} {place}", pin) for place, pin in enumerate(value, 1))
                elif value is not None:
                    yield name, value
        if self.buzzer.pin is not None:
            yield "buzzer", self.buzzer.pin

    @property
    def has_buttons(self) -> bool:
        """Whether there is any button, and not lamps alone."""
        return self.buttons != Buttons()

    def check(self) -> None:
        """Raises BadWiring for a pin that two parts share or that is not free, and for more than five start lights."""
        pins = list(self.pins())
        for pin, count in Counter(pin for _, pin in pins).items():
            if count > 1:
                parts = " and ".join(name for name, at in pins if at == pin)
                raise BadWiring(f"Pin {pin} is given to {parts}; each part has a pin of its own.")
        for name, pin in pins:
            if pin in TAKEN:
                raise BadWiring(f"{name} cannot be on pin {pin}, which is the Pi's own ({TAKEN[pin]}); take another.")
            if pin in PULLED:
                raise BadWiring(f"{name} cannot be on pin {pin}, which has a resistor of its own; take another.")
        if len(self.lamps.start) not in (0, 5):
            raise BadWiring(f"There are five start lights or none, not {len(self.lamps.start)}.")


def read(text: str) -> Wiring:
    """The wiring of a TOML text; raises BadWiring."""
    try:
        wiring = whole_file.toml(text, Wiring)
    except ValueError as wrong:
        first = str(wrong).splitlines()[0].rstrip(".")
        raise BadWiring(f"{FILE}: it cannot be read ({first}).") from None
    wiring.check()
    return wiring


def wiring(folder: Path | None = None) -> Wiring:
    """The wiring of a data folder, or the one that comes with the program; raises BadWiring."""
    if folder is not None and (folder / FILE).exists():
        try:
            text = whole_file.text(folder / FILE)
        except OSError as wrong:
            raise BadWiring(f"{FILE}: it cannot be read ({wrong.strerror}).") from None
        except ValueError as wrong:
            raise BadWiring(f"{FILE}: it cannot be read ({wrong}).") from None
        return read(text)
    return read(resources.files("hardware").joinpath(FILE).read_text(encoding="utf-8"))
