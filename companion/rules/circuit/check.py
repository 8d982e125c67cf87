"""The checker of circuits: everything that is wrong with one, each complaint a sentence, in two levels.

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

TURNS: Final = 20
"""Degrees from which a corner bends to one side; below, it may turn to both."""
LONG: Final = 5.0
"""Half spaces from which a space of a corner is too long for one, if no number of the board says that its mark skips
spaces."""


class Judged(NamedTuple):
    """The verdict on a circuit: reasons why it cannot be raced, and places to compare with the board."""

    barred: list[str]
    compare: list[str]


def judge_text(text: str, file: str, key: str) -> Judged:
    """Every complaint about the text of a circuit file. `file` is how complaints name it."""
    track, complaints = circuit_text.read(text, file, key)
    found = Judged([], []) if track is None else judge(track, file)
    return Judged(complaints + found.barred, found.compare)


def judge(track: Track, file: str) -> Judged:
    """Every complaint about a track. `file` is how complaints name the file it came from."""
    if track.known == "corner":
        return Judged([], [])

    def told(rules: Sequence[Callable[[Track], Iterator[str]]]) -> list[str]:
        return [f"{file}, {complaint}" for rule in rules for complaint in rule(track)]

    return Judged(
        told((_no_way_on, _no_way_round, _finish, _grid_past_line, _zones)),
        told((_never_reached, _sideways, _lengths, _paths, _insides, _grid, _pit, _shape)),
    )


def stuck(track: Track, file: str) -> list[str]:
    """Return the complaints about places where a car could never go on: no race begins on such a circuit."""
    if track.known == "corner":
        return []
    return [f"{file}, {complaint}" for rule in (_no_way_on, _no_way_round) for complaint in rule(track)]


def check_text(text: str, file: str, key: str) -> list[str]:
    """Every complaint about the text of a circuit file, of both levels; none if it is sound."""
    barred, compare = judge_text(text, file, key)
    return barred + compare


def check(track: Track, file: str) -> list[str]:
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


def _no_way_on(track: Track) -> Iterator[str]:
    for space in _on_track(track):
        if not track.moves[space]:
            yield f"{_where(track, space)}: nothing leads on from here; a car could never leave."


def _no_way_round(track: Track) -> Iterator[str]:
    """Every space has moves, so it is enough that the line can be reached from it."""
    if not track.shortest_lap:
        yield "section 0: no way leads all round the lap; look for a place where every lane is blocked."
        return
    for space in _not_joined(track, track.back):
        if track.moves[space] and track.back[space]:
            yield f"{_where(track, space)}: it does not lead back to the line."


def _never_reached(track: Track) -> Iterator[str]:
    for space in _not_joined(track, track.moves) if track.shortest_lap else ():
        if not track.back[space]:
            yield f"{_where(track, space)}: no move leads here; a car could never reach it."
        elif track.moves[space]:
            yield f"{_where(track, space)}: it cannot be reached from the line."


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


def _sideways(track: Track) -> Iterator[str]:
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
                        yield f"{_where(track, space)}: it leads sideways to {name}, which is not beside it."
                    if (
                        lane in last
                        and (track.place[to] - track.place[last[lane]] - 1) % track.length > track.length // 2
                    ):
                        yield (
                            f"{_where(track, space)}: it leads to {name}, no further on than"
                            f" {track.spaces[last[lane]].name}, where an earlier space of its lane leads."
                        )
                    last[lane] = to


def _lengths(track: Track) -> Iterator[str]:
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
                        f"{_where(track, space)}: by the marks it is as long as {round((front - rear) / 2)} spaces"
                        f" beside it; count lane {track.lanes[track.spaces[space].lane]} of the corner again, it may"
                        " have more spaces."
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


def _paths(track: Track) -> Iterator[str]:
    for index, corner in enumerate(track.corners):
        found = corner_paths(track, index)
        for word, printed, path in zip(("shortest", "longest"), (corner.shortest, corner.longest), found, strict=True):
            if printed != path:
                inside = corner.inside if word == "shortest" else len(track.lanes) - 1 - corner.inside
                yield f"section {corner.section} ({corner.name}): the {word} path is given as {printed}," + (
                    f" by the marks it is {path}; one of them has to be put right"
                    + (f", if lane {track.lanes[inside]} has all its spaces." if path < printed else ".")
                )


def _insides(track: Track) -> Iterator[str]:
    """Check that a corner bends to its inside."""
    for corner in track.corners:
        bend = track.sections[corner.section].bend
        turns = "left" if bend < 0 else "right"
        if abs(bend) >= TURNS and track.lanes[corner.inside] != turns:
            yield (
                f"section {corner.section} ({corner.name}): its inside is given as"
                f" {track.lanes[corner.inside]}, and a bend of {bend} degrees turns {turns}; one of them has to be put"
                " right."
            )


def _finish(track: Track) -> Iterator[str]:
    for space in sorted(track.line):
        if track.corner[space] >= 0:
            continue
        if track.spaces[space].section not in (0, len(track.sections) - 1):
            yield (
                f"{_where(track, space)}: the finish line is here, but section 0 is not the next that begins past it;"
                " the sections have to be written from the line on."
            )


def _grid_past_line(track: Track) -> Iterator[str]:
    """Check that no car starts past the line: it would drive a lap too many."""
    for number, space in enumerate(track.grid, 1):
        if track.past_line(space):
            yield f"{_where(track, space)}: grid slot {number} lies past the line; slots lie before it."


def _grid(track: Track) -> Iterator[str]:
    before = track.length
    for number, space in enumerate(track.grid, 1):
        if track.past_line(space):
            continue
        if track.corner[space] >= 0:
            yield f"{_where(track, space)}: grid slot {number} lies in a corner; slots lie on the straight."
        elif track.place[space] > before:
            yield f"{_where(track, space)}: grid slot {number} lies ahead of slot {number - 1}; pole comes first."
        before = track.place[space]


def _pit(track: Track) -> Iterator[str]:
    pit = track.pit
    if pit is None:
        return
    doors = [s for s, _ in pit.entries] + [s for _, s in pit.exits]
    sides = {track.spaces[s].lane for s in doors}
    if len(sides) > 1 or not sides <= {0, len(track.lanes) - 1}:
        yield "pit lane: its entries and exits have to lie in one lane, the leftmost or the rightmost."
    for space in doors:
        if space in track.blocked:
            yield f"{_where(track, space)}: the pit lane opens here, but the space is blocked."


def _zones(track: Track) -> Iterator[str]:
    """Check that the cup has its two DRS zones on every circuit [cup drs.zones, ruling 44]."""
    missing = ZONES - len(track.zones)
    if "cup" not in track.laps or not missing:
        return
    free = [one for one in stretches(track) if not any(one.spaces & zone.spaces for zone in track.zones)]
    listed = ", ".join(str(sections(track, zone)) for zone in free[: max(0, missing)])
    yield f"DRS zones: the cup has {ZONES} on every circuit, and this one has {len(track.zones)}; " + (
        f"add [[drs]], with sections = {listed} for instance, or take the cup out of laps."
        if missing > 0
        else "take the others out, or the cup out of laps."
    )


def _shape(track: Track) -> Iterator[str]:
    bends = [section.bend for section in track.sections]
    if any(bends) and abs(sum(bends)) not in (0, 360):
        yield (
            f"section {len(bends) - 1}: all bends together turn {sum(bends)} degrees; a lap turns 360 or -360,"
            " or 0 if it crosses itself."
        )
