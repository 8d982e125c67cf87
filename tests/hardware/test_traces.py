"""Recorded traces of edges, played to the debounce again; and how they are recorded.

Each file of traces/ was written by `companion hardware buttons test --record`, and says itself of what.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardware.debounce import Press, Presses
from hardware.traces import Recorder

TRACES = sorted((Path(__file__).parent / "traces").glob("*.txt"))


def played(text: str, late: int = 0) -> tuple[list[str], list[str]]:
    """What is heard in a trace if the clock is looked at `late` milliseconds after it is due; and what was meant."""
    presses, found, means, now = Presses(), list[Press](), list[str](), 0
    for line in text.splitlines():
        words: list[Any] = line.partition("#")[0].split()
        if words[:1] == ["means"]:
            means = words[1:]
        elif words:
            now = int(words[0]) // 1000
            while (due := presses.due) is not None and due + late <= now:
                found += presses.settle(due + late)
            found += presses.edge(words[1], words[2] == "down", now)
    found += presses.settle(now + 1000)
    return [press.means for press in found], means


@pytest.mark.parametrize("late", [0, 1, 15])
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_what_was_recorded_is_heard_as_it_was_meant(path: Path, late: int) -> None:
    heard, means = played(path.read_text(encoding="utf-8"), late)
    assert means
    assert heard == means


def test_a_recording_plays_as_it_was() -> None:
    written: list[str] = []
    recorder = Recorder(written.append, "two buttons")
    for at, name, down in ((5_000_100, "up", True), (5_000_900, "up", False), (5_001_000, "up", True)):
        recorder.edge(name, down, at)  # type: ignore[arg-type]
    recorder.press(Press("up", "up", 5000))
    recorder.edge("up", False, 5_090_000)
    recorder.end()
    assert "".join(written) == "# two buttons\n0 up down\n800 up up\n900 up down\n89900 up up\nmeans up\n"
    assert played("".join(written)) == (["up"], ["up"])
