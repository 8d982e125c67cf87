"""Trials by JSON lines, a single trial typed or put right, and records that are checked or held."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.commands.main import companion
from companion.desk.trial_desk import TrialDesk
from companion.protocol.command import arriving
from companion.protocol.trials import TrialLines
from companion.tournament.trials import TrialDriver, TrialsOpened
from companion.wording import Words
from tests.sheets.bare import bare
from tests.test_bad_input import sentence
from tests.tournament.commanding import Commander


def run(folder: Path, *words: str, lang: str = "en", said: str | None = None) -> Result:
    """What a command comes to."""
    return CliRunner().invoke(companion, ["--data", str(folder), "--lang", lang, *words], input=said)


def say(folder: Path, *lines: Any, options: tuple[str, ...] = (), lang: str = "en") -> list[dict[str, Any]]:
    """What these lines are answered."""
    said = "".join(json.dumps(line) + "\n" for line in lines)
    done = run(folder, "trial", *options, "lines", said=said, lang=lang)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.output.splitlines()]


DRIVERS = ("--drivers", "14 Vidal, 7 Brun", "--by", "Ada")


@pytest.mark.article("competition", "1-0-3", "1-1-10", "1-1-12", "1-1-14", "1-3-1", "1-3-2")
def test_a_session_of_trials_by_lines(tmp_path: Path) -> None:
    told = say(
        tmp_path,
        {"weather": 1},
        {"act": "start", "driver": 14, "tyres": "rain"},
        {"act": "tap", "tap": "throw"},
        {"act": "tap", "tap": "over"},
        {"state": True},
        {"act": "typed", "driver": 14, "session": 1, "time": {"throws": 9, "clock": 4000}},
        {"act": "stop", "clock": 7556},
        {"act": "dispute", "by": "Eve"},
        {"act": "rule", "throws": 17, "overshot": 0, "misplaced": 1, "why": "seen by all", "by": "Eve"},
        {"act": "enter"},
        {"act": "start", "driver": 7, "tyres": "rain", "mono": 5},
        {"act": "missed_stops"},
        {"act": "enter"},
        {"list": "times"},
        {"act": "typed", "driver": 7, "session": 1, "time": {"throws": 12, "clock": 6100}},
        {"act": "typed", "driver": 7, "session": 1, "time": {"throws": 12, "clock": 6100}, "why": "one stop was made"},
        {"list": "times"},
        {"undo": True},
        {"state": True},
        {"quit": True},
        {"state": True},
        options=DRIVERS,
    )
    assert told[0]["sky"] == "rain"
    assert told[1]["mono"] > 0
    under_way = told[4]["trial"]
    assert (under_way["throws"], under_way["overshot"], under_way["running"]) == (1, 1, True)
    assert told[5] == {"error": "The trial of 14 is not entered yet; that comes first."}
    assert told[6]["clock"] == 7556
    assert (told[7]["by"], told[9]["by"]) == ("Eve", "Ada")
    assert told[10]["mono"] > 5
    assert [(row["place"], row["driver"]) for row in told[13]["rows"]] == [(1, 14), (2, 7)]
    assert told[13]["rows"][0]["time"]["total"] == 17 + 10 + 1
    assert told[13]["rows"][1]["time"]["last"] is True
    assert told[14] == {"error": "This needs a reason; say why."}
    assert [row["driver"] for row in told[16]["rows"]] == [7, 14]
    assert told[17] == {"undone": told[15]["entry"]}
    assert (told[18]["over"], told[18]["trial"]) == (True, None)
    assert told[19] == {"end": 14}
    assert len(told) == 20


@pytest.mark.article("competition", "1-0-1", "1-1-12", "1-1-13")
def test_sessions_are_added_up_count_by_count(tmp_path: Path) -> None:
    times = [{"throws": 30, "clock": 4000, "overshot": at, "factor": at} for at in (1, 2)]
    typed = [{"act": "typed", "driver": 14, "session": at, "time": time} for at, time in enumerate(times, 1)]
    told = say(tmp_path, *typed, {"list": "times"}, options=(*DRIVERS, "--sessions", "2", "--counts", "sum"))
    time = told[-1]["rows"][0]["time"]
    assert (time["throws"], time["clock"], time["overshot"], time["total"]) == (60, 8000, 3, 30 + 1 + 30 + 4)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_lines_that_make_no_sense_change_nothing(tmp_path: Path, lang: str) -> None:
    wrong: list[Any] = [
        [], {}, {"act": 5}, {"act": "dance"}, {"act": ["stop"]}, {"act": "stop"}, {"weather": 21}, {"weather": True},
        {"list": "cars"}, {"act": "start", "driver": 14}, {"act": "start", "driver": 14, "tyres": "soft"}, {"by": 3},
        {"act": "typed", "driver": 14, "session": 1, "time": {"throws": 0, "clock": 1}},
    ]  # fmt: skip
    told = say(tmp_path, *wrong, {"quit": True}, options=DRIVERS, lang=lang)
    assert [set(line) for line in told[:-1]] == [{"error"}] * len(wrong)
    assert told[-1] == {"end": 1}
    assert ("A line is" in told[1]["error"]) is (lang == "en")


@pytest.mark.article("competition", "1-3-1", "1-1-13")
def test_a_single_trial_is_typed_and_put_right_by_command(tmp_path: Path) -> None:
    TrialDesk.begin(tmp_path, TrialsOpened(name="Friday", track="monaco", drivers=(
        TrialDriver(number=14, name="Vidal"), TrialDriver(number=7, name="Brun"))), by="Ada").close()  # fmt: skip
    one = ("trial", "--resume", "Friday", "--by", "Eve", "time")
    assert run(tmp_path, *one, "14", "1", "17", "1:15.56", "2", "3").output == "Number 14: 24, place 1.\n"
    assert run(tmp_path, *one, "7", "1", "20", "0:59.99").output == "Number 7: 20, place 1.\n"
    again = (*one, "14", "1", "17", "1:15.56")
    assert "needs a reason" in str(run(tmp_path, *again).exception)
    assert run(tmp_path, *again, "--why", "no space over", lang="fr").output == "Numéro 14\xa0: 18, place 1.\n"
    assert run(tmp_path, *one, "7", "1", "last", "--why", "two stops").output == "Number 7: last, place 2.\n"
    for bad in (("14",), ("14", "1", "17"), ("14", "1", "x", "1:15"), ("14", "1", "17", "1:61")):
        assert run(tmp_path, *one, *bad, "--why", "x").exit_code != 0
    assert say(tmp_path, {"list": "times"})[0]["rows"][0]["time"]["total"] == 18


def test_a_single_trial_is_typed_and_put_right_at_the_terminal(tmp_path: Path) -> None:
    typed = (
        "time 14 1 17 1:15.56\ntime 14 1 16 1:15.56\ntime 14 1 16 1:15.56 0 1 1 Le Moteur\ntime 7 2\ntime 7 1 dernier\n"
    )
    done = run(tmp_path, "trial", *DRIVERS, lang="fr", said=typed)
    assert done.exit_code == 0, done.output
    assert "Numéro 14\xa0: 18, place 1." in done.output
    assert "Numéro 14\xa0: 27, place 1." in done.output
    assert "Numéro 7\xa0: dernier, place 2." in done.output
    assert "time PILOTE" in done.output
    with TrialDesk.resume(tmp_path) as desk:
        assert [signed.act.why for signed in desk.record.log[1:]] == ["", "Le Moteur", ""]
        assert desk.record.over


def test_the_words_of_a_race_hold_at_the_terminal_of_trials_in_its_language(tmp_path: Path) -> None:
    typed = "aide\ntime 14 1 17 1:15.56\nannuler\nquitter\ntime 7 1 16 1:15.56\n"
    done = run(tmp_path, "trial", *DRIVERS, lang="fr", said=typed)
    assert done.exit_code == 0, done.output
    assert "time PILOTE" in done.output
    assert "Numéro 14\xa0: 18, place 1." in done.output
    assert "Numéro 7" not in done.output
    with TrialDesk.resume(tmp_path) as desk:
        assert [type(signed.act).__name__ for signed in desk.record.log][-2:] == ["TrialTyped", "Undone"]


def test_drivers_in_quotes_have_their_commas(tmp_path: Path) -> None:
    told = say(tmp_path, {"list": "times"}, options=("--drivers", '14 "Smith, John", 700 Brun, "Doe, Jane"'))
    assert [(row["driver"], row["name"]) for row in told[0]["rows"]] == [
        (14, "Smith, John"), (700, "Brun"), (1, "Doe, Jane"),
    ]  # fmt: skip


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A record of each kind."""
    Commander(tmp_path, "tournament")("new", "Cup", "--points", "5 3 1")
    Commander(tmp_path, "tournament")("enter", "Ada")
    Commander(tmp_path, "season")("new", "League", "monaco")
    opened = TrialsOpened(name="Friday", track="monaco", drivers=(TrialDriver(number=1),))
    TrialDesk.begin(tmp_path, opened, by="Ada").close()
    return tmp_path


