"""Circuit files: what a track says, and what is said of a broken one."""

import re
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import circuits
from companion.rules.circuit import check as track_check
from companion.rules.circuit.file import load_track, read
from companion.rules.circuit.spaces import BoardFile
from companion.rules.circuit.track import Track, WeatherChart
from companion.rules.conversation.errors import BadTrack, CompanionError
from tests.french import told_in_french
from tests.rules.pieces import RIGHT_HANDER

SMALL = (
    """
name = "Small"
country = "Nowhere"
known = "space"
laps = { competition = 3 }
weather = { rain = [1, 7], changeable = [8, 12], sun = [13, 20] }
source = "made for a test"
trust = "none"
line = ["0:left:1", "0:middle:1", "0:right:1"]
grid = ["2:left:17", "2:right:17", "2:left:14", "2:right:14"]

[pit]
entries = [["2:right:2", 1], ["2:right:3", 1]]
spaces = 16
boxes = [4, 5, 6]
exits = [[16, "0:right:2"]]

[[section]]
stagger = [1, 0, 1]
left = "4>"
middle = "4* ^"
right = "4< ^"
"""
    + RIGHT_HANDER
    + """
[[section]]
stagger = [2, 1, 0]
left = "17"
middle = "17"
right = "18"
"""
)

SHEET = """
name = "Sheet"
country = "Nowhere"
known = "corner"
laps = { competition = 3, league = 2 }
weather = { rain = [1, 7], changeable = [8, 12], sun = [13, 20] }
source = "made for a test"
trust = "none"
lap = 145
boxes = 10

[[corner]]
name = "First"
stops = 2
shortest = 7
longest = 12

[[corner]]
name = "Second"
stops = 1
shortest = 2
longest = 6
"""


def small(old: str = "", new: str = "") -> str:
    assert old in SMALL
    return SMALL.replace(old, new, 1)


def said(text: str) -> list[str]:
    return list(map(str, complaints_of(text)))


def complaints_of(text: str) -> list[BadTrack]:
    return track_check.check_text(text, "small.toml", "small")


@pytest.fixture(scope="module")
def track() -> Track:
    return load_track(SMALL, "small.toml", "small")


def names(track: Track, spaces: object) -> list[str]:
    assert isinstance(spaces, (tuple, frozenset, list, set))
    return [track.name_of(s) for s in sorted(spaces)]


