"""The charts of the race sheet: the order round by round, and lap by lap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.rules.conversation.asking import Ruling
from companion.sheets.history import History
from companion.sheets.sheet import RaceSheet
from companion.view.sheet_names import plate_of, round_of, running
from companion.view.shown import Plate, Shown
from companion.wording import Words


class ChartLine(Shown, frozen=True, kw_only=True):
    """One car on a chart: (column, place) from the left; a place of 0 breaks the line, because it was out of the order.

    `end` is the place at which its plate stands beside the chart, 0 if it has none.
    """

    plate: Plate
    points: tuple[tuple[int, int], ...]
    end: int = 0


class Band(Shown, frozen=True, kw_only=True):
    """Columns of a chart in which the track was wet, with the word for it."""

    first: int
    last: int
    word: str
    icon: str


class Chart(Shown, frozen=True, kw_only=True):
    """Places down, rounds or laps across."""

    title: str
    columns: tuple[str, ...]
    places: int
    lines: tuple[ChartLine, ...]
    bands: tuple[Band, ...] = ()


def order_chart(sheet: RaceSheet, plates: Mapping[int, int], words: Words) -> Chart:
    """The place of each car when each round began, and how it stands now."""
    rounds = sheet.rounds
    lines = []
    for car in sheet.cars:
        places = {place.round: place.place or 0 for place in running(car)}
        points = tuple((column, places.get(line.round, 0)) for column, line in enumerate(rounds))
        end = points[-1][1] if points else 0
        lines.append(ChartLine(plate=plate_of(car.car, plates), points=points, end=end))
    return Chart(
        title=words.screen("sheet.order"),
        columns=tuple(round_of(line.round, words) for line in rounds),
        places=len(sheet.cars),
        lines=tuple(lines),
        bands=tuple(_bands(sheet, words)),
    )


def _bands(sheet: RaceSheet, words: Words) -> Iterator[Band]:
    """The stretches of rounds on a wet track."""
    first: int | None = None
    rounds = sheet.rounds
    for column, line in enumerate([*rounds, None]):
        wet = line is not None and line.surface == "wet"
        if wet and first is None:
            first = column
        elif not wet and first is not None:
            word = words.screen("sheet.wet_from", round=rounds[first].round)
            yield Band(first=first, last=column - 1, word=word, icon="rain")
            first = None


def lap_chart(sheet: RaceSheet, history: History, plates: Mapping[int, int], words: Words) -> Chart:
    """The order in which the cars crossed the line at the end of each lap; the first column is the grid."""
    grid = sheet.rounds[0].order if sheet.rounds else [car.car for car in sheet.cars]
    crossed: dict[int, list[int]] = {0: grid}
    for item in history.items:
        for ruling in item.rulings:
            lap = _lap_ended(ruling, crossed)
            if lap and ruling.car is not None and ruling.car not in crossed.setdefault(lap, []):
                crossed[lap].append(ruling.car)
    laps = [lap for lap in sorted(crossed) if crossed[lap]]
    lines = []
    for car in sheet.cars:
        points = tuple(
            (column, crossed[lap].index(car.car) + 1 if car.car in crossed[lap] else 0)
            for column, lap in enumerate(laps)
        )
        lines.append(ChartLine(plate=plate_of(car.car, plates), points=points, end=points[-1][1] if points else 0))
    columns = tuple(
        words.screen("sheet.grid") if lap == 0 else words.screen("sheet.lap_short", lap=lap) for lap in laps
    )
    return Chart(title=words.screen("sheet.laps"), columns=columns, places=len(sheet.cars), lines=tuple(lines))


def _lap_ended(ruling: Ruling, crossed: Mapping[int, Sequence[int]]) -> int:
    """The lap that a car has ended by a ruling; 0 if none: the first crossing from the grid begins the first lap, and
    a move that says its lap says how many are behind it."""
    if ruling.kind == "lap":
        return int(ruling.facts["lap"]) - 1
    if ruling.kind == "move" and "lap" in ruling.facts:
        return max(0, int(ruling.facts["lap"]))
    if ruling.kind == "finish" and "points" not in ruling.facts:
        done = [lap for lap, cars in crossed.items() if ruling.car in cars]
        return max(done, default=0) + 1
    return 0
