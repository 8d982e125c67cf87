"""The ruling card: the sum written out, what is left, one line of what follows."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.desk.ahead import Ahead
from companion.rules.conversation.asking import Asked, Ruling
from companion.terminal.screen import owed
from companion.view.race.card import losses, sums
from companion.view.race.race import race
from companion.view.race.steps import step_done
from companion.view.race.titles import title
from companion.view.race.toast import toast
from companion.view.shown import Card
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.table import WEAR
from tests.view.test_order import on_track
from tests.view.watched import a_desk

DEEP = {**WEAR, "tyres": 12, "gearbox": 1, "body": 1, "engine": 1}


def card(sight: Sight) -> Card:
    shown = race(sight).card
    assert shown is not None
    return shown


def figures(shown: Card) -> list[str]:
    return [term.value for term in shown.sums[0]]


def test_a_gear_down_over_three_gears_costs_three_pools() -> None:
    desk = on_track({"car": 1, "at": "2:left:5", "gear": 5, "wear": {**WEAR, "engine": 2}, "built": WEAR})
    shown = card(Sight(desk, Words("en"), ahead=Ahead(desk), selected=1))
    assert figures(shown) == ["3", "=", "−1", "−1", "−1"]
    assert [term.word for term in shown.sums[0]] == ["gears skipped", "", "gearbox", "brake", "engine"]
    assert [(loss.pool, loss.before, loss.after) for loss in shown.losses] == [
        ("brakes", 3, 2),
        ("gearbox", 3, 2),
        ("engine", 2, 1),
    ]
    assert (shown.article, shown.tone, shown.accept, shown.act) == ("13-4", "warn", "Accept", "1st gear")
    assert [(price.icon, price.text) for price in shown.prices] == [
        ("brakes", "−1"),
        ("gearbox", "−1"),
        ("engine", "−1"),
    ]
    assert shown.cited == "Art. 13-4"
    assert [line.text for line in shown.lines] == ["Engine: 1 left."]


def test_the_last_engine_point_says_that_the_car_goes_out() -> None:
    desk = on_track({"car": 1, "at": "2:left:5", "gear": 5, "wear": {**WEAR, "engine": 1}, "built": WEAR})
    shown = card(Sight(desk, Words("en"), ahead=Ahead(desk), selected=1))
    assert (shown.tone, shown.accept, shown.article) == ("bad", "Retire", "16-0-3-1")
    assert [line.text for line in shown.lines] == ["Out: engine failure."]
    assert figures(shown) == ["3", "=", "−1", "−1", "−1"]


def test_a_blocked_car_that_is_out_shows_what_it_owed() -> None:
    car = {"car": 1, "at": "after:2", "gear": 4, "wear": {**WEAR, "brakes": 1}, "built": WEAR}
    desk = on_track(car, key="monza", sky="sun")
    told: list[Ruling] = []
    desk.listen(lambda entry: told.extend(entry.rulings))
    for answer in (4, 12, {"in": "after corner 2", "blocked": 5}):
        desk.answer(answer)
    shown = card(Sight(desk, Words("en"), told=told, entry=1))
    assert figures(shown) == ["5", "=", "−3", "−2"]
    assert [term.word for term in shown.sums[0]][2:] == ["brakes", "tyres"]
    assert "3 brakes and 2 tyres to pay" in Words("en").ruling(next(one for one in told if one.kind == "blocked"))


@pytest.mark.parametrize(("tyres", "compound"), [(6, "hard"), (6, "soft"), (2, "hard"), (1, "soft")])
def test_an_overshoot_is_spaces_times_factor(tyres: int, compound: str) -> None:
    """Every landing beyond a corner, whatever it comes to: the sum is the ruling's own."""
    car = {"car": 1, "at": "2:left:5", "gear": 6, "wear": {**WEAR, "tyres": tyres}, "built": WEAR, "tyres": compound}
    desk = on_track(car)
    desk.answer(6)
    desk.answer(30)
    assert desk.asked is not None
    seen = 0
    for option in desk.asked.options or []:
        if "overshot" not in option.facts or option.facts.get("blocked"):
            continue
        seen += 1
        ahead = Ahead(desk)
        shown = card(Sight(desk, Words("en"), ahead=ahead, selected=option.answer))
        ruling = next(one for one in ahead.to_the_end(option.answer) if one.kind == "overshoot")
        facts = ruling.facts
        assert figures(shown) == [str(facts["spaces"]), "×", str(facts["factor"]), "=", f"−{facts['loss']}"]
        assert facts["spaces"] == option.facts["overshot"]
        assert facts["spaces"] * facts["factor"] == facts["loss"]
        assert (shown.tone == "bad") == bool(option.facts.keys() & {"out", "spin"})
        assert shown.accept == ("Retire" if "out" in option.facts else "Spin" if "spin" in option.facts else "Accept")
    assert seen


