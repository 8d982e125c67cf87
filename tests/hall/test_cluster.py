"""A cluster of three servers loses one at a time, and nothing else."""

from __future__ import annotations

from pathlib import Path

from tests.hall.cluster import killed_in_turn
from tests.hall.network import needs_nats


@needs_nats
def test_each_of_three_servers_is_killed_once_and_nothing_is_missing(tmp_path: Path) -> None:
    killed_in_turn(tmp_path, entries=10)
