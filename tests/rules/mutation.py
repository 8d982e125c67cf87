"""Every slip of the pen in a rule (see mutants.py): a test that is marked with one of its articles has to fail.

    python -m tests.rules.mutation                 all of the competition's rules, and a list of the slips nobody missed
    python -m tests.rules.mutation Pits.fit        these
    python -m tests.rules.mutation --rulebook cup  those that the cup has and no other rulebook
    python -m tests.rules.mutation --rulebook tournament  all of companion/tournament, by any rulebook's articles
    python -m tests.rules.mutation --sample 20     some slips, always the same
    python -m tests.rules.mutation --whole         only: each rule replaced by nothing
    python -m tests.rules.mutation --marked        judged by marked tests alone
    python -m tests.rules.mutation --workers 2     two at a time

The tests are collected once. Each mutant gets a process of its own, forked from there, in which its code stands in the
place of the rule's: so nothing that it spoils or remembers outlives it, and one that goes round in circles is ended. It
is judged by the tests that come by the changed line, as a run with every rule in its place has shown: first those
marked with the articles that the rule cites or rules by, the fewest articles and the fastest first; where none of these
fails, by other tests of rules, and that is told: those marked for the rulebook and golden and random races, then all
others, each for as long as BUDGET lasts.

A mutant that does what its rule does stands in equal.toml with the reason. An entry whose mutant is no more, or which
a test does tell from its rule, is stale, and the run fails as it does for a mutant that lives. For such entries alone
the tests that are slow to learn, all others, are not run.
"""

from __future__ import annotations

import argparse
import gc
import os
import pickle
import resource
import signal
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from time import process_time
from types import FrameType
from typing import Any, Final, NamedTuple, TypeVar

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

from companion.circuits import board, keys, section_keys
from companion.rules.rulebooks import RULEBOOKS
from tests.articles_cited import TOURNAMENT, of_tournament, own_rules
from tests.rules.mutants import Mutant, function, mutants, whole

ROOT: Final = Path(__file__).parent.parent.parent
JUDGES: Final = {
    "rules": ("tests/rules", "tests/golden"),
    "tournament": ("tests/tournament", "tests/hall/test_control.py"),
}
"""Where the tests lie that judge a room's mutants."""
SPARED: Final = ("*/rules/test_mutation.py", "*_command.py", "*_lines.py", "*/test_readmes.py")
"""Tests that judge nothing: this one's own, and those that run whole commands for what others try alone."""
BROAD: Final = ("tests/golden", "tests/rules/test_random_races", "tests/tournament/test_random_records")
"""The judges that see most, asked before the others where the marked tests were content."""
EQUAL: Final = Path(__file__).parent / "equal.toml"
BUDGET: Final = 4.0
"""Seconds of work that the other tests have for one mutant."""
FIRST: Final = 8
"""How many of the tests marked for a rule are asked first, those with the fewest articles; the others only for what
these miss."""
PATIENCE: Final = 1.0
"""Seconds of work, beside four times its own, after which a test that goes round in circles counts as failed."""
MEMORY: Final = 4 << 30
"""Bytes that a mutant may fill."""

KILLED, ELSEWHERE, SAME, ALIVE = "killed by marked tests", "killed by other tests", "equal", "alive"

J = TypeVar("J")
R = TypeVar("R")
Lines = dict[str, set[int]]
"""The lines of each file of rules that a test has come by."""


class Judge(NamedTuple):
    """A collected test: its articles, its seconds of work and its lines with every rule in its place."""

    item: pytest.Item
    articles: frozenset[str]
    seconds: float
    lines: Lines


