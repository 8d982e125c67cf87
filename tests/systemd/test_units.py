"""The units and rules as systemd itself reads them: without a fault, and open no further than their reasons say."""

from __future__ import annotations

import configparser
import ipaddress
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.commands.main import COMMANDS
from companion.hall.broker import PORT as NATS
from companion.hall.running import PAGES
from companion.web import PORT, access_point
from companion.web.access_point import AccessPoint

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
    assert len(paths) == 10
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
    assert "ConditionPathExists=/etc" not in (FOLDER / NETWORK).read_text(), "NetworkManager keeps it where it likes"
    profile = unit("companion-table.nmconnection")
    assert profile["connection"]["autoconnect"] == "false"
    assert (profile["wifi"]["mode"], profile["wifi"]["band"]) == ("ap", "bg")
    secured = profile["wifi-security"]
    assert (secured["proto"], secured["pairwise"], secured["group"], secured["pmf"]) == ("rsn", "ccmp", "ccmp", "1")
    address = ipaddress.ip_interface(profile["ipv4"]["address1"])
    assert any(address.ip in network for network in PRIVATE)
    own = unit(f"{NETWORK}.d/root.conf")["Service"]
    assert (own["User"], own["StateDirectory"]) == ("root", ""), "the races stay the companion's"
    assert own["UMask"] == "0022", "the screen reads why it does not start"
    assert "root.conf" > "hardened.conf", "systemd reads it last"
    assert own["LoadCredential"] == f"wanted:{watched}"
    runs = unit(NETWORK)["Service"]
    assert f"/run/{runs['RuntimeDirectory']}/fault" == str(access_point.FAULT)
    fault = str(access_point.FAULT).replace("/run", "%t")
    assert runs["ExecStart"].endswith(f"/appliance/access-point.sh %d/wanted {fault}")
    assert int(runs["TimeoutStartSec"]) == access_point.START_SECONDS


MANAGER = """\
#!/bin/sh
# NetworkManager with one wireless card, as far as the starter asks it; `radio` and `card` hold their states
echo "$@" >> said
[ -e down ] && exit 8
case "$*" in
    "radio wifi on") [ -e stuck ] || { echo enabled > radio; [ ! -e card ] || echo disconnected > card; } ;;
    "-g TYPE,STATE device") echo ethernet:connected; [ ! -e card ] || echo "wifi:$(cat card)" ;;
    "-g WIFI-HW,WIFI radio") echo "enabled:$(cat radio)" ;;
    *" show uuid UUID") [ ! -e unknown ] || exit 10 ;;
    *" up uuid UUID") [ ! -e refuses ] || exit 4 ;;
    *" down uuid UUID") ;;
    *) exit 2 ;;
esac
"""


@pytest.fixture
def starter(tmp_path: Path) -> Callable[[str], str]:
    """Start or stop the network where its radio is off; return why it did not start, "" if it did."""
    shutil.copy(FOLDER / "access-point.sh", tmp_path)
    (tmp_path / "companion-table.nmconnection").write_text("[connection]\nuuid=UUID\n")
    (tmp_path / "nmcli").write_text(MANAGER)
    (tmp_path / "nmcli").chmod(0o755)
    (tmp_path / "sleep").symlink_to("/bin/true")
    (tmp_path / "radio").write_text("disabled\n")
    (tmp_path / "card").write_text("unavailable\n")

    def run(wanted: str) -> str:
        access_point.turn(tmp_path, on=wanted == "on")
        words = ["/bin/sh", tmp_path / "access-point.sh", tmp_path / access_point.WANTED, tmp_path / "fault"]
        done = subprocess.run(words, cwd=tmp_path, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=False)
        fault = tmp_path / "fault"
        why = fault.read_text().strip() if fault.exists() else ""
        assert (done.returncode == 0) is (why == "")
        return why

    return run


def test_a_radio_that_is_off_is_switched_on_before_the_network_starts(
    starter: Callable[[str], str], tmp_path: Path
) -> None:
    (tmp_path / "fault").write_text("card\n")
    assert starter("on") == "", "what was wrong the time before is forgotten"
    said = (tmp_path / "said").read_text().splitlines()
    assert said[0] == "radio wifi on"
    assert said[-1] == "--wait 20 connection up uuid UUID"
    assert starter("off") == ""
    assert (tmp_path / "said").read_text().splitlines()[-1] == "--wait 20 connection down uuid UUID"


