"""What the tables of the hall have driven goes into the tournament or season beside race control."""

from __future__ import annotations

import contextlib
from typing import Final, NamedTuple

from companion.desk.organising import OrganisedDesk, collect, kept_log, result_of
from companion.hall.ledger import FOLDER as LEDGER
from companion.hall.ledger import Ledger
from companion.hall.timing import taken
from companion.rules.conversation.errors import CompanionError, LogError
from companion.sheets.records import last_record
from companion.tournament.control import Control
from companion.tournament.results import Confirmed, Corrected

WENT_ON: Final = "The table went on after its result had come in."
"""Why a result is put right that two people have confirmed at race control."""


class Received(NamedTuple):
    """How many times of trials came in, of which tables or races the results did, and what is wrong with others."""

    times: int
    results: list[str]
    wrong: list[CompanionError]


def collected(desk: OrganisedDesk) -> Received:
    """Takes all that is over: the races that were started from here, and what came from the tables of the hall."""
    (came, wrong), live = collect(desk), received(desk)
    return Received(live.times, came + live.results, wrong + live.wrong)


def received(desk: OrganisedDesk) -> Received:
    """Takes what came from the tables: the times of trials, the results of races that are over, checked like those of a
    file, and that two people have confirmed one."""
    folder = desk.log.folder
    if not (folder / LEDGER).exists():
        return Received(0, [], [])
    with Ledger(folder / LEDGER) as ledger:
        times, wrong = taken(desk, ledger)
        came, worse = collect(desk, folder / LEDGER, ledger.sender)
        wrong += worse
    with contextlib.suppress(LogError):  # no day of race control yet
        control = last_record(folder, Control)
        for key in desk.record.results:
            try:
                _settle(desk, control, key)
            except CompanionError as why:
                wrong.append(why)
    return Received(times, came, wrong)


def _settle(desk: OrganisedDesk, control: Control, key: str) -> None:
    """What two people have confirmed at race control is the result: official as it came in, or put right where the
    table had gone on before they did. What somebody has put right himself is left to him."""
    filed = desk.record.results[key]
    last = control.result(filed.log.log_id) if filed.log is not None else None
    if filed.log is None or last is None or len(by := control.signatures(last)) < 2 or len(filed.versions) > 1:
        return
    if (last.seq, last.hash) != (filed.log.entries, filed.log.digest):
        lines, end = result_of(kept_log(desk.log.folder / LEDGER, filed.log.log_id))
        if (end.entries, end.digest) != (last.seq, last.hash):
            return
        if lines != filed.lines:
            desk.act(Corrected(race=key, lines=lines, why=WENT_ON), by=by[0])
    if not filed.official:
        desk.act(Confirmed(race=key), by=by[1])
