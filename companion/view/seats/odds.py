"""The odds on the running order, for a table that wants them."""

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
"""The chance of which a bar is full, if no favourite has more."""


class RaceOdds:
    """Each car's chance to win, counted anew when another turn is played. Where no table is at hand the race is driven
    out for that, apart, when another round has begun, and told as the races come in. What is corrected or said by the
    referee, and who takes a seat, has it counted anew at once."""

    def __init__(self) -> None:
        self._reader: Strong | None = None
        self._at: object = None
        self._wins: Mapping[int, float] = {}
        self._apart: BackgroundJob | None = None

    def wins(self, desk: RaceDesk, programs: Programs) -> Mapping[int, float]:
        """The chances as the last whole turn left them, or the last round; none before the race was driven out some
        times."""
        book = desk.rulebook
        if tabled(book) and all(programs.known(desk, car) for car in desk.names):
            self._read(book, desk, programs)
        else:
            self._drive_out(desk, programs)
        return self._wins

    def end(self) -> None:
        """Nobody waits for them any more."""
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
    """The last that changed how a race stands without being an answer, and who drives."""
    said = next((action.seq for action in reversed(desk.history.done) if action.kind != "answer"), 0)
    return said, desk.history.programs


def of_car(shown: Dashboard, wins: Mapping[int, float], words: Words) -> Dashboard:
    """The dashboard of a car with its odds, where no strip of the order stands beside it."""
    if shown.plate.number not in wins:
        return shown
    value = words.chances(wins)[shown.plate.number]
    extra = Extra(icon="curve", label=words.screen("race.odds_on"), value=value)
    return msgspec.structs.replace(shown, extras=(extra, *shown.extras))


def with_odds(rows: tuple[Row, ...], wins: Mapping[int, float], words: Words) -> tuple[Row, ...]:
    """The running order with the odds in the place of gears and gaps."""
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
