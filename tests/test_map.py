"""The map of the house: its recipes run as they stand, what it names is there, and every room says what lives in it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.recipes import MAP, ROOT, write_recipes

PACKAGE = ROOT / "companion"
ROOTS = (PACKAGE, ROOT, PACKAGE / "rules", PACKAGE / "screens")
"""From where the map names files."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recipes as files."""
    made = tmp_path_factory.mktemp("recipes")
    assert [path.name for path in write_recipes(made)] == ["house.py", "club.py", "trade.py", "tea.py"]
    return made


def run(folder: Path, *said: str) -> str:
    ran = subprocess.run([sys.executable, *said], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert not ran.stderr, ran.stderr
    return ran.stdout


def test_a_house_rule_of_ones_own_is_offered_and_ruled_alike(folder: Path) -> None:
    assert run(folder, "house.py").splitlines() == ["competition []", "cup []", "league []"]
    code = (folder / "house.py").read_text(encoding="utf-8")
    assert sum(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.parse(code).body) <= 4
    head = code[code.index("class ") : code.index(":\n", code.index("class "))]
    assert "[" not in head, "no type parameters"


def test_an_installed_house_rule_is_known_by_a_race(folder: Path, tmp_path: Path) -> None:
    said = MAP.read_text("utf-8").partition('entry-points."companion.variants"]')[2].split("\n\n", 1)[0]
    install(tmp_path, "house", "companion.variants", said)
    (tmp_path / "race.json").write_text(
        '{"track": "monaco", "cars": [{"car": 1}, {"car": 2}], "options": {"dear_slipstream": true}}'
    )
    ran = subprocess.run(
        [sys.executable, "-c", DEAR], capture_output=True, text=True, encoding="utf-8", cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{tmp_path}"},
    )  # fmt: skip
    assert ran.stdout.splitlines() == ["2 dear_slipstream", "Aspirations chères"], ran.stderr


def test_what_an_installed_package_breaks_is_left_out_and_told(tmp_path: Path) -> None:
    install(tmp_path, "house", "companion.variants", '    bad = "house:BAD"')
    (tmp_path / "house.py").write_text(
        'from companion.api import VARIANTS, Variant\nBAD = VARIANTS.add(Variant("bad", (object,)))\n'
    )
    said = [sys.executable, "-m", "companion", "--lang", "en", "rules", "formula-d"]
    paths = {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    ran = subprocess.run(said, capture_output=True, text=True, encoding="utf-8", env=os.environ | paths)
    assert (ran.returncode, len(ran.stderr.splitlines())) == (0, 1)
    assert "house:BAD, of an installed package, is left out: object, of the variant bad" in ran.stderr
    assert "option.weather" in ran.stdout


def test_an_installed_house_rule_and_rulebook_are_found_and_printed_by_their_names(
    folder: Path, tmp_path: Path
) -> None:
    said = MAP.read_text("utf-8")
    for name, group in (("house", "companion.variants"), ("club", "companion.rulebooks")):
        install(tmp_path, name, group, said.partition(f'entry-points."{group}"]')[2].split("\n\n", 1)[0])
    ran = subprocess.run(
        [sys.executable, "-c", FOUND], capture_output=True, text=True, encoding="utf-8", cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{tmp_path}{os.pathsep}{ROOT}", "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    first, second, *titles = [line for line in ran.stdout.splitlines() if line.startswith(("variant.", "True"))]
    assert first == "variant.dear-slipstream  Dear slipstreams", ran.stderr
    assert second == "variant.dear-slipstream  Aspirations chères"
    assert titles == ["True", "True"], ran.stderr


FOUND = """
from click.testing import CliRunner
from companion.commands.rules import rules
from tests.printing.test_rules import read

for words in ("formula-d dear", "club chères --lang fr"):
    print(CliRunner().invoke(rules, words.split()).output)
for lang, title in (("en", "Dearslipstreams"), ("fr", "Aspirationschères")):
    told = read(CliRunner().invoke(rules, ["print", "club", "--lang", lang]).stdout_bytes)
    print(title in told and "variant.dear" not in told)
"""


DEAR = """
import json
from companion import circuits
from companion.rules.rulebooks import begin, variants_of
from companion.view.citing import figure_name
from companion.wording import Words

book = begin(json.load(open("race.json")), circuits.load("monaco"))
print(book.slipstream.entry_brakes(), variants_of("competition")[-1].switch)
print(figure_name("dear_slipstream", Words("fr", "competition")))
"""


def install(folder: Path, name: str, group: str, points: str) -> None:
    """What an installed package leaves of its entry points."""
    (info := folder / f"{name}-1.dist-info").mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n" + points.replace('"', "").replace("    ", ""))


def test_a_rulebook_of_ones_own_is_refereed_to_the_flag(folder: Path) -> None:
    result = ast.literal_eval(run(folder, "club.py"))
    assert [line["place"] for line in result] == [1, 2]
    code = (folder / "club.py").read_text(encoding="utf-8")
    book = code[code.index("class ClubFigures") : code.index("if __name__")]
    assert len([line for line in book.splitlines() if line]) <= 30


def test_an_installed_rulebook_of_ones_own_is_known_by_every_command(folder: Path, tmp_path: Path) -> None:
    said = MAP.read_text("utf-8").partition('entry-points."companion.rulebooks"]')[2].split("\n\n", 1)[0]
    install(tmp_path, "club", "companion.rulebooks", said)
    demo = [sys.executable, "-m", "companion.commands.main", "demo", "--track", "monza", "--cars", "2", "--laps", "1"]
    ran = subprocess.run(
        [*demo, "--rulebook", "club"], capture_output=True, text=True, encoding="utf-8", cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{tmp_path}"},
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "club" in ran.stdout.lower()


def test_a_question_of_ones_own_is_asked_answered_kept_and_replayed(folder: Path) -> None:
    asked, ruled, resumed, problems = run(folder, "trade.py", "data").splitlines()
    assert asked.endswith(": trade a brake for a tyre?")
    assert ruled.endswith("échange : +1 pneu, −1 frein.")
    assert (resumed, problems) == ("True house", "[]")


def test_the_rulebooks_of_the_recipes_are_sound(folder: Path) -> None:
    assert run(folder, "-c", SOUND).splitlines() == ["[]", "[]"]


SOUND = """
import trade
from companion.api import RandomDriver, check, load_circuit

for name in ("club", "trading"):
    print(check(name, [load_circuit("monaco")], [RandomDriver], races=2))
"""


def test_the_articles_of_a_rulebook_of_ones_own_are_shown_cited_and_compared(folder: Path) -> None:
    said = run(folder, "-c", SHOWN)
    assert "1 article only in club, 0 only in Competition" in said
    assert "Only club: Late slipstreams [club.slipstream]" in said
    assert "club seulement : Aspirations tardives [club.slipstream]" in said.replace("\u00a0", " ")
    assert "There is no slipstream before the first crossing of the line." in said
    assert "1 article only in trading, 0 only in club" in said
    assert "Il n’y a pas d’aspiration avant le premier passage de la ligne." in " ".join(said.split())
    *_, cited, wrong = said.splitlines()
    assert cited == "Late slipstreams Échange"
    assert wrong.startswith("The article bad.one of a rulebook is not whole: ")


SHOWN = """
from click.testing import CliRunner
import club, trade
from companion.api import RULEBOOKS, CompanionError
from companion.articles import load
from companion.commands.rules import rules
from companion.view.citing import cited
from companion.wording import Words

for said in ("compare Competition club", "compare competition club --lang fr", "compare club trading",
             "club club.slipstream", "trading club.slipstream --lang fr"):
    print(CliRunner().invoke(rules, [*said.split()]).output)
print(cited("club.slipstream", Words("en", "club")), cited("club.trade", Words("fr", "trading")))

@RULEBOOKS.add
class Bad(club.Club):
    name = "bad"
    articles = {"bad.one": {"moment": "move"}}

try:
    load("bad")
except CompanionError as wrong:
    print(wrong)
"""


OWN = """
from club import Club
from companion.articles import load
from companion.rules.rulebooks import RULEBOOKS
from companion.view.setup.new_race import rulebook_name
from companion.wording import Words

class Nameless(Club):
    pass

try:
    RULEBOOKS.add(Nameless)
except ValueError as wrong:
    print(wrong)
print(load("club").get("10-1") == load("competition").get("10-1"), rulebook_name("club", Words("en", "club")))
"""


def test_it_speaks_as_the_book_that_it_is_a_kind_of(folder: Path) -> None:
    assert run(folder, "-c", OWN).splitlines() == [
        "There is a rulebook club already; give yours another name.",
        "True club",
    ]


def test_what_the_map_names_is_there() -> None:
    text = MAP.read_text(encoding="utf-8")
    places = {name for name in re.findall(r"`([\w/]+(?:/[\w.-]+|\.\w+))`", text) if name.count(".") < 2}
    recipes = {"house.py", "club.py", "trade.py", "tea.py", "figures.py", "whole_file.py", "strict_json.py"}
    assert len(places) > 40
    assert [name for name in sorted(places - recipes) if not any((root / name).exists() for root in ROOTS)] == []
    listed = set(re.findall(r"\]\((\w+)\)", text))
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} | {"locale"} == listed


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("slipstream", "class Slipstream("),
        ("the cup's `rules/cup.py`", "class CupWeather("),
        ("the undo key", "def undoing("),
        ("the export", "class ExportPage("),
        ("KERS", "class Kers("),
        ("boxes", "class Pits("),
        ("its die", "def practice"),
        ("QR", "segno"),
        ("its speed", "BAUD: Final"),
        ("points scales", "SCALES: Final"),
        ("dealt", "deal"),
        ("bands of their faces", "class Band("),
        ("a sentence", "ruling = "),
        ("the watchdog", "WATCHDOG"),
    ],
)
def test_a_stranger_finds_it_on_the_map(asked: str, written: str) -> None:
    """One look at the table, one at the files of its row."""
    table = MAP.read_text(encoding="utf-8").split("## Where things are")[1].split("##")[0]
    rows = [row for row in table.splitlines() if asked in row]
    assert len(rows) == 1
    files = [root / name for name in re.findall(r"`([\w/.-]+\.\w+)`", rows[0]) for root in ROOTS]
    assert any(written in path.read_text(encoding="utf-8") for path in files if path.is_file())
