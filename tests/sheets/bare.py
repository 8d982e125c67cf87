"""The database of the races as another program would open it: to look at, or to spoil."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.sheets.place import DATABASE


@contextlib.contextmanager
def bare(folder: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(folder / DATABASE)
    yield connection
    connection.commit()
    connection.close()
