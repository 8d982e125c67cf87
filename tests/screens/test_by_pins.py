"""A race of every rulebook by the pins of its buttons alone, from the first question to the flag."""

from __future__ import annotations

import random
import sys
from importlib import resources
from pathlib import Path
from typing import Any, Final, get_args

import pexpect
import pytest
from click.testing import CliRunner

from companion import circuits
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import DiceAsk, SectionAsk
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.app.app import CompanionApp
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.theme import theme
from companion.view.race.prompt import layout_of
from companion.view.shown_race import QueueRow
from hardware import debounce
from hardware.parts import Parts
from hardware.wiring import FILE
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, race_open
from tests.web.test_widths import POSITIONS, RACES, setup_of

AT: Final = {"death": "porto-sereno", "ninety": "quarry-hill"}
OVAL: Final = "indianapolis-oval"
BY_FINGER: Final[dict[str, set[str]]] = {}
"""The questions of each rulebook for which buttons have no visible focus yet, so that a finger answers them."""
TYPED: Final = {("qualify", "keys"), ("drawn", "keys"), ("play", "keys"), ("show", "keys")}
"""The questions, with their layouts, that ask for cards which only the table sees."""
NEAR: Final = 4
"""So many presses away an answer is still worth it; else one of the first is given."""


def driver_of(key: str) -> Driver:
    board = circuits.board(key)
    return HeuristicCardDriver(board, 2) if isinstance(board, SectionTrack) else HeuristicDriver(board, 2)


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have contacts that hardly bounce, and nobody who taps twice."""
    monkeypatch.setattr(debounce, "GUARD", 0)
    monkeypatch.setattr(debounce, "SETTLES", 5)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_a_race_is_played_by_pins_alone(rig: Rig, folder: Path, book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is confirmed is what was marked, or what stands on the great key; a finger helps where it is named."""
    quick(monkeypatch)
    key, drawn, fingers = AT.get(book, OVAL), random.Random(1), set()
    driver, many, laps = driver_of(key), 3 if book == "ninety" else 2, 6 if book == "ninety" else 1
    table = Table(rig, folder, hardware=True)
    more = {"deck": 7} if book == "ninety" else {}  # cards of the table are typed, by fingers
    table.app.playing.open(lambda: a_race(folder, key, many, rulebook=book, laps=laps, **more))
    table.until(lambda: table.app.playing.shown is not None)
    table.calm()
    try:
        for _ in range(900):
            asked = table.see(lambda desk: desk.asked)
            if asked is None:
                break
            table.until(lambda: shows(table))
            table.calm()
            before = table.see(lambda desk: len(desk.history.items))
            if not pressed(table, table.wanted(driver), drawn):
                fingers.add(asked.ask)
                table.one(driver)
            given = table.see(lambda desk: len(desk.history.items))
            assert given > before, (table.prompt.title, table.ui.screen())
        assert table.see(lambda desk: desk.over)
        assert fingers == BY_FINGER.get(book, set())
        assert table.taps == 0 or fingers
        table.press("confirm")
        assert [visit.name for visit in table.app.visits] == ["home"]
    finally:
        table.close()


def shows(table: Table) -> bool:
    """Whether the open question is on the screen, whole."""
    return table.app.visits[-1].name in ("build", "race") and table.prompt.n == table.see(lambda desk: desk.n)


def selected(table: Table, wanted: Json, drawn: random.Random, before: int) -> None:
    """One answer: moved to, seen, and confirmed."""
    keys, cursor = table.offered()
    allowed = [at for at, key in enumerate(keys) if not key.why]
    at = allowed.index(cursor) if cursor in allowed else -1
    to = next((place for place, one in enumerate(allowed) if keys[one].answer == wanted), len(keys) + NEAR)
    if abs(to - at) > NEAR:
        to = drawn.randrange(min(3, len(allowed)))
    for _ in range(abs(to - at)):
        table.press("up" if to > at else "down")
    keys, selected = table.offered()
    assert selected == allowed[to], (table.prompt.title, to, at)
    chosen = keys[selected]
    attack, act = table.shown.attack, table.prompt.act
    if table.prompt.layout == "pick" or table.prompt.typed != (0, 0):  # the great key says which cards are played
        assert table.ui.offers(chosen.label)
    elif attack is not None and chosen.answer is not None:
        assert attack.act is not None
        assert table.ui.offers(attack.act.label)
    elif act is not None:
        assert table.ui.offers(act.label)
    else:
        assert table.ui.chosen(), table.prompt.title
    table.press("confirm")
    given = table.see(lambda desk: [item.event.answer for item in desk.history.items])
    assert len(given) > before, (table.prompt.title, chosen, table.texts())
    assert given[before] == chosen.answer