@pytest.mark.parametrize(
    ("lang", "word", "said"),
    [("en", "tyres, all left", "any car can pay"), ("fr", "pneus, le reste", "aucune voiture ne peut payer")],
)
@pytest.mark.parametrize("wings", ["normal", "low"])
def test_worn_out_super_soft_tyres_lose_all_that_is_left_and_show_no_factor(
    lang: str, word: str, said: str, wings: str
) -> None:
    car = {"car": 1, "at": "2:left:5", "gear": 6, "lap": 3, "wear": WEAR, "tyres": "super_soft", "tyre_laps": 2}
    desk = on_track(car | {"wings": wings}, options={"super_soft": True, "wings": True}, laps=3)
    desk.answer(6)
    desk.answer(30)
    assert desk.asked is not None
    option = next(one for one in desk.asked.options or [] if "overshot" in one.facts)
    sight = Sight(desk, Words(lang), ahead=Ahead(desk), selected=option.answer)
    terms = card(sight).sums[0]
    assert [term.value for term in terms] == [str(option.facts["overshot"]), "=", f"−{WEAR['tyres']}"]
    assert terms[-1].word == word
    ruling = next(one for one in Ahead(desk).to_the_end(option.answer) if one.kind == "overshoot")
    for sentence in (Words(lang).ruling(ruling), *owed(sight, option)):
        assert said in sentence
        assert not re.search(r"99|100|×", sentence)


