"""A person at the setup of a race: a draft on the screen, and the race that begins with it."""

from __future__ import annotations

from typing import Any

from companion.desk import RaceDesk
from companion.sheets.entrants import RaceEntrant
from companion.view.setup.draft import Draft
from companion.view.setup.new_race import StepName
from tests.screens.ui import Ui

ADA = RaceEntrant(number=7, name="Ada", team="Scuderia", colour=0)
BO = RaceEntrant(number=14, name="Bo", team="Lotus", colour=1)
CLEO = RaceEntrant(number=22, name="Cleo", colour=2)


def drafted(*entrants: RaceEntrant, **chosen: Any) -> Draft:
    """Return the draft of a race of some drivers."""
    made = Draft(**chosen)
    for one in entrants:
        made = made.entering(one)
    return made


def set_up(ui: Ui, step: StepName, draft: Draft | None = None) -> None:
    """Open a step of the setup."""
    ui.app.home()
    ui.app.go("new_race", draft=draft or Draft(), step=step)
    ui.calm()


def begun(ui: Ui) -> RaceDesk:
    """Return the desk of the race that was begun, once it is open."""
    ui.rig.until(lambda: ui.app.playing.shown is not None)
    ui.calm()
    assert ui.app.playing.seat is not None
    desk: RaceDesk = ui.app.playing.seat.see(lambda desk, _: desk).result(20)
    return desk
