"""The joint between the rules and the rest, as the type checker sees it: a word that is none is found."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from companion.rules.conversation.kinds import DiceAsk, SectionAsk
from companion.rules.dice.questions import ALL_ASKS
from companion.rules.ninety.ninety import SECTION_ASKS
from tests.recipes import write_recipes

ROOT = Path(__file__).parent.parent

HEAD = """
from companion.rules.conversation.asking import Asked, JsonValue, Option, Ruling
from companion.rules.conversation.forms import Choice, whole
from companion.rules.conversation.rulebook import Rulebook
from companion.rules.dice.state import Car
from companion.rules.ninety.state import SectionCar
from companion.screens.app.app import CompanionApp
from companion.screens.race.race import RaceScreen
from companion.wording import Words


def joint(book: Rulebook[Car], asked: Asked, ruling: Ruling, words: Words,
          car: Car, driver: SectionCar, app: CompanionApp, screen: RaceScreen, said: JsonValue) -> None:
"""
PAIRS = (
    ('book.rule("gear_down", "10-1")', 'book.rule("gaer_down", "10-1")'),
    ('Ruling("overshoot", "7-1")', 'Ruling("overshot", "7-1")'),
    ('print(ruling.kind == "contest")', 'print(ruling.kind == "contests")'),
    ('Choice[int]("landing", 1, "7-1", [])', 'Choice[int]("landings", 1, "7-1", [])'),
    ('print(asked.ask == "gear")', 'print(asked.ask == "gaer")'),
    ('words.option("stop", "quick")', 'words.option("stopp", "quick")'),
    ('book.rule("gear_down", "10-1", None, {"brakes": -1})', 'book.rule("gear_down", "10-1", None, {"brakez": -1})'),
    ('Option(4, {"gearbox": -1})', 'Option(4, {"gearbocks": -1})'),
    ('print(ruling.wear["cards"])', 'print(ruling.wear["card"])'),
    ('car.cause = "turn_one"', 'car.cause = "turn_won"'),
    ('driver.cause = "unpaid"', 'driver.cause = "engine"'),
    ("whole(said) + 1", "said + 1"),
    ("said.get('a') if isinstance(said, dict) else 0", "said.get('a')"),
    ('app.go("sheet")', 'app.go("shet")'),
    ('app.go("history", n=3)', 'app.go("history", m=3)'),
    ('app.go("sheet", page="log", show="cost")', 'app.go("sheet", page="log", show="costs")'),
    ('app.go("status")', 'app.go("status", car=3)'),
    ("app.go(RaceScreen)", "app.go(Words)"),
    ('screen.app.instead("race")', 'screen.app.instead("rice")'),
)
"""What is right, and the same with a word that is none."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """What the type checker says of the lines of all pairs, by the place of the line: right, wrong, right, wrong."""
    folder = tmp_path_factory.mktemp("joint")
    cache = ROOT / ".mypy_cache"
    if cache.exists():  # what is known already is not read again
        shutil.copytree(cache, folder / "cache")
    lines = [f"    {line}" for pair in PAIRS for line in pair]
    (folder / "snippets.py").write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    recipes = write_recipes(folder)
    said = mypy("--cache-dir", str(folder / "cache"), *map(str, (folder / "snippets.py", *recipes)))
    for recipe in recipes:
        assert f"{recipe.name}:" not in said, said
    first = HEAD.count("\n") + 1
    told = re.findall(r"snippets\.py:(\d+): error: (.*)", said)
    return {int(line) - first: what for line, what in told}


def mypy(*how: str) -> str:
    """What mypy says, as strictly as the project has it."""
    how = ("--config-file", "pyproject.toml", "--no-error-summary", *how)
    ran = subprocess.run([sys.executable, "-m", "mypy", *how], cwd=ROOT, capture_output=True, text=True)
    assert not ran.stderr, ran.stderr
    return ran.stdout


def test_what_is_right_passes(found: dict[int, str]) -> None:
    assert [found.get(2 * at) for at in range(len(PAIRS))] == [None] * len(PAIRS)
    assert set(found) <= set(range(2 * len(PAIRS)))


@pytest.mark.parametrize("at", range(len(PAIRS)), ids=[wrong for _, wrong in PAIRS])
def test_a_word_that_is_none_is_found_where_it_is_written(found: dict[int, str], at: int) -> None:
    assert 2 * at + 1 in found


def test_every_kind_of_question_says_what_it_asks() -> None:
    assert set(ALL_ASKS) == set(get_args(DiceAsk))
    assert set(SECTION_ASKS) == set(get_args(SectionAsk))


@pytest.mark.parametrize(
    ("source", "was", "now", "finds"),
    [
        ("companion/rules/dice/tyres.py", "def slide_of(", "def slides_of(", "companion/rules/public.py"),
        (
            "companion/rules/public.py",
            "    behind: int | None",
            "    distance: int | None",
            "companion/view/race/order.py",
        ),
        ("companion/rules/public.py", "def barred(", "def refused(", "companion/view/race/keys.py"),
    ],
    ids=["a method of the rules", "what is known of a car", "what the rules are asked"],
)
def test_what_is_renamed_in_the_rules_is_found_where_it_is_used(
    tmp_path: Path, source: str, was: str, now: str, finds: str
) -> None:
    text = (ROOT / source).read_text(encoding="utf-8")
    assert text.count(was) == 1
    (tmp_path / "renamed.py").write_text(text.replace(was, now), encoding="utf-8")
    if (ROOT / ".mypy_cache").exists():
        shutil.copytree(ROOT / ".mypy_cache", tmp_path / "cache")
    said = mypy("--cache-dir", str(tmp_path / "cache"), "--shadow-file", source, str(tmp_path / "renamed.py"), finds)
    assert f"{finds}:" in said
