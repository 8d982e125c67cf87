"""The units and rules as systemd itself reads them: without a fault, and open no further than their reasons say."""

from __future__ import annotations

import configparser
import ipaddress
import re
import runpy
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.commands.main import COMMANDS
from companion.hall.broker import PORT as NATS
from companion.hall.running import PAGES
from companion.web import PORT, access_point

FOLDER = Path(__file__).parent.parent.parent / "systemd"
PROGRAM = "/opt/companion/current/bin/companion"
SERVICES = sorted(path.name for path in FOLDER.glob("*.service"))
PRIVATE = [ipaddress.ip_network(one) for one in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16")]
NETWORK = "companion-access-point.service"
NEXT = "companion-next-stick.service"
"""What has NetworkManager, or systemd, do something, and starts no command of ours."""
RULES = sorted(path.name for path in FOLDER.glob("*.rules"))


def told(*words: str | Path) -> str:
    """What a command says of what it was given; it must find no fault."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def unit(name: str) -> configparser.ConfigParser:
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read(FOLDER / name, encoding="utf-8")
    return read


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units, with a program that is there in the place of ours."""
    copied = tmp_path / "units"
    shutil.copytree(FOLDER, copied)
    for path in copied.glob("*.service"):
        path.write_text(path.read_text(encoding="utf-8").replace(PROGRAM, "/bin/true"), encoding="utf-8")
    return copied


def test_systemd_finds_no_fault_in_any_unit(units: Path) -> None:
    paths = [path for path in sorted(units.iterdir()) if path.suffix in (".service", ".timer", ".mount", ".path")]
    assert len(paths) == 9
    about = [line for line in told("systemd-analyze", "verify", *paths).splitlines() if "companion" in line]
    assert about == []
    spoilt = units / "companion-screen.service"
    spoilt.write_text(spoilt.read_text(encoding="utf-8") + "\n[Service]\nWatchdogSek=20\n", encoding="utf-8")
    verdict = subprocess.run(["systemd-analyze", "verify", spoilt], capture_output=True, text=True, check=False)
    assert "WatchdogSek" in verdict.stderr, "it does look"


@pytest.mark.parametrize("name", SERVICES)
def test_no_unit_is_more_exposed_than_one_and_a_half_of_ten(name: str) -> None:
    verdict = told("systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", FOLDER / name)
    found = re.search(r"Overall exposure level for \S+ (\d+\.\d)", verdict)
    assert found is not None, verdict
    assert float(found[1]) <= 1.5


@pytest.mark.parametrize(("name", "ports"), [("companion-screen", (PORT,)), ("companion-hall", (NATS, PAGES))])
def test_a_network_reaches_a_unit_on_its_ports_and_from_private_networks_alone(name: str, ports: tuple[int]) -> None:
    """And by mDNS, by which a hall says where it is, and a table hears it."""
    text = (FOLDER / f"{name}.service").read_text(encoding="utf-8")
    wanted = [("Deny", "any"), *(("Allow", f"ipv4:tcp:{port}") for port in ports), ("Allow", "ipv4:udp:5353")]
    assert re.findall(r"^SocketBind(\w+)=(.*)$", text, re.MULTILINE) == wanted
    allowed = re.search(r"^IPAddressAllow=localhost (.*)$", text, re.MULTILINE)
    assert allowed
    *networks, mdns = [ipaddress.ip_network(one) for one in allowed[1].split()]
    assert networks == PRIVATE
    assert all(one.is_private for one in networks)
    assert str(mdns) == "224.0.0.251/32"
    assert "IPAddressDeny=any" in (FOLDER / "companion-.service.d" / "hardened.conf").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in SERVICES if name not in (NETWORK, NEXT)])
def test_each_unit_starts_a_command_that_exists_and_keeps_its_races_where_the_others_do(name: str) -> None:
    program, *words = unit(name)["Service"]["ExecStart"].split()
    assert program == PROGRAM
    command = words[0] if words else ""
    assert command in (*COMMANDS, "--fullscreen")
    assert "StateDirectory" not in unit(name)["Service"], "it is the same for all"
    assert unit("companion-.service.d/hardened.conf")["Service"]["StateDirectory"] == "companion"


