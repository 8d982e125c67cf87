"""The running order: codes, gaps, chips; and the car to play beside it."""

from __future__ import annotations

import unicodedata
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers import Driver
from companion.drivers.cards import RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.rules.dice.state import Car
from companion.rules.ninety.circuit import SectionTrack
from companion.view.race.extras import extras
from companion.view.race.race import race
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight, codes
from companion.wording import LANGUAGES, Words
from tests.table import WEAR
from tests.view.watched import a_desk


def on_track(*cars: dict[str, Any], **setup: Any) -> RaceDesk:
    """A position: cars that race, in the order in which they play."""
    full = [{"gear": 3, "lap": 1, "status": "racing", "wear": WEAR, "tyres": "hard", **car} for car in cars]
    return a_desk(cars=full, to_play=[car["car"] for car in full], **setup)


def seen(desk: RaceDesk, lang: str = "en") -> RaceShown:
    return race(Sight(desk, Words(lang)))


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["Anna Vidal", "Bruno", "Éric Ñandú"], ["VID", "BRU", "NAN"]),
        (["Vidal", "Vidalin", "Vida", "Vid"], ["VID", "VIA", "VDA", "VI2"]),
        (["", " ", "Al"], ["1", "2", "AL"]),
        (["Ада Ким", "李小龍", "O’Neil-Ross", "R2"], ["КИМ", "李小龍", "ONE", "R"]),
        (["राहुल शर्मा", "สมชาย ใจดี", "राज शर्मिला"], ["शर्मा", "ใจดี", "शर्मि"]),
        (["Ada", "Ada", "Ada"], ["ADA", "AD2", "AD3"]),
    ],
)
def test_codes_come_from_the_last_name_and_are_each_their_own(names: list[str], wanted: list[str]) -> None:
    assert list(codes(dict(enumerate(names, 1))).values()) == wanted


@given(st.lists(st.text(max_size=30), min_size=1, max_size=20))
def test_whatever_people_are_called_codes_differ_and_fit(names: list[str]) -> None:
    given_codes = list(codes(dict(enumerate(names, 1))).values())
    assert len(set(given_codes)) == len(names)
    assert all(0 < sum(not unicodedata.category(sign).startswith("M") for sign in code) <= 3 for code in given_codes)
    assert all(len(code) <= 9 for code in given_codes)


def test_gaps_are_counted_in_spaces_behind_the_leader() -> None:
    desk = on_track(
        {"car": 1, "at": "2:left:5"},
        {"car": 2, "at": "2:left:2"},
        {"car": 3, "at": "2:left:5", "lap": 2} | {"at": "2:left:4"},
    )
    rows = {row.plate.number: row for row in seen(desk).order}
    lap = desk.rulebook.track.length // 2  # type: ignore[attr-defined]
    assert rows[3].gap == "Leader"
    assert rows[1].gap == f"+{lap - 1}"
    assert rows[2].gap == f"+{lap + 2}"
    assert [row.plate.number for row in seen(desk).order] == [3, 1, 2]
    assert [row.lap for row in seen(desk, "fr").order] == ["T2", "T1", "T1"]


