"""What the whole suite shares: how many random races it plays, where its files lie, and what is no garbage."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from companion import circuits

MEMORY, ROOM = Path("/dev/shm"), 4 << 30
"""Where files lie in memory, and the bytes that must be free there to use it."""

if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
    tempfile.tempdir = str(MEMORY)  # no disk is waited for: journals flush every answer


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--races", type=int, default=200, help="random races on each circuit (default 200)")
    parser.addoption("--variant-races", type=int, default=2, help="races with each pair of variants (default 2)")
    parser.addoption("--told-races", type=int, default=1, help="races of each rulebook with records (default 1)")
    parser.addoption("--told-from", type=int, default=0, help="the first of these races (default 0)")
    parser.addoption("--cuts", type=int, default=12, help="cuts of the power replayed from a recording (default 12)")
    parser.addoption("--accept", action="store_true", help="keep the words that the scenes show now")
    parser.addoption("--records", type=int, default=25, help="random tournaments and seasons (default 25)")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are processors: a third of the suite's time is waiting, for a finger that holds, a
    light that goes on, a server that comes."""
    return len(os.sched_getaffinity(0)) * 3 // 2


@pytest.fixture(autouse=True)
def no_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds the boards of another."""
    monkeypatch.setattr(circuits, "_boards", None)


@pytest.fixture(scope="session")
def races(request: pytest.FixtureRequest) -> int:
    """How many random races are played on each circuit."""
    number: int = request.config.getoption("--races")
    return number


@pytest.fixture(scope="session")
def variant_races(request: pytest.FixtureRequest) -> int:
    """How many random races are played with each variant, and with each pair of them."""
    number: int = request.config.getoption("--variant-races")
    return number


@pytest.fixture(scope="session")
def told_races(request: pytest.FixtureRequest) -> range:
    """Which races of each rulebook are played with a record for every answer."""
    return range(request.config.getoption("--told-from"), request.config.getoption("--told-races"))


def pytest_collection_finish() -> None:
    """Thousands of collected tests are no garbage: they need not be looked through again and again."""
    gc.collect()
    gc.freeze()


settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("default", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "default")
