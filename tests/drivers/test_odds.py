"""The odds: chances that add up, that follow the standings, and that are right over many races."""

from __future__ import annotations

from typing import Any

import pytest

from companion import circuits
from companion.drivers import DRIVERS
from companion.drivers.odds import STYLES, Standing, driven_out, odds, odds_of
from companion.drivers.roster import strong
from companion.rules.conversation.conversation import Conversation
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import begin
from tests.drivers.calibration import watched


def test_chances_add_up_by_car_and_by_place() -> None:
    cars = [
        Standing(7, 20.0),
        Standing(3, 21.0),
        Standing(5, 21.0),
        Standing(9, -1000.0, False),
        Standing(2, 1001.0, False),
    ]
    found = odds_of(cars)
    assert set(found) == {7, 3, 5, 9, 2}
    for chances in (*found.values(), *zip(*found.values(), strict=True)):
        assert sum(chances) == pytest.approx(1.0)
    assert found[9] == [1.0, 0, 0, 0, 0]  # home already
    assert found[2][4] > 0.8  # out, and behind all who come home
    assert found[7][1] > found[3][1] > 0.05
    assert found[3][1] == pytest.approx(found[5][1], abs=0.05)
    assert odds_of(cars) == found


def test_who_drives_tells_how_soon_a_car_is_home_and_how_likely_at_all() -> None:
    assert set(STYLES) == set(DRIVERS)
    champions = [Standing(1, 20.0), Standing(2, 20.0), Standing(3, -1000.0, False)]
    mixed = [car.driven(name) for car, name in zip(champions, ("champion", "learner", "learner"), strict=True)]
    assert mixed[0].rounds < mixed[1].rounds
    assert mixed[1].risk > mixed[0].risk
    assert mixed[2] == champions[2]  # home, whoever drove
    assert champions[1].driven("") == champions[1].driven("sensible")  # a person
    assert odds_of(mixed)[1][1] > odds_of(champions)[1][1] + 0.1


def test_nearer_to_the_flag_the_same_lead_is_worth_more() -> None:
    far, near = (odds_of([Standing(1, rounds), Standing(2, rounds + 1)])[1][0] for rounds in (40.0, 4.0))
    assert 0.55 < far < near < 1.0


def position() -> Any:
    cars = [
        {"car": 1, "at": "10:middle:2", "gear": 4, "lap": 1},
        {"car": 2, "at": "2:middle:2", "gear": 3, "lap": 1},
        {"car": 3, "at": "2:left:2", "gear": 3, "lap": 1, "wear": {"tyres": 1, "brakes": 0}},
    ]
    book = begin(
        {"track": "monaco", "laps": 1, "sky": "sun", "cars": cars, "to_play": [1, 2, 3]}, circuits.load("monaco")
    )
    assert isinstance(book, FormulaDe)
    return book


@pytest.mark.usefixtures("ready")
def test_who_leads_and_who_has_points_left_has_the_better_odds() -> None:
    book = position()
    before = book.save()
    found = odds(book, strong("champion", book))
    assert found[1][0] > 0.95
    assert found[2][1] > found[3][1]
    assert book.save() == before


@pytest.mark.usefixtures("ready")
def test_races_driven_to_their_end_say_about_the_same() -> None:
    talk = Conversation(position())
    found, reckoned = driven_out(talk, 12), odds(position(), strong("champion", position()))
    assert found[1][0] == pytest.approx(reckoned[1][0], abs=0.1)
    assert sum(found[2]) == pytest.approx(1.0)
    assert talk.n == 0


@pytest.mark.usefixtures("ready")
def test_over_some_races_the_odds_are_better_than_an_even_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.drivers.calibration.SKY", "sun")
    told = [
        (chances[0], number == race.winner)
        for race in (watched(seed, 4, 1, "competition", "monaco") for seed in range(6))
        for _, stood in race.moments
        for number, chances in odds_of([car.driven(race.drivers[car.number]) for car in stood]).items()
    ]
    brier = sum((chance - won) ** 2 for chance, won in told) / len(told)
    assert brier < 0.75 * (0.25 * 0.75)
