"""Frames, journeys and places of notes, without a window."""

import math
import random
from itertools import combinations, pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import circuits
from companion.desk.ahead import Ahead
from companion.drawing.circuit import drawing_of
from companion.drawing.notes import CELL, MARKED, ROAD, TAKEN, Box, Room, filed, spread
from companion.drawing.spaces import inside
from companion.screens.board.journey import A_MOVE, REFRAME, Journey, drives
from companion.screens.board.marked import lettered, narrow
from companion.view.framing import LEAST, NEAR, Frame, frame_of, turns
from companion.view.race.race import race
from companion.view.shown_board import BoardScene, SpaceMark
from companion.view.sight import Sight
from companion.wording import Words
from tests.screens.board.scenes import landing, rolling
from tests.view.test_order import on_track

SPACED = ("copper-basin", "kestrel-moor", "monaco", "porto-sereno")
some = st.floats(-200, 200)


@given(some, some, st.floats(2, 110), st.sampled_from([0.0, 90.0, 180.0, 270.0, 33.0]), some, some)
def test_a_point_of_the_view_is_a_point_of_the_board(
    x: float, y: float, zoom: float, turn: float, to_x: float, to_y: float
) -> None:
    frame = Frame(x, y, zoom, turn)
    assert frame.to_view(*frame.to_board(to_x, to_y)) == pytest.approx((to_x, to_y), abs=1e-6)
    assert frame.drag(to_x, to_y).to_view(x, y) == pytest.approx((to_x, to_y), abs=1e-6)


@given(some, some, st.floats(0.3, 3))
def test_a_pinch_keeps_the_point_between_the_fingers(x: float, y: float, times: float) -> None:
    frame = Frame(3.0, -2.0, 37.0, 90.0)
    fixed = frame.to_board(x, y)
    assert frame.nearer(times, x, y, 2, 110).to_view(*fixed) == pytest.approx((x, y), abs=1e-6)


def test_a_frame_on_the_way_begins_and_ends_and_takes_the_short_way_round() -> None:
    begin, end = Frame(0, 0, 30, 270), Frame(10, 4, 70, 0)
    assert begin.toward(end, 0) == begin
    assert begin.toward(end, 1) == end
    assert 270 < begin.toward(end, 0.5).turn < 360
    assert begin.toward(end, 0.5).zoom == pytest.approx(math.sqrt(30 * 70))


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_the_board_is_turned_so_that_a_car_drives_to_the_right_or_up(angle: float, further: float) -> None:
    """Where it stands aslant, so does the way further on."""
    found = turns(angle, further)
    assert found
    for turn in found:
        for way in (angle, further) if turn % 90 else (angle,):
            heading = way + math.radians(turn)
            assert math.cos(heading) > 0.7 or math.sin(heading) > 0.7


@pytest.mark.parametrize("key", SPACED)
def test_a_roll_shows_all_that_is_in_reach_wherever_the_car_is(key: str) -> None:
    track = circuits.load(key)
    drawing = drawing_of(track)
    for space in range(0, len(track.stretch), 41):
        _, scene = rolling(key, track.name_of(space), 4, 8, 1)
        frame = frame_of(drawing, scene, None, 386, 272)
        assert frame.zoom <= NEAR["roll"] + 1e-9
        for name in (scene.around, *(mark.space for mark in scene.spaces)):
            middle = drawing.cells[track.ids[name]].middle
            x, y = frame.to_view(middle.x, middle.y)
            assert abs(x) < 193, name
            assert abs(y) < 136, name


def seen(frame: Frame, x: float, y: float, edge: float = 0.0) -> bool:
    """Whether a point lies in the view, so far from its edge."""
    right, up = frame.to_view(x, y)
    return abs(right) <= 193 - edge and abs(up) <= 136 - edge


