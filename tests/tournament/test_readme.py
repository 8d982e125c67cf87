"""The tournament of the README, line by line as it stands there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from companion.desk import RaceDesk
from companion.drivers.sensible import Sensible
from tests.tournament.commanding import Commander

ROOT = Path(__file__).parent.parent.parent


def test_the_tournament_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    clubs = {14: "Vidal, Lyon", 7: "Brun, Lyon", 3: "Keller, Nice", 9: "Noe, Nice"}
    Path("drivers.csv").write_text("\n".join(f"{n} {name}" for n, name in clubs.items()), "utf-8")
    run = Commander(tmp_path, "tournament")
    said = re.findall(r"^    companion tournament (.*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    for line in said:
        by, words = "race control", shlex.split(line, comments=True)
        if words[0] == "--by":
            by, words = words[1], words[2:]
        if words[0] == "seed":  # those who have not driven are seated too, behind the others
            run("time", "7", "19", "1:10.2")
        run(*words, by=by)
        if words[0] == "start":
            with RaceDesk.resume(tmp_path) as desk:
                driver = Sensible(desk.rulebook.track, 1)  # type: ignore[attr-defined]
                while (asked := desk.asked) is not None:
                    desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="driver:sensible")
    assert len(said) == 11
    assert Path("standings.pdf").read_bytes().startswith(b"%PDF")
    assert {row["number"] for row in run.rows("classification", "1.1")} < set(clubs)
