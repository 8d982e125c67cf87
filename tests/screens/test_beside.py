"""The app with buttons, lamps and a die-roller beside its screen: on mock pins and over a real pseudo-terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.errors import CompanionError, NotSaved
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.app.app import CompanionApp
from companion.screens.app.settings import SettingsFile
from companion.screens.app.table_hardware import AppAccess, NoHardware
from companion.screens.kit.theme import theme
from companion.sheets.log import Log
from companion.view.race.intents import OpenOrder
from companion.view.race.prompt import FULL
from hardware.debounce import GUARD
from hardware.parts import Parts
from hardware.port import Bare
from hardware.simulate import Simulated
from hardware.wiring import FILE
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, skip
from tests.screens.ui import Ui

OVAL = "indianapolis-oval"
ROLLS = 20
"""So many rolls come from the roller."""


def lit(table: Table) -> Any:
    return table.box.lit


def rests(table: Table, status: tuple[bool, bool, bool]) -> None:
    """Wait until the status lamp shows this, and nothing that flashes is to come."""
    box = table.box
    table.until(lambda: box.is_settled and box.lights.due is None and box.lit.status == status)


def was(table: Table, number: int | None, on: bool) -> bool:
    """Return whether a lamp or the buzzer was ever on, or off; by what its pin remembers, as a flash may be missed."""
    return any(bool(state.state) is on for state in table.pins.pin(number).states)


def forget(table: Table) -> None:
    """Have the pins remember nothing but what they are now."""
    for _, number in table.wired.pins():
        table.pins.pin(number).clear_states()


@pytest.fixture
def table(rig: Rig, folder: Path) -> Iterator[Table]:
    made = Table.at_race(rig, folder, lambda: a_race(folder, OVAL, 2), hardware=True)
    yield made
    made.close()


def test_a_race_is_played_from_the_start_lights_to_the_flag_by_buttons_and_a_bad_roller(table: Table) -> None:
    """Every answer that is no roll comes from a button, every roll from a roller on whose wire all goes wrong, until
    its plug is pulled for good; from then on the buttons give the faces as well."""
    driver = HeuristicDriver(circuits.load(OVAL), 2)
    skip(table, driver, lambda asked: asked.ask == "start")
    table.until(lambda: sum(lit(table).start) >= 3)  # each is on for a second: a slow machine may miss one
    roller = Simulated(table.roller, seed=11, faults=True, rarely=12, after=20)
    roller.begin()
    by_roller = by_hand = 0
    try:
        for _ in range(400):
            if table.prompt.layout == "none":
                break
            before = table.prompt.key
            if table.prompt.die and by_roller < ROLLS and rolled(table, before):
                by_roller += 1
                if by_roller == ROLLS:
                    roller.close()
            else:
                by_hand += bool(table.prompt.die)
                answered(table, driver)
                table.until(lambda before=before: table.prompt.key != before)
    finally:
        roller.close()
    assert table.prompt.layout == "none"
    assert "The race is over" in table.texts()
    assert by_roller == ROLLS
    assert by_hand > 2
    done = {item.by for item in table.see(lambda desk: desk.history.items)}
    assert {"roller", "table"} <= done <= {"roller", "table", "program"}
    faults = roller.faulty.done
    assert sum(faults.values()) > 5, faults
    assert table.taps == 0
    print(f"{by_roller} rolls by the roller, {by_hand} by hand; {faults}")


def rolled(table: Table, before: str, seconds: float = 12) -> bool:
    """Return whether the roller answers a question within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        table.rig.wait(0.02)
        if table.prompt.key != before:
            table.calm()
            return True
    return False


def answered(table: Table, driver: Any) -> None:
    """Answers with the buttons, as a driver wants or else the first that is allowed."""
    table.rig.wait(GUARD / 1000)
    wanted = table.wanted(driver)
    allowed = [key for key in table.prompt.keys if not key.why]
    want = next((key for key in allowed if key.answer == wanted), allowed[0])
    n, at = table.prompt.n, table.prompt.keys.index(want)
    for _ in range(60):
        chosen = table.prompt.chosen
        if chosen == at:
            table.press("confirm")
            if table.prompt.n != n or table.prompt.layout == "none":
                return
        else:
            table.press("up" if chosen < at else "down")
    raise AssertionError((table.prompt.title, want.label, table.texts()))


