"""The `companion` command.

Its commands are imported on use, so that help appears at once.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.commands.groups import CommandGroup, Formatter
from companion.options import (
    globals_apart,
    in_data,
    in_lang,
    is_locale_chosen,
    needed_again,
    spoken,
    with_globals,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from companion.screens.app.table_hardware import TableHardware

click.Context.formatter_class = Formatter  # for commands outside a CommandGroup too
NAME: Final = "companion"
COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "race": ("companion.terminal.command:race", "Referee a race at the terminal, or resume one."),
    "demo": ("companion.commands.demo:demo", "Watch drivers of the program play a whole race."),
    "trial": ("companion.commands.trial:trial", "Time a practice against the clock."),
    "phones": ("companion.commands.phones:phones", "Take a race to the phones at the table."),
    "races": ("companion.commands.races:races", "Find, show, export, copy and repair stored races."),
    "tracks": ("companion.commands.tracks:tracks", "List, show, check and import circuits."),
    "rules": ("companion.commands.rules:rules", "Read, compare and print rulebooks; keep house rules."),
    "tournament": ("companion.commands.tournament:tournament", "Run a tournament, from the entries to the final."),
    "season": ("companion.commands.season:season", "Run a season, race by race."),
    "hall": ("companion.commands.hall:hall", "Run race control of many tables, or join it."),
    "hardware": ("companion.commands.hardware:hardware", "Check the machine; try buttons and a die-roller."),
    "config": ("companion.commands.config:config", "Show every setting, or change one."),
    "drivers": ("companion.commands.drivers:drivers", "Prepare the strong drivers; measure the best pace."),
    "referee": ("companion.protocol:referee", "Referee a race in JSON lines, for other programs."),
    "screenshots": ("companion.screens.app.pictures:screenshots", "Draw pictures of every screen; no display needed."),
}
"""Commands by name: where they are defined, and their line of help."""
SECTIONS: Final = {
    "Play": "race demo trial phones",
    "Look up": "races tracks rules",
    "Organise": "tournament season hall",
    "Set up": "hardware config drivers",
    "Program": "referee",
}
"""Sections of the help, most wanted first; `screenshots` is for developers."""
OLD: Final = {
    "sheets": "races list",
    "sheet blank": "races form",
    **{f"sheet {name}": f"races {name}" for name in ("show", "delete", "restore", "rename", "note")},
    "sheet": "races show",
    "export": "races export",
    "analyse": "races analyse",
    "odds": "races odds",
    "verify": "races verify",
    "salvage": "races salvage",
    "backup": "races backup",
    "stick": "races backup adopt",
    "doctor": "hardware check",
    "buttons": "hardware buttons",
    "roller": "hardware roller",
}
"""Names of version 0.1, to be removed in 0.3."""


def _version(ctx: click.Context) -> None:
    """Print the versions of the program, the protocol and the database, and exit."""
    from companion.rules.compiled import compiled
    from companion.version import DATABASE_FORM, PROTOCOL, VERSION
    from companion.wording import Words

    words, rules = Words(spoken()), compiled()
    click.echo(words.say("version", number=VERSION, compiled=rules, protocol=PROTOCOL, database=DATABASE_FORM))
    ctx.exit()


class LazyGroup(CommandGroup):
    """The commands of `companion`, imported when they are called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Accept the global options anywhere on the line."""
        said, rest = globals_apart(args)
        return super().parse_args(ctx, [*(f"{name}={value}" for name, value in said.items()), *rest])

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def line_of(self, ctx: click.Context, name: str, limit: int) -> str:
        return COMMANDS[name][1]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands, without importing any."""
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=line) for name, (_, line) in COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        with_globals(command)
        if ctx.resilient_parsing:  # a shell completes
            from companion.commands.completing import complete_names

            complete_names(command, cmd_name)
        return command

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help, in a page of at most 24 lines."""
        formatter.write_usage(NAME, "[OPTIONS] [COMMAND ...]")
        formatter.write_text(self.help or "")
        self.format_commands(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_dl([record for param in self.params if (record := param.get_help_record(ctx))])


@click.group(
    cls=LazyGroup,
    sections=SECTIONS,
    old=OLD,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@in_data
@in_lang
@click.option("--fullscreen/--window", default=None, help="Let the touchscreen fill the display, or not.")
@click.option("--size", metavar="WxH", help="Size of the window in pixels (default: 800x480).")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    help="Print the version.",
    callback=lambda ctx, _, asked: _version(ctx) if asked else None,
)
@click.pass_context
def companion(
    ctx: click.Context, data: Path | None, lang: str | None, fullscreen: bool | None, size: str | None
) -> None:
    """Referee racing games on a table. Without a command, open the touchscreen."""
    if ctx.invoked_subcommand is None:
        from companion.screens.app.launch import run
        from companion.sheets.place import data_folder, is_appliance

        folder = data_folder(data)

        def parts() -> TableHardware:
            from hardware.parts import Parts  # once there is a picture

            return Parts(folder)

        asks = lang is None and is_appliance(folder) and not is_locale_chosen()
        run(
            folder, lang or spoken(), size=_pixels(size), fullscreen=fullscreen, beside=parts, asks_language=asks
        )  # fmt: skip


def _pixels(size: str | None) -> tuple[int, int] | None:
    """Return a size such as 1280x720 in pixels. Raises click.BadParameter."""
    if size is None:
        return None
    width, _, height = size.partition("x")
    if not (width.isdecimal() and height.isdecimal() and 200 <= int(width) <= 8000 and 200 <= int(height) <= 8000):
        raise click.BadParameter(
            "two numbers of pixels from 200 to 8000 are wanted, such as 1280x720", param_hint="--size"
        )
    return int(width), int(height)


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line.

    Errors are one sentence on standard error, with exit status 1. Letters missing from the locale's charset become
    question marks; data is written in UTF-8.
    """
    from companion.rules.conversation.errors import CompanionError

    if sys.stdin is None:  # closed by whoever started it
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - as long as the program runs
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # none that is closed, or a test's
            stream.reconfigure(errors="replace")
    lang = _lang(sys.argv[1:] if args is None else args)
    try:
        companion(args, prog_name=NAME, standalone_mode=False)
    except CompanionError as wrong:
        from companion.wording import Words

        words = Words(lang)
        given, _ = globals_apart(sys.argv[1:] if args is None else args)
        words.options = needed_again(given.get("--data"), given.get("--lang"))
        sys.exit(_complain(" ".join([words.error(wrong), *getattr(wrong, "__notes__", ())])))
    except click.FileError as wrong:
        sys.exit(_complain(_refused(wrong.ui_filename, wrong.message, lang)))
    except click.exceptions.NoArgsIsHelpError as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
    except click.ClickException as wrong:
        _misused(wrong, lang)
        sys.exit(wrong.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        _drop_output()
        sys.exit(1)
    except OSError as wrong:
        _drop_output()
        path = wrong.filename2 or wrong.filename or "this"  # of two names that which was to be made
        sys.exit(_complain(_refused(path, wrong.strerror or str(wrong), lang)))


def _drop_output() -> None:
    """Discard output that standard output does not take, so that the interpreter exits quietly."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _lang(args: Sequence[str]) -> str:
    """Return the language given by --lang, otherwise the locale's."""
    return globals_apart(args)[0].get("--lang") or spoken()


def _refused(path: str, why: str, lang: str) -> str:
    """Return the system's error about a path, in words."""
    from companion.rules.conversation.errors import CompanionError
    from companion.wording import Words

    return Words(lang).error(CompanionError("system_refuses", path=path, why=why))


def _misused(wrong: click.ClickException, lang: str) -> None:
    """Print a command's usage, and what was wrong in click's own English."""
    from companion.wording import Words

    words, ctx = Words(lang), getattr(wrong, "ctx", None)
    if ctx is not None:
        takes = " ".join(ctx.command.collect_usage_pieces(ctx))
        click.echo(words.say("usage", command=ctx.command_path, takes=takes), err=True)
    click.echo(words.say("misused", what=words.phrase(wrong.format_message())), err=True)


def _complain(sentence: str) -> int:
    click.echo(sentence, err=True)
    return 1


if __name__ == "__main__":
    main()
