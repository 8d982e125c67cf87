"""`companion hardware buttons` and `companion hardware roller`: the commands, without any hardware."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import pexpect
import pytest
from click.testing import CliRunner, Result
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion import circuits
from companion.commands.hardware import EVENTS, lamps_line, verdict
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.drivers.chance import RandomDriver
from companion.rules.rulebooks import begin
from companion.sheets.dice_statistics import rolled
from companion.wording import LANGUAGES, Words
from hardware.conformance import CHECKS
from hardware.debounce import MEANS
from hardware.fairness import DieVerdict, Flaw, judge
from hardware.firmware.dice import SIDES
from hardware.lights import EVENTS as LIGHTS
from hardware.lights import Lights
from hardware.simulate import Simulated
from tests.test_bad_input import companion as started
from tests.test_bad_input import complaint


def run(*said: object) -> Result:
    return CliRunner().invoke(companion, [str(word) for word in said])


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Path]:
    """A roller that is simulated here."""
    roller = Simulated(tmp_path / "roller", seed=3, dice=("1", "20"), after=10)
    roller.begin()
    yield roller.path
    roller.close()


def test_a_good_roller_keeps_to_the_protocol(port: Path) -> None:
    done = run("hardware", "roller", "test", port, "--patience", 5)
    assert done.exit_code == 0, done.output
    assert done.output.endswith("It keeps to the protocol: 18 checks passed.\n")
    assert "Press the button for the black die." in done.output
    assert done.output.count("✓") == 18


def test_a_port_that_says_nothing_fails_and_one_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = run("--lang", "fr", "hardware", "roller", "test", tmp_path / "none")
    assert done.exit_code == 1
    none = f"Il n’y a rien sur {tmp_path / 'none'} ; branchez le lanceur, ou indiquez son port dans wiring.toml.\n"
    assert done.output.replace("\xa0", " ") == none
    (tmp_path / "notes").touch()
    done = run("hardware", "roller", "test", tmp_path / "notes")
    assert done.output == f"{tmp_path / 'notes'} is no serial port; name the die-roller's in wiring.toml.\n"
    done = run("--lang", "fr", "hardware", "roller", "test", "socket://127.0.0.1:1")
    assert done.output == "Le port socket://127.0.0.1:1 ne s’ouvre pas (rien n’y écoute).\n"
    done = run("hardware", "roller", "test", "tea://pot")
    assert done.output == "tea://pot is no serial port; name the die-roller's in wiring.toml.\n"
    roller = Simulated(tmp_path / "dead")
    done = run("hardware", "roller", "test", roller.path)
    roller.close()
    assert done.exit_code == 1
    assert done.output == ("✗ it says hello within two seconds\nIt does not keep to the protocol: 1 check failed.\n")


def test_a_device_that_is_pulled_out_while_it_is_checked(port: Path, tmp_path: Path) -> None:
    roller = Simulated(tmp_path / "other", by_hand=True)
    roller.begin()
    threading.Timer(2, roller.close).start()
    done = run("hardware", "roller", "test", roller.path, "--patience", 20)
    assert done.exit_code == 1
    assert "✗ the device stays there" in done.output


def test_fairness_of_a_device(port: Path) -> None:
    done = run("hardware", "roller", "fairness", "--port", port, "--die", 1, "--rolls", 10)
    assert "the die of 1st gear: to be trusted. 10 rolls" in done.output
    assert "There is nothing" in run("hardware", "roller", "fairness", "--port", port.with_name("none")).output


def test_fairness_of_the_races_that_were_kept(tmp_path: Path) -> None:
    assert run("--data", tmp_path, "hardware", "roller", "fairness").output == "No die was rolled yet.\n"
    track = circuits.load("monaco")
    setup = {"track": "monaco", "laps": 1, "cars": [{"car": n} for n in (1, 2, 3)]}
    text = circuits.find("monaco").read_text(encoding="utf-8")
    desk = RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=tmp_path)
    driver = RandomDriver(track, 5)
    gears = 0
    while (asked := desk.asked) is not None and desk.n < 300:
        by_roller = asked.faces is not None and desk.n % 2
        gears += bool(asked.ask == "roll" and by_roller)
        desk.answer(driver.answer(asked, desk.rulebook.race), by="roller" if by_roller else "table")  # type: ignore[attr-defined]
    assert desk.log is not None
    desk.log.close()
    every, by = rolled(tmp_path).faces, rolled(tmp_path, "roller").faces
    assert all(set(faces) <= set(SIDES[die]) for die, faces in every.items())
    assert sum(len(faces) for die, faces in by.items() if die != "20") == gears
    assert 0 < len(by["20"]) < len(every["20"])
    done = run("--data", tmp_path, "hardware", "roller", "fairness", "--by", "roller")
    assert done.output.count("\n") == len(by)
    assert done.exit_code == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_verdict_has_its_words(lang: str) -> None:
    words = Words(lang)
    drawn_ = random.Random(3)
    judged = {
        "few": judge("20", [1]),
        "fair": judge("4", drawn_.choices(SIDES["4"], k=300)),
        "bad": judge("20", [20] * 200),
        "odd": DieVerdict("20", 300, 100, 37.0, 19, 0.008, "uneven", 500, 7, 80, 50, 0, "odd"),
        "foreign": judge("1", [drawn_.choice((1, 2, 3)) for _ in range(50)]),
    }
    said = {name: verdict(one, words) for name, one in judged.items()}
    said |= {flaw: verdict(judged["bad"]._replace(flaw=flaw), words) for flaw in get_args(Flaw)}
    assert len(set(said.values())) == 8
    comma = "," if lang == "fr" else "."
    assert f"0{comma}8" in said["odd"]
    for name in CHECKS:
        assert words.say("roller_check", name=name, die="d")
    for means in {one for pair in MEANS.values() for one in pair} - {""}:
        assert words.say("pressed", means=means)
    lights = Lights(lambda below: 0)
    for now, event in enumerate(EVENTS):
        lights.happen(event, 5000 * now)
        assert lamps_line(lights.at(5000 * now), words)
    assert set(EVENTS) == set(LIGHTS)


def test_a_file_is_not_taken_for_a_port(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    done = run("hardware", "roller", "simulate", tmp_path / "notes")
    assert done.exit_code == 2
    assert (tmp_path / "notes").read_text() == "mine"


def test_a_port_where_no_roller_can_be_is_told_by_its_name(tmp_path: Path) -> None:
    done = run("hardware", "roller", "simulate", tmp_path / "nowhere/port")
    assert str(done.exception) == f"The system refuses {tmp_path / 'nowhere/port'}: No such file or directory."
    assert done.output == ""


def test_the_simulated_roller_runs_and_leaves_nothing(tmp_path: Path) -> None:
    done = run("hardware", "roller", "simulate", tmp_path / "port", "--seconds", 0.1, "--faults", "--seed", 1)
    assert done.output == f"A die-roller at {tmp_path / 'port'}; end with Control-C.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_roller_that_is_rolled_by_hand_ends_in_time_or_with_its_fingers(tmp_path: Path) -> None:
    command = ["-m", "companion.commands.main", "hardware", "roller", "simulate", str(tmp_path / "port"), "--by-hand"]
    timed = pexpect.spawn(sys.executable, [*command, "--seconds", "0.2"], timeout=60)
    timed.expect(pexpect.EOF)
    assert list(tmp_path.iterdir()) == []
    child = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60)
    child.expect("Enter presses its button")
    child.send("\n")
    child.expect(r"\[ *\d+")
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_buttons_without_pins_are_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("glob.glob", lambda pattern: [])
    (trace := tmp_path / "trace.txt").write_text("means confirm\n")
    done = run("hardware", "buttons", "test", "--record", trace)
    assert done.exit_code == 1
    assert "This computer has no GPIO pins" in done.output
    assert trace.read_text() == "means confirm\n", "what was recorded before is there"


def test_a_recording_that_cannot_be_written_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("hardware.gpio.factory", lambda chip: MockFactory(pin_class=MockPWMPin))
    said = complaint(started("--lang", "en", "--data", tmp_path, "hardware", "buttons", "test", "--record", tmp_path))
    assert said == f"The system refuses {tmp_path}: Is a directory."


def test_presses_are_told_live(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pins: Any = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr("hardware.gpio.factory", lambda chip: pins)
    plan = resources.files("hardware").joinpath("wiring.toml").read_text(encoding="utf-8")
    (tmp_path / "wiring.toml").write_text(plan.replace('"/dev/companion-roller"', "5"))  # no matter to the buttons
    over = threading.Event()

    def finger() -> None:
        while not over.wait(0.2):
            pins.pin(13).drive_low()
            over.wait(0.1)
            pins.pin(13).drive_high()

    pressing = threading.Thread(target=finger)
    pressing.start()
    trace = tmp_path / "trace.txt"
    done = run("--data", tmp_path, "hardware", "buttons", "test", "--seconds", 1.5, "--record", trace)
    over.set()
    pressing.join()
    assert set(done.output.splitlines()[1:]) == {"confirm: applies the selected answer"}
    remark, *edges, means = trace.read_text().splitlines()
    assert remark.startswith("# Microseconds")
    assert edges[0].endswith(" confirm down")
    assert means.split() == ["means", *["confirm"] * (len(done.output.splitlines()) - 1)]
    assert not pins.pin(17).state
    pins.reset()


def test_the_box_in_a_terminal(tmp_path: Path) -> None:
    command = ["-m", "companion.commands.main", "--data", str(tmp_path), "hardware", "buttons", "simulate"]
    child = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60, dimensions=(24, 120))
    child.send("c")  # before anybody listens
    child.expect("q end")
    child.expect("confirm: applies the selected answer")
    child.send("U")
    child.expect("gear up held: the last answer")
    child.send("dz")
    both = ["gear down: the answer before", "undo: one answer back"]
    assert {child.expect(both), child.expect(both)} == {0, 1}  # heard as they are let go
    child.send("1")
    child.expect("white")
    child.send("4")
    child.expect("red.*400 Hz")
    child.send("s")
    child.expect("● ○ ○ ○ ○")
    child.send("w")
    child.expect("wet ●")
    child.send("0")
    child.expect("dark")
    child.send("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
