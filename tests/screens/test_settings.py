"""The table's choices for its screen: kept, read strictly, and never the reason why the screen stays dark."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rules.conversation.errors import CompanionError
from companion.screens.app.settings import FILE, Settings, SettingsFile
from companion.wording import LANGUAGES, Words

ASIDE = "settings.broken.toml"


def test_without_a_file_the_usual_choices_hold_and_nothing_is_written(tmp_path: Path) -> None:
    kept = SettingsFile(tmp_path / "data")
    assert kept.now == Settings()
    assert kept.complaint is None
    assert not (tmp_path / "data").exists()


def test_what_is_chosen_is_there_the_next_time(tmp_path: Path) -> None:
    SettingsFile(tmp_path / "data").change(language="fr", theme="daylight", sound="clock", reduced_motion=True)
    SettingsFile(tmp_path / "data").change(shot_clock=45, prices="after", rotation=180, density=1.5)
    assert SettingsFile(tmp_path / "data").now == Settings(
        language="fr", theme="daylight", sound="clock", reduced_motion=True,
        shot_clock=45, prices="after", rotation=180, density=1.5,
    )  # fmt: skip


def test_what_people_wrote_in_the_file_stays(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('# our club\ntheme = "dark"  # as voted\n', encoding="utf-8")
    SettingsFile(tmp_path).change(theme="auto")
    text = (tmp_path / FILE).read_text(encoding="utf-8")
    assert text == '# our club\ntheme = "auto"  # as voted\n'


@pytest.mark.parametrize(
    "text",
    [
        "theme = dark",
        "theme = 'dark'\ntheme = 'dark'",
    ],
)
def test_a_broken_file_is_told_in_one_sentence_and_set_aside(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    kept = SettingsFile(tmp_path)
    assert kept.now == Settings()
    said = str(kept.complaint)
    assert said.startswith("The settings cannot be read (")
    assert said.endswith(f"they lie in {ASIDE}, and the usual ones hold.")
    assert kept.complaint is not None
    assert Words("fr").error(kept.complaint).startswith("Les réglages sont illisibles (")
    assert (tmp_path / ASIDE).read_text(encoding="utf-8") == text
    kept.change(theme="daylight")
    assert SettingsFile(tmp_path).now == Settings(theme="daylight")
    assert SettingsFile(tmp_path).complaint is None


@pytest.mark.parametrize(
    "text",
    [
        'theme = "pink"',
        'teme = "dark"',
        "shot_clock = 301",
        "shot_clock = true",
        'shot_clock = "30"',
        "rotation = 45",
        "[theme]",
    ],
)
def test_a_wrong_value_is_told_and_the_others_hold(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f"volume = 30\n{text}\n", encoding="utf-8")
    kept = SettingsFile(tmp_path)
    assert kept.now == Settings(volume=30)
    assert kept.complaint is not None
    assert str(kept.complaint).startswith(f"In {FILE}, ")
    assert Words("fr").error(kept.complaint).startswith(f"Dans {FILE}, ")
    kept.change(left_handed=True)
    assert SettingsFile(tmp_path).now == Settings(volume=30, left_handed=True)
    assert text in (tmp_path / FILE).read_text(encoding="utf-8")


def test_every_wrong_value_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('theme = "pink"\nvolume = 30\nrotation = 45\nteme = "dark"\n', encoding="utf-8")
    complaint = SettingsFile(tmp_path).complaint
    assert complaint is not None
    for lang in LANGUAGES:
        said = Words(lang).error(complaint)
        assert all(wrong in said for wrong in ('theme = "pink"', "rotation = 45", 'teme = "dark"'))
        assert "volume" not in said


def test_a_file_that_is_broken_while_the_screen_is_open_is_set_aside_and_no_choice_is_lost(tmp_path: Path) -> None:
    kept = SettingsFile(tmp_path)
    kept.change(language="fr", rotation=90)
    slip = 'language = "fr"\nrotation = 90\nreferee = "Kim\n'
    (tmp_path / FILE).write_text(slip)
    kept.change(theme="daylight")
    assert (tmp_path / ASIDE).read_text() == slip
    assert SettingsFile(tmp_path).now == kept.now == Settings(language="fr", rotation=90, theme="daylight")


def test_of_two_broken_files_neither_is_written_over(tmp_path: Path) -> None:
    for slip in ("first", "second", "third"):
        (tmp_path / FILE).write_text(slip)
        said = str(SettingsFile(tmp_path).complaint)
        assert any(path.name in said and path.read_text() == slip for path in tmp_path.iterdir()), said
    assert {path.read_text() for path in tmp_path.iterdir()} == {"first", "second", "third"}


def test_a_file_that_is_no_text_is_set_aside_too(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")
    assert SettingsFile(tmp_path).complaint is not None
    assert (tmp_path / ASIDE).read_bytes() == b"\xff\xfe\x00"


def test_a_full_disk_is_told_and_the_choice_holds_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    kept = SettingsFile(tmp_path / "data")
    assert kept.complaint is not None
    with pytest.raises(CompanionError, match=r"^The settings could not be kept: "):
        kept.change(theme="daylight")
    assert kept.now.theme == "daylight"
