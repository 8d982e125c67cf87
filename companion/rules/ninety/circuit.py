"""A circuit of sections, for the race of cards: straights, braking sections and corners in a ring, read from a file.

name    = "Saltmarsh"
country = "Nowhere"
known   = "sections"
turns   = 18                                  # slots of the turn indicator: how many turns the race has
pit     = 5                                   # sections that a pit stop takes a car back
source  = "our own design"
trust   = "complete: this file is the board"

[[section]]                                   # from the line on, in driving order
kind = "straight"

[[section]]
kind = "braking"
late = 45                                     # late braking: the value of its sign (may be left out)
trajectories = ["driving 1", "speeding 2"]    # its points: colour and bonus (may be left out)

[[section]]
kind = "braking"
late = "own -10"                              # a sign of -10, 0 or +10: added to the driver's own check card
trajectories = ["gear 3 blind 60", "driving 2 own +10"]   # extreme ones: a check before the next draw

[[section]]
kind  = "corner"
name  = "Mole"
bonus = 2                                     # of a contest, also 0 or less
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from companion.rules.circuit.file import load_track
from companion.rules.circuit.table import CircuitTable, first_of
from companion.rules.circuit.track import Track
from companion.rules.conversation.errors import BadTrack
from companion.rules.ninety.cards import COLOURS, FACTORS

Kind = Literal["straight", "braking", "corner"]
KINDS: Final = ("straight", "braking", "corner")
TURNS: Final = (2, 60)
SECTIONS: Final = (4, 60)
BONUS: Final = (1, 4)
"""Lowest and highest bonus of a trajectory."""
EXTREME: Final = 9
"""Highest bonus of an extreme trajectory."""
OWN: Final = (-30, 30)
"""Lowest and highest number that a sign may add to the driver's own check card."""
_SIGN: Final = re.compile(r"blind +(\d{1,3})|own +([+-]?\d{1,3})", re.ASCII)


class Sign(NamedTuple):
    """A sign that a card turned over blindly must not exceed.

    It is a value, or with `own` the factor of the driver's own check card and this value on top of it.
    """

    value: int
    own: bool = False

    @property
    def text(self) -> str:
        """As the board prints it: 45, or with its sign +10, -10, +0."""
        return f"{self.value:+d}" if self.own else str(self.value)


class Trajectory(NamedTuple):
    """A point on the ideal line: a card of its colour brings its bonus next turn.

    An extreme one does so only if the check against its `sign` passes before that turn's draw.
    """

    colour: str
    bonus: int
    sign: Sign | None = None

    @property
    def check(self) -> str:
        """The check of an extreme one as it is shown: ≤60, or +10 to the own check card; empty of any other."""
        return "" if self.sign is None else self.sign.text if self.sign.own else f"≤{self.sign.text}"

    @property
    def text(self) -> str:
        """In short: the letter of its colour and its bonus, with an exclamation mark if it is extreme."""
        return f"{self.colour[0].upper()}{self.bonus}{'!' * (self.sign is not None)}"


class CardSection(msgspec.Struct, frozen=True):
    """One section. `late` is its sign, None without late braking; `bonus` that of a contest in a corner."""

    kind: Kind
    name: str = ""
    bonus: int = 0
    late: Sign | None = None
    trajectories: tuple[Trajectory, ...] = ()


class SectionTrack(msgspec.Struct, frozen=True):
    """A circuit of sections, which count from 1 at the line by their names, and from 0 in the rules.

    Its board says the `turns` of the race and the length `pit` of a stop, in sections.
    """

    key: str
    name: str
    country: str
    source: str
    trust: str
    turns: int
    pit: int
    sections: tuple[CardSection, ...]
    known: ClassVar[Literal["sections"]] = "sections"

    @property
    def laps(self) -> Mapping[str, int]:
        """The turns of its race, by rulebook, as every circuit says them."""
        return {"ninety": self.turns}

    def number_of(self, place: object) -> int | None:
        """Return the number, from 0, of a section named section:1 and so on; or None."""
        where, _, number = place.partition(":") if isinstance(place, str) else ("", "", "")
        known = where == "section" and number.isdecimal() and 1 <= int(number) <= len(self.sections)
        return int(number) - 1 if known else None

    @property
    def corners(self) -> tuple[CardSection, ...]:
        """The corners, in driving order."""
        return tuple(section for section in self.sections if section.kind == "corner")