@pytest.mark.parametrize(("lang", "told"), [("en", "soft, low wings"), ("fr", "tendres, ailerons bas")])
def test_low_wings_are_named_beside_the_tyres_where_both_make_the_price(lang: str, told: str) -> None:
    car = {"car": 1, "at": "2:left:5", "gear": 6, "wear": DEEP, "built": DEEP, "tyres": "soft", "wings": "low"}
    desk = on_track(car, options={"wings": True})
    desk.answer(6)
    desk.answer(30)
    assert desk.asked is not None
    option = next(one for one in desk.asked.options or [] if one.wear.keys() == {"tyres"})
    (terms, *_) = card(Sight(desk, Words(lang), ahead=Ahead(desk), selected=option.answer)).sums
    assert terms[2].word == told


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_landing_that_two_pools_pay_for_has_two_sums_and_a_price_for_each(lang: str) -> None:
    """Nothing is lost on the card that no sum explains, and its key says it pool by pool."""
    desk = on_track({"car": 1, "at": "2:left:5", "gear": 6, "wear": DEEP, "built": DEEP, "tyres": "soft"})
    desk.answer(6)
    desk.answer(30)
    assert desk.asked is not None
    option = next(one for one in desk.asked.options or [] if {"brakes", "tyres"} == one.wear.keys())
    shown = card(Sight(desk, Words(lang), ahead=Ahead(desk), selected=option.answer))
    lost = {loss.pool: loss.after - loss.before for loss in shown.losses}
    assert lost.keys() == {"brakes", "tyres"}
    assert sorted(terms[-1].value for terms in shown.sums) == sorted(f"−{-count}" for count in lost.values())
    assert all(term.word for terms in shown.sums for term in terms if term.value not in ("×", "="))
    assert {price.icon: price.text for price in shown.prices} == {pool: f"−{-count}" for pool, count in lost.items()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pools_and_questions_that_nobody_has_worded_are_shown_as_the_rules_write_them(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = on_track({"car": 1, "at": "2:left:5"})
    words = Words(lang)
    sight = Sight(desk, words, told=[Ruling("hit", "1", 1, {"shield_power": -2}, {}, {"shield_power": 3})], entry=1)
    shown = card(sight)
    assert [loss.name for loss in shown.losses] == ["Shield power"]
    assert (shown.sums[0][0].value, shown.sums[0][0].word) == ("−2", "shield power")
    assert shown.lines[0].text == "1 hit −2 shield power"
    screen = {**words.table["screen"], "ask": {}, "done": {}, "step": {}}
    monkeypatch.setattr(words, "table", {**words.table, "screen": screen})
    asked = Asked(0, "box", "4-0-1", 0, 1)
    assert title(sight, asked) == {"en": "Choose a pit box", "fr": "Choisissez un stand"}[lang]
    assert step_done(sight, "box", 3) == {"en": "Box", "fr": "Stand"}[lang]
    assert step_done(sight, "fire_a_rocket", 3).startswith("Fire")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_told_in_passing_is_the_sentence_of_the_log(lang: str) -> None:
    desk = on_track({"car": 1, "at": "2:left:5", "driver": "Wim Wolframm"})
    told: list[tuple[str, dict[str, Any]]] = [
        ("finish", {"place": 12}),
        ("weather", {"sky": "changeable"}),
        ("plays_again", {"leader": 1}),
        ("lost_turn", {"by": 1}),
        ("quick_stop", {"won": False, "face": 12}),
        ("quick_stop", {"won": True, "face": 6, "spaces": 3}),
        ("great_start", {"face": 20, "spaces": 4}),
        ("repair", {"stand": 0}),
        ("move", {"moved": 1, "begin": "2:left:5", "at": "2:left:6"}),
    ]
    for kind, facts in told:
        ruling = Ruling(kind, "1", 1, {}, facts)
        shown = toast(Sight(desk, Words(lang), told=[ruling]))
        assert shown is not None
        assert shown.text == Words(lang).ruling(ruling, {1: "WOL"})
        assert 0 < len(shown.text) <= 120, "three lines"
        assert kind == "weather" or "WOL" in shown.text
    assert toast(Sight(desk, Words(lang), told=[Ruling("grid", "1", 1, {}, {})])) is None


@pytest.mark.parametrize(("lang", "told"), [("en", "points, all left"), ("fr", "points, le reste")])
def test_an_overshoot_that_asks_for_more_than_was_left_takes_all_of_it(lang: str, told: str) -> None:
    desk = a_desk("monaco", rulebook="death")
    over = Ruling("overshoot", "basic.overshoot", 1, {"points": -12}, {"spaces": 23}, {"points": 0})
    spun = Ruling("spin", "spin.zero", 1, {}, {"at": "2:left:4"})
    (terms,) = sums(Sight(desk, Words(lang, "death")), [over, spun], over)
    assert [term.value for term in terms] == ["23", "=", "−12"]
    assert terms[-1].word == told
    (terms,) = sums(Sight(desk, Words(lang, "death")), [over], over)
    assert told not in [term.word for term in terms], "who does not spin paid what was asked for"


@pytest.mark.parametrize(("lang", "word"), [("en", "damage"), ("fr", "dégâts")])
def test_damage_twice_is_one_sum_and_fills_its_room(lang: str, word: str) -> None:
    desk = a_desk("quarry-hill", 2, rulebook="ninety")
    first = Ruling("damage", "damage.room", 1, {"damage": -1}, {}, {"damage": 3})
    second = Ruling("damage", "damage.room", 1, {"damage": -1}, {}, {"damage": 2})
    sight = Sight(desk, Words(lang, "ninety"))
    (terms,) = sums(sight, [first, second], first)
    assert [(term.value, term.word) for term in terms] == [("+2", word)]
    (loss,) = losses(sight, [first, second])
    assert (loss.after - loss.before, loss.taken, loss.remaining, loss.tone) == (2, True, 2, "plain")
