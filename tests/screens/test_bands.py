"""Bands of a test by touch and by button: what is pressed is what is kept and told, in every place that shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.screens.pages.history import HistoryScreen
from companion.wording import LANGUAGES
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, skip


def at_a_test(rig: Rig, folder: Path, what: str = "", lang: str = "en", **setup: Any) -> Table:
    made = Table.at_race(rig, folder, lambda: a_race(folder, many=6, **setup), language=lang)
    driver = HeuristicDriver(circuits.load("monaco"), 3)
    skip(made, driver, lambda asked: asked.ask == "test" and asked.round > 0 and what in ("", asked.what))
    assert made.controller.layout == "queue"
    return made


def kept(made: Table, n: int) -> Any:
    return made.see(lambda desk: desk.history.items[n].event.answer)


@pytest.mark.parametrize("book", ["competition", "cup", "league", "death"])
def test_a_tapped_band_is_kept_as_a_band_in_every_book(rig: Rig, folder: Path, book: str) -> None:
    """Test after test: the key pressed, the log, the row of the list and the ruling's sentence say the same."""
    made = at_a_test(rig, folder, rulebook=book)
    driver, done = HeuristicDriver(circuits.load("monaco"), 4), 0
    try:
        for _ in range(4):
            n, keys = made.prompt.n, made.screen.band.keys
            offered = made.controller.offered()[0]
            asked = made.see(lambda desk: desk.asked)
            assert [key.answer for key in offered] == asked.bands
            key, answer = keys[done % len(keys)], offered[done % len(keys)].answer
            label = key.face.label
            assert label == "–".join(dict.fromkeys(map(str, answer)))
            made.tap(key)
            assert kept(made, n) == answer
            facts = made.see(lambda desk, n=n: [one.facts for one in desk.history.items[n].rulings])
            assert all(one.get("face", answer) == answer for one in facts)
            done += 1
            skip(made, driver, lambda asked: asked.ask == "test" and asked.round > 0)
            if made.controller.layout != "queue":
                break
        assert done > 1
    finally:
        made.close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_band_is_corrected_by_touch_to_another_band(rig: Rig, folder: Path, lang: str) -> None:
    made = at_a_test(rig, folder, lang=lang, sky="rain")
    try:
        n = made.prompt.n
        made.tap(made.screen.band.keys[-1])
        was = kept(made, n)
        made.app.go("history", n=n)
        made.rig.wait(0.4)
        screen: Any = made.app.screen
        assert isinstance(screen, HistoryScreen)
        made.ui.tap(screen.say("history.correct_key"))
        made.audited()
        assert [pick.label for pick in screen.picks.bands] == ["1–2", "3–20"]
        assert [made.ui.is_chosen(pick.label) for pick in screen.picks.bands] == [
            pick.answer == was for pick in screen.picks.bands
        ]
        assert all(made.ui.offers(str(face)) for face in range(1, 21))
        first = screen.picks.bands[0]
        made.ui.tap(first.label)
        assert screen.trial.faces == (f"{was[0]}–{was[1]}", "1–2")
        assert screen.trial.now.endswith(first.label)
        made.ui.tap(screen.trial.ways[0].label)
        made.until(lambda: kept(made, n) == first.answer)
    finally:
        made.close()


def test_the_buttons_move_among_the_bands_that_are_seen(rig: Rig, folder: Path) -> None:
    """Not among twenty faces that nobody sees: what is outlined is what Confirm gives."""
    made = at_a_test(rig, folder)
    try:
        n, screen = made.prompt.n, made.screen
        screen.press("confirm")
        made.calm()
        assert made.prompt.n == n
        screen.press("up")
        made.calm()
        assert [key.face.chosen for key in screen.band.keys] == [True] + [False] * (len(screen.band.keys) - 1)
        screen.press("last")
        made.calm()
        assert screen.band.keys[-1].face.chosen
        answer = made.controller.offered()[0][-1].answer
        made.audited()
        screen.press("confirm")
        made.calm()
        assert kept(made, n) == answer
        assert answer[1] == 20
    finally:
        made.close()


def test_the_rollers_face_stands_in_its_band_and_is_kept_as_a_face(rig: Rig, folder: Path) -> None:
    made = at_a_test(rig, folder)
    try:
        n, screen = made.prompt.n, made.screen
        assert made.app.playing.seat is not None
        made.app.playing.seat.select(13)
        made.calm()
        found = [key.face.label for key in screen.band.keys if key.face.chosen]
        assert found == ["13"]
        made.audited()
        screen.press("confirm")
        made.calm()
        assert kept(made, n) == 13
    finally:
        made.close()


def test_where_every_face_counts_there_is_no_list_of_bands(rig: Rig, folder: Path) -> None:
    """Qualifying by the die: a key "1–20 safe" would give every car the same twenty."""
    made = Table.at_race(rig, folder, lambda: a_race(folder, many=3, rulebook="cup", options={"grid_by_die": True}))
    try:
        asked = made.see(lambda desk: desk.asked)
        assert (asked.ask, asked.what, asked.bands) == ("test", "grid", None)
        assert made.controller.layout == "race"
        assert len(made.prompt.keys) == 20
        desk_kept: RaceDesk = made.see(lambda desk: desk)
        made.tap(made.screen.band.keys[6])
        assert desk_kept.history.items[0].event.answer == 7
    finally:
        made.close()
