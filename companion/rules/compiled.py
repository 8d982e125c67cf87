"""Which rules run: those that read as they are written, or the ones that a wheel has compiled."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec


def compiled() -> bool:
    """Whether the board is searched by compiled modules; pyproject.toml names them."""
    spec = find_spec("companion.rules.circuit.search")
    return spec is not None and (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES))
