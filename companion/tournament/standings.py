"""Points and standings of drivers and teams, with ties broken by countback."""

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
"""Points scales in use, by our names; an organiser may set any other [21-1-2]."""


class Score(NamedTuple):
    """A driver's score from one race.

    `race` is its key; `place` is None if he is not placed; `dropped` marks points that do not count because better
    results do.
    """

    race: str
    place: int | None
    points: int
    dropped: bool = False


class StandingsLine(NamedTuple):
    """A line of the standings.

    `who` is a driver's number or a team's name. Sides level in everything share a `place`. `taken` counts the finishes
    in each place, first places first. `decides` is the place whose count put this line ahead of the next one with equal
    points, 0 if none did.
    """

    place: int
    who: int | str
    points: int
    taken: tuple[int, ...]
    scores: tuple[Score, ...]
    decides: int = 0


def points_of(place: int | None, scale: Sequence[int]) -> int:
    """Return the points of a place, 0 for a place without [21-1-2, season.points]."""
    return scale[place - 1] if place is not None and place <= len(scale) else 0


def check_scale(scale: Sequence[int]) -> None:
    """Check a points scale.

    Raises BadEntry if it is malformed or gives a worse place more points.
    """
    if not scale or len(scale) > 40 or any(not 0 <= points <= 999 for points in scale):
        raise BadEntry("scale_form")
    if list(scale) != sorted(scale, reverse=True):
        raise BadEntry("scale_order")


def without_trailing_zeros(scale: Sequence[int]) -> tuple[int, ...]:
    """Return a scale as far as the last place with points."""
    return tuple(scale[: max((place for place, points in enumerate(scale, 1) if points), default=0)])


def mark_dropped(scores: Iterable[Score], best: int = 0) -> tuple[Score, ...]:
    """Mark a driver's scores beyond the `best` ones as dropped; 0 counts all.

    Of equal scores the later one is dropped.
    """
    found = list(scores)
    if not best or len(found) <= best:
        return tuple(found)
    ranked = sorted(range(len(found)), key=lambda at: (-found[at].points, at))
    return tuple(score._replace(dropped=at in ranked[best:]) for at, score in enumerate(found))


def table(sides: Mapping[int, Sequence[Score]] | Mapping[str, Sequence[Score]]) -> list[StandingsLine]:
    """Rank sides by their scores, most points first.

    Ties are broken by wins, then second places, and so on, dropped results included; sides level in everything share
    the place [season.countback, season.drivers, ruling 21].
    """
    longest = max((score.place or 0 for scores in sides.values() for score in scores), default=0)
    lines = []
    for who, scores in sides.items():
        places = [score.place for score in scores]
        taken = tuple(places.count(place) for place in range(1, longest + 1))
        lines.append(StandingsLine(0, who, sum(s.points for s in scores if not s.dropped), taken, tuple(scores)))
    lines.sort(key=lambda line: (line.points, line.taken), reverse=True)
    ranks = [(line.points, line.taken) for line in lines]
    return [
        line._replace(place=ranks.index(ranks[at]) + 1, decides=_decides(line, lines[at + 1 : at + 2]))
        for at, line in enumerate(lines)
    ]


class Climbed(NamedTuple):
    """A driver or team whose place in the standings changes."""

    who: int | str
    was: int
    now: int


def climbed(before: Sequence[StandingsLine], after: Sequence[StandingsLine]) -> list[Climbed]:
    """Return the sides whose place changed, in the order of the new table."""
    was = {line.who: line.place for line in before}
    return [Climbed(line.who, was[line.who], line.place) for line in after if was.get(line.who) != line.place]


def team_scores(teams: Mapping[str, Sequence[int]], drivers: Mapping[int, Sequence[Score]]) -> dict[str, list[Score]]:
    """Return the scores of each team: all those of its drivers [season.teams]."""
    return {team: [score for number in numbers for score in drivers.get(number, ())] for team, numbers in teams.items()}


def _decides(line: StandingsLine, following: Sequence[StandingsLine]) -> int:
    """Return the place whose count separates a line from the next one with equal points.

    0 if the points differ, or nothing separates them.
    """
    for after in following:
        if after.points == line.points:
            pairs = zip(line.taken, after.taken, strict=True)
            return next((place for place, (ours, theirs) in enumerate(pairs, 1) if ours != theirs), 0)
    return 0