def test_the_lights_go_out_when_the_start_is_answered(table: Table) -> None:
    driver = HeuristicDriver(circuits.load(OVAL), 2)
    skip(table, driver, lambda asked: asked.ask == "start")
    table.until(lambda: sum(lit(table).start) >= 1)
    skip(table, driver, lambda asked: asked.ask == "gear")
    table.until(lambda: not any(lit(table).start))


@pytest.mark.parametrize("book", RULEBOOKS)
def test_the_start_lights_come_on_with_the_first_question_of_the_race_only(rig: Rig, folder: Path, book: str) -> None:
    key, setup = ("quarry-hill", {"deck": 3, "laps": 4}) if book == "ninety" else ("monaco", {})
    made = Table.at_race(rig, folder, lambda: a_race(folder, key, 3, rulebook=book, **setup), hardware=True)
    driver = HeuristicDriver(circuits.board(key), 2)
    skip(made, driver, lambda asked: asked.round == 1)
    made.until(lambda: any(lit(made).start))
    assert made.prompt.plate is not None
    first = made.prompt.plate.number
    made.answer(made.prompt.keys[0])
    made.until(lambda: not any(lit(made).start))
    skip(made, driver, lambda asked: asked.car != first)
    made.rig.wait(0.2)
    assert not any(lit(made).start)
    made.close()


def test_a_roll_that_is_wrong_is_refused_in_a_sentence_and_the_question_stays(table: Table) -> None:
    skip(table, HeuristicDriver(circuits.load(OVAL), 2), lambda asked: asked.ask == "roll")
    hands, n = AppAccess(table.app), table.prompt.n
    die = table.prompt.die
    other = "6" if die != "6" else "5"
    for face, of, at, said in (
        (99, die, n, "99 is not on that die."),
        (21, other, n, "The die-roller rolled another die than the one that is asked for; roll again."),
        (21, other, -1, "The die-roller rolled another die than the one that is asked for; roll again."),
    ):
        hands.rolled(face, of, at)
        table.ui.wait_for(said)
        table.app.hush()
        assert table.prompt.n == n
    hands.rolled(int(str(table.prompt.keys[0].answer)), die, n - 1)
    table.calm()
    assert table.prompt.n == n, "a finger was first"
    hands.rolled(int(str(table.prompt.keys[0].answer)), die, n)
    table.until(lambda: table.prompt.n > n)


def test_a_roll_before_its_question_is_offered_only_for_its_die(table: Table) -> None:
    skip(table, HeuristicDriver(circuits.load(OVAL), 2), lambda asked: asked.ask == "gear")
    hands = AppAccess(table.app)
    hands.rolled(1, "2", -1)
    table.calm()
    first = next(key for key in table.prompt.keys if key.answer == 1)
    table.answer(first)
    assert (table.prompt.die, table.prompt.chosen) == ("1", -1)
    table.rig.wait(GUARD / 1000)
    table.press("undo")
    table.until(lambda: not table.prompt.die)
    hands.rolled(2, "1", -1)
    table.calm()
    table.answer(next(key for key in table.prompt.keys if key.answer == 1))
    assert table.prompt.keys[table.prompt.chosen].answer == 2


@pytest.mark.parametrize("name", ["confirm", "undo"])
def test_what_was_pressed_before_a_question_was_seen_does_not_answer_it(table: Table, name: str) -> None:
    """A phone, or the roller, was first: the button was meant for the question that was still on the screen."""
    skip(table, HeuristicDriver(circuits.load(OVAL), 2), lambda asked: asked.ask == "gear" and asked.round > 1)
    hands, n = AppAccess(table.app), table.prompt.n
    hands.rolled(2, "2", -1)
    table.calm()
    table.given(2)
    hands.press(name)
    table.calm()
    assert (table.prompt.n, table.prompt.keys[table.prompt.chosen].answer) == (n + 1, 2)
    hands.press(name)
    table.calm()
    assert table.prompt.n == {"confirm": n + 2, "undo": n}[name], "now it is"


def test_buttons_find_their_way_about(table: Table) -> None:
    skip(table, HeuristicDriver(circuits.load(OVAL), 2), lambda asked: asked.ask == "gear")
    table.press("undo", held=True)
    assert [visit.name for visit in table.app.visits] == ["home", "race", "history"]
    table.press("confirm")
    table.press("undo")
    assert [visit.name for visit in table.app.visits] == ["home", "race"]
    table.emit(OpenOrder())
    table.press("confirm")
    assert table.ui.sees("Running order")
    table.press("undo")
    assert not table.ui.sees("Running order")
    table.press("clock")
    assert table.ui.offers(icon="pause")
    table.press("next", held=True)
    assert not table.ui.offers(icon="pause")
    table.app.home()
    table.until(lambda: "Resume" in table.texts())
    table.rig.wait(0.4)  # what is to be tapped is seen first
    table.press("confirm")
    assert [visit.name for visit in table.app.visits] == ["home", "race"]


