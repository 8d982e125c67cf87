"""The names of commands: who reads one finds it, and who types one of the version before is told the new one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.api import Race
from companion.commands.groups import CommandGroup
from companion.commands.main import COMMANDS, companion
from companion.commands.manual import manual_page
from tests.readmes import PAGES, ROOT

READ = (
    *(ROOT / page for page in PAGES),
    *(ROOT / "companion/locale").glob("*.toml"),
    *(path for path in (ROOT / "systemd").iterdir() if path.suffix in (".service", ".timer", ".path", ".rules")),
    *(ROOT / ".ci").iterdir(),
    ROOT / ".pictures/draw",
    *(path for room in ("companion", "hardware") for path in (ROOT / room).rglob("*.py")),
)
"""What people read: manuals, sentences, units, scripts, and help and errors in the code."""
TYPED = re.compile(r'\bcompanion((?: +(?:--[a-z]+(?:[ =](?:"[^"]*"|[^\s`]+))?|[a-z]+))+)')
"""A command as it is written, with its options."""


def groups(
    group: click.Group = companion, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], CommandGroup]]:
    """Every group with the words that lead to it."""
    if isinstance(group, CommandGroup):
        yield path, group
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        if isinstance(command := group.get_command(ctx, name), click.Group):
            yield from groups(command, (*path, name))


GROUPS = list(groups())
OLD = [(path, old, now) for path, group in GROUPS for old, now in group.old.items()]


def words_of(text: str) -> Iterator[list[str]]:
    """The commands in a text, without their options."""
    for found in TYPED.finditer(text):
        yield re.sub(r'--[a-z]+(?:[ =](?:"[^"]*"|[^\s`]+))?', " ", found[1]).split()


def first_old(words: list[str]) -> str:
    """The first word that is of the version before, or hidden; nothing if the command is there."""
    group: click.Group = companion
    for at, word in enumerate(words):
        old = group.old if isinstance(group, CommandGroup) else {}
        if word in old or " ".join(words[at : at + 2]) in old:
            return word
        command = group.get_command(click.Context(group), word)
        if command is not None and command.hidden:
            return word
        if not isinstance(command, click.Group):
            return ""
        group = command
    return ""


@pytest.mark.parametrize("path", READ, ids=lambda path: str(path.relative_to(ROOT)))
def test_nobody_is_told_an_old_name(path: Path) -> None:
    text = re.sub(r'"?\n\s*f?"?', " ", path.read_text(encoding="utf-8"))  # a line may end in a command
    assert [words for words in words_of(text) if first_old(words)] == []


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_sentences_name_commands_that_are_there(lang: str) -> None:
    text = (ROOT / f"companion/locale/{lang}.toml").read_text(encoding="utf-8")
    named = [words for words in words_of(text) if words[0] in COMMANDS]
    assert len(named) > 10
    for words in named:
        group: click.Command | None = companion
        for word in words:
            if not isinstance(group, click.Group):
                break
            group = group.get_command(click.Context(group), word)
            assert group is not None, words


def test_an_old_name_in_any_writing_is_found() -> None:
    for text in (
        "companion sheets.", "`companion --data COPY sheets`", "companion hall speaker NAME", "companion sheet show",
        'companion tournament --by "Ada" here 1',
    ):  # fmt: skip
        assert [first_old(words) for words in words_of(text)] != [""], text
    assert [first_old(words) for words in words_of("companion races show, companion hall log")] == ["", ""]


@pytest.mark.parametrize(("path", "old", "now"), OLD, ids=lambda one: one if isinstance(one, str) else "")
def test_an_old_name_does_the_same_and_names_the_new_one(path: tuple[str, ...], old: str, now: str) -> None:
    was = CliRunner().invoke(companion, [*path, *old.split(), "--help"], prog_name="companion")
    here = CliRunner().invoke(companion, [*path, *now.split(), "--help"], prog_name="companion")
    begin = " ".join(("companion", *path))
    assert (was.exit_code, was.stdout) == (0, here.stdout)
    assert was.stderr == f"{begin} {old} is now {begin} {now}.\n"
    assert here.stderr == ""


def test_an_old_name_is_said_in_french_and_beside_what_programs_read(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path)]
    assert CliRunner().invoke(companion, [*data, "tournament", "new", "Cup"]).exit_code == 0
    done = CliRunner().invoke(companion, [*data, "--lang", "fr", "sheets", "--json"], prog_name="companion")
    assert json.loads(done.stdout) == []
    assert done.stderr == "companion sheets s’appelle désormais companion races list.\n"
    made = CliRunner().invoke(companion, [*data, "rules", "cup", "--save", "Ours", "--set", "engine_dry=5"])
    assert made.stdout == "Ours: cup, 1 figure changed\n"
    done = CliRunner().invoke(companion, [*data, "season", "--name=last", "blank", "9"], prog_name="companion")
    assert done.stderr.startswith("companion season blank is now companion season form.")


def test_an_old_name_with_a_race_shows_the_race(tmp_path: Path) -> None:
    with Race.begin("beginner", "monaco", ["Ada", "Bob"], folder=tmp_path, name="club night"):
        pass
    for said, now in (
        (["sheet", "last"], "sheet is now companion races show"),
        (["sheet", "show", "last"], "sheet show is now companion races show"),
        (["sheet", "note", "last", "slow"], "sheet note is now companion races note"),
    ):
        done = CliRunner().invoke(companion, ["--data", str(tmp_path), "--lang", "en", *said], prog_name="companion")
        assert (done.exit_code, done.stderr) == (0, f"companion {now}.\n")
        assert "club night" in done.stdout


def test_old_names_are_neither_listed_nor_completed() -> None:
    page = manual_page()
    for path, old, _ in OLD:
        words = ["companion", *path, *old.split()]
        assert f".SS {' '.join(words)} " not in page
        typed = {
            "_COMPANION_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(words),
            "COMP_CWORD": str(len(words) - 1),
        }
        done = CliRunner().invoke(companion, [], prog_name="companion", env=typed)
        assert f"plain,{words[-1]}\n" not in done.output or old == "sheet"
        assert done.stderr == ""


@pytest.mark.parametrize(("path", "group"), [(path, group) for path, group in GROUPS if group.sections])
def test_every_command_stands_in_one_section(path: tuple[str, ...], group: CommandGroup) -> None:
    there = [name for name in group.list_commands(click.Context(group)) if name != "screenshots"]
    listed = [name for names in group.sections.values() for name in names.split()]
    assert sorted(name for name in listed if name in there) == sorted(there)
    assert set(listed) <= {*there} or path in (("tournament",), ("season",))
