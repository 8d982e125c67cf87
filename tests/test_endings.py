"""A race ended as it stands, or stopped by a red flag, through the doors of the referee: lines, terminal, commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.sensible import HeuristicDriver
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import RULEBOOKS
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from tests.test_protocol import SETUP, Talk
from tests.test_terminal import POSITION, Seat

DICE = [name for name, kind in RULEBOOKS.items() if issubclass(kind, FormulaDe)]


def command(folder: Path, *words: str, lang: str = "en") -> str:
    done = CliRunner().invoke(companion, ["--data", str(folder), "--lang", lang, *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def driven(desk: RaceDesk, answers: int) -> None:
    driver = HeuristicDriver(desk.rulebook.track)
    while (asked := desk.asked) is not None and answers > 0:
        desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="driver:sensible")
        answers -= 1


def test_a_line_ends_the_race_with_name_and_reason() -> None:
    talk = Talk(**SETUP)
    talk.refused(override={"cut_short": "half"})
    talk.refused(override={"cut_short": "soon"}, by="Eve", why="the bar closes")
    said = talk.all(override={"cut_short": "half"}, by="Eve", why="the bar closes")
    texts = [line["ruling"]["text"] for line in said if "ruling" in line]
    assert texts == [
        "The referee ends the race as it stands: half points.",
        "The race is over: 1 Ada and 2 Bob.",
    ]
    assert [(row["place"], row["car"], row["points"]) for row in said[-1]["result"]] == [(1, 1, 5), (2, 2, 3)]
    assert "question" in talk.say(undo=1)
    assert "result" in talk.say(redo=1)


def test_a_line_stops_the_race_and_it_starts_again() -> None:
    talk = Talk(**SETUP)
    said = talk.all(override={"red_flag": "now"}, by="Eve", why="a glass on the board")
    texts = [line["ruling"]["text"] for line in said if "ruling" in line]
    assert texts[0] == "Red flag. New start from the grid: 1 Ada and 2 Bob."
    assert texts[1].startswith("1 Ada starts from place 1 on the grid, ")
    assert (said[-1]["question"]["ask"], said[-1]["question"]["car"]) == ("start", 1)
    assert talk.say(answer=10)["question"]["ask"] == "roll"


@pytest.mark.parametrize(
    ("lang", "cut", "told", "over"),
    [
        ("en", "end half", "end of the race as it stands, half points", "The race is over: 1 Ada, 2 Bob"),
        ("fr", "fin demi", "fin de la course en l’état, demi-points", "La course est finie"),
        ("fr", "arrêter", "fin de la course en l’état, tous les points", "La course est finie"),
        ("en", "end none", "end of the race as it stands, no points", "The race is over"),
    ],
)
def test_a_race_is_ended_at_the_terminal(tmp_path: Path, lang: str, cut: str, told: str, over: str) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION))
    seat = Seat(tmp_path, "--setup", str(file), lang=lang)
    seat.until(r"0 > ")
    seat.say("end later" if lang == "en" else "fin bientôt", r"0 > ")
    sure = " ".join(seat.say(cut, "> ").split())
    assert told in sure
    assert {"en": "is that right?", "fr": "est-ce juste ?"}[lang] in sure
    seat.say({"en": "y", "fr": "oui"}[lang], " > ")
    seat.say("Eve", " > ")
    shown = seat.say("late", "(over|fini) > ")
    assert told.rpartition(", ")[2] in " ".join(shown.split())
    assert over in shown
    seat.say("q", "")
    race = json.loads(command(tmp_path, "races", "export", "--json", "last"))
    assert "late" in json.dumps(race)
    assert "Eve" in json.dumps(race)


@pytest.mark.parametrize(("lang", "stop"), [("en", "red flag"), ("fr", "drapeau rouge"), ("fr", "red flag")])
def test_a_race_is_stopped_at_the_terminal(tmp_path: Path, lang: str, stop: str) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION))
    seat = Seat(tmp_path, "--setup", str(file), lang=lang)
    seat.until(r"0 > ")
    seat.say(stop, " > ")
    seat.say({"en": "y", "fr": "o"}[lang], " > ")
    seat.say("Eve", " > ")
    shown = seat.say("crash", r"\d > ")
    assert {"en": "New start from the grid", "fr": "Nouveau départ de la grille"}[lang] in " ".join(shown.split())
    seat.say("12", r"\d > ")


@pytest.mark.parametrize("said", ["end", "end none", "red flag", "override cut_short now", "override red_flag now"])
def test_nothing_ends_or_stops_the_race_without_a_yes(tmp_path: Path, said: str) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION))
    seat = Seat(tmp_path, "--setup", str(file))
    seat.until(r"0 > ")
    for refused in ("n", "", "undo"):
        seat.say(said, r"\)\s+> ")
        assert "Left as it was." in seat.say(refused, r"0 > ")
    seat.say("q", "")
    assert "cut_short" not in command(tmp_path, "export", "--json", "last")


@pytest.mark.parametrize("book", DICE)
def test_the_log_of_such_a_race_verifies_and_its_sheet_says_so(tmp_path: Path, book: str) -> None:
    setup: dict[str, Any] = {"rulebook": book, "track": "monaco", "laps": 2, "cars": [{"car": n} for n in (1, 2, 3)]}
    with begin_race(setup, "monaco", tmp_path, name="Thursday") as desk:
        driven(desk, 90)
        desk.override({"red_flag": "now"}, by="Eve", why="a crash")
        driven(desk, 60)
        desk.override({"cut_short": "half"}, by="Eve", why="late")
        assert desk.over
        desk.undo(1, by="Eve")
        assert not desk.over
        desk.redo(1, by="Eve")
        assert desk.over
        rows = desk.rulebook.result()
    assert verify(tmp_path, "last", rulebook_of).problems == []
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.over
        assert desk.rulebook.result() == rows
    said = command(tmp_path, "races", "show", "last")
    assert "end of the race as it stands, half points" in " ".join(said.split())
    assert "red flag" in said
    out = tmp_path / "sheet.pdf"
    command(tmp_path, "races", "export", "--pdf", "--out", str(out), "last")
    assert out.stat().st_size > 1000
    assert "drapeau rouge" in command(tmp_path, "races", "show", "last", lang="fr")


@pytest.mark.parametrize("keep", ["replay", "board"])
@pytest.mark.parametrize("book", DICE)
def test_an_answer_before_a_red_flag_can_be_corrected(tmp_path: Path, book: str, keep: Any) -> None:
    setup: dict[str, Any] = {"rulebook": book, "track": "monaco", "laps": 2, "cars": [{"car": n} for n in (1, 2, 3)]}
    with begin_race(setup, "monaco", tmp_path) as desk:
        driven(desk, 90)
        desk.override({"red_flag": "now"}, by="Eve", why="a crash")
        driven(desk, 8)
        at = next(n for n, one in reversed(list(enumerate(desk.answers()[:90]))) if one.ask == "roll")
        old = desk.answers()[at].answer
        faces = desk.conversation.fork(desk.rulebook.clone(), at).asked.faces
        other = next(face for face in faces if face != old)
        desk.correct(at, other, keep=keep, by="Eve", why="misread")
        driven(desk, 30)
    assert verify(tmp_path, "last", rulebook_of).problems == []
