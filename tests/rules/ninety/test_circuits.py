"""Circuits of sections: ours, the template, the checker, and that the two kinds of circuit are told apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import circuits
from companion.commands.main import companion
from companion.rules.conversation.errors import BadSetup, BadTrack
from companion.rules.ninety.circuit import SectionTrack, Sign, Trajectory, load_board, load_sections, section_complaints
from companion.rules.rulebooks import begin
from companion.terminal.board_text import draw_sections
from tests.rules.ninety.stage import RING, TRACK


@pytest.mark.article("ninety", "track.map", "track.sections")
@pytest.mark.parametrize("key", [*circuits.section_keys(), circuits.TEMPLATE])
def test_ours_and_the_template_are_sound(key: str) -> None:
    assert circuits.complaints(key) == []
    track = circuits.board(key)
    assert isinstance(track, SectionTrack)
    assert track.corners
    assert 1 <= track.pit < len(track.sections)


def test_two_of_our_own_are_there_and_no_list_has_the_other_kind() -> None:
    assert {"saltmarsh", "quarry-hill"} <= set(circuits.section_keys())
    assert not set(circuits.keys()) & {*circuits.section_keys(), circuits.TEMPLATE}


def test_what_a_ring_says_is_read() -> None:
    assert [section.kind for section in TRACK.sections[:4]] == ["straight", "straight", "braking", "corner"]
    points = (Trajectory("driving", 1), Trajectory("speeding", 2))
    assert (TRACK.sections[2].late, TRACK.sections[2].trajectories) == (Sign(50), points)
    assert (TRACK.sections[6].name, TRACK.sections[6].bonus) == ("Kink", -1)
    assert (TRACK.turns, TRACK.pit, dict(TRACK.laps)) == (20, 3, {"ninety": 20})


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "corner"', 'kind = "braking"', "Mole"),
        ("turns = 20", "turns = 1", "turns is 1; it has to be a whole number from 2 to 60"),
        ("turns = 20\n", "", "turns is missing"),
        ("pit = 3", "pit = 10", "pit is 10; it has to be a whole number from 1 to 9"),
        ("late = 50", "late = 101", "section 3: late is 101; it has to be a whole number from 1 to 100"),
        ("bonus = 2", "", "section 4: bonus is missing"),
        ('name = "Mole"', "", "section 4: name is missing or empty"),
        (
            '"speeding 2"',
            '"red 2"',
            "section 3: a trajectory is speeding, driving, gear or event and a bonus of 1 to 4",
        ),
        (
            '"speeding 2"',
            '"speeding 7"',
            "section 3: a trajectory is speeding, driving, gear or event and a bonus of 1 to 4",
        ),
        ('"speeding 2"', '"speeding 2 blind 101"', 'section 3: a check is "blind 1" to "blind 100"'),
        ('"speeding 2"', '"speeding 2 own +31"', 'section 3: a check is "blind 1" to "blind 100", or "own -30"'),
        ('"speeding 2"', '"speeding 10 blind 60"', "an extreme one has a bonus up to 9 and its check"),
        ('"speeding 2"', '"speeding 2 60"', 'such as "gear 3 blind 60"'),
        ("late = 50", 'late = "own 45"', 'section 3: late is "own 45"; it is a value such as 45'),
        ("late = 50", 'late = "often"', 'section 3: late is "often"; it is a value such as 45'),
        ("late = 50", "late = true", "section 3: late is True; it has to be a whole number from 1 to 100"),
        ('kind = "straight"', 'kind = "chicane"', 'section 1: kind has to be "straight", "braking" or "corner"'),
        ('source = "a test"', 'weather = "a test"', "weather means nothing here"),
        ("late = 50", "bonus = 4", "section 3: bonus means nothing here"),
        ('known = "sections"', 'known = "sections"\n=', "this is not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_section(old: str, new: str, said: str) -> None:
    assert old in RING
    complaints = list(map(str, section_complaints(RING.replace(old, new), "ring.toml", "ring")))
    assert any(said in complaint for complaint in complaints) or said == "Mole"
    if said != "Mole":
        assert all(complaint.startswith("ring.toml") and complaint.endswith(".") for complaint in complaints)
        with pytest.raises(BadTrack):
            load_board(RING.replace(old, new), "ring.toml", "ring")


PUBLISHED = (
    RING.replace("late = 50", 'late = "own -10"')
    .replace('"driving 1", "speeding 2"', '"gear 3 blind 60", "speeding 5 blind 70", "driving 2 own +10"')
    .replace("pit = 3", "pit = 9")
)
"""A ring with what boards print that are published: Monaco's stop, Spa's extreme points, Suzuka's signs."""


