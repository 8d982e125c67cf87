"""The drivers that a table remembers."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rules.conversation.errors import CompanionError
from companion.sheets.entrants import FILE, LETTERS, RaceEntrant, fitted, remember, remembered
from companion.wording import Words

ASIDE = "drivers.broken.toml"
ADA = RaceEntrant(number=7, name="Ada", team="Scuderia", colour=3)


def test_drivers_come_back_as_they_were_the_last_ones_first(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    others = [
        RaceEntrant(number=2, name="Ньютон"),
        RaceEntrant(number=3, name="山田太郎"),
        RaceEntrant(number=4, name='"Żó\\"'),
    ]
    remember(folder, others)
    remember(folder, [ADA, RaceEntrant(number=9)])
    assert remembered(folder) == [ADA, *others]
    remember(folder, [RaceEntrant(number=99, name="ADA")])
    assert [(one.name, one.number) for one in remembered(folder)] == [
        ("ADA", 99),
        *((o.name, o.number) for o in others),
    ]
    assert [path.name for path in folder.iterdir()] == [FILE]


def test_who_drives_two_cars_is_remembered_once_with_the_first(tmp_path: Path) -> None:
    remember(tmp_path, [ADA, RaceEntrant(number=8, name="Ada"), RaceEntrant(number=9, name="Bo")])
    assert [(one.name, one.number) for one in remembered(tmp_path)] == [("Ada", 7), ("Bo", 9)]


@pytest.mark.parametrize("text", ["[[driver]", "driver = 3", '[[driver]]\nname = "x"', "\x00"])
def test_a_file_that_makes_no_sense_is_told_and_put_aside(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(CompanionError) as told:
        remembered(tmp_path)
    said = str(told.value)
    assert said.startswith("The drivers' file cannot be read (")
    assert said.endswith(f"it lies in {ASIDE} now.")
    assert Words("fr").error(told.value).startswith("Le fichier des pilotes est illisible (")
    assert remembered(tmp_path) == []
    remember(tmp_path, [ADA])
    assert remembered(tmp_path) == [ADA]
    assert (tmp_path / ASIDE).read_text(encoding="utf-8") == text


def test_a_file_that_makes_no_sense_when_a_race_begins_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")
    remember(tmp_path, [ADA])
    assert remembered(tmp_path) == [ADA]
    assert (tmp_path / ASIDE).read_bytes() == b"\xff\xfe\x00"


def test_a_file_that_the_disk_does_not_give_is_told_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(CompanionError, match=r"^The drivers' file cannot be read: Is a directory\.$"):
        remembered(tmp_path)
    with pytest.raises(OSError, match="directory"):
        remember(tmp_path, [ADA])
    assert (tmp_path / FILE).is_dir()


def test_no_file_is_no_drivers(tmp_path: Path) -> None:
    assert remembered(tmp_path) == []


def test_what_people_wrote_into_the_file_is_brought_within_its_bounds(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f'[[driver]]\nnumber = 4000\nname = "{"é" * 50}"\ncolour = 27\n', encoding="utf-8")
    (one,) = remembered(tmp_path)
    assert (one.number, one.name, one.colour) == (999, "é" * LETTERS, 7)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("e\u0301" * 40, "é" * LETTERS),
        ("山" * 31, "山" * LETTERS),
        ("a\x00b\u200bc\n", "abc"),
        ("x" * 29 + " y", "x" * 29),
        ("\u0915\u094d\u0937" * 30, ("\u0915\u094d\u0937" * 15)),
        ("", ""),
    ],
)
def test_a_name_is_one_line_of_thirty_letters(typed: str, kept: str) -> None:
    assert fitted(typed) == kept
    assert fitted(kept) == kept
