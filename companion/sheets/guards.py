"""The marks of our database, and the triggers that keep its log as it is."""

from __future__ import annotations

import sqlite3
from typing import Final

APPLICATION_ID: Final = int.from_bytes(b"RefC", "big")
"""Marks the file as ours (PRAGMA application_id)."""
GUARDS: Final = {
    "entry_follows": """CREATE TRIGGER entry_follows BEFORE INSERT ON entry
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM entry WHERE log_id = NEW.log_id)
  OR (NEW.seq > 1 AND NEW.prev IS NOT (SELECT hash FROM entry WHERE log_id = NEW.log_id AND seq = NEW.seq - 1))
BEGIN SELECT RAISE(ABORT, 'the log is only added to, one entry after the other'); END""",
    "entry_stays": """CREATE TRIGGER entry_stays BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'the log is only added to; an entry is never changed'); END""",
    "entry_remains": """CREATE TRIGGER entry_remains BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'the log is only added to; an entry is never removed'); END""",
}
"""Triggers that make the log append-only, restored whenever it is opened for writing."""

INDEXES: Final = (
    "CREATE INDEX IF NOT EXISTS entry_first ON entry (kind, log_id) WHERE seq = 1",
    "CREATE INDEX IF NOT EXISTS entry_deleted ON entry (log_id, seq) WHERE kind = 'delete'",
    "CREATE INDEX IF NOT EXISTS entry_renamed ON entry (log_id, seq) WHERE kind = 'rename'",
    "CREATE INDEX IF NOT EXISTS entry_overridden ON entry (log_id, seq) WHERE kind = 'override'",
)
"""Indexes that find records, deleted and renamed races, and overrides, without reading the rest. Older programs
maintain them without knowing them; until a program has written since, everything is found more slowly."""


def guard(db: sqlite3.Connection) -> None:
    """Restore the triggers where one is missing or changed, before something is written."""
    there = dict(db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    for name, said in there.items():
        if GUARDS.get(name) != said:
            quoted = name.replace('"', '""')
            db.execute(f'DROP TRIGGER "{quoted}"')
    for name, made in GUARDS.items():
        if there.get(name) != made:
            db.execute(made)
