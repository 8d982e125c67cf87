"""One canvas for both panels and every window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.screens.kit.canvas import Canvas, fit


@pytest.mark.parametrize(
    ("size", "canvas"),
    [
        ((800, 480), (1, 0, 0, 800, 480)),
        ((1280, 720), (1.5, 0, 0, 1280, 720)),
        ((1600, 960), (2, 0, 0, 1600, 960)),
        ((800, 600), (1, 0, 60, 800, 480)),
        ((480, 800), (0.6, 0, 256, 480, 288)),
    ],
)
def test_a_window_shows_the_canvas_as_big_as_it_goes(size: tuple[int, int], canvas: tuple[float, ...]) -> None:
    assert fit(*size) == pytest.approx(Canvas(*canvas))


def test_a_window_that_is_too_wide_has_bars_at_its_sides() -> None:
    canvas = fit(2000, 480)
    assert canvas.width == pytest.approx(853 + 1 / 3)
    assert canvas.x == pytest.approx((2000 - canvas.width) / 2)


def test_a_limit_on_the_density_leaves_a_rim() -> None:
    canvas = fit(1280, 720, most=1.25)
    assert canvas.density == 1.25
    assert canvas.height == 600
    assert canvas.y == 60


@given(st.integers(100, 8000), st.integers(100, 8000))
def test_the_canvas_is_always_whole_and_in_the_middle(width: int, height: int) -> None:
    canvas = fit(width, height)
    assert 800 - 1e-6 <= canvas.width / canvas.density <= 853.34
    assert canvas.height / canvas.density == pytest.approx(480)
    assert canvas.x >= -1e-6
    assert canvas.y >= -1e-6
    assert canvas.x * 2 + canvas.width == pytest.approx(width)
    assert canvas.y * 2 + canvas.height == pytest.approx(height)
