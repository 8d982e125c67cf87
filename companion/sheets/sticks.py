"""USB sticks of this table: races are copied by themselves only onto one that somebody here has called theirs.

The table has a name of its own that nobody could guess, in its data folder, and it is written onto each of its sticks.
A stick that is formatted, or another one of the same label, does not have it, and the table is asked again.
"""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path
from typing import Final

from companion import whole_file
from companion.rules.conversation.errors import LogError
from companion.sheets.place import COPIES

NAME: Final = "table"
"""File with the table's name, in its data folder; on a stick, in the folder of copies, with the names of its tables."""


def ours(folder: Path, stick: Path) -> bool:
    """Return True if somebody at the table of this data folder has said that the stick is theirs."""
    return bool(names := _names(folder / NAME)) and names[0] in _names(stick / COPIES / NAME)


def make_ours(folder: Path, stick: Path) -> None:
    """Somebody says that the stick is theirs; raises LogError if the table's folder or the stick takes nothing."""
    known = _names(folder / NAME)
    name = known[0] if known else secrets.token_hex(16)
    try:
        if not known:
            whole_file.write(folder / NAME, f"{name}\n".encode())
    except OSError as wrong:
        raise LogError("stick_here", folder=str(folder), why=wrong.strerror) from wrong
    try:
        of = [*(other for other in _names(stick / COPIES / NAME) if other != name), name]
        whole_file.write(stick / COPIES / NAME, "".join(f"{one}\n" for one in of).encode())
    except OSError as wrong:
        raise LogError("stick_refuses", stick=str(stick), why=wrong.strerror) from wrong


def _names(path: Path) -> list[str]:
    with contextlib.suppress(OSError, ValueError):
        return whole_file.text(path).split()
    return []
