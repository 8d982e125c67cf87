"""What is due: where the tournament and the season that were last written stand, and what comes next in each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from companion.view.shown import Shown

if TYPE_CHECKING:
    from companion.rules.conversation.errors import CompanionError
    from companion.tournament.season import Season
    from companion.tournament.tournament import Tournament

Kind = Literal["tournament", "season"]


class Due(Shown, frozen=True, kw_only=True):
    """What is nearest due of a tournament or a season (`what`, of the table [screen.home.due]): the screen where it is
    done, and of which table or race."""

    what: str
    screen: Literal["entrants", "seeding", "weather", "table_result", "calendar"]
    table: str = ""


class Event(Shown, frozen=True, kw_only=True):
    """A tournament or a season: its id and name, where it stands in a word (`at`, of the table [screen.home.event])
    with its figures, and a bar for each table or race: whether it is done. `wrong` is why it cannot be read."""

    kind: Kind
    record: str
    name: str
    at: str
    round: int = 0
    of: int = 0
    tables: int = 0
    date: str = ""
    bars: tuple[bool, ...] = ()
    wrong: CompanionError | None = None
    due: Due | None = None
    last: str = ""
    """When something was last done in it."""


def nearest(found: Mapping[Kind, Event]) -> Event | None:
    """The event in which something is due; of two the one in which something was done last."""
    return max((one for one in found.values() if one.due is not None), key=lambda one: one.last, default=None)


def events(folder: Path) -> dict[Kind, Event]:
    """The events of a data folder, of each kind the one last written; none of a kind is none there."""
    from companion.rules.conversation.errors import CompanionError
    from companion.sheets.place import database_exists
    from companion.sheets.reading import reading
    from companion.sheets.records import kept_record, records

    if not database_exists(folder):
        return {}
    with reading(folder) as db:
        newest = {listed.kind: listed for listed in reversed(records(db))}
    found: dict[Kind, Event] = {}
    for kind in ("tournament", "season"):
        if (listed := newest.get(kind)) is None:
            continue
        try:
            record = kept_record(folder, listed.log_id, kind).record
        except CompanionError as wrong:
            found[kind] = Event(kind=kind, record=listed.log_id, name=listed.name, at="wrong", wrong=wrong)
            continue
        made = event(record, listed.log_id)  # type: ignore[arg-type]
        found[kind] = msgspec.structs.replace(made, last=listed.last)
    return found


def event(record: Tournament | Season, log_id: str) -> Event:
    """Where a tournament or a season stands."""
    from companion.tournament.season import Season

    if isinstance(record, Season):
        return _season(record, log_id)
    return _tournament(record, log_id)


def _season(record: Season, log_id: str) -> Event:
    calendar = record.calendar()
    coming = record.next_race()
    if not record.field.standing:
        due = Due(what="entrants", screen="entrants")
        return Event(kind="season", record=log_id, name=record.name, at="entrants", due=due)
    return Event(
        kind="season",
        record=log_id,
        name=record.name,
        at="race" if coming is not None else "season_over",
        round=coming.number if coming is not None else len(calendar),
        of=len(calendar),
        date=coming.stage.date if coming is not None else "",
        bars=tuple(race.state != "to_come" for race in calendar),
        due=_due_race(record),
    )


def _due_race(record: Season) -> Due | None:
    """A result that a second person has not confirmed, else the next race."""
    for key in record.results:
        if not record.results[key].official:
            return Due(what="confirm_race", screen="table_result", table=key)
    coming = record.next_race()
    return Due(what="race", screen="calendar", table=str(coming.number)) if coming is not None else None


def _tournament(record: Tournament, log_id: str) -> Event:
    last = max(record.rounds, default=0)
    if not last:
        here, of = len(record.field.racing), len(record.field.standing)
        timed = all(len(record.times.get(driver, ())) >= record.begun.sessions for driver in record.field.racing)
        due = Due(what="deal", screen="seeding") if here and timed else Due(what="trials", screen="entrants")
        due = due if of else Due(what="entrants", screen="entrants")
        return Event(kind="tournament", record=log_id, name=record.name, at="entrants", round=here, of=of, due=due)
    round_, waiting = record.rounds[last], record.open_tables(last)
    at = "seeded" if round_.published is None else "racing" if waiting else "tournament_over" if round_.final else "run"
    tables = len(waiting) or len(round_.tables)
    return Event(
        kind="tournament", record=log_id, name=record.name, at=at, round=last, tables=tables,
        bars=tuple(key not in waiting for key in round_.keys), due=_due_table(record, at),
    )  # fmt: skip


def _due_table(record: Tournament, at: str) -> Due | None:
    """The weather of a round, a table that is to race or to be confirmed; before that its tables, after it the next."""
    from companion.view.commissioner.seeding import due_at

    what, table = due_at(record)
    if what == "weather":
        return Due(what="weather", screen="weather")
    if what in ("start", "confirm"):
        return Due(what=what, screen="table_result", table=table)
    if at in ("seeded", "run"):
        return Due(what="publish" if at == "seeded" else "deal", screen="seeding")
    return None
