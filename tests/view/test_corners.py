"""Corners of which a circuit knows no name but their number: each reader reads the word for one in his own language."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from companion import circuits
from companion.circuit_index import of_board
from companion.commands.tracks import tracks
from companion.rules.circuit.file import load_track
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.rulebooks import begin
from companion.terminal.board_text import draw
from companion.view.race.race import race
from companion.view.setup.new_race import zones
from companion.view.setup.standing import stretches
from companion.view.sight import Sight
from companion.view.worded import BoardWords
from companion.web.board import board as page_of
from companion.wording import Words
from tests.view.watched import a_desk

# of the paths through a corner a file itself says, in English, how far they are to be trusted
ENGLISH, FRENCH = re.compile(r"(?<!paths through )\bcorner \d", re.I), re.compile(r"\bvirage \d", re.I)


def shown(track: Track, lang: str) -> str:
    """A circuit as everybody shows it: table, page, wall, terminal, preview and the list of circuits."""
    words = BoardWords(lang, "competition", track)
    scene = race(Sight(a_desk(track.key, 2), words)).board
    said = [str(msgspec.to_builtins(scene)), str(stretches(track, words)), zones(of_board(track.key, track), words)]
    said += [str(page_of(track, scene, 1128, 984, named=True)), *draw(track, {}, lang=lang)]
    said += [words.place(space.name) for space in track.spaces]
    said.append(CliRunner().invoke(tracks, ["--lang", lang, "show", track.key]).output)
    return "\n".join(said)


@pytest.mark.parametrize("key", circuits.keys())
def test_no_circuit_says_corner_in_french(key: str) -> None:
    track = circuits.load(key)
    french, english = shown(track, "fr"), shown(track, "en")
    assert not ENGLISH.search(french)
    assert not FRENCH.search(english)
    for corner in track.corners:
        name = corner.name.replace("Corner ", "Virage ")
        assert name in french
        assert corner.name in english


def test_a_board_whose_corners_have_numbers_only_calls_them_corners() -> None:
    """As an imported one has them: in spaces, in stretches, and in the DRS zones that lie between two of them."""
    numbers = iter(range(1, 99))
    text = (circuits.folder() / "monaco.toml").read_text()
    text = re.sub(r'(?m)^corner( *)= ".*"', lambda found: f'corner{found[1]}= "{next(numbers)}"', text)
    track = load_track(text, "numbered.toml", "numbered")
    cars = [{"car": 1}, {"car": 2}]
    setup = {"rulebook": "cup", "track": "numbered", "options": {"table_names_zones": True}, "cars": cars}
    book: Any = begin(setup, track)
    question = Conversation(book).question
    assert question is not None
    for lang, word in (("en", "corner"), ("fr", "virage")):
        words = BoardWords(lang, "cup", track)
        assert f" {word} 3, " in words.place(track.spaces[track.corner.index(2)].name)
        assert any(f"{word} 3" in str(stretch) for stretch in stretches(track, words))
        names = [words.note("zone", option) for option in question.options()]
        assert any(re.search(rf"{word} 6 – {word} 7", name) for name in names)


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "7 on danger space in corner 3: rolls 18 (fails on 1–5), no damage."),
     ("fr", "7 sur la case dangereuse du virage 3\u00a0: fait 18 (échec sur 1–5), la voiture tient.")],
)  # fmt: skip
def test_a_danger_space_of_a_corner_sheet_lies_in_its_corner(lang: str, said: str) -> None:
    held = Ruling("handling", "17-0-2", 7, facts={"face": 18, "to": 5, "at": "corner:3"})
    assert Words(lang).ruling(held) == said
