"""The command `companion`. Each sub-command is imported only when it is used, so that help comes at once."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.options import globals_apart, in_data, in_lang, is_locale_chosen, spoken, with_globals

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from companion.screens.app.beside import Beside

COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "race": ("companion.terminal.command:race", "Referee a race at the terminal, or go on with one."),
    "referee": ("companion.protocol:referee", "Referee a race over standard input and output, in JSON lines."),
    "phones": ("companion.commands.phones:phones", "Take a race to the phones at the table."),
    "trial": ("companion.commands.trial:trial", "Time trials against the clock; the grid follows from them."),
    "demo": ("companion.commands.demo:demo", "Watch drivers play a whole race, with commentary."),
    "drivers": ("companion.commands.drivers:drivers", "What the strong drivers know: tables, and the limit of pace."),
    "tournament": ("companion.commands.tournament:tournament", "Run a tournament, from the entries to the final."),
    "season": ("companion.commands.season:season", "Run a season, race by race."),
    "hall": ("companion.commands.hall:hall", "Race control of many tables: the hall, and what it says to them."),
    "tracks": ("companion.commands.tracks:tracks", "List, check, show and import circuits."),
    "rules": ("companion.commands.rules:rules", "Read the articles of the rulebook."),
    "sheets": ("companion.commands.sheets:sheets", "List the races that were kept."),
    "sheet": ("companion.commands.sheets:sheet", "Show the race sheet of a race."),
    "export": ("companion.commands.sheets:export", "Write a race as PDF, CSV or JSON."),
    "analyse": ("companion.commands.analyse:analyse", "Tell who was lucky in a race, and what each mistake cost."),
    "odds": ("companion.commands.odds:odds", "Tell each car's chance of each place, as a race stands."),
    "verify": ("companion.commands.sheets:verify", "Check a race's log, entry by entry."),
    "salvage": ("companion.commands.sheets:salvage", "Take all that is sound out of a damaged database."),
    "backup": ("companion.commands.sheets:backup", "Copy all races onto a USB stick, or into a folder."),
    "stick": ("companion.commands.sheets:stick", "Say once that a USB stick is this table's."),
    "buttons": ("companion.commands.hardware:buttons", "Try the buttons and lamps, or simulate them."),
    "roller": ("companion.commands.hardware:roller", "Try a die-roller, simulate one, or test whether dice are fair."),
    "config": ("companion.commands.config:config", "Show every setting and where it comes from; change one."),
    "doctor": ("companion.commands.doctor:doctor", "Check the machine, and say what to do."),
    "screenshots": ("companion.screens.app.pictures:screenshots", "Draw pictures of every screen; no display needed."),
}
"""Every sub-command: where it is defined, and its line of help."""


def _version(ctx: click.Context) -> None:
    """The version of the program, whether its rules are compiled, and the versions of its lines and its database."""
    from companion.rules.compiled import compiled
    from companion.version import DATABASE_FORM, PROTOCOL, VERSION
    from companion.wording import Words

    words, rules = Words(spoken()), compiled()
    click.echo(words.say("version", number=VERSION, compiled=rules, protocol=PROTOCOL, database=DATABASE_FORM))
    ctx.exit()


class LazyGroup(click.Group):
    """A group that knows the names of its commands, and imports one when it is called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the global options from wherever they were typed."""
        said, rest = globals_apart(args)
        return super().parse_args(ctx, [*(f"{name}={value}" for name, value in said.items()), *rest])

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

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
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@in_data
@in_lang
@click.option("--fullscreen/--window", default=None, help="The touchscreen fills the display, or is a window.")
@click.option("--size", metavar="WxH", help="Pixels of the window (default: 800x480).")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    help="Say which version this is.",
    callback=lambda ctx, _, asked: _version(ctx) if asked else None,
)
@click.pass_context
def companion(
    ctx: click.Context, data: Path | None, lang: str | None, fullscreen: bool | None, size: str | None
) -> None:
    """The referee for racing games on a table. Without a command it opens the touchscreen."""
    if ctx.invoked_subcommand is None:
        from companion.screens.app.launch import run
        from companion.sheets.place import data_folder, is_appliance

        folder = data_folder(data)

        def parts() -> Beside:
            from hardware.parts import Parts  # once there is a picture

            return Parts(folder)

        asks = lang is None and is_appliance(folder) and not is_locale_chosen()
        run(
            folder, lang or spoken(), size=_pixels(size), fullscreen=fullscreen, beside=parts, asks_language=asks
        )  # fmt: skip


def _pixels(size: str | None) -> tuple[int, int] | None:
    """A size such as 1280x720; raises click.BadParameter."""
    if size is None:
        return None
    width, _, height = size.partition("x")
    if not (width.isdecimal() and height.isdecimal() and 200 <= int(width) <= 8000 and 200 <= int(height) <= 8000):
        raise click.BadParameter(
            "two numbers of pixels from 200 to 8000 are wanted, such as 1280x720", param_hint="--size"
        )
    return int(width), int(height)


def main(args: Sequence[str] | None = None) -> None:
    """The entry point: what goes wrong is one sentence on standard error and exit status 1. A letter that the locale's
    charset lacks is a question mark; what is data is written in UTF-8."""
    from companion.rules.conversation.errors import CompanionError

    if sys.stdin is None:  # closed by whoever started it
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - as long as the program runs
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # none that is closed, or a test's
            stream.reconfigure(errors="replace")
    lang = _lang(sys.argv[1:] if args is None else args)
    try:
        companion(args, prog_name="companion", standalone_mode=False)
    except CompanionError as wrong:
        from companion.wording import Words

        sys.exit(_complain(" ".join([Words(lang).error(wrong), *getattr(wrong, "__notes__", ())])))
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
    """Drops what standard output does not take, so that the interpreter says nothing of it on its way out."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _lang(args: Sequence[str]) -> str:
    """The language that was asked for by --lang, else the locale's."""
    return globals_apart(args)[0].get("--lang") or spoken()


def _refused(path: str, why: str, lang: str) -> str:
    """What the system says, and of what."""
    from companion.rules.conversation.errors import CompanionError
    from companion.wording import Words

    return Words(lang).error(CompanionError(f"The system refuses {path}: {why}."))


def _misused(wrong: click.ClickException, lang: str) -> None:
    """Say how the command is used, and what was wrong with it, which comes in the English of click."""
    from companion.rules.conversation.errors import CompanionError
    from companion.wording import Words

    words, ctx = Words(lang), getattr(wrong, "ctx", None)
    if ctx is not None:
        takes = " ".join(ctx.command.collect_usage_pieces(ctx))
        click.echo(words.say("usage", command=ctx.command_path, takes=takes), err=True)
    click.echo(words.say("misused", what=words.error(CompanionError(wrong.format_message()))), err=True)


def _complain(sentence: str) -> int:
    click.echo(sentence, err=True)
    return 1


if __name__ == "__main__":
    main()
