"""The manual page and the shells' completions, generated from the commands for a build."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Final

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from companion.commands.main import companion
from companion.version import VERSION

NAME: Final = "companion"
COMPLETIONS: Final[dict[str, type[ShellComplete]]] = {
    "bash-completion/completions/companion": BashComplete,
    "zsh/site-functions/_companion": ZshComplete,
    "fish/vendor_completions.d/companion.fish": FishComplete,
}
"""Paths of each shell's completions below `share`."""
FILES: Final = {
    "~/.local/share/companion": "the races, unless --data or STATE_DIRECTORY names another folder",
    "races.db": "every race, tournament and season, entry by entry",
    "settings.toml": "the settings of the touchscreen: see companion config",
    "wiring.toml": "the pins of buttons and lamps, and the port of the die-roller",
    "drivers.toml": "the drivers and teams that the table remembers",
    "boards/": "circuits of your own",
    "rules/": "house rules that were saved under a name",
}
ENVIRONMENT: Final = {
    "LC_ALL, LC_MESSAGES, LANG": "the language, unless --lang or the settings name another",
    "STATE_DIRECTORY": "the folder of the races",
    "CACHE_DIRECTORY": "the folder of the tables that the strong drivers read",
}


def manual_page() -> str:
    """Return the manual page of all commands, in roff."""
    return "\n".join([*_head(), *_commands(), *_tail()]) + "\n"


def write(share: Path) -> None:
    """Write the manual page and the completions below a folder `share`."""
    page = share / "man/man1/companion.1"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(manual_page(), encoding="utf-8")
    for place, shell in COMPLETIONS.items():
        path = share / place
        path.parent.mkdir(parents=True, exist_ok=True)
        made = shell(companion, {}, NAME, f"_{NAME.upper()}_COMPLETE")
        path.write_text(made.source_template % made.source_vars() + "\n", encoding="utf-8")


def _head() -> Iterator[str]:
    ctx = click.Context(companion, info_name=NAME)
    yield f'.TH COMPANION 1 "" "companion {VERSION}" "User Commands"'
    yield from (".nh", ".ad l")  # lines that can be copied, and none with gaps
    yield ".SH NAME"
    yield r"companion \- the referee for racing games on a table"
    yield ".SH SYNOPSIS"
    yield f".B {NAME}"
    yield _escaped(" ".join(companion.collect_usage_pieces(ctx)))
    yield ".SH DESCRIPTION"
    yield from _text(companion)
    yield ".SH OPTIONS"
    yield from _options(companion, ctx, ())


def _commands() -> Iterator[str]:
    yield ".SH COMMANDS"
    for command, ctx in _below(companion, click.Context(companion, info_name=NAME)):
        yield ".SS " + _escaped(" ".join([ctx.command_path, *command.collect_usage_pieces(ctx)]))
        yield from _text(command)
        yield from _options(command, ctx, [name for param in companion.params for name in param.opts])


def _below(group: click.Group, ctx: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    """Yield each visible command below a group, with its own context."""
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if command is not None and not command.hidden:
            inner = click.Context(command, info_name=name, parent=ctx)
            yield command, inner
            if isinstance(command, click.Group):
                yield from _below(command, inner)


def _tail() -> Iterator[str]:
    for title, told in (("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT)):
        yield f".SH {title}"
        for name, said in told.items():
            yield from (".TP", rf"\fB{_escaped(name)}\fP", _escaped(said))
    yield ".SH EXIT STATUS"
    yield "0 if all went well; 1 with one sentence on standard error if not; 2 if the command line makes no sense."


def _text(command: click.Command) -> Iterator[str]:
    for paragraph in cleandoc(command.help or "").split("\n\n"):
        yield from (".PP", _escaped(" ".join(paragraph.split())))


def _options(command: click.Command, ctx: click.Context, known: tuple[str, ...] | list[str]) -> Iterator[str]:
    """Yield the options of a command, without those in `known`."""
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx)
        if record is not None and not set(param.opts) & {*known, "--help"}:
            name, said = record
            yield from (".TP", rf"\fB{_escaped(name)}\fP", _escaped(" ".join(said.split())))


def _escaped(text: str) -> str:
    """Escape a text for roff.

    Hyphens can be copied, choices break across lines, and no line looks like a request.
    """
    plain = text.replace("\\", r"\e").replace("-", r"\-").replace("|", r"|\:")
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    write(Path(sys.argv[1]))
