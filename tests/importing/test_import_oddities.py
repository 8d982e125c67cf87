"""What is drawn oddly comes over as far as our format goes, and the rest is told by the numbers of its nodes."""

import random
import struct
from pathlib import Path

import board_samples
import pytest
from board_samples import Picture
from same_board import assert_same_board, one_to_one

from companion import circuits
from companion.importing import Imported, import_board
from companion.importing.tdf import Reader
from companion.rules.circuit.track import Track
from tests.french import told_in_french


@pytest.fixture
def plain() -> Track:
    return board_samples.track_of(board_samples.PLAIN)


@pytest.fixture
def picture(plain: Track) -> Picture:
    return board_samples.draw(plain, numbers="gaps", rotate=20.0)


def put(picture: Picture, tmp_path: Path) -> tuple[Track, Imported]:
    file = tmp_path / "odd.dat"
    file.write_bytes(picture.dat())
    result = import_board(file)
    return board_samples.track_of(result.text), result


def only_note(result: Imported, *words: str) -> None:
    """One note, with these words in it, in the text too."""
    assert len(result.notes) == 1, result.notes
    for word in words:
        assert word in str(result.notes[0])
    assert str(result.notes[0]).endswith(".")
    assert f"# Note: {result.notes[0]}" in result.text
    told_in_french(result.notes[0])


def test_later_of_two_opposite_moves_holds(plain: Track, picture: Picture, tmp_path: Path) -> None:
    a = plain.ids["1:middle:5"]
    b = plain.ahead[a]
    picture.moves.insert(0, (b, a))
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, f"the later, {picture.number[a]} to {picture.number[b]}, holds")


def test_later_move_takes_away_a_mark(plain: Track, picture: Picture, tmp_path: Path) -> None:
    a, b = plain.ids["1:middle:5"], plain.ids["1:left:5"]
    assert b in plain.moves[a]
    picture.moves.append((b, a))
    again, result = put(picture, tmp_path)
    to = one_to_one(plain, again)
    assert to[b] not in again.moves[to[a]]
    assert any(
        f"The move from node {picture.number[b]} to {picture.number[a]} is left out" in str(n) for n in result.notes
    )


def test_moves_taken_away_stay_away(picture: Picture, plain: Track, tmp_path: Path) -> None:
    """Any sideways move can be missing: the marks say so, and nothing needs a note."""
    for seed in range(6):
        rng = random.Random(seed)
        drawn = board_samples.draw(plain, numbers="shuffled", seed=seed)
        sideways = [(a, b) for a, b in drawn.moves if a < b < 10**6 and is_sideways(plain, a, b)]
        gone = set(rng.sample(sideways, 12))
        drawn.moves = [move for move in drawn.moves if move not in gone]
        again, result = put(drawn, tmp_path)
        to = one_to_one(plain, again)
        for a in board_samples.space_road(plain):
            wanted = [to[b] for b in plain.moves[a] if (a, b) not in gone]
            assert list(again.moves[to[a]]) == wanted, plain.spaces[a].name
        assert not [n for n in result.notes if str(n).startswith(("The move", "Node"))]


def is_sideways(track: Track, a: int, b: int) -> bool:
    one, two = track.spaces[a], track.spaces[b]
    return min(one.section, two.section) >= 0 and one.lane != two.lane


def test_move_ahead_that_is_missing_is_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    for name in ("1:left:6", "1:middle:9", "1:right:2"):
        a = plain.ids[name]
        drawn = board_samples.draw(plain, numbers="gaps")
        drawn.moves.remove((a, plain.ahead[a]))
        again, result = put(drawn, tmp_path)
        assert_same_board(plain, again)
        only_note(result, f"{drawn.number[a]} straight ahead to {drawn.number[plain.ahead[a]]} ", "check the board")


