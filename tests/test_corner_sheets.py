"""The corner sheets against the table of figures they were written from."""

import re
from pathlib import Path

import pytest

from companion.rules.circuit.file import read
from companion.rules.circuit.track import Track

TRACKS = Path(__file__).parent.parent / "tracks"

# Fewest spaces of a lap, boxes, and the corners as stops(longest/shortest), * where the lanes are not joined.
TABLE = {
    "austin": (145, 10, "1(6/1) 1(5/2) 2(12/7) 3(15/9) 1(6/1) 1(5/1) 3(17/8) 1(5/1) 1(5/1) 1(5/1)"),
    "barcelona": (164, 10, "2(11/6) 1(8/3) 1(5/1) 1(5/1) 1(6/2) 1(5/1) 1(7/2) 1(5/2) 1(7/3)"),
    "budapest": (144, 10, "1(10/4) 2(13/8) 1(4/1) 1(7/3) 1(5/2) 2(11/6) 1(5/1) 1(5/1) 1(6/2) 1(10/4)"),
    "buddh": (161, 10, "1(4/1) 1(6/1) 1(6/1) 2(10/5) 1(6/4) 2(13/6) 1(9/4) 1(6/2) 1(7/2)"),
    "estoril": (179, 10, "1(7/3) 1(9/5) 1(10/4) 1(8/2) 1(10/4) 1(9/4) 1(5/1) 2(12/7)"),
    "hockenheim": (141, 10, "1(4/1) 2(10/4) 2(10/5) 2(11/5) 1(5/1) 1(8/3) 2(11/6)"),
    "hockenheim-old": (142, 10, "1(5/2) 2(13/9) 3(21/14) 1(12/8) 1(5/1) 1(7/2) 1(5/1)"),
    "imola": (137, 10, "2(12/7) 1(7/4) 1(6/2*) 1(5/1*) 1(5/1) 1(6/3) 2(11/5) 1(6/3)"),
    "indianapolis-oval": (132, 10, "2(13/9) 1(9/5) 2(12/8) 1(8/4)"),
    "interlagos": (182, 10, "2(12/7) 1(6/2) 1(6/3) 2(14/8) 1(6/1) 1(8/4) 1(6/2)"),
    "magny-cours": (200, 10, "1(6/3) 1(17/12) 2(13/8) 1(9/7) 1(8/3) 1(10/7) 1(10/4) 2(13/7)"),
    "melbourne": (129, 10, "1(10/4) 2(11/5) 1(5/1) 1(8/4) 1(7/4) 1(6/2) 3(18/10)"),
    "montreal": (121, 11, "2(11/5) 2(11/6) 2(11/6) 2(11/5) 2(11/5) 1(6/3)"),
    "monza": (122, 10, "2(13/7) 1(6/3) 1(7/3) 1(5/1) 2(13/8) 1(10/5)"),
    "new-jersey": (132, 10, "2(9/4) 1(4/1*) 1(4/1) 2(8/5) 1(5/1) 1(6/2) 2(9/4) 2(9/4)"),
    "nurburgring": (140, 10, "2(10/5) 1(5/1) 1(5/1) 2(11/5) 1(4/1) 1(5/1) 1(6/2) 3(18/12)"),
    "sebring": (184, 10, "1(7/3) 2(12/6) 2(11/5) 1(4/1) 1(4/1) 1(5/2) 1(4/1) 2(12/6)"),
    "sepang": (195, 10, "2(14/5) 1(5/1) 2(13/9) 2(12/7) 1(5/1) 1(4/1) 1(4/1) 1(6/2) 1(7/2)"),
    "silverstone": (145, 10, "1(7/3) 3(22/15) 1(6/2) 2(13/6) 3(23/13)"),
    "singapore": (
        166,
        10,
        "2(11/5) 1(5/1) 1(4/1) 1(5/1) 1(5/1) 2(10/7) 1(7/2) 1(5/1) 1(7/4) 3(18/11) 1(7/3)",
    ),
    "sochi": (147, 10, "1(5/1) 1(6/3) 1(5/1*) 1(5/1) 1(4/1) 1(4/1) 1(4/1) 3(20/11) 1(5/1*) 1(5/1)"),
    "spa": (173, 10, "1(6/1*) 1(14/10) 2(14/8) 2(14/7) 1(10/5) 2(12/6) 1(12/6) 2(12/6)"),
    "suzuka": (143, 10, "1(11/6) 3(20/13) 1(7/3) 1(6/1) 2(12/6) 2(10/6)"),
    "valencia": (139, 10, "1(6/3) 2(9/4) 2(13/6) 2(13/8) 3(20/11) 1(6/1)"),
    "zandvoort": (149, 10, "1(12/6) 1(4/1) 1(10/4) 1(11/7) 2(14/7) 1(8/4*) 1(8/5)"),
}
STOPS = {
    "austin": 15,
    "barcelona": 10,
    "budapest": 12,
    "buddh": 11,
    "estoril": 9,
    "hockenheim": 11,
    "hockenheim-old": 10,
    "imola": 10,
    "indianapolis-oval": 6,
    "interlagos": 9,
    "magny-cours": 10,
    "melbourne": 10,
    "montreal": 11,
    "monza": 8,
    "new-jersey": 12,
    "nurburgring": 12,
    "sebring": 11,
    "sepang": 12,
    "silverstone": 10,
    "singapore": 15,
    "sochi": 12,
    "spa": 12,
    "suzuka": 10,
    "valencia": 11,
    "zandvoort": 8,
}


