"""Seats of the program where there is no touchscreen: by lines, at the terminal, on phones. It answers for them, and
the table is told what to do with its cars; where it rolls too, it waits until they are pushed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk.beginning import begin_race
from companion.drivers.sensible import Sensible
from companion.protocol.by_lines import Referee
from companion.terminal.screen import Screen
from companion.terminal.session import Session
from companion.wording import LANGUAGES, Words
from tests.web.pages import Phone, opened

SETUP: dict[str, Any] = {
    "track": "monaco", "laps": 1, "sky": "sun", "surface": "dry", "fixed": True, "to_play": [1, 2, 3],
    "cars": [
        {"car": 1, "driver": "Ada", "at": "2:left:5", "gear": 4, "lap": 1, "status": "racing", "tyres": "hard"},
        {"car": 2, "driver": "Bob", "at": "2:middle:2", "gear": 3, "lap": 1, "status": "racing", "tyres": "hard"},
        {"car": 3, "driver": "Cleo", "at": "1:middle:2", "gear": 2, "lap": 1, "status": "racing", "tyres": "soft"},
    ],
    "programs": {"2": "sensible", "3": "sensible"}, "program_rolls": True,
}  # fmt: skip
DRIVER = Sensible(circuits.load("monaco"), 4)


@pytest.mark.parametrize("rolls", [True, False])
def test_by_lines(tmp_path: Path, rolls: bool) -> None:
    referee = Referee("en", tmp_path)
    said = referee.say(json.dumps({"setup": {**SETUP, "program_rolls": rolls}}).encode())
    told: list[dict[str, Any]] = []
    waited = 0
    for _ in range(40):
        told += [line["push"] for line in said if "push" in line]
        question = said[-1]["question"]
        if told and told[-1]["waits"] and "push" in said[-2]:
            assert rolls
            waited += 1
            said = referee.say(b'{"pushed": true}')
            continue
        assert question["car"] == 1 or ("faces" in question and not rolls), question
        assert referee.desk is not None
        answer = DRIVER.answer(referee.desk.asked, referee.desk.rulebook.race)  # type: ignore[arg-type]
        said = referee.say(json.dumps({"n": question["n"], "answer": answer}).encode())
    assert bool(waited) is rolls
    assert {push["car"] for push in told} == {2, 3}
    assert all(push["text"].startswith(f"{push['car']} ") for push in told)
    assert "error" in referee.say(b'{"pushed": 1}')[-1]
    assert referee.desk is not None
    by = [item.by for item in referee.desk.history.items]
    assert {"driver:sensible", "table"} <= set(by)
    referee.desk.close()


def test_lines_of_a_race_without_programs_have_nothing_to_push() -> None:
    referee = Referee()
    bare = {name: value for name, value in SETUP.items() if not name.startswith("program")}
    assert [next(iter(line)) for line in referee.say(json.dumps({"setup": bare}).encode())] == ["question"]
    assert referee.say(b'{"pushed": true}') == [{"error": "The program drives no car of this race."}]


class Paper(Screen):
    """A terminal whose lines are kept; the answers are a driver's, or Enter where a car is to be pushed."""

    def __init__(self, words: Words, most: int) -> None:
        super().__init__(words)
        self.width, self.lines, self.left, self.session = 80, list[str](), most, None
        self.enters = 0

    def line(self, *parts: str | tuple[str, str]) -> None:
        self.lines.append("".join(part if isinstance(part, str) else part[0] for part in parts))

    def ask(self, prompt: str) -> str | None:
        self.left -= 1
        if not self.left:
            return None
        if self.words.say("pushed_how") in self.lines[-1]:
            self.enters += 1
            return ""
        desk = self.desk  # type: ignore[attr-defined]
        answer = DRIVER.answer(desk.asked, desk.rulebook.race)
        return answer if isinstance(answer, str) else json.dumps(answer)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_at_the_terminal(tmp_path: Path, lang: str) -> None:
    with begin_race(SETUP, "monaco", tmp_path, name="At the table") as desk:
        paper = Paper(Words(lang, desk.rulebook.name), 24)
        paper.desk = desk  # type: ignore[attr-defined]
        Session(desk, paper).run()
        by = [item.by for item in desk.history.items]
    told = [line for line in paper.lines if "→ " in line]
    assert any(line.lstrip("→ ").startswith("3 ") for line in told), told
    assert paper.enters
    assert by.count("driver:sensible") > 4


def test_on_phones(tmp_path: Path) -> None:
    """A driver's page and the table's say what is to be pushed; whoever has done it says so once."""
    with opened(tmp_path, SETUP) as (pages, table):
        driver, table_phone = Phone(pages, 1), Phone(pages, "referee")
        with driver.following() as mine:
            shown = mine.shown()
            while shown["state"] == "asked":
                answer = table.see(lambda desk: DRIVER.answer(desk.asked, desk.rulebook.race)).result()
                assert driver.post("/answer", n=shown["n"], answer=answer) == (200, "")
                shown = mine.shown()
            while "data-pushed" not in shown["parts"].get("push", ""):
                shown = mine.shown()
            n = shown["n"]
            assert table.see(lambda desk: table.programs.holds(desk.asked)).result()  # type: ignore[arg-type]
            assert driver.post("/pushed", n=n - 1) == (409, "stale")
            assert table_phone.post("/pushed", n=n) == (200, "")
            while shown["n"] == n:
                shown = mine.shown()
        assert driver.post("/pushed", n=n) == (409, "stale")
        assert Phone(pages).post("/pushed", n=n) == (401, "token")
