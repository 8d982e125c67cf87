"""A sample of the slips of the pen in rules: see tests/rules/mutation.py for all of them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from companion.comparison import cited
from companion.rules.conversation.asking import Procedure
from companion.rules.rulebooks import RULEBOOKS
from tests.articles_cited import IDS, Rule, of_tournament, own_rules, rules
from tests.rules.mutants import function, mutants, whole
from tests.rules.mutation import ROOT, equals


def run(*arguments: str) -> tuple[int, str]:
    """The command as a person starts it."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules.mutation", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_rules_replaced_by_nothing_are_missed() -> None:
    code, said = run("--whole", "--sample", "25", "--marked")
    assert code == 0, said
    assert "25 killed by marked tests" in said


def test_no_slip_of_the_pen_lives_in_a_sample() -> None:
    code, said = run("--rulebook", "league", "--sample", "20", "--marked")
    assert code == 0, said
    assert re.search(r"\b20 mutants of \d+ rules; 20 killed by marked tests", said), said


def test_a_slip_is_judged_by_the_articles_of_its_rule_though_it_names_them_no_more() -> None:
    code, said = run("--rulebook", "ninety", "--marked", "Overtaking.passing")
    assert code == 0, said
    assert " 0 alive" in said


class Toy:
    """Rules for the mutants of this test."""

    def pays(self, points: int, *, wet: bool) -> int:
        """What a point costs."""
        if points > 3 and not wet:
            return min(points, 7)
        return points + 1

    def asks(self) -> Iterator[int]:
        """Asks once."""
        yield 1

    def takes(self, told: bool) -> Procedure[bool]:
        """Asks whether it is taken."""
        if told:
            return (yield from ())
        return False

    def is_more(self) -> bool:
        """Asks the class before."""
        return bool(super().__eq__(self)) or self is not None


def test_what_is_changed_in_a_rule() -> None:
    toy = Toy()
    found = {(mutant.was, mutant.now) for mutant in mutants(Rule(Toy, "pays", Toy.pays, ()))}
    condition, least, rest = "if points > 3 and (not wet):", "return min(points, 7)", "return points + 1"
    assert found == {
        ("the whole rule", "nothing"),
        (condition, "nothing"),
        (condition, "if True:"),
        (condition, "if not (points > 3 and (not wet)):"),
        (condition, "if points > 3 or not wet:"),
        (condition, "if points > 3:"),
        (condition, "if not wet:"),
        (condition, "if points >= 3 and (not wet):"),
        (condition, "if points > 4 and (not wet):"),
        (condition, "if points > 2 and (not wet):"),
        (condition, "if points > 3 and wet:"),
        (least, "nothing"),
        (least, "return min(points, 7) + 1"),
        (least, "return 0"),
        (least, "return max(points, 7)"),
        (least, "return min(points, 8)"),
        (least, "return min(points, 6)"),
        (rest, "nothing"),
        (rest, "return points + 1 + 1"),
        (rest, "return 0"),
        (rest, "return points - 1"),
        (rest, "return points + 2"),
        (rest, "return points + 0"),
    }
    assert toy.pays(9, wet=False) == 7


def test_what_a_question_comes_to_is_changed_as_its_kind_has_it() -> None:
    """`return False` at the end, left out, says no all the same."""
    found = {mutant.now for mutant in mutants(Rule(Toy, "takes", Toy.takes, ())) if mutant.was == "return False"}
    assert found == {"return not False"}


def test_of_a_rule_that_does_nothing_the_mutant_is_the_rule_of_the_class_before() -> None:
    class Free(Toy):
        def pays(self, points: int, *, wet: bool) -> int:  # type: ignore[empty-body]
            """Nothing is paid."""

    (without,) = mutants(Rule(Free, "pays", Free.pays, ()))
    assert (without.was, without.now) == ("the whole rule", "the rule of the class before")
    assert Free().pays(2, wet=False) is None
    without.put()
    assert Free().pays(2, wet=False) == 3


def test_a_mutant_in_the_place_of_its_rule() -> None:
    toy = Toy()
    own = Toy.pays.__code__, Toy.asks.__code__, Toy.is_more.__code__
    try:
        less = next(one for one in mutants(Rule(Toy, "pays", Toy.pays, ())) if one.now == "return points - 1")
        less.put()
        assert toy.pays(2, wet=False) == 1
        whole(Rule(Toy, "asks", Toy.asks, ())).put()
        assert list(toy.asks()) == []
        either = next(one for one in mutants(Rule(Toy, "is_more", Toy.is_more, ())) if " and " in one.now)
        either.put()
        assert toy.is_more()
    finally:
        Toy.pays.__code__, Toy.asks.__code__, Toy.is_more.__code__ = own


@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_every_rule_has_its_mutants_and_is_its_own_source(rulebook: str) -> None:
    for rule in own_rules(rulebook):
        assert function(rule).__code__ != whole(rule).code
    assert any(len(mutants(rule)) > 1 for rule in own_rules(rulebook))


def test_what_is_called_equal_is_a_mutant_and_has_a_reason() -> None:
    listed = equals()
    named = {str(rule): rule for rulebook in RULEBOOKS for rule in own_rules(rulebook)}
    named |= {str(rule): rule for rule in of_tournament()}
    assert {entry.rule for entry in listed} - set(named) == set()
    same = 2 if sys.version_info >= (3, 13) else 3  # there more slips compile to the same, and the first stands for all
    there = {mutant.key[:same] for name in {entry.rule for entry in listed} for mutant in mutants(named[name])}
    assert [entry for entry in listed if entry.key[:same] not in there] == []
    assert [entry for entry in listed if len(entry.why) < 20] == []


def test_what_a_docstring_cites() -> None:
    assert cited("Text [13-1, 13-4, ruling 22] and more [8-1-1 to 8-1-2, rulings 6, 9 to 11].", IDS) == (
        "13-1", "13-4", "ruling 22", "8-1-1", "8-1-2", "ruling 6", "ruling 9", "ruling 10", "ruling 11",
    )  # fmt: skip
    assert cited(None, IDS) == ()
    assert len(rules()) > 100
