"""Build the wheel, with the manual page, completions and locales, and compiled modules.

The modules in `modules` of pyproject.toml, which search the board and drive, are compiled if there is a compiler.
COMPANION_COMPILED=0 forces a plain wheel, COMPANION_COMPILED=1 a compiled one. An editable install stays plain.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from runpy import run_path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILD_REQUIREMENTS: Final = ["mypy>=1.13", "setuptools", "msgspec>=0.19"]
"""Requirements of compiling, and of the compiled modules."""
COMMAND_REQUIREMENTS: Final = ["click>=8.2", "fonttools>=4.34", "msgspec>=0.19", "pillow>=11"]
"""Requirements of the commands, which the manual page is made from."""
ASKED: Final = os.environ.get("COMPANION_COMPILED", "")
SETUP: Final = """\
from mypyc.build import mypycify
from setuptools import setup

said = ["--config-file=", "--follow-imports=silent"]  # the rest is checked where numpy is
setup(name="companion", packages=[], ext_modules=mypycify([*said, *{paths!r}], opt_level="3"))
"""


def at_hand() -> bool:
    """Return True if there is a compiler, and the headers of Python."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    return shutil.which(compiler) is not None and Path(sysconfig.get_path("include"), "Python.h").exists()


class Compiled(BuildHookInterface[Any]):  # type: ignore[misc]  # Any to whoever has no hatchling
    """A build hook that compiles modules outside the clone and adds them to the wheel.

    The plain modules stay in the wheel.
    """

    PLUGIN_NAME = "custom"
    folder: Path | None = None

    def dependencies(self) -> list[str]:
        """Return the packages that the build needs besides hatchling."""
        return COMMAND_REQUIREMENTS + (BUILD_REQUIREMENTS if self.compiles() else [])

    def compiles(self) -> bool:
        """Return True if the modules are to be compiled."""
        return ASKED == "1" or (ASKED != "0" and at_hand())

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the manual page, completions and locales, and compile the modules if wanted.

        A failing compiler gives a warning, and ends the build only if COMPANION_COMPILED=1.
        """
        if version == "editable":
            return
        self.folder = Path(tempfile.mkdtemp())
        locales = run_path(str(Path(self.root, "companion", "wording", "locales.py")))
        for written in Path(self.root, "companion", "locale").glob("*.toml"):
            made = self.folder / f"{written.stem}.json"
            made.write_bytes(locales["compiled"](written.read_bytes()))
            lies = locales["made_for"](Path("companion/locale"), written.stem)
            build_data["force_include"][str(made)] = str(lies)
        share = self.folder / "share"
        subprocess.run([sys.executable, "-B", "-m", "companion.commands.manual", share], cwd=self.root, check=True)
        for path in (path for path in share.rglob("*") if path.is_file()):
            build_data["shared_data"][str(path)] = f"share/{path.relative_to(share)}"
        if not self.compiles():
            return
        if ASKED != "1" and importlib.util.find_spec("mypyc") is None:
            return  # built with what is installed, as the appliance's installer does
        shutil.copytree(Path(self.root, "companion"), self.folder / "companion")
        paths = [module.replace(".", "/") + ".py" for module in self.config["modules"]]
        (self.folder / "setup.py").write_text(SETUP.format(paths=paths), encoding="utf-8")
        made = subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=self.folder)
        if made.returncode:
            if ASKED == "1":
                raise SystemExit("The rules could not be compiled; what the compiler says stands above.")
            self.app.display_warning("The rules could not be compiled; this is a plain wheel.")
            return
        shutil.rmtree(self.folder / "build")
        for path in self.folder.rglob("*" + sysconfig.get_config_var("EXT_SUFFIX")):
            build_data["force_include"][str(path)] = str(path.relative_to(self.folder))
        build_data.update(pure_python=False, infer_tag=True)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the temporary folder."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
