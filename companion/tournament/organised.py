"""The base of tournaments and seasons: an event with entrants, results and standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry
from companion.tournament.entrants import Changed, Entered, EntryList, Removed, Withdrawn
from companion.tournament.record import Act, Record, Signed
from companion.tournament.results import (
    Confirmed,
    Result,
    ResultChange,
    ResultCorrected,
    Results,
    classified,
    drivers_of,
    from_grid,
    place_changes,
)
from companion.tournament.standings import Score, StandingsLine, table, team_scores

PLATES: Final = 20
"""Number of plates: ten colours, each with one or two outlines."""


def otherwise(rulebook: str, figures: Mapping[str, Json]) -> dict[str, Json]:
    """Return the figures of an event that differ from its rulebook's.

    A number is clamped to the range of the figure; 0 stands for its maximum.
    """
    from companion.rules.rulebooks import named  # standings are read without any rules

    found = {}
    for figure in named(rulebook).figure_table()():
        value = figures.get(figure.name)
        if isinstance(value, int) and figure.low is not None and figure.high is not None:
            value = max(figure.low, min(value or figure.high, figure.high))
        if value not in (None, figure.setup_value):
            found[figure.name] = value
    return found


def is_league(rulebook: str) -> bool:
    """Return True if a rulebook is a kind of the league, which draws no grid of its own."""
    from companion.rules.league import League
    from companion.rules.rulebooks import named

    return issubclass(named(rulebook), League)


def has_wear(rulebook: str) -> bool:
    """Return True if the cars of a rulebook wear off, as they do by dice and gears."""
    from companion.rules.dice.formula_de import FormulaDe
    from companion.rules.rulebooks import named

    return issubclass(named(rulebook), FormulaDe)


def pools_in(rulebook: str) -> Sequence[str]:
    """Return the pools of wear points of a rulebook."""
    from companion.rules.rulebooks import pools_of

    return pools_of(rulebook)


def rolls_for_grid(rulebook: str) -> bool:
    """Return True if a race by a rulebook rolls for its grid unless it gets one."""
    from companion.rules.rulebooks import named

    return named(rulebook).rolls_for_grid


def cars_of(setup: Mapping[str, Json]) -> list[int]:
    """Return the numbers of the drivers' cars in the setup of a race, from pole, without bots.

    The list is empty for a setup without such cars, as a log from elsewhere may have.
    """
    cars = setup.get("cars")
    return [
        car["car"] for car in (cars if isinstance(cars, list) else ())
        if isinstance(car, dict) and isinstance(car.get("car"), int) and not car.get("bot")
    ]  # fmt: skip


class Organised(Record):
    """An event after its acts.

    A kind of event handles its own acts in `apply` and leaves the others to this class. It defines who raced for a
    result (`racing`, `left`), whether entries are fixed (`driven`), and a driver's scores (`scores`).
    """

    def __init__(self) -> None:
        super().__init__()
        self.field = EntryList()
        self.results = Results()

    def completed(self, act: Act) -> Act:
        """Classify a typed result by the rulebook of its race [21-1-2, race.unfinished, ruling 18]."""
        if isinstance(act, Result | ResultCorrected) and self._is_typed(act) and self.places_retired(act.race):
            return msgspec.structs.replace(act, lines=classified(act.lines))
        return act

    def check(self, act: Act) -> None:
        """Check a new act.

        A result names somebody, and gives a retired driver no place where the rulebook gives none; raises BadEntry
        otherwise [21-1-2].
        """
        if isinstance(act, Result) and not (act.lines or self.racing(act.race)):
            raise BadEntry("nobody_races", race=act.race)
        if isinstance(act, Result | ResultCorrected) and self._is_typed(act) and not self.places_retired(act.race):
            for line in act.lines:
                if line.driver and line.place is not None and line.cause:
                    name = self.names.get(line.driver, str(line.driver))
                    raise BadEntry("retired_no_place", name=name)

    def apply(self, signed: Signed) -> None:
        act = signed.act
        match act:
            case Entered():
                self.field.enter(act.entrants)
            case Changed():
                self.field.change(act.number, act.entrant, driven=self.has_started)
            case Removed():
                self.field.remove(act.number, driven=self.has_started)
            case Withdrawn():
                self.field.withdraw(act.number, act)
            case Result():
                grid = self.grid_of(act.race, drivers_of(act.lines))
                act = msgspec.structs.replace(act, lines=from_grid(act.lines, grid))
                self.results.enter(signed, act, self.racing(act.race), self.withdrawn_from(act.race), self.names)
            case Confirmed():
                self.results.confirm(signed, act)
            case ResultCorrected():
                self.results.correct(signed, act, self.results[act.race].order, self.names)

    @property
    def has_started(self) -> bool:
        """Return True if entries are fixed because somebody has driven."""
        raise NotImplementedError

    @property
    def names(self) -> dict[int, str]:
        """The entrants' names by number."""
        return {number: entrant.name for number, entrant in self.field.entrants.items()}

    def colours(self) -> dict[int, int]:
        """Return each entrant's plate (0 to 19), by number."""
        return {number: at % PLATES for at, number in enumerate(self.field.entrants)}

    def racing(self, key: str) -> list[int]:
        """Return the drivers of a table or race, who are those a result lists.

        Raises BadEntry for an unknown key.
        """
        raise NotImplementedError

    def grid_of(self, key: str, came: Sequence[int]) -> Sequence[int]:
        """Return the grid from pole of a table or race, empty if it is unknown.

        `came` are the drivers in its result. Raises BadEntry for an unknown key.
        """
        raise NotImplementedError

    def rules_of(self, key: str) -> tuple[str, Mapping[str, Json]]:
        """Return the rulebook of a table or race and its options.

        Raises BadEntry for an unknown key.
        """
        raise NotImplementedError

    def places_retired(self, key: str) -> bool:
        """Return True if retired drivers get a place and its points.

        The log of the race decides, else its rulebook [21-1-2, race.unfinished, ruling 18].
        """
        filed = self.results.filed.get(key)
        if filed is not None and filed.log is not None:
            for line in filed.versions[0].lines:
                if line.cause:
                    return line.place is not None
        from companion.rules.rulebooks import places_retired

        return places_retired(*self.rules_of(key))

    def withdrawn_from(self, key: str) -> list[int]:
        """Return the drivers of a table or race who have withdrawn since.

        They may have left after the race: a driver who crossed the line keeps his place and points [2-0-3, 21-1-2].
        """
        raise NotImplementedError

    @staticmethod
    def _is_typed(act: Result | ResultCorrected) -> bool:
        return isinstance(act, ResultCorrected) or act.log is None

    def changes(self, act: ResultCorrected) -> list[ResultChange]:
        """Return the drivers whose place a correction would change."""
        return place_changes(self.results[act.race].lines, act.lines)

    def scale(self, key: str) -> Sequence[int]:
        """Return the points for each place of a table or race."""
        raise NotImplementedError

    def scores(self, driver: int) -> list[Score]:
        """Return a driver's score from each race."""
        raise NotImplementedError

    def standings(self) -> list[StandingsLine]:
        """Return the drivers' standings, ties by countback [season.drivers, season.countback]."""
        return table({driver: self.scores(driver) for driver in sorted(self.field.entrants)})

    def team_standings(self) -> list[StandingsLine]:
        """Return the teams' standings.

        A team has the points of all its drivers, and their places for the countback [season.teams, season.countback].
        """
        return table(team_scores(self.field.teams(), {n: self.scores(n) for n in self.field.entrants}))
