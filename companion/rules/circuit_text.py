"""A circuit file, read: TOML text becomes a `Track`, or a list of complaints in plain words.

A circuit known to the space (`known = "space"`)::

    name    = "Monaco"
    country = "Monaco"
    known   = "space"
    laps    = { competition = 3, cup = 3, league = 2, death = 2 }            # laps of a race, by rulebook
    weather = { rain = [1, 7], changeable = [8, 12], sun = [13, 20] }        # faces of the black die
    source  = "where the figures come from"
    trust   = "how far they are to be trusted, and how to put them right"
    line    = ["20:left:17", "20:middle:17", "20:right:18"]                  # first space past the line, lane by lane
    grid    = ["20:left:16", "20:right:16", "20:left:13"]                    # from pole
    wall    = "right"                                                        # the lane beside an outside wall, if any
    beside  = [["11:middle:2", "11:right:4"]]                                # where the printed board
    apart   = [["11:middle:3", "11:right:3"]]                                # differs from the geometry:
    order   = [["5:left:2", "5:right:1"]]                                    # the first plays before the second
    level   = [["5:left:3", "5:right:2"]]                                    # the two are level

    [pit]
    entries = [["20:right:1", 1], ["20:right:2", 1]]                         # space of the track, space of the lane
    spaces  = 18
    boxes   = [4, 5, 6, 7]                                                   # the lane space in front of each box
    line    = 18                                                             # first lane space past the line, if any
    exits   = [[18, "0:right:1"], [18, "0:right:2"]]

    [[section]]                                                              # a straight
    stagger = [1, 0, 1]                                                      # half spaces a lane lies ahead
    left    = "4>"
    middle  = "4* ^"
    right   = "4< ^"
    direction = 320                                                          # heading where it begins, degrees
    bend    = 0                                                              # degrees it turns, clockwise positive

    [[section]]                                                              # a corner
    corner  = "Sainte-Dévote"
    stops   = 1
    shortest = 3
    longest = 7
    inside  = "right"
    left    = "> > > ^ > > >"
    middle  = "> > ^ > >"
    right   = "^ ^ ^"
    bend    = 80

    [[drs]]
    name     = "Tunnel"
    sections = [10]

Lanes are left, right | left, middle, right | left, inner-left, inner-right, right. Marks: `^` ahead only; `<`, `>`
ahead or to that side; `*` ahead or to either side; a number after a mark is where it leads (`>5`, `<next`), a space
with a target on both sides is written `<2>5`; a number before a mark repeats it; a bare number is that many spaces
with every sideways move that has a lane; `x` is a blocked space. A corner that follows a corner has a `stagger` too.
`beside`, `apart`, `order`, `level`, `wall`, `pit`, `drs`, `direction` and `bend` may be left out: a direction is then
where the section before it ends, a bend 0.

A corner sheet (`known = "corner"`) has name, country, known, laps, weather, source and trust as above, and::

    lap   = 145          # the fewest spaces a lap can take (may be left out)
    boxes = 10           # how many boxes there are, 0 or left out without pits
    wall  = true         # there is an outside wall (may be left out)

    [[corner]]
    name     = "1"
    stops    = 2
    shortest = 7
    longest  = 12
"""

import heapq
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple, TypeGuard

from companion.rules.errors import BadTrack
from companion.rules.geometry import Sideways, fit_corner, half_spaces, shortest_lap, side_by_side
from companion.rules.track import LANE_NAMES, Corner, Pit, Section, Space, Track, Weather, Zone

RULEBOOKS = ("competition", "cup", "league", "death", "ninety")
LOOSE_FIT = 0.02
"""How far, in half spaces, the marks of a corner may be from fitting together."""

_TEXTS = ("name", "country", "known", "source", "trust")
_BOTH = {*_TEXTS, "laps", "weather", "wall"}
_SPACE_KEYS = {*_BOTH, "line", "grid", "beside", "apart", "order", "level", "pit", "section", "drs"}
_SHEET_KEYS = {*_BOTH, "lap", "boxes", "corner"}
_PIT_KEYS = {"entries", "spaces", "boxes", "line", "exits"}
_CORNER_KEYS = {"corner", "stops", "shortest", "longest", "inside"}

_MARK = re.compile(r"(?P<repeat>\d+)?(?P<mark>[\^<>*x])")
_LEADS = re.compile(r"(?:<(?P<left>\d+|next)?)?(?:>(?P<right>\d+|next)?)?")

_ZIP = 0
_NEXT = -1


class Reading(NamedTuple):
    """What a circuit file says: the track, if one can be made of it, and every complaint, each one
    sentence."""

    track: Track | None
    complaints: list[str]


def load_track(text: str, file: str, key: str) -> Track:
    """The track in the text of a circuit file.

    `file` is how complaints name the file, `key` becomes the track's key. Raises BadTrack with the first
    complaint."""
    track, complaints = read(text, file, key)
    if track is None or complaints:
        more = len(complaints) - 1
        rest = f" (and {more} more: companion tracks check lists them)" if more else ""
        raise BadTrack(complaints[0] + rest)
    return track


