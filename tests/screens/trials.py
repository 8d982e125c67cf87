"""Two sessions of trials of forty drivers, every one by touch: `python -m tests.screens.trials [--drivers N]`.

From home's tile over a list of entrants to the last trial: tyres, start, every throw and stop are taps, and the clock
is moved on to what each trial takes. The tables are then dealt as the times say that were driven, worked out plainly.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from pathlib import Path
from typing import Any

import tests.screens.conftest  # noqa: F401 - the environment of a window without a display
from companion.sheets.records import kept_record
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.test_new_event import menu
from tests.screens.ui import Ui
from tests.tournament.test_tournament_by_command import CLUBS, TIMES

SESSIONS = (1, 2)


def driven(ui: Ui, throws: int, clock: int, later: list[int]) -> None:
    """The trial of whoever is next, whose clock shows so many hundredths at its end, or what the taps took."""
    ui.tap("Soft")
    ui.tap("Start")
    began = time.monotonic_ns()
    for _ in range(throws):
        ui.tap("1 throw")
    later[0] += max(0, clock * 10**7 - (time.monotonic_ns() - began))
    ui.tap("Stop")
    ui.app.press("confirm")
    ui.calm()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--drivers", type=int, default=40)
    many = asked.parse_args().drivers
    later, now, began = [0], time.monotonic_ns, time.monotonic()
    time.monotonic_ns = lambda: now() + later[0]  # type: ignore[assignment]
    rig = Rig()
    rig.window(*PANELS[0])
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps({**go(rig, Path(place), many, later), "seconds": round(time.monotonic() - began)}))


def go(rig: Rig, folder: Path, many: int, later: list[int]) -> dict[str, Any]:
    """All of it; what was found."""
    rows = [f"{n};Driver {n};Club {n % CLUBS}" for n in range(1, many + 1)]
    (folder / "entrants.csv").write_text("number;name;club\n" + "\n".join(rows), encoding="utf-8")
    ui = Ui(rig, folder)
    try:
        for words in ("A tournament", "Trials"):
            ui.tap(words)
        ui.step("Trials")
        ui.tap("Begin")
        menu(ui, "import")
        ui.tap("entrants.csv")
        ui.tap("Trials")
        for session in SESSIONS:
            ui.tap("Sun")
            for _ in range(many):
                (n,) = {
                    int(word.text[7:])
                    for word in ui.words()
                    if word.box.y < 80 and re.fullmatch(r"Driver \d+", word.text)
                }
                driven(ui, *TIMES[n, session], later)
        runs = kept_record(folder, "last", "trials").record.runs  # type: ignore[attr-defined]
        times = {n: {session: runs[n][session] for session in SESSIONS} for n in range(1, many + 1)}
        assert all(times[n][session].throws == TIMES[n, session][0] for n in times for session in SESSIONS)
        assert all(times[n][session].clock >= TIMES[n, session][1] for n in times for session in SESSIONS)
        best = {n: min((one.throws + one.clock // 6000, one.clock, one.at) for one in times[n].values()) for n in times}
        ui.tap("Enter all")
        record = kept_record(folder, "last", "tournament").record
        assert [seed.driver for seed in record.seeds()] == sorted(best, key=lambda n: best[n])  # type: ignore[attr-defined]
        return {"trials": len(times) * len(SESSIONS), "throws": sum(TIMES[n, s][0] for n in times for s in SESSIONS)}
    finally:
        ui.close()


if __name__ == "__main__":
    main()
