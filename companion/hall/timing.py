"""The trials of the tournament beside race control: driven at the tables of the hall, under the same skies, their times
taken in as they are driven."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from companion.desk.organising import PROGRAM, PUT_RIGHT, OrganisedDesk
from companion.desk.trial_desk import TrialDesk
from companion.hall.joined import joined
from companion.hall.ledger import FOLDER as LEDGER
from companion.hall.ledger import Ledger
from companion.hall.starting import Waiting, heard
from companion.rules.conversation.errors import BadEntry, CompanionError, LogError
from companion.sheets.reading import reading
from companion.sheets.records import StoredRecord, kept_record, last_record, records
from companion.tournament.control import Control, Trialled
from companion.tournament.record import Act
from companion.tournament.results import Reference
from companion.tournament.tournament import TimesTaken, Tournament
from companion.tournament.trials import Opened, SkyDrawn, Trials
from companion.view.commissioner.trials import opening

TRIALS: Final = "trials"
"""What trials are called where a table's race has its key."""
TIMED: Final = frozenset({"enter", "typed"})
"""The kinds of entries that bring a time."""


# -- at race control


def due(kept: StoredRecord, control: Control | None) -> list[Waiting]:
    """The trials, before the first round is seeded, while somebody who has come is at no table, or the tables do not
    know a sky that is drawn; with how many are at none."""
    record, log_id = kept.record, kept.listed.log_id
    if not isinstance(record, Tournament) or record.rounds or not record.begun.sessions:
        return []
    seated, skies = _seated(record, log_id, control), record.session_skies()
    left = _left(record, seated)
    known = control.trials() if control is not None else {}
    if not left and all(known[table].skies == skies for table in seated):
        return []
    return [Waiting((log_id, TRIALS), len(left), skies[-1].sky if skies else "")]


def held_at(kept: StoredRecord, control: Control | None) -> set[str]:
    """The tables whose trials are not over: somebody there has not driven every session, and no round is seeded."""
    record = kept.record
    if not isinstance(record, Tournament) or record.rounds:
        return set()
    seated = _seated(record, kept.listed.log_id, control)
    return {table for table, numbers in seated.items() if _driving(record, numbers)}


def trials(folder: Path, tables: Sequence[str]) -> list[Trialled]:
    """The words by which the tables get the trials of the tournament beside race control: whoever has come and is at no
    table goes to one of these, in turn by number; who is at one stays. Each knows the skies drawn by now [1-0-3].
    Raises CompanionError if there is nothing to say."""
    kept, control = kept_record(folder, "last", Tournament.KIND), last_record(folder, Control)
    record, log_id = kept.record, kept.listed.log_id
    assert isinstance(record, Tournament)
    skies = record.session_skies()
    if not skies:
        raise BadEntry("The sky of the first session is not drawn yet; it is the same at every table.")
    if not due(kept, control):
        raise BadEntry("Everybody who has come is at a table for the trials, and every table knows the sky.")
    seated = _seated(record, log_id, control)
    left = _left(record, seated)
    if left and not tables:
        raise BadEntry("No table has joined the hall yet.")
    for at, table in enumerate(tables[: len(left)]):
        seated[table] = [*seated.get(table, ()), *left[at :: len(tables)]]
    words = [
        Trialled(table=table, opened=opening(record, log_id, numbers), skies=skies)
        for table, numbers in sorted(seated.items())
    ]
    said = control.trials()
    return [word for word in words if said.get(word.table) != word]


def _seated(record: Tournament, log_id: str, control: Control | None) -> dict[str, list[int]]:
    """Who is at which table for the trials of a tournament, as it was last said, and has not withdrawn."""
    said, standing = control.trials() if control is not None else {}, record.field.standing
    found = {
        table: [one.number for one in word.opened.drivers if one.number in standing]
        for table, word in said.items() if word.opened.event == log_id
    }  # fmt: skip
    return {table: numbers for table, numbers in found.items() if numbers}


def _left(record: Tournament, seated: Mapping[str, Sequence[int]]) -> list[int]:
    """Who has come, is at no table and has not driven every session."""
    sitting = {number for numbers in seated.values() for number in numbers}
    return [number for number in _driving(record, record.field.racing) if number not in sitting]


def _driving(record: Tournament, numbers: Iterable[int]) -> list[int]:
    """Who of these has not driven every session."""
    return [number for number in numbers if len(record.times.get(number, {})) < record.begun.sessions]


