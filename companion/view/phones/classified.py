"""The classification on a phone.

It tells how much later each car finished, the round of each retirement, and who gained most places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.rules.position import Position
from companion.sheets.build_sheet import item_rounds
from companion.view.race.order import order, teams
from companion.view.race.sections import of_sections
from companion.view.shown import Plate, Row, ViewModel
from companion.view.sight import Sight


class Gained(ViewModel, frozen=True, kw_only=True):
    """The car that gained most places, with its first and last place."""

    plate: Plate
    name: str
    before: str
    after: str


class Classified(ViewModel, frozen=True, kw_only=True):
    """The classification, with points in place of gaps.

    In place of laps, rows tell how much later a car finished or when it retired. `won` is the winner's distance where
    there is a line to cross; `teams` are the teams' rows in a race for teams.
    """

    rows: tuple[Row, ...]
    won: str = ""
    gained: tuple[Gained, ...] = ()
    teams: tuple[Row, ...] = ()


def classified(sight: Sight) -> Classified:
    """Return the classification of a race that is over."""
    result, rounds = sight.book.result(), _last_rounds(sight)
    points = {row["car"]: row["points"] for row in result}
    first = next((row for row in result if row["place"] == 1), None)
    crossed = first is not None and first["status"] == "finished" and not of_sections(sight)
    home = rounds.get(first["car"]) if first is not None and crossed else None
    rows = []
    for row in order(sight):
        there = rounds.get(row.plate.number)
        later = there - home if there is not None and home is not None and not row.out else 0
        rows.append(
            msgspec.structs.replace(
                row,
                lap=sight.say("phone.later", rounds=later) if later > 0 else "",
                chip=sight.say("phone.out_in", counted=sight.say("top.round").lower(), round=there)
                if row.out and there
                else "",
                chip_tone="plain",
                gap=str(points[row.plate.number]),
                left=(),
            )
        )
    laps = first["laps"] if first is not None else 0
    won = sight.say("phone.won", laps=laps, rounds=home) if laps and home is not None else ""
    return Classified(rows=tuple(rows), won=won, gained=tuple(_gained(sight, rows)), teams=teams(sight))


def _last_rounds(sight: Sight) -> Mapping[int, int]:
    """Return the round in which each car finished or retired."""
    found: dict[int, int] = {}
    history = sight.desk.history
    for item, round_ in zip(history.items, item_rounds(history), strict=False):
        for ruling in item.rulings:
            if ruling.kind in ("finish", "out") and ruling.car is not None:
                found[ruling.car] = round_
    return found


def _gained(sight: Sight, rows: list[Row]) -> Iterator[Gained]:
    """Yield the cars that gained most places since the first round."""
    grid = next((list(stood["order"]) for stood in _positions(sight) if stood["round"]), [])
    gains = {row.plate.number: grid.index(row.plate.number) + 1 - row.position
             for row in rows if row.position and row.plate.number in grid}  # fmt: skip
    most = max(gains.values(), default=0)
    for row in rows:
        if most > 0 and gains.get(row.plate.number) == most:
            before, after = (sight.say("row.position", place=place) for place in (row.position + most, row.position))
            yield Gained(plate=row.plate, name=row.name or row.code, before=before, after=after)


def _positions(sight: Sight) -> Iterator[Position]:
    history = sight.desk.history
    if history.beginning is not None and history.beginning.position is not None:
        yield history.beginning.position
    yield from (item.position for item in history.items if item.position is not None)
