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
    stops   = 1                                                              # that a car must make there
    shortest = 3                                                             # the shortest way through it, as printed
    longest = 7                                                              # and the longest
    inside  = "right"
    left    = "> > > ^ > > >"
    middle  = "> > ^ > >"
    right   = "^ ^ ^"
    bend    = 80

    [[drs]]
    name     = "Tunnel"
    sections = [10]
    proposed = true                                                          # not printed on the board

Lanes are left, right | left, middle, right | left, inner-left, inner-right, right. Marks: `^` ahead only; `<`, `>`
ahead or to that side; `*` ahead or to either side; a number after a mark is where it leads (`>5`, `<next`), a space
with a target on both sides is written `<2>5`; a number before a mark repeats it; a bare number is that many spaces
with every sideways move that has a lane; `x` is a blocked space. A corner that follows a corner has a `stagger` too.
A corner whose printed marks no lengths of spaces can meet says `loose = true`: the nearest lengths stand, and `beside`,
`apart`, `order` and `level` put right what they get wrong.
`beside`, `apart`, `order`, `level`, `wall`, `pit`, `drs`, `direction` and `bend` may be left out: a direction is then
where the section before it ends, a bend 0. A rulebook that `laps` leaves out is driven over its usual number of laps. A
file whose laps name the cup has two DRS zones; on a circuit with fewer, the table names them before a race of the cup.

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

from __future__ import annotations

import tomllib
from types import MappingProxyType
from typing import NamedTuple

from companion.rules.circuit.spaces import BoardFile
from companion.rules.circuit.table import COMMON_KEYS, TEXTS, CircuitTable, first_of
from companion.rules.circuit.track import Corner, Track
from companion.rules.conversation.errors import BadTrack

_KEYS = {*COMMON_KEYS, "lap", "boxes", "corner"}


class CornerSheet(CircuitTable):
    """A circuit known to the corner."""

    def track(self) -> Track | None:
        self.only(self.table, _KEYS, "")
        texts = [self.text(self.table, name, "") for name in TEXTS]
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
            self.complain("", "circuit.sheet_no_corner")
        wall = self.table.get("wall", False)
        if not isinstance(wall, bool):
            self.complain("", "circuit.sheet_wall")
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
            stretch=(),
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


class Reading(NamedTuple):
    """A circuit file as read: the track, if one can be made of it, and every complaint."""

    track: Track | None
    complaints: list[BadTrack]


def load_track(text: str, file: str, key: str) -> Track:
    """Return the track in the text of a circuit file.

    `file` is how complaints name the file, `key` becomes the track's key. Raises BadTrack with the first complaint.
    """
    track, complaints = read(text, file, key)
    if track is None or complaints:
        raise first_of(complaints)
    return track


def read(text: str, file: str, key: str) -> Reading:
    """Return the track in the text of a circuit file as far as one can be made of it, with every complaint."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as why:
        return Reading(None, [BadTrack("circuit.not_toml", where=file, wrong=str(why).splitlines()[0])])
    reader = CornerSheet(file, key, table) if table.get("known") == "corner" else BoardFile(file, key, table)
    track = reader.track()
    return Reading(track, reader.complaints)
