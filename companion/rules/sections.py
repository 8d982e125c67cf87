"""A circuit of sections, for the race of cards: straights, braking sections and corners in a ring, read from a file::

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
kind  = "corner"
name  = "Mole"
bonus = 2                                     # of a contest, also 0 or less
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from companion.rules.circuit_table import CircuitTable
from companion.rules.circuit_text import load_track
from companion.rules.errors import BadTrack
from companion.rules.race_cards import COLOURS
from companion.rules.track import Track

Kind = Literal["straight", "braking", "corner"]
KINDS: Final = ("straight", "braking", "corner")
TURNS: Final = (2, 60)
SECTIONS: Final = (4, 60)


class Trajectory(NamedTuple):
    """A point on the ideal line: a card of its colour brings its bonus next turn."""

    colour: str
    bonus: int


class Section(msgspec.Struct, frozen=True):
    """One section. `late` is the value of its sign, 0 without late braking; `bonus` that of a contest in a corner."""

    kind: Kind
    name: str = ""
    bonus: int = 0
    late: int = 0
    trajectories: tuple[Trajectory, ...] = ()


class SectionTrack(msgspec.Struct, frozen=True):
    """A circuit of sections, counted from 0 at the line. `turns` of the race and the length `pit` of a stop, in
    sections, are what its board says."""

    key: str
    name: str
    country: str
    source: str
    trust: str
    turns: int
    pit: int
    sections: tuple[Section, ...]
    known: ClassVar[str] = "sections"

    @property
    def laps(self) -> Mapping[str, int]:
        """The turns of its race, by rulebook, as every circuit says them."""
        return {"ninety": self.turns}

    @property
    def corners(self) -> tuple[Section, ...]:
        """The corners, in driving order."""
        return tuple(section for section in self.sections if section.kind == "corner")


class SectionFile(CircuitTable):
    """A file of sections, with all that is wrong with it."""

    def circuit(self) -> SectionTrack | None:
        """The circuit, None if there is something to complain about."""
        self.only(self.table, {"name", "country", "known", "source", "trust", "turns", "pit", "section"}, "")
        words = {name: self.text(self.table, name, "") for name in ("name", "country", "source", "trust")}
        tables = self.tables("section")
        turns = self.whole(self.table, "turns", "", *TURNS)
        pit = self.whole(self.table, "pit", "", 1, max(1, len(tables) - 1))
        sections = tuple(self.section(table, f"section {number}") for number, table in enumerate(tables, 1))
        if not SECTIONS[0] <= len(sections) <= SECTIONS[1]:
            self.complain("", f"a circuit has {SECTIONS[0]} to {SECTIONS[1]} sections; this one has {len(sections)}.")
        elif not any(section.kind == "corner" for section in sections):
            self.complain("", 'there is no corner; a circuit needs a section with kind = "corner".')
        if self.complaints:
            return None
        return SectionTrack(self.key, **words, turns=turns, pit=pit, sections=sections)

    def section(self, table: dict[str, object], where: str) -> Section:
        """One section; only a corner has a bonus for contests, and has to have a name."""
        kind = table.get("kind")
        if kind not in KINDS:
            self.complain(where, 'kind has to be "straight", "braking" or "corner".')
            return Section("straight")
        self.only(table, {"kind", "name", "late", "trajectories", *(["bonus"] if kind == "corner" else [])}, where)
        name = self.text(table, "name", where) if kind == "corner" or "name" in table else ""
        bonus = self.whole(table, "bonus", where, -9, 9) if kind == "corner" else 0
        late = self.whole(table, "late", where, 1, 100) if "late" in table else 0
        return Section(kind, name, bonus, late, self.trajectories(table, where))

    def trajectories(self, table: dict[str, object], where: str) -> tuple[Trajectory, ...]:
        """The points of a section, each written "colour bonus"."""
        said = table.get("trajectories", [])
        points: list[Trajectory] = []
        for point in said if isinstance(said, list) else [said]:
            colour, _, bonus = point.partition(" ") if isinstance(point, str) else ("", "", "")
            if colour not in COLOURS or bonus not in ("1", "2", "3", "4"):
                self.complain(
                    where,
                    'a trajectory is speeding, driving, gear or event and a bonus of 1 to 4, such as "driving 2".',
                )
            else:
                points.append(Trajectory(colour, int(bonus)))
        return tuple(points)


def of_sections(text: str) -> bool:
    """Whether the text of a circuit file says before its first table that it is of sections."""
    head = text.partition("\n[")[0]
    return any(line.replace(" ", "").startswith('known="sections"') for line in head.splitlines())


def section_complaints(text: str, file: str, key: str) -> list[str]:
    """Everything that is wrong with the text of a file of sections, each one sentence."""
    return _read(text, file, key)[1]


def load_sections(text: str, file: str, key: str) -> SectionTrack:
    """The circuit in the text of a file; raises BadTrack with the first complaint."""
    circuit, complaints = _read(text, file, key)
    if circuit is None:
        more = len(complaints) - 1
        rest = f" (and {more} more: companion tracks check lists them)" if more else ""
        raise BadTrack(complaints[0] + rest)
    return circuit


def load_board(text: str, file: str, key: str) -> Track | SectionTrack:
    """The circuit in the text of a file, of whichever kind it is; raises BadTrack with the first complaint."""
    return load_sections(text, file, key) if of_sections(text) else load_track(text, file, key)


def _read(text: str, file: str, key: str) -> tuple[SectionTrack | None, list[str]]:
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as why:
        return None, [f"{file}: this is not TOML: {str(why).splitlines()[0]}."]
    reader = SectionFile(file, key, table)
    return reader.circuit(), reader.complaints
