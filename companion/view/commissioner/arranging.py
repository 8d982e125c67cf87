"""A race of a season that is to come: who drives, from where, and what else can be arranged about it."""

from __future__ import annotations

from companion.tournament.season import Season
from companion.view.commissioner.acts import TakeBack, take_back
from companion.view.commissioner.standings import circuit_name, plates
from companion.view.commissioner.table_result import TableLine
from companion.view.shown import Shown
from companion.wording import Words


class ArrangingShown(Shown, frozen=True, kw_only=True):
    """The cars in the order of the grid, as far as it is settled, and behind them who does not race."""

    number: int
    title: str
    subtitle: str
    rows: tuple[TableLine, ...]
    rulebook: str
    track: str
    date: str
    by_hand: bool
    """Whether grids by hand are this season's rule, so that none needs a reason."""
    settled: bool
    open: bool
    undo: TakeBack


def arranging(record: Season, words: Words, number: int) -> ArrangingShown:
    """How a race to come stands; raises BadEntry if the calendar has none of that number."""
    race, coloured = record.race(number), plates(record)
    racing = record.drivers(number) if race.state == "to_come" else []
    grid = record.grid(number) if race.state == "to_come" else None
    order = grid or racing
    rows = []
    for driver in (*order, *(one for one in record.field.standing if one not in racing)):
        there, name = driver in racing, record.driver(number, driver)
        instead = name != record.field[driver].name
        note = words.screen("arranging.instead", name=record.field[driver].name) if instead else ""
        rows.append(
            TableLine(
                number=driver, place=str(order.index(driver) + 1) if there and grid else "" if there else "–",
                plate=coloured[driver], name=name, note=note if there else words.screen("arranging.missing"),
                article="", grid="", points="S" if instead else "", out=not there,
            )
        )  # fmt: skip
    return ArrangingShown(
        number=number,
        title=words.screen("table.title_race", race=number),
        subtitle=f"{record.name}, {circuit_name(race.stage.track)}",
        rows=tuple(rows),
        rulebook=record.rulebook(number),
        track=race.stage.track,
        date=race.stage.date,
        by_hand=record.begun.grid == "hand",
        settled=grid is not None,
        open=race.state == "to_come",
        undo=take_back(record, words),
    )