@pytest.mark.parametrize("key", SPACED)
def test_the_car_is_seen_with_what_it_can_reach_as_long_as_figures_can_be_read(key: str) -> None:
    """In the lower gears always, in the fifth nearly everywhere; the whole ring around it is there."""
    track = circuits.load(key)
    drawing = drawing_of(track)
    chance = random.Random(key)
    there: list[bool] = []
    for space in chance.sample(range(len(track.stretch)), 60):
        for least, most in ((4, 8), (7, 12), (11, 20)):
            _, scene = rolling(key, track.name_of(space), least, most, 1)
            frame = frame_of(drawing, scene, None, 386, 272)
            for mark in scene.spaces:
                assert all(seen(frame, *point) for point in drawing.cells[track.ids[mark.space]].outline)
            at = drawing.cells[space].middle
            with_car = seen(frame, at.x, at.y, 0.65 * frame.zoom)
            assert with_car or most == 20
            if most == 20:
                there.append(with_car)
            if with_car:
                assert frame.zoom >= LEAST["roll"][1]
    assert there.count(True) > 0.75 * len(there)


@pytest.mark.parametrize("key", SPACED)
def test_for_a_gear_as_many_spaces_are_counted_as_can_be_read(key: str) -> None:
    """Even on the longest straight there is room for thirteen."""
    track = circuits.load(key)
    drawing = drawing_of(track)
    chance = random.Random(key)
    for start in chance.sample(range(len(track.stretch)), 60):
        spaces = [start]
        while len(spaces) <= 20 and track.ahead[spaces[-1]] >= 0:
            spaces.append(track.ahead[spaces[-1]])
        marks = tuple(SpaceMark(space=track.name_of(x), state="ahead", text=str(k)) for k, x in enumerate(spaces) if k)
        scene = BoardScene(around=track.name_of(start), spaces=marks)
        frame = frame_of(drawing, scene, None, 386, 272)
        assert frame.zoom >= LEAST["roll"][2]
        middles = [drawing.cells[space].middle for space in spaces]
        assert seen(frame, middles[0].x, middles[0].y, 0.65 * frame.zoom)
        assert all(seen(frame, at.x, at.y) for at in middles[1:14])


@pytest.mark.parametrize("key", SPACED)
def test_choices_are_large_enough_for_a_finger(key: str) -> None:
    track = circuits.load(key)
    for space in range(0, len(track.stretch), 59):
        _, scene = landing(key, track.name_of(space), 6, 1)
        frame = frame_of(drawing_of(track), scene, None, 488, 272)
        assert frame.zoom > 0.75 * LEAST["landing"][1], track.name_of(space)


@pytest.mark.parametrize("key", SPACED)
def test_figures_on_narrow_spaces_keep_apart(key: str) -> None:
    """They are 17 dp wide and 12 high, and stand on one side of the road and on the other by turns."""
    track = circuits.load(key)
    drawing = drawing_of(track)
    for space in range(0, len(track.stretch), 23):
        _, scene = rolling(key, track.name_of(space), 11, 20, 1)
        scene = msgspec.structs.replace(
            scene, spaces=tuple(msgspec.structs.replace(mark, state="free") for mark in scene.spaces)
        )
        frame = frame_of(drawing, scene, None, 386, 272)
        if not narrow(drawing, scene, frame.zoom):
            continue
        places = []
        for mark in lettered(drawing, scene, frame):
            at = drawing.cells[track.ids[mark.space]].middle
            places.append((*frame.to_view(at.x, at.y), mark.text))
        for (x1, y1, one), (x2, y2, two) in pairwise(sorted(places, key=lambda place: int(place[2]))):
            assert abs(x1 - x2) >= 17 or abs(y1 - y2) >= 12, (track.name_of(space), one, two)


