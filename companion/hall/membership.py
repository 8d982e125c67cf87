"""A table's record of the hall it joined: address, name and key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from companion import whole_file
from companion.rules.conversation.errors import LogError
from companion.rules.conversation.typed import json_reader

if TYPE_CHECKING:
    from companion.web.race_context import InHall

FILE: Final = "hall.json"
WORDS: Final = "control"
"""Subfolder of a table's folder for race control's own entries."""


class Membership(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table's membership of a hall.

    `id` is its id in the subjects, `seed` the secret half of its key ("" where the broker needs none), `pin` the
    broker's certificate ("": not encrypted). `since` is the last row of its database before joining, because earlier
    races stay private. `leaf` is where a hall's broker joins a championship's, with its password ("": no door for
    halls).
    """

    hall: str
    table: str
    id: str
    servers: list[str]
    seed: str = ""
    pin: str = ""
    page: str = ""
    leaf: str = ""
    since: int = 0


_read: Final = json_reader(Membership)


def _sound(said: bytes) -> Membership:
    """Return what the file says; raises ValueError, also for a key that is none."""
    from companion.hall.keys import is_seed  # with its library, which a table in no hall does without

    place = _read(said)
    if place.seed and not is_seed(place.seed):
        raise ValueError("the key is none")
    return place


def joined(folder: Path) -> Membership | None:
    """Return the hall that the table of a folder has joined, or None.

    Raises LogError for an unreadable file.
    """
    path = folder / FILE
    try:
        return whole_file.json(path, _sound)
    except ValueError:
        raise LogError("no_hall", path=path) from None


def in_hall(folder: Path) -> InHall | None:
    """Return the joined hall as the pages of a race need it, or None."""
    from companion.web.race_context import InHall

    try:
        place = joined(folder)
    except LogError:
        return None
    return InHall(folder / WORDS, place.page, place.table) if place is not None else None


def keep(folder: Path, place: Membership) -> None:
    """Save the membership, readable by the owner alone.

    Raises OSError.
    """
    path = folder / FILE
    whole_file.write(path, msgspec.json.encode(place), mode=0o600)


def leave(folder: Path) -> None:
    """Leave the hall."""
    (folder / FILE).unlink(missing_ok=True)
