"""Every scene of `companion screenshots`: audited, and its words compared with those that were kept.

`pytest --accept tests/screens/test_scenes.py` keeps the words of today; read the diff as code.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest
from kivy.core.window import Window

from companion.screens.app.pictures import MOMENTS, SCENES, demo_events, demo_race, race_at
from companion.wording import LANGUAGES
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import gone, quick_folder, race_open
from tests.screens.ui import Ui, Word

WORDS = Path(__file__).parent / "scenes"
"""A file for each scene and language. A line is x at 800 pixels, x at 1280, y, size, text, in dp; "-" where a panel has
none there."""
OF_THE_MACHINE = {"status", "trouble"}
"""Scenes whose words differ with the machine and the folder: only audited."""
MASKED = re.compile(r"\d{4}-\d\d-\d\d|\d?\d:\d\d(?![\d:.])")
"""Dates and times of day."""


@pytest.fixture(scope="module")
def races() -> Iterator[Path]:
    """A data folder with the race, the tournament and the season of the pictures."""
    folder = quick_folder()
    demo_race(folder).close()
    demo_events(folder)
    yield folder
    gone(folder)


def resize(rig: Rig, size: tuple[int, int]) -> None:
    """Give the window another size under the open app."""
    Window.size = size
    rig.until(lambda: tuple(Window.size) == size)


def show(ui: Ui, scene: str) -> None:
    """Open a scene, and wait until all of it is drawn."""
    ui.app.playing.close()
    ui.app.home()
    if scene in MOMENTS:
        moment = MOMENTS[scene]
        ui.app.playing.open(lambda: race_at(moment, ui.folder / "moments"))
        ui.rig.until(lambda: race_open(ui.app))
        ui.calm()
        if moment.then is not None:
            moment.then(ui.app)
    else:
        SCENES[scene](ui.app)
    ui.calm()


def lines(panels: list[list[Word]]) -> list[str]:
    """Return the words of both panels, each once."""
    places: dict[tuple[int, int, float, str], tuple[list[int], list[int]]] = {}
    for panel, words in enumerate(panels):
        for word in words:
            text = MASKED.sub("*", word.text)
            key = (round(word.box.y / 4), round(word.box.y), round(word.size, 1), text)
            places.setdefault(key, ([], []))[panel].append(round(word.box.x))
    found = []
    for (row, y, size, text), both in places.items():
        for pair in zip_longest(*map(sorted, both), fillvalue="-"):
            at = min(x for x in pair if isinstance(x, int))
            found.append((row, at, f"{pair[0]} {pair[1]} {y} {size:g} {text}"))
    return [line for *_, line in sorted(found)]


@pytest.mark.parametrize("scene", [*SCENES, *MOMENTS])
def test_a_scene_can_be_read_and_says_what_it_said(
    rig: Rig, races: Path, scene: str, request: pytest.FixtureRequest
) -> None:
    words: dict[str, list[list[Word]]] = {lang: [] for lang in LANGUAGES}
    ui = Ui(rig, races)
    try:
        for size, _ in PANELS:
            resize(rig, size)
            for lang in LANGUAGES:
                ui.app.choose(language=lang)
                show(ui, scene)
                words[lang].append(ui.words())
                ui.audit_both()
    finally:
        ui.close()
    for lang in LANGUAGES if scene not in OF_THE_MACHINE else ():
        path, now = WORDS / f"{scene}.{lang}.txt", lines(words[lang])
        if request.config.getoption("--accept"):
            path.write_text("\n".join([*now, ""]), encoding="utf-8")
        kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if now != kept:
            pytest.fail("\n".join(difflib.unified_diff(kept, now, "kept", "now", n=0, lineterm="")), pytrace=False)


def test_no_words_are_kept_of_a_scene_that_is_gone() -> None:
    scenes = {*SCENES, *MOMENTS} - OF_THE_MACHINE
    assert {path.name for path in WORDS.iterdir()} == {f"{scene}.{lang}.txt" for scene in scenes for lang in LANGUAGES}