class TestASmallCircuit:
    def test_is_sound(self) -> None:
        assert said(SMALL) == []

    def test_has_its_spaces_in_order_of_section_and_lane(self, track: Track) -> None:
        on_track = [s for s in track.spaces if s.section >= 0]
        assert len(on_track) == 14 + 15 + 52
        assert [s.id for s in track.spaces] == list(range(len(track.spaces)))
        assert track.name_of(0) == "0:left:1"
        assert track.id_of("1:middle:5") == 14 + 7 + 4
        assert track.name_of(track.id_of("box:3")) == "box:3"

    def test_zips_the_marks_of_a_corner(self, track: Track) -> None:
        def to(name: str) -> list[str]:
            return [track.name_of(s) for s in track.moves[track.id_of(name)]]

        assert to("1:left:3") == ["1:left:4", "1:middle:3"]
        assert to("1:left:4") == ["1:left:5"]
        assert to("1:left:5") == ["1:left:6", "1:middle:4"]
        assert to("1:left:7") == ["2:left:1", "2:middle:1"]
        assert to("1:middle:4") == ["1:middle:5", "1:right:3"]

    def test_leads_sideways_on_a_straight_by_its_stagger(self, track: Track) -> None:
        def to(name: str) -> list[str]:
            return [track.name_of(s) for s in track.moves[track.id_of(name)]]

        assert to("2:left:5") == ["2:left:6", "2:middle:6"]
        assert to("2:middle:5") == ["2:left:5", "2:middle:6", "2:right:6"]
        assert to("2:right:5") == ["2:middle:5", "2:right:6"]
        assert to("2:left:17") == ["0:left:1", "0:middle:1"], "a bare number leads over the border of two straights"

    def test_is_one_straight_across_the_line(self, track: Track) -> None:
        assert {track.straight[track.id_of(n)] for n in ("0:left:1", "2:right:18", "2:left:1")} == {0}
        assert track.straight[track.id_of("1:left:1")] == -1
        assert track.corner[track.id_of("1:left:1")] == 0
        assert track.corner[track.id_of("pit:1")] == track.straight[track.id_of("pit:1")] == -1

    def test_counts_places_from_the_line(self, track: Track) -> None:
        assert [track.place[track.id_of(n)] for n in ("0:left:1", "0:middle:1", "0:right:1")] == [1, 0, 1]
        assert track.place[track.id_of("2:left:17")] == track.length - 1
        assert track.past_line(track.id_of("0:middle:1"))
        assert not track.past_line(track.id_of("2:left:17"))
        assert track.past_line(track.id_of("pit:16"))
        assert not track.past_line(track.id_of("pit:4"))

    def test_has_its_pit_lane(self, track: Track) -> None:
        pit = track.pit
        assert pit is not None
        assert [track.name_of(s) for s in pit.fronts] == ["pit:4", "pit:5", "pit:6"]
        assert [(track.name_of(a), track.name_of(b)) for a, b in pit.entries] == [
            ("2:right:2", "pit:1"),
            ("2:right:3", "pit:1"),
        ]
        assert [(track.name_of(a), track.name_of(b)) for a, b in pit.exits] == [("pit:16", "0:right:2")]
        assert track.moves[track.id_of("pit:16")] == (track.id_of("0:right:2"),)
        assert track.moves[track.id_of("box:2")] == (track.id_of("pit:5"),)
        assert track.ahead[track.id_of("pit:3")] == track.id_of("pit:4")
        assert track.ahead[track.id_of("pit:16")] == -1
        assert track.place[track.id_of("box:2")] == track.place[track.id_of("pit:5")]
        assert track.id_of("pit:1") not in track.moves[track.id_of("2:right:2")], "the entry is no printed move"

    def test_names_a_space_that_is_not_there(self, track: Track) -> None:
        with pytest.raises(CompanionError, match=r"^Small has no space 9:left:1; a space is named .* 0:left:1\.$"):
            track.id_of("9:left:1")
        with pytest.raises(CompanionError, match="no space number 999"):
            track.name_of(999)

    def test_has_headings(self) -> None:
        text = small('left = "4>"', 'left = "4>"\ndirection = 350\nbend = 30')
        track = load_track(text.replace("bend = 360", "bend = 330"), "small.toml", "small")
        assert [(s.direction, s.bend) for s in track.sections] == [(350, 30), (20, 330), (350, 0)]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('name = "Small"', "", "small.toml: name is missing or empty; it has to be some words in quotation marks."),
        ('name = "Small"', "name = 3", "small.toml: name is missing or empty"),
        (
            'name = "Small"',
            'name = "Sm\\u001b[2Jall"',
            "small.toml: name has a line break or another control character",
        ),
        ('known = "space"', 'known = "half"', 'small.toml: known has to be "space" or "corner".'),
        ('trust = "none"', 'trust = "none"\ncolour = 3', "small.toml: colour means nothing here; what can be said is "),
        (
            "{ competition = 3 }",
            "{ competition = true }",
            "small.toml, laps: competition is True; it has to be a whole",
        ),
        ("{ competition = 3 }", "{ chess = 3 }", "small.toml, laps: chess means nothing here"),
        ("sun = [13, 20]", "sun = [14, 20]", "small.toml, weather: face 13 of the black die brings nothing; rain,"),
        ("sun = [13, 20]", "sun = [12, 20]", "small.toml, weather: face 12 of the black die brings 2 skies; rain,"),
        ("sun = [13, 20]", "sun = [13, 21]", "small.toml, weather: a band runs from its lowest face to its highest"),
        ("sun = [13, 20]", "sun = 13", "small.toml, weather: sun has to be the lowest and the highest face"),
        (
            "stops = 1",
            "stops = 4",
            "small.toml, section 1 (Only): stops is 4; it has to be a whole number from 1 to 3.",
        ),
        ("stops = 1", "stops = 1\nspots = 1", "small.toml, section 1 (Only): spots means nothing here"),
        ("stops = 1", "stops = 1\nstagger = [0, 1, 2]", "small.toml, section 1 (Only): stagger means nothing here"),
        (
            "longest = 7",
            "longest = 2",
            "small.toml, section 1 (Only): the shortest path, 3, is longer than the longest, 2",
        ),
        (
            "longest = 7",
            "longest = 8",
            "small.toml, section 1 (Only): the longest path is given as 8, by the marks it is 7",
        ),
        (
            "shortest = 3",
            "shortest = 4",
            "small.toml, section 1 (Only): the shortest path is given as 4, by the marks it is",
        ),
        ('inside = "right"', 'inside = "middle"', "small.toml, section 1 (Only): inside has to say which side"),
        ("stagger = [2, 1, 0]", "stagger = [2, 1]", "small.toml, section 2: stagger has to say how many half spaces"),
        ("stagger = [2, 1, 0]", "", "small.toml, section 2: stagger has to say how many half spaces"),
        ('left = "17"', "", "small.toml, section 2, lane left: the lane is missing; every section has every lane."),
        ('left = "17"', 'left = ""', "small.toml, section 2, lane left: the lane has no space; every lane"),
        ('left = "17"', "left = true", "small.toml, section 2, lane left: a lane is a row of marks"),
        ('left = "4>"', 'left = "2> > ?"', "small.toml, section 0, lane left, space 4: ? is no mark; a mark is"),
        ('left = "4>"', 'left = "3> 2>5"', "small.toml, section 0, lane left, space 4: 2>5 is no mark; a mark is"),
        (
            'left = "4>"',
            'left = "3> *"',
            "small.toml, section 0, lane left, space 4: * leads left of the leftmost lane",
        ),
        (
            'right = "4< ^"',
            'right = "4< >"',
            "small.toml, section 0, lane right, space 5: > leads right of the rightmost",
        ),
        ('left = "4>"', 'left = "0> 4>"', "small.toml, section 0, lane left, space 1: the number in 0> is too small"),
        (
            'left = "4>"',
            'left = "1700000* 4>"',
            "small.toml, section 0, lane left, space 1: the number in 1700000* is too large; a mark repeats 1 to 200",
        ),
        (
            'left = "4>"',
            'left = "1700000 4>"',
            "small.toml, section 0, lane left, space 1: 1700000 is no number of spaces; a row has from 1 to 200",
        ),
        (
            'left = "4>"',
            'left = "4> >' + "9" * 5000 + '"',
            "small.toml, section 0, lane left, space 5: > leads to space 1000000000 of",
        ),
        (
            'left = "4>"',
            'left = "3> >9"',
            "small.toml, section 0, lane left, space 4: > leads to space 9 of lane middle, which has 5; a number",
        ),
        (
            'left = "> > > ^ > > >"',
            'left = "> > > > > > >"',
            "small.toml, section 1 (Only), lane left, space 7: > leads to space 7 of lane middle, which has 5;",
        ),
        (
            'left = "> > > ^ > > >"',
            'left = "> > > ^ > > <"',
            "small.toml, section 1 (Only), lane left, space 7: < leads left of the leftmost lane",
        ),
        (
            'right = "18"',
            'right = "17"',
            "small.toml, section 2, lane right, space 17: beside lane left the lane ends 2 half spaces short of where"
            " section 0 begins; its spaces or a stagger have to be counted again.",
        ),
        (
            'middle = "17"',
            'middle = "18"',
            "small.toml, section 2, lane middle, space 18: beside lane left the lane ends 2 half spaces beyond where",
        ),
        (
            "stagger = [2, 1, 0]",
            "stagger = [3, 1, 0]",
            "small.toml, section 2, lane left, space 1: > needs to know where it leads, as lane middle",
        ),
        (
            'middle = "> > ^ > >"',
            'middle = "> > x > >"',
            "small.toml, section 1 (Only), lane left, space 3: > leads to 1:middle:3, which is blocked;",
        ),
        (
            '["0:left:1",',
            '["0:left:5",',
            "small.toml, line 1: there is no space 0:left:5; lane left of section 0 has spaces",
        ),
        (
            '["0:left:1",',
            '["7:left:1",',
            "small.toml, line 1: there is no space 7:left:1; a space is section:lane:number",
        ),
        ('["0:left:1",', "[4,", "small.toml, line 1: 4 is no space; a space is written section:lane:number"),
        ('["0:left:1",', "[", "small.toml, line: line has to name one space in each lane, in the order left, middle,"),
        (
            '["0:left:1",',
            '["0:left:2",',
            "small.toml, line: 0:left:2 is not the first space past the line, as 0:left:1",
        ),
        (
            '"2:right:14"]',
            '"2:left:14"]',
            "small.toml, grid slot 4: 2:left:14 is grid slot 3 already; each slot has its own space.",
        ),
        (
            '"2:right:14"]',
            '"2:right:19"]',
            "small.toml, grid slot 4: there is no space 2:right:19; lane right of section 2",
        ),
        (
            '"2:right:14"]',
            '"0:right:4"]',
            "small.toml, section 0, lane right, space 4: grid slot 4 lies past the line; slots lie before it.",
        ),
        (
            '"2:right:14"]',
            '"2:right:16"]',
            "small.toml, section 2, lane right, space 16: grid slot 4 lies ahead of slot 3; pole comes first.",
        ),
        (
            "[[section]]",
            '[[drs]]\nname = "A"\nsections = [0]\nproposed = 1\n[[section]]',
            "small.toml, DRS zone 1: proposed is true for a zone that is not on the board as printed, else false.",
        ),
        ("boxes = [4, 5, 6]", "boxes = [4, 5, 17]", "small.toml, box 3: it stands at lane space 17; the pit lane has"),
        ("boxes = [4, 5, 6]", "boxes = [4, 5, 4]", "small.toml, box 3: box 1 stands at lane space 4 already."),
        ("boxes = [4, 5, 6]", "", "small.toml, pit lane: boxes has to list the lane space in front of each box"),
        (
            '["2:right:2", 1], ["2:right:3", 1]',
            '["2:right:3", 2]',
            "small.toml, pit lane, space 1: no entry leads to the first space of the lane.",
        ),
        (
            '["2:right:2", 1]',
            '["2:right:2", 0]',
            "small.toml, pit lane, entry 1: there is no lane space 0; the pit lane",
        ),
        ('["2:right:2", 1]', '["2:right:20", 1]', "small.toml, pit lane, entry 1: there is no space 2:right:20"),
        ('["2:right:2", 1]', '"2:right:2"', "small.toml, pit lane, entry 1: it has to be written"),
        ("[[16,", "[[15,", "small.toml, pit lane, space 16: no exit leads from the last space of the lane."),
        (
            "spaces = 16",
            "spaces = 60",
            "small.toml, pit lane, space 60: no exit leads from the last space of the lane.",
        ),
        ('"2:right:3", 1]', '"2:left:3", 1]', "small.toml, pit lane: its entries and exits have to lie in one lane"),
        ("bend = 360", "bend = 300", "small.toml, section 2: all bends together turn 300 degrees; a lap turns 360"),
        (
            "bend = 360",
            "bend = 361",
            "small.toml, section 1 (Only): bend is 361; it has to be a whole number from -360",
        ),
        ("name =", "name", "small.toml: this is not TOML: "),
        ('right = "^ ^ ^"', 'right = "61^"', "small.toml, section 1 (Only), lane right: 61 spaces are too many for a"),
        ("stops = 1", f"stops = {'9' * 5000}", "small.toml: this is not TOML: "),
    ],
)
def test_a_complaint_says_where_and_what(old: str, new: str, complaint: str) -> None:
    found = complaints_of(small(old, new))
    complaints = list(map(str, found))
    assert any(c.startswith(complaint) for c in complaints), complaints
    assert all(c.startswith("small.toml") and c.endswith(".") and "\n" not in c for c in complaints)
    for told in found:
        assert told_in_french(told).startswith("small.toml")


