"""The log of the race sheet: what was ruled and said, as one of its filters shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from companion.rules.conversation.asking import Ruling
from companion.sheets.acts import Item, Said, person
from companion.sheets.history import History
from companion.sheets.sheet import RaceSheet
from companion.view.citing import cited
from companion.view.sheet_names import names_of, plate_of, round_of
from companion.view.shown import Plate, Shown, Tone
from companion.wording import Words
from companion.wording.filling import Names

Filter = Literal["all", "cost", "car", "people"]
FILTERS: Final[tuple[Filter, ...]] = ("all", "cost", "car", "people")
"""What the log shows: everything, what cost points, one car's, people's words."""
_REMARK_ICONS: Final = {"dispute": "flag", "uphold": "check"}
_BARE: Final = frozenset({"box", "build", "grid", "reminder", "round"})
"""Rulings that the log passes over, because the rows around them say it."""


class LogRow(Shown, frozen=True, kw_only=True):
    """One line of the log: a ruling, a value set, a note. `seq` is the entry, `n` the answer (for a correction);
    `price` is what it cost, where the sentence does not say it in its midst."""

    n: int
    seq: int
    round: str
    text: str
    article: str
    cited: str = ""
    plate: Plate | None = None
    tone: Tone = "plain"
    icon: str = ""
    by: str = ""
    price: str = ""


def log_rows(
    sheet: RaceSheet,
    history: History,
    plates: Mapping[int, int],
    words: Words,
    *,
    show: Filter = "all",
    car: int | None = None,
) -> list[LogRow]:
    """What was ruled and said, the latest first, as one of FILTERS has it; `car` is the car of the filter "car"."""
    names = names_of(sheet)
    rows: list[LogRow] = []
    round_ = 0
    remarks = {said.n: [one for one in history.said if one.n == said.n] for said in history.said}
    for n, item in enumerate(history.items):
        rows += _remarks(remarks.pop(n, []), show, round_, words)
        round_ = item.event.key[2] if item.event.key is not None else round_
        rows += _rulings(n, item, round_, plates, names, words, show=show, car=car)
    for left in remarks.values():
        rows += _remarks(left, show, round_, words)
    return rows[::-1]


def _rulings(
    n: int, item: Item, round_: int, plates: Mapping[int, int], names: Names, words: Words, *, show: Filter,
    car: int | None,
) -> Iterator[LogRow]:  # fmt: skip
    word = item.event.change is not None or item.event.forced
    why = f" ({item.why})" if word and item.why else ""
    for ruling in item.rulings:
        if ruling.kind in _BARE and show != "all" and not word:
            continue
        if show == "cost" and not any(points < 0 for points in ruling.wear.values()) and ruling.kind != "out":
            continue
        if show == "car" and ruling.car != car:
            continue
        if show == "people" and not word:
            continue
        text, price = _priced(words.ruling(ruling, names), ruling, words)
        yield LogRow(
            n=n,
            seq=item.seq,
            round=round_of(round_, words) if round_ else "–",
            text=text + why,
            price=price,
            article=ruling.article,
            cited=cited(ruling.article, words),
            plate=plate_of(ruling.car, plates) if ruling.car is not None else None,
            tone=_tone(ruling),
            icon="star" if word else "",
            by=item.by if word and person(item.by) else "",
        )


def _priced(said: str, ruling: Ruling, words: Words) -> tuple[str, str]:
    """A ruling's sentence without the points that it ends with, and those points."""
    price = words.cost(ruling.wear) if ruling.wear else ""
    end = f"{words.say('colon')}{price}."
    return (f"{said.removesuffix(end)}.", price) if price and said.endswith(end) else (said, "")


def _tone(ruling: Ruling) -> Tone:
    if ruling.kind in ("out", "spin", "removed"):
        return "bad"
    if any(points < 0 for points in ruling.wear.values()):
        return "warn"
    if any(points > 0 for points in ruling.wear.values()):
        return "ok"
    return "info" if ruling.kind in ("weather", "surface", "stops", "quick_stop") else "plain"


def _remarks(said: Sequence[Said], show: Filter, round_: int, words: Words) -> Iterator[LogRow]:
    if show not in ("all", "people"):
        return
    for one in said:
        yield LogRow(
            n=one.n, seq=one.seq, round=round_of(round_, words) if round_ else "–", text=_remark(one, words),
            article="", tone="info", icon=_REMARK_ICONS.get(one.kind, "edit"), by=one.by,
        )  # fmt: skip


def _remark(said: Said, words: Words) -> str:
    """What a person said; a dispute, and the word that its ruling stands, with the entry that it is about."""
    if said.kind == "uphold":
        return words.screen("sheet.dispute", entry=said.about, outcome="upheld")
    if said.about is None:
        return said.text
    about = words.screen("sheet.dispute", entry=said.about, outcome="")
    return f"{about}{words.say('colon')}{said.text}"
