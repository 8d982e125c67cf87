"""The rooms of the house and the arrows between them: who may import whom."""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "companion"

FLOORS = {
    "rules.conversation": 0,
    "rules.circuit": 1,
    "rules.dice": 2,
    "rules.beginner": 3,
    "rules.formula_d": 3,
    "rules.cup": 3,
    "rules.league": 3,
    "rules.death": 3,
    "rules.ninety": 3,
    "rules": 4,
    "strict_json": 5,
    "whole_file": 5,
    "version": 5,
    "circuits": 5,
    "circuit_index": 5,
    "articles": 5,
    "comparison": 6,
    "house_rules": 5,
    "importing": 5,
    "tournament": 5,
    "drawing": 5,
    "sheets": 6,
    "wording": 6,
    "desk": 7,
    "options": 7,
    "drivers": 7,
    "analysis": 8,
    "view": 9,
    "view.race": 10,
    "api": 10,
    "view.setup": 11,
    "view.seats": 12,
    "view.pages": 13,
    "view.phones": 13,
    "view.events": 14,
    "printing": 15,
    "protocol": 15,
    "terminal": 15,
    "web": 16,
    "hall": 17,
    "screens.kit": 16,
    "screens.board": 17,
    "screens.app": 18,
    "doctor": 19,
    "screens.race": 19,
    "screens.events": 19,
    "screens.setup": 19,
    "screens.pages": 20,
    "screens.gallery": 20,
    "screens": 20,
    "commands": 21,
    "__main__": 22,
}
"""How high each room stands: a room imports only from its own and from lower ones."""

WHOLE = {
    "app", "failing", "hall", "playing", "recording", "screen", "service", "stick", "table_hardware", "telling",
    "visits",
}  # fmt: skip
"""The modules of screens.app whose types name each other: the app, and parts that do what only the whole of it does. A
part that needs less is given a function; imports that run may not go in circles anywhere."""
APART = {"rules.beginner", "rules.formula_d", "rules.cup", "rules.league", "rules.death", "rules.ninety"}
"""Rulebooks that know nothing of one another."""
NESTED = ("rules", "screens", "view")
"""Rooms that have rooms."""

LONGEST_CHAIN = 5

TYPING = {"convert", "decode", "decode_lines", "Decoder"}
"""What makes a type known to msgspec when it is first called."""

VISIBLE = {"pyproject.toml", "companion", "hardware", "tracks", "tests", "systemd", "README.md"}


@functools.cache
def modules() -> tuple[Path, ...]:
    return tuple(sorted(PACKAGE.rglob("*.py")))


