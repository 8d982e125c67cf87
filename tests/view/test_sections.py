"""What is shown of a race of sections: its board, its charts, its cards and its contests, as plain data."""

from __future__ import annotations

from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.drivers.cards import HeuristicCardDriver, RandomCardDriver
from companion.view.pages.sheet import lap_chart
from companion.view.race.race import race
from companion.view.shown import Price
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight
from companion.wording import Words
from tests.view.watched import Watched, a_desk

DUEL = [
    {"car": 1, "driver": "Ada", "at": "section:4", "hand": ["S3 45 TT", "D1 20 C", "G2 30"]},
    {"car": 2, "driver": "Bruno Vidal", "at": "section:4", "hand": ["G4 71 R", "S2 9"], "strategy": "banging"},
    {"car": 3, "driver": "Chloé", "at": "section:10"},
]
"""Two cars in the first corner of Quarry Hill, and one further on."""


def driving(cars: list[dict[str, Any]] = DUEL, **setup: Any) -> RaceDesk:
    """A race in the middle of its fourth turn."""
    numbers = [car["car"] for car in cars]
    given = {"rulebook": "ninety", "laps": 16, "round": 4, "deck": 5, "to_play": numbers, **setup}
    return a_desk("quarry-hill", cars=[{"wear": {"cards": len(car.get("hand", []))}, **car} for car in cars], **given)


def seen(desk: RaceDesk, lang: str = "en", **how: Any) -> RaceShown:
    return race(Sight(desk, Words(lang, "ninety"), **how))


def drive_on(desk: RaceDesk) -> None:
    """The leader skips its turn, so that the corner is contested."""
    for answer in ("skip", "balance"):
        desk.answer(answer, n=desk.n)


def test_the_bar_counts_turns_and_no_laps() -> None:
    top = seen(driving()).top
    assert (top.lap, top.round, top.rounds) == ("", "4", "16")


def test_every_section_has_its_tile_with_its_line_of_cars() -> None:
    tiles = seen(driving()).board.sections
    assert len(tiles) == 17
    corner, braking, straight = tiles[3], tiles[2], tiles[0]
    assert (corner.number, corner.name, corner.kind, corner.bonus) == (4, "Crusher", "corner", "2")
    assert [(car.code, car.place) for car in corner.cars] == [("ADA", 1), ("VID", 2)]
    assert (braking.late, [point.text for point in braking.points]) == ("47", ["D1"])
    assert (straight.kind, straight.bonus, straight.late) == ("straight", "", "")
    assert [tile.number for tile in tiles if tile.here] == [10]
    assert tiles[9].bonus == "−2"


def test_a_car_off_the_track_has_no_place_in_the_line() -> None:
    desk = driving()
    desk.override({"car": 1, "status": "off"}, by="Noor", why="late")
    corner = seen(desk).board.sections[3]
    assert [(car.code, car.place) for car in corner.cars] == [("VID", 1), ("ADA", 0)]
    assert next(row.chip for row in seen(desk).order if row.plate.number == 1) == "Off"


def test_the_plates_beside_the_question_are_in_the_order_of_the_turn() -> None:
    desk = driving()
    assert [(one.plate.number, one.state) for one in seen(desk).prompt.turn] == [
        (3, "now"),
        (1, "to_come"),
        (2, "to_come"),
    ]
    drive_on(desk)
    assert [(one.plate.number, one.state) for one in seen(desk).prompt.turn] == [
        (3, "done"),
        (1, "to_come"),
        (2, "now"),
    ]


def test_damage_is_counted_as_it_fills_its_chart() -> None:
    cars = [{**DUEL[0], "built": {"tyres": 12, "cards": 6, "damage": 4},
             "wear": {"tyres": 1, "cards": 3, "damage": 1}, "permanent": 2, "fuel": 5,
             "check": "D2 50"}]  # fmt: skip
    chart = seen(driving(cars)).dashboard
    assert chart is not None
    tyres, damage, cards = chart.counters
    assert (tyres.value, tyres.of, tyres.tone) == (1, 12, "warn")
    assert (damage.value, damage.of, damage.kept, damage.tone) == (3, 4, 2, "warn")
    assert (cards.value, cards.of) == (3, 0)
    assert chart.gears == chart.columns == ()
    said = {extra.label: (extra.value, extra.tone) for extra in chart.extras}
    assert said["Fuel"] == ("to turn 5", "warn")
    assert said["Check"] == ("50 or less", "plain")
    assert said["Strategy"] == ("Balance", "plain")
    assert said["Permanent damage"] == ("2", "bad")


