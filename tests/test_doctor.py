"""`companion hardware check` on made-up machines, what it finds, says to do, and leaves out."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner, Result

from companion.commands.main import companion
from companion.doctor import system
from companion.doctor.findings import CHECKS, Wired
from companion.doctor.machine import this_machine
from companion.doctor.parts import HEADER_CHIPS, check_pins
from companion.sheets.storage import Fault
from companion.wording import LANGUAGES, Words
from tests.french import ENGLISH
from tests.made_up import MadeUp

Break = Callable[[MadeUp, Path], None]

PLAIN = '[roller]\nport = "/dev/companion-roller"\n'
"""A wiring without pins: no made-up chip can be asked what it is."""


ROOM = Path(__file__).parents[1] / "companion/doctor"
WELL = {
    "panel": {"none"}, "touch": {"mouse"}, "sound": {"none"}, "pins": {"unwired", "none"},
    "roller": {"unwired", "network", "none", "ours"}, "database": {"none"}, "radio": {"none"}, "clock": {"unknown"},
    "power": {"unknown"}, "memory": {"unknown"},
}  # fmt: skip
"""The cases that are never wrong, besides "well"."""


@pytest.fixture
def pi(tmp_path: Path) -> MadeUp:
    return MadeUp(tmp_path / "root")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "races"
    made.mkdir()
    (made / "wiring.toml").write_text(PLAIN)
    return made


def doctor(pi: MadeUp, folder: Path, *more: object, lang: str = "en") -> Result:
    said = ["--lang", lang, "hardware", "check", "--data", folder, "--root", pi.root, *more]
    done = CliRunner().invoke(companion, [str(word) for word in said], terminal_width=400, env={"COLUMNS": "400"})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    return done


def line(done: Result, name: str) -> str:
    """What is said of one check, with its mark and what to do."""
    found = re.search(rf"^([✗!✓–] {name} .*(?:\n {{20}}.*)*)", done.output, re.MULTILINE)
    assert found is not None, done.output
    return re.sub(r"\s+", " ", found[1])


def test_a_table_that_is_well(pi: MadeUp, folder: Path) -> None:
    done = doctor(pi, folder)
    assert line(done, "Screen") == "✓ Screen DSI-1, 800x480; nothing at HDMI-A-1"
    assert line(done, "Panel light") == "✓ Panel light 10-0045, 50%"
    assert line(done, "Touch") == "✓ Touch 10-0038 generic ft5x06 (79)"
    assert line(done, "Sound") == "✓ Sound bcm2835 Headphones"
    assert line(done, "Groups") == "✓ Groups companion may open every device"
    assert line(done, "Die-roller") == "✓ Die-roller /dev/companion-roller is there"
    assert line(done, "Wireless") == "✓ Wireless wlan0, country FR"
    assert ", set by a time server" in line(done, "Clock")
    assert line(done, "Power") == "✓ Power Enough voltage"
    assert line(done, "System").endswith("Rev 1.5, Debian GNU/Linux 13 (trixie), kernel 6.12.25+rpt-rpi-v8")
    assert done.output.splitlines()[-1].startswith("Nothing is wrong")  # and a folder for tests may lie in memory
    assert done.exit_code == 0


def no_screen(pi: MadeUp, folder: Path) -> None:
    pi.connector("card1-DSI-1", "disconnected")


def no_card(pi: MadeUp, folder: Path) -> None:
    for name in ("DSI-1", "HDMI-A-1"):
        (pi.root / f"sys/class/drm/card1-{name}/status").unlink()


def two_screens(pi: MadeUp, folder: Path) -> None:
    pi.connector("card1-HDMI-A-1", "connected", "1920x1080\n")


def screen_not_where_it_is_wanted(pi: MadeUp, folder: Path) -> None:
    (folder / "settings.toml").write_text('connector = "HDMI-A-1"\n')


def dark(pi: MadeUp, folder: Path) -> None:
    pi.file("sys/class/backlight/10-0045/bl_power", "4")


def no_touch(pi: MadeUp, folder: Path) -> None:
    pi.file("sys/class/input/event0/device/capabilities/abs", "0")


def no_rights(pi: MadeUp, folder: Path) -> None:
    pi.groups(others="dialout")


def not_yet_given(pi: MadeUp, folder: Path) -> None:
    pi.groups(others="root")


def busy(pi: MadeUp, folder: Path) -> None:
    pi.file("proc/812/cmdline", "/usr/sbin/ModemManager\0--debug\0")
    pi.link("proc/812/fd/7", "/dev/ttyACM0")


def other_port(pi: MadeUp, folder: Path) -> None:
    (pi.root / "dev/companion-roller").unlink()


def bad_wiring(pi: MadeUp, folder: Path) -> None:
    (folder / "wiring.toml").write_text("[buttons]\nup = 5\ndown = 5\n")


def bad_port(pi: MadeUp, folder: Path) -> None:
    (folder / "wiring.toml").write_text("[roller]\nport = 5\n")


def no_toml(pi: MadeUp, folder: Path) -> None:
    (folder / "wiring.toml").write_text("[roller\nport = 5\n")


def port_without_its_folder(pi: MadeUp, folder: Path) -> None:
    (folder / "wiring.toml").write_text('[roller]\nport = "ttyACM0"\n')


def file_for_a_port(pi: MadeUp, folder: Path) -> None:
    (folder / "wiring.toml").write_text('[roller]\nport = "/etc/hosts"\n')
    pi.file("etc/hosts", "127.0.0.1 localhost")


def pins_without_chip(pi: MadeUp, folder: Path) -> None:
    (pi.root / "dev/gpiochip0").unlink()
    (folder / "wiring.toml").unlink()


def radio_blocked(pi: MadeUp, folder: Path) -> None:
    pi.rfkill(soft=1, hard=0)


def radio_switched_off(pi: MadeUp, folder: Path) -> None:
    pi.rfkill(soft=1, hard=1)


def no_country(pi: MadeUp, folder: Path) -> None:
    pi.file("sys/module/cfg80211/parameters/ieee80211_regdom", "00\n")


def network_without_card(pi: MadeUp, folder: Path) -> None:
    shutil.rmtree(pi.root / "sys/class/net")
    pi.file("run/companion-access-point/fault", "card\n")


def network_without_manager(pi: MadeUp, folder: Path) -> None:
    pi.file("run/companion-access-point/fault", "manager\n")


def network_that_fails(pi: MadeUp, folder: Path) -> None:
    pi.file("run/companion-access-point/fault", "what nobody knows\n")


def network_unknown(pi: MadeUp, folder: Path) -> None:
    (folder / "access-point.json").write_bytes(b'{"name":"Table-7K2",\xff')


def low_voltage(pi: MadeUp, folder: Path) -> None:
    pi.command("vcgencmd", "echo throttled=0x50005")


def low_voltage_by_the_kernel(pi: MadeUp, folder: Path) -> None:
    (pi.root / "usr/bin/vcgencmd").unlink()
    pi.file("sys/class/hwmon/hwmon1/name", "rpi_volt")
    pi.file("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1")


def low_voltage_before(pi: MadeUp, folder: Path) -> None:
    pi.command("vcgencmd", "echo throttled=0x50000")


def hot(pi: MadeUp, folder: Path) -> None:
    pi.command("vcgencmd", "echo throttled=0x80008")


def clock_alone(pi: MadeUp, folder: Path) -> None:
    pi.command("timedatectl", "echo no")


def clock_wrong(pi: MadeUp, folder: Path) -> None:
    database = folder / "races.db"
    database.touch()
    os.utime(database, (time.time() + 1e7,) * 2)


def no_memory(pi: MadeUp, folder: Path) -> None:
    pi.file("proc/meminfo", "MemTotal: 948000 kB\nMemAvailable: 41000 kB\n")


def damaged(pi: MadeUp, folder: Path) -> None:
    (folder / "races.db").write_bytes(b"no database" * 1000)


BROKEN: dict[Break, tuple[str, str, str, str]] = {
    no_screen: ("✗", "Screen", "No screen is connected: nothing at DSI-1, HDMI-A-1", "both ends of the ribbon"),
    no_card: ("✗", "Screen", "No graphics card", "dtoverlay=vc4-kms-v3d"),
    two_screens: ("!", "Screen", "DSI-1 and HDMI-A-1 are both connected", "video=HDMI-A-1:d"),
    screen_not_where_it_is_wanted: ("!", "Screen", "DSI-1, as no screen is connected to HDMI-A-1", "settings.toml"),
    dark: ("!", "Panel light", "off or dark", "/sys/class/backlight/*/brightness"),
    no_touch: ("!", "Touch", "No touchscreen and no mouse", "USB cable"),
    no_rights: (
        "✗", "Die-roller", "/dev/companion-roller is there, but companion is not in its group dialout",
        "sudo usermod -aG dialout companion",
    ),
    not_yet_given: ("✗", "Groups", "belong to root alone", "sudo udevadm trigger"),
    busy: ("✗", "Die-roller", "/dev/companion-roller is in use by ModemManager, process 812", "End that program"),
    other_port: ("!", "Die-roller", "/dev/companion-roller is not there, but /dev/ttyACM0 is", "wiring.toml"),
    bad_wiring: ("✗", "Pins", "GPIO5 (pin 29 of the header) is given to several parts", "Correct wiring.toml"),
    bad_port: ("✗", "Die-roller", "roller.port is a device", "Correct wiring.toml"),
    no_toml: ("✗", "Die-roller", "line 1 makes no sense", "Correct wiring.toml"),
    port_without_its_folder: ("✗", "Die-roller", "roller.port is a device", "Correct wiring.toml"),
    file_for_a_port: ("✗", "Die-roller", "/etc/hosts is no serial port", "such as /dev/companion-roller"),
    pins_without_chip: ("✗", "Pins", "The chip with the pins is missing", "sudo apt full-upgrade"),
    radio_blocked: ("!", "Wireless", "off (rfkill)", "sudo rfkill unblock wifi"),
    radio_switched_off: ("!", "Wireless", "by a switch on the machine", "Slide the switch"),
    no_country: ("!", "Wireless", "wlan0, which no country is set for", "raspi-config"),
    network_without_card: ("!", "Wireless", "own network did not start: no wireless card", "Plug in a wireless card"),
    network_without_manager: ("!", "Wireless", "NetworkManager does not run", "enable --now NetworkManager"),
    network_that_fails: ("!", "Wireless", "own network did not start", "journalctl -u companion-access-point"),
    network_unknown: ("!", "Wireless", "access-point.json is damaged", "systemd/appliance.py install"),
    low_voltage: ("✗", "Power", "The voltage is too low", "power supply"),
    low_voltage_by_the_kernel: ("✗", "Power", "The voltage is too low", "power supply"),
    low_voltage_before: ("!", "Power", "too low at times since the start", "power supply"),
    hot: ("!", "Power", "Too hot", "heat sink"),
    clock_alone: ("!", "Clock", "not set by a time server", "sudo date --set"),
    clock_wrong: ("✗", "Clock", "is wrong: there are files here of", "Connect a network"),
    no_memory: ("!", "Memory", "Only 42 MB of 971 MB free", "desktop"),
    damaged: ("✗", "Races", "is damaged or no database", "stick"),
}  # fmt: skip


@pytest.mark.parametrize("breaks", BROKEN, ids=lambda breaks: breaks.__name__)
def test_what_is_broken_is_told_with_what_to_do(
    breaks: Callable[[MadeUp, Path], None], pi: MadeUp, folder: Path
) -> None:
    breaks(pi, folder)
    mark, name, found, todo = BROKEN[breaks]
    done = doctor(pi, folder)
    said = line(done, name)
    assert said.startswith(f"{mark} {name} ")
    assert found in said
    assert todo in said
    assert done.exit_code == (1 if mark == "✗" else 0)
    french = doctor(pi, folder, lang="fr").output.replace(str(folder), "")
    assert not ENGLISH.findall(french), french


@pytest.mark.skipif(not Path("/sys/dev/char/1:3").exists(), reason="no kernel tells its devices here")
def test_a_device_that_is_no_serial_port(folder: Path) -> None:
    (folder / "wiring.toml").write_text('[roller]\nport = "/dev/null"\n')
    done = CliRunner().invoke(companion, ["--lang", "en", "hardware", "check", "--data", str(folder)])
    assert "/dev/null is no serial port" in done.output


def test_races_in_memory(pi: MadeUp, folder: Path) -> None:
    done = doctor(pi, Path("/dev/shm/companion-doctor-test"))
    assert line(done, "Disk").startswith("! Disk /dev/shm/companion-doctor-test is in memory")
    assert "a partition of their own" in line(done, "Disk")


def test_a_full_disk(pi: MadeUp, folder: Path) -> None:
    """A disk takes nothing more than 1 kB."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", "--lang", "en", "hardware", "check", "--data", folder, "--root", pi.root],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert f"✗ Disk {folder}: the disk is full" in " ".join(done.stdout.split()), "wherever the line is broken"
    assert done.returncode == 1
    assert not done.stderr