class Equal(NamedTuple):
    """An entry of equal.toml: a mutant that does what its rule does, and why."""

    rule: str
    was: str
    now: str
    why: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What names the mutant."""
        return self.rule, self.was, self.now


def equals() -> list[Equal]:
    """The mutants shown to be equal."""
    return [Equal(**entry) for entry in tomllib.loads(EQUAL.read_text("utf-8")).get("mutant", [])]


class Mutation:
    """A pytest plugin that runs its own loop over the collected tests: it gives its verdict on each mutant to `tell`.
    `broken` are the tests that fail although every rule is there."""

    def __init__(
        self,
        chosen: Sequence[Mutant],
        rulebook: str,
        tell: Callable[[Mutant, str], None],
        marked_only: bool,
        workers: int,
    ) -> None:
        self.chosen, self.rulebook, self.tell = chosen, rulebook, tell
        self.marked_only, self.workers = marked_only, workers
        self.broken: list[str] = []
        self.done = False
        self._judges: list[Judge] = []
        self._learned: set[pytest.Item] = set()
        self._killers: dict[str, Counter[int]] = {}

    def pytest_collection(self) -> None:
        """Before the tests are read: what hypothesis tries is always the same, and it does not look for less."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", derandomize=True, deadline=None, database=None, phases=phases)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for key in (*keys(), *section_keys()):
            board(key)
        alive: Iterable[Mutant] = self.chosen
        for most in (FIRST, len(session.items)):
            alive = list(alive)
            self._learn(self._marked(alive, session.items, most), alive)
            gc.freeze()  # what is here by now is not looked through in every process
            alive = self._judged(alive, self._by_marked, KILLED)
        alive, known = list(alive), {entry.key for entry in equals()}
        near = [item for item in session.items if self.articles(item) or item.nodeid.startswith(BROAD)]
        for items in () if self.marked_only else (near, session.items):
            if all(mutant.key in known for mutant in alive) and items is not near:
                break
            asked = len(self._judges) if items is not near else 0
            self._learn(items, alive)
            alive = list(self._judged(alive, partial(self._by_others, asked), ELSEWHERE))
        for mutant in alive:
            self.tell(mutant, ALIVE)
        self.done = True
        return True

    def articles(self, item: pytest.Item) -> frozenset[str]:
        """The articles of the rulebook by which a test is marked; a tournament and a season go by all of them."""
        found = [mark.args for mark in item.iter_markers("article")]
        every = self.rulebook == TOURNAMENT
        return frozenset(name for of, *names in found if every or self.rulebook in of.split() for name in names)

    def _marked(self, chosen: Sequence[Mutant], items: Sequence[pytest.Item], most: int) -> list[pytest.Item]:
        """The tests marked with the articles of each of these mutants, so many at most of each, those with the fewest
        articles first."""
        marked = sorted(((self.articles(item), item) for item in items), key=lambda pair: len(pair[0]))
        found: dict[pytest.Item, None] = {}
        for articles in {mutant.articles for mutant in chosen}:
            found.update(dict.fromkeys([item for names, item in marked if names & articles][:most]))
        return list(found)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """A report without words: to write down failures that are wanted would take longer than the tests."""
        skipped = call.excinfo is not None and call.excinfo.errisinstance(pytest.skip.Exception)
        outcome: Any = "passed" if call.excinfo is None else "skipped" if skipped else "failed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when or "call")

    def _learn(self, items: Sequence[pytest.Item], chosen: Sequence[Mutant]) -> None:
        """Runs the tests not yet run with every rule in its place, to know their time and their lines in the rules of
        these mutants."""
        items = [item for item in items if item not in self._learned]
        self._learned.update(items)
        if not items:
            return
        there: Lines = {}
        for rule in {str(mutant.rule): mutant.rule for mutant in chosen}.values():
            code = function(rule).__code__
            there.setdefault(code.co_filename, set()).update(whole(rule).lines, [code.co_firstlineno])
        parts = [items[n :: self.workers] for n in range(self.workers)]
        for part, seen in _forked(parts, lambda part: [_watched(item, there) for item in part], self.workers):
            if seen is None:
                raise SystemExit("the tests ended their own process")
            for item, found in zip(part, seen, strict=True):
                if found is None:
                    self.broken.append(item.nodeid)
                else:
                    self._judges.append(Judge(item, self.articles(item), *found))

    def _judged(self, chosen: Sequence[Mutant], by: Callable[[Mutant], list[int]], verdict: str) -> Iterator[Mutant]:
        """Tells of those that a test misses and gives back the others."""

        def tried(mutant: Mutant) -> int:
            judges = by(mutant)  # by the articles of the rule, some of which the mutant may not name any more
            mutant.put()
            return next((n for n in judges if _fails(self._judges[n])), -1)

        for mutant, killer in _forked(chosen, tried, self.workers):
            if killer == -1:
                yield mutant
                continue
            if killer is not None:
                self._killers.setdefault(str(mutant.rule), Counter())[killer] += 1
            self.tell(mutant, verdict)

    def _by_marked(self, mutant: Mutant) -> list[int]:
        """The tests marked with the rule's articles that come by; first those that have missed it before."""
        articles = mutant.articles
        known = self._killers.get(str(mutant.rule), Counter())
        found = [n for n in self._passing(mutant) if self._judges[n].articles & articles]
        return sorted(found, key=lambda n: (-known[n], len(self._judges[n].articles), self._judges[n].seconds))

    def _by_others(self, asked: int, mutant: Mutant) -> list[int]:
        """The tests that come by and are not marked with its articles, without the first ones, which were `asked`."""
        articles = mutant.articles
        known = self._killers.get(str(mutant.rule), Counter())
        found = [n for n in self._passing(mutant) if n >= asked and not self._judges[n].articles & articles]
        found.sort(
            key=lambda n: (-known[n], not self._judges[n].item.nodeid.startswith(BROAD), self._judges[n].seconds)
        )
        spent = 0.0
        for count, n in enumerate(found):
            spent += self._judges[n].seconds
            if spent > BUDGET:
                return found[:count]
        return found

    def _passing(self, mutant: Mutant) -> list[int]:
        """The tests that come by the changed lines; where none is seen to, those that come by the rule."""
        path, lines = mutant.code.co_filename, set(mutant.lines)
        found = [n for n, judge in enumerate(self._judges) if judge.lines.get(path, set()) & lines]
        if not found:
            first = function(mutant.rule).__code__.co_firstlineno  # all that a rule without statements comes by
            rule = {first, *whole(mutant.rule).lines}
            found = [n for n, judge in enumerate(self._judges) if judge.lines.get(path, set()) & rule]
        return found


