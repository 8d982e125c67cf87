"""The forms of the database: how an empty one, and one that an older program wrote, is brought to the newest.

Here alone sqlite-utils is imported. That takes some 85 ms, half of them for numpy, and a whole list of 200 races 230:
what reads and writes races every day is plain SQL.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlite_utils import Database, Migrations

from companion.sheets.guards import APPLICATION_ID, GUARDS

migrations: Final = Migrations("companion.sheets")


@migrations()
def entries_snapshots_races(db: Database) -> None:
    """Form 1."""
    db.table("entry").create(
        {
            "log_id": str, "seq": int, "at_wall": str, "at_mono_ns": int, "boot_id": str, "actor": str, "kind": str,
            "n": int, "body": str, "rulings": str, "state": str, "prev": bytes, "hash": bytes,
        },
        pk=("log_id", "seq"),
        not_null={
            "log_id", "seq", "at_wall", "at_mono_ns", "boot_id", "actor", "kind", "n", "body", "rulings", "state",
            "prev", "hash",
        },
        strict=True,
    )  # fmt: skip
    db.table("snapshot").create({"log_id": str, "n": int, "body": bytes}, pk=("log_id", "n"), strict=True)
    db.table("race").create(
        {
            "log_id": str, "name": str, "begun": str, "rulebook": str, "version": str, "track": str, "cars": int,
            "laps": int, "round": int, "over": int, "head": int,
        },
        pk="log_id",
        strict=True,
    )  # fmt: skip
    for made in GUARDS.values():
        db.execute(made)
    db.execute("PRAGMA user_version=1")


def brought_up(connection: sqlite3.Connection) -> None:
    """Bring a database to the newest form."""
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    migrations.apply(Database(connection, recursive_triggers=False))
