"""Threads that begin at one moment read types that nobody has read before."""

from __future__ import annotations

import pytest

from tests.sheets.beginnings import of_a_process


@pytest.mark.parametrize("seed", range(1, 11))
def test_threads_that_begin_at_one_moment_all_go_on(seed: int) -> None:
    assert of_a_process(seed) == ""
