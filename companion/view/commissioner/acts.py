"""What was done in a tournament, a season or a session of trials, and how far it can be taken back."""

from __future__ import annotations

from typing import Any

from companion.rules.conversation.errors import NothingToDo
from companion.sheets.wall_clock import hour
from companion.tournament.record import Act, Record, Signed, Undone
from companion.tournament.results import Confirmed, Corrected, Result
from companion.tournament.season import Season
from companion.tournament.times import clock_text
from companion.tournament.tournament import Published, Reseated, Swapped, Tournament
from companion.view.commissioner.listings import Listings
from companion.view.shown import Shown, Undo
from companion.wording import Words, capital


class TakeBack(Undo, frozen=True, kw_only=True):
    """What an undo would take back. What is `settled`, because it was published or made official, is corrected: the
    result of `race`, or the tables where that is ""."""

    settled: bool = False
    race: str = ""


class ActRow(Shown, frozen=True, kw_only=True):
    """An entry of the log: what was done, by whom, and why. `takes` is how many acts go if it is gone back to before
    it (0: that cannot be); `settled` whether it stands for good, or stands before one that does."""

    seq: int
    at: str
    text: str
    about: str
    undone: bool = False
    takes: int = 0
    settled: bool = False
    fixes: str | None = None
    """Of what is settled and can be corrected the race or table, "" for the tables."""


class ActsShown(Shown, frozen=True, kw_only=True):
    """Every entry, the last one first; how they stand. `last` is the last one in force."""

    subtitle: str
    rows: tuple[ActRow, ...]
    last: int
    undo: TakeBack


def take_back(record: Record, words: Words) -> TakeBack:
    """What the key that takes back would do."""
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
    """All that was done."""
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
                text=_said(record, one, words),
                about=" · ".join(filter(None, (words.signer(one.by), one.act.why))),
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


def _fixes(act: Act) -> str | None:
    if isinstance(act, Result | Confirmed | Corrected):
        return act.race
    return "" if isinstance(act, Published | Reseated | Swapped) else None


def _said(record: Record, signed: Signed, words: Words) -> str:
    """An act in words, with what it is about."""
    act = signed.act
    tag = str(act.__struct_config__.tag)
    if isinstance(record, Tournament | Season):
        about = Listings(record, words).about(act)
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
