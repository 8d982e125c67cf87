"""Where no tournament, season or trials have begun, every command says so and how they are."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.commands.season import season
from companion.commands.tournament import tournament
from companion.desk.beginning import begin_race
from companion.rules.conversation.errors import CompanionError
from companion.wording import Words

BEGINS = ("new", "form")
"""Commands that need no record."""
ANSWERS = {
    "race": "1", "key": "1.1", "driver": "1", "number": "1", "file": "-", "text": "why", "table": "1", "throws": "3",
    "clock": "1:10.00", "sky": "sun",
}  # fmt: skip


def arguments(command: click.Command) -> list[str]:
    """Something for every argument and option that a command must have."""
    given: list[str] = []
    for one in command.params:
        said = ANSWERS.get(one.name or "", "1")
        if isinstance(one, click.Argument):
            given += [said] if one.required else []
        elif one.required:
            given += [one.opts[0], said]
    return given


EVERY = [
    (group.name or "", name, command)
    for group in (tournament, season)
    for name, command in group.commands.items()
    if name not in BEGINS
]


@pytest.mark.parametrize("a_race_is_there", [False, True])
@pytest.mark.parametrize(("lang", "begins"), [("en", "There is no {} yet; companion {} new"), ("fr", "pas encore de ")])
@pytest.mark.parametrize(("group", "name", "command"), EVERY, ids=lambda one: one if isinstance(one, str) else "")
def test_every_command_says_that_there_is_none_yet_and_how_one_begins(
    tmp_path: Path, group: str, name: str, command: click.Command, lang: str, begins: str, a_race_is_there: bool
) -> None:
    if a_race_is_there:
        begin_race({"cars": [{"car": 1}]}, "monaco", tmp_path).close()
    line = ["--lang", lang, "--data", str(tmp_path), group, name, *arguments(command)]
    done = CliRunner().invoke(companion, line, input="")
    told = done.output
    if isinstance(done.exception, CompanionError):
        told += Words(lang).error(done.exception)
    assert begins.format(group, group) in told, (line, told)
    assert f"companion {group} new" in told