def test_hole_in_a_lane_is_a_space_that_nobody_enters(plain: Track, picture: Picture, tmp_path: Path) -> None:
    a = plain.ids["1:left:8"]
    before, after = plain.behind[a], plain.ahead[a]
    del picture.at[a]
    picture.moves = [move for move in picture.moves if a not in move]
    again, result = put(picture, tmp_path)
    to = one_to_one(plain, again)
    assert again.blocked == {to[a]}
    assert to[a] not in again.moves[to[before]]
    only_note(result, f"between nodes {picture.number[before]} and {picture.number[after]}", "1 blocked space,")


@pytest.mark.parametrize("lane", [0, 3])
@pytest.mark.parametrize("far", [False, True])
def test_lane_that_leaves_out_half_the_lap_is_blocked_there(tmp_path: Path, lane: int, far: bool) -> None:
    """An oval's outer lane that the road course does not use is drawn as one blocked space, wherever it stands."""
    track = board_samples.track_of(board_samples.four_lanes())
    drawn = board_samples.draw(track, numbers="gaps")
    skipped = [s for section in track.sections[:3] for s in section.lanes[lane]]
    link = skipped[-1 if far else 0]
    gone = set(skipped) - {link}
    before, after = board_samples.behind(track, skipped[0]), track.ahead[skipped[-1]]
    for s in gone:
        del drawn.at[s]
    for s in skipped:
        drawn.places.pop(s, None)
    drawn.types[link] = 4
    joined = [(before, link), (link, after)]
    if lane == 0:  # whose last space has no arrow: a way out for who stands there
        joined.append((before, track.ids["0:inner-left:1"]))
    drawn.moves = [move for move in drawn.moves if not {*move} & {*skipped}] + joined
    again, result = put(drawn, tmp_path)
    assert result.playable
    assert [c.stops for c in again.corners] == [1, 3]
    for section, ours in zip(again.sections[:3], track.sections[:3], strict=True):
        assert set(section.lanes[lane]) <= again.blocked
        for k in set(range(4)) - {lane}:
            assert len(section.lanes[k]) == len(ours.lanes[k])
    assert not {*again.sections[3].lanes[lane]} & again.blocked
    assert not any(set(again.moves[s]) & again.blocked for s in board_samples.space_road(again))
    only_note(result, f"nodes {drawn.number[before]} and {drawn.number[after]} leaves out a part of the lap")


def test_blocked_space_with_moves_into_it_is_never_entered(tmp_path: Path) -> None:
    track = board_samples.track_of(board_samples.four_lanes())
    (blocked,) = track.blocked
    drawn = board_samples.draw(track)
    ahead = next(s for s in board_samples.space_road(track) if board_samples.behind(track, s) == blocked)
    drawn.moves += [(board_samples.behind(track, blocked), blocked), (blocked, ahead)]
    again, result = put(drawn, tmp_path)
    assert_same_board(track, again)
    assert result.notes == []


def test_move_across_a_lane_is_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    a, b = plain.ids["1:left:5"], plain.ids["1:right:7"]
    picture.moves.append((a, b))
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, f"The move from node {picture.number[a]} to {picture.number[b]} crosses a whole lane")


def test_second_target_in_one_lane_is_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    a, b = plain.ids["1:left:5"], plain.ids["1:middle:7"]
    picture.moves.append((a, b))
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, f"The move from node {picture.number[a]} to {picture.number[b]} is left out: a mark leads to one")


def test_move_that_skips_a_space_is_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    a = plain.ids["1:right:5"]
    b = plain.ahead[plain.ahead[a]]
    picture.moves.append((a, b))
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, f"The move from node {picture.number[a]} to {picture.number[b]} skips spaces")


def test_move_far_into_the_next_section_is_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    a, b = plain.ids["1:left:17"], plain.ids["2:middle:2"]
    picture.moves.append((a, b))
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(
        result, f"The move from node {picture.number[a]} to {picture.number[b]} leads back, or past the first space"
    )


@pytest.mark.parametrize("name", ["0:left:3", "0:middle:2", "2:left:6"])
def test_space_of_a_corner_drawn_as_straight_is_put_right(
    plain: Track, picture: Picture, tmp_path: Path, name: str
) -> None:
    slip = plain.ids[name]
    picture.types[slip] = 1
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, f"Node {picture.number[slip]} in the middle of a corner of 1 stop is drawn as something else")


