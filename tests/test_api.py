"""`companion.api`, as a program of somebody else uses it: alone, or beside the program at the table."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion import api
from companion.api import CompanionError, Race, follow, load_circuit, make_driver
from tests.recipes import ROOT

WRITER = """
import sys
from pathlib import Path
from companion.api import Race, make_driver

folder, resumed = Path(sys.argv[1]), len(sys.argv) > 2
race = Race.resume(folder) if resumed else Race.begin("formula-d", "monaco", ["Ada", "Bob", "Cleo"], folder=folder)
driver = make_driver(race, "sensible", seed=3)
while True:
    race.step(driver)
    print(len(race.answers), flush=True)
"""


def test_the_program_of_the_readme_plays_to_the_flag() -> None:
    said = (ROOT / "companion/README.md").read_text("utf-8")
    code = re.search(r"```python\n(from companion\.api.*?)```", said, re.DOTALL)
    assert code is not None
    done = subprocess.run([sys.executable, "-c", code[1]], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "Ada" in done.stdout.splitlines()[-1] or "Bob" in done.stdout.splitlines()[-1]
    assert "wins" in done.stdout


@pytest.mark.parametrize("rulebook", ["beginner", "formula-d", "competition", "cup", "league", "death", "ninety"])
def test_every_legal_answer_can_be_pushed_and_popped(rulebook: str) -> None:
    race = Race.begin(rulebook, "saltmarsh" if rulebook == "ninety" else "monaco", ["Ada", "Bob"])
    driver = make_driver(race, "random", seed=5)
    for _ in range(60):
        if race.is_over:
            break
        before, question = race.answers, race.question
        for answer in race.legal_answers:
            race.push(answer)
            assert race.pop() == answer
            assert (race.answers, race.question) == (before, question)
        race.step(driver)


def test_what_is_no_legal_answer_is_refused_and_nothing_has_happened() -> None:
    race = Race.begin("beginner", "monaco", ["Ada", "Bob"])
    with pytest.raises(CompanionError):
        race.push(99)
    with pytest.raises(CompanionError):
        race.pop()
    assert (race.answers, race.turn) == ([], 1)
    assert race.text() != race.text("fr")
    assert all("1 Ada" in race.text(lang) for lang in ("en", "fr"))
    with pytest.raises(CompanionError):
        Race.begin("beginner", "nowhere", ["Ada"])
    with pytest.raises(CompanionError):
        load_circuit("nowhere")


@pytest.mark.parametrize(("lang", "said"), [("en", "space 1 in Sainte-Dévote"), ("fr", "Sainte-Dévote")])
def test_spaces_are_named_in_words(lang: str, said: str) -> None:
    race = Race.begin("beginner", "monaco", ["Ada", "Bob"])
    driver, told = make_driver(race, "sensible", seed=1), ""
    for _ in range(60):
        race.step(driver)
        told += "\n".join(race.told(lang)) + "\n"
    assert not re.search(r"\d+:(left|middle|right):\d+", told), told
    assert said in told, told


def test_what_is_no_list_of_names_and_no_driver_is_told() -> None:
    with pytest.raises(CompanionError, match=r'a list of names, such as \["Ada", "Bob"\]; AB is one text.'):
        Race.begin("beginner", "monaco", "AB")
    race = Race.begin("beginner", "monaco", ["Ada", "Bob"])
    with pytest.raises(CompanionError, match="rabbit; there are random, sensible"):
        make_driver(race, "rabbit")


def test_options_and_laps_are_those_of_the_rulebook() -> None:
    race = Race.begin("formula-d", "monaco", ["Ada", "Bob"], laps=3, options={"highest_gear": 2})
    driver, gears = make_driver(race, "sensible", seed=1), set()
    for _ in range(200):
        gears |= set(race.legal_answers) if race.question is not None and race.question.ask == "gear" else set()
        race.step(driver)
    assert gears == {1, 2}
    with pytest.raises(CompanionError, match="no_such"):
        Race.begin("formula-d", "monaco", ["Ada", "Bob"], options={"no_such": True})


def test_a_race_is_followed_while_another_program_writes_it_and_is_killed(tmp_path: Path) -> None:
    seen: list[api.Event] = []
    for resumed in ((), ("resume",)):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, tmp_path, *resumed], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert writer.stdout is not None
        first = int(writer.stdout.readline())
        events = follow(tmp_path, after=seen[-1].seq if seen else 0, pause=0.01)
        while sum(event.kind == "answer" for event in seen) < first + 30:
            seen.append(next(events))
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        end = time.monotonic() + 1
        seen += follow(tmp_path, after=seen[-1].seq, wait=False)
        assert time.monotonic() < end + 30
    assert [event.seq for event in seen] == list(range(1, len(seen) + 1)), "each once, none left out"
    with Race.resume(tmp_path) as race:
        assert [event.answer for event in seen if event.kind == "answer"] == race.answers


def test_all_that_is_exported_says_what_it_is_for() -> None:
    assert all(getattr(api, name).__doc__ for name in api.__all__)


def test_a_race_that_was_closed_takes_no_answer(tmp_path: Path) -> None:
    race = Race.begin("beginner", "monaco", ["Ada", "Bob"], folder=tmp_path)
    race.push(17)
    race.close()
    for act in (lambda: race.push(4), race.pop):
        with pytest.raises(CompanionError, match="closed"):
            act()
    with Race.resume(tmp_path) as again:
        assert again.answers == [17]
