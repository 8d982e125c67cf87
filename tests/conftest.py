"""What the whole suite shares: how many random races it plays."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--races", type=int, default=200, help="random races on each circuit (default 200)")


@pytest.fixture(scope="session")
def races(request: pytest.FixtureRequest) -> int:
    """How many random races are played on each circuit."""
    number: int = request.config.getoption("--races")
    return number
