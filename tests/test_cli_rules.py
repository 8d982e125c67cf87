"""`companion rules` at the terminal."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import house_rules
from companion.articles import load, rulebooks
from companion.commands.rules import rules
from companion.rules.dice.figures import Figures
from companion.rules.dice.referee import Referee
from companion.rules.dice.variants import VARIANTS
from companion.rules.rulebooks import RULEBOOKS
from companion.wording import LANGUAGES


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
    assert "articles and rulings; name one to read all of it." in hits
    assert f"{len(load('competition'))} articles" in run().output


def test_a_ruling_shows_its_switch_once_the_setup_knows_it() -> None:
    assert "switch flag_next_crossing: Once the winner is home" in run("ruling", "100").output
    shown = run("ruling").output
    known = {figure.name for figure in RULEBOOKS["competition"].listed() if isinstance(figure.value, bool)}
    switches = [entry.switch for entry in load("competition").questions if entry.switch in known]
    assert {figure.name for figure in Figures() if isinstance(figure.value, bool)} <= {*switches}
    assert [word for word in switches if f"switch {word}:" not in shown] == []
    assert shown.count("switch ") == len(switches)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("xyzzy",),
            "Nothing in any rulebook for “xyzzy”; try an article such as 0-0-1, or fewer words.",
        ),
        (
            ("13-4", "--rulebook", "cup"),
            "Nothing in the cup rulebook for “13-4”; there is something in competition.",
        ),
        (("13-4", "--rulebook", "ludo"), "There is no rulebook called ludo; there are beginner."),
    ],
)
def test_nothing_found_is_one_sentence_and_exit_1(words: tuple[str, ...], said: str) -> None:
    failed = run(*words)
    assert failed.exit_code == 1
    assert failed.stdout == ""
    assert failed.stderr.startswith(said.removesuffix("."))
    assert len(failed.stderr.splitlines()) == 1


@pytest.mark.parametrize("words", [("formula-d", "construction"), ("Formula D", "Constructions"), ("construction",)])
def test_an_option_is_found_by_the_word_of_its_switch(words: tuple[str, ...]) -> None:
    """Only its id has that word; a rulebook is also called by its title."""
    assert run(*words).output.startswith("option.construction  Own car")


@pytest.mark.parametrize(("lang", "on"), [("en", "on"), ("fr", "oui")])
def test_an_option_or_variant_says_how_it_is_switched_on(tmp_path: Path, lang: str, on: str) -> None:
    """What its article says is what `rules save` takes."""
    for rulebook, kind in RULEBOOKS.items():
        if not issubclass(kind, Referee):
            continue
        switched = VARIANTS.of(kind, installed=False)
        for variant in switched:
            shown = " ".join(run(rulebook, variant.article, "--lang", lang).output.split())
            assert f"--rulebook {rulebook} --set {variant.switch}={on}" in shown
        alone = [one for one in switched if not one.excludes]
        sets = [word for one in alone for word in ("--set", f"{one.switch}={on}")]
        saved = run("save", rulebook, rulebook, *sets, "--data", str(tmp_path))
        assert f"{rulebook}: {rulebook}, {len(alone)} figure" in saved.output
        assert house_rules.find(tmp_path, rulebook).options == dict.fromkeys((one.switch for one in alone), True)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_word_options_lists_what_can_be_switched_on(lang: str) -> None:
    for rulebook, kind in RULEBOOKS.items():
        if issubclass(kind, Referee):
            shown = run(rulebook, "options", "--lang", lang).output
            for variant in VARIANTS.of(kind, installed=False):
                assert re.search(rf"^{re.escape(variant.article)} ", shown, re.MULTILINE), variant.article
            assert len(re.findall(r"^(?!option|variant)[a-z]+\.\S+  ", shown, re.MULTILINE)) == 0


def test_nothing_heavy_is_loaded_before_it_is_asked() -> None:
    code = "import sys, companion.commands.rules; print({'rich', 'msgspec', 'tomllib'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout == "set()\n"


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Proposed here: the book does not give this."), ("fr", "Proposé ici\u00a0: le livre ne le donne pas.")],
)
def test_an_article_with_figures_that_the_book_has_lost_says_that_they_are_proposed(lang: str, said: str) -> None:
    for rulebook, place in (("cup", "pit.quick"), ("league", "setup.wear"), ("ninety", "chart.car")):
        assert said in " ".join(run(place, "--rulebook", rulebook, "--lang", lang).output.split(" ")).replace(
            "\n  ", " "
        )
    assert said not in run("kers.points", "--rulebook", "cup", "--lang", lang).output


@pytest.mark.parametrize(("lang", "mark"), [("en", "proposed"), ("fr", "proposé")])
@pytest.mark.parametrize("rulebook", rulebooks())
def test_lists_of_titles_mark_what_the_article_says_is_proposed(rulebook: str, lang: str, mark: str) -> None:
    """The list of a rulebook comes by its name alone as well."""
    listed = run("--rulebook", rulebook, "--lang", lang).output.splitlines()
    assert run(rulebook, "--lang", lang).output.splitlines() == listed
    proposed = {article.id for article in load(rulebook).articles if article.proposed}
    assert {line.split("  ")[0] for line in listed if line.endswith(f" · {mark}")} == proposed


def test_a_rulebooks_name_comes_before_what_is_looked_for() -> None:
    assert run("cup", "pit.quick").output == run("pit.quick", "--rulebook", "cup").output
    assert run("--rulebook", "cup", "competition").output == run("competition", "--rulebook", "cup").output


def test_without_a_rulebook_all_are_looked_in_and_it_is_said_where_it_was_found() -> None:
    """An id is that of the rulebook that has it, even if its words are found in the competition."""
    option = run("option.tyres").output
    assert option.startswith("option.tyres  Kinds of tyres\n")
    assert option.splitlines()[-1] == "Found in the formula-d rulebook."
    six = " ".join(run("gears.six").output.split())
    assert six.endswith("Found in the beginner rulebook, and in formula-d; the name of one may come first.")
    assert " ".join(run("13-4", "--lang", "fr").output.split()).endswith("Trouvé dans le règlement competition.")
    assert "Found" not in run("formula-d", "option.tyres").output


def test_ids_and_words_together_show_what_each_of_them_finds() -> None:
    shown = run("formula-d", "tyres", "option.tyres").output
    assert shown.startswith("option.tyres  Kinds of tyres\n  Before the start")
    assert "\noption.stop-technical  Technical stop\n" in shown
    assert run("cup", "xyzzy", "kers.points").output == run("cup", "kers.points").output
