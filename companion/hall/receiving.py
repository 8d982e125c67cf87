"""Receive the tables' times and results into race control's tournament or season."""

from __future__ import annotations

import contextlib
from typing import Final, NamedTuple

from companion.desk.organising import PROGRAM, OrganisedDesk, collect, counting_races, kept_log, result_act, result_of
from companion.hall.ledger import Ledger
from companion.hall.starting import table_of
from companion.hall.timing import import_times
from companion.rules.conversation.errors import BadEntry, CompanionError, LogError
from companion.sheets.history import History
from companion.sheets.place import LEDGER
from companion.sheets.records import last_record
from companion.tournament.control import Control
from companion.tournament.results import Confirmed, Filed, Result, ResultCorrected, ResultLine

WENT_ON: Final = "The table went on after its result had come in."
"""Reason recorded when a result is put right that two people have confirmed at race control."""


class Claim(NamedTuple):
    """A result that needs a decision.

    It comes from a table that was not given the race, or differs from the first one. `given` is the table that was
    given the race ("": none), `first` the sender of the filed result and `filed` its lines; None
    and () without one.
    """

    act: Result
    given: str
    first: str | None
    filed: tuple[ResultLine, ...]
    names: dict[int, str]

    @property
    def sender(self) -> str:
        """The table that sent it, "" for an imported file."""
        assert self.act.log is not None
        return self.act.log.table

    @property
    def end(self) -> tuple[str, str]:
        """The log and the hash of its last entry, which identify a decision."""
        assert self.act.log is not None
        return self.act.log.log_id, self.act.log.digest

    @property
    def wrong(self) -> CompanionError:
        """The claim as an error, where no page shows it."""
        key, log, table = self.act.race, self.end[0][:8], self.sender or "-"
        if self.first is not None:
            return BadEntry("result_differs", table=table, key=key, log=log)
        return BadEntry("result_not_given", table=table, key=key, log=log)


class Received(NamedTuple):
    """The outcome of receiving: the number of times, the keys of results, and the errors."""

    times: int
    results: list[str]
    wrong: list[CompanionError]


def collected(desk: OrganisedDesk) -> Received:
    """Collect all finished races: those started here and those from the hall's tables."""
    (came, wrong), (live, claims) = collect(desk), received(desk)
    return Received(live.times, came + live.results, [*wrong, *live.wrong, *(claim.wrong for claim in claims)])


def received(desk: OrganisedDesk) -> tuple[Received, list[Claim]]:
    """Receive the tables' times and results, and return the claims that need a decision.

    Results are checked like those of a file, and made official where two people have confirmed them.
    """
    folder = desk.log.folder
    if not (folder / LEDGER).exists():
        return Received(0, [], []), []
    with Ledger(folder / LEDGER) as ledger:
        times, wrong = import_times(desk, ledger)
        came, worse, claims = _results(desk, ledger)
        wrong += worse
    with contextlib.suppress(LogError):  # no day of race control yet
        control = last_record(folder, Control)
        for key in desk.record.results:
            try:
                _settle(desk, control, key)
            except CompanionError as why:
                wrong.append(why)
    return Received(times, came, wrong), claims


def decide(desk: OrganisedDesk, claim: Claim, *, take: bool, by: str, why: str) -> None:
    """Accept a claimed result, replacing the first if there is one, or reject it.

    Raises CompanionError.
    """
    if not take:
        with Ledger(desk.log.folder / LEDGER) as ledger:
            ledger.reject(*claim.end, by)
    elif claim.first is None:
        kept = kept_log(desk.log.folder / LEDGER, claim.end[0])
        desk.act(result_act(claim.act.race, kept, claim.sender, why), by=by)
    else:
        desk.act(ResultCorrected(race=claim.act.race, lines=claim.act.lines, why=why), by=by)


def _results(desk: OrganisedDesk, ledger: Ledger) -> tuple[list[str], list[CompanionError], list[Claim]]:
    """File finished races from the tables they were given to, or imported by race control."""
    folder, record = desk.log.folder, desk.record
    came: list[str] = []
    wrong: list[CompanionError] = []
    claims: list[Claim] = []
    for key, log_id in counting_races(desk, folder / LEDGER):
        filed, sender = record.results.filed.get(key), ledger.sender(log_id)
        if filed is not None and filed.log is not None and filed.log.log_id == log_id:
            continue
        try:
            log = kept_log(folder / LEDGER, log_id)
            if not History.of(log).stands[1] or ledger.rejected(log_id, log[-1].hash.hex()):
                continue
            act, given = result_act(key, log, sender), table_of(folder, desk.log_id, key)
            if filed is None and sender in ("", given):
                desk.act(act, by=PROGRAM)
                came.append(key)
            elif filed is None or all(act.lines != version.lines for version in filed.versions):
                first = None if filed is None else _from(filed)
                claims.append(Claim(act, given, first, filed.lines if filed is not None else (), record.names))
        except CompanionError as why:
            wrong.append(why)
    return came, wrong, claims


def _from(filed: Filed) -> str:
    return filed.log.table if filed.log is not None else ""


def _settle(desk: OrganisedDesk, control: Control, key: str) -> None:
    """Make official a result that two people confirmed at race control.

    If they confirmed a later end of the log, the result is corrected first. A result that was corrected by hand is left
    alone.
    """
    filed = desk.record.results[key]
    last = control.result(filed.log.log_id) if filed.log is not None else None
    if filed.log is None or last is None or len(by := control.signatures(last)) < 2 or len(filed.versions) > 1:
        return
    if (last.seq, last.hash) != (filed.log.entries, filed.log.digest):
        lines, end = result_of(kept_log(desk.log.folder / LEDGER, filed.log.log_id))
        if (end.entries, end.digest) != (last.seq, last.hash):
            return
        if lines != filed.lines:
            desk.act(ResultCorrected(race=key, lines=lines, why=WENT_ON), by=by[0])
    if not filed.official:
        desk.act(Confirmed(race=key), by=by[1])
