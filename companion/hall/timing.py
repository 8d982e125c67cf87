"""Run the trials of race control's tournament at the hall's tables.

All tables have the same skies, and times are taken as they are driven.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from companion.desk.organising import PROGRAM, PUT_RIGHT, OrganisedDesk
from companion.desk.trial_desk import TrialDesk
from companion.hall.ledger import Ledger
from companion.hall.membership import joined
from companion.hall.starting import Waiting, received_control
from companion.rules.conversation.errors import BadEntry, CompanionError, LogError
from companion.sheets.place import LEDGER
from companion.sheets.reading import reading
from companion.sheets.records import StoredRecord, kept_record, last_record, records
from companion.tournament.control import Control, Trialled
from companion.tournament.record import Act
from companion.tournament.results import Reference
from companion.tournament.tournament import TimesTaken, Tournament
from companion.tournament.trials import SkyDrawn, Trials, TrialsOpened
from companion.view.events.trials import opening

TRIALS: Final = "trials"
"""Key of the trials, in place of the key of a table's race."""
TIMED: Final = frozenset({"enter", "typed"})
"""Kinds of entries that bring a time."""


# -- at race control


def due(kept: StoredRecord, control: Control | None) -> list[Waiting]:
    """Return the trials if they need starting at tables, with the number of unseated drivers.

    That is before the first round is seeded, while somebody present has no table, or a table lacks a drawn sky.
    Otherwise empty.
    """
    record, log_id = kept.record, kept.listed.log_id
    if not isinstance(record, Tournament) or record.rounds or not record.begun.sessions:
        return []
    seated, skies = _seated(record, log_id, control), record.session_skies()
    left = _unseated(record, seated)
    known = control.trials() if control is not None else {}
    if not left and all(known[table].skies == skies for table in seated):
        return []
    return [Waiting((log_id, TRIALS), len(left), skies[-1].sky if skies else "")]


def held_at(kept: StoredRecord, control: Control | None) -> set[str]:
    """Return the tables whose trials are not over.

    Somebody there still has a session to drive, and no round is seeded.
    """
    record = kept.record
    if not isinstance(record, Tournament) or record.rounds:
        return set()
    seated = _seated(record, kept.listed.log_id, control)
    return {table for table, numbers in seated.items() if _driving(record, numbers)}


def trials(folder: Path, tables: Sequence[str]) -> list[Trialled]:
    """Return the words that give the trials to the tables.

    Drivers present without a table are dealt to these in turn by number, seated ones stay. Each word has the skies
    drawn so far [1-0-3]. Raises CompanionError if there is nothing to say.
    """
    kept, control = kept_record(folder, "last", Tournament.KIND), last_record(folder, Control)
    record, log_id = kept.record, kept.listed.log_id
    assert isinstance(record, Tournament)
    skies = record.session_skies()
    if not skies:
        raise BadEntry("trials_sky_not_drawn")
    if not due(kept, control):
        raise BadEntry("trials_all_seated")
    seated = _seated(record, log_id, control)
    left = _unseated(record, seated)
    if left and not tables:
        raise BadEntry("no_table_joined")
    for at, table in enumerate(tables[: len(left)]):
        seated[table] = [*seated.get(table, ()), *left[at :: len(tables)]]
    words = [
        Trialled(table=table, opened=opening(record, log_id, numbers), skies=skies)
        for table, numbers in sorted(seated.items())
    ]
    said = control.trials()
    return [word for word in words if said.get(word.table) != word]


def _seated(record: Tournament, log_id: str, control: Control | None) -> dict[str, list[int]]:
    """Return the drivers at each table for a tournament's trials, without withdrawn ones."""
    said, standing = control.trials() if control is not None else {}, record.field.standing
    found = {
        table: [one.number for one in word.opened.drivers if one.number in standing]
        for table, word in said.items() if word.opened.event == log_id
    }  # fmt: skip
    return {table: numbers for table, numbers in found.items() if numbers}


def _unseated(record: Tournament, seated: Mapping[str, Sequence[int]]) -> list[int]:
    """Return those present without a table who still have a session to drive."""
    sitting = {number for numbers in seated.values() for number in numbers}
    return [number for number in _driving(record, record.field.racing) if number not in sitting]


