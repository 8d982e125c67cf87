"""Results of a table or race.

A result refers to a race's log or is typed from paper, a second person makes it official, and a later correction needs
a reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.kinds import share_of
from companion.tournament.record import Act, Signed, reason, same
from companion.tournament.standings import points_of

POINTS: Final = 999
"""Maximum points of a result."""
RETIRED: Final = "retired"
"""Cause of a retirement for which paper gives none."""
_NO_WEAR: Final[dict[str, int]] = {}


class ResultLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One driver's result.

    `place` is None if he is not placed. `cause`, `article`, `round`, `grid`, `wear` and `tyres` are known only where a
    log is. `points` is set only if the organiser overrode those of the place. A bot of the card game has number 0 and a
    name in `bot`, because its number may be a driver's at another table; it takes a place that scores for nobody. A
    race ended early may bring only a `share` of the points. `lacks` are the wear points missing from his car at the
    end, where a season carries wear over.
    """

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
        """Return the points of this line.

        They are those of the place, halved or none if the race was ended early, or those given by hand [21-1-2,
        season.points, rulings 19, 104].
        """
        return share_of(points_of(self.place, scale), self.share) if self.points is None else self.points


class Reference(msgspec.Struct, frozen=True, omit_defaults=True):
    """The log that a result was read from.

    `entries` is its length, `digest` the hash of its last entry in hexadecimal, `seconds` the time the machine was on
    between the first and the last entry, `table` the table of the hall that sent it live ("" for a file or a race of
    this device).
    """

    log_id: str
    name: str
    entries: int
    digest: str
    seconds: int = 0
    table: str = ""


class Result(Act, frozen=True, tag="result"):
    """The result of a table or race in order of classification, without `log` if typed from paper."""

    race: str
    lines: tuple[ResultLine, ...]
    log: Reference | None = None


class Confirmed(Act, frozen=True, tag="confirmed"):
    """A second person makes a result official."""

    settles: ClassVar[bool] = True

    race: str


class ResultCorrected(Act, frozen=True, tag="corrected"):
    """A corrected result, with a reason.

    The old one stays in the log; the new one is official once a second person has confirmed it.
    """

    settles: ClassVar[bool] = True

    race: str
    lines: tuple[ResultLine, ...]


class Version(NamedTuple):
    """One version of a result, with the entry that made it."""

    signed: Signed
    lines: tuple[ResultLine, ...]


class ResultChange(NamedTuple):
    """A driver whose place or points by hand change.

    None means not placed, or points by place.
    """

    driver: int
    was: int | None
    now: int | None


class Filed:
    """The result of one table or race, with its versions and confirmations."""

    def __init__(self, signed: Signed, act: Result) -> None:
        self.log = act.log
        self.versions = [Version(signed, act.lines)]
        self.confirmations: list[Signed] = []
        """Signatures that made it official, one for each time."""

    @property
    def lines(self) -> tuple[ResultLine, ...]:
        """The result as it stands."""
        return self.versions[-1].lines

    @property
    def first(self) -> ResultLine:
        """The first line, or an empty one in an empty result, which earlier programs accepted."""
        return next(iter(self.lines), ResultLine(0))

    @property
    def confirmed(self) -> Signed | None:
        """The second person's confirmation of the current version, None while it is not official."""
        last = self.confirmations[-1] if self.confirmations else None
        return last if last is not None and last.seq > self.versions[-1].signed.seq else None

    @property
    def official(self) -> bool:
        """Return True if a second person has confirmed the result as it stands."""
        return self.confirmed is not None

    @property
    def overtaken(self) -> Signed | None:
        """The last confirmation, if the result was corrected since and not confirmed again."""
        return self.confirmations[-1] if self.confirmations and not self.official else None

    @property
    def replacements(self) -> list[Signed]:
        """The corrections of a result that was official before."""
        first = self.confirmations[0].seq if self.confirmations else None
        return [one.signed for one in self.versions[1:] if first is not None and one.signed.seq > first]

    def by_hand(self, driver: int) -> str:
        """Return the name of the person who set a driver's points by hand, or ""."""
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
        """The drivers in starting order, empty if it is unknown."""
        started = [line for line in self.lines if line.driver and line.grid]
        return drivers_of(sorted(started, key=lambda line: line.grid))


