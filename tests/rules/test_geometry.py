"""Place along the lap: Monaco as counted on the board, and what holds on every board."""

from itertools import pairwise

import pytest

from companion import circuits
from companion.rules.circuit.geometry import Sideways, corner_paths, fit_corner, half_spaces, side_by_side
from companion.rules.circuit.track import Track

OWN = ("kestrel-moor", "porto-sereno", "copper-basin")


@pytest.fixture(scope="module")
def monaco() -> Track:
    return circuits.load("monaco")


@pytest.fixture(scope="module", params=("monaco", *OWN))
def board(request: pytest.FixtureRequest) -> Track:
    return circuits.load(request.param)


def on_track(track: Track) -> list[int]:
    return [s.id for s in track.spaces if s.section >= 0]


def named(track: Track, *names: str) -> set[int]:
    return {track.id_of(name) for name in names}


class TestMonaco:
    def test_spaces_and_moves(self, monaco: Track) -> None:
        spaces = on_track(monaco)
        assert len(spaces) == 497
        assert [sum(monaco.spaces[s].lane == lane for s in spaces) for lane in (0, 1, 2)] == [168, 166, 163]
        assert sum(len(monaco.moves[s]) for s in spaces) == 993

    def test_shortest_lap(self, monaco: Track) -> None:
        assert monaco.shortest_lap == 158

    def test_corners(self, monaco: Track) -> None:
        assert len(monaco.corners) == 10
        assert sum(corner.stops for corner in monaco.corners) == 14
        assert [(c.stops, *corner_paths(monaco, i)) for i, c in enumerate(monaco.corners)] == [
            (1, 3, 7),
            (1, 5, 10),
            (1, 2, 6),
            (1, 2, 6),
            (3, 8, 18),
            (1, 5, 9),
            (1, 3, 7),
            (2, 8, 13),
            (2, 6, 11),
            (1, 2, 6),
        ]
        assert [(c.shortest, c.longest) for c in monaco.corners] == [
            corner_paths(monaco, i) for i in range(len(monaco.corners))
        ]

    def test_side_by_side(self, monaco: Track) -> None:
        pairs = [(a, b) for a in on_track(monaco) for b in monaco.beside[a] if a < b]
        straight = [1 for a, b in pairs if monaco.corner[a] < 0 and monaco.corner[b] < 0]
        assert (len(pairs), len(straight)) == (663, 380)

    def test_side_by_side_at_the_chicane_as_two_of_three_drawings_have_it(self, monaco: Track) -> None:
        assert monaco.id_of("11:right:4") in monaco.beside[monaco.id_of("11:middle:2")]
        assert monaco.id_of("11:right:3") not in monaco.beside[monaco.id_of("11:middle:3")]

    def test_the_half_ahead_and_the_half_behind_are_beside_on_a_straight(self, monaco: Track) -> None:
        assert set(monaco.beside[monaco.id_of("2:middle:5")]) == named(
            monaco, "2:left:4", "2:left:5", "2:right:5", "2:right:6"
        )

    def test_only_the_outer_lanes_are_level_on_a_straight(self, monaco: Track) -> None:
        place = {name: monaco.place[monaco.id_of(name)] for name in ("2:left:5", "2:middle:5", "2:right:6")}
        assert place["2:left:5"] == place["2:right:6"] == place["2:middle:5"] + 1

    def test_the_line_the_grid_and_the_place_of_pole(self, monaco: Track) -> None:
        assert monaco.line == named(monaco, "20:left:17", "20:middle:17", "20:right:18")
        assert [monaco.name_of(s) for s in monaco.grid[:4]] == [
            "20:left:16",
            "20:right:16",
            "20:left:13",
            "20:right:13",
        ]
        assert monaco.name_of(monaco.grid[-1]) == "20:right:4"
        assert monaco.place[monaco.grid[0]] == monaco.length - 1
        assert {monaco.place[s] for s in monaco.line} == {0, 1}

    def test_the_pit_lane_and_its_stepped_limit(self, monaco: Track) -> None:
        pit = monaco.pit
        assert pit is not None
        assert (len(pit.spaces), len(pit.boxes)) == (18, 10)
        assert [monaco.name_of(s) for s in pit.fronts] == [f"pit:{n}" for n in range(4, 14)]
        past = sorted(monaco.past_limit, key=lambda s: (monaco.place[s] - pit.limit) % monaco.length)
        first = [next(s for s in past if monaco.spaces[s].lane == lane) for lane in (0, 1, 2)]
        assert [monaco.name_of(first[lane]) for lane in (0, 1, 2)] == ["20:left:1", "20:middle:2", "20:right:3"]
        assert [monaco.place[first[lane]] - monaco.place[first[2]] for lane in (0, 1, 2)] == [-2, -1, 0]
        assert pit.limit == monaco.place[monaco.id_of("20:left:1")]
        assert named(monaco, "0:right:2", "20:right:18") <= monaco.past_limit
        assert not named(monaco, "20:right:2", "20:middle:1", "19:left:6", "0:right:4") & monaco.past_limit

    def test_the_weather(self, monaco: Track) -> None:
        assert (monaco.weather.rain, monaco.weather.changeable, monaco.weather.sun) == ((1, 7), (8, 12), (13, 20))

    def test_lanes_end_level_round_the_lap(self, monaco: Track) -> None:
        assert monaco.length == 332