def test_the_lamp_is_white_while_a_question_is_open_only(table: Table) -> None:
    white, dark = (True, True, True), (False, False, False)
    table.until(lambda: lit(table).status == white)
    table.app.home()
    table.until(lambda: lit(table).status == dark)
    table.app.go("race")
    table.until(lambda: lit(table).status == white)
    skip(table, HeuristicDriver(circuits.load(OVAL), 2), lambda asked: False)
    assert table.prompt.layout == "none"
    rests(table, dark)  # once the finish, and what came before it, has flashed
    table.app.go("settings")
    table.app.back()
    table.rig.wait(0.2)
    assert lit(table).status == dark, "the result is looked at again"
    table.app.playing.leave()
    table.rig.wait(0.2)
    assert lit(table).status == dark


def test_undo_across_a_lap_runs_no_light(rig: Rig, folder: Path) -> None:
    made = Table.at_race(rig, folder, lambda: a_race(folder, OVAL, 1, laps=2), hardware=True)
    seen: list[str] = []
    made.app.playing.signals.listen(seen.append)
    driver = HeuristicDriver(circuits.load(OVAL), 2)
    skip(made, driver, lambda asked: made.shown.top.lap == "2")
    made.calm()
    assert seen.count("leader") == 1
    made.rig.wait(GUARD / 1000)
    while made.shown.top.lap == "2":
        made.press("undo")
        if made.app.over is not None:  # the race is over: that is asked first
            made.tap(made.app.over.made["act"])
    assert seen.count("leader") == 1
    skip(made, driver, lambda asked: made.shown.top.lap == "2")
    made.calm()
    assert seen.count("leader") == 2
    made.close()


def test_undo_across_a_change_of_weather_tells_of_none(rig: Rig, folder: Path) -> None:
    made = Table.at_race(rig, folder, lambda: a_race(folder, OVAL, 2), hardware=True)
    seen: list[str] = []
    made.app.playing.signals.listen(seen.append)
    driver, fair = HeuristicDriver(circuits.load(OVAL), 2), made.shown.top.sky
    for times in (1, 2):
        while made.shown.top.sky == fair:
            made.given(made.wanted(driver))
            made.calm()
        assert seen.count("weather") == times
        made.rig.wait(GUARD / 1000)
        while made.shown.top.sky != fair:
            made.press("undo")
        assert seen.count("weather") == times, "what undo goes back over was told before"
    made.close()


def test_the_lamps_tell_of_the_race(table: Table) -> None:
    table.until(lambda: lit(table).status == (True, True, True))
    rests(table, (True, True, True))
    forget(table)
    table.app.playing.signals.happen("out")
    table.until(lambda: was(table, table.wired.buzzer.pin, True))
    rests(table, (True, True, True))
    assert was(table, table.wired.lamps.green, False)
    table.app.choose(sound="off")
    forget(table)
    table.app.playing.signals.happen("out")
    table.until(lambda: was(table, table.wired.lamps.green, False))
    rests(table, (True, True, True))
    assert not was(table, table.wired.buzzer.pin, True)


def test_home_and_status_say_what_is_there(rig: Rig, folder: Path) -> None:
    made = Table(rig, folder, hardware=True)
    made.until(lambda: "Buttons" in made.texts())
    assert "No die-roller" in made.texts()
    roller = Simulated(made.roller, by_hand=True)
    roller.begin()
    made.until(lambda: "Die-roller" in made.texts())
    made.app.go("status")
    made.until(lambda: {"simulated 1", "Buttons"} <= set(made.texts()))
    roller.unplug()
    made.until(lambda: "Die-roller lost. Use keys" in made.texts())
    made.until(lambda: "Die-roller: simulated 1" in made.texts())
    roller.close()
    made.close()


