"""A rulebook on paper, as a table plays it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pypdf import PdfReader

from companion import house_rules
from companion.articles import load, rulebooks
from companion.commands.rules import rules
from companion.desk.beginning import begin_race
from companion.printing.rules import as_pdf
from companion.rules.conversation.asking import Json
from companion.rules.conversation.figures import read_figures
from companion.rules.rulebooks import RULEBOOKS, variants_of


def printed(rulebook: str, lang: str = "en", options: dict[str, Json] | None = None, name: str = "") -> bytes:
    return as_pdf(rulebook, read_figures(options or {}, RULEBOOKS[rulebook].figure_table()), lang, name)


def read(made: bytes) -> str:
    """All that is printed, without its spaces: lines are broken anywhere."""
    return "".join("".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(made)).pages)


def bare(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(
    ("rulebook", "lang"), [(name, ("en", "fr")[place % 2]) for place, name in enumerate(rulebooks())] + [("cup", "en")]
)
def test_every_article_and_open_question_is_printed_whole(rulebook: str, lang: str) -> None:
    said, off = read(printed(rulebook, lang)), {one.article for one in variants_of(rulebook)}
    for entry in load(rulebook):
        if not any(entry.id.startswith(one) for one in off):
            assert bare(entry.id + entry.title(lang)) in said
            assert bare(entry.text(lang)) in said, entry.id
    assert "…" not in said


def test_what_is_on_is_told_and_what_is_off_only_by_its_title() -> None:
    said = read(printed("formula-d", options={"three_laps": True, "engine_dry": 5}, name="Thursday rules"))
    assert said.startswith("Thursdayrules")
    assert "Threelaps:on." in said
    assert "Enginetest,dry:5(usually4)." in said
    assert "Atthistable:Enginetest,dry5." in said  # at the article that it changes
    weather = load("formula-d").get("option.weather")
    assert bare(weather.text("en")) not in said
    assert "Weather" in said.partition("Notplayed:")[2].partition("Articles")[0]
    assert "Enginetest,dry(Enginetest)5" in said  # among all figures
    assert "Allastherulebookhasit." in read(printed("formula-d"))


def test_the_same_rules_give_the_same_file() -> None:
    assert printed("beginner") == printed("beginner")


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(rules, [*words, "--data", str(folder), "--lang", "en"])


def test_the_command_prints_what_is_set_what_is_kept_and_what_a_race_plays(tmp_path: Path) -> None:
    out = tmp_path / "rules.pdf"
    house_rules.keep(tmp_path, house_rules.HouseRules("Thursday", "formula-d", {"three_laps": True}))
    begin_race(
        {"rulebook": "formula-d", "track": "monaco", "cars": [{"car": 1}], "options": {"weather": True}},
        "monaco", tmp_path, name="Club night",
    ).close()  # fmt: skip
    for words, told in (
        (("formula-d", "--set", "engine_dry=5"), "Enginetest,dry:5(usually4)."),
        (("--rules", "Thursday", "--set", "engine_dry=5"), "Threelaps:on.Enginetest,dry:5"),
        (("--race", "last"), "Weather:on."),
        (("beginner",), "Allastherulebookhasit."),
    ):
        shown = run(tmp_path, "print", *words, "--out", str(out))
        assert shown.exit_code == 0, shown.output
        assert told in read(out.read_bytes())
        out.unlink()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rules", "Friday"), "There are no house rules called Friday; kept here: none."),
        (("formula-d", "--set", "kers_most=3"), "There is no figure or switch called kers_most"),
        (("ludo",), "There is no rulebook called ludo; there are beginner, formula-d"),
        (("--race", "nobody"), "There are no races in "),
    ],
)
def test_what_cannot_be_printed_is_refused_in_one_sentence(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    failed = run(tmp_path, "print", *words, "--out", str(tmp_path / "rules.pdf"))
    assert failed.exit_code == 1
    assert failed.stderr.startswith(said)
    assert not (tmp_path / "rules.pdf").exists()


def test_the_rulebook_is_the_argument_and_the_file_an_option(tmp_path: Path) -> None:
    out = tmp_path / "rules.pdf"
    printed = run(tmp_path, "print", "formula-d")
    assert printed.stdout_bytes.startswith(b"%PDF")
    assert run(tmp_path, "print", "formula-d", "--out", str(out)).stderr == f"written to {out}\n"
    assert out.read_bytes() == printed.stdout_bytes
    out.unlink()
    before = run(tmp_path, "print", str(out), "formula-d")
    assert f"print {out} [RULEBOOK] is now print [RULEBOOK] --out {out}." in before.stderr.replace(
        "rules print", "print"
    )
    assert out.read_bytes() == printed.stdout_bytes
    for words in (("formula-d", "cup"), (str(out), "cup", "league")):
        refused = run(tmp_path, "print", *words)
        assert (refused.exit_code, f"Got unexpected extra argument ({words[-1]})" in refused.stderr) == (2, True)


def test_options_of_the_box_come_before_the_variants_of_clubs_and_figures_of_none_that_is_off(tmp_path: Path) -> None:
    def lines(*options: str) -> tuple[str, str]:
        out = tmp_path / "rules.pdf"
        sets = [word for option in options for word in ("--set", f"{option}=on")]
        assert run(tmp_path, "print", "formula-d", "--out", str(out), *sets).exit_code == 0
        said = read(out.read_bytes())
        return said.partition("Notplayed:")[2].partition("Articles")[0], said.rpartition("Figures")[2]

    def titled(article: str) -> str:
        return bare(load("formula-d").get(article).title("en"))

    off, figures = lines()
    options = [
        one for one in load("formula-d").articles if one.id in ("option.weather", "option.street", "option.tyres")
    ]
    assert max(off.index(titled(one.id)) for one in options) < off.index(titled("variant.top"))
    assert "Softtyres,lapsoftheslide" not in figures
    off, figures = lines("tyres", "top")
    assert titled("option.tyres") not in off
    assert "Softtyres,lapsoftheslide" in figures
