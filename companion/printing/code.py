"""A race for a phone: how it stands or ended, as text in a QR code, which is read without a network."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import segno

from companion.sheets.build_sheet import race_sheet
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.sheets.sheet import RaceSheet
from companion.view.pages.sheet import SheetShown, page
from companion.wording import Words

MOST: Final = 1091
"""Maximum size of a code, in bytes (109 squares a side): a larger one could not be read off the smallest panel."""
ROOMS: Final = (30, 16, 8, 4)
"""Lengths allowed for a name, in letters; the first that leaves the text small enough is taken."""


class QrCode(NamedTuple):
    """A QR code without its margin, row by row from the top, True where it is dark; and the text in it."""

    rows: tuple[tuple[bool, ...], ...]
    text: str


def as_code(entries: Sequence[Entry], lang: str) -> QrCode:
    """Return a race's order, its points if it is over, and the entry that proves it, as a QR code."""
    history = History.of(entries)
    sheet = race_sheet(history)
    words = Words(lang, sheet.rulebook)
    shown = page(sheet, history, words, name="result")
    log = words.screen("paper.log", count=entries[-1].seq, hash=entries[-1].hash.hex()[:16])
    for room in ROOMS:
        text = "\n".join((*_lines(sheet, shown, words, room), log))
        if len(text.encode()) <= MOST:
            break
    return QrCode(squares_of(text), text)


@functools.lru_cache(maxsize=16)
def squares_of(text: str) -> tuple[tuple[bool, ...], ...]:
    """Return the squares of a QR code without its margin, row by row, True where dark."""
    made = segno.make(text, error="l", encoding="utf-8", micro=False)
    return tuple(tuple(bool(square) for square in row) for row in made.matrix)


def _lines(sheet: RaceSheet, shown: SheetShown, words: Words, room: int) -> Iterator[str]:
    """Return the lines above the log's: the race, how far it is, and one for each car."""
    yield _cut(shown.head.title, 2 * room)
    yield _cut(shown.head.subtitle, 3 * room)
    for listing in shown.result:
        for place, cars, name, _, *driven, points in listing.rows:
            said = words.screen("paper.points", points=points.value)
            if not driven:
                yield f"{place.text}.  {_cut(name.text, room)}, {said}"
                continue
            laps, cause = (cell.text for cell in driven)
            yield _line(
                place.text, cars.text, _cut(name.text, room), laps, said if points.value else "", _cut(cause, room)
            )
    if not shown.result and sheet.rounds:
        now = sheet.rounds[-1]
        yield words.screen("sheet.round", round=now.round)
        for at, number in enumerate(now.order, 1):
            car = sheet.car(number)
            yield _line(str(at), str(number), _cut(car.driver if car is not None else "", room))


def _line(place: str, number: str, *facts: str) -> str:
    return f"{place}{'.' if place.isdigit() else ''}  {number}  " + ", ".join(fact for fact in facts if fact)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1].rstrip() + "…"
