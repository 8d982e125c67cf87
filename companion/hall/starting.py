"""Start the races of race control's tournament or season at the hall's tables.

A table gets all that its race begins from, so it needs to ask for nothing more.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.desk.beginning import begin_race
from companion.desk.begun import BegunRace, begun_in
from companion.desk.organising import must_know_wear, race_setup, setup_of
from companion.desk.race_desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.hall.ledger import Ledger
from companion.hall.membership import WORDS, joined
from companion.rules.conversation.errors import BadEntry, CompanionError, LogError
from companion.sheets.place import LEDGER
from companion.sheets.reading import reading
from companion.sheets.records import StoredRecord, kept_record, last_record, records
from companion.tournament.control import Control, Started
from companion.tournament.season import Season
from companion.tournament.tournament import Tournament


class Waiting(NamedTuple):
    """A race of a tournament or season without a result.

    `cars` is the number of drivers, `sky` the drawn sky ("": none), `table` the table it was given to ("": none);
    `runs` says that it is under way there. `changed` is what has changed since its seats were settled, in which case it
    needs a reason to begin.
    """

    belongs: tuple[str, str]
    cars: int
    sky: str
    table: str = ""
    runs: bool = False
    changed: BadEntry | None = None

    @property
    def key(self) -> str:
        """The table or race, such as 1.3."""
        return self.belongs[1]


# -- at race control


def events(folder: Path) -> list[StoredRecord]:
    """Return the last tournament and season of a data folder, the latest written first.

    Those that are missing or unreadable are left out.
    """
    found = []
    for kind in (Tournament.KIND, Season.KIND):
        with contextlib.suppress(CompanionError):
            found.append(kept_record(folder, "last", kind))
    return sorted(found, key=lambda kept: kept.listed.last, reverse=True)


def waiting(kept: StoredRecord) -> list[Waiting]:
    """Return the races that may begin.

    They are the open tables of the last published round, or the season's next race.
    """
    record, log_id = kept.record, kept.listed.log_id
    if isinstance(record, Season):
        race = record.next_race()
        grid = record.grid(race.number) if race is not None else None
        return [Waiting((log_id, str(race.number)), len(grid), "")] if race is not None and grid else []
    assert isinstance(record, Tournament)
    number = max(record.rounds, default=0)
    if not number or record.rounds[number].published is None:
        return []
    drawn = record.sky_of_round(number)
    sky = drawn.sky if drawn is not None else ""
    return [
        Waiting((log_id, key), len(record.racing(key)), sky, changed=_changed(record, key))
        for key in record.open_tables(number)
    ]


def _changed(record: Tournament, key: str) -> BadEntry | None:
    """Return the refusal to begin a race whose seats no longer hold, or None.

    A reason overcomes it.
    """
    try:
        record.setup(key)
    except BadEntry as wrong:
        return wrong if wrong.code == "seeds_changed" else None
    return None


def table_of(folder: Path, log_id: str, key: str) -> str:
    """Return the table last given a race of an event, on any day, "" for none."""
    found = ""
    with contextlib.suppress(LogError), reading(folder) as db:
        for day in reversed(records(db, Control.KIND)):
            control = kept_record(folder, day.log_id, Control.KIND).record
            assert isinstance(control, Control)
            if (start := control.starts().get((log_id, key))) is not None and isinstance(start.act, Started):
                found = start.act.table
    return found


def with_assignments(
    races: Sequence[Waiting], control: Control | None, running: Collection[tuple[str, tuple[str, str]]]
) -> list[Waiting]:
    """Return the races with the tables they were given to and whether they run there.

    `running` has the tables with the races they report. A race that was given before its weather was drawn otherwise is
    to be given again: its table would begin under the old one.
    """
    starts = control.starts() if control is not None else {}
    found = []
    for race in races:
        start = starts.get(race.belongs)
        given = start.act if start is not None and isinstance(start.act, Started) else Started(race=race.key)
        runs, holds = (given.table, race.belongs) in running, given.setup.get("sky", "") == race.sky
        found.append(race._replace(table=given.table if runs or holds else "", runs=runs))
    return found


def _begun_at(folder: Path, log_id: str, table: str) -> list[BegunRace]:
    """Return the races that a table has begun for a record.

    Claims of other tables are ignored, so that they do not block the race.
    """
    if not table or not (folder / LEDGER).exists():
        return []
    with Ledger(folder / LEDGER) as ledger:
        return [race for race in begun_in(folder / LEDGER, log_id) if ledger.sender(race.log_id) in ("", table)]


def _begun(folder: Path, log_id: str, key: str, here: Sequence[BegunRace]) -> BegunRace | None:
    """Return the race of a key that was begun `here`, or at the table that it was last given to, or None."""
    at_table = _begun_at(folder, log_id, table_of(folder, log_id, key))
    begun = [race for race in (*here, *at_table) if race.key == key]
    return min(begun, key=lambda race: race.deleted, default=None)


def numbered(name: str) -> str:
    """Return the last number in a table's name, such as 3 for 1.3, Table 3 or 3.

    Races go to tables by it; a name without one is returned as it is.
    """
    figures = re.findall(r"\d+", name)
    return str(int(figures[-1])) if figures else name


def start(folder: Path, table: str, key: str, *, by: str = "", why: str = "") -> Started:
    """Return the word that starts a race of the tournament (1.3) or season (its number) at a table.

    Without a tournament or season it carries the key alone. `why` upholds a round whose seats no longer hold. Raises
    CompanionError if the race cannot begin.
    """
    kind = Tournament if "." in key else Season
    try:
        kept = kept_record(folder, "last", kind.KIND)
    except LogError as wrong:
        if wrong.code != "no_record":
            raise
        return Started(table=table, race=key)
    record, log_id = kept.record, kept.listed.log_id
    assert isinstance(record, Tournament | Season)
    if key in record.results:
        raise BadEntry("has_result", key=key)
    here = begun_in(folder, log_id)
    if (begun := _begun(folder, log_id, key, here)) is not None:
        raise begun.refusal if begun.deleted else BadEntry("race_running", key=key)
    if isinstance(record, Season):
        to_come = [race for race in map(str, record.stages) if race not in record.results]
        must_know_wear(record, key, (race for race in to_come if _begun(folder, log_id, race, here)))
    if why.strip() and kind is Tournament:
        with RecordDesk.resume(folder, Tournament, memory=True) as desk:
            setup = race_setup(desk, key, by=by, why=why)
    else:
        setup = setup_of(record, log_id, key)
    return Started(table=table, race=key, name=f"{record.name} {key}", setup=setup)


# -- at a table


def received_control(folder: Path) -> Control | None:
    """Return race control's day as the table of a folder has received it, or None.

    Raises LogError.
    """
    try:
        return last_record(folder / WORDS, Control)
    except LogError as wrong:
        if wrong.code != "no_record":
            raise
        return None


def assigned_race(folder: Path) -> Started | None:
    """Return the race given to the table of a folder and not yet begun, or None.

    Raises LogError.
    """
    given = _given(folder)
    return given if given is not None and not _begun_here(folder, given) else None


def _given(folder: Path) -> Started | None:
    """Return the race given last to the table of a folder, or None."""
    if (place := joined(folder)) is None or (control := received_control(folder)) is None:
        return None
    said = control.start(place.table)
    return said.act if said is not None and isinstance(said.act, Started) and said.act.setup else None


def _begun_here(folder: Path, given: Started) -> list[BegunRace]:
    """Return the races that the table of a folder has begun as the one that it was given."""
    record, key = given.belongs
    with contextlib.suppress(LogError):  # no race yet
        return [race for race in begun_in(folder, record) if race.key == key]
    return []


def begin(folder: Path) -> RaceDesk:
    """Begin the race given to the table.

    Raises CompanionError if no race was given or it cannot begin.
    """
    given = _given(folder)
    begun = _begun_here(folder, given) if given is not None else []
    if begun and all(race.deleted for race in begun):
        raise begun[-1].refusal
    if given is None or begun:
        raise BadEntry("no_race_given")
    return begin_race(given.setup, str(given.setup["track"]), folder, name=given.name)
