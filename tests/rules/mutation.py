"""Each method that carries a rule, replaced by nothing: a test that is marked with one of its articles has to fail.

    python -m tests.rules.mutation                 all of them, and a list of those that nobody missed
    python -m tests.rules.mutation Pits.fit        these
    python -m tests.rules.mutation --sample 20     some, always the same
    python -m tests.rules.mutation --rulebook cup  those that the cup has and no other rulebook

A method becomes one that returns nothing, a generator one that asks nothing, a property None. All in one process: the
marked tests are collected once, and for each method its own are run until one fails.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from inspect import isgeneratorfunction
from io import StringIO
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.articles_cited import Rule, marked, own_rules

ROOT = Path(__file__).parent.parent.parent
LIMIT = 10.0
"""Seconds after which a test that goes round in circles counts as failed."""


class TooLong(Exception):
    """A test has taken longer than LIMIT."""


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _no_questions(*_: Any, **__: Any) -> Iterator[None]:
    return
    yield


@contextmanager
def without(rule: Rule) -> Iterator[None]:
    """The rule's method replaced by nothing."""
    if isinstance(rule.what, property):
        instead: Any = property(_nothing)
    else:
        instead = _no_questions if isgeneratorfunction(rule.what) else _nothing
    setattr(rule.owner, rule.name, instead)
    try:
        yield
    finally:
        setattr(rule.owner, rule.name, rule.what)


class Mutation:
    """A pytest plugin that runs its own loop over the collected tests. `survived` are the rules that no test missed,
    `broken` the tests that fail although every rule is there."""

    def __init__(self, chosen: Sequence[Rule], rulebook: str) -> None:
        self.chosen, self.rulebook = chosen, rulebook
        self.survived: list[Rule] = []
        self.broken: list[str] = []
        self.done = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        signal.signal(signal.SIGALRM, _too_long)
        for rule in self.chosen:
            items = [item for item in session.items if self.articles(item) & set(rule.articles)]
            items.sort(key=lambda item: len(self.articles(item)))
            with without(rule):
                killer = next((item for item in items if _fails(item)), None)
            if killer is None:
                self.survived.append(rule)
            elif _fails(killer):
                self.broken.append(killer.nodeid)
        self.done = True
        return True

    def articles(self, item: pytest.Item) -> set[str]:
        """The articles of the rulebook by which a test is marked."""
        found = [mark.args for mark in item.iter_markers("article")]
        return {name for rulebook, *names in found if rulebook == self.rulebook for name in names}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """A report without words: to write down failures that are wanted would take longer than the tests."""
        skipped = call.excinfo is not None and call.excinfo.errisinstance(pytest.skip.Exception)
        outcome: Any = "passed" if call.excinfo is None else "skipped" if skipped else "failed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when or "call")


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TooLong


def _fails(item: pytest.Item) -> bool:
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))
    except TooLong:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def mutate(chosen: Sequence[Rule], rulebook: str = "competition") -> Mutation:
    """Replaces each of these rules by nothing in turn and runs the tests marked with its articles."""
    articles = {name for rule in chosen for name in rule.articles}
    tests = [test for test in marked(rulebook) if test.articles & articles]
    plugin = Mutation(chosen, rulebook)
    files = sorted({str(ROOT / test.test.partition("::")[0]) for test in tests})
    if not files:
        plugin.survived = list(chosen)
        return plugin
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={ROOT}"]
    with redirect_stdout(StringIO()) as said:
        code = pytest.main([*options, *files], plugins=[plugin])
    if not plugin.done:
        raise SystemExit(f"the tests could not be collected ({code})\n{said.getvalue()}")
    return plugin


def main(arguments: Sequence[str]) -> int:
    """Prints the rules that nobody missed; 0 if there are none."""
    rulebook = "competition"
    if arguments[:1] == ["--rulebook"]:
        rulebook, arguments = arguments[1], arguments[2:]
    chosen = list(own_rules(rulebook))
    if arguments[:1] == ["--sample"]:
        chosen = Random(2).sample(chosen, min(int(arguments[1]), len(chosen)))
    elif arguments:
        chosen = [rule for rule in chosen if str(rule) in arguments]
    found = mutate(chosen, rulebook)
    for rule in found.survived:
        print(f"{rule} can be replaced by nothing: no test of {', '.join(rule.articles)} fails")
    for test in found.broken:
        print(f"{test} fails although every rule is there")
    print(f"{len(chosen)} methods replaced by nothing, {len(found.survived)} not missed")
    return int(bool(found.survived or found.broken or not chosen))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
