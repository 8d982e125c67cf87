"""Where a key of the first page is, in pixels from the top left: `python -m tests.screens.where FOLDER LABEL`."""

from __future__ import annotations

import sys
from pathlib import Path

import tests.screens.conftest  # noqa: F401  (the window without a display, before Kivy is there)
from companion.screens.app.app import CompanionApp
from companion.screens.app.settings import SettingsFile
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.ui import Ui


def main(folder: Path, label: str) -> None:
    rig = Rig()
    rig.window(*PANELS[0])
    app = CompanionApp(folder, SettingsFile(folder))
    app.open()
    ui = Ui.over(rig, app)
    ui.calm()
    print(*(round(one) for one in ui.where(label)))
    app.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
