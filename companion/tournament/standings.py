"""Points and standings: what a place brings, drivers and teams added up, ties told apart by countback."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from companion.rules.conversation.errors import BadEntry

SCALES: Final[Mapping[str, tuple[int, ...]]] = {
    "formula-de": (10, 8, 6, 5, 4, 3, 2, 1),
    "first-six": (10, 6, 4, 3, 2, 1),
    "first-ten": (25, 18, 15, 12, 10, 8, 6, 4, 2, 1),
    "long": (12, 10, 8, 7, 6, 5, 4, 3, 2, 1),
    "old": (8, 6, 4, 3, 2, 1),
}
"""Points scales that are in use, by what we call them; an organiser may give any other [21-1-2]."""


class Score(NamedTuple):
    """What a driver has from one race: its key, the place (None: not placed), the points, and whether they are dropped
    because better results count instead."""

    race: str
    place: int | None
    points: int
    dropped: bool = False


class Standing(NamedTuple):
    """A line of a table. `who` is a driver's number or a team's name, `place` is shared by those who are level in
    everything, `taken` is how often each place was taken, the first one first. `decides` says what put this line
    before the next one of as many points: the place of which it has more, 0 if nothing does."""

    place: int
    who: int | str
    points: int
    taken: tuple[int, ...]
    scores: tuple[Score, ...]
    decides: int = 0


def points_of(place: int | None, scale: Sequence[int]) -> int:
    """The points of a place: whoever is not placed has none [21-1-2, season.points]."""
    return scale[place - 1] if place is not None and place <= len(scale) else 0


def check_scale(scale: Sequence[int]) -> None:
    """Raises BadEntry for a scale that gives a worse place more."""
    if not scale or len(scale) > 40 or any(not 0 <= points <= 999 for points in scale):
        raise BadEntry("A points scale has 1 to 40 figures of 0 to 999, such as 10 6 4 3 2 1.")
    if list(scale) != sorted(scale, reverse=True):
        raise BadEntry("A points scale gives no place more than the one before.")


def counted(scores: Iterable[Score], best: int = 0) -> tuple[Score, ...]:
    """The scores of a driver of which only the `best` ones count, 0 for all: the others are dropped, of equal ones the
    later."""
    found = list(scores)
    if not best or len(found) <= best:
        return tuple(found)
    ranked = sorted(range(len(found)), key=lambda at: (-found[at].points, at))
    return tuple(score._replace(dropped=at in ranked[best:]) for at, score in enumerate(found))


def table(sides: Mapping[int, Sequence[Score]] | Mapping[str, Sequence[Score]]) -> list[Standing]:
    """Sides with all their scores, most points first. Equal points are told apart by wins, then second places, and so
    on, dropped results included; who is level in all shares the place [season.countback, season.drivers, ruling 21]."""
    longest = max((score.place or 0 for scores in sides.values() for score in scores), default=0)
    lines = []
    for who, scores in sides.items():
        places = [score.place for score in scores]
        taken = tuple(places.count(place) for place in range(1, longest + 1))
        lines.append(Standing(0, who, sum(s.points for s in scores if not s.dropped), taken, tuple(scores)))
    lines.sort(key=lambda line: (line.points, line.taken), reverse=True)
    ranks = [(line.points, line.taken) for line in lines]
    return [
        line._replace(place=ranks.index(ranks[at]) + 1, decides=_decides(line, lines[at + 1 : at + 2]))
        for at, line in enumerate(lines)
    ]


class Climbed(NamedTuple):
    """A driver or team whose place in a table something would change."""

    who: int | str
    was: int
    now: int


def climbed(before: Sequence[Standing], after: Sequence[Standing]) -> list[Climbed]:
    """Whose place in the table is another one after something was changed, in the order of the new table."""
    was = {line.who: line.place for line in before}
    return [Climbed(line.who, was[line.who], line.place) for line in after if was.get(line.who) != line.place]


def team_scores(teams: Mapping[str, Sequence[int]], drivers: Mapping[int, Sequence[Score]]) -> dict[str, list[Score]]:
    """What the drivers of each team have together [season.teams]."""
    return {team: [score for number in numbers for score in drivers.get(number, ())] for team, numbers in teams.items()}


def _decides(line: Standing, following: Sequence[Standing]) -> int:
    """The place of which a line has more than the next one of as many points."""
    for after in following:
        if after.points == line.points:
            pairs = zip(line.taken, after.taken, strict=True)
            return next((place for place, (ours, theirs) in enumerate(pairs, 1) if ours != theirs), 0)
    return 0
