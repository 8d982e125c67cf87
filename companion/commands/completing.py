"""Completion of names by the shell: races, circuits, rulebooks, house rules, settings and their values."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from companion.options import global_data
from companion.rules.conversation.errors import CompanionError

MAX_LOGS: Final = 200
"""Maximum number of races and records offered."""

Offered = Iterable[tuple[str, str]]
"""Candidates to type, each with a line of help for the shells that show one."""


class Name(click.ParamType):  # type: ignore[type-arg]
    """A text of which the shell completes the words that make sense."""

    name = "text"

    def __init__(self, offered: Callable[[click.Context, Path], Offered]) -> None:
        self.offered = offered

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the words that begin with what was typed; none if they cannot be read."""
        from companion import circuits
        from companion.sheets.place import data_folder

        typed, found = incomplete.casefold(), dict[str, str]()
        with suppress(CompanionError, OSError):
            folder = circuits.look_in(data_folder(ctx.params.get("folder") or global_data(ctx)))
            found.update((word, line) for word, line in self.offered(ctx, folder) if word.casefold().startswith(typed))
        return [CompletionItem(_quoted(word), help=line) for word, line in found.items()]


def complete_names(command: click.Command, *path: str) -> None:
    """Let the shell complete the names in a command's arguments and options, and those of its subcommands."""
    for param in command.params:
        said = param.name if isinstance(param, click.Argument) else param.opts[0]
        if offered := COMPLETERS.get((*path, str(said))) or COMPLETERS.get((str(said),)):
            param.type = Name(offered)
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            complete_names(below, *path, name)


def _quoted(word: str) -> str:
    """Return a word as it is inserted.

    Bash alone does not quote what it completes, and click's script for it drops one of two backslashes as it reads.
    """
    bash = os.environ.get("_COMPANION_COMPLETE", "").startswith("bash")
    return re.sub(r"([^\w@%+=./-])", r"\\\\\1", word) if bash else word


def _logs(*kinds: str, deleted: bool = False) -> Callable[[click.Context, Path], Offered]:
    def offered(ctx: click.Context, folder: Path) -> Iterator[tuple[str, str]]:
        from itertools import islice

        from companion.sheets.reading import RACE, logs, races, reading

        yield "last", ""
        with reading(folder) as db:
            if kinds == (RACE,):
                found = races(db, deleted=deleted, most=MAX_LOGS)
            else:
                found = list(islice(logs(db, kinds), MAX_LOGS))
        names = [log.name.casefold() for log in found]
        for log in found:
            is_one = names.count(log.name.casefold()) == 1
            yield (log.name, log.short) if is_one else (log.short, log.name)

    return offered


def _tracks(ctx: click.Context, folder: Path) -> Iterator[tuple[str, str]]:
    from companion import circuits

    for path in circuits.own():
        yield circuits.known_as(path), ""
    for key in sorted((*circuits.keys(), *circuits.section_keys())):
        yield key, ""


def _rulebooks(ctx: click.Context, folder: Path) -> Iterator[tuple[str, str]]:
    from companion.rules.rulebooks import RULEBOOKS

    for name in RULEBOOKS:
        yield name, ""


def _house_rules(ctx: click.Context, folder: Path) -> Iterator[tuple[str, str]]:
    from companion.house_rules import saved

    for rules in saved(folder):
        yield rules.name, rules.rulebook


def _rulebooks_and_house_rules(ctx: click.Context, folder: Path) -> Iterator[tuple[str, str]]:
    yield from _rulebooks(ctx, folder)
    yield from _house_rules(ctx, folder)


def _settings(ctx: click.Context, folder: Path) -> Iterator[tuple[str, str]]:
    from companion.commands.config import settings

    for one in settings(folder):
        if one.file:  # only the environment gives the others
            yield one.name, one.allowed


def _values(ctx: click.Context, folder: Path) -> Iterator[tuple[str, str]]:
    from companion.commands.config import settings

    for one in settings(folder):
        if one.name == ctx.params.get("name") and re.fullmatch(r"\w+(, \w+)*", one.allowed):
            yield from ((value, "") for value in one.allowed.split(", "))


_race: Final = _logs("setup")
_trials: Final = _logs("trials")
_OF_A_RACE: Final = ("analyse", "delete", "export", "note", "odds", "rename", "show", "verify")
COMPLETERS: Final[Mapping[tuple[str, ...], Callable[[click.Context, Path], Offered]]] = {
    ("--race",): _race,
    ("--resume",): _race,
    ("--track",): _tracks,
    ("--rulebook",): _rulebooks,
    ("--rules",): _house_rules,
    **{("races", name, "race"): _race for name in _OF_A_RACE},
    ("races", "restore", "race"): _logs("setup", deleted=True),
    ("tracks", "show", "name"): _tracks,
    ("rules", "show", "said"): _rulebooks,
    ("rules", "compare", "known"): _rulebooks_and_house_rules,
    ("rules", "compare", "new"): _rulebooks_and_house_rules,
    ("rules", "print", "said"): _rulebooks,
    ("rules", "save", "rulebook"): _rulebooks,
    ("rules", "export", "name"): _house_rules,
    ("rules", "delete", "name"): _house_rules,
    ("season", "new", "calendar"): _tracks,
    ("season", "--name"): _logs("season"),
    ("tournament", "--name"): _logs("tournament"),
    ("tournament", "times", "trials"): _trials,
    ("trial", "--resume"): _trials,
    ("config", "name"): _settings,
    ("config", "value"): _values,
}
"""Completers by option, for every command, or by the path of one command and its option or argument."""
