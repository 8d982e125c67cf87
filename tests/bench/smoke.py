"""A bench at its smallest size, where nobody looks at its figures: `SMOKE=1 pytest tests/bench`."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

SMOKE = os.environ.get("SMOKE") == "1"


def size(whole: T, smallest: T) -> T:
    """Return a size of a bench: the whole one, or the smallest with which all of it is run."""
    return smallest if SMOKE else whole