@pytest.mark.parametrize("size", PANELS)
def test_a_port_that_is_shut_says_why_and_what_to_do(rig: Rig, folder: Path, language: str, size: Any) -> None:
    """Another program has it, it is no roller, there is nothing: told once by a line, and on Status as long as it is
    so, in whole sentences."""
    rig.window(*size)
    roller = Simulated(folder / "roller")
    other = Bare(str(folder / "roller"))
    made = Table(rig, folder, language=language, hardware=True)
    says = {"en": "Another program has", "fr": "Un autre programme occupe"}[language]
    made.ui.wait_for(says)
    assert {"Die-roller: see Status", "Lanceur\xa0: voir État"} & set(made.texts())
    made.app.hush()
    made.app.go("status")
    made.ui.wait_for(says)
    made.ui.audit()
    other.close()
    roller.begin()
    made.until(lambda: "simulated 1" in made.texts())
    roller.close()
    none = {"en": "There is nothing at", "fr": "Il n’y a rien sur"}[language]
    made.until(lambda: made.ui.scroll() or made.ui.sees(none))  # what is absent is further down than the list shows
    made.app.hush()
    made.calm()
    made.ui.audit()
    made.app.home()
    made.calm()
    assert {"No die-roller", "Sans lanceur"} & set(made.texts())
    made.close()


def test_without_hardware_a_line_says_so_and_nothing_else(rig: Rig, folder: Path, language: str) -> None:
    """A wiring that is wrong is a line as well."""
    for text in ("", "[buttons]\nup = 5\ndown = 5\n", "[buttons]\nup = 5\n"):
        (folder / FILE).write_text(text)

        def none(chip: int) -> Any:
            raise CompanionError("There is nothing here.")

        kept = SettingsFile(folder)
        kept.change(language=language)
        app = CompanionApp(folder, kept, beside=Parts(folder, none))
        app.open()
        rig.wait(0.2)
        rig.settle()
        ui = Ui.over(rig, app)
        assert ui.sees({"en": "No buttons", "fr": "Sans boutons"}[language])
        assert not ui.sees("There is nothing here"), "nothing is told"
        app.go("status")
        rig.until(ui.scroll)
        why = {"": "No buttons", "[buttons]\nup = 5\n": "There is nothing here."}.get(
            text, "GPIO5 (pin 29 of the header)"
        )
        assert language == "fr" or ui.sees(why, "No die-roller")
        app.close()


def test_what_a_roller_reports_is_told_in_a_line(app: CompanionApp, rig: Rig, language: str) -> None:
    app.choose(language=language)
    hands = AppAccess(app)
    for what in ("found", "unfit", "lost", "cocked", "fault", "battery"):
        hands.tell(what, "7")  # type: ignore[arg-type]
        rig.settle()
        assert Ui.over(rig, app).sees(theme.words.screen(f"beside.{what}", text="7")), "it is not cut"


def test_an_app_without_parts_does_without(app: CompanionApp) -> None:
    assert isinstance(app.beside, NoHardware)
    app.press("confirm")
    app.press("undo")
    AppAccess(app).rolled(3, "2", -1)


def test_while_the_referees_word_is_asked_for_its_reason_no_button_answers(table: Table) -> None:
    skip(table, HeuristicDriver(circuits.load(OVAL), 2), lambda asked: asked.ask == "gear" and asked.round > 1)
    table.rig.wait(GUARD / 1000)
    n = table.prompt.n
    table.press("down")
    table.press("confirm", held=True)
    reason = theme.words.screen("override.misread.label")
    table.ui.wait_for(reason)
    table.rig.wait(GUARD / 1000)
    for name in ("confirm", "next"):
        table.press(name)
        assert (table.prompt.n, table.ui.sees(reason)) == (n, True), name
    table.press("undo")
    assert (table.prompt.n, table.ui.sees(reason)) == (n, False)


def test_a_full_disk_is_answered_by_buttons_too(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise NotSaved("full", path="here")

    skip(table, HeuristicDriver(circuits.load(OVAL), 2), lambda asked: asked.ask == "gear")
    table.rig.wait(GUARD / 1000)
    n = table.prompt.n
    monkeypatch.setattr(Log, "commit", full)
    for name in ("down", "confirm"):
        table.press(name)
    table.until(lambda: table.prompt.ask == FULL)
    table.rig.wait(GUARD / 1000)
    table.press("confirm")
    assert table.prompt.ask == FULL, "nothing is selected yet"
    for name in ("up", "up", "confirm"):
        table.press(name)
    table.until(lambda: table.prompt.n == n + 1)
    assert len(table.app.playing.unsaved) == 1
