"""What a tournament and a season are kinds of: an event with entrants, results, and tables of drivers and teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadEntry
from companion.rules.rulebooks import named
from companion.tournament.entrants import Changed, Entered, Field, Removed, Withdrawn
from companion.tournament.record import Act, Record, Signed
from companion.tournament.results import Confirmed, Corrected, Moved, Result, Results, moved
from companion.tournament.standings import Score, Standing, table, team_scores

PLATES: Final = 20
"""How many plates there are, ten colours with one line around them or two."""


def otherwise(rulebook: str, figures: Mapping[str, Json]) -> dict[str, Json]:
    """What of the figures of an event its races have otherwise than their rulebook; a number is held within what the
    figure may be, and 0 is the most of it."""
    found = {}
    for figure in named(rulebook).figures_type():
        value = figures.get(figure.name)
        if isinstance(value, int) and figure.low is not None and figure.high is not None:
            value = max(figure.low, min(value or figure.high, figure.high))
        if value not in (None, figure.said):
            found[figure.name] = value
    return found


class Organised(Record):
    """An event after its acts. A kind of event takes its own acts in `apply` and leaves the others to this one; it says
    who has raced for a result (`racing`, `left`), since when entries are fixed (`driven`), and what a driver has from
    each race (`scores`)."""

    def __init__(self) -> None:
        super().__init__()
        self.field = Field()
        self.results = Results()

    def check(self, act: Act) -> None:
        """A result tells of somebody."""
        if isinstance(act, Result) and not (act.lines or self.racing(act.race)):
            raise BadEntry(f"There is nobody in this result of {act.race}; nobody races there.")

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

    def left(self, key: str) -> list[int]:
        """Who was to drive at a table or in a race and has gone since, perhaps after it: whoever crossed the line keeps
        his place and his points [2-0-3, 21-1-2]."""
        raise NotImplementedError

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
