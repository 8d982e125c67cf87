"""Two rulebooks beside each other, made from their articles, figures and methods, and at the terminal."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.articles import load, rulebooks
from companion.commands.rules import rules
from companion.comparison import Comparison, Twins, compare
from companion.house_rules import HouseRules, keep
from companion.rules.beginner import Beginner
from companion.rules.death.death import Death
from companion.rules.rulebooks import RULEBOOKS
from companion.view.pages.comparison import chapters, summary
from companion.wording import LANGUAGES, Words

PAIRS = list(permutations(rulebooks(), 2))


def run(*words: str, lang: str = "en") -> Result:
    return CliRunner().invoke(rules, [*words, "--lang", lang], env={"COLUMNS": "80", "TERM": "dumb"})


def of(found: Comparison, article: str) -> Twins:
    """The twins of an article of the rulebook to be learned."""
    return next(one for one in found.twins if article in [other.id for other in one.right])


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_every_article_of_both_is_there_once(left: str, right: str) -> None:
    found = compare(left, right)
    ours = [article.id for one in found.twins for article in one.left]
    theirs = [article.id for one in found.twins for article in one.right]
    assert sorted(ours) == sorted(article.id for article in load(left).articles)
    assert sorted(theirs) == sorted(article.id for article in load(right).articles)


@pytest.mark.parametrize(("left", "right"), list(combinations(rulebooks(), 2)))
def test_a_comparison_says_the_same_from_either_side(left: str, right: str) -> None:
    there, back = compare(left, right), compare(right, left)
    assert sum(one.alike for one in there.twins) == sum(one.alike for one in back.twins)
    alone = [one.left for one in there.twins if not one.right]
    assert alone == [one.right for one in back.twins if not one.left]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_figures_are_alike_or_not_as_the_rulebooks_have_them(left: str, right: str) -> None:
    ours = {figure.name: figure.setup_value for figure in RULEBOOKS[left].listed()}
    theirs = {figure.name: figure.setup_value for figure in RULEBOOKS[right].listed()}
    both = ours.keys() & theirs.keys()
    found = compare(left, right).figures
    assert {one.right.name for one in found if one.alike and one.right} == {x for x in both if ours[x] == theirs[x]}
    differ = {one.right.name for one in found if not one.alike and one.left and one.right}
    assert differ == {x for x in both if ours[x] != theirs[x]}


def test_twins_go_by_their_id_or_by_the_article_of_the_family_that_they_stand_for() -> None:
    found = compare("formula-d", "competition")
    assert [article.id for article in of(found, "18-0-2").left] == ["slipstream.behind"]  # by `cites`
    assert [article.id for article in of(found, "variant.wide-pits").left] == ["variant.wide-pits"]
    assert of(found, "6-2-5").left == ()  # lapped cars play in the order of the track in Formula D


def test_rules_are_alike_where_the_same_methods_rule_and_not_where_one_is_overridden() -> None:
    found = compare("formula-d", "competition")
    assert of(found, "18-0-2").alike  # other words, one method
    assert not of(found, "19-3-3").alike  # Formula D's own stops
    assert not of(found, "5-0-2").alike  # an option of the box, off unless a table says so
    assert of(compare("beginner", "formula-d"), "gears.six").alike  # the same words
    assert not any(one.alike for one in compare("formula-d", "ninety").twins)


def test_the_distance_is_alike_where_races_have_as_many_laps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number is the rulebook's own; articles word it in many ways."""
    assert not of(compare("beginner", "formula-d"), "finish.winner").alike
    monkeypatch.setattr(Beginner, "laps", RULEBOOKS["formula-d"].laps)
    assert of(compare.__wrapped__("beginner", "formula-d"), "finish.winner").alike


def test_the_basic_game_of_the_death_race_names_its_twins_in_the_beginners_game() -> None:
    """Each of its articles, in the same order of things as `cites` has them; restated, they are alike."""
    death, beginner = load("death"), load("beginner")
    basic = [article for article in death.articles if article.id.startswith("basic.")]
    assert len(basic) == 12
    for article in basic:
        stands_for = {number.id for number in load("competition") if Death.article(number.id) == article.id}
        for twin in article.twins["beginner"]:
            assert twin in beginner
            same = {number.id for number in load("competition") if Beginner.article(number.id) == twin}
            assert not same or same & stands_for, f"{article.id} is not {twin}"
    found = compare("beginner", "death")
    for name in ("basic.pool", "basic.collision", "basic.corner", "basic.grid"):
        assert of(found, name).alike
    assert not of(found, "basic.gears").alike  # says nothing of the die of each gear
    named = {twin for book in rulebooks() for article in load(book).articles for twin in article.twins.items()}
    assert all(twin in load(rulebook) for rulebook, twins in named for twin in twins)


