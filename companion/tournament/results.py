"""Results of a table or a race: entered by reference to a race's log or typed from paper, made official by a second
person, and corrected afterwards with a reason."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.kinds import share_of
from companion.tournament.record import Act, Signed, reason, same
from companion.tournament.standings import points_of

POINTS: Final = 999
"""The most points of a result."""
RETIRED: Final = "retired"
"""The cause of a retirement for which paper gives none."""
_NO_WEAR: Final[dict[str, int]] = {}


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One driver's result: by his number; `place` is None if he is not placed. The rest is known where a log is: who
    was out by what cause and article in which round, where he started, what he wore off and which tyres he had.
    `points` are there if the organiser gave him others than his place brings. Of a bot of the race of cards, whose
    number may be anybody's at another table, the number is 0, and `bot` its name: it has a place, and is nobody's. A
    race that was ended early may bring a `share` of the points only. `lacks` are the points that his car ended without,
    where a season carries them into its next race."""

    driver: int
    place: int | None = None
    cause: str = ""
    article: str = ""
    round: int = 0
    laps: int = 0
    grid: int = 0
    wear: dict[str, int] = _NO_WEAR
    tyres: tuple[str, ...] = ()
    points: int | None = None
    bot: str = ""
    share: Literal["", "half", "none"] = ""
    lacks: dict[str, int] | None = None

    def scored(self, scale: Sequence[int]) -> int:
        """What it brings: the points of the place, half of them or none where the race was ended so, or those that were
        given by hand [21-1-2, season.points, rulings 19, 104]."""
        return share_of(points_of(self.place, scale), self.share) if self.points is None else self.points


class Reference(msgspec.Struct, frozen=True, omit_defaults=True):
    """The log that a result was read from: its id and name, how many entries it had, the hash of the last one in
    hexadecimal, for how many seconds the machine was on from the first to the last, and the table of the hall from
    which it came live, "" for a file or a race of this device."""

    log_id: str
    name: str
    entries: int
    digest: str
    seconds: int = 0
    table: str = ""


class Result(Act, frozen=True, tag="result"):
    """The result of a table or race, in the order of its classification; without `log` it was typed from paper."""

    race: str
    lines: tuple[Line, ...]
    log: Reference | None = None


class Confirmed(Act, frozen=True, tag="confirmed"):
    """A second person makes a result official."""

    settles: ClassVar[bool] = True

    race: str


class Corrected(Act, frozen=True, tag="corrected"):
    """A result was wrong; with a reason. The old one stays in the log; the new one is official once a second person
    has confirmed it."""

    settles: ClassVar[bool] = True

    race: str
    lines: tuple[Line, ...]


class Version(NamedTuple):
    """A result as it was once, with the entry that made it so."""

    signed: Signed
    lines: tuple[Line, ...]


class Moved(NamedTuple):
    """A driver whose place, or whose points by hand, a correction changes; None is not placed, or by his place."""

    driver: int
    was: int | None
    now: int | None


class Filed:
    """The result of one table or race, with all that was done to it."""

    def __init__(self, signed: Signed, act: Result) -> None:
        self.log = act.log
        self.versions = [Version(signed, act.lines)]
        self.confirmations: list[Signed] = []
        """By whom it was made official, each time."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The result as it stands."""
        return self.versions[-1].lines

    @property
    def first(self) -> Line:
        """The first line; in a result of nobody, which earlier programs took, one of nobody."""
        return next(iter(self.lines), Line(0))

    @property
    def confirmed(self) -> Signed | None:
        """The confirmation by a second person of the result as it stands, None while it is not official."""
        last = self.confirmations[-1] if self.confirmations else None
        return last if last is not None and last.seq > self.versions[-1].signed.seq else None

    @property
    def official(self) -> bool:
        """Whether a second person has confirmed it as it stands."""
        return self.confirmed is not None

    @property
    def overtaken(self) -> Signed | None:
        """The last confirmation, if the result was corrected after it and nobody has confirmed that yet."""
        return self.confirmations[-1] if self.confirmations and not self.official else None

    @property
    def replacements(self) -> list[Signed]:
        """The corrections of a result that was official before."""
        first = self.confirmations[0].seq if self.confirmations else None
        return [one.signed for one in self.versions[1:] if first is not None and one.signed.seq > first]

    def by_hand(self, driver: int) -> str:
        """Who gave a driver the points that he has by hand, "" if nobody did."""
        by, given = "", None
        for version in self.versions:
            points = next((line.points for line in version.lines if line.driver == driver), None)
            if points != given:
                by, given = version.signed.by, points
        return by if given is not None else ""

    @property
    def order(self) -> list[int]:
        """The drivers in the order of the classification."""
        return drivers_of(self.lines)

    @property
    def grid(self) -> list[int]:
        """The drivers from pole, as they started; nobody where that is not known."""
        started = [line for line in self.lines if line.driver and line.grid]
        return drivers_of(sorted(started, key=lambda line: line.grid))


