"""The odds: chances that add up, that follow the standings, and that are right over many races."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from companion import circuits
from companion.commands.main import companion
from companion.desk.beginning import begin_race
from companion.drivers import DRIVERS
from companion.drivers.odds import STYLES, CarProspects, chances, driven_out, odds, odds_of, wins_of
from companion.drivers.registry import driver_named, strong
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import begin
from companion.view.seats import odds as seat_odds
from companion.view.seats import programs
from companion.view.seats.odds import RaceOdds
from companion.view.seats.programs import Programs, hand_over
from companion.wording import Words
from tests.drivers.calibration import watched


def test_chances_add_up_by_car_and_by_place() -> None:
    cars = [
        CarProspects(7, 20.0),
        CarProspects(3, 21.0),
        CarProspects(5, 21.0),
        CarProspects(9, -1000.0, False),
        CarProspects(2, 1001.0, False),
    ]
    found = odds_of(cars)
    assert set(found) == {7, 3, 5, 9, 2}
    for places in (*found.values(), *zip(*found.values(), strict=True)):
        assert sum(places) == pytest.approx(1.0)
    assert found[9] == [1.0, 0, 0, 0, 0]  # home already
    assert found[2][4] > 0.8  # out, and behind all who come home
    assert found[7][1] > found[3][1] > 0.05
    assert found[3][1] == pytest.approx(found[5][1], abs=0.05)
    assert odds_of(cars) == found


def test_who_drives_tells_how_soon_a_car_is_home_and_how_likely_at_all() -> None:
    assert set(STYLES) == set(DRIVERS)
    champions = [CarProspects(1, 20.0), CarProspects(2, 20.0), CarProspects(3, -1000.0, False)]
    mixed = [car.with_driver(name) for car, name in zip(champions, ("champion", "learner", "learner"), strict=True)]
    assert mixed[0].rounds < mixed[1].rounds
    assert mixed[1].risk > mixed[0].risk
    assert mixed[2] == champions[2]  # home, whoever drove
    assert champions[1].with_driver("") == champions[1].with_driver("sensible")  # a person
    assert odds_of(mixed)[1][1] > odds_of(champions)[1][1] + 0.1


@pytest.mark.parametrize("seed", range(20))
def test_one_car_s_chances_to_win_are_those_of_all_places(seed: int) -> None:
    chance = Random(seed)
    cars = [
        CarProspects(number, 20 * chance.random(), risk=0.01) for number in chance.sample(range(1, 99), 1 + seed % 10)
    ]
    cars[0] = cars[0]._replace(rounds=chance.choice([-1000.0, 1001.0, 5.0]), racing=False)
    mine = chance.choice(cars).number
    owns = [CarProspects(mine, 20 * chance.random()) for _ in range(3)]
    whole = [odds_of([own if car.number == mine else car for car in cars])[mine][0] for own in owns]
    assert wins_of(cars, owns) == whole


def test_where_no_table_is_at_hand_the_odds_come_as_races_are_driven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for tables: the first ten races say what is shown first, and the table's figures follow."""
    monkeypatch.setenv("CACHE_DIRECTORY", str(tmp_path / "cache"))
    cars = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bruno"}]
    setup = {"track": "monaco", "laps": 1, "cars": cars, "options": {"slide_hard": 2}}  # of which no lap is shipped
    desk = begin_race(setup, "monaco", tmp_path)
    driver = driver_named("sensible", desk.rulebook, 5)
    while desk.public().phase == "setup":
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))  # type: ignore[arg-type]
    said = ["--data", str(tmp_path), "races", "odds", "--json", "--told"]
    told = CliRunner().invoke(companion, said)
    found = [json.loads(line) for line in told.stderr.splitlines() if line.startswith("{")]
    assert [round(10 * number * odds["1"][0], 6) % 1 for number, odds in enumerate(found, 1)] == [0.0] * 9
    assert set(json.loads(told.stdout)) == {"1", "2"}
    assert not (tmp_path / "cache").exists(), "no table was worked out for that"

    class Driving:
        over, failed, said, so_far = False, False, b"", b""

    driving, tables = Driving(), list[object]()
    monkeypatch.setattr(seat_odds, "driven_out", lambda *_: driving)
    monkeypatch.setattr(programs, "worked_out", lambda *_: tables.append(desk) or driving)
    shown, seats = RaceOdds(), Programs(desk, lambda: None)
    assert shown.wins(desk, seats) == {}
    assert tables, "a table is worked out meanwhile"
    driving.so_far = json.dumps(found[0]).encode()
    assert shown.wins(desk, seats) == {1: found[0]["1"][0], 2: found[0]["2"][0]}
    desk.close()


