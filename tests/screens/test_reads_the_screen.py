"""The tests of the touchscreen tap what a person reads and read what is drawn: none reaches for a private name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
SUPPORTED = {"_replace", "_asdict", "_fields", "_make", "_current_frames"}
"""Names of Python's library that begin with an underscore, and are documented."""
LEFT: dict[str, int] = {
    "appliance.py": 1,
}
"""How many private names each file still reads. A file that reads fewer says so here; none may read more."""


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


def test_no_test_of_the_touchscreen_reads_a_private_name() -> None:
    found = {
        str(path.relative_to(HERE)): list(reads(ast.parse(path.read_text("utf-8")))) for path in HERE.rglob("*.py")
    }
    wrong = [f"{path}: {len(lines)} instead of {LEFT.get(path, 0)}: {'; '.join(lines)}"
             for path, lines in sorted(found.items()) if len(lines) != LEFT.get(path, 0)]  # fmt: skip
    assert wrong == []
    assert set(LEFT) <= set(found)
