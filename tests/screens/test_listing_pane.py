"""A made-up listing on a screen and on the hall's wall, which say what the doors of text say."""

from __future__ import annotations

import re

from msgspec.structs import replace

from companion.hall.pages import HallWriter
from companion.hall.snapshot import HallSnapshot
from companion.screens.kit.listing_pane import ListingPane
from companion.view.events.standings import StandingsShown
from companion.view.listing import Cell, Column, make_column, make_listing
from companion.view.shown import Plate
from companion.wording import Words
from tests.screens.rig import Rig
from tests.screens.ui import Ui, Word

CARS = [Cell(text=str(number), value=number, cars=((Plate(number=number, place=at), ""),))
        for at, number in enumerate((14, 7))]  # fmt: skip
ROWS = [
    [1, CARS[0], "Ada", 3, Cell(text="10", marks=("win",)), Cell(text="10", value=10, note="wins 1 to 0")],
    ["out", CARS[1], "Bo <b>", 12, Cell(text="·", marks=("to_come",)), 0],
]
WORDS = [["1", "14", "Ada", "3", "10", "10", "wins 1 to 0"], ["out", "7", "Bo <b>", "12", "·", "0"]]
POINTS = replace(make_column("points", Words("en")), note="ties")
LISTING = make_listing(
    "standings", Words("en"),
    ("place", "number", "driver", "grid", Column(key="r3", title="3", short="MON", kind="score", of="3"), POINTS),
    ROWS, name="Cup",
)  # fmt: skip


def test_a_screen_says_what_the_other_doors_say(rig: Rig, bare: Ui) -> None:
    opened: list[str] = []
    pane = ListingPane(opened.append)
    rig.show(pane, 0, 0, 560, 200)
    pane.show(LISTING)
    rig.settle()
    lines: dict[int, list[Word]] = {}
    for word in sorted(bare.words(), key=lambda word: word.box.x):
        lines.setdefault(round((word.box.y + word.box.h / 2) / 30), []).append(word)
    heads, *rows = (lines[y] for y in sorted(lines))
    assert [word.text for word in heads] == ["grid", "MON", "points", "ties"]
    assert [[word.text for word in row] for row in rows] == WORDS
    for one, other in ((rows[0][at].box, rows[1][at].box) for at in (0, 3, 5)):
        assert abs(one.x + one.w - other.x - other.w) <= 1, "figures end in one column"
    bare.tap("MON")
    assert opened == ["3"]


def test_the_wall_says_what_the_other_doors_say() -> None:
    shown = StandingsShown(subtitle="Cup", drivers=LISTING, teams=LISTING, run=1, marks=frozenset())
    snapshot = HallSnapshot("Hall", (), (), True, (), {"en": shown})
    page = HallWriter("en").parts("wall", snapshot)["standings"]
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["Drivers"]
    said = [re.findall(r"<t[dh][^>]*>(?:<svg.*?</svg>)?([^<]*)</t", row) for row in page.split("<tr>")[1:]]
    assert said == [["1", "", "Ada", "10"], ["out", "", "Bo &lt;b&gt;", "0"]]
    assert re.findall(r'aria-label="(\d+)"', page) == ["14", "7"]