def room(path: Path) -> str:
    """The room that a file lies in."""
    return room_of(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"))


def room_of(module: str) -> str:
    """The room of a module by its name, such as rules.dice for companion.rules.dice.order."""
    parts = module.split(".")[1:]
    if not parts:
        return "commands"
    inner = ".".join(parts[:2])
    return inner if parts[0] in NESTED and inner in FLOORS else parts[0]


@functools.cache
def imported(path: Path) -> tuple[str, ...]:
    """All that a file imports, by name."""
    found: list[str] = []
    for node, _ in imports_of(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif node.module == "companion":
            found += [f"companion.{alias.name}" for alias in node.names]
        elif node.module:
            found.append(node.module)
    return tuple(found)


@functools.cache
def imports_of(path: Path) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Every import of a file, and whether only the type checker sees it: they are statements, so no expression is gone
    through."""
    found = []
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text(encoding="utf-8")), False)]
    while waiting:
        node, unseen = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append((node, unseen))
        elif isinstance(node, ast.stmt | ast.Module | ast.ExceptHandler | ast.match_case):
            for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            besides = node.body if for_types and isinstance(node, ast.If) else ()
            waiting += [(inner, unseen or inner in besides) for inner in ast.iter_child_nodes(node)]
    return found


@pytest.mark.parametrize("here", FLOORS)
def test_arrows_go_one_way(here: str) -> None:
    for path in (path for path in modules() if room(path) == here):
        for name in imported(path):
            if name.startswith("companion."):
                there = room_of(name)
                assert FLOORS[there] <= FLOORS[here], f"{path.name} of {here} may not import {name}"
                assert there == here or not {here, there} <= APART, f"{here} and {there} know nothing of one another"


def test_every_module_has_its_room() -> None:
    assert {room(path) for path in modules()} <= set(FLOORS)


@functools.cache
def edges(*, types: bool) -> dict[str, set[str]]:
    """Which module imports which, also inside functions; with `types` also what only the type checker sees."""
    names = {name_of(path) for path in modules()}
    found: dict[str, set[str]] = {name: set() for name in names}
    for name, node, unseen in ((name_of(path), *one) for path in modules() for one in imports_of(path)):
        if unseen and not types:
            continue
        if isinstance(node, ast.Import):
            found[name] |= {alias.name for alias in node.names} & names
        elif node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & names
            found[name] |= inner or {node.module} & names
    return found


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def circles(of: dict[str, set[str]]) -> list[list[str]]:
    """A shortest way around of all modules that lead back to themselves, such as [a, b, a]; one for those that share
    them."""
    found: dict[frozenset[str], list[str]] = {}
    reach = {name: reached(of, name) for name in of}
    for name in sorted(of):
        if name in reach[name]:
            shared = frozenset(other for other in reach[name] if name in reach[other])
            way = [name, *reach[name][name]]
            found[shared] = min(found.get(shared, way), way, key=len)
    return sorted(found.values())


def reached(of: dict[str, set[str]], name: str) -> dict[str, list[str]]:
    """All that a module leads to, each with a shortest way there."""
    ways: dict[str, list[str]] = {}
    waiting: list[tuple[str, list[str]]] = [(name, [])]
    for now, way in waiting:
        for there in sorted(of[now]):
            if there not in ways:
                ways[there] = [*way, there]
                waiting.append((there, ways[there]))
    return ways


def test_no_imports_go_in_circles() -> None:
    assert circles(edges(types=False)) == []


def test_types_go_in_circles_only_where_the_app_and_its_parts_know_each_other() -> None:
    """The rules are no such whole: what a chapter asks of its book is a Protocol, not the book's module."""
    of = edges(types=True)
    known = {f"companion.screens.app.{part}" for part in WHOLE}
    assert {name for name in of if name in reached(of, name)} == known, circles(of)


def test_a_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c", "b"]]
    assert circles({"a": {"a"}, "b": set()}) == [["a", "a"]]
    assert circles({"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"b", "a"}}) == [["a", "b", "a"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


ROOMS = sorted(path.parent for path in PACKAGE.rglob("__init__.py") if path.parent != PACKAGE)


@pytest.mark.parametrize("folder", ROOMS, ids=lambda folder: str(folder.relative_to(PACKAGE)))
def test_every_room_names_what_lives_in_it(folder: Path) -> None:
    """Each file stands in backquotes in the room's `__init__`, and nothing that is gone; a rulebook's chapters may
    stand in that of the family."""
    said = named_in(folder)
    family = named_in(PACKAGE / "rules" / "dice") if folder.parent.name == "rules" else set()
    known = said | family | {name for name in files_of(folder) for one in said if fnmatch(name, one)}
    assert sorted(files_of(folder) - known) == [], f"say in {folder.name}/__init__.py what these are"
    there = {path.stem for path in PACKAGE.rglob("*") if path.is_dir() or path.suffix == ".py"} | {PACKAGE.name}
    gone = {name for name in said if re.fullmatch("[a-z_]+", name)} - there - {"override"}
    assert sorted(gone) == [], f"{folder.name}/__init__.py names what is not there"


def named_in(folder: Path) -> set[str]:
    """What stands in backquotes in a room's docstring."""
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    return set(re.findall(r"`([^`\s]+)`", ast.get_docstring(tree) or ""))


def files_of(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.py")} - {"__init__"}


def test_hardly_anything_is_of_any_type() -> None:
    """Fewer than sixty times, outside Kivy's screens; plain JSON has names of its own (`Json`, `JsonValue`)."""
    texts = (path.read_text(encoding="utf-8") for path in modules() if "screens" not in path.parts)
    trees = (ast.parse(text) for text in texts if "Any" in text)
    assert sum(isinstance(node, ast.Name) and node.id == "Any" for tree in trees for node in ast.walk(tree)) < 60


def test_no_part_of_a_screen_takes_two_callbacks_by_position() -> None:
    """What it calls is named where it is made; one with many sends intents instead (`view.race.intents`)."""
    wrong = []
    for path in (path for path in modules() if "screens" in path.parts):
        for one in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(one, ast.FunctionDef) and one.name == "__init__":
                named = [arg.arg for arg in one.args.args if arg.arg.startswith("on_")]
                wrong += [f"{path.name}, line {one.lineno}: {', '.join(named)}"] if len(named) > 1 else []
    assert wrong == []


SHOWING = ("view", "terminal", "protocol", "printing", "sheets", "wording", "screens", "web")
"""The rooms that know a race by its public face alone."""


@pytest.mark.parametrize("here", SHOWING)
def test_whoever_shows_a_race_knows_its_public_face_only(here: str) -> None:
    for path in (path for path in modules() if room(path).split(".")[0] == here):
        states = [name for name in imported(path) if re.fullmatch(r"companion\.rules\.\w+\.state", name)]
        states += [name for name in named(path) if re.fullmatch(r"(Cup|League)(Car|Move|Race)", name)]
        assert states == [], f"{path.name}: see rules/public.py"
        read = re.findall(r"(?:rulebook|book)\.race\b", path.read_text(encoding="utf-8"))
        assert len(read) == DRIVEN.get(path.name, 0), f"{path.name}: see rules/public.py"


def named(path: Path) -> Iterator[str]:
    """The names that a file imports from modules."""
    for node, _ in imports_of(path):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)


DRIVEN = {"pictures.py": 2, "guide.py": 2, "programs.py": 1}
"""Where a driver is asked, who thinks with the race as the rules have it."""


@functools.cache
def bases() -> dict[str, list[str]]:
    """What each class of the rules derives from, by name; a type in brackets is none of it."""
    found: dict[str, list[str]] = {}
    for path in (PACKAGE / "rules").rglob("*.py"):
        room, tree = room_of(".".join(path.relative_to(ROOT).parts)), ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                names = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
                found[f"{node.name} of {room}"] = [ast.unparse(name) for name in names]
    return found


def test_no_chain_of_classes_in_the_rules_is_longer_than_five() -> None:
    above: dict[str, list[str]] = {}
    for name, derived in bases().items():
        above.setdefault(name.split()[0], []).extend(derived)

    def depth(name: str) -> int:
        return 1 + max((depth(base) for base in above.get(name, ()) if base in above), default=0)

    assert {name: depth(name) for name in above if depth(name) > LONGEST_CHAIN} == {}


def test_a_class_of_the_rules_derives_from_one_class() -> None:
    """A second one beside it is a mere type (mypyc compiles nothing else)."""
    typing_only = {"Generic", "Protocol"}
    for name, derived in bases().items():
        assert len([base for base in derived if base not in typing_only]) <= 1, name


def test_only_the_commands_know_the_hardware_and_it_knows_no_screen() -> None:
    for path in modules():
        if room(path) != "commands":
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
    rooms = {"rules": ("companion.rules",), "tournament": ("companion.rules", "companion.tournament")}
    for path, known in ((path, known) for room, known in rooms.items() for path in (PACKAGE / room).rglob("*.py")):
        for name in imported(path):
            top = name.split(".")[0]
            mark = path.name == "overriding.py" and top == "typing_extensions"  # for the type checker alone
            assert mark or top in allowed or top in sys.stdlib_module_names, f"{path.name} imports {name}"
            makers = (PACKAGE / "rules" / "testing.py", PACKAGE / "rules" / "made_up.py")
            made_up = path in makers and top == "random"  # no rules: they make races up
            lock = path.name == "typed.py" and top == "threading"  # types are made by one thread at a time
            assert lock or made_up or top not in barred, f"{path.name} imports {name}"
            assert not name.startswith("companion.") or name.startswith(known), f"{path.name}: {name}"
        assert "open(" not in path.read_text(encoding="utf-8"), path.name


def test_what_is_read_becomes_typed_in_one_place() -> None:
    """Two threads that have msgspec make the same type at one moment kill the program; `typed` has a lock for that."""
    for path in (*modules(), *(ROOT / "hardware").rglob("*.py")):
        if path != PACKAGE / "rules" / "conversation" / "typed.py":
            assert list(read_by_msgspec(path.read_text(encoding="utf-8"))) == [], (
                f"{path}: use companion.rules.conversation.typed"
            )


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
    if "msgspec" not in code:
        return
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
