"""Whole races of cards where people meet them: the demo, the terminal, the protocol, a log that is resumed, words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion import circuits
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.drivers.cards import HeuristicCardDriver, RandomCardDriver
from companion.protocol import LineReferee
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.kinds import SECTION_KINDS
from companion.rules.ninety.ninety import SECTION_ASKS
from companion.rules.rulebooks import begin
from companion.wording import LANGUAGES, Words

SETUP: dict[str, Any] = {
    "rulebook": "ninety", "track": "quarry-hill", "laps": 6, "deck": 5,
    "cars": [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bruno"}],
}  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_demo_tells_a_whole_race_with_bots(lang: str) -> None:
    said = ["demo", "--rulebook", "ninety", "--cars", "3", "--laps", "6", "--lang", lang, "--seed", "4"]
    one, two = (CliRunner().invoke(companion, said, env={"COLUMNS": "80"}) for _ in range(2))
    assert one.exit_code == 0, one.output
    assert one.output == two.output
    assert all(len(line) <= 80 for line in one.output.splitlines())
    assert not re.search(r"[{}]|\bNone\b|Traceback", one.output)
    for wanted in {"en": ("Turn 6 of 6, the last", "Bot F", "10 points"), "fr": ("Coup 6 sur 6, le dernier",)}[lang]:
        assert wanted in one.output, wanted


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_and_ruling_has_its_words_and_no_other(lang: str) -> None:
    own = Words(lang).table["rulebook"]["ninety"]
    for table in ("ask", "option", "about"):
        assert set(own[table]) == set(SECTION_ASKS), table
    assert set(own["ruling"]) == SECTION_KINDS - {"override"}


@pytest.mark.parametrize("deck", [0, 5])
def test_whatever_happens_is_said_whole_in_both_languages(deck: int) -> None:
    track = circuits.board("saltmarsh")
    seen: set[str] = set()
    for seed in range(6):
        setup = {**SETUP, "track": "saltmarsh", "laps": 12, "deck": deck, "options": {"chase": True}}
        talk = Conversation(begin(setup, track))
        driver = RandomCardDriver(track, seed)
        while (asked := talk.asked) is not None:
            answer = driver.answer(asked, talk.rulebook.race)  # type: ignore[attr-defined]
            try:
                rulings = talk.answer(answer)
            except BadAnswer:
                continue
            for words in (Words(lang, "ninety") for lang in LANGUAGES):
                said = [words.question(asked, {1: "Ada"}), words.undo_label(asked.ask, asked.car, answer)]
                said += [words.option(asked.ask, option.answer) for option in asked.options or []]
                said += [words.note(asked.ask, option) or "-" for option in asked.options or []]
                said += [words.ruling(ruling) for ruling in rulings]
                for sentence in said:
                    assert sentence
                    assert not re.search(r"[{}]|\bNone\b|\bTrue\b|\bFalse\b|  ", sentence), sentence
            seen |= {ruling.kind for ruling in rulings}
    assert len(seen) > 25


def test_a_whole_race_goes_over_the_protocol_and_a_position_goes_on() -> None:
    table = LineReferee("en")
    said = table.say(json.dumps({"setup": SETUP}).encode())
    driver = HeuristicCardDriver(None, 2)
    while "question" in said[-1]:
        assert table.desk is not None
        race = table.desk.rulebook.race
        if race.round == 3 and said[-1]["question"]["ask"] == "declare":
            state = table.say(b'{"show": "state"}')[0]["state"]
            again = LineReferee("fr").say(json.dumps({"setup": state}).encode())
            assert again[-1]["question"]["ask"] == said[-1]["question"]["ask"]
        said = table.say(json.dumps({"answer": driver.answer(table.desk.asked, race)}).encode())  # type: ignore[arg-type]
        assert "error" not in said[-1]
    assert [row["points"] for row in said[-1]["result"]][:6] == [10, 6, 4, 3, 2, 1]
    refused = table.say(b'{"answer": "go"}')[-1]
    assert "over" in refused["error"]


def test_a_race_is_kept_resumed_taken_back_and_verified(tmp_path: Path) -> None:
    track = circuits.board("quarry-hill")
    text = circuits.find("quarry-hill").read_text(encoding="utf-8")
    driver = HeuristicCardDriver(track, 1)
    with RaceDesk.begin(begin(SETUP, track), setup=SETUP, track=text, folder=tmp_path, name="cards") as desk:
        for _ in range(30):
            assert desk.asked is not None
            desk.answer(driver.answer(desk.asked, desk.rulebook.race), n=desk.n)  # type: ignore[arg-type]
        digest = desk.conversation.digest
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.conversation.digest == digest
        desk.undo(3)
        desk.redo(3)
        assert desk.conversation.digest == digest
        desk.override({"car": 1, "wear": {"tyres": 4}}, by="R", why="miscounted")
        check = next(done.n for done in desk.answers() if done.ask == "check")
        assert desk.try_correction(check, "blind", keep="board").keep == "board"
        while (asked := desk.asked) is not None:
            desk.answer(driver.answer(asked, desk.rulebook.race), n=desk.n)  # type: ignore[arg-type]
        sheet = desk.sheet()
    assert sheet.result is not None
    assert [car.wear["tyres"] for car in sheet.cars if car.car == 1] == [desk.rulebook.race.cars[0].wear["tyres"]]  # type: ignore[attr-defined]
    shown = CliRunner().invoke(
        companion, ["races", "show", "--data", str(tmp_path), "--car", "1"], env={"COLUMNS": "80"}
    )
    assert shown.exit_code == 0, shown.output
    assert "1 Ada draws 1 card." in shown.output
    assert "fuel to turn" in shown.output
    assert CliRunner().invoke(companion, ["races", "verify", "--data", str(tmp_path)]).exit_code == 0


def test_cards_are_typed_as_they_are_written_at_the_terminal(tmp_path: Path) -> None:
    typed = ["1", "2", "n", "n", "s3 45 tt", "G2 30", *(f"D1 {n}" for n in range(6)), "D1 99", "lucky", "balance",
             "show board", "go", "d3 22 c, S1 7", "blind", "E4 90", "show sheet", "show order", "quit"]  # fmt: skip
    said = ["race", "--rulebook", "ninety", "--track", "saltmarsh", "--cars", "Ada, Bob", "--data", str(tmp_path)]
    done = CliRunner().invoke(companion, said, input="\n".join(typed) + "\n", env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    for wanted in (
        "1 Ada shows S3 45 TT: 3 for qualifying.", "A check factor is 1 to 100; 0 is on no card.",
        "1 Ada plays D3 22 C and S1 7.", "1 Ada checks with E4 90 against 45: failed.", "corner Sluice +1", "Lucky",
    ):  # fmt: skip
        assert wanted in done.output, wanted
    assert not re.search(r"\{|Traceback", done.output.replace("{FORM}", ""))


def test_a_deck_of_the_program_is_dealt_at_the_terminal(tmp_path: Path) -> None:
    said = ["race", "--rulebook", "ninety", "--track", "saltmarsh", "--cars", "Ada", "--deck", "4"]
    said += ["--data", str(tmp_path)]
    done = CliRunner().invoke(companion, said, input="n\n1\nbalance\nquit\n", env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    assert "1 Ada shows" in done.output
    assert "Turn 1 of 18" in done.output


def test_turns_deck_and_bots_are_asked_at_the_terminal(tmp_path: Path) -> None:
    said = ["race", "--rulebook", "ninety", "--data", str(tmp_path)]
    typed = ["saltmarsh", "61", "12", "Ada, Bob", "no", "7", "9", "1", "quit"]
    done = CliRunner().invoke(companion, said, input="\n".join(typed) + "\n", env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    for wanted in (
        "turns (Enter: 18)", "Enter 2 to 60 turns.", "A deck has a number from 1 to 1000000000.",
        "Enter 0 to 6 bots of each speed.", "Saltmarsh, 12 turns, 4 cars.", "take the substitute car",
    ):  # fmt: skip
        assert wanted in done.output, wanted


def test_the_number_of_bots_is_said_at_the_command_line(tmp_path: Path) -> None:
    said = ["race", "--rulebook", "ninety", "--track", "saltmarsh", "--cars", "Ada, Bob", "--bots", "0"]
    done = CliRunner().invoke(companion, [*said, "--data", str(tmp_path)], input="quit\n", env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    assert "Saltmarsh, 18 turns, 2 cars." in done.output
    assert "which car chart was dealt?" in done.output
