"""What a table keeps of the hall that it joined: where that is, what it is called there, and the key that it shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from companion import whole_file
from companion.rules.conversation.errors import LogError
from companion.rules.conversation.typed import json_reader

if TYPE_CHECKING:
    from companion.web.beside import InHall

FILE: Final = "hall.json"
WORDS: Final = "control"
"""Where in a table's folder race control's own words lie."""


class Joined(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table in a hall. `id` is its own in the subjects, `seed` the secret half of its key ("" where the broker asks
    for none), `pin` the certificate that the broker shows ("": it is not encrypted), `since` the last row of its
    database before it joined: the logs of earlier races stay at home. `leaf` is where a hall's own broker joins that of
    a championship, with its password ("": that has no door for halls)."""

    hall: str
    table: str
    id: str
    servers: list[str]
    seed: str = ""
    pin: str = ""
    page: str = ""
    leaf: str = ""
    since: int = 0


_read: Final = json_reader(Joined)


def _sound(said: bytes) -> Joined:
    """Return what the file says; raises ValueError, also for a key that is none."""
    from companion.hall.keys import is_seed  # with its library, which a table in no hall does without

    place = _read(said)
    if place.seed and not is_seed(place.seed):
        raise ValueError("the key is none")
    return place


def joined(folder: Path) -> Joined | None:
    """The hall that the table of a folder is in, None if it is in none. Raises LogError for a file that names none."""
    path = folder / FILE
    try:
        return whole_file.json(path, _sound)
    except ValueError:
        raise LogError(f"{path} names no hall; let the table leave it, and join again.", "no_hall") from None


def in_hall(folder: Path) -> InHall | None:
    """The same as the pages of a race want it: what race control says there, and where its own page is."""
    from companion.web.beside import InHall

    try:
        place = joined(folder)
    except LogError:
        return None
    return InHall(folder / WORDS, place.page, place.table) if place is not None else None


def keep(folder: Path, place: Joined) -> None:
    """Keeps it, for the owner alone to read. Raises OSError."""
    path = folder / FILE
    whole_file.write(path, msgspec.json.encode(place), mode=0o600)


def leave(folder: Path) -> None:
    """The table is in no hall any more."""
    (folder / FILE).unlink(missing_ok=True)