def _driving(record: Tournament, numbers: Iterable[int]) -> list[int]:
    """Return those of these drivers who still have a session to drive."""
    return [number for number in numbers if len(record.times.get(number, {})) < record.begun.sessions]


def import_times(desk: OrganisedDesk, ledger: Ledger) -> tuple[int, list[CompanionError]]:
    """Take the new or corrected times of the tables; return their number and the errors."""
    record, came, wrong = desk.record, 0, list[CompanionError]()
    if not isinstance(record, Tournament):
        return 0, []
    seats = _seats(desk.log.folder, desk.log_id)
    for table, kept in _table_trials(desk.log.folder / LEDGER, desk.log_id, ledger):
        assert isinstance(kept.record, Trials)
        log = Reference(kept.listed.log_id, kept.record.name, kept.entries, kept.digest, table=table)
        for one in record.fresh(kept.record):
            why = PUT_RIGHT if one.session in record.times.get(one.driver, {}) else ""
            try:
                if table and one.driver not in seats.get(table, ()):
                    raise BadEntry("time_not_given", table=table, driver=one.driver)
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


def _table_trials(folder: Path, event: str, ledger: Ledger) -> Iterator[tuple[str, StoredRecord]]:
    """Yield the last trials that each table has held for a tournament, from the ledger.

    Trials imported from sticks have no table; of those, one is skipped if later ones include all its drivers.
    """
    seen: dict[str, set[int]] = {}
    for kept in _trials(folder, event):
        assert isinstance(kept.record, Trials)
        table, drivers = ledger.sender(kept.listed.log_id), set(kept.record.drivers)
        others = seen.setdefault(table, set())
        if not (others if table else drivers <= others):
            yield table, kept
        others |= drivers


def _trials(folder: Path, event: str) -> Iterator[StoredRecord]:
    """Yield the trials of a tournament in a folder, the last written first."""
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


class AssignedTrials(NamedTuple):
    """Trials given to a table.

    `acts` are the skies and times they begin with, `log_id` those already begun ("": none).
    """

    opened: TrialsOpened
    acts: tuple[Act, ...]
    log_id: str


def assigned_trials(folder: Path) -> AssignedTrials | None:
    """Return the trials given to the table of a folder until they are over, else None.

    When drivers are added, new trials begin with the skies and times so far, once the car on the circuit is in. Raises
    LogError.
    """
    if (said := _latest_order(folder)) is None:
        return None
    kept = _latest_trials(folder, said.opened.event)
    if kept is None:
        return AssignedTrials(said.opened, said.skies, "")
    old = kept.record
    assert isinstance(old, Trials)
    numbers = [one.number for one in said.opened.drivers]
    if old.trial is None and not old.drivers.keys() >= set(numbers):
        return AssignedTrials(said.opened, old.prior_acts(numbers, said.skies), "")
    return None if old.over else AssignedTrials(said.opened, (), kept.listed.log_id)


def _latest_order(folder: Path) -> Trialled | None:
    """Return race control's last word on the trials of the table of a folder, or None.

    Raises LogError.
    """
    if (place := joined(folder)) is None or (control := received_control(folder)) is None:
        return None
    return control.trials().get(place.table)


def _latest_trials(folder: Path, event: str) -> StoredRecord | None:
    """Return the last trials begun for a tournament, or None."""
    try:
        return next(_trials(folder, event), None)
    except LogError as wrong:
        if wrong.code != "no_races":
            raise
        return None


def missing_skies(folder: Path, record: Trials) -> list[SkyDrawn]:
    """Return the skies that race control has drawn and a table's trials lack.

    Raises LogError.
    """
    if (said := _latest_order(folder)) is None or not record.event or said.opened.event != record.event:
        return []
    return [sky for sky in said.skies if sky.session not in record.skies]


def hold(folder: Path, by: str) -> TrialDesk:
    """Begin or resume the trials given to the table, with the skies drawn so far.

    Raises CompanionError if there are none.
    """
    found = assigned_trials(folder)
    if found is None:
        raise BadEntry("no_trials_given")
    if not found.log_id:
        desk = TrialDesk.begin(folder, found.opened, by=by)
        for act in found.acts:
            desk.act(act)
    else:
        desk = TrialDesk.resume(folder, found.log_id, by=by)
        for act in missing_skies(folder, desk.record):
            desk.act(act)
    return desk