def test_all_complaints_are_told_and_the_first_is_raised() -> None:
    text = small("sun = [13, 20]", "sun = [14, 20]").replace("stops = 1", "stops = 5").replace('name = "Small"', "")
    assert len(said(text)) == 3
    with pytest.raises(BadTrack, match=r"^small\.toml: name is missing.* \(and 2 more: companion tracks check .*\)$"):
        load_track(text, "small.toml", "small")


def test_marks_that_do_not_fit_together() -> None:
    text = small('middle = "> > ^ > >"', 'middle = ">3 ^ ^ ^ ^"').replace("shortest = 3", "shortest = 5")
    told = next(c for c in said(text) if "the sideways marks do not fit together" in c)
    assert told.startswith("small.toml, section 1 (Only), lane middle, space 1: ")


def test_an_inside_that_does_not_fit_the_bend() -> None:
    told = said(small("bend = 360", "bend = -360"))
    assert told == [
        "small.toml, section 1 (Only): its inside is given as right, and a bend of -360 degrees turns left; one of them"
        " has to be put right."
    ]
    assert track_check.judge_text(small("bend = 360", "bend = -360"), "s", "s").barred == []
    assert "son intérieur est donné à droite, et -360 degrés tournent à gauche" in told_in_french(
        complaints_of(small("bend = 360", "bend = -360"))[0]
    )
    assert said(small("bend = 360", "bend = 10")) != []  # a lap that does not close, and no more
    assert not any("inside" in one for one in said(small("bend = 360", "bend = -10")))


