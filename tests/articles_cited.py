"""Which articles of a rulebook are cited by the methods that carry them, and marked by the tests that hold them.

A method cites its own rulebook's articles. What the dice-and-gears family shares cites the competition's, and counts
for another rulebook by the name that its `cites` gives them.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import companion.tournament
from companion.articles import load
from companion.comparison import cited
from companion.rules.circuit.search import Board, Search
from companion.rules.conversation.conversation import Conversation
from companion.rules.dice.competition import Competition
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.variants import VARIANTS
from companion.rules.rulebooks import RULEBOOKS
from companion.tournament import seeding, standings, times, trial, weather
from companion.tournament.season import Season
from companion.tournament.tournament import Tournament
from companion.tournament.trials import Trials

TESTS = Path(__file__).parent


def listed(rulebook: str) -> tuple[str, ...]:
    """Every article id of a rulebook, in its own order, and then those of the variants that it knows."""
    own, variants = ((TESTS / "articles" / f"{name}.txt").read_text("utf-8") for name in (rulebook, "variants"))
    switches = [article for article, *books in map(str.split, variants.splitlines()) if rulebook in books]
    return (*(line.split()[0] for line in own.splitlines() if line), *switches)


IDS = listed("competition")


@cache
def refereed(rulebook: str) -> Mapping[str, str]:
    """Who referees each article: the program or the table."""
    return {article.id: article.by for article in load(rulebook).articles}


BESIDE: Mapping[str, tuple[type | ModuleType, ...]] = {
    "competition": (times, times.AbsoluteTime, trial, trial.Trial, Trials, seeding, weather, Tournament),
    "league": (standings, Season),
    "formula-d": (times.AbsoluteTime, trial.BoxTrial),
}
"""What carries articles of a rulebook beside its own classes: classes, and modules with their functions."""

REMINDED: Mapping[str, Mapping[str, tuple[str, ...]]] = {"competition": trial.REMINDERS}
"""What is told beside the races of a rulebook of what people must see to."""


class Rule(NamedTuple):
    """A method (or property) of a rule class that cites articles."""

    owner: type | ModuleType
    name: str
    what: object
    articles: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.owner.__name__}.{self.name}"


def parts(kind: type) -> tuple[type, ...]:
    """The class of a rulebook, those of its chapters, and those of its variants."""
    chapters: Mapping[str, type] = kind.chapters() if hasattr(kind, "chapters") else {}
    variants = VARIANTS.of(kind) if issubclass(kind, FormulaDe) else ()
    return kind, *(chapter for variant in variants for chapter in variant.chapters), *chapters.values()


@cache
def rules(rulebook: str = "competition") -> tuple[Rule, ...]:
    """Every method of a rulebook's classes, of the search over the board and of the conversation whose docstring cites
    articles; not those that the rulebook replaces by its own."""
    kind, ids = RULEBOOKS[rulebook], listed(rulebook)
    found = []
    owners = {
        owner: last for last in parts(kind) for owner in last.__mro__ if owner.__module__.startswith("companion.")
    }
    for owner in (*owners, *BESIDE.get(rulebook, ()), *Search.__mro__[:-1], *Board.__mro__[:-1], Conversation):
        for name, what in vars(owner).items():
            inner = getattr(what, "__func__", what.fget if isinstance(what, property) else what)
            if isinstance(inner, FunctionType) and not (owner in owners and _replaced(owners[owner], owner, name)):
                text = inspect.getdoc(inner)
                own = cited(text, ids)
                family = () if rulebook == "competition" else tuple(map(kind.article, cited(text, IDS)))
                articles = tuple(x for x in dict.fromkeys((*own, *family)) if x in refereed(rulebook))
                if articles:
                    found.append(Rule(owner, name, what, articles))
    return tuple(found)


def own_rules(rulebook: str) -> tuple[Rule, ...]:
    """The methods of a rulebook's own rules that no other has; of the competition all."""
    own = tuple(rule for rule in rules(rulebook) if in_rules(rule.owner))
    if rulebook == "competition":
        return own
    shared = (
        *(owner for part in parts(Competition) for owner in part.__mro__),
        *Search.__mro__,
        *Board.__mro__,
        Conversation,
    )
    return tuple(rule for rule in own if rule.owner not in shared)


