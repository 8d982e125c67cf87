"""A sample of the methods that carry rules, replaced by nothing: see tests/rules/mutation.py for all of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.articles_cited import cited, rules
from tests.rules.mutation import ROOT, main, mutate


def test_rules_replaced_by_nothing_are_missed() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.rules.mutation", "--sample", "25"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "25 methods replaced by nothing, 0 not missed" in run.stdout


def test_a_rule_that_no_test_misses_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    untested = rules()[0]._replace(articles=("1-0-1",))
    assert mutate([untested]).survived == [untested]
    assert main(["No.method"]) == 1
    assert "0 methods replaced by nothing" in capsys.readouterr().out


def test_what_a_docstring_cites() -> None:
    assert cited("Text [13-1, 13-4, ruling 22] and more [8-1-1 to 8-1-2, rulings 6, 9 to 11].") == (
        "13-1", "13-4", "ruling 22", "8-1-1", "8-1-2", "ruling 6", "ruling 9", "ruling 10", "ruling 11",
    )  # fmt: skip
    assert cited(None) == ()
    assert len(rules()) > 100
