"""`companion.api`, as a program of somebody else uses it: alone, or beside the program at the table."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion import api
from companion.api import CompanionError, Race, follow, load_circuit, make_driver
from tests.french import told_in_french
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


def begin(**other: object) -> Race:
    return Race.begin(**{"rulebook": "beginner", "circuit": "monaco", "drivers": ["Ada", "Bob"], **other})  # type: ignore[arg-type]


@pytest.mark.parametrize(("wrong", "said"), [
    ({"drivers": None}, "drivers wants a list, not null."), ({"drivers": 5}, "drivers wants a list, not 5."),
    ({"drivers": {"Ada": 1}}, 'drivers wants a list, not {"Ada": 1}.'),
    ({"drivers": [1, 2]}, "Car 1: driver wants a text, not 1."),
    ({"options": ["x"]}, 'options wants an object, not ["x"].'), ({"options": {5: 1}}, "5"),
    ({"options": {"highest_gear": object()}}, "A setup is plain JSON; this one is not: object."),
    ({"circuit": None}, "circuit wants a name or a path, not null."), ({"name": 5}, "name wants a text, not 5."),
    ({"folder": 5}, "folder wants a path, not 5."), ({"laps": 10**30}, "A race has 1 to 99 laps"),
])  # fmt: skip
def test_an_argument_of_a_wrong_type_is_told_in_one_sentence(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(CompanionError, match=re.escape(said)) as told:
        begin(**wrong)
    told_in_french(told.value)


@pytest.mark.parametrize("setup", [[], None, "monaco", 5])
def test_a_setup_that_is_no_object_is_told(setup: object) -> None:
    with pytest.raises(CompanionError, match="A setup is an object, such as"):
        Race.from_setup(setup)  # type: ignore[arg-type]


def test_a_circuit_is_loaded_by_the_path_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "home.toml"
    shutil.copy(ROOT / "tracks" / "monza.toml", file)
    assert load_circuit(file).name == load_circuit(str(file)).name == load_circuit("monza").name
    assert begin(circuit=file).circuit.name == load_circuit("monza").name
    for wrong in (None, 5, b"monza"):
        with pytest.raises(CompanionError, match="name wants a name or a path, not"):
            load_circuit(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("after", [10**30, 2**63 - 1, -1, "x", None, 1.5, True])
def test_a_number_of_no_entry_is_refused_and_the_database_is_not_called_damaged(tmp_path: Path, after: object) -> None:
    begin(folder=tmp_path).close()
    with pytest.raises(CompanionError, match="after wants a whole number") as told:
        list(follow(tmp_path, after=after, wait=False))  # type: ignore[arg-type]
    told_in_french(told.value)
    assert list(follow(tmp_path, after=2**53 - 1, wait=False)) == []


def test_a_race_and_a_seed_of_a_wrong_type_are_told(tmp_path: Path) -> None:
    begin(folder=tmp_path).close()
    with pytest.raises(CompanionError, match="race wants a text, not 5"):
        Race.resume(tmp_path, 5)  # type: ignore[arg-type]
    with pytest.raises(CompanionError, match="race wants a text, not 5"):
        list(follow(tmp_path, 5, wait=False))  # type: ignore[arg-type]
    with pytest.raises(CompanionError, match="seed wants a whole number, not"):
        make_driver(begin(), "random", seed=[])  # type: ignore[arg-type]


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