@pytest.mark.parametrize(("lang", "said"), [("en", "As in Formula D beginner: "), ("fr", "Comme dans Formula D ")])
def test_an_article_shows_its_twins(lang: str, said: str) -> None:
    shown = run("death", "basic.pool", lang=lang).output
    assert said in shown
    assert "(beginner.pool)" in shown
    assert said not in run("death", "pit.refill", lang=lang).output


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_every_difference_is_told_once_in_its_chapter(left: str, right: str, lang: str) -> None:
    found, words = compare(left, right), Words(lang)
    told = chapters(found, words)
    assert sum(len(chapter.differences) for chapter in told) == sum(not one.alike for one in found.twins) + sum(
        not one.alike for one in found.figures
    )
    assert sum(len(chapter.alike) for chapter in told) == sum(one.alike for one in found.twins)
    titles = [chapter.title for chapter in told]
    moments = [word.capitalize() for word in words.words_of("moment").values()]
    assert titles == [title for title in moments if title in titles]  # in the order of a turn
    assert summary(found, words)


def test_the_terminal_tells_figures_rules_and_what_one_has_alone_by_chapter() -> None:
    shown = run("compare", "beginner", "formula-d")
    assert shown.exit_code == 0
    assert max(map(len, shown.output.splitlines())) <= 80
    assert len(shown.output.splitlines()) < 2 * 48  # two screens of a terminal
    said = " ".join(shown.output.split())
    assert "Points of a car: 18 → 20 [beginner.pool → option.construction]" in said
    assert "Braking and being blocked → Braking, Blocked, Blocked and out [beginner.brakes →" in said
    assert "Only Formula D: Quick stop, up to: 10 [pits.quick]" in said
    assert said.index("Setup") < said.index("Gear ·") < said.index("Move ·") < said.index("Finish")


def test_words_after_the_names_show_the_articles_of_both_whole() -> None:
    shown = run("compare", "beginner", "formula-d", "overshoot")
    for rulebook, place in (("beginner", "beginner.overshoot"), ("formula-d", "overshoot.missed")):
        assert load(rulebook).get(place).text("en")[:60] in " ".join(shown.output.split())
    french = run("compare", "beginner", "formula-d", "gears.six", lang="fr")
    assert "Commun : Six vitesses" in french.output.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cup", "ludo"), "There is no rulebook called ludo; there are beginner, competition, cup, "),
        (("ludo", "cup"), "There is no rulebook called ludo; there are beginner, competition, cup, "),
        (("cup", "cup"), "cup is compared with another rulebook, not with itself."),
        (("cup", "league", "xyzzy"), "Neither rulebook has anything for “xyzzy”; try fewer words."),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(words: tuple[str, ...], said: str) -> None:
    failed = run("compare", *words)
    assert failed.exit_code == 1
    assert failed.stdout == ""
    assert failed.stderr.startswith(said)
    assert len(failed.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", ("Kinds of tyres: on.", "Out of the box, highest gear: 3 (usually 4).")),
        ("fr", ("Types de pneus : en jeu.", "Sortie du stand, vitesse maximale : 3 (d’ordinaire 4).")),
    ],
)
def test_house_rules_are_compared_by_their_name(tmp_path: Path, lang: str, told: tuple[str, str]) -> None:
    """With their own rulebook only what they change is told, with another one besides what that has otherwise."""
    keep(tmp_path, HouseRules("Thursday", "formula-d", {"tyres": True, "leave_gear": 3}))
    data = ("--data", str(tmp_path))
    alone, other, plain = (
        run("compare", *pair, *data, lang=lang).output.replace("\u00a0", " ")
        for pair in (("formula-d", "Thursday"), ("beginner", "Thursday"), ("beginner", "formula-d"))
    )
    assert all(line in alone and line in other and line not in plain for line in told)
    assert other.startswith(plain.rstrip())
    assert len(alone.strip().splitlines()) == 3