@pytest.mark.parametrize(
    ("broken", "why"),
    [("down", "manager"), ("no card", "card"), ("stuck", "radio"), ("unknown", "profile"), ("refuses", "failed")],
)
def test_a_network_that_does_not_start_says_why(
    broken: str, why: str, starter: Callable[[str], str], tmp_path: Path
) -> None:
    if broken == "no card":
        (tmp_path / "card").unlink()
    else:
        (tmp_path / broken).touch()
    assert starter("on") == why
    assert why in access_point.FAULTS


PROFILES = """\
#!{python}
# NetworkManager's profiles: files in `profiles`, wherever NetworkManager itself has moved them
import pathlib, sys
here = pathlib.Path({folder!r})
if (here / "down").exists():
    sys.exit(8)
*_, verb, kind, what = ["", "", *sys.argv[1:]]
if kind == "load":
    (here / "profiles" / str(len(list((here / "profiles").iterdir())))).write_text(pathlib.Path(what).read_text())
    sys.exit()
found = [one for one in (here / "profiles").iterdir() if f"\\n{{kind}}={{what}}\\n" in one.read_text()]
for one in found:
    if verb == "delete":
        one.unlink()
    else:
        lines = dict(line.partition("=")[::2] for line in one.read_text().splitlines())
        print(lines["ssid"].replace("\\\\;", ";"), lines["psk"], sep="\\n", end="\\n\\n")
sys.exit(0 if found else 10)
"""


