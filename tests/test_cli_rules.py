"""`companion rules` at the terminal."""

import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from companion.commands.rules import rules
from companion.rules.dice.figures import Figures


def run(*words: str, locale: str = "C.UTF-8") -> Result:
    return CliRunner().invoke(rules, words, env={"LC_ALL": locale, "COLUMNS": "80", "TERM": "dumb"})


def test_an_article_is_shown_whole_within_80_columns() -> None:
    shown = run("12-0-1")
    assert shown.exit_code == 0
    lines = shown.output.splitlines()
    assert lines[0] == "12-0-1  Blocking"
    assert max(map(len, lines)) <= 80
    assert "from 7 on the car is out." in " ".join(shown.output.split())
    assert "refereed by the program · move" in shown.output


def test_a_reminder_says_so() -> None:
    assert "for the people at the table · die" in run("6-1-3").output
    assert "for the people at the table · trials" in run("1-0-4").output


def test_the_language_is_asked_for_or_the_locale_s() -> None:
    french = run("13-4", "--lang", "fr")
    assert french.output.startswith("13-4  Table de sur-régime\n")
    assert "arbitré par le programme · vitesse" in french.output
    assert run("13-4", locale="fr_FR.UTF-8").output == french.output
    assert run("13-4", "--lang", "en", locale="fr_FR.UTF-8").output == run("13-4").output


def test_a_chapter_is_shown_whole_but_many_hits_by_word_as_titles() -> None:
    chapter = run("16").output
    assert "16-0-3-1  " in chapter
    assert chapter.count("refereed by the program") == 10
    hits = run("tyres").output
    assert "refereed" not in hits
    assert hits.splitlines()[-1].endswith("articles and rulings; name one to read all of it.")
    assert "358 articles" in run().output


def test_a_ruling_shows_its_switch_once_the_setup_knows_it() -> None:
    assert "switch flag_next_crossing: Once the winner is home" in run("ruling", "100").output
    shown = run("ruling").output
    for figure in Figures():
        if isinstance(figure.value, bool):
            assert f"switch {figure.name}:" in shown
    assert shown.count("switch ") == sum(isinstance(figure.value, bool) for figure in Figures())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("xyzzy",),
            "Nothing in the competition rulebook for “xyzzy”; try an article such as 0-0-1, or fewer words.",
        ),
        (
            ("13-4", "--rulebook", "cup"),
            "Nothing in the cup rulebook for “13-4”; try an article such as gears.up-one, or fewer words.",
        ),
        (("13-4", "--rulebook", "ludo"), "There is no rulebook called ludo; the ones here are competition."),
    ],
)
def test_nothing_found_is_one_sentence_and_exit_1(words: tuple[str, ...], said: str) -> None:
    failed = run(*words)
    assert failed.exit_code == 1
    assert failed.stdout == ""
    assert failed.stderr.startswith(said.removesuffix("."))
    assert len(failed.stderr.splitlines()) == 1


def test_nothing_heavy_is_loaded_before_it_is_asked() -> None:
    code = "import sys, companion.commands.rules; print({'rich', 'msgspec', 'tomllib'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout == "set()\n"
