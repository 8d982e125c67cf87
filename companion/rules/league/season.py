"""The league's season: points by place, the drivers' table and the teams', ties by countback."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.rules.conversation.errors import BadSetup
from companion.rules.league.state import LeagueFigures


class Standing(NamedTuple):
    """A line of a table: the place (shared by those who are level in everything), a driver or a team, the points, and
    how often each place of a race was taken, the first one first."""

    place: int
    name: str
    points: int
    taken: tuple[int, ...]


class Season:
    """The races of a season as they were classified.

    `racers` gives each driver his team ("" for none). Raises BadSetup for more drivers than the league has, and for a
    team that is no pair.
    """

    def __init__(self, racers: Mapping[str, str], figures: LeagueFigures | None = None) -> None:
        self.racers, self.figures = dict(racers), figures or LeagueFigures()
        self.results: list[tuple[str, ...]] = []
        check_size(self.racers.values(), self.figures)
        size = self.figures.team_racers
        for team, drivers in self.paired().items():
            if len(drivers) != size:
                raise BadSetup(f"A team of the league has {size} racers; {team} has {len(drivers)}.")

    def paired(self) -> dict[str, list[str]]:
        """The drivers of each team [season.teams]."""
        teams: dict[str, list[str]] = {}
        for driver, team in self.racers.items():
            if team:
                teams.setdefault(team, []).append(driver)
        return teams

    def race(self, classified: Sequence[str]) -> None:
        """Another race of the season, everybody in the order of its classification; raises BadSetup for one race too
        many, and for a name that is no racer's or stands twice [season.races]."""
        if len(self.results) >= self.figures.season_races:
            raise BadSetup(f"A season has {self.figures.season_races} races; they have all been run.")
        for driver in classified:
            if driver not in self.racers:
                raise BadSetup(f"{driver} is no racer of this season.")
            if classified.count(driver) > 1:
                raise BadSetup(f"{driver} is classified twice; a racer has one place in a race.")
        self.results.append(tuple(classified))

    def points(self, place: int) -> int:
        """The points of a place, whether the racer crossed the line or not [season.points, ruling 18]."""
        scale = self.figures.points
        return scale[place - 1] if place <= len(scale) else 0

    def drivers(self) -> list[Standing]:
        """The drivers' table: most points first; its first line is the champion [season.drivers, season.countback]."""
        return self.table({driver: [driver] for driver in self.racers})

    def teams(self) -> list[Standing]:
        """The constructors' table: a team has the points of its two racers, and their places for the countback
        [season.teams, ruling 21]."""
        return self.table(self.paired())

    def table(self, sides: Mapping[str, Sequence[str]]) -> list[Standing]:
        """Sides with the same points are told apart by their wins, then second places, and so on; those who are still
        level share the place [season.countback, ruling 21]."""
        lines = []
        for name, drivers in sides.items():
            places = [result.index(driver) + 1 for result in self.results for driver in drivers if driver in result]
            taken = tuple(places.count(place) for place in range(1, len(self.racers) + 1))
            lines.append(Standing(0, name, sum(map(self.points, places)), taken))
        lines.sort(key=lambda line: (line.points, line.taken), reverse=True)
        ranks = [(line.points, line.taken) for line in lines]
        return [line._replace(place=ranks.index(rank) + 1) for line, rank in zip(lines, ranks, strict=True)]


def check_size(teams: Iterable[str], figures: LeagueFigures) -> None:
    """Refuses more racers than the league has, and more in a team than make one; raises BadSetup."""
    named = list(teams)
    if len(named) > figures.racers:
        raise BadSetup(f"The league has {figures.racers} racers; {len(named)} are too many.")
    for team in named:
        if team and named.count(team) > figures.team_racers:
            raise BadSetup(f"A team of the league has {figures.team_racers} racers; {team} has {named.count(team)}.")