class Results:
    """All results of a tournament or season, by table or race, in the order in which they came in."""

    def __init__(self) -> None:
        self.filed: dict[str, Filed] = {}

    def __contains__(self, race: str) -> bool:
        return race in self.filed

    def __iter__(self) -> Iterator[str]:
        return iter(self.filed)

    def __getitem__(self, race: str) -> Filed:
        """The result of a table or race; raises BadEntry if there is none yet."""
        try:
            return self.filed[race]
        except KeyError:
            raise BadEntry(f"There is no result of {race} yet.") from None

    def enter(
        self, signed: Signed, act: Result, drivers: Collection[int], gone: Collection[int], names: Mapping[int, str]
    ) -> None:
        """A result comes in; `drivers` are those who raced, and of those who have `gone` since some may have. Raises
        BadEntry for drivers of another table, a place twice, or a result that is there already."""
        if act.race in self.filed:
            there = self.filed[act.race]
            if there.lines == act.lines:
                raise BadEntry(f"This result of {act.race} is there already.")
            raise BadEntry(
                f"A result of {act.race} is there already, with another content; correct it, with a reason.",
                "correction",
            )
        for race, other in self.filed.items():
            if act.log is not None and other.log is not None and other.log.log_id == act.log.log_id:
                raise BadEntry(f"The race {act.log.name} is the result of {race} already.")
        came = {line.driver for line in act.lines}
        check_lines(act.lines, [*drivers, *(driver for driver in gone if driver in came)], names)
        self.filed[act.race] = Filed(signed, act)

    def confirm(self, signed: Signed, act: Confirmed) -> None:
        """A second person confirms; raises BadEntry for whoever entered or last changed the result."""
        filed = self[act.race]
        if filed.confirmed is not None:
            raise BadEntry(f"The result of {act.race} is official already, by {filed.confirmed.by}.")
        if same(filed.versions[-1].signed.by, signed.by):
            raise BadEntry(f"{signed.by} entered this result; a second person confirms it.")
        filed.confirmations.append(signed)

    def correct(self, signed: Signed, act: Corrected, drivers: Collection[int], names: Mapping[int, str]) -> None:
        """A result is put right; raises BadEntry without a reason, or where nothing changes."""
        filed = self[act.race]
        reason(act)
        act = msgspec.structs.replace(act, lines=from_grid(act.lines, filed.grid))
        check_lines(act.lines, drivers, names, len(filed.lines) - len(filed.order))
        if act.lines == filed.lines:
            raise BadEntry(f"This is the result of {act.race} as it stands; nothing changes.")
        filed.versions.append(Version(signed, act.lines))


def drivers_of(lines: Sequence[Line]) -> list[int]:
    """The drivers of lines in their order, without the bots."""
    return [line.driver for line in lines if line.driver]


def from_grid(lines: Sequence[Line], grid: Sequence[int]) -> tuple[Line, ...]:
    """Give every driver his place on a grid, from pole, where no line says who started where."""
    if any(line.grid for line in lines):
        return tuple(lines)
    came = set(drivers_of(lines))
    places = {driver: place for place, driver in enumerate([one for one in grid if one in came], 1)}
    return tuple(msgspec.structs.replace(line, grid=places.get(line.driver, 0)) for line in lines)


def check_lines(
    lines: Sequence[Line], drivers: Collection[int], names: Mapping[int, str], bots: int | None = None
) -> None:
    """Raises BadEntry unless every driver of the race, and nobody else but so many bots (None: however many), has one
    line, and the places of those who are placed go from 1 on, one each, in their order [21-1-1, 21-1-4]."""
    seen: set[int] = set()
    if bots is not None and (came := len(lines) - len(drivers_of(lines))) != bots:
        raise BadEntry(f"This result has {bots} bots, each written 0; {came} are there.")
    for line in lines:
        if not line.driver:
            continue
        name = names.get(line.driver, str(line.driver))
        if line.driver not in drivers:
            raise BadEntry(f"{name} (number {line.driver}) did not race here.")
        if line.driver in seen:
            raise BadEntry(f"{name} stands twice in this result.")
        if line.points is not None and not 0 <= line.points <= POINTS:
            raise BadEntry(f"{name} would have {line.points} points; a result brings 0 to {POINTS}.")
        seen.add(line.driver)
    if missing := [names.get(number, str(number)) for number in drivers if number not in seen]:
        raise BadEntry(f"{missing[0]} is missing in this result; who is out stands there too.")
    places = [line.place for line in lines if line.place is not None]
    for place in places:
        if places.count(place) > 1:
            raise BadEntry(f"Place {place} is there twice; every place is taken once.")
    for at, place in enumerate(sorted(places), 1):
        if place != at:
            raise BadEntry(f"Nobody has place {at}; the places go from 1 on.")
    if [line.place for line in lines] != [*sorted(places), *[None] * (len(lines) - len(places))]:
        raise BadEntry("A result goes by place, and who is not placed comes behind.")


def classified(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Place retired drivers behind the finishers, in their order [race.unfinished, ruling 18]."""
    placed = [line for line in lines if line.place is not None]
    retired = [line for line in lines if line.place is None]
    behind = [
        msgspec.structs.replace(line, place=place, cause=line.cause or RETIRED)
        for place, line in enumerate(retired, len(placed) + 1)
    ]
    return (*placed, *behind)


def moved(before: Sequence[Line], after: Sequence[Line]) -> list[Moved]:
    """Whose place a correction changes."""
    now = {line.driver: line.place for line in after}
    return [
        Moved(line.driver, line.place, now[line.driver])
        for line in before
        if line.driver and now[line.driver] != line.place
    ]


def given(before: Sequence[Line], after: Sequence[Line]) -> list[Moved]:
    """Whose points a correction gives by hand, or takes back to those of the place."""
    now = {line.driver: line.points for line in after}
    return [
        Moved(line.driver, line.points, now[line.driver])
        for line in before
        if line.driver and now[line.driver] != line.points
    ]
