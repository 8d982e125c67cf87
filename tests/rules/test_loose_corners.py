"""Corners whose printed marks no lengths of spaces can meet."""

from companion.rules.circuit.file import Reading, read
from tests.rules.pieces import RIGHT_HANDER, STRAIGHT

HEAD = """
name = "Loose"
country = "nowhere"
known = "space"
laps = { competition = 2 }
weather = { rain = [1, 7], changeable = [8, 12], sun = [13, 20] }
source = "made for a test"
trust = "whole"
line = ["1:left:15", "1:middle:15", "1:right:16"]
grid = ["1:left:14"]
"""
BOARD = (
    HEAD
    + RIGHT_HANDER.replace('> > ^ > >"', 'MARKS"').replace('inside = "right"', 'inside = "right"\nLOOSE')
    + STRAIGHT
)


def reading(marks: str, loose: str) -> Reading:
    return read(BOARD.replace("MARKS", marks).replace("LOOSE", loose), "loose.toml", "loose")


def test_marks_that_fit_no_lengths_need_the_word() -> None:
    track, complaints = reading("> > >3 >3 >", "")
    assert track is None
    assert len(complaints) == 1
    assert "the sideways marks do not fit together" in str(complaints[0])
    assert "loose = true" in str(complaints[0])


def test_a_loose_corner_takes_the_nearest_lengths_and_its_lanes_stay_in_order() -> None:
    track, complaints = reading("> > >3 >3 >", "loose = true")
    assert complaints == []
    assert track is not None
    third, fourth = track.ids["0:middle:3"], track.ids["0:middle:4"]
    target = track.ids["0:right:3"]
    assert target in track.moves[third]
    assert target in track.moves[fourth]
    for section in track.sections:
        for lane in section.lanes:
            steps = [(track.place[s] - track.place[track.behind[s]]) % track.length for s in lane]
            assert all(0 < step <= 6 for step in steps)


def test_a_corner_that_fits_is_not_loose() -> None:
    assert any("leave loose out" in str(complaint) for complaint in reading("> > ^ > >", "loose = true").complaints)
    assert reading("> > ^ > >", "loose = false").complaints == []
    assert any("true or false" in str(complaint) for complaint in reading("> > ^ > >", "loose = 1").complaints)
