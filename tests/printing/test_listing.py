"""Tables on paper."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader

from companion.printing.listing import as_pdf
from companion.tournament.entrants import Entered, Entrant
from companion.tournament.record import Act, Signed
from companion.tournament.tournament import Tournament, TournamentBegun
from companion.tournament.weather import Drawn
from companion.view.events.listings import Listings
from companion.view.listing import make_listing
from companion.wording import Words

HOMES = ", ".join(f"Driver of the valley {number}" for number in range(1, 31))


@pytest.mark.parametrize("many", [1, 40])
def test_a_long_cell_is_broken_into_lines_and_nothing_of_it_is_lost(many: int) -> None:
    """The other cells stay as large as they are without it; a row that has no room goes to the next sheet."""
    columns = ("race", "track", "home", "state")
    rows = [[str(number), "Monaco", HOMES, "to come"] for number in range(1, many + 1)]
    listing = make_listing("calendar", Words("en"), columns, rows, name="League")
    sizes: set[float] = set()
    pages = PdfReader(io.BytesIO(as_pdf([listing], "en"))).pages

    def seen(text: str, _matrix: object, _text: object, _font: object, size: float) -> None:
        if "Monaco" in text:
            sizes.add(size)

    said = " ".join(" ".join(page.extract_text(visitor_text=seen).split()) for page in pages)
    assert said.count("Driver of the valley 30") == many
    assert said.count("Monaco") == many
    assert "…" not in said
    assert min(sizes) >= 9
    assert (len(pages) > 1) == (many > 1)


def test_the_log_says_who_and_about_what_in_the_reader_s_language() -> None:
    """The program's own names are words; of one entrant it is the name, of weather its session."""
    acts: list[tuple[str, Act]] = [
        ("race control", TournamentBegun(name="Cup")), ("Ada", Entered(entrants=(Entrant(7, "Ben", ""),))),
        ("table", Entered(entrants=(Entrant(8, "Cy", ""), Entrant(9, "Dee", "")))),
        ("program", Drawn(sky="sun", session=1)),
    ]  # fmt: skip
    record = Tournament.of(Signed(seq, by, "2026-06-13T08:00:00Z", act) for seq, (by, act) in enumerate(acts, 1))
    told = [(row[2], row[4]) for row in Listings(record, Words("fr")).make("log").texts]
    assert told == [("la direction", ""), ("Ada", "7 Ben"), ("la table", "2"), ("le programme", "séance 1")]
