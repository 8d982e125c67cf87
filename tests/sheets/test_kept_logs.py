"""Logs that earlier programs wrote are opened, shown, verified and gone on with.

Whoever changes the form of the database, of an entry or of a position adds a kept database here, made by the program
before the change: a folder with a race of each rulebook that is over, one that is open, and records; the races with
undo, redo, both kinds of correction, words of the referee, notes, disputes and a seat that was handed over. It is the
`races.db` of that folder, compressed with `xz`.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import articles
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.desk.organising import begin_season, usual_season
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.sheets.dice_statistics import rolled
from companion.sheets.entry import Entry
from companion.sheets.place import DATABASE
from companion.sheets.reading import entries, log_ids, races, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from companion.tournament.season import Stage
from tests.hall.logs import hashed, written
from tests.test_bad_input import companion
from tests.tournament.commanding import Commander

KEPT = sorted(Path(__file__).with_name("kept").glob("*.xz"))
RULEBOOKS = ("competition", "cup", "league", "death", "ninety")


@pytest.fixture(params=KEPT, ids=lambda path: path.name)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / DATABASE).write_bytes(lzma.decompress(request.param.read_bytes()))
    return tmp_path


def test_the_list_shows_every_race_and_the_deleted_one(folder: Path) -> None:
    said = companion("races", "list", "--data", folder, "--lang", "en").stdout
    for rulebook in RULEBOOKS:
        assert f"{rulebook} over" in said
        assert f"{rulebook} open" in said
    assert "deleted" in companion("races", "list", "--deleted", "--data", folder, "--lang", "en").stdout


@pytest.mark.parametrize("name", ["over", "open"])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_race_is_verified_shown_and_exported(folder: Path, rulebook: str, name: str) -> None:
    """Where a newer version of the rulebook rules otherwise, that is told, and is no fault of the log."""
    race = f"{rulebook} {name}"
    found = verify(folder, race, rulebook_of)
    assert found.problems == []
    assert found.chained == found.entries
    assert found.otherwise is None or found.was != found.now
    shown = companion("races", "show", race, "--data", folder, "--lang", "fr")
    assert (shown.returncode, shown.stderr) == (0, "")
    for form in ("--csv", "--json"):
        assert companion("races", "export", race, form, "--data", folder).returncode == 0


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_an_open_race_goes_on_to_its_flag(folder: Path, rulebook: str) -> None:
    with RaceDesk.resume(folder, f"{rulebook} open") as desk:
        track = desk.rulebook.track
        driver = HeuristicDriver(track, 1) if isinstance(track, Track) else HeuristicCardDriver(track, 1)
        desk.undo(1)
        desk.redo(1)
        while desk.asked is not None:
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    with reading(folder) as db:
        assert races(db)[0].over
    assert verify(folder, f"{rulebook} open", rulebook_of).problems == []


@pytest.mark.parametrize("kind", ["tournament", "season"])
def test_a_record_is_checked_and_goes_on(folder: Path, kind: str) -> None:
    assert companion(kind, "verify", "--data", folder).returncode == 0
    assert companion(kind, "note", "still here", "--data", folder).returncode == 0
    assert "still here" in companion(kind, "log", "--data", folder).stdout


def test_its_dice_are_counted_and_kept(folder: Path) -> None:
    found = rolled(folder)
    assert sum(map(len, found.faces.values())) > 100
    assert rolled(folder) == found


def test_a_race_of_the_league_that_was_cut_short_is_verified(tmp_path: Path) -> None:
    """Its state was kept with the end of the race last of all."""
    kept = Path(__file__).with_name("kept") / "ended" / "league.db.xz"
    (tmp_path / DATABASE).write_bytes(lzma.decompress(kept.read_bytes()))
    found = verify(tmp_path, "cut", rulebook_of)
    assert (found.problems, found.otherwise, found.replayed) == ([], None, found.entries)


def as_in_0_1_0(folder: Path, into: Path) -> None:
    """Copy the logs of a folder as 0.1.0 would have written them: there the switch `distance` had another name."""
    with reading(folder) as db:
        logs = [list(entries(db, log_id)) for log_id in log_ids(db)]
    for log in logs:
        older: list[Entry] = []
        for entry in log:
            body = entry.body.replace('"distance":', '"retired_cars_placed":')
            older.append(hashed(replace(entry, body=body, prev=older[-1].hash if older else entry.prev)))
        written(into, older)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_switch_by_its_name_of_0_1_0_is_known(tmp_path: Path, lang: str) -> None:
    """A race goes on, is verified and shown with it; a season begins its races and counts its results with it."""
    setup = {"rulebook": "cup", "track": "monaco", "cars": [{"car": 1}, {"car": 2}], "options": {"distance": True}}
    stage = Stage("monaco", options={"distance": True})
    with begin_race(setup, "monaco", tmp_path / "now", name="old") as desk:
        driver = HeuristicDriver(desk.rulebook.track, 1)
        for _ in range(12):
            assert desk.asked is not None
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    season = usual_season("competition", "Cup", (stage,))
    begin_season(tmp_path / "now", season, by="Ada").close()
    folder = tmp_path / "then"
    as_in_0_1_0(tmp_path / "now", folder)

    with RaceDesk.resume(folder, "old") as desk:
        assert desk.rulebook.state()["options"] == {"distance": True}
        assert desk.asked is not None
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    assert verify(folder, "old", rulebook_of).problems == []
    shown = companion("races", "show", "old", "--data", folder, "--lang", lang).stdout
    assert articles.load("cup").get("variant.distance").title(lang) in shown
    run = Commander(folder, "season", lang)
    for number in (1, 2, 3):
        run("enter", f"D{number}", "--number", str(number))
    run("result", "1", "--paper", "3 1 out 2 engine")
    assert [row["points"] for row in run.rows("classification", "1")] == [10, 6, 4]