def test_cards_are_picked_for_what_goes_together() -> None:
    desk = driving(DUEL[:1])
    desk.answer("go", n=desk.n)
    prompt = seen(desk).prompt
    assert prompt.layout == "pick"
    assert {"S3", "D1", "G2"} <= {part.label for part in prompt.parts}
    dear = next(key for key in prompt.keys if key.answer == ["S3 45 TT"])
    assert (dear.label, dear.note, dear.accept) == ("Play 3", "S3", True)
    assert dear.prices == (Price(icon="tyres", text="−2", tone="warn"),)
    assert not any(sorted(key.answer) == ["G2 30", "S3 45 TT"] for key in prompt.keys)


def test_a_part_is_there_as_often_as_it_can_be_played() -> None:
    cars = [{**DUEL[0], "hand": ["G2 40", "G2 40"], "strategy": "balance"}]
    desk = driving(cars, deck=0)
    desk.answer("go", n=desk.n)
    assert [part.answer for part in seen(desk).prompt.parts].count("G2 40") == 2


def test_a_check_tells_of_each_card_whether_it_passes() -> None:
    desk = driving([{**DUEL[0], "hand": ["D1 20 C", "G4 71", "S2 9"], "check": "D2 50"}])
    desk.answer("go", n=desk.n)
    desk.answer(["D1 20 C"], n=desk.n)
    prompt = seen(desk).prompt
    assert (prompt.layout, prompt.title) == ("cards", "Check: 50 or less")
    passes = {key.answer: key.prices[0].icon for key in prompt.keys if key.prices}
    assert passes["G4 71"] == "cross"
    assert passes["S2 9"] == passes["D1 20 C"] == "check"


@pytest.mark.parametrize(("lang", "out"), [("en", "out"), ("fr", "abd")])
def test_a_check_that_fails_on_a_full_chart_says_that_the_car_is_out(lang: str, out: str) -> None:
    """A card just played costs nothing; what it brings is not free all the same, and is accepted on its card."""
    own = {**DUEL[0], "hand": ["G4 71 C", "S2 9"], "check": "D2 50", "wear": {"cards": 2, "damage": 0}}
    desk = driving([own])
    desk.answer("go", n=desk.n)
    desk.answer(["G4 71 C"], n=desk.n)
    keys = {key.answer: key for key in seen(desk, lang, ahead=Ahead(desk)).prompt.keys}
    assert [(price.text, price.icon, price.tone) for price in keys["G4 71 C"].prices] == [(out, "cross", "bad")]
    assert keys["G4 71 C"].accept
    assert not keys["S2 9"].accept
    card = seen(desk, lang, ahead=Ahead(desk), selected="G4 71 C").card
    assert card is not None
    assert (card.tone, card.article) == ("bad", "chart.breakdown")


def test_a_contest_is_told_from_the_first_who_is_asked_to_the_new_order() -> None:
    watched = Watched(driving)
    for answer in ("skip", "balance"):
        watched.answer(answer)
    contest = watched.last.contest
    assert contest is not None
    assert (contest.title, contest.place) == ("Corner contest", "4 Crusher")
    assert [(row.plate.number, row.word, row.asked) for row in contest.rows] == [(1, "", False), (2, "", True)]
    watched.answer(True)
    watched.answer(True)
    assert [row.word for row in watched.last.contest.rows] == ["takes part", "takes part"]  # type: ignore[union-attr]
    watched.answer(["S2 9"])
    last = watched.last.contest.rows[1]  # type: ignore[union-attr]
    assert (last.total, [price.text for price in last.terms]) == ("7", ["2", "+2", "+3"])
    shown = watched.answer(["S3 45 TT"])
    over = shown.contest
    assert over is not None
    assert [(row.plate.number, row.total, row.first) for row in over.rows] == [(2, "7", True), (1, "3", False)]
    assert [line.text for line in over.lines] == ["2 leads at section 4"]
    assert shown.prompt.plate is not None
    assert shown.prompt.plate.number == 2
    assert watched.answer("go").contest is None
    watched.seat.close()


