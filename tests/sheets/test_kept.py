"""The sheet made of a log alone is the sheet of the race itself, but for what a turn makes of a car meanwhile."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.cards import RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.rules.conversation.errors import BadOverride, NothingToDo
from companion.rules.rulebooks import RULEBOOKS, begin
from companion.sheets.build_sheet import race_sheet
from companion.sheets.chain import canonical
from companion.sheets.history import History
from companion.sheets.reading import entries, find, reading
from companion.sheets.sheet import RaceSheet

WORDS = ({"car": 1, "status": "out"}, {"car": 2, "wear": {"tyres": 2}}, {"car": 3, "status": "racing"})
ENDED = ("out", "wreck", "finished")


def same(kept: RaceSheet, live: RaceSheet, began: dict[int, str]) -> None:
    """Of its status the log tells how a car began the round, or that its race has ended."""
    for told, stands in zip(kept.cars, live.cars, strict=True):
        assert told.status in (stands.status, began.get(told.car)), (told.car, told.status, stands.status)
        assert (told.status in ENDED) == (stands.status in ENDED), (told.car, told.status, stands.status)
    assert bare(kept) == bare(live)


def bare(sheet: RaceSheet) -> bytes:
    cars = [msgspec.structs.replace(car, status="", more={}) for car in sheet.cars]
    return canonical(msgspec.structs.replace(sheet, cars=cars))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_race_at_random(tmp_path: Path, rulebook: str, seed: int) -> None:
    cards = rulebook == "ninety"
    track, rng = circuits.board("quarry-hill" if cards else "monaco"), Random(seed)
    driver = RandomCardDriver(track, seed) if cards else RandomDriver(track, seed)  # type: ignore[arg-type]
    cars = [{"car": number} for number in range(1, 5)]
    setup = {"rulebook": rulebook, "track": track.key, "laps": 4 if cards else 1, "cars": cars}
    with RaceDesk.begin(begin(setup, track), setup=setup, track="", folder=tmp_path) as desk:
        began: dict[int, str] = {}
        while desk.asked is not None and desk.n < 400:
            desk.answer(driver.answer(desk.asked, desk.rulebook.race))
            try:
                if rng.random() < 0.03:
                    desk.undo(rng.randrange(1, 4))
                elif rng.random() < 0.02 and desk.rulebook.round:
                    desk.override(rng.choice(WORDS), by="Ref", why="at random")
            except (NothingToDo, BadOverride):
                continue
            live = desk.sheet()
            began = {car.car: car.places[-1].status for car in live.cars if car.places}
            if desk.rulebook.round:
                same(race_sheet(desk.history), live, began)
        assert desk.rulebook.round > 1
        live = desk.sheet()
    with reading(tmp_path) as db:
        same(race_sheet(History.of(entries(db, find(db, "last").log_id))), live, began)
