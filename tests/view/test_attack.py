"""The attack phase as weapons and targets: what is chosen, what it comes to, and what else there is."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import prod

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.drawing.icons import ICONS
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked
from companion.rules.conversation.errors import BadAnswer
from companion.rules.death.cards import CARDS, of_kind
from companion.view.race.attack import ARMS, _shares, does
from companion.view.race.keys import of_card
from companion.view.race.race import race
from companion.view.shown_race import AttackChoice
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.view.watched import a_desk


def brought_to(wanted: Callable[[Asked], bool]) -> RaceDesk:
    """A death race that a driver has brought to a question."""
    desk = a_desk("porto-sereno", 6, rulebook="death", laps=2)
    driver = HeuristicDriver(circuits.load("porto-sereno"), 5)
    while desk.asked is not None and not wanted(desk.asked):
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    return desk


def shoots(asked: Asked) -> bool:
    return asked.ask == "attack" and any("hits_to" in one.facts and "at" in one.answer for one in asked.options or [])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_shot_is_chosen_beforehand_with_its_target_and_its_chance(lang: str) -> None:
    desk = brought_to(shoots)
    assert desk.asked is not None
    shown = race(Sight(desk, Words(lang, "death")))
    attack, first = shown.attack, (desk.asked.options or [])[0]
    assert isinstance(attack, AttackChoice)
    assert shown.prompt.layout == "attack"
    assert [weapon.chosen for weapon in attack.weapons].count(True) == 1
    own = [one for one in desk.asked.options or [] if one.answer and one.answer.get("fire") == first.answer["fire"]]
    assert [key.answer for key in attack.keys] == [one.answer for one in own]
    assert attack.act is not None
    assert attack.act.answer == first.answer
    assert attack.aim is not None
    guards = [first.facts[name] for name in ("bravado", "jammer") if type(first.facts.get(name)) is int]
    chance = prod(to / 20 for to in (*guards, first.facts["hits_to"]))
    assert attack.aim.big == Words(lang).chance(chance)
    assert f"1–{first.facts['hits_to']}" in attack.aim.chance
    assert attack.aim.big in attack.act.note
    assert attack.keys[attack.chosen].prices[0].text == attack.aim.big
    assert attack.aim.plate is not None
    assert attack.aim.plate.number == first.answer["at"]
    said = attack.aim.where if len(own) <= 3 else f"+{first.facts['range']}"
    assert attack.keys[attack.chosen].note == said
    assert attack.keys[attack.chosen].plate == attack.aim.plate
    assert [column.pool for column in attack.aim.columns] == ["points"]
    assert attack.attackers[0].number == desk.asked.car
    aimed = next(car.at for car in desk.rulebook.race.cars if car.number == first.answer["at"])
    assert [mark.space for mark in shown.board.spaces if mark.state == "chosen"] == [aimed]
    track, card = desk.rulebook.track, CARDS[first.answer["fire"]]
    covered = desk.rulebook.reach.covered(card, desk.rulebook.car(desk.asked.car))
    taken = {car.at for car in desk.rulebook.race.cars}
    counted = {mark.space: mark.text for mark in shown.board.spaces if mark.state == "range"}
    assert counted == {
        track.spaces[space].name: str(far) for space, far in covered.items() if track.spaces[space].name not in taken
    }
    assert counted


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hit_that_armour_holds_says_so(lang: str) -> None:
    """Of a hit of 1 armour leaves nothing: told in the sum and on Fire."""
    arms, held = {"forward-mg": 0}, {"en": "no loss", "fr": "0 point"}
    cars = [
        {"car": 1, "at": "2:left:1", "gear": 3, "lap": 1, "status": "racing", "wear": {"points": 18}, "weapons": arms},
        {"car": 2, "at": "2:left:4", "gear": 3, "lap": 1, "status": "racing", "wear": {"points": 18},
         "defence": "heavy-armour"},
    ]  # fmt: skip
    desk = a_desk("monaco", rulebook="death", cars=cars, attacking=True, attackers=[1], to_play=[])
    attack = race(Sight(desk, Words(lang, "death"), ahead=Ahead(desk))).attack
    assert attack is not None
    assert attack.act is not None
    assert attack.aim is not None
    assert "1 − 1 = 0" in [line.text for line in attack.aim.lines]
    assert held[lang] in attack.act.note
    assert attack.weapons[0].text.startswith(f"{attack.weapons[0].reach}. ")


def test_the_rolls_before_a_shot_are_in_its_chance() -> None:
    """A guard of 15 and a jammer of 10 before a weapon that hits up to 10."""
    assert prod(_shares({"hits_to": 10})) == Fraction(1, 2)
    assert prod(_shares({"hits_to": 10, "jammer": 10})) == Fraction(1, 4)
    assert prod(_shares({"hits_to": 10, "jammer": 10, "bravado": 15})) == Fraction(3, 16)
    assert _shares({"tokens": 2}) == []


def test_another_weapon_keeps_the_target() -> None:
    """Two weapons reach both cars ahead: whoever takes up the other one still aims at the further car."""
    arms = {"forward-laser": 0, "long-range-missiles": 0}
    cars = [
        {"car": 1, "at": "2:left:1", "gear": 3, "lap": 1, "status": "racing", "wear": {"points": 18}, "weapons": arms},
        {"car": 2, "at": "2:left:4", "gear": 3, "lap": 1, "status": "racing", "wear": {"points": 18}},
        {"car": 3, "at": "2:right:6", "gear": 3, "lap": 1, "status": "racing", "wear": {"points": 18}},
    ]
    desk = a_desk("monaco", rulebook="death", cars=cars, attacking=True, attackers=[1], to_play=[])
    sight = Sight(desk, Words("en", "death"))
    first = race(sight).attack
    assert first is not None
    for car in (2, 3):
        attack = race(Sight(desk, Words("en", "death"), selected={"fire": "forward-laser", "at": car})).attack
        assert attack is not None
        assert [weapon.answer["at"] for weapon in attack.weapons] == [car, car]


def test_a_weapon_that_is_loaded_anew_has_no_targets() -> None:
    desk = brought_to(lambda asked: asked.ask == "attack" and bool(asked.options) and len(asked.options or []) > 1)
    assert desk.asked is not None
    reload = next(one.answer for one in desk.asked.options or [] if one.answer and "reload" in one.answer)
    attack = race(Sight(desk, Words("en", "death"), selected=reload)).attack
    assert attack is not None
    assert attack.keys == ()
    assert attack.act is not None
    assert (attack.act.answer, attack.act.label) == (reload, "Reload")
    assert attack.skip is not None
    assert attack.skip.answer is None


def test_a_shot_that_is_rolled_for_shows_its_target_and_what_each_face_brings() -> None:
    desk = brought_to(lambda asked: (asked.ask, asked.what) == ("test", "attack"))
    assert desk.asked is not None
    shown = race(Sight(desk, Words("en", "death")))
    assert shown.dashboard is not None
    assert shown.dashboard.plate.number == (desk.asked.fields or {})["target"]
    shooter, target = (
        next(car.at for car in desk.rulebook.race.cars if car.number == number)
        for number in (desk.asked.car, shown.dashboard.plate.number)
    )
    assert shown.board.shot == (shooter, target)


def test_the_line_of_sight_is_asked_with_the_shot_drawn_and_the_nearer_cars_marked() -> None:
    for block in (False, True):
        desk = a_desk("porto-sereno", 6, rulebook="death", laps=2, options={"cars_block_fire": block})
        driver = HeuristicDriver(circuits.load("porto-sereno"), 5)
        while (asked := desk.asked) is not None and (asked.ask != "sight" or (block and not asked.fields["between"])):
            desk.answer(driver.answer(asked, desk.rulebook.race))
        assert asked is not None
        facts = asked.fields or {}
        shown = race(Sight(desk, Words("en", "death")))
        places = {car.number: car.at for car in desk.rulebook.race.cars}
        assert shown.board.shot == (places[asked.car or 0], places[facts["target"]])
        assert [mark.space for mark in shown.board.spaces if mark.state == "cost"] == [
            places[number] for number in facts["between"]
        ]
        assert shown.aim is not None
        assert shown.aim.plate is not None
        assert shown.aim.plate.number == facts["target"]
        assert (
            shown.aim.where
            == shown.prompt.unit
            == f"{facts['range']} {'ahead' if facts['side'] == 'front' else 'behind'}"
        )
        told = [line.icon for line in shown.aim.lines]
        assert told[1:3] == ["Reaches", "Range"]
        assert (told[-1] == "Nearer") == block


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whether_a_bare_space_is_in_sight_is_asked_with_the_shot_drawn(lang: str) -> None:
    cars = [
        {"car": 1, "driver": "Ada", "at": "2:left:1", "lap": 1, "gear": 3, "weapons": {"frag-missiles": 0}},
        {"car": 2, "driver": "Bo", "at": "2:left:6", "lap": 1, "gear": 3},
    ]
    desk = a_desk("porto-sereno", rulebook="death", cars=cars, to_play=[], attacking=True, attackers=[1])
    assert desk.asked is not None
    aimed = [
        one.answer["space"] for one in desk.asked.options or [] if one.facts.get("sight") and "space" in one.answer
    ]
    desk.answer({"fire": "frag-missiles", "space": aimed[0]})
    assert desk.asked.ask == "sight"
    words = Words(lang, "death")
    shown = race(Sight(desk, words))
    assert shown.board.shot == ("2:left:1", aimed[0])
    assert words.question(desk.asked, {1: "Ada", 2: "Bo"}).count(words.place(aimed[0])) == 1
    assert shown.prompt.title == {"en": "Is the space in sight?", "fr": "La case est en vue\u00a0?"}[lang]
    assert [key.answer for key in shown.prompt.keys] == [True, False]
    desk.answer(False)
    with pytest.raises(BadAnswer) as refused:
        desk.answer({"fire": "frag-missiles", "space": aimed[0]})
    assert words.place(aimed[0]) in words.error(refused.value)


def test_every_weapon_has_the_pictogram_of_its_class() -> None:
    assert set(ARMS) == {card.family or card.key for card in of_kind("weapon")}
    assert set(ARMS.values()) <= set(ICONS)
    desk = brought_to(shoots)
    assert desk.asked is not None
    shown = race(Sight(desk, Words("en", "death")))
    cards = [str(facts["card"]) for facts in (desk.asked.fields or {})["weapons"]]
    assert [weapon.icon for weapon in shown.attack.weapons] == [ARMS[CARDS[card].family or card] for card in cards]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_card_does_is_told_with_the_figures_of_the_table(lang: str) -> None:
    """Not the usual ones, nor a range from 1 to 0."""
    options = {
        "blob_tokens": 1, "strip_to": 0, "lost_gears": 1, "pull_spaces": 0, "bravado_to": 7, "heal_to": 20,
        "jammer_to": 0, "clutch_card_damage": 3,
    }  # fmt: skip
    usual, own = (
        Sight(a_desk("monaco", rulebook="death", cars=[{"car": 1}, {"car": 2}], options=set_), Words(lang, "death"))
        for set_ in ({}, options)
    )
    wanted = {
        "en": {
            "blobber": ("3 tokens on", "1 token on"), "chain-blades": ("on 1–4", "on none"),
            "haywire-missiles": ("2 gears", "1 gear "), "mag-gun": ("it 2 back", "into the lane"),
            "bravado": ("1–15,", "1–7,"), "nanobot-repair-systems": ("on 1–8", "on 1–20"),
            "jammer": ("1–10, or no missile", "no missile at it"), "drop-clutch": ("costs 1", "costs 3"),
        },
        "fr": {
            "blobber": ("3 jetons", "1 jeton sur"), "chain-blades": ("sur 1–4", "sur aucune"),
            "haywire-missiles": ("2 vitesses", "1 vitesse de"), "mag-gun": ("de 2 en arrière", "dans sa file"),
            "bravado": ("1–15,", "1–7,"), "nanobot-repair-systems": ("sur 1–8", "sur 1–20"),
            "jammer": ("1–10, sinon aucun missile", "aucun missile"), "drop-clutch": ("coûte 1", "coûte 3"),
        },
    }  # fmt: skip
    for card, texts in wanted[lang].items():
        says = does if CARDS[card].kind == "weapon" else of_card
        for sight, text in zip((usual, own), texts, strict=True):
            assert text in says(sight, card), (card, text)
