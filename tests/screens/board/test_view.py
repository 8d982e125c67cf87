"""The board under real fingers: taps on spaces, dragging, pinching, cars that drive, frames that move."""

import itertools
import math

import msgspec
import pytest
from kivy.core.window import Window
from kivy.graphics import Callback

from companion import circuits
from companion.drawing.circuit import drawing_of
from companion.screens.board.map import Map
from companion.screens.board.marked import lettered
from companion.screens.board.overview import Overview
from companion.screens.board.sections import SectionBoard
from companion.screens.board.strip import CornerStrip, Layout
from companion.screens.board.view import BoardView
from companion.screens.kit.pen import Pen
from companion.screens.kit.theme import CAPTION, theme
from companion.view.framing import LEAST, Frame
from companion.view.race.sections import bare_tiles
from companion.view.shown import Plate, Price
from companion.view.shown_board import BoardScene, CarMark, SpaceMark
from tests.screens.audit import audit
from tests.screens.board.scenes import PLATES, landing, rolling
from tests.screens.rig import Finger, Rig, place_of

BOARD = (200, 48, 386, 272)


def put(rig: Rig, board: BoardView) -> Map:
    rig.show(board, *BOARD)
    picture = board.picture
    assert isinstance(picture, Map)
    picture.draw_now()
    rig.settle()
    return picture


def finger_at(picture: Map, name: str) -> Finger:
    return Finger(*place_of(picture, name))


def visible(picture: Map, name: str) -> bool:
    return picture.collide_point(*place_of(picture, name))


@pytest.mark.parametrize(
    ("key", "start"),
    [("porto-sereno", "6:middle:17"), ("monaco", "8:left:1"), ("kestrel-moor", "4:right:4"), ("monaco", "20:left:12")],
)
def test_a_roll_shows_the_car_and_every_space_in_reach(panel: Rig, key: str, start: str) -> None:
    board = BoardView()
    track, scene = rolling(key, start)
    board.show(track, scene)
    picture = put(panel, board)
    assert visible(picture, start)
    assert all(visible(picture, mark.space) for mark in scene.spaces)


def test_a_tap_tells_the_space_under_the_finger(panel: Rig) -> None:
    tapped: list[str] = []
    board = BoardView(on_space=tapped.append)
    track, scene = landing("porto-sereno", "6:middle:17", 11)
    board.show(track, scene)
    picture = put(panel, board)
    for mark in scene.spaces:
        finger = finger_at(picture, mark.space)
        finger.down()
        finger.up()
    assert tapped == [mark.space for mark in scene.spaces]


def test_choices_are_as_large_as_a_finger_needs(panel: Rig) -> None:
    board = BoardView()
    track, scene = landing("monaco", "18:left:1", 6)
    board.show(track, scene)
    picture = put(panel, board)
    names = {mark.space for mark in scene.spaces}
    for mark in scene.spaces:
        x, y = place_of(picture, mark.space)
        others = [place_of(picture, name) for name in names - {mark.space}]
        for dx, dy in ((-25, 0), (25, 0), (0, -23), (0, 23)):
            at = x + theme.dp(dx), y + theme.dp(dy)
            if all(math.dist(at, other) > theme.dp(40) for other in others):
                assert picture.space_at(*at) == mark.space


def pressed(rig: Rig) -> tuple[Finger, list[str], list[str]]:
    """A finger that is down on a space of a board, and what is told of taps and of fingers that stay."""
    tapped: list[str] = []
    held: list[str] = []
    board = BoardView(on_space=tapped.append, on_held=held.append)
    track, scene = rolling("kestrel-moor", "4:right:4")
    board.show(track, scene)
    finger = finger_at(put(rig, board), "4:right:4")
    finger.down()
    return finger, tapped, held


def test_a_finger_that_stays_tells_another_thing(rig: Rig) -> None:
    finger, tapped, held = pressed(rig)
    rig.wait(0.7)
    finger.up()
    assert (tapped, held) == ([], ["4:right:4"])


