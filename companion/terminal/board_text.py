"""The board as text: one row per lane, labelled sections, cars by number, without colour.

Spaces in one column are level: a column is half a space of the lap, as wide as its widest text. A space is a dot, every
fifth of its row its number. A board wider than the screen continues in another block.
"""

import textwrap
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from companion.rules.circuit.track import Corner, Section, Track
from companion.rules.ninety.circuit import SectionTrack
from companion.wording import Words, capital

BEHIND, AHEAD = 6, 25
"""Spaces drawn behind and ahead of a space."""
NARROWEST = 2
"""Minimum width of a half space, in characters."""
FIGURES = 21
"""Columns of a corner besides its name and its cars: number, stops and paths."""
SHORTEST_NAME = 8
LEGEND = {
    "en": "[7] car   ! danger   # blocked   | first past the line   : section begins",
    "fr": "[7] voiture   ! danger   # bloquée   | après la ligne   : début de section",
}
_KINDS = {"straight": "ligne droite", "braking": "freinage", "corner": "virage"}
_STRAIGHT = {"en": "straight", "fr": "ligne droite"}
_STOP = {"en": "stop", "fr": "arrêt"}
_LEAVING = {"en": "on the way from it:", "fr": "en route après lui :"}
_PAST_LINE = {"en": "past the line:", "fr": "après la ligne :"}
_ROWS = {
    "left": "gauche", "inner-left": "centre-gauche", "middle": "milieu", "inner-right": "centre-droite",
    "right": "droite", "wall": "mur", "pit": "stands", "box": "stand",
}  # fmt: skip
"""French names of the rows; in English the circuit's file names them."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """Text of one space in a row, from its first half space to its last."""

    text: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    marks: tuple[_Mark, ...]
    fill: str = " "


@dataclass(frozen=True, slots=True)
class _Block:
    """A stretch of the lap that fits the width.

    `start` is its first half space, counted on over the line; `columns` the column of each half space and the one after
    the last.
    """

    start: int
    columns: tuple[int, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.columns) - 1


def draw_sections(track: SectionTrack, cars: Mapping[str, str], width: int = 78, lang: str = "en") -> list[str]:
    """Return a circuit of sections as lines, one per section.

    Each has number, kind, name, contest bonus, late braking, ideal lines and its cars, head of the queue first. `cars`
    are labels by section, such as `section:3`.
    """
    lines = []
    for number, section in enumerate(track.sections, 1):
        kind = section.kind if lang == "en" else _KINDS[section.kind]
        name = f"{kind} {section.name}".rstrip() + (f" {section.bonus:+d}" if section.kind == "corner" else "")
        late = (" " if section.late.own else " ≤") + section.late.text if section.late else ""
        points = "".join(f" {point.text} {point.check}".rstrip() for point in section.trajectories)
        queue = cars.get(f"section:{number}", "")
        line = f"{number:>3} {name + late + points:<34} {f'[{queue}]' if queue else ''}".rstrip()
        lines += textwrap.wrap(line, width, subsequent_indent=" " * 4, break_on_hyphens=False)
    return lines


def draw(
    track: Track,
    cars: Mapping[str, str],
    dangers: Collection[str] = (),
    around: str | None = None,
    width: int = 78,
    lang: str = "en",
) -> list[str]:
    """Return the board as lines of at most `width` characters (40 or more).

    `cars` are labels by space; on a corner sheet that is `corner:3` in corner 3, `after:3` on the way from
    it and `after:0` between the line and the first corner. `dangers` are ids of danger spaces. `around` draws only the
    stretch from 6 spaces behind that space to 25 ahead. `lang` is en or fr. Raises CompanionError for a space that
    the circuit does not have.
    """
    if track.known == "corner":
        return _sheet(track, cars, width, lang)
    rows = _rows(
        track,
        {track.id_of(name): label for name, label in cars.items()},
        {track.id_of(name) for name in dangers},
    )
    if lang == "fr":
        rows = [replace(row, name=_ROWS[row.name]) for row in rows]
    margin = max(len(row.name) for row in rows) + 1
    first, last = 0, track.length
    if around is not None:
        here = track.place[track.id_of(around)]
        first, last = here - 2 * BEHIND, min(here + 2 * AHEAD + 1, here - 2 * BEHIND + track.length)
    lines: list[str] = []
    while first < last:
        block = _block(rows, track.length, first, last, width - margin)
        lines.append(" " * margin + _labels(track, block, lang))
        for row in rows:
            drawn = _draw(row, block, track.length)
            if drawn.strip():
                lines.append(f"{row.name:<{margin}}{drawn}".rstrip())
        lines.append("")
        first = block.end
    return [*lines, *textwrap.wrap(LEGEND[lang], width)]


def _rows(track: Track, cars: Mapping[int, str], dangers: Collection[int]) -> list[_Row]:
    """Return the rows from the driver's left, with the pits on their side."""

    def body(space: int, plain: str) -> str:
        danger = "!" if space in dangers else ""
        if space in cars:
            return f"[{cars[space]}]{danger}"
        return "#" if space in track.blocked else danger or plain

    rows: list[_Row] = []
    for lane, name in enumerate(track.lanes):
        marks: list[_Mark] = []
        spaces = [s for section in track.sections for s in section.lanes[lane]]
        for before, space in zip([spaces[-1], *spaces], spaces, strict=False):
            number = track.spaces[space].number
            lead = "|" if space in track.line else ":" if number == 1 else " "
            text = lead + body(space, "." if number % 5 else str(number))
            marks.append(_Mark(text, *_halves(track, before, space)))
        rows.append(_Row(name, tuple(marks)))
    if track.wall >= 0:
        wall = _Row("wall", (), "=")
        rows = [*rows, wall] if track.wall else [wall, *rows]
    if pit := track.pit:
        covered = {pit.spaces[0]: (track.place[pit.spaces[0]], track.place[pit.spaces[0]])}
        for before, space in pairwise(pit.spaces):
            covered[space] = _halves(track, before, space)
        lane_row = [_Mark(" " + body(s, "."), *covered[s]) for s in pit.spaces]
        box_row = [
            _Mark(" " + body(box, str(track.spaces[box].number)), *covered[front])
            for box, front in zip(pit.boxes, pit.fronts, strict=True)
        ]
        pits = [_Row("pit", tuple(lane_row)), _Row("box", tuple(box_row))]
        left = track.spaces[pit.entries[0][0]].lane == 0
        rows = [*reversed(pits), *rows] if left else [*rows, *pits]
    return rows


