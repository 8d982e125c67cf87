"""Single bits of the database and of its journal: none silently wrong, none an error that is no sentence.

`python -m tests.sheets.bit_flips` does it a thousand times and more.
"""

from __future__ import annotations

from random import Random

import pytest

from companion.sheets.place import DATABASE
from tests.sheets.bit_flips import JOURNAL, flips


@pytest.mark.parametrize(("part", "count"), [(DATABASE, 24), (JOURNAL, 10)])
def test_a_flipped_bit_is_told_or_does_no_harm(part: str, count: int) -> None:
    with flips(part) as tried:
        rng = Random(2)
        for _ in range(count):
            tried.flip(rng)
    assert tried.bad == []
    assert tried.counted["told"] > count // 3
