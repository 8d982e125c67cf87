"""The installer, run on the root of another system: versions come and go, the races stay."""

from __future__ import annotations

import atexit
import fcntl
import functools
import hashlib
import os
import runpy
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent.parent

BUILDER = '''
"""Makes a wheel of the folder companion without anything from elsewhere."""

import zipfile


def build_wheel(folder, config_settings=None, metadata_directory=None):
    about = "companion-{number}.dist-info"
    with zipfile.ZipFile(f"{{folder}}/companion-{number}-py3-none-any.whl", "w") as wheel:
        wheel.write("companion/commands/main.py")
        wheel.writestr(f"{{about}}/METADATA", "Metadata-Version: 2.1\\nName: companion\\nVersion: {number}\\n")
        wheel.writestr(f"{{about}}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{{about}}/entry_points.txt", "[console_scripts]\\ncompanion = companion.commands.main:main\\n")
        wheel.writestr("companion-{number}.data/data/share/man/man1/companion.1", "{number}")
        wheel.writestr(f"{{about}}/RECORD", "")
    return "companion-{number}-py3-none-any.whl"
'''
PYPROJECT = """
[build-system]
requires = []
build-backend = "builder"
backend-path = ["companion"]

[project]
name = "companion"
version = "{number}"
"""
PROGRAM = """
def main() -> None:
    print("{number}")


if __name__ == "__main__":
    main()
"""


COPIED = """
import shutil, sys
shutil.copytree({made!r}, sys.argv[1], symlinks=True)
"""


@functools.cache
def copied() -> Path:
    """The path of a module `venv` that copies an environment which this Python made: to make one takes seconds."""
    folder = Path(tempfile.mkdtemp(prefix="companion-venv-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", folder / "made"], check=True)
    (folder / "path").mkdir()
    (folder / "path/venv.py").write_text(COPIED.format(made=str(folder / "made")))
    return folder / "path"