def test_who_is_playing_has_played_and_is_out() -> None:
    desk = on_track({"car": 1, "at": "2:left:5"}, {"car": 2, "at": "2:left:2"}, {"car": 3, "at": "1:left:1"})
    desk.override({"car": 3, "status": "out"}, by="Eva", why="left")
    desk.override({"car": 2, "status": "spun"}, by="Eva", why="spun")
    rows = {row.plate.number: row for row in seen(desk).order}
    assert rows[1].playing
    assert (rows[2].chip, rows[2].chip_tone, rows[2].gap) == ("Spin", "warn", "")
    assert (rows[3].chip, rows[3].out, rows[3].gear) == ("Out", True, "")
    assert [(mark.plate.number, mark.state) for mark in seen(desk).board.cars] == [(1, "playing"), (2, "spun")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_dashboard_shows_what_the_car_was_built_with(lang: str) -> None:
    worn = {**WEAR, "brakes": 1}
    desk = on_track(
        {"car": 1, "at": "2:left:5", "wear": worn, "built": WEAR, "tyres": "soft", "lap": 2, "tyre_laps": 1, "stand": 2}
    )
    board = seen(desk, lang).dashboard
    assert board is not None
    assert [column.pool for column in board.columns] == list(WEAR)
    assert [(column.left, column.built) for column in board.columns][1] == (1, 3)
    assert [cell.state for cell in board.gears] == ["allowed", "allowed", "now", "allowed", "barred", "barred"]
    assert board.gears[0].word == "−1"
    tyres, stand = board.extras
    assert tyres.tone == "bad"
    assert "1" in tyres.value
    assert (stand.value, stand.filled, stand.of) == ("2", 2, 2)


def test_a_race_of_one_car_and_before_the_grid_is_shown() -> None:
    shown = seen(a_desk(cars=[{"car": 99}]))
    assert [(row.code, row.gap, row.gear) for row in shown.order] == [("99", "", "")]
    assert shown.top.round == ""
    assert shown.prompt.trail == ()
    assert shown.dashboard is not None
    assert shown.dashboard.columns == ()


class Electric(Car):
    """A car of rules that do not exist."""

    kers: int = 3
    fuel: str = "full"
    drs: bool = True
    weapons: dict[str, int] = msgspec.field(default_factory=dict)
    spares: tuple[str, ...] = ()


def test_what_a_rulebook_adds_to_its_cars_is_shown_without_a_line_for_it() -> None:
    desk = on_track({"car": 1, "at": "2:left:5"})
    desk.rulebook.name = "electric"  # type: ignore[misc]
    desk.rulebook.race.cars[0] = Electric(1, at="2:left:5", tyres="rain", weapons={"slip-mines": 2})
    sight = Sight(desk, Words("en"))
    shown = extras(sight, sight.cars[1])
    assert [(extra.label, extra.value, extra.filled, extra.of) for extra in shown] == [
        ("Rain", "new", 0, 0),
        ("KERS", "3", 0, 0),
        ("Full", "", 0, 0),
        ("Drs", "", 1, 1),
        ("Slip Mines", "2", 0, 0),
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_row_says_what_a_car_has_left_and_of_one_that_is_out_why(lang: str) -> None:
    desk = on_track(
        {"car": 1, "at": "2:left:5", "wear": {**WEAR, "brakes": 1}},
        {"car": 2, "at": "2:left:3"},
    )
    desk.rulebook.car(1).wear["body"] = 0
    car = desk.rulebook.car(2)
    car.status, car.cause = "out", "engine"
    shown = {row.plate.number: row for row in seen(desk, lang).order}
    left = {price.icon: (price.text, price.tone) for price in shown[1].left}
    assert list(left) == list(WEAR)
    assert (left["brakes"], left["body"]) == (("1", "warn"), ("0", "bad"))
    assert (shown[1].note, shown[2].left) == ("", ())
    assert shown[2].note == Words(lang).word("cause", "engine").capitalize()
    car.status = "wreck"  # which still lies on the board
    wreck = next(row for row in seen(desk, lang).order if row.plate.number == 2)
    assert (wreck.gear, wreck.left) == ("", ())


@pytest.mark.parametrize(("book", "at"), [("competition", "monaco"), ("cup", "spa"), ("death", "porto-sereno"),
                                          ("league", "imola"), ("ninety", "quarry-hill")])  # fmt: skip
def test_a_race_that_is_over_is_listed_as_it_is_classified(book: str, at: str) -> None:
    """A chance driver loses some on the way: whoever is out has a place only where the rules give one."""
    track = circuits.board(at)
    desk = a_desk(at, 5, rulebook=book, **({"deck": 3, "laps": 6} if isinstance(track, SectionTrack) else {"laps": 1}))
    by: Driver = RandomCardDriver(track, 3) if isinstance(track, SectionTrack) else RandomDriver(track, 3)
    while desk.asked is not None:
        desk.answer(by.answer(desk.asked, desk.rulebook.race))
    rows = seen(desk).order
    assert [(row.plate.number, row.position) for row in rows] == [
        (row["car"], row["place"] or 0) for row in desk.rulebook.result()
    ]
    assert [row.points for row in rows] == [
        f"{row['points']} pt" if row["points"] else "" for row in desk.rulebook.result()
    ]
    assert not any(row.gear for row in rows if row.out)
    out = any(row.out for row in rows)
    assert out or book == "ninety"
