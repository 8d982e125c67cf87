"""The board under real fingers: taps on spaces, dragging, pinching, cars that drive, frames that move."""

import itertools
import math
from typing import Any

import pytest
from kivy.core.window import Window
from msgspec.structs import replace

from companion import circuits
from companion.drawing.circuit import drawing_of
from companion.rules.circuit.track import Track
from companion.screens.app import snapshot
from companion.screens.board.marked import lettered
from companion.screens.board.overview import Overview
from companion.screens.board.strip import Layout
from companion.screens.board.view import BoardView
from companion.screens.kit.pen import Pen
from companion.screens.kit.theme import CAPTION, theme
from companion.view.framing import LEAST, Frame
from companion.view.race.sections import bare_tiles
from companion.view.shown import Plate, Price
from companion.view.shown_board import BoardScene, CarMark, SpaceMark
from tests.screens.audit import marks
from tests.screens.board.scenes import PLATES, landing, rolling
from tests.screens.rig import Finger, Rig
from tests.screens.ui import Ui

BOARD = (200, 48, 386, 272)
MIDDLE = (393, 184)
START = "6:middle:17"
"""A space of Porto Sereno before a corner."""


def put(rig: Rig, track: Track, scene: BoardScene, **heard: Any) -> BoardView:
    """Put a board into the window."""
    board = BoardView(**heard)
    board.show(track, scene)
    return rig.show(board, *BOARD)


def ahead(track: Track, start: str, count: int) -> list[str]:
    """Return a space and those straight ahead of it."""
    spaces = [track.ids[start]]
    for _ in range(count):
        spaces.append(track.ahead[spaces[-1]])
    return [track.name_of(space) for space in spaces]


def reached(scene: BoardScene) -> set[str]:
    return {mark.space for mark in scene.spaces}


def zoom(bare: Ui, track: Track, one: str, other: str) -> float:
    """Return how many dp a space is long, from two spaces of the board."""
    here, there = (drawing_of(track).cells[track.ids[name]].middle for name in (one, other))
    return math.dist(bare.space(one), bare.space(other)) / math.dist((here.x, here.y), (there.x, there.y))


@pytest.mark.parametrize(
    ("key", "start"),
    [("porto-sereno", START), ("monaco", "8:left:1"), ("kestrel-moor", "4:right:4"), ("monaco", "20:left:12")],
)
def test_a_roll_shows_the_car_and_every_space_in_reach(panel: Rig, bare: Ui, key: str, start: str) -> None:
    track, scene = rolling(key, start)
    put(panel, track, scene)
    assert {start, *reached(scene)} <= set(bare.spaces())


def test_a_tap_tells_the_space_under_the_finger(panel: Rig, bare: Ui) -> None:
    tapped: list[str] = []
    track, scene = landing("porto-sereno", START, 11)
    put(panel, track, scene, on_space=tapped.append)
    for mark in scene.spaces:
        bare.tap(space=mark.space)
    assert tapped == [mark.space for mark in scene.spaces]


def pinch(rig: Rig, x: float, y: float, start: float, end: float) -> None:
    """Move two fingers around a place, each so far from it at first and in the end, in dp."""
    fingers = [(Finger(*rig.at(x + side * start, y)), side) for side in (-1, 1)]
    for finger, _ in fingers:
        finger.down()
    for step in range(1, 7):
        for finger, side in fingers:
            finger.slide(*rig.at(x + side * (start + (end - start) * step / 6), y))
        rig.settle(1)
    for finger, _ in fingers:
        finger.up()
    rig.settle()


def test_choices_are_as_large_as_a_finger_needs_however_small_they_are_drawn(panel: Rig, bare: Ui) -> None:
    tapped: list[str] = []
    track, scene = landing("monaco", "18:left:1", 6)
    put(panel, track, scene, on_space=tapped.append)
    for far, pairs in ((False, 9), (True, 5)):
        if far:
            pinch(panel, *MIDDLE, 120, 40)
        places, meant = {name: bare.space(name) for name in reached(scene)}, []
        for name, (x, y) in places.items():
            for at in ((x - 25, y), (x + 25, y), (x, y - 23), (x, y + 23)):
                if all(math.dist(at, places[other]) > 40 - 14 * far for other in places if other != name):
                    panel.tap(*at)
                    meant.append(name)
        assert tapped == meant
        assert len(meant) >= pairs
        tapped.clear()


