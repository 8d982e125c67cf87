"""What a tournament and a season are kinds of: an event with entrants, results, and tables of drivers and teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry
from companion.tournament.entrants import Changed, Entered, Field, Removed, Withdrawn
from companion.tournament.record import Act, Record, Signed
from companion.tournament.results import (
    Confirmed,
    Corrected,
    Moved,
    Result,
    Results,
    classified,
    drivers_of,
    from_grid,
    moved,
)
from companion.tournament.standings import Score, Standing, table, team_scores

PLATES: Final = 20
"""How many plates there are, ten colours with one line around them or two."""


def otherwise(rulebook: str, figures: Mapping[str, Json]) -> dict[str, Json]:
    """What of the figures of an event its races have otherwise than their rulebook; a number is held within what the
    figure may be, and 0 is the most of it."""
    from companion.rules.rulebooks import named  # standings are read without any rules

    found = {}
    for figure in named(rulebook).figure_table()():
        value = figures.get(figure.name)
        if isinstance(value, int) and figure.low is not None and figure.high is not None:
            value = max(figure.low, min(value or figure.high, figure.high))
        if value not in (None, figure.said):
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
    """Return True if a race by a rulebook rolls for its grid, unless it is told one."""
    from companion.rules.rulebooks import named

    return named(rulebook).rolls_for_grid


class Organised(Record):
    """An event after its acts. A kind of event takes its own acts in `apply` and leaves the others to this one; it says
    who has raced for a result (`racing`, `left`), since when entries are fixed (`driven`), and what a driver has from
    each race (`scores`)."""

    def __init__(self) -> None:
        super().__init__()
        self.field = Field()
        self.results = Results()

    def completed(self, act: Act) -> Act:
        """Score a result that a person typed as the rulebook of its race does [21-1-2, race.unfinished, ruling 18]."""
        if isinstance(act, Result | Corrected) and self._is_typed(act) and self.places_retired(act.race):
            return msgspec.structs.replace(act, lines=classified(act.lines))
        return act

    def check(self, act: Act) -> None:
        """A result tells of somebody, and gives a retired driver no place where the rulebook gives none [21-1-2]."""
        if isinstance(act, Result) and not (act.lines or self.racing(act.race)):
            raise BadEntry(f"There is nobody in this result of {act.race}; nobody races there.")
        if isinstance(act, Result | Corrected) and self._is_typed(act) and not self.places_retired(act.race):
            for line in act.lines:
                if line.driver and line.place is not None and line.cause:
                    name = self.names.get(line.driver, str(line.driver))
                    raise BadEntry(
                        f"{name} retired, and this rulebook gives a retired driver no place; enter him as out."
                    )

    def apply(self, signed: Signed) -> None:
        act = signed.act
        match act:
            case Entered():
                self.field.enter(act.entrants)
            case Changed():
                self.field.change(act.number, act.entrant, driven=self.driven)
            case Removed():
                self.field.remove(act.number, driven=self.driven)
            case Withdrawn():
                self.field.withdraw(act.number, act)
            case Result():
                grid = self.grid_of(act.race, drivers_of(act.lines))
                act = msgspec.structs.replace(act, lines=from_grid(act.lines, grid))
                self.results.enter(signed, act, self.racing(act.race), self.left(act.race), self.names)
            case Confirmed():
                self.results.confirm(signed, act)
            case Corrected():
                self.results.correct(signed, act, self.results[act.race].order, self.names)

    @property
    def driven(self) -> bool:
        """Whether entries are fixed, since somebody has driven."""
        raise NotImplementedError

    @property
    def names(self) -> dict[int, str]:
        """The entrants' names by number."""
        return {number: entrant.name for number, entrant in self.field.entrants.items()}

    def colours(self) -> dict[int, int]:
        """The colour and shape of each entrant's plate, of twenty: his own."""
        return {number: at % PLATES for at, number in enumerate(self.field.entrants)}

    def racing(self, key: str) -> list[int]:
        """The drivers of a table or race, of whom a result tells; raises BadEntry if there is none of that key."""
        raise NotImplementedError

    def grid_of(self, key: str, came: Sequence[int]) -> Sequence[int]:
        """The grid from pole of a table or race in which these drivers came to a result, empty where nobody knows it;
        raises BadEntry if there is none of that key."""
        raise NotImplementedError

    def rules_of(self, key: str) -> tuple[str, Mapping[str, Json]]:
        """The rulebook of a table or race, and the options it is raced with; raises BadEntry if there is no such."""
        raise NotImplementedError

    def places_retired(self, key: str) -> bool:
        """Whether a retired driver has a place, and its points: as the log of the race says, else as its rulebook does
        [21-1-2, race.unfinished, ruling 18]."""
        filed = self.results.filed.get(key)
        if filed is not None and filed.log is not None:
            for line in filed.versions[0].lines:
                if line.cause:
                    return line.place is not None
        from companion.rules.rulebooks import places_retired

        return places_retired(*self.rules_of(key))

    def left(self, key: str) -> list[int]:
        """Who was to drive at a table or in a race and has gone since, perhaps after it: whoever crossed the line keeps
        his place and his points [2-0-3, 21-1-2]."""
        raise NotImplementedError

    @staticmethod
    def _is_typed(act: Result | Corrected) -> bool:
        return isinstance(act, Corrected) or act.log is None

    def changes(self, act: Corrected) -> list[Moved]:
        """Whose place a correction would change."""
        return moved(self.results[act.race].lines, act.lines)

    def scale(self, key: str) -> Sequence[int]:
        """The points that the places of a table or race bring."""
        raise NotImplementedError

    def scores(self, driver: int) -> list[Score]:
        """What a driver has from each race."""
        raise NotImplementedError

    def standings(self) -> list[Standing]:
        """The drivers' table: most points first, ties by countback [season.drivers, season.countback]."""
        return table({driver: self.scores(driver) for driver in sorted(self.field.entrants)})

    def team_standings(self) -> list[Standing]:
        """The teams' table: a team has the points of its drivers together, and their places for the countback
        [season.teams, season.countback]."""
        return table(team_scores(self.field.teams(), {n: self.scores(n) for n in self.field.entrants}))
