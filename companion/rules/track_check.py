"""The checker of circuits: everything that is wrong with one, each complaint a sentence.

What stops a track from being made, `circuit_text` says itself; here is what a finished track has to prove.
"""

from collections.abc import Iterator

from companion.rules import circuit_text
from companion.rules.geometry import corner_paths
from companion.rules.track import Track
from companion.rules.zones import ZONES, sections, stretches


def check_text(text: str, file: str, key: str) -> list[str]:
    """Every complaint about the text of a circuit file; none if it is sound. `file` is how complaints name
    it."""
    track, complaints = circuit_text.read(text, file, key)
    return complaints if track is None else complaints + check(track, file)


def check(track: Track, file: str) -> list[str]:
    """Every complaint about a track; none if it is sound. `file` is how complaints name the file it came
    from."""
    if track.known == "corner":
        return []
    rules = (_dead_ends, _round, _sideways, _paths, _finish, _grid, _pit, _zones, _shape)
    return [f"{file}, {complaint}" for rule in rules for complaint in rule(track)]


def _where(track: Track, space: int) -> str:
    """A space of the board in words."""
    at = track.spaces[space]
    if at.section < 0:
        return f"pit lane, space {at.number}"
    corner = track.sections[at.section].corner
    name = f" ({corner.name})" if corner else ""
    return f"section {at.section}{name}, lane {track.lanes[at.lane]}, space {at.number}"


def _on_track(track: Track) -> list[int]:
    return [s.id for s in track.spaces if s.section >= 0 and s.id not in track.blocked]


def _dead_ends(track: Track) -> Iterator[str]:
    for space in _on_track(track):
        if not track.moves[space]:
            yield f"{_where(track, space)}: nothing leads on from here; a car could never leave."
        if not track.back[space]:
            yield f"{_where(track, space)}: no move leads here; a car could never reach it."


def _round(track: Track) -> Iterator[str]:
    """Every space has moves, so it is enough that one can be reached from a slot and a slot from it."""
    if not track.shortest_lap:
        yield "section 0: no way leads all round the lap; look for a place where every lane is blocked."
        return
    for steps in (track.moves, track.back):
        seen = set(track.line)
        waiting = list(seen)
        while waiting:
            for to in steps[waiting.pop()]:
                if to not in seen:
                    seen.add(to)
                    waiting.append(to)
        for space in _on_track(track):
            if space not in seen and track.moves[space] and track.back[space]:
                yield f"{_where(track, space)}: " + (
                    "it cannot be reached from the line."
                    if steps is track.moves
                    else "it does not lead back to the line."
                )


def _sideways(track: Track) -> Iterator[str]:
    """A sideways move leads to a space that is beside, and later moves between two lanes lead further on."""
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


def _paths(track: Track) -> Iterator[str]:
    for index, corner in enumerate(track.corners):
        found = corner_paths(track, index)
        for word, printed, path in zip(("shortest", "longest"), (corner.shortest, corner.longest), found, strict=True):
            if printed != path:
                yield (
                    f"section {corner.section} ({corner.name}): the {word} path is given as {printed},"
                    f" by the marks it is {path}; one of them has to be put right."
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


def _grid(track: Track) -> Iterator[str]:
    before = track.length
    for number, space in enumerate(track.grid, 1):
        if track.past_line(space):
            yield f"{_where(track, space)}: grid slot {number} lies past the line; slots lie before it."
        elif track.corner[space] >= 0:
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
    """The cup has two DRS zones on every circuit [cup drs.zones, ruling 44]."""
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