class Results:
    """All results of a tournament or season by table or race, in order of arrival."""

    def __init__(self) -> None:
        self.filed: dict[str, Filed] = {}

    def __contains__(self, race: str) -> bool:
        return race in self.filed

    def __iter__(self) -> Iterator[str]:
        return iter(self.filed)

    def __getitem__(self, race: str) -> Filed:
        """Return the result of a table or race.

        Raises BadEntry before it has one.
        """
        try:
            return self.filed[race]
        except KeyError:
            raise BadEntry("no_result", race=race) from None

    def enter(
        self, signed: Signed, act: Result, drivers: Collection[int], gone: Collection[int], names: Mapping[int, str]
    ) -> None:
        """File a new result.

        `drivers` are those who raced; drivers who have `gone` since may be in it. Raises BadEntry for drivers of
        another table, a place given twice, or a result that exists already.
        """
        if act.race in self.filed:
            there = self.filed[act.race]
            if there.lines == act.lines:
                raise BadEntry("result_there", race=act.race)
            raise BadEntry("correction.result", race=act.race)
        for race, other in self.filed.items():
            if act.log is not None and other.log is not None and other.log.log_id == act.log.log_id:
                raise BadEntry("race_is_result", name=act.log.name, race=race)
        came = {line.driver for line in act.lines}
        check_lines(act.lines, [*drivers, *(driver for driver in gone if driver in came)], names)
        self.filed[act.race] = Filed(signed, act)

    def confirm(self, signed: Signed, act: Confirmed) -> None:
        """Confirm a result as a second person.

        Raises BadEntry for the person who entered or last changed it.
        """
        filed = self[act.race]
        if filed.confirmed is not None:
            raise BadEntry("result_official_by", race=act.race, by=filed.confirmed.by)
        if same(filed.versions[-1].signed.by, signed.by):
            raise BadEntry("second_person", name=signed.by)
        filed.confirmations.append(signed)

    def correct(self, signed: Signed, act: ResultCorrected, drivers: Collection[int], names: Mapping[int, str]) -> None:
        """Correct a result.

        Raises BadEntry without a reason, or if nothing changes.
        """
        filed = self[act.race]
        reason(act)
        act = msgspec.structs.replace(act, lines=from_grid(act.lines, filed.grid))
        check_lines(act.lines, drivers, names, len(filed.lines) - len(filed.order))
        if act.lines == filed.lines:
            raise BadEntry("nothing_changes", race=act.race)
        filed.versions.append(Version(signed, act.lines))


def drivers_of(lines: Sequence[ResultLine]) -> list[int]:
    """Return the drivers of lines in their order, without the bots."""
    return [line.driver for line in lines if line.driver]


def from_grid(lines: Sequence[ResultLine], grid: Sequence[int]) -> tuple[ResultLine, ...]:
    """Give every driver his place on a grid, from pole, where no line says who started where."""
    if any(line.grid for line in lines):
        return tuple(lines)
    came = set(drivers_of(lines))
    places = {driver: place for place, driver in enumerate([one for one in grid if one in came], 1)}
    return tuple(msgspec.structs.replace(line, grid=places.get(line.driver, 0)) for line in lines)


def check_lines(
    lines: Sequence[ResultLine], drivers: Collection[int], names: Mapping[int, str], bots: int | None = None
) -> None:
    """Check the lines of a result; raise BadEntry unless they are complete and in order.

    Every driver of the race has one line, and nobody else but `bots` bots (None: any number); the places run from 1
    without gaps, in order [21-1-1, 21-1-4].
    """
    seen: set[int] = set()
    if bots is not None and (came := len(lines) - len(drivers_of(lines))) != bots:
        raise BadEntry("bots_count", bots=bots, came=came)
    for line in lines:
        if not line.driver:
            continue
        name = names.get(line.driver, str(line.driver))
        if line.driver not in drivers:
            raise BadEntry("not_racing_here", name=name, number=line.driver)
        if line.driver in seen:
            raise BadEntry("result_twice", name=name)
        if line.points is not None and not 0 <= line.points <= POINTS:
            raise BadEntry("result_points", name=name, points=line.points, most=POINTS)
        seen.add(line.driver)
    if missing := [names.get(number, str(number)) for number in drivers if number not in seen]:
        raise BadEntry("driver_missing", name=missing[0])
    places = [line.place for line in lines if line.place is not None]
    for place in places:
        if places.count(place) > 1:
            raise BadEntry("result_place_twice", place=place)
    for at, place in enumerate(sorted(places), 1):
        if place != at:
            raise BadEntry("place_empty", at=at)
    if [line.place for line in lines] != [*sorted(places), *[None] * (len(lines) - len(places))]:
        raise BadEntry("place_order")


def classified(lines: Sequence[ResultLine]) -> tuple[ResultLine, ...]:
    """Place retired drivers behind the finishers, in their order [race.unfinished, ruling 18]."""
    placed = [line for line in lines if line.place is not None]
    retired = [line for line in lines if line.place is None]
    behind = [
        msgspec.structs.replace(line, place=place, cause=line.cause or RETIRED)
        for place, line in enumerate(retired, len(placed) + 1)
    ]
    return (*placed, *behind)


def place_changes(before: Sequence[ResultLine], after: Sequence[ResultLine]) -> list[ResultChange]:
    """Return the drivers whose place a correction changes."""
    now = {line.driver: line.place for line in after}
    return [
        ResultChange(line.driver, line.place, now[line.driver])
        for line in before
        if line.driver and now[line.driver] != line.place
    ]


def points_changes(before: Sequence[ResultLine], after: Sequence[ResultLine]) -> list[ResultChange]:
    """Return the drivers whose points by hand a correction sets or removes."""
    now = {line.driver: line.points for line in after}
    return [
        ResultChange(line.driver, line.points, now[line.driver])
        for line in before
        if line.driver and now[line.driver] != line.points
    ]
