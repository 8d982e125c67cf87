"""What cannot be in a tournament or a season, by command, by lines and by touch: one sentence, and nothing changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.sheets.records import kept_record
from tests.screens.test_new_event import menu, stick
from tests.screens.ui import Ui
from tests.sheets.bare import bare
from tests.tournament.commanding import Commander, play, refused
from tests.tournament.test_by_lines import say

__all__ = ["stick"]

Words = tuple[str, ...]


class Base(NamedTuple):
    """Forty drivers at five tables: table 1 has its result, by Ada; at 2 a race is running, and one that is over was
    changed in its log."""

    folder: Path
    seats: dict[str, list[int]]
    running: str
    changed: str
    setups: dict[str, dict[str, Any]]


class Fault(NamedTuple):
    """What is wrong, the sentence that says so, and how it is said: the words of a command, a line. None where it
    cannot be said so: the order of a command's numbers is that of the places, and clocks of lines are in hundredths."""

    sentence: str
    command: Words | None
    line: dict[str, Any] | None


FAULTS: Final[dict[str, Callable[[Base], Fault]]] = {
    "two of the same name": lambda base: Fault(
        "There is a driver called Driver 3 already, number 3", ("enter", "driver 3", "--number", "41"),
        {"act": "entered", "entrants": [{"number": 41, "name": "driver 3"}]},
    ),
    "a number twice": lambda base: Fault(
        "The number 12 is Driver 12's", ("enter", "Zoe", "--number", "12"),
        {"act": "entered", "entrants": [{"number": 41, "name": "Yan"}, {"number": 12, "name": "Zoe"}]},
    ),
    "a table of one": lambda base: Fault(
        "has 2 at least", ("seed", "--sizes", "20,19,1"), {"seed": {"sizes": [20, 19, 1]}},
    ),
    "a driver of another table": lambda base: Fault(
        "did not race here", ("result", "1.3", "--paper", numbers(base, "1.3", base.seats["1.4"][0])),
        {"act": "result", "race": "1.3", "lines": lines(base.seats["1.3"][1:] + base.seats["1.4"][:1])},
    ),
    "a place twice": lambda base: Fault(
        "Place 1 is there twice", None,
        {"act": "result", "race": "1.3", "lines": [{"driver": n, "place": 1} for n in base.seats["1.3"]]},
    ),
    "a driver twice": lambda base: Fault(
        "stands twice", ("result", "1.3", "--paper", numbers(base, "1.3", base.seats["1.3"][1])),
        {"act": "result", "race": "1.3", "lines": lines(base.seats["1.3"][1:] + base.seats["1.3"][1:2])},
    ),
    "a race that is still running": lambda base: Fault(
        "is still running", ("result", "1.2", "--race", base.running), {"result": "1.2", "race": base.running},
    ),
    "a log that was changed": lambda base: Fault(
        "not as it was written", ("result", "1.2", "--race", base.changed), {"result": "1.2", "race": base.changed},
    ),
    "there already, with another content": lambda base: Fault(
        "with another content", ("result", "1.1", "--paper", " ".join(map(str, base.seats["1.1"][::-1]))),
        {"act": "result", "race": "1.1", "lines": lines(base.seats["1.1"][::-1])},
    ),
    "a clock of 61 seconds": lambda base: Fault("a minute has 60", ("time", "3", "17", "1:61.00"), None),
    "confirmed by the same person": lambda base: Fault(
        "a second person confirms", ("--by", " ada", "confirm", "1.1"),
        {"act": "confirmed", "race": "1.1", "by": "ADA "},
    ),
    "a circuit that is not there": lambda base: Fault(
        "There is no circuit nowhere", ("seed", "--tables", "2", "--again", "--track", "nowhere"),
        {"act": "seeded", "round": 2, "tables": [[1, 2], [3, 4]], "track": "nowhere"},
    ),
    "a home track that is not there": lambda base: Fault(
        "There is no circuit nowhere", ("enter", "Zoe", "--home", "nowhere"),
        {"act": "entered", "entrants": [{"number": 41, "name": "Zoe", "home": ["nowhere"]}]},
    ),
    "a home track by another name": lambda base: Fault(
        "is called monaco here", ("enter", "Zoe", "--home", "Monaco"),
        {"act": "entered", "entrants": [{"number": 41, "name": "Zoe", "home": ["Monaco"]}]},
    ),
    "points that no result brings": lambda base: Fault(
        "a result brings 0 to 999", ("result", "1.3", "--paper", " ".join(f"{n}=1000" for n in base.seats["1.3"])),
        {"act": "result", "race": "1.3", "lines": [{**one, "points": 1000} for one in lines(base.seats["1.3"])]},
    ),
}  # fmt: skip


def numbers(base: Base, table: str, other: int) -> str:
    """A result as it is typed, with somebody else in the place of the first."""
    return " ".join(map(str, [other, *base.seats[table][1:]]))


def lines(order: list[int]) -> list[dict[str, int]]:
    return [{"driver": driver, "place": place} for place, driver in enumerate(order, 1)]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Base:
    folder = tmp_path_factory.mktemp("events")
    run = Commander(folder, "tournament")
    run("new", "Rhône Masters", "--laps", "1")
    (folder / "list.csv").write_text("\n".join(f"{n};Driver {n};Club {n % 10}" for n in range(1, 41)), "utf-8")
    run("import", str(folder / "list.csv"))
    (folder / "list.csv").unlink()
    run("checkin", "all")
    run("seed", "--tables", "5", "--from", "number")
    run("publish", "--why", "as dealt")
    run("weather", "3", "--round", "1")
    seats = {f"1.{at}": [int(str(row["number"])) for row in run.rows("table", f"1.{at}")] for at in range(1, 6)}
    run("result", "1.1", "--paper", " ".join(map(str, seats["1.1"])), by="Ada")
    setups = {key: json.loads(run("setup", key)) for key in ("1.1", "1.2", "1.5")}
    elsewhere = {**setups["1.2"], "event": {"log": "", "race": ""}}
    running, changed = play(elsewhere, folder, 5, answers=40), play(elsewhere, folder, 6)
    tampered(folder, changed)
    return Base(folder, seats, running, changed, setups)