class SectionFile(CircuitTable):
    """A file of sections, with all that is wrong with it."""

    def circuit(self) -> SectionTrack | None:
        """Return the circuit, or None if there is something to complain about."""
        self.only(self.table, {"name", "country", "known", "source", "trust", "turns", "pit", "section"}, "")
        words = {name: self.text(self.table, name, "") for name in ("name", "country", "source", "trust")}
        tables = self.tables("section")
        turns = self.whole(self.table, "turns", "", *TURNS)
        pit = self.whole(self.table, "pit", "", 1, max(1, len(tables) - 1))
        sections = tuple(self.section(table, f"section {number}") for number, table in enumerate(tables, 1))
        if not SECTIONS[0] <= len(sections) <= SECTIONS[1]:
            self.complain("", "section.count", low=SECTIONS[0], high=SECTIONS[1], count=len(sections))
        elif not any(section.kind == "corner" for section in sections):
            self.complain("", "section.no_corner")
        if self.complaints:
            return None
        return SectionTrack(self.key, **words, turns=turns, pit=pit, sections=sections)

    def section(self, table: dict[str, object], where: str) -> CardSection:
        """One section; only a corner has a bonus for contests, and has to have a name."""
        kind = table.get("kind")
        if kind not in KINDS:
            self.complain(where, "section.kind")
            return CardSection("straight")
        self.only(table, {"kind", "name", "late", "trajectories", *(["bonus"] if kind == "corner" else [])}, where)
        name = self.text(table, "name", where) if kind == "corner" or "name" in table else ""
        bonus = self.whole(table, "bonus", where, -9, 9) if kind == "corner" else 0
        late = self.sign(table, where) if "late" in table else None
        return CardSection(kind, name, bonus, late, self.trajectories(table, where))

    def sign(self, table: dict[str, object], where: str) -> Sign:
        """Read the sign of late braking: a value, or "own" with what it adds to the driver's check card."""
        said = table["late"]
        if not isinstance(said, str):
            return Sign(self.whole(table, "late", where, *FACTORS))
        found = _sign(said)
        if found is None or not _in_range(found):
            self.complain(where, "section.late", said=said)
            return Sign(FACTORS[0])
        return found

    def trajectories(self, table: dict[str, object], where: str) -> tuple[Trajectory, ...]:
        """Read the points of a section, each written "colour bonus", an extreme one with the sign of its check."""
        said = table.get("trajectories", [])
        points: list[Trajectory] = []
        for point in said if isinstance(said, list) else [said]:
            colour, bonus, rest = (*point.split(maxsplit=2), "", "", "")[:3] if isinstance(point, str) else ("", "", "")
            sign = _sign(rest)
            most = BONUS[1] if sign is None else EXTREME
            if colour not in COLOURS or bonus not in map(str, range(BONUS[0], most + 1)) or (rest and sign is None):
                self.complain(
                    where,
                    "section.trajectory",
                    low=BONUS[0],
                    high=BONUS[1],
                    most=EXTREME,
                )
            elif sign is not None and not _in_range(sign):
                self.complain(where, "section.check", said=rest)
            else:
                points.append(Trajectory(colour, int(bonus), sign))
        return tuple(points)


def _sign(said: str) -> Sign | None:
    """Return a sign as it is written: "blind 60", "own -10"; None for anything else."""
    found = _SIGN.fullmatch(said)
    return Sign(int(found[1] or found[2]), own=found[1] is None) if found is not None else None


def _in_range(sign: Sign) -> bool:
    low, high = OWN if sign.own else FACTORS
    return low <= sign.value <= high


def section_name(section: int) -> str:
    """Return the public name of a section that the rules count from 0: section:1 is the first past the line."""
    return f"section:{section + 1}"


def of_sections(text: str) -> bool:
    """Return True if the text of a circuit file says before its first table that it is of sections."""
    head = text.partition("\n[")[0]
    return any(line.replace(" ", "").startswith('known="sections"') for line in head.splitlines())


def section_complaints(text: str, file: str, key: str) -> list[BadTrack]:
    """Return everything that is wrong with the text of a file of sections."""
    return _read(text, file, key)[1]


def load_sections(text: str, file: str, key: str) -> SectionTrack:
    """Return the circuit of sections in the text of a file; raise BadTrack with the first complaint."""
    circuit, complaints = _read(text, file, key)
    if circuit is None:
        raise first_of(complaints)
    return circuit


def load_board(text: str, file: str, key: str) -> Track | SectionTrack:
    """Return the circuit in the text of a file, of either kind; raise BadTrack with the first complaint."""
    return load_sections(text, file, key) if of_sections(text) else load_track(text, file, key)


def _read(text: str, file: str, key: str) -> tuple[SectionTrack | None, list[BadTrack]]:
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as why:
        return None, [BadTrack("circuit.not_toml", where=file, wrong=str(why).splitlines()[0])]
    reader = SectionFile(file, key, table)
    return reader.circuit(), reader.complaints
