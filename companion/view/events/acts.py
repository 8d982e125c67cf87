"""The log of a tournament, a season or trials, and how far it can be undone."""

from __future__ import annotations

from typing import Any

from companion.rules.conversation.errors import NothingToDo
from companion.sheets.wall_clock import hour
from companion.tournament.entrants import Entered
from companion.tournament.record import Act, Noted, Record, Signed, Undone
from companion.tournament.results import Confirmed, Result, ResultCorrected
from companion.tournament.season import Season
from companion.tournament.times import clock_text
from companion.tournament.tournament import Published, Reseated, Seated, Swapped, TimesTaken, Tournament
from companion.tournament.weather import Drawn
from companion.view.shown import Undo, ViewModel
from companion.wording import Words, capital


class TakeBack(Undo, frozen=True, kw_only=True):
    """The next act to undo.

    A `settled` act was published or made official and can only be corrected: the result of `race`, or the tables if
    `race` is "".
    """

    settled: bool = False
    race: str = ""


class ActRow(ViewModel, frozen=True, kw_only=True):
    """An entry of the log: the act, who did it and why.

    `takes` is how many acts are lost by going back to before it (0: impossible). `settled` is True if the entry is
    final, or precedes one that is.
    """

    seq: int
    at: str
    text: str
    about: str
    undone: bool = False
    takes: int = 0
    settled: bool = False
    fixes: str | None = None
    """Race or table whose settled result this entry can correct, "" for the tables; None if there is nothing to
    correct."""


class ActsShown(ViewModel, frozen=True, kw_only=True):
    """All entries, latest first; `last` is the latest one in force."""

    subtitle: str
    rows: tuple[ActRow, ...]
    last: int
    undo: TakeBack


def take_back(record: Record, words: Words) -> TakeBack:
    """Return what the undo key would undo."""
    if len(record.signed) < 2:
        return TakeBack()
    last = record.signed[-1]
    race = str(getattr(last.act, "race", ""))
    try:
        record.undoable()
    except NothingToDo:
        return TakeBack(label=_label(record, last, words), settled=True, race=race)
    return TakeBack(label=_label(record, last, words), seq=last.seq, race=race)


def _label(record: Record, signed: Signed, words: Words) -> str:
    act = signed.act
    if hasattr(act, "one"):
        return words.screen("seeding.undo_swap", one=act.one, other=getattr(act, "other", 0))
    label = words.screen(f"season.undo.{act.__struct_config__.tag}", race=str(getattr(act, "race", "")))
    numbers: tuple[int, ...] = getattr(act, "numbers", ())
    return f"{numbers[0]} · {label}" if len(numbers) == 1 else label


def acts(record: Record, words: Words) -> ActsShown:
    """Return all acts of a record."""
    gone = {one.act.of for one in record.log if isinstance(one.act, Undone)}
    takes, rows, settled = {}, [], False
    for count, one in enumerate(reversed(record.signed[1:]), 1):
        settled = settled or one.act.settles
        takes[one.seq] = (count, settled)
    for one in reversed(record.log):
        many, fast = takes.get(one.seq, (0, False))
        rows.append(
            ActRow(
                seq=one.seq,
                at=hour(one.at),
                text=_act_text(record, one, words),
                about=" · ".join(filter(None, (words.signer(one.by), act_reason(one.act)))),
                undone=one.seq in gone,
                takes=0 if fast else many,
                settled=fast,
                fixes=_fixes(one.act) if fast else None,
            )
        )
    return ActsShown(
        subtitle=words.screen("acts.subtitle", name=record.name, count=len(record.log)),
        rows=tuple(rows),
        last=record.signed[-1].seq,
        undo=take_back(record, words) if isinstance(record, Tournament | Season) else TakeBack(),
    )


def act_reason(act: Act) -> str:
    """Return why something was done; of a note, what it says."""
    return act.text if isinstance(act, Noted) else act.why


def subject(record: Tournament | Season, act: Act, words: Words) -> str:
    """Return the subject of an act: a table or race, drivers, or their number."""

    def name(number: int) -> str:
        return f"{number} {record.names.get(number, '')}".strip()

    if isinstance(act, Seated):
        return f"{act.table} · {name(act.driver)}"
    for field in ("race", "table", "round"):
        if said := getattr(act, field, ""):
            return str(said)
    if isinstance(act, Undone):
        return str(act.of)
    if isinstance(act, Drawn):
        return f"{words.word('listing', 'session')} {act.session}"
    for field in ("number", "driver"):
        if isinstance(number := getattr(act, field, None), int):
            return name(number)
    if isinstance(act, Entered) and len(act.entrants) == 1:
        return name(act.entrants[0].number)
    if isinstance(act, TimesTaken) and len(act.times) == 1:
        return name(act.times[0].driver)
    for field in ("entrants", "numbers", "times"):
        if many := getattr(act, field, ()):
            return str(len(many))
    return ""


def _fixes(act: Act) -> str | None:
    if isinstance(act, Result | Confirmed | ResultCorrected):
        return act.race
    return "" if isinstance(act, Published | Reseated | Swapped) else None


def _act_text(record: Record, signed: Signed, words: Words) -> str:
    """Return an act in words, with its subject."""
    act = signed.act
    tag = str(act.__struct_config__.tag)
    if isinstance(record, Tournament | Season):
        about = subject(record, act, words)
        return f"{capital(words.word('act', tag))} {about}".rstrip()
    if tag == record.KIND:
        return words.screen("trial.title")
    facts: dict[str, Any] = {
        "throws": "",
        "clock": clock_text(getattr(act, "clock", 0)),
        "sky": getattr(act, "sky", ""),
    }
    said = words.screen(f"trial.undo.{getattr(act, 'tap', tag)}", **facts)
    driver = getattr(act, "driver", 0)
    return f"{said.rstrip()} {driver}" if driver else said.rstrip()