class Kinds:
    """Which kinds of question were answered by pins, each in each of its layouts, and which wait for a finger."""

    def __init__(self, rig: Rig, folder: Path) -> None:
        self.rig, self.folder = rig, folder
        self.met: set[tuple[str, str]] = set()
        self.typed: set[tuple[str, str]] = set()

    def answer(self, setup: dict[str, Any], track: str, driver: Any, answers: int) -> None:
        """Answer what is new in a race by pins, then take that back and give the driver's own answer."""
        wanted: list[Json] = []

        def go_on(desk: RaceDesk) -> None:
            while (asked := desk.asked) is not None:
                if wanted:
                    desk.answer(wanted.pop())
                    continue
                if desk.n < answers:
                    wanted.append(driver.answer(asked, desk.rulebook.race))
                if (asked.ask, layout_of(asked)) not in self.met | self.typed or not wanted:
                    break

        table = Table(self.rig, self.folder, hardware=True)
        table.app.playing.open(lambda: begin_race(setup, track, self.folder, name="Table 4"))
        table.until(lambda: table.app.playing.seat is not None and table.app.playing.shown is not None)
        seat = table.app.playing.seat
        assert seat is not None
        try:
            while True:
                seat.act(go_on).result(20)
                asked = table.see(lambda desk: desk.asked)
                if asked is None or (kind := (asked.ask, layout_of(asked))) in self.met | self.typed:
                    break
                table.until(lambda: shows(table))
                table.calm()
                if not pressed(table, wanted[0] if wanted else None, random.Random(1)):
                    self.typed.add(kind)
                    continue
                self.met.add(kind)
                seat.act(lambda desk: desk.undo()).result(20)
        finally:
            table.close()


def pressed(table: Table, wanted: Json, drawn: random.Random) -> bool:
    """Whether pins can answer the open question; what is wanted, if that is near. A car is built as the preset has it,
    or on the first tyres."""
    before = table.see(lambda desk: len(desk.history.items))
    if table.app.visits[-1].name == "build":
        if table.ui.offers(theme.words.screen("build.preset")):
            table.press("next")
        table.press("confirm")
    elif table.layout == "pools":
        table.press("confirm")
    elif table.offered()[0]:
        selected(table, wanted, drawn, before)
    else:
        return False
    assert table.see(lambda desk: len(desk.history.items)) > before, (table.prompt.title, table.texts())
    return True


def test_every_kind_of_question_is_answered_by_pins(
    rig: Rig, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that a race seldom asks. A finger types the cards of the table, and nothing else."""
    quick(monkeypatch)
    kinds = Kinds(rig, folder)
    for race in RACES:
        kinds.answer(setup_of(race), race.track, race.driver(circuits.board(race.track), race.seed), race.answers)
    for place, (text, setup, driver) in enumerate(POSITIONS):
        board = tmp_path / f"{place}.toml"
        board.write_text(text, encoding="utf-8")
        kinds.answer({**setup, "track": str(board)}, str(board), driver, len(driver.answers))
    assert kinds.typed == TYPED
    assert {ask for ask, _ in kinds.met | kinds.typed} == {*get_args(DiceAsk), *get_args(SectionAsk)}


def test_buttons_of_another_terminal_drive_the_touchscreen(rig: Rig, folder: Path) -> None:
    """`companion hardware buttons simulate` is there before the touchscreen, after it, and again."""
    path = folder / "buttons"
    plan = resources.files("hardware").joinpath(FILE).read_text(encoding="utf-8")
    (folder / FILE).write_text(f'chip = "{path}"\n{plan}'.replace("/dev/companion-roller", str(folder / "none")))
    command = f"-m companion.commands.main --lang en --data {folder} hardware buttons simulate".split()

    def terminal() -> Any:
        return pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60, dimensions=(24, 160))

    child = terminal()
    child.expect("No touchscreen hears them yet")
    app = CompanionApp(folder, SettingsFile(folder), beside=Parts(folder))
    app.open()
    rig.until(lambda: app.beside.buttons)
    child.expect("dark")
    app.playing.open(lambda: a_race(folder, OVAL, 2))
    rig.until(lambda: race_open(app))
    child.expect("white")
    child.send("q")
    child.expect(pexpect.EOF)
    assert not path.exists()
    child = terminal()  # the touchscreen may hear it before it can say that nobody does
    child.expect("white")
    shown = app.playing.shown
    assert shown is not None

    def test() -> QueueRow:
        assert app.playing.shown is not None
        return next(row for row in app.playing.shown.tests if row.state == "now")

    last = len(test().keys) - 1
    assert test().chosen == -1
    for key, chosen in (("u", 0), ("U", last), ("d", last - 1)):
        child.send(key)
        rig.until(lambda chosen=chosen: test().chosen == chosen)
    child.send("c")
    rig.until(lambda: app.playing.shown is not None and app.playing.shown.prompt.n > shown.prompt.n)
    child.send("Z")
    rig.until(lambda: app.visits[-1].name == "history")
    child.send("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    app.close()


def test_a_file_is_not_taken_for_simulated_buttons(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    (tmp_path / FILE).write_text(f'chip = "{tmp_path / "notes"}"\n[buttons]\nup = 5\n')
    said = CliRunner().invoke(companion, ["--lang", "en", "--data", str(tmp_path), "hardware", "buttons", "simulate"])
    assert said.exit_code == 2
    assert "is there already and is no socket" in said.output
    assert (tmp_path / "notes").read_text() == "mine"


@pytest.mark.parametrize("name", ["nowhere/buttons", "x" * 120])
def test_a_path_where_no_buttons_can_be_is_told_by_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / FILE).write_text(f'chip = "{tmp_path / name}"\n[buttons]\nup = 5\n')
    said = CliRunner().invoke(companion, ["--lang", "en", "--data", str(tmp_path), "hardware", "buttons", "simulate"])
    assert str(said.exception).startswith(f"The system refuses {tmp_path / name}: ")
