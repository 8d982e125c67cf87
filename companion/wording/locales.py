"""The locales, as they lie in `locale/*.toml`: all that a language has to say."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import TypeAlias

Entry: TypeAlias = "str | dict[str, Entry]"
"""What a key of a table has: a sentence, or the sentences among which a fact chooses, or a table within it."""
Tables: TypeAlias = dict[str, dict[str, Entry]]
"""The tables of a locale."""


@functools.cache
def locale(name: str) -> Tables:
    """The tables of one file."""
    text = resources.files("companion").joinpath("locale", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@functools.cache
def circuits(lang: str) -> Tables:
    """What a locale knows of the sentences about circuit files, which few readers ever see."""
    return {} if lang == "en" else locale(f"{lang}-circuits")