def test_whoever_stays_out_of_a_contest_is_told_so() -> None:
    watched = Watched(driving)
    for answer in ("skip", "balance", False):
        watched.answer(answer)
    assert watched.last.contest is not None
    assert [row.word for row in watched.last.contest.rows] == ["", "stays out"]
    watched.seat.close()


def test_a_card_played_is_no_loss_but_damage_is() -> None:
    watched = Watched(lambda: driving([{**DUEL[0], "hand": ["G3 30"]}, DUEL[2]]))
    for answer in ("skip", "balance", "go", ["G3 30"]):
        shown = watched.answer(answer)
    assert shown.card is None
    watched.seat.close()
    hurt = Watched(lambda: driving([{**DUEL[0], "hand": ["G3 30 R"]}, DUEL[2]]))
    for answer in ("skip", "balance", "go", ["G3 30 R"]):
        shown = hurt.answer(answer)
    assert shown.card is not None
    assert (shown.card.title, [term.value for term in shown.card.sums[0]]) == ("Damage", ["+1"])
    assert shown.card.losses[0].name == "Room for damage"
    hurt.seat.close()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_articles_are_cited_by_their_titles(lang: str) -> None:
    desk = driving()
    drive_on(desk)
    cited = seen(desk, lang).prompt.cited
    assert cited
    assert "." not in cited


def test_the_chart_by_laps_has_every_lap_that_somebody_has_ended() -> None:
    track = circuits.board("quarry-hill")
    desk, driver = a_desk("quarry-hill", 2, rulebook="ninety", deck=3), HeuristicCardDriver(track, 2)
    while (asked := desk.asked) is not None:
        desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n)
    most = max(car.lap for car in desk.rulebook.race.cars)
    chart = lap_chart(desk.sheet(), desk.history, {}, Words("en", "ninety"))
    assert chart.columns == ("Grid", *(f"L{lap}" for lap in range(1, most + 1)))
    ended = {line.plate.number for line in chart.lines if line.points[1][1]}
    assert {car.number for car in desk.rulebook.race.cars if car.lap > 0} <= ended


def test_the_running_order_tells_laps_done_what_is_left_and_who_has_stopped() -> None:
    desk = driving([{**DUEL[0], "lap": 1}, {**DUEL[2], "lap": 1}, {"car": 5, "driver": "Bot", "bot": "slow"}])
    desk.answer("stop", n=desk.n)
    desk.answer("hazard", n=desk.n)
    rows = {row.plate.number: row for row in seen(desk).order}
    assert (rows[3].chip, rows[3].chip_tone, rows[3].gear) == ("Pit", "info", "")
    assert (rows[1].lap, rows[5].lap) == ("L1", "")
    assert [price.icon for price in rows[1].left] == ["tyres", "damage", "cards"]
    assert rows[1].left[1].text == "0/4"
    assert rows[5].left == ()


@pytest.mark.parametrize("seed", range(6))
def test_every_moment_of_races_by_chance_is_shown_in_both_languages(seed: int) -> None:
    """Whoever is asked in a contest stands in it, and what cars come to there is of this contest alone."""
    key = ("quarry-hill", "saltmarsh")[seed % 2]
    desk = a_desk(key, (1, 2, 4, 8, 12, 16)[seed], rulebook="ninety", deck=seed + 1, laps=14)
    driver, told = RandomCardDriver(circuits.board(key), seed), list[Any]()
    desk.listen(lambda heard: told.__setitem__(slice(None), heard.rulings))
    while (asked := desk.asked) is not None:
        shown = seen(desk, ("en", "fr")[desk.n % 2], told=told)
        assert sum(len(tile.cars) for tile in shown.board.sections) == len(
            [car for car in desk.rulebook.race.cars if car.at is not None]
        )
        if asked.ask in ("contest", "show"):
            assert shown.contest is not None
            assert [row.plate.number for row in shown.contest.rows if row.asked] == [asked.car]
            assert not any(row.total for row in shown.contest.rows if asked.ask == "contest")
        desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n)
    placed = [row for row in seen(desk).order if not row.out]
    assert [row.position for row in placed] == list(range(1, len(placed) + 1))


