"""Boards of our own, drawn in many ways in both formats, come back as the same boards."""

import re
from pathlib import Path

import board_samples
import pytest
from same_board import assert_same_board

from companion import circuits
from companion.importing import import_board
from companion.rules.circuit import check as track_check
from companion.rules.circuit.track import Track

CIRCUITS = [key for key in sorted(circuits.keys()) if circuits.load(key).known == "space"]
SAMPLES = {
    "plain": board_samples.PLAIN,
    "line in a corner": board_samples.LINE_IN_CORNER,
    "corner after corner": board_samples.CORNER_AFTER_CORNER,
    "figure of eight": board_samples.FIGURE_OF_EIGHT,
    "two lanes": board_samples.two_lanes(),
    "four lanes, one space blocked": board_samples.four_lanes(),
}
WAYS = [
    {"rotate": 0.0, "numbers": "rows", "finish": "F"},
    {"rotate": 77.0, "numbers": "shuffled", "finish": "type", "scale": 3.0, "jitter": 5.0},
    {"rotate": 160.0, "numbers": "gaps", "finish": "F", "scale": 0.8, "jitter": 0.8, "shift": (-4000.0, 250.0)},
    {"rotate": 271.0, "numbers": "shuffled", "finish": "type", "jitter": 1.5, "seed": 8},
]


def without_exceptions(key: str) -> Track:
    """One of our circuits without what geometry alone does not tell: .dat files do not tell it either."""
    text = circuits.find(key).read_text(encoding="utf-8")
    return board_samples.track_of(re.sub(r"(?ms)^(beside|apart|order|level) *= *\[.*?\]\]\s*\n", "", text))


def imported(data: bytes, file: Path) -> tuple[Track, list[str]]:
    file.write_bytes(data)
    result = import_board(file)
    track = board_samples.track_of(result.text)
    assert [zone.proposed for zone in track.zones] == [True, True]
    assert result.playable
    said = [
        str(note).partition(": ")[2] for note in result.notes if str(note).startswith("Compare this with your board: ")
    ]
    barred, compare = track_check.judge(track, file.name)
    assert (barred, list(map(str, compare))) == ([], said)
    return track, result.notes


@pytest.mark.parametrize("way", range(len(WAYS)))
@pytest.mark.parametrize("board", SAMPLES)
def test_sample_comes_back_from_dat(board: str, way: int, tmp_path: Path) -> None:
    track = board_samples.track_of(SAMPLES[board])
    picture = board_samples.draw(track, **WAYS[way])
    data = picture.dat(newline="\r\n" if way % 2 else "\n", pad="  " * (way // 2), shuffle=way or None)
    again, notes = imported(data, tmp_path / "board.dat")
    assert_same_board(track, again)
    assert notes == []


@pytest.mark.parametrize("way", range(len(WAYS)))
@pytest.mark.parametrize("board", SAMPLES)
def test_sample_comes_back_from_tdf(board: str, way: int, tmp_path: Path) -> None:
    track = board_samples.track_of(SAMPLES[board])
    picture = board_samples.draw(track, **WAYS[way])
    data = board_samples.tdf(picture, boxes="in the lane" if way % 2 else "beside")
    again, notes = imported(data, tmp_path / "board.tdf")
    assert_same_board(track, again)
    assert notes == []
    assert again.weather == track.weather


@pytest.mark.parametrize("way", range(len(WAYS)))
@pytest.mark.parametrize("key", CIRCUITS)
def test_circuit_comes_back_from_dat(key: str, way: int, tmp_path: Path) -> None:
    track = without_exceptions(key)
    data = board_samples.draw(track, **WAYS[way]).dat(newline="\r\n" if way % 2 else "\n", shuffle=way or None)
    again, notes = imported(data, tmp_path / "board.dat")
    assert_same_board(track, again)
    assert notes == []


@pytest.mark.parametrize("key", CIRCUITS)
def test_circuit_comes_back_from_tdf_with_its_sides(key: str, tmp_path: Path) -> None:
    track = circuits.load(key)
    again, notes = imported(board_samples.tdf(board_samples.draw(track, numbers="shuffled")), tmp_path / "board.tdf")
    assert_same_board(track, again)
    assert notes == []


def test_monaco_has_its_figures_after_the_way_through_dat(tmp_path: Path) -> None:
    data = board_samples.draw(circuits.load("monaco"), numbers="gaps", jitter=1.0).dat()
    track, _ = imported(data, tmp_path / "monaco.dat")
    assert sum(space.section >= 0 for space in track.spaces) == 497
    assert sum(len(track.moves[s.id]) for s in track.spaces if s.section >= 0) == 993
    assert [(c.stops, c.shortest, c.longest) for c in track.corners] == [
        (c.stops, c.shortest, c.longest) for c in circuits.load("monaco").corners
    ]
    assert (track.shortest_lap, track.name) == (158, "Monaco")


def test_lanes_are_found_without_being_told(tmp_path: Path) -> None:
    track = circuits.load("monaco")
    data = board_samples.tdf(board_samples.draw(track, rotate=33.0, jitter=1.0), lanes=False)
    again, notes = imported(data, tmp_path / "board.tdf")
    assert_same_board(track, again)
    assert notes == []


def test_rows_are_written_as_a_person_would(tmp_path: Path) -> None:
    """A straight is a few marks, and a corner where the zip gives every target has no numbers."""
    file = tmp_path / "plain.dat"
    file.write_bytes(board_samples.draw(board_samples.track_of(board_samples.PLAIN)).dat())
    text = import_board(file).text
    assert text.count('left    = "> > > ^ > > >"') == 2
    assert text.count('middle  = "17* ^"') == 2
    assert text.count("stagger = [2, 1, 0]") == 2
    assert 'name    = "Plain"' in text


def test_the_picture_gives_direction_and_bend(tmp_path: Path) -> None:
    track = circuits.load("monaco")
    again, _ = imported(board_samples.draw(track, rotate=0.0).dat(), tmp_path / "monaco.dat")
    assert sum(section.bend for section in again.sections) == sum(section.bend for section in track.sections)
    for corner in again.corners:
        ours = track.sections[track.corners[corner.number - 1].section].bend
        assert abs(again.sections[corner.section].bend - ours) < 40
