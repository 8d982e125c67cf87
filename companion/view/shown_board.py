"""The shapes of the board: cars, marked spaces, corners, and tiles of sections."""

from __future__ import annotations

from typing import Literal

from companion.view.shown import Plate, Price, ViewModel


class CarMark(ViewModel, frozen=True, kw_only=True):
    """A car on the board: its space and its state."""

    plate: Plate
    space: str
    state: Literal["plain", "playing", "spun", "out"] = "plain"


class SpaceMark(ViewModel, frozen=True, kw_only=True):
    """A marked space.

    `text` is its distance or letter, which is all of an "ahead" mark; a "range" mark is within a weapon's range.
    """

    space: str
    state: Literal["free", "cost", "bad", "choice", "chosen", "danger", "ahead", "range"]
    text: str = ""
    prices: tuple[Price, ...] = ()


class CornerNote(ViewModel, frozen=True, kw_only=True):
    """A corner's label: stops, name, and stops made in words and as a number.

    `corner` is its index on the track; `done` is -1 where the car to play is not.
    """

    corner: int
    stops: int
    name: str
    made: str = ""
    done: int = -1


class TrajectoryPoint(ViewModel, frozen=True, kw_only=True):
    """A trajectory point of a section: colour letter and bonus, and the car on it (0: none)."""

    text: str
    car: int = 0


class InSection(ViewModel, frozen=True, kw_only=True):
    """A car in a section: its place in the line (0: off the track).

    `still` is its no-move marker.
    """

    plate: Plate
    code: str
    place: int
    still: bool = False
    playing: bool = False


class SectionTile(ViewModel, frozen=True, kw_only=True):
    """A section of a board of sections.

    `space` is its name as a place, `bonus` that of a contest in a corner, `late` the value of a sign. `here` marks the
    section of the car to play.
    """

    space: str
    number: int
    name: str = ""
    kind: Literal["straight", "braking", "corner"]
    bonus: str = ""
    late: str = ""
    points: tuple[TrajectoryPoint, ...] = ()
    cars: tuple[InSection, ...] = ()
    here: bool = False


class BoardScene(ViewModel, frozen=True, kw_only=True):
    """The contents of the board.

    `close` is the framing: "roll" has every space in reach, "landing" spaces large enough to touch, "overview" the
    whole circuit. `around` is the central space, `path` the spaces driven in order, `focus` the spaces that must be
    visible (all in reach if empty), `shot` the spaces of the shooter and its target, `corner` the corner in question on
    a corner sheet, `zones` the sections with DRS. A board of `sections` has only its tiles.
    """

    close: Literal["roll", "landing", "overview"] = "roll"
    around: str = ""
    cars: tuple[CarMark, ...] = ()
    spaces: tuple[SpaceMark, ...] = ()
    corners: tuple[CornerNote, ...] = ()
    path: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    shot: tuple[str, ...] = ()
    corner: int = 0
    zones: tuple[int, ...] = ()
    sections: tuple[SectionTile, ...] = ()
