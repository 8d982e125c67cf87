"""The races of the tournament or season beside race control: given to the tables of the hall and begun there. What
a table is given is all that its race begins from, so that it asks nobody for anything more."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.desk.beginning import begin_race
from companion.desk.organising import begun_in, race_setup, setup_of
from companion.desk.race_desk import RaceDesk
from companion.desk.record_desk import RecordDesk
from companion.hall.joined import WORDS, joined
from companion.hall.ledger import FOLDER as LEDGER
from companion.hall.ledger import Ledger
from companion.rules.conversation.errors import BadEntry, CompanionError, LogError
from companion.sheets.reading import reading
from companion.sheets.records import StoredRecord, kept_record, last_record, records
from companion.tournament.control import Control, Started
from companion.tournament.season import Season
from companion.tournament.tournament import Tournament


class Waiting(NamedTuple):
    """A race of a tournament or season that has no result yet, by what it belongs to: how many drive, the sky that was
    drawn ("": none), the table that it was given to ("": none), whether it runs there, and what has changed since its
    seats were settled, so that it begins with a reason alone."""

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
    """The tournament and the season last written in a data folder, as far as there are any that can be read; in front
    the one in which something was done last."""
    found = []
    for kind in (Tournament.KIND, Season.KIND):
        with contextlib.suppress(CompanionError):
            found.append(kept_record(folder, "last", kind))
    return sorted(found, key=lambda kept: kept.listed.last, reverse=True)


def waiting(kept: StoredRecord) -> list[Waiting]:
    """The races that may begin: the tables of the last round once they are published, or the season's next race."""
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
    """Return the refusal to begin a race whose seats are no longer true, which a reason overcomes; None for others."""
    try:
        record.setup(key)
    except BadEntry as wrong:
        return wrong if wrong.kind == "seeds_changed" else None
    return None


def table_of(folder: Path, log_id: str, key: str) -> str:
    """Return the table that was last given a race of a tournament or season, on whatever day, "" for none."""
    found = ""
    with contextlib.suppress(LogError), reading(folder) as db:
        for day in reversed(records(db, Control.KIND)):
            control = kept_record(folder, day.log_id, Control.KIND).record
            assert isinstance(control, Control)
            if (start := control.starts().get((log_id, key))) is not None and isinstance(start.act, Started):
                found = start.act.table
    return found


def given(
    races: Sequence[Waiting], control: Control | None, running: Collection[tuple[str, tuple[str, str]]]
) -> list[Waiting]:
    """The same with the tables that they were given to, and whether they run there: `running` are tables with the races
    that they have, as they say."""
    starts = control.starts() if control is not None else {}
    found = []
    for race in races:
        start = starts.get(race.belongs)
        table = start.act.table if start is not None and isinstance(start.act, Started) else ""
        found.append(race._replace(table=table, runs=(table, race.belongs) in running))
    return found


def _begun_at(folder: Path, table: str) -> list[tuple[str, str, str]]:
    """Return the races that a table has begun for a record, as `begun_in` has them: what others say of a race that they
    were not given keeps nobody from it."""
    if not table or not (folder / LEDGER).exists():
        return []
    with Ledger(folder / LEDGER) as ledger:
        return [one for one in begun_in(folder / LEDGER) if ledger.sender(one[2]) in ("", table)]


def numbered(name: str) -> str:
    """The last number in the name of a table, by which races go to tables: 3 of 1.3, of Table 3 and of 3."""
    figures = re.findall(r"\d+", name)
    return str(int(figures[-1])) if figures else name


def start(folder: Path, table: str, key: str, *, by: str = "", why: str = "") -> Started:
    """The word by which a table gets a race of the tournament (such as 1.3) or season (its number) beside race control;
    where there is neither, its name alone. With the reason `why` a round whose seats are no longer true stays as it is.
    Raises CompanionError if it cannot begin."""
    kind = Tournament if "." in key else Season
    try:
        kept = kept_record(folder, "last", kind.KIND)
    except LogError as wrong:
        if wrong.kind != "no_record":
            raise
        return Started(table=table, race=key)
    record, log_id = kept.record, kept.listed.log_id
    assert isinstance(record, Tournament | Season)
    if key in record.results:
        raise BadEntry(f"{key} has its result already.")
    for begun in (begun_in(folder), _begun_at(folder, table_of(folder, log_id, key))):
        if (log_id, key) in [(of, race) for of, race, _ in begun]:
            raise BadEntry(f"The race of {key} runs already.")
    if why.strip() and kind is Tournament:
        with RecordDesk.resume(folder, Tournament, memory=True) as desk:
            setup = race_setup(desk, key, by=by, why=why)
    else:
        setup = setup_of(record, log_id, key)
    return Started(table=table, race=key, name=f"{record.name} {key}", setup=setup)


# -- at a table


def heard(folder: Path) -> Control | None:
    """What race control has said, as far as the table of a data folder has heard it; None for nothing yet. Raises
    LogError."""
    try:
        return last_record(folder / WORDS, Control)
    except LogError as wrong:
        if wrong.kind != "no_record":
            raise
        return None


def sent(folder: Path) -> Started | None:
    """The race that race control has given to the table of a data folder and that was not begun there yet; None if
    there is none, or no hall. Raises LogError."""
    if (place := joined(folder)) is None or (control := heard(folder)) is None:
        return None
    said = control.start(place.table)
    if said is None or not isinstance(said.act, Started) or not said.act.setup:
        return None
    with contextlib.suppress(LogError):  # no race yet
        if said.act.belongs in [(of, key) for of, key, _ in begun_in(folder)]:
            return None
    return said.act


def begin(folder: Path) -> RaceDesk:
    """Begins the race that race control has given to the table. Raises CompanionError if there is none, or it cannot
    begin."""
    given = sent(folder)
    if given is None:
        raise BadEntry("Race control has given no race to this table that is not begun yet.")
    return begin_race(given.setup, str(given.setup["track"]), folder, name=given.name)
