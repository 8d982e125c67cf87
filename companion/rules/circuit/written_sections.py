"""The sections of a circuit file as they are written: what each says of itself, and its lanes as rows of marks."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.rules.circuit.table import CircuitTable, is_whole
from companion.rules.circuit.track import LANE_NAMES, Corner

LONGEST_CORNER = 60
"""The most spaces a lane can have in a corner; the longest printed ones have 23."""

_CORNER_KEYS = {"corner", "stops", "shortest", "longest", "inside", "loose"}
_MARK = re.compile(r"(?P<repeat>\d{1,4})?(?P<mark>[\^<>*x])")
_LEADS = re.compile(r"(?:<(?P<left>\d{1,4}|next)?)?(?:>(?P<right>\d{1,4}|next)?)?")
ZIP, NEXT = 0, -1
"""Where a sideways mark without a number leads: as the zip goes on, or to the next section."""


@dataclass(slots=True)
class Mark:
    """One space as written: whether it is blocked, and where its sideways moves lead: None, the zip, the next
    section, or a number. A space from a bare number has only the moves that there are."""

    blocked: bool = False
    left: int | None = None
    right: int | None = None
    bare: bool = False


@dataclass(slots=True)
class Row:
    """A section as written."""

    index: int
    where: str
    corner: Corner | None
    lanes: list[list[Mark]]
    stagger: list[int] | None
    direction: int | None
    bend: int
    loose: bool = False
    """Whether the marks of a corner are printed so that no lengths meet them all, and the nearest have to do."""
    entry: list[int] = field(default_factory=list)
    """Half space where each lane begins."""


class WrittenSections(CircuitTable):
    """The sections of a circuit known to the space."""

    lanes: tuple[str, ...]
    rows: list[Row]

    def read_sections(self) -> None:
        tables = self.tables("section")
        self.rows = []
        self.lanes = ()
        if len(tables) < 2:
            self.complain("", "a circuit has at least a straight and a corner, each written as [[section]].")
            return
        every = {name for names in LANE_NAMES.values() for name in names}
        used = {name for table in tables for name in table if name in every}
        for names in LANE_NAMES.values():
            if used <= set(names) and len(used) == len(names):
                self.lanes = names
        if not self.lanes:
            self.complain(
                "",
                f"the lanes are {', '.join(sorted(used)) or 'missing'}; a board has left, right, or left, middle,"
                " right, or left, inner-left, inner-right, right.",
            )
            return
        number = 0
        for index, table in enumerate(tables):
            corner = table.get("corner")
            where = f"section {index}" + (f" ({corner})" if isinstance(corner, str) else "")
            before = tables[index - 1]
            known = {*self.lanes, "direction", "bend"}
            staggered = "corner" not in table or "corner" in before
            known |= _CORNER_KEYS if "corner" in table else set()
            known |= {"stagger"} if staggered else set()
            self.only(table, known, where)
            spec: Corner | None = None
            if "corner" in table:
                number += 1
                name = self.text(table, "corner", where)
                stops = self.whole(table, "stops", where, 1, 3)
                shortest, longest = self.printed_paths(table, where)
                inside = table.get("inside")
                if inside not in (self.lanes[0], self.lanes[-1]):
                    self.complain(where, 'inside has to say which side the bend turns to, "left" or "right".')
                    inside = self.lanes[0]
                lane = self.lanes.index(str(inside))
                spec = Corner(number, name, stops, shortest, longest, lane, index)
            marks = [self._marks(table, lane, f"{where}, lane {lane}") for lane in self.lanes]
            for lane_name, along in zip(self.lanes, marks, strict=True):
                if spec and len(along) > LONGEST_CORNER:
                    self.complain(
                        f"{where}, lane {lane_name}",
                        f"{len(along)} spaces are too many for a corner; {LONGEST_CORNER} is the most.",
                    )
            stagger = self._stagger(table, where) if staggered else None
            direction = self.whole(table, "direction", where, 0, 359) if "direction" in table else None
            bend = self.whole(table, "bend", where, -360, 360) if "bend" in table else 0
            loose = table.get("loose", False)
            if not isinstance(loose, bool):
                self.complain(where, "loose has to be true or false; true lets the nearest lengths stand.")
            self.rows.append(Row(index, where, spec, marks, stagger, direction, bend, loose is True))
        if not number:
            self.complain("", "there is no corner; a section with corner = and its name is one.")

    def _stagger(self, table: Mapping[str, object], where: str) -> list[int]:
        value = table.get("stagger")
        if isinstance(value, list) and len(value) == len(self.lanes) and all(is_whole(v) for v in value):
            return [v - min(value) for v in value]
        example = list(range(len(self.lanes)))
        self.complain(where, f"stagger has to say how many half spaces each lane lies ahead, such as {example}.")
        return example

    def _marks(self, table: Mapping[str, object], lane: str, where: str) -> list[Mark]:
        value = table.get(lane)
        if value is None:
            self.complain(where, "the lane is missing; every section has every lane.")
            return []
        if is_whole(value):
            value = str(value)
        if not isinstance(value, str):
            self.complain(where, 'a lane is a row of marks in quotation marks, such as "3> ^", or a number of spaces.')
            return []
        leftmost, rightmost = lane == self.lanes[0], lane == self.lanes[-1]
        marks: list[Mark] = []
        for word in value.split():
            here = f"{where}, space {len(marks) + 1}"
            if word.isdecimal() and len(word) < 5:
                if not 1 <= int(word) <= 200:
                    self.complain(here, f"{word} is no number of spaces; a row has from 1 to 200.")
                    continue
                left, right = None if leftmost else ZIP, None if rightmost else ZIP
                marks += [Mark(left=left, right=right, bare=True) for _ in range(int(word))]
                continue
            repeat, new = 1, Mark()
            if plain := _MARK.fullmatch(word):
                repeat = int(plain["repeat"] or 1)
                new.blocked = plain["mark"] == "x"
                new.left = ZIP if plain["mark"] in "<*" else None
                new.right = ZIP if plain["mark"] in ">*" else None
            elif leads := _LEADS.fullmatch(word):
                new.left = _target(leads["left"]) if "<" in word else None
                new.right = _target(leads["right"]) if ">" in word else None
            else:
                self.complain(
                    here,
                    f"{word} is no mark; a mark is ^ < > * or x, with a number before it (3>) or a number or"
                    " next after it (>5, <next), or a bare number of spaces.",
                )
                continue
            if not 1 <= repeat <= 200:
                self.complain(here, f"{word} repeats its mark {repeat} times; 1 to 200 would be right.")
                continue
            if leftmost and new.left is not None:
                self.complain(here, f"{word} leads left of the leftmost lane; ^ or > would be right.")
                continue
            if rightmost and new.right is not None:
                self.complain(here, f"{word} leads right of the rightmost lane; ^ or < would be right.")
                continue
            marks += [Mark(new.blocked, new.left, new.right) for _ in range(repeat)]
        if not marks:
            self.complain(where, "the lane has no space; every lane of a section has at least one.")
        return marks


def _target(written: str | None) -> int:
    if written is None:
        return ZIP
    return NEXT if written == "next" else int(written)