# -- one test, one process


def _watched(item: pytest.Item, there: Lines) -> tuple[float, Lines] | None:
    """A test's seconds of work and its lines, as far as they are among those; None if it fails."""
    lines: Lines = {}
    nowhere: set[int] = set()

    def called(frame: FrameType, _event: str, _arg: object) -> Callable[..., Any] | None:
        code = frame.f_code
        return passed if code.co_firstlineno in there.get(code.co_filename, nowhere) else None

    def passed(frame: FrameType, event: str, _arg: object) -> Callable[..., Any]:
        if event == "line":
            lines.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
        return passed

    began = process_time()
    sys.settrace(called)
    try:
        failed = _failed(item)
    finally:
        sys.settrace(None)
    return None if failed else (process_time() - began, lines)


def _failed(item: pytest.Item) -> bool:
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def _fails(judge: Judge) -> bool:
    """Whether a test fails; too long a test ends the process."""
    signal.setitimer(signal.ITIMER_PROF, PATIENCE + 4 * judge.seconds)
    return _failed(judge.item)


def _forked(jobs: Sequence[J], work: Callable[[J], R], workers: int) -> Iterator[tuple[J, R | None]]:
    """Each job with what `work` makes of it in a process of its own; None if that process came to its end."""
    left = list(reversed(jobs))
    running: dict[int, tuple[J, Any]] = {}
    while left or running:
        while left and len(running) < workers:
            job, said = left.pop(), tempfile.TemporaryFile()  # noqa: SIM115
            child = os.fork()
            if child == 0:
                try:
                    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                    pickle.dump(work(job), said)
                    said.flush()
                finally:
                    os._exit(0)
            running[child] = job, said
        child, _ = os.wait()
        job, said = running.pop(child)
        with said:
            said.seek(0)
            try:
                yield job, pickle.load(said)
            except (EOFError, pickle.UnpicklingError):
                yield job, None


# -- all of it


