"""The shapes of what the board shows: cars, spaces it points at, corners, and the tiles of a board of sections."""

from __future__ import annotations

from typing import Literal

from companion.view.shown import Plate, Price, Shown


class CarMark(Shown, frozen=True, kw_only=True):
    """A car on the board: where, and how it is drawn."""

    plate: Plate
    space: str
    state: Literal["plain", "playing", "spun", "out"] = "plain"


class SpaceMark(Shown, frozen=True, kw_only=True):
    """A space that the board points at; `text` is the distance or the letter on it, all there is of one "ahead";
    a "range" lies within that of a weapon."""

    space: str
    state: Literal["free", "cost", "bad", "choice", "chosen", "danger", "ahead", "range"]
    text: str = ""
    prices: tuple[Price, ...] = ()


class CornerNote(Shown, frozen=True, kw_only=True):
    """What stands beside a corner: its stops, its name, and how many are made, in words and as a number (-1 where the
    car to play is not). `corner` is its index on the track."""

    corner: int
    stops: int
    name: str
    made: str = ""
    done: int = -1


class LinePoint(Shown, frozen=True, kw_only=True):
    """A point of the ideal line in a section: the letter of its colour and its bonus; `car` stands on it."""

    text: str
    car: int = 0


class InSection(Shown, frozen=True, kw_only=True):
    """A car in a section: its place in the line there (0: it is off the track); `still` is its no-move marker."""

    plate: Plate
    code: str
    place: int
    still: bool = False
    playing: bool = False


class SectionTile(Shown, frozen=True, kw_only=True):
    """One section of a board of sections: `space` is its name as a place, `bonus` that of a contest in a corner, `late`
    the value of a sign. `here` is where the turn is played."""

    space: str
    number: int
    name: str = ""
    kind: Literal["straight", "braking", "corner"]
    bonus: str = ""
    late: str = ""
    points: tuple[LinePoint, ...] = ()
    cars: tuple[InSection, ...] = ()
    here: bool = False


class BoardScene(Shown, frozen=True, kw_only=True):
    """What the board shows. `close` is the close-up: "roll" every space in reach, "landing" big enough to touch,
    "overview" the whole circuit. `around` is the space it is drawn around; `path` the spaces driven, in order; `focus`
    the spaces that have to be seen, all in reach if none; `shot` the space that is fired from and the one that is fired
    at; `corner` the number of the corner in question on a corner sheet; `zones` are the sections with DRS. A board of
    `sections` is nothing but its tiles."""

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
