"""The races that were begun for a tournament or season, as far as a data folder and its hall know them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry, LogError
from companion.sheets.entry import Beginning, Entry
from companion.sheets.place import LEDGER, database_exists
from companion.sheets.reading import deleted_ids, firsts_with, reading


class BegunRace(NamedTuple):
    """A race that was begun for the record of an id: the table or race there, and its own log.

    A `deleted` one counts as begun, for it may be restored.
    """

    record: str
    key: str
    log_id: str
    setup: Mapping[str, Json]
    deleted: bool

    @property
    def refusal(self) -> BadEntry:
        """The refusal to begin it once more, with the command that goes on with it."""
        return BadEntry("started.deleted" if self.deleted else "started", race=self.key, id=self.log_id[:8])

    def contradicted(self, wrong: BadEntry) -> BadEntry:
        """Return the refusal of an act that it contradicts, with how it is found if it is deleted."""
        return BadEntry("begun_deleted", wrong=wrong, id=self.log_id[:8]) if self.deleted else wrong


def belongs_to(log: Sequence[Entry] | Entry) -> tuple[str, str] | None:
    """Return the record that a race was begun for, and its table or race there, or None."""
    return event_of(_setup_of(log if isinstance(log, Entry) else log[0]))


def event_of(setup: Mapping[str, Json]) -> tuple[str, str] | None:
    """Return the record that the setup of a race names, and the table or race there; None if it names none."""
    event = setup.get("event")
    if not isinstance(event, dict) or not {"log", "race"} <= set(event):
        return None
    return str(event["log"]), str(event["race"])


def begun_in(folder: Path, record: str = "") -> list[BegunRace]:
    """Return the races of a data folder that were begun for a record, "" for any, the first one first."""
    found = []
    with reading(folder) as db:
        deleted = deleted_ids(db)
        for first in firsts_with(db, record or '"event":'):
            setup = _setup_of(first)
            event = event_of(setup)
            if event is not None and record in ("", event[0]):
                found.append(BegunRace(*event, first.log_id, setup, first.log_id in deleted))
    return found


def begun_anywhere(folder: Path, record: str) -> list[BegunRace]:
    """Return the races begun for a record here, and those that the tables of a hall have sent.

    A race of another table than the one that was to begin it is among them: race control may take its result.
    """
    there = begun_in(folder / LEDGER, record) if database_exists(folder / LEDGER) else []
    return [*begun_in(folder, record), *there]


def _setup_of(first: Entry) -> Mapping[str, Json]:
    """Return the setup that a race began from, an empty one if this is the first entry of something else."""
    try:
        beginning = first.read()
    except LogError:
        return {}
    return beginning.setup if isinstance(beginning, Beginning) else {}
