"""A listing at the doors that write text: what it says, and on which side."""

from __future__ import annotations

import csv
import io
import re

import pytest
from pypdf import PdfReader

from companion.circuits import board
from companion.printing.forms import listing_in_form
from companion.view.listing import Cell, Column, Listing, make_listing
from companion.web.pages import Writer
from companion.wording import Words

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
    assert list(csv.reader(io.StringIO(listing_in_form("csv", listing, "en").decode())))[1:] == WORDS
    for page in (
        listing_in_form("html", listing, "en").decode(), Writer("en", board("monaco"), "competition").listed(listing)
    ):  # fmt: skip
        assert [[said for _, said in row] for row in cells(page)] == WORDS
        assert [[figure for figure, _ in row] for row in cells(page)] == [FIGURES, FIGURES]
        assert "Not official yet: 3." in page
    printed = PdfReader(io.BytesIO(listing_in_form("pdf", listing, "en"))).pages[0].extract_text()
    said = " ".join(printed.split())
    assert " ".join(map(" ".join, [heads, *WORDS])) in said
