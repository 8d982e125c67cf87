"""One reader for each figure: the chapter that counts with it, whom the others ask.

`python -m tests.rules.test_figures_read` prints the table: each figure of each rulebook, and who reads it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import getmodule, unwrap
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import pytest

from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.variants import VARIANTS, compose
from companion.rules.rulebooks import RULEBOOKS

ROOT = Path(__file__).parents[2]
FORM = "view/setup/standing"
ALLOWED: Final[Mapping[str, Mapping[str, str]]] = {
    "charts": {FORM: "the form offers them before there is a race"},
    "chase": {FORM: "the form offers it before there is a race"},
    "points": {"desk/organising": "a season of the league begins with its scale, and keeps its own"},
    "racers": {"desk/organising": "a season of the league begins with its sizes, and keeps its own"},
    "team_racers": {"desk/organising": "a season of the league begins with its sizes, and keeps its own"},
    "season_races": {"desk/organising": "a season of the league begins with its sizes, and keeps its own"},
}
"""Readers that only show a figure, or take it over for something that is no race: by figure, each with the reason."""


def figures_read(tree: ast.AST) -> set[str]:
    """The names read from something called `figures`; of `getattr(figures, f"slide_{tyres}")` "slide_*"."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_figures(node.value):
            found.add(node.attr)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            what, name = node.args[:2]
            if _is_figures(what) and isinstance(name, ast.JoinedStr):
                parts = (part.value if isinstance(part, ast.Constant) else "*" for part in name.values)
                found.add("".join(map(str, parts)))
    return found


def _is_figures(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name == "figures"


@cache
def methods(path: Path) -> dict[tuple[str, str], set[str]]:
    """The figures that each method of each class of a module reads."""
    classes = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ClassDef)]
    return {
        (kind.name, one.name): figures_read(one)
        for kind in classes
        for one in kind.body
        if isinstance(one, ast.FunctionDef)
    }


def owned(kind: type) -> Iterator[set[str]]:
    """What each method of a chapter reads, without those that a rulebook has replaced whole."""
    for owner in kind.__mro__:
        if not owner.__module__.startswith("companion."):
            continue
        module = getmodule(owner)
        assert module is not None
        assert module.__file__ is not None
        for (name, method), read in methods(Path(module.__file__)).items():
            if name == owner.__name__ and read and not _is_replaced(kind, owner, method):
                yield read


def _is_replaced(kind: type, owner: type, name: str) -> bool:
    """Whether a class before the owner has a method of that name which never comes back to the owner's."""
    for before in kind.__mro__[: kind.__mro__.index(owner)]:
        what: Any = vars(before).get(name)
        inner = unwrap(getattr(what, "fget", None) or getattr(what, "__func__", None) or what) if what else None
        if isinstance(inner, FunctionType) and "super" not in inner.__code__.co_names:
            return True
    return False


@cache
def elsewhere() -> dict[str, set[str]]:
    """What is read by modules outside of the rules, and in these by functions that are no methods."""
    found = {}
    for path in (ROOT / "companion").rglob("*.py"):
        if "figures" not in (text := path.read_text("utf-8")):
            continue
        tree, name = ast.parse(text), path.relative_to(ROOT / "companion").with_suffix("").as_posix()
        if name.startswith("rules/"):
            tree.body = [node for node in tree.body if not isinstance(node, ast.ClassDef)]
        if read := figures_read(tree):
            found[name] = read
    return found


@cache
def readers(rulebook: str) -> dict[str, list[str]]:
    """Who reads each figure of a rulebook: its chapters by name, and modules outside of the rules."""
    kind = RULEBOOKS[rulebook]
    plain = kind.chapters()
    full = compose(plain, VARIANTS.of(kind)) if issubclass(kind, FormulaDe) else plain
    read = {name: set().union(*owned(plain[name]), *owned(full[name])) for name in plain}
    read["book"] = set().union(*owned(kind))
    return {
        name: [who for who, names in (read | elsewhere()).items() if names & _spellings(name)]
        for name in kind.figures_type.figure_names()
    }


def _spellings(name: str) -> set[str]:
    parts = name.split("_")
    return {name, f"{parts[0]}_*", f"{parts[0]}_*_{parts[-1]}", f"{parts[0]}_*_*"}


@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_each_figure_has_one_reader(rulebook: str) -> None:
    more = {}
    for name, who in readers(rulebook).items():
        own = [one for one in who if one not in ALLOWED.get(name, {})]
        if len(own) > 1 or not who:
            more[name] = own
    assert more == {}, "ask the chapter that reads it already, by a method"


if __name__ == "__main__":
    for book in RULEBOOKS:
        print(f"\n{book}\n")
        for figure, who in readers(book).items():
            print(f"    {figure:28} {', '.join(who)}")