def test_the_tables_own_network_is_off_until_the_screen_asks_for_it(tmp_path: Path) -> None:
    watched = unit("companion-access-point.path")["Path"]["PathChanged"]
    folder = "/var/lib/companion"
    assert watched == f"{folder}/{access_point.WANTED}"
    assert "Install" not in unit(NETWORK)
    profile = unit("companion-table.nmconnection")
    assert profile["connection"]["autoconnect"] == "false"
    assert profile["wifi"]["mode"] == "ap"
    address = ipaddress.ip_interface(profile["ipv4"]["address1"])
    assert any(address.ip in network for network in PRIVATE)
    # what the unit runs, with the program that it asks in the place of NetworkManager's
    said = tmp_path / "said"
    (tmp_path / "nmcli").write_text(f'#!/bin/sh\necho "$@" >> {said}\n', encoding="utf-8")
    (tmp_path / "nmcli").chmod(0o755)
    own = unit(f"{NETWORK}.d/root.conf")["Service"]
    assert (own["User"], own["StateDirectory"]) == ("root", ""), "the races stay the companion's"
    assert "root.conf" > "hardened.conf", "systemd reads it last"
    assert own["LoadCredential"] == f"wanted:{watched}"
    begins = unit(NETWORK)["Service"]["ExecStart"].replace("%d/wanted", str(tmp_path / access_point.WANTED))
    for on in (True, False):
        access_point.turn(tmp_path, on=on)
        path = f"{tmp_path}:/usr/bin:/bin"
        subprocess.run(shlex.split(begins), cwd=tmp_path, env={"PATH": path}, check=True)
    name = profile["connection"]["id"]
    assert said.read_text().split("\n")[:2] == [f"--wait 20 connection {word} {name}" for word in ("up", "down")]


def test_the_network_is_named_once_and_nobody_else_reads_its_password(tmp_path: Path) -> None:
    module = runpy.run_path(str(FOLDER / "appliance.py"))
    machine, version = module["Machine"](tmp_path), tmp_path / "version"
    (version / "appliance").mkdir(parents=True)
    shutil.copy(FOLDER / module["PROFILE"], version / "appliance")
    module["access_point"](machine, version)
    profile = tmp_path / "etc/NetworkManager/system-connections" / module["PROFILE"]
    own = access_point.access_point(machine.data)
    assert own is not None
    written = profile.read_text(encoding="utf-8")
    assert f"ssid={own.name}\n" in written
    assert f"psk={own.password}\n" in written
    assert f"address1={own.address}/24\n" in written
    assert "NAME" not in written
    assert len(own.password) >= 8  # WPA wants as many
    for secret in (profile, machine.data / access_point.FILE):
        assert secret.stat().st_mode & 0o077 == 0
    module["access_point"](machine, version)
    assert access_point.access_point(machine.data) == own
    assert access_point.wifi(own) == f"WIFI:T:WPA;S:{own.name};P:{own.password};;"


@pytest.mark.parametrize("name", ["companion-screen.service", "companion-console.service"])
def test_what_draws_on_the_console_has_it_to_itself(name: str) -> None:
    service = unit(name)["Service"]
    console = service["TTYPath"].removeprefix("/dev/")
    assert f"getty@{console}.service" in unit(name)["Unit"]["Conflicts"]
    assert service["Restart"] == "always"


def test_the_screen_waits_for_the_display_that_udev_names_and_begins_without_it_in_the_end() -> None:
    """A card of its own (the 3D chip of a Pi) is no display; what has a socket is, and comes after its card."""
    rule = (FOLDER / "70-companion-display.rules").read_text(encoding="utf-8")
    assert 'SUBSYSTEM=="drm", KERNEL=="card[0-9]*-*", TAG+="systemd"' in rule
    named = re.search(r'ENV\{SYSTEMD_ALIAS\}\+="([^"]+)"', rule)
    assert named is not None
    device = told("systemd-escape", "--path", "--suffix=device", named[1]).strip()
    waits = unit("companion-screen.service")["Unit"]
    assert device in waits["After"].split()
    assert device in waits["Wants"].split()
    assert "Requires" not in waits


