"""A correction of an official result is official once a second person has confirmed the new one."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.view.events.listings import kept_listing, sheet_code
from companion.wording import Words
from tests.tournament.commanding import Commander, refused
from tests.tournament.test_by_lines import say


def raced(folder: Path, kind: str, lang: str = "en") -> tuple[Commander, str]:
    """Four drivers, and a race that Ada has entered and Ben confirmed."""
    run = Commander(folder, kind, lang)
    key = "1" if kind == "season" else "1.1"
    run("new", "Cup", *(["monaco", "monza"] if kind == "season" else ["--sessions", "0"]))
    for number in range(1, 5):
        run("enter", f"D{number}", "--number", str(number))
    if kind == "tournament":
        run("checkin", "all")
        run("seed", "--tables", "1", "--from", "number")
        run("publish")
    run("result", key, "--paper", "1 2 3 4", by="Ada")
    run("confirm", key, by="Ben")
    return run, key


@pytest.mark.article("competition", "2-0-3", "21-1-2")
@pytest.mark.parametrize("kind", ["tournament", "season"])
def test_nobody_has_confirmed_what_was_corrected_since(tmp_path: Path, kind: str) -> None:
    run, key = raced(tmp_path, kind)
    assert "Not official" not in run("standings")
    said = run("correct", key, "--paper", "2 1 3 4", "--why", "misread", by="Cleo")
    assert f"Not official yet: {key}." in said
    told = run("classification", key)
    assert "Was official: confirmed by Ben" in told
    assert "Official: confirmed" not in told
    assert told.rstrip().endswith("Not official yet: a second person confirms it.")
    for kind_of in ("standings", "teams", "driver"):
        told = run(kind_of, *(["1"] if kind_of == "driver" else []))
        assert f"Not official yet: {key}." in told
        assert f"{key} was corrected after it was official, by Cleo" in told
    refused(lambda: run("confirm", key, by="cleo"), "a second person confirms")
    run("confirm", key, by="Ada")
    told = run("classification", key)
    assert told.index("Was official: confirmed by Ben") < told.index("Corrected by Cleo")
    assert told.index("Corrected by Cleo") < told.index("Official: confirmed by Ada")
    told = run("standings")
    assert "Not official yet" not in told
    assert "What was printed before is out of date." in told
    refused(lambda: run("confirm", key, by="Dan"), "official already, by Ada")


@pytest.mark.parametrize("kind", ["tournament", "season"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_standings_that_were_printed_with_it_are_told_to_be_out_of_date(tmp_path: Path, kind: str, lang: str) -> None:
    run, key = raced(tmp_path, kind, lang)

    def code() -> str:
        return sheet_code(kept_listing(tmp_path, "last", kind, "standings", "", Words(lang))[0], lang)

    def verified(sheet: str) -> str:
        done = CliRunner().invoke(
            companion, ["--data", str(tmp_path), "--lang", lang, "races", "verify", "--sheet", sheet]
        )
        assert done.exit_code == 0, done.output
        return done.output

    late = "It is out of date" if lang == "en" else "Elle est périmée"
    printed = code()
    run("note", "lunch")
    assert late not in verified(printed)
    run("correct", key, "--paper", "2 1 3 4", "--why", "misread", by="Cleo")
    again = code()
    assert again.split(":")[5:] != printed.split(":")[5:], "printed anew it has another digest"
    assert late in verified(printed)
    assert "Cleo" in verified(printed)
    assert late not in verified(again)


@pytest.mark.parametrize("kind", ["tournament", "season"])
def test_lines_say_what_was_corrected(tmp_path: Path, kind: str) -> None:
    run, key = raced(tmp_path, kind)
    lines = [{"driver": number, "place": place} for place, number in enumerate((2, 1, 3, 4), 1)]
    told = say(run, {"act": "corrected", "race": key, "lines": lines, "why": "misread", "by": "Cleo"},
               {"list": "standings"}, {"act": "confirmed", "race": key, "by": "Cleo"},
               {"act": "confirmed", "race": key, "by": "Ben"}, {"list": "standings"})  # fmt: skip
    assert f"Not official yet: {key}." in told[1]["notes"]
    assert "a second person confirms" in told[2]["error"]
    assert not any("Not official" in note for note in told[4]["notes"])
