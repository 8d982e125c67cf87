"""The state of one race of sections as plain data, and what its chapters see of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final, Literal, Protocol

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import CHART, Kind, Pool, Pools, SectionCause
from companion.rules.conversation.rulebook import Chapter
from companion.rules.ninety.circuit import CardSection, SectionTrack, section_name
from companion.rules.ninety.figures import SectionFigures

STRATEGIES: Final = ("save_tyres", "hazard", "balance", "lucky", "banging", "chase")

Bot = Literal["", "slow", "fast"]
Strategy = Literal["", "save_tyres", "hazard", "balance", "lucky", "banging", "chase"]


class SectionCar(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, rename={"number": "car"}):
    """One car and its driver; a bot has neither chart nor cards.

    `built` is its chart, `wear` what is left: tyre chips, cards in the hand, room for damage; `permanent` is the
    damage that no stop mends. `hand` are the cards in the hand that have been seen (with a deck of the program all),
    `frozen` those of a contest this turn, `check` the card in the check area and `shown` that of qualifying. `place` is
    the grid place and `fuel` the turn marked for the stop. `section` is counted from 0, `lap` how often the car has
    crossed the line forwards less backwards, `arrived` the moment at which it came to its place in the queue,
    `line` the trajectory point it stands on, counted from 0 (-1: none). `still` is the no-move marker, `lapped`
    that a leader's check has been passed on it, `freed` that its free overtake is used, `substitute` whether it was
    offered and taken.
    """

    gear: ClassVar[int] = 0
    tyres: ClassVar[str] = ""
    tyre_laps: ClassVar[int] = 0
    stand: ClassVar[int] = 0
    """Fields that only cars of dice and gears have, empty here for code that reads any car."""
    counted: ClassVar[tuple[str, ...]] = ("wear",)
    held: ClassVar[tuple[str, ...]] = ("permanent",)
    """Counts by name, and numbers: a correction that leaves the board as it is carries the differences over."""
    chosen: ClassVar[tuple[str, ...]] = ("strategy", "check")
    listed: ClassVar[tuple[str, ...]] = ("hand",)
    brief: ClassVar[tuple[str, ...]] = ("frozen",)
    """Further values that it carries over: choices, unless made anew since, and cards that came to a hand and went, the
    frozen ones within their turn."""
    once_a_lap: ClassVar[tuple[str, ...]] = ()
    once_a_round: ClassVar[tuple[str, ...]] = ()
    stays: ClassVar[tuple[str, ...]] = ("at", "lap", "stops", "status", "point", "still", "lapped", "freed")
    """Values that it leaves, and says so."""
    said_otherwise: ClassVar[tuple[str, ...]] = ("section", "line")
    """Fields that nobody is told as the rules count them: `at` and `point` stand for them."""

    number: int
    driver: str = ""
    team: str = ""
    bot: Bot = ""
    wear: Pools = {}
    built: Pools = {}
    permanent: int = 0
    hand: list[str] = []
    frozen: list[str] = []
    check: str = ""
    shown: str = ""
    substitute: Literal["", "kept", "taken"] = ""
    strategy: Strategy = ""
    place: int = 0
    fuel: int = 0
    lap: int = 0
    section: int = 0
    arrived: int = 0
    line: int = -1
    still: bool = False
    lapped: bool = False
    freed: bool = False
    stops: int = 0
    status: Literal["grid", "racing", "off", "out", "finished"] = "grid"
    cause: SectionCause = ""

    def within(self, values: dict[str, Json]) -> dict[str, Json]:
        """Return the part of a correction for which the chart has room: the car may have stopped since."""
        wear = {**self.wear, **values.pop("wear", {})}
        if self.built:
            wear["tyres"] = min(wear["tyres"], max(self.wear["tyres"], self.built["tyres"]))
            wear["damage"] = min(wear["damage"], self.built["damage"] - values.get("permanent", self.permanent))
        if "hand" in values:
            values["hand"] = values["hand"][: wear["cards"]]
        changed = {pool: count for pool, count in wear.items() if count != self.wear[pool]}
        return {**values, "wear": changed} if changed else values

    def besides(self, was: SectionCar, would: SectionCar) -> dict[str, Json]:
        """Return what else a choice has brought since; nothing here."""
        return {}

    @property
    def full(self) -> Pools:
        """The points that a stop fills a car up to: its chart, less the permanent damage.

        [pit.stop, ruling 32]
        """
        return {**self.built, "damage": self.built["damage"] - self.permanent} if self.built else {}

    def renewed(self, before: SectionCar) -> tuple[str, ...]:
        """Return the pools that a stop has renewed since the car stood as `before` [pit.stop, ruling 32]."""
        return tuple(self.built) if self.stops > before.stops else ()

    def stands(self, was: SectionCar, would: SectionCar, last: SectionCar | None, over: bool) -> dict[str, Json] | None:
        """Return the values to set so that the car stands as it should after a corrected step.

        After that step it stood as `was` and should have stood as `would`. The result is empty where that no longer
        matters, None where the car cannot follow.
        """
        if would.status == "out" and was.status != "out":
            return {} if self.status == "out" else {"status": "out", "cause": would.cause}
        if was.status == "out" and would.status in ("racing", "off"):
            return {"status": would.status} if self.status == "out" and self.cause == was.cause else {}
        if {was.status, would.status} == {"racing", "off"} and self.status == was.status:
            return {"status": would.status} if self.section == was.section and self.lap == was.lap else None
        return None if self.status != would.status and self.status != "out" else {}

    @property
    def alive(self) -> bool:
        """Still in the race."""
        return self.status not in ("out", "finished")

    @property
    def standing(self) -> bool:
        """On the board."""
        return self.status != "out"

    @property
    def at(self) -> str | None:
        """Its section, as people call it."""
        return None if self.status in ("grid", "out") else section_name(self.section)

    @property
    def point(self) -> int | None:
        """The trajectory point it stands on by its number in the section, from 1, as its question has it."""
        return None if self.line < 0 else self.line + 1


class SectionRace(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """One race.

    `laps` are its turns, the slots of the indicator [track.map]; `deck` is the number of a deck of the program, 0 with
    cards on the table. `played` have had their turn, `stopped` made their stop this turn, `contested` are the drivers
    of this turn's contests, each with the section. `gone` are the cars out of the race in the order they went. `turn`
    counts the moments at which a car came to a place.
    """

    pools: ClassVar[tuple[Pool, ...]] = CHART
    sky: ClassVar[str] = ""
    surface: ClassVar[str] = ""
    dangers: ClassVar[tuple[str, ...]] = ()
    lying: ClassVar[tuple[str, ...]] = ()
    out_is_due: ClassVar[bool] = False
    piled: ClassVar[int] = 1
    markers: ClassVar[tuple[str, ...]] = ()
    stays: ClassVar[tuple[str, ...]] = ()
    weathers: ClassVar[tuple[str, ...]] = ()
    fixed: ClassVar[bool] = True
    due: ClassVar[tuple[int, ...]] = ()
    marked: ClassVar[tuple[str, ...]] = ()
    move: ClassVar[None] = None
    """Fields that only races of dice and gears have."""
    said_otherwise: ClassVar[tuple[str, ...]] = ("contested",)
    """Fields that the state gives with the names of sections."""

    laps: int
    cars: list[SectionCar]
    deck: int = 0
    phase: Literal["setup", "race", "over"] = "setup"
    round: int = 0
    turn: int = 0
    played: list[int] = []
    stopped: list[int] = []
    contested: list[list[int]] = []
    gone: list[int] = []
    pile: list[str] = []
    discards: list[str] = []
    shuffles: int = 0
    grid: list[int] = []

    @property
    def fixed_values(self) -> tuple[str, ...]:
        """The values that a correction which leaves the board does not carry over.

        Cards of the program's deck stay where they were dealt.
        """
        return ("hand", "frozen", "check", "cards") if self.deck else ()

    @property
    def queue(self) -> list[int]:
        """The cars on the track in the order in which they came to their places: in each section its line."""
        return [car.number for car in sorted(self.cars, key=lambda car: car.arrived) if car.status == "racing"]


class SectionBook(Protocol):
    """The book as every chapter sees it."""

    race: SectionRace
    track: SectionTrack
    figures: SectionFigures
    holds: Callable[[], bool]
    undoes: Callable[[], None]
    hidden: bool

    def car(self, number: int) -> SectionCar: ...
    def section(self, car: SectionCar) -> CardSection: ...
    def rule(
        self,
        kind: Kind,
        article: str,
        car: SectionCar | None = None,
        wear: Pools | None = None,
        *,
        counts: Mapping[str, int] | None = None,
        **facts: Json,
    ) -> None: ...


class SectionChapter(Chapter):
    """A chapter of the race of sections."""

    book: SectionBook

    def __init__(self, book: SectionBook) -> None:
        self.book, self.track, self.figures = book, book.track, book.figures
        self.car, self.rule = book.car, book.rule

    @property
    def race(self) -> SectionRace:
        """The race as it stands."""
        return self.book.race

    def section(self, car: SectionCar) -> CardSection:
        """Return the section that a car stands in."""
        return self.book.section(car)