def test_a_tap_during_a_frame_that_takes_long_is_no_hold(rig: Rig) -> None:
    finger, tapped, held = pressed(rig)
    rig.stall(0.65)
    rig.settle(1)  # in a frame the clock comes before the fingers
    finger.up()
    assert (tapped, held) == (["4:right:4"], [])


def test_a_drag_draws_the_board_along_and_taps_nothing(panel: Rig) -> None:
    tapped: list[str] = []
    board = BoardView(on_space=tapped.append)
    track, scene = rolling("porto-sereno", "6:middle:17")
    board.show(track, scene)
    picture = put(panel, board)
    x, y = place_of(picture, "6:middle:17")
    panel.drag((380, 180), (330, 200))
    moved = place_of(picture, "6:middle:17")
    assert moved == pytest.approx((x - theme.dp(50), y - theme.dp(20)), abs=2)
    assert tapped == []
    board.recentre()
    picture.finish()
    assert place_of(picture, "6:middle:17") == pytest.approx((x, y), abs=1)


def test_a_drag_is_kept_while_the_scene_only_changes_cars(rig: Rig) -> None:
    board = BoardView()
    track, scene = rolling("porto-sereno", "6:middle:17")
    board.show(track, scene)
    picture = put(rig, board)
    rig.drag((380, 180), (330, 200))
    kept = picture.frame
    board.show(track, msgspec.structs.replace(scene, cars=scene.cars[:2]))
    picture.finish()
    assert picture.frame == kept
    board.show(track, msgspec.structs.replace(scene, spaces=()))
    picture.finish()
    assert picture.frame != kept


def test_two_fingers_bring_the_board_nearer(panel: Rig) -> None:
    board = BoardView()
    track, scene = rolling("monaco", "20:left:12")
    board.show(track, scene)
    picture = put(panel, board)
    before = picture.frame.zoom
    cx, cy = picture.center
    fixed = picture.frame.to_board(0, 0)
    one, two = Finger(cx - 30, cy), Finger(cx + 30, cy)
    one.down()
    two.down()
    for k in range(1, 7):
        one.slide(cx - 30 - 5 * k, cy)
        two.slide(cx + 30 + 5 * k, cy)
        panel.settle(1)
    one.up()
    two.up()
    panel.settle()
    assert picture.frame.zoom == pytest.approx(before * 2, rel=0.1)
    assert picture.frame.to_view(*fixed) == pytest.approx((0, 0), abs=12)


def test_a_car_drives_along_its_lane_and_a_touch_completes_it(rig: Rig) -> None:
    board = BoardView()
    track, scene = rolling("kestrel-moor", "4:right:4")
    theme.still = False
    board.show(track, scene)
    picture = put(rig, board)
    space = track.ids["4:right:4"]
    path = [space]
    for _ in range(8):
        path.append(track.ahead[path[-1]])
    moved = (msgspec.structs.replace(scene.cars[0], space=track.name_of(path[-1])), *scene.cars[1:])
    board.show(track, msgspec.structs.replace(scene, cars=moved, path=tuple(map(track.name_of, path))))
    assert board.moving
    rig.wait(0.1)
    sprite = next(sprite for sprite in picture.upright.sprites if sprite.mark.plate == PLATES[1])
    cells = picture.stage.drawing.cells  # type: ignore[union-attr]
    on_lane = min(math.dist((sprite.pose.x, sprite.pose.y), (cells[s].middle.x, cells[s].middle.y)) for s in path)
    assert on_lane < 0.8
    rig.tap(250, 300)
    assert not board.moving
    assert sprite.pose == cells[path[-1]].middle


