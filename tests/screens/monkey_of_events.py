"""A monkey at the organiser's screens, and the other hands that act on the same record meanwhile.

A tournament, a season and trials lie in one folder, each as far as somebody got with it. Whoever has the record
acts on it while the monkey touches: takes back, types a result, draws a grid, finds that the stick is gone.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from kivy.core.window import Window

from companion.desk.organising import begin_season, begin_tournament
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.visits import ScreenName
from companion.screens.kit.theme import theme
from companion.sheets.reading import reading
from companion.sheets.records import kinds, records
from companion.tournament import season, tournament
from companion.tournament.entrants import Changed, Entered, Entrant, Here, Removed, Withdrawn
from companion.tournament.record import Act, Noted, Record
from companion.tournament.results import Confirmed, Result, ResultCorrected, ResultLine
from companion.tournament.times import AbsoluteTime
from companion.tournament.trials import TrialDriver, TrialsOpened
from companion.tournament.weather import Drawn
from tests.screens.monkey import Monkey
from tests.screens.recorded import recorded
from tests.screens.table import Table

NAMES: Final = ("Ada", "Élodie de la Fontaine-Dub", "Żak", "山田太郎", "W" * 26, "Bo", "אלכסנדרה", "Cy", "Dee", "Ed")
CLUBS: Final = ("Lyon", "", "Écurie de la Haute-Saône", "Bo")
TRACKS: Final = (
    "monaco", "spa", "porto-sereno", "imola", "suzuka", "montreal", "silverstone", "kestrel-moor", "zandvoort",
)  # fmt: skip
WHY: Final = ("misread", "x" * 70, "é")


def drivers(many: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(n, f"{NAMES[n % len(NAMES)]} {n}", CLUBS[n % len(CLUBS)]) for n in range(1, many + 1))


def lines(record: Any, race: str, chance: random.Random) -> tuple[ResultLine, ...]:
    """A result of a race at random."""
    order = list(record.seated(race)) if isinstance(record, tournament.Tournament) else record.drivers(int(race))
    chance.shuffle(order)
    home = chance.randrange(len(order) + 1) if chance.random() < 0.4 else len(order)
    return tuple(
        ResultLine(n, at if at <= home else None, "" if at <= home else "engine") for at, n in enumerate(order, 1)
    )


def time_of(chance: random.Random) -> AbsoluteTime:
    return AbsoluteTime(14, chance.randrange(5000, 7000), at="2026-01-01T00:00:00.000Z")


def any_act(record: Any, chance: random.Random) -> Act:
    """Something that might be done now, or be refused."""
    one = chance.choice([*record.field.entrants, 99]) if hasattr(record, "field") else 1
    kinds: list[Callable[[], Act]] = [
        lambda: Noted(text="é" * 30),
        lambda: Entered(entrants=(Entrant(chance.randrange(1, 60), f"{chance.choice(NAMES)} {chance.randrange(99)}"),)),
        lambda: Changed(number=one, entrant=Entrant(chance.randrange(1, 99), f"Z{chance.randrange(99)}", "Lyon")),
        lambda: Removed(number=one),
        lambda: Withdrawn(number=one, why="ill"),
    ]
    if isinstance(record, tournament.Tournament):
        last = max(record.rounds, default=0)
        tables = [f"{at}.{n}" for at, round_ in record.rounds.items() for n in range(1, len(round_.tables) + 1)]
        table = chance.choice([*tables, "1.1"])
        kinds += [
            lambda: Here(numbers=tuple(record.field.standing), here=chance.random() < 0.8),
            lambda: tournament.Timed(driver=one, session=1, time=time_of(chance), why="x"),
            lambda: record.seeding(tables=chance.randrange(1, 4), again=chance.random() < 0.5,
                                   source=chance.choice(("trials", "standings", "number"))),
            lambda: record.seeding(tables=1, source="standings", first=3, final=True),
            lambda: tournament.Published(round=last, why="so"),
            lambda: tournament.Swapped(round=last, one=one, other=chance.choice(list(record.field.entrants)), why="x"),
            lambda: tournament.Reseated(round=last, one=one, other=chance.choice(list(record.field.entrants)), why="x"),
            lambda: tournament.Steward(table=table, name=chance.choice(NAMES)),
            lambda: Drawn(sky=chance.choice(("sun", "rain")), face=chance.randrange(1, 21), round=last, why="x"),
        ]  # fmt: skip
    elif isinstance(record, season.Season):
        table = str(chance.randrange(1, len(record.begun.calendar) + 1))
        race = int(table)
        kinds += [
            lambda: season.Missed(race=race, number=one, missed=chance.random() < 0.7),
            lambda: season.Substituted(race=race, number=one, driver=chance.choice(NAMES)),
            lambda: season.Postponed(race=race, date="", track=chance.choice(TRACKS), why="x"),
            lambda: season.Abandoned(race=race, why="x"),
            lambda: season.Gridded(race=race, order=tuple(chance.sample(d := list(record.drivers(race)), len(d))),
                                   rule="hand", why="x"),
        ]  # fmt: skip
    if isinstance(record, tournament.Tournament | season.Season):
        kinds += 3 * [
            lambda: Result(race=table, lines=lines(record, table, chance)),
            lambda: ResultCorrected(race=table, lines=lines(record, table, chance), why=chance.choice(WHY)),
            lambda: Confirmed(race=table),
        ]
    return chance.choice(kinds)()


def act_on(desk: Any, chance: random.Random, by: str = "somebody else") -> str:
    """One act at random on a record, if it can be; what it was."""
    if isinstance(desk, TrialDesk):
        return trial_act(desk, chance)
    try:
        if chance.random() < 0.25:
            return f"undo {type(desk.undo(by=by).act).__name__}"
        act = any_act(desk.record, chance)
        desk.act(act, by=by)
        return type(act).__name__
    except CompanionError as wrong:
        return f"refused {wrong.kind}"
    except (KeyError, ValueError, IndexError):
        return "nothing"  # what the monkey thought of has no sense here


def trial_act(desk: TrialDesk, chance: random.Random) -> str:
    n = chance.choice([*desk.record.drivers])
    acts: list[Callable[[], object]] = [
        lambda: desk.typed(n, chance.randrange(1, 3), time_of(chance)),
        desk.undo, lambda: desk.start(n, "soft"), desk.enter, desk.stop, lambda: desk.sky("rain", 3), desk.again,
        lambda: desk.tap("throw"),
    ]  # fmt: skip
    act = chance.choice(acts)
    try:
        act()
    except (CompanionError, TypeError, AttributeError) as wrong:
        return f"refused {wrong}"
    return "trial act"


def kept_events(folder: Path, chance: random.Random, acts: int) -> None:
    """A tournament, a season and trials, each with so many acts at random."""
    many = chance.choice((0, 2, 3, 6, 10))
    cup = tournament.TournamentBegun(
        name="Coupe de la Haute-Saône", track="monaco", laps=1, sessions=chance.choice((1, 2))
    )
    with begin_tournament(folder, cup, by="Weber") as desk:
        if many:
            desk.act(Entered(entrants=drivers(many)), by="Weber")
            desk.act(Here(numbers=tuple(range(1, many + 1))), by="Weber")
        for _ in range(acts):
            act_on(desk, chance)
    tracks = TRACKS[: chance.choice((1, 3, 8, 9))]
    league = season.SeasonBegun(
        name="Ligue du jeudi", calendar=tuple(season.Stage(track, f"{at} Jun") for at, track in enumerate(tracks, 1)),
        points=(9, 6, 4, 3, 2, 1), drivers=0, team=0, races=0,
    )  # fmt: skip
    with begin_season(folder, league, by="Weber") as of_season:
        if many:
            of_season.act(Entered(entrants=drivers(many)), by="Weber")
        for _ in range(acts):
            act_on(of_season, chance)
    people = tuple(TrialDriver(number=n, name=NAMES[n], team="", colour=n) for n in range(1, max(2, many - 1)))
    with TrialDesk.begin(folder, TrialsOpened(name="Essais", track="monaco", drivers=people, sessions=2)) as trials:
        trials.sky("sun", 15)
        for _ in range(acts):
            trial_act(trials, chance)


SCREENS: Final[tuple[ScreenName, ...]] = (
    "acts", "arranging", "calendar", "driver", "entrants", "import", "seeding", "standings", "table_result", "taking",
    "timing", "weather", "trial", "new_event",
)  # fmt: skip


class EventMonkey(Monkey):
    """Touches the organiser's screens; other hands act meanwhile."""

    def __init__(self, table: Table, seed: int, stick: Path) -> None:
        super().__init__(table, seed)
        self.stick = stick
        self.screens: tuple[ScreenName, ...] = SCREENS
        self.ways.update(
            {
                self.leave: 2,
                self.other_hand: 4,
                self.by_command: 1,
                self.pull_stick: 1,
                self.minute: 2,
                self.type_all: 3,
                self.go_back: 2,
                self.roll: 1,
            }
        )

    def rest(self) -> None:
        super().rest()
        if self.chance.random() < 0.6:
            recorded(self.table.rig, self.table.app)
            self.table.rig.settle(2)

    def leave(self) -> None:
        app = self.table.app
        if self.chance.random() < 0.15 or len(app.visits) > 6:
            app.home()
        if self.chance.random() < 0.1:
            return
        name = self.chance.choice(self.screens)
        self.did.append(f"goes to {name}")
        self.go(name)

    def go(self, name: ScreenName) -> None:
        app: Any = self.table.app
        kind = self.chance.choice(("tournament", "season"))
        if name in ("seeding", "weather"):
            kind = "tournament"
        elif name in ("calendar", "arranging"):
            kind = "season"
        elif name == "acts":
            kind = self.chance.choice(("tournament", "season", "trials"))
        if name == "new_event":
            app.go(name, kind=kind)
        elif name == "trial":
            app.go(name, trials="last")
        elif name == "timing":
            app.go(name)
        elif name == "table_result":
            table = self.chance.choice(("1.1", "1.2", "2.1")) if kind == "tournament" else self.chance.choice("123")
            app.go(name, kind=kind, table=table, correct=self.chance.random() < 0.3)
        elif name == "driver":
            app.go(name, kind=kind, number=self.chance.randrange(1, 5))
        elif name in ("calendar", "arranging"):
            app.go(name, race=self.chance.randrange(1, 4))
        else:
            app.go(name, kind=kind)

    def other_hand(self) -> None:
        """Somebody else acts on the record that is open."""
        said: list[str] = []
        recording = self.table.app.recording
        if recording.key:
            recording.do(lambda desk: act_on(desk, self.chance), said.append)
            recorded(self.table.rig, self.table.app)
            self.did[-1] += f" {said}"
            if self.chance.random() < 0.5:
                self.table.read_again()

    def by_command(self) -> None:
        """The command line acts on a record, while this one is at home or has it, and is refused then."""
        listed = self.chance.choice(listing(self.table.folder))
        kind = kinds()[listed.kind]
        if self.chance.random() < 0.5:
            self.table.app.home()
        try:
            opened: Any = (
                TrialDesk.resume(self.table.folder, listed.log_id)
                if listed.kind == "trials"
                else RecordDesk.resume(self.table.folder, kind, listed.log_id)
            )
        except CompanionError as wrong:
            self.did[-1] += f" {wrong.kind}"
            return
        with opened as desk:
            self.did[-1] += f" {listed.kind} {act_on(desk, self.chance)}"
            if self.chance.random() < 0.3:
                self.leave()
                self.table.rig.settle(3)
                self.rest()

    def pull_stick(self) -> None:
        if self.stick.exists():
            shutil.rmtree(self.stick)
        else:
            plugged(self.stick, self.chance)

    def minute(self) -> None:
        self.table.rig.stall(60)
        self.table.rig.settle(1)

    def type_all(self) -> None:
        """Something is typed, and done."""
        Window.dispatch("on_textinput", self.chance.choice(("Ada", "14", "1:02.3", "é", "  ", "x" * 50)))
        done = self.table.ui.places(theme.words.screen("keyboard.done"))
        if self.chance.random() < 0.7 and done:
            self.table.rig.tap(*done[-1])

    def go_back(self) -> None:
        self.table.app.back()


def plugged(stick: Path, chance: random.Random) -> None:
    """A stick with lists of entrants, whole and broken ones."""
    stick.mkdir(parents=True)
    (stick / "a.csv").write_text("number;name;club\n1;Ada;Lyon\n2;Bo;\n77;Żak;Écurie\n", "utf-8")
    (stick / "b.csv").write_bytes(b"\xff\xfe\x00" * 40)
    (stick / "c.txt").write_text("", "utf-8")
    (stick / "d.csv").write_text("\n".join(f"{n},Driver {n},T{n % 3}" for n in range(1, 41)), "utf-8")


def listing(folder: Path) -> list[Any]:
    with reading(folder) as db:
        return records(db)


def read_again(folder: Path) -> None:
    """Every record on the disk can be read again and written on."""
    for listed in listing(folder):
        kind: type[Record] = kinds()[listed.kind]
        with RecordDesk.resume(folder, kind, listed.log_id) as desk:
            again = type(desk.record).of(desk.record.log)
            assert again.log == desk.record.log
