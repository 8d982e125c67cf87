"""The scenarios, for pytest: `pytest -m machine tests/machine`. They take minutes each, so no other run has them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.machine.bench import Bench
from tests.machine.scenarios import SCENARIOS


@pytest.mark.machine
@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str, tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("Only root may build the guest.")
    SCENARIOS[name](Bench("trixie", tmp_path, tmp_path / "pictures"))
