"""The board as the rules see it.

A track is known to the space (every space, every printed move, who is beside whom) or to the corner (a corner
sheet: corners with their stops and their printed paths, nothing else). Spaces are whole numbers from 0,
counted section by section, lane by lane, then the pit lane, then the boxes; what belongs to a space is a
tuple indexed by that number, so that a search over the board touches nothing but tuples.

Distances are whole half spaces. `companion.rules.circuit.file` makes a track from the text of a circuit file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final, Literal

from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.faces import Face

Sky = Literal["rain", "changeable", "sun"]
Known = Literal["space", "corner"]

LANE_NAMES: Mapping[int, tuple[str, ...]] = {
    2: ("left", "right"),
    3: ("left", "middle", "right"),
    4: ("left", "inner-left", "inner-right", "right"),
}
"""Names of the lanes from the driver's left, by the number of lanes."""


@dataclass(frozen=True, slots=True)
class WeatherChart:
    """The weather chart: for each sky the lowest and the highest face of the black die that bring it."""

    rain: tuple[int, int]
    changeable: tuple[int, int]
    sun: tuple[int, int]

    def sky(self, face: Face) -> Sky:
        """Return the sky of a face of the black die (1 to 20), or of a band whose faces all bring the same."""
        if self.rain[0] <= face <= self.rain[1]:
            return "rain"
        if self.changeable[0] <= face <= self.changeable[1]:
            return "changeable"
        return "sun"


@dataclass(frozen=True, slots=True)
class Corner:
    """A corner: its number on the board from 1, the stops it asks for and its printed paths in spaces."""

    number: int
    name: str
    stops: int
    shortest: int
    longest: int
    inside: int
    """Index of the lane on the inside of the bend, -1 where nobody says (a corner sheet)."""
    section: int
    """Index of its section, -1 on a corner sheet."""


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of road, straight or corner, with the ids of its spaces lane by lane."""

    index: int
    corner: Corner | None
    lanes: tuple[tuple[int, ...], ...]
    stagger: tuple[int, ...]
    """Start of each lane, in half spaces ahead of the lane that begins furthest back."""
    direction: int
    """Heading where the section begins, in degrees clockwise from the top of the board, 0 to 359."""
    bend: int
    """Angle that the road turns over the section, in degrees, clockwise positive."""


@dataclass(frozen=True, slots=True)
class Space:
    """One space. In the pits the section and the lane are -1."""

    id: int
    name: str
    section: int
    lane: int
    number: int


@dataclass(frozen=True, slots=True)
class Pit:
    """The pit lane, in driving order."""

    spaces: tuple[int, ...]
    boxes: tuple[int, ...]
    fronts: tuple[int, ...]
    """Lane space in front of each box."""
    entries: tuple[tuple[int, int], ...]
    """Pairs of a space of the track and the space of the lane it leads to."""
    exits: tuple[tuple[int, int], ...]
    """Pairs of a space of the lane and the space of the track it leads to."""
    limit: int
    """Smallest place of a space of the track past the limit; `Track.past_limit` has those spaces."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A DRS zone."""

    name: str
    spaces: frozenset[int]
    proposed: bool = False
    """True if this program proposes it and nobody has seen it on the board."""


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Track:
    """A circuit. On a corner sheet everything that is counted by spaces is empty, 0 or None.

    >>> from companion import circuits
    >>> monaco = circuits.load("monaco")
    >>> monaco.corners[0].stops, monaco.box_count
    (1, 10)
    >>> [monaco.spaces[there].name for there in monaco.moves[monaco.ids["1:left:1"]]]
    ['1:left:2', '1:middle:1']
    """

    key: str
    name: str
    country: str
    known: Known
    laps: Mapping[str, int]
    """Laps of a race, by rulebook."""
    weather: WeatherChart
    source: str
    trust: str
    shortest_lap: int
    """Minimum number of spaces of a lap; 0 if unknown."""
    box_count: int
    """Number of boxes; 0 without pits."""

    lanes: tuple[str, ...]
    sections: tuple[Section, ...]
    corners: tuple[Corner, ...]
    spaces: tuple[Space, ...]
    ids: Mapping[str, int]
    """The id of a space by its name: `5:left:3`, `pit:4`, `box:4`."""
    blocked: frozenset[int]
    """Spaces that are counted and never entered."""

    ahead: tuple[int, ...]
    """The space straight on in the same lane, across section borders; -1 where there is none. In the pit lane
    the next lane space, -1 on the last and in the boxes."""
    moves: tuple[tuple[int, ...], ...]
    """Every printed move from a space: ahead-left, ahead, ahead-right as they exist, without the pit entry.
    From a pit space the next lane space and the exits, from a box the lane space in front of it."""
    back: tuple[tuple[int, ...], ...]
    """The moves the other way round: the spaces from which a move leads here, by id."""
    behind: tuple[int, ...]
    """The space straight behind in the same lane, -1 if there is none."""
    beside: tuple[tuple[int, ...], ...]
    """The spaces side by side with a space, by id; none in the pits."""
    place: tuple[int, ...]
    """The half space, counted from 0 at the line, in which the front end of a space lies: 0 <= place <
    length. Equal places are level. The pit lane has the places of the track beside it, a box that of the
    space in front of it."""
    stretch: tuple[tuple[float, float], ...]
    """Rear and front end of each space of the track, in half spaces from the start of section 0; none for the pits."""
    length: int
    """A lap in half spaces, the same for every lane."""
    corner: tuple[int, ...]
    """Index into `corners`, -1 on straights and in the pits."""
    straight: tuple[int, ...]
    """Index of the straight; sections that follow one another without a corner between them are one straight,
    across the line too; -1 in corners and in the pits."""
    order: tuple[int, ...]
    """Rank of a space in an order of the lap that no move goes back in except over the line."""

    line: frozenset[int]
    """The first space past the finish line in each lane."""
    past_limit: frozenset[int]
    """The spaces of the track from the pit limit on as far as the pit exit."""
    grid: tuple[int, ...]
    """The grid slots from pole."""
    pit: Pit | None
    zones: tuple[Zone, ...]
    wall: int
    """Index of the lane beside an outside wall, -1 without one. On a corner sheet with a wall 0."""

    def name_of(self, space: int) -> str:
        """Return the name of a space; raises CompanionError if the circuit has no such id."""
        if 0 <= space < len(self.spaces):
            return self.spaces[space].name
        raise CompanionError(
            "no_space", track=self.name, at=f"number {space}", form=f"it has {len(self.spaces)}, from 0"
        )

    def id_of(self, name: str) -> int:
        """Return the id of a space by its name; raises CompanionError if the circuit has no such space."""
        space = self.ids.get(name)
        if space is None:
            example = self.spaces[0].name if self.spaces else "none: this circuit is known to the corner only"
            raise CompanionError(
                "no_space", track=self.name, at=name, form=f"a space is named section:lane:number, like {example}"
            )
        return space

    def has_place(self, name: object) -> bool:
        """Return True if a car can stand on a place of that name: a space, or on a corner sheet a stretch."""
        if not isinstance(name, str):
            return False
        if self.known == "space":
            return name in self.ids
        where, _, number = name.partition(":")
        first, last = {
            "corner": (1, len(self.corners)),
            "after": (0, len(self.corners)),
            "pit": (1, self.box_count),
            "box": (1, self.box_count),
        }.get(where, (1, 0))
        return number in _number_names(first, last)

    @property
    def place_form(self) -> str:
        """The way a place is written, as the end of a sentence."""
        if self.known == "corner":
            said, written = "corner 3, after corner 3 or past the line", '"corner:3", "after:3" or "after:0"'
            return f"on a corner sheet a place is {said}, in a file {written}"
        return "a space is written like 5:left:3 or pit:4"

    def past_line(self, space: int) -> bool:
        """Return True if a space lies in the first half of the lap.

        A single move is far shorter than half a lap, so a move from a space that does not to one that does has crossed
        the line.
        """
        return 2 * self.place[space] < self.length

    def __repr__(self) -> str:
        return f"<Track {self.key}, known to the {self.known}>"


