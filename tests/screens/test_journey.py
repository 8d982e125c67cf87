"""From home to every screen there is, with six typed drivers, by every rulebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.screens.app.app import SCREENS
from companion.screens.race.race import LAYOUTS
from companion.wording import LANGUAGES
from tests.screens import events, journey
from tests.screens.journey import DRIVERS, driver_at
from tests.screens.rig import Rig
from tests.screens.table import Table

RACES = {
    "competition": "monaco",
    "competition on a corner sheet": "spa",
    "cup": "porto-sereno",
    "league": "imola",
    "death": "porto-sereno",
    "ninety": "quarry-hill",
}
BUILT = ("competition", "cup", "league")
"""Rulebooks whose cars are built or shod."""
BESIDE = {"hall", "phones", "rules", "settings", "status", "touch", "version"}
"""Screens that are the same in every race."""
EVENTS = {
    "acts", "arranging", "calendar", "driver", "entrants", "import", "new_event", "seeding", "standings",
    "table_result", "taking", "timing", "trial", "weather",
}  # fmt: skip
"""Screens of a tournament, a season and trials: on no way of a race, but on that of an event."""
OF_BOTH = {"entrants", "import", "new_event", "table_result"}
OF_TOURNAMENTS = {"seeding", "timing", "trial", "weather"}
OF_SEASONS = {"acts", "arranging", "calendar", "driver", "standings", "taking"}
"""On the way of a tournament, and on that of a season."""
DIVIDED = {
    "competition": {"race", "queue", "landing", "pools", "overview", "over"},
    "competition on a corner sheet": {"race", "queue", "seen", "form", "overview", "over"},
    "cup": {"race", "queue", "landing", "pools", "overview", "over"},
    "league": {"race", "queue", "overview", "over"},
    "death": {"race", "queue", "landing", "attack", "overview", "over"},
    "ninety": {"race", "typing", "over"},
}
"""How the race's screen is divided on the way."""


@pytest.mark.parametrize("race", RACES)
def test_every_screen_is_sound_with_six_typed_drivers(
    rig: Rig, folder: Path, race: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words whole, apart and large enough, keys large enough and apart, wherever a table comes from home to the flag:
    on one panel in one language and on the other in the other, turn about from race to race."""
    book, divided = race.partition(" ")[0], set[str]()
    for name, lay in LAYOUTS.items():
        monkeypatch.setitem(LAYOUTS, name, lambda *shown, name=name, lay=lay: (divided.add(name), lay(*shown)))  # type: ignore[arg-type]
    table, by = Table(rig, folder, language="fr" if list(RACES).index(race) % 2 else "en"), driver_at(RACES[race])
    table.ui.calm()
    try:
        journey.new_race(table, book, RACES[race])
        journey.position(table)
        journey.begin(table, by)
        drivers = table.see(lambda desk: [car.driver for car in desk.rulebook.race.cars])
        assert drivers[:6] == list(DRIVERS)  # with cars of the game behind them, where it has such
        journey.around(table, by)
        if race == "competition":
            journey.beside(table)
        journey.race(table, by)
        journey.home(table)
    finally:
        table.close()
    assert table.wrong == {}
    wanted = set(SCREENS) - {"trouble", "analysis", "language"} - EVENTS - (set() if race == "competition" else BESIDE)
    assert table.names == wanted - (set() if book in BUILT else {"build"})
    assert divided >= DIVIDED[race]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_of_an_event_is_sound(rig: Rig, folder: Path, language: str) -> None:
    """The same from home over a tournament and a season and back: on one panel in one language, and on the other."""
    (folder / "entrants.csv").write_text(events.LIST, encoding="utf-8")
    table = Table(rig, folder, language=language)
    table.ui.calm()
    try:
        (events.tournament if language == "en" else events.season)(table)
    finally:
        table.close()
    assert table.wrong == {}
    assert table.names >= {"home"} | (OF_BOTH | OF_TOURNAMENTS if language == "en" else OF_BOTH | OF_SEASONS)


def test_no_screen_is_on_no_way() -> None:
    assert OF_BOTH | OF_TOURNAMENTS | OF_SEASONS == EVENTS


def test_no_division_of_the_race_is_left_out() -> None:
    assert set().union(*DIVIDED.values()) == set(LAYOUTS)
