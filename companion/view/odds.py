"""The odds on the running order, for a table that wants them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from companion.desk import RaceDesk
from companion.drivers.odds import odds
from companion.drivers.roster import strong
from companion.drivers.strong import Strong
from companion.rules.dice.formula_de import FormulaDe
from companion.view.programs import Programs
from companion.view.shown import Row
from companion.wording import Words

FULL: Final = 0.25
"""The chance of which a bar is full, if no favourite has more."""


class RaceOdds:
    """Each car's chance to win, counted anew when another turn is played."""

    def __init__(self) -> None:
        self._reader: Strong | None = None
        self._at: object = None
        self._wins: Mapping[int, float] = {}

    def wins(self, desk: RaceDesk, programs: Programs) -> Mapping[int, float]:
        """The chances as the last whole turn left them; none before the tables are there that they rest on."""
        if not all(programs.known(desk, car) for car in desk.names):
            return {}
        book = desk.rulebook
        assert isinstance(book, FormulaDe)
        race = desk.public()
        at = race.round, tuple(race.played)
        if at != self._at and race.phase != "setup":
            self._reader = self._reader or strong("champion", book)
            found = odds(book, self._reader, programs.by)
            self._at, self._wins = at, {number: places[0] for number, places in found.items()}
        return self._wins


def with_odds(rows: tuple[Row, ...], wins: Mapping[int, float], words: Words) -> tuple[Row, ...]:
    """The running order with the odds in the place of gears and gaps."""
    full = max([FULL, *wins.values()])
    return tuple(
        msgspec.structs.replace(
            row,
            odds=words.screen("hint.wins", wins=round(100 * wins[row.plate.number])),
            share=wins[row.plate.number] / full,
        )
        if row.plate.number in wins and not row.out
        else row
        for row in rows
    )