def test_nearer_to_the_flag_the_same_lead_is_worth_more() -> None:
    far, near = (odds_of([CarProspects(1, rounds), CarProspects(2, rounds + 1)])[1][0] for rounds in (40.0, 4.0))
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
    programs = dict.fromkeys((1, 2, 3), "club")
    found, reckoned = driven_out(talk, programs, 12), odds(position(), strong("champion", position()))
    assert found[1][0] == pytest.approx(reckoned[1][0], abs=0.1)
    assert sum(found[2]) == pytest.approx(1.0)
    assert talk.n == 0


def driven(rulebook: str, track: str, rounds: int, **more: Any) -> Conversation:
    """A race of four, some rounds old."""
    book = begin({"rulebook": rulebook, "track": track, "cars": [{"car": n} for n in (1, 2, 3, 4)], **more},
                 circuits.board(track))  # fmt: skip
    talk, driver = Conversation(book), driver_named("sensible", book, 5)
    while talk.asked is not None and book.round < rounds:
        talk.answer(driver.answer(talk.asked, book.race))
    return talk


@pytest.mark.parametrize(
    ("rulebook", "track", "rounds", "more"),
    [
        ("ninety", "saltmarsh", 3, {"deck": 7, "laps": 4}),
        ("ninety", "saltmarsh", 3, {"laps": 4}),
        ("league", "monza", 12, {"laps": 1}),
    ],
)
def test_what_no_table_knows_is_driven_out(rulebook: str, track: str, rounds: int, more: Mapping[str, Any]) -> None:
    """With cards, and on a corner sheet: the leader has better chances than the last, all add up, nothing is touched,
    and the same is told again."""
    talk = driven(rulebook, track, rounds, **more)
    before, shares = talk.digest, list[float]()
    found = chances(talk, {}, 12, shares.append)
    assert shares[-1] == 1.0
    for places in (*found.values(), *zip(*found.values(), strict=True)):
        assert sum(places) == pytest.approx(1.0)
    order = [str(number) for number in talk.rulebook.running_order()]  # type: ignore[attr-defined]
    assert sum(found[order[0]][:2]) > sum(found[order[-1]][:2])
    assert talk.digest == before
    assert chances(talk, {}, 12) == found


def test_before_a_race_has_begun_there_are_no_odds() -> None:
    with pytest.raises(BadAnswer, match="only once the race has begun"):
        chances(driven("ninety", "saltmarsh", 0, deck=7), {})


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_command_tells_every_place(lang: str, tmp_path: Path) -> None:
    cars = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bruno"}]
    desk = begin_race({"rulebook": "league", "track": "monza", "laps": 1, "cars": cars}, "monza", tmp_path)
    driver = driver_named("sensible", desk.rulebook, 5)
    said = ["--data", str(tmp_path), "--lang", lang, "races", "odds", "--races", "4"]
    refused = CliRunner().invoke(companion, said)
    assert refused.exit_code == 1
    while desk.public().round < 3:
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))  # type: ignore[arg-type]
    desk.close()
    plain = CliRunner().invoke(companion, [*said, "--json"])
    found = json.loads(plain.stdout)
    assert {number: sum(places) for number, places in found.items()} == {"1": 1.0, "2": 1.0}
    told = CliRunner().invoke(companion, said).output
    line = next(line for line in told.splitlines() if "1 Ada" in line)
    assert re.findall(r"(\d+)\s?%", line) == [f"{100 * share:.0f}" for share in found["1"]]
    shares = Words(lang).chances({1: 0.255, 2: 0.185, 3: 0.275, 4: 0.285})
    assert sum(int(share.split()[0].rstrip("%")) for share in shares.values()) == 100
    known = CliRunner().invoke(companion, [*said, "--json", "--told"])
    assert known.stderr.split() == ["250", "500", "750", "1000"]