class Network:
    """The network that the installer gives a machine, with NetworkManager's profiles as it would have them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        module = runpy.run_path(str(FOLDER / "appliance.py"))
        self.machine, self.version = module["Machine"](folder), folder / "version"
        self.machine.itself = True
        monkeypatch.setattr(shutil, "chown", lambda *_: None)
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
        (folder / "profiles").mkdir()
        (folder / "nmcli").write_text(PROFILES.format(python=sys.executable, folder=str(folder)))
        (folder / "nmcli").chmod(0o755)
        (self.version / "appliance").mkdir(parents=True)
        shutil.copy(FOLDER / module["PROFILE"], self.version / "appliance")
        self.file = folder / "etc/NetworkManager/system-connections" / module["PROFILE"]
        self.make, self.country = module["access_point"], module["country"]

    def made(self) -> AccessPoint:
        """Have the installer see to it; return what the screen shows of it."""
        self.make(self.machine, self.version)
        own = access_point.access_point(self.machine.data)
        assert own is not None
        return own

    def profiles(self) -> list[str]:
        """What NetworkManager has."""
        return [one.read_text() for one in (self.folder / "profiles").iterdir()]


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Network:
    return Network(tmp_path, monkeypatch)


def test_the_network_is_named_once_and_nobody_else_reads_its_password(network: Network) -> None:
    own = network.made()
    written = network.file.read_text(encoding="utf-8")
    assert network.profiles() == [written]
    assert f"ssid={own.name}\n" in written
    assert f"psk={own.password}\n" in written
    assert f"address1={own.address}/24\n" in written
    assert "NAME" not in written
    assert len(own.password) >= 8  # WPA wants as many
    for secret in (network.file, network.machine.data / access_point.FILE):
        assert secret.stat().st_mode & 0o077 == 0
    assert network.made() == own
    assert access_point.wifi(own) == f"WIFI:T:WPA;S:{own.name};P:{own.password};;"


def test_an_upgrade_makes_no_second_network_when_its_file_has_moved(network: Network) -> None:
    """As on Raspberry Pi OS 13, whose NetworkManager keeps what somebody changed in /etc/netplan."""
    own = network.made()
    network.file.unlink()
    assert network.made() == own
    assert not network.file.exists()
    assert len(network.profiles()) == 1


def test_what_a_person_made_of_the_network_stays_and_the_screen_shows_it(network: Network) -> None:
    own = network.made()
    (profile,) = (network.folder / "profiles").iterdir()
    profile.write_text(profile.read_text().replace(own.name, "Salle; fond").replace(own.password, "correct horse"))
    assert network.made() == AccessPoint("Salle; fond", "correct horse", own.address)
    assert "correct horse" in profile.read_text()
    profile.unlink()  # NetworkManager lost it
    assert network.made().password == "correct horse"
    assert "ssid=Salle\\; fond\n" in network.file.read_text()


def test_the_networks_of_an_older_version_become_one_with_the_same_password(network: Network) -> None:
    for number in range(2):  # one that was made before, and a second that an upgrade made
        (network.folder / f"profiles/old{number}").write_text(
            "[connection]\nid=companion-table\n\n[wifi]\nssid=Table-OLD\n\n[wifi-security]\npsk=OLDPASSWORD\n"
        )
    assert network.made() == AccessPoint("Table-OLD", "OLDPASSWORD", "10.4.0.1")
    (profile,) = network.profiles()
    assert "pmf=1\n" in profile


def test_where_networkmanager_does_not_run_the_screen_knows_the_password(network: Network) -> None:
    (network.folder / "down").touch()
    own = network.made()
    assert network.made() == own
    assert f"psk={own.password}\n" in network.file.read_text()


@pytest.mark.parametrize(
    ("told", "zone", "country"),
    [("00", "Europe/Paris", "FR"), ("DE", "Europe/Paris", ""), ("00", "Etc/UTC", ""), ("", "Europe/Paris", "")],
)
def test_a_radio_without_a_country_gets_that_of_the_time_zone(
    told: str, zone: str, country: str, network: Network
) -> None:
    root = network.folder
    for path, text in {
        "etc/modprobe.d/none": "",
        f"usr/share/zoneinfo/{zone}": "",
        "usr/share/zoneinfo/zone.tab": "# code\nFR\t+4852+00220\tEurope/Paris\nUA\t+5026+03031\tEurope/Kyiv\tmost\n",
        **({"sys/module/cfg80211/parameters/ieee80211_regdom": f"{told}\n"} if told else {}),
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    (root / "etc/localtime").symlink_to(root / "usr/share/zoneinfo" / zone)
    network.country(network.machine)
    written = root / "etc/modprobe.d/companion-country.conf"
    assert (written.read_text() if written.exists() else "") == (
        f"options cfg80211 ieee80211_regdom={country}\n" if country else ""
    )


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


def test_what_a_rule_is_about_is_told_of_its_devices_when_it_comes() -> None:
    """A rule holds from a device's next event on: without one the panel would keep its brightness until a restart."""
    ruled = runpy.run_path(str(FOLDER / "appliance.py"))["RULED"]
    named = {found for name in RULES for found in re.findall(r'SUBSYSTEM=="(\w+)"', (FOLDER / name).read_text())}
    assert set(ruled) == named


def test_the_races_partition_is_mounted_only_where_somebody_has_asked_for_it() -> None:
    """Every unit that keeps races would require it; overlayroot would cover a line of /etc/fstab."""
    appliance = runpy.run_path(str(FOLDER / "appliance.py"))
    name = told("systemd-escape", "--path", "--suffix=mount", unit("companion-screen.service")["Service"].get(
        "StateDirectory", "/var/lib/companion")).strip()  # fmt: skip
    assert name == appliance["RACES"]
    assert name not in appliance["PLACES"]
    assert name in appliance["KEPT_FILES"]
    mount = unit(name)
    device = told("systemd-escape", "--path", mount["Mount"]["What"]).strip()
    assert mount["Unit"]["After"] == mount["Unit"]["Wants"] == f"systemd-fsck@{device}.service", "mended before"


@pytest.mark.parametrize("name", RULES)
def test_udev_finds_no_fault_in_any_rule(name: str, tmp_path: Path) -> None:
    """Debian 12's udevadm cannot be asked about a file; there the form of each rule is all that is looked at."""
    version = int(told("udevadm", "--version").split()[0])
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            assert all(re.fullmatch(r'[A-Z_]+(\{\w+\})?(==|!=|\+=|=)"[^"]*"', part) for part in line.split(", ")), line
    if version >= 254:
        told("udevadm", "verify", "--resolve-names=never", FOLDER / name)  # sysusers makes the group
