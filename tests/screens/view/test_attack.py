"""The attack phase as weapons and targets: what is chosen, what it comes to, and what else there is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import Sensible
from companion.rules.conversation import Asked
from companion.screens.view.race import race
from companion.screens.view.shown import Attack
from companion.screens.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.screens.view.watched import a_desk


def brought_to(wanted: Callable[[Asked], bool]) -> RaceDesk:
    """A death race that a driver has brought to a question."""
    desk = a_desk("porto-sereno", 6, rulebook="death", laps=2)
    driver = Sensible(circuits.load("porto-sereno"), 5)
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
    assert isinstance(attack, Attack)
    assert shown.prompt.layout == "attack"
    assert [weapon.chosen for weapon in attack.weapons].count(True) == 1
    own = [one for one in desk.asked.options or [] if one.answer and one.answer.get("fire") == first.answer["fire"]]
    assert [key.answer for key in attack.keys] == [one.answer for one in own]
    assert attack.act is not None
    assert attack.act.answer == first.answer
    assert attack.aim is not None
    assert attack.aim.big == f"1–{first.facts['hits_to']}"
    assert f"{first.facts['hits_to'] * 5}" in attack.aim.chance
    assert attack.aim.plate is not None
    assert attack.aim.plate.number == first.answer["at"]
    said = attack.aim.where if len(own) <= 3 else f"+{first.facts['range']}"
    assert attack.keys[attack.chosen].note == said
    assert [column.pool for column in attack.aim.columns] == ["points"]
    assert attack.attackers[0].number == desk.asked.car
    aimed = next(car.at for car in desk.rulebook.race.cars if car.number == first.answer["at"])
    assert [mark.space for mark in shown.board.spaces if mark.state == "chosen"] == [aimed]


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
        driver = Sensible(circuits.load("porto-sereno"), 5)
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
        assert told[0] == "Range"
        assert (told[-1] == "Nearer") == block
