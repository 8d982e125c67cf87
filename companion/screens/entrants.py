"""The drivers and teams that a table remembers: a file in the data folder that people may edit too."""

from __future__ import annotations

import logging
import os
import tomllib
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

FILE: Final = "drivers.toml"
LETTERS: Final = 30
"""The most letters of a name; an accent that stands apart from its letter counts with it."""
COLOURS: Final = 20
"""How many plates there are, each a colour and a shape."""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A driver as the table knows them: car number (1 to 99), name, team, and the plate of their car (0 to 19)."""

    number: int
    name: str = ""
    team: str = ""
    colour: int = 0


def plates(setup: Mapping[str, Any]) -> dict[int, int]:
    """The plate of each car by its number, from its race's setup: the one that was chosen, else its place there."""
    cars = [car["car"] for car in setup.get("cars", ()) if isinstance(car, dict)]
    chosen = setup.get("plates")
    named = zip(cars, chosen if isinstance(chosen, list) else (), strict=False)
    places = {car: place for place, car in enumerate(cars)}
    return places | {car: place for car, place in named if isinstance(place, int)}


def fitted(name: str, most: int = LETTERS) -> str:
    """A name as it is kept: one line, single blanks, composed letters, no more than `most` of them."""
    plain = " ".join(unicodedata.normalize("NFC", name).split())
    plain = "".join(letter for letter in plain if unicodedata.category(letter)[0] != "C")
    kept, count = "", 0
    for letter in plain:
        count += not unicodedata.combining(letter)
        if count > most:
            break
        kept += letter
    return kept.rstrip()


def remembered(folder: Path) -> list[Entrant]:
    """The drivers of the file, the one last raced with first; none if there is no file or it makes no sense."""
    path = folder / FILE
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        drivers = msgspec.convert(read.get("driver", []), list[Entrant])
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as wrong:
        logging.getLogger(__name__).warning("%s: %s", path, wrong)
        return []
    return [_sound(driver) for driver in drivers]


def _sound(driver: Entrant) -> Entrant:
    return Entrant(
        number=min(max(driver.number, 1), 99),
        name=fitted(driver.name),
        team=fitted(driver.team),
        colour=driver.colour % COLOURS,
    )


def remember(folder: Path, drivers: list[Entrant]) -> None:
    """Keeps these drivers, in this order, before those that are remembered already; raises OSError.

    A driver is known by name; one without a name is not remembered.
    """
    named = [driver for driver in drivers if driver.name]
    known = {driver.name.casefold() for driver in named}
    _write(folder, [*named, *(old for old in remembered(folder) if old.name.casefold() not in known)])


def forget(folder: Path, name: str) -> None:
    """Takes a driver out of the file; raises OSError."""
    _write(folder, [driver for driver in remembered(folder) if driver.name.casefold() != name.casefold()])


def _write(folder: Path, drivers: list[Entrant]) -> None:
    import tomlkit  # only where a race begins: the screens start without it

    document = tomlkit.document()
    document.add(tomlkit.comment("The drivers that the table remembers, the last ones raced with first."))
    listed = tomlkit.aot()
    for driver in drivers:
        row: Any = tomlkit.table()
        for key, value in msgspec.structs.asdict(driver).items():
            row.add(key, value)
        listed.append(row)
    document.add("driver", listed)
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f"{FILE}.new"
    fresh.write_text(tomlkit.dumps(document), encoding="utf-8")
    os.replace(fresh, folder / FILE)
