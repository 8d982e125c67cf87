"""`companion screenshots DIR`: every screen as a picture, from a race that is always the same. No display is needed."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.options import global_lang
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.scenes import MOMENTS, Moment
from companion.screens.widgets.canvas import HIGH

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
"""How far the race of the pictures has come: in the second lap."""
DRIVERS: Final = 8
"""How many cars a moment of a race has."""
PLAYERS: Final = 4
"""How many of them where bots join."""
PATIENCE: Final = 100
"""How often so many frames are waited for what a thread reads or opens."""
FRAMES: Final = 20
"""Pictures drawn before one is taken."""


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
"""Every picture, by the name of its file: how to come to it from home."""


SHEETS: Final = {
    name: where
    for name, where in (
        ("components", "companion.screens.gallery.gallery:Gallery"),
        ("colour", "companion.screens.gallery.colour_sheet:Colours"),
    )
    if importlib.util.find_spec("companion.screens.gallery") is not None
}
"""Pictures that are no screens: all that screens are made of, each as large as its module's SHEET, in dp. They are for
developers: an installed program has none."""


def demo_race(
    folder: Path, answers: int = ANSWERS, drivers: Sequence[tuple[int, str]] = CARS, at: str = "monaco"
) -> RaceDesk:
    """A race in `folder` on a circuit that drivers have brought so far; always the same one."""
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
    """A tournament whose tables are dealt, and a season of which three races are run, of the same drivers always."""
    from companion.desk.organising import begin_season, begin_tournament, usual_season
    from companion.tournament.entrants import Entered, Entrant
    from companion.tournament.results import Confirmed, Line, Result
    from companion.tournament.season import Stage
    from companion.tournament.times import AbsoluteTime
    from companion.tournament.tournament import Begun, Timed

    teams = [TEAMS[min(at // 4 * 2 + at % 2, len(TEAMS) - 1)] for at in range(len(CARS))]  # so that some must be moved
    entrants = tuple(Entrant(number, name, team) for (number, name), team in zip(CARS, teams, strict=True))
    with begin_tournament(folder, Begun(name="Club night", track="monaco"), by="table") as tournament:
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
            lines = tuple(Line(number, place) for place, number in enumerate(order, 1))
            season.act(Result(race=str(race), lines=lines), by="table")
            season.act(Confirmed(race=str(race)), by="race control")


def race_at(moment: Moment, folder: Path) -> RaceDesk:
    """A race in `folder` that a driver has brought to a moment, or to its end."""
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


def _draw_moment(app: CompanionApp, moment: Moment) -> None:
    """Opens the race of a moment, and waits until all of its picture is there."""
    app.playing.open(lambda: race_at(moment, app.folder / "moments"))
    if not _settled(lambda: app.playing.shown is not None):
        raise CompanionError(f"The race of {moment.rulebook} on {moment.at} did not open.")
    if moment.then is not None:
        moment.then(app)
        _settle()


def draw(
    out: Path, panels: Sequence[str], themes: Sequence[str], languages: Sequence[str], scenes: Sequence[str]
) -> list[Path]:
    """Draws the scenes into `out`; the files that were written come back."""
    from companion.screens.app.launch import must_have_window, prepare
    from companion.screens.app.settings import Kept

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
        kept = Kept(Path(folder))
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
                        if not _settled(lambda: app.screen is not None and app.screen.filled):
                            raise CompanionError(f"The screen {scene} cannot be drawn: what it shows was not read.")
                        if app.toast.parent is not None:
                            raise CompanionError(f"The screen {scene} cannot be drawn: {app.toast.shown.text}")
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
    """Draws one of the sheets by itself, in a window that it fills."""
    from kivy.core.window import Window

    from companion.screens.app import snapshot
    from companion.screens.widgets.theme import theme

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
    """A folder in memory where there is one: nothing there outlives the pictures."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _parts(panel: str, theme: str, lang: str) -> list[str]:
    """What tells the picture from the one on the small panel, dark, in English."""
    return [part for part in (panel, theme, lang) if part not in ("800x480", "dark", "en")]


def _settled(there: Callable[[], bool]) -> bool:
    """Lets frames pass until what comes from a thread is there, and then is drawn; whether it came."""
    for _ in range(PATIENCE):
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
@click.option("--theme", type=_some(THEMES), default="dark", show_default=True, help="The light.")
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

    def chosen(one: str | None, every: Sequence[str]) -> Sequence[str]:
        return every if one == "all" else [one or every[0]]

    for path in draw(
        out,
        chosen(panel, list(PANELS)),
        chosen(theme, THEMES),
        chosen(lang or global_lang(ctx), LANGUAGES),
        scenes or [*SCENES, *MOMENTS, *SHEETS],
    ):
        click.echo(path)
