"""The examples in the docstrings of the types that a newcomer meets first are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "companion"
SHOWN = sorted(path for path in PACKAGE.rglob("*.py") if "\n    >>> " in path.read_text(encoding="utf-8"))


def test_the_main_types_have_examples() -> None:
    assert len(SHOWN) >= 13


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_examples_are_true(path: Path) -> None:
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    found = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert found.attempted
    assert not found.failed, "see what is printed above"
