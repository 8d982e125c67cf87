"""Whole short races by touch under every other rulebook, and their own moments seen by the audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import circuits
from companion.drivers.sensible import Sensible
from companion.screens.build_screen import BuildScreen
from companion.screens.race import RaceScreen
from companion.screens.view.titles import ROOM
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, skip

OVAL = "indianapolis-oval"
LOOKS = [("dark", "en"), ("daylight", "fr"), ("dark", "fr"), ("daylight", "en")]


@pytest.mark.parametrize(("book", "at"), [("cup", OVAL), ("league", OVAL), ("death", "porto-sereno")])
def test_a_whole_race_is_refereed_by_touch(rig: Rig, folder: Path, book: str, at: str) -> None:
    """Every answer of two drivers, from the first question to the classification."""
    made = Table.at_race(rig, folder, lambda: a_race(folder, at, 2, rulebook=book))
    by = Sensible(circuits.load(at), 3)
    try:
        skip(made, by, lambda asked: asked.ask in ("gear", "start", "card"))
        made.play(by, most=500)
        assert made.see(lambda desk: desk.asked) is None
        made.audited()
    finally:
        made.close()


@pytest.mark.parametrize("book", ["cup", "league", "death"])
def test_its_own_moments_pass_the_audit(panel: Rig, folder: Path, book: str) -> None:
    """Each kind of question once, in two looks and languages; no title is cut or begins with a sign."""
    made = Table.at_race(panel, folder, lambda: a_race(folder, "monaco", 4, rulebook=book))
    by = Sensible(circuits.load("monaco"), 5)
    seen: set[tuple[str, str]] = set()
    try:
        for _ in range(60):
            skip(made, by, lambda asked: (asked.ask, asked.what.rstrip("0123456789")) not in seen)
            asked = made.see(lambda desk: desk.asked)
            if asked is None:
                break
            seen.add((asked.ask, asked.what.rstrip("0123456789")))
            if isinstance(made.app.screen, BuildScreen):
                continue
            assert isinstance(made.app.screen, RaceScreen)
            for look, lang in LOOKS[len(seen) % 2 :: 2]:
                made.app.choose(theme=look, language=lang)
                made.calm()
                assert made.prompt.title[:1].isalnum()
                assert len(made.prompt.title) <= ROOM[lang]
                made.audited()
        assert len(seen) > 9
    finally:
        made.close()
