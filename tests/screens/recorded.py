"""The app on a screen of a record: a tournament, a season, trials."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from tests.screens.rig import Rig
    from tests.screens.ui import Ui


def recorded(rig: Rig, app: CompanionApp) -> None:
    """Waits until the record's desk has done all that was meant, and what follows from that, however slow its disk."""
    for _ in range(2):
        seen: list[object] = []

        def done(seen: list[object] = seen) -> bool:
            app.recording.do(lambda _: None, seen.append)  # of a desk that is still being made nothing is heard
            return bool(seen) or app.recording.key == ""

        rig.until(done, pace=0.001)


def drive_trial(ui: Ui, tyres: str = "soft", throws: int = 1) -> None:
    """Drive the lap of whoever is next on the clock, and enter it by the driver's button."""
    from companion.screens.kit.theme import theme
    from companion.wording import capital

    if tyres:
        ui.tap(capital(theme.words.word("tyres", tyres)))
    for key in ("start", *["throw"] * throws, "stop"):
        ui.tap(theme.words.screen(f"trial.key_{key}"))
    ui.app.press("confirm")
    ui.calm()


class Table:
    """The app on such a screen, and a finger."""

    def __init__(self, rig: Rig, folder: Path, name: Any, **given: Any) -> None:
        from companion.screens.app.app import CompanionApp
        from companion.screens.app.settings import SettingsFile

        self.rig, self.folder = rig, folder
        self.app: CompanionApp = CompanionApp(folder, SettingsFile(folder))
        self.app.open()
        self.app.go(name, **given)
        self.wait()

    @property
    def ui(self) -> Ui:
        """The person at it, who reads."""
        from tests.screens.ui import Ui

        return Ui.over(self.rig, self.app)

    @property
    def screen(self) -> Any:
        return self.app.screen

    def wait(self) -> None:
        """Wait as the person does."""
        self.ui.calm()

    def press(self, text: str, **facts: Any) -> None:
        """Tap what has a text of the locale: "entrants.add"."""
        from companion.screens.kit.theme import theme

        self.ui.tap(theme.words.screen(text, **facts))
        self.wait()

    def tap(self, *keys: Any) -> None:
        for key in keys:
            self.rig.tap(key)
            self.wait()
