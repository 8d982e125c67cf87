"""A table's own boards, in the folder boards beside its races: found by name wherever a circuit is named, and called
the same in every record."""

from __future__ import annotations

import json
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion import circuit_index, circuits
from companion.commands.main import companion
from companion.desk.organising import begin_season, begin_tournament
from companion.rules.conversation.errors import BadTrack
from companion.tournament import season, tournament
from companion.tournament.season import Stage
from companion.view.events.calendar import calendar
from companion.view.events.new_event import changed, circuit_picks
from companion.view.events.skies import skies
from companion.view.setup.draft import Draft
from companion.view.setup.new_race import CircuitRow, circuit_rows, search_circuits
from companion.wording import Words


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a board of its own, the street."""
    board = tmp_path / circuits.BOARDS / "street.toml"
    board.parent.mkdir()
    text = circuits.find("porto-sereno").read_text(encoding="utf-8")
    board.write_text(text.replace('"Porto Sereno"', '"Côte du Port"', 1), encoding="utf-8")
    return circuits.look_in(tmp_path)


def command(folder: Path, *words: str, typed: str = "") -> str:
    done = CliRunner().invoke(companion, ["--data", str(folder), "--lang", "en", *words], typed)
    assert not isinstance(done.exception, Exception), done.exception
    return done.output


@pytest.mark.parametrize("name", ["street", "Street", "cote du port", "Côte du Port"])
def test_it_is_found_by_key_and_by_name(folder: Path, name: str) -> None:
    assert circuits.board(name).name == "Côte du Port"
    assert circuits.known_as(circuits.find(name)) == "street"


def test_what_the_key_does_not_find_is_known_by_its_path(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / circuits.BOARDS / "monaco.toml"
    other.write_text((tmp_path / circuits.BOARDS / "street.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert circuits.known_as(other) == str(other)
    assert circuits.known_as(circuits.find("monaco")) == "monaco"
    circuits.look_in(tmp_path / "elsewhere")
    assert circuits.known_as(other.with_name("street.toml")) == str(other.with_name("street.toml"))
    with pytest.raises(BadTrack):
        circuits.find("street")


@pytest.mark.parametrize("called", ["street", "Côte du Port", "{folder}/boards/street.toml"])
def test_a_record_calls_it_by_its_key_however_it_was_said(folder: Path, called: str) -> None:
    """So that a season knows whose home track it is."""
    said = called.format(folder=folder)
    with begin_season(folder, season.SeasonBegun(name="S", calendar=(Stage("monaco"), Stage(said))), by="ada") as desk:
        assert [stage.track for stage in desk.record.stages.values()] == ["monaco", "street"]
        desk.act(season.Postponed(race=1, track=said, why="rain"), by="ada")
        assert desk.record.stages[1].track == "street"
    with begin_tournament(folder, tournament.TournamentBegun(name="T", track=said), by="ada") as cup:
        assert cup.record.begun.track == "street"


def test_screens_name_it_and_show_its_weather(folder: Path) -> None:
    words = Words("en")
    with begin_season(folder, season.SeasonBegun(name="S", calendar=(Stage("street"),)), by="ada") as desk:
        shown = calendar(desk.record, words)
        assert (next(shown.races.by_key())["track"].text, shown.panel.title) == ("Côte du Port", "1 Côte du Port")
        assert len(shown.panel.skies) == 3
    with begin_tournament(folder, tournament.TournamentBegun(name="T", track="street"), by="ada") as cup:
        assert len(skies(cup.record, words).chart) == 3
    assert "street" in [row.key for row in circuit_rows(Draft(), words)]
    assert "street" in [pick.answer for pick in circuit_picks("cup", "", words)]


def told_of(found: list[CircuitRow]) -> dict[str, str]:
    return {row.key: row.why or row.tally for row in found if row.own}


def checked() -> None:
    """Has every board checked that was not yet."""
    news: list[float] = []
    while circuit_index.check(lambda: news.append(time.monotonic())):
        time.sleep(0.05)


def test_boards_are_listed_at_once_and_checked_apart(folder: Path) -> None:
    """One is read once: as long as its text stays the same, another start of the program knows it."""
    (folder / circuits.BOARDS / "broken.toml").write_text('name = "Ringo"\ncountry = 3', encoding="utf-8")
    before = told_of(circuit_rows(Draft(), Words("en")))
    assert before == {"street": "is being checked", "broken": "is being checked"}
    assert [row.name for row in search_circuits(circuit_rows(Draft(), Words("fr")), "RINGO")] == ["Ringo"]
    checked()
    after = told_of(circuit_rows(Draft(), Words("en")))
    assert after["street"] == "lap 153 · 10 corners · 14 stops"
    assert after["broken"].startswith(str(folder / circuits.BOARDS / "broken.toml"))
    street = folder / circuits.BOARDS / "street.toml"
    circuits.look_in(folder / "elsewhere")
    assert told_of(circuit_rows(Draft(), Words("en"))) == {}
    circuits.look_in(folder)
    assert told_of(circuit_rows(Draft(), Words("en"))) == after
    street.write_text(street.read_text(encoding="utf-8").replace("Côte du Port", "Quai du Port"), encoding="utf-8")
    assert told_of(circuit_rows(Draft(), Words("en"))) == after | {"street": "is being checked"}
    street.unlink()
    assert told_of(circuit_rows(Draft(), Words("en"))) == {"broken": after["broken"]}


@pytest.mark.parametrize("index", [b"", b"\xff\xfe", b"{", b'{"program": 3}', b'{"boards": {"a": []}}', b"[]"])
def test_an_index_that_is_damaged_is_made_anew(folder: Path, index: bytes) -> None:
    (folder / circuit_index.FILE).write_bytes(index)
    assert told_of(circuit_rows(Draft(), Words("en"))) == {"street": "is being checked"}
    checked()
    assert told_of(circuit_rows(Draft(), Words("en"))) == {"street": "lap 153 · 10 corners · 14 stops"}
    assert (folder / circuit_index.FILE).read_bytes() != index


@pytest.mark.parametrize(("book", "track"), [("competition", "spa"), ("ninety", "saltmarsh"), ("death", "monaco")])
def test_what_is_listed_of_a_circuit_is_what_it_has(folder: Path, book: str, track: str) -> None:
    """An own board is listed as the circuit is of which it is a copy."""
    copy = folder / circuits.BOARDS / "copy.toml"
    copy.write_text(circuits.find(track).read_text(encoding="utf-8"), encoding="utf-8")
    checked()
    rows = {row.key: row for row in circuit_rows(Draft(rulebook=book), Words("en"))}
    assert msgspec.structs.replace(rows["copy"], key=track, own=False) == rows[track]


def test_a_distance_that_was_chosen_stays_on_another_circuit(folder: Path) -> None:
    words, begun = Words("en"), tournament.TournamentBegun(name="T", track="street", laps=5)
    assert changed(begun, "track", "monaco", words).laps == 5


def test_another_rulebook_keeps_it(folder: Path) -> None:
    begun = tournament.TournamentBegun(name="T", track="street")
    assert changed(begun, "rulebook", "cup", Words("en")).track == "street"


def test_a_race_that_knows_no_weather_shows_none(folder: Path) -> None:
    """Whatever the circuit has; in a season each race may go by a rulebook of its own."""
    stages = (Stage("street", rulebook="death"), Stage("street"))
    with begin_season(folder, season.SeasonBegun(name="S", calendar=stages), by="ada") as desk:
        shown = [len(calendar(desk.record, Words("en"), number).panel.skies) for number in (1, 2)]
    assert shown == [0, 3]


def test_commands_find_it(folder: Path) -> None:
    assert "Côte du Port" in command(folder, "demo", "--track", "street", "--cars", "2", "--laps", "1")
    command(folder, "trial", "--track", str(folder / "boards" / "street.toml"), "--drivers", "Ada, Bob", typed="quit\n")
    assert "Côte du Port" in command(folder, "trial", "--resume", "last", typed="quit\n")
    assert "Côte du Port" in command(folder, "race", "--track", "street", "--cars", "Ada, Bob", typed="cup\n\nquit\n")
    asked = command(folder, "race", "--data", str(folder / "new"), "--cars", "Ada, Bob", typed="\nnowhere\n")
    assert "street" not in asked, "another folder has no such board"


def test_lines_list_it_but_none_that_cannot_be_read(folder: Path) -> None:
    (folder / circuits.BOARDS / "broken.toml").write_text("name = 3", encoding="utf-8")
    told = command(folder, "referee", typed='{"hello": 2}\n{"list": "tracks"}\n').splitlines()
    listed = {row["track"]: row["name"] for row in json.loads(told[2])["list"]}
    assert listed["street"] == "Côte du Port"
    assert "broken" not in listed


def test_the_tables_of_a_race_are_prepared_from_the_folder_that_was_said(folder: Path) -> None:
    command(folder, "race", "--track", "monaco", "--cars", "Ada, Bob", typed="cup\n\nquit\n")
    done = CliRunner().invoke(companion, ["--data", str(folder / "new"), "drivers", "prepare", "--race", "last"])
    assert done.exit_code
    assert "There are no races in" in done.output