def sheet(key: str) -> Track:
    file = TRACKS / f"{key}.toml"
    track, complaints = read(file.read_text(encoding="utf-8"), file.name, key)
    assert complaints == []
    assert track is not None
    return track


def listed_corners(row: str) -> list[tuple[int, int, int]]:
    found = re.findall(r"(\d)\((\d+)/(\d+)\*?\)", row)
    return [(int(stops), int(shortest), int(longest)) for stops, longest, shortest in found]


def test_every_sheet_is_in_the_table() -> None:
    files = [path for path in TRACKS.glob("*.toml") if "template" not in path.stem]
    sheets = {path.stem for path in files if 'known   = "corner"' in path.read_text(encoding="utf-8")}
    assert sheets == set(TABLE) == set(STOPS)


@pytest.mark.parametrize("key", TABLE)
def test_sheet_has_the_figures_of_the_table(key: str) -> None:
    track = sheet(key)
    lap, boxes, row = TABLE[key]
    assert track.known == "corner"
    assert [(c.stops, c.shortest, c.longest) for c in track.corners] == listed_corners(row)
    assert sum(corner.stops for corner in track.corners) == STOPS[key]
    assert (track.shortest_lap, track.box_count) == (lap, boxes)


@pytest.mark.parametrize("key", TABLE)
def test_sheet_says_how_far_to_trust_it_and_how_to_mend_it(key: str) -> None:
    track = sheet(key)
    assert "medium to low" in track.trust
    assert "printed board" in track.trust
    assert re.match(r"Formul(e Dé, board|a D, expansion) \d", track.source)
    text = (TRACKS / f"{key}.toml").read_text(encoding="utf-8")
    assert f"companion tracks check tracks/{key}.toml" in text


@pytest.mark.parametrize("key", TABLE)
def test_corners_with_unjoined_lanes_are_marked(key: str) -> None:
    row = TABLE[key][2].split()
    starred = [number for number, corner in enumerate(row, 1) if "*" in corner]
    text = (TRACKS / f"{key}.toml").read_text(encoding="utf-8")
    blocks = text.split("[[corner]]")[-len(row) :]
    assert [number for number, block in enumerate(blocks, 1) if block.startswith("  # *")] == starred
    trust = sheet(key).trust
    assert ("taken lane by lane" in trust) == bool(starred)
    assert all(f" {number}" in trust for number in starred)


def test_weather_is_the_found_chart_or_the_proposal() -> None:
    for key in TABLE:
        chart = sheet(key).weather
        bands = (chart.rain, chart.changeable, chart.sun)
        if key == "singapore":
            assert bands == ((1, 8), (9, 14), (15, 20))
        else:
            assert bands == ((1, 7), (8, 12), (13, 20))
            assert "# a proposal" in (TRACKS / f"{key}.toml").read_text(encoding="utf-8")


def test_only_the_oval_has_an_outside_wall() -> None:
    assert [key for key in TABLE if sheet(key).wall >= 0] == ["indianapolis-oval"]


@pytest.mark.parametrize("key", TABLE)
def test_corner_names_are_there_once(key: str) -> None:
    names = [corner.name for corner in sheet(key).corners]
    assert len(set(names)) == len(names)
    numbered = [f"Corner {number}" for number in range(1, len(names) + 1)]
    assert names == numbered or not set(names) & set(numbered)
