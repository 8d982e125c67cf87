"""A driver gets another name during a race: at the terminal, by lines, by the desk; the log has it, and may take it
back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.rules.conversation.errors import BadOverride
from companion.rules.rulebooks import RULEBOOKS
from companion.sheets.build_sheet import race_sheet
from companion.sheets.history import History
from companion.sheets.reading import entries, find, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify


def a_race(folder: Path, book: str, cars: Any = None) -> RaceDesk:
    track = "saltmarsh" if book == "ninety" else "monaco"
    cars = cars or [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]
    return begin_race({"rulebook": book, "track": track, "cars": cars, "deck": 3} if book in ("ninety", "death") else
                      {"rulebook": book, "track": track, "cars": cars}, track, folder)  # fmt: skip


@pytest.mark.parametrize("book", list(RULEBOOKS))
def test_a_driver_has_another_name_from_then_on_wherever_the_race_is_read(tmp_path: Path, book: str) -> None:
    with a_race(tmp_path, book) as desk:
        asked = desk.asked
        desk.override({"car": 2, "driver": "  Élodie   Żak "}, by="Ada", why="another name")
        assert desk.names[2] == "Élodie Żak"
        assert desk.asked is not None
        assert asked is not None
        assert (desk.asked.ask, desk.asked.car, desk.asked.what) == (asked.ask, asked.car, asked.what)
        desk.undo()
        assert desk.names[2] == "Bob"
        desk.redo()
    assert verify(tmp_path, "last", rulebook_of).problems == []
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.names[2] == "Élodie Żak"
        assert [car.driver for car in desk.sheet().cars if car.car == 2] == ["Élodie Żak"]
        for nobody in (None, "", " "):
            with pytest.raises(BadOverride, match="A driver's name is a text of 1 to 40 letters"):
                desk.override({"car": 2, "driver": nobody}, by="Ada", why="another name")
    with reading(tmp_path) as db:
        history = History.of(entries(db, find(db, "last").log_id))
    assert [car.driver for car in race_sheet(history).cars if car.car == 2] == ["Élodie Żak"]


@pytest.mark.parametrize("name", [3, True, ["Bob"], {"a": 1}, "x" * 41])
def test_what_is_no_name_is_refused_and_nothing_is_set(tmp_path: Path, name: Any) -> None:
    with a_race(tmp_path, "competition") as desk:
        with pytest.raises(BadOverride, match="A driver's name is a text of 1 to 40 letters"):
            desk.override({"car": 1, "driver": name, "wear": {"tyres": 1}}, by="Ada", why="another name")
        assert desk.names[1] == "Ada"


def command(folder: Path, *words: str, typed: str) -> str:
    done = CliRunner().invoke(companion, ["--data", str(folder), *words], typed)
    assert not isinstance(done.exception, Exception), done.exception
    return done.output


@pytest.mark.parametrize(
    ("lang", "typed", "said"),
    [
        ("en", "rename 2 Cleo de la Tour\nquit\n", "The referee renames the driver of car 2: Cleo de la Tour."),
        ("fr", "nommer 2 Cléo de la Tour\nquitter\n", "le pilote de la voiture 2 s’appelle Cléo de la Tour."),
    ],
)
def test_at_the_terminal_by_a_command_of_its_own(tmp_path: Path, lang: str, typed: str, said: str) -> None:
    a_race(tmp_path, "competition").close()
    shown = command(tmp_path, "--lang", lang, "race", "--resume", "last", typed=typed)
    assert said in " ".join(shown.split())
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.names[2].startswith("Cl")
        assert desk.names[2].endswith("de la Tour")


def test_at_the_terminal_by_the_referee_s_word_and_by_lines(tmp_path: Path) -> None:
    a_race(tmp_path, "competition").close()
    command(tmp_path, "race", "--resume", "last", typed="override car 1 driver Ada Vidal\nEve\nmisspelt\nquit\n")
    line = '{"override": {"car": 2, "driver": "Bruno"}, "by": "Eve", "why": "misspelt"}\n'
    command(tmp_path, "referee", "--resume", "last", typed=line)
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.names == {1: "Ada Vidal", 2: "Bruno"}
    told = command(tmp_path, "race", "--resume", "last", typed="rename\nrename Bruno\nrename 1 \nrename Bob Zoe\n")
    for said in ("such as rename 1 Ada", "such as rename 2 Ada", "Nobody in this race is called Bob"):
        assert said in told
    assert told.count("such as rename 1 Ada") == 2, "no name is none"
