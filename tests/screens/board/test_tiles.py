"""The tiles of a board of sections, without a window."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion import circuits
from companion.screens.board.sections import (
    EDGE,
    FOOT,
    PACKED,
    RINGED,
    TileRect,
    places,
    plates,
    rows_of,
    second_line,
    top_of,
)
from companion.view.race.sections import bare_tiles
from companion.view.shown import Plate
from companion.view.shown_board import InSection, SectionTile

BOARD = (548.0, 272.0)
"""The room of the board beside a chart on the smaller panel."""


def tiles_of(key: str, crowded: int = -1, cars: int = 0) -> list[SectionTile]:
    tiles = list(bare_tiles(circuits.board(key)))  # type: ignore[arg-type]
    line = tuple(InSection(plate=Plate(number=n, place=n), code="", place=n) for n in range(1, cars + 1))
    if cars:
        tiles[crowded] = replace(tiles[crowded], cars=line)
    return tiles


def meet(one: TileRect, other: TileRect) -> bool:
    return (
        one.x < other.x + other.w - 0.01
        and other.x < one.x + one.w - 0.01
        and one.y < other.y + other.h - 0.01
        and other.y < one.y + one.h - 0.01
    )


@given(st.integers(4, 60), st.floats(300, 900), st.floats(120, 420))
def test_tiles_lie_on_the_board_in_equal_columns_and_never_on_each_other(
    count: int, width: float, height: float
) -> None:
    found = places(count, width, height)
    assert len(found) == count
    for place in found:
        assert place.x >= EDGE - 0.01
        assert place.y >= EDGE - 0.01
        assert place.x + place.w <= width - EDGE + 0.01
        assert place.y + place.h <= height - EDGE + 0.01
    assert not any(meet(one, other) for one, other in itertools.combinations(found, 2))
    assert len({(place.w, place.h) for place in found}) == 1
    across = sum(place.y == found[0].y for place in found)
    assert len({place.x for place in found}) == across


def test_the_rows_run_to_and_fro() -> None:
    found = places(17, *BOARD)
    rows = [[place.x for place in row] for _, row in itertools.groupby(found, key=lambda place: place.y)]
    assert [len(row) for row in rows] == [6, 6, 5]
    assert rows[0] == sorted(rows[0])
    assert rows[1] == sorted(rows[1], reverse=True)
    assert found[6].x == found[5].x


@pytest.mark.parametrize(("key", "most"), [("quarry-hill", 6), ("saltmarsh", 4)])
def test_a_line_of_cars_has_room_in_any_tile_as_many_as_fill_two_rows(key: str, most: int) -> None:
    """The widest plate is 27 dp, the ring of the one that plays 30; names and points make room for them."""
    for at, tile in enumerate(tiles_of(key)):
        for cars in range(1, most + 1):
            crowded = tiles_of(key, at, cars)[at]
            place = places(len(tiles_of(key)), *BOARD)[at]
            across, pitch = plates(place.w)
            top = top_of(crowded, place.w, place.h)
            rows = rows_of(place.h - top - FOOT)
            assert across * rows >= cars, tile.number
            assert pitch >= 24.5
            assert RINGED + pitch * (across - 1) + 15 <= place.w
            used = -(-cars // across)
            assert top + 24 / 2 + 1 + PACKED * (used - 1) + 15 <= place.h + 0.5


def test_a_name_stands_alone_in_its_line_until_a_crowd_needs_it() -> None:
    place = places(17, *BOARD)[13]
    assert second_line(tiles_of("quarry-hill", 13, 3)[13], place.w, place.h)
    assert not second_line(tiles_of("quarry-hill", 13, 4)[13], place.w, place.h)
