"""The window of the screens' tests: one for each process, without a display, touched by real touches."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.update(
    SDL_VIDEODRIVER="offscreen",
    KIVY_NO_ARGS="1",
    KIVY_NO_CONFIG="1",
    KIVY_NO_FILELOG="1",
    KIVY_LOG_MODE="PYTHON",
    KIVY_CLIPBOARD="sdl2",
    KIVY_HOME=tempfile.mkdtemp(prefix="companion-kivy-"),
    KIVY_METRICS_DENSITY="1",
    KIVY_METRICS_FONTSCALE="1",
    KCFG_GRAPHICS_WIDTH="800",
    KCFG_GRAPHICS_HEIGHT="480",
    KCFG_GRAPHICS_MULTISAMPLES="0",
    KCFG_GRAPHICS_MAXFPS="0",
)

from typing import TYPE_CHECKING, Any

import pytest

from tests.screens.panels import PANELS

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from tests.screens.rig import Rig
    from tests.screens.table import Table
    from tests.screens.ui import Ui


class Idle:
    """A long sum apart that never gets anywhere."""

    share, over, failed, said, so_far = 0.0, False, False, b"", b""

    def __init__(self, *_: object) -> None: ...

    def end(self) -> None: ...


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """An empty window of 800 by 480 at density 1, dark, in English; `rig.window(size, density)` makes it another. No
    long sum is done apart."""
    from companion.drivers import background_job
    from companion.screens.kit.touch import ears

    monkeypatch.setattr(background_job, "BackgroundJob", Idle)
    from tests.screens.rig import Rig  # only here: the tests without a window do without Kivy

    ears.listen()
    made = Rig()
    made.window(*PANELS[0])
    yield made
    made.clear()


@pytest.fixture(params=PANELS, ids=["7-inch", "display-2"])
def panel(rig: Rig, request: pytest.FixtureRequest) -> Rig:
    """The rig on each of the two panels."""
    rig.window(*request.param)
    return rig


@pytest.fixture(params=["dark", "daylight"])
def look(request: pytest.FixtureRequest) -> str:
    """Each of the two looks."""
    return str(request.param)


@pytest.fixture(params=["en", "fr"])
def language(request: pytest.FixtureRequest) -> str:
    """Each of the two languages."""
    return str(request.param)


@pytest.fixture
def app(rig: Rig, tmp_path: Path) -> Iterator[CompanionApp]:
    """The app in the rig's window, at home, with an empty data folder."""
    from companion.screens.app.app import CompanionApp
    from companion.screens.app.settings import SettingsFile

    made = CompanionApp(tmp_path / "data", SettingsFile(tmp_path / "data"))
    made.open()
    rig.settle()
    yield made
    made.close()


@pytest.fixture
def home_table(rig: Rig, tmp_path: Path) -> Iterator[Table]:
    """A table at home, with an empty data folder."""
    from tests.screens.table import Table

    made = Table(rig, tmp_path)
    yield made
    made.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for races, in memory where there is one."""
    from tests.screens.table import gone, quick_folder

    made = quick_folder()
    yield made
    gone(made)


@pytest.fixture
def at_race(rig: Rig, folder: Path) -> Iterator[Callable[..., Table]]:
    """Open a race in the app, of so many cars at a circuit, and play it on `until` a question; what was opened before
    is closed. `app` are the table's choices, `make` begins a race that is not made of a setup."""
    from companion.drivers.registry import driver_named
    from tests.screens.table import Table, a_race, skip

    made: list[Table] = []

    def at_race(
        key: str = "monaco", many: int = 3, until: Any = None, *, seed: int = 2, app: Any = None, make: Any = None,
        **setup: Any,
    ) -> Table:  # fmt: skip
        while made:
            made.pop().close()
        table = Table.at_race(rig, folder, make or (lambda: a_race(folder, key, many, **setup)), **app or {})
        made.append(table)
        if until is not None:
            skip(table, table.see(lambda desk: driver_named("sensible", desk.rulebook, seed)), until)
        return table

    yield at_race
    for table in made:
        table.close()


@pytest.fixture
def table(at_race: Callable[..., Table]) -> Table:
    """A race of three cars at Monaco in the whole app, before the first gear."""
    return at_race(until=lambda asked: asked.ask == "gear")


@pytest.fixture
def ui(rig: Rig, folder: Path) -> Iterator[Ui]:
    """A person at the touchscreen, at home, with an empty data folder."""
    from tests.screens.ui import Ui

    made = Ui(rig, folder)
    yield made
    made.close()


@pytest.fixture
def bare(rig: Rig) -> Ui:
    """A person before the rig's window, in which the test shows widgets."""
    from tests.screens.ui import Ui

    return Ui.over(rig)


@pytest.fixture
def open_at(rig: Rig, folder: Path) -> Iterator[Callable[..., Ui]]:
    """Open the app over the folder on a screen, in a language; what was opened before is closed."""
    from tests.screens.ui import Ui

    made: list[Ui] = []

    def open_at(name: Any, lang: str = "en", **given: Any) -> Ui:
        while made:
            made.pop().close()
        made.append(Ui(rig, folder, language=lang))
        made[-1].app.go(name, **given)
        made[-1].calm()
        return made[-1]

    yield open_at
    for one in made:
        one.close()
