"""The locales, as they lie in `locale/*.toml`: all that a language has to say."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Any


@functools.cache
def locale(name: str) -> dict[str, Any]:
    """The tables of one file."""
    text = resources.files("companion").joinpath("locale", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@functools.cache
def circuits(lang: str) -> dict[str, Any]:
    """What a locale knows of the sentences about circuit files, which few readers ever see."""
    return {} if lang == "en" else locale(f"{lang}-circuits")
