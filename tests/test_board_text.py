"""Boards drawn as text."""

import re

import pytest

from companion import circuits
from companion.rules.conversation.errors import CompanionError
from companion.rules.ninety.circuit import SectionTrack
from companion.terminal.board_text import LEGEND, draw, draw_sections

BOARDS = ("monaco", "kestrel-moor", "porto-sereno", "copper-basin")


@pytest.mark.parametrize("key", BOARDS)
@pytest.mark.parametrize("width", [40, 78, 200])
def test_every_space_is_drawn_once_and_no_line_is_too_wide(key: str, width: int) -> None:
    track = circuits.load(key)
    lines = draw(track, {}, width=width)
    assert max(map(len, lines)) <= width
    for lane, name in enumerate(track.lanes):
        row = " ".join(line[len(name) :] for line in lines if line.startswith(name + " "))
        assert len(re.findall(r"\.|\d+", row)) == sum(len(section.lanes[lane]) for section in track.sections)
    assert track.pit is not None
    pit = " ".join(line[3:] for line in lines if line.startswith("pit "))
    assert pit.count(".") == len(track.pit.spaces)


@pytest.mark.parametrize("key", BOARDS)
def test_every_space_shows_its_car(key: str) -> None:
    track = circuits.load(key)
    cars = {space.name: str(space.id % 100) for space in track.spaces}
    drawn = "\n".join(draw(track, cars)[:-1])
    assert sorted(re.findall(r"\[(\d+)\]", drawn), key=int) == sorted(cars.values(), key=int)


def test_the_stretch_around_a_car() -> None:
    lines = draw(
        circuits.load("monaco"), {"9:left:5": "7", "9:middle:6": "10", "10:left:20": "3"}, ["9:left:6"], "9:left:5"
    )
    text = "\n".join(lines)
    assert "[7] !" in text
    assert "[10]" in text
    assert "[3]" in text
    assert "9 Loews, 3 stops" in text
    assert "Casino" not in text
    assert lines[-1] == LEGEND["en"]
    assert len(lines) <= 14


def test_a_car_on_a_danger_space_shows_both() -> None:
    assert any("[12]!" in line for line in draw(circuits.load("monaco"), {"5:right:1": "12"}, ["5:right:1"]))


def test_what_stands_in_one_column_is_level() -> None:
    lines = draw(circuits.load("monaco"), {"2:left:5": "1", "2:right:6": "2", "2:middle:5": "3"}, around="2:left:5")
    left, middle, right = (
        next(line for line in lines if line.startswith(name)) for name in ("left", "middle", "right")
    )
    assert left.index("[1]") == right.index("[2]") > middle.index("[3]")


def test_around_the_line_the_lap_goes_on() -> None:
    text = "\n".join(draw(circuits.load("monaco"), {}, around="20:left:16"))
    assert "20 straight" in text
    assert "0 straight" in text
    assert "1 Sainte-Dév., 1 stop" in text
    assert text.count("|") >= 3


def test_pits_wall_and_zones() -> None:
    oval = draw(circuits.load("copper-basin"), {"box:3": "9", "pit:2": "8"})
    assert any(line.startswith("box") and "[9]" in line for line in oval)
    assert any(line.startswith("pit") and "[8]" in line for line in oval)
    rows = [line.split()[0] for line in oval if line and line[0] != " "]
    assert rows[:6] == ["pit", "left", "inner-left", "inner-right", "right", "wall"]
    assert any(re.fullmatch(r"wall +=+", line) for line in oval)
    assert any("DRS Sea Front" in line for line in draw(circuits.load("porto-sereno"), {}))


def test_a_corner_sheet_is_a_list_of_corners() -> None:
    lines = draw(circuits.load("spa"), {"corner:3": "4", "after:3": "5"})
    assert len(lines) == len(circuits.load("spa").corners) + 1
    assert lines[2].endswith("[4]")
    assert lines[3].endswith("[5]")


def test_a_car_between_the_line_and_the_first_corner_is_on_the_corner_sheet() -> None:
    assert draw(circuits.load("spa"), {"after:0": "4"})[0] == "   past the line: [4]"
    assert draw(circuits.load("spa"), {"after:0": "4 5"}, lang="fr")[0] == "   après la ligne : [4 5]"


def test_in_french() -> None:
    lines = draw(circuits.load("monaco"), {}, around="9:left:5", lang="fr")
    assert any("9 Loews, 3 arrêts" in line for line in lines)
    assert any("10 ligne droite" in line for line in lines)
    assert lines[-1] == LEGEND["fr"]
    assert max(map(len, lines)) <= 78
    assert "1 arrêt " in draw(circuits.load("spa"), {}, lang="fr")[0]
    rows = [line.split()[0] for line in draw(circuits.load("copper-basin"), {}, lang="fr") if line[:1].strip()]
    assert rows[:6] == ["stands", "gauche", "centre-gauche", "centre-droite", "droite", "mur"]


def test_a_space_that_is_not_there() -> None:
    with pytest.raises(CompanionError, match="Monaco has no space 1:left:99"):
        draw(circuits.load("monaco"), {"1:left:99": "7"})


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_at_40_columns_a_corner_keeps_its_figures_and_its_cars(lang: str) -> None:
    """A name is shortened for them, and what a section has goes on in the next line."""
    monza = circuits.load("monza")
    shown = draw(monza, {f"corner:{corner.number}": "12 7" for corner in monza.corners}, width=38, lang=lang)
    assert max(map(len, shown)) <= 38
    for line, corner in zip(shown, monza.corners, strict=True):
        assert f"{corner.shortest}-{corner.longest}" in line
        assert line.endswith(" [12 7]")
    sections = circuits.board("saltmarsh")
    assert isinstance(sections, SectionTrack)
    queue = "1 2 3 4 5 6 7 8 9 10"
    told = draw_sections(sections, {f"section:{number}": queue for number in range(1, 23)}, 38, lang)
    assert max(map(len, told)) <= 38
    assert " ".join(" ".join(told).split()).count(f"[{queue}]") == len(sections.sections)