def _halves(track: Track, before: int, space: int) -> tuple[int, int]:
    """Return the first and last half space of a space that follows `before`.

    The first may be negative, before the line.
    """
    end = track.place[space]
    return end - (end - track.place[before] - 1) % track.length, end


def _block(rows: list[_Row], lap: int, first: int, last: int, width: int) -> _Block:
    """Return as much of the lap from `first` to `last` as fits the width."""
    ending: dict[int, list[_Mark]] = {}
    for row in rows:
        for mark in row.marks:
            ending.setdefault(mark.end, []).append(mark)
    columns = [0]
    for half in range(first, last):
        wide = NARROWEST
        for mark in ending.get(half % lap, ()):
            begin = max(half - (mark.end - mark.begin), first)
            wide = max(wide, len(mark.text) - (columns[-1] - columns[begin - first]))
        if columns[-1] + wide > width and half > first:
            break
        columns.append(columns[-1] + wide)
    return _Block(first, tuple(columns))


def _draw(row: _Row, block: _Block, lap: int) -> str:
    canvas = [row.fill] * block.columns[-1]
    by_end = {mark.end: mark for mark in row.marks}
    for half in range(block.start, block.end):
        mark = by_end.get(half % lap)
        if mark:
            begin = max(half - (mark.end - mark.begin), block.start)
            column = block.columns[begin - block.start]
            canvas[column : column + len(mark.text)] = mark.text
    return "".join(canvas)


def _labels(track: Track, block: _Block, lang: str) -> str:
    """Return the line of section names above a block, by the leftmost lane."""
    owner: dict[int, Section] = {}
    for section in track.sections:
        for space in section.lanes[0]:
            begin, end = _halves(track, track.behind[space] if track.behind[space] >= 0 else space, space)
            owner.update((half % track.length, section) for half in range(begin, end + 1))
    starts = [
        half
        for half in range(block.start, block.end)
        if half == block.start or owner[half % track.length] != owner[(half - 1) % track.length]
    ]
    text = ""
    for half, following in zip(starts, [*starts[1:], block.end], strict=True):
        room = block.columns[following - block.start] - (following < block.end)
        text = text.ljust(block.columns[half - block.start])
        names = _names(track, owner[half % track.length], lang)
        text += next((name for name in names if len(text) + len(name) <= room), "")
    return text.rstrip()


def _names(track: Track, section: Section, lang: str) -> tuple[str, ...]:
    """Return the names of a section, longest first."""
    number = str(section.index)
    if section.corner:
        name = f"{number} {_corner(section.corner, lang)}"
        stops = _stops(section.corner, lang)
        cut = (f"{name[:letters].rstrip()}., {stops}" for letters in range(len(name) - 1, len(number) + 3, -1))
        return f"{name}, {stops}", *cut, name, name[:8], number
    straight = f"{number} {_STRAIGHT[lang]}"
    zones = [zone.name for zone in track.zones if section.lanes[0][0] in zone.spaces]
    return (*(f"{straight}, DRS {Words(lang).corner(zone)}" for zone in zones), straight, number)


def _corner(corner: Corner, lang: str) -> str:
    return capital(Words(lang).corner(corner.name))


def _stops(corner: Corner, lang: str) -> str:
    return f"{corner.stops} {_STOP[lang]}" + "s" * (corner.stops > 1)


def _sheet(track: Track, cars: Mapping[str, str], width: int, lang: str) -> list[str]:
    """Return a corner sheet as lines.

    One per corner with the cars in it, and one for the cars on the way from it.
    """
    named = {corner: _corner(corner, lang) for corner in track.corners}
    shown = max(len(_cars_in(corner, cars)) for corner in track.corners)
    wide = min(max(map(len, named.values())), max(width - FIGURES - shown, SHORTEST_NAME))
    lines: list[str] = []
    if begun := [f"[{label}]" for name, label in cars.items() if name == "after:0"]:
        lines.append((f"   {_PAST_LINE[lang]} " + " ".join(begun))[:width])
    for corner in track.corners:
        paths = f"{corner.shortest}-{corner.longest}"
        name = named[corner] if len(named[corner]) <= wide else f"{named[corner][: wide - 1].rstrip()}…"
        line = f"{corner.number:>2} {name:<{wide}}  {_stops(corner, lang):<8}  {paths:<6}"
        after = [f"[{label}]" for name, label in cars.items() if name == f"after:{corner.number}"]
        lines.append(f"{line}{_cars_in(corner, cars)}".rstrip()[:width])
        if after:
            lines.append((f"   {_LEAVING[lang]} " + " ".join(after))[:width])
    return lines


def _cars_in(corner: Corner, cars: Mapping[str, str]) -> str:
    """Return the cars in a corner as they follow its line."""
    return "".join(f" [{label}]" for name, label in cars.items() if name == f"corner:{corner.number}")
