"""The first start of a card, on the root of another system; commands that would change this one are written down."""

from __future__ import annotations

import json
import runpy
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent.parent / "systemd"
LAYOUTS = "! model\n  pc105  Generic\n\n! layout\n  us  English (US)\n  fr  French\n\n! variant\n  oss  fr: French\n"
WHOLE = """
language = "fr"
keyboard = "fr"
time_zone = "Europe/Paris"
name = "table-4"
[login]
name = "ada"
password = "to be told: nobody"
[wireless]
country = "FR"
name = "Salle; du \\\\ fond"
password = "correct horse"
"""
SITE = "opt/companion/versions/1.0/lib/python3.13/site-packages"
LANGUAGE = "etc/systemd/system/companion-.service.d/language.conf"
LOGIN = "small letters, digits and hyphens, and no user or group of the system's own, such as root"
ALWAYS = {"ssh-keygen", "findmnt", "lsblk", "sfdisk", "partx", "resize2fs"}
"""What a start with the file runs, whatever is in it."""


class Card:
    """A system below a folder, and what the first start would have run."""

    def __init__(self, root: Path) -> None:
        self.root, self.ran = root, list[tuple[str, ...]]()
        for path, text in {
            f"{SITE}/companion/locale/en.toml": "", f"{SITE}/companion/locale/fr.toml": "",
            f"{SITE}/companion/locale/fr-circuits.toml": "", "etc/passwd": "root:x:0:0\nkim:x:1000:1000\n",
            "etc/group": "root:x:0:\naudio:x:29:\nkim:x:1000:\nnogroup:x:65534:\n",
            "etc/default/keyboard": "", "etc/hosts": "", "etc/NetworkManager/system-connections/none": "",
            "etc/modprobe.d/none": "", "usr/share/X11/xkb/rules/base.lst": LAYOUTS,
            "usr/share/zoneinfo/Europe/Paris": "", "usr/share/zoneinfo/Etc/UTC": "", "boot/firmware/config.txt": "",
        }.items():  # fmt: skip
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        version = root / "opt/companion/versions/1.0"
        (version / "appliance").mkdir(parents=True)
        for name in ("appliance.py", "companion-table.nmconnection"):
            (version / "appliance" / name).write_text((FOLDER / name).read_text())
        (root / "opt/companion/current").symlink_to("versions/1.0")
        made = runpy.run_path(str(FOLDER / "card/first-start.py"))
        self.main: Callable[[Path], None] = made["main"]
        made["main"].__globals__["run"] = self.run

    def run(self, *words: str | Path, given: str = "") -> str:
        self.ran.append((*map(str, words), *([given] if given else [])))
        return {"findmnt": "/dev/mmcblk0p2", "lsblk": "mmcblk0"}.get(str(words[0]), "")

    def starts(self, asked: str) -> None:
        (self.root / "boot/firmware/table.toml").write_text(asked)
        self.main(self.root)

    def read(self, path: str) -> str:
        return (self.root / path).read_text()


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path)


def test_the_file_sets_up_language_keys_names_login_and_network_and_goes(card: Card) -> None:
    card.starts(WHOLE)
    assert card.read(LANGUAGE) == "[Service]\nEnvironment=LANG=fr\n"
    assert 'XKBLAYOUT="fr"' in card.read("etc/default/keyboard")
    assert (card.root / "etc/localtime").readlink() == Path("/usr/share/zoneinfo/Europe/Paris")
    assert card.read("etc/hostname") == "table-4\n"
    assert "table-4" in card.read("etc/hosts")
    network = card.root / "etc/NetworkManager/system-connections/table.nmconnection"
    assert "\nssid=Salle\\; du \\\\ fond\n" in network.read_text()
    assert "\npsk=correct horse\n" in network.read_text()
    assert network.stat().st_mode & 0o777 == 0o600
    assert card.read("etc/modprobe.d/country.conf").endswith("=FR\n")
    did = {one[0]: one for one in card.ran}
    assert did["useradd"][-1] == "ada"
    assert did["chpasswd"] == ("chpasswd", "ada:to be told: nobody\n")
    assert did["systemctl"] == ("systemctl", "daemon-reload")
    assert not (card.root / "boot/firmware/table.toml").exists()
    assert not list(card.root.rglob(".*")), "nothing half written is left"


def test_what_is_left_out_stays_as_it_is(card: Card) -> None:
    card.starts("# nothing\n")
    assert card.read("etc/hosts") == ""
    assert not (card.root / LANGUAGE).exists()
    assert {one[0] for one in card.ran} == ALWAYS


def test_every_card_has_keys_and_a_network_of_its_own_and_takes_all_of_the_card(card: Card) -> None:
    card.starts("")
    told = json.loads(card.read("var/lib/companion/access-point.json"))
    assert told["password"] in card.read("etc/NetworkManager/system-connections/companion-table.nmconnection")
    assert ("ssh-keygen", "-A") in card.ran
    assert card.ran[-1] == ("resize2fs", "/dev/mmcblk0p2")
    assert ("partx", "--update", "--nr", "2", "/dev/mmcblk0") in card.ran
    card.starts("")
    assert json.loads(card.read("var/lib/companion/access-point.json")) == told, (
        "a copy of the file changes no password"
    )


