"""Race control by command: logs come from sticks, and the standings follow from them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.organising import collect, filed_log
from companion.desk.record_desk import RecordDesk
from companion.drivers.sensible import HeuristicDriver
from companion.hall.keys import new_seed, public
from companion.hall.ledger import Ledger
from companion.hall.members import Members
from companion.hall.outbox import Outbox
from companion.rules.conversation.errors import CompanionError
from companion.sheets.backup import backup
from companion.sheets.lines import MOST
from companion.sheets.reading import races, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from companion.tournament.season import Season
from tests.french import told_in_french
from tests.hall.logs import lines, made, more
from tests.hall.test_ledger import carried
from tests.test_bad_input import companion as started
from tests.test_bad_input import complaint
from tests.tournament.commanding import Commander, play


def hall(folder: Path, *words: str, lang: str = "en") -> tuple[int, str]:
    done = CliRunner().invoke(companion, ["--data", str(folder), "--lang", lang, "hall", *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def test_a_log_comes_from_a_stick_once(tmp_path: Path) -> None:
    log = made(40)
    (stick := tmp_path / "log.jsonl").write_bytes(lines(log[:25]))
    assert hall(tmp_path, "tables") == (0, "There is no table's log here yet.\n")
    assert "25 new entries; race control has the log up to entry 25." in hall(tmp_path, "import", str(stick))[1]
    stick.write_bytes(lines(log[20:]))
    status, said = hall(tmp_path, "import", "--table", "table 4", str(stick), lang="fr")
    assert (status, "15 nouvelles entrées\u00a0; la direction a le journal" in said) == (0, True)
    assert "0 new entries" in hall(tmp_path, "import", str(stick))[1]
    status, said = hall(tmp_path, "tables")
    assert said.splitlines()[1].split() == [
        "table", "4", log[0].log_id[:8], "Table", "4", "40", log[-1].hash.hex()[:6], "1970-01-01", "00:00",
    ]  # fmt: skip
    assert hall(tmp_path, "alarms") == (0, "Nothing was refused, and there is no second history.\n")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_wrong_on_a_stick_is_said_of_its_file(tmp_path: Path, lang: str) -> None:
    log, stick = made(20), tmp_path / "log.jsonl"
    stick.write_bytes(lines(log[:15]))
    hall(tmp_path, "import", "--table", "table 4", str(stick))
    stick.write_bytes(lines(more(log[:12], 5, by="clone")))
    status, said = hall(tmp_path, "import", str(stick), lang=lang)
    assert (status, ("second history" if lang == "en" else "second historique") in said) == (1, True)
    assert ("a second history" if lang == "en" else "un second historique") in hall(tmp_path, "tables", lang=lang)[1]
    status, said = hall(tmp_path, "alarms", lang=lang)
    assert (status, said.rstrip().endswith("(5)")) == (1, True)
    for wrong in (b"no race", lines(log).replace(b"table", b"chair", 1), lines(log[17:])):
        stick.write_bytes(wrong)
        status, said = hall(tmp_path, "import", str(stick), str(tmp_path / "nowhere"), lang=lang)
        assert (status, len(said.splitlines())) == (1, 2)
        assert said.startswith(str(stick))
        assert all(line.partition(";")[0].count(str(tmp_path)) == 1 for line in said.splitlines()), said
    with (tmp_path / "long.json").open("wb") as file:
        file.truncate(MOST + 1)
    status, said = hall(tmp_path, "import", str(tmp_path / "long.json"), lang=lang)
    assert (status, "64 M" in said) == (1, True)


@pytest.mark.parametrize("command", ["carry", "takeover"])
def test_a_table_of_no_hall_is_told_so(tmp_path: Path, command: str) -> None:
    assert complaint(started("--lang", "en", "--data", tmp_path, "hall", command)) == "This table is in no hall."


def test_a_long_log_is_read_from_its_file(tmp_path: Path) -> None:
    """Once only files below 1 MB were read, and the export of a whole race is longer."""
    log = made(4000)
    (path := tmp_path / "log.jsonl").write_bytes(lines(log))
    assert path.stat().st_size > 1 << 20
    assert filed_log(path) == log


def test_standings_from_the_ledger_are_those_from_the_tables_own_files(tmp_path: Path) -> None:
    """Two races of a season, each at a table of its own: one comes by the network, one by a stick, an undo with it."""
    run, at_hall = Commander(tmp_path / "one", "season"), tmp_path / "two"
    run("new", "League", "monza", "monza", "--rulebook", "competition", "--laps", "1", "--grid", "hand")
    for n in (1, 2, 3):
        run("enter", f"D{n}")
    shutil.copytree(run.folder, at_hall)
    results = []
    for number in (1, 2):
        for folder in (run.folder, at_hall):
            Commander(folder, "season")("grid", str(number), "3", "1", "2", "--why", "drawn")
        table = tmp_path / f"table {number}"
        log_id = play(json.loads(run("setup", str(number))), table, number, answers=40)
        with RaceDesk.resume(table) as desk:
            driver = HeuristicDriver(desk.rulebook.track, 9)  # type: ignore[attr-defined]
            for undone in (3, 0):
                while (asked := desk.asked) is not None:
                    desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="Ada")
                if undone:
                    desk.undo(undone)
        if number == 1:
            with Ledger(at_hall / "hall") as ledger:
                carried(Outbox(table, log_id), ledger, 1)
        else:
            copy = backup(table, tmp_path / "stick").path
            assert hall(at_hall, "import", str(copy / "races" / f"{log_id}.jsonl"))[0] == 0
        assert verify(at_hall / "hall", log_id, rulebook_of).problems == []
        with reading(at_hall / "hall") as db:
            assert races(db)[0].over
        for folder, place in ((run.folder, table), (at_hall, at_hall / "hall")):
            with RecordDesk.resume(folder, Season) as desk_:
                assert collect(desk_, place) == ([str(number)], [])
                filed = [version.signed.act for version in desk_.record.results[str(number)].versions]
                results.append((desk_.record.standings(), filed))
    assert results[0] == results[1]
    assert results[2] == results[3]
    assert results[3][0][0].points > 0


@pytest.mark.parametrize(("lang", "said"), [("en", "Table 1 joins"), ("fr", "La table 1 rejoint")])
def test_a_code_is_for_another_machine_and_says_which_table_it_is_for(tmp_path: Path, lang: str, said: str) -> None:
    """Typed as it is printed, with the folder of race control in it, it made race control a table of itself."""
    status, told = hall(tmp_path, "code", "table 1", lang=lang)
    assert status == 0
    assert told.startswith(said)
    assert str(tmp_path) not in told
    code = told.split()[-1]
    done = CliRunner().invoke(companion, ["--data", str(tmp_path), "hall", "join", code, "--at", "127.0.0.1"])
    assert "This is race control itself" in str(done.exception)
    told_in_french(cast("CompanionError", done.exception))
    assert not (tmp_path / "hall.json").exists()


def test_a_code_for_a_table_that_is_there_says_that_it_is_replaced(tmp_path: Path) -> None:
    assert "leaves the hall" not in hall(tmp_path, "code", "1")[1]
    members = Members(tmp_path / "nats")
    members.join(members.code("1"), public(new_seed()))
    assert "The machine that is table 1 now will leave the hall." in hall(tmp_path, "code", "Table 1")[1]
