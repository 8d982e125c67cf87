"""The checker of circuits: everything that is wrong with one, in two levels.

What stops a track from being made, `circuit_text` says itself; here is what a finished track has to prove. It cannot be
raced where a car would be stuck or laps be counted wrong; all else is to be compared with the printed board, which may
have it so.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from companion.rules.circuit import file as circuit_text
from companion.rules.circuit.geometry import corner_paths
from companion.rules.circuit.track import Track
from companion.rules.circuit.zones import ZONES, sections, stretches
from companion.rules.conversation.errors import BadTrack

TURNS: Final = 20
"""Bend of a corner, in degrees, from which it turns to one side; below, it may turn to both."""
LONG: Final = 5.0
"""Length in half spaces from which a space of a corner is too long for one, if no number of the board says that its
mark skips spaces."""


class CircuitVerdict(NamedTuple):
    """The verdict on a circuit: reasons why it cannot be raced, and places to compare with the board."""

    barred: list[BadTrack]
    compare: list[BadTrack]


def judge_text(text: str, file: str, key: str) -> CircuitVerdict:
    """Every complaint about the text of a circuit file. `file` is how complaints name it."""
    track, complaints = circuit_text.read(text, file, key)
    found = CircuitVerdict([], []) if track is None else judge(track, file)
    return CircuitVerdict(complaints + found.barred, found.compare)


def judge(track: Track, file: str) -> CircuitVerdict:
    """Every complaint about a track. `file` is how complaints name the file it came from."""
    if track.known == "corner":
        return CircuitVerdict([], [])

    def apply(rules: Sequence[Callable[[Track], Iterator[BadTrack]]]) -> list[BadTrack]:
        return [complaint.at(file) for rule in rules for complaint in rule(track)]

    return CircuitVerdict(
        apply((_no_way_on, _no_way_round, _finish, _grid_past_line, _zones)),
        apply((_never_reached, _sideways, _lengths, _paths, _insides, _grid, _pit, _shape)),
    )


def stuck(track: Track, file: str) -> list[BadTrack]:
    """Return the complaints about places where a car could never go on: no race begins on such a circuit."""
    if track.known == "corner":
        return []
    return [complaint.at(file) for rule in (_no_way_on, _no_way_round) for complaint in rule(track)]


def check_text(text: str, file: str, key: str) -> list[BadTrack]:
    """Every complaint about the text of a circuit file, of both levels; none if it is sound."""
    barred, compare = judge_text(text, file, key)
    return barred + compare


def check(track: Track, file: str) -> list[BadTrack]:
    """Every complaint about a track, of both levels; none if it is sound."""
    barred, compare = judge(track, file)
    return barred + compare


def _where(track: Track, space: int) -> str:
    """Return a space of the board in words."""
    at = track.spaces[space]
    if at.section < 0:
        return f"pit lane, space {at.number}"
    corner = track.sections[at.section].corner
    name = f" ({corner.name})" if corner else ""
    return f"section {at.section}{name}, lane {track.lanes[at.lane]}, space {at.number}"


def _on_track(track: Track) -> list[int]:
    return [s.id for s in track.spaces if s.section >= 0 and s.id not in track.blocked]


def _no_way_on(track: Track) -> Iterator[BadTrack]:
    for space in _on_track(track):
        if not track.moves[space]:
            yield BadTrack("circuit.no_way_on", where=_where(track, space))


def _no_way_round(track: Track) -> Iterator[BadTrack]:
    """Every space has moves, so it is enough that the line can be reached from it."""
    if not track.shortest_lap:
        yield BadTrack("circuit.no_way_round", where="section 0")
        return
    for space in _not_joined(track, track.back):
        if track.moves[space] and track.back[space]:
            yield BadTrack("circuit.not_to_line", where=_where(track, space))


def _never_reached(track: Track) -> Iterator[BadTrack]:
    for space in _not_joined(track, track.moves) if track.shortest_lap else ():
        if not track.back[space]:
            yield BadTrack("circuit.never_reached", where=_where(track, space))
        elif track.moves[space]:
            yield BadTrack("circuit.not_from_line", where=_where(track, space))


def _not_joined(track: Track, steps: Sequence[Sequence[int]]) -> list[int]:
    """Return the spaces to which no steps lead from the line."""
    seen = set(track.line)
    waiting = list(seen)
    while waiting:
        for to in steps[waiting.pop()]:
            if to not in seen:
                seen.add(to)
                waiting.append(to)
    return [space for space in _on_track(track) if space not in seen]


def _sideways(track: Track) -> Iterator[BadTrack]:
    """Check that a sideways move leads to a space that is beside, and later moves between two lanes lead further on."""
    for section in track.sections:
        for spaces in section.lanes:
            last: dict[int, int] = {}
            for space in spaces:
                for to in track.moves[space]:
                    if to == track.ahead[space]:
                        continue
                    name, lane = track.spaces[to].name, track.spaces[to].lane
                    if to not in track.beside[space]:
                        yield BadTrack("circuit.sideways", to=name, where=_where(track, space))
                    if (
                        lane in last
                        and (track.place[to] - track.place[last[lane]] - 1) % track.length > track.length // 2
                    ):
                        yield (
                            BadTrack(
                                "circuit.no_further",
                                to=name,
                                other=track.spaces[last[lane]].name,
                                where=_where(track, space),
                            )
                        )
                    last[lane] = to


def _lengths(track: Track) -> Iterator[BadTrack]:
    """Yield the places where a lane of a corner seems to have a space too few.

    The marks of the other lanes make the space before or after it as long as three.
    """
    for corner in track.corners:
        lanes = track.sections[corner.section].lanes
        skips = {space for lane in lanes for space in _skips(track, lane)}
        for lane in lanes:
            for space in lane:
                rear, front = track.stretch[space]
                near = {space, track.ahead[space], track.behind[space], *track.beside[space]}
                if front - rear >= LONG and not near & skips and not near & track.blocked:
                    yield (
                        BadTrack(
                            "circuit.long_space",
                            count=round((front - rear) / 2),
                            lane=track.lanes[track.spaces[space].lane],
                            where=_where(track, space),
                        )
                    )


def _skips(track: Track, lane: Sequence[int]) -> Iterator[int]:
    """Yield the spaces of a lane whose marks skip a space of the lane beside, and those that they lead to.

    A number on the board may say so; usually each mark leads to the next space of the lane beside.
    """
    last: dict[int, int] = {}
    for space in lane:
        for to in track.moves[space]:
            at, here = track.spaces[to], track.spaces[space].section
            if to == track.ahead[space]:
                continue
            number = at.number if at.section == here else len(track.sections[here].lanes[at.lane]) + 1
            if number != last.get(at.lane, 0) + 1:
                yield from (space, to)
            last[at.lane] = number


def _paths(track: Track) -> Iterator[BadTrack]:
    for index, corner in enumerate(track.corners):
        found = corner_paths(track, index)
        for word, printed, path in zip(("shortest", "longest"), (corner.shortest, corner.longest), found, strict=True):
            if printed != path:
                inside = corner.inside if word == "shortest" else len(track.lanes) - 1 - corner.inside
                yield BadTrack(
                    "circuit.path",
                    where=f"section {corner.section} ({corner.name})",
                    which=word,
                    printed=printed,
                    path=path,
                    lane=track.lanes[inside] if path < printed else "",
                )


def _insides(track: Track) -> Iterator[BadTrack]:
    """Check that a corner bends to its inside."""
    for corner in track.corners:
        bend = track.sections[corner.section].bend
        turns = "left" if bend < 0 else "right"
        if abs(bend) >= TURNS and track.lanes[corner.inside] != turns:
            yield (
                BadTrack(
                    "circuit.inside",
                    inside=track.lanes[corner.inside],
                    bend=bend,
                    side=turns,
                    where=f"section {corner.section} ({corner.name})",
                )
            )


def _finish(track: Track) -> Iterator[BadTrack]:
    for space in sorted(track.line):
        if track.corner[space] >= 0:
            continue
        if track.spaces[space].section not in (0, len(track.sections) - 1):
            yield BadTrack("circuit.finish", where=_where(track, space))


def _grid_past_line(track: Track) -> Iterator[BadTrack]:
    """Check that no car starts past the line: it would drive a lap too many."""
    for number, space in enumerate(track.grid, 1):
        if track.past_line(space):
            yield BadTrack("circuit.slot_past_line", slot=number, where=_where(track, space))


def _grid(track: Track) -> Iterator[BadTrack]:
    before = track.length
    for number, space in enumerate(track.grid, 1):
        if track.past_line(space):
            continue
        if track.corner[space] >= 0:
            yield BadTrack("circuit.slot_in_corner", slot=number, where=_where(track, space))
        elif track.place[space] > before:
            yield BadTrack("circuit.slot_ahead", slot=number, before=number - 1, where=_where(track, space))
        before = track.place[space]


def _pit(track: Track) -> Iterator[BadTrack]:
    pit = track.pit
    if pit is None:
        return
    doors = [s for s, _ in pit.entries] + [s for _, s in pit.exits]
    sides = {track.spaces[s].lane for s in doors}
    if len(sides) > 1 or not sides <= {0, len(track.lanes) - 1}:
        yield BadTrack("circuit.pit_lanes", where="pit lane")
    for space in doors:
        if space in track.blocked:
            yield BadTrack("circuit.pit_blocked", where=_where(track, space))


def _zones(track: Track) -> Iterator[BadTrack]:
    """Check that the cup has its two DRS zones on every circuit [cup drs.zones, ruling 44]."""
    missing = ZONES - len(track.zones)
    if "cup" not in track.laps or not missing:
        return
    free = [one for one in stretches(track) if not any(one.spaces & zone.spaces for zone in track.zones)]
    listed = ", ".join(str(sections(track, zone)) for zone in free[: max(0, missing)])
    yield BadTrack("circuit.zones", where="DRS zones", most=ZONES, count=len(track.zones), listed=listed)


def _shape(track: Track) -> Iterator[BadTrack]:
    bends = [section.bend for section in track.sections]
    if any(bends) and abs(sum(bends)) not in (0, 360):
        yield BadTrack("circuit.turns", sum=sum(bends), where=f"section {len(bends) - 1}")