class TestEveryBoard:
    def test_side_by_side_is_mutual_and_between_neighbouring_lanes(self, board: Track) -> None:
        for a in range(len(board.spaces)):
            assert list(board.beside[a]) == sorted(board.beside[a])
            for b in board.beside[a]:
                assert a in board.beside[b]
                assert abs(board.spaces[a].lane - board.spaces[b].lane) == 1

    def test_a_sideways_move_leads_to_a_space_beside(self, board: Track) -> None:
        for a in on_track(board):
            for b in board.moves[a]:
                assert b == board.ahead[a] or b in board.beside[a]

    def test_behind_undoes_ahead_and_back_the_moves(self, board: Track) -> None:
        for a in range(len(board.spaces)):
            if board.ahead[a] >= 0:
                assert board.behind[board.ahead[a]] == a
            for b in board.moves[a]:
                assert a in board.back[b]
            for b in board.back[a]:
                assert a in board.moves[b]

    def test_every_space_of_a_lane_lies_ahead_of_the_one_behind(self, board: Track) -> None:
        for a in on_track(board):
            step = (board.place[board.ahead[a]] - board.place[a]) % board.length
            assert 1 <= step <= 10

    def test_a_lane_comes_round_once(self, board: Track) -> None:
        for lane in range(len(board.lanes)):
            start = here = next(s for s in sorted(board.line) if board.spaces[s].lane == lane)
            seen = set()
            while here not in seen:
                seen.add(here)
                here = board.ahead[here]
            assert here == start
            assert seen == {s for s in on_track(board) if board.spaces[s].lane == lane}

    def test_no_move_goes_back_in_the_order_but_over_the_line(self, board: Track) -> None:
        assert sorted(board.order) == list(range(len(board.spaces)))
        crossings = 0
        for a in range(len(board.spaces)):
            for b in board.moves[a]:
                over = board.past_line(b) and not board.past_line(a)
                crossings += over
                assert over or board.order[a] < board.order[b]
        assert crossings >= len(board.lanes)

    def test_the_line_is_crossed_onto_its_spaces(self, board: Track) -> None:
        for a in on_track(board):
            for b in board.moves[a]:
                if board.past_line(b) and not board.past_line(a):
                    assert b in board.line

    def test_the_pit_lane_goes_forward_and_its_boxes_stand_level_with_the_lane(self, board: Track) -> None:
        pit = board.pit
        assert pit is not None
        lane = [pit.entries[0][0], *pit.spaces, pit.exits[-1][1]]
        for a, b in pairwise(lane):
            assert 1 <= (board.place[b] - board.place[a]) % board.length < 10
        assert [board.place[b] for b in pit.boxes] == [board.place[f] for f in pit.fronts]
        assert len(pit.boxes) >= 10
        assert len(board.grid) >= 10

    def test_the_limit_is_stepped_by_half_a_space_a_lane(self, board: Track) -> None:
        assert board.pit is not None
        doors = [s for s, _ in board.pit.entries]
        side = board.spaces[doors[0]].lane
        last = max(doors, key=lambda s: board.place[s])
        for lane in range(len(board.lanes)):
            before = {board.behind[s] for s in board.past_limit if board.spaces[s].lane == lane} - board.past_limit
            assert len(before) == 1
            assert board.place[last] - board.place[before.pop()] == abs(lane - side)

    def test_corner_paths_are_as_printed(self, board: Track) -> None:
        for index, corner in enumerate(board.corners):
            assert corner_paths(board, index) == (corner.shortest, corner.longest)
            low, high = {1: (2, 10), 2: (6, 13), 3: (8, 18)}[corner.stops]
            assert low <= corner.shortest < corner.longest <= high

    def test_the_checker_has_nothing_to_say(self, board: Track) -> None:
        assert circuits.complaints(board.key) == []