def test_space_of_a_corner_with_other_stops_is_put_right(plain: Track, picture: Picture, tmp_path: Path) -> None:
    slip = plain.ids["0:left:4"]
    picture.types[slip] = 6
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, f"Node {picture.number[slip]} in the middle of a corner of 1 stop")


def test_space_of_a_straight_drawn_as_corner_is_put_right(plain: Track, picture: Picture, tmp_path: Path) -> None:
    slip = plain.ids["1:middle:9"]
    picture.types[slip] = 3
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, f"Node {picture.number[slip]} drawn as a corner of one lane alone")


def test_corner_without_sideways_moves_is_one_corner(plain: Track, picture: Picture, tmp_path: Path) -> None:
    inside = set(plain.sections[0].lanes[0] + plain.sections[0].lanes[1] + plain.sections[0].lanes[2])
    picture.moves = [(a, b) for a, b in picture.moves if not (a in inside and is_sideways(plain, a, b))]
    again, _ = put(picture, tmp_path)
    assert [(c.stops, c.shortest, c.longest) for c in again.corners] == [(1, 3, 7), (1, 3, 7)]
    assert [len(lane) for lane in again.sections[0].lanes] == [7, 5, 3]


def test_board_without_places_along_corners_and_without_boxes(plain: Track, picture: Picture, tmp_path: Path) -> None:
    picture.places = {}
    again, result = put(picture, tmp_path)
    assert [(c.stops, c.shortest, c.longest) for c in again.corners] == [(1, 3, 7), (1, 3, 7)]
    assert again.box_count == 8
    only_note(result, "No pit space is marked as a box", "1 to 8")


def test_other_order_along_a_corner_is_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    one, two = plain.ids["0:left:2"], plain.ids["0:middle:2"]
    assert plain.place[one] != plain.place[two]
    picture.places[one], picture.places[two] = picture.places[two], picture.places[one]
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    assert len(result.notes) == 1
    assert "the other way round in the running order" in str(result.notes[0])


def test_board_without_grid_gets_one_before_the_line(plain: Track, picture: Picture, tmp_path: Path) -> None:
    picture.grid = []
    again, result = put(picture, tmp_path)
    assert len(again.grid) == 10
    assert not set(again.grid) & again.line
    only_note(result, "no grid in the file")


def test_grid_in_any_order_begins_with_pole(plain: Track, picture: Picture, tmp_path: Path) -> None:
    random.Random(3).shuffle(picture.grid)
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    assert result.notes == []


def test_grid_slots_in_a_corner_stand_and_are_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    """Some boards draw the last rows so; a car there has the stops of that corner to make."""
    picture.grid += [plain.ids["2:left:7"], plain.ids["2:right:2"]]
    again, result = put(picture, tmp_path)
    assert [again.spaces[s].name for s in again.grid[6:]] == ["2:left:7", "2:right:2"]
    assert result.playable
    only_note(result, "Grid slots 7 and 8 lie in a corner", "start at most 6 cars")
    picture.grid.pop()
    again, result = put(picture, tmp_path)
    only_note(result, "Grid slot 7 lies in a corner", "move it to the straight")


def test_grid_slot_in_the_pits_is_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    assert plain.pit is not None
    picture.grid.append(plain.pit.spaces[2])
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, f"Grid slots on nodes {picture.number[plain.pit.spaces[2]]} are left out")


def test_lane_without_a_finish_space_takes_the_nearest(plain: Track, picture: Picture, tmp_path: Path) -> None:
    middle = plain.ids["3:middle:15"]
    picture.marked.remove(middle)
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, "marked as first past the finish line", str(picture.number[middle]))