def test_who_is_level_has_damage_and_is_told_so() -> None:
    """A bonus of two for whoever is not at the head: two and two are level with four."""
    cars = [{**DUEL[0], "hand": ["G4 71", "D1 20"]}, {**DUEL[1], "strategy": "balance"}, DUEL[2]]
    watched = Watched(lambda: driving(cars))
    for answer in ("skip", "balance", True, True, ["S2 9"], ["G4 71"]):
        shown = watched.answer(answer)
    assert shown.contest is not None
    assert [row.total for row in shown.contest.rows] == ["4", "4"]
    assert [line.text for line in shown.contest.lines] == ["1 leads at section 4", "Damage: 1 and 2"]
    assert all(row.first for row in shown.contest.rows)
    watched.seat.close()


def test_the_card_of_what_a_car_was_given_shows_its_plate_where_another_is_asked() -> None:
    """The damage of who has played is not to be taken for that of who is asked next."""
    for section, asked, number in ((10, 1, None), (13, 2, 1)):  # on to a point of the ideal line, and to a corner
        desk = driving([{**DUEL[0], "at": f"section:{section}", "hand": ["G3 45 R"]}, {**DUEL[1], "at": "section:2"}])
        desk.answer("go", n=desk.n)
        told = desk.answer(["G3 45 R"], n=desk.n)
        assert desk.asked is not None
        assert desk.asked.car == asked
        shown = seen(desk, told=told, entry=desk.seq).card
        assert shown is not None
        assert shown.title == "Damage"
        assert (shown.plate and shown.plate.number) == number


def test_cards_without_symbols_have_a_dash_where_the_others_have_theirs() -> None:
    desk = driving([{**DUEL[0], "at": "section:10", "hand": ["G3 45 R", "S1 7"]}, DUEL[1]])
    desk.answer("go", n=desk.n)
    prices = {key.label: key.prices for key in seen(desk).prompt.parts}
    assert prices["G3"] == (Price(icon="damage", text="+1", tone="warn"),)
    assert prices["S1"] == (Price(text="–"),)


@pytest.mark.parametrize(("lang", "units"), [
    ("en", ("fuel to 12", "stop next turn", "must stop now", "stop made", "")),
    ("fr", ("essence\u00a0: 12", "arrêt au suivant", "arrêt à ce coup", "arrêt fait", "")),
])  # fmt: skip
def test_a_turn_says_until_when_the_fuel_lasts_as_long_as_a_stop_is_due(lang: str, units: tuple[str, ...]) -> None:
    """A driver who has stopped has no turn marked any more, and who is off the track comes back whatever is marked."""
    there = ({"fuel": 12}, {"fuel": 5}, {"fuel": 4}, {"fuel": 4, "stops": 1}, {"fuel": 4, "status": "off"})
    for more, unit in zip(there, units, strict=True):
        shown = seen(driving([{**DUEL[0], "at": "section:10", **more}]), lang)
        assert shown.prompt.unit == unit


def test_a_card_that_is_turned_over_says_for_what() -> None:
    """On the form all else is hidden: qualifying, a bot's contest, and the leader's check as against any other."""
    bots = [{"car": number, "at": "section:4", "bot": "slow"} for number in (8, 9)]
    desk = driving([{**DUEL[0], "check": "D1 1"}, *bots], deck=0)
    assert seen(desk).prompt.ask == "contest"
    desk.answer(False, n=desk.n)
    assert [seen(desk).prompt.unit, *(_next(desk, "G1 5") for _ in range(2))] == [
        "contest, card 1", "contest, card 2", "contest, card 1",
    ]  # fmt: skip
    lapped = {**DUEL[1], "at": "section:12", "lap": -1, "strategy": "balance"}
    leader = driving([lapped, {**DUEL[0], "at": "section:12", "hand": ["G1 9"]}], deck=0)
    for answer in ("go", ["G3 50"]):
        leader.answer(answer, n=leader.n)
    assert (seen(leader).prompt.ask, seen(leader).prompt.unit) == ("check", "as the leader")
    leader.answer("blind", n=leader.n)
    assert seen(leader).prompt.unit == "leader’s check"


def _next(desk: RaceDesk, answer: str) -> str:
    desk.answer(answer, n=desk.n)
    return seen(desk).prompt.unit