TOURNAMENT: Final = "tournament"
"""What the rules of competition over several tables and races are called among the rulebooks."""


def of_tournament() -> tuple[Rule, ...]:
    """Every function of `companion.tournament`, with the articles that it cites, of whichever rulebook."""
    ids = tuple(name for rulebook in RULEBOOKS for name in listed(rulebook))
    found = []
    for info in iter_modules(companion.tournament.__path__):
        module = import_module(f"companion.tournament.{info.name}")
        own = [what for what in vars(module).values() if getattr(what, "__module__", "") == module.__name__]
        for owner in (module, *(what for what in own if isinstance(what, type))):
            for name, what in vars(owner).items():
                inner = getattr(what, "__func__", what.fget if isinstance(what, property) else what)
                if isinstance(inner, FunctionType) and inner.__code__.co_filename == module.__file__:
                    found.append(Rule(owner, name, what, cited(inspect.getdoc(inner), ids)))
    return tuple(found)


def in_rules(owner: type | ModuleType) -> bool:
    """Whether a class or module is of the rules of a race, not of those of competition over several."""
    name = owner.__name__ if isinstance(owner, ModuleType) else owner.__module__
    return not name.startswith("companion.tournament")


def _replaced(kind: type, owner: type, name: str) -> bool:
    """Whether a class before the owner has a method of that name which never comes back to the owner's."""
    for before in kind.__mro__[: kind.__mro__.index(owner)]:
        what: Any = vars(before).get(name)
        code = getattr(getattr(what, "fget", what), "__code__", None)
        if code is not None and "super" not in code.co_names:
            return True
    return False


class Marked(NamedTuple):
    """A test and the articles by which it is marked."""

    test: str
    articles: frozenset[str]


@cache
def marked(rulebook: str = "competition") -> tuple[Marked, ...]:
    """Every test that is marked with articles of a rulebook, found by reading the test files."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text("utf-8")
        if ".article(" not in text or rulebook not in text:
            continue
        tree = ast.parse(text)
        module = _marks(_assigned(tree), rulebook)
        for names, node, own in _tests(tree, [], [], rulebook):
            articles = frozenset(own + _marks(node.decorator_list, rulebook) + module)
            if articles:
                test = "::".join([str(path.relative_to(TESTS.parent)), *names])
                found.append(Marked(test, articles))
    return tuple(found)


def _tests(
    node: ast.AST, names: list[str], own: list[str], rulebook: str
) -> Iterator[tuple[list[str], ast.FunctionDef, list[str]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef) and child.name.startswith("Test"):
            yield from _tests(child, [*names, child.name], own + _marks(child.decorator_list, rulebook), rulebook)
        elif isinstance(child, ast.FunctionDef) and child.name.startswith("test_"):
            yield [*names, child.name], child, own


def _assigned(tree: ast.Module) -> list[ast.expr]:
    """What a module marks all its tests with."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
            return node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
    return []


def _marks(decorators: list[ast.expr], rulebook: str) -> list[str]:
    """The article ids in marks of a rulebook; a mark may name several rulebooks."""
    found: list[str] = []
    for mark in decorators:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == "article":
            values = [arg.value for arg in mark.args if isinstance(arg, ast.Constant)]
            if values and rulebook in str(values[0]).split():
                found += [str(value) for value in values[1:]]
    return found


def table(rulebook: str) -> str:
    """The coverage table: each article, who referees it, its methods and how many tests are marked with it."""
    lines = [f"{rulebook:<28}{'by':<9}{'tests':>5}  methods"]
    for name in listed(rulebook):
        methods = ", ".join(str(rule) for rule in rules(rulebook) if name in rule.articles)
        count = sum(name in test.articles for test in marked(rulebook))
        lines.append(f"{name:<28}{refereed(rulebook)[name]:<9}{count:>5}  {methods}")
    return "\n".join(lines)