def test_two_finish_spaces_in_one_lane(plain: Track, picture: Picture, tmp_path: Path) -> None:
    """Two in a row are a broad line, whose first space counts; two apart are told."""
    picture.marked.add(plain.ids["3:left:16"])
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    assert result.notes == []
    other = plain.ids["1:left:4"]
    picture.marked.add(other)
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, str(picture.number[other]), "of one lane are all first past the finish line")


def test_nodes_without_moves_are_left_out_and_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    picture.extra_nodes = ["9000 5 5 1", "9001 6 6 7"]
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, "9000 and 9001")


def test_pit_lane_without_a_way_out_is_left_out(plain: Track, picture: Picture, tmp_path: Path) -> None:
    assert plain.pit is not None
    picture.moves = [move for move in picture.moves if move not in plain.pit.exits]
    again, result = put(picture, tmp_path)
    assert again.pit is None
    only_note(result, "is left out: it needs a way in from the track and a way out")


def test_second_row_of_pit_spaces_is_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    assert plain.pit is not None
    lane = [picture.number[s] for s in plain.pit.spaces]
    x, y = picture.at[plain.pit.spaces[3]]
    picture.extra_nodes = [f"9000 {x + 20:.0f} {y + 20:.0f} 7"]
    picture.extra_moves = [f"{lane[2]} 9000", f"9000 {lane[4]}"]
    again, result = put(picture, tmp_path)
    assert again.pit is not None
    assert len(again.pit.spaces) == 8
    assert any("9000" in str(note) or str(lane[3]) in str(note) for note in result.notes)


def test_header_may_have_numbers_and_a_byte_order_mark(plain: Track, picture: Picture, tmp_path: Path) -> None:
    file = tmp_path / "odd.dat"
    for header in ("my board.png", "board.png 3", "board.png 1 2 3 -7"):
        file.write_bytes(b"\xef\xbb\xbf" + picture.dat(header=header) + b"\n\n")
        result = import_board(file)
        assert_same_board(plain, board_samples.track_of(result.text))
        assert result.notes == []


def test_two_spaces_that_lead_to_the_same_one_make_a_loose_corner(
    plain: Track, picture: Picture, tmp_path: Path
) -> None:
    """Printed boards have it; no lengths meet both marks, and the lanes must not be mistaken for it."""
    a, b = plain.ids["0:middle:3"], plain.ids["0:right:3"]
    assert b in plain.moves[plain.ids["0:middle:4"]]
    picture.moves.append((a, b))
    again, result = put(picture, tmp_path)
    assert result.playable
    to = one_to_one(plain, again)
    for one in board_samples.space_road(plain):
        wanted = {to[s] for s in plain.moves[one]} | ({to[b]} if one == a else set())
        assert set(again.moves[to[one]]) == wanted
        assert again.place[to[one]] > again.place[to[plain.behind[one]]] or one in plain.line
    assert to[b] in again.beside[to[a]]
    assert result.text.count("loose   = true") == 1
    assert "The marks of section 0, nodes " in str(result.notes[0])
    assert "fit no lengths of spaces" in str(result.notes[0])


def test_corner_that_cannot_be_is_told_and_the_text_still_written(tmp_path: Path) -> None:
    """A board of straights alone is no circuit yet."""
    track = board_samples.track_of(board_samples.PLAIN)
    drawn = board_samples.draw(track)
    drawn.types = {s: 7 if kind == 7 else 1 for s, kind in drawn.types.items()}
    file = tmp_path / "odd.dat"
    file.write_bytes(drawn.dat())
    result = import_board(file)
    assert not result.playable
    assert "[[section]]" in result.text
    assert all(
        str(note).startswith("To be put right by hand before it can be played: odd.dat") for note in result.notes
    )


# What only .tdf files have


def put_tdf(data: bytes, tmp_path: Path) -> tuple[Track, Imported]:
    file = tmp_path / "odd.tdf"
    file.write_bytes(data)
    result = import_board(file)
    return board_samples.track_of(result.text), result


def test_weather_of_a_tdf_is_carried_over(plain: Track, picture: Picture, tmp_path: Path) -> None:
    again, result = put_tdf(board_samples.tdf(picture, weather=(5, 15)), tmp_path)
    assert (again.weather.rain, again.weather.changeable, again.weather.sun) == ((1, 4), (5, 15), (16, 20))
    assert result.notes == []


