"""Where a key of the first page is, in pixels from the top left: `python -m tests.screens.where FOLDER LABEL`."""

from __future__ import annotations

import sys
from pathlib import Path

import tests.screens.conftest  # noqa: F401  (the window without a display, before Kivy is there)
from companion.screens.app.app import CompanionApp
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.key import Key
from tests.screens.panels import PANELS
from tests.screens.rig import Rig


def main(folder: Path, label: str) -> None:
    rig = Rig()
    rig.window(*PANELS[0])
    app = CompanionApp(folder, SettingsFile(folder))
    app.open()
    rig.until(lambda: app.screen is not None and app.screen.is_loaded)
    rig.settle()
    assert app.screen is not None
    keys = (widget for widget in app.screen.walk() if isinstance(widget, Key))
    place = next(key.center for key in keys if key.face.label == label)
    print(round(place[0]), round(PANELS[0][0][1] - place[1]))
    app.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