def test_what_published_boards_have_is_read_checked_drawn_and_shown(tmp_path: Path) -> None:
    track = load_sections(PUBLISHED, "a ring", "ring")
    section = track.sections[2]
    assert (track.pit, section.late) == (9, Sign(-10, own=True))
    assert section.trajectories == (
        Trajectory("gear", 3, Sign(60)),
        Trajectory("speeding", 5, Sign(70)),
        Trajectory("driving", 2, Sign(10, own=True)),
    )
    assert load_sections(RING.replace("late = 50", 'late = "own 0"'), "", "").sections[2].late == Sign(0, own=True)
    assert draw_sections(track, {}, 60)[2] == "  3 braking -10 G3! ≤60 S5! ≤70 D2! +10"
    file = tmp_path / "mine.toml"
    file.write_text(PUBLISHED, encoding="utf-8")
    assert CliRunner().invoke(companion, ["tracks", "check", str(file)]).exit_code == 0
    for lang, said in (("en", "gear 3 ≤60, speeding 5 ≤70, driving 2 +10"), ("fr", "boîte 3 ≤60")):
        shown = CliRunner().invoke(companion, ["tracks", "--lang", lang, "show", str(file)], env={"COLUMNS": "160"})
        assert said in " ".join(shown.output.split())
        assert "-10" in shown.output


def test_a_circuit_without_corners_is_refused() -> None:
    text = RING.replace('kind = "corner"', 'kind = "straight"').replace("bonus = 2", "").replace("bonus = -1", "")
    assert list(map(str, section_complaints(text, "ring.toml", "ring"))) == [
        'ring.toml: there is no corner; a circuit needs a section with kind = "corner".'
    ]
    assert str(section_complaints(RING[: RING.index("[[section]]")], "r", "r")[-1]).startswith(
        "r: a circuit has 4 to 60"
    )


def test_the_checker_tells_the_kinds_apart(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(RING.replace("late = 50", "late = 0"), encoding="utf-8")
    wrong = CliRunner().invoke(companion, ["tracks", "--lang", "fr", "check", str(file)])
    assert wrong.exit_code == 1
    assert "section 3" in wrong.output
    file.write_text(RING, encoding="utf-8")
    right = CliRunner().invoke(companion, ["tracks", "--lang", "en", "check", str(file)])
    assert right.output.strip().endswith("Ring, in 10 sections, 2 corners.")
    shown = CliRunner().invoke(companion, ["tracks", "--lang", "fr", "show", "saltmarsh"])
    assert shown.exit_code == 0
    assert "freinage" in shown.output


def test_a_rulebook_and_a_circuit_of_the_other_kind_do_not_go_together() -> None:
    with pytest.raises(BadSetup, match="Monaco is no circuit of sections"):
        begin({"rulebook": "ninety", "cars": [{"car": 1}]}, circuits.load("monaco"))
    with pytest.raises(BadSetup, match="Ring is a circuit of sections"):
        begin({"cars": [{"car": 1}]}, TRACK)
    with pytest.raises(BadTrack, match="Saltmarsh is a circuit of sections"):
        circuits.load("saltmarsh")


def test_the_board_is_drawn_with_each_line_from_its_head() -> None:
    lines = draw_sections(TRACK, {"section:3": "7 2", "section:4": "1"}, 60)
    assert lines[2] == "  3 braking ≤50 D1 S2                  [7 2]"
    assert lines[3].startswith("  4 corner Mole +2")
    assert "virage Kink -1" in draw_sections(TRACK, {}, 60, "fr")[6]
