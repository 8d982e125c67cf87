"""A car of a corner sheet that nobody moves on: after ten rounds in one place the table is told, through every door."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.desk.session import Session
from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.rulebooks import begin
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from companion.view.phones.phone import driver_page, watched
from companion.web.pages import Writer
from companion.wording import Words
from tests.test_protocol import Talk
from tests.test_terminal import Seat

CARS = [{"car": n, "driver": name, "at": "after:0", "gear": 1, "lap": 1} for n, name in ((1, "Ada"), (2, "Bob"))]
HERE = {"in": "corner 1"}
NOW: dict[str, Any] = {
    "track": "monza", "sky": "sun", "to_play": [1, 2],
    "cars": [{**CARS[0], "at": "corner:1", "still": 9}, CARS[1]],
}  # fmt: skip
"""Car 1 has been in the first corner for nine rounds."""
SAID = {
    "en": "1{name} has been in one place for 10 rounds, corner 1: correct an answer if it is not there.",
    "fr": "1{name} est au même endroit depuis 10 tours de jeu, virage 1\u00a0: si c’est faux, corrigez une réponse.",
}


def rounds(talk: Conversation, count: int, stay: Callable[[int], bool] = lambda _: True) -> Iterator[Ruling]:
    """Play rounds in which car 1 stays where it is, when `stay` says so, and car 2 goes on; what the cars are reminded
    of."""
    last = talk.rulebook.round + count
    while talk.asked is not None and talk.rulebook.round < last:
        asked = talk.asked
        answer: Any = asked.options[0].answer if asked.options else None
        if asked.faces is not None:
            answer = asked.faces[0]
        elif asked.ask == "saw" and asked.options is not None:
            answer = asked.options[0 if asked.car == 1 and stay(asked.round) else -1].answer
        yield from (one for one in talk.answer(answer) if one.kind == "reminder" and one.car is not None)


@pytest.mark.article("competition", "7-1-1")
@pytest.mark.article("cup", "corner.stops")
@pytest.mark.article("league", "base.corner")
@pytest.mark.parametrize(
    ("rulebook", "article"), [("competition", "7-1-1"), ("cup", "corner.stops"), ("league", "base.corner")]
)
def test_after_ten_rounds_in_one_place_the_table_is_reminded_and_again_after_twenty(
    rulebook: str, article: str
) -> None:
    talk = Conversation(begin({**NOW, "cars": CARS, "rulebook": rulebook}, circuits.load("monza")))
    told = [one for one in rounds(talk, 23) if "rounds" in one.facts]
    assert [(one.car, one.article, one.facts["rounds"], one.facts["at"]) for one in told] == [
        (1, article, 10, "after:0"), (1, article, 20, "after:0")
    ]  # fmt: skip
    assert Words("en", rulebook).ruling(told[0]).startswith("1 has been in one place for 10 rounds, past the line")


@pytest.mark.article("competition", "7-1-1")
def test_a_car_that_goes_on_is_not_spoken_of_nor_one_that_the_referee_has_put_elsewhere() -> None:
    talk = Conversation(begin({**NOW, "cars": CARS}, circuits.load("monza")))
    assert list(rounds(talk, 12, lambda round_: round_ != 6)) == []
    put = Conversation(begin({**NOW, "cars": CARS}, circuits.load("monza")))
    assert list(rounds(put, 8)) == []
    put.override({"car": 1, "at": "corner:2"})
    assert list(rounds(put, 8)) == []


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_terminal_tells_it(tmp_path: Path, lang: str) -> None:
    file = tmp_path / "still.json"
    file.write_text(json.dumps(NOW), "utf-8")
    seat = Seat(tmp_path, "--setup", str(file), lang=lang)
    seat.until("0 > ")
    seat.say("1", "1 > ")
    seat.say("1", "2 > ")
    seat.say("1", r"(?:nothing|rien)\)\s+> ")
    shown = " ".join(seat.say("", "3 > ").replace("\u00a0", " ").split())
    assert SAID[lang].format(name=" Ada").replace("\u00a0", " ") in shown
    seat.child.close(force=True)


def test_lines_tell_it_and_the_answer_is_taken() -> None:
    talk = Talk(**NOW)
    talk.say(answer=1)
    talk.say(answer=1)
    said = talk.send(json.dumps({"answer": HERE}).encode())
    told = [one["ruling"] for one in said if one.get("ruling", {}).get("kind") == "reminder"]
    assert [(one["car"], one["facts"]["rounds"], one["text"]) for one in told if one.get("car")] == [
        (1, 10, SAID["en"].format(name=" Ada"))
    ]
    assert said[-1]["question"]["car"] == 2


def test_phones_and_walls_tell_it_to_the_driver_and_to_whoever_watches_and_the_log_stands(tmp_path: Path) -> None:
    track = circuits.load("monza")
    text = circuits.find("monza").read_text(encoding="utf-8")
    with RaceDesk.begin(begin(NOW, track), setup=NOW, track=text, folder=tmp_path) as desk:
        session = Session(desk)
        for answer in (1, 1, HERE):
            desk.answer(answer, by="program")
        for lang, said in SAID.items():
            wanted = said.format(name=" Ada")
            assert watched(session, lang).free == wanted
            assert driver_page(session, lang, 1, Ahead(desk)).free == wanted
            assert driver_page(session, lang, 2, Ahead(desk)).free == ""
            assert wanted.split(", ")[0] in " ".join(
                Writer(lang, track, "competition").watch(watched(session, lang)).values()
            )
    assert verify(tmp_path, "last", rulebook_of).problems == []