@pytest.mark.parametrize("bounds", [(15, 5), (0, 9), (3, 21), (1, 9), (4, 20)])
def test_weather_that_cannot_be_is_replaced_and_told(picture: Picture, tmp_path: Path, bounds: tuple[int, int]) -> None:
    again, result = put_tdf(board_samples.tdf(picture, weather=bounds), tmp_path)
    assert again.weather.changeable == (8, 12)
    only_note(result, "weather", "a default stands")


def test_sides_that_differ_are_written_down(plain: Track, picture: Picture, tmp_path: Path) -> None:
    track = circuits.load("monaco")
    again, result = put_tdf(board_samples.tdf(board_samples.draw(track)), tmp_path)
    assert result.text.count("beside  = [") == 1
    assert result.text.count("apart   = [") == 1
    assert sum(map(len, again.beside)) == sum(map(len, track.beside))


def test_sides_that_are_not_told_are_ours(plain: Track, picture: Picture, tmp_path: Path) -> None:
    again, result = put_tdf(board_samples.tdf(picture, neighbours=False), tmp_path)
    assert_same_board(plain, again)
    only_note(result, "does not say which spaces are side by side")


def test_lanes_that_contradict_themselves_are_traced_by_the_moves(
    plain: Track, picture: Picture, tmp_path: Path
) -> None:
    data = bytearray(board_samples.tdf(picture))
    order = sorted(picture.at, key=lambda s: picture.number[s])
    space = plain.ids["1:left:7"]
    wrong = order.index(plain.behind[plain.behind[space]])
    at = data.index(struct.pack(">ii", plain.place[space], order.index(plain.behind[space])))
    data[at + 4 : at + 8] = struct.pack(">i", wrong)
    again, result = put_tdf(bytes(data), tmp_path)
    assert_same_board(plain, again)
    only_note(result, f"Spaces {wrong} are each named as the one behind two others")


def test_corners_that_all_have_one_number_are_told_apart(plain: Track, picture: Picture, tmp_path: Path) -> None:
    again, result = put_tdf(board_samples.tdf(picture, corner_numbers=False), tmp_path)
    assert_same_board(plain, again)
    only_note(result, "Corner number 0 stands for corners far apart")


def test_line_far_from_pole_is_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    picture.marked = {plain.ids[name] for name in ("1:left:8", "1:middle:8", "1:right:9")}
    again, result = put(picture, tmp_path)
    assert len(again.line) == 3
    assert any(str(note).startswith(f"Pole, on node {picture.number[plain.grid[0]]}, lies ") for note in result.notes)


def test_name_of_the_file_cannot_break_the_text(plain: Track, picture: Picture, tmp_path: Path) -> None:
    file = tmp_path / 'a "b"\n[pit]\n\udcff.dat'
    file.write_bytes(picture.dat())
    result = import_board(file)
    assert_same_board(plain, board_samples.track_of(result.text))
    result.text.encode()


def changed(data: bytes, rng: random.Random, fault: str, many: int) -> bytes:
    """A .tdf board with a harmless fault that published ones have, so often: a space among its own neighbours, a move
    of a space to itself, or nothing (-1) where the space behind belongs."""
    reader = Reader(data, "board.tdf")
    count_at = len(board_samples.text("TE01")) + 4 + 8 + 8 + 4
    (count,) = struct.unpack_from(">i", data, count_at)
    at = count_at + 4 + len(board_samples.text("d41d8cd98f00b204"))
    out, wrong = [data[:at]], set(rng.sample(range(count), many))
    reader.at = at
    for space in range(count):
        begin = reader.at
        reader.take("id8fd")
        moves_at = reader.at
        moves = reader.row(count)
        reader.take("i")
        behind_at = reader.at
        behind, kind = reader.whole(), reader.whole()
        reader.take("dd4i")
        beside_at = reader.at
        beside = reader.row(count)
        after = reader.at
        reader.take("5i")
        record = data[begin : reader.at]
        if space in wrong and kind < 2:
            head, tail = data[begin:moves_at], data[moves_at : reader.at]
            if fault == "neighbour":
                record = data[begin:beside_at] + board_samples.row([*beside, space]) + data[after : reader.at]
            elif fault == "move":
                record = head + board_samples.row([*moves, space]) + tail[4 + 4 * len(moves) :]
            elif behind >= 0:
                record = data[begin:behind_at] + struct.pack(">i", -1) + data[behind_at + 4 : reader.at]
        out.append(record)
    return b"".join([*out, data[reader.at :]])