def test_nothing_that_hangs_is_waited_for(pi: MadeUp, folder: Path) -> None:
    for name in ("vcgencmd", "timedatectl", "iw"):
        pi.command(name, "sleep 60")
    began = time.monotonic()
    done = doctor(pi, folder)
    assert time.monotonic() - began < 8
    assert line(done, "Power") == "– Power Nothing here measures it"
    assert line(done, "Wireless") == "✓ Wireless wlan0, country FR"


def test_a_disk_that_hangs_is_a_finding(pi: MadeUp, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.doctor import examination

    mended, look = threading.Event(), examination.look
    monkeypatch.setattr(examination, "look", lambda where, whole: mended.wait() and look(where, whole=whole))
    found = examination.examine(this_machine(pi.root), folder, Wired(), patience=2.0)
    mended.set()
    assert [(one.check, one.state) for one in found if one.case == "late"] == [
        (name, "bad") for name in ("disk", "room", "database")
    ]


@pytest.mark.parametrize("label", [*HEADER_CHIPS, "gpio-mockup-A"])
def test_the_chip_with_the_pins_is_known_by_its_label(label: str, pi: MadeUp) -> None:
    machine = this_machine(pi.root)
    found = check_pins(machine, Wired(pins=True), lambda _: label, "json")
    assert found.case == ("other" if label == "gpio-mockup-A" else "well")
    assert check_pins(machine, Wired(pins=True, chip=0), lambda _: label, "json").case == "well"
    assert check_pins(machine, Wired(pins=True, chip=0), lambda _: label, "no_such_library").case == "no_library"


def test_this_machine_as_it_is(tmp_path: Path) -> None:
    """At once, without a display, and without Kivy; every check says something."""
    began = time.monotonic()
    code = "import sys; from companion.commands.main import main; main(['hardware', 'check'])"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, timeout=60, check=False,
        env={"PATH": os.defpath, "LANG": "C.UTF-8", "HOME": str(tmp_path)},
    )  # fmt: skip
    assert time.monotonic() - began < 15
    assert done.returncode in (0, 1)
    assert len(re.findall(r"^[✗!✓–] ", done.stdout, re.MULTILINE)) == len(CHECKS)
    assert "kivy" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_may_not_read_the_races_is_told_so(lang: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a person at the shell: the rest is checked all the same, even if the program's files cannot be read."""
    folder.chmod(0o700)
    monkeypatch.setattr(system, "__file__", str(folder / "system.py"))
    said = ["--lang", lang, "hardware", "check", "--data", str(folder)]
    CliRunner().invoke(companion, said)  # all that it imports is there
    os.seteuid(65534)
    try:
        done = CliRunner().invoke(companion, said, env={"COLUMNS": "400"})
    finally:
        os.seteuid(0)
    assert done.exit_code == 1
    again = f"--data {folder}" + (" --lang fr" if lang == "fr" else "")
    assert f"sudo companion {again} hardware check" in " ".join(done.output.split())
    assert "Permission denied" not in done.output or lang == "en"
    assert len(re.findall(r"^[✗!✓–] ", done.output, re.MULTILINE)) == len(CHECKS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_is_one_file_without_secrets(lang: str, pi: MadeUp, folder: Path, tmp_path: Path) -> None:
    low_voltage(pi, folder)
    (folder / "access-point.json").write_text('{"name": "Table", "password": "secret-5", "address": "10.4.0.1"}')
    file = tmp_path / "report.txt"
    done = doctor(pi, folder, f"--report={file}", lang=lang)
    assert str(file) in done.output.splitlines()[-1]
    report = file.read_text(encoding="utf-8")
    for wanted in ("power low", "dtoverlay=vc4-kms-v3d", "video=DSI-1:800x480", "kivy==", "Rev 1.5"):
        assert wanted.lower() in report.lower()
    assert "secret" not in report


def test_the_report_has_a_name_if_none_is_given(
    pi: MadeUp, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    doctor(pi, folder, "--report")
    assert (tmp_path / "companion-report.txt").is_file()


def test_a_report_that_cannot_be_written_makes_no_folder(pi: MadeUp, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "nowhere/report.txt"
    said = ["--lang", "en", "hardware", "check", "--data", str(folder), "--root", str(pi.root), f"--report={file}"]
    done = CliRunner().invoke(companion, said)
    assert str(done.exception) == f"{file} could not be written (No such file or directory)."
    assert not file.parent.exists()


def test_every_case_has_its_sentence_and_what_to_do() -> None:
    """Each case that a check may come to, by its code, as a sentence; those that may be wrong say what to do."""
    source = "".join(path.read_text(encoding="utf-8") for path in ROOM.glob("*.py"))
    named = set(re.findall(r'"([a-z_]+)"', source)) | {*get_args(Fault)}
    for words in map(Words, LANGUAGES):
        table = words.table["screen"]["doctor"]
        assert isinstance(table, dict)
        names, sentences, todo = table["name"], table["is"], table["do"]
        assert isinstance(names, dict) and isinstance(sentences, dict) and isinstance(todo, dict)  # noqa: PT018
        assert set(names) == set(CHECKS)
        assert set(sentences) == {*CHECKS, "any"}
        for check, cases in sentences.items():
            assert set(cases) <= named, check
            assert set(todo.get(check, ())) == set(cases) - WELL.get(check, set()) - {"well"}, check
