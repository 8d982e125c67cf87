"""Blank sheets: every pool of every rulebook with the boxes of its cars, on both papers, in both languages."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner
from pypdf import PdfReader

from companion.commands.main import companion
from companion.commands.organising import typed_result
from companion.printing import paper
from companion.printing.blank import blank_sheets, boxes_of
from companion.printing.paper import EDGE, INK, SIZES
from companion.rules.conversation.errors import CompanionError
from companion.rules.rulebooks import RULEBOOKS, pools_of
from companion.wording import LANGUAGES, Words

USUAL = {
    "beginner": ([18], [18]), "formula-d": ([6, 3, 3, 3, 3, 2], [6, 3, 3, 3, 3, 2]),
    "competition": ([6, 3, 3, 3, 3, 2], [18] * 6), "cup": ([6, 3, 3, 3, 3, 2], [10, 7, 7, 7, 7, 6]),
    "league": ([6, 3, 3, 3, 3, 2], [8, 3, 3, 3, 3, 2]), "death": ([18], [18]), "ninety": ([12, 6, 4], [13, 7, 5]),
}  # fmt: skip


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_boxes_are_those_of_the_rulebooks_own_cars(rulebook: str) -> None:
    boxes = boxes_of(rulebook)
    assert tuple(boxes) == tuple(pools_of(rulebook))
    usual, most = USUAL[rulebook]
    assert usual is None or [one for one, _ in boxes.values()] == usual
    assert most is None or [high for _, high in boxes.values()] == most
    assert all(0 < one <= high for one, high in boxes.values())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_car_has_its_boxes_within_the_margins(rulebook: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[float, float, float, float, str]] = []
    rim = paper.Paper.rim

    def kept(self: paper.Paper, x: float, y: float, w: float, h: float, colour: str = INK, thick: float = 0.25) -> None:
        drawn.append((x, y, x + w, y + h, colour))
        rim(self, x, y, w, h, colour, thick)

    monkeypatch.setattr(paper.Paper, "rim", kept)
    for letter, size in ((False, "A4"), (True, "letter")):
        drawn.clear()
        pages = PdfReader(io.BytesIO(blank_sheets(rulebook, 10, lang, letter=letter))).pages
        text = "\n".join(page.extract_text() for page in pages)
        assert "10." in text
        wide, high = SIZES[size]
        assert all(x >= EDGE and right <= wide - EDGE and low <= high - EDGE - 6 for x, _, right, low, _ in drawn)
        words = Words(lang, rulebook)
        for pool in pools_of(rulebook):
            name = words.word("pool", pool)
            assert text.count(name[:1].upper() + name[1:]) >= 10
        dark = sum(one[4] == INK for one in drawn)
        assert dark == 10 * sum(one for one, _ in boxes_of(rulebook).values())
        assert len(drawn) == 10 * sum(most for _, most in boxes_of(rulebook).values())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("what", ["race", "table", "trials"])
def test_the_command_prints_them(tmp_path: Path, what: str, lang: str) -> None:
    for size, wide in (("A4", 595), ("letter", 612)):
        out = tmp_path / f"{size}.pdf"
        words = ["--lang", lang, "races", "form", what, "12", "--paper", size, "--out", str(out)]
        done = CliRunner().invoke(companion, words)
        assert done.exit_code == 0, done.output
        pages = PdfReader(io.BytesIO(out.read_bytes())).pages
        assert round(float(pages[0].mediabox.width)) == wide
        for column in ("driver", "team"):
            assert Words(lang).word("listing", column) in pages[0].extract_text()


@pytest.mark.parametrize("words", [("--rulebook", "monopoly"), ("race", "0"), ("race", "99"), ("trials", "1")])
def test_what_cannot_be_printed_is_one_sentence(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(companion, ["races", "form", *words])
    assert isinstance(done.exception, CompanionError)


def test_all_columns_of_a_table_sheet_can_be_typed_in() -> None:
    lines = typed_result("3 1 2 out 4 engine 12, 5 7, 6 missed stops")
    told = [(line.driver, line.place, line.cause, line.round) for line in lines]
    assert told[:3] == [(3, 1, "", 0), (1, 2, "", 0), (2, 3, "", 0)]
    assert told[3:] == [(4, None, "engine", 12), (5, None, "", 7), (6, None, "missed stops", 0)]
    placed = typed_result("3 1 4:engine:12")[-1]
    assert (placed.place, placed.cause, placed.round) == (3, "engine", 12)
