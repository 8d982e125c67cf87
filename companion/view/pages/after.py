"""Race statistics: curves by round and tables by driver.

For the screen, paper and pictures; for all cars, or two compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from companion.rules.circuit.track import Track
from companion.sheets import race_stats
from companion.sheets.history import History
from companion.sheets.race_stats import DICE
from companion.sheets.sheet import RaceSheet
from companion.view.price import signed
from companion.view.shown import Plate, ViewModel
from companion.wording import Words

Topic = Literal["wear", "gaps", "dice", "tyres", "time", "passed", "odds", "luck", "turned", "dearest"]
MAX_MARKS: Final = 5
"""Maximum number of marks at the side of a curve."""


class Curve(ViewModel, frozen=True, kw_only=True):
    """A car's curve, as (column, value) points."""

    plate: Plate
    points: tuple[tuple[int, float], ...]


class Curves(ViewModel, frozen=True, kw_only=True):
    """Curves over rounds; `top` and `bottom` are the values at the edges."""

    topic: Topic
    title: str
    columns: tuple[str, ...]
    top: float
    bottom: float
    lines: tuple[Curve, ...]

    def height(self, value: float) -> float:
        """Return the height of a value, from 0 at the top edge to 1 at the bottom."""
        return (self.top - value) / ((self.top - self.bottom) or 1)

    def ends(self, apart: float, those: Sequence[int] = ()) -> list[tuple[Plate, int, float]]:
        """Return the plates at the ends of the curves: plate, column, height.

        `those` limits them to some cars. Plates that would overlap are moved `apart`, or less where many share the
        space; none leaves the chart.
        """
        found: list[tuple[Plate, int, float]] = []
        near = len(self.columns) / 20
        lines = [line for line in self.lines if not those or line.plate.number in those]
        apart = min(apart, 1 / max(1, len(lines) - 1))
        for line in sorted(lines, key=lambda line: self.height(line.points[-1][1])):
            column, value = line.points[-1]
            taken = [other for _, at, other in found if abs(at - column) <= near]
            found.append((line.plate, column, max([self.height(value), *(other + apart for other in taken)])))
        for at in range(len(found) - 1, -1, -1):
            plate, column, down = found[at]
            under = [other - apart for _, where, other in found[at + 1 :] if abs(where - column) <= near]
            found[at] = plate, column, min([down, 1.0, *under])
        return found

    @property
    def marks(self) -> tuple[int, ...]:
        """Evenly spaced whole values to label the axis with."""
        least, most = int(min(self.top, self.bottom)), int(max(self.top, self.bottom))
        return tuple(range(least, most + 1, max(1, -(-(most - least) // (MAX_MARKS - 1)))))


class Grid(ViewModel, frozen=True, kw_only=True):
    """A table with a row per car."""

    topic: Topic
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Plate, str, tuple[str, ...]], ...]


def topics(
    sheet: RaceSheet,
    history: History,
    plates: Mapping[int, int],
    track: Track | None,
    words: Words,
    only: Sequence[int] = (),
) -> list[Curves | Grid]:
    """Return all statistics of a race, for all cars or some.

    What the rulebook does not have is left out.
    """
    cars = [car for car in sheet.cars if not only or car.car in only]
    names = {car.car: car.driver for car in cars}
    found: list[Curves | Grid] = []
    say = words.screen

    def grid(topic: Topic, cells: Mapping[int, tuple[str, ...]], head: tuple[str, ...] | None = None) -> None:
        rows = tuple(
            (Plate(number=number, place=plates.get(number, 0)), names[number], cells[number])
            for number in names
            if number in cells
        )
        if rows:
            head = head or tuple(say(f"after.head.{topic}").split(" | "))
            found.append(Grid(topic=topic, title=say(f"after.title.{topic}"), head=head, rows=rows))

    worn = race_stats.wear(sheet)
    _curves(found, "wear", worn, names, plates, words)
    if track is not None:
        _curves(found, "gaps", race_stats.gaps(sheet, track), names, plates, words)
    fell = race_stats.rolled(history)
    dice = [die for die in DICE if any(one == die for _, one in fell)]
    cells = {}
    for number in names:
        if any(car == number for car, _ in fell):
            cells[number] = tuple(
                f"{words.decimal(float(one.mean))} ({one.rolls})"
                if (one := fell.get((number, die))) is not None
                else "–"
                for die in dice
            )
    means = {die: words.decimal(sum(DICE[die]) / len(DICE[die])) for die in dice}
    grid("dice", cells, tuple(say("after.die", die=int(die), mean=means[die]) for die in dice))
    driven = {car.car: race_stats.stints(car) for car in cars}
    most = max((len(one) for one in driven.values()), default=0)
    laid = {
        number: tuple(
            say("after.stint", tyres=one.tyres, first=one.first, last=one.last if one.last > one.first else 0)
            for one in sets
        )
        for number, sets in driven.items()
        if sets
    }
    grid("tyres", laid, tuple(say("after.set", number=at + 1) for at in range(most)))
    took = race_stats.times(race_stats.turns(history))
    cells = {}
    for number, mine in took.items():
        slowest = f"{clock(mine.slowest)} ({say('sheet.round_short', round=mine.round)})"
        cells[number] = (clock(mine.total), clock(mine.average), slowest)
    grid("time", cells)
    cells = {}
    for number, passed in race_stats.overtakes(sheet).items():
        more = passed.made - passed.lost
        cells[number] = (str(passed.made), str(passed.lost), signed(more) if more else "0")
    grid("passed", cells)
    return found


def _curves(
    found: list[Curves | Grid], topic: Topic, lines: Mapping[int, Sequence[tuple[int, float]]],
    names: Mapping[int, str], plates: Mapping[int, int], words: Words,
) -> None:  # fmt: skip
    """Append a topic's curves, if they span at least two rounds."""
    rounds = sorted({round_ for number in names for round_, _ in lines.get(number, ())})
    if len(rounds) < 2:
        return
    column = {round_: at for at, round_ in enumerate(rounds)}
    highest = max(value for number in names for _, value in lines.get(number, ()))
    top, bottom = (0.0, highest) if topic == "gaps" else (highest, 0.0)
    found.append(
        Curves(
            topic=topic,
            title=words.screen(f"after.title.{topic}"),
            columns=tuple(words.screen("sheet.round_short", round=round_) for round_ in rounds),
            top=float(top),
            bottom=float(bottom),
            lines=tuple(
                Curve(
                    plate=Plate(number=number, place=plates.get(number, 0)),
                    points=tuple((column[round_], float(value)) for round_, value in lines[number]),
                )
                for number in names
                if lines.get(number)
            ),
        )
    )


def clock(seconds: float) -> str:
    """Format a time as minutes and seconds."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}"
