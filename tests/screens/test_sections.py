"""A race of sections that is resumed from home: every question is asked on, and nothing fails."""

from __future__ import annotations

from pathlib import Path

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.cards import HeuristicCardDriver
from companion.rules.rulebooks import begin
from tests.screens.rig import Rig
from tests.screens.test_app import names
from tests.screens.ui import Ui

SETUP = {"rulebook": "ninety", "track": "quarry-hill", "deck": 7, "laps": 12, "cars": [{"car": 1, "driver": "Ada"}]}


def kept(folder: Path, answers: int) -> None:
    """A race of sections under way, kept in a folder."""
    track = circuits.board("quarry-hill")
    text = circuits.find("quarry-hill").read_text(encoding="utf-8")
    driver = HeuristicCardDriver(track, 3)
    with RaceDesk.begin(begin(SETUP, track), setup=SETUP, track=text, folder=folder, name="hill") as desk:
        while desk.n < answers and (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n)


def test_home_offers_the_race_and_its_screen_asks_on(rig: Rig, tmp_path: Path) -> None:
    kept(tmp_path, 6)
    ui = Ui(rig, tmp_path)
    app = ui.app
    assert ui.sees("Quarry Hill")
    ui.tap("Resume")
    rig.until(lambda: app.playing.shown is not None and app.playing.shown.prompt.keys)
    shown = app.playing.shown
    assert shown is not None
    seen = 0
    while shown.prompt.keys and seen < 12:
        n, key = shown.prompt.n, shown.prompt.keys[0]
        app.playing.seat.answer(n, key.answer)  # type: ignore[union-attr]
        rig.until(lambda n=n: app.playing.shown.prompt.n != n or app.playing.shown.prompt.ask == "failed")
        shown = app.playing.shown
        assert shown is not None
        assert shown.prompt.ask != "failed"
        assert shown.prompt.n > n, f"nothing came of {key.label}"
        seen += 1
    assert seen == 12, shown.prompt
    assert names(app)[-1] == "race"
    for name in ("sheet", "history", "override", "sheets"):
        app.go(name)
        rig.wait(0.3)
        assert names(app)[-1] == name, f"{name} failed"
    app.close()