@pytest.mark.parametrize("stays", [True, False])
def test_a_finger_that_stays_tells_another_thing_and_one_in_a_frame_that_takes_long_does_not_stay(
    rig: Rig, bare: Ui, stays: bool
) -> None:
    told: list[str] = []
    track, scene = rolling("kestrel-moor", "4:right:4")
    put(rig, track, scene, on_space=lambda name: told.append(f"tap {name}"), on_held=lambda name: told.append(name))
    finger = rig.press(*bare.where(space="4:right:4"))
    if stays:
        rig.wait(0.7)
    else:
        rig.stall(0.65)
        rig.settle(1)  # in a frame the clock comes before the fingers
    finger.up()
    assert told == ["4:right:4" if stays else "tap 4:right:4"]


def test_a_drag_draws_the_board_along_until_the_question_is_another(panel: Rig, bare: Ui) -> None:
    tapped: list[str] = []
    track, scene = rolling("porto-sereno", START)
    board = put(panel, track, scene, on_space=tapped.append)
    x, y = bare.space(START)
    panel.drag((380, 180), (330, 200))
    dragged = bare.space(START)
    assert dragged == pytest.approx((x - 50, y + 20), abs=2)
    assert tapped == []
    board.show(track, replace(scene, cars=scene.cars[:2]))
    panel.settle()
    assert bare.space(START) == dragged, "only the cars have changed"
    board.show(track, replace(scene, cars=scene.cars[:2], spaces=scene.spaces[:-1]))
    panel.settle()
    assert START in bare.spaces()
    assert math.dist(bare.space(START), dragged) > 20


def test_two_fingers_bring_the_board_nearer(panel: Rig, bare: Ui) -> None:
    track, scene = rolling("monaco", "20:left:12")
    put(panel, track, scene)
    before = {name: bare.space(name) for name in ahead(track, "20:left:12", 8)}
    x, y = MIDDLE[0] - 60, MIDDLE[1] + 40
    pinch(panel, x, y, 30, 60)
    for name, (x0, y0) in before.items():
        wanted = x + 2 * (x0 - x), y + 2 * (y0 - y)
        assert bare.space(name) == pytest.approx(wanted, rel=0.1, abs=15), name


def test_a_car_drives_along_its_lane_and_a_touch_completes_it(rig: Rig, bare: Ui) -> None:
    track, scene = rolling("kestrel-moor", "4:right:4")
    theme.still = False
    board = put(rig, track, scene)
    path = ahead(track, "4:right:4", 8)
    number = scene.cars[0].plate.number
    moved = replace(scene.cars[0], space=path[-1]), *scene.cars[1:]
    board.show(track, replace(scene, cars=moved, path=tuple(path)))
    rig.wait(0.1)
    car, places = bare.cars()[number], [bare.space(name) for name in path]
    assert min(math.dist(car, place) for place in places) < 0.8 * zoom(bare, track, path[0], path[1])
    assert min(math.dist(car, places[0]), math.dist(car, places[-1])) > 4, "it is on its way"
    rig.tap(250, 300)
    there = bare.cars()[number]
    assert there == pytest.approx(bare.space(path[-1]), abs=1)
    rig.wait(0.1)
    assert bare.cars()[number] == there


def test_a_movement_ends_by_itself_and_with_reduced_motion_there_is_none(rig: Rig, bare: Ui) -> None:
    track, before = rolling("kestrel-moor", "4:right:4")
    _, after = landing("kestrel-moor", "4:right:4")
    board = put(rig, track, before)
    places = [bare.space("4:right:4")]
    for still, scene in ((True, after), (True, before), (False, after)):
        theme.still = still
        board.show(track, scene)
        places.append(bare.space("4:right:4"))
    rig.wait(0.45)
    places.append(bare.space("4:right:4"))
    rig.wait(0.1)
    assert bare.space("4:right:4") == places[-1]
    assert [round(math.dist(place, places[0])) > 0 for place in places] == [False, True, False, False, True]
    assert places[-1] == pytest.approx(places[1], abs=1)