def test_records_are_verified_by_name(kept: Path) -> None:
    for name, entries in (("Cup", 2), ("League", 1), ("Friday", 1)):
        done = run(kept, "races", "verify", name)
        assert done.exit_code == 0, done.output
        assert done.output.startswith(name)
        assert f"{entries} chained" in done.output
        assert "done again" in done.output
    assert "Le journal est intact" in run(kept, "races", "verify", "Cup", lang="fr").output
    assert "There is no race Sunday" in str(run(kept, "races", "verify", "Sunday").exception) or "no races" in str(
        run(kept, "races", "verify", "Sunday").exception
    )


def test_a_record_that_was_changed_is_told(kept: Path) -> None:
    with bare(kept) as db:
        db.execute("DROP TRIGGER IF EXISTS entry_stays")
        db.execute("UPDATE entry SET body = replace(body, 'Ada', 'Eve') WHERE kind = 'entered'")
        db.execute("UPDATE race SET name = 'Friday 13' WHERE name = 'Friday'")
    done = run(kept, "races", "verify", "Cup")
    assert done.exit_code == 1
    assert "Entry 2" in done.output
    assert "The list of races has Friday 13" in run(kept, "races", "verify", "Friday").output
    assert run(kept, "races", "verify", "League").exit_code == 0


