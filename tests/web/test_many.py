"""A few of many: hostile requests and phones; `tests/web/hostile.py` and `tests/web/load.py` have the full figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.web import server
from tests.web.hostile import attack
from tests.web.load import measure


def test_hostile_requests_bring_no_traceback_and_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in server.RATES:
        monkeypatch.setitem(server.RATES, kind, (1e9, 1e9))
    said, _ = attack(tmp_path, 400)
    assert said == []


def test_phones_that_come_sleep_and_vanish_see_every_entry_and_the_table_is_not_slower(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = measure(tmp_path, 20, pause=0.02)
    assert found["heard"] > 100
    assert found["answer beside them ms"] < 5 * found["answer alone ms"] + 20  # a slow machine measures little
    assert found["commit to page ms"] < 500
    assert found["grown kB"] < 20_000
    assert "Traceback" not in caplog.text  # also as the pages close with phones at them
