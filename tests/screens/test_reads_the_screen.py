"""The tests of the touchscreen tap what a person reads and read what is drawn: none reaches for a private name, or for
an attribute of a screen or of a widget."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SUPPORTED = {"_replace", "_asdict", "_fields", "_make", "_current_frames"}
"""Names of Python's library that begin with an underscore, and are documented."""
LEFT: dict[str, int] = {
    "appliance.py": 1,
}
"""How many private names each file still reads. A file that reads fewer says so here; none may read more."""
WIDGETS_LEFT: dict[str, int] = {
    "table.py": 6,
}
"""How many times each file still reads an attribute of a widget, as `python -m tests.screens.reads` counts them. A file
that reads fewer says so here; none may read more."""


def private(name: str) -> bool:
    """Return whether a name, or the last of a dotted one, is a private one of the program."""
    last = name.rpartition(".")[2]
    return last.startswith("_") and not last.startswith("__") and last not in SUPPORTED


def reads(tree: ast.AST) -> Iterator[str]:
    """Yield every private name that a module reads of anything but its own objects, also one in a string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and private(node.attr):
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
                yield f"line {node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.ImportFrom):
            yield from (f"line {node.lineno}: {name.name}" for name in node.names if private(name.name))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("getattr", "setattr"):
            names = [one.value for one in node.args[:2] if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            yield from (f"line {node.lineno}: {name!r}" for name in names if private(name))


def changed(found: Mapping[str, list[str]], left: Mapping[str, int]) -> list[str]:
    """Return which files read more than they may, or fewer than is said of them."""
    return [
        f"{path}: {len(lines)} instead of {left.get(path, 0)}"
        for path, lines in sorted(found.items())
        if len(lines) != left.get(path, 0)
    ]


def test_no_test_of_the_touchscreen_reads_a_private_name() -> None:
    found = {
        str(path.relative_to(HERE)): list(reads(ast.parse(path.read_text("utf-8")))) for path in HERE.rglob("*.py")
    }
    assert changed(found, LEFT) == []
    assert set(LEFT) <= set(found)


def test_no_test_of_the_touchscreen_reads_more_of_widgets_than_it_did() -> None:
    from tests.screens.reads import counted

    found = counted()
    assert changed(found, WIDGETS_LEFT) == []
    assert set(WIDGETS_LEFT) <= set(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def test(table):\n    table.tap(table.screen.band.keys[0])", ["line 2: table.screen.band.keys"]),
        ("def test(app):\n    here = app.screen\n    assert here.w > here.h",
         ["line 2: app.screen", "line 3: here.h", "line 3: here.w"]),
        ("def test(rig):\n    assert rig.show(object(), 1, 2).marks", ["line 2: rig.show(object(), 1, 2).marks"]),
        ("def test(app):\n    assert [one.text for one in app.stage.walk()]",
         ["line 2: app.stage.walk", "line 2: one.text"]),
        ("def wide(one):\n    return one.w\n\ndef test(app):\n    assert wide(app.screen)",
         ["line 2: one.w", "line 5: app.screen"]),
        ("def own(app):\n    return app.screen\n\ndef test(app):\n    assert own(app).w",
         ["line 2: app.screen", "line 5: own(app).w"]),
        ("from companion.screens.kit.key import Key\n\ndef test(made: Key):\n    assert made.face",
         ["line 4: made.face"]),
        ("from companion.screens.kit.key import Key\n\ndef test(made: Key):\n    made.show(1)\n    assert made.show(2)",
         ["line 5: made.show"]),
        ("def test(app):\n    here = app.screen\n\n    def wide():\n        return here.w",
         ["line 2: app.screen", "line 5: here.w"]),
        ("def test(app, season):\n    assert app.stage.w == season.race(1).stage.date", ["line 2: app.stage.w"]),
        ("from companion.screens.kit.key import Key\n\ndef test(it):\n    it.key = Key()\n    it.name = it.key.face",
         ["line 5: it.key.face"]),
        ("from companion.screens.kit.key import Key\n\ndef test(kind: type[Key]):\n    assert kind.face", []),
        ("def test(app):\n    keys = app.screen.controller.offered()\n    assert keys[0].label",
         ["line 2: app.screen.controller"]),
        ("def test(ui, theme):\n    assert ui.sees(theme.words.screen('home.title')), ui.screen()", []),
    ],
)  # fmt: skip
def test_reads_of_widgets_are_found_however_they_are_reached(text: str, found: list[str]) -> None:
    from tests.screens.reads import widgets_read

    assert widgets_read({"tests.screens.made": text})["tests.screens.made"] == found
