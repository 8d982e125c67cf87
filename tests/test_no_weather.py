"""Of weather nothing is said where a race has none: by rulebook, and by the option of the box."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk.beginning import begin_race
from companion.drivers.sensible import HeuristicDriver
from companion.rules.rulebooks import weather_of
from companion.sheets.build_sheet import race_sheet
from companion.view.pages.override import race_values
from companion.view.race.race import race
from companion.view.setup.draft import Draft
from companion.view.setup.standing import race_fields
from companion.view.sight import Sight
from companion.wording import Words
from tests.test_terminal import Seat

RACES: list[tuple[str, dict[str, Any], bool]] = [
    ("beginner", {}, False), ("death", {}, False), ("formula-d", {}, False), ("formula-d", {"weather": True}, True),
    ("competition", {}, True),
]  # fmt: skip


@pytest.mark.parametrize(("rulebook", "options", "weather"), RACES)
def test_a_race_tells_its_weather_if_it_has_any(
    tmp_path: Path, rulebook: str, options: dict[str, Any], weather: bool
) -> None:
    """In the bar at the top, on the sheet, in the referee's word, in the help of the terminal and its titles."""
    board = circuits.load("monaco")
    setup = {"rulebook": rulebook, "track": "monaco", "options": options, "cars": [{"car": 1}, {"car": 2}]}
    driver = HeuristicDriver(board)
    with begin_race(setup, "monaco", tmp_path) as desk:
        while desk.asked is not None and not desk.rulebook.race.round:
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
        sight = Sight(desk, Words("en", rulebook))
        shown = race(sight).top
        assert (bool(shown.sky), bool(shown.surface)) == (weather, weather)
        assert race_values(sight).title == ("Weather and order" if weather else "Order")
        line = race_sheet(desk.history).rounds[0]
        assert (bool(line.sky), bool(line.surface)) == (weather, weather)
    seat = Seat(tmp_path, "--resume", "last")
    told = seat.until(r" > ") + seat.say("help", r" > ") + seat.say("show sheet", r" > ")
    assert ("override sky rain" in told, bool(re.search("override order (2 1|1 2) ", told))) == (weather, not weather)
    assert bool(re.search(r"override car [12] tyres \d", told)) == (rulebook not in ("beginner", "death"))
    assert ("track dry" in told or "track wet" in told) == weather
    assert (weather_of(rulebook, board, options) is not None) == weather
    draft = Draft(rulebook=rulebook, track="monaco", options=options)
    assert ("sky" in [field.name for field in race_fields(draft, Words("en"))]) == weather
