"""Boards drawn as hobby programs draw them, from circuits of our own: a picture of each space, moves, and the two
file formats. Numbers, order, scale, turn and line ends are varied, so that no importer can lean on them."""

import math
import random
import struct
from dataclasses import dataclass, field

from companion.rules.circuit.file import load_track
from companion.rules.circuit.track import Track
from tests.rules.pieces import RIGHT_HANDER, STRAIGHT

HALF = 12.0
"""Length of a half space in the picture."""
WIDTH = 14.0
"""Width of a lane in the picture."""
DAT_TYPES = {0: 1, 1: 3, 2: 2, 3: 6}
"""Type number of a .dat node by stops."""


@dataclass
class Picture:
    """A board as a drawing program keeps it, open to any change before it is written."""

    track: Track
    at: dict[int, tuple[float, float]]
    number: dict[int, int]
    """Number of a space in the file, by its id in the track."""
    moves: list[tuple[int, int]]
    """By the track's ids, boxes left out."""
    types: dict[int, int] = field(default_factory=dict)
    marked: set[int] = field(default_factory=set)
    """Spaces with an F behind them."""
    places: dict[int, float] = field(default_factory=dict)
    grid: list[int] = field(default_factory=list)
    extra_nodes: list[str] = field(default_factory=list)
    extra_moves: list[str] = field(default_factory=list)

    def dat(self, newline: str = "\n", header: str = "board.png", pad: str = "", shuffle: int | None = None) -> bytes:
        """The board as a .dat file."""
        nodes = [
            f"{self.number[s]} {x:.0f} {y:.0f} {self.types[s]}{' F' * (s in self.marked)}"
            for s, (x, y) in self.at.items()
        ] + self.extra_nodes
        moves = [f"{self.number[a]} {self.number[b]}" for a, b in self.moves]
        places = [f"{self.number[s]} {v}" for s, v in self.places.items()]
        grid = [f"{self.number[s]} 180.0" for s in self.grid]
        if shuffle is not None:
            for rows in (nodes, moves, places, grid):
                random.Random(shuffle).shuffle(rows)
        moves += self.extra_moves
        parts = [[header, *nodes], moves, places, grid]
        written = ["".join(line + pad + newline for line in part) for part in parts]
        return newline.join(written).encode()


def space_road(track: Track) -> list[int]:
    """The spaces of the track proper, without the pits."""
    return [space.id for space in track.spaces if space.section >= 0]


