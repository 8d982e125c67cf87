"""A listing at the doors that write text: what it says, and on which side."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from pypdf import PdfReader

from companion.circuits import board
from companion.printing.forms import listing_in_form
from companion.tournament.record import Noted
from companion.tournament.results import Result, ResultLine
from companion.tournament.times import AbsoluteTime
from companion.tournament.tournament import Timed
from companion.view.events.acts import acts
from companion.view.events.listings import Listings
from companion.view.events.table_result import table_result
from companion.view.listing import Cell, Column, Listing, make_listing
from companion.web.pages import Writer
from companion.wording import Words
from tests.tournament import acting
from tests.tournament.acting import act

ROWS = [[1, 14, "Ada", Cell(text="10"), 10], ["out", 7, "Bo <b>", Cell(text="·", marks=("to_come",)), 0]]
WORDS = [["1", "14", "Ada", "10", "10"], ["out", "7", "Bo <b>", "·", "0"]]
FIGURES = [True, True, False, True, True]
"""Which columns stand to the right."""


@pytest.fixture
def listing() -> Listing:
    race = Column(key="r3", title="3", kind="score")
    columns = ("place", "number", "driver", race, "points")
    return make_listing("standings", Words("en"), columns, ROWS, ["Not official yet: 3."], name="Cup")


def cells(page: str) -> list[list[tuple[bool, str]]]:
    """The cells of a page's table, and whether each is set as a figure or has none."""
    rows = re.findall(r"<tr>(.*?)</tr>", page.partition("<tbody>")[2])
    found = [re.findall(r"<td([^>]*)>(.*?)</td>", row) for row in rows]
    return [
        [(' class="n' in given, text.replace("&lt;", "<").replace("&gt;", ">")) for given, text in row] for row in found
    ]


def test_a_made_up_listing_says_the_same_at_every_door(listing: Listing) -> None:
    heads = [column.title for column in listing.columns]
    text = listing_in_form("text", listing, "en").decode().splitlines()
    assert text[0] == "Cup · Drivers"
    assert text[1].split() == heads
    assert [line.split(maxsplit=2)[0] for line in text[2:4]] == ["1", "out"]
    assert text[2].index("10") + 2 == text[3].index("·") + 1 == text[1].index("3") + 1, "figures end in one column"
    assert list(csv.reader(io.StringIO(listing_in_form("csv", listing, "en").decode())))[1:] == [
        WORDS[0], ["out", "7", "Bo <b>", "", "0"],
    ], "a race to come has no value"  # fmt: skip
    for page in (
        listing_in_form("html", listing, "en").decode(), Writer("en", board("monaco"), "competition").listed(listing)
    ):  # fmt: skip
        assert [[said for _, said in row] for row in cells(page)] == WORDS
        assert [[figure for figure, _ in row] for row in cells(page)] == [FIGURES, FIGURES]
        assert "Not official yet: 3." in page
    printed = PdfReader(io.BytesIO(listing_in_form("pdf", listing, "en"))).pages[0].extract_text()
    said = " ".join(printed.split())
    assert " ".join(map(" ".join, [heads, *WORDS])) in said


def test_a_race_to_come_or_missed_is_null_for_programs(listing: Listing) -> None:
    missed = listing._replace(rows=((*listing.rows[1][:3], Cell(text="–", marks=("absent",)), listing.rows[1][4]),))
    for one in (listing, missed):
        assert json.loads(listing_in_form("json", one, "en"))["rows"][-1]["r3"] is None
        assert ",,0" in listing_in_form("csv", one, "en").decode()


def test_who_missed_two_stops_is_last_without_a_clock() -> None:
    cup = acting.tournament(drivers=2)
    for driver, last in ((1, False), (2, True)):
        act(cup, Timed(driver=driver, session=1, time=AbsoluteTime(14, 6000, last=last)))
    times = [(row["time"].text, row["clock"].text) for row in Listings(cup, Words("en")).make("trials").by_key()]
    assert times == [("15", "1:00.00"), ("last", "")]


def test_the_place_of_a_bot_scores_for_nobody_on_screen_either() -> None:
    league = acting.season("AB")
    lines = (ResultLine(2, 1), ResultLine(0, 2, bot="Otto"), ResultLine(1, 3))
    act(league, Result(race="1", lines=lines))
    listed = [row["points"].text for row in Listings(league, Words("en")).make("classification", "1").by_key()]
    assert listed == [row.points for row in table_result(league, Words("en"), "1").rows] == ["10", "", "6"]


def test_what_a_note_says_stands_in_the_log_on_screen_too() -> None:
    cup = act(acting.tournament(), Noted(text="The hall closes at eleven"))
    assert [*Listings(cup, Words("en")).make("log").by_key()][-1]["why"].text == "The hall closes at eleven"
    assert acts(cup, Words("en")).rows[0].about == "Ada · The hall closes at eleven"