def spelled_out(row: object) -> list[str]:
    """A row of marks, one a space."""
    marks: list[str] = []
    for word in str(row).split():
        found = re.fullmatch(r"(\d+)([\^<>*x]?)", word)
        marks += [found[2] or "1"] * int(found[1]) if found else [word]
    return marks


@pytest.mark.parametrize("key", ["kestrel-moor", "copper-basin"])
def test_a_space_that_is_left_out_is_found_and_its_lane_named(key: str) -> None:
    """Every space of a circuit left out in turn, as somebody who types a board forgets one: one at most is not
    noticed, and on straights the lane that lacks it is told."""
    table = tomllib.loads(circuits.find(key).read_text(encoding="utf-8"))
    tried, missed, unnamed = 0, [], []
    for at, section in enumerate(table["section"]):
        for lane in ("left", "inner-left", "middle", "inner-right", "right"):
            marks = spelled_out(section.get(lane, ""))
            rows = {" ".join(marks[:out] + marks[out + 1 :]) for out in range(len(marks))} if len(marks) > 1 else set()
            for row in sorted(rows):
                sections = [{**one, lane: row} if one is section else one for one in table["section"]]
                reader = BoardFile("f", key, {**table, "section": sections})
                made = reader.track()
                found = reader.complaints + (track_check.check(made, "f") if made is not None else [])
                told = list(map(str, found))
                tried += 1
                if not told:
                    missed.append((at, lane, row))
                elif "corner" not in section and not any(re.search(rf"[ (]{lane}[,) ]", one) for one in told):
                    unnamed.append((at, lane, row, told))
    assert tried > 50
    assert len(missed) <= 1, missed
    assert unnamed == []