def read(text: str, file: str, key: str) -> Reading:
    """The track in the text of a circuit file as far as one can be made of it, with every complaint."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        return Reading(None, [f"{file}: this is not TOML: {why}."])
    reader = _Sheet(file, key, table) if table.get("known") == "corner" else _Board(file, key, table)
    track = reader.track()
    return Reading(track, reader.complaints)


@dataclass(slots=True)
class _Mark:
    """One space as written: whether it is blocked, and where its sideways moves lead: None, the zip, the next
    section, or a number. A space from a bare number has only the moves that there are."""

    blocked: bool = False
    left: int | None = None
    right: int | None = None
    bare: bool = False


@dataclass(slots=True)
class _Row:
    """A section as written."""

    index: int
    where: str
    corner: Corner | None
    lanes: list[list[_Mark]]
    stagger: list[int] | None
    direction: int | None
    bend: int
    entry: list[int] = field(default_factory=list)
    """Half space where each lane begins."""


class _Reader:
    """What both kinds of circuit have in common: the table of the file, and the complaints about it."""

    def __init__(self, file: str, key: str, table: dict[str, object]) -> None:
        self.file = file
        self.key = key
        self.table = table
        self.complaints: list[str] = []

    def track(self) -> Track | None:
        raise NotImplementedError

    def complain(self, where: str, what: str) -> None:
        """Add a complaint; `where` is a section, lane and space in words, or nothing."""
        self.complaints.append(f"{self.file}, {where}: {what}" if where else f"{self.file}: {what}")

    def only(self, table: Mapping[str, object], known: set[str], where: str) -> None:
        """Complain about keys that mean nothing here."""
        for name in table:
            if name not in known:
                self.complain(where, f"{name} means nothing here; what can be said is {', '.join(sorted(known))}.")

    def text(self, table: Mapping[str, object], name: str, where: str) -> str:
        value = table.get(name)
        if isinstance(value, str) and value.strip():
            return value
        self.complain(where, f"{name} is missing or empty; it has to be some words in quotation marks.")
        return "?"

    def whole(self, table: Mapping[str, object], name: str, where: str, low: int, high: int) -> int:
        """A whole number that has to be there, between low and high."""
        value = table.get(name)
        if _is_whole(value) and low <= value <= high:
            return value
        shown = "is missing" if value is None else f"is {value!r}"
        self.complain(where, f"{name} {shown}; it has to be a whole number from {low} to {high}.")
        return low

    def tables(self, name: str) -> list[dict[str, object]]:
        """The entries of an array of tables."""
        value = self.table.get(name, [])
        if isinstance(value, list) and all(isinstance(v, dict) for v in value):
            return value
        self.complain("", f"{name} has to be written as [[{name}]], one for each.")
        return []

    def laps(self) -> Mapping[str, int]:
        value = self.table.get("laps")
        if not isinstance(value, dict) or not value:
            self.complain("", "laps is missing; write the laps by rulebook, such as laps = { competition = 3 }.")
            return MappingProxyType({})
        self.only(value, set(RULEBOOKS), "laps")
        return MappingProxyType({book: self.whole(value, book, "laps", 1, 99) for book in value if book in RULEBOOKS})

    def weather(self) -> Weather:
        value = self.table.get("weather")
        if not isinstance(value, dict):
            self.complain(
                "",
                "weather is missing; write weather = { rain = [1, 7], changeable = [8, 12], sun = [13, 20] }.",
            )
            return Weather((1, 7), (8, 12), (13, 20))
        self.only(value, {"rain", "changeable", "sun"}, "weather")
        bands: list[tuple[int, int]] = []
        for sky in ("rain", "changeable", "sun"):
            band = value.get(sky)
            if isinstance(band, list) and len(band) == 2 and all(_is_whole(v) for v in band):
                bands.append((band[0], band[1]))
            else:
                self.complain("weather", f"{sky} has to be the lowest and the highest face, such as {sky} = [1, 7].")
        if len(bands) < 3:
            return Weather((1, 7), (8, 12), (13, 20))
        for face in range(1, 21):
            times = sum(low <= face <= high for low, high in bands)
            if times != 1:
                self.complain(
                    "weather",
                    f"a {face} on the black die brings {'nothing' if not times else f'{times} skies'};"
                    " rain, changeable and sun have to cover 1 to 20 once.",
                )
                break
        else:
            if any(low > high or low < 1 or high > 20 for low, high in bands):
                self.complain("weather", "a band runs from its lowest face to its highest, between 1 and 20.")
        return Weather(*bands)

    def printed_paths(self, table: Mapping[str, object], where: str) -> tuple[int, int]:
        """The shortest and the longest path through a corner as printed."""
        shortest = self.whole(table, "shortest", where, 1, 60)
        longest = self.whole(table, "longest", where, 1, 60)
        if shortest > longest:
            self.complain(where, f"the shortest path, {shortest}, is longer than the longest, {longest}.")
        return shortest, longest


class _Sheet(_Reader):
    """A circuit known to the corner."""

    def track(self) -> Track | None:
        self.only(self.table, _SHEET_KEYS, "")
        texts = [self.text(self.table, name, "") for name in _TEXTS]
        laps, weather = self.laps(), self.weather()
        corners: list[Corner] = []
        for number, table in enumerate(self.tables("corner"), 1):
            where = f"corner {number}"
            self.only(table, {"name", "stops", "shortest", "longest"}, where)
            name = self.text(table, "name", where)
            stops = self.whole(table, "stops", where, 1, 3)
            shortest, longest = self.printed_paths(table, where)
            corners.append(Corner(number, name, stops, shortest, longest, -1, -1))
        if not corners:
            self.complain("", "there is no corner; a corner sheet has a [[corner]] for each, in driving order.")
        wall = self.table.get("wall", False)
        if not isinstance(wall, bool):
            self.complain("", "wall has to be true or false on a corner sheet.")
        lap = self.whole(self.table, "lap", "", 1, 999) if "lap" in self.table else 0
        boxes = self.whole(self.table, "boxes", "", 0, 99) if "boxes" in self.table else 0
        if self.complaints:
            return None
        name, country, _, source, trust = texts
        return Track(
            key=self.key,
            name=name,
            country=country,
            known="corner",
            laps=laps,
            weather=weather,
            source=source,
            trust=trust,
            shortest_lap=lap,
            box_count=boxes,
            lanes=(),
            sections=(),
            corners=tuple(corners),
            spaces=(),
            ids=MappingProxyType({}),
            blocked=frozenset(),
            ahead=(),
            moves=(),
            back=(),
            behind=(),
            beside=(),
            place=(),
            length=0,
            corner=(),
            straight=(),
            order=(),
            line=frozenset(),
            past_limit=frozenset(),
            grid=(),
            pit=None,
            zones=(),
            wall=0 if wall else -1,
        )


class _Board(_Reader):
    """A circuit known to the space. The steps of `track` fill these in, one after another; a step that cannot
    go on leaves complaints, and then there is no track."""

    lanes: tuple[str, ...]
    rows: list[_Row]
    ids: dict[str, int]
    spaces: list[Space]
    ahead: list[int]
    moves: list[list[int]]
    sideways: list[list[Sideways]]
    length: int
    stretch: dict[int, tuple[float, float]]
    place: list[int]

    def track(self) -> Track | None:
        if self.table.get("known") not in (None, "space"):
            self.complain("", 'known has to be "space" or "corner".')
        self.only(self.table, _SPACE_KEYS, "")
        texts = [self.text(self.table, name, "") for name in _TEXTS]
        laps, weather = self.laps(), self.weather()
        self._read_sections()
        if self.complaints:
            return None
        self._name_spaces()
        self._lead_moves()
        if self.complaints:
            return None
        cells = self._lay_out()
        if self.complaints:
            return None
        line = self._line(cells)
        if self.complaints:
            return None
        self._exceptions_of_order()
        beside = self._beside()
        on_track = len(self.spaces)
        grid = self._grid()
        wall = self._wall()
        zones = self._zones()
        pit = self._pit()
        past_limit: frozenset[int] = frozenset()
        back = self._backwards()
        if pit is not None:
            past_limit, limit = self._past_limit(pit, back, on_track)
            pit = Pit(pit.spaces, pit.boxes, pit.fronts, pit.entries, pit.exits, limit)
        order = self._order(pit)
        if self.complaints:
            return None
        in_pits = len(self.spaces) - on_track
        behind = [-1] * len(self.spaces)
        for space, to in enumerate(self.ahead):
            if to >= 0:
                behind[to] = space
        name, country, _, source, trust = texts
        return Track(
            key=self.key,
            name=name,
            country=country,
            known="space",
            laps=laps,
            weather=weather,
            source=source,
            trust=trust,
            shortest_lap=shortest_lap(self.moves, self.place, order, self.length, on_track),
            box_count=len(pit.boxes) if pit else 0,
            lanes=self.lanes,
            sections=self._sections(),
            corners=tuple(row.corner for row in self.rows if row.corner),
            spaces=tuple(self.spaces),
            ids=MappingProxyType(self.ids),
            blocked=frozenset(s for s in range(on_track) if self._mark(s).blocked),
            ahead=tuple(self.ahead),
            moves=tuple(map(tuple, self.moves)),
            back=tuple(map(tuple, back)),
            behind=tuple(behind),
            beside=(*(tuple(sorted(b)) for b in beside), *[()] * in_pits),
            place=tuple(self.place),
            length=self.length,
            corner=(*self._corner_of(), *[-1] * in_pits),
            straight=(*self._straight_of(), *[-1] * in_pits),
            order=order,
            line=frozenset(line),
            past_limit=past_limit,
            grid=grid,
            pit=pit,
            zones=zones,
            wall=wall,
        )

    # What is written

    def _read_sections(self) -> None:
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
            stagger = self._stagger(table, where) if staggered else None
            direction = self.whole(table, "direction", where, 0, 359) if "direction" in table else None
            bend = self.whole(table, "bend", where, -360, 360) if "bend" in table else 0
            self.rows.append(_Row(index, where, spec, marks, stagger, direction, bend))
        if not number:
            self.complain("", "there is no corner; a section with corner = and its name is one.")

    def _stagger(self, table: Mapping[str, object], where: str) -> list[int]:
        value = table.get("stagger")
        if isinstance(value, list) and len(value) == len(self.lanes) and all(_is_whole(v) for v in value):
            return [v - min(value) for v in value]
        example = list(range(len(self.lanes)))
        self.complain(where, f"stagger has to say how many half spaces each lane lies ahead, such as {example}.")
        return example

    def _marks(self, table: Mapping[str, object], lane: str, where: str) -> list[_Mark]:
        value = table.get(lane)
        if value is None:
            self.complain(where, "the lane is missing; every section has every lane.")
            return []
        if _is_whole(value):
            value = str(value)
        if not isinstance(value, str):
            self.complain(where, 'a lane is a row of marks in quotation marks, such as "3> ^", or a number of spaces.')
            return []
        leftmost, rightmost = lane == self.lanes[0], lane == self.lanes[-1]
        marks: list[_Mark] = []
        for word in value.split():
            here = f"{where}, space {len(marks) + 1}"
            if word.isdecimal():
                if not 1 <= int(word) <= 200:
                    self.complain(here, f"{word} is no number of spaces; a row has from 1 to 200.")
                    continue
                left, right = None if leftmost else _ZIP, None if rightmost else _ZIP
                marks += [_Mark(left=left, right=right, bare=True) for _ in range(int(word))]
                continue
            repeat, new = 1, _Mark()
            if plain := _MARK.fullmatch(word):
                repeat = int(plain["repeat"] or 1)
                new.blocked = plain["mark"] == "x"
                new.left = _ZIP if plain["mark"] in "<*" else None
                new.right = _ZIP if plain["mark"] in ">*" else None
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
            marks += [_Mark(new.blocked, new.left, new.right) for _ in range(repeat)]
        if not marks:
            self.complain(where, "the lane has no space; every lane of a section has at least one.")
        return marks

    # Spaces and moves

    def _name_spaces(self) -> None:
        self.spaces = []
        for row in self.rows:
            for lane, marks in enumerate(row.lanes):
                for number in range(1, len(marks) + 1):
                    name = f"{row.index}:{self.lanes[lane]}:{number}"
                    self.spaces.append(Space(len(self.spaces), name, row.index, lane, number))
        self.ids = {space.name: space.id for space in self.spaces}

    def _id(self, section: int, lane: int, number: int) -> int:
        """The id of a space that is there; the number after a lane's last is the first of the next
        section."""
        if number > len(self.rows[section].lanes[lane]):
            section, number = (section + 1) % len(self.rows), 1
        return self.ids[f"{section}:{self.lanes[lane]}:{number}"]

    def _mark(self, space: int) -> _Mark:
        at = self.spaces[space]
        return self.rows[at.section].lanes[at.lane][at.number - 1]

    def _lead_moves(self) -> None:
        self.ahead = []
        self.moves = []
        self.sideways = [[] for _ in self.rows]
        zips: dict[tuple[int, int, int], int] = {}
        for space in self.spaces:
            row, mark = self.rows[space.section], self._mark(space.id)
            ahead = self._id(space.section, space.lane, space.number + 1)
            if mark.blocked or self._mark(ahead).blocked:
                ahead = -1
            left = self._side(row, space, mark, mark.left, -1, zips)
            right = self._side(row, space, mark, mark.right, 1, zips)
            self.ahead.append(ahead)
            self.moves.append([to for to in (left, ahead, right) if to >= 0])

    def _side(
        self,
        row: _Row,
        space: Space,
        mark: _Mark,
        leads: int | None,
        side: int,
        zips: dict[tuple[int, int, int], int],
    ) -> int:
        """The space that a sideways mark leads to, -1 if there is none."""
        if leads is None:
            return -1
        where = f"{row.where}, lane {self.lanes[space.lane]}, space {space.number}"
        lane = space.lane + side
        count = len(row.lanes[lane])
        sign, name = "<>"[side > 0], self.lanes[lane]
        zipped = (row.index, space.lane, side)
        if leads == _NEXT:
            number = count + 1
        elif leads != _ZIP:
            number = leads
        elif row.corner:
            number = zips.get(zipped, 1)
        else:
            stagger = row.stagger or []
            ahead = stagger[space.lane] - stagger[lane]
            if abs(ahead) != 1:
                self.complain(
                    where,
                    f"{sign} needs to know where it leads, as lane {name} is not staggered by half a space;"
                    f" {sign}{space.number} would say it.",
                )
                return -1
            number = space.number + (ahead > 0)
        zips[zipped] = number + 1
        if number > count + 1 or (number > count and leads > 0):
            self.complain(
                where,
                f"{sign} leads to space {number} of lane {name}, which has {count};"
                f" a number up to {count}, or next, would be right.",
            )
            return -1
        to = self._id(row.index, lane, number)
        if self._mark(to).blocked:
            if not mark.bare:
                self.complain(where, f"{sign} leads to {self.spaces[to].name}, which is blocked; ^ would be right.")
            return -1
        if row.corner:
            self.sideways[row.index].append(Sideways(space.lane, space.number, lane, number))
        return to

    # Place along the lap

    def _lay_out(self) -> dict[int, int]:
        """The half space of every front end, counted from where section 0 begins; sets stretches and the
        lap."""
        self.stretch = {}
        self.length = 0
        cells: dict[int, int] = {}
        first = self.rows[0]
        if first.stagger is not None:
            first.entry = list(first.stagger)
        else:
            last = self.rows[-1]
            ends = [
                s + 2 * len(marks) for s, marks in zip(last.stagger or first.stagger or [], last.lanes, strict=True)
            ]
            first.entry = [end - min(ends) for end in ends]
        for row in self.rows:
            following = self.rows[(row.index + 1) % len(self.rows)]
            begins = following.stagger if following.index else first.entry
            if row.corner:
                # After a corner the next section always says its stagger; only section 0 may have got it above.
                fit = fit_corner([len(marks) for marks in row.lanes], row.entry, begins or [], self.sideways[row.index])
                if fit.misfit > LOOSE_FIT:
                    self.complain(
                        row.where,
                        "the sideways marks do not fit together, so no lengths of spaces agree with them;"
                        " compare them with the board.",
                    )
                lengths: Sequence[Sequence[float]] = fit.lengths
                ends = [fit.end + b for b in begins or []]
            else:
                lengths = [[2.0] * len(marks) for marks in row.lanes]
                ends = [entry + 2 * len(marks) for entry, marks in zip(row.entry, row.lanes, strict=True)]
            for lane, along in enumerate(lengths):
                rear = float(row.entry[lane])
                for number, (length, cell) in enumerate(
                    zip(along, half_spaces(row.entry[lane], along), strict=True), 1
                ):
                    space = self._id(row.index, lane, number)
                    self.stretch[space] = (rear, rear + length)
                    cells[space] = cell
                    rear += length
            self._close(row, following, ends, begins)
        return cells

    def _close(self, row: _Row, following: _Row, ends: list[int], begins: list[int] | None) -> None:
        """The lanes of a section end where those of the next begin."""
        if begins is None:
            following.entry = ends
            return
        starts = [end - begin for end, begin in zip(ends, begins, strict=True)]
        for lane, start in enumerate(starts):
            if start != starts[0]:
                much, way = abs(start - starts[0]), "beyond" if start > starts[0] else "short of"
                self.complain(
                    f"{row.where}, lane {self.lanes[lane]}, space {len(row.lanes[lane])}",
                    f"beside lane {self.lanes[0]} the lane ends {much} half spaces {way} where {following.where}"
                    " begins; its spaces or a stagger have to be counted again.",
                )
        if following.index:
            following.entry = [starts[0] + begin for begin in begins]
        else:
            self.length = starts[0]

    def _line(self, cells: dict[int, int]) -> list[int]:
        """The first space past the line in each lane; sets every place."""
        line = self._refs("line", "line")
        lanes = [self.spaces[s].lane for s in line]
        if not self.complaints and lanes != list(range(len(self.lanes))):
            self.complain("line", f"line has to name one space in each lane, in the order {', '.join(self.lanes)}.")
        if self.complaints:
            return []
        origin = min(
            (cells[s] for s in line),
            key=lambda cell: (cell - cells[line[0]] + self.length // 2) % self.length,
        )
        self.place = [(cells[s] - origin) % self.length for s in range(len(self.spaces))]
        for space in line:
            at = self.spaces[space]
            before = self._before(at)
            if 2 * self.place[before] < self.length:
                self.complain(
                    "line",
                    f"{at.name} is not the first space past the line, as {self.spaces[before].name} before it is"
                    " already level with the others; name one space beside another in each lane.",
                )
        return line

    def _before(self, space: Space) -> int:
        if space.number > 1:
            return space.id - 1
        section = (space.section - 1) % len(self.rows)
        return self._id(section, space.lane, len(self.rows[section].lanes[space.lane]))

    def _exceptions_of_order(self) -> None:
        for name, gain in (("order", 1), ("level", 0)):
            for a, b in self._pairs(name):
                if gain and (self.place[a] - self.place[b] - 1) % self.length < self.length // 2:
                    self.complain(
                        name,
                        f"{self.spaces[a].name} lies ahead of {self.spaces[b].name} anyway; leave this out.",
                    )
                place = (self.place[b] + gain) % self.length
                after, before = self._id_after(a), self._before(self.spaces[a])
                if (
                    not 0 < (self.place[after] - place) % self.length < self.length // 2
                    or not 0 < (place - self.place[before]) % self.length < self.length // 2
                ):
                    self.complain(
                        name,
                        f"{self.spaces[a].name} cannot be there, as it would be level with the space before or"
                        " after it in its lane.",
                    )
                self.place[a] = place

    def _id_after(self, space: int) -> int:
        at = self.spaces[space]
        return self._id(at.section, at.lane, at.number + 1)

    def _beside(self) -> list[set[int]]:
        usable = [
            [s.id for s in self.spaces if s.lane == lane and not self._mark(s.id).blocked]
            for lane in range(len(self.lanes))
        ]
        pairs = side_by_side(usable, self.stretch, self.length)
        for name, wanted in (("beside", True), ("apart", False)):
            for a, b in self._pairs(name):
                if abs(self.spaces[a].lane - self.spaces[b].lane) != 1:
                    self.complain(
                        name,
                        f"{self.spaces[a].name} and {self.spaces[b].name} are not in neighbouring lanes.",
                    )
                    continue
                pair = (a, b) if self.spaces[a].lane < self.spaces[b].lane else (b, a)
                if (pair in pairs) == wanted:
                    self.complain(
                        name,
                        f"{self.spaces[a].name} and {self.spaces[b].name} are {name} anyway; leave this out.",
                    )
                elif wanted:
                    pairs.add(pair)
                else:
                    pairs.discard(pair)
        beside: list[set[int]] = [set() for _ in self.spaces]
        for a, b in pairs:
            beside[a].add(b)
            beside[b].add(a)
        return beside

    # What stands on the board

    def _ref(self, value: object, where: str) -> int | None:
        """The id of a space of the track that the file names."""
        if not isinstance(value, str):
            self.complain(where, f"{value!r} is no space; a space is written section:lane:number, like 0:left:1.")
            return None
        found = self.ids.get(value)
        if found is not None:
            return found
        parts = value.split(":")
        if len(parts) == 3 and parts[0].isdecimal() and int(parts[0]) < len(self.rows) and parts[1] in self.lanes:
            row, lane = self.rows[int(parts[0])], self.lanes.index(parts[1])
            self.complain(
                where,
                f"there is no space {value}; lane {parts[1]} of {row.where} has spaces 1 to {len(row.lanes[lane])}.",
            )
        else:
            self.complain(
                where,
                f"there is no space {value}; a space is section:lane:number, with sections 0 to"
                f" {len(self.rows) - 1} and lanes {', '.join(self.lanes)}.",
            )
        return None

    def _refs(self, name: str, each: str) -> list[int]:
        value = self.table.get(name)
        if not isinstance(value, list) or not value:
            self.complain("", f'{name} is missing; it has to be a list of spaces, such as {name} = ["0:left:1"].')
            return []
        found = [self._ref(v, f"{each} {i}") for i, v in enumerate(value, 1)]
        return [s for s in found if s is not None]

    def _pairs(self, name: str) -> list[tuple[int, int]]:
        value = self.table.get(name, [])
        pairs: list[tuple[int, int]] = []
        if not isinstance(value, list):
            self.complain("", f'{name} has to be a list of pairs of spaces, such as [["0:left:1", "0:right:1"]].')
            return pairs
        for i, pair in enumerate(value, 1):
            if not isinstance(pair, list) or len(pair) != 2:
                self.complain(f"{name} {i}", 'a pair of spaces is written ["0:left:1", "0:right:1"].')
                continue
            a, b = (self._ref(v, f"{name} {i}") for v in pair)
            if a is not None and b is not None:
                pairs.append((a, b))
        return pairs

    def _grid(self) -> tuple[int, ...]:
        grid = self._refs("grid", "grid slot")
        for i, space in enumerate(grid):
            where, name = f"grid slot {i + 1}", self.spaces[space].name
            if space in grid[:i]:
                self.complain(
                    where,
                    f"{name} is grid slot {grid.index(space) + 1} already; each slot has its own space.",
                )
            elif self._mark(space).blocked:
                self.complain(where, f"{name} is blocked; a slot is a space that a car can stand on.")
        return tuple(grid)

    def _wall(self) -> int:
        wall = self.table.get("wall")
        if wall is None:
            return -1
        if wall not in (self.lanes[0], self.lanes[-1]):
            self.complain("", f'wall has to say which lane runs along it, "{self.lanes[0]}" or "{self.lanes[-1]}".')
            return -1
        return self.lanes.index(str(wall))

    def _zones(self) -> tuple[Zone, ...]:
        zones: list[Zone] = []
        for i, table in enumerate(self.tables("drs"), 1):
            where = f"DRS zone {i}"
            self.only(table, {"name", "sections"}, where)
            name = self.text(table, "name", where)
            sections = table.get("sections")
            if not isinstance(sections, list) or not sections or not all(_is_whole(v) for v in sections):
                self.complain(where, "sections has to list the sections that are the zone, such as [4].")
                continue
            for index in sections:
                if not 0 <= index < len(self.rows):
                    self.complain(where, f"there is no section {index}; they run from 0 to {len(self.rows) - 1}.")
            inside = frozenset(s.id for s in self.spaces if s.section in sections)
            for other in zones:
                if other.spaces & inside:
                    self.complain(where, f"it shares spaces with {other.name}; a section is in one zone at most.")
            zones.append(Zone(name, inside))
        return tuple(zones)

    def _pit(self) -> Pit | None:
        """The pit lane, its spaces and boxes appended to the others; the limit is filled in later."""
        table = self.table.get("pit")
        if table is None:
            return None
        if not isinstance(table, dict):
            self.complain("", "pit has to be written as [pit] with entries, spaces, boxes and exits.")
            return None
        self.only(table, _PIT_KEYS, "pit lane")
        count = self.whole(table, "spaces", "pit lane", 1, 99)
        line = self.whole(table, "line", "pit lane", 1, count) if "line" in table else 0
        entries = [(track, lane) for lane, track in self._doors(table, "entries", count, 1)]
        exits = self._doors(table, "exits", count, 0)
        fronts: list[int] = []
        boxes = table.get("boxes")
        if not isinstance(boxes, list) or not boxes:
            self.complain("pit lane", "boxes has to list the lane space in front of each box, such as [4, 5, 6].")
            boxes = []
        for i, front in enumerate(boxes, 1):
            if not _is_whole(front) or not 1 <= front <= count:
                self.complain(f"box {i}", f"it stands at lane space {front!r}; the pit lane has spaces 1 to {count}.")
            elif front in fronts:
                self.complain(f"box {i}", f"box {fronts.index(front) + 1} stands at lane space {front} already.")
            else:
                fronts.append(front)
        if entries and min(lane for _, lane in entries) != 1:
            self.complain("pit lane, space 1", "no entry leads to the first space of the lane.")
        if exits and max(lane for lane, _ in exits) != count:
            self.complain(f"pit lane, space {count}", "no exit leads from the last space of the lane.")
        if self.complaints:
            return None
        start = len(self.spaces)
        places = self._pit_places(count, line, entries, exits)
        for number in range(1, count + 1):
            self.spaces.append(Space(len(self.spaces), f"pit:{number}", -1, -1, number))
            following = start + number if number < count else -1
            self.ahead.append(following)
            out = [track for lane, track in exits if lane == number]
            self.moves.append(([following] if following >= 0 else []) + out)
        for number, front in enumerate(fronts, 1):
            self.spaces.append(Space(len(self.spaces), f"box:{number}", -1, -1, number))
            self.ahead.append(-1)
            self.moves.append([start + front - 1])
        self.place += places + [places[front - 1] for front in fronts]
        self.ids.update((space.name, space.id) for space in self.spaces[start:])
        return Pit(
            tuple(range(start, start + count)),
            tuple(range(start + count, start + count + len(fronts))),
            tuple(start + front - 1 for front in fronts),
            tuple((track, start + lane - 1) for track, lane in entries),
            tuple((start + lane - 1, track) for lane, track in exits),
            0,
        )

    def _doors(self, table: Mapping[str, object], name: str, count: int, lane_at: int) -> list[tuple[int, int]]:
        """Entries or exits as (number of the lane space, space of the track); `lane_at` is where in the
        written pair the lane space stands."""
        written = '["0:right:1", 1]' if lane_at else '[18, "0:right:1"]'
        value = table.get(name)
        if not isinstance(value, list) or not value:
            self.complain("pit lane", f"{name} is missing; it has to be a list such as [{written}].")
            return []
        doors: list[tuple[int, int]] = []
        for i, pair in enumerate(value, 1):
            where = f"pit lane, {'entry' if lane_at else 'exit'} {i}"
            if not isinstance(pair, list) or len(pair) != 2 or not _is_whole(pair[lane_at]):
                self.complain(where, f"it has to be written {written}.")
                continue
            lane, track = pair[lane_at], self._ref(pair[1 - lane_at], where)
            if not 1 <= lane <= count:
                self.complain(where, f"there is no lane space {lane}; the pit lane has spaces 1 to {count}.")
            elif track is not None and (lane, track) in doors:
                self.complain(where, "it is there twice.")
            elif track is not None:
                doors.append((lane, track))
        return doors

    def _pit_places(
        self, count: int, line: int, entries: list[tuple[int, int]], exits: list[tuple[int, int]]
    ) -> list[int]:
        """Places of the lane spaces: half a space past the entry, half a space before the exit, evenly
        between; the lane spaces before the line and those past it stay on their side of it."""
        first = [track for track, lane in entries if lane == 1]
        last = [track for lane, track in exits if lane == count]
        base = (self.place[first[0]] - self.length // 4) % self.length
        start = max((self.place[s] - base) % self.length for s in first) + 1
        end = min((self.place[s] - base) % self.length for s in last) - 1
        if end - start < count - 1:
            self.complain(
                "pit lane",
                f"{count} spaces do not fit between its entry and its exit; entries have to lie before exits in"
                " driving order, with as much road beside the lane.",
            )
            return [0] * count
        crossing = -base % self.length
        places: list[int] = []
        for number in range(1, count + 1):
            along = start + (end - start) * (number - 1) // max(count - 1, 1)
            if line:
                along = (
                    min(along, crossing - 1 - (line - 1 - number))
                    if number < line
                    else max(along, crossing + number - line)
                )
            places.append(along)
        if any(b <= a for a, b in pairwise(places)) or places[-1] > end or places[0] < start:
            self.complain(
                f"pit lane, space {line}",
                "it cannot be the first past the line, as the line is elsewhere beside the lane.",
            )
        return [(base + along) % self.length for along in places]

    def _backwards(self) -> list[list[int]]:
        back: list[list[int]] = [[] for _ in self.spaces]
        for space, moves in enumerate(self.moves):
            for to in moves:
                back[to].append(space)
        return back

    def _past_limit(self, pit: Pit, back: list[list[int]], on_track: int) -> tuple[frozenset[int], int]:
        """The spaces from which no printed move leads into the lane any more, as far as its exit, and the
        smallest place among them. In each lane that is what lies past the last space that still leads
        there."""
        doors = [track for track, _ in pit.entries]
        base = (self.place[doors[0]] - self.length // 4) % self.length
        along = [(self.place[s] - base) % self.length for s in range(on_track)]
        leading = set(doors)
        waiting = list(doors)
        while waiting:
            for before in back[waiting.pop()]:
                if before < on_track and before not in leading and along[before] <= max(along[s] for s in doors):
                    leading.add(before)
                    waiting.append(before)
        end = max(along[track] for _, track in pit.exits)
        past: set[int] = set()
        for lane in range(len(self.lanes)):
            mine = [s for s in range(on_track) if self.spaces[s].lane == lane and not self._mark(s).blocked]
            last = max((along[s] for s in mine if s in leading), default=min(along[s] for s in doors))
            past.update(s for s in mine if last < along[s] <= end)
        if not past:
            return frozenset(), 0
        return frozenset(past), self.place[min(past, key=lambda s: (along[s], s))]

    def _order(self, pit: Pit | None) -> tuple[int, ...]:
        """Rank every space so that no move but those over the line goes back."""
        steps: list[set[int]] = [set(moves) for moves in self.moves]
        for track, lane in pit.entries if pit else ():
            steps[track].add(lane)
        half = self.length
        before = [0] * len(self.spaces)
        for space, to_all in enumerate(steps):
            to_all -= {to for to in to_all if 2 * self.place[space] >= half > 2 * self.place[to]}
            for to in to_all:
                before[to] += 1
        ready = [(self.place[s], s) for s in range(len(self.spaces)) if not before[s]]
        heapq.heapify(ready)
        rank = [-1] * len(self.spaces)
        done = 0
        while ready:
            _, space = heapq.heappop(ready)
            rank[space] = done
            done += 1
            for to in steps[space]:
                before[to] -= 1
                if not before[to]:
                    heapq.heappush(ready, (self.place[to], to))
        if done < len(self.spaces):
            stuck = next(s for s in self.spaces if rank[s.id] < 0)
            self.complain(
                f"{self.rows[stuck.section].where}, lane {self.lanes[stuck.lane]}, space {stuck.number}"
                if stuck.section >= 0
                else f"pit lane, space {stuck.number}",
                "the marks from here or just before lead round in a circle; one of them has to lead further on.",
            )
        return tuple(rank)

    # What the sections say of their spaces

    def _sections(self) -> tuple[Section, ...]:
        made: list[Section] = []
        heading = 0
        for row in self.rows:
            heading = row.direction if row.direction is not None else heading
            lanes = tuple(
                tuple(self._id(row.index, lane, n) for n in range(1, len(marks) + 1))
                for lane, marks in enumerate(row.lanes)
            )
            stagger = tuple(entry - min(row.entry) for entry in row.entry)
            made.append(Section(row.index, row.corner, lanes, stagger, heading, row.bend))
            heading = (heading + row.bend) % 360
        return tuple(made)

    def _corner_of(self) -> list[int]:
        corners = [row.corner.number - 1 if row.corner else -1 for row in self.rows]
        return [corners[s.section] for s in self.spaces if s.section >= 0]

    def _straight_of(self) -> list[int]:
        numbers: list[int] = []
        count = 0
        for row in self.rows:
            if row.corner:
                numbers.append(-1)
            elif row.index and numbers[-1] >= 0:
                numbers.append(numbers[-1])
            else:
                numbers.append(count)
                count += 1
        if numbers[0] >= 0 and numbers[-1] > 0:
            joined = numbers[-1]
            numbers = [0 if n == joined else n for n in numbers]
        return [numbers[s.section] for s in self.spaces if s.section >= 0]


def _is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def _target(written: str | None) -> int:
    if written is None:
        return _ZIP
    return _NEXT if written == "next" else int(written)
