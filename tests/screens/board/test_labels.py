"""Prices and their lines, at every landing of races and at made ones: a line means one space and crosses no other."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator

import pytest
from kivy.graphics import InstructionGroup
from msgspec.structs import replace

from companion import circuits
from companion.desk.ahead import Ahead
from companion.drawing.circuit import drawing_of
from companion.drawing.notes import Box
from companion.drawing.spaces import inside
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.screens.board.car import LENGTH, WIDTH, length_at
from companion.screens.board.labels import Leaders, Notes, Shape
from companion.screens.board.map import BoardStage, Upright
from companion.screens.board.marked import BELOW, HALF, beneath
from companion.view.framing import Frame, frame_of
from companion.view.race.race import race
from companion.view.shown import Plate
from companion.view.shown_board import BoardScene, CarMark, CornerNote, SpaceMark
from companion.view.sight import Sight
from companion.wording import Words
from tests.screens.board.scenes import FREE, reach, rolling
from tests.screens.rig import Rig
from tests.view.watched import a_desk

SPACED = ("copper-basin", "kestrel-moor", "monaco", "porto-sereno")
VIEWS = (488.0, 541.0)
"""How wide the board is beside a card, on both panels; it is 272 high."""


BESIDE_A_LIST = 332.0, 236.0
"""How large the board is beside the spaces to choose from."""


def laid(track: Track, scene: BoardScene, wide: float, high: float = 272.0) -> Notes:
    drawing = drawing_of(track)
    notes = Notes(InstructionGroup(), drawing, frame_of(drawing, scene, None, wide, high), wide, high)
    notes.lay(scene)
    return notes


def check(notes: Notes, track: Track, scene: BoardScene) -> None:
    """What the line of every price has to keep."""
    cells, ids = notes.drawing.cells, track.ids
    spaces = {ids[mark.space]: [notes.view(*p) for p in cells[ids[mark.space]].outline] for mark in scene.spaces}
    cars = [car_at(notes, ids[car.space]) for car in scene.cars if car.space in ids and car.state != "spun"]
    for line in notes.leaders:
        own = spaces[line.space]
        sides = cells[line.space].left_side, cells[line.space].right_side
        assert inside(own, *line.start)
        assert all(math.dist(line.start, notes.view(*side[end])) > 8 for side in sides for end in (0, -1))
        (x1, y1), (x2, y2) = line.start, line.end
        for k in range(81):
            x, y = x1 + (x2 - x1) * k / 80, y1 + (y2 - y1) * k / 80
            for space, outline in spaces.items():
                assert space == line.space or not inside(outline, x, y), "it crosses another choice"
            assert not any(inside(car, x, y) for car in cars), "it crosses a car"
            for box in notes.boxes:
                assert box == line.box or not covers(box, x, y), "it crosses another note"
        for point in itertools.chain(*spaces.values(), *cars):
            assert not covers(line.box, *point), "the price lies on a space or a car"
        middle = notes.view(cells[line.space].middle.x, cells[line.space].middle.y)
        assert not covers(line.box, *middle)


def car_at(notes: Notes, space: int) -> list[tuple[float, float]]:
    """The outline of a car that has not spun."""
    at = notes.drawing.cells[space].middle
    long = length_at(notes.frame.zoom) / notes.frame.zoom / 2
    wide, cos, sin = long * WIDTH / LENGTH, math.cos(at.angle), math.sin(at.angle)
    around = ((long, wide), (long, -wide), (-long, -wide), (-long, wide))
    return [notes.view(at.x + x * cos - y * sin, at.y + x * sin + y * cos) for x, y in around]


def covers(box: Box, x: float, y: float) -> bool:
    return box.x < x < box.x + box.w and box.y < y < box.y + box.h


def landings(key: str, answers: int) -> Iterator[BoardScene]:
    """The boards of all landings of a race."""
    desk, driver = a_desk(key=key, many=8), HeuristicDriver(circuits.load(key), 3)
    for _ in range(answers):
        asked = desk.asked
        if asked is None:
            return
        if asked.ask == "landing":
            yield race(Sight(desk, Words("en"), ahead=Ahead(desk))).board
        desk.answer(driver.answer(asked, desk.rulebook.race))


@pytest.mark.parametrize("key", ["monaco", "kestrel-moor"])
def test_a_landing_bears_its_own_price_and_needs_no_line(rig: Rig, key: str) -> None:
    track = circuits.load(key)
    scenes = list(landings(key, 90))
    assert any(mark.prices for scene in scenes for mark in scene.spaces)
    for scene in scenes:
        assert laid(track, scene, VIEWS[0]).leaders == []


@pytest.mark.parametrize("key", ["monaco", "porto-sereno"])
def test_no_flag_lies_on_a_space_to_choose(rig: Rig, key: str) -> None:
    track, flags = circuits.load(key), 0
    for place in range(0, len(track.stretch), 5):
        taken, scene = rolling(key, track.name_of(place), 1, 3, 8)
        letters = (replace(mark, state="choice", text="A") for mark in scene.spaces)
        scene = replace(scene, close="landing", spaces=tuple(letters))
        notes = laid(taken, scene, *BESIDE_A_LIST)
        for mark in scene.spaces:
            cell = notes.drawing.cells[track.ids[mark.space]]
            x, y = notes.view(cell.middle.x, cell.middle.y)
            edge = (notes.view(*corner) for corner in cell.outline)
            points = [(x, y), *((x + (right - x) / 2, y + (down - y) / 2) for right, down in edge)]
            assert not any(covers(box, *point) for box in notes.flags.values() for point in points), mark.space
        flags += len(notes.flags)
    assert flags > 20


@pytest.mark.parametrize("key", SPACED)
def test_among_many_spaces_in_reach_and_cars_each_line_means_one_space(rig: Rig, key: str) -> None:
    track, chance = circuits.load(key), random.Random(key)
    found = 0
    for _ in range(12):
        start = chance.randrange(len(track.stretch))
        _, scene = rolling(key, track.name_of(start), 4, 8, 8)
        ends = list(reach(track, start, chance.randint(2, 9), chance.randint(9, 13)))
        chance.shuffle(ends)
        taken = {car.space for car in scene.cars}
        names = [name for end in ends if (name := track.name_of(end)) not in taken]
        free = tuple(
            SpaceMark(
                space=name, state="free", text=str(at), prices=(replace(FREE, text=f"{at} free"),) if at < 4 else ()
            )
            for at, name in enumerate(names[:26])
        )
        scene = replace(scene, spaces=free)
        for wide in VIEWS:
            notes = laid(track, scene, wide)
            check(notes, track, scene)
            found += len(notes.leaders)
    assert found > 12


def square(x: float, y: float, side: float = 50.0) -> Shape:
    """A space, by its top left corner."""
    corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
    return Shape(corners, corners, (x + side / 2, y + side / 2))


def test_a_line_begins_within_its_space_and_leaves_it_clear_of_the_corners() -> None:
    leaders = Leaders({1: square(100, 100), 2: square(150, 100)}, [])
    line = leaders.lead([1], [Box(300, 20, 60, 26), Box(108, 40, 60, 26)])
    assert line is not None
    assert line.box.x == 108, "from the first the line would run over the other space"
    assert line.start == pytest.approx((125, 107))
    assert line.end == (125, 66)
    assert leaders.lead([2], [Box(144, 40, 60, 26)]) is None, "there is a note already"
    assert leaders.lead([2], [Box(230, 40, 60, 26)]) is None, "by the corner nobody knows whose it is"
    assert leaders.lead([2], [Box(146, 160, 60, 26)]) is not None


def test_where_there_is_no_room_there_is_no_price() -> None:
    around = {k: square(100 + 50 * (k % 3), 100 + 50 * (k // 3)) for k in range(9)}
    everywhere = [Box(x, y, 40, 20) for x in range(0, 320, 8) for y in range(0, 320, 8)]
    assert Leaders(around, []).lead([4], everywhere) is None
    assert Leaders(around, []).lead([1], everywhere) is not None


@pytest.mark.parametrize("key", SPACED)
def test_a_flag_stands_at_its_own_corner(rig: Rig, key: str) -> None:
    """All along the lap, beside the dashboard and beneath tests, before a roll and a landing: no flag is nearer to
    another corner, and few corners are without."""
    track = circuits.load(key)
    drawing = drawing_of(track)
    every = tuple(CornerNote(corner=at, stops=one.stops, name=one.name) for at, one in enumerate(track.corners))
    views = itertools.cycle([("roll", (386.0, 272.0)), ("landing", (386.0, 272.0)), ("roll", (600.0, 168.0))])
    shown = looked = 0
    for section, (close, (wide, high)) in zip(track.sections, views, strict=False):
        scene = replace(rolling(key, track.name_of(section.lanes[1][-1]))[1], close=close, corners=every)
        notes = Notes(InstructionGroup(), drawing, frame_of(drawing, scene, None, wide, high), wide, high)
        notes.lay(scene)
        seen: dict[int, list[tuple[float, float]]] = {}
        for cell in drawing.cells:
            if track.corner[cell.space] >= 0:
                around = (notes.view(x, y) for x, y in cell.outline)
                seen.setdefault(track.corner[cell.space], []).extend(
                    at for at in around if 0 <= at[0] <= wide and 0 <= at[1] <= high
                )
        seen = {corner: there for corner, there in seen.items() if there}
        for corner, box in notes.flags.items():
            far = {at: min(math.dist(point, box.nearest(*point)) for point in there) for at, there in seen.items()}
            assert min(far, key=lambda at: far[at]) == corner, (track.corners[corner].name, far)
        looked += len(seen)
        shown += len(notes.flags)
    assert shown > 0.85 * looked


def test_the_letter_of_where_a_car_stays_lies_on_the_car(rig: Rig) -> None:
    """It would be hidden beneath it, as one at a free space is not."""
    plate, group = Plate(number=7, place=0), InstructionGroup()
    here, there = (SpaceMark(space=name, state="choice", text=name[0]) for name in ("1:left:1", "2:left:1"))
    scene = BoardScene(spaces=(here, there), cars=(CarMark(plate=plate, space=here.space, state="playing"),))
    upright = Upright(group)
    upright.draw(BoardStage(circuits.load("monaco")), scene, Frame(0.0, 0.0, 60.0))
    free, stays, car = (group.indexof(one) for one in (*(sign.group for sign in upright.signs),
                                                            upright.sprites[0].canvas))  # fmt: skip
    assert free < car < stays


@pytest.mark.parametrize("turn", [0.0, 30.0, 75.0])
def test_a_price_beneath_its_letter_stays_on_its_space_however_that_lies(turn: float) -> None:
    drawing, zoom, fitted = drawing_of(circuits.load("monaco")), 60.0, 0
    for cell in drawing.cells:
        frame = Frame(cell.middle.x, cell.middle.y, zoom, turn)
        half = beneath(cell, frame) / 2
        if half <= 0:
            continue
        fitted += 1
        for x, y in itertools.product((-half, half), (-BELOW - HALF, -BELOW + HALF)):
            assert inside(cell.outline, *frame.to_board(x, y)), cell.space
    assert fitted > len(drawing.cells) / 2
