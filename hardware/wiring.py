"""The wiring from `wiring.toml`: pins of buttons, lamps and buzzer, and the roller's port."""

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
"""Pins with a pull-up of their own: a lamp would glow, a button would be slow to release."""
TAKEN: Final = {0: "HAT", 1: "HAT", 14: "console", 15: "console"}
"""Pins that the Pi uses itself, with their uses."""
FREE_PINS: Final = "4–13, 16–27"
"""All other pins, as people write them."""


HEADER: Final[Mapping[int, int]] = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""Pin of the header, as people count them, for each GPIO."""


class BadWiring(CompanionError):
    """Raised for a wiring with a shared or reserved pin, or a file that is unreadable."""


class Buttons(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The pin of each button, None if not wired."""

    up: Pin | None = None
    down: Pin | None = None
    confirm: Pin | None = None
    undo: Pin | None = None
    next: Pin | None = None
    clock: Pin | None = None


class Lamps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pins of the lamps: status colours, start lights in order, wet track."""

    red: Pin | None = None
    green: Pin | None = None
    blue: Pin | None = None
    start: tuple[Pin, ...] = ()
    wet: Pin | None = None


class Sounder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pin of the buzzer."""

    pin: Pin | None = None


class Serial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The port of the die-roller: a device or a pyserial URL, "" for none."""

    port: str = ""


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The complete wiring.

    `chip` is the number of the GPIO chip, -1 for the Pi's own, or the path of the socket of simulated buttons.
    """

    buttons: Buttons = Buttons()
    lamps: Lamps = Lamps()
    buzzer: Sounder = Sounder()
    roller: Serial = Serial()
    chip: Annotated[int, msgspec.Meta(ge=-1, le=99)] | Annotated[str, msgspec.Meta(pattern="^/")] = -1

    def pins(self) -> Iterator[tuple[str, int]]:
        """Yield each wired part with its pin."""
        for setting, pin in self._settings():
            yield "buzzer" if setting == "buzzer.pin" else setting.partition(".")[2], pin

    def _settings(self) -> Iterator[tuple[str, int]]:
        """Yield each setting that names a pin, with the pin."""
        for table in ("buttons", "lamps", "buzzer"):
            group = getattr(self, table)
            for name in group.__struct_fields__:
                value = getattr(group, name)
                if isinstance(value, tuple):
                    yield from ((f"{table}.{name} {place}", pin) for place, pin in enumerate(value, 1))
                elif value is not None:
                    yield f"{table}.{name}", value

    @property
    def has_buttons(self) -> bool:
        """True if any button is wired, not only lamps."""
        return self.buttons != Buttons()

    @property
    def on_pi(self) -> tuple[bool, int, str]:
        """The use of a Pi: if its pins are needed, its chip (-1: the default), the roller's port."""
        if isinstance(self.chip, str):
            return False, -1, self.roller.port
        return any(self.pins()), self.chip, self.roller.port

    def check(self) -> None:
        """Check the pins of the parts.

        Raises BadWiring if two parts share a pin, if a pin is reserved, or if there are neither 0 nor 5 start lights.
        """
        pins = list(self._settings())
        for pin, count in Counter(pin for _, pin in pins).items():
            if count > 1:
                parts = ", ".join(name for name, at in pins if at == pin)
                raise BadWiring("pin_twice", gpio=pin, pin=HEADER[pin], parts=parts)
        for name, pin in pins:
            if pin in TAKEN:
                raise BadWiring("pin_of_pi", name=name, gpio=pin, pin=HEADER[pin], what=TAKEN[pin])
            if pin in PULLED:
                raise BadWiring("pin_resistor", name=name, gpio=pin, pin=HEADER[pin])
        if len(self.lamps.start) not in (0, 5):
            raise BadWiring("start_lights", many=len(self.lamps.start))


TABLES: Final[Mapping[str, type[msgspec.Struct]]] = {
    "buttons": Buttons, "lamps": Lamps, "buzzer": Sounder, "roller": Serial,
}  # fmt: skip

Tables = Mapping[str, object]
"""Tables of a wiring file."""


def read(text: str) -> Wiring:
    """Return the wiring of a TOML text; raises BadWiring.

    The die-roller's port is dropped if it is invalid.
    """
    return box_wiring(parsed(text))


def wiring(folder: Path | None = None) -> Wiring:
    """Return the wiring of a data folder, or the default one, as `read` does.

    Raises BadWiring.
    """
    return read(_text(folder))


def tables(folder: Path | None = None) -> Tables:
    """Return the raw wiring of a data folder, for `roller_port` and `box_wiring`.

    With these two, a mistake in one part leaves the other usable. Raises BadWiring if it is not TOML.
    """
    return parsed(_text(folder))


def roller_port(tables: Tables) -> str:
    """Return the port of the die-roller, "" for none; raises BadWiring."""
    port = _table(tables, "roller").get("port", "")
    if isinstance(port, str) and (not port or port.startswith("/") or "://" in port):
        return port
    raise BadWiring("wiring_port", value=_value(port), where=FILE)


def box_wiring(tables: Tables) -> Wiring:
    """Return the wiring of raw tables; raises BadWiring.

    The die-roller's port is dropped if it is invalid.
    """
    for name in tables:
        if name != "chip" and name not in TABLES:
            raise BadWiring("wiring_key", name=name, where=FILE)
    chip = tables.get("chip", -1)
    simulated = isinstance(chip, str) and chip.startswith("/")
    if not simulated and (not isinstance(chip, int) or isinstance(chip, bool) or not -1 <= chip <= 99):
        raise BadWiring("wiring_chip", value=_value(chip), where=FILE)
    for table in ("buttons", "lamps", "buzzer"):
        for name, value in _table(tables, table).items():
            if name != "start":
                _must_be_gpio(f"{table}.{name}", value)
            elif isinstance(value, list):
                for one in value:
                    _must_be_gpio("lamps.start", one)
            else:
                raise BadWiring("wiring_start", value=_value(value), where=FILE)
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
        raise BadWiring("wiring_unread", why=wrong.strerror, where=FILE) from None
    except ValueError as wrong:
        raise BadWiring("wiring_unread", why=wrong, where=FILE) from None


def parsed(text: str) -> Tables:
    """Parse a TOML text into raw tables; raises BadWiring."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        at = re.search(r"at line (\d+)", str(wrong))
        line = int(at[1]) if at is not None else len(text.splitlines())
        raise BadWiring("wiring_line", line=line, where=FILE) from None
    except RecursionError:
        raise BadWiring("wiring_unread", why="it is nested too deeply", where=FILE) from None


def _table(tables: Tables, name: str) -> Tables:
    """Return one table after checking its names; raises BadWiring."""
    table, names = tables.get(name, {}), TABLES[name].__struct_fields__
    if not isinstance(table, dict):
        raise BadWiring("wiring_table", name=name, same=name, where=FILE)
    for field in table:
        if field not in names:
            raise BadWiring("wiring_name", table=name, name=field, names=", ".join(names), where=FILE)
    return table


def _must_be_gpio(name: str, value: object) -> None:
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value <= 27:
            return
        for gpio, pin in HEADER.items():
            if pin == value:
                raise BadWiring("pin_of_header", name=name, pin=value, gpio=gpio, same=gpio, where=FILE)
    raise BadWiring("pin_range", name=name, value=_value(value), where=FILE)


def _value(value: object) -> str:
    """Format a value as in the file."""
    return f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
