"""A refusal that an option or another command would settle names it, at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands.main import main
from companion.wording import LANGUAGES

FIELD = "1,Ada\n2,Bob\n3,Cleo\n4,Dan\n5,Elsa\n"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_names_the_option_or_the_command_that_settles_it(
    tmp_path: Path, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "field.csv").write_text(FIELD, "utf-8")

    def does(*said: str, kind: str = "tournament") -> None:
        main(["--lang", lang, "--data", str(tmp_path), kind, *said])

    def names(option: str, *said: str, kind: str = "tournament") -> None:
        capsys.readouterr()
        with pytest.raises(SystemExit):
            does(*said, kind=kind)
        assert option in capsys.readouterr().err, said

    does("new", "Cup")
    does("import", str(tmp_path / "field.csv"))
    does("checkin", "1", "2", "3", "4")
    does("time", "1", "17", "1:15.56")
    names("--why", "time", "1", "18", "1:15.56")
    does("weather", "5", "--session", "1")
    names("--why", "weather", "6", "--session", "1")
    does("--drivers", "1 Ada, 2 Bob", "time", "1", "1", "19", "1:10", kind="trial")
    names("--why", "time", "1", "1", "20", "1:10", kind="trial")
    does("--drivers", "1 Ada, 2 Bob", "time", "1", "1", "21", "1:10", kind="trial")
    names("--why", "times")
    does("seed", "--tables", "2", "--from", "number")
    names("--again", "seed", "--tables", "1", "--from", "number")
    does("seed", "--tables", "1", "--from", "number", "--again")
    names("--why", "withdraw", "3")
    names("--why", "swap", "1", "2")
    names("--session", "weather", "5")
    does("edit", "1", "--team", "Lyon")
    does("edit", "2", "--team", "Lyon")
    names("--why", "publish")
    does("publish", "--why", "one table only")
    for refused in (["swap", "1", "2"], ["seed", "--again"], ["seat", "5", "1.1"]):
        names("--why", *refused)
    does("checkin", "4", "--not")
    names("--why", "start", "1.1")
    names("--why", "setup", "1.1")
    does("new", "Saturday", kind="hall")
    names("--why", "assign", "1", "1.1", kind="hall")
    does("result", "1.1", "--paper", "1 2 3 out 4 engine")
    names("ommand correct " if lang == "en" else "ommande correct ", "result", "1.1", "--paper", "2 1 3 out 4 engine")
    names("--why", "correct", "1.1", "--paper", "2 1 3 out 4 engine")
    names("ommand withdraw " if lang == "en" else "ommande withdraw ", "remove", "3")

    does("new", "League", "monaco", "spa", "--rulebook", "league", kind="season")
    does("import", str(tmp_path / "field.csv"), kind="season")
    names("--why", "abandon", "1", kind="season")
    names("--why", "move", "1", "--date", "May", kind="season")
    names("--why", "grid", "1", "1", "2", "3", "4", "5", kind="season")
    does("abandon", "2", "--why", "rain", kind="season")
    names("--why", "revive", "2", kind="season")
    does("revive", "2", "--why", "sun", kind="season")
    names("--why", "withdraw", "3", kind="season")
    does("result", "1", "--paper", "1 2 3 4 5", kind="season")
    names(
        "ommand correct " if lang == "en" else "ommande correct ", "result", "1", "--paper", "2 1 3 4 5", kind="season"
    )
    names("--why", "correct", "1", "--paper", "2 1 3 4 5", kind="season")