def test_the_board_does_not_turn_while_one_car_plays(rig: Rig, bare: Ui) -> None:
    def turn() -> float:
        (x0, y0), (x1, y1) = (bare.space(name) for name in (START, "7:middle:4"))
        return math.degrees(math.atan2(y1 - y0, x1 - x0))

    track, scene = rolling("porto-sereno", START)
    board = put(rig, track, scene)
    before = turn()
    for start in ("7:middle:4", "7:middle:8", "8:middle:2"):
        cars = replace(scene.cars[0], space=start), *scene.cars[1:]
        board.show(track, replace(scene, around=start, cars=cars, spaces=()))
        rig.settle()
        assert turn() == pytest.approx(before, abs=0.5)


@pytest.mark.parametrize("start", ["0:middle:2", "2:middle:9", "6:middle:9", "10:middle:3", "14:middle:9"])
def test_the_car_that_plays_comes_from_the_left_or_from_below(rig: Rig, bare: Ui, start: str) -> None:
    track, scene = rolling("kestrel-moor", start)
    put(rig, track, scene)
    (x, y), (to_x, to_y) = (bare.space(name) for name in ahead(track, start, 1))
    assert to_x - x > -0.01 or y - to_y > -0.01
    assert (to_x - x) + (y - to_y) > 0


@pytest.mark.parametrize("start", [START, "2:middle:5", "17:left:2"])
def test_notes_cover_no_space_in_reach(panel: Rig, bare: Ui, start: str) -> None:
    track, scene = rolling("porto-sereno", start)
    put(panel, track, scene)
    words = bare.words()
    assert any(word.text == scene.corners[0].name for word in words) or not words
    for name in reached(scene):
        assert [word.text for word in words if word.box.has(*bare.space(name))] == [], name


def test_a_price_without_a_line_stands_near_its_spaces(panel: Rig, bare: Ui) -> None:
    track, scene = rolling("monaco", "6:right:2", 11, 20)
    dear = tuple(
        replace(mark, prices=(Price(text=f"−{mark.text}", icon="tyres", tone="warn"),))
        for mark in scene.spaces
        if mark.state == "cost"
    )
    put(panel, track, replace(scene, spaces=dear))
    prices = [word for word in bare.words() if word.text.startswith("−")]
    assert prices
    for text, box, *_ in prices:
        spaces = [bare.space(mark.space) for mark in dear if f"−{mark.text}" == text]
        near = [(max(box.x, min(x, box.x + box.w)), max(box.y, min(y, box.y + box.h))) for x, y in spaces]
        assert min(map(math.dist, spaces, near)) < 75, text


def test_no_note_lies_on_a_car(panel: Rig, bare: Ui) -> None:
    track, scene = rolling("monaco", "1:left:3", count=10)
    board = put(panel, track, scene)
    assert bare.sees(scene.corners[0].name)
    for number, (x, y) in bare.cars().items():
        for _, box, *_ in marks(board):
            near = abs(box.x + box.w / 2 - x) < box.w / 2 + 12 and abs(box.y + box.h / 2 - y) < box.h / 2 + 12
            assert not near, (number, box)


def test_the_overview_shows_every_plate_apart(panel: Rig, bare: Ui) -> None:
    track = circuits.load("monaco")
    cars = tuple(
        CarMark(plate=Plate(number=k + 1, place=k), space=track.name_of(space)) for k, space in enumerate(track.grid)
    )
    overview = Overview()
    overview.show(track, BoardScene(close="overview", cars=cars))
    panel.show(overview, *BOARD)
    places = list(bare.cars().values())
    assert len(places) == len(track.grid)
    assert all(BOARD[0] <= x <= BOARD[0] + BOARD[2] and BOARD[1] <= y <= BOARD[1] + BOARD[3] for x, y in places)
    assert min(math.dist(one, other) for one, other in itertools.combinations(places, 2)) > 22


def test_a_corner_sheet_is_a_strip(panel: Rig, bare: Ui) -> None:
    tapped: list[str] = []
    track = circuits.load("monza")
    places = ("corner:2", "after:0", "box:1")
    cars = tuple(CarMark(plate=plate, space=place) for plate, place in zip(PLATES, places, strict=False))
    put(panel, track, BoardScene(cars=cars), on_space=tapped.append)
    assert bare.sees(*(str(plate.number) for plate in PLATES[:3]), track.corners[0].name)
    corners = [f"corner:{number}" for number in range(1, len(track.corners) + 1)]
    for corner in corners:
        bare.tap(space=corner)
    assert tapped == corners


