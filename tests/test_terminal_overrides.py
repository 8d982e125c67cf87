"""The referee's word as it is typed at the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.rules.conversation.errors import BadOverride
from companion.rules.rulebooks import begin
from companion.terminal.asides import change_typed
from companion.view.pages.override import why_change
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.test_terminal import POSITION, flat, typed

ALL_PLAYED = POSITION | {"to_play": [2]}


def override(folder: Path, *said: str, position: dict[str, Any] = POSITION, lang: str = "en") -> str:
    """What the terminal says to these lines in the middle of a race, without where its lines end."""
    file = folder / "position.json"
    file.write_text(json.dumps(position))
    return flat(typed(folder, "--setup", str(file), say=said, lang=lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_loses_or_gains_a_turn_by_an_order_is_told_before_it_is_set(tmp_path: Path, lang: str) -> None:
    word, told = {
        "en": ("override order", "1 Ada will play again this round, 2 Bob will not play this round: is that right?"),
        "fr": (
            "forcer ordre",
            "1 Ada\u00a0: encore un coup dans ce tour de jeu, 2 Bob\u00a0: pas de coup dans ce tour de jeu",
        ),
    }[lang]
    shown = override(tmp_path, f"{word} 1", "", f"{word} 2 2", position=ALL_PLAYED, lang=lang)
    assert told in shown
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.rulebook.to_play() == [2], "it was not confirmed"


def test_an_order_of_all_that_still_play_is_not_asked_about(tmp_path: Path) -> None:
    assert "such as Eve" in override(tmp_path, "override order 3 1 2")


def test_the_touchscreen_says_who_loses_a_turn_where_it_asks_for_the_reason() -> None:
    desk = RaceDesk(begin(POSITION, circuits.board("monaco")), setup=POSITION)
    sight = Sight(desk, Words("en"))
    assert why_change(sight, {"order": [1, 3]}).instead == "2 Bob will not play this round"
    assert why_change(sight, {"order": [3, 1, 2]}).instead == sight.say("override.word")


BOX = POSITION | {"rulebook": "formula-d"}
del BOX["sky"]
BOX["cars"] = [{name: value for name, value in car.items() if name != "tyres"} for car in POSITION["cars"]]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("car 1 gear 4th", "car 1 wear tyres 4", "car 1 status racing lap 2",
                "danger 5:left:3", "car 2 stop 0")),
        ("fr", ("voiture 1 vitesse 4e", "voiture 1 PdV pneus 4", "voiture 1 état en course tour 2",
                "cases dangereuses 5:gauche:3", "voiture 2 arrêt 0")),
    ],
)  # fmt: skip
def test_values_are_typed_as_they_are_called(tmp_path: Path, lang: str, said: tuple[str, ...]) -> None:
    word = {"en": "override", "fr": "forcer"}[lang]
    lines = [line for number, one in enumerate(said) for line in (f"{word} {one}", *["Eve"][number:], "why")]
    override(tmp_path, *lines, position=BOX, lang=lang)
    with RaceDesk.resume(tmp_path) as desk:
        assert [done.change for done in desk.answers()] == [
            {"car": 1, "gear": 4}, {"car": 1, "wear": {"tyres": 4}}, {"car": 1, "status": "racing", "lap": 2},
            {"dangers": ["5:left:3"]}, {"car": 2, "stops": 0},
        ]  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_override_is_refused_in_words_that_can_be_typed(tmp_path: Path, lang: str) -> None:
    """No word of a file is among them, nor the name of a value that no single word sets."""
    words = Words(lang, "formula-d")
    car, status, cause, coast, tyres, flag, fly, used = {
        "en": ("override car 1", "status", "cause", "coast", "tyres", "override red flag", "flying", "used"),
        "fr": ("forcer voiture 1", "état", "cause", "inertie", "pneus", "forcer drapeau rouge", "volant", "utilisé"),
    }[lang]
    lines = (f"{car} {status} {fly}", f"{car} {cause} {words.word('cause', 'engine')}", f"{car} {coast} 3",
             f"{car} {tyres} -2", f"{car} {tyres} 7", f"{car} {used} 3", flag, "")  # fmt: skip
    shown = override(tmp_path, *lines, position=BOX, lang=lang)
    known = ", ".join(words.word("status", one) for one in ("grid", "racing", "stalled", "spun", "out"))
    for wrong in (
        BadOverride("value_word", name="status", said=fly, listed=known),
        BadOverride("goes_with_status", name="cause", statuses=["out"]),
        BadOverride("goes_with_status", name="coast", statuses=["spun"]),
        BadOverride("pool_range", pool="tyres", points=-2),
        BadOverride("built_less", car=1, pool="tyres", built=6, points=7),
    ):
        assert flat(words.error(wrong)) in shown
    assert f"{words.word('value', 'uses')}, " not in shown
    assert words.change({"red_flag": "now"}) in shown


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("Bob body 2", "2 gear 3", "bob status spun")),
        ("fr", ("Bob carrosserie 2", "2 vitesse 3", "bob état tête-à-queue")),
    ],
)
def test_a_car_is_called_by_its_driver_or_its_number_alone(tmp_path: Path, lang: str, said: tuple[str, ...]) -> None:
    word = {"en": "override", "fr": "forcer"}[lang]
    override(
        tmp_path, *(line for n, one in enumerate(said) for line in (f"{word} {one}", *["Eve"][n:], "why")), lang=lang
    )
    with RaceDesk.resume(tmp_path) as desk:
        assert [done.change for done in desk.answers()] == [
            {"car": 2, "wear": {"body": 2}}, {"car": 2, "gear": 3}, {"car": 2, "status": "spun"},
        ]  # fmt: skip


def test_a_number_may_begin_an_answer_that_is_misspelt(tmp_path: Path) -> None:
    """It is taken for a car only before something that is set on one."""
    shown = override(tmp_path, "override 2 lefft")
    assert "lefft cannot be set" not in shown
    assert "2 lefft" in shown


@pytest.mark.parametrize("rulebook", ["competition", "formula-d", "cup", "league", "death"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_word_that_nothing_is_called_is_named_with_what_may_stand_there(lang: str, rulebook: str) -> None:
    """In words that are typed, all of them; nor does a value of the race stand after a car."""
    words = Words(lang, rulebook)
    car, sky = {"en": ("car 1", "sky rain"), "fr": ("voiture 1", "ciel pluie")}[lang]
    setup = {**POSITION, "rulebook": rulebook, "cars": [{"car": 1, "at": "2:left:5"}, {"car": 2, "at": "2:middle:2"}]}
    if rulebook in ("formula-d", "death"):
        del setup["sky"]
    book = begin(setup | {"to_play": [1, 2]}, circuits.board("monaco"))
    names = [words.word("pool", book.race.pools[0]), words.word("value", "driver"), words.word("value", "status")]
    for said, wrong in ((f"{car} blub 3", "blub"), (f"{car} gear 2 blub", "blub"), (f"{car} {sky}", sky.split()[0])):
        with pytest.raises(BadOverride) as told:
            change_typed(said.split(), words, lambda: "", book, {})
        assert (told.value.kind, told.value.facts["said"]) == ("not_set", wrong)
        known = told.value.facts["known"]
        assert set(names) <= set(known)
        assert words.word("value", "sky") not in known
        assert known[-1] in words.error(told.value)
        for one in known:  # each is understood where it stands
            with pytest.raises(BadOverride) as lacking:
                change_typed(f"{car} {one}".split(), words, lambda: "", book, {})
            assert lacking.value.facts["said"] == one


@pytest.mark.parametrize(("lang", "said"), [("en", "such as Eve"), ("fr", "par exemple Ève")])
def test_a_name_that_was_typed_is_not_asked_for_again(tmp_path: Path, lang: str, said: str) -> None:
    word = {"en": "override car 1 gear 2", "fr": "forcer voiture 1 vitesse 2"}[lang]
    shown = override(tmp_path, word, "Eve", "", word, "misread", lang=lang)
    assert shown.count(said) == 1
    assert Words(lang).say("dropped") in shown
    with RaceDesk.resume(tmp_path) as desk:
        (set_,) = desk.sheet().overrides
        assert (set_.change, set_.by, set_.why) == ({"car": 1, "gear": 2}, "Eve", "misread")
