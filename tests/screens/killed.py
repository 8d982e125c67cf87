"""The app in a process of its own, touched until it is killed: `python -m tests.screens.killed FOLDER KIND WRITER`.

It writes a byte to WRITER for each act that the screen shows as done.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.killed import beside, kill


def killed(folder: Path, kind: str, after: int) -> int:
    """Has the last record of that kind touched, kills the app after so many acts; how many were acknowledged."""

    def touched(acknowledge: int) -> None:
        os.set_inheritable(acknowledge, True)
        command = [sys.executable, "-m", "tests.screens.killed", str(folder), kind, str(acknowledge)]
        os.execv(sys.executable, command)  # a window is not to be shared

    child, reader = beside(touched)
    heard = 0
    while heard < after and os.read(reader, 1):
        heard += 1
    assert os.WIFSIGNALED(kill(child)), "the app ended by itself"
    while more := os.read(reader, 4096):
        heard += len(more)
    os.close(reader)
    return heard


def main(folder: Path, kind: str, acknowledge: int) -> None:
    """Counts throws of a trial, draws a grid of a season, again and again."""
    import tests.screens.conftest  # noqa: F401 - the environment of a window without a display
    from tests.screens.panels import PANELS
    from tests.screens.rig import Rig
    from tests.screens.ui import Ui

    rig = Rig()
    rig.window(*PANELS[0])
    ui = Ui(rig, folder)
    ui.app.go("trial" if kind == "trials" else "calendar")
    ui.calm()
    if kind == "trials":
        throw = ui.where("1 throw")

    def shown() -> list[str]:
        """What is read of the throws, or of the grid."""
        return [word.text for word in ui.words() if kind != "trials" or word.text.startswith("Throw")]

    while True:
        seen = shown()
        if kind == "trials":
            rig.tap(*throw)
            ui.calm()
        else:
            ui.tap("Other grid", "Draw it", "Penalty")
        if shown() != seen:
            os.write(acknowledge, b".")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
