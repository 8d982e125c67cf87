"""Groups of commands, listed in sections, with their old names; and help that fits the window."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from textwrap import fill as fold
from typing import Any, Final

import click

from companion.options import HELP_COLUMNS, global_lang, spoken

NONE: Final[Mapping[str, str]] = {}
NAMES: Final = 14
"""Width of names beside which a text has room in a narrow window."""
SETTLED_BY: Final[Mapping[str, str]] = {
    "needs_reason": "--why", "seeds_changed": "--why", "seeds_unconfirmed": "--why", "round_open": "--again",
    "which_weather": "--round", "correction": "correct", "withdrawal": "withdraw", "driver_missing": "missing",
    "started.deleted": "setup",
}  # fmt: skip
"""Options or commands that settle a refusal, by its kind or code."""


class Formatter(click.HelpFormatter):
    """Help as click formats it, and in a narrow window with texts below their options."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        super().__init__(indent_increment, width, max_width)
        self.width = min(self.width, max(shutil.get_terminal_size().columns, 40) - 2)  # click has 50 at least
        self.is_narrow = self.width + 2 < HELP_COLUMNS

    def write_text(self, text: str) -> None:
        r"""Write paragraphs; lines that are kept as they are, behind a \b, are folded where they are too long."""
        if self.is_narrow:
            room = self.width - self.current_indent
            kept = [part.split("\n") if part.startswith("\b") else [part] for part in text.split("\n\n")]
            text = "\n\n".join(
                "\n".join(fold(line, room, subsequent_indent="    ") for line in part) if len(part) > 1 else part[0]
                for part in kept
            )
        super().write_text(text)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        if not self.is_narrow or max(len(name) for name, _ in rows) <= NAMES:
            super().write_dl(rows, col_max, col_spacing)
            return
        for name, text in rows:
            with self.indentation():
                self.write(f"{'':{self.current_indent - self.indent_increment}}{name}\n")
                if text:
                    self.write_text(text)


class NumbersCommand(click.Command):
    """A command that takes a negative number, such as -5, for an argument and not for an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, list(args))
        except click.NoSuchOption as wrong:
            if ctx.ignore_unknown_options or not wrong.option_name[1:2].isdecimal():
                raise
            ctx.ignore_unknown_options = True
            return super().parse_args(ctx, args)


class CommandGroup(click.Group):
    """A group that lists its commands in sections and still accepts their old names.

    `sections` has the names below each title; names without a command are left out. `old` maps old names to new ones:
    they are not listed, and typing one prints the new name on standard error. An old option becomes a command, with the
    words before it moved to its end. `default` runs if no command is named.
    """

    command_class = NumbersCommand

    def __init__(
        self,
        *,
        sections: Mapping[str, str] = NONE,
        old: Mapping[str, str] = NONE,
        default: str = "",
        **attributes: Any,
    ) -> None:
        super().__init__(**attributes)
        self.sections, self.old, self.default = sections, old, default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Replace an old option, or a missing name, by its command."""
        for at, word in enumerate(args):
            name, equals, value = word.partition("=")
            if name.startswith("--") and (now := self.old.get(name)):
                self._tell_new(ctx, name, now)
                args = [*now.split(), *([value] if equals else ()), *args[at + 1 :], *args[:at]]
                break
        named = args[0] in {*self.commands, *ctx.help_option_names} if args else ctx.resilient_parsing
        if self.default and not named:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command by name, or by an old name of one or two words."""
        for many in (2, 1):
            old = " ".join(args[:many])
            if now := self.old.get(old):
                self._tell_new(ctx, old, now)
                args = [*now.split(), *args[many:]]
                break
        return super().resolve_command(ctx, args)

    def _tell_new(self, ctx: click.Context, old: str, now: str) -> None:
        if not ctx.resilient_parsing:  # as when a shell completes
            from companion.wording import Words

            words = Words(global_lang(ctx) or spoken())
            path = ctx.command_path
            click.echo(words.say("old_command", old=f"{path} {old}", now=f"{path} {now}"), err=True)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line for each command, in sections if there are any; in a narrow window as many as it needs."""
        there = self.list_commands(ctx)
        if isinstance(formatter, Formatter) and formatter.is_narrow:
            for title, listed in (self.sections or {"Commands": " ".join(there)}).items():
                texts = [(name, self.line_of(ctx, name, 200)) for name in listed.split() if name in there]
                if texts:
                    with formatter.section(title):
                        formatter.write_dl(texts)
            return
        if not self.sections:
            super().format_commands(ctx, formatter)
            return
        rows = [
            ("" if at else title, name)
            for title, names in self.sections.items()
            for at, name in enumerate(name for name in names.split() if name in there)
        ]
        titles, names = (max(map(len, column)) for column in zip(*rows, strict=True))
        formatter.write_paragraph()
        for title, name in rows:
            line = self.line_of(ctx, name, formatter.width - titles - names - 6)
            formatter.write(f"  {title:{titles}}  {name:{names}}  {line}\n")

    def line_of(self, ctx: click.Context, name: str, limit: int) -> str:
        """Return a command's line of help."""
        command = self.get_command(ctx, name)
        assert command is not None
        return command.get_short_help_str(limit)


class RecordCommands(CommandGroup):
    """Commands whose errors name the option that settles them."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; add the option that settles a refusal as a note."""
        from companion.rules.conversation.errors import CompanionError

        try:
            return super().invoke(ctx)
        except CompanionError as wrong:
            command = self.commands.get(ctx.invoked_subcommand or "")
            there = {*self.commands, *(name for one in (command.params if command else ()) for name in one.opts)}
            for said in (wrong.kind, wrong.code):
                if SETTLED_BY.get(said) in there:
                    wrong.add_note(ctx.obj.words.word("settle", said))
                    break
            raise