def test_a_lane_of_a_straight_with_a_space_too_many() -> None:
    told = said(small('left = "4>"', 'left = "5>"'))
    assert any("would with one space less in a lane of section 0 (left)" in one for one in told)
    few = next(
        one
        for one in complaints_of(small('left = "4>"', 'left = "3>"'))
        if "one space more in a lane of section 0 (" in str(one)
    )
    assert "avec une case de plus dans un couloir de section 0 (" in told_in_french(few)


def test_a_circle_of_marks() -> None:
    text = small('middle = "17"', 'middle = "4* <5>6 12*"').replace('left = "17"', 'left = "4> >5 12>"')
    assert any("section 2, lane" in c and "lead round in a circle" in c for c in said(text))


def test_a_dead_end_and_a_space_that_nothing_leads_to() -> None:
    text = small('right = "^ ^ ^"', 'right = "^ ^ x"').replace('middle = "> > ^ > >"', 'middle = "> > ^ ^ >next"')
    complaints = said(text)
    assert any(
        c.startswith("small.toml, section 1 (Only), lane right, space 2: nothing leads on from here")
        for c in complaints
    )


def test_a_blocked_space_is_counted_and_never_entered() -> None:
    track = load_track(
        small('right = "4< ^"', 'right = "2< x 2^"').replace('middle = "4*', 'middle = "2* <3 *'), "s", "s"
    )
    blocked = track.id_of("0:right:3")
    assert track.blocked == {blocked}
    assert track.ahead[track.id_of("0:right:2")] == -1
    assert track.moves[blocked] == track.back[blocked] == ()
    assert all(blocked not in moves for moves in track.moves)
    assert track.beside[blocked] == ()


