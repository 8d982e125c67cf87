"""What people get wrong by the cup's, the league's and the death race's rules: the same sentence from the desk and from
the program, it says what would be right, and nothing has changed."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import pytest

from companion.circuits import load
from companion.desk import RaceDesk
from companion.rules.conversation.errors import BadAnswer, BadOverride
from companion.rules.rulebooks import begin
from tests.test_bad_input import Program, sentence

BUILT = {"tyres": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}


def car(number: int, place: str, **more: Any) -> dict[str, Any]:
    return {"car": number, "driver": "ABC"[number - 1], "at": place, "gear": 3, "lap": 1, "status": "racing", **more}


TEAM = {
    "rulebook": "cup", "track": "monaco", "sky": "sun", "surface": "dry",
    "cars": [{"car": 1, "driver": "A", "team": "Red"}, {"car": 2, "driver": "B", "team": "Red"}],
}  # fmt: skip
CUP = {
    "rulebook": "cup", "track": "monaco", "sky": "sun", "to_play": [1],
    "cars": [car(1, "2:left:5", tyres="hard", raced=["hard", "soft"], wear=BUILT, lap=2)],
}  # fmt: skip
STOP = {
    **CUP,
    "cars": [
        car(1, "19:right:1", stops=1, tyres="hard", gear=4, wear={**BUILT, "brakes": 0, "engine": 1}, built=BUILT)
    ],
}
INTO_PITS = (4, 12, {"space": "box:10", "brakes": 0, "soft": 0}, "soft")
ARMED = {
    "rulebook": "death", "track": "monaco", "to_play": [], "attacking": True, "attackers": [1],
    "cars": [
        car(1, "2:left:5", wear={"points": 18}, weapons={"forward-laser": 0, "flamer": 1}),
        car(2, "2:left:7", wear={"points": 18}),
        car(3, "20:left:1", wear={"points": 18}),
    ],
}  # fmt: skip
REAR = {
    **ARMED,
    "cars": [
        car(1, "2:left:5", wear={"points": 18}, weapons={"rear-mg": 0, "flamer": 1}),
        car(2, "2:left:7", wear={"points": 18}),
    ],
}
DEAL = {"rulebook": "death", "track": "monaco", "cars": [{"car": 1, "driver": "A"}, {"car": 2, "driver": "B"}]}


class Wrong(NamedTuple):
    """A race, the answers up to the question, and what is said wrongly: an answer, or what is to be set."""

    setup: dict[str, Any]
    answers: tuple[Any, ...]
    said: dict[str, Any]
    sentence: str


WRONG = {
    "a team over its four points": Wrong(
        TEAM, ({**BUILT, "tyres": 9},), {"answer": {**BUILT, "brakes": 5}},
        "The team of car 2 has 1 of its 4 points left; this car would take 2.",
    ),
    "a third KERS point": Wrong(
        CUP, (), {"override": {"car": 1, "kers": 3}}, "A car has 0 to 2 KERS points; car 1 cannot have 3.",
    ),
    "a compound that the car never raced on": Wrong(
        CUP, (), {"override": {"car": 1, "raced": ["hard", "rain"]}},
        "Car 1 has raced on hard, soft; hard, rain cannot be claimed for it.",
    ),
    "a repair beyond the column": Wrong(
        STOP, (*INTO_PITS, "full"), {"answer": {"engine": 2}},
        "A full stop has 3 repair points; by the pit column these cost 4.",
    ),
    "a repair of points that were not lost": Wrong(
        STOP, (*INTO_PITS, "full"), {"answer": {"body": 1}}, "Car 1 has lost 0 of body, not 1.",
    ),
    "a quick-stop face of 0": Wrong(
        STOP, (*INTO_PITS, "quick"), {"answer": 0}, "The black die shows 1 to 20; 0 is not on it.",
    ),
    "a weapon that is reloading": Wrong(
        ARMED, (), {"answer": {"fire": "flamer", "at": 2}},
        "The flamer of car 1 is reloading; the tokens on it, 1, must be taken off first.",
    ),
    "a weapon that is out of range": Wrong(
        ARMED, (), {"answer": {"fire": "forward-laser", "at": 3}},
        "Car 3 is 32 spaces away; the forward-laser reaches 10.",
    ),
    "a weapon that faces the wrong way": Wrong(
        REAR, (), {"answer": {"fire": "rear-mg", "at": 2}},
        "Car 2 is in front of car 1; the rear-mg fires at cars behind only.",
    ),
    "a card dealt twice": Wrong(
        DEAL, ("flamer",), {"answer": "flamer"},
        "Every card of flamer is on a car already; another card of that kind is dealt.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_at_the_desk(wrong: Wrong) -> None:
    desk = RaceDesk(begin(wrong.setup, load(wrong.setup["track"])))
    for answer in wrong.answers:
        desk.answer(answer)
    before = desk.conversation.digest, desk.asked, desk.sheet()
    say = desk.answer if "answer" in wrong.said else partial(desk.override, by="A", why="said so")
    with pytest.raises((BadAnswer, BadOverride)) as refused:
        say(next(iter(wrong.said.values())))
    assert sentence(str(refused.value)) == wrong.sentence
    assert (desk.conversation.digest, desk.asked, desk.sheet()) == before


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_to_the_program(wrong: Wrong) -> None:
    program = Program()
    program.say(setup=wrong.setup)
    for answer in wrong.answers:
        program.say(answer=answer)
    signed = {} if "answer" in wrong.said else {"by": "A", "why": "said so"}
    assert program.refuses({**wrong.said, **signed}) == wrong.sentence
    program.end()