class TestTheFitOfACorner:
    def test_without_marks_the_spaces_of_a_lane_are_alike(self) -> None:
        fit = fit_corner([4, 5], [0, 0], [0, 2], [])
        assert fit.end == 8
        assert fit.lengths == (pytest.approx((2, 2, 2, 2)), pytest.approx((2, 2, 2, 2, 2)))

    def test_a_sideways_move_leads_halfway_along(self) -> None:
        fit = fit_corner([3, 2], [0, 1], [2, 1], [Sideways(0, 1, 1, 1), Sideways(0, 2, 1, 2), Sideways(0, 3, 1, 3)])
        assert fit.misfit < 1e-6
        outer, inner = fit.lengths
        assert outer[0] / 2 == pytest.approx(1)
        assert outer[0] + outer[1] / 2 == pytest.approx(1 + inner[0])

    def test_marks_that_contradict_one_another_are_a_misfit(self) -> None:
        fit = fit_corner([2, 2], [0, 1], [0, 1], [Sideways(0, 1, 1, 1), Sideways(0, 2, 1, 1)])
        assert fit.misfit > 0.1

    def test_every_space_has_a_half_space_of_its_own(self) -> None:
        assert half_spaces(10, [0.7, 0.7, 0.7, 1.9]) == [10, 11, 12, 13]
        assert half_spaces(10, [0.6, 0.6, 0.6, 2.2]) == [10, 11, 12, 13]
        assert half_spaces(10, [2.0, 2.0]) == [11, 13]
        assert half_spaces(0, [3.0, 0.5, 0.5]) == [1, 2, 3]

    def test_overlap_counts_across_the_line_and_touching_does_not(self) -> None:
        stretch = {0: (1.0, 5.0), 1: (5.0, 11.0), 2: (0.0, 5.0), 3: (5.0, 10.0)}
        assert side_by_side([[0, 1], [2, 3]], stretch, 10) == {(0, 2), (1, 3), (1, 2)}


class TestOurOwn:
    def test_the_fast_one(self) -> None:
        track = circuits.load("kestrel-moor")
        straights = [len(s.lanes[0]) for s in track.sections if s.corner is None]
        assert max(straights) >= 25
        assert 110 <= track.shortest_lap <= 170

    def test_the_street_circuit_has_two_zones(self) -> None:
        track = circuits.load("porto-sereno")
        assert [zone.name for zone in track.zones] == ["Sea Front", "Quay"]
        assert all(track.corner[s] < 0 for zone in track.zones for s in zone.spaces)
        assert len(track.corners) == 10
        follows = [a.corner and b.corner for a, b in pairwise(track.sections)]
        assert any(follows), "a corner right after a corner"

    def test_the_oval_has_four_lanes_and_a_wall(self) -> None:
        track = circuits.load("copper-basin")
        assert track.lanes == ("left", "inner-left", "inner-right", "right")
        assert track.lanes[track.wall] == "right"
        assert all(corner.inside == 0 for corner in track.corners)
        assert 100 <= track.shortest_lap <= 140