def test_a_record_that_another_program_holds_is_called_a_record(kept: Path) -> None:
    with TrialDesk.resume(kept):
        wrong = run(kept, "trial", "time", "1", "1", "17", "1:15").exception
    assert str(wrong).startswith("The record Friday is being written by ")
    assert "race" not in str(wrong).replace("companion race", "")


@pytest.mark.parametrize(("lang", "last"), [("en", "or as time 1 1 last."), ("fr", "ou par time 1 1 dernier.")])
def test_a_time_that_is_typed_otherwise_is_told_in_a_sentence(kept: Path, lang: str, last: str) -> None:
    wrong = run(kept, "trial", "time", "14", lang=lang).exception
    assert str(wrong).endswith(last)
    sentence(str(wrong))


@pytest.mark.article("competition", "1-1-8")
def test_a_clock_is_that_of_when_its_lines_arrived_however_late_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as source, os.fdopen(writing, "w") as said:
        monkeypatch.setattr(sys, "stdin", source)
        opened = TrialsOpened(name="Friday", track="monaco", drivers=(TrialDriver(number=14),))
        with TrialDesk.begin(tmp_path, opened) as desk, closing(TrialLines(desk, Words("en"))) as table:
            answered = (table.say(line) for line in table.stamped(arriving()))
            print('{"weather": 1}\n{"act": "start", "driver": 14, "tyres": "soft"}', file=said, flush=True)
            next(answered)
            time.sleep(0.3)
            print('{"act": "tap", "tap": "throw"}\n{"act": "stop"}', file=said, flush=True)
            time.sleep(0.5)
            told = [next(answered)[0] for _ in range(3)]
    assert 29 <= told[2]["clock"] <= 70


def test_a_best_lap_is_worked_out_aside_while_the_clock_runs(tmp_path: Path) -> None:
    """No table keeps it yet: the line is answered at once, and so are those after it."""
    command = [sys.executable, "-m", "companion.commands.main", "trial", "--data", str(tmp_path), *DRIVERS, "lines"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "CACHE_DIRECTORY": str(tmp_path / "cache")},
    ) as program:  # fmt: skip
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None

        def said(line: dict[str, Any]) -> dict[str, Any]:
            print(json.dumps(line), file=program.stdin, flush=True)
            answer: dict[str, Any] = json.loads(program.stdout.readline())  # type: ignore[union-attr]
            return answer

        said({"weather": 20})
        said({"act": "start", "driver": 14, "tyres": "soft"})
        began = time.monotonic()
        assert said({"limit": True})["limit"].keys() == {"share"}
        said({"act": "tap", "tap": "throw"})
        told = said({"act": "stop"})
        assert told["clock"] <= (time.monotonic() - began) * 100 + 100
        assert said({"quit": True}) == {"end": 5}
        assert (program.wait(timeout=60), program.stderr.read()) == (0, "")
    assert not list((tmp_path / "cache").rglob("*lap*")), "the work ends with the program"
