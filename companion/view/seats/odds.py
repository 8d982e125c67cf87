"""The odds of each car, for tables that want them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from companion.desk import RaceDesk
from companion.drivers.odds import odds, tabled
from companion.drivers.registry import strong
from companion.drivers.strong import Strong
from companion.rules.conversation.typed import json_reader
from companion.view.seats.programs import Programs, driven_out
from companion.view.shown import Dashboard, Extra, Row
from companion.wording import Words

if TYPE_CHECKING:
    from companion.drivers.background_job import BackgroundJob
    from companion.rules.rulebooks import Dice

_places: Final = json_reader(dict[int, list[float]])
FULL: Final = 0.25
"""Chance that fills a bar, unless a favourite has more."""


class RaceOdds:
    """Each car's chance to win.

    With tables at hand, recomputed after every turn. Otherwise a background job plays the race out once per round and
    reports as its races finish. Corrections, overrides and new drivers trigger it at once.
    """

    def __init__(self) -> None:
        self._reader: Strong | None = None
        self._at: object = None
        self._wins: Mapping[int, float] = {}
        self._apart: BackgroundJob | None = None

    def wins(self, desk: RaceDesk, programs: Programs) -> Mapping[int, float]:
        """Return the chances after the last turn or round; empty before the first result."""
        book = desk.rulebook
        if tabled(book) and all(programs.has_table(desk, car) for car in desk.names):
            self._read(book, desk, programs)
        else:
            self._drive_out(desk, programs)
        return self._wins

    def end(self) -> None:
        """Stop the background job."""
        if self._apart is not None:
            self._apart.end()

    def _read(self, book: Dice, desk: RaceDesk, programs: Programs) -> None:
        race = desk.public()
        at = race.round, tuple(race.played), _changed(desk)
        if at != self._at and race.phase != "setup":
            self._reader = self._reader or strong("champion", book)
            self._keep(at, odds(book, self._reader, programs.by))

    def _drive_out(self, desk: RaceDesk, programs: Programs) -> None:
        if self._apart is not None and self._apart.over:
            if not self._apart.failed:
                self._keep(self._at, _places(self._apart.said))
            self._apart = None
        elif self._apart is not None and self._apart.so_far:
            self._keep(self._at, _places(self._apart.so_far))
        at = desk.public().round, desk.over, _changed(desk)
        if self._apart is None and at != self._at and desk.public().phase != "setup":
            self._at = at
            self._apart = driven_out(desk, programs.news)

    def _keep(self, at: object, found: Mapping[int, list[float]]) -> None:
        self._at, self._wins = at, {number: places[0] for number, places in found.items()}


def _changed(desk: RaceDesk) -> object:
    """Return a token that changes with corrections, overrides and drivers."""
    said = next((action.seq for action in reversed(desk.history.done) if action.kind != "answer"), 0)
    return said, desk.history.programs


def of_car(shown: Dashboard, wins: Mapping[int, float], words: Words) -> Dashboard:
    """Return a dashboard with the car's odds, for screens without the running order."""
    if shown.plate.number not in wins:
        return shown
    value = words.chances(wins)[shown.plate.number]
    extra = Extra(icon="curve", label=words.screen("race.odds_on"), value=value)
    return msgspec.structs.replace(shown, extras=(extra, *shown.extras))


def with_odds(rows: tuple[Row, ...], wins: Mapping[int, float], words: Words) -> tuple[Row, ...]:
    """Return the running order with odds in place of gears and gaps."""
    full, told = max([FULL, *wins.values()]), words.chances(wins)
    return tuple(
        msgspec.structs.replace(
            row,
            odds=told[row.plate.number],
            share=wins[row.plate.number] / full,
        )
        if row.plate.number in wins and not row.out
        else row
        for row in rows
    )
