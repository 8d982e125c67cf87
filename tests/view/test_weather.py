"""A change of weather: what each band of the die would bring, and the card of what it has brought."""

from __future__ import annotations

import pytest

from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.rules.conversation.asking import Json
from companion.view.race.race import race
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.view.test_order import on_track

WORDS = {
    "en": ("Changeable", "Rain", "dry", "wet", "stays dry", "Hard, soft", "+3 spaces", "Rain", "+1 space, ×1"),
    "fr": (
        "Variable",
        "Pluie",
        "sèche",
        "mouillée",
        "reste sèche",
        "Durs, tendres",
        "+3 cases",
        "Pluie",
        "+1 case, ×1",
    ),
}


def at_the_roll() -> RaceDesk:
    """Under a changeable sky a car has rolled a 20 in 5th, and the weather is drawn again."""
    return to_the_weather(on_track({"car": 1, "at": "2:left:5", "gear": 5}, sky="changeable", surface="dry"))


def to_the_weather(desk: RaceDesk) -> RaceDesk:
    """Roll a 20 in 5th, and answer up to the die of the weather."""
    desk.answer(5)
    desk.answer(20)
    for _ in range(20):
        asked = desk.asked
        assert asked is not None
        if (asked.ask, asked.what) == ("test", "weather"):
            return desk
        desk.answer(asked.faces[-1] if asked.faces else (asked.options or [])[0].answer)
    raise AssertionError("no weather was drawn")


def seen(desk: RaceDesk, lang: str, face: Json = None) -> RaceShown:
    """The screen at the roll, or after it."""
    told = desk.answer(face) if face is not None else ()
    return race(Sight(desk, Words(lang), ahead=Ahead(desk), told=told, entry=desk.seq))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_band_of_the_weather_die_says_what_the_track_becomes(lang: str) -> None:
    desk = at_the_roll()
    changeable, rain, dry, wet, stays, *_ = WORDS[lang]
    skies = {turn.name: turn for turn in seen(desk, lang).skies}
    assert skies.keys() >= {changeable, rain}
    assert [fact.value for fact in skies[changeable].facts] == [stays]
    first, *sets = skies[rain].facts
    assert (first.before, first.value) == (dry, wet)
    assert [fact.tone for fact in sets] == ["warn", "warn"]
    assert all(turn.label for turn in skies.values())


@pytest.mark.parametrize(
    ("lang", "keys"),
    [
        ("en", ["Changeable, wet", "Changeable, dry", "Sun"]),
        ("fr", ["Variable, piste mouillée", "Variable, piste sèche", "Soleil"]),
    ],
)
def test_bands_that_bring_the_same_sky_over_another_track_are_told_apart(lang: str, keys: list[str]) -> None:
    car = {"car": 1, "at": "2:left:5", "gear": 5}
    desk = to_the_weather(on_track(car, rulebook="league", sky="changeable", surface="dry"))
    (row,) = seen(desk, lang).tests
    assert [price.text for key in row.keys for price in key.prices] == keys


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sky_that_was_drawn_has_a_card_with_what_it_means_on_each_compound(lang: str) -> None:
    desk = at_the_roll()
    changeable, rain, dry, wet, _, both, three, own, one = WORDS[lang]
    shown = seen(desk, lang, desk.rulebook.track.weather.rain[0])
    assert shown.card is not None
    turn = shown.card.sky
    assert turn is not None
    assert (turn.before_name, turn.name) == (changeable, rain)
    assert [(fact.label, fact.before, fact.value) for fact in turn.facts[1:]] == [(both, "", three), (own, "", one)]
    assert (turn.facts[0].before, turn.facts[0].value, turn.facts[0].tone) == (dry, wet, "info")
    assert shown.toast is None
    assert shown.card.seq


@pytest.mark.parametrize(("kind", "labels"), [("", ["Track"]), ("hard", ["Track", "Hard, soft", "Rain"])])
def test_a_race_without_kinds_of_tyres_tells_a_sky_without_them(kind: str, labels: list[str]) -> None:
    options = {"weather": True, "tyres": bool(kind)}
    car = {"car": 1, "at": "2:left:5", "gear": 5, "tyres": kind}
    desk = on_track(car, rulebook="formula-d", options=options, sky="changeable", surface="dry")
    changes = [turn.facts for turn in seen(to_the_weather(desk), "en").skies if turn.facts[0].value == "wet"]
    assert [[fact.label for fact in facts] for facts in changes] == [labels]


def test_the_first_sky_of_a_race_has_no_card() -> None:
    from tests.view.watched import a_desk

    desk = a_desk()
    while desk.asked is not None and desk.asked.what != "weather":
        desk.answer(desk.asked.faces[-1] if desk.asked.faces else (desk.asked.options or [])[0].answer)
    assert seen(desk, "en", 20).card is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_face_of_the_practice_die_says_which_sky_it_is(lang: str) -> None:
    from tests.view.watched import a_desk

    desk = a_desk()
    while desk.asked is not None and desk.asked.what != "weather":
        desk.answer(desk.asked.faces[-1] if desk.asked.faces else (desk.asked.options or [])[0].answer)
    shown = seen(desk, lang, 10).prompt
    assert (shown.ask, shown.article, shown.layout, shown.die) == ("practice", "3-1-1", "black", "20")
    changeable, rain, *_ = WORDS[lang]
    skies = [[price.text for price in key.prices] for key in shown.keys]
    assert skies[:12] == [[rain]] * 7 + [[changeable]] * 5
    assert len({tuple(sky) for sky in skies}) == 3
