"""The race sheet as a PDF: all of it is there, within the margins, and nothing lies on anything else."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from pypdf import PdfReader

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.printing import paper
from companion.printing.paper import EDGE, HIGH, POINT, WIDE, Paper
from companion.printing.race import BOTTOM, as_pdf
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import begin
from companion.sheets.build_sheet import race_sheet
from companion.sheets.entry import Entry
from companion.sheets.history import History
from companion.sheets.reading import entries, find, reading
from companion.sheets.sheet import RaceSheet
from companion.view.shown import Plate
from companion.wording import LANGUAGES, Words

NAMES = ("Ada", "", "Александр Константинопольск", "Żółć Çağ Ñandú-Überfluß", "山田太郎", "W" * 30, "محمد", "प्रिया")
RACES = {
    "competition": "monaco", "cup": "spa", "league": "imola", "death": "porto-sereno", "ninety": "quarry-hill",
}  # fmt: skip


class Written(NamedTuple):
    """A text on a sheet, and its room."""

    sheet: int
    text: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Written) -> bool:
        apart = self.right <= other.left or other.right <= self.left or self.bottom <= other.top
        return self.sheet == other.sheet and not (apart or other.bottom <= self.top)


def meeting(written: list[Written]) -> Iterator[tuple[Written, Written]]:
    """The texts that lie on one another: each is held against those that begin above its bottom, sheet by sheet."""
    ordered = sorted(written, key=lambda one: (one.sheet, one.top))
    for at, one in enumerate(ordered):
        for other in ordered[at + 1 :]:
            if (other.sheet, other.top) >= (one.sheet, one.bottom):
                break
            if one.meets(other):
                yield one, other


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Written]:
    """Every text that is written on paper; of its height what small letters have."""
    found: list[Written] = []
    text, plate = Paper.text, Paper.plate
    on_plate = False

    def spy(self: Paper, said: str, x: float, y: float, size: float, **how: object) -> float:
        wide = text(self, said, x, y, size, **how)  # type: ignore[arg-type]
        left = x - {"left": 0.0, "centre": wide / 2, "right": wide}[str(how.get("align", "left"))]
        if said and not on_plate:
            half = 0.3 * size * POINT
            found.append(Written(self.sheets, said, left, y - half, left + wide, y + half))
        return wide

    def quietly(self: Paper, shown: Plate, x: float, y: float, height: float) -> None:
        nonlocal on_plate
        on_plate = True
        plate(self, shown, x, y, height)
        on_plate = False
        found.append(Written(self.sheets, f"({shown.number})", x - height / 2, y - 0.4, x + height / 2, y + 0.4))

    monkeypatch.setattr(Paper, "text", spy)
    monkeypatch.setattr(Paper, "plate", quietly)
    return found


@cache
def kept(book: str, answers: int = 10_000, cars: int = 8) -> tuple[Entry, ...]:
    """The log of a race that a driver has brought so far; each is played once."""
    board = circuits.board(RACES[book])
    listed = [{"car": n * 4, "driver": NAMES[n - 1], "team": f"Scuderia {(n + 1) // 2}"} for n in range(1, cars + 1)]
    setup = {"rulebook": book, "track": board.key, "cars": listed, "laps": 1}
    if isinstance(board, SectionTrack):
        setup |= {"cars": listed[:4], "deck": 3, "laps": 6}
    text = circuits.find(board.key).read_text(encoding="utf-8")
    driver: Driver = HeuristicCardDriver(board, 3) if isinstance(board, SectionTrack) else HeuristicDriver(board, 3)
    with TemporaryDirectory() as place:
        folder = Path(place)
        name = f"Evening of {book}"
        with RaceDesk.begin(begin(setup, board), setup=setup, track=text, folder=folder, name=name) as desk:
            while desk.asked is not None and desk.n < answers:
                desk.answer(driver.answer(desk.asked, desk.rulebook.race))
            desk.note("Pizza at eight. " * 12, by="Bob")
            desk.dispute_last(by="Cleo", why="the die was cocked")
        return tuple(last(folder))


def last(folder: Path) -> list[Entry]:
    """The log of the race in a folder."""
    with reading(folder) as db:
        return list(entries(db, find(db, "last").log_id))


def sheet_of(log: Sequence[Entry]) -> RaceSheet:
    return race_sheet(History.of(log))


def read(made: bytes) -> str:
    """All that can be read in a PDF, without what lies between words."""
    return "".join("".join(sheet.extract_text().split()) for sheet in PdfReader(io.BytesIO(made)).pages)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("book", RACES)
@pytest.mark.parametrize("answers", [0, 60, 10_000])
def test_every_sheet_is_written_within_its_margins_and_nothing_lies_on_anything(
    written: list[Written], book: str, lang: str, answers: int
) -> None:
    as_pdf(kept(book, answers), lang)
    assert written
    for one in written:
        assert one.left >= EDGE - 0.6, one
        assert one.right <= WIDE - EDGE + 0.6, one
        assert one.top >= EDGE - 4, one
        assert one.bottom <= HIGH - EDGE + 2, one
    assert not list(meeting(written))


@pytest.mark.parametrize("book", RACES)
def test_all_of_a_race_is_on_its_sheets(book: str) -> None:
    log = kept(book)
    race, words, said = sheet_of(log), Words("en", book), read(as_pdf(log, "en"))
    assert f"Eveningof{book}" in said
    assert log[-1].hash.hex()[:16] in said
    assert f"Logof{len(log)}entries" in said
    assert race.result is not None
    assert said.count(words.screen("sheet.page.result")) == 1
    for car in race.cars:
        for pool, built in car.built.items():
            assert f"{car.wear.get(pool, 0)}/{built}" in said
        for crossing in car.crossings:
            assert f"{'−' if crossing.points < 0 else '+'}{abs(crossing.points)}." in said
    for gone in race.retirements:
        assert words.word("cause", gone.cause).replace(" ", "").lower() in said.lower()
    assert "thediewascocked" in said
    assert "Pizzaateight." * 12 in said


def test_names_in_any_script_can_be_read_in_it() -> None:
    said = read(as_pdf(kept("competition", 60), "en"))
    for name in ("Ada", "АлександрКонстантинопольск", "ŻółćÇağÑandú-Überfluß", "山田太郎"):
        assert name in said, name
    assert set("محمد") <= set(said)
    assert "प" in said


def test_the_same_log_gives_the_same_file() -> None:
    log = kept("cup", 80)
    assert as_pdf(log, "fr") == as_pdf(log, "fr") != as_pdf(log, "en")


def test_a_long_list_of_reasons_goes_on_on_another_sheet(tmp_path: Path, written: list[Written]) -> None:
    board = circuits.load("monaco")
    setup = {"track": "monaco", "cars": [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bo"}], "laps": 1}
    text = circuits.find("monaco").read_text(encoding="utf-8")
    with RaceDesk.begin(begin(setup, board), setup=setup, track=text, folder=tmp_path, name="Long") as desk:
        driver = HeuristicDriver(board, 3)
        while desk.asked is not None and desk.n < 12:
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
        for turn in range(90):
            desk.override({"car": 1, "wear": {"tyres": turn % 2 + 1}}, by="Ada", why="a slip")
    as_pdf(last(tmp_path), "en")
    sheets = {one.sheet for one in written if one.text == "continued"}
    assert sheets == {2}
    assert sum(one.text.startswith("Tyres +1") for one in written) == 45
    assert not list(meeting(written))


def test_a_sheet_has_room_for_what_was_said_and_for_who_said_it(tmp_path: Path, written: list[Written]) -> None:
    board = circuits.load("monaco")
    setup = {"track": "monaco", "cars": [{"car": 1, "driver": "Ada"}], "laps": 1}
    text = circuits.find("monaco").read_text(encoding="utf-8")
    with RaceDesk.begin(begin(setup, board), setup=setup, track=text, folder=tmp_path, name="Said") as desk:
        desk.note("Pizza at eight. " * 8, by="Bob")
        for turn in range(60):
            desk.note(f"Told {turn}", by="Bob")
    as_pdf(last(tmp_path), "en")
    said = [one for one in written if one.text == "Bob" or one.text.startswith("Told")]
    assert len(said) == 121
    assert all((one.top + one.bottom) / 2 + 2.5 <= BOTTOM for one in said)


def test_a_font_that_cannot_be_printed_leaves_its_letters_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"no font")
    monkeypatch.setattr(paper, "set_in", lambda text, _: ((text, broken),))
    sheet = Paper("A title", datetime(2026, 11, 22, tzinfo=UTC))
    assert sheet.text("nothing", 20, 20, 10) == 0
    assert PdfReader(io.BytesIO(sheet.whole())).pages[0].extract_text() == ""
