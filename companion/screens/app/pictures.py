"""The command `companion screenshots`: pictures of all screens, always the same.

No display is needed.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from companion.options import global_lang
from companion.rules.conversation.asking import Asked
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import Ask
from companion.screens.kit.canvas import HIGH
from companion.view.race import intents
from companion.view.shown import Price
from companion.wording import Words

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.screens.app.app import CompanionApp

PANELS: Final = {"800x480": (800, 480), "1280x720": (1280, 720)}
THEMES: Final = ("dark", "daylight")
LANGUAGES: Final = ("en", "fr")

CARS: Final = (
    (7, "Bruno"), (22, "Olga"), (14, "Ada"), (31, "Hugo"), (9, "Noé"), (18, "Farid"), (3, "Greta"), (27, "Inès"),
    (5, "Chloé"), (40, "Sven"),
)  # fmt: skip
TEAMS: Final = ("Aster", "Bolide", "Corsa", "Drake", "Etoile")
CALENDAR: Final = ("melbourne", "imola", "montreal", "silverstone", "monaco", "porto-sereno")
ANSWERS: Final = 900
"""Number of answers of the race in the pictures: it is in the second lap."""
DRIVERS: Final = 8
"""Number of cars in a moment of a race."""
PLAYERS: Final = 4
"""Number of cars in such a moment where bots join."""
MAX_ROUNDS: Final = 100
"""Maximum rounds of FRAMES frames to wait for what a thread reads or opens."""
FRAMES: Final = 20
"""Frames drawn before a picture is taken."""


SCENES: Final[Mapping[str, Callable[[CompanionApp], None]]] = {
    "home": lambda app: app.home(),
    "language": lambda app: app.go("language"),
    "new-race": lambda app: app.go("new_race"),
    "new-race-circuit": lambda app: app.go("new_race", step="circuit"),
    "sheets": lambda app: app.go("sheets"),
    "sheet-car": lambda app: app.go("sheet", page="car", car=CARS[0][0]),
    "sheet-log": lambda app: app.go("sheet", page="log", show="cost"),
    "rules": lambda app: app.go("rules", rulebook="competition", article="13-4"),
    "settings": lambda app: app.go("settings"),
    "status": lambda app: app.go("status"),
    "touch-check": lambda app: app.go("touch"),
    "trouble": lambda app: app.show_trouble(),
    "new-event": lambda app: app.go("new_event", kind="tournament"),
    "entrants": lambda app: app.go("entrants"),
    "seeding": lambda app: app.go("seeding"),
    "seeding-moves": lambda app: app.go("seeding", moves=True),
    "result": lambda app: app.go("table_result", kind="season", table="3"),
    "standings": lambda app: app.go("standings", kind="season"),
    "season-calendar": lambda app: app.go("calendar"),
    "driver-statistics": lambda app: app.go("driver", number=CARS[0][0]),
}
"""Ways from home to every picture, by the name of its file."""


class ScenePoint(NamedTuple):
    """A race setup, the question to advance to (its `nth` time), and the touches then."""

    wanted: Callable[[Asked], bool]
    nth: int = 1
    rulebook: str = "competition"
    at: str = "monaco"
    then: Callable[[CompanionApp], object] | None = None


def _asks(ask: Ask, what: str = "") -> Callable[[Asked], bool]:
    return lambda asked: asked.ask == ask and (not what or asked.what == what)


def _costs(asked: Asked) -> bool:
    """Return True at a landing whose cheapest option has a cost, and so a card."""
    return asked.ask == "landing" and bool(asked.options) and bool((asked.options or [])[0].wear)


def _shoots(asked: Asked) -> bool:
    """Return True at an attack with a car to fire at."""
    return asked.ask == "attack" and any("hits_to" in option.facts for option in asked.options or [])


def _hold(app: CompanionApp) -> None:
    """Hold the middle answer."""
    screen: Any = app.screen
    keys = [key for key in screen.now.prompt.keys if not key.why]
    screen.emit(intents.Override(keys[len(keys) // 2]))


def _calls(app: CompanionApp) -> None:
    """Show a call to race control that has been answered."""
    seat: Any = app.playing.seat
    coming = Words(seat._lang).screen("top.coming", who="Jo Keller")
    seat.mark((Price(text=coming, icon="whistle", tone="ok"),), "coming")


MOMENTS: Final[Mapping[str, ScenePoint]] = {
    "race-gear": ScenePoint(_asks("gear"), 30),
    "race-roll": ScenePoint(_asks("roll", "gear_4"), 6),
    "race-landing": ScenePoint(_costs, 2),
    "race-tests": ScenePoint(_asks("test", "collision"), 2),
    "race-pits": ScenePoint(_asks("repair")),
    "race-override": ScenePoint(_asks("roll", "gear_4"), 6, then=_hold),
    "race-called": ScenePoint(_asks("roll", "gear_4"), 6, then=_calls),
    "race-history": ScenePoint(_asks("gear"), 46, then=lambda app: app.go("history")),
    "race-corner-sheet": ScenePoint(_asks("saw"), 12, at="spa"),
    "race-classification": ScenePoint(lambda asked: False),
    "race-pit-grid": ScenePoint(_asks("test", "quick_stop"), 2, "cup"),
    "race-kers": ScenePoint(_asks("kers"), 1, "cup"),
    "race-attack": ScenePoint(_shoots, 6, "death", "porto-sereno"),
    "race-sight": ScenePoint(_asks("sight"), 4, "death", "porto-sereno"),
    "race-sections": ScenePoint(_asks("play"), 11, "ninety", "quarry-hill"),
    "race-contest": ScenePoint(_asks("contest"), 3, "ninety", "quarry-hill"),
    "race-contest-cards": ScenePoint(_asks("show"), 2, "ninety", "quarry-hill"),
    "race-shot": ScenePoint(_asks("test", "attack"), 3, "death", "porto-sereno"),
}
"""Moments of a race, by the name of their picture."""


SHEETS: Final = {
    name: where
    for name, where in (
        ("components", "companion.screens.gallery.gallery:Gallery"),
        ("colour", "companion.screens.gallery.colour_sheet:Colours"),
    )
    if importlib.util.find_spec("companion.screens.gallery") is not None
}
"""Pictures of the parts that screens are made of, each as large as its module's SHEET, in dp. They are for developers:
an installed program has none."""


def demo_race(
    folder: Path, answers: int = ANSWERS, drivers: Sequence[tuple[int, str]] = CARS, at: str = "monaco"
) -> RaceDesk:
    """Return a demo race in `folder`, always the same, after some answers."""
    from companion import circuits
    from companion.desk.beginning import begin_race
    from companion.drivers import Driver
    from companion.drivers.sensible import HeuristicDriver

    circuit = circuits.load(at)
    cars = [{"car": number, "driver": name} for number, name in drivers]
    setup = {"track": circuit.key, "laps": 3, "cars": cars}
    desk = begin_race(setup, at, folder, name=f"{circuit.name}, club night")
    driver: Driver = HeuristicDriver(circuit, 5)
    for _ in range(answers):
        asked = desk.asked
        if asked is None:
            break
        desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="table")
    return desk


def demo_events(folder: Path) -> None:
    """Write a demo tournament with dealt tables, and a season with three races run."""
    from companion.desk.organising import begin_season, begin_tournament, usual_season
    from companion.tournament.entrants import Entered, Entrant
    from companion.tournament.results import Confirmed, Result, ResultLine
    from companion.tournament.season import Stage
    from companion.tournament.times import AbsoluteTime
    from companion.tournament.tournament import Timed, TournamentBegun

    teams = [TEAMS[min(at // 4 * 2 + at % 2, len(TEAMS) - 1)] for at in range(len(CARS))]  # so that some must be moved
    entrants = tuple(Entrant(number, name, team) for (number, name), team in zip(CARS, teams, strict=True))
    with begin_tournament(folder, TournamentBegun(name="Club night", track="monaco"), by="table") as tournament:
        tournament.act(Entered(entrants=entrants), by="table")
        for at, one in enumerate(entrants):
            tournament.act(Timed(driver=one.number, session=1, time=AbsoluteTime(17 + at, 6000 + at)), by="table")
        tournament.act(tournament.record.seeding(tables=2), by="table")
    calendar = tuple(Stage(track) for track in CALENDAR)
    with begin_season(folder, usual_season("league", "Thursday League", calendar), by="table") as season:
        season.act(Entered(entrants=entrants), by="table")
        numbers = [number for number, _ in CARS]
        for race in range(1, 4):
            order = numbers[-race:] + numbers[:-race]
            lines = tuple(ResultLine(number, place) for place, number in enumerate(order, 1))
            season.act(Result(race=str(race), lines=lines), by="table")
            season.act(Confirmed(race=str(race)), by="race control")


def race_at(moment: ScenePoint, folder: Path) -> RaceDesk:
    """Return a race in `folder`, advanced by a driver to a moment, or to its end."""
    from companion import circuits
    from companion.desk.beginning import begin_race
    from companion.drivers import Driver
    from companion.drivers.cards import HeuristicCardDriver
    from companion.drivers.sensible import HeuristicDriver
    from companion.rules.ninety.circuit import SectionTrack

    circuit = circuits.board(moment.at)
    sections = isinstance(circuit, SectionTrack)
    cars = [{"car": number, "driver": name} for number, name in CARS[: PLAYERS if sections else DRIVERS]]
    setup = {
        "track": circuit.key,
        "rulebook": moment.rulebook,
        "cars": cars,
        **({"deck": 3} if sections else {"laps": 2}),
    }
    desk = begin_race(setup, moment.at, folder, name=f"{circuit.name}, {moment.rulebook}")
    driver: Driver = (
        HeuristicCardDriver(circuit, 5) if isinstance(circuit, SectionTrack) else HeuristicDriver(circuit, 5)
    )
    seen = 0
    while (asked := desk.asked) is not None:
        seen += moment.wanted(asked)
        if seen == moment.nth:
            break
        desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="table")
    return desk


def _draw_moment(app: CompanionApp, moment: ScenePoint) -> None:
    """Open the race of a moment, and wait until its picture is complete."""
    app.playing.open(lambda: race_at(moment, app.folder / "moments"))
    if not _settled(lambda: app.playing.shown is not None):
        raise CompanionError("scene_not_opened", rulebook=moment.rulebook, at=moment.at)
    if moment.then is not None:
        moment.then(app)
        _settle()


def draw(
    out: Path, panels: Sequence[str], themes: Sequence[str], languages: Sequence[str], scenes: Sequence[str]
) -> list[Path]:
    """Draw the scenes into `out`; return the files written."""
    from companion.screens.app.launch import must_have_window, prepare
    from companion.screens.app.settings import SettingsFile

    prepare("offscreen")
    from kivy.config import Config

    Config.set("graphics", "maxfps", 0)  # nobody watches
    logging.getLogger(f"{__package__}.disk").addHandler(logging.NullHandler())  # these races are lost, and may be
    must_have_window()
    from kivy.base import EventLoop
    from kivy.core.window import Window

    from companion.screens.app import snapshot
    from companion.screens.app.app import CompanionApp

    out.mkdir(parents=True, exist_ok=True)
    EventLoop.ensure_window()
    EventLoop.start()
    written = []
    with tempfile.TemporaryDirectory(prefix="companion-pictures-", dir=_quick()) as folder:
        demo_race(Path(folder)).close()
        demo_events(Path(folder))
        kept = SettingsFile(Path(folder))
        kept.change(reduced_motion=True)
        app = CompanionApp(Path(folder), kept)
        app.open()
        for panel in panels:
            Window.size = PANELS[panel]
            _settle()
            for theme in themes:
                for lang in languages:
                    app.choose(theme=theme, language=lang)
                    for scene in scenes:
                        if scene in SHEETS:
                            continue
                        app.home()
                        if scene in MOMENTS:
                            _draw_moment(app, MOMENTS[scene])
                        else:
                            SCENES[scene](app)
                        if not _settled(lambda: app.screen is not None and app.screen.is_loaded):
                            raise CompanionError("scene_failed", scene=scene, why="what it shows was not read.")
                        if app.toast.parent is not None:
                            raise CompanionError("scene_failed", scene=scene, why=app.toast.shown.text)
                        path = out / "-".join([scene, *_parts(panel, theme, lang)])
                        snapshot.png(path.with_suffix(".png"))
                        written.append(path.with_suffix(".png"))
                        if scene in MOMENTS:
                            app.playing.close()
        app.close()
    for panel in panels:
        for theme in themes:
            for lang in languages:
                for sheet in scenes:
                    if sheet in SHEETS:
                        path = (out / "-".join([sheet, *_parts(panel, theme, lang)])).with_suffix(".png")
                        _draw_sheet(sheet, PANELS[panel][1] / HIGH, theme, lang, path)
                        written.append(path)
    return written


def _draw_sheet(sheet: str, density: float, look: str, lang: str, path: Path) -> None:
    """Draw one of the sheets on its own, in a window that it fills."""
    from kivy.core.window import Window

    from companion.screens.app import snapshot
    from companion.screens.kit.theme import theme

    module, _, name = SHEETS[sheet].partition(":")
    made = importlib.import_module(module)
    theme.look, theme.language, theme.scale = look, lang, density
    Window.size = tuple(round(side * density) for side in made.SHEET)
    _settle()
    shown = getattr(made, name)(size=Window.size)
    Window.add_widget(shown)
    _settle()
    snapshot.png(path)
    Window.remove_widget(shown)


def _quick() -> str | None:
    """Return a folder in memory, or None without one; only the pictures are kept."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _parts(panel: str, theme: str, lang: str) -> list[str]:
    """Return the parts of a file name that differ from 800x480, dark and English."""
    return [part for part in (panel, theme, lang) if part not in ("800x480", "dark", "en")]


