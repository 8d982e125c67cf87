"""The referee's word as it is typed at the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.rules.rulebooks import begin
from companion.view.pages.override import why_change
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.test_terminal import POSITION, flat, typed

ALL_PLAYED = POSITION | {"to_play": [2]}


def override(folder: Path, *said: str, position: dict[str, object] = POSITION, lang: str = "en") -> str:
    """What the terminal says to these lines in the middle of a race, without where its lines end."""
    file = folder / "position.json"
    file.write_text(json.dumps(position))
    return flat(typed(folder, "--setup", str(file), say=said, lang=lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_loses_or_gains_a_turn_by_an_order_is_told_before_it_is_set(tmp_path: Path, lang: str) -> None:
    word, told = {
        "en": ("override order", "1 Ada will play again this round, 2 Bob will not play this round: is that right?"),
        "fr": ("forcer ordre", "1 Ada va rejouer dans ce tour de jeu, 2 Bob ne va pas jouer dans ce tour de jeu"),
    }[lang]
    shown = override(tmp_path, f"{word} 1", "", f"{word} 2 2", position=ALL_PLAYED, lang=lang)
    assert told in shown
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.rulebook.to_play() == [2], "it was not confirmed"


def test_an_order_of_all_that_still_play_is_not_asked_about(tmp_path: Path) -> None:
    assert "such as Eve" in override(tmp_path, "override order 3 1 2")


def test_the_touchscreen_says_who_loses_a_turn_where_it_asks_for_the_reason() -> None:
    desk = RaceDesk(begin(POSITION, circuits.board("monaco")), setup=POSITION)
    sight = Sight(desk, Words("en"))
    assert why_change(sight, {"order": [1, 3]}).instead == "2 Bob will not play this round"
    assert why_change(sight, {"order": [3, 1, 2]}).instead == sight.say("override.word")