@pytest.mark.parametrize("at", ["2:left:14", "12:middle:5"])
def test_figures_on_narrow_spaces_can_be_read_where_a_face_has_several_colours(at: str) -> None:
    desk = on_track({"car": 1, "at": at, "gear": 5})
    desk.answer(5)
    scene = race(Sight(desk, Words("en"), ahead=Ahead(desk))).board
    track = circuits.load("monaco")
    drawing = drawing_of(track)
    frame = frame_of(drawing, scene, None, 386, 272)
    assert narrow(drawing, scene, frame.zoom)
    figures = [mark for mark in lettered(drawing, scene, frame) if mark.text]
    assert {mark.text for mark in figures} == {str(face) for face in range(11, 21)}
    middles = [drawing.cells[track.ids[mark.space]].middle for mark in figures]
    for (x1, y1), (x2, y2) in combinations([frame.to_view(middle.x, middle.y) for middle in middles], 2):
        assert abs(x1 - x2) >= 13 or abs(y1 - y2) >= 9


def test_a_pit_lane_in_reach_makes_nothing_smaller_that_is_on_the_road() -> None:
    track, scene = rolling("porto-sereno", "6:middle:17")
    drawing = drawing_of(track)
    assert track.pit is not None
    box = SpaceMark(space=track.name_of(track.pit.spaces[0]), state="free", text="9")
    alone = frame_of(drawing, scene, None, 386, 272)
    both = frame_of(drawing, msgspec.structs.replace(scene, spaces=(*scene.spaces, box)), None, 386, 272)
    assert both.zoom >= min(alone.zoom, LEAST["roll"][1])


