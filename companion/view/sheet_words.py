"""The page of people's words: overrides, corrections, notes and disputes."""

from __future__ import annotations

from companion.rules.conversation.asking import Json
from companion.sheets.sheet import Amended, RaceSheet, Word
from companion.view.sheet_names import names_of
from companion.view.shown import Shown, Tone
from companion.wording import Words
from companion.wording.filling import Names


class WordRow(Shown, frozen=True, kw_only=True):
    """What a person said: an override, a correction, a note or a dispute."""

    seq: int
    n: int
    icon: str
    title: str
    text: str
    by: str
    tone: Tone = "plain"


def word_rows(sheet: RaceSheet, words: Words) -> list[WordRow]:
    """Overrides, corrections, notes and disputes, the latest first."""
    names = names_of(sheet)
    rows = [_override(word, names, words) for word in sheet.overrides]
    rows += [_correction(one, names, words) for one in sheet.corrections]
    for remark in (*sheet.notes, *sheet.disputes):
        dispute = remark.about is not None
        facts: dict[str, Json] = {"entry": remark.about, "outcome": remark.outcome}
        title = words.screen("sheet.dispute", **facts) if dispute else words.screen("sheet.note")
        icon = "flag" if dispute else "edit"
        tone: Tone = "info" if dispute and not remark.outcome else "plain"
        rows.append(
            WordRow(seq=remark.seq, n=remark.n, icon=icon, title=title, text=remark.text, by=remark.by, tone=tone)
        )
    return sorted(rows, key=lambda row: -row.seq)


def _override(word: Word, names: Names, words: Words) -> WordRow:
    if word.change is not None:
        said = words.change(word.change, names)
    else:
        said = words.undo_label(word.ask, word.car, word.answer, names)
    return WordRow(seq=word.seq, n=word.n, icon="star", title=said, text=word.why, by=word.by, tone="warn")


def _correction(one: Amended, names: Names, words: Words) -> WordRow:
    was = words.undo_label(one.ask, one.car, one.was, names)
    now = words.undo_label(one.ask, one.car, one.answer, names).partition(words.say("colon"))[2]
    fell = len(one.fell)
    stood = words.say("sheet_stood", fell=fell) if one.keep == "board" else ""
    then = stood or words.say("sheet_replayed", kept=one.kept, fell=fell)
    return WordRow(
        seq=one.seq, n=one.n, icon="undo", title=words.screen("sheet.corrected", was=was, now=now),
        text=f"{one.why}{words.say('colon')}{then}" if one.why else then, by=one.by, tone="warn",
    )  # fmt: skip