class Table:
    """A machine's root, and a project as small as one can be, with the real folder systemd."""

    copies = True
    """Whether the environment of a version is a copy; else Python makes each anew, as on the appliance."""

    def __init__(self, folder: Path) -> None:
        self.source, self.root = folder / "source", folder / "root"
        self.opt = self.root / "opt/companion"
        self.races = self.root / "var/lib/companion/races.db"
        self.races.parent.mkdir(parents=True)
        self.races.write_text("the races")
        self.write("1.0")

    def write(self, number: str, program: str = PROGRAM) -> None:
        """Writes a version of the project."""
        shutil.rmtree(self.source, ignore_errors=True)
        (self.source / "companion/commands").mkdir(parents=True)
        (self.source / "companion/builder.py").write_text(BUILDER.format(number=number))
        (self.source / "companion/commands/main.py").write_text(program.format(number=number))
        (self.source / "pyproject.toml").write_text(PYPROJECT.format(number=number))
        shutil.copytree(PROJECT / "systemd", self.source / "systemd")
        (self.source / "systemd/requirements.txt").write_text("")

    def begin_from(self, root: Path) -> None:
        """Has the machine be as another one is."""
        shutil.rmtree(self.root)
        shutil.copytree(root, self.root, symlinks=True)

    def asked(self, *words: str, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
        """Runs the installer of the source."""
        return subprocess.run(
            [sys.executable, self.source / "systemd/appliance.py", "--root", self.root, *words],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PIP_NO_INDEX": "1", "PATH": path}
            | ({"PYTHONPATH": str(copied())} if self.copies else {}),
        )

    def done(self, *words: str) -> None:
        said = self.asked(*words)
        assert said.returncode == 0, said.stdout + said.stderr

    def refused(self, *words: str) -> str:
        said = self.asked(*words)
        assert said.returncode == 1, said.stdout + said.stderr
        return said.stderr

    @property
    def current(self) -> str:
        """The number of the version that runs."""
        return os.readlink(self.opt / "current").rpartition("/")[2].partition("-")[0]

    @property
    def files(self) -> dict[str, tuple[int, bytes | str]]:
        """Everything below the root: when it was changed, and what is in it."""
        return {
            str(path.relative_to(self.root)): (
                path.lstat().st_mtime_ns,
                os.readlink(path) if path.is_symlink() else path.read_bytes(),
            )
            for path in self.root.rglob("*")
            if path.is_symlink() or (path.is_file() and path.suffix != ".pyc")
        }


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root on which the first version was installed: to build one takes seconds, to copy it none."""
    table = Table(tmp_path_factory.mktemp("first"))
    table.done("install")
    return table.root


@pytest.fixture
def installed(table: Table, first: Path) -> Table:
    """A machine on which the first version is installed."""
    table.begin_from(first)
    return table


def test_it_is_installed_upgraded_taken_back_and_uninstalled(table: Table) -> None:
    table.copies = False
    units = table.root / "etc/systemd/system"
    table.done("install")
    assert table.current == "1.0"
    assert (units / "multi-user.target.wants/companion-screen.service").is_symlink()
    assert (units / "timers.target.wants/companion-backup.timer").is_symlink()
    assert (units / "companion-.service.d/hardened.conf").is_file()
    assert (table.root / "etc/udev/rules.d/70-companion-roller.rules").is_file()
    assert (table.root / "etc/systemd/journald.conf.d/companion-journald.conf").is_file()
    assert "companion:" in (table.root / "etc/passwd").read_text()
    assert os.access(table.root / "usr/local/bin/companion", os.X_OK)
    manual = table.root / "usr/local/share/man/man1/companion.1"
    assert manual.read_text() == "1.0"
    script = (table.opt / "current/bin/companion").read_text()
    place = "/opt/companion/versions/1.0-"  # pip calls sh for a Python whose path is too long for a first line
    assert script.startswith((f"#!{place}", f"#!/bin/sh\n'''exec' {place}")), "it knows its place in the image"

    before = table.files
    table.done("install")
    assert table.files == before, "once more changes nothing"
    (units / "companion-screen.service").unlink()
    table.done("install")
    assert (units / "companion-screen.service").is_file(), "what is missing is mended"

    table.write("2.0")
    screen = table.source / "systemd/companion-screen.service"
    screen.write_text(screen.read_text() + "# the second\n")
    itself = table.source / "systemd/appliance.py"
    itself.write_text(itself.read_text().replace('    "companion-journald.conf": "etc/systemd/journald.conf.d",\n', ""))
    table.done("upgrade")
    assert (table.current, manual.read_text()) == ("2.0", "2.0")
    assert "# the second" in (units / "companion-screen.service").read_text()
    assert not (table.root / "etc/systemd/journald.conf.d/companion-journald.conf").exists(), "only the first had it"

    table.done("rollback")
    assert table.current == "1.0"
    assert "# the second" not in (units / "companion-screen.service").read_text()
    assert (table.root / "etc/systemd/journald.conf.d/companion-journald.conf").is_file()
    table.done("rollback")
    assert table.current == "2.0", "and forward again"
    assert table.races.read_text() == "the races"

    table.done("uninstall")
    left = {name for name in table.files if "companion" in name}
    assert left == {"var/lib/companion/races.db"}
    assert not (units / "companion-.service.d").exists()
    table.done("uninstall")
    table.done("uninstall", "--purge")
    assert not table.races.exists()


def test_an_upgrade_that_fails_leaves_the_version_that_runs(installed: Table) -> None:
    table = installed
    before = table.files
    table.write("2.0", program="raise SystemExit('it does not start')\n")
    assert "failed" in table.refused("upgrade")
    assert table.files == before
    table.write("2.0")
    (table.source / "companion/builder.py").write_text("")
    assert "failed" in table.refused("upgrade")
    assert table.files == before


def test_what_only_a_new_version_has_begins_with_the_machine(installed: Table) -> None:
    """And what somebody has switched off stays so."""
    table, wants = installed, installed.root / "etc/systemd/system/timers.target.wants"
    (wants / "companion-backup.timer").unlink()
    table.write("2.0")
    timer = "[Timer]\nOnCalendar=daily\n\n[Install]\nWantedBy=timers.target\n"
    (table.source / "systemd/companion-new.timer").write_text(timer)
    itself = table.source / "systemd/appliance.py"
    text = itself.read_text().replace(
        "PLACES: Final = {", 'PLACES: Final = {"companion-new.timer": "etc/systemd/system",'
    )
    itself.write_text(text.replace("ENABLED: Final = (", 'ENABLED: Final = ("companion-new.timer", '))
    table.done("upgrade")
    assert [path.name for path in wants.iterdir()] == ["companion-new.timer"]


def test_race_control_is_settled_like_a_screen(installed: Table) -> None:
    """It goes on as a new version, an installation once more begins no screen beside it, and it goes with the rest."""
    table, wants = installed, installed.root / "etc/systemd/system/multi-user.target.wants"
    for word in ("disable companion-screen", "enable companion-hall"):
        subprocess.run(["systemctl", "--quiet", f"--root={table.root}", *word.split()], check=True)
    began = {path.name for path in wants.iterdir()}
    table.done("install")
    assert {path.name for path in wants.iterdir()} == began
    assert "companion-hall.service" in began

    said: list[tuple[str, ...]] = []
    itself = runpy.run_path(str(table.source / "systemd/appliance.py"))
    machine = itself["Machine"](table.root)
    machine.runs, machine.systemctl = True, lambda *words, must=True: bool(said.append(words)) or True
    itself["place"].__globals__["if_there"] = lambda *_: None  # the udev of this machine has nothing to do with it
    version = machine.version("current")
    itself["switch"](machine, version, version)
    assert ("companion-hall.service" in said[-1], said[-1][0]) == (True, "try-restart")
    itself["uninstall"](machine, False)
    assert {words[0] for words in said if "companion-hall.service" in words} == {"try-restart", "stop", "disable"}


def test_two_versions_are_kept_and_no_more(installed: Table) -> None:
    table = installed
    for number in ("2.0", "3.0"):
        table.write(number)
        table.done("upgrade")
    assert table.current == "3.0"
    assert sorted(path.name.partition("-")[0] for path in (table.opt / "versions").iterdir()) == ["2.0", "3.0"]


def test_what_cannot_be_done_is_said(table: Table, first: Path) -> None:
    assert "the command is install" in table.refused("upgrade")
    assert "no version to go back to" in table.refused("rollback")
    table.begin_from(first)
    table.write("2.0")
    assert "the command is upgrade" in table.refused("install")
    (table.source / "pyproject.toml").unlink()
    assert "not the project's folder" in table.refused("upgrade")


@pytest.mark.parametrize(
    ("who", "words", "told"),
    [
        ("0", ["race"], "runuser -u companion -- program race /var/lib/companion"),
        ("0", ["--lang", "fr", "race"], "runuser -u companion -- program --lang fr race /var/lib/companion"),
        ("0", [], "runuser -u companion -- program /var/lib/companion"),
        ("0", ["--lang", "fr"], "runuser -u companion -- program --lang fr /var/lib/companion"),
        ("0", ["--lang=fr"], "runuser -u companion -- program --lang=fr /var/lib/companion"),
        (
            "0",
            ["--fullscreen", "--size", "800x480"],
            "runuser -u companion -- program --fullscreen --size 800x480 /var/lib/companion",
        ),
        ("0", ["--data", "backup"], "runuser -u companion -- program --data backup /var/lib/companion"),
        ("0", ["races", "salvage"], "runuser -u companion -- program races salvage /var/lib/companion"),
        ("0", ["races", "rename", "a", "b"], "runuser -u companion -- program races rename a b /var/lib/companion"),
        ("0", ["races", "backup", "adopt"], "runuser -u companion -- program races backup adopt /var/lib/companion"),
        ("0", ["races", "export", "race", "--pdf"], "program races export race --pdf /var/lib/companion"),
        ("0", ["--lang", "fr", "races", "verify", "race"], "program --lang fr races verify race /var/lib/companion"),
        ("1000", ["--lang", "fr"], "program --lang fr /var/lib/companion"),
        ("0", ["hardware", "buttons", "test"], "program hardware buttons test /var/lib/companion"),
        ("0", ["races", "backup", "a b"], "program races backup a b /var/lib/companion"),
        ("0", ["backup", "a b"], "program backup a b /var/lib/companion"),
        ("0", ["rules", "cup"], "program rules cup /var/lib/companion"),
        ("0", ["rules", "save", "x"], "runuser -u companion -- program rules save x /var/lib/companion"),
        ("1000", ["race"], "program race /var/lib/companion"),
    ],
)
def test_what_root_referees_belongs_to_the_user_of_the_races(
    tmp_path: Path, who: str, words: list[str], told: str
) -> None:
    """Else the touchscreen could read that race, but not go on with it."""
    for name, text in (
        ("id", f"echo {who}"),
        ("runuser", 'echo "runuser $*" $STATE_DIRECTORY'),
        ("program", 'echo "program $*" $STATE_DIRECTORY'),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    command = runpy.run_path(str(PROJECT / "systemd/appliance.py"))["COMMAND"]
    script = tmp_path / "companion"
    script.write_text(command.replace("/opt/companion/current/bin/companion", "program"))
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    said = subprocess.run(["sh", script, *words], capture_output=True, text=True, check=True, env=env)
    assert " ".join(said.stdout.split()) == told


def test_an_upgrade_that_was_cut_off_can_be_gone_back_from_and_ended(installed: Table) -> None:
    """Power or patience gave out after the new version was named and before its files were in place."""
    table = installed
    table.write("2.0")
    screen = table.source / "systemd/companion-screen.service"
    screen.write_text(screen.read_text() + "# the second\n")
    systemd = table.root.parent / "bin"
    systemd.mkdir()
    (systemd / "systemd-sysusers").write_text("#!/bin/sh\nkill -KILL $PPID\n")
    (systemd / "systemd-sysusers").chmod(0o755)
    assert table.asked("upgrade", path=f"{systemd}:{os.environ['PATH']}").returncode == -signal.SIGKILL
    assert table.current == "2.0"
    placed = table.root / "etc/systemd/system/companion-screen.service"
    table.done("rollback")
    assert (table.current, "# the second" in placed.read_text()) == ("1.0", False)
    assert table.asked("rollback", path=f"{systemd}:{os.environ['PATH']}").returncode == -signal.SIGKILL
    placed.unlink()
    table.done("upgrade")
    assert (table.current, "# the second" in placed.read_text()) == ("2.0", True), "it is ended"
    before = table.files
    table.done("upgrade")
    assert table.files == before
    table.done("rollback")
    assert table.current == "1.0"


def test_a_version_is_on_the_card_before_it_is_called_whole(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plug may be pulled a second after: what only the memory holds is lost then, in files of length nought."""
    steps: list[str] = []
    itself = runpy.run_path(str(table.source / "systemd/appliance.py"))
    monkeypatch.setattr(os, "sync", lambda: steps.append("sync"))
    monkeypatch.setattr(Path, "touch", lambda path: steps.append(path.name))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    itself["build"](itself["Machine"](table.root), table.source)
    assert steps == ["sync", "whole"]


def test_the_races_get_a_partition_of_their_own(installed: Table) -> None:
    table = installed
    unit, fstab = table.root / "etc/systemd/system/var-lib-companion.mount", table.root / "etc/fstab"
    fstab.write_text("LABEL=races /var/lib/companion ext4 defaults 0 2\n")
    assert "out of /etc/fstab first" in table.refused("races")
    fstab.write_text("# LABEL=races\n")
    table.done("races")
    assert unit.is_file()
    assert (unit.parent / "local-fs.target.wants" / unit.name).is_symlink()
    before = table.files
    table.done("races")
    assert table.files == before, "once more changes nothing"
    table.write("2.0")
    table.done("upgrade")
    table.done("rollback")
    table.done("uninstall")
    assert unit.is_file(), "as long as the races stay"
    table.done("uninstall", "--purge")
    assert not [name for name in table.files if "companion" in name]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts")
def test_races_go_to_their_partition_and_never_over_others(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder in the place of the partition, which is mounted over another."""
    itself = runpy.run_path(str(table.source / "systemd/appliance.py"))
    (tmp_path / "mount").write_text('#!/bin/sh\nexec /bin/mount --bind "$1" "$2"\n')
    (tmp_path / "mount").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (partition := tmp_path / "partition").mkdir()
    itself["move"](table.races.parent, partition)
    assert (partition / "races.db").read_text() == table.races.read_text() == "the races"
    with pytest.raises(itself["Failed"], match="races both in"):
        itself["move"](table.races.parent, partition)
    (partition / "races.db").write_text("others")
    table.races.unlink()
    itself["move"](table.races.parent, partition)
    assert (partition / "races.db").read_text() == "others", "they are gone on with"


def test_a_read_only_system_is_not_changed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    itself = runpy.run_path(str(table.source / "systemd/appliance.py"))
    machine, elsewhere = itself["Machine"](Path("/")), itself["Machine"](table.root)
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "overlayroot / overlay rw,lowerdir=/media/root-ro 0 0\n")
    with pytest.raises(itself["Failed"], match="switch the overlay off"):
        itself["writable"](machine)
    itself["writable"](elsewhere)
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "overlay / overlay rw,lowerdir=/docker 0 0\n")
    itself["writable"](machine)


def test_two_do_not_install_at_once(table: Table) -> None:
    held = os.open(table.root, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    for command in ("install", "upgrade", "rollback", "uninstall"):
        assert "by another already" in table.refused(command)
    assert set(table.files) == {"var/lib/companion/races.db"}
    os.close(held)
    assert "no version to go back to" in table.refused("rollback")


def test_a_root_that_is_not_there_is_not_made(table: Table) -> None:
    wrong = table.root.with_name("rot")
    right, table.root = table.root, wrong
    assert f"There is no folder {wrong}" in table.refused("install")
    assert not wrong.exists()
    table.root = right


def test_what_cannot_be_taken_away_is_said(installed: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is to give a card away in the belief that it is empty."""
    table = installed
    itself = runpy.run_path(str(table.source / "systemd/appliance.py"))
    machine = itself["Machine"](table.root)
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", lambda *_, **__: None)
        with pytest.raises(itself["Failed"], match=f"Not all of {table.opt} could be taken away"):
            itself["uninstall"](machine, False)
        table.opt.rename(table.root / "elsewhere")
        with pytest.raises(itself["Failed"], match=f"Not all of {table.races.parent} could be taken away"):
            itself["uninstall"](machine, True)
        table.races.unlink()
        assert "the races are gone" in itself["uninstall"](machine, True), "the folder of a partition stays"


def test_the_library_for_the_pins_is_compiled_where_neither_the_system_nor_pypi_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    made = runpy.run_path(str(PROJECT / "systemd/appliance.py"))
    known = made["settle"].__globals__
    sources, site = tmp_path / known["PINS"].removesuffix(".tar.gz"), tmp_path / "version/lib/python3.13/site-packages"
    for folder in (sources, site):
        folder.mkdir(parents=True)
    (sources / "setup.py").write_text(
        "import os, pathlib\n"
        "place = pathlib.Path('build/lib.linux'); place.mkdir(parents=True)\n"
        "for name in ('lgpio.py', '_lgpio.cpython.so'): (place / name).write_text(os.environ['PYPI'])\n"
    )
    with tarfile.open(tmp_path / known["PINS"], "w:gz") as packed:
        packed.add(sources, sources.name)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setattr(sys, "version_info", (3, 13))
    monkeypatch.setattr("platform.machine", lambda: "aarch64")

    made["settle"](made["Machine"](Path("/")), tmp_path / "version")
    assert list(site.iterdir()) == []
    assert (
        "lgpio-0.2.2.0.tar.gz is not what its maker published. Without lgpio the table has no" in capfd.readouterr().out
    )

    known["SHA256"] = hashlib.sha256((tmp_path / known["PINS"]).read_bytes()).hexdigest()
    made["settle"](made["Machine"](Path("/")), tmp_path / "version")
    assert {one.name: one.read_text() for one in site.iterdir()} == {"lgpio.py": "1", "_lgpio.cpython.so": "1"}


def test_the_screen_may_open_a_serial_port_of_the_pi_only_if_the_wiring_names_it(tmp_path: Path) -> None:
    """One on USB needs nothing; a name that is written over, or taken out, shuts the port again."""
    data = tmp_path / "var/lib/companion"
    data.mkdir(parents=True)
    conf = tmp_path / "etc/systemd/system/companion-screen.service.d/roller-port.conf"
    command = [sys.executable, PROJECT / "systemd/appliance.py", "--root", tmp_path, "port"]
    for port, let_in in (
        ("/dev/ttyAMA0", True), ("/dev/ttyS0", True), ("/dev/serial0", True), ("/dev/companion-roller", False),
        ("/dev/ttyS0 rw\\nDeviceAllow=/dev/mem", False), ("/dev/ttyACM0", False),
    ):  # fmt: skip
        (data / "wiring.toml").write_bytes(b"\xef\xbb\xbf" + f'[roller]\nport = "{port}"\n'.encode())
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert (port in done.stdout) is let_in
        assert conf.exists() is let_in
        if let_in:
            assert conf.read_text() == f"[Service]\nDeviceAllow={port} rw\n"
    for broken in ("roller = 5", "[roller", ""):
        (data / "wiring.toml").write_text(broken)
        assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.startswith(
            "wiring.toml names no"
        )
