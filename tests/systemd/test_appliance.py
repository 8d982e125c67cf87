"""The installer, run on the root of another system: versions come and go, the races stay."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent.parent

BUILDER = '''
"""Makes a wheel of the folder companion without anything from elsewhere."""

import zipfile


def build_wheel(folder, config_settings=None, metadata_directory=None):
    about = "companion-{number}.dist-info"
    with zipfile.ZipFile(f"{{folder}}/companion-{number}-py3-none-any.whl", "w") as wheel:
        wheel.write("companion/cli.py")
        wheel.writestr(f"{{about}}/METADATA", "Metadata-Version: 2.1\\nName: companion\\nVersion: {number}\\n")
        wheel.writestr(f"{{about}}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{{about}}/entry_points.txt", "[console_scripts]\\ncompanion = companion.cli:main\\n")
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


class Table:
    """A machine's root, and a project as small as one can be, with the real folder systemd."""

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
        (self.source / "companion").mkdir(parents=True)
        (self.source / "companion/builder.py").write_text(BUILDER.format(number=number))
        (self.source / "companion/cli.py").write_text(program.format(number=number))
        (self.source / "pyproject.toml").write_text(PYPROJECT.format(number=number))
        shutil.copytree(PROJECT / "systemd", self.source / "systemd")

    def asked(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs the installer of the source."""
        return subprocess.run(
            [sys.executable, self.source / "systemd/appliance.py", "--root", self.root, *words],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PIP_NO_INDEX": "1"},
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


def test_it_is_installed_upgraded_taken_back_and_uninstalled(table: Table) -> None:
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
    script = (table.opt / "current/bin/companion").read_text()
    assert script.startswith("#!/opt/companion/versions/1.0-"), "it knows its place in the image"

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
    assert table.current == "2.0"
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


def test_an_upgrade_that_fails_leaves_the_version_that_runs(table: Table) -> None:
    table.done("install")
    before = table.files
    table.write("2.0", program="raise SystemExit('it does not start')\n")
    assert "failed" in table.refused("upgrade")
    assert table.files == before
    table.write("2.0")
    (table.source / "companion/builder.py").write_text("")
    assert "failed" in table.refused("upgrade")
    assert table.files == before


def test_two_versions_are_kept_and_no_more(table: Table) -> None:
    table.done("install")
    for number in ("2.0", "3.0"):
        table.write(number)
        table.done("upgrade")
    assert table.current == "3.0"
    assert sorted(path.name.partition("-")[0] for path in (table.opt / "versions").iterdir()) == ["2.0", "3.0"]


def test_what_cannot_be_done_is_said(table: Table) -> None:
    assert "the command is install" in table.refused("upgrade")
    assert "no version to go back to" in table.refused("rollback")
    table.done("install")
    table.write("2.0")
    assert "the command is upgrade" in table.refused("install")
    (table.source / "pyproject.toml").unlink()
    assert "not the project's folder" in table.refused("upgrade")