@cache
def _number_names(first: int, last: int) -> frozenset[str]:
    """Return the whole numbers from one to another as they are written in the names of places."""
    return frozenset(str(number) for number in range(first, last + 1))


NEVER: Final = 1000
"""Distance to a space that cannot be reached."""
Steps = Literal["forwards", "backwards", "any"]
"""Way to count spaces: by printed moves, by these moves reversed, or from neighbour to neighbour."""


@lru_cache(maxsize=2000)
def distances(track: Track, *spaces: int, by: Steps = "forwards") -> Mapping[int, int]:
    """Count the fewest steps from the nearest of some spaces to every other, whatever cars stand there.

    Spaces that cannot be reached are left out.
    """
    leads = leading(track, by)
    way, layer = dict.fromkeys(spaces, 0), [*spaces]
    for steps in range(1, NEVER):
        onward = []
        for x in layer:
            for y in leads[x]:
                if y not in way:
                    way[y] = steps
                    onward.append(y)
        if not onward:
            break
        layer = onward
    return way


@lru_cache(maxsize=200)
def leading(track: Track, by: Steps) -> Sequence[Sequence[int]]:
    """Return the spaces to which one step leads from each space."""
    if by == "forwards":
        return track.moves
    if by == "any":
        return [neighbours(track, x) for x in range(len(track.moves))]
    sources: list[list[int]] = [[] for _ in track.moves]
    for x, leads in enumerate(track.moves):
        for y in leads:
            sources[y].append(x)
    return sources


def neighbours(track: Track, space: int) -> list[int]:
    """Return the spaces around one: ahead and behind in its lane, and beside it."""
    near = [track.ahead[space], *track.beside[space], track.behind[space]]
    return [x for x in near if x >= 0]


@lru_cache(maxsize=200)
def without_wall(track: Track) -> Track:
    """Return the same circuit, its outside lane a lane like the others."""
    return track if track.wall < 0 else replace(track, wall=-1)
