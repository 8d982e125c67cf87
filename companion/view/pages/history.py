"""Going back: the answers so far, and the effects of undoing or correcting one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from companion.desk import Correction, Done, RaceDesk
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.changes import Change
from companion.rules.conversation.errors import CompanionError
from companion.sheets.acts import person
from companion.sheets.history import History
from companion.view.consequences import BARE, costs_something, summary_line
from companion.view.price import of_rulings
from companion.view.race import card
from companion.view.race.form import fields_of, most
from companion.view.race.prompt import layout_of
from companion.view.race.titles import title, unit
from companion.view.shown import AnswerKey, Card, CardLine, Plate, Price, Prompt, Tone, Undo, ViewModel
from companion.view.sight import Sight
from companion.wording import Words, capital
from companion.wording.filling import Names, face


class AnswerRow(ViewModel, frozen=True, kw_only=True):
    """An answer or override in force.

    `back` is how many acts an undo takes back to ask it again. `can_correct` is False for an override.
    `icon` tells who answered if it was not a person at the table.
    """

    n: int
    seq: int
    label: str
    round: str
    plate: Plate | None
    by: Literal["person", "program", "word"]
    icon: str = ""
    back: int = 0
    can_correct: bool = True
    said: str = ""
    cited: str = ""
    """Article of the rulings that it brought."""
    prices: tuple[Price, ...] = ()


class Brought(ViewModel, frozen=True, kw_only=True):
    """The outcome of an answer: the card of its cost, or else the sentence of each ruling with its article."""

    card: Card | None = None
    lines: tuple[tuple[str, str], ...] = ()


class CorrectionChange(ViewModel, frozen=True, kw_only=True):
    """A change made by a correction.

    For wear, `points` holds the pool's size and the points before and after; for things that come or go, `value` says
    which.
    """

    text: str
    value: str = ""
    icon: str = ""
    tone: Tone = "plain"
    points: tuple[int, int, int] | None = None


class CorrectionPreview(ViewModel, frozen=True, kw_only=True):
    """A preview of a correction.

    `was` and `now` are the answers (`faces` those of a die), `changes` the effects, and `ways` a key for each way to go
    on, with its consequences in `lines`. An impossible way has `why` on its key; where nothing changes there is a
    single way. `ruled` is the ruling on the new answer, if it differs. `beside` must be answered first if the board
    stands.
    """

    title: str
    note: str
    was: str
    now: str
    changes: tuple[CorrectionChange, ...]
    ways: tuple[AnswerKey, ...]
    lines: tuple[tuple[CardLine, ...], ...]
    ruled: str = ""
    plate: Plate | None = None
    faces: tuple[str, ...] = ()
    beside: Picks | None = None


def rows(sight: Sight) -> list[AnswerRow]:
    """Return everything in force, latest first."""
    desk, words = sight.desk, sight.words
    back = undos(desk.history)
    found = []
    for done in desk.answers():
        who: Literal["person", "program", "word"] = (
            "word" if done.kind == "override" else "person" if person(done.by) else "program"
        )
        said, article = summary_line(desk.history.items[done.n].rulings, done.car, words, {})
        found.append(
            AnswerRow(
                n=done.n,
                seq=done.seq,
                label=_short(done, sight.names, words),
                round=words.screen("sheet.round_short", round=done.round) if done.round else "–",
                plate=sight.plate(done.car) if done.car is not None else None,
                by=who,
                icon={"person": "", "program": "die", "word": "star"}[who],
                back=back[done.n].acts,
                can_correct=done.kind == "answer",
                said=said,
                cited=article,
                prices=of_rulings(sight, desk.history.items[done.n].rulings, done.car) or _calm(sight, done),
            )
        )
    return found[::-1]


def brought(sight: Sight, seq: int) -> Brought:
    """Return what the answer of an entry brought; nothing if it has been undone."""
    n = sight.desk.history.place_of(seq)
    if n is None:
        return Brought()
    told = sight.desk.history.items[n].rulings
    made = card.after(Sight(sight.desk, sight.words, told=told).before(seq))
    if made is None:
        return Brought(
            lines=tuple((sight.ruled(one), sight.cited(one.article)) for one in told if one.kind not in BARE)
        )
    if made.plate == sight.plate(sight.desk.answers()[n].car or 0):
        made = msgspec.structs.replace(made, plate=None)  # it stands beside the answer
    return Brought(card=made)


def _calm(sight: Sight, done: Done) -> tuple[Price, ...]:
    """Return the note beside an answer that cost nothing: a safe test, a free gear."""
    if done.change is not None or done.ask not in ("test", "gear") or done.what == "grid":
        return ()
    harmed = any(map(costs_something, sight.desk.history.items[done.n].rulings))
    return () if harmed else (Price(text=sight.say("price.safe" if done.ask == "test" else "price.free"), tone="ok"),)


def _short(done: Done, names: Names, words: Words) -> str:
    """Return an answer without its car, to stand beside the plate."""
    if done.change is not None:
        return label(done, names, words)
    said = words.undo_label(done.ask, None, done.answer, names)
    return capital(said)


def label(done: Done, names: Names, words: Words) -> str:
    """Return an answer or override in words."""
    if done.change is not None:
        return words.change(done.change, names)
    return words.undo_label(done.ask, done.car, done.answer, names)


class UndoCount(NamedTuple):
    """The size of an undo: `answers` of people, and `acts` in all.

    Acts are the answers of people and of programs, corrections and overrides.
    """

    answers: int
    acts: int


def undos(history: History) -> list[UndoCount]:
    """Return for each answer in force the undo that asks it again.

    A correction counts as one; undoing it restores what it removed.
    """
    items = list(history.items)
    needed = [UndoCount(0, 0)] * len(items)
    count, open_from = 0, len(items)
    for acts, action in enumerate(reversed(history.done), 1):
        items[action.n :] = action.was
        if not person(action.by):
            continue
        count += 1
        for n in range(min(len(items), open_from), open_from):
            needed[n] = UndoCount(count, acts)
        open_from = min(open_from, len(items))
    return needed


def asked_at(desk: RaceDesk, n: int) -> Asked | None:
    """Return the question that answer `n` answered; the race is not changed."""
    return desk.conversation.fork(desk.rulebook.clone(), n).asked


def trial(
    done: Done,
    ways: Sequence[Correction | str],
    now: str,
    names: Names,
    words: Words,
    built: Mapping[int, Mapping[str, int]] | None = None,
) -> CorrectionPreview:
    """Return the preview of a correction.

    A way is a tried correction, or the sentence of its refusal. `built` is the size of each car's pools. Two ways
    without changes become one.
    """
    keys: list[AnswerKey] = []
    lines: list[tuple[CardLine, ...]] = []
    same = all(isinstance(way, Correction) and _changes_nothing(way) for way in ways)
    able = [way for way in ways if isinstance(way, Correction)]
    changing = max((way.changes for way in able), key=len, default=[])
    for name, way in zip(("replay", "board"), ways, strict=True):
        if isinstance(way, str):
            keys.append(AnswerKey(answer=name, label=words.screen(f"history.{name}"), why=way))
            lines.append((CardLine(text=way, icon="triangle", tone="warn"),))
            continue
        keys.append(AnswerKey(answer=name, label=words.screen(f"history.{name}"), note=_note(way, words),
                              note_tone=_note_tone(way), accept=True))  # fmt: skip
        lines.append(tuple(_lines(way, names, words, changing)))
    changed = tuple(_changed(change, names, words, built or {}) for change in changing)
    nothing = capital(words.say("nothing_changes"))
    worse = sum(one.tone == "bad" for one in changed)
    if same:
        keys = [msgspec.structs.replace(keys[0], label=words.screen("history.correct_key"))]
        lines = [(*lines[0], CardLine(text=words.screen("history.only_the_sheet"), icon="check", tone="ok"))]
    return CorrectionPreview(
        title=words.screen("history.correct_it"),
        note=nothing if same else words.screen("history.change_count", count=len(changed), worse=worse),
        was=capital(label(done, names, words)),
        now=now,
        changes=changed or (CorrectionChange(text=nothing, icon="check", tone="ok"),),
        ways=tuple(keys),
        lines=tuple(lines),
    )


def _changes_nothing(way: Correction) -> bool:
    """Return True if a way leaves the race as it is.

    No value changes, no answer is lost, and nothing is left over or asked.
    """
    beside = way.keep == "board" and way.asks is not None
    return not (way.changes or way.fell or way.dropped or way.left or beside)


def _changed(change: Change, names: Names, words: Words, built: Mapping[int, Mapping[str, int]]) -> CorrectionChange:
    """Return one change: wear by its points, anything else in words."""
    if change.what in ("danger", "due"):
        facts: dict[str, Json] = {"comes": bool(change.now), "at": change.now or change.was, "car": change.car}
        return CorrectionChange(
            text=words.screen(f"history.changed.{change.what}", names, **facts),
            value=words.screen(f"history.becomes.{change.what}", names, **facts),
            icon="triangle" if change.what == "danger" else "die",
            tone="bad" if change.now else "ok",
        )
    if change.what not in words.table["pool"] or change.car is None or isinstance(change.now, str):  # a compound
        gone = change.what == "status" and change.now == "out"
        return CorrectionChange(text=words.changed(change, names), icon="check", tone="bad" if gone else "ok")
    was, left = int(change.was or 0), int(change.now or 0)
    room = max(built.get(change.car, {}).get(change.what, 0), was, left)
    text = f"{words.number(change.car, names)}{words.say('colon')}{words.word('pool', change.what)}"
    return CorrectionChange(text=text, icon=change.what, tone="ok" if left > was else "bad", points=(room, was, left))


def _note(way: Correction, words: Words) -> str:
    if way.keep == "replay":
        return words.screen("history.keeps", kept=way.kept, all=way.kept + way.dropped)
    return words.screen("history.stays" if way.asks is None else "history.asks_beside")


def _note_tone(way: Correction) -> Tone:
    if way.keep == "replay":
        return "warn" if way.dropped else "ok"
    return "warn" if way.left or way.asks is not None else "ok"


def _lines(way: Correction, names: Names, words: Words, changing: Sequence[Change]) -> list[CardLine]:
    """Return what a way keeps, changes, leaves and asks, one line each."""
    if way.keep == "replay":
        kept = words.screen("history.keeps_of", kept=way.kept, all=way.kept + way.dropped)
        lost = way.dropped and not way.kept
        said = [CardLine(text=kept, icon="cross" if lost else "check", tone="warn" if lost else "ok")]
        if way.changes != changing:
            said += [CardLine(text=words.changed(change, names), icon="check", tone="ok") for change in way.changes]
        said += _fallen("history.falls", way, names, words)
    else:
        sets = [words.changed(change, names) for change in way.changes]
        if list(way.changes) == list(changing):
            sets = [words.screen("history.same_changes" if sets else "history.only_the_sheet")]
        said = [CardLine(text=one, icon="check", tone="ok") for one in sets or [words.screen("history.only_the_sheet")]]
        said += [CardLine(text=words.skipped_change(entry, names), icon="lock", tone="warn") for entry in way.left]
        said += _fallen("history.no_longer", way, names, words)
    if way.asks is not None:
        said.append(
            CardLine(text=words.screen("history.asks", question=words.question(way.asks, names)), icon="arrow-right")
        )
    return said


def _fallen(key: str, way: Correction, names: Names, words: Words) -> list[CardLine]:
    """Return the lost answers: up to two, otherwise the first and a count."""
    fell = way.fell if len(way.fell) <= 2 else way.fell[:1]
    said = [
        CardLine(text=words.screen(key, answer=label(done, names, words)), icon="cross", tone="warn") for done in fell
    ]
    if len(way.fell) > 2:
        said.append(CardLine(text=words.say("and_more", count=len(way.fell) - 1), tone="warn"))
    return said


class Alternative(ViewModel, frozen=True, kw_only=True):
    """An alternative answer: its label, and its cost or gain."""

    answer: Json
    label: str
    note: str = ""
    chosen: bool = False


class Picks(ViewModel, frozen=True, kw_only=True):
    """The alternatives to an answer: dice `bands` and `faces`, a list, or a `form`.

    `label` is the answer given, or the question.
    """

    label: str
    bands: tuple[Alternative, ...] = ()
    faces: tuple[Alternative, ...] = ()
    listed: tuple[Alternative, ...] = ()
    form: Prompt | None = None


def picks(sight: Sight, seq: int) -> Picks | None:
    """Return the alternatives to an entry's answer, as asked at the time.

    None if the entry has been undone.
    """
    n = sight.desk.history.place_of(seq)
    if n is None:
        return None
    done = sight.desk.answers()[n]
    asked = asked_at(sight.desk, n)
    said = label(done, sight.names, sight.words)
    return Picks(label=said) if asked is None else _picks(sight, asked, said, done.answer)


def _picks(sight: Sight, asked: Asked, said: str, was: Json) -> Picks:
    words, names = sight.words, sight.names
    if asked.faces is not None:
        wide = [band for band in asked.bands or () if band[0] < band[1]]
        bands = tuple(Alternative(answer=one, label=face(one), chosen=one == was) for one in wide)
        faces = tuple(Alternative(answer=one, label=str(one), chosen=was in (one, [one, one])) for one in asked.faces)
        return Picks(label=said, bands=bands, faces=faces)
    if layout_of(asked) in ("form", "seen"):
        return Picks(label=said, form=_form(sight, asked, was))
    listed = []
    for option in asked.options or []:
        note = " · ".join(filter(None, (words.cost(option.wear), words.note(asked.ask, option, names))))
        text = words.offered(asked.ask, option, names)
        listed.append(Alternative(answer=option.answer, label=capital(text), note=note, chosen=option.answer == was))
    return Picks(label=said, listed=tuple(listed))


def _form(sight: Sight, asked: Asked, was: Json) -> Prompt:
    """Return the question as a form, filled in with the answer given."""
    given = was if isinstance(was, dict) else {}
    fields = tuple(
        msgspec.structs.replace(one, value=given.get(one.name, one.value)) for one in fields_of(sight, asked)
    )
    return Prompt(
        key=f"{asked.n} {asked.ask} {asked.car}",
        n=asked.n,
        ask=asked.ask,
        plate=sight.plate(asked.car) if asked.car is not None else None,
        title=title(sight, asked),
        unit=unit(sight, asked),
        layout="form",
        fields=fields,
        most=most(asked),
        undo=Undo(label=""),
        redo=Undo(label=""),
    )


def tried(sight: Sight, seq: int, answer: Json, then: Sequence[Json] = ()) -> CorrectionPreview | None:
    """Return the preview of correcting an entry's answer; nothing is changed.

    `then` answers what is asked if the board stands. None if the entry has been undone.
    """
    desk, words, names = sight.desk, sight.words, sight.names
    n = desk.history.place_of(seq)
    if n is None:
        return None
    ways: list[Correction | str] = []
    beside = None
    for keep in ("replay", "board"):
        try:
            way = desk.try_correction(n, answer, keep=keep, then=then if keep == "board" else ())
        except CompanionError as wrong:
            ways.append(words.error(wrong))
            continue
        ways.append(way)
        if keep == "board" and way.asks is not None:
            beside = _picks(sight, way.asks, words.question(way.asks, names), None)
    done = desk.answers()[n]
    now = capital(words.undo_label(done.ask, None, answer, names))
    built = {car.number: {str(pool): points for pool, points in car.built.items()} for car in sight.race.cars}
    shown = trial(done, ways, now, names, words, built)
    plate = sight.plate(done.car) if done.car is not None else None
    if _is_thrown(done.answer) and _is_thrown(answer):
        was, faces = shown.was.rpartition(words.say("colon"))[0], (face(done.answer), face(answer))
        asked = words.screen("history.correct_to", was=faces[0], now=faces[1])
        shown = msgspec.structs.replace(shown, was=was, faces=faces, title=asked)
    first = next((way for way in ways if isinstance(way, Correction)), None)
    ruled = summary_line(first.rulings, done.car, words, names)[0] if first is not None else ""
    if ruled == summary_line(desk.history.items[n].rulings, done.car, words, names)[0]:
        ruled = ""
    return msgspec.structs.replace(shown, plate=plate, beside=beside, ruled=ruled)


def _is_thrown(answer: Json) -> bool:
    """Return True if an answer is the result of a die."""
    return not isinstance(answer, bool) and (
        isinstance(answer, int) or (isinstance(answer, list) and all(isinstance(one, int) for one in answer))
    )