def test_a_movement_ends_by_itself_and_with_reduced_motion_there_is_none(rig: Rig) -> None:
    board = BoardView()
    theme.still = False
    track, scene = rolling("kestrel-moor", "4:right:4")
    board.show(track, scene)
    picture = put(rig, board)
    track, after = landing("kestrel-moor", "4:right:4")
    board.show(track, after)
    assert board.moving
    rig.wait(0.45)
    assert not board.moving
    assert picture.frame == picture.target
    theme.still = True
    board.show(track, scene)
    assert not board.moving


def test_the_board_does_not_turn_while_one_car_plays(rig: Rig) -> None:
    board = BoardView()
    track, scene = rolling("porto-sereno", "6:middle:17")
    board.show(track, scene)
    picture = put(rig, board)
    turn = picture.frame.turn
    for start in ("7:middle:4", "7:middle:8", "8:middle:2"):
        cars = (msgspec.structs.replace(scene.cars[0], space=start), *scene.cars[1:])
        board.show(track, msgspec.structs.replace(scene, around=start, cars=cars, spaces=()))
        picture.finish()
        assert picture.frame.turn == turn


@pytest.mark.parametrize("start", ["0:middle:2", "2:middle:9", "6:middle:9", "10:middle:3", "14:middle:9"])
def test_the_car_that_plays_comes_from_the_left_or_from_below(rig: Rig, start: str) -> None:
    board = BoardView()
    track, scene = rolling("kestrel-moor", start)
    board.show(track, scene)
    picture = put(rig, board)
    x, y = place_of(picture, start)
    space = track.ids[start]
    to_x, to_y = place_of(picture, track.name_of(track.ahead[space]))
    assert to_x - x > -0.01 or to_y - y > -0.01
    assert (to_x - x) + (to_y - y) > 0


def test_notes_cover_no_space_in_reach(panel: Rig) -> None:
    board = BoardView()
    for start in ("6:middle:17", "2:middle:5", "17:left:2"):
        track, scene = rolling("porto-sereno", start)
        board.show(track, scene)
        picture = put(panel, board)
        boxes = [mark for mark in picture.marks if mark.kind == "text"]
        assert any(mark.text == scene.corners[0].name for mark in boxes) or not boxes
        for mark in scene.spaces:
            x, y = place_of(picture, mark.space)
            x, y = (x - picture.x) / theme.scale, (picture.top - y) / theme.scale
            for box in boxes:
                assert not (box.x <= x <= box.x + box.w and box.y <= y <= box.y + box.h), (mark.space, box.text)


def test_a_price_without_a_line_stands_near_its_spaces(panel: Rig) -> None:
    board = BoardView()
    track, scene = rolling("monaco", "6:right:2", 11, 20)
    dear = [mark for mark in scene.spaces if mark.state == "cost"]
    spaces = tuple(
        msgspec.structs.replace(mark, prices=(Price(text=f"−{mark.text}", icon="tyres", tone="warn"),)) for mark in dear
    )
    board.show(track, msgspec.structs.replace(scene, spaces=spaces))
    picture = put(panel, board)
    prices = [mark for mark in picture.marks if mark.kind == "text" and mark.text.startswith("−")]
    assert prices
    for price in prices:
        far = []
        for mark in spaces:
            if f"−{mark.text}" == price.text:
                x, y = place_of(picture, mark.space)
                x, y = (x - picture.x) / theme.scale, (picture.top - y) / theme.scale
                near = max(price.x, min(x, price.x + price.w)), max(price.y, min(y, price.y + price.h))
                far.append(math.dist((x, y), near))
        assert min(far) < 75, price.text


def test_no_note_lies_on_a_car(panel: Rig) -> None:
    board = BoardView()
    track, scene = rolling("monaco", "1:left:3", count=10)
    board.show(track, scene)
    picture = put(panel, board)
    assert any(mark.text == scene.corners[0].name for mark in picture.marks)
    for car in scene.cars:
        x, y = place_of(picture, car.space)
        x, y = (x - picture.x) / theme.scale, (picture.top - y) / theme.scale
        for box in picture.marks:
            near = abs(box.x + box.w / 2 - x) < box.w / 2 + 12 and abs(box.y + box.h / 2 - y) < box.h / 2 + 12
            assert not near, (car.plate.number, box)


