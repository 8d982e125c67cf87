"""The wiring: which button, lamp and buzzer is on which pin, and the die-roller's port. Read from `wiring.toml`."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Final

import msgspec

from companion import whole_file
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.typed import converted

FILE: Final = "wiring.toml"

Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]

PULLED: Final = frozenset({2, 3})
"""Pins with a resistor of their own: a lamp would glow, a button be slow to let go."""
TAKEN: Final = {0: "HAT", 1: "HAT", 14: "console", 15: "console"}
"""Pins that the Pi uses itself, and what for."""


HEADER: Final[Mapping[int, int]] = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The pin of the header, as people count them, on which each GPIO is."""


class BadWiring(CompanionError):
    """A wiring that cannot be: a pin used twice, one that is not free, or a file that cannot be read."""


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
    """Everything that is wired. `chip` is the number of the GPIO chip; -1: the one that calls itself the Pi's; a path:
    the socket of buttons that are simulated."""

    buttons: Buttons = Buttons()
    lamps: Lamps = Lamps()
    buzzer: Sounder = Sounder()
    roller: Serial = Serial()
    chip: Annotated[int, msgspec.Meta(ge=-1, le=99)] | Annotated[str, msgspec.Meta(pattern="^/")] = -1

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

    @property
    def on_pi(self) -> tuple[bool, int, str]:
        """Whether buttons or lamps need a Pi's pins, on which chip (-1: the Pi's own), and the die-roller's port."""
        if isinstance(self.chip, str):
            return False, -1, self.roller.port
        return any(self.pins()), self.chip, self.roller.port

    def check(self) -> None:
        """Raise BadWiring for a pin that two parts share or that is not free, and for more than five start lights."""
        pins = list(self.pins())
        for pin, count in Counter(pin for _, pin in pins).items():
            if count > 1:
                parts = ", ".join(name for name, at in pins if at == pin)
                raise BadWiring(
                    f"GPIO{pin} (pin {HEADER[pin]} of the header) is given to several parts ({parts}); "
                    "each part has a pin of its own."
                )
        for name, pin in pins:
            if pin in TAKEN:
                raise BadWiring(
                    f"{name} cannot be on GPIO{pin} (pin {HEADER[pin]} of the header), "
                    f"which is the Pi's own ({TAKEN[pin]}); take another."
                )
            if pin in PULLED:
                raise BadWiring(
                    f"{name} cannot be on GPIO{pin} (pin {HEADER[pin]} of the header), "
                    "which has a resistor of its own; take another."
                )
        if len(self.lamps.start) not in (0, 5):
            raise BadWiring(f"There are five start lights or none, not {len(self.lamps.start)}.")


TABLES: Final[Mapping[str, type[msgspec.Struct]]] = {
    "buttons": Buttons, "lamps": Lamps, "buzzer": Sounder, "roller": Serial,
}  # fmt: skip

Tables = Mapping[str, object]
"""What a wiring says, as it is written."""


def read(text: str) -> Wiring:
    """Return the wiring of a TOML text, with the die-roller's port only if that makes sense. Raise BadWiring."""
    return box_wiring(_tables(text))


def wiring(folder: Path | None = None) -> Wiring:
    """Return the wiring of a data folder, or the one that comes with the program, as `read` does. Raise BadWiring."""
    return read(_text(folder))


def tables(folder: Path | None = None) -> Tables:
    """Return what the wiring of a data folder says, for `roller_port` and `box_wiring`: what is wrong with one part of
    it does not keep the other from being used. Raise BadWiring if it is no TOML."""
    return _tables(_text(folder))


def roller_port(tables: Tables) -> str:
    """Return the port of the die-roller, "" for none. Raise BadWiring."""
    port = _table(tables, "roller").get("port", "")
    if not isinstance(port, str):
        raise BadWiring(f'{FILE}: port is a text in quotes, such as "/dev/companion-roller"; {_value(port)} is none.')
    return port


def box_wiring(tables: Tables) -> Wiring:
    """Return the wiring, with the die-roller's port only if that makes sense. Raise BadWiring."""
    for name in tables:
        if name != "chip" and name not in TABLES:
            raise BadWiring(f"{FILE}: there is no {name}; there are chip, [buttons], [lamps], [buzzer] and [roller].")
    chip = tables.get("chip", -1)
    simulated = isinstance(chip, str) and chip.startswith("/")
    if not simulated and (not isinstance(chip, int) or isinstance(chip, bool) or not -1 <= chip <= 99):
        raise BadWiring(
            f"{FILE}: chip is the number of a GPIO chip, 0 to 99, -1 for the Pi's own, or a path such as "
            f'"/tmp/buttons"; {_value(chip)} is none.'
        )
    for table in ("buttons", "lamps", "buzzer"):
        for name, value in _table(tables, table).items():
            if name != "start":
                _must_be_gpio(name, value)
            elif isinstance(value, list):
                for one in value:
                    _must_be_gpio(name, one)
            else:
                raise BadWiring(
                    f"{FILE}: start lists five GPIO numbers, such as [4, 18, 23, 24, 25]; {_value(value)} is no list."
                )
    try:
        port = roller_port(tables)
    except BadWiring:
        port = ""
    made = converted({**tables, "roller": {"port": port}}, Wiring)
    made.check()
    return made


def _text(folder: Path | None) -> str:
    if folder is None or not (folder / FILE).exists():
        return resources.files("hardware").joinpath(FILE).read_text(encoding="utf-8")
    try:
        return whole_file.text(folder / FILE)
    except OSError as wrong:
        raise BadWiring(f"{FILE}: it cannot be read ({wrong.strerror}).") from None
    except ValueError as wrong:
        raise BadWiring(f"{FILE}: it cannot be read ({wrong}).") from None


def _tables(text: str) -> Tables:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        at = re.search(r"at line (\d+)", str(wrong))
        line = int(at[1]) if at is not None else len(text.splitlines())
        raise BadWiring(
            f"{FILE}: line {line} makes no sense; "
            "a line is [buttons], up = 5 or a # remark, and each name is there once."
        ) from None
    except RecursionError:
        raise BadWiring(f"{FILE}: it cannot be read (it is nested too deeply).") from None


def _table(tables: Tables, name: str) -> Tables:
    """Return one table, which has no names but its own. Raise BadWiring."""
    table, names = tables.get(name, {}), TABLES[name].__struct_fields__
    if not isinstance(table, dict):
        raise BadWiring(f"{FILE}: {name} is a table; write [{name}] on a line of its own, and what it has below.")
    for field in table:
        if field not in names:
            raise BadWiring(f"{FILE}: [{name}] has no {field}; it may have {', '.join(names)}.")
    return table


def _must_be_gpio(name: str, value: object) -> None:
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value <= 27:
            return
        for gpio, pin in HEADER.items():
            if pin == value:
                raise BadWiring(
                    f"{FILE}: {name} is the number of a GPIO, 0 to 27; "
                    f"pin {value} of the header is GPIO{gpio}: write {gpio}."
                )
    raise BadWiring(f"{FILE}: {name} is the number of a GPIO, 0 to 27, such as 5; {_value(value)} is none.")


def _value(value: object) -> str:
    """Tell a value as the file has it."""
    return f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