def test_what_is_said_or_corrected_amid_a_turn_is_counted_at_once(tmp_path: Path) -> None:
    """What is shown at the table is what odds that are counted afresh would be, though the same turn is played."""
    setup = {"rulebook": "competition", "track": "monaco", "laps": 2, "cars": [{"car": 1}, {"car": 2}, {"car": 3}]}
    desk = begin_race(setup, "monaco", tmp_path)
    driver = driver_named("sensible", desk.rulebook, 5)
    while desk.public().round < 3:
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))  # type: ignore[arg-type]
    shown, programs, seen = RaceOdds(), Programs(desk), []

    def look() -> None:
        seen.append(shown.wins(desk, programs))
        assert seen[-1] == RaceOdds().wins(desk, programs)

    look()
    desk.override({"cars": [{"car": 1, "wear": {"tyres": 0, "brakes": 0, "body": 1}}]}, by="Ada", why="seen")
    look()
    desk.undo()
    look()
    hand_over(desk, 2, "learner")
    look()
    old = next(done for done in reversed(desk.answers()) if done.ask == "roll")
    desk.correct(old.n, min(4, old.answer + 1), keep="board", by="Ada", why="seen")  # type: ignore[operator]
    look()
    assert seen[0] == seen[2]
    assert seen[1][1] < seen[0][1]
    assert seen[3][2] < seen[2][2]


@pytest.mark.article("ninety", "cards.race")
def test_the_odds_do_not_tell_what_is_in_a_hand() -> None:
    """Two races that differ in nothing but cards that only their holders have seen have the same odds."""
    talk = driven("ninety", "saltmarsh", 3, deck=7, laps=4)
    book: Any = talk.rulebook
    other = book.clone()
    one, two = [car for car in other.race.cars if len(car.hand) > 2 and not car.frozen][:2]
    one.hand[0], two.hand[1] = two.hand[1], one.hand[0]
    other.race.pile[-1], one.hand[1] = one.hand[1], other.race.pile[-1]
    assert other.save() != book.save()
    assert driven_out(Conversation(other), {}, 3) == driven_out(Conversation(book.clone()), {}, 3)


@pytest.mark.article("ninety", "cards.race", "contest.frozen")
def test_what_is_dealt_anew_for_a_guess() -> None:
    """Each has as many cards as before, the frozen ones among them, and no card comes or goes."""
    book: Any = driven("ninety", "saltmarsh", 3, deck=7, laps=4).rulebook
    race, first = book.race, book.race.cars[0]
    first.frozen = first.hand[:2]
    hands, all_ = {car.number: list(car.hand) for car in race.cars}, Counter(race.pile)
    all_.update(code for car in race.cars for code in car.hand)
    book.sample_hidden(3)
    assert {car.number: len(car.hand) for car in race.cars} == {number: len(hand) for number, hand in hands.items()}
    assert first.hand[:2] == first.frozen == hands[first.number][:2]
    assert {car.number: car.hand for car in race.cars} != hands
    assert Counter([*race.pile, *(code for car in race.cars for code in car.hand)]) == all_


@pytest.mark.usefixtures("ready")
def test_over_some_races_the_odds_are_better_than_an_even_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.drivers.calibration.SKY", "sun")
    told = [
        (places[0], number == race.winner)
        for race in (watched(seed, 4, 1, "competition", "monaco") for seed in range(6))
        for _, stood in race.moments
        for number, places in odds_of([car.with_driver(race.drivers[car.number]) for car in stood]).items()
    ]
    brier = sum((chance - won) ** 2 for chance, won in told) / len(told)
    assert brier < 0.75 * (0.25 * 0.75)
