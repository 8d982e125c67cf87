"""The drivers and teams that a table remembers: a file in the data folder that people may edit too."""

from __future__ import annotations

import contextlib
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from companion import whole_file
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError

FILE: Final = "drivers.toml"
LETTERS: Final = 30
"""Maximum length of a name, in letters; a combining accent counts as one."""
HINTS: Final = 3
"""Hints per race for a driver who may ask for any."""
COLOURS: Final = 20
"""Number of plates, each a colour and a shape."""


class RaceEntrant(msgspec.Struct, frozen=True, kw_only=True):
    """A driver as the table knows them: car number, name, team, and the plate of their car (0 to 19).

    `program` names the driver of the program, "" for a person; `hints` says whether they may ask for a hint.
    """

    number: int
    name: str = ""
    team: str = ""
    colour: int = 0
    program: str = ""
    hints: bool = False


class _Listed(msgspec.Struct):
    """The whole file."""

    driver: list[RaceEntrant] = []


def plates(setup: Mapping[str, Json]) -> dict[int, int]:
    """Return the plate of each car by its number: the one chosen in the setup, else its place there."""
    cars = [car["car"] for car in setup.get("cars", ()) if isinstance(car, dict)]
    chosen = setup.get("plates")
    named = zip(cars, chosen if isinstance(chosen, list) else (), strict=False)
    places = {car: place for place, car in enumerate(cars)}
    return places | {car: place for car, place in named if isinstance(place, int)}


def fitted(name: str, most: int = LETTERS) -> str:
    """Return a name as it is stored: one line, single blanks, composed letters, no more than `most` of them."""
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    plain = "".join(letter for letter in plain if unicodedata.category(letter)[0] != "C")
    kept, count = "", 0
    for letter in plain:
        count += not unicodedata.combining(letter)
        if count > most:
            break
        kept += letter
    return kept.rstrip()


def remembered(folder: Path) -> list[RaceEntrant]:
    """Return the drivers of the file, the one last raced with first; none if there is no file.

    Raises CompanionError if it cannot be read; one that makes no sense is put aside.
    """
    try:
        return _read(folder)
    except OSError as wrong:
        raise CompanionError("drivers_unread", why=wrong.strerror) from wrong
    except ValueError as wrong:
        why, path = str(wrong).splitlines()[0].rstrip("."), folder / FILE
        with contextlib.suppress(OSError):
            path = whole_file.put_aside(path)
        raise CompanionError("drivers_aside", why=str(why), aside=path.name) from wrong


def _read(folder: Path) -> list[RaceEntrant]:
    """Read the file; raise OSError, and ValueError for anything that is not TOML or no drivers."""
    try:
        text = whole_file.text(folder / FILE)
    except FileNotFoundError:
        return []
    return [_sound(driver) for driver in whole_file.toml(text, _Listed).driver]


def _sound(driver: RaceEntrant) -> RaceEntrant:
    from companion.rules.conversation.setup import NUMBERS  # only where a race begins, like all of the rules

    low, high = NUMBERS
    return RaceEntrant(
        number=min(max(driver.number, low), high),
        name=fitted(driver.name),
        team=fitted(driver.team),
        colour=driver.colour % COLOURS,
    )


def remember(folder: Path, drivers: list[RaceEntrant]) -> None:
    """Store these drivers, in this order, before those that are remembered already; raise OSError.

    A driver is known by name, with the first of his cars; one without a name is not remembered, nor one of the program.
    """
    known: dict[str, RaceEntrant] = {}
    for driver in drivers:
        if driver.name and not driver.program:
            known.setdefault(driver.name.casefold(), driver)
    try:
        before = _read(folder)
    except ValueError:
        whole_file.put_aside(folder / FILE)
        before = []
    _write(folder, [*known.values(), *(old for old in before if old.name.casefold() not in known)])


def _write(folder: Path, drivers: list[RaceEntrant]) -> None:
    import tomlkit  # only where a race begins: the screens start without it

    document = tomlkit.document()
    document.add(tomlkit.comment("The drivers that the table remembers, the last ones raced with first."))
    listed = tomlkit.aot()
    for driver in drivers:
        row = tomlkit.table()
        for key in ("number", "name", "team", "colour"):
            row.add(key, getattr(driver, key))
        listed.append(row)
    document.add("driver", listed)
    whole_file.write(folder / FILE, tomlkit.dumps(document).encode())
