"""A made-up listing on a screen and on the hall's wall, which say what the doors of text say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kivy.uix.widget import Widget

from companion.hall.pages import HallWriter
from companion.hall.snapshot import HallSnapshot
from companion.view.events.standings import StandingsShown
from companion.view.listing import Cell, Column, make_listing
from companion.view.shown import Plate
from companion.wording import Words

if TYPE_CHECKING:
    from tests.screens.rig import Rig

CARS = [Cell(text=str(number), value=number, cars=((Plate(number=number, place=at), ""),))
        for at, number in enumerate((14, 7))]  # fmt: skip
ROWS = [
    [1, CARS[0], "Ada", 3, Cell(text="10", marks=("win",)), Cell(text="10", value=10, note="wins 1 to 0")],
    ["out", CARS[1], "Bo <b>", 12, Cell(text="·", marks=("to_come",)), 0],
]
WORDS = [["1", "14", "Ada", "3", "10", "10", "wins 1 to 0"], ["out", "7", "Bo <b>", "12", "·", "0"]]
LISTING = make_listing(
    "standings", Words("en"),
    ("place", "number", "driver", "grid", Column(key="r3", title="3", short="MON", kind="score", of="3"), "points"),
    ROWS, name="Cup",
)  # fmt: skip


def drawn(pane: Widget) -> list[list[tuple[str, float]]]:
    """The words in every line of a pane from the top, with their right edges."""
    found = [
        (round(pane.top - widget.top + mark.y + mark.h / 2), widget.x + mark.x, mark.text, widget.x + mark.x + mark.w)
        for widget in pane.walk() for mark in getattr(widget, "marks", ()) if mark.kind == "text"
    ]  # fmt: skip
    lines: list[list[tuple[str, float]]] = []
    last = -100
    for y, _, text, right in sorted(found, key=lambda one: (round(one[0] / 30), one[1])):
        if round(y / 30) != last:
            last = round(y / 30)
            lines.append([])
        lines[-1].append((text, right))
    return lines


def test_a_screen_says_what_the_other_doors_say(rig: Rig) -> None:
    from companion.screens.kit.listing_pane import ListingPane

    opened: list[str] = []
    pane = ListingPane(opened.append)
    rig.show(pane, 0, 0, 560, 200)
    pane.show(LISTING)
    rig.settle()
    heads, *rows = drawn(pane)
    assert [text for text, _ in heads] == ["grid", "MON", "points"]
    assert [[text for text, _ in row] for row in rows] == WORDS
    for at in (0, 3, 5):
        assert abs(rows[0][at][1] - rows[1][at][1]) <= 1, "figures end in one column"
    rig.tap(*next((pane.x + right - 8, 16) for text, right in heads if text == "MON"))
    rig.settle()
    assert opened == ["3"]


def test_the_wall_says_what_the_other_doors_say() -> None:
    shown = StandingsShown(subtitle="Cup", drivers=LISTING, teams=LISTING, run=1, marks=frozenset())
    snapshot = HallSnapshot("Hall", (), (), True, (), {"en": shown})
    page = HallWriter("en").parts("wall", snapshot)["standings"]
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["Drivers"]
    said = [re.findall(r"<t[dh][^>]*>(?:<svg.*?</svg>)?([^<]*)</t", row) for row in page.split("<tr>")[1:]]
    assert said == [["1", "", "Ada", "10"], ["out", "", "Bo &lt;b&gt;", "0"]]
    assert re.findall(r'aria-label="(\d+)"', page) == ["14", "7"]
