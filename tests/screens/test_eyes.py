"""How colours look to different eyes."""

from __future__ import annotations

import pytest

from companion.drawing.paints import PAINTS
from companion.screens.kit import eyes

COLOURS = [paint.colour for paint in PAINTS]


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1, 2), (50, 0, 0), 2.3669),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_distance_is_that_of_the_published_pairs(one: eyes.Triple, other: eyes.Triple, apart: float) -> None:
    assert eyes.ciede(one, other) == pytest.approx(apart, abs=1e-4)
    assert eyes.ciede(other, one) == pytest.approx(apart, abs=1e-4)


@pytest.mark.parametrize("kind", eyes.EYES)
def test_black_and_white_are_so_to_everybody(kind: str) -> None:
    assert (eyes.simulate("#000000", kind), eyes.simulate("#FFFFFF", kind)) == ("#000000", "#FFFFFF")


def test_full_colour_changes_nothing() -> None:
    assert [eyes.simulate(colour, "full") for colour in COLOURS] == COLOURS


@pytest.mark.parametrize(
    ("kind", "least"), [("full", 19.5), ("protanopia", 12.5), ("deuteranopia", 13.5), ("tritanopia", 15.5)]
)
def test_any_two_cars_can_be_told_apart(kind: str, least: float) -> None:
    assert eyes.closest(COLOURS, kind) > least


def test_two_cars_of_one_shape_are_far_apart() -> None:
    for kind in ("full", "protanopia", "deuteranopia", "tritanopia"):
        for one, other in zip(PAINTS[::2], PAINTS[1::2], strict=True):
            assert one.shape == other.shape
            assert eyes.closest([one.colour, other.colour], kind) > 28


def test_every_number_can_be_read_on_its_plate() -> None:
    for paint in PAINTS:
        assert eyes.contrast(paint.colour, paint.digit) > 4.5