def test_two_targets_in_one_mark() -> None:
    text = small('middle = "17"', 'middle = "4* <5>6 12*"')
    assert said(text) == []
    spelled, plain = load_track(text, "s", "s"), load_track(SMALL, "s", "s")
    assert spelled.moves == plain.moves


def test_printed_exceptions() -> None:
    pair = '["2:left:3", "2:middle:3"]'
    plain = load_track(SMALL, "s", "s")
    left, middle = plain.id_of("2:left:3"), plain.id_of("2:middle:3")
    assert middle in plain.beside[left]
    apart = load_track(small("[pit]", f"apart = [{pair}]\n[pit]"), "s", "s")
    assert middle not in apart.beside[left]
    assert left not in apart.beside[middle]
    assert any("beside anyway; leave this out" in c for c in said(small("[pit]", f"beside = [{pair}]\n[pit]")))
    assert any(
        "not in neighbouring lanes" in c for c in said(small("[pit]", 'beside = [["2:left:3", "2:right:3"]]\n[pit]'))
    )
    level = load_track(small("[pit]", f"level = [{pair}]\n[pit]"), "s", "s")
    assert level.place[left] == level.place[middle]
    assert any("lies ahead of 2:middle:3 anyway" in c for c in said(small("[pit]", f"order = [{pair}]\n[pit]")))
    left, middle = plain.id_of("1:left:5"), plain.id_of("1:middle:4")
    assert plain.place[left] == plain.place[middle]
    order = load_track(small("[pit]", 'order = [["1:middle:4", "1:left:5"]]\n[pit]'), "s", "s")
    assert order.place[middle] == order.place[left] + 1


def test_order_and_level_keep_the_lane_in_order() -> None:
    text = small("[pit]", 'order = [["2:middle:3", "2:left:4"]]\n[pit]')
    assert any("2:middle:3 cannot be there" in c for c in said(text))


