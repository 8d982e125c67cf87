"""The boxes beside the pit lane while a stop is made: whose they are, who stands in them, who is on the way."""

from __future__ import annotations

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.rulebooks import begin
from companion.view.race.race import race
from companion.view.shown_race import PitLane
from companion.view.sight import Sight
from companion.wording import Words

CARS = [
    {"car": 1, "at": "pit:2", "status": "pit", "box": 2, "gear": 3, "lap": 2},
    {"car": 2, "at": "box:3", "status": "box", "stop": "long", "box": 3, "gear": 0, "lap": 2},
    {"car": 3, "at": "pit:1", "status": "pit", "box": 1, "gear": 1, "lap": 2},
    {"car": 4, "at": "after:1", "box": 2, "gear": 2, "lap": 1},
]


@pytest.mark.parametrize("track", ["monaco", "spa"])
def test_while_a_stop_is_made_the_boxes_are_shown(track: str) -> None:
    board = circuits.load(track)
    cars = [dict(car) for car in CARS]
    if board.known == "space":
        cars[3]["at"] = "5:left:1"
    setup = {"track": track, "laps": 3, "to_play": [1, 3, 2, 4], "cars": cars}
    desk, driver = RaceDesk(begin(setup, board), setup=setup), HeuristicDriver(board, 3)
    shown: list[PitLane | None] = []
    while (asked := desk.asked) is not None and asked.ask != "stop":
        shown.append(race(Sight(desk, Words("en"))).lane)
        desk.answer(driver.answer(asked, desk.rulebook.race), by="table")
    lane = race(Sight(desk, Words("en"))).lane
    assert lane is not None
    assert len(lane.boxes) == board.box_count
    assert shown[0] is None, "nobody stands in a box yet who is asked something"
    asked_of = asked.car if asked is not None else 0
    own = next(box for box in lane.boxes if box.car is not None and box.car.plate.number == asked_of)
    assert own.car is not None
    assert own.car.now
    third = lane.boxes[2].car
    assert third is not None
    assert (third.plate.number, third.service, third.now) == (2, "Long", False)
    assert [plate.number for plate in lane.boxes[1].owners] == ([4] if asked_of == 1 else [1, 4])
    assert [plate.number for _, plate in lane.cars] == ([3] if asked_of == 1 else [1])
    assert all(0 < along < 1 for along, _ in lane.cars)


def test_a_stop_has_no_word_until_somebody_has_chosen_it() -> None:
    """The cup's cars stand in the pits before their stop is chosen; then its word is the one of the key."""
    track = circuits.load("monaco")
    setup = {"rulebook": "cup", "track": "monaco", "laps": 3, "cars": [{"car": n} for n in range(1, 7)]}
    desk, driver = RaceDesk(begin(setup, track), setup=setup), HeuristicDriver(track, 3)
    words, seen = Words("en", "cup"), set()

    def service(car: int | None) -> str:
        pits = race(Sight(desk, words)).pits
        return next(one.service for column in pits for one in column.cars if one.plate.number == car)

    while (asked := desk.asked) is not None and len(seen) < 2:
        car, ask = asked.car, asked.ask
        answer = driver.answer(asked, desk.rulebook.race) if ask != "stop" else "quick" if "Full" in seen else "full"
        if ask in ("tyres", "stop") and desk.rulebook.race.pitting:
            assert service(car) == ""
        desk.answer(answer, by="table")
        then = desk.asked
        if ask == "stop" and then is not None and then.car == car:
            seen.add(service(car))
    assert seen == {"Full", "Quick"}


@pytest.mark.parametrize(
    ("rulebook", "lang", "notes"),
    [
        ("competition", "en", ["black die: 1–10 leaves now", "a turn, no repairs"]),
        ("competition", "fr", ["dé noir\u00a0: 1–10 repart", "un coup, sans réparer"]),
        ("cup", "en", ["next round, 3 points", "black die: 1–5 botches it"]),
        ("cup", "fr", ["au tour de jeu suivant, 3 points", "dé noir\u00a0: 1–5 le rate"]),
    ],
)
def test_each_kind_of_stop_says_what_it_brings_before_it_is_chosen(rulebook: str, lang: str, notes: list[str]) -> None:
    from companion.desk.ahead import Ahead

    track = circuits.load("monaco")
    setup = {"rulebook": rulebook, "track": "monaco", "laps": 3, "cars": [{"car": n} for n in range(1, 7)]}
    desk, driver = RaceDesk(begin(setup, track), setup=setup), HeuristicDriver(track, 3)
    while desk.asked is not None and desk.asked.ask != "stop":
        desk.answer(driver.answer(desk.asked, desk.rulebook.race), by="table")
    keys = race(Sight(desk, Words(lang, rulebook), ahead=Ahead(desk))).prompt.keys
    assert [key.note for key in keys] == notes
