"""The wheel: what is compiled in it and when, and that the program says so; `sh .ci/compiled` builds one for real."""

from __future__ import annotations

import importlib
import importlib.util
import runpy
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

import msgspec
import pytest
from click.testing import CliRunner

from companion.commands.main import COMMANDS, companion
from companion.rules import compiled as running
from companion.wording import locales

PROJECT = Path(__file__).parents[2]
T = TypeVar("T")


class Interface(Generic[T]):
    """What a hook of the build has from its tool."""

    root = str(PROJECT)
    config: dict[str, Any]


@pytest.fixture
def hooks() -> dict[str, Any]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    hook: dict[str, Any] = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    return hook


def hook(hooks: dict[str, Any], monkeypatch: pytest.MonkeyPatch, asked: str) -> Any:
    tool = ModuleType("interface")
    tool.BuildHookInterface = Interface  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "hatchling.builders.hooks.plugin.interface", tool)
    monkeypatch.setenv("COMPANION_COMPILED", asked)
    return runpy.run_path(str(PROJECT / hooks["path"]))["Compiled"]()


def test_every_module_that_is_compiled_is_there(hooks: dict[str, Any]) -> None:
    assert all(importlib.util.find_spec(module) for module in hooks["modules"])
    assert "companion.rules.circuit.search" in hooks["modules"], "by this one the program tells which rules run"


def test_the_locales_lie_in_the_wheel_as_json(hooks: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    build: dict[str, Any] = {"force_include": {}, "shared_data": {}}
    made = hook(hooks, monkeypatch, "0")
    made.initialize("standard", build)
    names = {f"companion/locale/__pycache__/{path.stem}.json" for path in locales.FOLDER.glob("*.toml")}
    assert set(build["force_include"].values()) == names
    for path, lies in build["force_include"].items():
        source = (locales.FOLDER / f"{Path(lies).stem}.toml").read_bytes()
        assert Path(path).read_bytes() == locales.compiled(source)
    made.finalize("standard", build, "")
    assert not any(map(Path.exists, map(Path, build["force_include"])))


def test_the_manual_page_and_the_completions_come_with_the_wheel(
    hooks: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    build: dict[str, Any] = {"force_include": {}, "shared_data": {}}
    made = hook(hooks, monkeypatch, "0")
    made.initialize("standard", build)
    shipped = {lies: Path(path).read_text("utf-8") for path, lies in build["shared_data"].items()}
    made.finalize("standard", build, "")
    assert set(shipped) == {
        "share/man/man1/companion.1",
        "share/bash-completion/completions/companion",
        "share/zsh/site-functions/_companion",
        "share/fish/vendor_completions.d/companion.fish",
    }
    page = shipped.pop("share/man/man1/companion.1")
    for command in COMMANDS:
        assert f".SS companion {command}" in page
    assert all("_COMPANION_COMPLETE" in text for text in shipped.values())


def test_nothing_that_is_read_by_its_fields_is_compiled(hooks: dict[str, Any]) -> None:
    for name in hooks["modules"]:
        kinds = [kind for kind in vars(importlib.import_module(name)).values() if isinstance(kind, type)]
        read = [kind for kind in kinds if issubclass(kind, msgspec.Struct) and kind.__module__ == name]
        assert not read, "mypyc keeps tuple of tuple[int, int], and msgspec would read a list for it"


@pytest.mark.parametrize(("asked", "compiler", "compiles"), [("", 1, 1), ("", 0, 0), ("0", 1, 0), ("1", 0, 1)])
def test_a_wheel_is_compiled_where_a_compiler_is_or_as_is_asked(
    hooks: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asked: str, compiler: int, compiles: int
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name if compiler else None)
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    (tmp_path / "Python.h").touch()
    made = hook(hooks, monkeypatch, asked)
    assert any(tool.startswith("mypy") for tool in made.dependencies()) == bool(compiles)
    for version in ["editable"] if compiles else ["editable", "standard"]:
        built: dict[str, Any] = {"force_include": {}, "shared_data": {}}
        made.initialize(version, built)
        del built["shared_data"]
        assert not [lies for lies in built.pop("force_include").values() if not lies.endswith(".json")], "plain"
        assert built == {}, "plain"
        made.finalize(version, built, "")


@pytest.mark.parametrize(("language", "said"), [("en_GB", ["plain", "compiled"]), ("fr_FR", ["en clair", "compilées"])])
def test_the_version_says_which_rules_run(monkeypatch: pytest.MonkeyPatch, language: str, said: list[str]) -> None:
    for compiled, word in enumerate(said):
        monkeypatch.setattr(running, "compiled", lambda compiled=compiled: bool(compiled))
        told = CliRunner().invoke(companion, ["--version"], env={"LC_ALL": language}).output
        assert told.startswith("companion, version 0.")
        assert word in told
