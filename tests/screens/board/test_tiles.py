"""The tiles of a board of sections, without a window."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion import circuits
from companion.screens.board.tiles import CAR, EDGE, LETTER, PAD, Place, line_of, places, second_line, top_of
from companion.screens.view.sections import bare_tiles
from companion.screens.view.shown import Plate
from companion.screens.view.shown_board import InSection, SectionTile

BOARD = (548.0, 272.0)
"""The room of the board beside a chart on the smaller panel."""


def tiles_of(key: str, crowded: int = -1, cars: int = 0) -> list[SectionTile]:
    tiles = list(bare_tiles(circuits.board(key)))  # type: ignore[arg-type]
    line = tuple(InSection(plate=Plate(number=n, place=n), code="", place=n) for n in range(1, cars + 1))
    if cars:
        tiles[crowded] = replace(tiles[crowded], cars=line)
    return tiles


def meet(one: Place, other: Place) -> bool:
    return (
        one.x < other.x + other.w - 0.01
        and other.x < one.x + one.w - 0.01
        and one.y < other.y + other.h - 0.01
        and other.y < one.y + one.h - 0.01
    )


@given(
    st.integers(4, 60),
    st.floats(300, 900),
    st.floats(120, 420),
    st.integers(0, 20),
    st.integers(0, 59),
)
def test_tiles_lie_on_the_board_and_never_on_each_other(
    count: int, width: float, height: float, cars: int, crowded: int
) -> None:
    base = tiles_of("saltmarsh", 4, cars)
    tiles = [base[(at + crowded) % len(base)] for at in range(count)]
    found = places(tiles, width, height)
    assert len(found) == count
    for place in found:
        assert place.x >= EDGE - 0.01
        assert place.y >= EDGE - 0.01
        assert place.x + place.w <= width - EDGE + 0.01
        assert place.y + place.h <= height - EDGE + 0.01
    assert not any(meet(one, other) for one, other in itertools.combinations(found, 2))


def test_the_rows_run_to_and_fro() -> None:
    found = places(tiles_of("quarry-hill"), *BOARD)
    rows = [[place.x for place in row] for _, row in itertools.groupby(found, key=lambda place: place.y)]
    assert [len(row) for row in rows] == [6, 6, 5]
    assert rows[0] == sorted(rows[0])
    assert rows[1] == sorted(rows[1], reverse=True)
    assert found[6].x + found[6].w == pytest.approx(found[5].x + found[5].w)


def test_a_crowded_section_takes_room_of_the_others_in_its_row_alone() -> None:
    usual, crowded = places(tiles_of("quarry-hill"), *BOARD), places(tiles_of("quarry-hill", 7, 5), *BOARD)
    assert crowded[7].w > usual[7].w
    assert all(crowded[at].w < usual[at].w for at in (6, 8, 9, 10, 11))
    assert [crowded[at] for at in (0, 5, 12, 16)] == [usual[at] for at in (0, 5, 12, 16)]


def test_two_cars_have_room_beside_a_crowd_and_the_end_of_the_last_row_is_used() -> None:
    tiles = tiles_of("saltmarsh", 7, 14)
    pair = tiles_of("saltmarsh", 4, 2)[4]
    tiles[4] = pair
    found = places(tiles, *BOARD)
    assert found[4].w >= 61
    assert found[7].w > 2 * found[6].w - 61
    last = places(tiles_of("saltmarsh", 16, 5), *BOARD)
    assert last[16].w >= 5 * 28
    assert last[17].w == pytest.approx(places(tiles_of("saltmarsh"), *BOARD)[17].w)


def test_a_row_of_plates_has_room_for_the_last_of_them_and_its_rim() -> None:
    """The widest plate is 30 dp, and stands 5 from the left edge."""
    for cars in (3, 4):
        crowded = places(tiles_of("quarry-hill", 6, cars), *BOARD)[6]
        assert crowded.w >= 5 + CAR * (cars - 1) + 30 + 1


@pytest.mark.parametrize("key", ["quarry-hill", "saltmarsh"])
@pytest.mark.parametrize("board", [BOARD, (601.3, 272.0)])
def test_a_name_has_room_in_its_line(key: str, board: tuple[float, float]) -> None:
    """By itself in the second line, and beside number and badge in the first; the longest of twenty-two may be cut."""
    tiles = tiles_of(key)
    for tile, place in zip(tiles, places(tiles, *board), strict=True):
        if not tile.name or tile.points or tile.name == "Pump House":
            continue
        room = place.w - 2 * PAD if second_line(tile, place.w, place.h) else place.w - 40 - 8 * len(str(tile.number))
        assert room >= LETTER * len(tile.name) - 0.01, tile.name


def test_plates_in_two_rows_stay_within_their_tile() -> None:
    """The ring around the second row ends where the tile does."""
    tiles = tiles_of("saltmarsh", 7, 4)
    place = places(tiles, *BOARD)[7]
    assert not second_line(tiles[7], place.w, place.h)
    assert top_of(tiles[7], place.w, place.h) + 24 / 2 + 1 + 25 + 15 <= place.h
    assert line_of(tiles[7]) < place.w
