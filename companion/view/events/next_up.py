"""The next thing to do in the latest tournament and season."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from companion.view.shown import ViewModel

if TYPE_CHECKING:
    from companion.rules.conversation.errors import CompanionError
    from companion.tournament.season import Season
    from companion.tournament.tournament import Tournament

Kind = Literal["tournament", "season"]


class NextUp(ViewModel, frozen=True, kw_only=True):
    """The next thing to do in an event, and the screen where it is done.

    `what` is a key of [screen.home.due]; `table` is the table or race concerned.
    """

    what: str
    screen: Literal["entrants", "seeding", "weather", "table_result", "calendar"]
    table: str = ""


class EventProgress(ViewModel, frozen=True, kw_only=True):
    """A tournament or a season, and how far it has got.

    `at` is a key of [screen.home.event], to which the figures belong. `bars` says for each table or race whether it is
    done. `wrong` is why the event cannot be read.
    """

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
    due: NextUp | None = None
    last: str = ""
    """Time of the last act in it."""


def nearest(found: Mapping[Kind, EventProgress]) -> EventProgress | None:
    """Return the event with something to do; of two, the one used last."""
    return max((one for one in found.values() if one.due is not None), key=lambda one: one.last, default=None)


def events(folder: Path) -> dict[Kind, EventProgress]:
    """Return the latest event of each kind in a data folder.

    A kind without an event is missing.
    """
    from companion.rules.conversation.errors import CompanionError
    from companion.sheets.place import database_exists
    from companion.sheets.reading import reading
    from companion.sheets.records import kept_record, records

    if not database_exists(folder):
        return {}
    with reading(folder) as db:
        newest = {listed.kind: listed for listed in reversed(records(db))}
    found: dict[Kind, EventProgress] = {}
    for kind in ("tournament", "season"):
        if (listed := newest.get(kind)) is None:
            continue
        try:
            record = kept_record(folder, listed.log_id, kind).record
        except CompanionError as wrong:
            found[kind] = EventProgress(kind=kind, record=listed.log_id, name=listed.name, at="wrong", wrong=wrong)
            continue
        made = event(record, listed.log_id)  # type: ignore[arg-type]
        found[kind] = msgspec.structs.replace(made, last=listed.last)
    return found


def event(record: Tournament | Season, log_id: str) -> EventProgress:
    """Return the progress of a tournament or a season."""
    from companion.tournament.season import Season

    if isinstance(record, Season):
        return _season(record, log_id)
    return _tournament(record, log_id)


def _season(record: Season, log_id: str) -> EventProgress:
    calendar = record.calendar()
    coming = record.next_race()
    if not record.field.standing:
        due = NextUp(what="entrants", screen="entrants")
        return EventProgress(kind="season", record=log_id, name=record.name, at="entrants", due=due)
    return EventProgress(
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


def _due_race(record: Season) -> NextUp | None:
    """Return the first result without a second signature, otherwise the next race."""
    for key in record.results:
        if not record.results[key].official:
            return NextUp(what="confirm_race", screen="table_result", table=key)
    coming = record.next_race()
    return NextUp(what="race", screen="calendar", table=str(coming.number)) if coming is not None else None


def _tournament(record: Tournament, log_id: str) -> EventProgress:
    last = max(record.rounds, default=0)
    if not last:
        here, of = len(record.field.racing), len(record.field.standing)
        timed = all(len(record.times.get(driver, ())) >= record.begun.sessions for driver in record.field.racing)
        due = NextUp(what="deal", screen="seeding") if here and timed else NextUp(what="trials", screen="entrants")
        due = due if of else NextUp(what="entrants", screen="entrants")
        return EventProgress(
            kind="tournament", record=log_id, name=record.name, at="entrants", round=here, of=of, due=due
        )
    round_, waiting = record.rounds[last], record.open_tables(last)
    at = "seeded" if round_.published is None else "racing" if waiting else "tournament_over" if round_.final else "run"
    tables = len(waiting) or len(round_.tables)
    return EventProgress(
        kind="tournament", record=log_id, name=record.name, at=at, round=last, tables=tables,
        bars=tuple(key not in waiting for key in round_.keys), due=_due_table(record, at),
    )  # fmt: skip


def _due_table(record: Tournament, at: str) -> NextUp | None:
    """Return what is due in a round: weather, a race, a second signature, or tables."""
    from companion.view.events.seeding import due_at

    what, table = due_at(record)
    if what == "weather":
        return NextUp(what="weather", screen="weather")
    if what in ("start", "confirm"):
        return NextUp(what=what, screen="table_result", table=table)
    if at in ("seeded", "run"):
        return NextUp(what="publish" if at == "seeded" else "deal", screen="seeding")
    return None
