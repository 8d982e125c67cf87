"""Records made of acts, without a database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from companion.tournament.entrants import Entered, Entrant
from companion.tournament.record import Act, Record, Signed
from companion.tournament.results import ResultLine
from companion.tournament.season import Season, SeasonBegun, Stage
from companion.tournament.tournament import Here, Tournament, TournamentBegun

R = TypeVar("R", bound=Record)


def act(record: R, act: Act, by: str = "Ada") -> R:
    """One more act, as a desk does it, at the hour of its number."""
    seq = len(record.log) + 1
    record.check(act)
    record.take(Signed(seq, by, f"2026-06-13T{seq // 60:02}:{seq % 60:02}:00+00:00", act))
    return record


def tournament(drivers: int = 6, teams: int = 0, **begun: object) -> Tournament:
    """A tournament of drivers A, B, ... with the numbers 1, 2, ..., all here; of so many teams in turn."""
    record = act(Tournament(), TournamentBegun(name="Cup", **begun))  # type: ignore[arg-type]
    entrants = tuple(
        Entrant(number, f"D{number}", f"T{number % teams}" if teams else "") for number in range(1, drivers + 1)
    )
    act(record, Entered(entrants=entrants))
    return act(record, Here(numbers=tuple(range(1, drivers + 1))))


def season(names: str = "ABCD", races: int = 8, teams: str = "", **begun: object) -> Season:
    """A season of drivers by their letters, numbers 1, 2, ...; `teams` are letters too, one a driver."""
    calendar = tuple(Stage("monaco") for _ in range(races))
    record = act(Season(), SeasonBegun(name="League", calendar=calendar, **begun))  # type: ignore[arg-type]
    entrants = tuple(
        Entrant(at, name, teams[at - 1] if teams else "", ("monaco",) if at == 1 else ())
        for at, name in enumerate(names, 1)
    )
    return act(record, Entered(entrants=entrants))


def on_paper(order: Sequence[int], out: Sequence[tuple[int, str]] = ()) -> tuple[ResultLine, ...]:
    """A result that is typed from paper: the drivers at the finish in their order, then who is out, with the cause."""
    home = [ResultLine(driver, place) for place, driver in enumerate(order, 1)]
    return (*home, *(ResultLine(driver, None, cause) for driver, cause in out))