def test_the_overview_shows_every_plate_apart(panel: Rig) -> None:
    track = circuits.load("monaco")
    marks = tuple(
        CarMark(plate=Plate(number=k + 1, place=k), space=track.name_of(space)) for k, space in enumerate(track.grid)
    )
    overview = Overview()
    panel.show(overview, *BOARD)
    overview.picture_of(track, marks)
    overview.draw_now()
    picture = overview.picture
    assert isinstance(picture, Map)
    places = [sprite.place.xy for sprite in picture.upright.sprites]
    assert len(places) == len(track.grid)
    for i, a in enumerate(places):
        assert picture.collide_point(*a)
        for b in places[:i]:
            assert math.dist(a, b) > theme.dp(22)


def test_a_corner_sheet_is_a_strip(panel: Rig) -> None:
    tapped: list[str] = []
    board = BoardView(on_space=tapped.append)
    panel.show(board, *BOARD)
    track = circuits.load("monza")
    places = ("corner:2", "after:0", "box:1")
    cars = tuple(CarMark(plate=plate, space=place) for plate, place in zip(PLATES, places, strict=False))
    board.show(track, BoardScene(cars=cars))
    board.draw_now()
    strip = board.picture
    assert isinstance(strip, CornerStrip)
    words = [mark.text for mark in strip.marks if mark.kind == "text"]
    assert all(str(plate.number) in words for plate in PLATES[:3])
    assert any(corner.name in words for corner in track.corners)
    for number in range(1, len(track.corners) + 1):
        x, y = Layout(len(track.corners), strip.w, strip.h).corner(number)
        panel.tap(BOARD[0] + x, BOARD[1] + y)
    assert tapped == [f"corner:{number}" for number in range(1, len(track.corners) + 1)]


def test_twenty_cars_at_the_line_of_a_strip_stand_in_their_order_and_hide_no_corner(panel: Rig) -> None:
    board = BoardView()
    panel.show(board, *BOARD)
    track = circuits.load("spa")
    plates = [Plate(number=k + 70, place=k) for k in range(20)]
    last = len(track.corners)
    cars = tuple(
        CarMark(plate=plate, space="after:0" if place < 13 else f"after:{last}") for place, plate in enumerate(plates)
    )
    board.show(track, BoardScene(cars=cars))
    board.draw_now()
    strip = board.picture
    assert isinstance(strip, CornerStrip)
    written = {mark.text: mark for mark in strip.marks if mark.kind == "text"}
    assert all(f"{corner.shortest}–{corner.longest}" in written for corner in track.corners)
    assert all(corner.name in written for corner in track.corners)
    ahead = [written[str(plate.number)].x for plate in plates[:13]]
    assert ahead == sorted(ahead, reverse=True)
    middles = [(written[str(plate.number)].x, written[str(plate.number)].y) for plate in plates]
    assert all(math.dist(a, b) > 23 for a, b in itertools.combinations(middles, 2))


@pytest.mark.parametrize("key", ["sochi", "singapore", "monza", "silverstone"])
def test_twenty_cars_at_the_line_lie_whole_on_a_strip_of_any_rows(panel: Rig, key: str) -> None:
    board = BoardView()
    panel.show(board, *BOARD)
    cars = tuple(CarMark(plate=Plate(number=k + 70, place=k), space="after:0") for k in range(20))
    board.show(circuits.load(key), BoardScene(cars=cars))
    board.draw_now()
    assert audit(board.picture) == []


@pytest.mark.parametrize("corners", range(1, 25))
def test_a_strip_holds_any_number_of_corners(corners: int) -> None:
    layout = Layout(corners, 386, 272)
    places = [layout.corner(number) for number in range(1, corners + 1)]
    for i, (x, y) in enumerate(places):
        assert 0 < x < 386
        assert 0 < y < 272
        assert all(math.dist((x, y), other) > 40 for other in places[:i])


