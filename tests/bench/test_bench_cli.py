"""How long `companion --help` takes beyond a bare Python: `pytest tests/bench/test_bench_cli.py -s`."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

from tests.bench.smoke import SMOKE, size

ROUNDS = size(15, 1)
MOST = 0.12
"""Seconds that the program may take beyond the start of Python itself."""


def took(*arguments: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def test_help_comes_at_once() -> None:
    bare, helped = [], []
    said = subprocess.run([sys.executable, "-m", "companion.commands.main", "--help"], capture_output=True, text=True)
    assert "referee  " in said.stdout, "not the help"
    for _ in range(ROUNDS):  # in turn, so that whatever else the machine does is shared
        bare.append(took("-c", "pass"))
        helped.append(took("-m", "companion.commands.main", "--help"))
    more = statistics.median(helped) - statistics.median(bare)
    print(f"\nbare Python {statistics.median(bare):.3f} s, companion --help {more:.3f} s more (at most {MOST} s)")
    assert SMOKE or min(helped) - min(bare) <= MOST
    assert SMOKE or more <= MOST
