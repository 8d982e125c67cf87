"""Tell whether the rules run from their sources, or compiled from a wheel."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec


def compiled() -> bool:
    """Return True if the board is searched by compiled modules; pyproject.toml names them."""
    spec = find_spec("companion.rules.circuit.search")
    return spec is not None and (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES))
