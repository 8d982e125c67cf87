"""Many threads that begin at one moment, each reading something typed, in a process in which nothing was read before.

`python -m tests.sheets.beginnings --threads 2000` begins so many; a process that dies of it is a failure.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import click

LOADED: Final = ("companion.rules.rulebooks", "companion.articles", "companion.screens.app.settings", "hardware.wiring")
ROOT: Final = Path(__file__).parents[2]
TOGETHER: Final = 16
"""How many threads begin in one process."""

RULED: Final = '[{"kind":"gear","article":"1","wear":{"tyres":-1}}]'
ENTRY: Final = {
    "setup": '{"setup":{},"rulebook":"cup","version":"1","track_key":"x","track":"","position":{"round":1}}',
    "answer": '{"key":["gear",1,1,""],"answer":3}',
    "correct": f'{{"n":3,"key":["gear",1,1,""],"answer":2,"keep":"replay","outcomes":[[3,{RULED},null]]}}',
}


def _race(rulebook: str, track: str) -> Callable[[], object]:
    def begin() -> object:
        from companion.circuits import board
        from companion.rules.rulebooks import begin

        cars: list[dict[str, Any]] = [{"car": number, "driver": f"D{number}"} for number in (1, 2)]
        made: Any = begin({"track": track, "rulebook": rulebook, "laps": 2, "cars": cars}, board(track))
        made.load(made.save())
        return made.clone()

    return begin


def _entry(kind: str) -> Callable[[], object]:
    def read() -> object:
        from companion.sheets.entry import Entry

        row = (
            "a",
            1,
            "",
            0,
            "",
            "",
            kind,
            0,
            ENTRY[kind],
            '[{"kind":"gear","article":"1","wear":{"tyres":-1}}]',
            "",
            b"",
            b"",
        )
        entry = Entry(*row)
        return entry.read(), entry.ruled()

    return read


def _articles() -> object:
    from companion.articles import load

    return load("cup")


def _settings() -> object:
    from companion import whole_file
    from companion.screens.app.settings import Settings

    return whole_file.toml("prices = 'never'", Settings)


def _drivers() -> object:
    from companion.sheets.entrants import _read

    return _read(ROOT / "nowhere")


def _wiring() -> object:
    from hardware.wiring import wiring

    return wiring()


JOBS: Final[tuple[Callable[[], object], ...]] = (
    _race("competition", "monza"),
    _race("cup", "porto-sereno"),
    _race("league", "monza"),
    _race("death", "monaco"),
    _race("ninety", "quarry-hill"),
    *map(_entry, ENTRY),
    _articles,
    _settings,
    _drivers,
    _wiring,
)


def together(seed: int, threads: int = TOGETHER) -> list[BaseException]:
    """Lets the threads go at one moment, each to one of a few jobs; returns what they raised. By every other seed the
    code has been loaded before, so that they are at their types at once."""
    if seed % 2:
        for name in LOADED:
            importlib.import_module(name)
    sys.setswitchinterval(1e-6)  # they take turns as often as they can
    rng, start = Random(seed), threading.Barrier(threads)
    wrong: list[BaseException] = []
    few = rng.sample(JOBS, 3)

    def run(job: Callable[[], object]) -> None:
        start.wait()
        try:
            job()
        except BaseException as failed:
            wrong.append(failed)

    running = [threading.Thread(target=run, args=(few[one % 3],)) for one in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return wrong


def of_a_process(seed: int) -> str:
    """Has a new process do it: nothing, or how it ended."""
    code = (
        "import faulthandler, sys; faulthandler.enable(); from tests.sheets.beginnings import together\n"
        f"for wrong in together({seed}): sys.exit(repr(wrong))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    return f"seed {seed}: status {done.returncode}: {done.stderr[:600]}" if done.returncode else ""


@click.command()
@click.option("--threads", default=2000, show_default=True, help="How many threads begin, 16 in a process.")
@click.option("--seed", default=1, show_default=True)
def main(threads: int, seed: int) -> None:
    """Lets many threads begin, and says how many processes died of it."""
    processes = -(-threads // TOGETHER)
    ended = [end for one in range(processes) if (end := of_a_process(seed + one))]
    for end in ended:
        click.echo(end)
    click.echo(f"{processes * TOGETHER} threads began in {processes} processes; {len(ended)} of these died.")
    raise SystemExit(bool(ended))


if __name__ == "__main__":
    main()
