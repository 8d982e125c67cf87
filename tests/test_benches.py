"""Every bench still runs, at its smallest size: benches are run by hand, and would break unnoticed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BENCHES = sorted((HERE / "bench").glob("test_bench_*.py"))


@pytest.mark.parametrize("bench", BENCHES, ids=[bench.stem.removeprefix("test_bench_") for bench in BENCHES])
def test_a_bench_runs(bench: Path, tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("KIVY_", "KCFG_", "SDL_"))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "its")]
    run = subprocess.run(
        [*command, str(bench)], env={**env, "SMOKE": "1"}, cwd=HERE.parent, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