def headings(track: Track) -> list[float]:
    """Degrees clockwise from the top at each half space from the line, by the bends of the sections."""
    begins = []
    for section in track.sections:
        rears = [(track.place[track.behind[lane[0]]] + 1) for lane in section.lanes]
        near = rears[0]
        begins.append(near + sum((r - near + track.length // 2) % track.length - track.length // 2 for r in rears) / 3)
    turn = [0.0] * track.length
    for section, begin in zip(track.sections, begins, strict=True):
        end = begins[(section.index + 1) % len(begins)]
        count = max(1, round(end - begin) % track.length)
        for k in range(count):
            turn[round(begin + k) % track.length] += section.bend / count
    total, out = 0.0, []
    for step in turn:
        total += step
        out.append(total)
    return out


def draw(
    track: Track,
    *,
    scale: float = 1.0,
    rotate: float = 0.0,
    shift: tuple[float, float] = (900.0, 700.0),
    jitter: float = 0.0,
    numbers: str = "rows",
    seed: int = 1,
    finish: str = "F",
) -> Picture:
    """A picture of a track known to the space. `numbers` is how its spaces are numbered: rows, gaps or shuffled."""
    rng = random.Random(seed)
    angle = headings(track)
    points = [(0.0, 0.0)]
    for degrees in angle:
        x, y = points[-1]
        points.append((x + HALF * math.sin(math.radians(degrees)), y - HALF * math.cos(math.radians(degrees))))
    gap = points[-1]
    road = [(x - gap[0] * k / track.length, y - gap[1] * k / track.length) for k, (x, y) in enumerate(points)]

    def spot(along: float, aside: float) -> tuple[float, float]:
        along %= track.length
        k = int(along)
        ax, ay = road[k]
        bx, by = road[k + 1]
        part, size = along - k, math.hypot(bx - ax, by - ay) or 1.0
        x = ax + part * (bx - ax) - aside * (by - ay) / size
        y = ay + part * (by - ay) + aside * (bx - ax) / size
        turn = math.radians(rotate)
        x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
        return (
            scale * x + shift[0] + rng.uniform(-jitter, jitter),
            scale * y + shift[1] + rng.uniform(-jitter, jitter),
        )

    width = len(track.lanes)
    at: dict[int, tuple[float, float]] = {}
    for s in space_road(track):
        before = behind(track, s)
        size = (track.place[s] - track.place[before]) % track.length
        at[s] = spot(track.place[s] + 1 - size / 2, (track.spaces[s].lane - (width - 1) / 2) * WIDTH)
    if track.pit:
        for s in track.pit.spaces:
            at[s] = spot(track.place[s], (width + 1.5) * WIDTH)

    ids = list(at)
    if numbers == "gaps":
        number = {s: 3 * k + 17 + rng.randrange(3) for k, s in enumerate(ids)}
    elif numbers == "shuffled":
        order = list(range(len(ids)))
        rng.shuffle(order)
        number = dict(zip(ids, order, strict=True))
    else:
        number = {s: k for k, s in enumerate(sorted(ids, key=lambda s: (track.spaces[s].section < 0, track.place[s])))}

    moves = [(a, b) for a in space_road(track) if a not in track.blocked for b in track.moves[a]]
    types = {s: 4 if s in track.blocked else DAT_TYPES[stops_of(track, s)] for s in space_road(track)}
    places: dict[int, float] = {}
    for section in track.sections:
        if section.corner:
            first = min(track.place[lane[0]] for lane in section.lanes)
            if any(abs(track.place[lane[0]] - first) > track.length // 2 for lane in section.lanes):
                first = max(track.place[lane[0]] for lane in section.lanes) - 3
            for lane in section.lanes:
                for s in lane:
                    places[s] = (track.place[s] - first) % track.length / 2
    if track.pit:
        moves += list(track.pit.entries) + list(track.pit.exits)
        moves += list(zip(track.pit.spaces, track.pit.spaces[1:], strict=False))
        types.update(dict.fromkeys(track.pit.spaces, 7))
        places.update(dict.fromkeys(track.pit.fronts, 1.0))
    picture = Picture(track, at, number, moves, types, places=places, grid=list(track.grid))
    for s in track.line:
        if finish == "type" and types[s] == 1:
            types[s] = 5
        else:
            picture.marked.add(s)
    return picture


def stops_of(track: Track, space: int) -> int:
    """Stops of the corner that a space lies in, 0 on a straight."""
    corner = track.corner[space]
    return track.corners[corner].stops if corner >= 0 else 0


def behind(track: Track, space: int) -> int:
    """The space behind in the same lane, blocked ones counted."""
    at = track.spaces[space]
    lanes = [s for section in track.sections for s in section.lanes[at.lane]]
    return lanes[lanes.index(space) - 1]


def tdf(
    picture: Picture,
    *,
    boxes: str = "beside",
    weather: tuple[int, int] | None = None,
    neighbours: bool = True,
    lanes: bool = True,
    corner_numbers: bool = True,
) -> bytes:
    """The board as a .tdf file. `boxes` are drawn beside the lane or as marks on its spaces."""
    track = picture.track
    order = sorted(picture.at, key=lambda s: picture.number[s])
    index = {s: k for k, s in enumerate(order)}
    pits = track.pit
    fronts = dict(zip(pits.fronts, pits.boxes, strict=True)) if pits else {}
    if boxes == "beside":
        for box in fronts.values():
            index[box] = len(index)
    moves: dict[int, list[int]] = {s: [] for s in index}
    for a, b in picture.moves:
        moves[a].append(b)
    if boxes == "beside":
        for front, box in fronts.items():
            moves[front].append(box)
            moves[box].append(front)
    low, high = weather or (track.weather.changeable[0], track.weather.changeable[1])
    out = [text("TE01"), struct.pack(">fiidii", 1.0, low, high, 2.5, 20, len(index)), text("d41d8cd98f00b204")]
    for s in index:
        x, y = picture.at.get(s, (0.0, 0.0))
        space = track.spaces[s]
        kind = 0 if space.section >= 0 else 2
        if space.section >= 0 and track.corner[s] >= 0:
            kind = 1
        team = list(fronts.values()).index(s) // 2 % 5 + 3 if s in fronts.values() else 0
        if s in fronts.values():
            kind = team
            front = next(f for f, b in fronts.items() if b == s)
            x, y = picture.at[front][0] + 3, picture.at[front][1] + 11
        elif boxes == "in the lane" and s in fronts:
            kind = list(fronts).index(s) // 2 % 5 + 3
        before = behind(track, s) if space.section >= 0 and lanes else -1
        beside = [b for b in track.beside[s] if b in index] if neighbours and space.section >= 0 else []
        slot = picture.grid.index(s) if s in picture.grid else -1
        out.append(struct.pack(">id8fd", 1, 14.0, *(8 * [0.5]), 90.0))
        out.append(row([index[b] for b in moves[s]]))
        out.append(struct.pack(">iii", track.place[s], index.get(before, -1), kind))
        out.append(struct.pack(">dd", x, y))
        out.append(
            struct.pack(">iiii", track.corner[s] if corner_numbers else 0, stops_of(track, s), slot, max(space.lane, 0))
        )
        out.append(row([index[b] for b in beside]))
        out.append(struct.pack(">5i", 7, 0, -1, 0, 3))
    out.append(text("9e107d9d372bb6826bd81d3542a419d6"))
    return b"".join(out)


def text(words: str) -> bytes:
    """A string with its length in front."""
    return struct.pack(">i", len(words)) + words.encode()


def row(values: list[int]) -> bytes:
    """A counted row of whole numbers."""
    return struct.pack(f">{len(values) + 1}i", len(values), *values)


HEAD = """
name = "Sample"
country = "nowhere"
known = "space"
laps = { competition = 2 }
weather = { rain = [1, 6], changeable = [7, 13], sun = [14, 20] }
source = "made for a test"
trust = "whole"
"""

PIT = """
[pit]
entries = [["3:right:2", 1], ["3:right:3", 1]]
spaces = 8
boxes = [2, 3, 4, 5, 6]
exits = [[8, "3:right:14"], [8, "3:right:15"]]
"""

CORNER = RIGHT_HANDER.replace("Only", "{}").replace("360", "180")
GRID = 'grid = ["3:left:14", "3:right:14", "3:left:11", "3:right:11", "3:left:8", "3:right:8"]\n'

PLAIN = (
    HEAD + 'line = ["3:left:15", "3:middle:15", "3:right:16"]\n' + GRID + PIT + 2 * (CORNER.format("One") + STRAIGHT)
)
"""Two right-handers and two straights."""

LINE_IN_CORNER = (
    HEAD
    + 'line = ["3:left:4", "3:middle:3", "3:right:2"]\n'
    + 'grid = ["2:left:15", "2:right:15", "2:left:12", "2:right:12"]\n'
    + PIT.replace("3:", "2:")
    + STRAIGHT
    + CORNER.format("One")
    + STRAIGHT
    + CORNER.format("Two")
)
"""The same with the line in the middle of the last corner."""

LEFT_HANDER = """
[[section]]
corner = "{}"
stops = 1
shortest = 3
longest = 7
inside = "left"
stagger = [2, 1, 0]
left = "^ ^ ^"
middle = "< < ^ < <"
right = "< < < ^ < < <"
bend = -90
"""

CORNER_AFTER_CORNER = (
    HEAD
    + 'line = ["5:left:15", "5:middle:15", "5:right:16"]\n'
    + GRID.replace("3:", "5:")
    + PIT.replace("3:", "5:")
    + CORNER.format("One")
    + STRAIGHT
    + CORNER.format("Two").replace("180", "135")
    + LEFT_HANDER.format("Three")
    + CORNER.format("Four").replace("180", "135")
    + "stagger = [0, 1, 2]\n"
    + STRAIGHT
)
"""Three corners of one stop each, one right after the other."""


FIGURE_OF_EIGHT = (
    HEAD
    + 'line = ["3:left:15", "3:middle:15", "3:right:14"]\n'
    + 'grid = ["3:left:14", "3:right:12", "3:left:11", "3:right:9"]\n'
    + CORNER.format("One").replace("180", "270")
    + """
[[section]]
stagger = [2, 1, 0]
left = "17> ^"
middle = "17* ^"
right = "18<"
"""
    + LEFT_HANDER.format("Two").replace("-90", "-270").replace("stagger = [2, 1, 0]\n", "")
    + """
[[section]]
stagger = [0, 1, 2]
left = "18>"
middle = "17* ^"
right = "17< ^"
"""
)
"""A board that crosses itself, as Suzuka does."""


def two_lanes() -> str:
    """A ring of two lanes."""
    corner = """
[[section]]
corner = "{}"
stops = {}
shortest = 4
longest = 6
inside = "left"
left = "^ ^ ^ ^"
right = "< < ^ < < <"
bend = -180

[[section]]
stagger = [0, 1]
left = "11> ^"
right = "11<"
"""
    line = 'line = ["3:left:9", "3:right:9"]\n'
    grid = 'grid = ["3:right:8", "3:left:8", "3:right:5", "3:left:5"]\n'
    return HEAD + line + grid + corner.format("One", 2) + corner.format("Two", 1)


def four_lanes() -> str:
    """An oval of four lanes with a blocked space on one straight."""
    corner = """
[[section]]
corner = "{}"
stops = {}
shortest = 5
longest = 11
inside = "left"
left = "^ ^ ^ ^ ^"
inner-left = "< < < ^ < < <"
inner-right = "< < < < ^ < < < <"
right = "< < < < < ^ < < < < <"
bend = -180
"""
    straight = """
[[section]]
stagger = [0, 1, 2, 3]
left = "17 ^"
inner-left = "8 {} 8"
inner-right = "16"
right = "15"
"""
    return (
        HEAD
        + 'line = ["3:left:16", "3:inner-left:15", "3:inner-right:15", "3:right:14"]\n'
        + 'grid = ["3:left:14", "3:inner-right:13", "3:left:11", "3:inner-right:10"]\n'
        + corner.format("One", 1)
        + straight.format("x")
        + corner.format("Two", 3)
        + straight.format("1")
    )


def track_of(text_: str) -> Track:
    """A track from the text of a circuit."""
    return load_track(text_, "sample", "sample")