class TestCornerSheet:
    def test_has_its_corners_and_nothing_else(self) -> None:
        track = load_track(SHEET, "sheet.toml", "sheet")
        assert track.known == "corner"
        assert [(c.number, c.name, c.stops, c.shortest, c.longest) for c in track.corners] == [
            (1, "First", 2, 7, 12),
            (2, "Second", 1, 2, 6),
        ]
        assert track.spaces == track.moves == track.grid == ()
        assert (track.shortest_lap, track.box_count, track.wall, track.pit) == (145, 10, -1, None)
        assert track.laps == {"competition": 3, "league": 2}
        assert track_check.check_text(SHEET, "sheet.toml", "sheet") == []
        with pytest.raises(CompanionError, match="known to the corner only"):
            track.id_of("0:left:1")

    @pytest.mark.parametrize(
        ("old", "new", "complaint"),
        [
            ("lap = 145", "lap = 0", "sheet.toml: lap is 0; it has to be a whole number from 1 to 999."),
            ("boxes = 10", "wall = 3", "sheet.toml: wall has to be true or false on a corner sheet."),
            (
                "longest = 12",
                "longest = 6",
                "sheet.toml, corner 1: the shortest path, 7, is longer than the longest, 6.",
            ),
            (
                "stops = 1",
                "stops = true",
                "sheet.toml, corner 2: stops is True; it has to be a whole number from 1 to 3.",
            ),
            ("stops = 1", "stops = 1\ninside = 1", "sheet.toml, corner 2: inside means nothing here"),
            ("boxes = 10", "grid = []", "sheet.toml: grid means nothing here"),
        ],
    )
    def test_complaints(self, old: str, new: str, complaint: str) -> None:
        assert old in SHEET
        found = track_check.check_text(SHEET.replace(old, new, 1), "sheet.toml", "sheet")
        complaints = list(map(str, found))
        assert any(c.startswith(complaint) for c in complaints), complaints
        for told in found:
            assert told_in_french(told).startswith("sheet.toml")

    def test_has_a_corner(self) -> None:
        text = SHEET[: SHEET.index("[[corner]]")]
        assert list(map(str, track_check.check_text(text, "s", "s"))) == [
            "s: there is no corner; a corner sheet has a [[corner]] for each, in driving order."
        ]

    def test_has_a_wall(self) -> None:
        assert load_track(SHEET.replace("boxes = 10", "wall = true"), "s", "s").wall == 0


def test_two_lanes() -> None:
    text = small('"0:middle:1", ', "").replace('middle = "4* ^"\n', "").replace('middle = "> > ^ > >"\n', "")
    text = text.replace('middle = "17"\n', "").replace("stagger = [1, 0, 1]", "stagger = [1, 0]")
    text = text.replace("stagger = [2, 1, 0]", "stagger = [1, 0]").replace('right = "18"', 'right = "17"')
    text = text.replace('left = "> > > ^ > > >"', 'left = "> > ^ > >"').replace("longest = 7", "longest = 5")
    assert said(text) == []
    track = load_track(text, "s", "s")
    assert track.lanes == ("left", "right")
    assert [len(track.beside[track.id_of(n)]) for n in ("2:left:5", "2:right:5")] == [2, 2]


def test_weather_bands() -> None:
    weather = WeatherChart((1, 7), (8, 12), (13, 20))
    skies = [weather.sky(face) for face in range(1, 21)]
    assert skies == ["rain"] * 7 + ["changeable"] * 5 + ["sun"] * 8


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_whatever_is_written_gets_an_answer(data: st.DataObject) -> None:
    """A garbled file makes a track or complaints, never anything else."""
    lines = SMALL.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        values = [
            "3",
            "-1",
            "true",
            '""',
            '"x"',
            "[]",
            "[[]]",
            "{}",
            "1.5",
            '"4> ^"',
            '"3x 2*"',
            '"40"',
            '"0:left:1"',
            "[1]",
        ]
        key = lines[at].split("=")[0]
        kind = data.draw(st.sampled_from(["drop", "value", "twice", "digit"]))
        if kind == "drop":
            lines[at] = ""
        elif kind == "value" and "=" in lines[at]:
            lines[at] = f"{key}= {data.draw(st.sampled_from(values))}"
        elif kind == "twice" and lines[at].startswith("["):
            lines.insert(at, lines[at])
        elif digits := list(re.finditer(r"\d+", lines[at])):
            digit = data.draw(st.sampled_from(digits))
            new = str(data.draw(st.integers(0, 30)))
            lines[at] = lines[at][: digit.start()] + new + lines[at][digit.end() :]
    text = "\n".join(lines)
    track, complaints = read(text, "small.toml", "small")
    assert all(str(c).startswith("small.toml") and str(c).endswith(".") for c in complaints)
    assert (track is not None) or complaints
    if track is not None:
        track_check.check(track, "small.toml")


def test_monaco_in_its_own_words() -> None:
    """The sections as a person typed them from the board, counted without the loader."""
    table = tomllib.loads(circuits.find("monaco").read_text(encoding="utf-8"))
    assert len(table["section"]) == 21
    assert [s["corner"] for s in table["section"] if "corner" in s][4] == "Loews"