def room_of(rulebook: str) -> str:
    """The room of `companion` in which its rules are."""
    return "tournament" if rulebook == TOURNAMENT else "rules"


def judge(
    chosen: Sequence[Mutant],
    rulebook: str = "competition",
    *,
    tell: Callable[[Mutant, str], None] = lambda _mutant, _verdict: None,
    marked_only: bool = False,
    workers: int = 1,
) -> tuple[dict[Mutant, str], list[str]]:
    """The verdict on each of these mutants of a rulebook, and the tests that fail although every rule is there."""
    verdicts: dict[Mutant, str] = {}

    def told(mutant: Mutant, verdict: str) -> None:
        verdicts[mutant] = verdict
        tell(mutant, verdict)

    plugin = Mutation(chosen, rulebook, told, marked_only, workers)
    options = ["-q", "--assert=plain", "--races=3", "--records=10", "-p", "no:cacheprovider", "-p", "no:xdist"]
    judges = [str(ROOT / folder) for folder in JUDGES[room_of(rulebook)]]
    spared = [f"--ignore-glob={pattern}" for pattern in SPARED]
    with redirect_stdout(StringIO()) as said:
        code = pytest.main([*options, f"--rootdir={ROOT}", *spared, *judges], plugins=[plugin])
    if not plugin.done:
        raise SystemExit(f"the tests could not be collected ({code})\n{said.getvalue()}")
    return verdicts, plugin.broken


def main(arguments: Sequence[str]) -> int:
    """Prints the mutants that live; 0 if there are none."""
    parser = argparse.ArgumentParser("python -m tests.rules.mutation")
    parser.add_argument("rules", nargs="*", help="rules, such as Pits.fit; all if none is named")
    parser.add_argument("--rulebook", choices=[*RULEBOOKS, TOURNAMENT], default="competition")
    parser.add_argument("--sample", type=int, help="so many mutants, always the same")
    parser.add_argument("--whole", action="store_true", help="only: each rule replaced by nothing")
    parser.add_argument("--marked", action="store_true", help="judged by marked tests alone")
    parser.add_argument("--workers", type=int, default=1, help="how many at a time")
    wanted = parser.parse_args(arguments)
    found_rules = of_tournament() if wanted.rulebook == TOURNAMENT else own_rules(wanted.rulebook)
    rules = [rule for rule in found_rules if not wanted.rules or str(rule) in wanted.rules]
    chosen = [mutant for rule in rules for mutant in ([whole(rule)] if wanted.whole else mutants(rule))]
    known = {entry.key: entry for entry in equals()}
    if wanted.sample is not None:
        chosen = [mutant for mutant in chosen if mutant.key not in known]
        chosen = Random(2).sample(chosen, min(wanted.sample, len(chosen)))
    found: Counter[str] = Counter()
    stale: list[str] = []
    out = sys.stdout

    def tell(mutant: Mutant, verdict: str) -> None:
        if mutant.key in known:
            if verdict == ALIVE:
                verdict = SAME
            else:
                stale.append(f"{mutant}  is called equal, and is {verdict}")
        found[verdict] += 1
        if verdict in (ALIVE, ELSEWHERE):
            print(f"{verdict}: {mutant}", file=out, flush=True)

    _, broken = judge(chosen, wanted.rulebook, tell=tell, marked_only=wanted.marked, workers=wanted.workers)
    if not (wanted.whole or wanted.sample is not None):
        there = {mutant.key for mutant in chosen}
        names = {str(rule) for rule in rules}
        for entry in known.values():
            if entry.rule in names and entry.key not in there:
                stale.append(f"{entry.rule}:  {entry.was}  ->  {entry.now}  is called equal, and is no mutant")
    for line in stale:
        print(line)
    for test in broken:
        print(f"{test} fails although every rule is there")
    print(f"{wanted.rulebook}: {len(chosen)} mutants of {len(rules)} rules; "
          + ", ".join(f"{found[verdict]} {verdict}" for verdict in (KILLED, ELSEWHERE, SAME, ALIVE)))  # fmt: skip
    return int(bool(found[ALIVE] or stale or broken or not chosen))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
