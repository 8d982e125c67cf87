"""A network that is cut in two for an hour. The hour is said to have passed: every clock that is looked at in between
jumps by it, and so does whatever waits by one, the tables' loops and race control's."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.hall.ledger import Ledger
from companion.sheets.place import LEDGER
from tests.hall.logs import made, written
from tests.hall.network import Network, needs_nats, until
from tests.hall.test_carrier import logged, settled
from tests.hall.test_joining import Opened

HOUR = 3600.0


@needs_nats
def test_a_cut_of_an_hour_holds_nobody_up_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One table is on the other side, one on race control's: that one goes on as if nothing were. The page says who is
    away, and since when; once the way is there, everything comes, and nothing twice."""
    opened, real, jumped = Opened(tmp_path), time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: real() + jumped[0])
    network = Network(opened.hall.broker.port)
    try:
        far, near = made(740, seed=1), made(30, seed=2)
        written(tmp_path / "far", far[:20])  # before its carrier begins: that is settled once it has sent this
        written(tmp_path / "near", near[:10])
        away = opened.carrier("far", replace(opened.joined("4"), servers=[network.address]))
        here = opened.carrier("near", opened.joined("5"))
        until(lambda: settled(away) and settled(here))
        network.part()
        written(tmp_path / "far", far[20:])  # an answer every five seconds
        until(lambda: away.stand.behind == 720)
        jumped[0] = HOUR
        until(lambda: away.stand.line == "alone" and settled(here))
        written(tmp_path / "near", near[10:])
        until(lambda: logged(tmp_path / "control" / LEDGER, near[0].log_id) == near)
        seen = {table.name: table for table in opened.hall.snapshot().tables}
        assert (seen["4"].state, seen["4"].lag >= HOUR, seen["5"].state) == ("away", True, "racing")
        assert len(logged(tmp_path / "control" / LEDGER, far[0].log_id)) == 20
        began = real()
        network.cut = False
        until(lambda: settled(away) and logged(tmp_path / "control" / LEDGER, far[0].log_id) == far)
        assert real() - began < 20, "it does not wait the longer for having waited long"
        until(lambda: {table.state for table in opened.hall.snapshot().tables} == {"racing"})
        with Ledger(tmp_path / "control" / LEDGER) as ledger:
            assert ledger.alarms() == []
    finally:
        opened.close()
        network.close()
