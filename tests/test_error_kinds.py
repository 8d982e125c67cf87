"""Errors of the rooms that keep and run races carry a kind and facts, and a text for them in every language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.rules.conversation import errors
from companion.rules.conversation.errors import CompanionError
from companion.wording import LANGUAGES
from companion.wording.filling import locale, pieces

ROOT = Path(__file__).parents[1] / "companion"
ERRORS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, CompanionError)}


def raised(room: str) -> Iterator[tuple[str, ast.Call]]:
    """Every error that a room makes, with where."""
    for path in sorted((ROOT / room).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                yield f"{path.name}:{node.lineno}", node


@pytest.mark.parametrize("room", ["sheets", "desk", "drivers"])
def test_every_error_has_a_kind(room: str) -> None:
    for where, call in raised(room):
        assert len(call.args) > 1, f"{where} says what is wrong, and not of which kind it is"


@pytest.mark.parametrize("room", ["sheets", "desk"])
def test_what_a_text_of_a_kind_tells_is_among_its_facts(room: str) -> None:
    for where, call in raised(room):
        kind = call.args[1]
        if not isinstance(kind, ast.Constant) or any(fact.arg is None for fact in call.keywords):
            continue
        facts = {fact.arg for fact in call.keywords}
        for lang in LANGUAGES:
            entry = locale(lang)["error"].get(kind.value)
            if isinstance(entry, str):
                told = {field for _, field, _ in pieces(entry) if field}
                assert told <= facts, f"{where}: {lang} tells {told - facts} of {kind.value}"