def taken(desk: OrganisedDesk, ledger: Ledger) -> tuple[int, list[CompanionError]]:
    """Takes the times that the tables have driven, or put right, since they were last taken: how many, and what is
    wrong with others."""
    record, came, wrong = desk.record, 0, list[CompanionError]()
    if not isinstance(record, Tournament):
        return 0, []
    seats = _seats(desk.log.folder, desk.log_id)
    for table, kept in _held(desk.log.folder / LEDGER, desk.log_id, ledger):
        assert isinstance(kept.record, Trials)
        log = Reference(kept.listed.log_id, kept.record.name, kept.entries, kept.digest, table=table)
        for one in record.fresh(kept.record):
            why = PUT_RIGHT if one.session in record.times.get(one.driver, {}) else ""
            try:
                if table and one.driver not in seats.get(table, ()):
                    raise BadEntry(
                        f"Table {table} sent a time of number {one.driver}, who was not given to it; type the time if "
                        "it holds."
                    )
                desk.act(TimesTaken(times=(one,), log=log, why=why), by=PROGRAM)
                came += 1
            except CompanionError as refused:
                wrong.append(refused)
    return came, wrong


def _seats(folder: Path, event: str) -> dict[str, set[int]]:
    """Return the drivers that each table was ever given for the trials of a tournament."""
    found: dict[str, set[int]] = {}
    with contextlib.suppress(LogError), reading(folder) as db:
        for day in records(db, Control.KIND):
            control = kept_record(folder, day.log_id, Control.KIND).record
            for said in control.signed:
                if isinstance(said.act, Trialled) and said.act.opened.event == event:
                    found.setdefault(said.act.table, set()).update(one.number for one in said.act.opened.drivers)
    return found


def _held(folder: Path, event: str, ledger: Ledger) -> Iterator[tuple[str, StoredRecord]]:
    """The last trials that each table has held for a tournament, as far as they are in the ledger. What came on sticks
    says no table: there those are the last of which others have not all the drivers."""
    seen: dict[str, set[int]] = {}
    for kept in _trials(folder, event):
        assert isinstance(kept.record, Trials)
        table, drivers = ledger.sender(kept.listed.log_id), set(kept.record.drivers)
        others = seen.setdefault(table, set())
        if not (others if table else drivers <= others):
            yield table, kept
        others |= drivers


def _trials(folder: Path, event: str) -> Iterator[StoredRecord]:
    """The trials of a tournament that lie in a folder, the ones last written first."""
    with reading(folder) as db:
        listed = records(db, Trials.KIND)
    for one in listed:
        try:
            kept = kept_record(folder, one.log_id, Trials.KIND)
        except LogError:  # a log that makes no sense is told where it is shown; it is not in the way of others
            continue
        if isinstance(kept.record, Trials) and kept.record.event == event:
            yield kept


# -- at a table


class Given(NamedTuple):
    """Trials that a table was given: how they begin, what they have from the first, and the id of those that were begun
    ("": not yet)."""

    opened: Opened
    acts: tuple[Act, ...]
    log_id: str


def given(folder: Path) -> Given | None:
    """The trials that race control has given to the table of a data folder, until they are over; None if there are
    none, or no hall. Who is added later makes new ones, with the skies and times that are there, once the car on the
    circuit is in. Raises LogError."""
    if (said := _said(folder)) is None:
        return None
    kept = _begun(folder, said.opened.event)
    if kept is None:
        return Given(said.opened, said.skies, "")
    old = kept.record
    assert isinstance(old, Trials)
    numbers = [one.number for one in said.opened.drivers]
    if old.trial is None and not old.drivers.keys() >= set(numbers):
        return Given(said.opened, old.told(numbers, said.skies), "")
    return None if old.over else Given(said.opened, (), kept.listed.log_id)


def _said(folder: Path) -> Trialled | None:
    """The trials as race control last said them to the table of a data folder. Raises LogError."""
    if (place := joined(folder)) is None or (control := heard(folder)) is None:
        return None
    return control.trials().get(place.table)


def _begun(folder: Path, event: str) -> StoredRecord | None:
    """The last trials that were begun for a tournament."""
    try:
        return next(_trials(folder, event), None)
    except LogError as wrong:
        if wrong.kind != "no_races":
            raise
        return None


def drawn(folder: Path, record: Trials) -> list[SkyDrawn]:
    """The skies that race control has drawn and a table's trials do not have yet. Raises LogError."""
    if (said := _said(folder)) is None or not record.event or said.opened.event != record.event:
        return []
    return [sky for sky in said.skies if sky.session not in record.skies]


def hold(folder: Path, by: str) -> TrialDesk:
    """Begins the trials that race control has given to the table, or goes on with them, under the skies drawn by now.
    Raises CompanionError if there are none."""
    found = given(folder)
    if found is None:
        raise BadEntry("Race control has given no trials to this table that are not over.")
    if not found.log_id:
        desk = TrialDesk.begin(folder, found.opened, by=by)
        for act in found.acts:
            desk.act(act)
    else:
        desk = TrialDesk.resume(folder, found.log_id, by=by)
        for act in drawn(folder, desk.record):
            desk.act(act)
    return desk
