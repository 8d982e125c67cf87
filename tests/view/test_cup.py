"""A cup race on the touchscreen: whole from the grid to the end; KERS, compounds, the pit grid and the marker on the
dashboard; the stop as a pit screen needs it."""

from __future__ import annotations

from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.desk.session import Session
from companion.rules.conversation.asking import Ruling
from companion.rules.rulebooks import begin
from companion.view.phones.phone import driver_page
from companion.view.race.extras import extras
from companion.view.race.form import most
from companion.view.race.prompt import prompt
from companion.view.race.race import race
from companion.view.race.toast import toast
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.view.watched import every_question_shown

WEAR = {"tyres": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}


def a_desk(*cars: dict[str, Any], track: str = "porto-sereno", **setup: Any) -> RaceDesk:
    whole = {"rulebook": "cup", "track": track, "laps": 2, "cars": list(cars), **setup}
    return RaceDesk(begin(whole, circuits.load(track)), setup=whole)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_of_a_race_is_shown(lang: str) -> None:
    desk = a_desk(*({"car": n, "team": f"T{n % 3}"} for n in range(1, 5)), options={"grid_by_die": True})
    assert {"grid", "weather", "kers_1"} <= every_question_shown(desk, lang)


@pytest.mark.article("cup", "tyres.two-compounds")
@pytest.mark.parametrize(("lang", "said"), [
    ("en", "1 has raced on one compound only, and owes another unless wet weather conditions become active."),
    ("fr", "1 n’a couru que sur un type de pneus, et en doit un autre, sauf conditions de pluie."),
])  # fmt: skip
def test_whoever_is_reminded_of_a_second_compound_sees_it(lang: str, said: str) -> None:
    """On the table's screen it comes before the KERS of the lap, but not before what is graver; the phone lists it."""
    cars = [
        {"car": n, "gear": 3, "at": f"19:{lane}:12", "lap": 1, "raced": ["hard"], "tyres": "hard",
         "wear": WEAR, "built": WEAR}
        for n, lane in ((1, "left"), (2, "right"))
    ]  # fmt: skip
    desk = a_desk(*cars, to_play=[1, 2], laps=3)
    session = Session(desk)
    desk.answer(4)
    desk.answer(12)
    assert desk.asked is not None
    past = next(one for one in desk.asked.options or [] if one.answer["space"].startswith("0:"))
    told = desk.answer(past.answer)
    assert {"kers", "reminder"} <= {ruling.kind for ruling in told}
    words = Words(lang, "cup")
    shown = toast(Sight(desk, words, told=told))
    assert shown is not None
    assert (shown.text, shown.tone) == (said, "warn")
    assert said in [line.text for line in driver_page(session, lang, 1, Ahead(desk)).rulings]
    graver = toast(Sight(desk, words, told=[*told, Ruling("spin", "overshoot.spin", 1, {}, {"at": "1:left:1"})]))
    assert graver is not None
    assert graver.tone == "bad"


def pitting(lang: str = "en") -> tuple[RaceDesk, Sight]:
    """Car 1 stands on the grid and declares; car 2 is in Pit Lane Exit."""
    cars = [
        {
            "car": 1,
            "gear": 3,
            "at": "18:left:3",
            "stops": 1,
            "lap": 1,
            "raced": ["hard"],
            "wear": {**WEAR, "engine": 1},
            "built": WEAR,
        },
        {"car": 2, "at": "box:12", "status": "box", "stop": "long", "leaves": 9, "service": "full", "kers": 1},
    ]
    desk = a_desk(*cars, to_play=[1], leaving=[2], wet_conditions=True)
    for answer in (3, 8):
        desk.answer(answer, by="table")
    asked = desk.asked
    assert asked is not None
    box = next(option.answer for option in asked.options or [] if option.answer["space"].startswith("box"))
    desk.answer(box, by="table")
    return desk, Sight(desk, Words(lang, "cup"))


@pytest.mark.parametrize(
    ("lang", "labels"),
    [
        ("en", [("KERS", "2"), ("Compounds", "1"), ("Wet conditions", ""), ("Car Pitting", "1")]),
        ("fr", [("KERS", "2"), ("Types", "1"), ("Pluie active", ""), ("À l’arrêt", "1")]),
    ],
)
def test_the_dashboard_shows_what_a_cup_car_carries(lang: str, labels: list[tuple[str, str]]) -> None:
    _, sight = pitting(lang)
    shown = [(extra.label, extra.value) for extra in extras(sight, sight.race.cars[0])]
    assert shown[1:] == labels
    other = [(extra.label, extra.value) for extra in extras(sight, sight.race.cars[1])]
    assert other[-1] == ({"en": "Pit Lane Exit", "fr": "Sortie stands"}[lang], "1")


def test_a_pit_screen_finds_what_it_needs() -> None:
    desk, _ = pitting()
    desk.answer("soft", by="table")
    for lang, labels in (("en", ["Full", "Quick"]), ("fr", ["Complet", "Rapide"])):
        keys = prompt(Sight(desk, Words(lang, "cup"))).keys
        assert [(key.answer, key.label) for key in keys] == list(zip(["full", "quick"], labels, strict=True))
        assert all(key.note for key in keys)
    desk.answer("full", by="table")
    asked = desk.asked
    assert asked is not None
    assert asked.fields is not None
    assert (asked.ask, asked.fields["stand"], asked.fields["engine"], asked.fields["cost"]["engine"]) == (
        "repair", 3, [0, 1], 2,
    )  # fmt: skip
    assert most(asked) == 3


def test_the_board_shows_the_zones_of_the_race_and_of_the_cup_alone() -> None:
    car = {"car": 1, "at": "10:left:5", "lap": 1, "gear": 4, "status": "racing", "tyres": "hard"}
    usual = race(Sight(a_desk(car, track="monaco", to_play=[1]), Words("en", "cup"))).board
    named = race(Sight(a_desk(car, track="monaco", to_play=[1], zones=[[2], [6]]), Words("en", "cup"))).board
    other = a_desk(car, track="monaco", to_play=[1], rulebook="competition")
    assert (usual.zones, named.zones) == ((10, 20, 0), (2, 6))
    assert race(Sight(other, Words("en", "competition"))).board.zones == ()


@pytest.mark.parametrize(
    ("lang", "place", "status", "key"),
    [
        ("en", "pit grid 4", "on the pit grid", "Onto the pit grid"),
        ("fr", "grille des stands 4", "sur la grille des stands", "Sur la grille des stands"),
    ],
)
def test_the_cup_has_a_pit_grid_and_no_boxes(lang: str, place: str, status: str, key: str) -> None:
    words = Words(lang, "cup")
    assert (words.place("box:4"), words.word("status", "box"), words.screen("landing.box", number=4)) == (
        place, status, key,
    )  # fmt: skip
    car: dict[str, Any] = {"car": 1, "at": "box:4", "lap": 1, "status": "box", "stop": "long", "leaves": 1}
    desk = a_desk(car, {"car": 2, "at": "1:left:1", "gear": 2, "lap": 1, "status": "racing"}, to_play=[1], round=1)
    assert desk.asked is not None
    assert words.word("where", "box") in words.question(desk.asked)
    assert not {"box", "stand"} & set(words.question(desk.asked).casefold().split())
