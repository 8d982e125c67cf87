"""What goes wrong in the race of cards, said to `companion referee` itself: one sentence each, and nothing changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from tests.test_bad_input import Program, at, companion, complaint, sentence

POSITION: dict[str, Any] = {
    "rulebook": "ninety",
    "track": "saltmarsh",
    "round": 5,
    "cars": [
        {"car": 1, "at": "section:5", "lap": 1, "fuel": 30, "wear": {"tyres": 2}, "check": "D2 50"},
        {"car": 2, "at": "section:5", "lap": 1, "fuel": 30},
        {"car": 3, "at": "section:3", "lap": 1, "fuel": 30, "status": "off"},
    ],
    "to_play": [1, 2, 3],
}
ALONE = {**POSITION, "cars": [POSITION["cars"][0], {**POSITION["cars"][1], "at": "section:1"}], "to_play": [1, 2]}


@pytest.fixture(scope="module")
def play() -> Iterator[Program]:
    """The question which cards are played; one is frozen."""
    yield from at(POSITION, True, True, "G3 9", "G2 8", "go")


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (["S3 45", "D4 20"], "these do not go together"),
        (["D1 1", "D1 2", "D1 3"], "these do not go together"),
        (["S3 0"], "A check factor is 1 to 100; 0 is on no card"),
        (["S3 101"], "A check factor is 1 to 100; 101 is on no card"),
        (["S5 40"], "A card moves 1 to 4; 5 is on none"),
        (["S3 40 TTTTTTTTT"], "at most 8 symbols"),
        (["Z3 40"], "A card is written by type, value, check factor and symbols"),
        (["G3 9"], "G3 9 is frozen until the next turn"),
        (["D1 7", "G3 9"], "G3 9 is frozen until the next turn"),
        ([], "these do not go together"),
        (7, "Cards are a list"),
        ("stop", "A card is written by"),
    ],
)
def test_cards_that_cannot_be_played(play: Program, cards: Any, said: str) -> None:
    assert said in play.refuses({"answer": cards})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"car": 1, "at": "section:23"}, "On Saltmarsh there is no section 23; its sections are section 1 to"),
        ({"car": 1, "at": "5:left:3"}, "On Saltmarsh there is no 5:left:3"),
        ({"car": 1, "wear": {"tyres": -1}}, "A pool holds 0 to 60 points; tyres cannot be set to -1"),
        ({"car": 1, "wear": {"damage": 5}}, "The chart of car 1 holds 4 damage, no more"),
        ({"car": 1, "check": "D2 101"}, "A check factor is 1 to 100"),
        ({"car": 1, "frozen": ["S1 99"]}, "Car 1 has no S1 99 in its hand"),
    ],
)
def test_values_that_cannot_be(play: Program, change: dict[str, Any], said: str) -> None:
    assert said in play.refuses({"override": change, "by": "Ada", "why": "a test"})


def test_tyres_that_are_not_there() -> None:
    for program in at(ALONE, "go", "S3 45 TTTT"):
        assert "Here 2 to 3 cards can replace tyres; 0 cannot" in program.refuses({"answer": []})
        assert "Here 2 to 3 cards can replace tyres; 4 cannot" in program.refuses({"answer": "D1 1, D1 2, D1 3, D1 4"})
        program.say(answer="D1 1, D1 2")


def test_a_pit_stop_off_the_track() -> None:
    position = {**POSITION, "to_play": [3]}
    for program in at(position):
        assert "Car 3 is off the track and cannot stop there" in program.refuses({"answer": "stop"})
        program.say(answer="back")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"track": "monaco"}, "is no circuit of sections"),
        ({"rulebook": "cup"}, "Saltmarsh is a circuit of sections"),
        ({"laps": 61}, "A race has 2 to 60 turns; 61 is not"),
        ({"deck": -1}, "A deck's number is 0 to"),
        (
            {"cars": [{"car": 1, "at": "section:23"}]},
            "has no section section:23; its sections are section:1 to section:22",
        ),
        ({"cars": [{"car": 1, "bot": "slow"}]}, "A race needs a driver who is no bot"),
        ({"cars": [{"car": 1, "check": "D2 0"}]}, "Car 1: A check factor is 1 to 100"),
        ({"cars": [{"car": 1, "wear": {"damage": -1}}]}, "damage holds 0 to 60 points, not -1"),
        ({"options": {"deck_values": [1, 2, 3]}}, "deck_values"),
        ({"to_play": [9]}, '"to_play" lists the cars on the track'),
    ],
)
def test_a_setup_from_which_no_race_begins(change: dict[str, Any], said: str) -> None:
    program = Program()
    setup = {**POSITION, **change}
    if "cars" in change:
        setup["to_play"] = [1]
    answer = program.send(json.dumps({"setup": setup}).encode())
    assert said in sentence(answer["error"])
    program.say(setup=POSITION)
    program.end()


def test_a_circuit_file_without_corners(tmp_path: Path) -> None:
    file = tmp_path / "straight.toml"
    text = circuits.find(circuits.TEMPLATE).read_text(encoding="utf-8")
    head = text.partition("[[section]]")[0]
    file.write_text(head + '[[section]]\nkind = "straight"\n' * 6, encoding="utf-8")
    done = companion("tracks", "check", file)
    assert done.returncode == 1
    assert "there is no corner; a circuit needs a section" in done.stdout + done.stderr
    program = Program()
    answer = program.send(json.dumps({"setup": {**POSITION, "track": str(file)}}).encode())
    assert "there is no corner" in sentence(answer["error"])
    program.end()
    data = companion("race", "--rulebook", "ninety", "--track", file, "--cars", "Ada", "--data", tmp_path)
    assert "there is no corner" in complaint(data)
