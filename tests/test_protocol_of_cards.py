"""The races of cards and of arms by lines of JSON, as whoever sits at the other end meets them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.test_protocol import Talk

ARMED: dict[str, Any] = {
    "rulebook": "death", "track": "monaco", "attacking": True, "attackers": [1], "to_play": [],
    "cars": [
        {"car": 1, "at": "2:left:5", "gear": 3, "lap": 1, "status": "racing", "weapons": {"haywire-charge": 0}},
        {"car": 2, "at": "2:left:6", "gear": 3, "lap": 1, "status": "racing", "defence": "bravado"},
    ],
}  # fmt: skip
DRIVING: dict[str, Any] = {
    "rulebook": "ninety", "track": "saltmarsh", "deck": 3, "round": 5, "to_play": [1, 2],
    "cars": [{"car": 1, "driver": "Ada", "at": "section:5"}, {"car": 2, "at": "section:5"}],
}  # fmt: skip


def answered(talk: Talk, answer: Any) -> dict[str, Any]:
    """The question after an answer."""
    said = talk.say(answer=answer)
    assert "question" in said, said
    return dict(said["question"])


@pytest.mark.article("death", "weapon.haywire-charge", "defence.bravado", "phase.one-action")
def test_a_charge_refused_by_its_only_target_lays_no_token_and_leaves_the_action() -> None:
    cars = [{**ARMED["cars"][0], "weapons": {"haywire-charge": 0, "rear-mg": 1}}, ARMED["cars"][1]]
    talk = Talk(**{**ARMED, "cars": cars})
    assert answered(talk, {"fire": "haywire-charge"})["what"] == "bravado"
    again = answered(talk, 16)
    assert (again["ask"], again["car"], again["fields"]["weapons"][0]["tokens"]) == ("attack", 1, 0)
    assert [option["answer"] for option in again["options"]] == [{"reload": "rear-mg"}, None]
    assert "refused by every car that it reaches" in talk.refused(answer={"fire": "haywire-charge"})


@pytest.mark.article("death", "upgrades.random")
def test_a_deck_of_the_program_deals_before_the_first_question() -> None:
    talk = Talk()
    begun = talk.all(setup={"rulebook": "death", "track": "monaco", "deck": 5, "cars": [{"car": 1}, {"car": 2}]})
    cards = [said["ruling"] for said in begun if said.get("ruling", {}).get("kind") == "card"]
    assert len({one["car"] for one in cards}) == 2
    assert begun[-1]["question"]["ask"] == "start"
    assert "leave out the deck, or the switch “pick_cards”" in Talk().refused(
        setup={"rulebook": "death", "track": "monaco", "deck": 5, "cars": [{"car": 1}], "options": {"pick_cards": True}}
    )
    assert "Monza is a corner sheet; in the death race range" in Talk().refused(
        setup={"rulebook": "death", "track": "monza", "cars": [{"car": 1}]}
    )


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_section_has_one_number_in_setup_state_sheet_log_and_the_referee_s_word(lang: str) -> None:
    talk = Talk(**DRIVING, lang=lang)
    for what in ("state", "sheet", "log", "board", "order"):
        shown = json.dumps(talk.all(show=what), ensure_ascii=False)
        assert '"section":' not in shown, what
        assert "section:4" not in shown, what
    assert [car["at"] for car in talk.all(show="state")[0]["state"]["cars"]] == ["section:5"] * 2
    said = talk.say(answer=False)
    assert said["question"]["ask"] == "contest"
    talk.say(answer=False)
    assert sorted(talk.all(show="state")[0]["state"]["contested"]) == [[1, "section:5"], [2, "section:5"]]
    talk.say(override={"car": 2, "at": "section:22"}, by="Eve", why="board")
    assert talk.all(show="state")[0]["state"]["cars"][1]["at"] == "section:22"
    wrong = talk.refused(override={"car": 2, "at": "section:0"}, by="Eve", why="board")
    assert "section:1" in wrong
    setup = {**DRIVING, "cars": [{"car": 1, "at": "section:23"}, {"car": 2, "at": "section:1"}], "lang": lang}
    assert "section:22" in Talk().refused(setup=setup)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_point_of_a_trajectory_has_one_number_in_question_setup_state_sheet_and_log(lang: str) -> None:
    ada = {"car": 1, "at": "section:14", "point": 2, "wear": {"tyres": 9, "cards": 6, "damage": 4}}
    talk = Talk(**{**DRIVING, "deck": 0, "cars": [ada, {"car": 2, "at": "section:11"}]}, lang=lang)
    for what in ("state", "sheet", "log", "board", "order"):
        assert '"line":' not in json.dumps(talk.all(show=what)), what
    assert talk.all(show="state")[0]["state"]["cars"][0]["point"] == 2
    again = Talk(**talk.all(show="state")[0]["state"], lang=lang)
    assert again.all(show="state") == talk.all(show="state")
    for one in (talk, again):
        answered(one, "skip")
        answered(one, "save_tyres")
        assert "point" not in one.all(show="state")[0]["state"]["cars"][0]
        answered(one, "go")
        answered(one, "G3 20")
        assert [option["answer"] for option in one.say(show="question")["question"]["options"]] == [False, True]
        asked = answered(one, False)
        assert (asked["ask"], [option["answer"] for option in asked["options"]]) == ("line", [None, 1, 2])
        asked = answered(one, 2)
        assert [car.get("point") for car in one.all(show="state")[0]["state"]["cars"]] == [None, 2]


@pytest.mark.parametrize(
    ("said", "named"),
    [({"point": 3}, "3"), ({"point": 0}, "0"), ({"point": True}, "True"), ({"point": "a"}, "a")],
)
def test_a_point_that_the_section_has_not_is_named_as_it_was_counted(said: dict[str, Any], named: str) -> None:
    cars = [{"car": 1, "at": "section:14", **said}, {"car": 2, "at": "section:5"}]
    refused = Talk().refused(setup={**DRIVING, "cars": cars})
    assert refused == f"Car 1: its section has no trajectory point {named}."


@pytest.mark.parametrize("values", [[0, 0, 0, 0], []])
def test_a_deck_without_cards_is_one_sentence(values: list[int]) -> None:
    setup = {"rulebook": "ninety", "track": "saltmarsh", "deck": 3, "cars": [{"car": 1}]}
    said = Talk().refused(setup={**setup, "options": {"deck_values": values}})
    assert said.endswith(".")
    assert "deck_values" in said
    one = Talk(**{**setup, "options": {"deck_values": [1, 0, 0, 0]}})
    assert one.say(show="question")["question"]["ask"] == "substitute"


@pytest.mark.article("ninety", "quali.cards")
@pytest.mark.parametrize(("lang", "said"), [("en", "and draw another for it"), ("fr", "et piochez-en une autre")])
def test_qualifying_says_that_another_card_is_drawn(lang: str, said: str) -> None:
    talk = Talk(rulebook="ninety", track="saltmarsh", lang=lang, cars=[{"car": 1}])
    talk.say(answer={"tyres": 12, "cards": 6, "damage": 4})
    asked = answered(talk, False)
    assert asked["ask"] == "qualify"
    assert said in asked["text"]
    answered(talk, "S3 45 TT")
    assert talk.all(show="state")[0]["state"]["cars"][0]["wear"]["cards"] == 6