def tampered(folder: Path, log_id: str) -> None:
    """Somebody has written into a log."""
    with bare(folder) as db:
        db.execute("DROP TRIGGER IF EXISTS entry_stays")
        db.execute("UPDATE entry SET actor = 'Mallory' WHERE log_id = ? AND seq = 9", (log_id,))


@pytest.fixture
def base(begun: Base, folder: Path) -> Base:
    """The tournament in a folder of its own."""
    shutil.copytree(begun.folder, folder, dirs_exist_ok=True)
    return begun._replace(folder=folder)


def entries(folder: Path) -> int:
    return len(kept_record(folder, "last", "tournament").record.log)


@pytest.mark.parametrize("name", FAULTS)
def test_by_command_and_by_lines(base: Base, name: str) -> None:
    run, fault, before = Commander(base.folder, "tournament"), FAULTS[name](base), entries(base.folder)
    if fault.command is not None:
        refused(lambda: run(*(fault.command or ())), fault.sentence)
    if fault.line is not None:
        (answer,) = say(run, fault.line)
        assert set(answer) == {"error"}
        assert fault.sentence in answer["error"]
    assert entries(base.folder) == before


def test_a_season_with_a_circuit_that_is_not_there(tmp_path: Path) -> None:
    """Neither begun with it nor moved to it."""
    run = Commander(tmp_path, "season")
    refused(lambda: run("new", "League", "monaco", "nowhere"), "There is no circuit nowhere")
    refused(lambda: run("list"), "There is no season yet")
    run("new", "League", "monaco", "monza")
    refused(lambda: run("move", "1", "--track", "nowhere", "--why", "x"), "There is no circuit nowhere")
    (answer,) = say(run, {"act": "moved", "race": 1, "track": "nowhere", "why": "x"})
    assert "There is no circuit nowhere" in answer["error"]
    assert len(kept_record(tmp_path, "last", "season").record.log) == 1
    line = ["--data", str(tmp_path), "--lang", "en", "trial", "--drivers", "Ada", "--track", "nowhere"]
    assert "There is no circuit nowhere" in str(CliRunner().invoke(companion, line).exception)


# -- by touch


class Touched(NamedTuple):
    """A finger on the screens of that tournament."""

    base: Base
    stick: Path
    open_at: Callable[..., Ui]

    def entered(self, number: str, name: str) -> Ui:
        ui = self.open_at("entrants")
        ui.tap("Add")
        ui.write("Number", number, anew=True)
        ui.write("Name", name)
        ui.tap("Enter")
        return ui

    def brought(self, seed: int, key: str, **how: Any) -> Ui:
        """Take the results from a stick on which there is a race."""
        log_id = play(self.base.setups[key], self.stick, seed, **how)
        if not how and key == "1.2":
            tampered(self.stick, log_id)
        ui = self.open_at("seeding")
        menu(ui, "collect")
        return ui


def alone(touched: Touched) -> Ui:
    """One driver is here, and is dealt to a table."""
    run = Commander(touched.base.folder, "tournament")
    run("new", "Alone")
    run("enter", "Ada")
    run("checkin", "all")
    ui = touched.open_at("seeding")
    ui.tap("Assign")
    return ui


def by_ada(touched: Touched) -> Ui:
    """Who entered the result types her name as the second one."""
    ui = touched.open_at("table_result", table="1.1")
    assert not ui.offers("Ada")
    ui.tap("Other")
    ui.type("Ada")
    ui.tap("Confirm")
    return ui


def reseated(touched: Touched) -> Ui:
    """Two change seats after the setup of a table went out."""
    one, other = touched.base.seats["1.5"][0], touched.base.seats["1.4"][0]
    Commander(touched.base.folder, "tournament")("swap", str(one), str(other), "--why", "late")
    return touched.brought(7, "1.5")


BY_TOUCH: Final[dict[str, Callable[[Touched], Ui]]] = {
    "two of the same name": lambda touched: touched.entered("41", "Driver 3"),
    "a number twice": lambda touched: touched.entered("12", "Zoe"),
    "a table of one": alone,
    "a driver of another table": reseated,
    "a race that is still running": lambda touched: touched.brought(5, "1.2", answers=40),
    "a log that was changed": lambda touched: touched.brought(6, "1.2"),
    "there already, with another content": lambda touched: touched.brought(8, "1.1"),
    "confirmed by the same person": by_ada,
}
"""Circuits, places and drivers of a table are chosen among those there are; `test_timing` has the faulty clock."""


@pytest.mark.parametrize("name", BY_TOUCH)
def test_by_touch(base: Base, folder: Path, stick: Path, open_at: Callable[..., Ui], name: str) -> None:
    fault, before = FAULTS[name](base), entries(base.folder)
    ui = BY_TOUCH[name](Touched(base, stick, open_at))
    assert ui.sees(fault.sentence)
    ui.close()
    new = {"a driver of another table": before + 1, "a table of one": 3}
    assert entries(folder) == new.get(name, before)
