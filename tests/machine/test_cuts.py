"""Cuts of the power in the middle of a race, replayed from a recording that is made here and now; a machine that can
make none says why. More: `--cuts 200`; thousands: `python -m tests.machine cuts 2000`."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.machine import cuts
from tests.machine.cuts import Cut
from tests.machine.host import Hindered
from tests.machine.recording import record


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return record(tmp_path_factory.mktemp("recording"), 30)
    except Hindered as why:
        pytest.skip(str(why))


def test_no_acknowledged_answer_is_lost_by_a_cut(recording: Path, request: pytest.FixtureRequest) -> None:
    acts, many = cuts.acknowledged(recording), request.config.getoption("--cuts")
    tried = cuts.replayed(recording, cuts.drawn(many, acts[-1].writes, Random(18)))
    assert tried.lost == []
    assert tried.mended
    assert tried.loose, "none of them was in the middle of something"


def test_what_was_not_yet_written_is_missed(recording: Path) -> None:
    """The replay can fail: an answer acknowledged before it was flushed is gone after a cut, and that is said."""
    last = cuts.acknowledged(recording)[-1]
    moments = [Cut(last.writes // 2, "whole"), Cut(last.writes, "whole")]
    tried = cuts.replayed(recording, moments, [last._replace(writes=0)])
    assert len(tried.lost) == 1
    assert "1 acknowledged acts are gone" in tried.lost[0]
