"""A coming race of a season: its drivers, its grid and other arrangements."""

from __future__ import annotations

from companion.tournament.season import Season
from companion.view.events.acts import TakeBack, take_back
from companion.view.events.standings import circuit_name, plates
from companion.view.events.table_result import TableLine
from companion.view.shown import ViewModel
from companion.wording import Words


class ArrangingShown(ViewModel, frozen=True, kw_only=True):
    """The cars in grid order as far as it is settled, then the absent drivers."""

    number: int
    title: str
    subtitle: str
    rows: tuple[TableLine, ...]
    rulebook: str
    track: str
    date: str
    by_hand: bool
    """True if the season's rule is a grid by hand, which needs no reason."""
    settled: bool
    open: bool
    undo: TakeBack


def arranging(record: Season, words: Words, number: int) -> ArrangingShown:
    """Return the arrangements for a coming race.

    Raises BadEntry if the calendar has no such race.
    """
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