def test_the_file_on_the_card_is_one_that_is_taken(card: Card) -> None:
    text = (FOLDER / "card/table.toml").read_text().replace('gb"', 'fr"')
    card.starts(text)
    assert not (card.root / "boot/firmware/table-wrong.toml").exists()
    assert not (card.root / "etc/NetworkManager/system-connections/table.nmconnection").exists()
    meant = text.replace("# [", "[").replace("# name", "name").replace("# password", "password")
    card.starts(meant.replace("# country", "country").replace("...", "correct horse"))
    assert not (card.root / "boot/firmware/table-wrong.toml").exists(), "with its examples taken for true"
    assert {"useradd", "chpasswd"} <= {one[0] for one in card.ran}


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ("language = ", "It is not TOML: "),
        ("language = 4", "language should be one of en, fr."),
        ('language = "klingon"', "language should be one of en, fr."),
        ('keyboard = "oss"', "keyboard should be a layout such as gb, us or fr."),
        ('time_zone = "Europe"', "time_zone should be such as Europe/Paris."),
        ('time_zone = "../../etc/passwd"', "time_zone should be such as Europe/Paris."),
        ('name = "Table 4"', "name should be small letters, digits and hyphens."),
        ('login = "ada"', "login should be a table, [login]."),
        ('[login]\nname = "ada"', "[login] wants both a name and a password."),
        ('[login]\nname = "ada"\npassword = "a\\nroot:b"', "login.password should be on one line."),
        ('[login]\nname = "root"\npassword = "x"', f"login.name should be {LOGIN}."),
        ('[login]\nname = "audio"\npassword = "x"', f"login.name should be {LOGIN}."),
        ('[login]\nname = "nogroup"\npassword = "x"', f"login.name should be {LOGIN}."),
        ('[wireless]\nname = "x"\npassword = "short"', "wireless.password should be 8 to 63 letters."),
        ('[wireless]\ncountry = "fr"', "wireless.country should be two capital letters."),
    ],
)
def test_a_slip_is_told_in_the_file_and_nothing_of_it_is_done(card: Card, slip: str, said: str) -> None:
    card.starts(slip)
    assert card.read("boot/firmware/table-wrong.toml").startswith(f"# {said}")
    assert card.read("boot/firmware/table-wrong.toml").endswith(slip)
    assert not (card.root / "boot/firmware/table.toml").exists()
    assert {one[0] for one in card.ran} == ALWAYS, "of the file; the card is taken all the same"


def test_who_may_log_in_already_gets_another_password(card: Card) -> None:
    card.starts('[login]\nname = "kim"\npassword = "another"')
    assert [one for one in card.ran if one[0] in ("useradd", "chpasswd")] == [("chpasswd", "kim:another\n")]


def test_systemd_finds_no_fault_in_its_unit(tmp_path: Path) -> None:
    unit = tmp_path / "table-first-start.service"
    text = (FOLDER / "card" / unit.name).read_text()
    unit.write_text(text.replace("/usr/local/lib/companion/first-start.py", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    about = [line for line in (done.stdout + done.stderr).splitlines() if unit.stem in line]
    assert done.returncode == 0
    assert about == []


def test_it_waits_for_the_partition_that_its_file_lies_on() -> None:
    """A partition that may be missing is one that nothing else of an early start waits for."""
    folder = Path(runpy.run_path(str(FOLDER / "card/first-start.py"))["ASKED"]).parent
    unit = (FOLDER / "card/table-first-start.service").read_text().splitlines()
    assert f"RequiresMountsFor=/{folder}" in unit


def test_it_may_write_to_the_system() -> None:
    """What is named as the appliance's own units is kept from that by a drop-in for all of them."""
    (unit,) = (FOLDER / "card").glob("*.service")
    assert not [drop for drop in FOLDER.glob("*-.service.d") if unit.name.startswith(drop.name.partition(".")[0])]


def test_a_partition_reaches_to_the_end_of_its_card_and_begins_where_it_did(card: Card, tmp_path: Path) -> None:
    disk = tmp_path / "disk.img"
    with open(disk, "wb") as file:
        file.truncate(64 << 20)
    table = "label: dos\nstart=2048, size=4096, type=c\nstart=6144, size=8192, type=83\n"
    subprocess.run(["sfdisk", "-q", disk], input=table, text=True, check=True)
    with open(disk, "r+b") as file:
        file.truncate(256 << 20)
    made = runpy.run_path(str(FOLDER / "card/first-start.py"))
    for _ in range(2):  # a start that was cut off does it again
        made["reach_the_end"](disk, "2")
        said = subprocess.run(["sfdisk", "--json", disk], capture_output=True, check=True).stdout
        root = json.loads(said)["partitiontable"]["partitions"][1]
        assert root["start"] == 6144
        assert root["start"] + root["size"] == (256 << 20) // 512
