"""Scenes to look at: a car before a corner, what its die can reach, and where it may land."""

from __future__ import annotations

from companion import circuits
from companion.rules.circuit.track import Track
from companion.view.shown import Plate, Price
from companion.view.shown_board import BoardScene, CarMark, CornerNote, SpaceMark

PLATES = tuple(
    Plate(number=number, place=place) for place, number in enumerate((7, 14, 31, 40, 22, 18, 27, 3, 5, 9, 11, 12))
)
FREE, DEAR, SPIN = (
    Price(text="stop 2/2", icon="check", tone="ok"),
    Price(text="−2", icon="tyres", tone="warn"),
    Price(text="spin", icon="triangle", tone="bad"),
)


def reach(track: Track, start: int, least: int, most: int) -> dict[int, int]:
    """The spaces of the track that lie `least` to `most` moves ahead, each with the fewest of them."""
    found: dict[int, int] = {}
    row = {start}
    for moves in range(1, most + 1):
        row = {to for space in row for to in track.moves[space] if to < len(track.stretch)}
        if moves >= least:
            for space in row:
                found.setdefault(space, moves)
    return found


def cars(track: Track, start: str, count: int) -> tuple[CarMark, ...]:
    """Cars from a space backwards, lane by lane; the first is the one that plays."""
    spaces, row = [track.ids[start]], [track.ids[start]]
    while len(spaces) < count:
        row = sorted({b for space in row for b in track.back[space] if b not in spaces and b < len(track.stretch)})
        spaces += row
    order = (PLATES[1], PLATES[0], *PLATES[2:])
    return tuple(
        CarMark(plate=plate, space=track.name_of(space), state="playing" if not k else ("plain", "spun", "out")[k % 3])
        for k, (plate, space) in enumerate(zip(order, spaces[:count], strict=False))
    )


def corner_ahead(track: Track, start: str) -> tuple[CornerNote, ...]:
    space = track.ids[start]
    while track.corner[space] < 0:
        space = track.ahead[space]
    corner = track.corners[track.corner[space]]
    return (CornerNote(corner=track.corner[space], stops=corner.stops, name=corner.name, made="1 of 2 stops made"),)


def rolling(key: str, start: str, least: int = 7, most: int = 12, count: int = 6) -> tuple[Track, BoardScene]:
    """A car about to roll."""
    track = circuits.load(key)
    marks = []
    for space, moves in reach(track, track.ids[start], least, most).items():
        name, text = track.name_of(space), str(moves)
        if moves < least + 2:
            marks.append(SpaceMark(space=name, state="free", text=text, prices=(FREE,)))
        elif moves < most:
            marks.append(SpaceMark(space=name, state="cost", text=text, prices=(DEAR,)))
        else:
            marks.append(SpaceMark(space=name, state="bad", text=text, prices=(SPIN,)))
    return track, BoardScene(
        close="roll",
        around=start,
        cars=cars(track, start, count),
        spaces=tuple(marks),
        corners=corner_ahead(track, start),
    )


def landing(key: str, start: str, moves: int = 9, count: int = 6) -> tuple[Track, BoardScene]:
    """A car that has rolled, with its choices."""
    track, scene = rolling(key, start, moves, moves, count)
    names = sorted(mark.space for mark in scene.spaces)[:4]
    marks = tuple(
        SpaceMark(space=name, state="chosen" if not k else "choice", text="ABCD"[k], prices=(DEAR,))
        for k, name in enumerate(names)
    )
    space, path = track.ids[start], [start]
    for _ in range(moves):
        space = track.ahead[space]
        path.append(track.name_of(space))
    return track, BoardScene(
        close="landing", around=start, cars=scene.cars, spaces=marks, corners=scene.corners, path=tuple(path)
    )
