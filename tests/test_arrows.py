"""The rooms of the house and the arrows between them: who may import whom."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "companion"

FLOORS = {
    "rules": 0,
    "strict_json": 1,
    "whole_file": 1,
    "circuits": 1,
    "articles": 1,
    "importing": 1,
    "board_text": 1,
    "sheets": 2,
    "wording": 2,
    "desk": 3,
    "drivers": 3,
    "protocol": 4,
    "terminal": 4,
    "demo": 4,
    "screens": 4,
    "tournament": 4,
    "cli": 5,
}
"""How high each room stands: a room imports only from its own and from lower ones."""

TYPING = {"convert", "decode", "decode_lines", "Decoder"}
"""What makes a type known to msgspec when it is first called."""

VISIBLE = {"pyproject.toml", "companion", "hardware", "tracks", "tests", "systemd", "README.md"}


def modules() -> Iterator[Path]:
    yield from sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "cli" if first.startswith("cli") or first in ("__init__", "__main__") else first


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "companion":
                yield from (f"companion.{alias.name}" for alias in node.names)
            else:
                yield node.module


@pytest.mark.parametrize("path", list(modules()), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_arrows_go_one_way(path: Path) -> None:
    here = room(path)
    for name in imported(path):
        if name.startswith("companion."):
            there = name.split(".")[1]
            there = "cli" if there.startswith("cli") else there
            assert FLOORS[there] <= FLOORS[here], f"{here} may not import {name}"


def test_only_the_commands_know_the_hardware_and_it_knows_no_screen() -> None:
    for path in modules():
        if room(path) != "cli":
            assert not any(name.split(".")[0] == "hardware" for name in imported(path)), path.name
    for path in (ROOT / "hardware").rglob("*.py"):
        for name in imported(path):
            rooms = ("companion.rules", "companion.sheets", "companion.whole_file")
            allowed = not name.startswith("companion") or name.startswith(rooms)
            assert allowed, f"{path.name} may not import {name}"


def test_the_rules_core_is_pure() -> None:
    allowed = {"companion", "msgspec", "__future__"}
    barred = {
        "os",
        "io",
        "pathlib",
        "time",
        "datetime",
        "random",
        "secrets",
        "sqlite3",
        "socket",
        "subprocess",
        "threading",
    }
    for path in (PACKAGE / "rules").rglob("*.py"):
        for name in imported(path):
            top = name.split(".")[0]
            assert top in allowed or top in sys.stdlib_module_names, f"{path.name} imports {name}"
            lock = path.name == "typed.py" and top == "threading"  # types are made by one thread at a time
            assert lock or top not in barred, f"{path.name} imports {name}"
            assert not name.startswith("companion.") or name.startswith("companion.rules"), f"{path.name}: {name}"
        assert "open(" not in path.read_text(encoding="utf-8"), path.name


def test_what_is_read_becomes_typed_in_one_place() -> None:
    """Two threads that have msgspec make the same type at one moment kill the program; `typed` has a lock for that."""
    for path in (*modules(), *(ROOT / "hardware").rglob("*.py")):
        if path != PACKAGE / "rules" / "typed.py":
            assert list(read_by_msgspec(path.read_text(encoding="utf-8"))) == [], f"{path}: use companion.rules.typed"


@pytest.mark.parametrize(
    "code",
    [
        "import msgspec\nmsgspec.convert(1, int)",
        "import msgspec as m\nm.json.decode(b'1', type=int)",
        "from msgspec import convert as c\nc(1, int)",
        "from msgspec.json import Decoder",
        "import msgspec.msgpack\nread = msgspec.msgpack.Decoder(int)",
        "from msgspec import json\njson.decode(b'1', type=int)",
        "from msgspec import toml",
    ],
)
def test_a_use_of_msgspec_past_that_place_is_found(code: str) -> None:
    assert list(read_by_msgspec(code))


def read_by_msgspec(code: str) -> Iterator[str]:
    """Where code has msgspec read something typed. Untyped JSON makes no type."""
    tree = ast.parse(code)
    names = {"msgspec"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname for alias in node.names if alias.name.split(".")[0] == "msgspec" and alias.asname}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "msgspec":
            names |= {alias.asname or alias.name for alias in node.names}
            yield from (alias.name for alias in node.names if alias.name in {*TYPING, "toml", "yaml"})
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in TYPING:
            whose = ast.unparse(node.value)
            if whose.split(".")[0] in names:
                calls = [call for call in ast.walk(tree) if isinstance(call, ast.Call) and call.func is node]
                untyped = node.attr == "decode" and calls and len(calls[0].args) == 1 and not calls[0].keywords
                if not untyped:
                    yield f"{whose}.{node.attr}"


def test_the_top_level_is_as_it_should_be() -> None:
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    tops = {name.split("/")[0] for name in listed if not name.startswith(".")}
    assert tops <= VISIBLE
