"""Panes are declared in `compose`: no class places widgets in one method and draws beside them in another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.screens

SCREENS = Path(companion.screens.__file__).parent
PLACES = {"put", "put_rows"}
"""Methods of a pane that place a child."""


class Kind:
    """A class of the screens: what it does itself, and the names of its bases."""

    def __init__(self, node: ast.ClassDef) -> None:
        self.bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
        self.methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        calls = [one.func for one in ast.walk(node) if isinstance(one, ast.Call)]
        puts = [one for one in calls if isinstance(one, ast.Attribute) and ast.unparse(one.value) == "self"]
        self.places = "arrange" in self.methods or any(one.attr in PLACES for one in puts)


def both(classes: dict[str, Kind]) -> Iterator[str]:
    """Yield the classes that place widgets and draw, of which they do one themselves and may inherit the other."""
    roots = {"Pane", "Composed"}  # they have both as hooks

    def line(name: str) -> list[str]:
        if name not in classes or name in roots:
            return []
        return [name, *(above for base in classes[name].bases for above in line(base))]

    for name, kind in classes.items():
        kinds = [classes[one] for one in line(name)]
        draws = {"paint"} | ({"draw"} if "RowView" in line(name) else set())
        own = kind.places or kind.methods & draws
        if own and any(one.places for one in kinds) and any(one.methods & draws for one in kinds):
            yield name


def test_no_class_places_widgets_and_draws_beside_them() -> None:
    found = {
        path: [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ClassDef)]
        for path in sorted(SCREENS.rglob("*.py"))
    }
    files = {node.name: path.relative_to(SCREENS).as_posix() for path, nodes in found.items() for node in nodes}
    kinds = {node.name: Kind(node) for nodes in found.values() for node in nodes}
    assert [f"{files[name]}: {name}" for name in both(kinds)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("class A(Pane):\n    def arrange(self): ...\n    def paint(self, pen): ...", ["A"]),
        ("class A(Pane):\n    def show(self): self.put(1)\nclass B(A):\n    def paint(self, pen): ...", ["B"]),
        ("class A(RowView):\n    def draw(self, pen): self.put(1)", ["A"]),
        ("class A(Pane):\n    def paint(self, pen): ...\nclass B(Pane):\n    def arrange(self): ...", []),
        ("class A(Composed):\n    def compose(self, ui): ui.place(1)", []),
    ],
)
def test_a_class_that_does_both_is_found(text: str, found: list[str]) -> None:
    nodes = [*ast.parse(text).body, *ast.parse("class RowView: ...").body]
    assert list(both({node.name: Kind(node) for node in nodes if isinstance(node, ast.ClassDef)})) == found