def test_other_targets_make_a_shot_no_smaller_than_a_roll() -> None:
    track = circuits.load("porto-sereno")
    start, other = (track.name_of(space) for space in sorted(track.line)[:2])
    far = SpaceMark(space=track.name_of(len(track.stretch) // 2), state="choice")
    scene = BoardScene(around=start, shot=(start, other), spaces=(far,))
    assert frame_of(drawing_of(track), scene, None, 380, 272).zoom >= LEAST["roll"][1]


def test_two_cars_that_fight_are_seen_nearer_than_a_roll() -> None:
    track = circuits.load("porto-sereno")
    start, other = (track.name_of(space) for space in sorted(track.line)[:2])
    drawing = drawing_of(track)
    fight = frame_of(drawing, BoardScene(around=start, shot=(start, other)), None, 380, 272)
    assert fight.zoom > NEAR["roll"]
    for name in (start, other):
        for point in drawing.cells[track.ids[name]].outline:
            x, y = fight.to_view(*point)
            assert abs(x) < 190
            assert abs(y) < 136


def test_the_whole_circuit_fits_a_picture() -> None:
    for key in SPACED:
        drawing = drawing_of(circuits.load(key))
        frame = frame_of(drawing, BoardScene(close="overview"), None, 454, 230)
        for x, y in drawing.middle:
            at = frame.to_view(x, y)
            assert abs(at[0]) < 227 - 15
            assert abs(at[1]) < 115 - 15


def test_a_car_drives_35_ms_a_space_and_600_ms_at_most() -> None:
    track, scene = rolling("kestrel-moor", "6:left:2", count=1)
    drawing = drawing_of(track)
    for spaces, seconds in ((4, 0.14), (30, A_MOVE)):
        space = track.ids["6:left:2"]
        for _ in range(spaces):
            space = track.ahead[space]
        car = msgspec.structs.replace(scene.cars[0], space=track.name_of(space))
        (drive,) = drives(drawing, scene, msgspec.structs.replace(scene, cars=(car,)))
        assert drive.seconds == pytest.approx(seconds)
        assert drive.at(0) == drawing.cells[track.ids["6:left:2"]].middle
        assert drive.at(9).x == pytest.approx(drawing.cells[space].middle.x)
        journey = Journey(10.0, (drive,), Frame(0, 0, 37), Frame(5, 5, 70))
        assert journey.frame(9.99 + drive.seconds) == journey.start
        assert journey.frame(10.01 + drive.seconds + REFRAME) == journey.end
        assert not journey.over(10 + drive.seconds)
        assert journey.over(10 + drive.seconds + REFRAME + 0.01)


def test_a_car_taken_back_is_put_down_rather_than_driven_round_the_lap() -> None:
    track, scene = rolling("kestrel-moor", "6:left:9", count=1)
    car = msgspec.structs.replace(scene.cars[0], space="6:left:2")
    assert drives(drawing_of(track), scene, msgspec.structs.replace(scene, cars=(car,))) == ()


def test_a_car_drives_into_its_box_and_out_of_it() -> None:
    track, scene = rolling("kestrel-moor", "14:right:3", count=1)
    assert track.pit is not None
    inside = msgspec.structs.replace(scene, cars=(msgspec.structs.replace(scene.cars[0], space="box:2"),))
    assert len(drives(drawing_of(track), scene, inside)) == 1
    out = msgspec.structs.replace(scene, cars=(msgspec.structs.replace(scene.cars[0], space="pit:9"),))
    assert len(drives(drawing_of(track), inside, out)) == 1


def test_a_note_stands_beside_what_it_means_and_covers_nothing_dear() -> None:
    room = Room(400, 270)
    room.block([(0, 100), (400, 100), (400, 170), (0, 170)], ROAD)
    room.block([(100, 100), (200, 100), (200, 170), (100, 170)], MARKED)
    box = room.place(80, 26, [(150, 135)], 0.05)
    assert box is not None
    assert box.y + box.h <= 104 or box.y >= 166
    assert abs(box.middle[0] - 150) < 40
    room.take(box)
    other = room.place(80, 26, [(150, 135)], 0.05)
    assert other is not None
    assert (
        other.x >= box.x + box.w or other.x + other.w <= box.x or other.y >= box.y + box.h or other.y + other.h <= box.y
    )
    assert room.place(500, 26, [(0, 0)]) is None


@given(st.lists(st.floats(0, 1000), max_size=20))
def test_plates_in_a_file_keep_their_order_their_distance_and_the_road(places: list[float]) -> None:
    wanted = sorted(places)
    stood = filed(wanted, 25, 1000)
    assert all(b - a >= 25 - 1e-6 for a, b in pairwise(stood))
    assert all(-1e-6 <= at <= 1000 + 1e-6 for at in stood)
    if all(b - a >= 25 for a, b in pairwise(wanted)):
        assert stood == pytest.approx(wanted)


def test_a_file_that_is_longer_than_its_road_stands_closer() -> None:
    assert filed([50.0] * 5, 40, 100) == pytest.approx([0, 25, 50, 75, 100])


def test_a_kerb_costs_to_cover() -> None:
    room = Room(400, 270)
    room.border([(100, 100), (200, 100)], 5, ROAD)
    assert room.cost[12][15] == ROAD
    assert room.cost[20][15] == 0


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(-60, 60)), max_size=20))
def test_plates_are_moved_apart_and_stay_in_view(places: list[tuple[float, float]]) -> None:
    moved = spread(places, 25, 386, 272)
    assert len(moved) == len(places)
    for i, (x, y) in enumerate(moved):
        assert abs(x) <= 193 - 12
        assert abs(y) <= 136 - 12
        assert all(math.dist((x, y), other) > 15 for other in moved[:i])


@given(
    st.lists(st.tuples(st.floats(-40, 460), st.floats(-40, 310)), min_size=3, max_size=9),
    st.floats(-20, 420),
    st.floats(-20, 290),
)
def test_what_lies_in_a_shape_costs_as_much(shape: list[tuple[float, float]], x: float, y: float) -> None:
    room = Room(400, 270)
    room.block(shape, MARKED)
    room.take(Box(x, y, 50.0, 30.0), 0.0)
    for row in range(room.rows):
        for column in range(room.columns):
            middle = (column + 0.5) * CELL, (row + 0.5) * CELL
            taken = x <= middle[0] < x + 50 and y <= middle[1] < y + 30
            assert room.cost[row][column] == (TAKEN if taken else MARKED if inside(shape, *middle) else 0.0)
