"""How large a season of the league is: what a race of it checks of its cars. Calendar, points and tables of a season
are in companion.tournament."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.conversation.errors import BadSetup
from companion.rules.league.figures import LeagueFigures


def check_size(teams: Iterable[str], figures: LeagueFigures) -> None:
    """Refuses more racers than the league has, and more in a team than make one; raises BadSetup."""
    named = list(teams)
    if len(named) > figures.racers:
        raise BadSetup(f"The league has {figures.racers} racers; {len(named)} are too many.")
    for team in named:
        if team and named.count(team) > figures.team_racers:
            raise BadSetup(f"A team of the league has {figures.team_racers} racers; {team} has {named.count(team)}.")