def _settled(there: Callable[[], bool]) -> bool:
    """Run frames until a thread's result is there and drawn; return True if it came."""
    for _ in range(MAX_ROUNDS):
        came = there()
        _settle()
        if came:
            return True
    return False


def _settle() -> None:
    import time

    from kivy.base import EventLoop

    for _ in range(FRAMES):
        EventLoop.idle()
        time.sleep(0.01)


def _some(names: Sequence[str]) -> click.Choice[str]:
    return click.Choice([*names, "all"])


@click.command()
@click.argument("out", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--panel", type=_some(list(PANELS)), default="800x480", show_default=True, help="The size of the panel.")
@click.option("--theme", type=_some(THEMES), default="dark", show_default=True, help="The theme.")
@click.option("--lang", "lang", type=_some(LANGUAGES), help="The language.")
@click.option(
    "--screen", "scenes", type=click.Choice([*SCENES, *MOMENTS, *SHEETS]), multiple=True, help="Only these screens."
)
@click.pass_context
def screenshots(
    ctx: click.Context, out: Path, panel: str, theme: str, lang: str | None, scenes: tuple[str, ...]
) -> None:
    """Draw every screen into DIR, as PNG files."""
    os.environ["SDL_AUDIODRIVER"] = "dummy"

    def select(one: str | None, every: Sequence[str]) -> Sequence[str]:
        return every if one == "all" else [one or every[0]]

    for path in draw(
        out,
        select(panel, list(PANELS)),
        select(theme, THEMES),
        select(lang or global_lang(ctx), LANGUAGES),
        scenes or [*SCENES, *MOMENTS, *SHEETS],
    ):
        click.echo(path)
