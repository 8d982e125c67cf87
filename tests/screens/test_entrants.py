"""The drivers that a table remembers."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.screens.entrants import FILE, LETTERS, Entrant, fitted, forget, remember, remembered

ADA = Entrant(number=7, name="Ada", team="Scuderia", colour=3)


def test_drivers_come_back_as_they_were_the_last_ones_first(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    others = [Entrant(number=2, name="Ньютон"), Entrant(number=3, name="山田太郎"), Entrant(number=4, name='"Żó\\"')]
    remember(folder, others)
    remember(folder, [ADA, Entrant(number=9)])
    assert remembered(folder) == [ADA, *others]
    remember(folder, [Entrant(number=99, name="ADA")])
    assert [(one.name, one.number) for one in remembered(folder)] == [
        ("ADA", 99),
        *((o.name, o.number) for o in others),
    ]
    forget(folder, "ada")
    assert remembered(folder) == others
    assert [path.name for path in folder.iterdir()] == [FILE]


@pytest.mark.parametrize(
    "text", ["[[driver]", "driver = 3", '[[driver]]\nname = "x"', "\x00", "[[driver]]\nnumber = 1\nx=2"]
)
def test_a_file_that_makes_no_sense_is_no_drivers_or_what_can_be_read(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    assert all(isinstance(one, Entrant) for one in remembered(tmp_path))
    remember(tmp_path, [ADA])
    assert remembered(tmp_path)[0] == ADA


def test_no_file_is_no_drivers_and_bytes_that_are_no_text_neither(tmp_path: Path) -> None:
    assert remembered(tmp_path) == []
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")
    assert remembered(tmp_path) == []


def test_what_people_wrote_into_the_file_is_brought_within_its_bounds(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f'[[driver]]\nnumber = 400\nname = "{"é" * 50}"\ncolour = 27\n', encoding="utf-8")
    (one,) = remembered(tmp_path)
    assert (one.number, one.name, one.colour) == (99, "é" * LETTERS, 7)


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