def test_the_same_scene_again_draws_nothing(rig: Rig) -> None:
    board = BoardView()
    track, scene = rolling("monaco", "20:left:12")
    board.show(track, scene)
    picture = put(rig, board)
    drawn: list[object] = []
    picture.canvas.add(Callback(drawn.append))
    rig.settle()
    rig.draw()
    assert drawn != []
    drawn.clear()
    board.show(track, msgspec.structs.replace(scene))
    rig.settle()
    rig.draw()
    assert drawn == []
    assert not board.moving


def test_a_change_of_the_look_draws_the_board_in_its_colours(rig: Rig) -> None:
    board = BoardView()
    track, scene = rolling("monaco", "20:left:12")
    board.show(track, scene)
    picture = put(rig, board)
    theme.look = "daylight"
    rig.settle()
    assert rig.colour(BOARD[0] + 4, BOARD[1] + 4) == theme.hex("ground")
    assert picture.frame == picture.target


def test_for_a_gear_the_distances_straight_on_are_seen_and_dangers_pull_nothing_into_view(panel: Rig) -> None:
    board = BoardView()
    track, scene = rolling("porto-sereno", "6:middle:17")
    space, marks = track.ids["6:middle:17"], [SpaceMark(space="0:left:2", state="danger")]
    for distance in range(1, 9):
        space = track.ahead[space]
        marks.append(SpaceMark(space=track.name_of(space), state="ahead", text=str(distance)))
    board.show(track, msgspec.structs.replace(scene, spaces=tuple(marks)))
    picture = put(panel, board)
    assert all(visible(picture, mark.space) for mark in marks[1:])
    assert not visible(picture, "0:left:2")
    assert picture.frame.zoom >= LEAST["roll"][2]


def test_a_shot_is_drawn_from_car_to_car(panel: Rig) -> None:
    """Both are in the picture; between them a row of amber dashes, around the one that is fired at amber corners."""
    board = BoardView()
    track, scene = rolling("porto-sereno", "6:middle:17")
    space = track.ids["6:middle:17"]
    for _ in range(6):
        space = track.ahead[space]
    ends = "6:middle:17", track.name_of(space)
    cars = scene.cars[0], CarMark(plate=PLATES[1], space=ends[1])
    board.show(track, msgspec.structs.replace(scene, cars=cars, spaces=(), shot=ends))
    picture = put(panel, board)
    assert all(visible(picture, end) for end in ends)
    amber = bytes(round(255 * part) for part in theme.rgba("warn")[:3])
    pixels, wide, high = panel.pixels(), Window.width, Window.height
    (x0, y0), (x1, y1) = (place_of(picture, end) for end in ends)

    def seen(x: float, y: float) -> bool:
        at = ((high - 1 - round(y)) * wide + round(x)) * 3
        return any(pixels[at + side * 3 : at + side * 3 + 3] == amber for side in (-1, 0, 1))

    between = [seen(x0 + (x1 - x0) * k / 200, y0 + (y1 - y0) * k / 200) for k in range(60, 140)]
    assert 0.25 < between.count(True) / len(between) < 0.9


@pytest.mark.parametrize("ahead", [2, 3])
def test_a_shot_at_a_car_nearby_has_a_line_too(rig: Rig, ahead: int) -> None:
    """At two spaces the cars nearly touch: what is free between them is drawn through, in one piece."""
    board = BoardView()
    track, scene = rolling("porto-sereno", "6:middle:17")
    space = track.ids["6:middle:17"]
    for _ in range(ahead):
        space = track.ahead[space]
    ends = "6:middle:17", track.name_of(space)
    cars = scene.cars[0], CarMark(plate=PLATES[1], space=ends[1])
    board.show(track, msgspec.structs.replace(scene, cars=cars, spaces=(), shot=ends))
    picture = put(rig, board)
    amber = bytes(round(255 * part) for part in theme.rgba("warn")[:3])
    pixels = rig.pixels()
    (x0, y0), (x1, y1) = (place_of(picture, end) for end in ends)
    seen = 0
    for k in range(400):
        x, y = round(x0 + (x1 - x0) * k / 400), round(y0 + (y1 - y0) * k / 400)
        at = ((Window.height - 1 - y) * Window.width + x) * 3
        seen += pixels[at : at + 3] == amber
    long = math.dist((x0, y0), (x1, y1)) * seen / 400
    assert long > 18


