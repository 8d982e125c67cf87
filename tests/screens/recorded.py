"""The app on a screen of a record: a tournament, a season, trials."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from tests.screens.rig import Rig


def recorded(rig: Rig, app: CompanionApp) -> None:
    """Waits until the record's desk has done all that was meant, and what follows from that, however slow its disk."""
    for _ in range(2):
        seen: list[object] = []

        def done(seen: list[object] = seen) -> bool:
            app.recording.do(lambda _: None, seen.append)  # of a desk that is still being made nothing is heard
            return bool(seen) or app.recording.key == ""

        rig.until(done, pace=0.005)


class Table:
    """The app on such a screen, and a finger."""

    def __init__(self, rig: Rig, folder: Path, name: Any, **given: Any) -> None:
        from companion.screens.app.app import CompanionApp
        from companion.screens.app.settings import Kept

        self.rig, self.folder = rig, folder
        self.app: CompanionApp = CompanionApp(folder, Kept(folder))
        self.app.open()
        self.app.go(name, **given)
        self.wait()

    @property
    def screen(self) -> Any:
        return self.app.screen

    def wait(self) -> None:
        """Until the record's desk has done all that was meant, and what it did is seen and may be touched."""
        self.rig.until(lambda: self.screen.filled)
        recorded(self.rig, self.app)
        self.rig.settle(2)
        self.rig.stall(0.3)
        self.rig.settle(2)

    def tap(self, *keys: Any) -> None:
        for key in keys:
            self.rig.tap(key)
            self.wait()