def test_twenty_cars_at_the_line_of_a_strip_stand_in_their_order_and_hide_no_corner(panel: Rig, bare: Ui) -> None:
    track = circuits.load("spa")
    numbers, last = [k + 70 for k in range(20)], len(track.corners)
    cars = tuple(
        CarMark(plate=Plate(number=number, place=place), space="after:0" if place < 13 else f"after:{last}")
        for place, number in enumerate(numbers)
    )
    put(panel, track, BoardScene(cars=cars))
    written = {word.text: (word.box.x, word.box.y) for word in bare.words()}
    for corner in track.corners:
        assert {corner.name, f"{corner.shortest}–{corner.longest}"} <= set(written)
    middles = [written[str(number)] for number in numbers]
    assert middles[:13] == sorted(middles[:13], reverse=True)
    assert min(math.dist(one, other) for one, other in itertools.combinations(middles, 2)) > 23


@pytest.mark.parametrize("key", ["sochi", "singapore", "monza", "silverstone"])
def test_twenty_cars_at_the_line_lie_whole_on_a_strip_of_any_rows(panel: Rig, bare: Ui, key: str) -> None:
    cars = tuple(CarMark(plate=Plate(number=k + 70, place=k), space="after:0") for k in range(20))
    put(panel, circuits.load(key), BoardScene(cars=cars))
    bare.audit()


@pytest.mark.parametrize("key", ["indianapolis-oval", "silverstone", "spa", "singapore"])
def test_the_stops_of_every_corner_are_read_in_the_smallest_picture(rig: Rig, bare: Ui, key: str) -> None:
    track, picture = circuits.load(key), BoardView()
    picture.show(track, BoardScene(close="overview"))
    rig.show(picture, 0, 0, 132, 96)
    read = [word.text for word in sorted(bare.words(), key=lambda word: (word.box.y, word.box.x))]
    assert read[-len(track.corners) :] == [str(corner.stops) for corner in track.corners]
    bare.audit()


@pytest.mark.parametrize("corners", range(1, 25))
def test_a_strip_holds_any_number_of_corners(corners: int) -> None:
    layout = Layout(corners, 386, 272)
    places = [layout.corner(number) for number in range(1, corners + 1)]
    assert all(0 < x < 386 and 0 < y < 272 for x, y in places)
    assert all(math.dist(one, other) > 40 for one, other in itertools.combinations(places, 2))


def test_the_same_scene_again_draws_nothing(rig: Rig) -> None:
    track, scene = rolling("monaco", "20:left:12")
    board = put(rig, track, scene)
    for again, draws in ((replace(scene), False), (replace(scene, spaces=()), True)):
        rig.draw()
        board.show(track, again)
        rig.settle()
        assert Window.canvas.needs_redraw == draws


def test_a_change_of_the_look_draws_the_board_in_its_colours(rig: Rig, bare: Ui) -> None:
    track, scene = rolling("monaco", "20:left:12")
    put(rig, track, scene)
    before = bare.space("20:left:12")
    theme.look = "daylight"
    assert rig.colour(BOARD[0] + 4, BOARD[1] + 4) == theme.hex("ground")
    assert bare.space("20:left:12") == before


def test_for_a_gear_the_distances_straight_on_are_seen_and_dangers_pull_nothing_into_view(panel: Rig, bare: Ui) -> None:
    track, scene = rolling("porto-sereno", START)
    names = ahead(track, START, 8)
    distances = [SpaceMark(space=name, state="ahead", text=str(at)) for at, name in enumerate(names) if at]
    danger = SpaceMark(space="0:left:2", state="danger")
    put(panel, track, replace(scene, spaces=(danger, *distances)))
    assert set(names[1:]) <= set(bare.spaces())
    assert "0:left:2" not in bare.spaces()
    assert zoom(bare, track, names[0], names[1]) > LEAST["roll"][2] - 0.1