def test_a_range_is_counted_beside_the_line_of_a_shot_and_not_under_it() -> None:
    drawing = drawing_of(circuits.load("porto-sereno"))
    track, places = drawing.track, [drawing.track.ids["6:middle:17"]]
    for _ in range(4):
        places.append(track.ahead[places[-1]])
    start, *between, end = (track.name_of(space) for space in places)
    beside = [track.name_of(x) for space in places for x in track.beside[space]]
    spaces = tuple(SpaceMark(space=name, state="range", text="2") for name in (*between, *beside))
    scene = BoardScene(around=start, shot=(start, end), spaces=spaces)
    assert {mark.space for mark in lettered(drawing, scene, Frame(0, 0, 37.0))} == set(beside)
    scene = msgspec.structs.replace(scene, shot=())
    assert {mark.space for mark in lettered(drawing, scene, Frame(0, 0, 37.0))} == {*between, *beside}


def test_with_ten_faces_the_reach_is_read_and_the_car_that_is_out_of_the_picture_is_pointed_at(panel: Rig) -> None:
    board = BoardView()
    track, scene = rolling("monaco", "2:left:2", 21, 30)
    board.show(track, scene)
    picture = put(panel, board)
    car = next(car for car in scene.cars if car.state == "playing")
    assert all(visible(picture, mark.space) for mark in scene.spaces)
    assert not visible(picture, car.space)
    (plate,) = [mark for mark in picture.marks if mark.text == str(car.plate.number)]
    way = place_of(picture, car.space)[0] - picture.center_x
    assert (plate.x + plate.w / 2 - picture.width / 2 / theme.scale) * way > 0, "on the side where it is"


def test_where_a_space_is_too_narrow_for_its_figure_each_face_has_one(panel: Rig) -> None:
    """Nothing that is written lies on anything else that is written; with fewer faces every space has its figure."""
    board = BoardView()
    for faces, each in (((7, 12), True), ((21, 30), False)):
        track, scene = rolling("porto-sereno", "6:middle:17", *faces)
        board.show(track, scene)
        picture = put(panel, board)
        written = lettered(picture.stage.drawing, scene, picture.frame)  # type: ignore[union-attr]
        reached = [mark for mark in written if mark.text]
        assert {mark.text for mark in reached} == {mark.text for mark in scene.spaces}
        assert (len(reached) == len(scene.spaces)) == each
        if not each:
            places = [place_of(picture, mark.space) for mark in reached]
            apart = min(math.dist(one, other) for one, other in itertools.combinations(places, 2)) / theme.scale
            assert apart > CAPTION * 0.72, "as far as a figure is high"


@pytest.mark.parametrize("key", ["quarry-hill", "saltmarsh"])
def test_the_names_of_sections_fit_their_tiles(panel: Rig, key: str) -> None:
    """The longest of twenty-two is shortened."""
    board = BoardView()
    panel.show(board, 0, 48, 548, 272)
    board.show(None, BoardScene(close="overview", sections=bare_tiles(circuits.board(key))))  # type: ignore[arg-type]
    board.draw_now()
    picture = board.picture
    assert isinstance(picture, SectionBoard)
    shown = picture.marks
    for tile in picture.shown:
        mark = next(mark for mark in shown if mark.kind == "text" and mark.text == tile.name) if tile.name else None
        assert mark is None or tile.name == "Pump House" or mark.w >= Pen.measuring().width(tile.name, CAPTION) - 1
