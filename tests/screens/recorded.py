"""The app on a screen of a record: a tournament, a season, trials."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
