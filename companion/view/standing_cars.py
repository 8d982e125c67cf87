"""Where a car stands in a race that goes on from a position, as a table says it."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import CHART, Pools
from companion.view.shown import Shown

OUT: Final = "out"
PITS: Final = ("pit", "box")


class Standing(Shown, frozen=True, kw_only=True):
    """Where a car stands in a race that goes on from a position; what is left out has its value at the start. `more` is
    whatever else its rulebook keeps of a car, by name: compound, KERS, cards."""

    at: str | None = None
    gear: int = 1
    lap: int = 1
    wear: Pools = msgspec.field(default_factory=dict)
    built: Pools = msgspec.field(default_factory=dict)
    more: dict[str, Json] = msgspec.field(default_factory=dict)

    @property
    def out(self) -> bool:
        """Whether it is out of the race, so that it stands nowhere."""
        return self.more.get("status") == OUT

    def values(self) -> dict[str, Json]:
        """As a setup has it; who stands in the pits is there by that."""
        where = (self.at or "").partition(":")[0]
        said: dict[str, Json] = {"at": self.at, "gear": self.gear, "lap": self.lap, "status": "racing", **self.more}
        if self.out:
            said |= {"at": None, "gear": 0}
        elif where in PITS:
            said["status"] = where
        for name in ("wear", "built"):
            if value := getattr(self, name):
                said[name] = dict(value)
        return said


class CardStanding(Shown, frozen=True, kw_only=True):
    """The same in a race of cards. `at` is its section, and `since` says when it was put there: whoever was put there
    before stands further ahead in the line. What is 0 or empty has its value at the start of a race; a bot has only a
    place, fuel and stops. `more` is whether it is on the track, and on which of its section's points."""

    at: str | None = None
    since: int = 0
    lap: int = 0
    chart: tuple[int, ...] = ()
    wear: Pools = msgspec.field(default_factory=dict)
    permanent: int = 0
    strategy: str = ""
    check: int = 0
    fuel: int = 0
    stops: int = 0
    more: dict[str, Json] = msgspec.field(default_factory=dict)

    @property
    def out(self) -> bool:
        """Whether it is out of the race, so that it stands nowhere."""
        return self.more.get("status") == OUT

    @property
    def section(self) -> int:
        """Its section, counted from 0; -1 for nowhere."""
        return int(self.at.partition(":")[2]) - 1 if self.at else -1

    def values(self) -> dict[str, Json]:
        """As a setup has it."""
        said: dict[str, Json] = {"at": self.at, "arrived": self.since, "lap": self.lap, "status": "racing"}
        if self.chart:
            said["built"] = dict(zip(CHART, self.chart, strict=True))
        if self.check:
            said["check"] = f"D1 {self.check}"  # of the card in the check area only the factor counts
        for name in ("wear", "permanent", "strategy", "fuel", "stops"):
            if value := getattr(self, name):
                said[name] = dict(value) if name == "wear" else value
        return said | self.more
