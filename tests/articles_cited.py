"""Which articles are cited by the methods that carry them, and marked by the tests that hold them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

from companion.articles import load
from companion.rules.competition import Competition
from companion.rules.conversation import Conversation
from companion.rules.movement import Board, Search

TESTS = Path(__file__).parent
IDS = tuple(
    line.split()[0] for line in (TESTS / "articles" / "competition.txt").read_text("utf-8").splitlines() if line
)
"""Every article id, in its own order."""
LATER = tuple(name for name in IDS if name.startswith("1-") or name == "2-0-2")
"""Trials and tables: the ids that nothing carries yet."""
BY = {article.id: article.by for article in load("competition").articles}
"""Who referees an article: the program, the table, or later nobody yet."""

_BRACKET = re.compile(r"\[([^\[\]]*)\]", re.DOTALL)


class Rule(NamedTuple):
    """A method (or property) of a rule class that cites articles."""

    owner: type
    name: str
    what: object
    articles: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.owner.__name__}.{self.name}"


def cited(text: str | None) -> tuple[str, ...]:
    """The articles and rulings ("ruling 22") in the square brackets of a docstring, ranges written out."""
    found: list[str] = []
    for bracket in _BRACKET.findall(text or ""):
        rulings = False
        for part in re.split(r",\s*", " ".join(bracket.split())):
            name, to, last = part.partition(" to ")
            if name.startswith("ruling"):
                rulings, name = True, name.split(" ", 1)[1]
            if rulings:
                found += [f"ruling {n}" for n in range(int(name), int(last or name) + 1)]
            elif name in IDS:
                end = IDS.index(last) if to else IDS.index(name)
                found += IDS[IDS.index(name) : end + 1]
    return tuple(dict.fromkeys(found))


@cache
def rules() -> tuple[Rule, ...]:
    """Every method of the competition's rule classes, of the search over the board and of the
    conversation whose docstring cites articles."""
    found = []
    for owner in (*Competition.__mro__[:-1], Search, Board, Conversation):
        for name, what in vars(owner).items():
            inner = what.fget if isinstance(what, property) else what
            if isinstance(inner, FunctionType):
                articles = tuple(x for x in cited(inspect.getdoc(inner)) if x in BY)
                if articles:
                    found.append(Rule(owner, name, what, articles))
    return tuple(found)


class Marked(NamedTuple):
    """A test and the articles by which it is marked."""

    test: str
    articles: frozenset[str]


@cache
def marked() -> tuple[Marked, ...]:
    """Every test that is marked with articles of the competition, found by reading the test files."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        module = _marks(_assigned(tree))
        for names, node, own in _tests(tree, [], []):
            articles = frozenset(own + _marks(node.decorator_list) + module)
            if articles:
                test = "::".join([str(path.relative_to(TESTS.parent)), *names])
                found.append(Marked(test, articles))
    return tuple(found)


def _tests(node: ast.AST, names: list[str], own: list[str]) -> Iterator[tuple[list[str], ast.FunctionDef, list[str]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef) and child.name.startswith("Test"):
            yield from _tests(child, [*names, child.name], own + _marks(child.decorator_list))
        elif isinstance(child, ast.FunctionDef) and child.name.startswith("test_"):
            yield [*names, child.name], child, own


def _assigned(tree: ast.Module) -> list[ast.expr]:
    """What a module marks all its tests with."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets):
            return node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
    return []


def _marks(decorators: list[ast.expr]) -> list[str]:
    """The article ids in marks of the competition."""
    found: list[str] = []
    for mark in decorators:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == "article":
            values = [arg.value for arg in mark.args if isinstance(arg, ast.Constant)]
            if values[:1] == ["competition"]:
                found += [str(value) for value in values[1:]]
    return found


def table() -> str:
    """The coverage table: each article, who referees it, its methods and how many tests are marked with it."""
    lines = [f"{'article':<12}{'by':<9}{'tests':>5}  methods"]
    for name in IDS:
        methods = ", ".join(str(rule) for rule in rules() if name in rule.articles)
        count = sum(name in test.articles for test in marked())
        lines.append(f"{name:<12}{BY[name]:<9}{count:>5}  {methods}")
    return "\n".join(lines)