def shot(rig: Rig, bare: Ui, spaces: int) -> tuple[float, list[bool]]:
    """Show a shot at a car so many spaces ahead; return how far it is, and where the line between is amber."""
    track, scene = rolling("porto-sereno", START)
    ends = START, ahead(track, START, spaces)[-1]
    cars = scene.cars[0], CarMark(plate=PLATES[1], space=ends[1])
    put(rig, track, replace(scene, cars=cars, spaces=(), shot=ends))
    assert set(ends) <= set(bare.spaces())
    amber, picture = bytes(round(255 * part) for part in theme.rgba("warn")[:3]), snapshot.picture()
    (x0, y0), (x1, y1) = (bare.space(end) for end in ends)

    def is_amber(part: float) -> bool:
        x, y = (round(theme.dp(one)) for one in (x0 + (x1 - x0) * part, y0 + (y1 - y0) * part))
        return any(bytes(picture.getpixel((x + side, y))) == amber for side in (-1, 0, 1))

    return math.dist((x0, y0), (x1, y1)), [is_amber(k / 400) for k in range(400)]


def test_a_shot_is_drawn_from_car_to_car(panel: Rig, bare: Ui) -> None:
    """Both are in the picture; between them is a row of amber dashes."""
    _, amber = shot(panel, bare, 6)
    assert 0.25 < amber[120:280].count(True) / 160 < 0.9


@pytest.mark.parametrize("spaces", [2, 3])
def test_a_shot_at_a_car_nearby_has_a_line_too(rig: Rig, bare: Ui, spaces: int) -> None:
    """At two spaces the cars nearly touch: what is free between them is drawn through, in one piece."""
    far, amber = shot(rig, bare, spaces)
    assert far * amber.count(True) / 400 > 18


def test_a_range_is_counted_beside_the_line_of_a_shot_and_not_under_it() -> None:
    drawing = drawing_of(circuits.load("porto-sereno"))
    track = drawing.track
    start, *between, end = names = ahead(track, START, 4)
    beside = [track.name_of(x) for name in names for x in track.beside[track.ids[name]]]
    spaces = tuple(SpaceMark(space=name, state="range", text="2") for name in (*between, *beside))
    for shot, counted in (((start, end), set(beside)), ((), {*between, *beside})):
        scene = BoardScene(around=start, shot=shot, spaces=spaces)
        assert {mark.space for mark in lettered(drawing, scene, Frame(0, 0, 37.0))} == counted


def test_with_ten_faces_the_reach_is_read_and_the_car_that_is_out_of_the_picture_is_pointed_at(
    panel: Rig, bare: Ui
) -> None:
    track, scene = rolling("monaco", "2:left:2", 21, 30)
    put(panel, track, scene)
    car = next(car for car in scene.cars if car.state == "playing")
    assert reached(scene) <= set(bare.spaces())
    assert car.space not in bare.spaces()
    plate = bare.box(str(car.plate.number))
    way = bare.space(car.space)[0] - MIDDLE[0]
    assert (plate.x + plate.w / 2 - MIDDLE[0]) * way > 0, "on the side where it is"


@pytest.mark.parametrize(("faces", "each"), [((7, 12), True), ((21, 30), False)])
def test_where_a_space_is_too_narrow_for_its_figure_each_face_has_one(
    panel: Rig, bare: Ui, faces: tuple[int, int], each: bool
) -> None:
    """Nothing that is written lies on anything else that is written; with fewer faces every space has its figure."""
    track, scene = rolling("porto-sereno", START, *faces)
    put(panel, track, scene)
    written = bare.letters()
    assert set(written.values()) == {mark.text for mark in scene.spaces}
    assert (len(written) == len(scene.spaces)) == each
    if not each:
        places = [bare.space(name) for name in written]
        apart = min(math.dist(one, other) for one, other in itertools.combinations(places, 2))
        assert apart > CAPTION * 0.72, "as far as a figure is high"


@pytest.mark.parametrize("key", ["quarry-hill", "saltmarsh"])
def test_the_names_of_sections_fit_their_tiles(panel: Rig, bare: Ui, key: str) -> None:
    """The longest of twenty-two is shortened."""
    tiles = bare_tiles(circuits.board(key))  # type: ignore[arg-type]
    board = BoardView()
    board.show(None, BoardScene(close="overview", sections=tiles))
    panel.show(board, 0, 48, 548, 272)
    drawn = {word.text: word.box.w for word in bare.words()}
    for name in {tile.name for tile in tiles if tile.name} - {"Pump House"}:
        assert drawn[name] >= Pen.measuring().width(name, CAPTION) - 1
