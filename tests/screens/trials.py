"""Two sessions of trials of forty drivers, every one by touch: `python -m tests.screens.trials [--drivers N]`.

From home's tile over a list of entrants to the last trial: tyres, start, every throw and stop are taps, and the clock
is moved on to what each trial takes. The tables are then dealt as the times say that were driven, worked out plainly.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import tests.screens.conftest  # noqa: F401 - the environment of a window without a display
from companion.sheets.records import kept_record
from companion.tournament.tournament import Tournament
from companion.tournament.trials import Trials
from tests.screens.panels import PANELS
from tests.screens.recorded import Table
from tests.tournament.test_tournament_by_command import CLUBS, TIMES

SESSIONS = (1, 2)


def driven(table: Table, throws: int, clock: int, later: list[int]) -> None:
    """The trial of whoever is next, whose clock shows so many hundredths at its end, or what the taps took."""
    ui = table.ui
    ui.tap("Soft")
    ui.tap("Start")
    began = time.monotonic_ns()
    for _ in range(throws):
        ui.tap("1 throw")
    later[0] += max(0, clock * 10**7 - (time.monotonic_ns() - began))
    ui.tap("Stop")
    table.app.press("confirm")
    table.wait()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--drivers", type=int, default=40)
    many = asked.parse_args().drivers
    from tests.screens.rig import Rig

    later, now, began = [0], time.monotonic_ns, time.monotonic()
    time.monotonic_ns = lambda: now() + later[0]  # type: ignore[assignment]
    rig = Rig()
    rig.window(*PANELS[0])
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps({**go(rig, Path(place), many, later), "seconds": round(time.monotonic() - began)}))


def go(rig: Any, folder: Path, many: int, later: list[int]) -> dict[str, Any]:
    """All of it; what was found."""
    from tests.screens.test_new_event import begin, line, menu, touch, went

    rows = [f"{n};Driver {n};Club {n % CLUBS}" for n in range(1, many + 1)]
    (folder / "entrants.csv").write_text("number;name;club\n" + "\n".join(rows), encoding="utf-8")
    table = Table(rig, folder, "home")
    try:
        table.ui.tap("A tournament")
        line(table, "sessions")
        table.tap(table.screen.stepper.made["value", "plus"])
        begin(table)
        went(table, "entrants")
        menu(table, "import")
        touch(table, table.screen.files, 0)
        went(table, "entrants")
        table.tap(table.screen.trials)
        for session in SESSIONS:
            table.ui.tap("Sun")
            for _ in range(many):
                assert table.screen.now.state == "ready", table.screen.now.state
                driven(table, *TIMES[table.screen.now.driver, session], later)
        trials = kept_record(folder, "last", "trials").record
        assert isinstance(trials, Trials)
        times = {n: {session: trials.runs[n][session] for session in SESSIONS} for n in range(1, many + 1)}
        assert all(times[n][session].throws == TIMES[n, session][0] for n in times for session in SESSIONS)
        assert all(times[n][session].clock >= TIMES[n, session][1] for n in times for session in SESSIONS)
        best = {n: min((one.throws + one.clock // 6000, one.clock, one.at) for one in times[n].values()) for n in times}
        table.ui.tap("Enter all")
        went(table, "entrants")
        record = kept_record(folder, "last", "tournament").record
        assert isinstance(record, Tournament)
        assert [seed.driver for seed in record.seeds()] == sorted(best, key=lambda n: best[n])
        return {"trials": len(times) * len(SESSIONS), "throws": sum(TIMES[n, s][0] for n in times for s in SESSIONS)}
    finally:
        table.app.close()


if __name__ == "__main__":
    main()