@pytest.mark.parametrize("board", ["plain", "monaco", "copper-basin"])
@pytest.mark.parametrize("fault", ["neighbour", "move", "behind"])
def test_harmless_faults_of_published_boards_refuse_nothing(board: str, fault: str, tmp_path: Path) -> None:
    """The same board comes out; of a move to itself a note is left, since a move is missing where it belongs."""
    track = board_samples.track_of(board_samples.PLAIN) if board == "plain" else circuits.load(board)
    drawn = board_samples.draw(track, numbers="shuffled", rotate=33.0)
    whole = board_samples.tdf(drawn)
    again, before = put_tdf(whole, tmp_path)
    for seed, many in ((1, 1), (2, 2), (3, 8), (4, 20)):
        again, result = put_tdf(changed(whole, random.Random(seed), fault, many), tmp_path)
        assert_same_board(track, again)
        assert result.playable
        fresh = [note for note in result.notes if str(note) not in map(str, before.notes)]
        assert all("to itself is left out" in str(note) for note in fresh)
        assert bool(fresh) == (fault == "move")
        for note in fresh:
            told_in_french(note)


def test_a_neighbour_that_there_is_not_is_left_out_and_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    """Who is beside whom is known without it; a move to such a space would be a hole in the board."""
    data = board_samples.tdf(picture)
    drawn = changed(data, random.Random(1), "neighbour", 1)
    spot = next(k for k in range(len(drawn)) if drawn[k] != data[k])  # the count of a row of neighbours
    (count,) = struct.unpack_from(">i", drawn, spot - 3)
    for stranger in (4999, -1):
        wrong = drawn[: spot - 3 + 4 * count] + struct.pack(">i", stranger) + drawn[spot - 3 + 4 * count + 4 :]
        again, result = put_tdf(wrong, tmp_path)
        assert_same_board(plain, again)
        only_note(result, f"as its neighbours nodes that there are not: {stranger}; they are left out")


def test_a_move_of_a_dat_board_to_itself_is_left_out_and_told(plain: Track, picture: Picture, tmp_path: Path) -> None:
    number = picture.number[plain.ids["1:left:5"]]
    picture.extra_moves = [f"{number} {number}", f"{number} {number}"]
    again, result = put(picture, tmp_path)
    assert_same_board(plain, again)
    only_note(result, f"The move from node {number} to itself is left out")


def test_two_spaces_in_one_row_without_one_behind_are_not_crossed(plain: Track, tmp_path: Path) -> None:
    """As on a published board: the value is missing twice, and the moves tell whose lane is whose."""
    drawn = board_samples.draw(plain)
    whole = board_samples.tdf(drawn)
    order = sorted(drawn.at, key=lambda s: drawn.number[s])
    for name in ("1:left:9", "0:left:4", "2:left:2"):
        data = bytearray(whole)
        section, _, number = name.split(":")
        for lane in ("left", "middle"):
            space = plain.ids[f"{section}:{lane}:{min(int(number), 5) if section != '1' else number}"]
            before = order.index(board_samples.behind(plain, space))
            at = data.index(struct.pack(">ii", plain.place[space], before))
            data[at + 4 : at + 8] = struct.pack(">i", -1)
        again, result = put_tdf(bytes(data), tmp_path)
        assert_same_board(plain, again)
        assert result.notes == []
