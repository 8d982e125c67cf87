"""What people read at the terminal and on the touchscreen is words: never the notation of programs."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.rules.rulebooks import RULEBOOKS
from companion.wording import Words

JSON = re.compile(r'[{\[]\s*"|"\s*:|: (true|false|null)\b|\bnull\b|[{}]')
WRONG = (
    "blue", "99", "-1", "0", "4.5", "true", "null", "7:left:99", "corner:77", "car 9", "1 2 3", "1:left:1", "pit:9",
    "override", "override blue", "override 99", "override 7:left:99", "override car 9 lap 2", "override car 1 lap 77",
    "override car 1 blue 2", "override 1:left:77 2",
    "override car 1 tyre_laps 9", "override car 1 stops 9", "override car 1 status blue", "override sky blue",
    "override order 9 9", "override car 1 at 9:left:9", "correct 0", "correct 0 blue", "correct 99 1", "seat 9 blue",
    "rename 9 Eve", "undo 99", "redo", "show blue", "dispute", "note", "S3 45 ZZ", "D9 400",
    "after 3 overshot 99", "corner 1 blue", "tyres 99", "6 6 6", "12 6 99", "a" * 200,
)  # fmt: skip
"""Wrong answers and commands of every kind; French ones begin alike or are not known, and are told so."""
RIGHT = ("1", "2", "10", "4", "20", "8", "3", "")
TRACKS = {"ninety": ("saltmarsh",), "death": ("monaco",)}


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_no_message_at_the_terminal_speaks_json(tmp_path: Path, rulebook: str, lang: str) -> None:
    words = Words(lang)
    override = words.table["command"]["override"] or "override"
    values = [f"car 1 {value} {said}" for value in words.words_of("value") for said in ("blue", "9", "true")]
    values += [
        "order blue",
        "order -1",
        "order 2 2",
        "red_flag 9",
        "cut_short true",
        "sky blue",
        "null",
        "true",
        "{",
        "[3",
    ]
    for track in TRACKS.get(rulebook, ("monaco", "sochi")):
        random, typed = Random(track), list[str]()
        for _ in range(12):
            typed += [*random.sample(WRONG, 3), *RIGHT]
        typed += [line for said in random.sample(values, len(values) // 2) for line in (f"{override} {said}", "", "")]
        begun = ["--rulebook", rulebook, "--track", track, "--cars", "Ada, Bob", "--laps", "2"]
        said = said_at_the_terminal(tmp_path / track, lang, ["race", *begun], ["", "", "", *typed, "quit"])
        assert len(said) > 100
        assert [line for line in said if JSON.search(line)] == []


def said_at_the_terminal(folder: Path, lang: str, begun: list[str], typed: list[str]) -> list[str]:
    """Return the lines that are told to a person who types these, without what he typed."""
    done = CliRunner().invoke(companion, ["--data", str(folder), "--lang", lang, *begun], input="\n".join(typed))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    told = [line for line in done.output.splitlines() if not re.match(r"(.* )?> ", line)]
    return [re.sub(r"(^ +|; )(null|\{|\[3)(?= )", r"\1...", line) for line in told]  # his own words, told back