BUILT_IN = {"drm", "input", "gpiochip"}
"""Kinds of devices that the kernel names from its start, or by the time that the display is there."""
NAMED_BY = {"ttyACM": "cdc_acm", "ttyUSB": "usbserial", "alsa": "snd"}
"""The module that makes the kernel name a kind of device: until then systemd allows nothing of it, and never later."""


def test_what_is_plugged_in_late_is_allowed_too() -> None:
    text = (FOLDER / "companion-screen.service").read_text(encoding="utf-8")
    late = set(re.findall(r"^DeviceAllow=char-(\S+) rw?$", text, re.MULTILINE)) - BUILT_IN
    assert late
    waits = unit("companion-screen.service")["Unit"]
    for when in ("Wants", "After"):
        assert {f"modprobe@{NAMED_BY[kind]}.service" for kind in late} <= set(waits[when].split())


def test_a_machine_that_lacks_a_program_does_without_it() -> None:
    runpy.run_path(str(FOLDER / "appliance.py"))["if_there"]("/nowhere/nmcli", "connection", "load")


def test_the_copies_go_to_the_stick_that_is_mounted_and_nowhere_else() -> None:
    where = unit("media-companion.mount")["Mount"]["Where"]
    service = unit("companion-backup.service")
    assert service["Unit"]["ConditionPathIsMountPoint"] == where
    assert service["Service"]["ReadWritePaths"] == where
    assert f" backup {where}/" in service["Service"]["ExecStart"]
    kinds = unit("media-companion.mount")["Mount"]["Type"].split(",")
    assert "|".join(kinds) in (FOLDER / "70-companion-stick.rules").read_text(encoding="utf-8"), "as the rule has them"
    assert {"nodev", "nosuid", "noexec"} <= set(unit("media-companion.mount")["Mount"]["Options"].split(","))
    rule = (FOLDER / "70-companion-stick.rules").read_text(encoding="utf-8")
    label = unit("media-companion.mount")["Mount"]["What"].rpartition("/")[2]
    assert f'ENV{{ID_FS_LABEL}}=="{label}"' in rule
    assert 'ENV{SYSTEMD_WANTS}+="media-companion.mount"' in rule


def test_of_two_sticks_the_second_has_its_turn_when_the_first_is_pulled_out(tmp_path: Path) -> None:
    rule = (FOLDER / "70-companion-stick.rules").read_text(encoding="utf-8").splitlines()[-1]
    assert rule.startswith('ACTION=="remove", ')
    assert rule.endswith(f'RUN+="/usr/bin/systemctl --no-block start {NEXT}"'), "udev itself must not wait for a mount"
    mount, own = unit("media-companion.mount")["Mount"], unit(NEXT)
    assert own["Unit"]["ConditionPathExists"] == mount["What"], "where there is no second, nothing is begun"
    assert own["Service"]["ExecStart"].split()[-1] == "media-companion.mount"
    assert unit(f"{NEXT}.d/root.conf")["Service"]["User"] == "root"
    judges = shlex.split(own["Service"]["ExecCondition"])
    for source, begins in ((tmp_path, False), (tmp_path / "gone", True), ("", True)):
        (tmp_path / "findmnt").write_text(
            f'#!/bin/sh\n[ "$4" = {mount["Where"]} ] && echo {source}\n', encoding="utf-8"
        )
        (tmp_path / "findmnt").chmod(0o755)
        done = subprocess.run(judges, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=False)
        assert (done.returncode == 0) is begins, source


@pytest.mark.parametrize("name", RULES)
def test_every_rule_has_its_place_in_the_system(name: str) -> None:
    assert runpy.run_path(str(FOLDER / "appliance.py"))["PLACES"][name] == "etc/udev/rules.d"


@pytest.mark.parametrize("name", RULES)
def test_udev_finds_no_fault_in_any_rule(name: str, tmp_path: Path) -> None:
    """Debian 12's udevadm cannot be asked about a file; there the form of each rule is all that is looked at."""
    version = int(told("udevadm", "--version").split()[0])
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            assert all(re.fullmatch(r'[A-Z_]+(\{\w+\})?(==|!=|\+=|=)"[^"]*"', part) for part in line.split(", ")), line
    if version >= 254:
        told("udevadm", "verify", "--resolve-names=never", FOLDER / name)  # sysusers makes the group
