"""The question: every kind has its words in both languages, and a kind never seen is put to use all the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.drawing import lettering
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked, Json, Option, Procedure, Question, ask
from companion.rules.conversation.forms import Choice, Form
from companion.rules.dice.competition import Competition
from companion.rules.dice.figures import Figures
from companion.rules.dice.gears import Gears
from companion.rules.dice.questions import ALL_ASKS
from companion.rules.dice.state import Car, RaceState
from companion.rules.rulebooks import begin
from companion.screens.kit.pen import BOLD
from companion.view.consequences import summed
from companion.view.price import MOST, signed
from companion.view.race.landings import letter
from companion.view.race.prompt import prompt
from companion.view.race.race import race
from companion.view.race.steps import LABEL, step_name, taken_back
from companion.view.race.titles import ROOM, title
from companion.view.shown import AnswerKey, Prompt
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from companion.wording.filling import leaves
from tests.table import WEAR
from tests.view.test_order import on_track
from tests.view.watched import a_desk

NEW = "fire_the_rocket"


class RocketGears(Gears[Car, RaceState[Car], Figures]):
    """The gears of rules that ask before each of them what no other rules ask, in one way or another."""

    how = "keys"

    def choose_gear(self, car: Car) -> Procedure[None]:
        yield from ask(self.rocket, car)
        yield from super().choose_gear(car)

    def rocket(self, car: Car) -> Question[Any]:
        if self.how == "faces":
            return Dice(car.number, "rocket 1")
        if self.how == "form":
            fields = {"rockets": [0, 3], "at": ["front", "back"], "loud": [False, True], "spare": 2}
            return Form(NEW, car.number, "rocket 1", fields, lambda answer: answer)
        many = 30 if self.how == "list" else 2
        return Choice(NEW, car.number, "rocket 1", [(Option(f"target {n}", {"tyres": -1}), n) for n in range(many)])


class Rockets(Competition):
    """Such rules: they have another chapter of gears."""

    gears: RocketGears


class Dice(Question[Json]):
    """A die with four faces."""

    ask = NEW
    faces: Sequence[int] = (1, 2, 3, 4)

    def read(self, answer: Json) -> Json:
        return answer


def asked_anew(how: str, lang: str) -> Prompt:
    track = circuits.load("monaco")
    setup = {
        "track": "monaco",
        "cars": [{"car": 3, "at": "1:left:1", "gear": 2, "lap": 1, "status": "racing", "wear": WEAR, "tyres": "hard"}],
        "to_play": [3],
    }
    made = begin(setup, track)
    rulebook = Rockets(made.race, track, made.figures)
    rulebook.gears.how = how
    desk = RaceDesk(rulebook, setup=setup)
    return race(Sight(desk, Words(lang), ahead=None)).prompt


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("how", "layout"), [("keys", "keys"), ("list", "list"), ("faces", "die"), ("form", "form")])
def test_a_question_never_seen_before_is_usable(how: str, layout: str, lang: str) -> None:
    shown = asked_anew(how, lang)
    assert shown.layout == layout
    assert 0 < len(shown.title) <= ROOM[lang]
    assert "ocket" in shown.title
    assert shown.article == "rocket 1"
    if how == "form":
        kinds = {field.name: (field.kind, field.low, field.high) for field in shown.fields}
        assert kinds == {"rockets": ("stepper", 0, 3), "at": ("choice", 0, 0), "loud": ("choice", 0, 0)}
    elif how == "faces":
        assert [key.answer for key in shown.keys] == [1, 2, 3, 4]
    else:
        assert [key.label for key in shown.keys][:2] == ["Target 0", "Target 1"]
        assert shown.keys[0].accept
        assert [(price.text, price.icon) for price in shown.keys[0].prices] == [("−1", "tyres")]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", sorted(ALL_ASKS))
def test_every_question_has_a_title_that_fits(kind: str, lang: str) -> None:
    sight = Sight(a_desk(), Words(lang))
    numbers = {"roll": "gear_4", "landing": "spaces_12", "saw": "spaces_30", "slipstream": "tow_1"}
    matters = (
        ("weather", "handling", "wall", "collision", "engine", "quick_stop") if kind == "test" else ("restart", "")
    )
    for what in [numbers[kind]] if kind in numbers else matters:
        asked = Asked(0, kind, "1", 1, 3, what, fields={"stand": 2})
        said = title(sight, asked)
        assert 0 < len(said) <= ROOM[lang], said
        assert lettering.width(said, 34, BOLD) <= 300, said
        assert "…" not in said
        assert "{" not in said
        assert len(step_name(sight, kind)) <= LABEL


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_words_of_the_keys_fit_their_slots(lang: str) -> None:
    table = Words(lang).table["screen"]
    room = {"step": 9, "row": 7, "gate": 5, "price": 14, "accept": 8, "test": 13}
    for name, most in room.items():
        for said in leaves(table[name]):
            bare = said.replace("{stops}/{of}", "2/2").replace("{spaces}", "4").replace("{gear}", "4")
            assert len(bare.replace("{lap}", "3").replace("{place}", "10").replace("{points}", "100")) <= most, said


def test_letters_go_on_after_z() -> None:
    assert [letter(place) for place in (0, 1, 25, 26, 27, 52)] == ["A", "B", "Z", "AA", "AB", "BA"]


def test_the_gears_stand_in_their_places_with_their_dice() -> None:
    setup = [{"car": 3, "at": "1:left:1", "gear": 5, "lap": 1, "status": "racing", "wear": WEAR, "tyres": "hard"}]
    desk = a_desk(cars=setup, to_play=[3])
    shown = prompt(Sight(desk, Words("en"), ahead=Ahead(desk)))
    assert [key.label for key in shown.keys] == ["1", "2", "3", "4", "5", "6"]
    assert [key.note for key in shown.keys] == ["1–2", "2–4", "4–8", "7–12", "11–20", "21–30"]
    assert [key.accept for key in shown.keys] == [True, True, True, False, False, False]
    assert [price.icon for price in shown.keys[0].prices] == ["brakes", "gearbox", "engine"]
    assert shown.unit == "now 5th"


def test_undo_says_what_it_takes_back_and_what_that_brought() -> None:
    words = Words("en", "competition")
    desk = a_desk(many=4, laps=1)
    driver, labels, brought = HeuristicDriver(circuits.load("monaco"), 5), set(), set()
    for _ in range(140):
        assert desk.asked is not None
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
        shown = prompt(sight := Sight(desk, words)).undo
        labels.add(shown.label)
        item = desk.history.items[-1]
        cost = summed([one for one in item.rulings if item.event.key is not None and one.car == item.event.key[1]])
        told = [(signed(count), pool) for pool, count in cost.items()][:MOST]
        if told and told == [(price.text, price.icon) for price in shown.prices]:
            brought.add(taken_back(sight).partition(" · ")[2])
    assert any("→" in said and len(said) > 20 for said in brought), "the sentence and what the pools were and are"
    others = [label for label in labels if label[:1].isdigit()]
    assert others
    assert all(label.partition(" ")[2][:1].islower() for label in others), others


def test_an_answer_that_a_correction_took_away_is_selected() -> None:
    cars = [
        {"car": n, "at": at, "gear": 2, "lap": 1, "status": "racing", "wear": WEAR, "tyres": "hard"}
        for n, at in ((3, "2:left:5"), (5, "1:left:1"))
    ]
    desk = a_desk(cars=cars, to_play=[3, 5])
    desk.answer(2)
    desk.answer(3)
    desk.answer(cheapest(desk))
    desk.answer(3)
    desk.correct(0, 1)
    desk.answer(1)
    desk.answer(cheapest(desk))
    shown = prompt(Sight(desk, Words("en")))
    assert (shown.ask, desk.suggested) == ("gear", 3)
    assert shown.keys[shown.chosen].answer == 3


def cheapest(desk: RaceDesk) -> Json:
    """The first space of an open landing question."""
    asked = desk.asked
    assert asked is not None
    assert asked.options
    return asked.options[0].answer


def test_a_stop_that_a_landing_makes_is_told_as_good() -> None:
    setup = [{"car": 3, "at": "1:left:1", "gear": 3, "lap": 1, "status": "racing", "wear": WEAR, "tyres": "hard"}]
    tones: dict[str, set[str]] = {}
    for roll in range(7, 13):
        desk = a_desk(cars=setup, to_play=[3])
        desk.answer(4)
        desk.answer(roll)
        for key in prompt(Sight(desk, Words("en"))).keys:
            tones.setdefault(key.note.partition(" ")[0], set()).add(key.note_tone)
    assert {word: found for word, found in tones.items() if word in ("Stop", "Over")} == {
        "Stop": {"ok"},
        "Over": {"plain", "bad"},
    }


def test_the_trail_leads_back_to_each_step_of_the_turn() -> None:
    setup = [{"car": 3, "at": "1:left:1", "gear": 3, "lap": 1, "status": "racing", "wear": WEAR, "tyres": "hard"}]
    desk = a_desk(cars=setup, to_play=[3])
    desk.answer(4)
    desk.answer(9)
    steps = prompt(Sight(desk, Words("en"))).trail
    assert [(step.label, step.state) for step in steps] == [("Gear 4", "done"), ("Roll 9", "done"), ("Land", "now")]
    desk.undo(steps[0].back)
    assert desk.asked is not None
    assert desk.asked.ask == "gear"
    desk.redo(steps[0].back)
    desk.undo(steps[1].back)
    assert desk.asked.ask == "roll"
    coming = prompt(Sight(desk, Words("en"))).trail
    assert [(step.label, step.state) for step in coming][1:] == [("Roll", "now"), ("Land", "to_come")]


BARRED = {
    "en": {
        6: ("cross", "+1 only", "1 gear up at most", "Art. 6-1-1"),
        2: ("gearbox", "0 of 1", "gearbox: 1 wanted, 0 left", "Art. 13-1"),
        "4 on": ("cross", "2–4 only", "here 2 to 4", "Art. 19-4-2"),
        "down": ("cross", "−4 only", "4 gears down at most", "Art. 13-2"),
    },
    "fr": {
        6: ("cross", "+1 max", "+1 vitesse au maximum", "Art. 6-1-1"),
        2: ("gearbox", "0 sur 1", "conso : reste 0, il en faut 1", "Art. 13-1"),
        "4 on": ("cross", "2 à 4", "ici de 2 à 4", "Art. 19-4-2"),
        "down": ("cross", "−4 max", "−4 vitesses au maximum", "Art. 13-2"),
    },
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_gear_that_may_not_be_taken_says_what_is_missing_and_by_which_article(lang: str) -> None:
    def said(keys: tuple[AnswerKey, ...], gear: int) -> tuple[str, str, str, str]:
        key = next(one for one in keys if one.answer == gear)
        return key.prices[0].icon, key.prices[0].text, key.why, key.cited

    def keys(**car: Any) -> tuple[AnswerKey, ...]:
        desk = on_track({"car": 1, "at": "2:left:5", **car})
        return prompt(Sight(desk, Words(lang), ahead=Ahead(desk))).keys

    words = BARRED[lang]
    spent = keys(gear=4, wear={**WEAR, "gearbox": 0}, built=WEAR)
    assert [said(spent, gear) for gear in (6, 2)] == [words[6], words[2]]
    assert said(keys(gear=6), 1) == words["down"]
    left = keys(at="box:1", box=1, status="box", gear=0, stop="long")
    assert said(left, 5) == words["4 on"]


def test_a_box_that_is_taken_stands_in_its_place_with_whose_it_is() -> None:
    desk = a_desk(many=3)
    while desk.asked is not None and desk.asked.ask != "box":
        desk.answer(desk.asked.faces[-1] if desk.asked.faces else (desk.asked.options or [])[0].answer)
    assert desk.asked is not None
    first = desk.asked.car
    desk.answer(4)
    shown = prompt(Sight(desk, Words("en")))
    assert [key.answer for key in shown.keys] == list(range(1, 11))
    taken = shown.keys[3]
    assert taken.plate is not None
    assert (taken.plate.number, taken.why, taken.cited) == (first, f"taken by {first}", "Art. 4-0-1")
    assert not any(key.why or key.plate for key in shown.keys if key is not taken)
    assert shown.layout == "list"


@pytest.mark.parametrize(
    ("lang", "round_", "turn"), [("en", "Round", "Turn"), ("fr", "Tour de jeu", "Coup")], ids=LANGUAGES
)
def test_the_bar_counts_rounds_as_the_home_screen_does(lang: str, round_: str, turn: str) -> None:
    from companion.view.race.race import top

    desk = on_track({"car": 1, "at": "2:left:5"})
    assert top(Sight(desk, Words(lang))).counted == round_ == Words(lang).screen("home.round")
    assert top(Sight(desk, Words(lang, "ninety"))).counted == turn == Words(lang).screen("home.turn")


@pytest.mark.parametrize(
    ("lang", "asked", "said"),
    [
        ("en", "roll", "Roll 9: why?"),
        ("fr", "roll", "Dé forcé à 9\u00a0: motif\u00a0?"),
        ("en", "gear", "5th gear: why?"),
        ("fr", "gear", "5e forcée\u00a0: motif\u00a0?"),
    ],
)
def test_an_override_is_asked_for_in_one_short_line(lang: str, asked: str, said: str) -> None:
    from companion.view.pages.override import why

    desk = on_track({"car": 1, "at": "2:left:5"})
    if asked == "roll":
        desk.answer(4)
    assert desk.asked is not None
    assert desk.asked.ask == asked
    assert why(Sight(desk, Words(lang)), desk.asked, 9 if asked == "roll" else 5).ask == said
